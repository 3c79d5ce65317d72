//! Makes programs smaller that show something: fewer statements, simpler values, plainer constructors, as long as they
//! show it all the same.
//!
//! All programs are reduced side by side, a round at a time: of all that a program could become, the simplest that works is
//! what the next round starts from.

mod examples;
mod literals;
mod merged;
mod proposals;
mod vary;

pub use examples::Examples;
pub use vary::varied;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Instant;

use testsmith_exec::Failure;
use testsmith_ir::{Api, CallableId, Literal, Program, Slot, Statement};
use testsmith_rt::harness::wire::{Bitmap, Outcome};

use crate::case::{Case, Check, Claim, Ending};
use crate::cover::Proof;
use crate::lab::{Lab, ProgramObservation, Target};
use crate::oracle::{AssertionPolicy, Evidence, Rank};

/// Rounds after which what is left is left.
const MOST_ROUNDS: usize = 40;
/// Proposals of one program in a round.
const MOST_PROPOSALS: usize = 48;
/// Programs that are run before anybody looks at the clock again.
const AT_A_TIME: usize = 2048;
/// Rounds in which what has no value, and what follows a panic, is taken away.
const TIDYING: usize = 5;

/// A program that exposes a mutant.
#[derive(Clone, Debug)]
pub struct Exposure {
    /// The mutant.
    pub mutant: u32,
    /// The program.
    pub program: Program,
    /// It takes its process along, or has to be stopped.
    pub is_costly: bool,
}

/// Makes programs shorter, each for its mutant, and never so that it is exposed in a worse way. What exposes its mutant in no
/// way that can be written is left out. What only a text shows may be shown by one of the inspectors: pure callables with
/// one parameter.
pub fn exposures(
    lab: &Lab<'_>,
    policy: &dyn AssertionPolicy,
    inspectors: &[CallableId],
    found: &BTreeMap<u32, Program>,
) -> Result<Vec<Exposure>, Failure> {
    let measure = |mutant: &u32, program: &Program, look: &ProgramObservation| {
        let Exposed { rank, hides } = exposed(*mutant, lab.api, program, look, policy)?;
        let is_costly = look.is_costly(*mutant);
        let measure = Measure::of(lab.api, program, look, rank, &Examples::default());
        let print = measure.print.max(if hides { Print::Hidden } else { Print::Nothing });
        Some(Measure { is_costly, print, ..measure })
    };
    let propose = |item: &Item<u32>| {
        if item.measure.is_costly {
            return proposals::slices(&item.program);
        }
        let shorter = proposals::shorter(lab.api, &item.program, &item.values);
        // There are many ways of looking: they are tried once, when nothing gets shorter any more.
        let is_short =
            shorter.iter().all(|program| program.is_empty() || item.tried.contains(&program.hash()));
        match (is_short, item.measure.rank.is_text(), item.measure.print) {
            (true, true, _) => proposals::inspected(lab.api, &item.program, inspectors),
            (true, false, Print::Hidden) => proposals::opened(lab.api, &item.program, inspectors),
            _ => shorter,
        }
    };
    let on = |mutant: &u32| Target::Listed(vec![*mutant]);
    let found = found.iter().map(|(mutant, program)| (*mutant, program.clone())).collect();
    let items = Reduction { lab, on: &on, measure: &measure, propose: &propose }.run(found)?;
    let exposure = |item: Item<u32>| Exposure {
        mutant: item.key,
        is_costly: item.measure.is_costly,
        program: item.program,
    };
    Ok(items.into_iter().map(exposure).collect())
}

