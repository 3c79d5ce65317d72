//! The last look before a test is delivered: each runs once, alone, watched from outside of its process. One that reaches outside
//! is left out, and its callable is marked.

use std::collections::BTreeSet;

use testsmith_ir::CallableId;
use testsmith_rt::harness::outside::Outside;
use testsmith_suite::observed::Observed;
use testsmith_suite::{Suite, TestId};

use super::files::{Draft, Entry, Written};
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
        let allowed = |test: TestId| {
            let written =
                entries.iter().find(|(known, _)| *known == test).and_then(|(_, entry)| draft.written(*entry));
            written.map(|written| self.allowed_to(written)).unwrap_or_default()
        };
        let observed = self.runner(&suite).reaching(&tests, &allowed)?;
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
            if let Some(callable) = draft.written(entry).and_then(last_call) {
                dropped.callables_outside.entry(callable).or_default().extend(calls.iter().cloned());
            }
            guilty.insert(entry);
        }
        draft.remove(&guilty);
        self.compiled(draft, dropped)
    }

    /// What a test may reach: what the user allows of all that it calls.
    fn allowed_to(&self, written: &Written) -> BTreeSet<Outside> {
        let calls = written.case.program.statements.iter().filter_map(|statement| statement.callable());
        let of_calls = calls.filter_map(|callable| self.allowed.get(&callable)).flatten().copied();
        of_calls.chain(self.request.api_config.allow.without_a_call()).collect()
    }
}

/// What a test is about: the last that it calls.
pub(super) fn last_call(written: &Written) -> Option<CallableId> {
    written.case.program.statements.iter().rev().find_map(|statement| statement.callable())
}

/// The tests of a draft in a suite. Those that show findings are ignored ones.
fn entries(draft: &Draft, suite: &Suite) -> Vec<(TestId, Entry)> {
    let find = |path: String| suite.tests.iter().position(|test| test.name == path);
    let entry = |index: usize| Some((find(draft.path(index)?)?, Entry::Test(index)));
    draft.tests().filter_map(|(index, _)| entry(index)).collect()
}
