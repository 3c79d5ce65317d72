//! Runs in a child of the worker: whatever they do to their process, the worker does not notice.

use std::fs::File;

use super::panics::catch;
use super::run::outcome_of;
use super::status::page;
use super::sys::{self, Death, Forked};
use super::wire::{frames, write_frame, Outcome, Reader, Wire, Writer};

/// How a child ended that did not come to its end, and in which statement.
pub(super) type Ended = (Outcome, u16);

/// What `job` returns in a child.
pub(super) fn in_child<R: Wire>(patience: u32, job: impl FnOnce() -> R) -> Result<R, Ended> {
    let mut job = Some(job);
    let mut once = |()| job.take().expect("there is one item")();
    let (mut results, ended) = each_in_child(patience, &[()], &mut once);
    match (results.pop(), ended) {
        (Some(result), None) => Ok(result),
        (_, ended) => Err(ended.unwrap_or((Outcome::Exit(0), 0))),
    }
}

/// What `job` returns for each item, all of them one after the other in the same child; where the child ended before it
/// had come to the last one, what there is, and how it ended in the next.
pub(super) fn each_in_child<T: Copy, R: Wire>(
    patience: u32,
    items: &[T],
    job: &mut dyn FnMut(T) -> R,
) -> (Vec<R>, Option<Ended>) {
    let child = match sys::fork_with_pipe() {
        // Where there is no child to be had, a result that is less safe is better than none.
        Err(_) => return (items.iter().map(|item| job(*item)).collect(), None),
        Ok(Forked::Child(to)) => work(to, items, job),
        Ok(Forked::Parent(child)) => child,
    };
    let (bytes, death) = child.wait(items.len(), patience);
    sys::end_children();
    let results: Vec<R> = frames(&bytes).map_while(|frame| R::read(&mut Reader::new(frame)).ok()).collect();
    let (statement, cause) = page().last();
    let outcome = match (death, cause) {
        (Death::Exit(0), None) if results.len() == items.len() => return (results, None),
        (Death::Hang, _) => Outcome::Hang,
        (_, Some(cause)) => outcome_of(cause),
        (Death::Signal(number), None) => Outcome::Signal(number),
        (Death::Exit(code), None) => Outcome::Exit(code),
    };
    (results, Some((outcome, statement)))
}

/// The child's part.
fn work<T: Copy, R: Wire>(mut to: File, items: &[T], job: &mut dyn FnMut(T) -> R) -> ! {
    // Nothing may unwind out of here.
    let sent = catch(|| {
        items.iter().try_for_each(|item| {
            let mut bytes = Writer::new();
            job(*item).write(&mut bytes);
            write_frame(&mut to, &bytes.finish())
        })
    });
    sys::exit(if matches!(sent, Ok(Ok(()))) { 0 } else { 70 })
}
