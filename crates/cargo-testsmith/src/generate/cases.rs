//! From programs that expose mutants to test cases: shorter programs, all that they prove, the fewest that prove it all, and
//! those made simpler.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use testsmith_exec::Failure;
use testsmith_ir::{CallableId, Program, Statement};
use testsmith_rt::harness::wire::{Aspect, Bitmap};
use testsmith_search::nondeterminism::Nondeterminism;
use testsmith_suite::case::Case;
use testsmith_suite::cover::{Proof, cover, shown_by_text_alone};
use testsmith_suite::dress::dress;
use testsmith_suite::lab::{Lab, ProgramObservation, Target};
use testsmith_suite::oracle::{AssertionPolicy, Evidence};
use testsmith_suite::purpose::purposeful;
use testsmith_suite::reduce::{self, Examples, Exposure};

use super::report::killed;

/// What cases are made with.
#[derive(Clone, Copy)]
pub(crate) struct CaseBuild<'a> {
    pub(crate) lab: &'a Lab<'a>,
    pub(crate) policy: &'a dyn AssertionPolicy,
    /// Pure callables with one parameter.
    pub(crate) inspectors: &'a [CallableId],
    /// Texts that the crate mentions.
    pub(crate) strings: &'a [String],
    /// Mutants to kill.
    pub(crate) goals: &'a BTreeSet<u32>,
    /// Mutants are numbered up to this.
    pub(crate) mutants: u32,
}

/// Programs, and the mutants that each was made for.
type Programs = BTreeMap<Program, Vec<u32>>;

/// Programs that are run before anybody looks at the clock again.
const AT_A_TIME: usize = 256;

/// So often what is not the same every time is learned, and cases are made without it.
const LESSONS: usize = 3;

/// Ways of looking at a program that prove nothing; `None` if nothing of it proves anything.
pub(crate) fn unseen(nondeterminism: &Nondeterminism, program: &Program) -> Option<Vec<(u16, Aspect)>> {
    (!nondeterminism.may_end_otherwise(program)).then(|| nondeterminism.unseen(program))
}

