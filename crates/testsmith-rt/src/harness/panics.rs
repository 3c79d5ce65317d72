//! Panics of programs: silent, and remembered by the thread that has them.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

use super::limits::Halt;
use super::text::mask;
use super::wire::Outcome;
use crate::wasm;

thread_local! {
    /// Where the last panic of this thread was, and what it said.
    static LAST: RefCell<Option<(String, String, u32)>> = const { RefCell::new(None) };
}

/// Installs the hook; a program may have installed another.
pub(super) fn listen() {
    // The engine stops a panic before there is a message.
    if wasm::IS {
        return;
    }
    panic::set_hook(Box::new(|info| {
        let message = message(info.payload());
        let (file, line) = info.location().map_or(("", 0), |place| (place.file(), place.line()));
        // A panic while the thread's locals are gone is nobody's.
        let _ = LAST.try_with(|last| {
            if let Ok(mut last) = last.try_borrow_mut() {
                *last = Some((message.to_owned(), file.to_owned(), line));
            }
        });
    }));
}

/// Runs a part of a program.
pub(super) fn catch<R>(part: impl FnOnce() -> R) -> Result<R, Caught> {
    if wasm::IS {
        return wasm::attempt(part).map_err(|_| Caught { payload: Box::new(Halt) });
    }
    panic::catch_unwind(AssertUnwindSafe(part)).map_err(|payload| Caught { payload })
}

/// What unwound a part of a program.
pub(super) struct Caught {
    payload: Box<dyn Any + Send>,
}

impl Caught {
    /// As an outcome.
    pub(super) fn outcome(self) -> Outcome {
        let last = LAST.with(|last| last.borrow_mut().take());
        let (text, file, line) = match last {
            Some(last) => last,
            // `resume_unwind` calls no hook.
            None => (message(&*self.payload).to_owned(), String::new(), 0),
        };
        self.forget();
        Outcome::Panic { message: mask(&text), file, line }
    }

    /// Takes no notice.
    pub(super) fn forget(self) {
        LAST.with(|last| last.borrow_mut().take());
        let payload = self.payload;
        if !(payload.is::<Halt>() || payload.is::<String>() || payload.is::<&'static str>()) {
            // The program's own payload may panic when it is dropped.
            std::mem::forget(payload);
        }
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    if let Some(text) = payload.downcast_ref::<&'static str>() {
        text
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text
    } else {
        "Box<dyn Any>"
    }
}
