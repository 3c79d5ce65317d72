//! Laws of the standard library's traits ([`LAWS`]): what every implementation promises, whatever the type.
//!
//! A law is a small program about one or two objects that were seen, and a relation between its answers. What breaks one is a
//! fault of the implementation.

use testsmith_ir::random::ProgramBuilder;
use testsmith_ir::{Accepts, Api, CallableId, Program, Slot, TypeId};
use testsmith_rt::harness::Value;
use testsmith_rt::harness::wire::{At, Execution, Observations, Outcome, What};

use crate::compose::Composer;
use crate::record::Tables;

/// What a trait promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Law {
    /// `a == a`
    EqIsReflexive,
    /// `(a == b) == (b == a)`
    EqIsSymmetric,
    /// `a.clone() == a`
    CloneIsEqual,
    /// `T::default() == T::default()`
    DefaultIsSteady,
    /// `a.cmp(&b) == b.cmp(&a).reverse()`
    OrdIsAntisymmetric,
    /// `(a == b) == a.cmp(&b).is_eq()`
    OrdAgreesWithEq,
    /// `a == b` implies that their hashes are equal.
    HashAgreesWithEq,
    /// `a.to_string().parse() == Ok(a)`
    DisplayIsParsed,
    /// `T::from(U::from(a)) == a`
    FromGoesBack,
}

/// All laws, with the traits that promise them and how they are written.
pub const LAWS: [(Law, &str, &str); 9] = [
    (Law::EqIsReflexive, "Eq", "a == a"),
    (Law::EqIsSymmetric, "PartialEq", "(a == b) == (b == a)"),
    (Law::CloneIsEqual, "Clone", "a.clone() == a"),
    (Law::DefaultIsSteady, "Default", "T::default() == T::default()"),
    (Law::OrdIsAntisymmetric, "Ord", "a.cmp(&b) == b.cmp(&a).reverse()"),
    (Law::OrdAgreesWithEq, "Ord", "(a == b) == a.cmp(&b).is_eq()"),
    (Law::HashAgreesWithEq, "Hash", "a == b implies hash(a) == hash(b)"),
    (Law::DisplayIsParsed, "FromStr", "a.to_string().parse() == Ok(a)"),
    (Law::FromGoesBack, "From", "T::from(U::from(a)) == a"),
];

/// A law of a type, with what it takes to try it.
#[derive(Clone, Debug)]
pub struct LawOfType {
    /// The law.
    pub law: Law,
    /// The type.
    pub ty: TypeId,
    /// What is called, in order.
    calls: Vec<CallableId>,
}

/// A program that tries a law.
#[derive(Clone, Debug)]
pub struct LawTrial {
    /// The program.
    pub program: Program,
    /// The statements whose answers are compared.
    answers: Vec<Slot>,
    law: Law,
}

impl LawOfType {
    /// The laws that types of an API promise, as far as the API has what it takes to try them.
    pub fn all(api: &Api) -> Vec<LawOfType> {
        let own =
            api.types().filter(|(_, ty)| ty.literal.is_none() && !ty.borrows && ty.text.starts_with("::"));
        own.flat_map(|(ty, _)| LAWS.into_iter().map(move |(law, ..)| (law, ty)))
            .filter_map(|(law, ty)| Some(LawOfType { law, ty, calls: calls(api, law, ty)? }))
            .collect()
    }

