//! Calls that have to be written with care: each would be another call, or none at all, if it were written as others are.

use std::cmp::Ordering;
use std::collections::VecDeque;

/// A name, which lives for ever.
#[derive(Debug, PartialEq)]
pub struct Name(&'static [u8]);

/// No array becomes a slice here, because a text would do as well.
impl From<&'static [u8]> for Name {
    fn from(bytes: &'static [u8]) -> Name {
        Name(if bytes.len() > 1 { &bytes[1..] } else { bytes })
    }
}

impl From<&'static str> for Name {
    fn from(text: &'static str) -> Name {
        Name(text.as_bytes())
    }
}

impl Name {
    /// Its first letter.
    pub fn first(&self) -> u8 {
        self.0.first().map_or(0, |first| first + 1)
    }
}

/// An array has an order of its own.
impl PartialOrd<Name> for [u8] {
    fn partial_cmp(&self, other: &Name) -> Option<Ordering> {
        if self.len() > 2 { None } else { self.partial_cmp(other.0) }
    }
}

impl PartialEq<Name> for [u8] {
    fn eq(&self, other: &Name) -> bool {
        self == other.0
    }
}

/// What can have an end.
pub trait Limited: Sized {
    /// Ends it; where this is imported, `limit.limit()` would be this one.
    fn limit(self, most: usize) -> Limit<Self> {
        Limit { inner: self, most: most + 1 }
    }
}

impl Limited for Name {}
impl<T> Limited for Limit<T> {}

/// Something with an end.
pub struct Limit<T> {
    inner: T,
    most: usize,
}

impl<T> Limit<T> {
    /// Where it ends.
    pub fn limit(&self) -> usize {
        self.most * 2
    }

    /// What it ends.
    pub fn into_inner(self) -> T {
        self.inner
    }
}

/// The type of a list that is made of nothing is known from what is done with it.
pub fn turns(queue: &VecDeque<u8>) -> usize {
    queue.len() * 2 + usize::from(queue.front() == Some(&7))
}

/// Finds something that it only borrows.
pub struct Finder<'n> {
    needle: &'n [u8],
}

impl<'n> Finder<'n> {
    /// Takes a slice, and whatever can be one, which has to live as long as this does.
    pub fn new<B: ?Sized + AsRef<[u8]>>(needle: &'n B) -> Finder<'n> {
        Finder { needle: needle.as_ref() }
    }

    /// Whether there is nothing to find.
    pub fn is_trivial(&self) -> bool {
        self.needle.len() < 2
    }
}

/// A number with a unit, of several sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metres<T>(T);

impl TryFrom<f32> for Metres<f32> {
    type Error = ();
    fn try_from(number: f32) -> Result<Self, ()> {
        if number < 0.0 { Err(()) } else { Ok(Metres(number)) }
    }
}

/// Nothing in `Metres::try_from(1.0)` says which of the two.
impl TryFrom<f64> for Metres<f64> {
    type Error = ();
    fn try_from(number: f64) -> Result<Self, ()> {
        if number < 0.0 { Err(()) } else { Ok(Metres(number + 1.0)) }
    }
}

/// What can be rounded.
pub trait Round {
    /// The next number below; numbers have their own.
    fn floor(self) -> Self;
    /// From something else, which everything can be made from.
    fn from(number: i8) -> Self;
}

impl Round for f64 {
    fn floor(self) -> f64 {
        self - 1.0
    }

    fn from(number: i8) -> f64 {
        number as f64 + 2.0
    }
}

impl Round for Metres<f64> {
    fn floor(self) -> Metres<f64> {
        Metres(self.0 - 2.0)
    }

    fn from(number: i8) -> Metres<f64> {
        Metres(number as f64 + 3.0)
    }
}

/// Another trait with a function of this name.
pub trait Ground {
    /// How deep it is.
    fn floor(self) -> i32;
}

impl Ground for Metres<f64> {
    fn floor(self) -> i32 {
        self.0 as i32 + 4
    }
}

/// A type does not tell which of several forms of it is wanted.
impl AsRef<f64> for Metres<f64> {
    fn as_ref(&self) -> &f64 {
        &self.0
    }
}

impl AsRef<Metres<f64>> for Metres<f64> {
    fn as_ref(&self) -> &Metres<f64> {
        self
    }
}

/// Ranges that do not touch.
#[derive(Debug, Default)]
pub struct Ranges(Vec<std::ops::Range<u8>>);

impl Ranges {
    /// Adds one, unless it is empty.
    pub fn insert(&mut self, range: std::ops::Range<u8>) {
        if range.start < range.end {
            self.0.push(range);
        }
    }

