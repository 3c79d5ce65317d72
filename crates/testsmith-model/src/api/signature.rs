//! From a function's signature, with every generic chosen, to a callable.

use std::collections::BTreeSet;

use testsmith_ir::api::{Accepts, Callable, Param};

use super::announced;
use super::counted;
use super::doc::{Function, Generics};
use super::flows::flows;
use super::operators;
use super::table::{Table, borrows, describe};
use super::ty::{self, Arg, Bound, ParamKind, Substitution, Ty};
use super::unsaid::{Call, leaves_owner_open};
use super::world::World;

/// Where a function belongs.
pub(crate) enum Head {
    /// Its public path.
    Free(String),
    /// A type, and the trait that the function comes from.
    Member { of: Ty, of_trait: Option<Bound> },
}

/// A function with what is known around it.
pub(crate) struct Signature<'f> {
    pub(crate) name: &'f str,
    pub(crate) head: Head,
    pub(crate) function: &'f Function,
    /// Generics around the function: those of the impl.
    pub(crate) outer: Option<&'f Generics>,
    /// What they are, and what `Self` is.
    pub(crate) map: Substitution,
    /// `Self` as the impl writes it, with its lifetimes.
    pub(crate) declared_self: Option<Ty>,
}

/// At most so many instances of one function for one type.
const MOST_INSTANCES: usize = 4;
/// The same where a trait of a dependency is asked for, of which each kind of type may lead elsewhere.
const MOST_FOREIGN_INSTANCES: usize = 8;

/// At most so many concrete forms of each type that is part of an input.
const MOST_FORMS_OF_PARTS: usize = 2;

