//! Nothing is delivered unverified: the tests are compiled in a copy of the real crate, run again and again in different
//! orders, and each is run on every mutant that it claims. What does not hold is left out, and counted.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use testsmith_instrument::Plan;
use testsmith_ir::CallableId;
use testsmith_model::{Package, Target, indented};
use testsmith_rt::harness::outside::Outside;
use testsmith_suite::case::Case;
use testsmith_suite::claims::Order;
use testsmith_suite::observed::Reached;
use testsmith_suite::world::{InWorld, WORLDS};
use testsmith_suite::{Exceptions, Heap, Runner, Suite, TimeLimits};

use super::Request;
use super::files::{Draft, Entry, Written};
use super::lints::settle;
use super::report;
use super::test_writer::TestWriter;
use super::watch::last_call;
use crate::build::{Builder, Built, CompilerMessage, Span};
use crate::copy::Lock;
use crate::failure::{Code, Failure};
use crate::report::progress::Progress;
use crate::stale::written_suite;
use crate::time_budget::TimeBudget;
use crate::{build_failure, test_sandbox, worlds};

/// Rounds after which what does not compile is a bug.
pub(super) const MOST_ROUNDS: usize = 12;

/// In each of these orders all tests have to pass, in a process of its own.
const ORDERS: [Order; 5] =
    [Order::SideBySide, Order::Single, Order::Shuffled(1), Order::Shuffled(2), Order::SideBySide];

/// Tests that were left out, by what was wrong with them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Dropped {
    /// The compiler rejects them.
    pub(crate) uncompilable: usize,
    /// They never pass.
    pub(crate) failing: usize,
    /// They pass sometimes.
    pub(crate) flaky: usize,
    /// They pass here, and not in another world: at another time, for another user, on another machine.
    pub(crate) unportable: usize,
    /// They pass only where debug assertions and overflow checks are on.
    pub(crate) debug_only: usize,
    /// They pass with some features only, and stand where that cannot be said.
    pub(crate) feature_only: usize,
    /// They reach outside of their process: by the name of the test, what it was about to do.
    pub(crate) reaching_outside: BTreeMap<String, BTreeSet<String>>,
    /// The callables that these tests are about.
    #[serde(skip)]
    pub(crate) callables_outside: BTreeMap<CallableId, BTreeSet<Reached>>,
    /// The callables that tests are about which do not pass in another world, with its name.
    #[serde(skip)]
    pub(crate) callables_elsewhere: BTreeMap<CallableId, &'static str>,
    /// They fail on none of the mutants that they claim.
    pub(crate) useless: usize,
    /// Kills that were claimed and did not show.
    pub(crate) unconfirmed_kills: usize,
    /// None of their kills was seen before the time was over, or the user asked to stop.
    pub(crate) unverified: usize,
    /// Kills that there was no time to see.
    pub(crate) untried_kills: usize,
    /// Tests that took the place of some of these.
    pub(crate) replaced: usize,
    /// What the compiler said of those that it rejected.
    pub(crate) errors: BTreeSet<String>,
}

/// Makes other tests for what some that could not be kept would have killed; the second list are those that are kept.
pub(crate) type Instead<'a> = dyn Fn(&[Case], &[Case]) -> Result<Vec<Written>, Failure> + 'a;

/// Where the tests are verified.
pub(crate) struct Verification<'a> {
    pub(crate) request: &'a Request<'a>,
    pub(crate) package: &'a Package,
    pub(crate) progress: &'a Progress,
    pub(crate) test_writer: &'a TestWriter<'a>,
    /// What callables may reach outside of the process.
    pub(crate) allowed: &'a BTreeMap<CallableId, BTreeSet<Outside>>,
    /// Whether no mutant can read or write memory that is not its own.
    pub(crate) is_harmless: bool,
    pub(crate) instead: &'a Instead<'a>,
    pub(crate) time_budget: TimeBudget,
    /// Whether nobody has built dev-dependencies: then they are built only if the tests name them.
    pub(crate) is_lean: Cell<bool>,
    /// What tests that are there already need of the system.
    pub(crate) exceptions: &'a Exceptions,
}

