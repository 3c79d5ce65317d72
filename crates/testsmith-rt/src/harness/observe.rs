//! Structured observations: values of std's plain types as bytes that [`Value`](super::Value) reads back.
//!
//! The bytes are the value: equal values give equal bytes, whatever the order of a hash table or the payload of a NaN.
//! Containers are cut at [`MOST_ELEMENTS`], text at [`MOST_TEXT`], and the whole at [`MOST_BYTES`]; lengths are always
//! kept. A type without [`Observe`] is looked at through its `Debug` text instead, and if it has a [`Shape`], through that.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::num::*;
use std::ops::{Bound, Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::wire::Writer;

/// Elements of a container that are kept.
pub(super) const MOST_ELEMENTS: usize = 64;
/// Bytes of a text that are kept.
pub const MOST_TEXT: usize = 4096;
/// Where more than this has been written, what follows is cut.
const MOST_BYTES: usize = 8192;

/// The first byte of every value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Unit,
    False,
    True,
    Char,
    /// An integer that fits `i128`.
    Int,
    /// One that does not.
    Huge,
    F32,
    F64,
    Str,
    None,
    Some,
    Ok,
    Err,
    Tuple,
    List,
    Set,
    Map,
    Less,
    Equal,
    Greater,
    Duration,
    SinceEpoch,
    BeforeEpoch,
    Range,
    RangeInclusive,
    RangeExhausted,
    RangeFrom,
    RangeTo,
    RangeToInclusive,
    RangeFull,
    /// A path or text of the system that is not UTF-8, as `Debug` writes it.
    Odd,
    /// The observation is too long: something stood here.
    Cut,
    /// Something stands here whose type shows no values.
    Opaque,
}

/// Where a value is written.
pub struct Sink {
    to: Writer,
}

impl Sink {
    /// The bytes of a value.
    pub(super) fn bytes(write: impl FnOnce(&mut Sink)) -> Vec<u8> {
        let mut sink = Sink { to: Writer::new() };
        write(&mut sink);
        sink.to.finish()
    }

    fn tag(&mut self, tag: Tag) {
        self.to.byte(tag as u8);
    }

    /// A value inside another.
    fn inner<T: Observe + ?Sized>(&mut self, value: &T) {
        if self.to.len() > MOST_BYTES {
            self.tag(Tag::Cut);
        } else {
            value.observe(self);
        }
    }

    fn wrapped<T: Observe + ?Sized>(&mut self, tag: Tag, value: &T) {
        self.tag(tag);
        self.inner(value);
    }

    fn int(&mut self, value: i128) {
        self.tag(Tag::Int);
        self.to.signed(value);
    }

    fn duration(&mut self, tag: Tag, duration: Duration) {
        self.tag(tag);
        self.to.uint(duration.as_secs());
        self.to.uint(duration.subsec_nanos().into());
    }

    fn text(&mut self, tag: Tag, text: &str) {
        self.tag(tag);
        let kept = cut(text, MOST_TEXT);
        self.to.uint(text.len() as u64);
        self.to.uint(kept.len() as u64);
        self.to.raw(kept.as_bytes());
    }

    fn elements<'a, T: Observe + 'a>(&mut self, length: usize, elements: impl Iterator<Item = &'a T>) {
        self.lengths(Tag::List, length);
        elements.take(MOST_ELEMENTS).for_each(|element| self.inner(element));
    }

    /// So many elements, of which nothing is shown.
    fn count(&mut self, tag: Tag, length: usize) {
        self.tag(tag);
        self.to.uint(length as u64);
        self.to.uint(0);
    }

    /// A wrapper around something of which nothing is shown.
    fn around(&mut self, tag: Tag) {
        self.tag(tag);
        self.tag(Tag::Opaque);
    }

    fn lengths(&mut self, tag: Tag, length: usize) {
        self.tag(tag);
        self.to.uint(length as u64);
        self.to.uint(length.min(MOST_ELEMENTS) as u64);
    }

    /// Elements of so many values each, in the order of their bytes.
    fn sorted(&mut self, tag: Tag, values: usize, mut elements: Vec<Vec<u8>>) {
        self.lengths(tag, elements.len());
        elements.sort_unstable();
        for element in elements.iter().take(MOST_ELEMENTS) {
            if self.to.len() > MOST_BYTES {
                (0..values).for_each(|_| self.tag(Tag::Cut));
            } else {
                self.to.raw(element);
            }
        }
    }
}

