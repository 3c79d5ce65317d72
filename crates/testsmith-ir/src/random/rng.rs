//! Random numbers that are the same everywhere: SplitMix64 (Steele, Lea, Flood 2014).

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not zero. The bias is below `end / 2^64`.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.number()) * end as u128) >> 64) as usize
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, cases: u8) -> bool {
        self.below(100) < usize::from(cases)
    }

    /// One of the items, if there are any.
    pub fn one<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }

    /// One of the items of an iterator, if there are any.
    pub fn one_of<T>(&mut self, items: impl Iterator<Item = T>) -> Option<T> {
        let mut chosen = None;
        for (seen, item) in items.enumerate() {
            if self.once_in(seen + 1) {
                chosen = Some(item);
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        let mut rng = Rng::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| rng.number()).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn every_item_has_its_turn() {
        let mut rng = Rng::new(1);
        let mut seen = [0; 5];
        (0..5000).for_each(|_| seen[rng.one_of(0..5).unwrap()] += 1);
        assert!(seen.iter().all(|count| (900..1100).contains(count)), "{seen:?}");
    }
}
