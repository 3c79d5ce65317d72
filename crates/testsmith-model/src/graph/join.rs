//! The effects of an origin: those of its function, by place and name; of a constructor or field, what its declaration
//! says; of what no source shows, what its signature allows.

use testsmith_ir::api::{Accepts, Api, Callable, CallableId, LiteralKind, Place, TypeId};

use super::align::align;
use super::{Evidence, Item, Member, Parameter};
use crate::api::{Origin, OriginKind, SourcePlace};
use crate::effects::{Cause, Effects, Field, FunctionEffects, ParamEffects, Passing, Purity};

/// A member, and the purity of the parameters of each of its callables.
pub(super) struct Joined {
    pub(super) member: Member,
    pub(super) purity: Vec<Vec<Purity>>,
}

pub(super) fn join(api: &Api, origin: &Origin, effects: &Effects) -> Joined {
    let number = |at: &usize| CallableId(u32::try_from(*at).expect("callables are few"));
    let callables: Vec<CallableId> = origin.callables.iter().map(number).collect();
    let instances: Vec<&Callable> = callables.iter().map(|id| &api[*id]).collect();
    let (function, evidence) = find(api, origin, instances.first().copied(), effects);
    let params = function.params.iter().enumerate();
    let params = params.map(|(at, param)| parameter(&function, at, param)).collect();
    let mut member = Member {
        path: origin.path.clone(),
        unit: origin.unit.clone(),
        kind: origin.kind,
        place: origin.place.clone(),
        callables,
        params,
        effects: function,
        evidence,
    };
    let purity = instances.iter().map(|callable| settle(api, &mut member, callable)).collect();
    Joined { member, purity }
}

fn parameter(function: &FunctionEffects, at: usize, param: &ParamEffects) -> Parameter {
    let item = match (function.has_receiver, at) {
        (true, 0) => Item::Receiver,
        (true, at) => Item::Parameter(at),
        (false, at) => Item::Parameter(at + 1),
    };
    Parameter {
        name: param.name.clone(),
        item,
        purity: param.purity,
        cause: param.cause,
        callee: param.callee.clone(),
        is_deep: param.is_deep,
        is_consumed: param.is_consumed(),
    }
}

/// Finds the function of an origin, or says what it does all the same.
fn find(
    api: &Api,
    origin: &Origin,
    instance: Option<&Callable>,
    effects: &Effects,
) -> (FunctionEffects, Evidence) {
    let found = match origin.kind {
        OriginKind::Function | OriginKind::Method => origin
            .place
            .as_ref()
            .and_then(|place| function_at(effects, place, last_name(&origin.path)))
            .cloned(),
        OriginKind::Provided => origin.place.as_ref().and_then(|place| step_of(effects, place, &origin.path)),
        OriginKind::Constructor | OriginKind::FieldRead | OriginKind::FieldWrite | OriginKind::Constant => {
            return (declared(api, origin, instance, effects), Evidence::Declaration);
        }
    };
    match (found, instance) {
        (Some(mut function), Some(callable)) => {
            // Formatting, hashing and dropping take nothing but the receiver.
            if callable.params.len() == 1 && callable.params[0].name == "value" && function.has_receiver {
                function.params.truncate(1);
            }
            (function, Evidence::Source)
        }
        (Some(function), None) => (function, Evidence::Source),
        (None, Some(callable)) => (by_signature(api, origin, callable, effects), Evidence::Signature),
        (None, None) => (FunctionEffects::default(), Evidence::Signature),
    }
}

fn last_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// The function on the first line of a place, else the only one of its name within it.
fn function_at<'e>(effects: &'e Effects, place: &SourcePlace, name: &str) -> Option<&'e FunctionEffects> {
    effects.at(&place.file, place.first, name).or_else(|| within(effects, place, name))
}

fn within<'e>(effects: &'e Effects, place: &SourcePlace, name: &str) -> Option<&'e FunctionEffects> {
    let is_inside = |f: &&FunctionEffects| {
        f.file == place.file && (place.first..=place.last).contains(&f.line) && last_name(&f.path) == name
    };
    let mut found = effects.functions().iter().filter(is_inside);
    found.next().filter(|_| found.next().is_none())
}

