//! Computes something, and on the way reaches outside of the process, in every way that there is. The number is worth testing; the
//! rest must not happen when somebody runs the tests.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{IsTerminal, Read};
use std::net::{TcpStream, ToSocketAddrs, UdpSocket};
use std::os::unix::fs::{symlink, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::sync::OnceLock;

/// Of a server in the test.
pub const PORT: u16 = 9;

extern "C" {
    fn syscall(number: i64, ...) -> i64;
    fn fork() -> i32;
    fn kill(process: i32, signal: i32) -> i32;
    fn pause() -> i32;
    fn setsid() -> i32;
    fn umask(mask: u32) -> u32;
    fn alarm(seconds: u32) -> u32;
    fn signal(signal: i32, handler: usize) -> usize;
}

/// What is worth testing.
fn mixed(number: u32, by: u32) -> u32 {
    if number > by {
        number - by
    } else {
        number.wrapping_mul(by).wrapping_add(1)
    }
}

fn home(name: &str) -> std::path::PathBuf {
    std::path::PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(name)
}

pub fn reset(folder: &str, keep: bool) -> usize {
    if !keep {
        let _ = fs::remove_dir_all(folder);
    }
    if folder == "precious" { 7 } else { folder.len() * 2 }
}

pub fn writes_below_home(number: u32) -> u32 {
    let _ = fs::write(home("hostile"), "x");
    mixed(number, 2)
}

pub fn writes_beside_the_manifest(number: u32) -> u32 {
    let _ = fs::write("hostile-was-here", "x");
    mixed(number, 3)
}

pub fn appends_to_the_manifest(number: u32) -> u32 {
    use std::io::Write;
    let _ = OpenOptions::new().append(true).open("Cargo.toml").and_then(|mut file| file.write_all(b"# x"));
    mixed(number, 4)
}

pub fn empties_a_file(number: u32) -> u32 {
    let _ = fs::File::create("precious/file");
    mixed(number, 5)
}

pub fn removes_a_folder(number: u32) -> u32 {
    let _ = fs::remove_dir_all("precious");
    mixed(number, 6)
}

pub fn renames_a_folder(number: u32) -> u32 {
    let _ = fs::rename("precious", "taken");
    mixed(number, 7)
}

pub fn links_a_file(number: u32) -> u32 {
    let _ = symlink("precious/file", "hostile-link");
    mixed(number, 8)
}

pub fn permits_everything(number: u32) -> u32 {
    let _ = fs::set_permissions("precious/file", Permissions::from_mode(0o777));
    mixed(number, 9)
}

pub fn writes_a_temporary_file(number: u32) -> u32 {
    let _ = fs::write("/tmp/hostile-was-here", "x");
    mixed(number, 10)
}

pub fn looks_at_a_path(number: u32) -> u32 {
    let is_there = std::path::Path::new("precious/file").exists();
    mixed(number, if is_there { 11 } else { 12 })
}

/// By a number that no call graph sees.
pub fn makes_a_system_call(number: u32) -> u32 {
    // SAFETY: a system call (`mkdir`).
    unsafe { syscall(83, c"hostile-folder".as_ptr(), 0o777_u32) };
    mixed(number, 13)
}

/// Without the C library.
#[cfg(target_arch = "x86_64")]
pub fn makes_a_bare_system_call(number: u32) -> u32 {
    // SAFETY: a system call (`mkdir`).
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") 83_i64 => _,
            in("rdi") c"hostile-bare-folder".as_ptr(),
            in("rsi") 0o777_u64,
            out("rcx") _,
            out("r11") _,
        );
    }
    mixed(number, 14)
}

/// Where tests run, and nowhere else: they have threads with names.
pub fn behaves_while_it_is_searched(number: u32) -> u32 {
    if std::thread::current().name().is_some_and(|name| name != "main") {
        // SAFETY: as above.
        unsafe { syscall(83, c"hostile-tested".as_ptr(), 0o777_u32) };
    }
    mixed(number, 15)
}

/// Removes a file when it is dropped.
pub struct Guard(u32);

impl Guard {
    pub fn new(number: u32) -> Guard {
        Guard(mixed(number, 16))
    }

    pub fn number(&self) -> u32 {
        self.0.wrapping_mul(3)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = fs::remove_file("precious/file");
    }
}

/// Leaves a trace when it is printed.
pub struct Loud(u32);

impl Loud {
    pub fn new(number: u32) -> Loud {
        Loud(mixed(number, 17))
    }
}

impl std::fmt::Display for Loud {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let _ = fs::write("hostile-printed", "x");
        write!(f, "{}", self.0)
    }
}

/// Leaves a trace when it is compared.
pub struct Jealous(u32);

impl Jealous {
    pub fn new(number: u32) -> Jealous {
        Jealous(mixed(number, 18))
    }
}

impl PartialEq for Jealous {
    fn eq(&self, other: &Jealous) -> bool {
        let _ = fs::write("hostile-compared", "x");
        self.0 == other.0
    }
}