impl Signature<'_> {
    /// The path that reports name, without type arguments.
    pub(crate) fn path(&self, world: &World<'_>) -> String {
        match &self.head {
            Head::Free(path) => path.clone(),
            Head::Member { of, of_trait } => {
                let owner =
                    of.as_path().and_then(|(id, _)| world.names.path(id)).unwrap_or_else(|| describe(of));
                match of_trait {
                    Some(bound) => format!("<{owner} as {}>::{}", bound.name, self.name),
                    None => format!("{owner}::{}", self.name),
                }
            }
        }
    }

    /// Adds the instances to the table. The error is the first reason why there is none.
    pub(crate) fn add(&self, world: &World<'_>, table: &mut Table<'_>) -> Result<Vec<usize>, String> {
        if self.function.is_unsafe {
            return Err("unsafe".to_owned());
        }
        if self.function.is_async {
            return Err("async".to_owned());
        }
        let (inputs, generics) = self.open(world);
        let mut maps: Vec<Substitution> = Vec::new();
        let most = self.most_instances(world, &generics);
        for known in self.with_arguments(world, &inputs, &generics) {
            for map in world.substitutions(&generics, &known, most) {
                let map = self.with_pointers(world, &generics, map);
                if !maps.contains(&map) && maps.len() < most {
                    maps.push(map);
                }
            }
        }
        if maps.is_empty() {
            return Err(no_choice(world, &generics, &self.map));
        }
        let mut added = Vec::new();
        let mut reason = None;
        for map in &maps {
            let concrete = self.concrete(world, &inputs, map);
            let forms = with_implementors(world, &concrete);
            for inputs in forms.iter().flat_map(|inputs| self.with_constants(world, inputs)) {
                match self.instance(world, table, &inputs, self.output(world, map), &generics, map) {
                    Ok(callable) => {
                        let at = table.push(callable);
                        if !added.contains(&at) {
                            added.push(at);
                        }
                    }
                    Err(why) => reason = reason.or(Some(why)),
                }
            }
        }
        if let Some(map) = maps.first() {
            let stopped = self.stopped(world, table, &inputs, &generics, map);
            let announced = self.announced(world, table, &inputs, &generics, map);
            added.extend(stopped.into_iter().chain(announced).map(|callable| table.push(callable)));
        }
        if added.is_empty() {
            return Err(
                reason.unwrap_or_else(|| "no argument for it is known that lives for ever".to_owned())
            );
        }
        Ok(added)
    }

    /// How many instances there are at most.
    fn most_instances(&self, world: &World<'_>, generics: &Generics) -> usize {
        let open = generics.params.iter().filter(|param| !self.map.contains_key(&param.name));
        let mut bounds = open.flat_map(|param| world.bounds(generics, &param.name));
        if bounds.any(|bound| super::choose::is_foreign(&bound)) {
            MOST_FOREIGN_INSTANCES
        } else {
            MOST_INSTANCES
        }
    }

    /// What is known, with the function's own parameters that are arguments of a type of the crate as they are there: in
    /// `append<S2>(&mut self, other: &mut Map<K, V, S2>)` an `S2` that `Map` never has otherwise would be a map that
    /// nothing fills.
    fn with_arguments(
        &self,
        world: &World<'_>,
        inputs: &[(String, Ty)],
        generics: &Generics,
    ) -> Vec<Substitution> {
        let own = match self.map.get("Self") {
            Some(Arg::Type(own)) => Some(own.bare()),
            _ => None,
        };
        let mut maps: Vec<Substitution> = Vec::new();
        for n in 0..MOST_FORMS_OF_PARTS {
            let mut map = self.map.clone();
            for param in &generics.params {
                let arguments = inputs.iter().flat_map(|(_, ty)| world.arguments_in(ty, &param.name, own, n));
                let bounds = world.asked_of(generics, &param.name, &map);
                let fits = |arg: &Arg| match arg {
                    Arg::Type(ty) => super::choose::fits(world, ty, &bounds),
                    _ => true,
                };
                if let (false, Some(arg)) = (map.contains_key(&param.name), arguments.into_iter().find(fits))
                {
                    map.insert(param.name.clone(), arg);
                }
            }
            if !maps.contains(&map) {
                maps.push(map);
            }
        }
        maps
    }

    /// With a function pointer for each closure whose type the result mentions: that of a closure cannot be named, and
    /// what cannot be named has no methods here.
    fn with_pointers(&self, world: &World<'_>, generics: &Generics, mut map: Substitution) -> Substitution {
        let Some(output) = &self.function.output else { return map };
        for param in &generics.params {
            let is_closure = matches!(map.get(&param.name), Some(Arg::Type(Ty::Closure { .. })));
            if !is_closure || !output.any(|ty| *ty == Ty::Generic(param.name.clone())) {
                continue;
            }
            let bounds = world.bounds(generics, &param.name);
            let call = bounds.iter().find(|bound| super::choose::is_call(bound));
            let call = call.map(|bound| world.resolved(&bound.with(&map)));
            if let Some(pointer) = call.as_ref().and_then(super::closures::pointer) {
                map.insert(param.name.clone(), Arg::Type(pointer));
            }
        }
        map
    }

    /// The inputs with every `impl Trait` made a generic, and the generics with those.
    fn open(&self, world: &World<'_>) -> (Vec<(String, Ty)>, Generics) {
        let mut generics = self.function.generics.clone();
        let mut open = |ty: &Ty| {
            let ty = world.names.canonical(ty);
            let mut made = Vec::new();
            let ty = opened(&ty, &mut |bounds| {
                let name = format!("impl{}", generics.params.len() + made.len());
                made.push(ty::Param {
                    name: name.clone(),
                    kind: ParamKind::Type { bounds: bounds.to_vec(), default: None },
                });
                Ty::Generic(name)
            });
            generics.params.extend(made);
            ty
        };
        let inputs = self.function.inputs.iter().map(|(name, ty)| (name.clone(), open(ty))).collect();
        (inputs, generics)
    }

    fn concrete(&self, world: &World<'_>, inputs: &[(String, Ty)], map: &Substitution) -> Vec<(String, Ty)> {
        inputs
            .iter()
            .map(|(name, ty)| (name.clone(), world.normal(&world.names.canonical(&ty.with(map)))))
            .collect()
    }

    /// Whether an argument has to live for ever and can be one that does: text that is declared `&'static`, or what
    /// `impl Into<Keys>` stands for where `Keys` is made from what is `'static`, or what a parameter stands for that has to last
    /// (`T: 'static`). Literals in a test live for ever.
    fn keeps(&self, world: &World<'_>, at: usize, ty: &Ty, generics: &Generics, map: &Substitution) -> bool {
        if self.function.inputs[at].1 == Ty::text() {
            return true;
        }
        match self.open(world).0.get(at) {
            Some((_, Ty::Generic(name))) if generics.lasting.contains(name) => {
                matches!(ty, Ty::Ref { is_mut: false, .. })
            }
            Some((_, Ty::Generic(name))) => {
                super::choose::is_kept(world, ty, &world.asked_of(generics, name, map))
            }
            _ => false,
        }
    }

    /// For every other parameter that is declared `&'static`, constants in its place: what a program has made lives too
    /// short.
    fn with_constants(&self, world: &World<'_>, inputs: &[(String, Ty)]) -> Vec<Vec<(String, Ty)>> {
        let is_static = |(_, ty): &(String, Ty)| {
            let is_lasting =
                matches!(ty, Ty::Ref { lifetime: Some(name), is_mut: false, .. } if name == "'static");
            is_lasting && *ty != Ty::text()
        };
        let mut forms = vec![inputs.to_vec()];
        for (at, _) in self.function.inputs.iter().enumerate().filter(|(_, input)| is_static(input)) {
            let mut constants = super::closures::constants(world, &inputs[at].1, 0);
            if self.is_of_generic_trait() {
                // No array becomes a slice where several types would do.
                constants
                    .iter_mut()
                    .filter(|code| code.starts_with("&["))
                    .for_each(|code| code.push_str("[..]"));
            }
            let with = |form: &Vec<(String, Ty)>, code: &String| {
                let mut form = form.clone();
                form[at].1 = Ty::Closure { code: code.clone() };
                form
            };
            forms = forms.iter().flat_map(|form| constants.iter().map(|code| with(form, code))).collect();
        }
        forms
    }

    /// Whether it is one of several functions of a type that only the argument of their trait tells apart.
    fn is_of_generic_trait(&self) -> bool {
        matches!(&self.head, Head::Member { of_trait: Some(bound), .. } if !bound.args.is_empty())
    }

    /// One instance. What it gives need not be what the function does: the call may be wrapped in something that tells of it.
    fn instance(
        &self,
        world: &World<'_>,
        table: &mut Table<'_>,
        inputs: &[(String, Ty)],
        mut output: Ty,
        generics: &Generics,
        map: &Substitution,
    ) -> Result<Callable, String> {
        let mut params = Vec::new();
        let mut arguments = Vec::new();
        // Closures are written in the call and are no parameters; this says which parameter is which input.
        let mut places = Vec::new();
        let mut kept = Vec::new();
        for (at, (name, ty)) in inputs.iter().enumerate() {
            fits_a_test(ty)?;
            match ty {
                Ty::Closure { code } => arguments.push(code.clone()),
                Ty::Ref { inner, is_mut, .. } if matches!(**inner, Ty::Closure { .. }) => {
                    let Ty::Closure { code } = &**inner else { continue };
                    let borrowed = || format!("&{}{code}", if *is_mut { "mut " } else { "" });
                    let shared = super::mocks::referred(code).filter(|_| !is_mut);
                    arguments.push(shared.unwrap_or_else(borrowed));
                }
                _ if ty.any(|part| matches!(part, Ty::Closure { .. })) => {
                    return Err(format!("a closure inside of parameter `{name}`"));
                }
                _ if self.keeps(world, at, ty, generics, map) => {
                    arguments.push(format!("${}", params.len()));
                    kept.push(params.len());
                    places.push(at);
                    params.push(Param { name: name.clone(), accepts: Accepts::Value(table.intern(ty)?) });
                }
                // The one that stays outside tells what becomes of the clone.
                _ if *ty == counted::element() => {
                    arguments.push(format!("${}.clone()", params.len()));
                    places.push(at);
                    params
                        .push(Param { name: name.clone(), accepts: table.accepts(&Ty::shared(ty.clone()))? });
                }
                _ => {
                    arguments.push(format!("${}", params.len()));
                    places.push(at);
                    params.push(Param { name: name.clone(), accepts: table.accepts(ty)? });
                }
            }
        }
        // A function that does not return has no result that could be kept.
        let never = output == Ty::primitive("never");
        if never {
            output = Ty::unit();
        }
        fits_a_test(&output)?;
        let mut flows = self.flows(world, generics, map, &places);
        flows.extend(kept.into_iter().map(super::flows::for_ever));
        let output = match table.intern(&output) {
            Ok(id) => id,
            Err(_) => table.inferred(borrows(&output) || !flows.is_empty()),
        };
        let mut imports = BTreeSet::new();
        let mut code = self.code(world, generics, map, &arguments).ok_or("it cannot be named")?;
        let arguments_at = code.len() - arguments.join(", ").len() - "()".len();
        let path = self.labelled(world, generics, map, &code[..arguments_at]);
        let unsaid = self.unsaid(world, inputs, generics, map, &mut imports);
        let shown =
            self.shown(world, inputs, &unsaid, &arguments, &mut imports).unwrap_or_else(|| code.clone());
        if never {
            code = format!("{{ let nothing: () = {code}; nothing }}");
        }
        let closures = arguments.iter().filter(|argument| !argument.starts_with('$'));
        let closures = closures.map(|code| format!(" {code}")).collect::<String>();
        Ok(Callable {
            path: format!("{}{closures}", path.trim_start_matches("::")),
            code,
            shown,
            imports: imports.into_iter().collect(),
            params,
            output,
            flows,
        })
    }

    /// The instances whose closure panics, where something is left to look at: what was lent to them.
    fn stopped(
        &self,
        world: &World<'_>,
        table: &mut Table<'_>,
        inputs: &[(String, Ty)],
        generics: &Generics,
        map: &Substitution,
    ) -> Vec<Callable> {
        let concrete = self.concrete(world, inputs, map);
        let stopping = |(_, ty): &(String, Ty)| {
            let Ty::Generic(name) = ty else { return None };
            let bounds = world.bounds_given(generics, name, map);
            let call = bounds.iter().find(|bound| super::choose::is_call(bound))?;
            Some(super::closures::stopping(world, call))
        };
        let is_closure = |at: usize| matches!(concrete[at].1, Ty::Closure { .. });
        let mut places = inputs.iter().enumerate().filter(|(at, _)| is_closure(*at));
        let Some((at, codes)) = places.find_map(|(at, input)| Some((at, stopping(input)?))) else {
            return Vec::new();
        };
        let has_result = self.output(world, map) != Ty::unit();
        let is_lent = |param: &Param| matches!(param.accepts, Accepts::Exclusive(_));
        let stopped = |code: String| {
            let mut inputs = concrete.clone();
            inputs[at].1 = Ty::Closure { code };
            let output = Ty::primitive("bool");
            let callable = self.instance(world, table, &inputs, output, generics, map).ok()?;
            let caught = || super::closures::caught(callable.clone(), has_result);
            callable.params.iter().any(is_lent).then(caught)
        };
        codes.into_iter().filter_map(stopped).collect()
    }

    /// The instance that tells what is announced to a collection of the caller's choice, if there is one.
    fn announced(
        &self,
        world: &World<'_>,
        table: &mut Table<'_>,
        inputs: &[(String, Ty)],
        generics: &Generics,
        map: &Substitution,
    ) -> Option<Callable> {
        let Some(Ty::Generic(name)) = &self.function.output else { return None };
        let is_own = self.function.generics.params.iter().any(|param| param.name == *name);
        if !is_own || !announced::may_collect(&world.bounds_given(generics, name, map)) {
            return None;
        }
        let mut map = map.clone();
        map.insert(name.clone(), Arg::Type(announced::collection()));
        let inputs = self.concrete(world, inputs, &map);
        let callable = self.instance(world, table, &inputs, announced::lengths(), generics, &map).ok()?;
        Some(announced::announced(callable))
    }

    fn output(&self, world: &World<'_>, map: &Substitution) -> Ty {
        let Some(output) = &self.function.output else { return Ty::unit() };
        world.normal(&world.names.canonical(&output.with(map)))
    }

    fn flows(
        &self,
        world: &World<'_>,
        generics: &Generics,
        map: &Substitution,
        places: &[usize],
    ) -> Vec<testsmith_ir::api::Flow> {
        let with_self = |ty: &Ty| match &self.declared_self {
            Some(declared) => {
                let map = Substitution::from([("Self".to_owned(), Arg::Type(declared.clone()))]);
                world.names.canonical(ty).with(&map)
            }
            None => world.names.canonical(ty),
        };
        let input = |at: &usize| {
            let (name, ty) = &self.function.inputs[*at];
            (name.clone(), with_self(ty))
        };
        let inputs: Vec<_> = places.iter().map(input).collect();
        let output = self.function.output.as_ref().map(|ty| self.revealed(world, &with_self(ty)));
        let around: Vec<&Generics> = self.outer.into_iter().chain([generics]).collect();
        flows(&inputs, output.as_ref(), &around, map)
    }

    /// The declared output, with an associated type of the impl replaced by what the impl says: its lifetimes count.
    fn revealed(&self, world: &World<'_>, output: &Ty) -> Ty {
        let revealed = world.normal(output);
        let is_unknown = revealed.any(|ty| matches!(ty, Ty::Inferred));
        // Nobody knows what it holds, as with `impl Trait`.
        if is_unknown { Ty::Impl(Vec::new()) } else { revealed }
    }

    fn code(
        &self,
        world: &World<'_>,
        generics: &Generics,
        map: &Substitution,
        arguments: &[String],
    ) -> Option<String> {
        let owner = match &self.head {
            Head::Free(path) => format!("::{path}"),
            Head::Member { of, of_trait: None } => format!("<{}>::{}", world.names.code(of)?, self.name),
            Head::Member { of, of_trait: Some(bound) } => {
                let bound = world.resolved(&bound.with(map));
                format!("<{} as {}>::{}", world.names.code(of)?, world.names.trait_code(&bound)?, self.name)
            }
        };
        Some(format!("{owner}{}({})", self.turbofish(world, generics, map), arguments.join(", ")))
    }

    /// What a call is known by: its code up to the arguments, also with the types that are given for `impl Trait`, which code
    /// may not say.
    fn labelled(&self, world: &World<'_>, generics: &Generics, map: &Substitution, code: &str) -> String {
        let (own, made) = generics.params.split_at(self.function.generics.params.len());
        let is_known = |param: &ty::Param| matches!(map.get(&param.name), Some(Arg::Type(ty)) if world.names.code(ty).is_some());
        if !made.iter().any(is_known) {
            return code.to_owned();
        }
        let own = turbofish(world, own, map);
        format!("{}{}", code.strip_suffix(&own).unwrap_or(code), turbofish(world, &generics.params, map))
    }

    /// `::<A, B>` for the function's own type parameters.
    fn turbofish(&self, world: &World<'_>, generics: &Generics, map: &Substitution) -> String {
        turbofish(world, &generics.params[..self.function.generics.params.len()], map)
    }

    /// `::<_, B>` for type parameters that the arguments leave open; nothing where they say all.
    fn unsaid(
        &self,
        world: &World<'_>,
        inputs: &[(String, Ty)],
        generics: &Generics,
        map: &Substitution,
        imports: &mut BTreeSet<String>,
    ) -> String {
        let (declared, _) = self.open(world);
        let call = Call { generics, declared: &declared, given: inputs };
        let own = generics.params.iter().take(self.function.generics.params.len());
        let types = own.filter(|param| !matches!(param.kind, ParamKind::Lifetime { .. }));
        let mut says_something = false;
        let args: Vec<String> = types
            .map(|param| match map.get(&param.name) {
                Some(Arg::Type(ty)) if call.leaves_open(world, &param.name) => {
                    let shown = world.names.shown(ty, imports);
                    says_something |= shown.is_some();
                    shown.unwrap_or_else(|| "_".to_owned())
                }
                Some(Arg::Const(value)) => {
                    says_something |= call.leaves_constant_open(&param.name);
                    value.clone()
                }
                _ => "_".to_owned(),
            })
            .collect();
        if !says_something {
            return String::new();
        }
        format!("::<{}>", args.join(", "))
    }

    fn shown(
        &self,
        world: &World<'_>,
        inputs: &[(String, Ty)],
        turbofish: &str,
        arguments: &[String],
        imports: &mut BTreeSet<String>,
    ) -> Option<String> {
        match &self.head {
            Head::Free(path) => {
                imports.insert(path.clone());
                Some(format!("{}{turbofish}({})", path.rsplit("::").next()?, arguments.join(", ")))
            }
            Head::Member { of_trait, .. } => {
                if let Some(bound) = of_trait
                    && let Some(text) = operators::shown(&bound.name, self.name, arguments)
                {
                    return Some(text);
                }
                if let Some(bound) = of_trait
                    && !operators::is_in_prelude(bound)
                {
                    imports.insert(world.names.path(&bound.id)?);
                }
                let is_method = inputs.first().is_some_and(|(name, _)| name == "self");
                if is_method {
                    self.shown_method(world, inputs, turbofish, arguments, imports)
                } else {
                    let owner = self.shown_owner(world, inputs, imports)?;
                    Some(format!("{owner}::{}{turbofish}({})", self.name, arguments.join(", ")))
                }
            }
        }
    }

    /// A call of a method: `value.name()`, where that is the one that is meant.
    fn shown_method(
        &self,
        world: &World<'_>,
        inputs: &[(String, Ty)],
        turbofish: &str,
        arguments: &[String],
        imports: &mut BTreeSet<String>,
    ) -> Option<String> {
        let Head::Member { of, of_trait } = &self.head else { return None };
        let of_this = |owner: &str| format!("{owner}::{}{turbofish}({})", self.name, arguments.join(", "));
        match of_trait {
            Some(bound)
                if world.has_own_method(of, self.name)
                    || world.has_rival(of, bound, self.name)
                    || is_mixed_comparison(world, of, bound) =>
            {
                return Some(of_this(&bound.name));
            }
            // `value.name()` of a `value: &mut T` is the method of `T`, if that has one: it takes just such a reference.
            Some(bound) if matches!(of, Ty::Ref { .. }) && is_lent(inputs) => {
                return Some(of_this(&bound.name));
            }
            // What is lent as a slice may be a list, which may have the trait as well.
            Some(bound) if world.names.is_unsized(of) && world.has_other_implementor(of, bound) => {
                return Some(of_this(&qualified(&world.names.shown(of, imports)?, bound)));
            }
            None if matches!(inputs.first(), Some((_, Ty::Ref { .. })))
                && world.has_trait_method_by_value(self.name) =>
            {
                return Some(of_this(&self.shown_owner(world, inputs, imports)?));
            }
            _ => {}
        }
        let (receiver, rest) = arguments.split_first()?;
        // `set.into_iter()` would take the set itself, not the reference that has the method.
        let is_of_reference = matches!(of, Ty::Ref { .. }) && inputs[0].1 == *of;
        let receiver = if is_of_reference { format!("({receiver})") } else { receiver.clone() };
        Some(format!("{receiver}.{}{turbofish}({})", self.name, rest.join(", ")))
    }

    /// What stands before the name of a function of a type.
    fn shown_owner(
        &self,
        world: &World<'_>,
        inputs: &[(String, Ty)],
        imports: &mut BTreeSet<String>,
    ) -> Option<String> {
        let Head::Member { of, of_trait } = &self.head else { return None };
        let owner = world.names.shown(of, imports)?;
        let is_bare = owner.starts_with(['[', '(', '&']);
        if let Some(bound) = of_trait
            && (is_bare && bound.args.is_empty()
                || world.has_own_function(of, self.name)
                || world.has_rival(of, bound, self.name))
        {
            // The type itself, or other traits, may give it a function of that name.
            return Some(qualified(&owner, bound));
        }
        Some(match owner.split_once('<') {
            _ if is_bare => format!("<{owner}>"),
            Some((name, args))
                if !name.is_empty()
                    && !self.has_one_owner(world)
                    && (inputs.is_empty() || self.leaves_owner_open(world)) =>
            {
                format!("{name}::<{args}")
            }
            Some((name, _)) if !name.is_empty() => name.to_owned(),
            Some(_) => format!("<{owner}>"),
            None => owner,
        })
    }

    /// Whether the function is there for one form of the type alone, so that its name says which: `impl Parser { fn new() }`
    /// of a `Parser<const N: usize = 1024>`.
    fn has_one_owner(&self, world: &World<'_>) -> bool {
        let Some(declared @ Ty::Path { args, .. }) = &self.declared_self else { return false };
        let is_fixed = |arg: &Arg| match arg {
            Arg::Lifetime(_) => true,
            Arg::Type(ty) => super::choose::is_known(ty),
            Arg::Const(value) => !value.starts_with(|first: char| first.is_alphabetic() || first == '_'),
        };
        args.iter().all(is_fixed) && !world.has_sibling(declared, self.name)
    }

    /// Whether neither the arguments say what the parameters of the type are, nor the type of the result if that is written.
    fn leaves_owner_open(&self, world: &World<'_>) -> bool {
        let Some(declared) = &self.declared_self else { return false };
        let gives_itself = |ty: &Ty| *ty == Ty::Generic("Self".to_owned()) || ty == declared;
        let has_others = || world.has_sibling(declared, self.name);
        !self.function.output.as_ref().is_some_and(gives_itself)
            && leaves_owner_open(declared, &self.function.inputs, has_others())
    }
}

