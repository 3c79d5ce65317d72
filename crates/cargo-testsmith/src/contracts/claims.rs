//! Claims about a crate: the contracts of all callables and types that no row contradicts.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_contracts::{
    Atom, Contract, End, Formula, Kind, Known, Nearly, Tables, infer, invariants, nearly,
};
use testsmith_ir::{CallableId, Program, TypeId};
use testsmith_model::api::{Model, Origin, PanicKind};

use super::sampling::BrokenLaw;
use crate::subject::id;

/// What was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    /// Of each function the instance with most rows, and its contracts.
    pub(super) functions: BTreeMap<usize, (CallableId, Vec<Contract>)>,
    /// Of each type.
    pub(super) types: BTreeMap<TypeId, Vec<Contract>>,
    /// Facts that a few objects break.
    pub(super) nearly: BTreeMap<TypeId, Vec<Nearly>>,
    /// What seemed to hold, until a program contradicted it.
    pub(super) refuted: Vec<Refuted>,
    /// Rows of all instances of a function: the same number is the same rows.
    sizes: BTreeMap<usize, usize>,
    /// Rounds of reduction that had something to try.
    pub(super) rounds: u64,
    /// Panics that nobody has declared, by place.
    pub(super) faults: Vec<Fault>,
    /// Laws of the standard library's traits that were tried.
    pub(super) laws_tried: usize,
    /// Those that some objects break.
    pub(super) laws: Vec<BrokenLaw>,
}

/// A panic that neither the docs nor a guard in the code declare.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) file: String,
    pub(super) line: u32,
    /// The shortest that shows it.
    pub(super) program: Program,
}

/// A claim that did not last.
#[derive(Clone, Debug)]
pub(super) struct Refuted {
    pub(super) origin: usize,
    pub(super) callable: CallableId,
    pub(super) contract: Contract,
    pub(super) program: Program,
    /// The call that contradicts it panicked.
    pub(super) panicked: bool,
}

impl Findings {
    /// What holds in all rows.
    pub(crate) fn infer(model: &Model, tables: &Tables) -> Findings {
        Findings::infer_again(model, tables, &Findings::default())
    }

    /// What holds in all rows; of functions without new ones that is known.
    pub(crate) fn infer_again(model: &Model, tables: &Tables, earlier: &Findings) -> Findings {
        let mut findings = Findings::default();
        for (at, origin) in model.origins.iter().enumerate() {
            let instances: Vec<CallableId> = origin
                .callables
                .iter()
                .copied()
                .map(id)
                .filter(|id| tables.callables.contains_key(id))
                .collect();
            let rows = |id: &CallableId| tables.callables[id].len();
            let Some(best) = instances.iter().copied().max_by_key(|id| (rows(id), std::cmp::Reverse(*id)))
            else {
                continue;
            };
            let table = &tables.callables[&best];
            let size: usize = instances.iter().map(rows).sum();
            findings.sizes.insert(at, size);
            if let Some(known) = earlier.functions.get(&at).filter(|known| known.0 == best)
                && earlier.sizes.get(&at) == Some(&size)
            {
                findings.functions.insert(at, known.clone());
                continue;
            }
            let others: Vec<_> =
                instances.iter().filter(|id| **id != best).map(|id| &tables.callables[id]).collect();
            // What holds for one choice of type arguments has to hold for the others.
            let holds_elsewhere = |contract: &Contract| {
                others.iter().all(|other| {
                    contract.in_table(table, other).is_none_or(|there| there.broken_by(other, 0).is_none())
                })
            };
            let contracts = infer(table).into_iter().filter(holds_elsewhere).collect();
            findings.functions.insert(at, (best, contracts));
        }
        for (ty, table) in &tables.types {
            findings.types.insert(*ty, invariants(table));
            findings.nearly.insert(*ty, nearly(table));
        }
        findings
    }

    /// With what is known of earlier claims: which of them are gone, each with the shortest program that contradicts it.
    pub(super) fn after(mut self, earlier: Findings, tables: &Tables) -> Findings {
        self.refute(&earlier, tables);
        let fresh = std::mem::replace(&mut self.refuted, earlier.refuted);
        self.refuted.extend(fresh);
        self.rounds = earlier.rounds;
        self
    }

    /// The contracts of all callables, as judges of mutants.
    pub(crate) fn known<'a>(&'a self, tables: &'a Tables) -> Known<'a> {
        let all = self.functions.values().filter_map(|(callable, contracts)| {
            Some((*callable, (tables.callables.get(callable)?, contracts.as_slice())))
        });
        all.collect()
    }

    /// A contract of a callable as text, with the function that it is about.
    pub(crate) fn text(&self, model: &Model, tables: &Tables, of: (CallableId, usize)) -> Option<String> {
        let (origin, (callable, contracts)) = self.functions.iter().find(|(_, (id, _))| *id == of.0)?;
        let contract = contracts.get(of.1)?;
        Some(format!("{}: {}", model.origins[*origin].path, contract.text(&tables.callables[callable])))
    }

    fn refute(&mut self, earlier: &Findings, tables: &Tables) {
        for (origin, (callable, contracts)) in &earlier.functions {
            let table = &tables.callables[callable];
            for contract in contracts {
                let broken = (0..table.len()).filter(|row| contract.is_broken_by(table, *row));
                let Some(row) = broken.min_by_key(|row| table.rows()[*row].call) else { continue };
                let program = table.rows()[row].shortest();
                let contract = contract.clone();
                let panicked = table.rows()[row].end != End::Returned;
                self.refuted.push(Refuted {
                    origin: *origin,
                    callable: *callable,
                    contract,
                    program,
                    panicked,
                });
            }
        }
    }

