//! What programs do to the world outside of their process: files, network, processes, environment, and so on. A program that
//! tries is ended before it has done anything, with the reason on the status page, so that nothing is learned from what a sandbox
//! refuses. `trap` sees system calls; [`outside!`](crate::outside) sees calls of the C library that are none.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Once, OnceLock};

use super::chance;
use super::status::{die, Cause};

/// A part of the world outside of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Outside {
    /// Files, also looking up a path.
    Files,
    /// Sockets.
    Network,
    /// Starting other programs, and changing what this process may do.
    Processes,
    /// Environment variables.
    Environment,
    /// The working directory, and the mask for new files.
    Directory,
    /// Standard input, and whether there is a terminal.
    Input,
    /// Signals: sending them, handling them, timers.
    Signals,
    /// Ending the process.
    Exit,
}

impl Outside {
    /// All of them.
    pub const ALL: [Outside; 8] = [
        Outside::Files,
        Outside::Network,
        Outside::Processes,
        Outside::Environment,
        Outside::Directory,
        Outside::Input,
        Outside::Signals,
        Outside::Exit,
    ];

    /// As it is written in a configuration and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Outside::Files => "files",
            Outside::Network => "network",
            Outside::Processes => "processes",
            Outside::Environment => "environment",
            Outside::Directory => "directory",
            Outside::Input => "input",
            Outside::Signals => "signals",
            Outside::Exit => "exit",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Outside> {
        Outside::ALL.iter().copied().find(|outside| outside.name() == name)
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The part of the world that a system call of this number, as x86-64 has it, reaches whatever its arguments are.
pub fn class_of_call(number: u32) -> Option<Outside> {
    super::calls::TRAPPED.iter().find(|(call, _)| *call == number).map(|(_, outside)| *outside)
}

/// Files in which libraries look for what the machine is like, and for random numbers. They are there for everybody.
const QUIET: [&[u8]; 9] = [
    b"/proc/self/maps",
    b"/proc/self/cgroup",
    b"/proc/self/mountinfo",
    b"/proc/cpuinfo",
    b"/proc/meminfo",
    b"/sys/fs/cgroup",
    b"/sys/devices/system/cpu",
    b"/dev/random",
    b"/dev/urandom",
];

/// Whether looking at a file of this path is no matter. The empty path names what is open already.
pub fn is_quiet(path: &[u8]) -> bool {
    path.is_empty() || QUIET.iter().any(|quiet| path.starts_with(quiet))
}

/// The environment variable with the names of what programs may reach all the same, separated by commas; then, behind semicolons,
/// what programs may that make a call, by its number: `input;12=files,network;13=files`.
pub const ALLOW_VAR: &str = "TESTSMITH_ALLOW";

/// What the program that runs may reach, a bit for each.
static ALLOWED: AtomicU32 = AtomicU32::new(0);
/// What all programs may reach, and those that make a call.
static PERMISSIONS: OnceLock<(u32, Vec<(u32, u32)>)> = OnceLock::new();
/// Whether code of a program is running, and not the worker's own.
static RUNNING: AtomicBool = AtomicBool::new(false);

/// Begins to watch this process and its children. To be called once, before programs run.
pub(super) fn watch() {
    PERMISSIONS.get_or_init(|| permissions(&std::env::var(ALLOW_VAR).unwrap_or_default()));
    static TRAP: Once = Once::new();
    TRAP.call_once(super::trap::set);
}

fn permissions(text: &str) -> (u32, Vec<(u32, u32)>) {
    let bits = |names: &str| names.split(',').filter_map(Outside::named).fold(0, |bits, it| bits | it.bit());
    let mut parts = text.split(';');
    let all = bits(parts.next().unwrap_or_default());
    let of_call = |part: &str| {
        let (number, names) = part.split_once('=')?;
        Some((number.parse().ok()?, bits(names)))
    };
    (all, parts.filter_map(of_call).collect())
}

/// Code of a program runs from now on that makes these calls. One that may use files has an empty folder for it.
pub(super) fn begin_program(calls: impl Iterator<Item = u32>) -> Option<Folder> {
    let (all, of_calls) = PERMISSIONS.get().map_or((0, &[][..]), |(all, of_calls)| (*all, of_calls));
    let mut bits = 0;
    if !of_calls.is_empty() {
        for call in calls {
            bits |= of_calls.iter().filter(|(number, _)| *number == call).fold(0, |bits, it| bits | it.1);
        }
    }
    let folder = if bits & Outside::Files.bit() == 0 { None } else { Folder::enter() };
    ALLOWED.store(all | bits, Relaxed);
    chance::begin_program();
    RUNNING.store(true, Relaxed);
    folder
}

/// Whether code of a program is running.
pub(super) fn is_running() -> bool {
    RUNNING.load(Relaxed)
}

/// Code of a program runs no more.
pub(super) fn end_program(folder: Option<Folder>) {
    RUNNING.store(false, Relaxed);
    drop(folder);
}

/// An empty folder, which is the working directory until this is dropped.
pub(super) struct Folder {
    path: PathBuf,
    before: PathBuf,
}

impl Folder {
    fn enter() -> Option<Folder> {
        let before = std::env::current_dir().ok()?;
        let path = std::env::temp_dir().join(format!("files-{}", std::process::id()));
        // A process of this number may have died in it.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).and_then(|()| std::env::set_current_dir(&path)).ok()?;
        Some(Folder { path, before })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A program may have done anything to it; the executor removes what stays.
        let _ = std::env::set_current_dir(&self.before);
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Ends the process if it is a program that reaches there, and may not.
pub(super) fn reach(outside: Outside) {
    if RUNNING.load(Relaxed) && ALLOWED.load(Relaxed) & outside.bit() == 0 {
        die(Cause::Outside(outside));
    }
}

/// Variables that the standard library reads for itself.
const OWN_VARIABLES: [&[u8]; 3] = [b"RUST_MIN_STACK", b"RUST_BACKTRACE", b"RUST_LIB_BACKTRACE"];

/// A program looks at a variable of this name.
pub fn look_up(name: &[u8]) {
    if !OWN_VARIABLES.contains(&name) {
        reach(Outside::Environment);
    }
}

/// A program changes a variable.
pub fn change_environment() {
    reach(Outside::Environment);
}

/// A program starts another one.
pub fn start_process() {
    reach(Outside::Processes);
}

/// The function of this name that the program would have had without the one of the generated binary. `name` ends with a zero.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub fn next(name: &[u8]) -> *const () {
    extern "C" {
        fn dlsym(library: *const (), name: *const u8) -> *const ();
    }
    const NEXT: *const () = usize::MAX as *const ();
    // SAFETY: the name ends with a zero, and the library has this number for the next one.
    unsafe { dlsym(NEXT, name.as_ptr()) }
}

/// Declares functions of the C library that reach outside without a system call, or with signals blocked, for the generated
/// binary. They look at who calls, and do what the library does.
#[macro_export]
macro_rules! outside {
    () => {
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        mod outside {
            use std::ffi::{c_char, c_int, c_void, CStr};

            use $crate::harness::outside::{change_environment, look_up, start_process};

            type Text = *const c_char;
            type Any = *const c_void;

            $crate::wrap_library! {
                fn getenv(name: Text) -> Text {
                    look_up(unsafe { CStr::from_ptr(name) }.to_bytes())
                } else std::ptr::null();
                fn setenv(name: Text, value: Text, over: c_int) -> c_int { change_environment() } else -1;
                fn unsetenv(name: Text) -> c_int { change_environment() } else -1;
                fn posix_spawn(id: Any, path: Text, actions: Any, how: Any, args: Any, env: Any) -> c_int {
                    start_process()
                } else 38;
                fn posix_spawnp(id: Any, file: Text, actions: Any, how: Any, args: Any, env: Any) -> c_int {
                    start_process()
                } else 38;
            }
        }
    };
}

/// Functions that look before they call the library's of the same name, or return something else where there is none.
#[doc(hidden)]
#[macro_export]
macro_rules! wrap_library {
    ($(fn $name:ident($($argument:ident: $of:ty),*) -> $result:ty { $look:expr } else $otherwise:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $of),*) -> $result {
            $look;
            let next = $crate::harness::outside::next(concat!(stringify!($name), "\0").as_bytes());
            if next.is_null() {
                return $otherwise;
            }
            let next: unsafe extern "C" fn($($of),*) -> $result = unsafe { std::mem::transmute(next) };
            unsafe { next($($argument),*) }
        }
    )*};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_one_part_of_the_world() {
        for outside in Outside::ALL {
            assert_eq!(Outside::named(outside.name()), Some(outside));
        }
        assert_eq!(Outside::named("weather"), None);
    }

    #[test]
    fn permissions_are_for_all_or_for_programs_that_make_a_call() {
        let [files, network, input] = [Outside::Files, Outside::Network, Outside::Input].map(Outside::bit);
        assert_eq!(permissions(""), (0, vec![]));
        assert_eq!(permissions("input,files"), (input | files, vec![]));
        assert_eq!(
            permissions("input;12=files,network;x=files;13=files"),
            (input, vec![(12, files | network), (13, files)])
        );
    }
}
