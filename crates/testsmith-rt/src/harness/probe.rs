//! Which traits a type has, found out by the compiler at the place where the type is known.
//!
//! Autoref specialisation: `(&of).__ts_debug()` finds the method of a trait that is implemented for `Of<T>` where
//! `T: Debug` before that of one that is implemented for every `&Of<T>`. The answer is a type, [`Yes`] or [`No`], so
//! that entries need no code of their own: everything that is asked of a type becomes one constant [`Vtable`], shared
//! by all entries of that type.

use std::any::TypeId;
use std::cmp::Ordering;
use std::fmt::{self, Debug, Display, Formatter};
use std::marker::PhantomData;
use std::mem::transmute;

use super::observe::{Observe, Shape, Sink};
use super::wire::Facts;
use super::Frame;

/// Stands for a type.
pub struct Of<T>(PhantomData<fn() -> T>);

/// The type itself.
pub fn of<T>() -> Of<T> {
    Of(PhantomData)
}

/// The type of a callable's result.
pub fn result_of<T>(_: fn(&mut Frame) -> T) -> Of<T> {
    Of(PhantomData)
}

/// The type of a callable's result, if it has one.
pub fn some_of<T>(_: fn(&mut Frame) -> Option<T>) -> Of<T> {
    Of(PhantomData)
}

/// It has the trait.
pub struct Yes;
/// It has not.
pub struct No;

macro_rules! probes {
    ($($method:ident: $($bound:path)? , $with:ident, $without:ident;)*) => {$(
        #[doc(hidden)]
        pub trait $with {
            fn $method(&self) -> Yes {
                Yes
            }
        }
        impl<T: $($bound)?> $with for Of<T> {}

        #[doc(hidden)]
        pub trait $without {
            fn $method(&self) -> No {
                No
            }
        }
        impl<T> $without for &Of<T> {}
    )*};
}

probes! {
    __ts_debug: Debug, WithDebug, WithoutDebug;
    __ts_display: Display, WithDisplay, WithoutDisplay;
    __ts_eq: PartialEq, WithEq, WithoutEq;
    __ts_ord: PartialOrd, WithOrd, WithoutOrd;
    __ts_copy: Copy, WithCopy, WithoutCopy;
    __ts_clone: Clone, WithClone, WithoutClone;
    __ts_observe: Observe, WithObserve, WithoutObserve;
    __ts_shape: Shape, WithShape, WithoutShape;
}

