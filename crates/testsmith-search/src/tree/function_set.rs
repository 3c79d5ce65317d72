//! The function set: what trees are made of ([`FunctionSet`]).
//!
//! An entry is a callable together with one thing that it provides: its result, or the object behind a parameter, which
//! its caller has in another state afterwards. `push` of a stack has two: the result, and the stack. In the purified set
//! (Ribeiro et al. 2009, §4.2) a parameter is provided only where the call may change what it refers to: an entry `len`
//! that provides the stack would give back what it got.

use std::collections::{BTreeMap, HashMap};

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
    /// By callable and parameter: the types that an argument may have, as far as values of them can be made.
    accepted: Vec<Vec<Vec<TypeId>>>,
    /// By entry: the fewest statements of a tree with it at the top.
    costs: Vec<usize>,
}

impl FunctionSet {
    /// The set of an API. `changes` says of each callable and parameter whether a call may change what the argument
    /// refers to; without, whatever is borrowed is provided.
    pub fn new(api: &Api, changes: Option<&[Vec<bool>]>) -> FunctionSet {
        let fits = Fits::new(api);
        let costs = fits.costs(api);
        let is_made = |ty: &TypeId| costs[ty.0 as usize].is_some();
        let types = |accepts: Accepts| fits.of(accepts).iter().copied().filter(is_made).collect::<Vec<_>>();
        let accepted: Vec<Vec<Vec<TypeId>>> = api
            .callables
            .iter()
            .map(|callable| callable.params.iter().map(|param| types(param.accepts)).collect())
            .collect();
        let mut entries = Vec::new();
        for (callable, signature) in api.callables() {
            let mut params = signature.params.iter();
            if !params.all(|param| fits.cheapest(&costs, param.accepts).is_some()) {
                continue;
            }
            entries.push(Entry { callable, item: None, ty: signature.output });
            for (item, param) in signature.params.iter().enumerate() {
                let is_provided = changes.is_none_or(|changes| changes[callable.0 as usize][item]);
                let types = accepted[callable.0 as usize][item].iter().copied().filter(|_| is_provided);
                let lent = types.filter(|ty| is_lent(api, param.accepts, *ty));
                entries.extend(lent.map(|ty| Entry { callable, item: Some(item), ty }));
            }
        }
        let mut by_type: BTreeMap<TypeId, Vec<usize>> = BTreeMap::new();
        for (at, entry) in entries.iter().enumerate() {
            by_type.entry(entry.ty).or_default().push(at);
        }
        let cost = |entry: &Entry| {
            let params = api[entry.callable].params.iter();
            params.filter_map(|param| fits.cheapest(&costs, param.accepts)).sum::<usize>() + 1
        };
        FunctionSet { costs: entries.iter().map(cost).collect(), entries, by_type, accepted }
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

    /// The fewest statements of a tree with this entry at its top.
    pub(super) fn cost(&self, at: usize) -> usize {
        self.costs[at]
    }

    /// The types that an argument of an entry may have. What is provided has to be the object itself.
    pub(super) fn accepted(&self, at: usize, param: usize) -> Vec<TypeId> {
        let entry = &self.entries[at];
        match entry.item == Some(param) {
            true => vec![entry.ty],
            false => self.accepted[entry.callable.0 as usize][param].clone(),
        }
    }
}

/// Whether a parameter borrows a value of a type, which its caller has afterwards.
fn is_lent(api: &Api, accepts: Accepts, ty: TypeId) -> bool {
    let fit = api.fit(accepts, ty);
    fit.is_some_and(|fit| matches!(fit.mode, Mode::Shared | Mode::Exclusive) && !fit.through)
}

/// The types that each kind of parameter takes.
struct Fits(HashMap<Accepts, Vec<TypeId>>);

impl Fits {
    fn new(api: &Api) -> Fits {
        let mut fits = HashMap::new();
        for param in api.callables.iter().flat_map(|callable| &callable.params) {
            fits.entry(param.accepts).or_insert_with(|| {
                let types = api.types().map(|(ty, _)| ty);
                types.filter(|ty| api.fit(param.accepts, *ty).is_some()).collect()
            });
        }
        Fits(fits)
    }

    fn of(&self, accepts: Accepts) -> &[TypeId] {
        &self.0[&accepts]
    }

    fn cheapest(&self, costs: &[Option<usize>], accepts: Accepts) -> Option<usize> {
        if matches!(accepts, Accepts::List(_)) {
            return Some(0);
        }
        self.of(accepts).iter().filter_map(|ty| costs[ty.0 as usize]).min()
    }

    /// The fewest statements that make a value of each type: from literals upwards, until nothing gets cheaper.
    fn costs(&self, api: &Api) -> Vec<Option<usize>> {
        let mut costs: Vec<Option<usize>> = api.types.iter().map(|ty| ty.literal.map(|_| 1)).collect();
        loop {
            let mut is_cheaper = false;
            for callable in &api.callables {
                let parts = callable.params.iter().map(|param| self.cheapest(&costs, param.accepts));
                let Some(cost) = parts.sum::<Option<usize>>().map(|parts| parts + 1) else { continue };
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
}
