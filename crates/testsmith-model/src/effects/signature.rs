//! The fallback for functions whose body nobody sees: everything that the signature allows.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use syn::{FnArg, GenericArgument, PathArguments, ReceiverKind, Signature, Type};

use super::convert::PRIMS;
use super::decls::Decls;
use super::report::{Cause, Field, FunctionEffects, ParamEffects, Passing, Purity};
use super::value::Access;

/// What is known of the crate's types, by path and by name.
pub(super) struct Signatures {
    types: HashMap<String, TypeFacts>,
}

#[derive(Clone, Default)]
struct TypeFacts {
    fields: BTreeSet<Field>,
    is_copy: bool,
    interior: bool,
    carries_mut: bool,
}

impl Signatures {
    pub(super) fn new(decls: &Decls<'_>) -> Signatures {
        let mut types: HashMap<String, TypeFacts> = HashMap::new();
        for (id, decl) in decls.types.iter().enumerate() {
            let ids: Vec<_> = decls.all_fields(id).collect();
            let facts = TypeFacts {
                fields: super::summary::fields(decls, &ids),
                is_copy: decl.foreign_traits.contains("Copy") && decl.carry.is_none(),
                interior: decl.interior,
                carries_mut: decl.carry > Some(Access::Shared),
            };
            let path: Arc<str> = decl.path.clone();
            let name = path.rsplit("::").next().unwrap_or_default().to_owned();
            // Of two types of one name, everything that either allows.
            let by_name =
                types.entry(name).or_insert_with(|| TypeFacts { is_copy: true, ..TypeFacts::default() });
            by_name.fields.extend(facts.fields.iter().cloned());
            by_name.is_copy &= facts.is_copy;
            by_name.interior |= facts.interior;
            by_name.carries_mut |= facts.carries_mut;
            if path.contains("::") {
                types.insert(path.to_string(), facts);
            }
        }
        Signatures { types }
    }

    pub(super) fn effects(&self, owner: Option<&str>, signature: &str) -> FunctionEffects {
        let mut effects = FunctionEffects {
            path: owner.unwrap_or_default().to_owned(),
            calls_unknown: true,
            uses_unsafe: true,
            uses_interior: true,
            may_panic: true,
            ..FunctionEffects::default()
        };
        let text = signature.trim().trim_end_matches(';');
        // What does not even parse has no parameters that one could speak of.
        let Ok(signature) = syn::parse_str::<Signature>(text) else { return effects };
        let name = signature.ident.to_string();
        effects.path = owner.map_or_else(|| name.clone(), |owner| format!("{owner}::{name}"));
        effects.has_receiver = signature.receiver().is_some();
        for input in &signature.inputs {
            let (param, facts) = self.parameter(owner, input);
            effects.uses.extend(facts.fields.iter().cloned());
            if param.passing.worst() == Purity::ReadWrite || param.is_consumed() {
                effects.defines.extend(facts.fields);
            }
            effects.params.push(param);
        }
        if let syn::ReturnType::Type(_, ty) = &signature.output {
            effects.defines.extend(self.facts(owner, ty).fields);
        }
        effects
    }

    fn parameter(&self, owner: Option<&str>, input: &FnArg) -> (ParamEffects, TypeFacts) {
        let (name, passing, facts) = match input {
            FnArg::Receiver(receiver) => {
                let facts = owner.map(|owner| self.named(owner)).unwrap_or_default();
                let passing = match &receiver.kind {
                    ReceiverKind::Reference(_, _, Some(_)) => Passing::Mutable,
                    ReceiverKind::Reference(..) => shared(&facts),
                    ReceiverKind::Typed(_, ty) => self.passing(owner, ty),
                    _ => by_value(&facts),
                };
                ("self".to_owned(), passing, facts)
            }
            FnArg::Typed(typed) => {
                let name = match &*typed.pat {
                    syn::Pat::Ident(name) => name.ident.to_string(),
                    _ => "_".to_owned(),
                };
                (name, self.passing(owner, &typed.ty), self.facts(owner, &typed.ty))
            }
        };
        let cause = match passing.worst() {
            Purity::Safe => Cause::Signature,
            _ => Cause::Unseen,
        };
        (ParamEffects { name, passing, purity: passing.worst(), cause, is_deep: true, callee: None }, facts)
    }

