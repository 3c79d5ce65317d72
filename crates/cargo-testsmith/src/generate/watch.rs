//! The last look before a test is delivered: each runs once, alone, watched from outside of its process. One that reaches outside
//! is left out, and its callable is marked.

use std::collections::BTreeSet;

use testsmith_rt::harness::outside::Outside;
use testsmith_suite::observed::Observed;
use testsmith_suite::{Suite, TestId};

use super::files::{Draft, Entry};
use super::verify::{Dropped, Verification};
use crate::failure::Failure;

impl Verification<'_> {
    /// Leaves only tests that stay in their process, or reach what the user allows.
    pub(super) fn stay_inside(
        &self,
        draft: &mut Draft,
        suite: Suite,
        dropped: &mut Dropped,
    ) -> Result<Suite, Failure> {
        let entries = entries(draft, &suite);
        let tests: Vec<TestId> = entries.iter().map(|(test, _)| *test).collect();
        let observed = self.runner(&suite).reaching(&tests, &|_| self.allowed())?;
        if testsmith_proc::interrupt::requested() {
            return Err(Failure::interrupted());
        }
        let reaching = match observed {
            Observed::Reaching(reaching) => reaching,
            Observed::Unknown(reason) => {
                self.progress.note(&format!(
                    "note: this system cannot watch tests from outside ({reason}); what they reach is known from the \
                     search alone"
                ));
                return Ok(suite);
            }
        };
        if reaching.is_empty() {
            return Ok(suite);
        }
        let mut guilty = BTreeSet::new();
        for (test, entry) in entries {
            let Some(calls) = reaching.get(&test) else { continue };
            let lines = calls.iter().map(|call| format!("{}: {call}", call.outside.name()));
            dropped.reaching_outside.insert(suite.tests[test].name.clone(), lines.collect());
            guilty.insert(entry);
        }
        draft.remove(&guilty);
        self.compiled(draft, dropped)
    }

    fn allowed(&self) -> BTreeSet<Outside> {
        self.request.api_config.allow.anywhere()
    }
}

/// The tests of a draft in a suite. Those that show findings are ignored ones.
fn entries(draft: &Draft, suite: &Suite) -> Vec<(TestId, Entry)> {
    let find = |path: String| suite.tests.iter().position(|test| test.name == path);
    let entry = |index: usize| Some((find(draft.path(index)?)?, Entry::Test(index)));
    draft.tests().filter_map(|(index, _)| entry(index)).collect()
}
