//! Precondition reduction: programs whose calls violate what held in all calls so far ([`targets`], [`programs`]).
//!
//! A target is a condition that no call has met yet, or one that decides how calls end: it is met right at its boundary
//! first. Objects whose answers are known are chosen by them; what can only be asked with arguments is found out by running
//! the program.

use testsmith_ir::{Accepts, Api, CallableId, Program};

use crate::atom::{Atom, Op};
use crate::compose::{Composer, Wish, object_type};
use crate::contract::{Contract, Formula};
use crate::record::Tables;
use crate::table::{Table, When};
use crate::template::conditions;

/// Objects that are tried for a target, as in the paper.
const MOST_OBJECTS: usize = 45;
/// Targets of one callable.
const MOST_TARGETS: usize = 40;
/// Programs for a target whose objects cannot be chosen.
const BLIND: usize = 12;

/// A condition that the next calls of a callable should meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What is called.
    pub callable: CallableId,
    /// What should hold before.
    pub atom: Atom,
}

/// What to try for a callable: the opposite of all that held before every call that came back, and both sides of what
/// its contracts say decides something.
pub fn targets(callable: CallableId, table: &Table, contracts: &[Contract]) -> Vec<Target> {
    let target = |atom| Target { callable, atom };
    let mut all: Vec<Target> = Vec::new();
    for contract in contracts {
        let any: Vec<&Vec<Atom>> = match &contract.formula {
            Formula::Panics { any, .. } | Formula::Exactly { any, .. } => any.iter().collect(),
            Formula::If { when, .. } => vec![when],
            Formula::Always(_) => Vec::new(),
        };
        for atom in any.into_iter().flatten() {
            all.push(target(*atom));
            all.extend(atom.negated().map(target));
        }
    }
    let returned = table.returned();
    let panicked = table.panicked();
    for condition in conditions(table) {
        // It held before every call that came back, and no panic shows that it has to.
        let is_unchallenged = returned.is_within(&condition.holds)
            && condition.known.common(&panicked) == condition.holds.common(&panicked);
        if is_unchallenged && !returned.is_empty() {
            all.extend(condition.atom.negated().map(target));
        }
    }
    let mut distinct: Vec<Target> = Vec::new();
    for target in all {
        if !distinct.contains(&target) {
            distinct.push(target);
        }
    }
    distinct.truncate(MOST_TARGETS);
    distinct
}

/// Programs whose last call meets a target, as far as that is known.
pub fn programs(api: &Api, composer: &mut Composer<'_>, tables: &Tables, target: &Target) -> Vec<Program> {
    let table = &tables.callables[&target.callable];
    let wishes = wishes(api, tables, table, target);
    let each = match wishes.len() {
        0 => return Vec::new(),
        many => (MOST_OBJECTS / many).max(1).min(if many == 1 { BLIND } else { MOST_OBJECTS }),
    };
    let mut all = Vec::new();
    for wish in &wishes {
        all.extend((0..each).filter_map(|_| composer.compose_with(tables, target.callable, wish)));
    }
    all
}

/// How arguments have to be chosen.
fn wishes(api: &Api, tables: &Tables, table: &Table, target: &Target) -> Vec<Wish> {
    let params = &api[target.callable].params;
    let param_of = |name: &str| {
        let is_it = |param: &testsmith_ir::Param| {
            name == param.name || name.strip_prefix(&param.name).is_some_and(|rest| rest.starts_with('.'))
        };
        params.iter().position(is_it)
    };
    let number = |column: usize| {
        let of = &table.columns()[column];
        let param = param_of(&of.name)?;
        (of.when == When::Always
            && matches!(params[param].accepts, Accepts::Value(_))
            && of.name == params[param].name)
            .then_some(param)
    };
    let object = |column: usize| {
        let of = &table.columns()[column];
        let param = param_of(&of.name)?;
        let rest = of.name.strip_prefix(&params[param].name)?;
        (of.when == When::Before && of.is_alone && !of.is_state).then(|| (param, format!("self{rest}")))
    };
    if let Atom::Compare(left, op, right) = target.atom {
        let sides = [(left, right, false), (right, left, true)];
        for (one, other, is_swapped) in sides {
            if let (Some(number), Some((object, name))) = (number(one), object(other)) {
                let near = Some((number, object, name));
                return distances(op, is_swapped)
                    .iter()
                    .map(|distance| Wish { near: near.clone(), distance: *distance, ..Wish::default() })
                    .collect();
            }
        }
    }
    let columns = target.atom.columns();
    let asked: Vec<_> = columns.iter().map(|column| object(*column)).collect();
    let first = asked.first().cloned().flatten();
    match first {
        Some((param, _)) if asked.iter().all(|it| it.as_ref().is_some_and(|(of, _)| *of == param)) => {
            let names: Vec<&String> = asked.iter().flatten().map(|(_, name)| name).collect();
            let objects = objects(api, tables, target, param, &columns, &names);
            let mut wish = Wish { objects: vec![None; params.len()], ..Wish::default() };
            wish.objects[param] = Some(objects);
            vec![wish]
        }
        _ => vec![Wish::default()],
    }
}

/// How far a number is from what it is compared with, the boundary first.
fn distances(op: Op, is_swapped: bool) -> &'static [i128] {
    match (op, is_swapped) {
        (Op::Eq, _) => &[0],
        (Op::Ne, _) => &[1, -1],
        (Op::Lt, false) => &[-1, -2],
        (Op::Lt, true) => &[1, 2],
        (Op::Le, false) => &[0, -1],
        (Op::Le, true) => &[0, 1],
    }
}

/// The objects of a parameter whose answers make the target hold.
fn objects(
    api: &Api,
    tables: &Tables,
    target: &Target,
    param: usize,
    columns: &[usize],
    names: &[&String],
) -> Vec<usize> {
    let Some(ty) = object_type(api, api[target.callable].params[param].accepts) else { return Vec::new() };
    let (Some(objects), Some(table)) = (tables.objects.get(&ty), tables.types.get(&ty)) else {
        return Vec::new();
    };
    let find = |name: &String| table.columns().iter().position(|column| column.name == *name);
    let Some(found) = names.iter().map(|name| find(name)).collect::<Option<Vec<usize>>>() else {
        return Vec::new();
    };
    let new = |column: usize| columns.iter().position(|it| *it == column).map_or(column, |at| found[at]);
    let atom = match target.atom {
        Atom::Is(column, is) => Atom::Is(new(column), is),
        Atom::Compare(left, op, right) => Atom::Compare(new(left), op, new(right)),
        Atom::Constant(column, op, value) => Atom::Constant(new(column), op, value),
        _ => return Vec::new(),
    };
    let holds = |at: &usize| atom.holds(table, objects[*at].row) == Some(true);
    (0..objects.len()).filter(holds).collect()
}
