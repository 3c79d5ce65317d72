//! New trees: [`Grower`] grows one for a callable, or for a type.

use testsmith_ir::random::{Literals, Parameter, Rng};
use testsmith_ir::{Accepts, Api, TypeId};

use super::bank::Bank;
use super::function_set::FunctionSet;
use super::node::{Node, What};

/// Lists have fewer elements.
const MAX_LIST: usize = 4;

/// Of a hundred arguments that could be either, so many are literals and not calls.
const LITERALS: u8 = 75;

/// Of a hundred arguments that could be like another one so many are.
const ALIKE: u8 = 15;

/// Where no depth is left, a call may cost so many statements more than the cheapest, in half of the cases: of calls that
/// give what they take there could be no end.
const SPARE: usize = 1;

/// What trees are grown from.
pub(super) struct Grower<'a> {
    pub(super) api: &'a Api,
    pub(super) set: FunctionSet,
    pub(super) literals: Literals,
    pub(super) rng: Rng,
    pub(super) bank: Bank,
    /// Of a hundred arguments so many are from the bank, if it has one.
    pub(super) reuse: u8,
    /// What the argument at hand is for.
    pub(super) parameter: Option<Parameter>,
}

impl Grower<'_> {
    /// A tree with an entry at its top and at most so many nodes below each other, if that is enough.
    pub(super) fn entry(&mut self, at: usize, depth: usize) -> Option<Node> {
        let outer = self.parameter;
        let node = self.call(at, depth);
        self.parameter = outer;
        node
    }

    fn call(&mut self, at: usize, depth: usize) -> Option<Node> {
        let entry = self.set.entry(at);
        let params = self.api[entry.callable].params.len();
        let mut children = Vec::with_capacity(params);
        for param in 0..params {
            self.parameter = Some(Parameter { callable: entry.callable, at: param });
            let is_list = matches!(self.api[entry.callable].params[param].accepts, Accepts::List(_));
            let types = self.set.accepted(at, param);
            // A list costs nothing because it may be empty. Elements that have to be made could need lists in turn, for ever.
            let is_free = depth > 0 || types.iter().any(|ty| self.api[*ty].literal.is_some());
            let count = match is_list {
                true if is_free => self.rng.below(MAX_LIST),
                true => 0,
                false => 1,
            };
            for _ in 0..count {
                let alike = self.alike(&types, &children);
                match alike.or_else(|| self.one_of(&types, depth.saturating_sub(1))) {
                    Some(child) => children.push(child),
                    None if is_list => break,
                    None => return None,
                }
            }
        }
        Some(Node { ty: entry.ty, what: What::Entry(at), children })
    }

    /// Sometimes a copy of an argument beside it: independent ones are never equal.
    fn alike(&mut self, types: &[TypeId], beside: &[Node]) -> Option<Node> {
        if beside.is_empty() || !self.rng.percent(ALIKE) {
            return None;
        }
        self.rng.one_of(beside.iter().filter(|node| types.contains(&node.ty))).cloned()
    }

    /// Another tree in the place of one: of a literal, in half of the cases one that is near.
    pub(super) fn instead_of(&mut self, old: &Node, depth: usize) -> Option<Node> {
        match &old.what {
            What::Literal(value) if self.rng.once_in(2) => {
                Some(Node::literal(old.ty, self.literals.vary(value, &mut self.rng)))
            }
            _ => self.one_of(&[old.ty], depth),
        }
    }

    /// A tree that provides one of these types: a proven one, or a new one.
    pub(super) fn one_of(&mut self, types: &[TypeId], depth: usize) -> Option<Node> {
        if self.rng.percent(self.reuse)
            && let Some(tree) = self.bank.one_of(types, &mut self.rng)
        {
            return Some(tree.clone());
        }
        self.new_of(types, depth)
    }

    fn new_of(&mut self, types: &[TypeId], depth: usize) -> Option<Node> {
        let (api, set) = (self.api, &self.set);
        let literals: Vec<TypeId> = types.iter().copied().filter(|ty| api[*ty].literal.is_some()).collect();
        let entries = || types.iter().flat_map(|ty| set.providing(*ty).iter().copied());
        let makes_anew = |at: &usize| set.entry(*at).item.is_none();
        // Where the user has named a helper, it makes what other callables would make anew.
        let is_helper = |at: &usize| api.guidance.helpers.contains(&set.entry(*at).callable);
        let helpers: Vec<usize> = entries().filter(|at| makes_anew(at) && is_helper(at)).collect();
        if depth == 0 {
            if !literals.is_empty() {
                return self.literal(&literals);
            }
            // Of chains there is no end; of what makes something anew, the shortest are.
            let is_wanted = |at: &usize| makes_anew(at) && (helpers.is_empty() || helpers.contains(at));
            let makers = || entries().filter(is_wanted);
            let cheapest = makers().map(|at| set.cost(at)).min()?;
            let most = cheapest + if self.rng.once_in(2) { SPARE } else { 0 };
            let chosen = self.rng.one_of(makers().filter(|at| set.cost(*at) <= most));
            return self.entry(chosen?, 0);
        }
        if !literals.is_empty() && (entries().next().is_none() || self.rng.percent(LITERALS)) {
            return self.literal(&literals);
        }
        let chosen = self.rng.one_of(entries())?;
        let helper = if makes_anew(&chosen) { self.rng.one(&helpers).copied() } else { None };
        self.entry(helper.unwrap_or(chosen), depth)
    }

    fn literal(&mut self, types: &[TypeId]) -> Option<Node> {
        let ty = *self.rng.one(types)?;
        let value = self.literals.literal(self.parameter, self.api[ty].literal?, &mut self.rng);
        Some(Node::literal(ty, value))
    }
}