/// Whether a method takes its receiver by a reference.
fn is_lent(inputs: &[(String, Ty)]) -> bool {
    matches!(inputs.first(), Some((name, Ty::Ref { .. })) if name == "self")
}

/// `<Owner as Trait<_>>`
fn qualified(owner: &str, bound: &Bound) -> String {
    let args = if bound.args.is_empty() { String::new() } else { open_args(bound) };
    format!("<{owner} as {}{args}>", bound.name)
}

/// `<_, _>` for the arguments of a trait, which those of a call say.
fn open_args(bound: &Bound) -> String {
    let args: Vec<&str> =
        bound.args.iter().filter(|arg| !matches!(arg, Arg::Lifetime(_))).map(|_| "_").collect();
    format!("<{}>", args.join(", "))
}

/// `::<A, B>` for type parameters, with `_` for what cannot be written.
fn turbofish(world: &World<'_>, params: &[ty::Param], map: &Substitution) -> String {
    let args: Vec<String> = params
        .iter()
        .filter(|param| !matches!(param.kind, ParamKind::Lifetime { .. }))
        .map(|param| match map.get(&param.name) {
            Some(Arg::Type(ty)) => world.names.code(ty).unwrap_or_else(|| "_".to_owned()),
            Some(Arg::Const(value)) => value.clone(),
            _ => "_".to_owned(),
        })
        .collect();
    if args.is_empty() { String::new() } else { format!("::<{}>", args.join(", ")) }
}

