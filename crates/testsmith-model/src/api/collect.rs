//! Everything in a crate that can be called, one origin for each thing that a person would count: functions, methods,
//! methods of trait impls, constructors, fields, constants.

mod parts;

use std::collections::{BTreeMap, BTreeSet};

use testsmith_ir::api::{Callable, Flow, Param, Place};

use super::counted;
use super::doc::{Generics, Id, Item, Kind};
use super::facts;
use super::operators::{self, Receiver};
use super::panics::PanicDocs;
use super::receivers::Method;
use super::signature::{Head, Signature, no_choice};
use super::table::{Table, borrows};
use super::ty::{Arg, Bound, Substitution, Ty};
use super::world::{World, Written};
use super::{Origin, OriginKind, Skipped};

/// What has been found.
pub(crate) struct Found<'w, 'a> {
    pub(crate) world: &'w World<'a>,
    pub(crate) table: Table<'a>,
    pub(crate) origins: Vec<Origin>,
    pub(crate) skipped: Vec<Skipped>,
    /// By type of the crate, the forms that it has turned up in.
    forms: BTreeMap<Id, Vec<Ty>>,
    /// How many types of the table have been looked at for new forms.
    noticed: usize,
}

pub(crate) fn collect<'w, 'a>(world: &'w World<'a>) -> Found<'w, 'a> {
    let mut found = Found {
        world,
        table: Table::new(world.names),
        origins: Vec::new(),
        skipped: Vec::new(),
        forms: BTreeMap::new(),
        noticed: 0,
    };
    for id in &world.names.paths.order {
        if let Some(item) = world.names.doc.get(id).filter(|item| item.is_local) {
            found.item(item);
        }
    }
    found.implementations();
    found
}

/// What is wanted of an impl.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    /// Functions that make values.
    Makers,
}

/// A type of the crate is looked at in at most so many forms, one with counted elements aside.
const MOST_FORMS: usize = 2;

/// Values of a type that has itself as an argument are made up to this depth: `fn flatten(self: List<List<T>>) -> List<T>` makes
/// each out of one that is deeper.
const MOST_NESTED: usize = 2;

impl Found<'_, '_> {
    fn item(&mut self, item: &Item) {
        let Some(path) = self.world.names.path(&item.id) else { return };
        match &item.kind {
            Kind::Function(function) => {
                let signature = Signature {
                    name: &item.name,
                    head: Head::Free(path.clone()),
                    function,
                    outer: None,
                    map: Substitution::new(),
                    declared_self: None,
                };
                let unit = parent(&path);
                self.signature(item, OriginKind::Function, unit, &signature);
            }
            Kind::Constant(ty) => self.constant(item, ty, &path, false),
            Kind::Static { ty, is_mutable: false } => self.constant(item, ty, &path, true),
            _ => {}
        }
    }

    fn signature(&mut self, item: &Item, kind: OriginKind, unit: String, signature: &Signature<'_>) {
        let path = signature.path(self.world);
        let result = signature.add(self.world, &mut self.table);
        self.record(item, kind, unit, path, result);
    }

    /// Notes an origin with its callables, or why it has none.
    fn record(
        &mut self,
        item: &Item,
        kind: OriginKind,
        unit: String,
        path: String,
        result: Result<Vec<usize>, String>,
    ) {
        let (callables, reason) = match result {
            Ok(callables) => (callables, None),
            Err(reason) => (Vec::new(), Some(reason)),
        };
        // The same origin comes once for each instance of its type.
        if let Some(known) =
            self.origins.iter_mut().find(|origin| origin.path == path && origin.item == item.id)
        {
            let new = callables.into_iter().filter(|at| !known.callables.contains(at)).collect::<Vec<_>>();
            known.callables.extend(new);
            return;
        }
        let is_it = |skipped: &Skipped| skipped.path == path && skipped.item == item.id;
        if let Some(reason) = reason {
            if !self.skipped.iter().any(is_it) {
                self.skipped.push(Skipped { item: item.id.clone(), path, reason });
            }
            return;
        }
        self.skipped.retain(|skipped| !is_it(skipped));
        self.origins.push(Origin {
            item: item.id.clone(),
            path,
            unit,
            kind,
            place: item.place.clone(),
            panics: PanicDocs::read(&item.docs),
            examples: facts::examples(&item.docs),
            is_deprecated: item.is_deprecated,
            is_private: false,
            features: facts::features(&item.attrs),
            callables,
        });
    }

