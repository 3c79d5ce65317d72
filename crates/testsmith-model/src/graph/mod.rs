//! The dependence graph of a crate: members (what can be called) and types, with what each member needs and provides;
//! which of that is worth a call, because something changes; and which fields each member defines and uses.
//!
//! [`Graph::new`] joins the API with the effects: `join` finds the effects of each origin, `align` tells which parameter
//! of a callable is which of the function, `names` folds types into nodes, `edges` connects, `callers` says which callables
//! lead to a function. The graph and its purified
//! form are those of the eCrash approach: see docs/internals/effects.md.

mod align;
mod callers;
mod edges;
mod join;
mod names;

#[cfg(test)]
mod tests;

pub use callers::Callers;

use std::collections::BTreeSet;
use std::fmt;

use testsmith_ir::api::{Accepts, Api, Callable, CallableId, TypeId};

use crate::api::{Model, OriginKind, SourcePlace};
use crate::effects::{Cause, Effects, Field, FunctionEffects, Purity};

/// What a type has to do with a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// It is the receiver's.
    Receiver,
    /// It is that of the parameter of this number; the first one behind the receiver is 1.
    Parameter(usize),
    /// It is the result's.
    Result,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Receiver => f.write_str("receiver"),
            Item::Parameter(number) => write!(f, "parameter {number}"),
            Item::Result => f.write_str("result"),
        }
    }
}

/// What the effects of a member were read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// A body, or a `derive` whose function is known.
    Source,
    /// A declaration: a constructor, a field, a constant.
    Declaration,
    /// The signature alone: nobody sees the body, as of functions that a macro writes.
    Signature,
}

/// A parameter of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// As in the source; `self` for a receiver, `_` for a pattern.
    pub name: String,
    /// Which one it is.
    pub item: Item,
    /// What a call does to the object behind the argument.
    pub purity: Purity,
    /// What that rests on.
    pub cause: Cause,
    /// Something that the argument refers to is changed, not only the argument itself.
    pub is_deep: bool,
    /// The function that changes it, where the member only passes it on.
    pub callee: Option<String>,
    /// The caller loses the argument.
    pub is_consumed: bool,
}

/// Something that can be called, with all its concrete instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// As in [`Origin`](crate::api::Origin).
    pub path: String,
    /// As in [`Origin`](crate::api::Origin).
    pub unit: String,
    /// As in [`Origin`](crate::api::Origin).
    pub kind: OriginKind,
    /// As in [`Origin`](crate::api::Origin).
    pub place: Option<SourcePlace>,
    /// Its instances.
    pub callables: Vec<CallableId>,
    /// The receiver and the parameters, also those that no instance gives, such as closures.
    pub params: Vec<Parameter>,
    /// What it does beyond its parameters.
    pub effects: FunctionEffects,
    /// How that is known.
    pub evidence: Evidence,
}

impl Member {
    /// The name without the unit: `insert`, `Clone::clone`, `& IntoIterator::into_iter`, `major =`.
    pub fn name(&self) -> String {
        let Some((own, rest)) = self.path.strip_prefix('<').and_then(|inner| inner.split_once(" as ")) else {
            return self.path.rsplit("::").next().unwrap_or(&self.path).to_owned();
        };
        let name = rest.replacen(">::", "::", 1);
        let is_unit = own.trim_start_matches('&').trim_start_matches("mut ");
        let sign = &own[..own.len() - is_unit.len()];
        match self.unit.rsplit("::").next() {
            Some(unit) if is_unit.ends_with(unit) => {
                format!("{} {name}", sign.trim_end()).trim_start().to_owned()
            }
            // A trait's unit has the impls for types of others.
            _ => format!("{own}: {}", name.rsplit("::").next().unwrap_or(&name)),
        }
    }

    /// Whether a call changes something that was there before: an argument, a static, the world outside.
    pub fn changes_something(&self) -> bool {
        !self.effects.statics_written.is_empty()
            || !self.effects.io.is_empty()
            || self.params.iter().any(|param| param.purity == Purity::ReadWrite)
    }
}

/// A type of the graph: all references to it and instances of it are one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// Path without the crate's name and without arguments: `Slab`, `map::Iter`.
    pub name: String,
    /// Its values are written as literals, so that no member is needed to make one.
    pub is_plain: bool,
}

/// The direction of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// The member can be called only with a value of the type.
    Needs,
    /// The member makes a value of the type, or has one in its hands that may be another afterwards.
    Provides,
}

/// A dependence between a member and a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// Index of the member.
    pub member: usize,
    /// Its direction.
    pub direction: Direction,
    /// What the type has to do with the member.
    pub item: Item,
    /// Index of the type's node.
    pub node: usize,
    /// It is in the purified graph, too: what is provided is new or changed.
    pub in_purified: bool,
}

/// Members, types and what is between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The members, in the order of the model's origins.
    pub members: Vec<Member>,
    /// The types, by name.
    pub nodes: Vec<Node>,
    /// Sorted.
    pub edges: Vec<Edge>,
    /// By callable.
    instances: Vec<Instance>,
}

