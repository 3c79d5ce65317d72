//! What sites went through in a run, to be compared with another run of the same program: [`Steps`] while it runs,
//! [`impact`] afterwards.
//!
//! A site is the same in both if it was executed as often, with the same operands, and with the same answers. Only programs
//! that are made for a mutant are compared in this way; for all others nothing is kept.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use super::distance::may_be_address;
use super::touched::Touched;
use crate::prim::Prim;

/// Sites that a run has executed, each with a digest of what it went through there, in the order of their numbers.
pub(super) type Footprint = Vec<(u32, u32)>;

/// Bytes of a text that count.
const MOST_BYTES: usize = 64;

/// The footprint of the run at hand.
pub(super) struct Steps {
    is_kept: AtomicBool,
    /// By the first mutant of a site.
    digests: Box<[AtomicU32]>,
    visited: Touched,
}

impl Steps {
    pub(super) fn new(length: usize) -> Steps {
        let digests = (0..length).map(|_| AtomicU32::new(0)).collect();
        Steps { is_kept: AtomicBool::new(false), digests, visited: Touched::new(length) }
    }

    /// A run begins.
    pub(super) fn begin(&self, is_kept: bool) {
        self.is_kept.store(is_kept, Relaxed);
        self.visited.iter().for_each(|site| self.digests[site as usize].store(0, Relaxed));
        self.visited.clear();
    }

    /// Whether anyone wants to know.
    #[inline(always)]
    pub(super) fn is_kept(&self) -> bool {
        self.is_kept.load(Relaxed)
    }

    /// A site has been executed with this.
    pub(super) fn add(&self, site: u32, what: u32) {
        let Some(digest) = self.digests.get(site as usize) else { return };
        let old = digest.load(Relaxed);
        if old == 0 {
            self.visited.push(site);
        }
        digest.store(mixed(old, what).max(1), Relaxed);
    }

    /// The footprint of the run.
    pub(super) fn footprint(&self) -> Footprint {
        let digest = |site: u32| (site, self.digests[site as usize].load(Relaxed));
        let mut all: Footprint = self.visited.iter().map(digest).collect();
        all.sort_unstable();
        all
    }
}

/// How many sites went through something else, or were executed in one of the runs only.
pub(super) fn impact(original: &[(u32, u32)], mutant: &[(u32, u32)]) -> u32 {
    let (mut left, mut right) = (original.iter().peekable(), mutant.iter().peekable());
    let mut count = 0;
    while let (Some((of_left, _)), Some((of_right, _))) = (left.peek(), right.peek()) {
        let (of_left, of_right) = (*of_left, *of_right);
        let left = if of_left <= of_right { left.next() } else { None };
        let right = if of_right <= of_left { right.next() } else { None };
        count += u32::from(left != right);
    }
    count + (left.count() + right.count()) as u32
}

/// An operand as a number. What may be an address is not the same every time.
pub(super) fn digest(operand: &Prim<'_>) -> u32 {
    let folded = |wide: u128| [0, 32, 64, 96].iter().fold(0, |sum, shift| mixed(sum, (wide >> shift) as u32));
    match *operand {
        Prim::Uint(value, bits) if may_be_address(value, bits) => 1,
        Prim::Uint(value, _) => folded(value),
        Prim::Int(value, _) => folded(value as u128),
        Prim::Float(value) => folded(value.to_bits().into()),
        Prim::Bool(value) => value.into(),
        Prim::Char(value) => value.into(),
        Prim::Str(text) => {
            let start = text.len() as u32;
            text.bytes().take(MOST_BYTES).fold(start, |sum, byte| mixed(sum, byte.into()))
        }
        Prim::Other => 0,
    }
}

fn mixed(sum: u32, more: u32) -> u32 {
    (sum.rotate_left(5) ^ more).wrapping_mul(0x9e37_79b1).wrapping_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footprint(steps: &[(u32, u32)]) -> Footprint {
        let kept = Steps::new(9);
        kept.begin(true);
        kept.add(7, 7);
        kept.begin(true);
        steps.iter().for_each(|(site, what)| kept.add(*site, *what));
        kept.footprint()
    }

    #[test]
    fn impact_counts_sites_with_other_operands_or_another_number_of_visits() {
        let original = footprint(&[(3, 5), (1, 5), (3, 6)]);
        for (other, expected) in [
            (&[(1, 5), (3, 5), (3, 6)][..], 0),
            (&[(3, 5), (1, 5)], 1),
            (&[(3, 5), (1, 5), (3, 7)], 1),
            (&[(3, 6), (1, 5), (3, 5)], 1),
            (&[(2, 1), (3, 5), (3, 6)], 2),
            (&[(1, 5), (3, 5), (3, 6), (8, 1), (2, 1)], 2),
            (&[], 2),
        ] {
            let other = footprint(other);
            assert_eq!(impact(&original, &other), expected, "{other:?}");
            assert_eq!(impact(&other, &original), expected, "{other:?}");
        }
    }

    #[test]
    fn operands_have_digests_of_their_own_and_addresses_have_one() {
        let uint = |value| Prim::Uint(value, 64);
        assert_ne!(digest(&uint(1)), digest(&uint(2)));
        assert_ne!(digest(&Prim::Str("ab")), digest(&Prim::Str("ba")));
        assert_eq!(digest(&uint(0x5555_5555_2000)), digest(&uint(0x7fff_f7d8_2010)));
    }
}