impl Verification<'_> {
    /// Leaves only tests that hold, each with the kills that were confirmed. If the user asks to stop, that is what was
    /// confirmed by then; with nothing confirmed it is a failure.
    pub(crate) fn verify(&self, draft: &mut Draft, plan: &Plan) -> Result<Dropped, Failure> {
        let mut dropped = Dropped::default();
        let before = cases(draft);
        self.hold(draft, &mut dropped)?;
        let (kept, lost): (Vec<_>, Vec<_>) = before.into_iter().partition(|(index, _)| draft.has(*index));
        let [kept, lost] =
            [kept, lost].map(|cases| cases.into_iter().map(|(_, case)| case).collect::<Vec<_>>());
        if !lost.is_empty() {
            self.progress.phase("making other tests for what was left out");
            let others = (self.instead)(&lost, &kept)?;
            if !others.is_empty() {
                draft.add(others);
                self.hold(draft, &mut dropped)?;
                dropped.replaced = draft.tests().count().saturating_sub(kept.len());
            }
        }
        if self.request.api_config.tables {
            self.tabulate(draft, &mut dropped)?;
        }
        if draft.is_empty() && draft.present().next().is_none() {
            return Ok(dropped);
        }
        self.progress.phase("running the tests on the mutants that they claim");
        self.confirm(draft, plan, &mut dropped)?;
        Ok(dropped)
    }

    /// Leaves only tests that compile, and pass again and again, in any order and in other worlds.
    fn hold(&self, draft: &mut Draft, dropped: &mut Dropped) -> Result<(), Failure> {
        self.progress.phase("compiling the tests");
        let suite = self.compiled(draft, dropped)?;
        self.progress.phase("watching each test from outside");
        let suite = self.stay_inside(draft, suite, dropped)?;
        self.progress.phase("running the tests again and again");
        let suite = self.steady(draft, suite, dropped)?;
        if draft.is_empty() {
            return Ok(());
        }
        self.progress.phase("running the tests in other worlds");
        self.hold_everywhere(draft, suite, dropped)?;
        self.progress.phase("compiling and running the tests as other builds would");
        self.hold_without_checks(draft, dropped)?;
        self.hold_with_features(draft, dropped)?;
        // What was put behind a `cfg` stands in other files now.
        self.compiled(draft, dropped).map(drop)
    }

    /// Makes tables of tests of one shape. A table that does not compile or pass falls apart again.
    fn tabulate(&self, draft: &mut Draft, dropped: &mut Dropped) -> Result<(), Failure> {
        if !draft.tabulate() {
            return Ok(());
        }
        self.progress.phase("making tables of tests that are alike");
        let suite = self.compiled(draft, dropped)?;
        let failing = self.failing(draft, &self.runner(&suite))?;
        if !failing.is_empty() {
            draft.untabulate(&failing);
            self.compiled(draft, dropped)?;
        }
        Ok(())
    }

    /// Compiles the tests in the plain copy, under the lints of the user. What the compiler rejects is told it with every type, and
    /// dropped if that does not help.
    pub(super) fn compiled(&self, draft: &mut Draft, dropped: &mut Dropped) -> Result<Suite, Failure> {
        let copy = self.request.builder.copies.plain();
        let mut keeps_lints_inside = true;
        for _ in 0..MOST_ROUNDS {
            if draft.is_empty() {
                return Ok(Suite { binaries: Vec::new(), tests: Vec::new(), ignored: 0 });
            }
            let mut builder = self.builder_of(draft);
            builder.keeps_lints.extend(self.subject().filter(|_| keeps_lints_inside));
            let built = self.build_with(&builder, &copy, draft)?;
            let settled = settle(draft, &built);
            if settled.is_changed {
                continue;
            }
            let blamed = built.errors.iter().chain(&built.warnings);
            let blamed = blamed.map(|message| (draft.blamed(&places(message)), message));
            let blamed: Vec<(BTreeSet<Entry>, &CompilerMessage)> = blamed
                .filter(|(guilty, message)| message.lint().is_none() || !settled.guilty.is_disjoint(guilty))
                .collect();
            let guilty: BTreeSet<Entry> = blamed.iter().flat_map(|(guilty, _)| guilty).copied().collect();
            if guilty.is_empty() && built.success {
                return self.suite(&built, &copy, draft);
            }
            if guilty.is_empty() && self.is_lean.replace(false) {
                // The library may be another one without the features that dev-dependencies turn on.
                self.request.builder.copies.update_plain(&self.request.options.workspace)?;
                continue;
            }
            if guilty.is_empty() {
                // The crate's own tests need not keep its lints.
                let is_of_lints = built.errors.iter().all(|error| error.lint().is_some());
                if keeps_lints_inside && is_of_lints && !built.errors.is_empty() && self.subject().is_some() {
                    keeps_lints_inside = false;
                    continue;
                }
                return Err(self.nobody_to_blame(draft, &built));
            }
            let mut lines: BTreeMap<Entry, BTreeSet<String>> = BTreeMap::new();
            for (guilty, message) in &blamed {
                let shown = draft.lines_at(&places(message));
                guilty
                    .iter()
                    .for_each(|entry| lines.entry(*entry).or_default().extend(shown.iter().cloned()));
            }
            let removed = draft.respell_or_remove(&guilty, |entry, written| {
                self.test_writer.explicit(written, lines.get(&entry).unwrap_or(&BTreeSet::new()))
            });
            let last_words = blamed.iter().filter(|(guilty, _)| !guilty.is_disjoint(&removed));
            dropped.errors.extend(last_words.map(|(_, error)| error.in_short()));
            dropped.uncompilable += removed.len();
        }
        Err(Failure::bug(format!("the written tests did not compile in {MOST_ROUNDS} rounds")))
    }

    /// Why tests do not compile of which none that is new is to blame.
    fn nobody_to_blame(&self, draft: &Draft, built: &Built) -> Failure {
        if let Some(full) = self.request.builder.copies.full_disk(&built.words()) {
            return full;
        }
        if let Some(failure) = build_failure::explained(&built.words()) {
            return failure;
        }
        let words = indented(&built.words());
        if built.errors.iter().any(|error| error.lint().is_some()) {
            return Failure::new(
                Code::Baseline,
                format!(
                    "the lints of {} let no written test compile\n{words}\n  \
                     say in the manifest or the sources that tests need not keep them, `deny` rather than `forbid`; then run this again",
                    self.package.name
                ),
            );
        }
        match draft.is_addition() {
            true => Failure::new(
                Code::Baseline,
                format!(
                    "the tests that are there do not compile\n{words}\n  mend or remove them; then run this again"
                ),
            ),
            false => Failure::bug(format!("the written tests do not compile, and none is to blame\n{words}")),
        }
    }

    /// Runs the tests in different orders; what does not pass every time is dropped.
    fn steady(&self, draft: &mut Draft, mut suite: Suite, dropped: &mut Dropped) -> Result<Suite, Failure> {
        loop {
            let mut passes: BTreeMap<String, usize> = BTreeMap::new();
            let mut silent: BTreeSet<usize> = BTreeSet::new();
            for order in ORDERS {
                let results = self.runner(&suite).once(order)?;
                if testsmith_proc::interrupt::requested() {
                    return Err(Failure::interrupted());
                }
                let is_missing =
                    |index: &usize| draft.path(*index).is_some_and(|it| !results.contains_key(&it));
                silent.extend(draft.tests().map(|(index, _)| index).filter(is_missing));
                results
                    .into_iter()
                    .filter(|(_, ok)| *ok)
                    .for_each(|(name, _)| *passes.entry(name).or_default() += 1);
            }
            let deadly = self.deadly(draft, &suite, &silent)?;
            if testsmith_proc::interrupt::requested() {
                return Err(Failure::interrupted());
            }
            if !deadly.is_empty() {
                dropped.failing += deadly.len();
                draft.remove(&deadly.into_iter().map(Entry::Test).collect());
                suite = self.compiled(draft, dropped)?;
                continue;
            }
            let passed =
                |index: usize| draft.path(index).and_then(|path| passes.get(&path).copied()).unwrap_or(0);
            let indices = || draft.tests().map(|(index, _)| index);
            let guilty: BTreeSet<usize> = indices().filter(|index| passed(*index) < ORDERS.len()).collect();
            if guilty.is_empty() {
                return Ok(suite);
            }
            let never = indices().filter(|index| passed(*index) == 0).count();
            dropped.failing += never;
            dropped.flaky += guilty.len() - never;
            draft.remove(&guilty.into_iter().map(Entry::Test).collect());
            suite = self.compiled(draft, dropped)?;
        }
    }

    /// Leaves only tests that also pass in other worlds.
    fn hold_everywhere(&self, draft: &mut Draft, suite: Suite, dropped: &mut Dropped) -> Result<(), Failure> {
        let mut failed = BTreeSet::new();
        let library = worlds::library(self.request.builder);
        for world in WORLDS {
            let in_world = Some(InWorld { world: *world, library: library.clone() });
            let runner = Runner { world: in_world, ..self.runner(&suite) };
            for index in self.failing(draft, &runner)? {
                let callable = draft.written(Entry::Test(index)).and_then(last_call);
                dropped.callables_elsewhere.extend(callable.map(|callable| (callable, world.name)));
                failed.insert(index);
            }
        }
        dropped.unportable += failed.len();
        draft.remove(&failed.into_iter().map(Entry::Test).collect());
        Ok(())
    }

    /// Tests that do not pass.
    pub(super) fn failing(&self, draft: &Draft, runner: &Runner<'_>) -> Result<BTreeSet<usize>, Failure> {
        let results = runner.once(Order::SideBySide)?;
        if testsmith_proc::interrupt::requested() {
            return Err(Failure::interrupted());
        }
        let has_passed =
            |index: usize| draft.path(index).is_some_and(|path| results.get(&path) == Some(&true));
        Ok(draft.tests().map(|(index, _)| index).filter(|index| !has_passed(*index)).collect())
    }

    /// Of tests that had no result, because somebody took the process along, those that fail alone.
    fn deadly(&self, draft: &Draft, suite: &Suite, silent: &BTreeSet<usize>) -> Result<Vec<usize>, Failure> {
        let runner = self.runner(suite);
        let mut deadly = Vec::new();
        for index in silent {
            let path = draft.path(*index);
            let test = suite.tests.iter().position(|test| Some(&test.name) == path.as_ref());
            if let Some(test) = test
                && !runner.alone(test)?
            {
                deadly.push(*index);
            }
        }
        Ok(deadly)
    }

    /// Runs every test on the mutants that it claims; a claim that does not hold, or was not tried, is withdrawn.
    fn confirm(&self, draft: &mut Draft, plan: &Plan, dropped: &mut Dropped) -> Result<(), Failure> {
        let copy = self.request.builder.copies.meta();
        if self.package.is_program() {
            self.request.builder.copies.close_meta(&self.request.options.workspace)?;
        }
        let built = self.build_with(self.request.builder, &copy, draft)?;
        if !built.success {
            return Err(Failure::bug(format!(
                "the tests compile with the crate, and not with its copy\n{}",
                built.words()
            )));
        }
        let suite = self.suite(&built, &copy, draft)?;
        let mut claims = Vec::new();
        let mut claimants = Vec::new();
        let new = draft.tests().filter_map(|(index, it)| Some((index, draft.path(index)?, &it.case)));
        let present = draft.present().map(|(index, path, case)| (index, path.to_owned(), case));
        for (index, path, case) in new.chain(present) {
            let Some(test) = suite.tests.iter().position(|test| test.name == path) else { continue };
            for mutant in &case.kills {
                claims.push((test, *mutant));
                claimants.push((index, *mutant));
            }
        }
        let deadline = self.time_budget.claims();
        let (order, early) = best_first(&claims);
        let in_order: Vec<(usize, u32)> = order.iter().map(|at| claims[*at]).collect();
        // Every test gets its chance, however little time there is.
        let mut found = self.holding(&suite, &in_order[..early], None)?;
        found.extend(self.holding(&suite, &in_order[early..], deadline)?);
        let mut holds = vec![None; claims.len()];
        order.iter().zip(found).for_each(|(at, found)| holds[*at] = found);
        let these = |wanted: Option<bool>| {
            let all = claimants.iter().zip(&holds).filter(move |(_, holds)| **holds == wanted);
            all.map(|(claim, _)| *claim).collect::<BTreeSet<(usize, u32)>>()
        };
        let (mut confirmed, refuted, untried) = (these(Some(true)), these(Some(false)), these(None));
        if confirmed.is_empty() && !untried.is_empty() {
            return Err(Failure::interrupted());
        }
        let lost: Vec<u32> = refuted.iter().map(|(_, mutant)| *mutant).collect();
        let rescued = self.rescued(draft, &suite, &lost, deadline)?;
        dropped.unconfirmed_kills += refuted.len() - rescued.len();
        draft.add_kills(&rescued);
        confirmed.extend(rescued);
        let removed = draft.keep_kills(&confirmed, |case| report::kills(plan, case));
        let seen: BTreeSet<u32> = confirmed.iter().map(|(_, mutant)| *mutant).collect();
        let unseen: BTreeSet<u32> = untried.iter().map(|(_, mutant)| *mutant).collect();
        dropped.untried_kills += unseen.difference(&seen).count();
        let is_untried = |test: &&usize| untried.iter().any(|(index, _)| index == *test);
        dropped.unverified += removed.iter().filter(is_untried).count();
        dropped.useless += removed.len() - dropped.unverified;
        Ok(())
    }

    /// A mutant is named by one test, and others may kill it as well: those that do, of mutants that theirs does not kill.
    fn rescued(
        &self,
        draft: &Draft,
        suite: &Suite,
        lost: &[u32],
        deadline: Option<Instant>,
    ) -> Result<Vec<(usize, u32)>, Failure> {
        let killers = self.until(suite, deadline).killers(lost)?;
        let index =
            |path: &String| draft.tests().map(|it| it.0).find(|it| draft.path(*it).as_ref() == Some(path));
        let claims: Vec<_> =
            lost.iter().zip(killers).filter_map(|(mutant, test)| Some((test?, *mutant))).collect();
        let holds = self.holding(suite, &claims, deadline)?;
        let confirmed = claims.into_iter().zip(holds).filter(|(_, holds)| *holds == Some(true));
        let pair = |(test, mutant): (usize, u32)| Some((index(&suite.tests[test].name)?, mutant));
        Ok(confirmed.filter_map(|(claim, _)| pair(claim)).collect())
    }

    /// Whether claims hold; of a mutant that may read what is not its own, whatever the heap is like.
    fn holding(
        &self,
        suite: &Suite,
        claims: &[(usize, u32)],
        deadline: Option<Instant>,
    ) -> Result<Vec<Option<bool>>, Failure> {
        let heaps: &[Heap] = if self.is_harmless { &[Heap::Usual] } else { &[Heap::Usual, Heap::Shaken] };
        Ok(self.until(suite, deadline).claims(claims, heaps)?)
    }

    /// What builds the tests as the user would, under the lints of the crate.
    pub(super) fn builder_of(&self, draft: &Draft) -> Builder {
        let builder = self.request.builder.clone();
        Builder { keeps_lints: vec![draft.target().replace('-', "_")], ..builder }
    }

    /// The library or the program as the compiler calls it.
    fn subject(&self) -> Option<String> {
        self.package.subject().map(Target::crate_name)
    }

    pub(super) fn build_with(&self, builder: &Builder, copy: &Path, draft: &Draft) -> Result<Built, Failure> {
        let is_lean = self.is_lean.get() && draft.test_module_texts().is_empty();
        let lock = Lock::keep(copy)?;
        builder.copies.write_test(copy, self.package, draft.target(), draft.files(), is_lean)?;
        draft.test_modules().furnish(&builder.copies, copy, draft.test_module_texts())?;
        let subject = self.package.subject().map(Target::option);
        let mut which: Vec<&str> = Vec::new();
        if !draft.files().is_empty() {
            which.extend(["--test", draft.target()]);
        }
        if !draft.test_module_texts().is_empty() {
            which.extend(subject.iter().chain(&draft.test_modules().sharing).map(String::as_str));
        }
        let built = builder.build_test(copy, self.package, &which)?;
        lock.put_back()?;
        Ok(built)
    }

    pub(super) fn suite(&self, built: &Built, copy: &Path, draft: &Draft) -> Result<Suite, Failure> {
        let Request { builder, run, .. } = self.request;
        written_suite(builder, run, self.package, draft.target(), built, copy)
    }

    /// A runner that stops at a time.
    fn until<'s>(&self, suite: &'s Suite, deadline: Option<Instant>) -> Runner<'s> {
        let runner = self.runner(suite);
        Runner { time: TimeLimits { until: deadline, ..runner.time }, ..runner }
    }

    pub(super) fn runner<'s>(&self, suite: &'s Suite) -> Runner<'s> {
        let Request { builder, run, .. } = self.request;
        Runner {
            suite,
            scratch: builder.copies.home.join("scratch"),
            temp: builder.temp.clone(),
            sandbox: test_sandbox::of_copy(&builder.copies.plain(), run.sandbox, self.exceptions),
            skip: Vec::new(),
            time: run.time,
            memory: run.memory,
            jobs: run.jobs,
            heap: Heap::Usual,
            world: None,
        }
    }
}

