//! Runs programs that are the same once, on all mutants that somebody wants to see them on: many mutants are found by one program, and
//! are proposed the same shorter ones.

use std::collections::{BTreeSet, HashMap};

use testsmith_exec::Failure;
use testsmith_ir::Program;
use testsmith_rt::harness::wire::Bitmap;

use crate::lab::{Lab, ProgramObservation, Target};

/// What every run shows, of the mutants that it names alone.
pub(super) fn look(
    lab: &Lab<'_>,
    runs: &[(Program, Target)],
) -> Result<Vec<Option<ProgramObservation>>, Failure> {
    let merged = Merged::new(runs);
    let looks = lab.look(&merged.runs, &Bitmap::default())?;
    let own = |(at, target): (&usize, &Target)| Some(part(looks[*at].as_ref()?, target));
    Ok(merged.places.iter().zip(runs.iter().map(|(_, target)| target)).map(own).collect())
}

/// Runs without those that are there twice.
struct Merged {
    runs: Vec<(Program, Target)>,
    /// For each run as it was asked for the one that stands for it.
    places: Vec<usize>,
}

impl Merged {
    fn new(asked: &[(Program, Target)]) -> Merged {
        let mut known: HashMap<&Program, usize> = HashMap::new();
        let mut runs: Vec<(&Program, Wanted)> = Vec::new();
        let mut places = Vec::new();
        for (program, target) in asked {
            let at = *known.entry(program).or_insert_with(|| {
                runs.push((program, Wanted::default()));
                runs.len() - 1
            });
            runs[at].1.add(target);
            places.push(at);
        }
        let runs = runs.into_iter().map(|(program, wanted)| (program.clone(), wanted.target())).collect();
        Merged { runs, places }
    }
}

#[derive(Default)]
struct Wanted {
    listed: BTreeSet<u32>,
    infected: bool,
}

impl Wanted {
    fn add(&mut self, target: &Target) {
        match target {
            Target::Listed(mutants) => self.listed.extend(mutants),
            Target::Infected => self.infected = true,
        }
    }

    fn target(self) -> Target {
        if self.infected { Target::Infected } else { Target::Listed(self.listed.into_iter().collect()) }
    }
}

fn part(look: &ProgramObservation, target: &Target) -> ProgramObservation {
    let mut look = look.clone();
    if let Target::Listed(mutants) = target {
        look.differences.retain(|mutant, _| mutants.contains(mutant));
    }
    look
}

#[cfg(test)]
mod tests {
    use testsmith_ir::{CallableId, Statement};

    use super::*;

    #[test]
    fn a_program_runs_once_for_all_who_ask_for_it() {
        let call = |number: u32| {
            let mut program = Program::default();
            program.push(Statement::Call { callable: CallableId(number), args: Vec::new() });
            program
        };
        let asked = [
            (call(0), Target::Listed(vec![3])),
            (call(1), Target::Listed(vec![4])),
            (call(0), Target::Listed(vec![1, 3])),
        ];
        let merged = Merged::new(&asked);
        assert_eq!(merged.places, [0, 1, 0]);
        let mutants: Vec<Vec<u32>> = merged
            .runs
            .iter()
            .map(|(_, target)| match target {
                Target::Listed(mutants) => mutants.clone(),
                Target::Infected => Vec::new(),
            })
            .collect();
        assert_eq!(mutants, [vec![1, 3], vec![4]]);
    }
}
