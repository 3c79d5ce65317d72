//! A range whose upper bound may or may not belong to it: what `a..b` and `a..=b` become.
//!
//! It can do what ranges are used for in place: iterate, from both ends, and tell whether they contain a value.

use std::ops::{Bound, Range, RangeBounds, RangeInclusive};

/// `a..b` or `a..=b`.
#[derive(Clone, Debug)]
pub enum Span<T> {
    /// `a..b`.
    Open(Range<T>),
    /// `a..=b`.
    Closed(RangeInclusive<T>),
}

/// The range from `a` to `b`.
#[inline(always)]
pub fn span<T>(closed: bool, a: T, b: T) -> Span<T> {
    if closed {
        Span::Closed(a..=b)
    } else {
        Span::Open(a..b)
    }
}

impl<T: PartialOrd> Span<T> {
    /// As `Range::contains`.
    pub fn contains<U>(&self, item: &U) -> bool
    where
        T: PartialOrd<U>,
        U: ?Sized + PartialOrd<T>,
    {
        match self {
            Span::Open(range) => range.contains(item),
            Span::Closed(range) => range.contains(item),
        }
    }

    /// As `Range::is_empty`.
    pub fn is_empty(&self) -> bool {
        match self {
            Span::Open(range) => range.is_empty(),
            Span::Closed(range) => range.is_empty(),
        }
    }
}

impl<T> RangeBounds<T> for Span<T> {
    fn start_bound(&self) -> Bound<&T> {
        match self {
            Span::Open(range) => range.start_bound(),
            Span::Closed(range) => range.start_bound(),
        }
    }

    fn end_bound(&self) -> Bound<&T> {
        match self {
            Span::Open(range) => range.end_bound(),
            Span::Closed(range) => range.end_bound(),
        }
    }
}

impl<T> Iterator for Span<T>
where
    Range<T>: Iterator<Item = T>,
    RangeInclusive<T>: Iterator<Item = T>,
{
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self {
            Span::Open(range) => range.next(),
            Span::Closed(range) => range.next(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Span::Open(range) => range.size_hint(),
            Span::Closed(range) => range.size_hint(),
        }
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<T> {
        match self {
            Span::Open(range) => range.nth(n),
            Span::Closed(range) => range.nth(n),
        }
    }
}

impl<T> DoubleEndedIterator for Span<T>
where
    Range<T>: DoubleEndedIterator<Item = T>,
    RangeInclusive<T>: DoubleEndedIterator<Item = T>,
{
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        match self {
            Span::Open(range) => range.next_back(),
            Span::Closed(range) => range.next_back(),
        }
    }
}

/// `Range<usize>` has an exact size and `RangeInclusive<usize>` not, only because the latter may hold
/// `usize::MAX + 1` values; code that relies on the former compiles with this.
impl<T> ExactSizeIterator for Span<T>
where
    Range<T>: ExactSizeIterator<Item = T>,
    RangeInclusive<T>: Iterator<Item = T>,
{
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_iterate_and_contain_as_the_ranges_do() {
        assert_eq!(span(false, 1, 4).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(span(true, 1, 4).rev().collect::<Vec<_>>(), [4, 3, 2, 1]);
        assert!(span(true, 1, 4).contains(&4) && !span(false, 1, 4).contains(&4));
        assert!(span(false, 4, 4).is_empty() && !span(true, 4, 4).is_empty());
        assert_eq!(span(false, 0usize, 9).len(), 9);
        assert_eq!(span(true, 0u8, 9).nth(3), Some(3));
    }
}