    fn passing(&self, owner: Option<&str>, ty: &Type) -> Passing {
        match ty {
            Type::Reference(reference) if reference.mutability.is_some() => Passing::Mutable,
            Type::Reference(reference) => shared(&self.facts(owner, &reference.elem)),
            Type::Ptr(_) => Passing::Pointer,
            Type::Path(path)
                if path.path.get_ident().is_some_and(|name| PRIMS.iter().any(|prim| name == prim)) =>
            {
                Passing::Copy
            }
            other => by_value(&self.facts(owner, other)),
        }
    }

    /// What is known of the types that occur in a type.
    fn facts(&self, owner: Option<&str>, ty: &Type) -> TypeFacts {
        match ty {
            Type::Reference(reference) => {
                let mut facts = self.facts(owner, &reference.elem);
                facts.carries_mut |= reference.mutability.is_some();
                facts.is_copy = false;
                facts
            }
            Type::Slice(slice) => self.facts(owner, &slice.elem),
            Type::Array(array) => self.facts(owner, &array.elem),
            Type::Paren(inner) => self.facts(owner, &inner.elem),
            Type::Group(inner) => self.facts(owner, &inner.elem),
            Type::Tuple(tuple) => joined(tuple.elems.iter().map(|ty| self.facts(owner, ty))),
            Type::Path(path) => self.path_facts(owner, &path.path),
            _ => TypeFacts::default(),
        }
    }

    fn path_facts(&self, owner: Option<&str>, path: &syn::Path) -> TypeFacts {
        let names = super::names::segments(path);
        let last = names.last().map(String::as_str).unwrap_or_default();
        let mut facts = match owner {
            Some(owner) if last == "Self" => self.named(owner),
            _ => self.named(&names.join("::")),
        };
        facts.interior |= super::nature::is_interior_name(last);
        if let Some(PathArguments::AngleBracketed(args)) = path.segments.last().map(|last| &last.arguments) {
            let types = args.args.iter().filter_map(|arg| match arg {
                GenericArgument::Type(ty) => Some(self.facts(owner, ty)),
                _ => None,
            });
            let inner = joined(types);
            facts.fields.extend(inner.fields);
            facts.interior |= inner.interior;
            facts.carries_mut |= inner.carries_mut;
        }
        facts
    }

    /// The type of a path, which may be one that it is exported by: `map::Iter` for `map::iter::Iter`. Else
    /// everything that any type of the name allows.
    fn named(&self, path: &str) -> TypeFacts {
        if let Some(known) = self.types.get(path) {
            return known.clone();
        }
        let name = path.rsplit("::").next().unwrap_or_default();
        let exported = self.types.iter().filter(|(known, _)| known.contains("::") && leads_to(path, known));
        let mut exported = exported.map(|(_, facts)| facts);
        match (exported.next(), exported.next()) {
            (Some(one), None) => one.clone(),
            _ => self.types.get(name).cloned().unwrap_or_default(),
        }
    }
}

/// Whether a path has all names of another one, in the same order, with the same one at the end.
fn leads_to(exported: &str, path: &str) -> bool {
    let mut names = path.rsplit("::");
    let mut wanted = exported.rsplit("::");
    names.next() == wanted.next() && wanted.all(|wanted| names.any(|name| name == wanted))
}

fn joined(all: impl Iterator<Item = TypeFacts>) -> TypeFacts {
    let mut whole = TypeFacts { is_copy: true, ..TypeFacts::default() };
    for facts in all {
        whole.fields.extend(facts.fields);
        whole.is_copy &= facts.is_copy;
        whole.interior |= facts.interior;
        whole.carries_mut |= facts.carries_mut;
    }
    whole
}

fn shared(facts: &TypeFacts) -> Passing {
    if facts.interior { Passing::Interior } else { Passing::Shared }
}

fn by_value(facts: &TypeFacts) -> Passing {
    match facts {
        facts if facts.carries_mut => Passing::Mutable,
        facts if facts.is_copy => Passing::Copy,
        _ => Passing::Value,
    }
}
