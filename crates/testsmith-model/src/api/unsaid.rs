//! Type parameters of a function that a call leaves open: nothing says the error's type in `cache.try_insert(0, || Ok(7))`,
//! or the order of bytes in `reader.read_u16()`, so that the text of the call has to.

use super::choose::is_call;
use super::closures;
use super::doc::Generics;
use super::parsers;
use super::ty::{Arg, Bound, Predicate, Ty};
use super::world::World;

/// A function as it is declared, and what stands in a call of it.
pub(crate) struct Call<'a> {
    pub(crate) generics: &'a Generics,
    pub(crate) declared: &'a [(String, Ty)],
    pub(crate) given: &'a [(String, Ty)],
}

impl Call<'_> {
    /// Whether no argument says what a type parameter is.
    pub(crate) fn leaves_open(&self, world: &World<'_>, param: &str) -> bool {
        let wanted = Ty::Generic(param.to_owned());
        if self.declared.iter().any(|(_, ty)| mentions(ty, &wanted)) {
            return false;
        }
        let names = self.generics.params.iter().map(|other| &other.name).filter(|name| *name != param);
        let mut bounds = names.flat_map(|name| {
            let code = self.closure(name);
            world.asked_of(self.generics, name, &Default::default()).into_iter().map(move |it| (code, it))
        });
        // The type of a result could say it, where that is written; not if the result goes straight into another call.
        !bounds.any(|(code, bound)| tells(&bound, code, &wanted)) && !self.parts_say(&wanted)
    }

    /// The same for a constant.
    pub(crate) fn leaves_constant_open(&self, param: &str) -> bool {
        let wanted = Arg::Const(param.to_owned());
        !self.declared.iter().any(|(_, ty)| is_part(&wanted, ty))
    }

    /// Whether a bound of something that other parameters are a part of says it: `&'a List: IntoIterator<Item = T>`.
    fn parts_say(&self, wanted: &Ty) -> bool {
        let is_bound = |bound: &Bound| bound.bindings.iter().any(|(_, ty)| mentions(ty, wanted));
        self.generics.predicates.iter().any(|predicate| match predicate {
            Predicate::Bounds(Ty::Generic(_), _) | Predicate::Outlives(..) => false,
            Predicate::Bounds(of, bounds) => !mentions(of, wanted) && bounds.iter().any(is_bound),
        })
    }

    /// The closure that stands for a type parameter.
    fn closure(&self, param: &str) -> Option<&str> {
        let is_declared = |(_, ty): &(String, Ty)| matches!(ty, Ty::Generic(name) if name == param);
        match &self.given.get(self.declared.iter().position(is_declared)?)?.1 {
            Ty::Closure { code } => Some(code),
            _ => None,
        }
    }
}

/// Whether no argument says what a type's own parameters are: `Float::from_f32(1.0)` makes an `Option` of any `Float<T>`. What
/// is no parameter, as in `impl Float<f64>`, is open as well where other impls have such a function.
pub(crate) fn leaves_owner_open(declared: &Ty, inputs: &[(String, Ty)], has_others: bool) -> bool {
    let Ty::Path { args, .. } = declared else { return false };
    let is_said = |arg: &Arg| inputs.iter().any(|(_, ty)| is_part(arg, ty));
    if is_said(&Arg::Type(Ty::Generic("Self".to_owned()))) {
        return false;
    }
    args.iter().any(|arg| match arg {
        Arg::Lifetime(_) => false,
        Arg::Type(Ty::Generic(_)) | Arg::Const(_) => !is_said(arg),
        Arg::Type(_) => has_others,
    })
}

/// Whether a type has this in it, other than for something that is associated with it.
fn is_part(wanted: &Arg, ty: &Ty) -> bool {
    let is_it = |ty: &Ty| *wanted == Arg::Type(ty.clone()) || is_part(wanted, ty);
    match ty {
        Ty::Path { args, .. } => {
            args.iter().any(|arg| arg == wanted || matches!(arg, Arg::Type(inner) if is_part(wanted, inner)))
        }
        Ty::Ref { inner, .. } | Ty::Slice(inner) => is_it(inner),
        Ty::Array(inner, len) => is_it(inner) || *wanted == Arg::Const(len.clone()),
        Ty::Tuple(parts) => parts.iter().any(is_it),
        _ => *wanted == Arg::Type(ty.clone()),
    }
}

fn mentions(ty: &Ty, wanted: &Ty) -> bool {
    ty.any(|part| part == wanted)
}

/// Whether a bound of another parameter tells what the wanted one is: `I: Iterator<Item = T>` does.
fn tells(bound: &Bound, closure: Option<&str>, wanted: &Ty) -> bool {
    if is_call(bound) {
        let output = bound.binding("Output").filter(|output| mentions(output, wanted));
        return output.is_some_and(|output| closure.is_none_or(|code| says(code, output, wanted)));
    }
    let in_args = bound.args.iter().any(|arg| matches!(arg, Arg::Type(ty) if mentions(ty, wanted)));
    in_args || bound.bindings.iter().any(|(_, ty)| mentions(ty, wanted))
}

/// Whether what a closure gives has a value of a type that is part of its result's.
fn says(code: &str, output: &Ty, wanted: &Ty) -> bool {
    if closures::stops(code) || parsers::gives_anything(code) {
        return false;
    }
    let has = |ty: Option<&&Ty>| ty.is_some_and(|ty| ty.any(|part| part == wanted));
    match (closures::value(code), output.as_path()) {
        (value, Some(("std::result::Result", args))) if value.starts_with("Ok(") => has(args.first()),
        (value, Some(("std::result::Result", args))) if value.starts_with("Err(") => has(args.get(1)),
        ("None", Some(("std::option::Option", _))) | ("Vec::new()", Some(("std::vec::Vec", _))) => false,
        _ => true,
    }
}