/// What is known of a callable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Instance {
    /// None for those of the standard library, which make and open values.
    member: Option<usize>,
    /// Of its parameters.
    purity: Vec<Purity>,
}

/// For callables of the standard library, which know no field of the crate.
static NO_FIELDS: BTreeSet<Field> = BTreeSet::new();

impl Graph {
    /// Joins what can be called with what it does.
    pub fn new(model: &Model, effects: &Effects) -> Graph {
        let mut graph = Graph {
            instances: model.api.callables.iter().map(of_standard_library).collect(),
            ..Graph::default()
        };
        for origin in &model.origins {
            let joined = join::join(&model.api, origin, effects);
            for (id, purity) in joined.member.callables.iter().zip(joined.purity) {
                graph.instances[id.0 as usize] = Instance { member: Some(graph.members.len()), purity };
            }
            graph.members.push(joined.member);
        }
        edges::connect(&mut graph, &model.api, root(model));
        graph
    }

    /// The member that a callable is an instance of; none for the standard library's.
    pub fn member(&self, callable: CallableId) -> Option<&Member> {
        self.instances[callable.0 as usize].member.map(|at| &self.members[at])
    }

    /// What a call does to each of its arguments.
    pub fn purity(&self, callable: CallableId) -> &[Purity] {
        &self.instances[callable.0 as usize].purity
    }

    /// Fields that a call may write, in arguments or in its result.
    pub fn defines(&self, callable: CallableId) -> &BTreeSet<Field> {
        self.member(callable).map_or(&NO_FIELDS, |member| &member.effects.defines)
    }

    /// Fields that a call may read.
    pub fn uses(&self, callable: CallableId) -> &BTreeSet<Field> {
        self.member(callable).map_or(&NO_FIELDS, |member| &member.effects.uses)
    }

    /// Whether an earlier call can make a difference to a later one through a field or a static.
    pub fn may_influence(&self, earlier: CallableId, later: CallableId) -> bool {
        match (self.member(earlier), self.member(later)) {
            (Some(earlier), Some(later)) => earlier.effects.may_influence(&later.effects),
            _ => false,
        }
    }

    /// The types that a call is worth making for: its row of the purified function set. The result comes last;
    /// the number is that of the callable's parameter.
    pub fn provides(&self, api: &Api, callable: CallableId) -> Vec<(Option<usize>, TypeId)> {
        let params = api[callable].params.iter().zip(self.purity(callable)).enumerate();
        let changed = params.filter_map(|(at, (param, purity))| {
            let ty = borrowed(param.accepts).filter(|_| *purity == Purity::ReadWrite)?;
            Some((Some(at), ty))
        });
        changed.chain([(None, api[callable].output)]).collect()
    }

    /// The edges of the graph, or of its purified form.
    pub fn edges(&self, purified: bool) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.in_purified || !purified)
    }

    /// The part that has to do with a unit: its members, and those elsewhere that make values of the types that its
    /// members are called on. Indices of members.
    pub fn neighbourhood(&self, unit: &str) -> BTreeSet<usize> {
        let own: BTreeSet<usize> =
            (0..self.members.len()).filter(|at| self.members[*at].unit == unit).collect();
        let of_own = |edge: &&Edge| own.contains(&edge.member);
        let receivers: BTreeSet<usize> = self
            .edges
            .iter()
            .filter(of_own)
            .filter(|edge| edge.item == Item::Receiver)
            .map(|edge| edge.node)
            .collect();
        let makes = |edge: &&Edge| {
            edge.direction == Direction::Provides && edge.in_purified && receivers.contains(&edge.node)
                || edge.direction == Direction::Needs
                    && matches!(edge.item, Item::Parameter(_))
                    && receivers.contains(&edge.node)
        };
        let around = self.edges.iter().filter(makes).map(|edge| edge.member);
        own.iter().copied().chain(around).collect()
    }
}

/// The name of the crate.
fn root(model: &Model) -> &str {
    let first = model.origins.first().and_then(|origin| origin.unit.split("::").next());
    first.unwrap_or_default()
}

/// The type behind a reference.
fn borrowed(accepts: Accepts) -> Option<TypeId> {
    match accepts {
        Accepts::Shared(ty) | Accepts::Exclusive(ty) | Accepts::Slice(ty) | Accepts::SliceMut(ty) => Some(ty),
        Accepts::Value(_)
        | Accepts::List(_)
        | Accepts::Text
        | Accepts::Path
        | Accepts::OsText
        | Accepts::CText => None,
    }
}

/// What makes and opens values of the standard library's types does what its signature says.
fn of_standard_library(callable: &Callable) -> Instance {
    let purity = callable.params.iter().enumerate().map(|(at, param)| match param.accepts {
        Accepts::Exclusive(_) | Accepts::SliceMut(_) => Purity::ReadWrite,
        Accepts::Value(_) | Accepts::List(_) => Purity::ReadOnly,
        _ if callable.flows.iter().any(|flow| flow.from == at) => Purity::ReadOnly,
        _ => Purity::Safe,
    });
    Instance { member: None, purity: purity.collect() }
}
