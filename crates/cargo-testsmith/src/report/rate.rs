//! A share of mutants in percent: [`Rate`]. It is rounded down wherever it is shown, so that 100 % means all of them, and
//! thresholds compare what was counted.

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) part: usize,
    pub(crate) whole: usize,
}

/// What a threshold such as 99.9, which no binary number is, may be off by.
const BINARY_ERROR: f64 = 1e-7;

#[allow(clippy::cast_precision_loss, reason = "far fewer than 2^52 mutants")]
impl Rate {
    /// Percent with two digits; none of nothing.
    pub(crate) fn percent(self) -> Option<f64> {
        (self.whole > 0).then(|| (self.part * 10_000 / self.whole) as f64 / 100.0)
    }

    /// With one digit, as people read it.
    pub(crate) fn text(self) -> String {
        match (self.part * 1_000).checked_div(self.whole) {
            Some(tenths) => format!("{}.{}", tenths / 10, tenths % 10),
            None => "–".to_owned(),
        }
    }

    /// Whether it is a percentage or more; nothing is not.
    pub(crate) fn reaches(self, percent: f64) -> bool {
        self.whole > 0 && self.part as f64 * 100.0 + BINARY_ERROR >= percent * self.whole as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_rounded_down_and_thresholds_are_exact() {
        let rate = |part, whole| Rate { part, whole };
        let table = [
            (rate(9_996, 10_000), Some(99.96), "99.9"),
            (rate(99_999, 100_000), Some(99.99), "99.9"),
            (rate(10_000, 10_000), Some(100.0), "100.0"),
            (rate(2, 3), Some(66.66), "66.6"),
            (rate(0, 3), Some(0.0), "0.0"),
            (rate(0, 0), None, "–"),
        ];
        for (rate, percent, text) in table {
            assert_eq!((rate.percent(), rate.text().as_str()), (percent, text), "{rate:?}");
        }
        assert!(rate(999, 1_000).reaches(99.9) && rate(333, 1_000).reaches(33.3));
        assert!(!rate(99_999, 100_000).reaches(100.0), "99.999 % is not all");
        assert!(!rate(2, 3).reaches(66.67) && rate(2, 3).reaches(66.66));
        assert!(!rate(0, 0).reaches(0.0), "nothing was judged");
    }
}
