//! The Mann-Whitney test: whether one list of numbers tends to be larger than another ([`RankSum`]).

/// What the ranks of two lists say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RankSum {
    /// How likely a difference like this, or a larger one, is by chance; two-sided.
    pub(super) p: f64,
    /// The share of pairs in which the first is ahead, ties half (Vargha and Delaney's A).
    pub(super) ahead: f64,
}

impl RankSum {
    /// By the normal approximation with corrections for ties and continuity, which is good from about eight numbers on.
    pub(super) fn of(first: &[f64], second: &[f64]) -> RankSum {
        let (n, m) = (first.len() as f64, second.len() as f64);
        if n == 0.0 || m == 0.0 {
            return RankSum { p: 1.0, ahead: 0.5 };
        }
        let wins = |a: &f64| {
            second
                .iter()
                .map(|b| {
                    if a > b {
                        1.0
                    } else if a == b {
                        0.5
                    } else {
                        0.0
                    }
                })
                .sum::<f64>()
        };
        let u: f64 = first.iter().map(wins).sum();
        let deviation =
            (n * m / 12.0 * (n + m + 1.0 - ties(first, second) / ((n + m) * (n + m - 1.0)))).sqrt();
        let distance = ((u - n * m / 2.0).abs() - 0.5).max(0.0);
        let p = if deviation > 0.0 { 2.0 * upper_tail(distance / deviation) } else { 1.0 };
        RankSum { p: p.min(1.0), ahead: u / (n * m) }
    }
}

/// The sum of t³ - t over all groups of t equal numbers.
fn ties(first: &[f64], second: &[f64]) -> f64 {
    let mut all: Vec<f64> = first.iter().chain(second).copied().collect();
    all.sort_by(f64::total_cmp);
    let groups = all.chunk_by(|a, b| a == b).map(|group| group.len() as f64);
    groups.map(|t| t.powi(3) - t).sum()
}

/// The probability that a standard normal variable is larger than `z` ≥ 0, by Abramowitz and Stegun 26.2.17, to 7 digits.
fn upper_tail(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let factors = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = factors.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(first: &[f64], second: &[f64], p: f64, ahead: f64) {
        let found = RankSum::of(first, second);
        assert!((found.p - p).abs() < 1e-4, "{found:?}");
        assert!((found.ahead - ahead).abs() < 1e-9, "{found:?}");
    }

    /// Values of p are those of `scipy.stats.mannwhitneyu(a, b, method="asymptotic")`.
    #[test]
    fn p_is_that_of_others() {
        let low: Vec<f64> = (1..=10).map(f64::from).collect();
        let high: Vec<f64> = (11..=20).map(f64::from).collect();
        let mixed: Vec<f64> = (0..10).map(|n| f64::from(n) + 1.5).collect();
        let tied = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0, 5.0, 5.0];
        check(&high, &low, 0.000_182_67, 1.0);
        check(&mixed, &low, 0.733_729_996, 0.55);
        check(&tied, &low, 0.051_834_5, 0.24);
        check(&[3.0; 10], &[3.0; 10], 1.0, 0.5);
        check(&[], &low, 1.0, 0.5);
    }
}