/// Makes cases simpler that kill as much afterwards: shorter, with plainer values and constructors, and with inspectors in
/// the place of texts. Long texts become like those that the crate itself mentions.
pub fn cases(
    lab: &Lab<'_>,
    policy: &dyn AssertionPolicy,
    inspectors: &[CallableId],
    examples: &Examples,
    found: Vec<Case>,
) -> Result<Vec<Case>, Failure> {
    let texts = |case: &Case| case.checks.iter().filter(|check| is_text(case, check, policy)).count();
    let whole = |before: &Case, program: &Program, look: &ProgramObservation| {
        if *program == before.program {
            return Some(before.clone());
        }
        let wanted: BTreeSet<u32> = before.kills.iter().copied().collect();
        let evidence = Evidence::of(program, &look.clone().trusting(|_| false), policy)?;
        let after = Proof { program: program.clone(), evidence }.case(&wanted, texts(before) > 0);
        (after.kills.len() == wanted.len() && texts(&after) <= texts(before)).then_some(after)
    };
    let measure = |before: &Case, program: &Program, look: &ProgramObservation| {
        let after = whole(before, program, look)?;
        let is_plain = matches!(after.ending, Ending::Panics { .. }) || !after.checks.is_empty();
        let measure = || Measure::of(lab.api, program, look, worst(&after, policy), examples);
        is_plain.then(|| Measure { texts: texts(&after), ..measure() })
    };
    let propose = |item: &Item<Case>| {
        let simpler = proposals::simpler(lab.api, &item.program, &item.values, examples);
        item.or_looks(lab.api, inspectors, simpler)
    };
    let on = |case: &Case| Target::Listed(case.kills.clone());
    let programs = found.iter().map(|case| (case.clone(), case.program.clone())).collect();
    let items = Reduction { lab, on: &on, measure: &measure, propose: &propose }.run(programs)?;
    let asked: Vec<_> = items.iter().map(|item| (item.program.clone(), on(&item.key))).collect();
    let looks = lab.look(&asked, &Bitmap::default())?;
    let smaller = |case: Case| {
        let at = items.iter().position(|item| item.key == case);
        let after = at.and_then(|at| whole(&case, &items[at].program, looks[at].as_ref()?));
        after.unwrap_or(case)
    };
    Ok(found.into_iter().map(smaller).collect())
}

/// A place of the source where the original panics: file and line.
pub type Place = (String, u32);

/// Reduces programs that panic, each for its place.
pub fn panics(lab: &Lab<'_>, found: Vec<(Place, Program)>) -> Result<Vec<(Place, Program)>, Failure> {
    let plain = Examples::default();
    let measure = |(file, line): &Place, program: &Program, look: &ProgramObservation| {
        let is_there =
            matches!(&look.outcome, Outcome::Panic { file: f, line: l, .. } if (f, l) == (file, line));
        let is_whole = look.absent.is_empty() && usize::from(look.statement) + 1 == program.size();
        (is_there && is_whole).then(|| Measure::of(lab.api, program, look, Rank::End, &plain))
    };
    let on = |_: &Place| Target::Listed(Vec::new());
    let propose = |item: &Item<Place>| proposals::simpler(lab.api, &item.program, &item.values, &plain);
    let items = Reduction { lab, on: &on, measure: &measure, propose: &propose }.run(found)?;
    Ok(items.into_iter().map(|item| (item.key, item.program)).collect())
}

/// What is printed to show something: what is for people is better than what is for developers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Print {
    Nothing,
    /// Nothing is printed, and nothing is said of the value but its variant or its length.
    Hidden,
    Text,
    Debug,
}

fn is_text(case: &Case, check: &Check, policy: &dyn AssertionPolicy) -> bool {
    policy.is_printed(&case.program, check) && !check.is_flag() && !policy.is_message(&case.program, check)
}

/// How bad the worst assertion of a case is.
fn worst(case: &Case, policy: &dyn AssertionPolicy) -> Rank {
    let rank = |check: &Check| match (&check.claim, is_text(case, check, policy)) {
        (_, false) if check.is_hidden() => Rank::Hidden,
        (_, false) => Rank::Value,
        (Claim::Display(_), true) if policy.is_message(&case.program, check) => Rank::Message,
        (Claim::Debug(_), true) => Rank::Debug,
        (_, true) => Rank::Text,
    };
    case.checks.iter().map(rank).max().unwrap_or(Rank::Value)
}

/// How simple a program is; less is simpler.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Measure {
    is_costly: bool,
    /// How far inside of the crate the test has to stand.
    depth: usize,
    /// Assertions on texts, where they are known.
    texts: usize,
    print: Print,
    is_panic: bool,
    calls: usize,
    /// Uses of a second name for something.
    aliases: usize,
    statements: usize,
    literals: usize,
    /// Length of the calls as text.
    text: usize,
    rank: Rank,
    program: Program,
}