    fn push(&mut self, callable: Callable) -> Vec<usize> {
        vec![self.table.push(callable)]
    }

    fn constant(&mut self, item: &Item, ty: &Ty, path: &str, is_static: bool) {
        let ty = self.world.normal(&self.world.names.canonical(ty));
        let ty = if is_static { Ty::shared(ty) } else { ty };
        let sign = if is_static { "&" } else { "" };
        let name = path.rsplit("::").next().unwrap_or(path);
        let result = self.table.intern(&ty).map(|output| {
            self.push(Callable {
                path: path.to_owned(),
                code: format!("{sign}::{path}"),
                shown: format!("{sign}{name}"),
                imports: vec![path.to_owned()],
                params: Vec::new(),
                output,
                flows: Vec::new(),
            })
        });
        self.record(item, OriginKind::Constant, parent(path), path.to_owned(), result);
    }

    /// All impls: first for the types that can be made from nothing, then for those that turn up as results, until
    /// there are no new ones; last for what never turned up.
    fn implementations(&mut self) {
        let mut done = BTreeSet::new();
        let ids: Vec<_> = self.world.names.paths.order.clone();
        for id in ids.iter().filter(|id| self.world.is_root(id)) {
            let forms = self.world.instances(id);
            let counted = self.world.counted(id);
            self.forms.entry(id.clone()).or_default().extend(forms.into_iter().chain(counted));
        }
        self.until_settled(&mut done);
        for id in ids {
            if !self.forms.contains_key(&id) {
                self.forms.insert(id.clone(), self.world.instances(&id));
            }
        }
        self.until_settled(&mut done);
        self.further_forms();
        let world = self.world;
        for (at, written) in world.impls.iter().enumerate() {
            if !done.iter().any(|(known, _)| *known == at) {
                self.missed(written, &written.for_type, "no type is known that its impl is for");
            }
        }
    }

    /// Makes values of the forms that turned up later than all that are looked at in full, if something asks for one and
    /// nothing gives one.
    fn further_forms(&mut self) {
        let mut at = 0;
        while at < self.table.tys.len() {
            let ty = self.table.tys[at].bare().clone();
            at += 1;
            let Ty::Path { id, .. } = &ty else { continue };
            let is_known = self.forms.get(id).is_none_or(|forms| forms.contains(&ty));
            let Some(item) = self.world.names.doc.get(id).filter(|item| item.is_local && !is_known) else {
                continue;
            };
            if !self.table.is_missing(&ty) || nesting(&ty, id) > MOST_NESTED {
                continue;
            }
            self.parts(item, &ty);
            for written in &self.world.impls {
                let makes = written.of_trait.as_ref().is_none_or(|bound| {
                    matches!(bound.name.as_str(), "Default" | "From" | "FromStr" | "FromIterator")
                });
                if makes && matches!(&written.for_type, Ty::Path { id: of, .. } if of == id) {
                    self.implementation(written, &ty, Scope::Makers);
                }
            }
        }
    }

    fn until_settled(&mut self, done: &mut BTreeSet<(usize, Ty)>) {
        loop {
            let before = done.len();
            let forms: Vec<(Id, Ty)> = self
                .forms
                .iter()
                .flat_map(|(id, forms)| forms.iter().map(|ty| (id.clone(), ty.clone())))
                .collect();
            for (id, ty) in forms {
                // Beyond the impls, so that it does not count as one of them.
                if done.insert((usize::MAX, ty.clone()))
                    && let Some(item) = self.world.names.doc.get(&id)
                {
                    self.parts(item, &ty);
                }
            }
            for (at, written) in self.world.impls.iter().enumerate() {
                for ty in self.types_of(written) {
                    if done.insert((at, ty.clone())) {
                        self.implementation(written, &ty, Scope::All);
                    }
                }
            }
            self.notice_forms();
            if done.len() == before {
                return;
            }
        }
    }

