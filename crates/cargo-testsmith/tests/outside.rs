//! `testdata/outside` reaches outside of its process in every way that there is. Nothing of it happens while tests are generated, and
//! nothing when the written tests run as the user runs them, without a sandbox: also where the system refuses namespaces or landlock.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod util;

use std::collections::BTreeSet;
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use util::{Fixture, Tree};

/// How a callable is kept from tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// Left out before the search: the call graph says that it reaches there.
    Out(&'static str),
    /// Its programs are stopped in the search, or its tests do nothing of the kind.
    Watched,
    /// Its tests are watched, and not delivered.
    Back,
    /// There is nothing to keep it from.
    Tested,
}

use Kept::{Back, Out, Tested, Watched};

const ROWS: &[(&str, Kept)] = &[
    ("reset", Out("files")),
    ("writes_below_home", Out("files")),
    ("writes_beside_the_manifest", Out("files")),
    ("appends_to_the_manifest", Out("files")),
    ("empties_a_file", Out("files")),
    ("removes_a_folder", Out("files")),
    ("renames_a_folder", Out("files")),
    ("links_a_file", Out("files")),
    ("permits_everything", Out("files")),
    ("writes_a_temporary_file", Out("files")),
    ("looks_at_a_path", Out("files")),
    ("makes_a_system_call", Watched),
    ("makes_a_bare_system_call", Out("files")),
    ("behaves_while_it_is_searched", Back),
    ("Guard::new", Out("files")),
    ("Loud::new", Watched),
    ("<outside::Loud as Display>::fmt", Out("files")),
    ("Jealous::new", Watched),
    ("<outside::Jealous as PartialEq>::eq", Out("files")),
    ("writes_once", Out("files")),
    ("writes_in_a_thread", Out("files")),
    ("writes_by_a_trait_object", Out("files")),
    ("writes_by_a_table", Out("files")),
    ("written_by_a_macro", Out("files")),
    ("writes_when_it_panics", Out("files")),
    ("connects", Out("network")),
    ("sends", Out("network")),
    ("listens_on_a_file", Out("network")),
    ("resolves_a_name", Out("network")),
    ("leaves_a_process", Out("processes")),
    ("runs_a_program", Out("processes")),
    ("leaves_a_copy_of_itself", Out("processes")),
    ("leads_a_session", Out("processes")),
    ("sets_a_variable", Out("environment")),
    ("reads_a_variable", Out("environment")),
    ("counts_variables", Out("environment")),
    ("moves_away", Out("directory")),
    ("asks_where_it_is", Out("directory")),
    ("changes_the_mask", Out("directory")),
    ("reads_the_input", Out("input")),
    ("asks_for_a_terminal", Out("input")),
    ("signals_its_group", Out("signals")),
    ("ignores_signals", Out("signals")),
    ("sets_an_alarm", Out("signals")),
    ("leaves_at_once", Out("exit")),
    ("is_harmless", Tested),
];

/// System calls that enter namespaces, and landlock.
const UNSHARE: u32 = 272;
const LANDLOCK: [u32; 3] = [444, 445, 446];

/// Where the crate could do harm.
struct Place {
    fixture: Fixture,
    home: PathBuf,
    tcp: TcpListener,
    udp: UdpSocket,
}

impl Place {
    fn new() -> Place {
        let fixture = Fixture::copy("outside").with_tests();
        let tcp = TcpListener::bind("127.0.0.1:0").expect("there is a loopback");
        let address = tcp.local_addr().expect("it is bound");
        let udp = UdpSocket::bind(address).expect("nobody else has the port");
        tcp.set_nonblocking(true).expect("a socket can be asked");
        udp.set_nonblocking(true).expect("a socket can be asked");
        let port = |number: u16| format!("pub const PORT: u16 = {number};");
        fixture.replace("src/lib.rs", &port(9), &port(address.port()));
        let home = fixture.beside("home");
        std::fs::create_dir(&home).expect("the folder is new");
        std::fs::write(home.join("file"), "of the user").expect("the folder is ours");
        Place { fixture, home, tcp, udp }
    }