impl Measure {
    fn of(
        api: &Api,
        program: &Program,
        look: &ProgramObservation,
        rank: Rank,
        examples: &Examples,
    ) -> Measure {
        let weight = |statement: &Statement| match statement {
            Statement::Literal { value: value @ (Literal::Str(text) | Literal::String(text)), .. } => {
                examples.weight(text, literals::weight(value))
            }
            Statement::Literal { value, .. } => literals::weight(value),
            Statement::Call { args, .. } => args.len(),
            Statement::Drop(_) => 0,
        };
        Measure {
            print: match rank {
                Rank::End | Rank::Value | Rank::Comparison | Rank::Message => Print::Nothing,
                Rank::Hidden => Print::Hidden,
                Rank::Text => Print::Text,
                Rank::Debug => Print::Debug,
            },
            is_costly: false,
            texts: 0,
            depth: api.visibility(program).map_or(usize::MAX, |visibility| visibility.depth()),
            is_panic: matches!(look.outcome, Outcome::Panic { .. }),
            calls: program.statements.iter().filter(|statement| statement.callable().is_some()).count(),
            aliases: aliased(api, program),
            statements: program.size(),
            literals: program.statements.iter().map(weight).sum(),
            text: program.statements.iter().filter_map(|it| Some(spelling(&api[it.callable()?].shown))).sum(),
            rank,
            program: program.clone(),
        }
    }
}

/// How often something is called by a second name.
fn aliased(api: &Api, program: &Program) -> usize {
    let aliases: Vec<Slot> = proposals::aliases(api, program).into_iter().map(|(alias, _)| alias).collect();
    let slots = program.statements.iter().flat_map(Statement::slots);
    slots.filter(|slot| aliases.contains(slot)).count()
}

/// How long a call is to read: signs say less than names do.
fn spelling(shown: &str) -> usize {
    shown.len() + if shown.starts_with("&*") { 10 } else { 0 }
}

/// How a program exposes a mutant.
struct Exposed {
    rank: Rank,
    /// It does so by its end alone, and what would be asserted beside that hides the value.
    hides: bool,
}

/// How well a program exposes a mutant; `None` if it does not, or nothing of it can be asserted.
fn exposed(
    mutant: u32,
    api: &Api,
    program: &Program,
    look: &ProgramObservation,
    policy: &dyn AssertionPolicy,
) -> Option<Exposed> {
    let evidence = Evidence::of(program, look, policy)?;
    let rank = evidence.rank(mutant)?;
    if matches!(evidence.ending, Ending::Panics { .. }) {
        return Some(Exposed { rank, hides: false });
    }
    let natural = evidence.natural()?;
    let last = program.statements.last().and_then(Statement::callable);
    // What was opened to say more says nothing if nothing of it shows.
    let is_mute = last.is_some_and(|last| proposals::opens(&api[last]))
        && natural.check.slot.index() + 1 < program.size();
    let hides = rank == Rank::End && (natural.rank == Rank::Hidden || is_mute);
    Some(Exposed { rank, hides })
}

/// A program on its way to a smaller one.
struct Item<K> {
    key: K,
    program: Program,
    measure: Measure,
    /// Results that could be written as literals.
    values: Vec<(Slot, Literal)>,
    tried: HashSet<u64>,
    is_done: bool,
}

impl<K> Item<K> {
    /// What is proposed; ways of looking instead, where that has all been tried and something is still printed. There are
    /// many of them, so that they are not tried for programs that become others anyway.
    fn or_looks(&self, api: &Api, inspectors: &[CallableId], proposed: Vec<Program>) -> Vec<Program> {
        let is_tried = |program: &Program| program.is_empty() || self.tried.contains(&program.hash());
        match self.measure.print {
            _ if !proposed.iter().all(is_tried) => proposed,
            Print::Nothing => proposed,
            Print::Hidden => proposals::opened(api, &self.program, inspectors),
            Print::Text | Print::Debug => proposals::inspected(api, &self.program, inspectors),
        }
    }
}

/// What it takes to reduce programs that show something, which is known by a key.
struct Reduction<'a, K> {
    lab: &'a Lab<'a>,
    /// The mutants that it takes.
    on: &'a dyn Fn(&K) -> Target,
    /// How simple a program is; `None` if it does not show it.
    measure: &'a dyn Fn(&K, &Program, &ProgramObservation) -> Option<Measure>,
    /// What the program could become, the most promising first.
    propose: &'a dyn Fn(&Item<K>) -> Vec<Program>,
}

