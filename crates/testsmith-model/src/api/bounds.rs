//! What is asked of a type parameter: by its own bounds, by `where` clauses, and by what is said of its associated types.

use super::choose;
use super::doc::Generics;
use super::ty::{Bound, ParamKind, Predicate, Substitution, Ty};
use super::world::World;

impl World<'_> {
    /// All bounds of a parameter of an item, where no other parameter is known. `Iterator<Item = B>` of a `B` that has
    /// bounds itself is one of items with those; in `Iterator<Item = (A, B)>` both are the first types that fit.
    pub(crate) fn bounds(&self, generics: &Generics, name: &str) -> Vec<Bound> {
        self.bounds_given(generics, name, &Substitution::new())
    }

    /// As [`World::bounds`], where some parameters are known.
    pub(crate) fn bounds_given(&self, generics: &Generics, name: &str, map: &Substitution) -> Vec<Bound> {
        let mut bounds = self.asked_of(generics, name, map);
        for bound in bounds.iter_mut().filter(|bound| !choose::is_call(bound)) {
            for (_, ty) in &mut bound.bindings {
                match ty {
                    Ty::Generic(other) if other == name => {}
                    Ty::Generic(_) => {
                        let of_other = self.bounds_as_written(generics, ty);
                        if !of_other.is_empty() {
                            *ty = Ty::Impl(of_other);
                        }
                    }
                    _ => *ty = self.normal(&self.grounded(generics, name, ty)),
                }
            }
        }
        bounds
    }

    /// The bounds of a parameter with what is known in them, and nothing else.
    pub(crate) fn asked_of(&self, generics: &Generics, name: &str, map: &Substitution) -> Vec<Bound> {
        let bounds = self.bounds_as_written(generics, &Ty::Generic(name.to_owned()));
        if map.is_empty() {
            return bounds;
        }
        bounds.iter().map(|bound| self.resolved(&bound.with(map))).collect()
    }

    /// A type in which each parameter but one is replaced by the first type that has its bounds.
    fn grounded(&self, generics: &Generics, but: &str, ty: &Ty) -> Ty {
        match ty {
            Ty::Generic(name) if name != but => {
                let bounds = self.bounds_as_written(generics, ty);
                choose::candidates(self, &bounds).into_iter().next().unwrap_or_else(|| ty.clone())
            }
            Ty::Impl(_) => ty.clone(),
            _ => ty.rebuilt(&|part| self.grounded(generics, but, part)),
        }
    }

    /// The bounds of a parameter, or of an associated type of one, as the item has them.
    fn bounds_as_written(&self, generics: &Generics, of: &Ty) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for param in &generics.params {
            if let (Ty::Generic(name), ParamKind::Type { bounds: own, .. }) = (of, &param.kind)
                && *name == param.name
            {
                bounds.extend(own.iter().map(|bound| self.names.canonical_bound(bound)));
            }
        }
        let mut parts: Vec<(&str, Vec<Bound>)> = Vec::new();
        for predicate in &generics.predicates {
            let Predicate::Bounds(ty, more) = predicate else { continue };
            let more = more.iter().map(|bound| self.names.canonical_bound(bound));
            match ty {
                _ if is_same(ty, of) => bounds.extend(more),
                // `I::Item: AsRef<str>`: says what `I` iterates over.
                Ty::Assoc { .. } => {
                    if let Some((part, asked)) = outermost(ty, of)
                        && !parts.iter().any(|(known, _)| *known == part)
                    {
                        parts.push((part, self.bounds_as_written(generics, asked)));
                    }
                }
                // `&'a T: IntoIterator`: whatever `T` is, it is a collection.
                Ty::Ref { inner, .. } if **inner == *of => {
                    bounds.extend(more.map(|bound| Bound { bindings: Vec::new(), ..bound }));
                }
                _ => {}
            }
        }
        join(&mut bounds);
        for (part, asked) in parts {
            let lacks = |bound: &&mut Bound| has_part(bound, part) && bound.binding(part).is_none();
            bounds
                .iter_mut()
                .filter(lacks)
                .for_each(|bound| bound.bindings.push((part.to_owned(), Ty::Impl(asked.clone()))));
        }
        bounds
    }
}

/// `I::Item` is `<I as Iterator>::Item`.
fn is_same(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Assoc { of: a, name: an, .. }, Ty::Assoc { of: b, name: bn, .. }) => an == bn && is_same(a, b),
        _ => a == b,
    }
}

/// Of `<I::Item as IntoIterator>::Item`, seen from `I`, the part `I::Item` and its name.
fn outermost<'t>(ty: &'t Ty, seen_from: &Ty) -> Option<(&'t str, &'t Ty)> {
    match ty {
        Ty::Assoc { of, name, .. } if is_same(of, seen_from) => Some((name, ty)),
        Ty::Assoc { of, .. } => outermost(of, seen_from),
        _ => None,
    }
}

/// Whether a trait has an associated type of this name, and types with any such can be found.
fn has_part(bound: &Bound, part: &str) -> bool {
    match part {
        "Item" => is_iteration(bound),
        "Target" => bound.name == "Deref" || bound.name == "DerefMut",
        _ => false,
    }
}

/// Whether a trait is of things to iterate over, whatever their items are.
pub(crate) fn is_iteration(bound: &Bound) -> bool {
    bound.id.starts_with("std::")
        && matches!(
            bound.name.as_str(),
            "IntoIterator" | "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" | "FusedIterator"
        )
}

/// Says of all bounds on one type what one of them says: `T: Iterator + DoubleEndedIterator` and `T: Iterator<Item = u8>`.
fn join(bounds: &mut [Bound]) {
    let told =
        bounds.iter().filter(|bound| is_iteration(bound)).find_map(|bound| bound.binding("Item")).cloned();
    let Some(item) = told else { return };
    for bound in bounds.iter_mut().filter(|bound| is_iteration(bound)) {
        if bound.binding("Item").is_none() {
            bound.bindings.push(("Item".to_owned(), item.clone()));
        }
    }
}
