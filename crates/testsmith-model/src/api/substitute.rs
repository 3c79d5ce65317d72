//! What the generics of an item become: each parameter by its bounds, in an order in which one tells of the next.

use super::bounds::is_iteration;
use super::choose;
use super::doc::Generics;
use super::ty::{Arg, Bound, Param, ParamKind, Predicate, Substitution, Ty};
use super::unify::unify;
use super::views;
use super::world::World;

/// What comes first of `I: Iterator<Item = T>`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// `T`, for which an iterator is then found.
    Items,
    /// `I`, which then tells what `T` is.
    Iterators,
}

/// Traits of the standard library of which who has them tells what their argument is.
const TELLING: [&str; 7] = ["Borrow", "From", "Index", "AsRef", "AsMut", "PartialEq", "PartialOrd"];

/// At most so many types for what a closure gives: one that comes from what it is given, and another one.
const MOST_RESULTS: usize = 2;

impl World<'_> {
    /// Choices for the generics that `known` leaves open, at most so many. The n-th candidates go together.
    pub(crate) fn substitutions(
        &self,
        generics: &Generics,
        known: &Substitution,
        most: usize,
    ) -> Vec<Substitution> {
        let maps = self.substitutions_in(Order::Items, generics, known, most);
        if maps.is_empty() { self.substitutions_in(Order::Iterators, generics, known, most) } else { maps }
    }

    fn substitutions_in(
        &self,
        order: Order,
        generics: &Generics,
        known: &Substitution,
        most: usize,
    ) -> Vec<Substitution> {
        let mut first = known.clone();
        self.infer(generics, &mut first);
        let mut maps = vec![first];
        for param in self.in_order(order, generics) {
            let count = maps.len();
            let mut longer = Vec::new();
            for n in 0..most {
                let mut map = maps[n.min(count - 1)].clone();
                if map.contains_key(&param.name) {
                    longer.extend((n < count).then_some(map));
                    continue;
                }
                let candidates = self.choices(order, generics, param, &map);
                // Where the others differ, each has the closure that suits it best; else the closures differ.
                let is_closure = matches!(candidates.first(), Some(Arg::Type(Ty::Closure { .. })));
                let at = if is_closure && count > 1 { 0 } else { n };
                let Some(arg) = candidates.get(at).or(candidates.last()) else { continue };
                if at == n && n < candidates.len() || n < count {
                    map.insert(param.name.clone(), arg.clone());
                    self.infer(generics, &mut map);
                    longer.push(map);
                }
            }
            if longer.is_empty() {
                return Vec::new();
            }
            maps = longer;
        }
        maps
    }

    /// Adds what parameters that are known tell of others: with `I: Iterator<Item = (K, V)>` and an `I`, `K` and `V` are
    /// known. `false` if it cannot be: `I` iterates over something else.
    pub(crate) fn infer(&self, generics: &Generics, map: &mut Substitution) -> bool {
        let asked: Vec<_> =
            asked(generics).into_iter().filter(|(_, bound)| !bound.bindings.is_empty()).collect();
        loop {
            let before = map.len();
            for (of, bound) in &asked {
                let of = self.normal(&self.names.canonical(of).with(map));
                let bound = self.names.canonical_bound(bound);
                if !choose::is_known(&of) || choose::is_call(&bound) {
                    continue;
                }
                for (name, ty) in &bound.bindings {
                    let Some(found) = self.associated(&of, Some(&bound), name) else { continue };
                    let wanted = self.normal(&ty.with(map));
                    if choose::is_known(&found) && !unify(&wanted, &found, map) {
                        return false;
                    }
                }
            }
            if map.len() == before {
                return true;
            }
        }
    }

    /// What tells of others comes first; closures come last: what they take and give is known by then.
    fn in_order<'g>(&self, order: Order, generics: &'g Generics) -> Vec<&'g Param> {
        let asked: Vec<(Ty, Bound)> =
            asked(generics).into_iter().map(|(of, bound)| (of, self.names.canonical_bound(bound))).collect();
        let is_closure = |param: &&Param| {
            let own = Ty::Generic(param.name.clone());
            asked.iter().any(|(of, bound)| *of == own && choose::is_call(bound))
        };
        let (closures, mut open): (Vec<_>, Vec<_>) = generics.params.iter().partition(is_closure);
        let mut ordered: Vec<&Param> = Vec::new();
        while !open.is_empty() {
            let waits = |param: &Param| {
                open.iter().any(|other| {
                    param.name != other.name
                        && asked
                            .iter()
                            .any(|(of, bound)| comes_after(order, of, bound, &param.name, &other.name))
                })
            };
            // In a circle somebody has to be the first.
            let next = open.iter().position(|param| !waits(param)).unwrap_or(0);
            ordered.push(open.remove(next));
        }
        ordered.extend(closures);
        ordered
    }

    fn choices(&self, order: Order, generics: &Generics, param: &Param, map: &Substitution) -> Vec<Arg> {
        match &param.kind {
            ParamKind::Lifetime { .. } => vec![Arg::Lifetime(param.name.clone())],
            ParamKind::Const { ty, default } => {
                // Two that are equal are a special case, and some crates do not allow it.
                let is_taken = |arg: &Arg| map.values().any(|other| other == arg);
                let (taken, free): (Vec<_>, Vec<_>) =
                    constants(ty, default.as_deref()).into_iter().partition(is_taken);
                free.into_iter().chain(taken).collect()
            }
            // `Item = T`, and nowhere else: the compiler finds it.
            ParamKind::Type { .. } if self.is_bound_elsewhere(order, generics, &param.name) => {
                vec![Arg::Type(Ty::Inferred)]
            }
            ParamKind::Type { .. } => {
                let bounds = self.bounds_given(generics, &param.name, map);
                let told = self.told_by_others(generics, &param.name, map);
                let mut types = if told.is_empty() { choose::candidates(self, &bounds) } else { told };
                if let Some(given) = self.given_to_closure(generics, &param.name, map) {
                    types.retain(|ty| !given.contains(ty));
                    types.splice(0..0, given.into_iter().filter(|ty| choose::fits(self, ty, &bounds)));
                    types.truncate(MOST_RESULTS);
                }
                types.into_iter().map(Arg::Type).collect()
            }
        }
    }

    /// Of a parameter that is what a closure gives, as in `sort_by_key<K, F: FnMut(&T) -> K>`: what the closure is given,
    /// references aside. A key that comes from the element sorts; a constant does not.
    fn given_to_closure(&self, generics: &Generics, name: &str, map: &Substitution) -> Option<Vec<Ty>> {
        let own = Ty::Generic(name.to_owned());
        let asked = asked(generics).into_iter().map(|(_, bound)| self.names.canonical_bound(bound));
        let call = asked
            .into_iter()
            .find(|bound| choose::is_call(bound) && bound.binding("Output") == Some(&own))?;
        let call = self.resolved(&call.with(map));
        let Some(Ty::Tuple(inputs)) = call.first() else { return None };
        let mut given: Vec<Ty> = Vec::new();
        for input in inputs.iter().map(Ty::bare) {
            if choose::is_known(input) && !self.names.is_unsized(input) && !given.contains(input) {
                given.push(input.clone());
            }
        }
        Some(given)
    }

    /// `where Text: Index<T>` says what `T` can be: whatever `Text` can be indexed by.
    fn told_by_others(&self, generics: &Generics, name: &str, map: &Substitution) -> Vec<Ty> {
        let mut found = Vec::new();
        for predicate in &generics.predicates {
            let Predicate::Bounds(ty, bounds) = predicate else { continue };
            let ty = self.normal(&self.names.canonical(ty).with(map));
            if !choose::is_known(&ty) {
                continue;
            }
            for bound in bounds.iter().map(|bound| self.names.canonical_bound(bound)) {
                let is_it = |arg: &Arg| *arg == Arg::Type(Ty::Generic(name.to_owned()));
                let Some(at) = bound.args.iter().position(is_it) else { continue };
                // `K: Borrow<Q>`: what is asked for is the key itself, or text.
                if bound.name == "Borrow" && bound.id.starts_with("std::") {
                    found.extend((ty == Ty::string()).then(|| Ty::primitive("str")));
                    found.push(ty.clone());
                    continue;
                }
                // `K: PartialEq<K2>`: what is compared is of one type, mostly.
                if matches!(bound.name.as_str(), "PartialEq" | "PartialOrd") && bound.id.starts_with("std::")
                {
                    found.push(ty.clone());
                    continue;
                }
                if matches!(bound.name.as_str(), "AsRef" | "AsMut") && bound.id.starts_with("std::") {
                    found.extend(views::views(&ty, bound.name == "AsMut").into_iter().flatten().take(1));
                    continue;
                }
                found.extend(self.arguments_of(&ty, &bound, at));
            }
        }
        found
    }

    /// What argument number `at` of a trait is in the impls for a type.
    fn arguments_of(&self, ty: &Ty, bound: &Bound, at: usize) -> Vec<Ty> {
        let mut found = Vec::new();
        for written in self.impls.iter().chain(&self.others) {
            let Some(of_trait) = written.of_trait.as_ref().filter(|of_trait| of_trait.id == bound.id) else {
                continue;
            };
            let mut map = Substitution::new();
            if !unify(&written.for_type, ty, &mut map) {
                continue;
            }
            let Some(Arg::Type(arg)) = of_trait.args.get(at) else { continue };
            if choose::is_known(arg) {
                found.push(arg.clone());
            } else if self.infer(&written.generics, &mut map) && self.depth.get() == 0 {
                let maps = self.substitutions(&written.generics, &map, 1);
                found.extend(maps.iter().map(|map| self.normal(&arg.with(map))).filter(choose::is_known));
            }
        }
        found
    }

    /// Whether a parameter is what an associated type of another one is.
    fn is_bound_elsewhere(&self, order: Order, generics: &Generics, name: &str) -> bool {
        let is_it = |ty: &Ty| matches!(ty, Ty::Generic(generic) if generic == name);
        asked(generics).into_iter().any(|(of, bound)| {
            let bound = self.names.canonical_bound(bound);
            let is_told = !(choose::is_call(&bound) || are_items_first(order, &of, &bound));
            is_told && bound.bindings.iter().any(|(_, ty)| is_it(ty))
        })
    }
}

