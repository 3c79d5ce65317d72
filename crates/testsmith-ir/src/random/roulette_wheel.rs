//! A choice among callables that is not the same for all: [`RouletteWheel`].

use super::rng::Rng;
use crate::api::CallableId;

/// Callables, each with its share of the circumference.
pub(super) struct RouletteWheel {
    all: Vec<CallableId>,
    /// The sum of the weights up to and including each.
    ends: Vec<u64>,
}

impl RouletteWheel {
    /// All the same.
    pub(super) fn new(all: Vec<CallableId>) -> RouletteWheel {
        let ends = (1..=all.len() as u64).collect();
        RouletteWheel { all, ends }
    }

    /// Gives each its weight; one of weight 0 does not come up.
    pub(super) fn weigh(&mut self, weight: impl Fn(CallableId) -> u32) {
        let mut sum = 0;
        for (id, end) in self.all.iter().zip(&mut self.ends) {
            sum += u64::from(weight(*id));
            *end = sum;
        }
    }

    /// One of them, if there is one with a weight.
    pub(super) fn select(&self, rng: &mut Rng) -> Option<CallableId> {
        let sum = self.ends.last().filter(|sum| **sum > 0)?;
        let at = rng.below(usize::try_from(*sum).ok()?) as u64;
        self.all.get(self.ends.partition_point(|end| *end <= at)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callables_come_up_by_their_weight() {
        let mut roulette_wheel = RouletteWheel::new([3, 5, 7].map(CallableId).to_vec());
        let mut rng = Rng::new(1);
        let mut count = |roulette_wheel: &RouletteWheel| {
            let mut counts = [0; 8];
            (0..6000)
                .filter_map(|_| roulette_wheel.select(&mut rng))
                .for_each(|id| counts[id.0 as usize] += 1);
            [3, 5, 7].map(|id| counts[id] / 100)
        };
        let is_near = |[a, b, c]: [i32; 3], expected: [i32; 3]| {
            [a, b, c].iter().zip(expected).all(|(count, expected)| (count - expected).abs() <= 3)
        };
        assert!(is_near(count(&roulette_wheel), [20, 20, 20]));
        roulette_wheel.weigh(|id| if id.0 == 5 { 0 } else { id.0 - 2 });
        assert!(is_near(count(&roulette_wheel), [10, 0, 50]));
        roulette_wheel.weigh(|_| 0);
        assert_eq!(count(&roulette_wheel), [0; 3]);
    }
}