type DebugFn = unsafe fn(*const u8, &mut Formatter<'_>) -> fmt::Result;
type EqFn = unsafe fn(*const u8, *const u8) -> bool;
type OrdFn = unsafe fn(*const u8, *const u8) -> Option<Ordering>;
type ObserveFn = unsafe fn(*const u8, &mut Sink);

/// What can be done with a value of a type, without the type.
pub struct Vtable {
    pub(super) id: fn() -> TypeId,
    pub(super) name: fn() -> &'static str,
    pub(super) size: usize,
    pub(super) align: usize,
    /// `None` where there is nothing to drop.
    pub(super) drop: Option<unsafe fn(*mut u8)>,
    pub(super) copy: bool,
    pub(super) clone: bool,
    pub(super) debug: Option<DebugFn>,
    pub(super) display: Option<DebugFn>,
    pub(super) eq: Option<EqFn>,
    pub(super) ord: Option<OrdFn>,
    pub(super) observe: Option<ObserveFn>,
    /// What shows of a value that cannot be observed as it is.
    pub(super) shape: Option<ObserveFn>,
}

impl Vtable {
    pub(super) fn facts(&self) -> Facts {
        Facts {
            copy: self.copy,
            clone: self.clone,
            needs_drop: self.drop.is_some(),
            debug: self.debug.is_some(),
            display: self.display.is_some(),
            eq: self.eq.is_some(),
            ord: self.ord.is_some(),
            observable: self.observe.is_some(),
            size: self.size as u64,
        }
    }
}

/// Turns an answer about `T` into a function.
///
/// The functions are those of the traits themselves: a reference to a sized type is passed as a raw pointer is, so no
/// code is generated for any of them.
macro_rules! answers {
    ($($name:ident: $bound:path, $erased:ty = $function:ty, $value:expr;)*) => {$(
        #[doc(hidden)]
        pub trait $name<T> {
            const FUNCTION: Option<$erased>;
        }
        impl<T: $bound> $name<T> for Yes {
            // SAFETY: `&T` and `*const u8` are passed alike; whoever calls it has a live `T` behind the pointer.
            const FUNCTION: Option<$erased> = Some(unsafe { transmute::<$function, $erased>($value) });
        }
        impl<T> $name<T> for No {
            const FUNCTION: Option<$erased> = None;
        }
    )*};
}

answers! {
    DebugAnswer: Debug, DebugFn = fn(&T, &mut Formatter<'_>) -> fmt::Result, <T as Debug>::fmt;
    DisplayAnswer: Display, DebugFn = fn(&T, &mut Formatter<'_>) -> fmt::Result, <T as Display>::fmt;
    EqAnswer: PartialEq, EqFn = fn(&T, &T) -> bool, <T as PartialEq>::eq;
    OrdAnswer: PartialOrd, OrdFn = fn(&T, &T) -> Option<Ordering>, <T as PartialOrd>::partial_cmp;
    ObserveAnswer: Observe, ObserveFn = fn(&T, &mut Sink), <T as Observe>::observe;
    ShapeAnswer: Shape, ObserveFn = fn(&T, &mut Sink), <T as Shape>::shape;
}

/// Whether an answer is [`Yes`].
#[doc(hidden)]
pub trait Truth {
    const IS: bool;
}

impl Truth for Yes {
    const IS: bool = true;
}

impl Truth for No {
    const IS: bool = false;
}

/// All answers about `T`, in the order of `__facts!`.
#[doc(hidden)]
pub trait Answers<T> {
    const VTABLE: &'static Vtable;
}

impl<T, D, P, E, O, C, K, B, S> Answers<T> for (D, P, E, O, C, K, B, S)
where
    T: 'static,
    D: DebugAnswer<T>,
    P: DisplayAnswer<T>,
    E: EqAnswer<T>,
    O: OrdAnswer<T>,
    C: Truth,
    K: Truth,
    B: ObserveAnswer<T>,
    S: ShapeAnswer<T>,
{
    const VTABLE: &'static Vtable = &Vtable {
        id: TypeId::of::<T>,
        name: std::any::type_name::<T>,
        size: std::mem::size_of::<T>(),
        align: std::mem::align_of::<T>(),
        drop: if std::mem::needs_drop::<T>() {
            // SAFETY: as above, for `*mut T` and `*mut u8`.
            Some(unsafe { transmute::<unsafe fn(*mut T), unsafe fn(*mut u8)>(std::ptr::drop_in_place::<T>) })
        } else {
            None
        },
        copy: C::IS,
        clone: K::IS,
        debug: D::FUNCTION,
        display: P::FUNCTION,
        eq: E::FUNCTION,
        ord: O::FUNCTION,
        observe: B::FUNCTION,
        shape: S::FUNCTION,
    };
}

/// [`No`] to every question.
#[doc(hidden)]
pub type Nothing = (No, No, No, No, No, No, No, No);

/// No answers: what is known of the type is found elsewhere.
pub const UNASKED: Option<Nothing> = None;

/// The answers about the type of an [`Of`], as a type: nothing of this is ever executed.
#[doc(hidden)]
#[macro_export]
macro_rules! __facts {
    ($of:expr) => {
        if false {
            $crate::std::option::Option::Some({
                use $crate::harness::probe::*;
                let of = $of;
                (
                    (&of).__ts_debug(),
                    (&of).__ts_display(),
                    (&of).__ts_eq(),
                    (&of).__ts_ord(),
                    (&of).__ts_copy(),
                    (&of).__ts_clone(),
                    (&of).__ts_observe(),
                    (&of).__ts_shape(),
                )
            })
        } else {
            $crate::std::option::Option::None
        }
    };
}