    /// The types that an impl is for, as far as they are known by now.
    fn types_of(&self, written: &Written<'_>) -> Vec<Ty> {
        let local = match written.for_type.bare() {
            Ty::Path { id, .. } if !id.contains("::") => Some(id),
            _ => None,
        };
        let Some(id) = local else { return self.world.foreign_instances(written) };
        let around = |form: &Ty| rewrap(&written.for_type, form.clone());
        let forms: Vec<_> = self.forms.get(id).into_iter().flatten().map(around).collect();
        let fits = |ty: &&Ty| {
            let map = self.world.substitution_for(written, ty);
            map.is_some_and(|map| self.world.allows(written, &map))
        };
        let known: Vec<_> = forms.iter().filter(fits).cloned().collect();
        if !known.is_empty() || forms.is_empty() {
            return known;
        }
        let special = self.world.foreign_instances(written);
        // Nothing fits: the compiler says why.
        if special.is_empty() { forms } else { special }
    }

    /// Takes note of the forms of the crate's types that have turned up.
    fn notice_forms(&mut self) {
        let mut own: Vec<Ty> = Vec::new();
        for ty in &self.table.tys[self.noticed..] {
            // Also inside of an `Option` and the like, out of which it will be taken.
            ty.walk(&mut |part| own.extend(part.is_own().then(|| part.clone())));
        }
        self.noticed = self.table.tys.len();
        for ty in own {
            let Ty::Path { id, .. } = &ty else { continue };
            let Some(text) = self.world.names.code(&ty) else { continue };
            let forms = self.forms.entry(id.clone()).or_default();
            // Lifetimes aside, which are all one in the harness.
            let is_known = forms.iter().any(|form| self.world.names.code(form).as_ref() == Some(&text));
            let is_new = match counted::is_counted(&ty) {
                // Only what drops its elements in a way of its own.
                true => !forms.iter().any(counted::is_counted) && self.world.has_drop(id),
                false => forms.iter().filter(|form| !counted::is_counted(form)).count() < MOST_FORMS,
            };
            if is_new && !is_known {
                forms.push(ty);
            }
        }
    }

    fn implementation(&mut self, written: &Written<'_>, ty: &Ty, scope: Scope) {
        let Some(map) = self.world.substitution_for(written, ty) else {
            return self.missed(written, ty, "its impl is for other types than those that are known");
        };
        let maps = self.world.substitutions(&written.generics, &map, 2);
        if maps.is_empty() {
            let reason = no_choice(self.world, &written.generics, &map);
            self.missed(written, ty, &reason);
        }
        for mut map in maps {
            map.insert("Self".to_owned(), Arg::Type(ty.clone()));
            self.members(written, ty, &map, scope);
        }
    }

    /// Notes why the functions of an impl cannot be called for a type.
    fn missed(&mut self, written: &Written<'_>, ty: &Ty, reason: &str) {
        for (item, _) in members_of(self.world, written, ty) {
            let Kind::Function(function) = &item.kind else { continue };
            let signature = Signature {
                name: &item.name,
                head: Head::Member { of: ty.clone(), of_trait: written.of_trait.clone() },
                function,
                outer: Some(&written.generics),
                map: Substitution::new(),
                declared_self: None,
            };
            let path = signature.path(self.world);
            self.record(item, OriginKind::Method, String::new(), path, Err(reason.to_owned()));
        }
    }

