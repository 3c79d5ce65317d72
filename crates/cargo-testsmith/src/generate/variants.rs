//! The builds of a crate that the tests have to hold in besides the one that they were made with: without debug assertions and
//! overflow checks, with the default features, and with none. What needs more than such a build has stands behind a `cfg`.

use std::collections::BTreeSet;

use testsmith_model::FeatureFlags;
use testsmith_suite::text::Condition;

use super::files::{Draft, Entry};
use super::lints::settle;
use super::verify::{Dropped, MOST_ROUNDS, Verification, places};
use crate::build::Builder;
use crate::failure::Failure;

/// So many features are tried one by one; of more, a test is taken to need them all.
const MOST_TRIED: usize = 8;

impl Verification<'_> {
    /// Leaves only tests that also pass without debug assertions and overflow checks, or says that they need them.
    pub(super) fn hold_without_checks(
        &self,
        draft: &mut Draft,
        dropped: &mut Dropped,
    ) -> Result<(), Failure> {
        let builder = Builder { checks: false, ..self.builder_of(draft) };
        // A crate that only compiles with debug assertions is tested with them.
        let Some(failed) = self.failing_in(&builder, draft)? else { return Ok(()) };
        let failed = match self.request.args.place.debug_only {
            true => draft.require(&failed, &Condition { debug_assertions: true, ..Condition::default() }),
            false => failed,
        };
        dropped.debug_only += failed.len();
        draft.remove(&failed.into_iter().map(Entry::Test).collect());
        Ok(())
    }

    /// Leaves only tests that also pass with the default features and with none, as far as the crate itself can be built so, or
    /// says which features they need.
    pub(super) fn hold_with_features(&self, draft: &mut Draft, dropped: &mut Dropped) -> Result<(), Failure> {
        let made = &self.request.builder.features;
        let mut known = vec![self.package.features_with(made)];
        let none = FeatureFlags { no_default: true, ..FeatureFlags::default() };
        for flags in [FeatureFlags::default(), none] {
            let on = self.package.features_with(&flags);
            if known.contains(&on) || draft.is_empty() {
                continue;
            }
            let named = self.package.features_named_by(made);
            let lacking: Vec<String> = named.difference(&on).cloned().collect();
            known.push(on);
            let Some(failed) = self.failing_in(&self.with_features(flags.clone(), draft), draft)? else {
                continue;
            };
            let lost = self.find_needed(draft, failed, &flags, &lacking)?;
            dropped.feature_only += lost.len();
            draft.remove(&lost.into_iter().map(Entry::Test).collect());
        }
        Ok(())
    }

    /// Puts tests behind the one feature with which they hold, or behind all that are lacking; those for which that cannot be said.
    fn find_needed(
        &self,
        draft: &mut Draft,
        mut failed: BTreeSet<usize>,
        flags: &FeatureFlags,
        lacking: &[String],
    ) -> Result<BTreeSet<usize>, Failure> {
        let needs = |features: &[String]| Condition {
            features: features.iter().cloned().collect(),
            ..Condition::default()
        };
        let mut lost = BTreeSet::new();
        let tried = if (2..=MOST_TRIED).contains(&lacking.len()) { lacking } else { &[] };
        for feature in tried {
            if failed.is_empty() {
                break;
            }
            let more = FeatureFlags { features: vec![feature.clone()], ..flags.clone() };
            let others =
                draft.tests().map(|(index, _)| index).filter(|index| !failed.contains(index)).collect();
            draft.hide(others);
            let builder = self.with_features(more, draft);
            let still = self.failing_in(&builder, draft)?;
            draft.hide(BTreeSet::new());
            let Some(still) = still else { continue };
            let held: BTreeSet<usize> = failed.difference(&still).copied().collect();
            lost.extend(draft.require(&held, &needs(std::slice::from_ref(feature))));
            failed.retain(|index| still.contains(index));
        }
        lost.extend(if lacking.is_empty() { failed } else { draft.require(&failed, &needs(lacking)) });
        Ok(lost)
    }

    fn with_features(&self, features: FeatureFlags, draft: &Draft) -> Builder {
        Builder { features, ..self.builder_of(draft) }
    }

    /// Tests of the draft that are compiled and do not hold in another build; `None` if the crate itself cannot be built so.
    fn failing_in(&self, builder: &Builder, draft: &mut Draft) -> Result<Option<BTreeSet<usize>>, Failure> {
        let before = draft.hidden().clone();
        let failing = self.failing_unless_hidden(builder, draft);
        draft.hide(before);
        failing
    }

    fn failing_unless_hidden(
        &self,
        builder: &Builder,
        draft: &mut Draft,
    ) -> Result<Option<BTreeSet<usize>>, Failure> {
        let copy = builder.copies.plain();
        let features = self.package.features_with(&builder.features);
        let mut uncompiled: BTreeSet<usize> = BTreeSet::new();
        for _ in 0..MOST_ROUNDS {
            let built = self.build_with(builder, &copy, draft)?;
            if testsmith_proc::interrupt::requested() {
                return Err(Failure::interrupted());
            }
            let mut settled = settle(draft, &built);
            for error in built.errors.iter().filter(|error| error.lint().is_none()) {
                settled.guilty.extend(draft.blamed(&places(error)));
            }
            let guilty = settled.guilty.iter().filter_map(|entry| match entry {
                Entry::Test(index) => Some(*index),
                Entry::Finding(_) => None,
            });
            let guilty: BTreeSet<usize> = guilty.collect();
            if built.success && !settled.is_changed && guilty.is_empty() {
                let suite = self.suite(&built, &copy, draft)?;
                let is_compiled = |index: usize| {
                    let mut tests = draft.tests();
                    tests.any(|(at, test)| at == index && test.condition.holds(&features, builder.checks))
                };
                let mut failing = self.failing(draft, &self.runner(&suite))?;
                failing.retain(|index| is_compiled(*index) && !draft.hidden().contains(index));
                failing.extend(uncompiled);
                return Ok(Some(failing));
            }
            if guilty.is_empty() && !settled.is_changed {
                return Ok(None);
            }
            uncompiled.extend(&guilty);
            draft.hide(draft.hidden().union(&guilty).copied().collect());
        }
        Ok(None)
    }
}
