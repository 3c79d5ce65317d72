//! Sets of rows.

/// A set of numbers below a length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set of a table with so many rows.
    pub fn new(rows: usize) -> Bits {
        Bits { words: vec![0; rows.div_ceil(64)] }
    }

    /// The rows for which something holds.
    pub fn of(rows: usize, holds: impl Fn(usize) -> bool) -> Bits {
        let mut bits = Bits::new(rows);
        (0..rows).filter(|row| holds(*row)).for_each(|row| bits.insert(row));
        bits
    }

    /// Adds a row.
    pub fn insert(&mut self, row: usize) {
        self.words[row / 64] |= 1 << (row % 64);
    }

    /// Whether a row is in it.
    pub fn contains(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 != 0
    }

    /// How many rows.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many rows are in both.
    pub fn common(&self, other: &Bits) -> usize {
        self.zip(other).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// Whether some row is in both.
    pub fn meets(&self, other: &Bits) -> bool {
        self.zip(other).any(|(a, b)| a & b != 0)
    }

    /// Whether all rows are in the other, too.
    pub fn is_within(&self, other: &Bits) -> bool {
        self.zip(other).all(|(a, b)| a & !b == 0)
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The rows of both.
    #[must_use]
    pub fn and(&self, other: &Bits) -> Bits {
        Bits { words: self.zip(other).map(|(a, b)| a & b).collect() }
    }

    /// The rows of either.
    #[must_use]
    pub fn or(&self, other: &Bits) -> Bits {
        Bits { words: self.zip(other).map(|(a, b)| a | b).collect() }
    }

    /// The rows that are not in the other.
    #[must_use]
    pub fn without(&self, other: &Bits) -> Bits {
        Bits { words: self.zip(other).map(|(a, b)| a & !b).collect() }
    }

    /// All rows in it, in order.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        let rows = self.words.len() * 64;
        (0..rows).filter(|row| self.contains(*row))
    }

    fn zip(&self, other: &Bits) -> impl Iterator<Item = (u64, u64)> {
        self.words.iter().copied().zip(other.words.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_rows_are_sets() {
        let even = Bits::of(130, |row| row % 2 == 0);
        let third = Bits::of(130, |row| row % 3 == 0);
        assert_eq!((even.count(), third.count(), even.common(&third)), (65, 44, 22));
        assert!(even.and(&third).is_within(&even) && !even.is_within(&third) && even.meets(&third));
        assert!(even.without(&even).is_empty());
        assert_eq!(even.and(&third).rows().take(3).collect::<Vec<_>>(), [0, 6, 12]);
    }
}
