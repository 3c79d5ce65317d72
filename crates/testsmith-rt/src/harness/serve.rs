//! The worker process: what the `main` of a generated harness calls.

use std::fs::File;
use std::io;

use super::status::{page, APART_VAR};
use super::sys::{self, Death};
use super::table::Tables;
use super::wire::{read_frame, write_frame};
use super::worker::{with_worker, Worker};
use crate::wasm;

/// Introduces itself on the standard output, then answers the batches of the standard input until that ends.
///
/// Both are moved out of reach before anything else happens: a program that prints or reads gets nowhere.
pub fn serve(tables: Tables) {
    if wasm::IS {
        return super::wasm_worker::keep(tables);
    }
    let Ok((mut from, mut to)) = sys::take_streams() else { return };
    let ended = with_worker(tables, |worker| converse(worker, &mut from, &mut to));
    // Threads that programs have left behind, and what they have registered to be called at exit, are not waited for.
    sys::exit(i32::from(ended.is_err()))
}

fn converse(worker: &mut Worker, from: &mut File, to: &mut File) -> io::Result<()> {
    write_frame(to, &worker.hello().encode())?;
    if std::env::var_os(APART_VAR).is_some() {
        return answer_apart(worker, from, to);
    }
    while answer(worker, from, to)? {}
    Ok(())
}

/// Answers the next batch; whether there was one.
fn answer(worker: &mut Worker, from: &mut File, to: &mut File) -> io::Result<bool> {
    let Some(message) = read_frame(from)? else { return Ok(false) };
    write_frame(to, &worker.answer(&message))?;
    Ok(true)
}

/// Answers each batch in a child, which also reads it: nothing in this process changes from one to the next. A child that
/// does not come to its end takes the worker along, in the same way.
fn answer_apart(worker: &mut Worker, from: &mut File, to: &mut File) -> io::Result<()> {
    while sys::has_more(from) {
        match sys::fork_and_wait() {
            // Where there is no child to be had, an answer that is less repeatable is better than none.
            Err(_) => {
                answer(worker, from, to)?;
            }
            Ok(None) => sys::exit(i32::from(answer(worker, from, to).is_err())),
            Ok(Some(Death::Exit(0))) if page().is_idle() => sys::end_children(),
            Ok(Some(death)) => sys::end_like(death),
        }
    }
    Ok(())
}
