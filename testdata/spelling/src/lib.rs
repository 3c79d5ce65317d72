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
