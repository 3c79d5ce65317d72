//! Where arguments can come from: for each kind of parameter its literals and its producers, with what they cost.

use std::collections::HashMap;

use super::construction_paths::ConstructionPath;
use crate::api::{Accepts, Api, CallableId, LiteralKind, TypeId};
use crate::program::Mode;

/// What can be made, and with how many statements.
pub(super) struct Sources {
    /// By [`CallableId`]: an index into `kinds` for each parameter.
    params: Vec<Vec<usize>>,
    kinds: Vec<Kind>,
    /// By [`CallableId`]: the fewest statements that make its arguments and call it.
    costs: Vec<Option<usize>>,
    /// By [`CallableId`]: whether it is not called.
    shunned: Vec<bool>,
}

/// A kind of parameter.
pub(super) struct Kind {
    pub(super) accepts: Accepts,
    pub(super) literals: Vec<Maker<TypeId>>,
    pub(super) producers: Vec<Maker<CallableId>>,
    /// Those of the producers that the user prefers.
    pub(super) helpers: Vec<Maker<CallableId>>,
    /// Construction paths that have worked, where most do not.
    pub(super) kept: Vec<(ConstructionPath, Mode)>,
    /// The fewest statements that give an argument; none for a list, which may be empty.
    pub(super) cost: usize,
}

/// A way to make an argument.
#[derive(Clone, Copy)]
pub(super) struct Maker<Id> {
    pub(super) id: Id,
    pub(super) mode: Mode,
    pub(super) literal: Option<LiteralKind>,
    pub(super) cost: usize,
}

impl Sources {
    pub(super) fn new(api: &Api) -> Sources {
        let mut ids: HashMap<Accepts, usize> = HashMap::new();
        let mut accepted: Vec<Accepts> = Vec::new();
        let mut id = |accepts: Accepts| {
            *ids.entry(accepts).or_insert_with(|| {
                accepted.push(accepts);
                accepted.len() - 1
            })
        };
        let params: Vec<Vec<usize>> = api
            .callables
            .iter()
            .map(|it| it.params.iter().map(|param| id(param.accepts)).collect())
            .collect();
        let fits: Vec<_> = accepted.iter().map(|accepts| fits(api, *accepts)).collect();
        let costs = costs(api, &params, &accepted, &fits);
        let kind = |(accepts, fits): (&Accepts, &Vec<(TypeId, Mode)>)| kind(api, *accepts, fits, &costs);
        let kinds = accepted.iter().zip(&fits).map(kind).collect();
        Sources { params, kinds, costs, shunned: vec![false; api.callables.len()] }
    }

    /// Says which callables are not called. What others cost stays as it is: it is a guess from then on.
    pub(super) fn shun(&mut self, is_shunned: impl Fn(CallableId) -> bool) {
        (0..).map(CallableId).zip(&mut self.shunned).for_each(|(id, shunned)| *shunned = is_shunned(id));
    }

    /// Keeps a way to come by a value of a type, for all kinds of parameters that take one.
    pub(super) fn keep(&mut self, api: &Api, ty: TypeId, way: &ConstructionPath) {
        for kind in &mut self.kinds {
            if let Some(fit) = api.fit(kind.accepts, ty) {
                kind.kept.push((way.clone(), fit.mode));
            }
        }
    }

    pub(super) fn is_shunned(&self, callable: CallableId) -> bool {
        self.shunned[callable.0 as usize]
    }

    /// The fewest statements with which a callable can be called; `None` if it cannot be.
    pub(super) fn cost(&self, callable: CallableId) -> Option<usize> {
        self.costs[callable.0 as usize]
    }

    /// The kinds of a callable's parameters.
    pub(super) fn params(&self, callable: CallableId) -> impl ExactSizeIterator<Item = &Kind> {
        self.params[callable.0 as usize].iter().map(|kind| &self.kinds[*kind])
    }
}

/// The types that a parameter takes.
fn fits(api: &Api, accepts: Accepts) -> Vec<(TypeId, Mode)> {
    api.types().filter_map(|(ty, _)| Some((ty, api.fit(accepts, ty)?.mode))).collect()
}

/// Costs of all callables: from those without parameters upwards, until nothing gets cheaper.
fn costs(
    api: &Api,
    params: &[Vec<usize>],
    accepted: &[Accepts],
    fits: &[Vec<(TypeId, Mode)>],
) -> Vec<Option<usize>> {
    let literal = |ty: &crate::api::Type| ty.literal.is_some().then_some(1);
    let mut of_types: Vec<Option<usize>> = api.types.iter().map(literal).collect();
    let mut of_callables = vec![None; api.callables.len()];
    loop {
        let of_kind = |(accepts, fits): (&Accepts, &Vec<(TypeId, Mode)>)| match accepts {
            Accepts::List(_) => Some(0),
            _ => fits.iter().filter_map(|(ty, _)| of_types[ty.0 as usize]).min(),
        };
        let of_kinds: Vec<Option<usize>> = accepted.iter().zip(fits).map(of_kind).collect();
        let mut is_cheaper = false;
        for (index, callable) in api.callables.iter().enumerate() {
            let parts: Option<usize> = params[index].iter().map(|kind| of_kinds[*kind]).sum();
            let Some(cost) = parts.map(|parts| parts + 1) else { continue };
            of_callables[index] = Some(cost);
            let output = &mut of_types[callable.output.0 as usize];
            if output.is_none_or(|known| cost < known) {
                *output = Some(cost);
                is_cheaper = true;
            }
        }
        if !is_cheaper {
            return of_callables;
        }
    }
}

fn kind(api: &Api, accepts: Accepts, fits: &[(TypeId, Mode)], costs: &[Option<usize>]) -> Kind {
    let mut literals = Vec::new();
    let mut producers = Vec::new();
    for (ty, mode) in fits.iter().copied() {
        if let Some(kind) = api[ty].literal {
            literals.push(Maker { id: ty, mode, literal: Some(kind), cost: 1 });
        }
        let made = api.callables().filter(|(_, callable)| callable.output == ty);
        producers.extend(made.filter_map(|(id, _)| {
            let cost = costs[id.0 as usize]?;
            Some(Maker { id, mode, literal: None, cost })
        }));
    }
    producers.sort_by_key(|producer| producer.cost);
    let is_helper = |maker: &&Maker<CallableId>| api.guidance.helpers.contains(&maker.id);
    let helpers = producers.iter().filter(is_helper).copied().collect();
    let cheapest = producers.first().map(|producer| producer.cost);
    let cost = match accepts {
        Accepts::List(_) => 0,
        _ if !literals.is_empty() => 1,
        _ => cheapest.unwrap_or(usize::MAX),
    };
    Kind { accepts, literals, producers, helpers, kept: Vec::new(), cost }
}