    /// As the user, whose home is another one.
    fn at_home(&self, mut command: Command) -> Command {
        let home = std::env::home_dir().unwrap_or_default();
        for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            command.env(name, std::env::var_os(name).unwrap_or_else(|| home.join(folder).into()));
        }
        command.env("HOME", &self.home);
        command
    }

    /// Panics if something has changed, or somebody has called.
    fn assert_untouched(&self, home: &Tree) {
        home.assert_same(&Tree::read(&self.home, &[]));
        let nobody = Err(io::ErrorKind::WouldBlock);
        assert_eq!(
            self.tcp.accept().map(drop).map_err(|error| error.kind()),
            nobody,
            "somebody has connected"
        );
        let heard = self.udp.recv(&mut [0; 8]).map_err(|error| error.kind());
        assert_eq!(heard.map(drop), nobody, "somebody has sent something");
        assert!(!Path::new("/tmp/hostile-was-here").exists());
    }
}

/// Refuses system calls to a process, as a container does.
fn refuse(command: &mut Command, calls: &[u32]) {
    #[repr(C)]
    struct Instruction(u16, u8, u8, u32);
    #[repr(C)]
    struct Filter(u16, *const Instruction);
    unsafe extern "C" {
        fn prctl(option: i32, ...) -> i32;
    }
    const REFUSED: u32 = 0x0005_0001;
    const ALLOWED: u32 = 0x7fff_0000;
    let mut filter = vec![Instruction(0x20, 0, 0, 0)];
    for call in calls {
        filter.extend([Instruction(0x15, 0, 1, *call), Instruction(0x06, 0, 0, REFUSED)]);
    }
    filter.push(Instruction(0x06, 0, 0, ALLOWED));
    // SAFETY: two system calls between fork and exec, with memory that is there until then.
    unsafe {
        command.pre_exec(move || {
            let program = Filter(filter.len() as u16, filter.as_ptr());
            prctl(38, 1_u64, 0_u64, 0_u64, 0_u64);
            match prctl(22, 2_u64, &raw const program) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        });
    }
}

/// Why a callable is not kept as the row says.
fn complaint(name: &str, kept: Kept, report: &Value) -> Option<String> {
    let path = if name.starts_with('<') { name.to_owned() } else { format!("outside::{name}") };
    let reaching = &report["reaching_outside"][&path];
    let written = || {
        let tests = report["written"].as_array().into_iter().flatten();
        let name = name.to_lowercase();
        tests.filter(|test| test["name"].as_str().is_some_and(|it| it.contains(&name))).count()
    };
    let is_right = match kept {
        Out(outside) => {
            reaching["outside"].as_array().is_some_and(|all| all.contains(&outside.into())) && written() == 0
        }
        Watched => true,
        Back => !reaching.is_null() && written() == 0,
        Tested => reaching.is_null() && written() > 0,
    };
    (!is_right).then(|| format!("{name} should be {kept:?}: {reaching}, {} tests", written()))
}

/// Generates tests where these system calls are refused, and runs them as the user does.
#[track_caller]
fn check(refused: &[u32]) {
    let place = Place::new();
    let fixture = &place.fixture;
    let home = Tree::read(&place.home, &[]);
    let mut tool = place.at_home(fixture.tool());
    tool.args(["generate", "--all-mutants", "--json", "--offline", "--executions", "3000", "--seed", "1"]);
    refuse(&mut tool, refused);
    let ran = fixture.start(&mut tool).wait_within(Duration::from_secs(400)).expect_code(0);
    place.assert_untouched(&home);
    let report = ran.json();
    let complaints: Vec<String> =
        ROWS.iter().filter_map(|(name, kept)| complaint(name, *kept, &report)).collect();
    assert!(complaints.is_empty(), "{}\n{:#}", complaints.join("\n"), report["dropped"]);

    let cargo = |arguments: &[&str]| {
        let mut cargo = place.at_home(fixture.command(env!("CARGO")));
        cargo.args(["test", "--offline"]).args(arguments);
        cargo
    };
    // Writes the lock file.
    assert!(cargo(&["--no-run"]).status().expect("there is cargo").success());
    let ran = fixture.start(&mut cargo(&[])).wait().expect_code(0);
    assert!(ran.stdout.contains("is_harmless"), "{ran:#?}");
    place.assert_untouched(&home);
}

#[test]
fn every_way_is_there_once() {
    let names: BTreeSet<&str> = ROWS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), ROWS.len());
    assert!(ROWS.len() >= 40);
}

#[test]
fn nothing_reaches_outside() {
    check(&[]);
}

#[test]
fn nothing_reaches_outside_where_there_are_no_namespaces() {
    check(&[UNSHARE]);
}

#[test]
fn nothing_reaches_outside_where_there_is_no_landlock_either() {
    check(&[&[UNSHARE][..], &LANDLOCK].concat());
}