    fn members(&mut self, written: &Written<'_>, ty: &Ty, map: &Substitution, scope: Scope) {
        let unit = ty.bare().as_path().and_then(|(id, _)| self.world.names.path(id));
        let of_trait = written.of_trait.as_ref().map(|bound| self.world.resolved(&bound.with(map)));
        let unit = match (&unit, &of_trait) {
            (Some(path), _) if !path.starts_with("std::") => path.clone(),
            (_, Some(bound)) => self.world.names.path(&bound.id).unwrap_or_else(|| bound.name.clone()),
            _ => unit.unwrap_or_default(),
        };
        let mut own = members_of(self.world, written, ty);
        if scope == Scope::Makers {
            own.retain(|(item, _)| makes_self(item));
        }
        for (item, trait_generics) in own {
            match &item.kind {
                Kind::Function(function) => {
                    if let Some(bound) = &of_trait
                        && (bound.id.starts_with("std::") && bound.name == "Drop"
                            || operators::special(bound, &item.name).is_some())
                    {
                        self.special(item, ty, bound, &unit);
                        continue;
                    }
                    let method = Method { written, function, of_trait: trait_generics };
                    self.method(item, &method, map, &unit);
                }
                Kind::Constant(constant) => {
                    self.associated_constant(item, ty, of_trait.as_ref(), constant, map, &unit)
                }
                _ => {}
            }
        }
        if let Some(bound) = &of_trait
            && scope == Scope::All
        {
            self.provided(written.item, ty, bound, &unit);
        }
    }

    /// A method for the type that its impl is looked at for, or for another one if it is not there for that.
    fn method(&mut self, item: &Item, method: &Method<'_>, map: &Substitution, unit: &str) {
        let mut maps = Vec::new();
        if !method.is_there(self.world, &method.surroundings(map)) {
            maps = method.receivers(self.world);
        }
        if maps.is_empty() {
            // The compiler says why it is not there.
            maps.push(map.clone());
        }
        for map in maps {
            let Some(Arg::Type(of)) = map.get("Self") else { continue };
            let of_trait =
                method.written.of_trait.as_ref().map(|bound| self.world.resolved(&bound.with(&map)));
            let signature = Signature {
                name: &item.name,
                head: Head::Member { of: of.clone(), of_trait },
                function: method.function,
                outer: Some(&method.written.generics),
                map: method.surroundings(&map),
                declared_self: Some(with_names(&method.written.for_type)),
            };
            self.signature(item, OriginKind::Method, unit.to_owned(), &signature);
        }
    }

    /// Formatting, hashing and dropping.
    fn special(&mut self, item: &Item, ty: &Ty, bound: &Bound, unit: &str) {
        let Some(text) = self.world.names.code(ty) else { return };
        let path = format!("<{unit} as {}>::{}", bound.name, item.name);
        if bound.name == "Drop" {
            let value = self.table.accepts(ty);
            let result = value.and_then(|accepts| {
                self.simple(&text, "drop", "::std::mem::drop($0)", "drop($0)", accepts, &Ty::unit())
            });
            self.record(item, OriginKind::Method, unit.to_owned(), path, result);
            return;
        }
        if (bound.name.as_str(), item.name.as_str()) == ("Hash", "hash") {
            let result = self.hashes(&text, ty);
            self.record(item, OriginKind::Method, unit.to_owned(), path, result);
            return;
        }
        let forms = operators::special(bound, &item.name).unwrap_or_default();
        if forms.is_empty() {
            let reason = "what it gives is not the same every time".to_owned();
            self.record(item, OriginKind::Method, unit.to_owned(), path.clone(), Err(reason));
        }
        for (code, shown) in forms {
            let value = self.table.accepts(&Ty::shared(ty.clone()));
            let result =
                value.and_then(|accepts| self.simple(&text, code, code, shown, accepts, &Ty::string()));
            self.record(item, OriginKind::Method, unit.to_owned(), path.clone(), result);
        }
        if let Some((code, shown)) = operators::into_buffer(bound, &item.name) {
            let result =
                self.formatted(ty, format!("{text}: {}::fmt into a buffer", bound.name), code, shown);
            self.record(item, OriginKind::Method, unit.to_owned(), path, result);
        }
    }

    fn formatted(
        &mut self,
        ty: &Ty,
        path: String,
        code: String,
        shown: String,
    ) -> Result<Vec<usize>, String> {
        let params = vec![
            Param { name: "value".to_owned(), accepts: self.table.accepts(&Ty::shared(ty.clone()))? },
            Param { name: "size".to_owned(), accepts: self.table.accepts(&Ty::primitive("usize"))? },
        ];
        let (imports, output) =
            (vec!["std::io::Write".to_owned()], self.table.intern(&Ty::primitive("bool"))?);
        Ok(self.push(Callable { path, code, shown, imports, params, output, flows: Vec::new() }))
    }