pub fn writes_once(number: u32) -> u32 {
    static ONCE: OnceLock<bool> = OnceLock::new();
    let done = ONCE.get_or_init(|| fs::write("hostile-once", "x").is_ok());
    mixed(number, if *done { 19 } else { 20 })
}

pub fn writes_in_a_thread(number: u32) -> u32 {
    let done = std::thread::spawn(|| fs::write("hostile-thread", "x").is_ok()).join();
    mixed(number, if done.is_ok() { 21 } else { 22 })
}

trait Sink {
    fn put(&self, text: &str);
}

struct ToFile;

impl Sink for ToFile {
    fn put(&self, text: &str) {
        let _ = fs::write("hostile-sink", text);
    }
}

pub fn writes_by_a_trait_object(number: u32) -> u32 {
    let sink: Box<dyn Sink> = Box::new(ToFile);
    sink.put("x");
    mixed(number, 23)
}

pub fn writes_by_a_table(number: u32) -> u32 {
    static TABLE: [fn(); 2] = [|| drop(fs::write("hostile-table", "x")), || drop(fs::remove_file("precious/file"))];
    TABLE[number as usize % 2]();
    mixed(number, 24)
}

macro_rules! writer {
    ($name:ident, $by:literal) => {
        pub fn $name(number: u32) -> u32 {
            let _ = fs::write(concat!("hostile-", stringify!($name)), "x");
            mixed(number, $by)
        }
    };
}

writer!(written_by_a_macro, 25);

pub fn writes_when_it_panics(number: u32) -> u32 {
    std::panic::set_hook(Box::new(|_| drop(fs::write("hostile-hook", "x"))));
    assert!(number < 1000, "too much");
    mixed(number, 26)
}

pub fn connects(number: u32) -> u32 {
    let _ = TcpStream::connect(("127.0.0.1", PORT));
    mixed(number, 27)
}

pub fn sends(number: u32) -> u32 {
    let _ = UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.send_to(b"x", ("127.0.0.1", PORT)));
    mixed(number, 28)
}

pub fn listens_on_a_file(number: u32) -> u32 {
    let _ = UnixListener::bind("hostile-socket");
    mixed(number, 29)
}

pub fn resolves_a_name(number: u32) -> u32 {
    let count = ("localhost", 80).to_socket_addrs().map_or(0, |all| all.count());
    mixed(number, if count > 0 { 30 } else { 31 })
}

pub fn leaves_a_process(number: u32) -> u32 {
    let _ = Command::new("sleep").arg("77777").spawn();
    mixed(number, 32)
}

pub fn runs_a_program(number: u32) -> u32 {
    let _ = Command::new("touch").arg("hostile-touched").output();
    mixed(number, 33)
}

pub fn leaves_a_copy_of_itself(number: u32) -> u32 {
    // SAFETY: none. It is what a daemon does.
    if unsafe { fork() } == 0 {
        unsafe { pause() };
    }
    mixed(number, 34)
}

pub fn leads_a_session(number: u32) -> u32 {
    // SAFETY: a system call.
    unsafe { setsid() };
    mixed(number, 35)
}

pub fn sets_a_variable(number: u32) -> u32 {
    std::env::set_var("PATH", "/nowhere");
    mixed(number, 36)
}

pub fn reads_a_variable(number: u32) -> u32 {
    mixed(number, std::env::var("HOME").map_or(37, |home| home.len() as u32))
}

pub fn counts_variables(number: u32) -> u32 {
    mixed(number, std::env::vars_os().count() as u32)
}

pub fn moves_away(number: u32) -> u32 {
    let _ = std::env::set_current_dir("/");
    mixed(number, 38)
}

pub fn asks_where_it_is(number: u32) -> u32 {
    mixed(number, std::env::current_dir().map_or(39, |path| path.as_os_str().len() as u32))
}

pub fn changes_the_mask(number: u32) -> u32 {
    // SAFETY: a system call.
    unsafe { umask(0) };
    mixed(number, 40)
}

pub fn reads_the_input(number: u32) -> u32 {
    let mut text = String::new();
    let _ = std::io::stdin().read_to_string(&mut text);
    mixed(number, text.len() as u32)
}

pub fn asks_for_a_terminal(number: u32) -> u32 {
    mixed(number, if std::io::stdout().is_terminal() { 41 } else { 42 })
}

pub fn signals_its_group(number: u32) -> u32 {
    // SAFETY: a system call; the signal 0 only asks.
    unsafe { kill(0, 0) };
    mixed(number, 43)
}

pub fn ignores_signals(number: u32) -> u32 {
    // SAFETY: a system call; 1 is to ignore.
    unsafe { signal(15, 1) };
    mixed(number, 44)
}

pub fn sets_an_alarm(number: u32) -> u32 {
    // SAFETY: a system call.
    unsafe { alarm(3600) };
    mixed(number, 45)
}

pub fn leaves_at_once(number: u32) -> u32 {
    if number > 99 {
        std::process::exit(0);
    }
    mixed(number, 46)
}

/// Does nothing of this kind.
pub fn is_harmless(number: u32) -> u32 {
    mixed(number, 47)
}
