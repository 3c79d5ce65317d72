//! What the run-time library asks of the engine that executes it as wasm: the imports of the module `testsmith`.
//!
//! The engine sees each instruction, so nothing here may branch on a value of the program: every branch would be one more path.
//! It counts steps itself, catches panics ([`attempt`]), and builds the conditions of mutants from the operands that sites
//! show. On every other target nothing of this is called.

/// Whether this is executed by the engine.
pub(crate) const IS: bool = cfg!(target_arch = "wasm32");

/// What is shown at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Class {
    /// Two operands that are compared.
    Compare = 0,
    /// Two operands of an arithmetic, bit or shift operation.
    Combine = 1,
    /// One value that mutants change.
    Change = 2,
}

#[cfg(target_arch = "wasm32")]
mod imports {
    #[link(wasm_import_module = "testsmith")]
    extern "C" {
        pub(super) fn hole(slot: u32, kind: u32, at: *mut u8, len: u32);
        pub(super) fn attempt(job: unsafe extern "C" fn(*mut u8), data: *mut u8) -> u32;
        pub(super) fn halt(why: u32) -> !;
        pub(super) fn site(class: u32, base: u32, n: u32, ops: *const u8, operands: *const super::Shown);
        pub(super) fn mark(base: u32, n: u32, bits: u32);
        pub(super) fn cond(mutant: u32, infected: u32);
        pub(super) fn at(phase: u32, statement: u32);
        pub(super) fn seen(at: u32, slot: u32, aspect: u32, bytes: *const u8, len: u32);
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod imports {
    //! Nobody is there to ask.
    const NOBODY: &str = "only the engine is asked";

    pub(super) unsafe fn hole(_slot: u32, _kind: u32, _at: *mut u8, _len: u32) {
        unreachable!("{NOBODY}")
    }
    pub(super) unsafe fn attempt(_job: unsafe extern "C" fn(*mut u8), _data: *mut u8) -> u32 {
        unreachable!("{NOBODY}")
    }
    pub(super) unsafe fn halt(_why: u32) -> ! {
        unreachable!("{NOBODY}")
    }
    pub(super) unsafe fn site(_class: u32, _base: u32, _n: u32, _ops: *const u8, _: *const super::Shown) {
        unreachable!("{NOBODY}")
    }
    pub(super) unsafe fn mark(_base: u32, _n: u32, _bits: u32) {
        unreachable!("{NOBODY}")
    }
    pub(super) unsafe fn cond(_mutant: u32, _infected: u32) {
        unreachable!("{NOBODY}")
    }
    pub(super) unsafe fn at(_phase: u32, _statement: u32) {
        unreachable!("{NOBODY}")
    }
    pub(super) unsafe fn seen(_at: u32, _slot: u32, _aspect: u32, _bytes: *const u8, _len: u32) {
        unreachable!("{NOBODY}")
    }
}

/// Two operands by their addresses: the engine reads memory and what it knows of it at the width of the type, whose name it
/// is told. Of one operand the second half is empty.
#[repr(C)]
#[allow(dead_code)] // The engine reads it.
pub(crate) struct Shown {
    types: [Bytes; 2],
    values: [Bytes; 2],
}

#[repr(C)]
#[allow(dead_code)] // As above.
struct Bytes {
    at: *const u8,
    len: usize,
}

const NONE: Bytes = Bytes { at: std::ptr::null(), len: 0 };

fn name<T: ?Sized>() -> Bytes {
    let name = std::any::type_name::<T>();
    Bytes { at: name.as_ptr(), len: name.len() }
}

fn place<T: ?Sized>(value: &T) -> Bytes {
    let at: *const T = value;
    Bytes { at: at.cast(), len: std::mem::size_of_val(value) }
}

/// A site with two operands; `ops` has an operator more than there are mutants, the original's first.
pub(crate) fn site_of_two<A: ?Sized, B: ?Sized>(class: Class, base: u32, n: u32, ops: &[u8], l: &A, r: &B) {
    let shown = Shown { types: [name::<A>(), name::<B>()], values: [place(l), place(r)] };
    // SAFETY: the engine reads what is pointed to, while it is alive.
    unsafe { imports::site(class as u32, base, n, ops.as_ptr(), &shown) }
}

/// A site with one operand.
pub(crate) fn site_of_one<A>(base: u32, n: u32, ops: &[u8], value: &A) {
    let shown = Shown { types: [name::<A>(), NONE], values: [place(value), NONE] };
    // SAFETY: as above.
    unsafe { imports::site(Class::Change as u32, base, n, ops.as_ptr(), &shown) }
}

/// A site that shows no operands, with what is known of its mutants.
pub(crate) fn mark(base: u32, n: u32, bits: u8) {
    // SAFETY: numbers alone.
    unsafe { imports::mark(base, n, bits.into()) }
}

/// A mutant whose infection is this very value.
pub(crate) fn condition(mutant: u32, infected: bool) {
    // SAFETY: as above.
    unsafe { imports::cond(mutant, infected.into()) }
}

/// Where a program is.
#[allow(dead_code)] // By the harness alone, which not every copy has; also below.
pub(crate) fn at(phase: u32, statement: u32) {
    // SAFETY: as above.
    unsafe { imports::at(phase, statement) }
}

/// What the bytes of a literal may be.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Hole {
    Number = 0,
    Bool = 1,
    Char = 2,
    Bytes = 3,
    Text = 4,
}

/// Shows a literal, which the engine may change from here on.
///
/// # Safety
/// So many bytes can be written there.
#[allow(dead_code)]
pub(crate) unsafe fn hole(slot: u32, kind: Hole, at: *mut u8, len: usize) {
    imports::hole(slot, kind as u32, at, len as u32);
}

/// An observation: the statement after which it was made, or the number of statements; what it is of, and how.
#[allow(dead_code)]
pub(crate) fn seen(at: u32, slot: u32, aspect: u32, bytes: &[u8]) {
    // SAFETY: the engine reads the bytes, while they are alive.
    unsafe { imports::seen(at, slot, aspect, bytes.as_ptr(), bytes.len() as u32) }
}

/// Why [`halt`] ends the innermost [`attempt`].
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Halted {
    /// A statement has no value.
    Absent = 2,
    /// A program is wrong.
    Wrong = 3,
}

/// Ends the innermost attempt. Nothing on the way there is dropped.
#[allow(dead_code)]
pub(crate) fn halt(why: Halted) -> ! {
    // SAFETY: what is cut off leaks.
    unsafe { imports::halt(why as u32) }
}

/// Does a part of a program; its result, or the number of what cut it off: 1 for a panic, else of [`Halted`].
#[allow(dead_code)]
pub(crate) fn attempt<F: FnOnce() -> R, R>(part: F) -> Result<R, u32> {
    struct Job<F, R> {
        part: Option<F>,
        result: Option<R>,
    }
    unsafe extern "C" fn call<F: FnOnce() -> R, R>(data: *mut u8) {
        let job = &mut *data.cast::<Job<F, R>>();
        if let Some(part) = job.part.take() {
            job.result = Some(part());
        }
    }
    let mut job = Job { part: Some(part), result: None };
    let data: *mut Job<F, R> = &mut job;
    // SAFETY: `call` gets the job that it is made for, which outlives the call.
    let why = unsafe { imports::attempt(call::<F, R>, data.cast()) };
    job.result.ok_or(why)
}
