//! Why mutants are still alive, the ones that a little more would kill first.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::Serialize;
use testsmith_instrument::Plan;
use testsmith_ir::render::literal_text;
use testsmith_ir::{Literal, Program};
use testsmith_search::search_state::Stage;
use testsmith_search::{Found, Input, Solved};
use testsmith_suite::lab::Lab;

use super::findings::shown;
use super::judged::Judgement;
use super::observed::observed;
use crate::contracts::sampling::Impact;
use crate::report::json::MutantEntry;

/// A mutant that is still alive.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Survivor {
    #[serde(flatten)]
    pub(crate) mutant: MutantEntry,
    /// One of the reasons in docs/json.md.
    pub(crate) reason: &'static str,
    /// The program that tells it apart or came closest, if one entered its function.
    pub(crate) closest: Vec<String>,
    /// What was seen then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) observed: Option<String>,
    /// What a solver has found out of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) solved: Option<SolvedReport>,
    /// What held in all calls that were seen, and not with it.
    pub(crate) breaks: Vec<String>,
    /// How much it changes in the program that came closest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) impact: Option<Impact>,
}

/// What a solver has found out, in the terms of a program.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SolvedReport {
    /// The program whose literals were inputs.
    program: Vec<String>,
    /// The literals, by the names that they have in the conditions.
    inputs: Vec<InputReport>,
    /// Where it holds, the mutant computes another value.
    condition: Option<String>,
    /// The last conditions of the path to it.
    path: Vec<String>,
    /// What the solver chose shows the mutant in the engine, and not in the crate's own build.
    shows_in_engine_alone: bool,
}

#[derive(Clone, Debug, Serialize)]
struct InputReport {
    name: String,
    literal: String,
    solved: Option<String>,
}

impl SolvedReport {
    pub(crate) fn of(solved: &Solved, lab: &Lab<'_>) -> SolvedReport {
        let text = |literal: &Literal| literal_text(literal, false);
        let input = |input: &Input| InputReport {
            name: input.name.clone(),
            literal: text(&input.literal),
            solved: input.solved.as_ref().map(text),
        };
        SolvedReport {
            program: shown(lab, &solved.program).0,
            inputs: solved.inputs.iter().map(input).collect(),
            condition: solved.condition.clone(),
            path: solved.path.clone(),
            shows_in_engine_alone: solved.shows_in_engine_alone,
        }
    }
}

/// So many runs of a mutant that is infected, and shows nothing, are many.
const MANY_RUNS: u32 = 200;
/// So many programs that reach a mutant, and do not infect it, are many: most mutants that can be infected are by then.
const MANY_PROGRAMS: u32 = 5_000;

/// Why a mutant is alive, the most promising first.
///
/// Of the mutants of eleven crates that were read by hand, 86 % of those that never compute another value are equivalent,
/// but only 44 % of those that do so unseen (`xtask/equivalents`): the word is said of the former only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    TestNotKept,
    NotWritable,
    Unseen,
    Unsteady,
    UnseenManyTimes,
    NotInfected,
    NotReached,
    InEngineAlone,
    NotInfectedManyTimes,
    NeverDiffers,
}

impl Reason {
    /// In the words of docs/json.md.
    fn text(self) -> &'static str {
        match self {
            Reason::TestNotKept => "its test could not be kept",
            Reason::NotWritable => {
                "only a panic that nobody declared, or something that cannot be written, tells it apart"
            }
            Reason::Unseen => "infected, but nothing that was looked at differs",
            Reason::Unsteady => {
                "infected, but only what is not the same every time or everywhere could show it"
            }
            Reason::UnseenManyTimes => {
                "infected many times, but nothing that can be seen differs: equivalent, or visible to something that was not tried"
            }
            Reason::NotInfected => "reached, but never with another value",
            Reason::NotReached => "not reached",
            Reason::InEngineAlone => {
                "it shows where addresses have 32 bits, as in the engine, and not in this build"
            }
            Reason::NotInfectedManyTimes => {
                "reached many times, but never with another value: probably equivalent"
            }
            Reason::NeverDiffers => {
                "reached, and whatever the inputs are it computes the same: probably equivalent"
            }
        }
    }
}

/// All mutants that are still alive, with the reason.
pub(crate) fn survivors(
    plan: &Plan,
    lab: &Lab<'_>,
    found: &Found,
    exposed: &BTreeSet<u32>,
    alive: &BTreeSet<u32>,
    judgement: &Judgement,
    packages: &[String],
) -> Vec<Survivor> {
    let survivor = |number: &u32| {
        let reason = reason(found, exposed, *number);
        let near = found.near.get(number).filter(|near| near.stage != Stage::Away);
        let closest = found.archive.get(number).map(|best| &best.program).or(near.map(|near| &near.program));
        let survivor = Survivor {
            mutant: MutantEntry::new(plan, plan.mutant(*number), packages),
            reason: reason.text(),
            observed: observed(found, *number),
            solved: found.solved.get(number).map(|solved| SolvedReport::of(solved, lab)),
            closest: closest.map(|program| shown(lab, program).0).unwrap_or_default(),
            breaks: judgement.broken.get(number).cloned().unwrap_or_default(),
            impact: judgement.impacts.get(number).copied(),
        };
        (reason, survivor)
    };
    let mut all: Vec<(Reason, Survivor)> = alive.iter().map(survivor).collect();
    all.sort_by_key(rank);
    all.into_iter().map(|(_, survivor)| survivor).collect()
}

/// What breaks a contract comes first, then what is told apart or nearly so, and of these what changes much: the impact of
/// µTEST, in statements and values.
fn rank((reason, survivor): &(Reason, Survivor)) -> (Reverse<usize>, Reason, Reverse<u32>) {
    let impact = survivor.impact.map_or(0, |impact| impact.statements.saturating_add(impact.values));
    (Reverse(survivor.breaks.len()), *reason, Reverse(impact))
}

fn reason(found: &Found, exposed: &BTreeSet<u32>, number: u32) -> Reason {
    let tries = found.tries.get(&number).copied().unwrap_or(0);
    if exposed.contains(&number) {
        return Reason::TestNotKept;
    }
    if found.archive.contains_key(&number) {
        return Reason::NotWritable;
    }
    if found.solved.get(&number).is_some_and(|solved| solved.shows_in_engine_alone) {
        return Reason::InEngineAlone;
    }
    if found.infected.contains(&number) {
        return match found.near.get(&number).is_some_and(|near| proves_little(found, &near.program)) {
            true => Reason::Unsteady,
            false if tries >= MANY_RUNS => Reason::UnseenManyTimes,
            false => Reason::Unseen,
        };
    }
    match found.reached.get(&number) {
        None => Reason::NotReached,
        Some(_) if found.never_differs(number) => Reason::NeverDiffers,
        Some(times) if *times >= MANY_PROGRAMS => Reason::NotInfectedManyTimes,
        Some(_) => Reason::NotInfected,
    }
}

/// Whether something of a program is not looked at, because it is not the same every time.
fn proves_little(found: &Found, program: &Program) -> bool {
    let known = &found.nondeterminism;
    known.may_end_otherwise(program) || !known.unseen(program).is_empty()
}
