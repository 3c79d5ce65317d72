//! The tables of a harness: its types and its callables, one line each in the generated source.

use super::probe::{Answers, Of, Vtable};
use super::Frame;

/// A type. Made by [`kind!`](crate::kind).
#[derive(Clone, Copy)]
pub struct Kind {
    pub(super) number: u32,
    pub(super) of: &'static Vtable,
}

impl Kind {
    #[doc(hidden)]
    pub fn new<T, A: Answers<T>>(number: u32, _: Of<T>, _: Option<A>) -> Kind {
        Kind { number, of: A::VTABLE }
    }
}

/// A callable. Made by [`call!`](crate::call) or [`maybe!`](crate::maybe).
#[derive(Clone, Copy)]
pub struct Call {
    pub(super) number: u32,
    /// A function of the type that `invoke` knows.
    code: fn(),
    invoke: unsafe fn(fn(), &mut Frame) -> *mut u8,
    pub(super) of: &'static Vtable,
}

impl Call {
    #[doc(hidden)]
    pub fn new<T, A: Answers<T>>(number: u32, code: fn(&mut Frame) -> T, _: Option<A>) -> Call {
        // SAFETY: `invoke` turns it back before it is called.
        let code = unsafe { std::mem::transmute::<fn(&mut Frame) -> T, fn()>(code) };
        Call { number, code, invoke: invoke::<T>, of: A::VTABLE }
    }

    #[doc(hidden)]
    pub fn maybe<T, A: Answers<T>>(number: u32, code: fn(&mut Frame) -> Option<T>, _: Option<A>) -> Call {
        // SAFETY: `invoke_maybe` turns it back before it is called.
        let code = unsafe { std::mem::transmute::<fn(&mut Frame) -> Option<T>, fn()>(code) };
        Call { number, code, invoke: invoke_maybe::<T>, of: A::VTABLE }
    }

    /// Where its code is.
    pub(super) fn address(&self) -> usize {
        self.code as usize
    }

    /// Calls it: a boxed value of the type `of`, or null where there is none.
    pub(super) fn invoke(&self, frame: &mut Frame) -> *mut u8 {
        // SAFETY: both were made together.
        unsafe { (self.invoke)(self.code, frame) }
    }
}

// One for each type of result, not one for each callable.

unsafe fn invoke<T>(code: fn(), frame: &mut Frame) -> *mut u8 {
    // SAFETY: the caller says that this is what `code` is.
    let code = unsafe { std::mem::transmute::<fn(), fn(&mut Frame) -> T>(code) };
    Box::into_raw(Box::new(code(frame))).cast()
}

unsafe fn invoke_maybe<T>(code: fn(), frame: &mut Frame) -> *mut u8 {
    // SAFETY: the caller says that this is what `code` is.
    let code = unsafe { std::mem::transmute::<fn(), fn(&mut Frame) -> Option<T>>(code) };
    code(frame).map_or(std::ptr::null_mut(), |value| Box::into_raw(Box::new(value)).cast())
}

/// Everything that a harness was built from.
#[derive(Clone, Default)]
pub struct Tables {
    /// How many mutants the meta-program has: the highest number.
    pub mutants: u32,
    /// In any order, with holes.
    pub kinds: Vec<Kind>,
    /// In any order, with holes.
    pub calls: Vec<Call>,
}

/// `kind!(5, ::semver::Version)`: a [`Kind`] for the type table.
#[macro_export]
macro_rules! kind {
    ($number:expr, $type:ty $(,)?) => {
        $crate::harness::Kind::new(
            $number,
            $crate::harness::probe::of::<$type>(),
            $crate::__facts!($crate::harness::probe::of::<$type>()),
        )
    };
}

/// `call!(17, |f| <::semver::Version>::new(f.value(0), f.value(1), f.value(2)))`: a [`Call`](crate::harness::Call) for the table
/// of callables. The type of its result is that of the expression.
///
/// * `call!(17, known |f| …)` takes what is known of the type from the [`kind!`](crate::kind) of the same type instead of
///   asking the compiler again, which takes it a millisecond. Without such a kind, nothing is known.
/// * `call!(17, |f| -> () { ::lib::never() })` names the type, where inference does not find one: for a function that never
///   returns.
#[macro_export]
macro_rules! call {
    ($number:expr, |$frame:ident| -> $type:ty $code:block $(,)?) => {{
        let code: fn(&mut $crate::harness::Frame) -> $type = |$frame| $code;
        $crate::harness::Call::new($number, code, $crate::__facts!(result_of(code)))
    }};
    ($number:expr, known |$frame:ident| $code:expr $(,)?) => {{
        let code: fn(&mut $crate::harness::Frame) -> _ = |$frame| $code;
        $crate::harness::Call::new($number, code, $crate::harness::probe::UNASKED)
    }};
    ($number:expr, |$frame:ident| $code:expr $(,)?) => {{
        let code: fn(&mut $crate::harness::Frame) -> _ = |$frame| $code;
        $crate::harness::Call::new($number, code, $crate::__facts!(result_of(code)))
    }};
}

/// `maybe!(17, |f| f.text(0).parse::<u8>().ok())`: as [`call!`](crate::call), for an expression of type `Option<T>`. The result
/// is the `T`; `None` ends the statement without a value, which costs less than [`Frame::absent`](crate::harness::Frame::absent)
/// does. `known` as in `call!`.
#[macro_export]
macro_rules! maybe {
    ($number:expr, known |$frame:ident| $code:expr $(,)?) => {{
        let code: fn(&mut $crate::harness::Frame) -> $crate::std::option::Option<_> = |$frame| $code;
        $crate::harness::Call::maybe($number, code, $crate::harness::probe::UNASKED)
    }};
    ($number:expr, |$frame:ident| $code:expr $(,)?) => {{
        let code: fn(&mut $crate::harness::Frame) -> $crate::std::option::Option<_> = |$frame| $code;
        $crate::harness::Call::maybe($number, code, $crate::__facts!(some_of(code)))
    }};
}