/// The longest prefix of at most `most` bytes.
pub(super) fn cut(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A type whose values are observed as they are.
pub trait Observe {
    /// Writes the value.
    fn observe(&self, to: &mut Sink);
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Observe for $t {
            fn observe(&self, to: &mut Sink) {
                to.int(i128::from(*self));
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64);

macro_rules! sized_integers {
    ($($t:ty)*) => {$(
        impl Observe for $t {
            fn observe(&self, to: &mut Sink) {
                to.int(*self as i128);
            }
        }
    )*};
}

sized_integers!(isize usize);

impl Observe for u128 {
    fn observe(&self, to: &mut Sink) {
        match i128::try_from(*self) {
            Ok(value) => to.int(value),
            Err(_) => {
                to.tag(Tag::Huge);
                to.to.wide(*self);
            }
        }
    }
}

macro_rules! non_zero {
    ($($t:ty)*) => {$(
        impl Observe for $t {
            fn observe(&self, to: &mut Sink) {
                self.get().observe(to);
            }
        }
    )*};
}

non_zero!(NonZeroI8 NonZeroI16 NonZeroI32 NonZeroI64 NonZeroI128 NonZeroIsize);
non_zero!(NonZeroU8 NonZeroU16 NonZeroU32 NonZeroU64 NonZeroU128 NonZeroUsize);

// All NaN are one: their payloads differ between builds of the same code.

impl Observe for f32 {
    fn observe(&self, to: &mut Sink) {
        let value = if self.is_nan() { f32::NAN } else { *self };
        to.tag(Tag::F32);
        to.to.raw(&value.to_bits().to_le_bytes());
    }
}

impl Observe for f64 {
    fn observe(&self, to: &mut Sink) {
        let value = if self.is_nan() { f64::NAN } else { *self };
        to.tag(Tag::F64);
        to.to.raw(&value.to_bits().to_le_bytes());
    }
}

impl Observe for () {
    fn observe(&self, to: &mut Sink) {
        to.tag(Tag::Unit);
    }
}

impl Observe for bool {
    fn observe(&self, to: &mut Sink) {
        to.tag(if *self { Tag::True } else { Tag::False });
    }
}

impl Observe for char {
    fn observe(&self, to: &mut Sink) {
        to.tag(Tag::Char);
        to.to.uint(u32::from(*self).into());
    }
}

impl Observe for Ordering {
    fn observe(&self, to: &mut Sink) {
        to.tag(match self {
            Ordering::Less => Tag::Less,
            Ordering::Equal => Tag::Equal,
            Ordering::Greater => Tag::Greater,
        });
    }
}

impl Observe for Duration {
    fn observe(&self, to: &mut Sink) {
        to.duration(Tag::Duration, *self);
    }
}

/// `Debug` prints what the system makes of it; how far it is from the epoch is the same on all.
impl Observe for SystemTime {
    fn observe(&self, to: &mut Sink) {
        match self.duration_since(UNIX_EPOCH) {
            Ok(since) => to.duration(Tag::SinceEpoch, since),
            Err(before) => to.duration(Tag::BeforeEpoch, before.duration()),
        }
    }
}

impl Observe for str {
    fn observe(&self, to: &mut Sink) {
        to.text(Tag::Str, self);
    }
}

impl Observe for OsStr {
    fn observe(&self, to: &mut Sink) {
        match self.to_str() {
            Some(text) => to.text(Tag::Str, text),
            None => to.text(Tag::Odd, &format!("{self:?}")),
        }
    }
}

/// Types that are observed as what they stand for.
macro_rules! as_another {
    ($($t:ty: $other:ty;)*) => {$(
        impl Observe for $t {
            fn observe(&self, to: &mut Sink) {
                <$other>::observe(self.as_ref(), to);
            }
        }
    )*};
}

as_another! {
    String: str;
    Path: OsStr;
    PathBuf: OsStr;
    OsString: OsStr;
}

macro_rules! pointers {
    ($($t:ty),*) => {$(
        impl<T: Observe + ?Sized> Observe for $t {
            fn observe(&self, to: &mut Sink) {
                T::observe(self, to);
            }
        }
    )*};
}

pointers!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

impl<T: Observe + ToOwned + ?Sized> Observe for Cow<'_, T> {
    fn observe(&self, to: &mut Sink) {
        T::observe(self, to);
    }
}

impl<T: Observe> Observe for Option<T> {
    fn observe(&self, to: &mut Sink) {
        match self {
            None => to.tag(Tag::None),
            Some(value) => to.wrapped(Tag::Some, value),
        }
    }
}

impl<T: Observe, E: Observe> Observe for Result<T, E> {
    fn observe(&self, to: &mut Sink) {
        match self {
            Ok(value) => to.wrapped(Tag::Ok, value),
            Err(error) => to.wrapped(Tag::Err, error),
        }
    }
}

macro_rules! tuples {
    ($($count:literal: $($t:ident $at:tt),*;)*) => {$(
        impl<$($t: Observe),*> Observe for ($($t,)*) {
            fn observe(&self, to: &mut Sink) {
                to.tag(Tag::Tuple);
                to.to.uint($count);
                $(to.inner(&self.$at);)*
            }
        }
    )*};
}

tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
}

impl<T: Observe> Observe for [T] {
    fn observe(&self, to: &mut Sink) {
        to.elements(self.len(), self.iter());
    }
}

impl<T: Observe, const N: usize> Observe for [T; N] {
    fn observe(&self, to: &mut Sink) {
        self.as_slice().observe(to);
    }
}

impl<T: Observe> Observe for Vec<T> {
    fn observe(&self, to: &mut Sink) {
        self.as_slice().observe(to);
    }
}

impl<T: Observe> Observe for VecDeque<T> {
    fn observe(&self, to: &mut Sink) {
        to.elements(self.len(), self.iter());
    }
}

impl<T: Observe> Observe for BTreeSet<T> {
    fn observe(&self, to: &mut Sink) {
        to.lengths(Tag::Set, self.len());
        self.iter().take(MOST_ELEMENTS).for_each(|element| to.inner(element));
    }
}

impl<K: Observe, V: Observe> Observe for BTreeMap<K, V> {
    fn observe(&self, to: &mut Sink) {
        to.lengths(Tag::Map, self.len());
        for (key, value) in self.iter().take(MOST_ELEMENTS) {
            to.inner(key);
            to.inner(value);
        }
    }
}

impl<T: Observe, S> Observe for HashSet<T, S> {
    fn observe(&self, to: &mut Sink) {
        let elements = self.iter().map(|element| Sink::bytes(|to| element.observe(to)));
        to.sorted(Tag::Set, 1, elements.collect());
    }
}

impl<K: Observe, V: Observe, S> Observe for HashMap<K, V, S> {
    fn observe(&self, to: &mut Sink) {
        let pair = |(key, value): (&K, &V)| {
            Sink::bytes(|to| {
                key.observe(to);
                value.observe(to);
            })
        };
        to.sorted(Tag::Map, 2, self.iter().map(pair).collect());
    }
}

impl<T: Observe> Observe for Range<T> {
    fn observe(&self, to: &mut Sink) {
        to.wrapped(Tag::Range, &self.start);
        to.inner(&self.end);
    }
}

impl<T: Observe> Observe for RangeInclusive<T> {
    fn observe(&self, to: &mut Sink) {
        // An iterated range remembers that it is at its end, and only its bounds tell.
        let exhausted = matches!(self.end_bound(), Bound::Excluded(_));
        to.wrapped(if exhausted { Tag::RangeExhausted } else { Tag::RangeInclusive }, self.start());
        to.inner(self.end());
    }
}

impl<T: Observe> Observe for RangeFrom<T> {
    fn observe(&self, to: &mut Sink) {
        to.wrapped(Tag::RangeFrom, &self.start);
    }
}

impl<T: Observe> Observe for RangeTo<T> {
    fn observe(&self, to: &mut Sink) {
        to.wrapped(Tag::RangeTo, &self.end);
    }
}

impl<T: Observe> Observe for RangeToInclusive<T> {
    fn observe(&self, to: &mut Sink) {
        to.wrapped(Tag::RangeToInclusive, &self.end);
    }
}

impl Observe for RangeFull {
    fn observe(&self, to: &mut Sink) {
        to.tag(Tag::RangeFull);
    }
}

/// A type of which something shows whatever its parts are: which variant it is, or how many elements it has.
pub trait Shape {
    /// Writes the shape.
    fn shape(&self, to: &mut Sink);
}

impl<T> Shape for Option<T> {
    fn shape(&self, to: &mut Sink) {
        match self {
            None => to.tag(Tag::None),
            Some(_) => to.around(Tag::Some),
        }
    }
}

impl<T, E> Shape for Result<T, E> {
    fn shape(&self, to: &mut Sink) {
        to.around(if self.is_ok() { Tag::Ok } else { Tag::Err });
    }
}

macro_rules! shapes_of_pointers {
    ($($t:ty),*) => {$(
        impl<T: Shape + ?Sized> Shape for $t {
            fn shape(&self, to: &mut Sink) {
                T::shape(self, to);
            }
        }
    )*};
}

shapes_of_pointers!(&T, &mut T, Box<T>);

macro_rules! counted {
    ($($tag:ident: [$($param:ident),*] $t:ty;)*) => {$(
        impl<$($param),*> Shape for $t {
            fn shape(&self, to: &mut Sink) {
                to.count(Tag::$tag, self.len());
            }
        }
    )*};
}

counted! {
    List: [T] [T];
    List: [T] Vec<T>;
    List: [T] VecDeque<T>;
    Set: [T] BTreeSet<T>;
    Set: [T, S] HashSet<T, S>;
    Map: [K, V] BTreeMap<K, V>;
    Map: [K, V, S] HashMap<K, V, S>;
}