    /// Whether two values hash alike: the number of a hash is no promise, and nobody can read it.
    fn hashes(&mut self, text: &str, ty: &Ty) -> Result<Vec<usize>, String> {
        let accepts = self.table.accepts(&Ty::shared(ty.clone()))?;
        let output = self.table.intern(&Ty::primitive("bool"))?;
        let param = |name: &str| Param { name: name.to_owned(), accepts };
        Ok(self.push(Callable {
            path: format!("{text}: hashes_alike"),
            code: operators::HASHES_ALIKE.0.to_owned(),
            shown: operators::HASHES_ALIKE.1.to_owned(),
            imports: Vec::new(),
            params: vec![param("value"), param("other")],
            output,
            flows: Vec::new(),
        }))
    }

    fn simple(
        &mut self,
        text: &str,
        name: &str,
        code: &str,
        shown: &str,
        accepts: testsmith_ir::api::Accepts,
        output: &Ty,
    ) -> Result<Vec<usize>, String> {
        let output = self.table.intern(output)?;
        Ok(self.push(Callable {
            path: format!("{text}: {name}"),
            code: code.to_owned(),
            shown: shown.to_owned(),
            imports: Vec::new(),
            params: vec![Param { name: "value".to_owned(), accepts }],
            output,
            flows: Vec::new(),
        }))
    }

    /// Methods that a trait of the standard library provides on top of those in the impl.
    fn provided(&mut self, item: &Item, ty: &Ty, bound: &Bound, unit: &str) {
        let Some(text) = self.world.names.code(ty) else { return };
        for (name, receiver, code, shown) in operators::provided(bound) {
            let path = format!("<{unit} as {}>::{name}", bound.name);
            // The standard library's own code does not differ from form to form, and it takes long to compile.
            if self.origins.iter().any(|origin| origin.path == path && origin.item == item.id) {
                continue;
            }
            let wanted = match receiver {
                Receiver::Value => ty.clone(),
                Receiver::Shared => Ty::shared(ty.clone()),
                Receiver::Exclusive => Ty::Ref { lifetime: None, is_mut: true, inner: Box::new(ty.clone()) },
            };
            let Ok(accepts) = self.table.accepts(&wanted) else { continue };
            let holds = borrows(ty);
            let output = self.table.inferred(holds);
            let flows =
                holds.then_some(Flow { from: 0, to: Place::Result, exclusive: false, of_argument: false });
            let callables = self.push(Callable {
                path: format!("{text}: {}::{name}", bound.name),
                code: (*code).to_owned(),
                shown: (*shown).to_owned(),
                imports: Vec::new(),
                params: vec![Param { name: "iter".to_owned(), accepts }],
                output,
                flows: flows.into_iter().collect(),
            });
            self.record(item, OriginKind::Provided, unit.to_owned(), path, Ok(callables));
        }
    }

    fn associated_constant(
        &mut self,
        item: &Item,
        of: &Ty,
        of_trait: Option<&Bound>,
        ty: &Ty,
        map: &Substitution,
        unit: &str,
    ) {
        let ty = self.world.normal(&self.world.names.canonical(&ty.with(map)));
        let names = self.world.names;
        let owner = match of_trait {
            Some(bound) => {
                names.code(of).zip(names.trait_code(bound)).map(|(of, bound)| format!("<{of} as {bound}>"))
            }
            None => names.code(of).map(|of| format!("<{of}>")),
        };
        let path = format!("{unit}::{}", item.name);
        let result = owner.ok_or_else(|| "it cannot be named".to_owned()).and_then(|owner| {
            let output = self.table.intern(&ty)?;
            let mut imports = BTreeSet::new();
            let shown = names.shown(of, &mut imports).unwrap_or_else(|| owner.clone());
            let is_bare = shown.starts_with(['[', '(', '&']);
            let shown = match (of_trait, shown.split_once('<')) {
                (Some(bound), _) if is_bare || of.is_number() => format!("<{shown} as {}>", bound.name),
                (None, _) if is_bare => format!("<{shown}>"),
                // Nothing but the text says of which instance.
                (_, Some((name, args))) if !name.is_empty() => format!("{name}::<{args}"),
                (_, Some(_)) => owner.clone(),
                (_, None) => shown,
            };
            let other = of_trait.filter(|bound| !operators::is_in_prelude(bound));
            imports.extend(other.and_then(|bound| names.path(&bound.id)));
            Ok(self.push(Callable {
                path: format!("{owner}::{}", item.name),
                code: format!("{owner}::{}", item.name),
                shown: format!("{shown}::{}", item.name),
                imports: imports.into_iter().collect(),
                params: Vec::new(),
                output,
                flows: Vec::new(),
            }))
        });
        self.record(item, OriginKind::Constant, unit.to_owned(), path, result);
    }
}

