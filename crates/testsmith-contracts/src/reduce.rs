//! Reduction: programs whose calls contradict what held in all calls so far ([`targets`], [`programs`]).
//!
//! A [`Target`] is a conjunction that no call has met yet. ♣ is the opposite of a condition that held before every call that
//! came back, together with what keeps the call from panicking: `!p && require(r)`. ♠ is for an implication `old(A) => C`: `A` and
//! the opposite of a condition that held whenever `A` did, `A && !p` with `p` of `pre(r|A)`. Both sides of what contracts say
//! decides something are targets, too. Which objects and numbers meet a target is searched in memory (`search`); where
//! none does, one that meets all clauses but one, and a call that was seen to bring that about (`transition`).

use testsmith_ir::{Api, CallableId, Program};

use crate::atom::Atom;
use crate::bits::Bits;
use crate::compose::Composer;
use crate::contract::{Contract, Formula};
use crate::record::Tables;
use crate::search::{MOST_TUPLES, tuples};
use crate::table::Table;
use crate::template::{Candidate, atoms};
use crate::transition::transitions;

/// Targets of one callable, of each kind.
const MOST_TARGETS: usize = 40;
/// Conditions of `pre(r|A)` for one implication.
const MOST_GIVEN: usize = 4;
/// Calls before which `A` held, at least: of fewer everything holds.
const FEWEST_GIVEN: usize = 4;
/// Programs for a target of which only some clauses can be known before a run.
const BLIND: usize = 24;
/// Transitions that are tried on the objects of a target.
const MOST_TRANSITIONS: usize = 6;

/// Why something is a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A contract rests on it, or on its opposite.
    Boundary,
    /// ♣: it contradicts a precondition.
    Precondition,
    /// ♠: it may contradict a postcondition.
    Postcondition,
}

/// A condition that the next calls of a callable should meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What is called.
    pub callable: CallableId,
    /// What should hold before, all of it; what it is about comes first.
    pub all: Vec<Atom>,
    /// Why.
    pub reason: Reason,
}

/// What to try for a callable.
pub fn targets(callable: CallableId, table: &Table, contracts: &[Contract]) -> Vec<Target> {
    let require = require(contracts);
    let open = open(table);
    let boundary: Vec<Vec<Atom>> = sides(contracts);
    let with_require = |mut all: Vec<Atom>| {
        let extra: Vec<Atom> = require.iter().copied().filter(|it| is_new(&all, it)).collect();
        all.extend(extra);
        all
    };
    let preconditions =
        unchallenged(table, &open).into_iter().map(|not| with_require(vec![not])).collect::<Vec<_>>();
    let postconditions: Vec<Vec<Atom>> =
        given(table, contracts, &open).into_iter().map(with_require).collect();
    let mut all: Vec<Target> = Vec::new();
    for (reason, conjunctions) in [
        (Reason::Boundary, boundary),
        (Reason::Precondition, preconditions),
        (Reason::Postcondition, postconditions),
    ] {
        let mut count = 0;
        for conjunction in conjunctions {
            if count < MOST_TARGETS && !all.iter().any(|known| known.all == conjunction) {
                all.push(Target { callable, all: conjunction, reason });
                count += 1;
            }
        }
    }
    all
}

/// What held before every call of a callable that came back, where no panic shows that it has to: its preconditions as the paper has
/// them, most of which only say what was not tried.
pub fn preconditions(table: &Table) -> Vec<Atom> {
    unchallenged(table, &open(table)).into_iter().filter_map(Atom::negated).collect()
}

/// What keeps a call from panicking, as far as it is one condition at a time.
fn require(contracts: &[Contract]) -> Vec<Atom> {
    let mut all = Vec::new();
    for contract in contracts {
        if let Formula::Panics { any, .. } = &contract.formula {
            let single = any.iter().filter_map(|all| match all.as_slice() {
                [atom] => atom.negated(),
                _ => None,
            });
            all.extend(single);
        }
    }
    all
}

/// Whether an atom is neither there nor the opposite of one that is.
fn is_new(all: &[Atom], atom: &Atom) -> bool {
    !all.contains(atom) && !atom.negated().is_some_and(|not| all.contains(&not))
}