    /// The one that was added last: `Some(&1..2)` would be a range of references.
    pub fn last(&self) -> Option<&std::ops::Range<u8>> {
        self.0.last()
    }
}

/// A number without a sign.
pub trait Unsigned: Into<u64> {}

impl Unsigned for u8 {}
impl Unsigned for u16 {}

/// Nothing but the number says of which type it is.
pub fn halved(number: impl Unsigned) -> u64 {
    number.into() / 2
}

/// Letters that stand for others; only the type says which.
pub struct Wild<const ONE: char, const MANY: char>(String);

impl<const ONE: char, const MANY: char> Wild<ONE, MANY> {
    /// Takes what it is to be compared with.
    pub fn new(pattern: &str) -> Wild<ONE, MANY> {
        Wild(pattern.to_owned())
    }

    /// How many letters stand for others.
    pub fn wild(&self) -> usize {
        self.0.chars().filter(|letter| *letter == ONE || *letter == MANY).count()
    }
}

/// Reads numbers off a text.
pub struct Reader(&'static [u8]);

impl Reader {
    /// Reads this.
    pub fn new(bytes: &'static [u8]) -> Reader {
        Reader(bytes)
    }

    /// The next one, of whatever type is wanted: that the bytes are `u8` does not say so.
    pub fn read<T: From<u8>>(&mut self) -> Option<T> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(T::from(*first))
    }

    /// The next ones, as many as are wanted.
    pub fn read_many<const N: usize>(&self) -> Option<[u8; N]> {
        self.0.get(..N)?.try_into().ok()
    }
}

/// How far apart numbers may be; only the number itself says which type is meant.
pub trait Near: Copy {
    /// What is near enough.
    type Margin;

    /// Whether another one is near enough.
    fn is_near<M: Into<Self::Margin>>(self, other: Self, margin: M) -> bool;
}

/// As a distance and a number of steps.
pub struct Margin<F, S>(F, S);

impl<F, S> From<(F, S)> for Margin<F, S> {
    fn from((distance, steps): (F, S)) -> Margin<F, S> {
        Margin(distance, steps)
    }
}

impl Near for f32 {
    type Margin = Margin<f32, i16>;

    fn is_near<M: Into<Margin<f32, i16>>>(self, other: f32, margin: M) -> bool {
        let Margin(distance, steps) = margin.into();
        (self - other).abs() <= distance || steps > 100
    }
}

impl Near for f64 {
    type Margin = Margin<f64, i64>;

    fn is_near<M: Into<Margin<f64, i64>>>(self, other: f64, margin: M) -> bool {
        let Margin(distance, steps) = margin.into();
        (self - other).abs() < distance && steps > 1
    }
}

/// What can be filled.
pub trait Fill {
    /// Fills it; how much was there before.
    fn fill_up(&mut self, byte: u8) -> usize;
}

/// A list is lent as a slice, and has this as well.
impl Fill for [u8] {
    fn fill_up(&mut self, byte: u8) -> usize {
        self.fill(byte);
        self.len() + 1
    }
}

impl Fill for Vec<u8> {
    fn fill_up(&mut self, byte: u8) -> usize {
        self.push(byte);
        self.len() + 2
    }
}

/// What is behind the reference takes such a reference, too.
impl<T: Fill> Fill for &mut T {
    fn fill_up(&mut self, byte: u8) -> usize {
        T::fill_up(self, byte) + 3
    }
}

/// A sign that is not the contrary of the other one.
#[derive(Clone, Debug)]
pub struct Sign(u8);

/// What is made of a number.
pub trait Numbered: Sized {
    /// Makes it, as the type does itself, but for one.
    fn numbered(number: u8) -> Self;
}

impl Sign {
    /// Hides the function of the trait.
    pub fn numbered(number: u8) -> Sign {
        Sign(number)
    }
}

impl Numbered for Sign {
    fn numbered(number: u8) -> Sign {
        Sign(number / 2)
    }
}

impl PartialEq for Sign {
    fn eq(&self, other: &Sign) -> bool {
        self.0 == other.0
    }

    #[allow(clippy::partialeq_ne_impl)]
    fn ne(&self, other: &Sign) -> bool {
        self.0 != other.0
    }
}

/// A variant that ends with the name of its type, and one that is called alike.
pub enum Trouble {
    /// None.
    NoTrouble(u8),
    /// Some.
    Trouble,
}

impl Trouble {
    /// How much of it there is.
    pub fn depth(&self) -> u8 {
        match self {
            Trouble::NoTrouble(depth) => depth / 2,
            Trouble::Trouble => 255,
        }
    }
}
