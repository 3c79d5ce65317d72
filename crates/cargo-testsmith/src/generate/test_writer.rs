//! Writes cases as tests: as a person would write them, and, for the compiler that does not understand that, with every type.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_instrument::Plan;
use testsmith_ir::render::Spelling;
use testsmith_ir::{Api, CallableId, Visibility};
use testsmith_rt::harness::outside::Outside;
use testsmith_suite::case::Case;
use testsmith_suite::text::{self, Condition, TestText};

use super::NO_UNIT;
use super::assertion_policy::CratePolicy;
use super::files::Written;
use super::fresh_folder;
use super::report;
use super::test_modules::ModulesByFile;

/// Knows how the crate's items are named, outside and inside of it.
pub(crate) struct TestWriter<'a> {
    policy: &'a CratePolicy<'a>,
    plan: &'a Plan,
    /// As a test inside of the crate names everything.
    inside: Api,
    /// What callables may reach outside of the process.
    allowed: &'a BTreeMap<CallableId, BTreeSet<Outside>>,
    modules: ModulesByFile,
}

impl<'a> TestWriter<'a> {
    /// For a library of this name.
    pub(crate) fn new(
        policy: &'a CratePolicy<'a>,
        plan: &'a Plan,
        library: &str,
        allowed: &'a BTreeMap<CallableId, BTreeSet<Outside>>,
        modules: ModulesByFile,
    ) -> TestWriter<'a> {
        let inside = text::seen_from_inside(&policy.model.api, &library.replace('-', "_"));
        TestWriter { policy, plan, inside, allowed, modules }
    }

    /// The cases as text, in the order of the source of what they are about, so that a reader finds his way.
    pub(crate) fn written(&self, mut cases: Vec<Case>) -> Vec<Written> {
        cases.sort_by_cached_key(|case| self.policy.subject_of(case).and_then(|origin| origin.place.clone()));
        let write = |case: Case| {
            let origin = self.policy.subject_of(&case);
            let home = self.policy.model.api.visibility(&case.program)?;
            let home = match origin.and_then(|origin| origin.place.as_ref()) {
                Some(place) => self.modules.nearest(&place.file, home),
                None => home,
            };
            let text = self.text(&case, &home, Spelling::Natural)?;
            let unit = origin.map_or(NO_UNIT, |origin| origin.unit.as_str()).to_owned();
            Some(Written { unit, home, case, text, condition: Condition::default(), rows: Vec::new() })
        };
        cases.into_iter().filter_map(write).collect()
    }

    /// A test with the types of what stands on the lines that the compiler blames, and if they are there already, with every type that can
    /// be written; `None` if that makes no difference.
    pub(crate) fn explicit(&self, written: &Written, blamed: &BTreeSet<String>) -> Option<TestText> {
        written.text.more_explicit(blamed).into_iter().find_map(|spelling| {
            let text = self.text(&written.case, &written.home, spelling)?;
            (text.lines != written.text.lines).then_some(text)
        })
    }

    fn text(&self, case: &Case, home: &Visibility, spelling: Spelling) -> Option<TestText> {
        let api = if *home == Visibility::Anywhere { &self.policy.model.api } else { &self.inside };
        let text = text::test(api, case, &report::kills(self.plan, case), spelling)?;
        let uses_files =
            case.program.statements.iter().filter_map(|statement| statement.callable()).any(|callable| {
                self.allowed.get(&callable).is_some_and(|allowed| allowed.contains(&Outside::Files))
            });
        match (uses_files, home) {
            (false, _) => Some(text),
            (true, Visibility::Anywhere) => Some(fresh_folder::enter(text)),
            // The working directory is also that of the crate's own tests.
            (true, _) => None,
        }
    }
}