/// What a method that a standard trait provides does, by the method of the impl that it calls.
fn step_of(effects: &Effects, place: &SourcePlace, path: &str) -> Option<FunctionEffects> {
    let name = last_name(path);
    let step = match name {
        "collect" | "nth" | "count" | "last" => "next",
        "rev" => "next_back",
        other => other,
    };
    if let Some(found) = within(effects, place, step) {
        let mut function = found.clone();
        function.params.truncate(1);
        return Some(function);
    }
    // Without one of its own, an iterator knows no size.
    let is_default = name == "size_hint" && within(effects, place, "next").is_some();
    is_default.then(|| FunctionEffects {
        path: path.to_owned(),
        has_receiver: true,
        params: vec![given("self", Passing::Shared, Purity::Safe)],
        is_known: true,
        ..FunctionEffects::default()
    })
}

fn given(name: &str, passing: Passing, purity: Purity) -> ParamEffects {
    ParamEffects {
        name: name.to_owned(),
        passing,
        purity,
        cause: Cause::Signature,
        is_deep: false,
        callee: None,
    }
}

/// What a constructor, a field or a constant does.
fn declared(api: &Api, origin: &Origin, instance: Option<&Callable>, effects: &Effects) -> FunctionEffects {
    let params = instance.into_iter().flat_map(|callable| &callable.params);
    let params = params.map(|param| {
        let (passing, purity) = passing(api, param.accepts);
        given(&param.name, passing, purity)
    });
    let mut function = FunctionEffects {
        path: origin.path.clone(),
        params: params.collect(),
        has_receiver: matches!(origin.kind, OriginKind::FieldRead | OriginKind::FieldWrite),
        is_known: true,
        ..FunctionEffects::default()
    };
    let all = effects.by_signature(Some(owner(origin)), "fn make() -> Self").defines;
    let name = last_name(&origin.path).trim_end_matches(" =");
    let fields = all.into_iter();
    match origin.kind {
        OriginKind::Constructor if origin.path == origin.unit => function.defines = fields.collect(),
        OriginKind::Constructor => {
            let of_variant = |field: &Field| field.name.split('.').next() == Some(name);
            function.defines = fields.filter(of_variant).collect();
        }
        OriginKind::FieldRead => function.uses = fields.filter(|field| *field.name == *name).collect(),
        OriginKind::FieldWrite => function.defines = fields.filter(|field| *field.name == *name).collect(),
        _ => {}
    }
    function
}

/// The path of an origin's type in its crate.
fn owner(origin: &Origin) -> &str {
    origin.unit.split_once("::").map_or(origin.unit.as_str(), |(_, path)| path)
}

/// How an argument gets in, and the worst that can happen to it.
fn passing(api: &Api, accepts: Accepts) -> (Passing, Purity) {
    let passing = match accepts {
        Accepts::Value(ty) if is_copied(api, ty) => Passing::Copy,
        Accepts::Value(_) | Accepts::List(_) => Passing::Value,
        Accepts::Exclusive(_) | Accepts::SliceMut(_) => Passing::Mutable,
        _ => Passing::Shared,
    };
    (passing, passing.worst())
}

fn is_copied(api: &Api, ty: TypeId) -> bool {
    let owned = [LiteralKind::String, LiteralKind::Bytes, LiteralKind::Str, LiteralKind::ByteStr];
    api[ty].literal.is_some_and(|kind| !owned.contains(&kind))
}

/// What a callable may do, by its signature.
fn by_signature(api: &Api, origin: &Origin, callable: &Callable, effects: &Effects) -> FunctionEffects {
    let text = |ty: TypeId| api[ty].text.as_str();
    // These are not called by name, and neither is their receiver.
    let is_method = origin.kind == OriginKind::Provided
        || origin.kind == OriginKind::Method && matches!(last_name(&origin.path), "fmt" | "hash" | "drop");
    let inputs = callable.params.iter().enumerate().map(|(at, param)| {
        let is_receiver = at == 0 && (param.name == "self" || is_method);
        let (sign, ty) = match param.accepts {
            Accepts::Value(ty) => ("", text(ty).to_owned()),
            Accepts::Shared(ty) => ("&", text(ty).to_owned()),
            Accepts::Exclusive(ty) => ("&mut ", text(ty).to_owned()),
            Accepts::Slice(ty) => ("&", format!("[{}]", text(ty))),
            Accepts::SliceMut(ty) => ("&mut ", format!("[{}]", text(ty))),
            Accepts::List(ty) => ("", format!("Vec<{}>", text(ty))),
            Accepts::Text | Accepts::Path | Accepts::OsText | Accepts::CText => ("&", "str".to_owned()),
        };
        // A type without a size is there behind references alone.
        let sign = match sign {
            "" if ty.starts_with("&'static mut ") => "&mut ",
            "" if ty.starts_with('&') => "&",
            sign => sign,
        };
        let ty = ty.trim_start_matches("&'static ").trim_start_matches("mut ");
        if is_receiver { format!("{sign}self") } else { format!("p{at}: {sign}{ty}") }
    });
    let inputs = inputs.collect::<Vec<_>>().join(", ");
    let signature = format!("fn f({inputs}) -> {}", text(callable.output));
    let mut function = effects.by_signature(Some(owner(origin)), &signature);
    function.path.clone_from(&origin.path);
    for (effects, param) in function.params.iter_mut().zip(&callable.params) {
        if effects.name != "self" {
            effects.name.clone_from(&param.name);
        }
    }
    function
}

