//! Makes programs smaller that expose a mutant: fewer statements, simpler values, plainer constructors, as long as the
//! mutant is still exposed, and not in a worse way.
//!
//! All programs are reduced side by side, a round at a time: of all that a program could become, the simplest that works is
//! what the next round starts from.

mod literals;
mod proposals;

use std::collections::{BTreeMap, HashSet};

use testsmith_exec::Failure;
use testsmith_ir::{Program, Statement};
use testsmith_rt::harness::wire::{Bitmap, Outcome};

use crate::case::Ending;
use crate::lab::{Lab, Look, On};
use crate::oracle::{Evidence, Rank, Writer};

/// Rounds after which what is left is left.
const MOST_ROUNDS: usize = 40;
/// Proposals of one program in a round.
const MOST_PROPOSALS: usize = 48;

/// A program that exposes a mutant.
#[derive(Clone, Debug)]
pub struct Exposure {
    /// The mutant.
    pub mutant: u32,
    /// The program.
    pub program: Program,
    /// How well it is exposed.
    pub rank: Rank,
}

/// How simple a program is; less is simpler.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Measure {
    is_text: bool,
    is_panic: bool,
    calls: usize,
    statements: usize,
    literals: usize,
    rank: Rank,
    program: Program,
}

struct Item {
    exposure: Exposure,
    measure: Measure,
    tried: HashSet<u64>,
    is_done: bool,
}

/// Reduces programs, each for its mutant. What exposes its mutant in no way that can be written is left out.
pub fn reduce(
    lab: &Lab<'_>,
    writer: &dyn Writer,
    found: &BTreeMap<u32, Program>,
) -> Result<Vec<Exposure>, Failure> {
    let mut items = start(lab, writer, found)?;
    for _ in 0..MOST_ROUNDS {
        let mut asked: Vec<(usize, Program)> = Vec::new();
        for (at, item) in items.iter_mut().enumerate().filter(|(_, item)| !item.is_done) {
            let Item { exposure, tried, .. } = item;
            let fresh = proposals::of(lab.api, &exposure.program).into_iter();
            let fresh: Vec<Program> =
                fresh.filter(|program| tried.insert(program.hash())).take(MOST_PROPOSALS).collect();
            item.is_done = fresh.is_empty();
            asked.extend(fresh.into_iter().map(|program| (at, program)));
        }
        if asked.is_empty() {
            break;
        }
        let runs: Vec<(Program, On)> = asked
            .iter()
            .map(|(at, program)| (program.clone(), On::Listed(vec![items[*at].exposure.mutant])))
            .collect();
        let looks = lab.look(&runs, &Bitmap::default())?;
        for ((at, program), look) in asked.into_iter().zip(looks) {
            if let Some(look) = look {
                items[at].improve(program, &look, writer);
            }
        }
    }
    Ok(items.into_iter().map(|item| item.exposure).collect())
}

/// Programs as they were found, without what no test could do.
fn start(lab: &Lab<'_>, writer: &dyn Writer, found: &BTreeMap<u32, Program>) -> Result<Vec<Item>, Failure> {
    let mut left: Vec<(u32, Program)> =
        found.iter().map(|(mutant, program)| (*mutant, program.clone())).collect();
    let mut items = Vec::new();
    // What is absent goes with what depends on it, and what follows a panic: then it is looked at again.
    for _ in 0..3 {
        let runs: Vec<_> =
            left.iter().map(|(mutant, program)| (program.clone(), On::Listed(vec![*mutant]))).collect();
        let looks = lab.look(&runs, &Bitmap::default())?;
        let mut again = Vec::new();
        for ((mutant, program), look) in left.into_iter().zip(looks) {
            let Some(look) = look else { continue };
            let tidy = proposals::tidy(&program, &look);
            if tidy != program {
                again.push((mutant, tidy));
                continue;
            }
            items.extend(Item::new(mutant, program, &look, writer));
        }
        left = again;
    }
    Ok(items)
}

impl Item {
    fn new(mutant: u32, program: Program, look: &Look, writer: &dyn Writer) -> Option<Item> {
        let measure = measure(mutant, &program, look, writer)?;
        let exposure = Exposure { mutant, rank: measure.rank, program };
        let tried = HashSet::from([exposure.program.hash()]);
        Some(Item { exposure, measure, tried, is_done: false })
    }

    /// Takes a program if it is simpler and exposes the mutant all the same.
    fn improve(&mut self, program: Program, look: &Look, writer: &dyn Writer) {
        let mutant = self.exposure.mutant;
        if let Some(measure) = measure(mutant, &program, look, writer).filter(|new| *new < self.measure) {
            self.exposure = Exposure { mutant, rank: measure.rank, program };
            self.measure = measure;
        }
    }
}

/// How simple a program is that exposes a mutant; `None` if it does not.
fn measure(mutant: u32, program: &Program, look: &Look, writer: &dyn Writer) -> Option<Measure> {
    let evidence = Evidence::of(program, look, writer)?;
    let rank = evidence.rank(mutant)?;
    let is_shown = !evidence.candidates.is_empty() || matches!(evidence.ending, Ending::Panics { .. });
    let weight = |statement: &Statement| match statement {
        Statement::Literal { value, .. } => literals::weight(value),
        Statement::Call { args, .. } => args.len(),
        Statement::Drop(_) => 0,
    };
    is_shown.then(|| Measure {
        is_text: rank.is_text(),
        is_panic: matches!(look.outcome, Outcome::Panic { .. }),
        calls: program.statements.iter().filter(|statement| statement.callable().is_some()).count(),
        statements: program.size(),
        literals: program.statements.iter().map(weight).sum(),
        rank,
        program: program.clone(),
    })
}