    /// A program that tries it on objects that were seen.
    pub fn trial(&self, composer: &mut Composer<'_>, tables: &Tables) -> Option<LawTrial> {
        let Self { law, ty, calls } = self;
        let mut builder = composer.begin();
        let mut answers = Vec::new();
        let mut last = None;
        // Of two objects many are equal: most laws are about those.
        let mut object = |builder: &mut ProgramBuilder<'_, '_>| {
            let (slot, at) = Composer::object(builder, tables, *ty, last)?;
            last = Some(at);
            Some(slot)
        };
        let call = |builder: &mut ProgramBuilder<'_, '_>, at: usize, args: &[Slot]| {
            let wanted: Vec<Option<Slot>> = args.iter().copied().map(Some).collect();
            builder.call_with(calls[at], &wanted)
        };
        match law {
            Law::EqIsReflexive => {
                let a = object(&mut builder)?;
                answers.push(call(&mut builder, 0, &[a, a])?);
            }
            Law::EqIsSymmetric | Law::OrdIsAntisymmetric => {
                let (a, b) = (object(&mut builder)?, object(&mut builder)?);
                answers.push(call(&mut builder, 0, &[a, b])?);
                answers.push(call(&mut builder, 0, &[b, a])?);
            }
            Law::CloneIsEqual => {
                let a = object(&mut builder)?;
                let copy = call(&mut builder, 1, &[a])?;
                answers.push(call(&mut builder, 0, &[copy, a])?);
            }
            Law::DefaultIsSteady => {
                let (a, b) = (call(&mut builder, 1, &[])?, call(&mut builder, 1, &[])?);
                answers.push(call(&mut builder, 0, &[a, b])?);
            }
            Law::OrdAgreesWithEq => {
                let (a, b) = (object(&mut builder)?, object(&mut builder)?);
                answers.push(call(&mut builder, 0, &[a, b])?);
                answers.push(call(&mut builder, 1, &[a, b])?);
            }
            Law::HashAgreesWithEq => {
                let (a, b) = (object(&mut builder)?, object(&mut builder)?);
                answers.push(call(&mut builder, 0, &[a, b])?);
                answers.push(call(&mut builder, 1, &[a, b])?);
            }
            Law::DisplayIsParsed => {
                let a = object(&mut builder)?;
                let text = call(&mut builder, 1, &[a])?;
                let parsed = call(&mut builder, 2, &[text])?;
                answers.push(parsed);
                let back = call(&mut builder, 3, &[parsed])?;
                answers.push(call(&mut builder, 0, &[back, a])?);
            }
            Law::FromGoesBack => {
                let a = object(&mut builder)?;
                let copy = call(&mut builder, 3, &[a])?;
                let other = call(&mut builder, 1, &[copy])?;
                let back = call(&mut builder, 2, &[other])?;
                answers.push(call(&mut builder, 0, &[back, a])?);
            }
        }
        Some(LawTrial { program: builder.finish(), answers, law: *law })
    }
}

impl LawTrial {
    /// Whether the law holds; nothing where the program does not tell.
    pub fn holds(&self, execution: &Execution) -> Option<bool> {
        if execution.outcome != Outcome::Ok {
            return None;
        }
        let value = |at: usize| value(execution, *self.answers.get(at)?);
        let is = |at: usize| match value(at)? {
            Value::Bool(is) => Some(is),
            _ => None,
        };
        let ordering = |at: usize| match value(at)? {
            Value::Ordering(ordering) => Some(ordering),
            _ => None,
        };
        match self.law {
            Law::EqIsReflexive | Law::CloneIsEqual | Law::DefaultIsSteady | Law::FromGoesBack => is(0),
            Law::EqIsSymmetric => Some(is(0)? == is(1)?),
            Law::OrdIsAntisymmetric => Some(ordering(0)? == ordering(1)?.reverse()),
            Law::OrdAgreesWithEq => Some(is(0)? == ordering(1)?.is_eq()),
            Law::HashAgreesWithEq => Some(!is(0)? || is(1)?),
            Law::DisplayIsParsed => {
                // What is not parsed has no value to compare.
                if execution.absent.contains(&self.answers[1].0) { Some(false) } else { is(1) }
            }
        }
    }
}

fn value(execution: &Execution, slot: Slot) -> Option<Value> {
    let Observations::Full(all) = &execution.observations else { return None };
    all.iter().find_map(|it| match (&it.what, it.at) {
        (What::Value(bytes), At::Statement(at)) if at == slot.0 => Value::decode(bytes).ok(),
        _ => None,
    })
}

