//! Where the process ends: functions of the C library by the part of the world that they reach, and the functions behind which nobody
//! looks, because a test does not get there or everybody does.

use testsmith_rt::harness::outside::Outside::{
    self, Directory, Environment, Exit, Files, Input, Network, Processes, Signals,
};

/// By the name without `64` at the end.
const LEAVES: &[(Outside, &[&str])] = &[
    (
        Files,
        &[
            "access",
            "chmod",
            "chown",
            "copy_file_range",
            "creat",
            "euidaccess",
            "faccessat",
            "fallocate",
            "fchmod",
            "fchmodat",
            "fchown",
            "fchownat",
            "fdatasync",
            "fdopendir",
            "flock",
            "fopen",
            "freopen",
            "fstatat",
            "fstatvfs",
            "fsync",
            "ftruncate",
            "ftw",
            "futimens",
            "futimes",
            "getxattr",
            "glob",
            "inotify_init",
            "inotify_init1",
            "lchown",
            "lgetxattr",
            "link",
            "linkat",
            "listxattr",
            "llistxattr",
            "lremovexattr",
            "lsetxattr",
            "lstat",
            "lutimes",
            "mkdir",
            "mkdirat",
            "mkdtemp",
            "mkfifo",
            "mkfifoat",
            "mknod",
            "mknodat",
            "mkostemp",
            "mkstemp",
            "nftw",
            "open",
            "openat",
            "opendir",
            "pathconf",
            "posix_fallocate",
            "readdir",
            "readdir_r",
            "readlink",
            "readlinkat",
            "realpath",
            "remove",
            "removexattr",
            "rename",
            "renameat",
            "renameat2",
            "rmdir",
            "scandir",
            "sem_open",
            "sendfile",
            "setxattr",
            "shm_open",
            "shm_unlink",
            "stat",
            "statfs",
            "statvfs",
            "statx",
            "symlink",
            "symlinkat",
            "sync",
            "syncfs",
            "tmpfile",
            "truncate",
            "unlink",
            "unlinkat",
            "utime",
            "utimensat",
            "utimes",
            "__xstat",
            "__lxstat",
            "__fxstatat",
        ],
    ),
    (
        Network,
        &[
            "accept",
            "accept4",
            "bind",
            "connect",
            "getaddrinfo",
            "gethostbyaddr",
            "gethostbyname",
            "getifaddrs",
            "getnameinfo",
            "if_nametoindex",
            "listen",
            "recvfrom",
            "recvmsg",
            "sendmsg",
            "sendto",
            "socket",
        ],
    ),
    (
        Processes,
        &[
            "clone",
            "daemon",
            "execl",
            "execle",
            "execlp",
            "execv",
            "execve",
            "execveat",
            "execvp",
            "execvpe",
            "fexecve",
            "fork",
            "forkpty",
            "pidfd_open",
            "pidfd_spawnp",
            "popen",
            "posix_spawn",
            "posix_spawnp",
            "ptrace",
            "setegid",
            "seteuid",
            "setgid",
            "setgroups",
            "setpgid",
            "setpriority",
            "setregid",
            "setresgid",
            "setresuid",
            "setreuid",
            "setrlimit",
            "setsid",
            "setuid",
            "system",
            "unshare",
            "vfork",
        ],
    ),
    (
        Environment,
        &["__environ", "clearenv", "environ", "getenv", "putenv", "secure_getenv", "setenv", "unsetenv"],
    ),
    (Directory, &["chdir", "chroot", "fchdir", "get_current_dir_name", "getcwd", "getwd", "umask"]),
    (Input, &["getchar", "isatty", "stdin", "tcgetattr", "tcsetattr", "ttyname_r"]),
    (
        Signals,
        &[
            "alarm",
            "kill",
            "killpg",
            "pthread_kill",
            "raise",
            "setitimer",
            "sigaction",
            "signal",
            "sigqueue",
            "timer_create",
            "tgkill",
        ],
    ),
    (Exit, &["_Exit", "_exit", "exit", "quick_exit"]),
];

/// Functions of the standard library that say more than those that they call: reading is the same for a file and for the input.
const RUST_LEAVES: &[(Outside, &str)] = &[(Input, "std::io::stdio::stdin")];

/// What tells the time.
const CLOCKS: &[&str] = &["clock", "clock_gettime", "gettimeofday", "time", "timespec_get", "times"];

/// Whether a function of this name tells the time; `name` is as the linker knows it.
pub(crate) fn is_clock(name: &str) -> bool {
    CLOCKS.contains(&plain(name))
}

/// A name without its version, and without `64`.
fn plain(name: &str) -> &str {
    let name = name.split('@').next().unwrap_or(name);
    name.strip_suffix("64").unwrap_or(name)
}