    /// How many claims there are.
    pub(super) fn count(&self) -> usize {
        self.functions.values().map(|(_, contracts)| contracts.len()).sum::<usize>()
            + self.types.values().map(Vec::len).sum::<usize>()
    }

    /// Why a call panicked, where no condition explains it: the shortest program.
    pub(super) fn unexplained(contract: &Contract, table: &testsmith_contracts::Table) -> Option<Program> {
        let Formula::Panics { any, exactly: false } = &contract.formula else { return None };
        let whole =
            Contract { formula: Formula::Panics { any: any.clone(), exactly: true }, ..contract.clone() };
        let rows = (0..table.len()).filter(|row| whole.is_broken_by(table, *row));
        rows.min_by_key(|row| table.rows()[*row].call).map(|row| table.rows()[row].shortest())
    }

    /// Adds the claims that rows of other tables contradict.
    pub(super) fn contradicted(&self, inferred: &Tables, others: &Tables, found: &mut BTreeSet<String>) {
        for (callable, contracts) in self.functions.values() {
            let Some(other) = others.callables.get(callable) else { continue };
            let table = &inferred.callables[callable];
            for (at, contract) in contracts.iter().enumerate() {
                if contract.in_table(table, other).is_some_and(|there| there.broken_by(other, 0).is_some()) {
                    let callable = if is_shown(contract, table) {
                        format!("shown: {callable:?}")
                    } else {
                        format!("{callable:?}")
                    };
                    found.insert(format!("{callable} {at}: {}", contract.text(table)));
                }
            }
        }
        for (ty, contracts) in &self.types {
            let Some(other) = others.types.get(ty) else { continue };
            for (at, contract) in contracts.iter().enumerate() {
                let there = contract.in_table(&inferred.types[ty], other);
                if there.is_some_and(|there| there.broken_by(other, 0).is_some()) {
                    found.insert(format!("{ty:?} {at}: {}", contract.text(&inferred.types[ty])));
                }
            }
        }
    }
}

/// What the docs of a function lack.
pub(super) fn gap(
    origin: &Origin,
    tables: &Tables,
    callable: CallableId,
    contracts: &[Contract],
) -> Option<String> {
    // The docs of a trait's method are the trait's.
    if origin.path.starts_with('<') {
        return None;
    }
    let table = &tables.callables[&callable];
    let mut undeclared: BTreeMap<String, usize> = BTreeMap::new();
    for row in table.rows() {
        if let End::Panicked { message, file, line } = &row.end {
            let is_declared = match PanicKind::of(message) {
                // Any collection panics where there is no memory.
                Some(PanicKind::Capacity) => true,
                // How a function comes to panic is not what its docs are about: an `unwrap` of an error says that there is
                // no room left, an overflow that there is nothing to take away from.
                Some(PanicKind::Unwrap | PanicKind::Overflow) => origin.panics.declare_any(),
                Some(kind) => origin.panics.declare(kind),
                None => origin.panics.declare_any(),
            };
            if !is_declared {
                // The text of an assertion is that of the instrumented source.
                let said = match message.strip_prefix("assertion failed") {
                    Some(_) => format!("assertion failed, {file}:{line}"),
                    None => message.lines().next().unwrap_or_default().to_owned(),
                };
                *undeclared.entry(said).or_default() += 1;
            }
        }
    }
    let (message, _) = undeclared.iter().max_by_key(|(_, count)| **count)?;
    let says = match origin.panics.declare_any() {
        true => "the docs name other panics only",
        false => "the docs name no panic",
    };
    let when = contracts.iter().find(|contract| contract.kind == Kind::Panics);
    let condition = when.map(|contract| format!("it {}; ", contract.text(table))).unwrap_or_default();
    let seen: usize = undeclared.values().sum();
    Some(format!("{condition}{says} (`{message}`, {seen} different calls)"))
}

/// Distinct calls without a panic, after which the docs seem to promise one that does not come.
const MANY_RETURNS: usize = 300;

/// A promise of a function's docs that calls contradict: that it panics.
pub(super) fn broken_promise(origin: &Origin, tables: &Tables, callable: CallableId) -> Option<String> {
    let table = &tables.callables[&callable];
    // What only a size beyond all memory leads to is not tried here.
    let is_tried = origin.panics.declare_any()
        && ![PanicKind::Capacity, PanicKind::Overflow].iter().any(|kind| origin.panics.declare(*kind));
    let is_broken = is_tried && table.returns() == table.len() && table.returns() >= MANY_RETURNS;
    is_broken
        .then(|| format!("the docs say that it panics, and none of {} different calls did", table.returns()))
}

/// Whether a contract is worth reading: it decides an outcome, or relates a value to what it comes from.
pub(super) fn is_shown(contract: &Contract, table: &testsmith_contracts::Table) -> bool {
    match (&contract.kind, &contract.formula) {
        (Kind::Panics | Kind::Outcome | Kind::Unchanged, _) => true,
        (_, Formula::Always(Atom::Constant(..))) => true,
        // That a part of an answer is there is no news.
        (Kind::Ensures, Formula::Always(Atom::Is(column, _))) => {
            !table.columns()[*column].name.ends_with("()")
                || table.columns()[*column].name == "result.is_some()"
                || table.columns()[*column].name == "result.is_ok()"
                || !table.columns()[*column].name.ends_with(".is_some()")
        }
        (Kind::Equation, Formula::Always(atom)) => {
            let columns = atom.columns();
            let of = &table.columns()[columns[0]];
            let is_own_past = |column: &usize| table.columns()[*column].name == of.name;
            of.is_result
                || columns[1..]
                    .iter()
                    .any(|column| is_own_past(column) || table.columns()[*column].is_argument)
        }
        _ => false,
    }
}
