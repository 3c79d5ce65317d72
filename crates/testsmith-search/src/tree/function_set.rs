//! The function set: what trees are made of ([`FunctionSet`]).
//!
//! An entry is a callable together with one thing that it provides: its result, or the object behind a parameter, which
//! its caller has in another state afterwards. `push` of a stack has two: the result, and the stack. In the purified set
//! (Ribeiro et al. 2009, §4.2) a parameter is provided only where the call may change what it refers to: an entry `len`
//! that provides the stack would give back what it got.

use std::collections::BTreeMap;

use testsmith_ir::{Accepts, Api, CallableId, Mode, TypeId};

/// A callable and one thing that it provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What is called.
    pub callable: CallableId,
    /// The parameter whose object is provided; the result if there is none.
    pub item: Option<usize>,
    /// The type of what is provided.
    pub ty: TypeId,
}

/// All entries, by what they provide.
#[derive(Clone, Debug)]
pub struct FunctionSet {
    entries: Vec<Entry>,
    by_type: BTreeMap<TypeId, Vec<usize>>,
    /// By type: the fewest statements that make a value of it.
    costs: Vec<Option<usize>>,
}

impl FunctionSet {
    /// The set of an API. `changes` says of each callable and parameter whether a call may change what the argument
    /// refers to; without, whatever is borrowed is provided.
    pub fn new(api: &Api, changes: Option<&[Vec<bool>]>) -> FunctionSet {
        let mut entries = Vec::new();
        for (callable, signature) in api.callables() {
            entries.push(Entry { callable, item: None, ty: signature.output });
            for (item, param) in signature.params.iter().enumerate() {
                let is_provided = changes.is_none_or(|changes| changes[callable.0 as usize][item]);
                let types = lent(api, param.accepts).into_iter().filter(|_| is_provided);
                entries.extend(types.map(|ty| Entry { callable, item: Some(item), ty }));
            }
        }
        let costs = costs(api);
        entries.retain(|entry| {
            let mut params = api[entry.callable].params.iter();
            params.all(|param| cheapest(api, &costs, param.accepts).is_some())
        });
        let mut by_type: BTreeMap<TypeId, Vec<usize>> = BTreeMap::new();
        for (at, entry) in entries.iter().enumerate() {
            by_type.entry(entry.ty).or_default().push(at);
        }
        FunctionSet { entries, by_type, costs }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry of a number.
    pub(super) fn entry(&self, at: usize) -> Entry {
        self.entries[at]
    }

    /// The entry that is a call of this callable for its own sake.
    pub(super) fn call_of(&self, callable: CallableId) -> Option<usize> {
        self.entries.iter().position(|entry| entry.callable == callable && entry.item.is_none())
    }

    /// Entries that provide a type.
    pub(super) fn providing(&self, ty: TypeId) -> &[usize] {
        self.by_type.get(&ty).map(Vec::as_slice).unwrap_or_default()
    }

    /// The fewest statements that make a value of a type; `None` if none do.
    pub(super) fn cost(&self, ty: TypeId) -> Option<usize> {
        self.costs[ty.0 as usize]
    }

    /// The fewest statements of a tree with this entry at its top.
    pub(super) fn entry_cost(&self, api: &Api, at: usize) -> usize {
        let entry = &self.entries[at];
        let params = api[entry.callable].params.iter().enumerate();
        let each = params.map(|(number, _)| {
            let types = self.accepted(api, entry, number);
            types.into_iter().filter_map(|ty| self.cost(ty)).min().unwrap_or(0)
        });
        each.sum::<usize>() + 1
    }

    /// The types that an argument of an entry may have. What is provided has to be the object itself.
    pub(super) fn accepted(&self, api: &Api, entry: &Entry, param: usize) -> Vec<TypeId> {
        if entry.item == Some(param) {
            return vec![entry.ty];
        }
        let accepts = api[entry.callable].params[param].accepts;
        fitting(api, accepts).filter(|ty| self.cost(*ty).is_some()).collect()
    }
}

fn fitting(api: &Api, accepts: Accepts) -> impl Iterator<Item = TypeId> {
    api.types().map(|(ty, _)| ty).filter(move |ty| api.fit(accepts, *ty).is_some())
}

/// Types whose values a parameter only borrows.
fn lent(api: &Api, accepts: Accepts) -> Vec<TypeId> {
    let is_lent = |ty: &TypeId| {
        let fit = api.fit(accepts, *ty);
        fit.is_some_and(|fit| matches!(fit.mode, Mode::Shared | Mode::Exclusive) && !fit.through)
    };
    api.types().map(|(ty, _)| ty).filter(is_lent).collect()
}

fn cheapest(api: &Api, costs: &[Option<usize>], accepts: Accepts) -> Option<usize> {
    if matches!(accepts, Accepts::List(_)) {
        return Some(0);
    }
    fitting(api, accepts).filter_map(|ty| costs[ty.0 as usize]).min()
}

/// The fewest statements that make a value of each type: from literals upwards, until nothing gets cheaper.
fn costs(api: &Api) -> Vec<Option<usize>> {
    let mut costs: Vec<Option<usize>> = api.types.iter().map(|ty| ty.literal.map(|_| 1)).collect();
    loop {
        let mut is_cheaper = false;
        for callable in &api.callables {
            let parts: Option<usize> =
                callable.params.iter().map(|param| cheapest(api, &costs, param.accepts)).sum();
            let Some(cost) = parts.map(|parts| parts + 1) else { continue };
            let known = &mut costs[callable.output.0 as usize];
            if known.is_none_or(|known| cost < known) {
                *known = Some(cost);
                is_cheaper = true;
            }
        }
        if !is_cheaper {
            return costs;
        }
    }
}