/// Whether a type of others is compared with one of the crate: `[1].partial_cmp(&bytes)` would compare arrays.
fn is_mixed_comparison(world: &World<'_>, of: &Ty, bound: &Bound) -> bool {
    let is_own = of.as_path().is_some_and(|(id, _)| world.names.doc.get(id).is_some());
    bound.name == "PartialOrd" && !bound.args.is_empty() && !is_own
}

/// Elements of an array that the stack of a test, which has 2 MiB, has room for several times.
const MOST_ELEMENTS: usize = 1 << 16;

/// Whether values of a type can be in a test.
fn fits_a_test(ty: &Ty) -> Result<(), &'static str> {
    let is_huge = |part: &Ty| matches!(part, Ty::Array(_, len) if len.parse::<usize>().is_ok_and(|len| len > MOST_ELEMENTS));
    if ty.any(|part| matches!(part, Ty::Pointer)) {
        Err("raw pointer")
    } else if ty.any(is_huge) {
        Err("an array that is too large for the stack of a test")
    } else {
        Ok(())
    }
}

/// A type with each `impl Trait` in it replaced.
fn opened(ty: &Ty, make: &mut dyn FnMut(&[Bound]) -> Ty) -> Ty {
    match ty {
        Ty::Impl(bounds) => make(bounds),
        Ty::Ref { lifetime, is_mut, inner } => {
            Ty::Ref { lifetime: lifetime.clone(), is_mut: *is_mut, inner: Box::new(opened(inner, make)) }
        }
        _ => ty.clone(),
    }
}

