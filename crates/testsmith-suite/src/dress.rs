//! Assertions for tests that kill by how they end alone: a reader wants to see what the last call has done.

use testsmith_exec::Failure;
use testsmith_ir::{Api, Arg, CallableId, Mode, Program, Slot, Statement};
use testsmith_rt::harness::wire::Bitmap;

use crate::case::{Case, Check, Ending};
use crate::lab::{Lab, Target};
use crate::oracle::{AssertionPolicy, Evidence, Rank};

/// Gives cases that kill by how they end alone, and whose assertions are beside the point, on texts, or hide the value, a call of an
/// inspector and an assertion on its result.
pub fn dress(
    lab: &Lab<'_>,
    policy: &dyn AssertionPolicy,
    inspectors: &[CallableId],
    cases: Vec<Case>,
) -> Result<Vec<Case>, Failure> {
    let mut asked: Vec<(Program, Target)> = Vec::new();
    let mut of_case: Vec<usize> = Vec::new();
    for (at, case) in cases.iter().enumerate().filter(|(_, case)| is_poor(case, policy)) {
        for program in with_inspector(lab, &case.program, inspectors) {
            asked.push((program, Target::Listed(case.kills.clone())));
            of_case.push(at);
        }
    }
    let looks = lab.look(&asked, &Bitmap::default())?;
    let mut better: Vec<Option<Case>> = vec![None; cases.len()];
    for ((at, (program, _)), look) in of_case.into_iter().zip(asked).zip(looks) {
        let Some(evidence) = look.and_then(|look| Evidence::of(&program, &look, policy)) else { continue };
        let case = &cases[at];
        let last = Slot::at(program.size() - 1);
        let shown = evidence.candidates.iter().find(|it| it.check.slot == last && it.rank <= Rank::Message);
        let still_kills = case.kills.iter().all(|mutant| evidence.by_end.contains(mutant));
        if let Some(shown) = shown.filter(|_| still_kills && better[at].is_none()) {
            let checks = vec![shown.check.clone()];
            better[at] = Some(Case::new(program, Ending::Returns, checks, case.kills.clone()));
        }
    }
    Ok(cases.into_iter().zip(better).map(|(case, better)| better.unwrap_or(case)).collect())
}

/// Whether a reader would like to see something else asserted.
fn is_poor(case: &Case, policy: &dyn AssertionPolicy) -> bool {
    let is_printed = |check: &Check| {
        let is_message = policy.is_message(&case.program, check);
        policy.is_printed(&case.program, check) && !check.is_flag() && !is_message
    };
    let says_little = |check: &Check| is_printed(check) || check.is_hidden();
    is_beside_the_point(case) || !case.checks.is_empty() && case.checks.iter().all(says_little)
}

/// Whether no assertion is about what the last call gave or changed.
pub(crate) fn is_beside_the_point(case: &Case) -> bool {
    let Some(last) = case.program.statements.last() else { return false };
    let end = Slot::at(case.program.size() - 1);
    let is_about = |check: &Check| {
        let is_later = check.after.is_none_or(|after| after == end);
        let is_changed = |arg: &Arg| arg.slot == check.slot && arg.mode == Mode::Exclusive;
        check.slot == end || is_later && last.args().iter().any(is_changed)
    };
    case.ending == Ending::Returns && last.callable().is_some() && !case.checks.iter().any(is_about)
}

/// With a look at what the last call gave, and at each slot that it was given.
fn with_inspector(lab: &Lab<'_>, program: &Program, inspectors: &[CallableId]) -> Vec<Program> {
    let given = program.statements.last().map(Statement::args).unwrap_or_default();
    let is_made = |arg: &&Arg| program[arg.slot].callable().is_some();
    let lent = given.iter().filter(|arg| matches!(arg.mode, Mode::Exclusive | Mode::Shared)).filter(is_made);
    let end = Slot::at(program.size().saturating_sub(1));
    let slots = [end].into_iter().chain(lent.map(|arg| arg.slot));
    let looks = slots.flat_map(|slot| inspect(lab.api, program, slot, inspectors));
    // What was looked at is still there.
    let keeps = |program: &Program| {
        program.statements.last().is_some_and(|look| look.args().iter().all(|arg| arg.mode != Mode::Move))
    };
    // A test is not moved into the crate for it.
    let visibility = lab.api.visibility(program);
    looks.filter(keeps).filter(|longer| lab.api.visibility(longer) == visibility).collect()
}

/// A program with a call of each inspector that takes what is in a slot.
pub(crate) fn inspect(api: &Api, program: &Program, slot: Slot, inspectors: &[CallableId]) -> Vec<Program> {
    let ty = match &program[slot] {
        Statement::Literal { ty, .. } => *ty,
        Statement::Call { callable, .. } => api[*callable].output,
        Statement::Drop(_) => return Vec::new(),
    };
    let look = |id: &CallableId| {
        let [param] = api[*id].params.as_slice() else { return None };
        let fit = api.fit(param.accepts, ty)?;
        let mut longer = program.clone();
        longer.push(Statement::Call { callable: *id, args: vec![Arg { slot, mode: fit.mode }] });
        Some(longer)
    };
    inspectors.iter().filter_map(look).collect()
}
