//! The frame of a running program: its slots, and the arguments of the statement at hand.
//!
//! The callables of a harness take their arguments from here. Every access checks type, mode and value, so a program
//! that does not fit its callables ends with an error. What is not checked here is who borrows from whom over several
//! statements: results borrow for `'static`, and the tool keeps to Rust's rules.

#![allow(clippy::borrowed_box)] // A slot holds the box itself.

use std::any::{type_name, TypeId};
use std::borrow::Cow;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};

use super::limits::Halt;
use super::slot::{Slot, State};
use super::wire::Mode;
use crate::wasm::{self, Halted};

/// The slots of a program and the arguments of its current statement.
#[derive(Default)]
pub struct Frame {
    pub(super) slots: Vec<Slot>,
    pub(super) args: Vec<(Mode, u16)>,
    /// One more than the highest argument that was asked for.
    asked: usize,
    /// Why the statement ended itself.
    pub(super) ended: Option<Ended>,
}

/// Why a statement ended itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// There is no value.
    Absent,
    /// The program is wrong.
    Wrong(String),
}

impl Frame {
    /// The argument itself, moved or copied.
    pub fn value<T: 'static>(&mut self, index: usize) -> T {
        let (at, is_moved) = self.claim(index, TypeId::of::<T>(), type_name::<T>());
        // SAFETY: a live `T`, which is `Copy` or is not used again.
        let value = unsafe { at.cast::<T>().read() };
        if is_moved {
            self.leave(index);
        }
        value
    }

    /// The argument, borrowed: a slot of `T`, `&T` or `&mut T`.
    pub fn shared<T: 'static>(&mut self, index: usize) -> &'static T {
        let at = self.borrow(index, &Ids::of::<T>(), type_name::<&T>());
        // SAFETY: a live `T`; the tool ends its borrowers before it is moved or changed.
        unsafe { &*at.cast() }
    }

    /// The argument, borrowed exclusively: a slot of `T` or `&mut T`.
    pub fn exclusive<T: 'static>(&mut self, index: usize) -> &'static mut T {
        let at = self.borrow_mut(index, &Ids::of::<T>(), type_name::<&mut T>());
        // SAFETY: as above, and `check` has seen that no other argument borrows it.
        unsafe { &mut *at.cast() }
    }

    /// A text: a slot of `&str`, `String`, `Box<str>` or `Cow<str>`, or of a reference to one.
    pub fn text(&mut self, index: usize) -> &'static str {
        self.lent(index)
            .or_else(|| self.view(index, |value: &'static String| value.as_str()))
            .or_else(|| self.view(index, |value: &'static Box<str>| &**value))
            .or_else(|| self.view(index, |value: &'static Cow<'static, str>| &**value))
            .unwrap_or_else(|| self.wrong(index, "&str"))
    }

    /// A slice: a slot of `&[T]`, `&mut [T]`, `Vec<T>` or `Box<[T]>`, or of a reference to one.
    pub fn slice<T: 'static>(&mut self, index: usize) -> &'static [T] {
        self.lent(index)
            .or_else(|| self.view(index, |value: &'static Vec<T>| value.as_slice()))
            .or_else(|| self.view(index, |value: &'static Box<[T]>| &**value))
            .unwrap_or_else(|| self.wrong(index, type_name::<&[T]>()))
    }

    /// A slice that can be changed: a slot of `&mut [T]`, `Vec<T>` or `Box<[T]>`, or of a `&mut` to one.
    pub fn slice_mut<T: 'static>(&mut self, index: usize) -> &'static mut [T] {
        self.lent_mut(index)
            .or_else(|| self.view_mut(index, |value: &'static mut Vec<T>| value.as_mut_slice()))
            .or_else(|| self.view_mut(index, |value: &'static mut Box<[T]>| &mut **value))
            .unwrap_or_else(|| self.wrong(index, type_name::<&mut [T]>()))
    }

    /// A path: a slot of `&Path`, `PathBuf` or `Box<Path>`, or of a reference to one.
    pub fn path(&mut self, index: usize) -> &'static Path {
        self.lent(index)
            .or_else(|| self.view(index, |value: &'static PathBuf| value.as_path()))
            .or_else(|| self.view(index, |value: &'static Box<Path>| &**value))
            .unwrap_or_else(|| self.wrong(index, "&Path"))
    }

    /// A text of the system: a slot of `&OsStr`, `OsString` or `Box<OsStr>`, or of a reference to one.
    pub fn os_text(&mut self, index: usize) -> &'static OsStr {
        self.lent(index)
            .or_else(|| self.view(index, |value: &'static OsString| value.as_os_str()))
            .or_else(|| self.view(index, |value: &'static Box<OsStr>| &**value))
            .unwrap_or_else(|| self.wrong(index, "&OsStr"))
    }

    /// A text of C: a slot of `&CStr`, `CString` or `Box<CStr>`, or of a reference to one.
    pub fn c_text(&mut self, index: usize) -> &'static CStr {
        self.lent(index)
            .or_else(|| self.view(index, |value: &'static CString| value.as_c_str()))
            .or_else(|| self.view(index, |value: &'static Box<CStr>| &**value))
            .unwrap_or_else(|| self.wrong(index, "&CStr"))
    }

    /// All arguments behind the last one that was asked for, moved or copied.
    pub fn list<T: 'static>(&mut self) -> Vec<T> {
        (self.asked..self.args.len()).map(|index| self.value(index)).collect()
    }

    /// Ends the statement without a value; what uses its slot is skipped.
    pub fn absent(&mut self) -> ! {
        self.ended.get_or_insert(Ended::Absent);
        unwind(Halted::Absent)
    }

    /// Makes the arguments those of a new statement.
    pub(super) fn enter(&mut self, args: &[(Mode, u16)]) {
        self.args.clear();
        self.args.extend_from_slice(args);
        self.asked = 0;
    }

    /// Whether a slot that the statement uses is without a value for good; an error if two arguments are in each other's
    /// way.
    pub(super) fn check(&mut self) -> bool {
        let mut absent = false;
        for (index, (mode, slot)) in self.args.iter().enumerate() {
            let Some(found) = self.slots.get(usize::from(*slot)) else { self.wrong(index, "a value") };
            absent |= found.state == State::Absent;
            let mut others = self.args[..index].iter().filter(|(_, other)| other == slot);
            if others.any(|(other, _)| are_in_conflict(*other, *mode)) {
                self.wrong(index, "a slot of its own");
            }
        }
        absent
    }

    /// Mode and slot of an argument.
    fn argument(&mut self, index: usize) -> (Mode, &mut Slot) {
        self.asked = self.asked.max(index + 1);
        match self.args.get(index) {
            // `check` has seen that the slot exists.
            Some(&(mode, slot)) => (mode, &mut self.slots[usize::from(slot)]),
            None => self.wrong(index, "one more"),
        }
    }

    // There is an accessor for each type that is an argument: what they share is here, without the type.

    /// The address of an argument that is taken whole, and whether it is moved.
    fn claim(&mut self, index: usize, id: TypeId, wanted: &str) -> (*mut u8, bool) {
        let (mode, slot) = self.argument(index);
        match (slot.any(), mode) {
            (Some(at), Mode::Move) if slot.id == id => (at, true),
            (Some(at), Mode::Copy) if slot.id == id && slot.of.copy => (at, false),
            _ => self.wrong(index, wanted),
        }
    }

    /// The value of an argument has been moved out.
    fn leave(&mut self, index: usize) {
        self.argument(index).1.leave();
    }

    /// The address of a value that is borrowed, itself or through the reference in a slot.
    fn borrow(&mut self, index: usize, ids: &Ids, wanted: &str) -> *mut u8 {
        let (mode, slot) = self.argument(index);
        match (slot.any(), mode) {
            (Some(at), Mode::Shared) if slot.id == ids.own => at,
            (Some(at), Mode::Copy | Mode::Shared | Mode::Move) if slot.id == ids.shared => {
                follow(at, mode, slot)
            }
            (Some(at), Mode::Shared) if slot.id == ids.exclusive => follow(at, mode, slot),
            _ => self.borrow_through(index, ids, wanted),
        }
    }

    /// As `borrow`, exclusively.
    fn borrow_mut(&mut self, index: usize, ids: &Ids, wanted: &str) -> *mut u8 {
        let (mode, slot) = self.argument(index);
        match (slot.any(), mode) {
            (Some(at), Mode::Exclusive) if slot.id == ids.own => at,
            _ => self.borrow_through(index, ids, wanted),
        }
    }

    /// The address behind a `&mut` in a slot.
    fn borrow_through(&mut self, index: usize, ids: &Ids, wanted: &str) -> *mut u8 {
        let (mode, slot) = self.argument(index);
        match (slot.any(), mode) {
            (Some(at), Mode::Exclusive | Mode::Move) if slot.id == ids.exclusive => follow(at, mode, slot),
            _ => self.wrong(index, wanted),
        }
    }

    /// Looks into a slot of type `O`, or through a reference to one.
    fn view<O: 'static, V: ?Sized>(
        &mut self,
        index: usize,
        look: fn(&'static O) -> &'static V,
    ) -> Option<&'static V> {
        let (mode, slot) = self.argument(index);
        if mode == Mode::Shared {
            if let Some(at) = slot.address::<O>() {
                // SAFETY: a live value of this type; the tool ends its borrowers before it is moved or changed.
                return Some(look(unsafe { &*at }));
            }
        }
        self.lent::<O>(index).map(look)
    }

    fn view_mut<O: 'static, V: ?Sized>(
        &mut self,
        index: usize,
        look: fn(&'static mut O) -> &'static mut V,
    ) -> Option<&'static mut V> {
        let (mode, slot) = self.argument(index);
        if mode == Mode::Exclusive {
            if let Some(at) = slot.address::<O>() {
                // SAFETY: as above, and `check` has seen that no other argument borrows it.
                return Some(look(unsafe { &mut *at }));
            }
        }
        self.lent_mut::<O>(index).map(look)
    }

    /// The reference that a slot holds: copied if shared, reborrowed if exclusive, or moved.
    fn lent<V: ?Sized + 'static>(&mut self, index: usize) -> Option<&'static V> {
        let (mode, slot) = self.argument(index);
        if let Some(at) = slot.address::<&'static V>() {
            // SAFETY: a live value of this type, which is `Copy`.
            let value = unsafe { *at };
            return match mode {
                Mode::Move => slot.take(),
                Mode::Copy | Mode::Shared => Some(value),
                Mode::Exclusive => None,
            };
        }
        match mode {
            Mode::Copy => None,
            // SAFETY: a live value of this type; the tool ends its borrowers before it is used again.
            Mode::Shared => slot.address::<&'static mut V>().map(|at| unsafe { &**at }),
            Mode::Move | Mode::Exclusive => self.lent_mut(index).map(|value| &*value),
        }
    }

    fn lent_mut<V: ?Sized + 'static>(&mut self, index: usize) -> Option<&'static mut V> {
        let (mode, slot) = self.argument(index);
        match mode {
            Mode::Move => slot.take::<&'static mut V>(),
            // SAFETY: a live value of this type, and `check` has seen that no other argument borrows it.
            Mode::Exclusive => slot.address::<&'static mut V>().map(|at| unsafe { &mut **at }),
            Mode::Copy | Mode::Shared => None,
        }
    }

    /// Ends the program: an argument is not what its callable takes.
    #[cold]
    fn wrong(&mut self, index: usize, wanted: &str) -> ! {
        let found = match self.args.get(index) {
            None => format!("there are {} arguments", self.args.len()),
            Some((mode, number)) => {
                let what = match self.slots.get(usize::from(*number)) {
                    None => "is not defined yet".to_owned(),
                    Some(slot) if slot.state == State::Full => format!("holds {}", (slot.of.name)()),
                    Some(slot) => format!("is {:?}", slot.state),
                };
                format!("slot {number} {what}, mode {mode:?}")
            }
        };
        let error = format!("argument {index}: {found}, but {wanted} is wanted");
        self.ended = Some(Ended::Wrong(error));
        unwind(Halted::Wrong)
    }

    /// Ends the program for another reason.
    #[cold]
    pub(super) fn wrong_statement(&mut self, error: String) -> ! {
        self.ended = Some(Ended::Wrong(error));
        unwind(Halted::Wrong)
    }
}

/// Ends the statement; why is noted already.
fn unwind(why: Halted) -> ! {
    if wasm::IS {
        wasm::halt(why)
    }
    std::panic::resume_unwind(Box::new(Halt))
}

/// A type, and the references to it.
struct Ids {
    own: TypeId,
    shared: TypeId,
    exclusive: TypeId,
}

impl Ids {
    fn of<T: 'static>() -> Ids {
        Ids {
            own: TypeId::of::<T>(),
            shared: TypeId::of::<&'static T>(),
            exclusive: TypeId::of::<&'static mut T>(),
        }
    }
}

/// What the reference at `at`, in this slot, refers to.
fn follow(at: *mut u8, mode: Mode, slot: &mut Slot) -> *mut u8 {
    // SAFETY: whoever calls has seen that the slot holds a reference to a sized type.
    let referent = unsafe { at.cast::<*mut u8>().read() };
    if mode == Mode::Move {
        slot.leave();
    }
    referent
}

/// Whether one slot cannot be taken in both ways by one statement. A copy of what is moved is left to the order in which
/// the callable asks for them.
fn are_in_conflict(a: Mode, b: Mode) -> bool {
    match (a, b) {
        (Mode::Exclusive, _) | (_, Mode::Exclusive) => true,
        (Mode::Move, other) | (other, Mode::Move) => other != Mode::Copy,
        (Mode::Copy | Mode::Shared, Mode::Copy | Mode::Shared) => false,
    }
}
