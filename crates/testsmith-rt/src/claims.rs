//! One test process for many mutants: before its `main`, it makes a child for each of them, which goes on as that mutant does, and
//! leaves on the coverage map how each has ended. Starting a process in a sandbox costs more than most tests do.

/// The environment variable with the numbers of the mutants, between commas.
pub const CLAIMS_VAR: &str = "TESTSMITH_CLAIMS";
/// The environment variable with the seconds that each child may take.
pub const CLAIM_SECONDS_VAR: &str = "TESTSMITH_CLAIM_SECONDS";

/// A mark: the tests have passed on the mutant.
pub const PASSED: u8 = 1;
/// A mark: they have failed, or have not ended.
pub const FAILED: u8 = 2;

#[cfg(target_os = "linux")]
mod before_main {
    use super::{CLAIMS_VAR, CLAIM_SECONDS_VAR, FAILED, PASSED};
    use crate::coverage_map::CoverageMap;

    extern "C" {
        fn fork() -> i32;
        fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
        fn alarm(seconds: u32) -> u32;
        fn dup2(from: i32, to: i32) -> i32;
        fn _exit(code: i32) -> !;
    }

    /// The system's loader calls this before `main`.
    #[used]
    #[link_section = ".init_array"]
    static START: extern "C" fn() = start;

    extern "C" fn start() {
        let Some(mutants) = std::env::var_os(CLAIMS_VAR) else { return };
        let Some(coverage_map) = CoverageMap::open() else { return };
        let Some(fuel) = coverage_map.fuel_of_each() else { return };
        let seconds = std::env::var(CLAIM_SECONDS_VAR).ok().and_then(|text| text.parse().ok());
        // Whatever else starts from here is a process like others.
        std::env::remove_var(CLAIMS_VAR);
        let mutants = mutants.to_string_lossy().into_owned();
        for (at, number) in mutants.split(',').filter_map(|text| text.parse().ok()).enumerate() {
            coverage_map.be_mutant(number, fuel);
            // SAFETY: nothing runs in this process yet but this thread.
            match unsafe { fork() } {
                0 => {
                    be_quiet();
                    // SAFETY: the signal ends this process, which is what it is for.
                    unsafe { alarm(seconds.unwrap_or(10)) };
                    return;
                }
                -1 => break,
                child => {
                    let mut status = 0;
                    // SAFETY: `status` lives until the call is over.
                    let ended = unsafe { waitpid(child, &mut status, 0) } == child;
                    if ended {
                        let is_well = status == 0 && !coverage_map.is_out_of_fuel();
                        coverage_map.note(at, if is_well { PASSED } else { FAILED });
                    }
                }
            }
        }
        // SAFETY: nothing has begun that would have to be ended.
        unsafe { _exit(0) }
    }

    /// Nobody reads what the tests of a child print.
    fn be_quiet() {
        use std::os::unix::io::AsRawFd;
        if let Ok(nowhere) = std::fs::OpenOptions::new().write(true).open("/dev/null") {
            for stream in 1..3 {
                // SAFETY: nobody relies on the standard streams yet.
                unsafe { dup2(nowhere.as_raw_fd(), stream) };
            }
        }
    }
}
