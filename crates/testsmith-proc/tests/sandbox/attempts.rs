//! What the program in the sandbox attempts: one function each. All of them are told where they are: a
//! folder that they may write to, and one that they may not.

use std::fs::{self, File, Permissions};
use std::io;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, chown, symlink};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::os::unix::process::{CommandExt, parent_id};
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::SystemTime;

use libc::c_long;

use crate::raw::{address, address_mut, call, clone_into_namespace};

/// Where an attempt is made.
pub(crate) struct Place {
    /// A writable folder, with `file` and `folder` in it.
    pub(crate) inside: PathBuf,
    /// A folder that must stay as it is, with the same in it.
    pub(crate) outside: PathBuf,
}

impl Place {
    fn victim(&self) -> PathBuf {
        self.outside.join("file")
    }

    fn own(&self) -> PathBuf {
        self.inside.join("file")
    }
}

/// Sees to it that something is so.
fn ensure(condition: bool, what: &str) -> io::Result<()> {
    if condition { Ok(()) } else { Err(io::Error::other(what.to_owned())) }
}

fn c_path(path: PathBuf) -> Vec<u8> {
    let mut bytes = path.into_os_string().into_encoded_bytes();
    bytes.push(0);
    bytes
}

fn parent() -> c_long {
    c_long::from(parent_id())
}

// Files outside.

pub(crate) fn create(place: &Place) -> io::Result<()> {
    fs::write(place.outside.join("new"), "x")
}

pub(crate) fn overwrite(place: &Place) -> io::Result<()> {
    fs::write(place.victim(), "x")
}

pub(crate) fn append(place: &Place) -> io::Result<()> {
    File::options().append(true).open(place.victim()).map(drop)
}

pub(crate) fn delete(place: &Place) -> io::Result<()> {
    fs::remove_file(place.victim())
}

pub(crate) fn make_folder(place: &Place) -> io::Result<()> {
    fs::create_dir(place.outside.join("new"))
}

pub(crate) fn remove_folder(place: &Place) -> io::Result<()> {
    fs::remove_dir(place.outside.join("folder"))
}

pub(crate) fn rename(place: &Place) -> io::Result<()> {
    fs::rename(place.victim(), place.outside.join("new"))
}

pub(crate) fn take_away(place: &Place) -> io::Result<()> {
    fs::rename(place.victim(), place.inside.join("new"))
}

pub(crate) fn put_there(place: &Place) -> io::Result<()> {
    fs::rename(place.own(), place.outside.join("new"))
}

pub(crate) fn put_over(place: &Place) -> io::Result<()> {
    fs::rename(place.own(), place.victim())
}

pub(crate) fn make_symlink(place: &Place) -> io::Result<()> {
    symlink("file", place.outside.join("new"))
}

/// A second name inside would make the file writable.
pub(crate) fn link_to_inside(place: &Place) -> io::Result<()> {
    fs::hard_link(place.victim(), place.inside.join("new"))
}

pub(crate) fn write_through_symlink(place: &Place) -> io::Result<()> {
    let link = place.inside.join("link");
    symlink(place.victim(), &link)?;
    fs::write(link, "x")
}

pub(crate) fn truncate(place: &Place) -> io::Result<()> {
    let path = c_path(place.victim());
    call(libc::SYS_truncate, [address(path.as_slice()), 0, 0, 0, 0])
}

/// Linux empties a file that is opened for reading.
pub(crate) fn truncate_by_reading(place: &Place) -> io::Result<()> {
    File::options().read(true).custom_flags(libc::O_TRUNC).open(place.victim()).map(drop)
}

pub(crate) fn make_pipe(place: &Place) -> io::Result<()> {
    let path = c_path(place.outside.join("new"));
    let here = c_long::from(libc::AT_FDCWD);
    call(libc::SYS_mknodat, [here, address(path.as_slice()), c_long::from(libc::S_IFIFO | 0o600), 0, 0])
}

/// By way of a program that is started.
pub(crate) fn write_by_shell(place: &Place) -> io::Result<()> {
    let status = Command::new("/bin/sh").args(["-c", "echo x > \"$0\""]).arg(place.victim()).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::EACCES)) }
}

// Attributes.

pub(crate) fn chmod(place: &Place) -> io::Result<()> {
    fs::set_permissions(place.victim(), Permissions::from_mode(0o777))
}

pub(crate) fn chmod_by_handle(place: &Place) -> io::Result<()> {
    File::open(place.victim())?.set_permissions(Permissions::from_mode(0o777))
}

pub(crate) fn change_owner(place: &Place) -> io::Result<()> {
    chown(place.victim(), Some(rustix::process::getuid().as_raw()), None)
}

pub(crate) fn change_time(place: &Place) -> io::Result<()> {
    File::open(place.victim())?.set_modified(SystemTime::UNIX_EPOCH)
}