/// The part of the world that a function of this name reaches; `name` is as the linker knows it.
pub(crate) fn class_of(name: &str) -> Option<Outside> {
    let plain = plain(name);
    LEAVES.iter().find(|(_, names)| names.contains(&plain)).map(|(outside, _)| *outside)
}

/// The same for a path of Rust.
pub(crate) fn class_of_path(path: &str) -> Option<Outside> {
    RUST_LEAVES.iter().find(|(_, name)| path == *name).map(|(outside, _)| *outside)
}

/// Parts of paths behind which nobody looks, each with parts that are followed all the same: code of the caller runs there.
const CUT: &[(&str, &[&str])] = &[
    // A panic is caught, and its message goes nowhere.
    ("panicking::", &["::try", "catch_unwind", "do_call"]),
    ("::rust_begin_unwind", &[]),
    ("handle_alloc_error", &[]),
    ("alloc_error_handler", &[]),
    // Looks at the program's own file.
    ("std::backtrace::", &[]),
    ("std::backtrace_rs::", &[]),
    ("std::sys::backtrace::", &["short_backtrace"]),
    ("stack_overflow::", &[]),
    // Random numbers, for hash tables as well: they may come from a file that everybody has.
    ("std::sys::random::", &[]),
    ("hashmap_random_keys", &[]),
    // Files that tell how many processors there are.
    ("available_parallelism", &[]),
];

/// Whether nobody follows a call from one path to another: a thread asks a variable how large its stack is to be, and who waits for
/// something asks a clock for how long.
pub(crate) fn is_cut_between(from: &str, to: &str) -> bool {
    let asks_for_stack = || from.starts_with("std::thread::") && to.starts_with("std::env::");
    let is_time = |path: &str| path.contains("::time::");
    let waits = || from.starts_with("std::") && !is_time(from) && (is_time(to) || is_clock(to));
    asks_for_stack() || waits()
}

/// Crates in which only functions of the standard library's own name are cut.
const STANDARD: [&str; 3] = ["core", "alloc", "std"];

/// Names that are cut wherever they are defined: what the compiler calls.
const CUT_NAMES: &[&str] =
    &["rust_panic", "__rust_start_panic", "rust_begin_unwind", "__rdl_oom", "__rg_oom"];

/// The crate that random numbers come from, in nearly every program that wants them; the harness has its own definition.
const RANDOM: &str = "getrandom";

/// Whether what a function of this path calls is of no matter. `root` is the crate that it is of.
pub(crate) fn is_cut(path: &str, root: &str) -> bool {
    if CUT_NAMES.iter().any(|name| root == *name || path == *name) || root == RANDOM {
        return true;
    }
    let is_it =
        |(part, but): &(&str, &[&str])| path.contains(part) && !but.iter().any(|but| path.contains(but));
    STANDARD.contains(&root) && CUT.iter().any(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leaf_is_there_once_and_is_known_in_all_its_forms() {
        let mut all: Vec<&str> = LEAVES.iter().flat_map(|(_, names)| *names).copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        let table = [
            ("open64", Some(Files)),
            ("unlink@GLIBC_2.2.5", Some(Files)),
            ("getenv", Some(Environment)),
            ("memcpy", None),
            ("write", None),
            ("abort", None),
        ];
        for (name, expected) in table {
            assert_eq!(class_of(name), expected, "{name}");
        }
    }

    #[test]
    fn who_waits_asks_a_clock_and_does_not_tell() {
        let table = [
            ("std::sys::futex::futex_wait", "std::sys::pal::unix::time::Timespec::now", true),
            ("std::sys::pal::unix::time::Timespec::now", "clock_gettime", false),
            ("std::time::Instant::now", "std::sys::pal::unix::time::Instant::now", false),
            ("a::stamp", "std::time::SystemTime::now", false),
            ("std::thread::spawn", "a::stamp", false),
        ];
        for (from, to, expected) in table {
            assert_eq!(is_cut_between(from, to), expected, "{from} → {to}");
        }
        assert!(is_clock("clock_gettime@GLIBC_2.17") && !is_clock("timer_create"));
    }

    #[test]
    fn panics_are_cut_and_what_is_called_under_their_names_is_not() {
        let table = [
            ("core::panicking::panic_fmt", "core", true),
            ("std::panicking::try", "std", false),
            ("std::panicking::catch_unwind::do_call", "std", false),
            ("std::sys::backtrace::__rust_begin_short_backtrace", "std", false),
            ("std::sys::backtrace::print", "std", true),
            ("my::panicking::log", "my", false),
        ];
        for (path, root, expected) in table {
            assert_eq!(is_cut(path, root), expected, "{path}");
        }
    }
}