/// The order in which claims are tried, and how many of them come first: one of each test. Then come those of tests with many.
fn best_first(claims: &[(usize, u32)]) -> (Vec<usize>, usize) {
    let mut count: BTreeMap<usize, usize> = BTreeMap::new();
    let nth: Vec<usize> = claims
        .iter()
        .map(|(test, _)| {
            let count = count.entry(*test).or_default();
            *count += 1;
            *count
        })
        .collect();
    let mut order: Vec<usize> = (0..claims.len()).collect();
    order.sort_by_key(|at| (nth[*at] > 1, std::cmp::Reverse(count[&claims[*at].0]), *at));
    (order, count.len())
}

/// The cases of new tests, by their number.
fn cases(draft: &Draft) -> Vec<(usize, Case)> {
    draft.tests().map(|(index, written)| (index, written.case.clone())).collect()
}

/// All that an error points to, also through macros.
pub(super) fn places(error: &CompilerMessage) -> Vec<&Span> {
    let mut places = Vec::new();
    for span in &error.spans {
        let mut next = Some(span);
        while let Some(span) = next {
            places.push(span);
            next = span.expansion.as_ref().map(|expansion| &expansion.span);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_gets_a_chance_before_one_gets_a_second() {
        let claims = [(7, 1), (8, 2), (8, 3), (9, 4), (8, 5), (9, 6)];
        let (order, early) = best_first(&claims);
        assert_eq!(early, 3);
        let in_order: Vec<(usize, u32)> = order.iter().map(|at| claims[*at]).collect();
        assert_eq!(in_order, [(8, 2), (9, 4), (7, 1), (8, 3), (8, 5), (9, 6)]);
        assert_eq!(best_first(&[]), (Vec::new(), 0));
    }
}