impl CaseBuild<'_> {
    /// The cases for what was found that do the same every time, and how many do not. Two runs have not shown all that
    /// differs from run to run: what a thousand show is not looked at in the cases that are made instead.
    pub(crate) fn steady_cases(
        &self,
        mut found: BTreeMap<u32, Program>,
        mut nondeterminism: Nondeterminism,
    ) -> Result<(Vec<Case>, usize), Failure> {
        let mut all: Vec<Case> = Vec::new();
        let mut lessons = 0;
        loop {
            let dead = killed(&all);
            let goals = self.goals.difference(&dead).copied().collect();
            found.retain(|mutant, _| !dead.contains(mutant));
            let unseen = |program: &Program| unseen(&nondeterminism, program);
            let lab = Lab { unseen: &unseen, limits: self.lab.limits.clone(), ..*self.lab };
            let made = CaseBuild { lab: &lab, goals: &goals, ..*self }.cases(&found)?;
            let (steady, shaky) = parted(&lab, made)?;
            all.extend(steady);
            let programs: Vec<Program> = shaky.iter().map(|case| case.program.clone()).collect();
            let shifts = lab.shifts(&programs)?;
            let learned =
                programs.iter().zip(&shifts).filter(|(program, shift)| nondeterminism.learn(program, shift));
            if learned.count() == 0 || lessons == LESSONS || self.lab.is_late() {
                return Ok((all, shaky.len()));
            }
            let lost = killed(&shaky);
            found.retain(|mutant, _| lost.contains(mutant));
            lessons += 1;
        }
    }

    /// The cases for what was found. Mutants that take their process along come last, because every run of them is slow:
    /// the tests for the others kill most of them.
    pub(crate) fn cases(&self, found: &BTreeMap<u32, Program>) -> Result<Vec<Case>, Failure> {
        let exposures = reduce::exposures(self.lab, self.policy, self.inspectors, found)?;
        let (costly, cheap): (Vec<Exposure>, Vec<Exposure>) =
            exposures.into_iter().partition(|it| it.is_costly);
        let slow = numbers(&costly);
        let mut proofs = self.proofs(programs(&cheap), &numbers(&cheap), &slow)?;
        proofs.extend(self.varied(&proofs, &numbers(&cheap), &slow)?);
        let cases = cover(&proofs);
        let examples = Examples::new(self.strings);
        let mut cases = reduce::cases(self.lab, self.policy, self.inspectors, &examples, cases)?;
        // Smaller programs may also kill what the search has overlooked.
        let left = self.goals.difference(&killed(&cases)).copied().collect();
        let left = self.also_kill(&mut cases, left, &slow)?;
        let costly: Vec<Exposure> = costly.into_iter().filter(|it| left.contains(&it.mutant)).collect();
        cases.extend(cover(&self.proofs(programs(&costly), &left, &slow)?));
        if let Some(lab) = self.lab.careful() {
            let careful = CaseBuild { lab: &lab, ..*self };
            let lost = careful.recheck(&mut cases, &slow)?;
            cases.retain(|case| !case.kills.is_empty());
            cases.extend(careful.only(found, &lost)?);
        }
        let cases = dress(self.lab, self.policy, self.inspectors, cases)?;
        purposeful(self.lab, self.policy, cases, |mutant| slow.contains(&mutant))
    }

    /// Cases for what tests would have killed that could not be kept: without their programs, and without what only they call. What
    /// the search has found for other mutants may do as well.
    pub(crate) fn instead(
        &self,
        found: BTreeMap<u32, Program>,
        dropped: &[Case],
        kept: &[Case],
        nondeterminism: Nondeterminism,
    ) -> Result<Vec<Case>, Failure> {
        let lost: BTreeSet<u32> = killed(dropped).difference(&killed(kept)).copied().collect();
        let suspects = suspects(dropped, kept);
        let is_good = |program: &Program| {
            let calls_suspects = calls(program).any(|callable| suspects.contains(&callable));
            !calls_suspects && dropped.iter().all(|case| case.program != *program)
        };
        let shown = kept.iter().map(|case| case.program.clone());
        let own = |program: Program| (program, lost.iter().copied().collect::<Vec<u32>>());
        let programs = found.into_values().chain(shown).filter(is_good).map(own).collect();
        let proofs = self.proofs(programs, &lost, &BTreeSet::new())?;
        let killer = |mutant: &u32| {
            let killing = proofs.iter().filter(|proof| proof.kills(true).contains(mutant));
            let smallest = killing.min_by_key(|proof| proof.program.size())?;
            Some((*mutant, smallest.program.clone()))
        };
        let again = lost.iter().filter_map(killer).collect();
        let (mut cases, _) = CaseBuild { goals: &lost, ..*self }.steady_cases(again, nondeterminism)?;
        cases.retain(|case| is_good(&case.program));
        Ok(cases)
    }

    /// Looks again at what cases kill, but for what is slow to see; what they do not kill after all.
    fn recheck(&self, cases: &mut [Case], slow: &BTreeSet<u32>) -> Result<BTreeSet<u32>, Failure> {
        let asked: Vec<(Program, Target)> = cases
            .iter()
            .map(|case| {
                let quick = case.kills.iter().copied().filter(|mutant| !slow.contains(mutant)).collect();
                (case.program.clone(), Target::Listed(quick))
            })
            .collect();
        let looks = self.lab.look(&asked, &Bitmap::default())?;
        let mut lost = BTreeSet::new();
        for ((case, (program, _)), look) in cases.iter_mut().zip(asked).zip(looks) {
            let evidence = look.and_then(|look| Evidence::of(&program, &look, self.policy));
            let killed = evidence.map(|evidence| Proof { program, evidence }.killed_by(&case.checks));
            let is_killed = |mutant: &u32| killed.as_ref().is_some_and(|killed| killed.contains(mutant));
            let is_sure = |mutant: &u32| slow.contains(mutant) || is_killed(mutant);
            let (sure, others): (Vec<u32>, Vec<u32>) = case.kills.iter().partition(|mutant| is_sure(mutant));
            case.kills = sure;
            lost.extend(others);
        }
        Ok(lost)
    }

    /// The cases for some of what was found.
    fn only(&self, found: &BTreeMap<u32, Program>, mutants: &BTreeSet<u32>) -> Result<Vec<Case>, Failure> {
        let found: BTreeMap<u32, Program> = found
            .iter()
            .filter(|(mutant, _)| mutants.contains(mutant))
            .map(|(mutant, program)| (*mutant, program.clone()))
            .collect();
        let exposures = reduce::exposures(self.lab, self.policy, self.inspectors, &found)?;
        let slow = exposures.iter().filter(|it| it.is_costly).map(|it| it.mutant).collect();
        Ok(cover(&self.proofs(programs(&exposures), mutants, &slow)?))
    }

    /// What programs prove about some mutants, of which some are known to take their process along, or to take too long. When there
    /// is no time left, a program proves what it was made for.
    fn proofs(
        &self,
        programs: Programs,
        about: &BTreeSet<u32>,
        slow: &BTreeSet<u32>,
    ) -> Result<Vec<Proof>, Failure> {
        let skip: Bitmap = (1..=self.mutants).filter(|mutant| !about.contains(mutant)).collect();
        let until = self.lab.half_time();
        let is_late = || until.is_some_and(|until| Instant::now() >= until);
        let programs: Vec<(Program, Vec<u32>)> = programs.into_iter().collect();
        let at_a_time = if until.is_some() { AT_A_TIME } else { programs.len().max(1) };
        let mut proofs = Vec::new();
        for some in programs.chunks(at_a_time) {
            let target =
                |own: &Vec<u32>| if is_late() { Target::Listed(own.clone()) } else { Target::Infected };
            let asked: Vec<(Program, Target)> =
                some.iter().map(|(program, own)| (program.clone(), target(own))).collect();
            let looks = self.lab.look(&asked, &skip)?;
            let proof = |((program, _), look): ((Program, Target), Option<ProgramObservation>)| {
                let look = look?.trusting(|mutant| slow.contains(&mutant));
                let evidence = Evidence::of(&program, &look, self.policy)?;
                Some(Proof { program, evidence })
            };
            proofs.extend(asked.into_iter().zip(looks).filter_map(proof));
        }
        Ok(proofs)
    }

    /// Other programs for mutants that nothing but texts kills: with other values they may show by more than that, or several
    /// by one text.
    fn varied(
        &self,
        proofs: &[Proof],
        about: &BTreeSet<u32>,
        slow: &BTreeSet<u32>,
    ) -> Result<Vec<Proof>, Failure> {
        let printed = shown_by_text_alone(proofs);
        let shows = |proof: &&Proof| proof.kills(true).iter().any(|mutant| printed.contains(mutant));
        let program = |proof: &Proof| proof.program.clone();
        if self.lab.is_late() {
            return Ok(Vec::new());
        }
        let showing = proofs.iter().filter(shows).map(program).collect();
        let known: BTreeSet<Program> = proofs.iter().map(program).collect();
        let mut others = reduce::varied(&showing, &known, self.strings);
        others.retain(|other| !known.contains(other));
        let useful = cover(&self.proofs(for_nothing(others), &printed, slow)?);
        let own = |case: Case| (case.program, case.kills);
        self.proofs(useful.into_iter().map(own).collect(), about, slow)
    }

    /// Adds mutants to the cases that kill them as they are; what no case kills is left.
    fn also_kill(
        &self,
        cases: &mut [Case],
        mut left: BTreeSet<u32>,
        slow: &BTreeSet<u32>,
    ) -> Result<BTreeSet<u32>, Failure> {
        let programs = cases.iter().map(|case| case.program.clone());
        let proofs = self.proofs(for_nothing(programs), &left, slow)?;
        for case in cases {
            let Some(proof) = proofs.iter().find(|proof| proof.program == case.program) else { continue };
            let killed: Vec<u32> =
                proof.killed_by(&case.checks).into_iter().filter(|mutant| left.remove(mutant)).collect();
            case.kills.extend(killed);
        }
        Ok(left)
    }
}