/// For every implementor of `dyn Trait` behind a reference one list of inputs.
fn with_implementors(world: &World<'_>, inputs: &[(String, Ty)]) -> Vec<Vec<(String, Ty)>> {
    let dynamic = inputs
        .iter()
        .position(|(_, ty)| matches!(ty, Ty::Ref { inner, .. } if matches!(**inner, Ty::Dyn(..))));
    let Some(at) = dynamic else { return vec![inputs.to_vec()] };
    let (name, Ty::Ref { lifetime, is_mut, inner }) = &inputs[at] else { return Vec::new() };
    let Ty::Dyn(bounds, _) = &**inner else { return Vec::new() };
    let replaced = |ty: Ty| {
        let mut inputs = inputs.to_vec();
        let inner = Box::new(ty);
        inputs[at] = (name.clone(), Ty::Ref { lifetime: lifetime.clone(), is_mut: *is_mut, inner });
        inputs
    };
    let types = super::choose::candidates(world, bounds);
    types.into_iter().take(3).map(replaced).collect()
}

/// Why there is no substitution.
pub(crate) fn no_choice(world: &World<'_>, generics: &Generics, known: &Substitution) -> String {
    let open = generics.params.iter().find(|param| {
        !known.contains_key(&param.name)
            && matches!(param.kind, ParamKind::Type { .. })
            && super::choose::candidates(world, &world.bounds(generics, &param.name)).is_empty()
    });
    match open {
        Some(param) => {
            let bounds = world.bounds(generics, &param.name);
            let names: Vec<_> = bounds.iter().map(|bound| bound.name.as_str()).collect();
            format!("no type is known for `{}: {}`", param.name, names.join(" + "))
        }
        None => "no types are known for its generics".to_owned(),
    }
}