/// The purity of a callable's parameters; what one instance does to a parameter, its member may do.
fn settle(api: &Api, member: &mut Member, callable: &Callable) -> Vec<Purity> {
    let names: Vec<&str> = member.params.iter().map(|param| param.name.as_str()).collect();
    let places = align(callable, &names);
    let mut all = Vec::new();
    for (at, (param, place)) in callable.params.iter().zip(places).enumerate() {
        let Some(place) = place else {
            all.push(passing(api, param.accepts).1);
            continue;
        };
        let is_unseen = member.evidence != Evidence::Source;
        let known = &mut member.params[place];
        let purity = in_instance(api, known, is_unseen, callable, at);
        if purity > known.purity || is_unseen || matches!(param.accepts, Accepts::Value(_)) {
            known.purity = purity;
        }
        all.push(purity);
    }
    all
}

/// What the signature of an instance adds to the verdict on a parameter.
///
/// Lifetimes tell what the body may hide: where the result, or another argument, may borrow from the argument, it is not
/// safe; where the result is a type of somebody's own that borrows it exclusively, it can be changed through that.
fn in_instance(api: &Api, known: &mut Parameter, is_unseen: bool, callable: &Callable, at: usize) -> Purity {
    let mut flows = callable.flows.iter().filter(|flow| flow.from == at).peekable();
    let is_held = flows.peek().is_some();
    let is_lent = flows.any(|flow| flow.exclusive && flow.of_argument && flow.to == Place::Result);
    match (callable.params[at].accepts, known.purity) {
        // The value is gone; only what it refers to can have changed.
        (Accepts::Value(ty), purity) => {
            // A type without a size is there behind references alone.
            let is_reference = api[ty].text.starts_with('&');
            known.is_consumed |= !is_reference && !is_copied(api, ty);
            if purity == Purity::ReadWrite && !is_reference && !(known.is_deep && api[ty].borrows) {
                known.cause = Cause::Signature;
                known.callee = None;
                return Purity::ReadOnly;
            }
            purity
        }
        // A type parameter that is a mutable reference here.
        (Accepts::Exclusive(_) | Accepts::SliceMut(_), _) if known.is_consumed => Purity::ReadWrite,
        (_, Purity::Safe | Purity::ReadOnly) if is_lent && may_change(&api[callable.output].text) => {
            known.cause = Cause::Lent;
            Purity::ReadWrite
        }
        (Accepts::Shared(_) | Accepts::Slice(_) | Accepts::Text, Purity::ReadOnly)
            if is_unseen && !is_held =>
        {
            Purity::Safe
        }
        (_, Purity::Safe) if is_held => Purity::ReadOnly,
        (_, purity) => purity,
    }
}

/// Whether something can be changed through a value of a type that borrows exclusively: not through shared references
/// and what the standard library makes of them.
fn may_change(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("<'static") {
        let path = rest[..at].rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).next();
        if !path.is_some_and(|path| path.starts_with("::std::")) {
            return true;
        }
        rest = &rest[at + 1..];
    }
    text.contains("&'static mut ") || text.contains("Mut<'static")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_tell_whether_a_loan_allows_changes() {
        let changing = ["&'static mut u8", "::c::Iter<'static, u8>", "::std::slice::IterMut<'static, u8>"];
        let reading =
            ["&'static u8", "::std::option::Option<&'static [u8]>", "::std::str::Chars<'static>", "u8"];
        assert!(changing.iter().all(|text| may_change(text)));
        assert!(!reading.iter().any(|text| may_change(text)));
    }
}
