//! A slot: the value that a statement defines, without its type.

use std::alloc::{dealloc, Layout};
use std::any::TypeId;

use super::probe::Vtable;

/// Whether a slot can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It has a value.
    Full,
    /// Its value was moved or dropped.
    Gone,
    /// It never had one: whoever uses it is skipped.
    Absent,
}

/// A boxed value with the functions of its type, or the place of one.
pub(super) struct Slot {
    /// From `Box::into_raw`; meaningful while `state` is `Full`.
    at: *mut u8,
    pub(super) id: TypeId,
    pub(super) of: &'static Vtable,
    pub(super) state: State,
}

impl Slot {
    /// # Safety
    /// `at` must be a `Box` of the type of `of`.
    pub(super) unsafe fn new(at: *mut u8, of: &'static Vtable) -> Slot {
        Slot { at, id: (of.id)(), of, state: State::Full }
    }

    /// A slot without a value.
    pub(super) fn without(state: State) -> Slot {
        let of = super::literal::unit();
        Slot { at: std::ptr::null_mut(), id: TypeId::of::<()>(), of, state }
    }

    /// The value's address, if there is one and it has this type.
    pub(super) fn address<T: 'static>(&self) -> Option<*mut T> {
        (self.state == State::Full && self.id == TypeId::of::<T>()).then_some(self.at.cast())
    }

    /// The value's address, whatever its type.
    pub(super) fn any(&self) -> Option<*mut u8> {
        (self.state == State::Full).then_some(self.at)
    }

    /// Moves the value out, if there is one and it has this type.
    pub(super) fn take<T: 'static>(&mut self) -> Option<T> {
        // SAFETY: a full slot of this type holds a `T`, and from now on it is not full.
        let value = unsafe { self.address::<T>()?.read() };
        self.leave();
        Some(value)
    }

    /// The value, if there is one, has been moved out by other means.
    pub(super) fn leave(&mut self) {
        if self.state == State::Full {
            self.state = State::Gone;
            drop(Memory { at: self.at, of: self.of });
        }
    }

    /// Drops the value, if there is one.
    pub(super) fn end(&mut self) {
        if self.state != State::Full {
            return;
        }
        self.state = State::Gone;
        let _memory = Memory { at: self.at, of: self.of };
        if let Some(drop) = self.of.drop {
            // SAFETY: a full slot holds a value of its type, and from now on it is not full.
            unsafe { drop(self.at) };
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.end();
    }
}

/// What a `Box` leaves when its value is gone. Freed even when the value's drop panics.
struct Memory {
    at: *mut u8,
    of: &'static Vtable,
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.of.size > 0 {
            // SAFETY: the memory of a `Box` of a type of this size and alignment.
            unsafe { dealloc(self.at, Layout::from_size_align_unchecked(self.of.size, self.of.align)) };
        }
    }
}
