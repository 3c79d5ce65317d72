//! Calls that were seen to bring a condition about: [`transitions`].
//!
//! A transition is a callable and a mapping `μ` of the arguments of the call that is to be made to its own: the objects that
//! it is made for take part in it. Of what no row shows, the define/use edges of the dependence graph say what may do it.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_ir::{Accepts, Api, CallableId, TypeId};

use crate::atom::Atom;
use crate::compose::object_type;
use crate::probe::Subject;
use crate::record::Tables;
use crate::table::{Table, When};

/// By query: the callables that define what it uses.
pub type Definers = BTreeMap<CallableId, BTreeSet<CallableId>>;

/// A call before the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    /// What is called.
    pub(crate) callable: CallableId,
    /// By its parameter, the parameter of the call that follows whose object it gets.
    pub(crate) map: Vec<Option<usize>>,
    /// Rows that show it.
    pub(crate) shown: usize,
}

/// Calls that make a condition of one object true that was false, those that were seen most often first.
pub(crate) fn transitions(
    api: &Api,
    definers: &Definers,
    tables: &Tables,
    callable: CallableId,
    clause: &Atom,
) -> Vec<Transition> {
    let table = &tables.callables[&callable];
    let Some((param, rests)) = about(api, table, callable, clause) else { return Vec::new() };
    let Some(ty) = object_type(api, api[callable].params[param].accepts) else { return Vec::new() };
    let queries: BTreeSet<CallableId> = clause
        .columns()
        .into_iter()
        .filter_map(|column| match table.columns()[column].source.as_ref()?.0 {
            Subject::Query(query, _) => Some(query),
            _ => None,
        })
        .collect();
    let mut all = Vec::new();
    for (step, its) in &tables.callables {
        for (at, of) in api[*step].params.iter().enumerate() {
            if of.accepts != Accepts::Exclusive(ty) {
                continue;
            }
            let shown = brings_about(its, &of.name, clause, &rests);
            let may = queries.iter().any(|query| definers.get(query).is_some_and(|all| all.contains(step)));
            if shown > 0 || may {
                all.push(Transition {
                    callable: *step,
                    map: map(api, callable, param, *step, at, ty),
                    shown,
                });
            }
        }
    }
    all.sort_by_key(|it| (std::cmp::Reverse(it.shown), it.callable));
    all
}

/// The one parameter that a clause is about, and of each of its columns what stands behind the name of it.
fn about(
    api: &Api,
    table: &Table,
    callable: CallableId,
    clause: &Atom,
) -> Option<(usize, Vec<(usize, String)>)> {
    let mut found = None;
    let mut rests = Vec::new();
    for column in clause.columns() {
        let of = &table.columns()[column];
        if of.when != When::Before || !of.is_alone || of.is_state {
            return None;
        }
        let rest = |name: &str| of.name.strip_prefix(name).filter(|rest| rest.starts_with('.'));
        let (param, rest) = api[callable]
            .params
            .iter()
            .enumerate()
            .find_map(|(at, param)| rest(&param.name).map(|it| (at, it)))?;
        if found.is_some_and(|known| known != param) {
            return None;
        }
        found = Some(param);
        rests.push((column, rest.to_owned()));
    }
    found.map(|param| (param, rests))
}

/// In how many rows of another callable a clause was false before, and true afterwards, of this operand.
fn brings_about(table: &Table, name: &str, clause: &Atom, rests: &[(usize, String)]) -> usize {
    let columns = |when| -> Option<Vec<(usize, usize)>> {
        rests
            .iter()
            .map(|(column, rest)| Some((*column, table.find(&format!("{name}{rest}"), when)?)))
            .collect()
    };
    let (Some(before), Some(after)) = (columns(When::Before), columns(When::After)) else { return 0 };
    let holds = |columns: &[(usize, usize)], row: usize| {
        clause.holds_for(|column| {
            let found = columns.iter().find(|(of, _)| *of == column);
            found.map(|(_, other)| table.cell(*other, row)).unwrap_or_default()
        })
    };
    let is_brought = |row: &usize| holds(&before, *row) == Some(false) && holds(&after, *row) == Some(true);
    (0..table.len()).filter(is_brought).count()
}

/// The object in question is the operand that is changed; others of the call go where their types fit.
fn map(
    api: &Api,
    callable: CallableId,
    param: usize,
    step: CallableId,
    changed: usize,
    ty: TypeId,
) -> Vec<Option<usize>> {
    let params = &api[callable].params;
    let other = |accepts: Accepts| {
        let wanted = object_type(api, accepts)?;
        // What the step consumes is lost for the call.
        let is_lent = matches!(accepts, Accepts::Shared(_));
        let fits = |at: &usize| *at != param && object_type(api, params[*at].accepts) == Some(wanted);
        (0..params.len()).find(fits).filter(|_| is_lent && wanted == ty)
    };
    let each =
        |(at, of): (usize, &testsmith_ir::Param)| if at == changed { Some(param) } else { other(of.accepts) };
    api[step].params.iter().enumerate().map(each).collect()
}
