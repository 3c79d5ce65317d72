//! From programs that expose mutants to test cases: shorter programs, all that they prove, the fewest that prove it all, and
//! those made simpler.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_exec::Failure;
use testsmith_ir::{CallableId, Program};
use testsmith_rt::harness::wire::{Aspect, Bitmap};
use testsmith_search::nondeterminism::Nondeterminism;
use testsmith_suite::case::Case;
use testsmith_suite::cover::{Proof, cover, shown_by_text_alone};
use testsmith_suite::dress::dress;
use testsmith_suite::lab::{Lab, ProgramObservation, Target};
use testsmith_suite::oracle::{AssertionPolicy, Evidence};
use testsmith_suite::purpose::purposeful;
use testsmith_suite::reduce::{self, Exposure};

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
            if learned.count() == 0 || lessons == LESSONS {
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
        let mut cases = reduce::cases(self.lab, self.policy, self.inspectors, cases)?;
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

    /// What programs prove about some mutants, of which some are known to take their process along, or to take too long.
    fn proofs(
        &self,
        programs: BTreeSet<Program>,
        about: &BTreeSet<u32>,
        slow: &BTreeSet<u32>,
    ) -> Result<Vec<Proof>, Failure> {
        let asked: Vec<(Program, Target)> =
            programs.into_iter().map(|program| (program, Target::Infected)).collect();
        let skip: Bitmap = (1..=self.mutants).filter(|mutant| !about.contains(mutant)).collect();
        let looks = self.lab.look(&asked, &skip)?;
        let proof = |((program, _), look): ((Program, Target), Option<ProgramObservation>)| {
            let look = look?.trusting(|mutant| slow.contains(&mutant));
            let evidence = Evidence::of(&program, &look, self.policy)?;
            Some(Proof { program, evidence })
        };
        Ok(asked.into_iter().zip(looks).filter_map(proof).collect())
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
        let showing = proofs.iter().filter(shows).map(program).collect();
        let known: BTreeSet<Program> = proofs.iter().map(program).collect();
        let mut others = reduce::varied(&showing, &known, self.strings);
        others.retain(|other| !known.contains(other));
        let useful = cover(&self.proofs(others, &printed, slow)?);
        self.proofs(useful.into_iter().map(|case| case.program).collect(), about, slow)
    }

    /// Adds mutants to the cases that kill them as they are; what no case kills is left.
    fn also_kill(
        &self,
        cases: &mut [Case],
        mut left: BTreeSet<u32>,
        slow: &BTreeSet<u32>,
    ) -> Result<BTreeSet<u32>, Failure> {
        let programs = cases.iter().map(|case| case.program.clone()).collect();
        let proofs = self.proofs(programs, &left, slow)?;
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

fn programs(exposures: &[Exposure]) -> BTreeSet<Program> {
    exposures.iter().map(|exposure| exposure.program.clone()).collect()
}

fn numbers(exposures: &[Exposure]) -> BTreeSet<u32> {
    exposures.iter().map(|exposure| exposure.mutant).collect()
}