/// Both sides of what contracts say decides something.
fn sides(contracts: &[Contract]) -> Vec<Vec<Atom>> {
    let mut all = Vec::new();
    for contract in contracts {
        let any: Vec<&Vec<Atom>> = match &contract.formula {
            Formula::Panics { any, .. } | Formula::Exactly { any, .. } => any.iter().collect(),
            Formula::If { when, .. } => vec![when],
            Formula::Always(_) => Vec::new(),
        };
        for atom in any.into_iter().flatten() {
            all.push(vec![*atom]);
            all.extend(atom.negated().map(|not| vec![not]));
        }
    }
    all
}

/// All conditions, the simple ones first; also those that hold in the same rows as others: what no call has met, none can
/// tell apart.
fn open(table: &Table) -> Vec<Candidate> {
    let mut open: Vec<Candidate> = atoms(table).into_iter().map(|atom| Candidate::new(table, atom)).collect();
    open.sort_by_key(|condition| condition.cost);
    open
}

/// The opposites of what held before every call that came back, where no panic shows that it has to.
fn unchallenged(table: &Table, open: &[Candidate]) -> Vec<Atom> {
    let (returned, panicked) = (table.returned(), table.panicked());
    let is_unchallenged = |it: &&Candidate| {
        !returned.is_empty()
            && returned.is_within(&it.holds)
            && it.known.common(&panicked) == it.holds.common(&panicked)
    };
    open.iter().filter(is_unchallenged).filter_map(|it| it.atom.negated()).collect()
}

/// For each implication `A => C`: `A` and the opposite of what held before every call before which `A` did, and not
/// before every other call: pre(r|A).
fn given(table: &Table, contracts: &[Contract], open: &[Candidate]) -> Vec<Vec<Atom>> {
    let returned = table.returned();
    let mut all = Vec::new();
    for contract in contracts {
        let antecedents: Vec<&Vec<Atom>> = match &contract.formula {
            Formula::If { when, .. } => vec![when],
            Formula::Exactly { any, .. } => any.iter().collect(),
            Formula::Panics { .. } | Formula::Always(_) => Vec::new(),
        };
        for antecedent in antecedents {
            let rows = antecedent.iter().fold(returned.clone(), |rows: Bits, atom| {
                let (holds, _) = atom.rows(table);
                rows.and(&holds)
            });
            if rows.count() < FEWEST_GIVEN {
                continue;
            }
            let is_given = |it: &&Candidate| {
                rows.is_within(&it.holds) && !returned.is_within(&it.holds) && is_new(antecedent, &it.atom)
            };
            let opposites = open.iter().filter(is_given).filter_map(|it| it.atom.negated());
            let conjunction = |not: Atom| antecedent.iter().copied().chain([not]).collect::<Vec<Atom>>();
            all.extend(opposites.map(conjunction).take(MOST_GIVEN));
        }
    }
    all
}

/// Programs whose last call meets a target, as far as that is known.
pub fn programs(api: &Api, composer: &mut Composer<'_>, tables: &Tables, target: &Target) -> Vec<Program> {
    let table = &tables.callables[&target.callable];
    let found = tuples(api, tables, table, target.callable, &target.all, &[]);
    if !found.is_empty() {
        let is_blind = found.iter().any(|tuple| tuple.is_partial);
        let most = if is_blind { found.len().clamp(BLIND, MOST_TUPLES) } else { found.len() };
        let compose = |tuple| composer.compose_with(tables, target.callable, tuple, None);
        return found.iter().cycle().take(most).filter_map(compose).collect();
    }
    let mut all = Vec::new();
    // One clause is dropped, and a call brings it about.
    for (at, dropped) in target.all.iter().enumerate().filter(|_| target.all.len() > 1) {
        let kept: Vec<Atom> =
            target.all.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, atom)| *atom).collect();
        let steps = transitions(api, composer.definers(), tables, target.callable, dropped);
        if steps.is_empty() {
            continue;
        }
        let found = tuples(api, tables, table, target.callable, &kept, &[*dropped]);
        for step in steps.iter().take(MOST_TRANSITIONS) {
            let compose = |tuple| composer.compose_with(tables, target.callable, tuple, Some(step));
            all.extend(found.iter().take(MOST_TUPLES / MOST_TRANSITIONS).filter_map(compose));
        }
    }
    all
}