/// A function without a receiver that has a result.
fn makes_self(item: &Item) -> bool {
    match &item.kind {
        Kind::Function(function) => {
            function.output.is_some() && !function.inputs.iter().any(|(name, _)| name == "self")
        }
        _ => false,
    }
}

/// With the references of another type around it.
fn rewrap(pattern: &Ty, ty: Ty) -> Ty {
    match pattern {
        Ty::Ref { lifetime, is_mut, inner } => {
            Ty::Ref { lifetime: lifetime.clone(), is_mut: *is_mut, inner: Box::new(rewrap(inner, ty)) }
        }
        _ => ty,
    }
}

/// A lifetime that the head of an impl leaves out is one of its own, and not that of a method's receiver.
fn with_names(ty: &Ty) -> Ty {
    const ANONYMOUS: &str = "'impl";
    let ty = ty.rebuilt(&with_names);
    match ty {
        Ty::Ref { lifetime: None, is_mut, inner } => {
            Ty::Ref { lifetime: Some(ANONYMOUS.to_owned()), is_mut, inner }
        }
        Ty::Path { id, name, args } => {
            let arg = |arg: Arg| match arg {
                Arg::Lifetime(name) if name == "'_" => Arg::Lifetime(ANONYMOUS.to_owned()),
                other => other,
            };
            Ty::Path { id, name, args: args.into_iter().map(arg).collect() }
        }
        other => other,
    }
}

/// What an impl defines or has from its trait, each with the trait's parameters if it comes from there. A member of a type
/// or trait that nobody can name is no part of the API.
fn members_of<'a>(
    world: &World<'a>,
    written: &Written<'_>,
    ty: &Ty,
) -> Vec<(&'a Item, Option<&'a Generics>)> {
    let is_hidden = |id: &str| !id.contains("::") && world.names.path(id).is_none();
    if ty.bare().as_path().is_some_and(|(id, _)| is_hidden(id))
        || written.of_trait.as_ref().is_some_and(|bound| is_hidden(&bound.id))
    {
        return Vec::new();
    }
    let defined = written.imp.items.iter().filter_map(|id| world.names.doc.get(id));
    let defined = defined.filter(|item| item.is_public).map(|item| (item, None));
    defined.chain(provided_by_local_trait(world, written)).collect()
}

/// Methods with a body in a trait of the crate that the impl does not define itself, with the trait's parameters.
fn provided_by_local_trait<'a>(
    world: &World<'a>,
    written: &Written<'_>,
) -> Vec<(&'a Item, Option<&'a Generics>)> {
    let Some(bound) = &written.of_trait else { return Vec::new() };
    let Some(Kind::Trait { items, generics, .. }) = world.names.doc.get(&bound.id).map(|item| &item.kind)
    else {
        return Vec::new();
    };
    let items = items.iter().filter_map(|id| world.names.doc.get(id));
    let provided = items.filter(|item| item.is_public && written.imp.provided.contains(&item.name));
    provided.map(|item| (item, Some(generics))).collect()
}

/// How often a type of the crate stands in a type.
fn nesting(ty: &Ty, id: &Id) -> usize {
    let mut times = 0;
    ty.walk(&mut |part| times += usize::from(part.as_path().is_some_and(|(of, _)| of == id)));
    times
}

fn parent(path: &str) -> String {
    path.rsplit_once("::").map_or(path, |(parent, _)| parent).to_owned()
}