/// All that an item asks of types.
fn asked(generics: &Generics) -> Vec<(Ty, &Bound)> {
    let of_param = |param: &'_ Param| Ty::Generic(param.name.clone());
    let own = generics.params.iter().flat_map(move |param| match &param.kind {
        ParamKind::Type { bounds, .. } => bounds.iter().map(|bound| (of_param(param), bound)).collect(),
        _ => Vec::new(),
    });
    let more = generics.predicates.iter().flat_map(|predicate| match predicate {
        Predicate::Bounds(ty, bounds) => bounds.iter().map(|bound| (ty.clone(), bound)).collect(),
        Predicate::Outlives(..) => Vec::new(),
    });
    own.chain(more).collect()
}

/// Whether what a bound says of items is settled before what they are items of. `&'a I: IntoIterator<Item = T>` is not
/// turned round like that: references to the elements of a collection are no types to begin with.
fn are_items_first(order: Order, of: &Ty, bound: &Bound) -> bool {
    order == Order::Items && is_iteration(bound) && !matches!(of, Ty::Ref { .. })
}

/// Whether one parameter is chosen after another one because of a bound.
fn comes_after(order: Order, of: &Ty, bound: &Bound, param: &str, other: &str) -> bool {
    let is = |ty: &Ty, name: &str| matches!(ty, Ty::Generic(generic) if generic == name);
    let in_args =
        |name: &str| bound.args.iter().any(|arg| matches!(arg, Arg::Type(ty) if ty.any(|ty| is(ty, name))));
    let in_bindings = |name: &str| bound.bindings.iter().any(|(_, ty)| ty.any(|ty| is(ty, name)));
    if choose::is_call(bound) {
        return false;
    }
    let about = |name: &str| of.any(|ty| is(ty, name));
    let items_first = are_items_first(order, of, bound);
    // `where Text: Index<T>`: whoever can be indexed tells by what.
    let is_asked_for = |name: &str| {
        let is_other = bound.args.iter().any(|arg| matches!(arg, Arg::Type(ty) if is(ty, name)));
        is_other && (!bound.id.starts_with("std::") || TELLING.contains(&bound.name.as_str()))
    };
    let waits = about(param) && (in_args(other) && !is_asked_for(other) || in_bindings(other) && items_first);
    let is_told = about(other) && (in_bindings(param) && !items_first || is_asked_for(param));
    waits || is_told
}

/// Values for a const parameter.
pub(crate) fn constants(ty: &Ty, default: Option<&str>) -> Vec<Arg> {
    let values: &[&str] = match (default, ty) {
        (Some(default), _) => return vec![Arg::Const(default.to_owned())],
        (None, Ty::Primitive(name)) => match name.as_str() {
            "bool" => &["true", "false"],
            "char" => &["'a'", "'/'"],
            _ => &["4", "2"],
        },
        _ => &[],
    };
    values.iter().map(|value| Arg::Const((*value).to_owned())).collect()
}
