//! How much time everything around the search gets: whoever wants tests written within a minute does not want to wait for
//! hours until those that are there have been tried on all mutants, or until the new ones are as short as can be.

use std::time::{Duration, Instant};

use testsmith_suite::TimeLimits;

/// A whole binary gets as much at least, however small the budget is.
const LEAST_FOR_BINARY: Duration = Duration::from_secs(20);
/// All tests of the plain crate get as much at least, and so many budgets; those that are slow are run alone in that time.
const LEAST_FOR_PLAIN: Duration = Duration::from_secs(40);
const BUDGETS_FOR_PLAIN: u32 = 2;
/// All mutants together get as much at least.
const LEAST_FOR_MUTANTS: Duration = Duration::from_secs(60);
/// What they get as a multiple of the budget.
const BUDGETS: u32 = 3;
/// The share of that time in which it has to be known which test reaches which mutant.
const SHARE_OF_TRACING: u32 = 2;
/// The share that a single run without a mutant may take.
const SHARE_OF_RUN: u32 = 12;
/// Cases are made for so long at least, and for this share of the budget.
const LEAST_FOR_SHORTENING: Duration = Duration::from_secs(6);
const SHARE_OF_SHORTENING: f64 = 0.3;
/// Programs that show findings are made shorter for so long at least, and for this share of the budget.
const LEAST_FOR_FINDINGS: Duration = Duration::from_secs(2);
const SHARE_OF_FINDINGS: f64 = 0.05;
/// Tests are run on the mutants that they claim for so long at least, and for this share of the budget.
const LEAST_FOR_CLAIMS: Duration = Duration::from_secs(8);
const SHARE_OF_CLAIMS: f64 = 0.2;
/// A test that takes longer alone would hold up every mutant that it reaches.
const SLOW: Duration = Duration::from_secs(5);

/// Time for the existing tests, and for shortening the new ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeBudget {
    /// Of the search; `None` if it is counted in programs, so that no decision depends on the clock.
    pub(crate) budget: Option<Duration>,
}

impl TimeBudget {
    /// For the tests of the plain crate, from now on.
    pub(crate) fn plain(self, time: TimeLimits) -> TimeLimits {
        let Some(budget) = self.budget else { return time };
        let baseline = time.baseline.min(budget.max(LEAST_FOR_BINARY));
        let all = (budget * BUDGETS_FOR_PLAIN).max(LEAST_FOR_PLAIN);
        TimeLimits { baseline, until: Some(Instant::now() + all), ..time }
    }

    /// Beyond this a test that runs alone is slow.
    pub(crate) fn slow(self, time: TimeLimits) -> Duration {
        if self.budget.is_some() { SLOW.min(time.baseline) } else { time.baseline }
    }

    /// When cases have to be made, from now on.
    pub(crate) fn shortening(self) -> Option<Instant> {
        let time = |budget: Duration| budget.mul_f64(SHARE_OF_SHORTENING).max(LEAST_FOR_SHORTENING);
        self.budget.map(|budget| Instant::now() + time(budget))
    }

    /// When programs that show findings have to be short, from now on.
    pub(crate) fn findings(self) -> Option<Instant> {
        self.budget.map(|budget| Instant::now() + budget.mul_f64(SHARE_OF_FINDINGS).max(LEAST_FOR_FINDINGS))
    }

    /// When tests have to have run on the mutants that they claim, from now on.
    pub(crate) fn claims(self) -> Option<Instant> {
        let time = |budget: Duration| budget.mul_f64(SHARE_OF_CLAIMS).max(LEAST_FOR_CLAIMS);
        self.budget.map(|budget| Instant::now() + time(budget))
    }

    /// For tracing the tests, and for trying them on mutants, from now on.
    pub(crate) fn mutants(self, time: TimeLimits) -> [TimeLimits; 2] {
        let Some(budget) = self.budget else { return [time; 2] };
        let all = (budget * BUDGETS).max(LEAST_FOR_MUTANTS);
        let baseline = time.baseline.min(all / SHARE_OF_RUN);
        let within = |share: u32| TimeLimits { baseline, until: Some(Instant::now() + all / share), ..time };
        [within(SHARE_OF_TRACING), within(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: TimeLimits = TimeLimits {
        baseline: Duration::from_secs(300),
        base: Duration::from_secs(5),
        factor: 10,
        until: None,
    };

    #[test]
    fn limits_grow_with_the_budget_and_never_beyond_the_usual() {
        let plain =
            |budget| TimeBudget { budget: Some(Duration::from_secs(budget)) }.plain(USUAL).baseline.as_secs();
        assert_eq!([1, 60, 900].map(plain), [20, 60, 300]);
        assert!(TimeBudget { budget: Some(Duration::from_secs(1)) }.plain(USUAL).until.is_some());
        let [tracing, running] = TimeBudget { budget: Some(Duration::from_secs(60)) }.mutants(USUAL);
        assert_eq!(tracing.baseline.as_secs(), 15);
        assert!(tracing.until < running.until);
    }

    #[test]
    fn without_a_clock_nothing_is_ended_early() {
        let time_budget = TimeBudget { budget: None };
        assert_eq!(time_budget.slow(USUAL), USUAL.baseline);
        assert!(time_budget.plain(USUAL).until.is_none());
        assert!(time_budget.mutants(USUAL).iter().all(|time| time.until.is_none()));
    }
}