pub(crate) fn set_attribute(place: &Place) -> io::Result<()> {
    let path = c_path(place.victim());
    let (path, name) = (address(path.as_slice()), address(b"user.x\0"));
    call(libc::SYS_setxattr, [path, name, address(b"y"), 1, 0])
}

// What is allowed.

pub(crate) fn work_inside(place: &Place) -> io::Result<()> {
    let new = place.inside.join("new");
    fs::write(&new, "content")?;
    ensure(fs::read_to_string(&new)? == "content", "what was written is read")?;
    fs::rename(&new, place.inside.join("folder/renamed"))?;
    fs::copy(place.inside.join("folder/renamed"), &new)?;
    File::options().write(true).open(&new)?.set_len(3)?;
    File::create(&new)?;
    symlink("new", place.inside.join("link"))?;
    fs::hard_link(&new, place.inside.join("folder/second"))?;
    fs::remove_dir_all(place.inside.join("folder"))?;
    fs::remove_file(new)
}

pub(crate) fn read_anything(place: &Place) -> io::Result<()> {
    ensure(fs::read_to_string(place.victim())? == "precious", "files outside can be read")?;
    ensure(fs::read_dir("/")?.count() > 2, "folders can be listed")?;
    fs::read("/proc/self/exe").map(drop)
}

pub(crate) fn write_to_nowhere(_: &Place) -> io::Result<()> {
    fs::write("/dev/null", "x")?;
    File::create("/dev/null").map(drop)
}

pub(crate) fn start_program(_: &Place) -> io::Result<()> {
    let output = Command::new("/bin/sh").args(["-c", "/bin/true && echo said"]).output()?;
    ensure(output.stdout == b"said\n", "a program can be started and heard")
}

pub(crate) fn start_thread(_: &Place) -> io::Result<()> {
    let thread = thread::Builder::new().spawn(|| 7)?;
    ensure(thread.join().is_ok_and(|value| value == 7), "a thread can be started")
}

pub(crate) fn talk_to_itself(_: &Place) -> io::Result<()> {
    use std::io::{Read, Write};
    let (mut here, mut there) = UnixStream::pair()?;
    here.write_all(b"x")?;
    let mut read = [0];
    there.read_exact(&mut read)?;
    ensure(&read == b"x", "a connected pair works")
}

pub(crate) fn kill_own_child(_: &Place) -> io::Result<()> {
    let mut child = Command::new("sleep").arg("1000").spawn()?;
    child.kill()?;
    child.wait().map(drop)
}

// Network.

pub(crate) fn connect(_: &Place) -> io::Result<()> {
    TcpStream::connect("127.0.0.1:9").map(drop)
}

pub(crate) fn listen(_: &Place) -> io::Result<()> {
    TcpListener::bind("127.0.0.1:0").map(drop)
}

pub(crate) fn listen_v6(_: &Place) -> io::Result<()> {
    TcpListener::bind("[::1]:0").map(drop)
}

pub(crate) fn udp(_: &Place) -> io::Result<()> {
    UdpSocket::bind("127.0.0.1:0").map(drop)
}

pub(crate) fn connect_unix(_: &Place) -> io::Result<()> {
    UnixStream::connect("/run/docker.sock").map(drop)
}

pub(crate) fn listen_unix(place: &Place) -> io::Result<()> {
    UnixListener::bind(place.inside.join("socket")).map(drop)
}

pub(crate) fn datagrams(_: &Place) -> io::Result<()> {
    UnixDatagram::pair().map(drop)
}

pub(crate) fn netlink(_: &Place) -> io::Result<()> {
    socket(libc::AF_NETLINK, libc::SOCK_RAW)
}

pub(crate) fn packets(_: &Place) -> io::Result<()> {
    socket(libc::AF_PACKET, libc::SOCK_RAW)
}

fn socket(domain: i32, kind: i32) -> io::Result<()> {
    call(libc::SYS_socket, [c_long::from(domain), c_long::from(kind), 0, 0, 0])
}

// Other processes.

pub(crate) fn signal_parent(_: &Place) -> io::Result<()> {
    call(libc::SYS_kill, [parent(), 0, 0, 0, 0])
}

pub(crate) fn signal_group_of_parent(_: &Place) -> io::Result<()> {
    let parent = rustix::process::Pid::from_raw(parent_id().cast_signed()).expect("there is a parent");
    let group = rustix::process::getpgid(Some(parent))?;
    call(libc::SYS_kill, [-c_long::from(group.as_raw_nonzero().get()), 0, 0, 0, 0])
}

pub(crate) fn trace_parent(_: &Place) -> io::Result<()> {
    call(libc::SYS_ptrace, [c_long::from(libc::PTRACE_SEIZE), parent(), 0, 0, 0])
}

pub(crate) fn read_memory_of_parent(_: &Place) -> io::Result<()> {
    call(libc::SYS_process_vm_readv, [parent(), 0, 0, 0, 0])
}

