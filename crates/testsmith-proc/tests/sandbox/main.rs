//! What a sandboxed program can do, and what it cannot: the `table` of attempts. This executable is the test,
//! the sandbox (as the tool's own executable is) and the program in the sandbox.
//!
//! Without libtest, since a sandbox is entered by a process with a single thread. Messages about what the
//! kernel lacks go to stderr, where nobody captures them.

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod attempts;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod check;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod raw;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod table;
#[path = "../util/mod.rs"]
mod util;

use std::ffi::OsString;
use std::process::ExitCode;

use testsmith_proc::sandbox;

/// The one test that `--list` names.
const NAME: &str = "a_sandboxed_program_can_do_what_the_table_says";

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<&str> = args.iter().filter_map(|arg| arg.to_str()).collect();
    if words.first() == Some(&sandbox::ROLE) {
        eprintln!("error: {}", sandbox::become_sandboxed(args.into_iter().skip(1)));
        return ExitCode::from(2);
    }
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    if words.first() == Some(&check::ATTEMPT) {
        return check::attempt(&words[1..]);
    }
    // As much of libtest's command line as its callers use.
    if words.contains(&"--list") {
        if !words.contains(&"--ignored") {
            println!("{NAME}: test");
        }
        return ExitCode::SUCCESS;
    }
    let is_meant = words.iter().all(|word| word.starts_with('-') || NAME.contains(word));
    if is_meant && !words.contains(&"--ignored") {
        println!("running 1 test");
        #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
        {
            // In a container, the group that we come in may have no number to attack.
            let _ = rustix::process::setpgid(None, None);
            check::all();
        }
        println!("test {NAME} ... ok");
    }
    ExitCode::SUCCESS
}
