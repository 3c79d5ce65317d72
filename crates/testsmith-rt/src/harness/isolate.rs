//! A run in a child of the worker: whatever it does to its process, the worker does not notice.

use super::panics::catch;
use super::run::outcome_of;
use super::status::page;
use super::sys::{self, Death, Forked};
use super::wire::{read_frame, write_frame, Outcome, Reader, Wire, Writer};

/// What `job` returns in a child; how the child ended, and in which statement, if it did not return.
pub(super) fn in_child<R: Wire>(patience: u32, job: impl FnOnce() -> R) -> Result<R, (Outcome, u16)> {
    let child = match sys::fork_with_pipe() {
        // Where there is no child to be had, a result that is less safe is better than none.
        Err(_) => return Ok(job()),
        Ok(Forked::Child(mut to)) => {
            // Nothing may unwind out of the child's part.
            let sent = catch(|| {
                let mut bytes = Writer::new();
                job().write(&mut bytes);
                write_frame(&mut to, &bytes.finish())
            });
            sys::exit(if matches!(sent, Ok(Ok(()))) { 0 } else { 70 })
        }
        Ok(Forked::Parent(child)) => child,
    };
    let (bytes, death) = child.wait(patience);
    let (statement, cause) = page().last();
    let outcome = match (death, cause) {
        (Death::Hang, _) => Outcome::Hang,
        (_, Some(cause)) => outcome_of(cause),
        (Death::Signal(number), None) => Outcome::Signal(number),
        (Death::Exit(code), None) => {
            let frame = read_frame(&mut &bytes[..]).ok().flatten();
            match frame.and_then(|frame| R::read(&mut Reader::new(&frame)).ok()) {
                Some(result) if code == 0 => return Ok(result),
                _ => Outcome::Exit(code),
            }
        }
    };
    Err((outcome, statement))
}