impl<K> Reduction<'_, K> {
    fn run(&self, found: Vec<(K, Program)>) -> Result<Vec<Item<K>>, Failure> {
        let until = self.lab.half_time();
        let is_over = || until.is_some_and(|until| Instant::now() >= until);
        let mut items = self.start(found)?;
        for _ in 0..MOST_ROUNDS {
            if is_over() {
                break;
            }
            let mut asked: Vec<(usize, Program)> = Vec::new();
            for (at, item) in items.iter_mut().enumerate().filter(|(_, item)| !item.is_done) {
                let fresh = (self.propose)(item).into_iter().filter(|program| !program.is_empty());
                // What there is no room for has its turn in the next round.
                let fresh = fresh.filter(|program| item.tried.insert(program.hash())).take(MOST_PROPOSALS);
                let before = asked.len();
                asked.extend(fresh.map(|program| (at, program)));
                item.is_done = asked.len() == before;
            }
            if asked.is_empty() {
                break;
            }
            for some in asked.chunks(AT_A_TIME) {
                if is_over() {
                    break;
                }
                let runs: Vec<_> =
                    some.iter().map(|(at, program)| (program.clone(), (self.on)(&items[*at].key))).collect();
                let looks = merged::look(self.lab, &runs)?;
                for ((at, program), look) in some.iter().zip(looks) {
                    self.take(&mut items[*at], program, look);
                }
            }
        }
        Ok(items)
    }

    /// Goes on with a program, if it shows the same and is simpler.
    fn take(&self, item: &mut Item<K>, program: &Program, look: Option<ProgramObservation>) {
        let Some(look) = look else { return };
        let measure = (self.measure)(&item.key, program, &look);
        if let Some(measure) = measure.filter(|measure| *measure < item.measure) {
            item.values = literals::seen(self.lab.api, program, &look);
            (item.program, item.measure) = (program.clone(), measure);
        }
    }

    /// Programs as they were found, without what no test could do.
    fn start(&self, mut left: Vec<(K, Program)>) -> Result<Vec<Item<K>>, Failure> {
        let mut items = Vec::new();
        let mut mute = Vec::new();
        for _ in 0..TIDYING {
            let runs: Vec<_> = left.iter().map(|(key, program)| (program.clone(), (self.on)(key))).collect();
            let looks = merged::look(self.lab, &runs)?;
            let mut again = Vec::new();
            for ((key, program), look) in left.into_iter().zip(looks) {
                let Some(look) = look else {
                    mute.push((key, program));
                    continue;
                };
                let tidy = proposals::tidy(&program, &look);
                if tidy != program {
                    again.push((key, tidy));
                } else if let Some(measure) = (self.measure)(&key, &program, &look) {
                    items.push(self.item(key, program, &look, measure));
                } else if let Some(before) = proposals::before_panic(&program, &look) {
                    // What is to be shown may have shown before a panic that no test should expect.
                    again.push((key, before));
                }
            }
            left = again;
        }
        items.extend(self.parts(mute)?);
        Ok(items)
    }

    /// The shortest parts that show it of programs that prove nothing as a whole, because some call in them may end otherwise.
    fn parts(&self, mute: Vec<(K, Program)>) -> Result<Vec<Item<K>>, Failure> {
        let slices = |(_, program): &(K, Program)| {
            let mut parts = proposals::slices(program);
            parts.sort_by_key(Program::size);
            parts
        };
        let parts: Vec<Vec<Program>> = mute.iter().map(slices).collect();
        let run = |part: &Program, key: &K| (part.clone(), (self.on)(key));
        let runs = mute.iter().zip(&parts).flat_map(|((key, _), parts)| parts.iter().map(|it| run(it, key)));
        let mut looks = self.lab.look(&runs.collect::<Vec<_>>(), &Bitmap::default())?.into_iter();
        let shown = |((key, _), parts): ((K, Program), Vec<Program>)| {
            let looks: Vec<Option<ProgramObservation>> = looks.by_ref().take(parts.len()).collect();
            let (part, look, measure) = parts.into_iter().zip(looks).find_map(|(part, look)| {
                let look = look?;
                let measure = (self.measure)(&key, &part, &look)?;
                Some((part, look, measure))
            })?;
            Some(self.item(key, part, &look, measure))
        };
        Ok(mute.into_iter().zip(parts).filter_map(shown).collect())
    }

    fn item(&self, key: K, program: Program, look: &ProgramObservation, measure: Measure) -> Item<K> {
        let tried = HashSet::from([program.hash()]);
        let values = literals::seen(self.lab.api, &program, look);
        Item { key, program, measure, values, tried, is_done: false }
    }
}