/// The callables that a law is tried with; `None` if the type does not promise it, or the API has not what it takes.
fn calls(api: &Api, law: Law, ty: TypeId) -> Option<Vec<CallableId>> {
    let shared = Accepts::Shared(ty);
    let takes = |id: CallableId, accepts: &[Accepts]| {
        let params = &api[id].params;
        params.len() == accepts.len() && params.iter().zip(accepts).all(|(param, it)| param.accepts == *it)
    };
    let find = |is_it: &dyn Fn(CallableId) -> bool| api.callables().map(|(id, _)| id).find(|id| is_it(*id));
    let is = |id: CallableId, method: &str| api[id].code.contains(method);
    let equal = || find(&|id| takes(id, &[shared, shared]) && api[id].shown == "$0 == $1");
    let compare = || find(&|id| takes(id, &[shared, shared]) && is(id, " as ::std::cmp::Ord>::cmp("));
    let clone = || {
        find(&|id| takes(id, &[shared]) && api[id].output == ty && is(id, " as ::std::clone::Clone>::clone("))
    };
    Some(match law {
        Law::EqIsReflexive => {
            // Floats are equal to themselves for the most part only: `Eq` promises what `PartialEq` does not.
            if !api[ty].facts.eq || !is_total(api, ty) {
                return None;
            }
            vec![equal()?]
        }
        Law::EqIsSymmetric => vec![equal()?],
        Law::CloneIsEqual if is_total(api, ty) => vec![equal()?, clone()?],
        Law::DefaultIsSteady if is_total(api, ty) => vec![
            equal()?,
            find(&|id| {
                takes(id, &[]) && api[id].output == ty && is(id, " as ::std::default::Default>::default(")
            })?,
        ],
        Law::OrdIsAntisymmetric => vec![compare()?],
        Law::OrdAgreesWithEq => vec![equal()?, compare()?],
        Law::HashAgreesWithEq => {
            vec![equal()?, find(&|id| takes(id, &[shared, shared]) && is(id, "BuildHasher::hash_one"))?]
        }
        Law::DisplayIsParsed if is_total(api, ty) => {
            let print = find(&|id| takes(id, &[shared]) && is(id, "::std::format!(\"{}\", $0)"))?;
            let parse = find(&|id| {
                takes(id, &[Accepts::Text])
                    && is(id, " as ::std::str::FromStr>::from_str(")
                    && api[api[id].output]
                        .text
                        .starts_with(&format!("::std::result::Result<{},", api[ty].text))
            })?;
            let result = Accepts::Value(api[parse].output);
            let open = find(&|id| takes(id, &[result]) && api[id].output == ty)?;
            vec![equal()?, print, parse, open]
        }
        Law::FromGoesBack if is_total(api, ty) => {
            let is_from = |id: CallableId| is(id, " as ::std::convert::From<");
            let there = |id: CallableId| is_from(id) && takes(id, &[Accepts::Value(ty)]);
            let mut pairs = api.callables().map(|(id, _)| id).filter(|id| there(*id)).filter_map(|to| {
                let other = api[to].output;
                // A number may be narrower than what it is made of.
                let is_own = api[other].literal.is_none() && other != ty;
                let back =
                    find(&|id| is_from(id) && takes(id, &[Accepts::Value(other)]) && api[id].output == ty)?;
                is_own.then_some((to, back))
            });
            let (to, back) = pairs.next()?;
            vec![equal()?, to, back, clone()?]
        }
        _ => return None,
    })
}

/// Whether equality of a type is total: it can be ordered or hashed, or makes and shows no floating-point number.
fn is_total(api: &Api, ty: TypeId) -> bool {
    let is_its = |accepts: Accepts| accepts == Accepts::Shared(ty);
    let is_float = |id: TypeId| api[id].text.contains("f32") || api[id].text.contains("f64");
    let promises = api.callables().any(|(_, callable)| {
        let promises = |of_trait: &str| callable.code.contains(of_trait);
        callable.params.first().is_some_and(|param| is_its(param.accepts))
            && (promises(" as ::std::cmp::Ord>") || promises("BuildHasher::hash_one"))
    });
    let has_float = || {
        is_float(ty)
            || api.callables().any(|(_, callable)| {
                let takes_float = callable
                    .params
                    .iter()
                    .any(|param| matches!(param.accepts, Accepts::Value(it) if is_float(it)));
                let shows = callable.params.iter().any(|param| is_its(param.accepts));
                callable.output == ty && takes_float || shows && is_float(callable.output)
            })
    };
    promises || !has_float()
}
