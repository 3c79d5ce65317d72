//! For which types a method is called: those of its impl, unless the method itself asks for more.
//!
//! `Itertools` is there for every iterator, `map_ok` only for those of results: what the method asks of `Self` takes part
//! in the choice of the type.

use super::choose;
use super::doc::{Function, Generics};
use super::ty::{Arg, Bound, Param, ParamKind, Predicate, Substitution, Ty};
use super::world::{World, Written};

/// A method of an impl, or one that the impl has from its trait.
pub(crate) struct Method<'m> {
    pub(crate) written: &'m Written<'m>,
    pub(crate) function: &'m Function,
    /// The parameters of the trait, if the method comes from there: it does not know those of the impl.
    pub(crate) of_trait: Option<&'m Generics>,
}

impl Method<'_> {
    /// What the names around the method stand for, given what those of the impl do.
    pub(crate) fn surroundings(&self, of_impl: &Substitution) -> Substitution {
        let Some(generics) = self.of_trait else { return of_impl.clone() };
        let args = self.written.of_trait.as_ref().map(|bound| bound.with(of_impl).args).unwrap_or_default();
        let names = generics.params.iter().map(|param| param.name.clone());
        let own = of_impl.get("Self").map(|own| ("Self".to_owned(), own.clone()));
        names.zip(args).chain(own).collect()
    }

    /// Whether what the method asks of its surroundings holds, as far as anybody knows.
    pub(crate) fn is_there(&self, world: &World<'_>, surroundings: &Substitution) -> bool {
        let mut map = surroundings.clone();
        if !world.infer(&self.function.generics, &mut map) {
            return false;
        }
        self.function.generics.predicates.iter().all(|predicate| {
            let Predicate::Bounds(ty, bounds) = predicate else { return true };
            let ty = world.normal(&world.names.canonical(ty).with(&map));
            let holds = |bound: &Bound| {
                let bound = world.resolved(&world.names.canonical_bound(bound).with(&map));
                choose::implements(world, &ty, &bound, 0) != Some(false)
            };
            !choose::is_known(&ty) || bounds.iter().all(holds)
        })
    }

    /// What the generics of the impl have to be so that the method is there, `Self` included.
    pub(crate) fn receivers(&self, world: &World<'_>) -> Vec<Substitution> {
        let impl_generics = &self.written.generics;
        let renamed: Substitution = impl_generics.params.iter().filter_map(renamed).collect();
        let for_type = self.written.for_type.with(&renamed);
        let mut around = renamed.clone();
        around.insert("Self".to_owned(), Arg::Type(for_type));
        let around = self.surroundings(&around);
        let own = world.names.canonical_generics(&self.function.generics);
        let (mut joint, own) = (with(impl_generics, &renamed), with(&own, &around));
        joint.params.extend(own.params);
        joint.predicates.extend(own.predicates);
        let mut found = Vec::new();
        for map in world.substitutions(&joint, &Substitution::new(), 2) {
            let back = |param: &Param| {
                let name = renamed_name(&param.name);
                let arg = map.get(&name).or(map.get(&param.name))?;
                Some((param.name.clone(), arg.clone()))
            };
            let mut map: Substitution = impl_generics.params.iter().filter_map(back).collect();
            let own = world.normal(&world.names.canonical(&self.written.for_type.with(&map)));
            map.insert("Self".to_owned(), Arg::Type(own));
            if self.is_there(world, &self.surroundings(&map)) && !found.contains(&map) {
                found.push(map);
            }
        }
        found
    }
}

/// A parameter of an impl under a name that no method has.
fn renamed(param: &Param) -> Option<(String, Arg)> {
    let name = renamed_name(&param.name);
    match param.kind {
        ParamKind::Lifetime { .. } => None,
        ParamKind::Type { .. } => Some((param.name.clone(), Arg::Type(Ty::Generic(name)))),
        ParamKind::Const { .. } => Some((param.name.clone(), Arg::Const(name))),
    }
}

fn renamed_name(name: &str) -> String {
    format!("impl_{name}")
}

/// Generics with names replaced: those of parameters, and those in bounds.
fn with(generics: &Generics, map: &Substitution) -> Generics {
    let name = |name: &String| match map.get(name) {
        Some(Arg::Type(Ty::Generic(new)) | Arg::Const(new)) => new.clone(),
        _ => name.clone(),
    };
    let all = |bounds: &[Bound]| bounds.iter().map(|bound| bound.with(map)).collect::<Vec<_>>();
    let param = |param: &Param| Param {
        name: name(&param.name),
        kind: match &param.kind {
            ParamKind::Type { bounds, default } => {
                ParamKind::Type { bounds: all(bounds), default: default.as_ref().map(|ty| ty.with(map)) }
            }
            other => other.clone(),
        },
    };
    let predicate = |predicate: &Predicate| match predicate {
        Predicate::Bounds(ty, bounds) => Predicate::Bounds(ty.with(map), all(bounds)),
        other => other.clone(),
    };
    Generics {
        params: generics.params.iter().map(param).collect(),
        predicates: generics.predicates.iter().map(predicate).collect(),
        lasting: generics.lasting.iter().map(name).collect(),
    }
}
