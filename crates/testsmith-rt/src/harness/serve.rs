//! The worker process: what the `main` of a generated harness calls.

use std::fs::File;
use std::io;

use super::sys;
use super::table::Tables;
use super::wire::{read_frame, write_frame};
use super::worker::{with_worker, Worker};

/// Introduces itself on the standard output, then answers the batches of the standard input until that ends.
///
/// Both are moved out of reach before anything else happens: a program that prints or reads gets nowhere.
pub fn serve(tables: Tables) {
    let Ok((mut from, mut to)) = sys::take_streams() else { return };
    let ended = with_worker(tables, |worker| converse(worker, &mut from, &mut to));
    // Threads that programs have left behind, and what they have registered to be called at exit, are not waited for.
    sys::exit(i32::from(ended.is_err()))
}

fn converse(worker: &mut Worker, from: &mut File, to: &mut File) -> io::Result<()> {
    write_frame(to, &worker.hello().encode())?;
    while let Some(message) = read_frame(from)? {
        write_frame(to, &worker.answer(&message))?;
    }
    Ok(())
}
