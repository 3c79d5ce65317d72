//! Methods of std that take a closure, each joined with its counterpart.
//!
//! A closure's parameter types are inferred from the method that it is passed to, so the closure has to stand
//! in that very call: the site calls one of these, which takes the arm and then the closure.

use std::cmp::Ordering;

/// Pairs of `Iterator` methods that test items.
pub trait Combine: Iterator {
    /// `any`, or `all`.
    fn __ts_any<F: FnMut(Self::Item) -> bool>(&mut self, arm: u32, f: F) -> bool
    where
        Self: Sized,
    {
        if arm == 0 {
            self.any(f)
        } else {
            self.all(f)
        }
    }

    /// `all`, or `any`.
    fn __ts_all<F: FnMut(Self::Item) -> bool>(&mut self, arm: u32, f: F) -> bool
    where
        Self: Sized,
    {
        self.__ts_any(1 - arm.min(1), f)
    }
}

impl<I: Iterator + ?Sized> Combine for I {}

/// Pairs of `Iterator` methods that look for an extreme.
pub trait Compare: Iterator + Sized {
    /// `min_by`, or `max_by`.
    fn __ts_min_by<F>(self, arm: u32, f: F) -> Option<Self::Item>
    where
        F: FnMut(&Self::Item, &Self::Item) -> Ordering,
    {
        if arm == 0 {
            self.min_by(f)
        } else {
            self.max_by(f)
        }
    }

    /// `max_by`, or `min_by`.
    fn __ts_max_by<F>(self, arm: u32, f: F) -> Option<Self::Item>
    where
        F: FnMut(&Self::Item, &Self::Item) -> Ordering,
    {
        self.__ts_min_by(1 - arm.min(1), f)
    }

    /// `min_by_key`, or `max_by_key`.
    fn __ts_min_by_key<K: Ord, F: FnMut(&Self::Item) -> K>(self, arm: u32, f: F) -> Option<Self::Item> {
        if arm == 0 {
            self.min_by_key(f)
        } else {
            self.max_by_key(f)
        }
    }

    /// `max_by_key`, or `min_by_key`.
    fn __ts_max_by_key<K: Ord, F: FnMut(&Self::Item) -> K>(self, arm: u32, f: F) -> Option<Self::Item> {
        self.__ts_min_by_key(1 - arm.min(1), f)
    }
}

impl<I: Iterator> Compare for I {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arm_zero_is_the_method_and_arm_one_its_counterpart() {
        let odd = |x: i32| x % 2 == 1;
        assert_eq!([0, 1].map(|arm| (1..5).__ts_any(arm, odd)), [true, false]);
        assert_eq!([0, 1].map(|arm| (1..5).__ts_all(arm, odd)), [false, true]);
        assert_eq!([0, 1].map(|arm| (1..5).__ts_min_by(arm, i32::cmp)), [Some(1), Some(4)]);
        assert_eq!([0, 1].map(|arm| (1..5).__ts_max_by_key(arm, |x| *x)), [Some(4), Some(1)]);
    }
}
