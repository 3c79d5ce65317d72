//! Does to its process, and tries to do to the machine, the worst that code can do. To be run in a sandbox only.
//!
//! What may be refused tells the system's answer as a text: `done`, or the kind of the error.

pub mod files;
pub mod limits;
pub mod others;
pub mod process;
pub mod state;
pub mod waits;

use std::io;

/// What programs that come after the others must still get right.
pub fn benign(number: u32) -> u32 {
    number.wrapping_mul(3).wrapping_add(1)
}

fn told<T>(result: io::Result<T>) -> String {
    match result {
        Ok(_) => "done".to_owned(),
        Err(error) => format!("{:?}", error.kind()),
    }
}

/// The answer of a system call.
fn answer(result: i32) -> String {
    told(if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) })
}