/// Cases that do the same every time, and others.
fn parted(lab: &Lab<'_>, cases: Vec<Case>) -> Result<(Vec<Case>, Vec<Case>), Failure> {
    let programs: Vec<Program> = cases.iter().map(|case| case.program.clone()).collect();
    let is_steady = lab.steady(&programs)?;
    let (steady, shaky): (Vec<_>, Vec<_>) = cases.into_iter().zip(is_steady).partition(|(_, steady)| *steady);
    let cases = |parted: Vec<(Case, bool)>| parted.into_iter().map(|(case, _)| case).collect();
    Ok((cases(steady), cases(shaky)))
}

/// What only programs call whose tests could not be kept.
fn suspects(dropped: &[Case], kept: &[Case]) -> BTreeSet<CallableId> {
    let all = |cases: &[Case]| -> BTreeSet<CallableId> {
        cases.iter().flat_map(|case| calls(&case.program).collect::<Vec<_>>()).collect()
    };
    all(dropped).difference(&all(kept)).copied().collect()
}

fn calls(program: &Program) -> impl Iterator<Item = CallableId> {
    program.statements.iter().filter_map(Statement::callable)
}

fn programs(exposures: &[Exposure]) -> Programs {
    let mut programs = Programs::new();
    for exposure in exposures {
        programs.entry(exposure.program.clone()).or_default().push(exposure.mutant);
    }
    programs
}

/// Programs of which nobody needs to know more where there is no time.
fn for_nothing(programs: impl IntoIterator<Item = Program>) -> Programs {
    programs.into_iter().map(|program| (program, Vec::new())).collect()
}

fn numbers(exposures: &[Exposure]) -> BTreeSet<u32> {
    exposures.iter().map(|exposure| exposure.mutant).collect()
}

#[cfg(test)]
mod tests {
    use testsmith_ir::Statement;
    use testsmith_suite::case::Ending;

    use super::*;

    #[test]
    fn what_only_dropped_tests_call_is_suspect() {
        let case = |callables: &[u32]| {
            let mut program = Program::default();
            for number in callables {
                program.push(Statement::Call { callable: CallableId(*number), args: Vec::new() });
            }
            Case::new(program, Ending::Returns, Vec::new(), Vec::new())
        };
        let check = |dropped: &[&[u32]], kept: &[&[u32]], expected: &[u32]| {
            let cases = |all: &[&[u32]]| all.iter().map(|one| case(one)).collect::<Vec<Case>>();
            let found = suspects(&cases(dropped), &cases(kept));
            assert_eq!(found, expected.iter().map(|number| CallableId(*number)).collect());
        };
        check(&[&[1, 2], &[1, 3]], &[&[1], &[3]], &[2]);
        check(&[&[1]], &[&[1, 2]], &[]);
        check(&[&[1, 2]], &[], &[1, 2]);
    }
}