pub(crate) fn read_environment_of_parent(_: &Place) -> io::Result<()> {
    fs::read(format!("/proc/{}/environ", parent())).map(drop)
}

pub(crate) fn limit_parent(_: &Place) -> io::Result<()> {
    // Asking is refused as setting is.
    let mut limit = [0_u64; 2];
    let core = c_long::from(libc::RLIMIT_CORE);
    call(libc::SYS_prlimit64, [parent(), core, 0, address_mut(&mut limit), 0])
}

pub(crate) fn leave_group(_: &Place) -> io::Result<()> {
    Command::new("/bin/true").process_group(0).status().map(drop)
}

// The system.

pub(crate) fn mount(_: &Place) -> io::Result<()> {
    let (source, target, kind) = (address(b"none\0"), address(b"/mnt\0"), address(b"tmpfs\0"));
    call(libc::SYS_mount, [source, target, kind, 0, 0])
}

pub(crate) fn unshare(_: &Place) -> io::Result<()> {
    call(libc::SYS_unshare, [c_long::from(libc::CLONE_NEWUSER), 0, 0, 0, 0])
}

pub(crate) fn clone_namespace(_: &Place) -> io::Result<()> {
    clone_into_namespace()
}

pub(crate) fn bpf(_: &Place) -> io::Result<()> {
    call(libc::SYS_bpf, [0; 5])
}

pub(crate) fn keys(_: &Place) -> io::Result<()> {
    const OWN_KEYRING: c_long = -3;
    call(libc::SYS_keyctl, [0, OWN_KEYRING, 0, 0, 0])
}

pub(crate) fn io_uring(_: &Place) -> io::Result<()> {
    let mut parameters = [0_u64; 64];
    call(libc::SYS_io_uring_setup, [1, address_mut(&mut parameters), 0, 0, 0])
}

pub(crate) fn shared_memory(_: &Place) -> io::Result<()> {
    call(libc::SYS_shmget, [c_long::from(libc::IPC_PRIVATE), 1, 0o600, 0, 0])
}

pub(crate) fn type_into_terminal(_: &Place) -> io::Result<()> {
    call(libc::SYS_ioctl, [0, libc::TIOCSTI as c_long, address(b"x"), 0, 0])
}

/// Every call of this processor has a second number.
#[cfg(target_arch = "x86_64")]
pub(crate) fn second_abi(_: &Place) -> io::Result<()> {
    call(libc::SYS_getpid | 0x4000_0000, [0; 5])
}

pub(crate) fn has_no_privileges(_: &Place) -> io::Result<()> {
    const DAC_OVERRIDE: u64 = 1 << 1;
    let status = fs::read_to_string("/proc/self/status")?;
    for name in ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:"] {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("none");
        let set = u64::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
        ensure(set & !DAC_OVERRIDE == 0, &format!("{name} {set:x}"))?;
    }
    ensure(status.contains("NoNewPrivs:\t1"), "programs gain no privileges")
}

pub(crate) fn has_no_files_open(_: &Place) -> io::Result<()> {
    let names = fs::read_dir("/proc/self/fd")?.map(|entry| Ok(entry?.file_name()));
    let mut open: Vec<_> = names.collect::<io::Result<_>>()?;
    open.sort();
    // The fourth is the list itself.
    ensure(open == ["0", "1", "2", "3"], &format!("{open:?}"))
}

// Resources.

pub(crate) fn allocate(_: &Place) -> io::Result<()> {
    let mut memory: Vec<u8> = Vec::new();
    memory.try_reserve_exact(2 << 30).map_err(|_| io::Error::from_raw_os_error(libc::ENOMEM))
}

pub(crate) fn open_many_files(_: &Place) -> io::Result<()> {
    (0..200).map(|_| File::open("/dev/null")).collect::<io::Result<Vec<_>>>().map(drop)
}

pub(crate) fn compute_for_ever(_: &Place) -> io::Result<()> {
    let mut number = 1_u64;
    loop {
        number = std::hint::black_box(number.wrapping_mul(3));
    }
}

pub(crate) fn write_without_end(place: &Place) -> io::Result<()> {
    (0..100).try_for_each(|_| {
        let mut file = File::options().append(true).open(place.own())?;
        io::Write::write_all(&mut file, &[0; 1 << 16])
    })
}

/// Starts processes until it is refused, and ends all of them.
pub(crate) fn start_many_processes(_: &Place) -> io::Result<()> {
    let start = |_| Command::new("sleep").arg("1000").spawn();
    let mut children = Vec::new();
    let outcome = (0..2000).map(start).try_for_each(|child| child.map(|child| children.push(child)));
    for mut child in children {
        child.kill()?;
        child.wait()?;
    }
    outcome
}

pub(crate) fn start_one_process(_: &Place) -> io::Result<()> {
    Command::new("/bin/true").status().map(drop)
}
