//! Who may borrow from whom after a call, by the lifetimes of the signature.
//!
//! Where a lifetime is left out, the rules of elision say whose it is. A flow too many only forbids a program that
//! would compile; a flow too few would allow one that does not.

use testsmith_ir::api::{Flow, Place};

use super::doc::Generics;
use super::table::borrows;
use super::ty::{Arg, ParamKind, Predicate, Substitution, Ty};

/// A lifetime of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Region {
    Named(String),
    /// Left out in the reference that this parameter is.
    Of(usize),
    /// Left out in what this parameter holds.
    Inside(usize),
}

/// A parameter's regions.
struct Regions {
    /// Of the reference that the parameter is, and whether it is exclusive.
    outer: Option<(Region, bool)>,
    inner: Vec<Region>,
}

/// What a parameter and something else both hold, by a generic that they mention.
struct Share {
    /// Where the parameter is nothing but the generic, and that stands for a reference: whether it is exclusive.
    reference: Option<bool>,
}

/// The flows of a signature whose `Self` is replaced, and whose generics are replaced by `map` later.
pub(crate) fn flows(
    inputs: &[(String, Ty)],
    output: Option<&Ty>,
    generics: &[&Generics],
    map: &Substitution,
) -> Vec<Flow> {
    let regions: Vec<Regions> = inputs.iter().enumerate().map(|(at, (_, ty))| regions(at, ty)).collect();
    let share = |from: usize, to: &Ty| {
        let from = &inputs[from].1;
        shares(from, to, map).then(|| Share { reference: reference_behind(from, map) })
    };
    let mut flows = Vec::new();
    if let Some(output) = output {
        let wanted = output_regions(inputs, &regions, output);
        for (from, region) in regions.iter().enumerate() {
            let passes = |at: &Region| wanted.as_ref().is_none_or(|wanted| reaches(at, wanted, generics));
            push(&mut flows, from, Place::Result, region, passes, share(from, output));
        }
    }
    for (to, target) in regions.iter().enumerate() {
        if !matches!(target.outer, Some((_, true))) {
            continue;
        }
        for (from, region) in regions.iter().enumerate().filter(|(from, _)| *from != to) {
            let passes = |at: &Region| reaches(at, &target.inner, generics);
            push(&mut flows, from, Place::Param(to), region, passes, share(from, &inputs[to].1));
        }
    }
    flows
}

/// What is kept for ever must not borrow.
pub(crate) fn for_ever(from: usize) -> Flow {
    Flow { from, to: Place::Forever, exclusive: false, of_argument: false }
}

fn push(
    flows: &mut Vec<Flow>,
    from: usize,
    to: Place,
    region: &Regions,
    passes: impl Fn(&Region) -> bool,
    share: Option<Share>,
) {
    let outer = region.outer.as_ref().filter(|(outer, _)| passes(outer)).map(|(_, exclusive)| *exclusive);
    if let Some(exclusive) = outer.or_else(|| share.as_ref()?.reference) {
        flows.push(Flow { from, to, exclusive, of_argument: true });
    }
    if share.is_some() || region.inner.iter().any(&passes) {
        flows.push(Flow { from, to, exclusive: false, of_argument: false });
    }
}

fn regions(at: usize, ty: &Ty) -> Regions {
    let inside = |ty: &Ty| {
        let lifetimes = ty.lifetimes().into_iter();
        lifetimes.map(|lifetime| lifetime.map_or(Region::Inside(at), Region::Named)).collect()
    };
    match ty {
        Ty::Ref { lifetime, is_mut, inner } => {
            let outer = lifetime.clone().map_or(Region::Of(at), Region::Named);
            Regions { outer: Some((outer, *is_mut)), inner: inside(inner) }
        }
        _ => Regions { outer: None, inner: inside(ty) },
    }
}

/// The regions that the output names; `None` if it may hold any.
fn output_regions(inputs: &[(String, Ty)], regions: &[Regions], output: &Ty) -> Option<Vec<Region>> {
    // What `impl Trait` captures depends on the edition.
    if output.any(|ty| matches!(ty, Ty::Impl(_))) {
        return None;
    }
    let elided = || -> Vec<Region> {
        let of_self = inputs.first().is_some_and(|(name, _)| name == "self");
        match regions.first().and_then(|first| first.outer.clone()) {
            Some((region, _)) if of_self => vec![region],
            _ => {
                let outer = regions.iter().filter_map(|r| r.outer.clone().map(|(region, _)| region));
                outer.chain(regions.iter().flat_map(|r| r.inner.clone())).collect()
            }
        }
    };
    // `Self::Item` is what another impl says, which has names of its own for what `Self` holds here.
    let inner = || regions.iter().flat_map(|r| r.inner.clone());
    let is_known = |region: &Region| {
        let mut outer = regions.iter().filter_map(|r| r.outer.as_ref());
        inner().any(|known| known == *region) || outer.any(|(known, _)| known == region)
    };
    let mut found = Vec::new();
    for lifetime in output.lifetimes() {
        match lifetime.map(Region::Named) {
            Some(name) if is_known(&name) => found.push(name),
            Some(name) => found.extend(inner().chain([name])),
            None => found.extend(elided()),
        }
    }
    Some(found)
}

/// Whether something with the region `from` can become part of something with one of the regions `to`.
fn reaches(from: &Region, to: &[Region], generics: &[&Generics]) -> bool {
    let Region::Named(name) = from else { return to.contains(from) };
    if name == "'static" {
        // What a program passes here is a value of its own, which must not go while anybody may hold it.
        return !to.is_empty();
    }
    let outlives = |shorter: &Region| {
        let Region::Named(shorter) = shorter else { return false };
        generics.iter().any(|generics| lives_longer(generics, name, shorter))
    };
    to.contains(from) || to.iter().any(outlives)
}

/// `'name: 'shorter`
fn lives_longer(generics: &Generics, name: &str, shorter: &str) -> bool {
    let contains = |list: &[String]| list.iter().any(|other| other == shorter);
    let by_param = generics.params.iter().any(|param| match &param.kind {
        ParamKind::Lifetime { outlives } => param.name == name && contains(outlives),
        _ => false,
    });
    let by_clause = generics.predicates.iter().any(|predicate| match predicate {
        Predicate::Outlives(longer, outlives) => longer == name && contains(outlives),
        Predicate::Bounds(..) => false,
    });
    by_param || by_clause
}

/// Whether both mention a generic that stands for something that borrows.
fn shares(from: &Ty, to: &Ty, map: &Substitution) -> bool {
    map.iter().any(|(name, arg)| {
        let mentions = |ty: &Ty| ty.any(|part| matches!(part, Ty::Generic(generic) if generic == name));
        matches!(arg, Arg::Type(ty) if borrows(ty)) && mentions(from) && mentions(to)
    })
}

/// Whether a parameter is a reference because its generic stands for one, and whether that is exclusive: what a program passes
/// here is borrowed by the call itself.
fn reference_behind(ty: &Ty, map: &Substitution) -> Option<bool> {
    let Ty::Generic(name) = ty else { return None };
    match map.get(name)? {
        Arg::Type(Ty::Ref { is_mut, .. }) => Some(*is_mut),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(lifetime: Option<&str>, is_mut: bool, inner: Ty) -> Ty {
        Ty::Ref { lifetime: lifetime.map(str::to_owned), is_mut, inner: Box::new(inner) }
    }

    fn holder(lifetime: &str) -> Ty {
        let args = vec![Arg::Lifetime(lifetime.to_owned())];
        Ty::Path { id: "1".to_owned(), name: "Holder".to_owned(), args }
    }

    #[track_caller]
    fn check(inputs: &[(&str, Ty)], output: Option<Ty>, expected: &[(usize, Place, bool, bool)]) {
        let inputs: Vec<_> = inputs.iter().map(|(name, ty)| ((*name).to_owned(), ty.clone())).collect();
        let found = flows(&inputs, output.as_ref(), &[], &Substitution::new());
        let found: Vec<_> = found.iter().map(|f| (f.from, f.to, f.exclusive, f.of_argument)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn an_omitted_lifetime_is_that_of_the_receiver() {
        let u8 = || Ty::primitive("u8");
        let inputs = [("self", reference(None, true, u8())), ("other", reference(None, false, u8()))];
        check(&inputs, Some(reference(None, false, u8())), &[(0, Place::Result, true, true)]);
        check(&inputs, Some(u8()), &[]);
        check(&inputs[1..], Some(holder("'_")), &[(0, Place::Result, false, true)]);
    }

    #[test]
    fn a_named_lifetime_leads_from_what_is_held_to_the_result() {
        let item = reference(Some("'a"), false, Ty::primitive("u8"));
        let next = [("self", reference(None, true, holder("'a")))];
        check(&next, Some(item.clone()), &[(0, Place::Result, false, false)]);
        let keep = [("self", reference(None, true, holder("'a"))), ("item", item)];
        check(&keep, None, &[(1, Place::Param(0), false, true)]);
    }

    #[test]
    fn a_lifetime_of_another_impl_is_one_of_those_that_are_held() {
        let item = || reference(Some("'a"), false, Ty::primitive("u8"));
        let held = &[(0, Place::Result, false, false)];
        check(&[("self", reference(None, true, holder("'_")))], Some(item()), held);
        check(&[("self", reference(None, true, holder("'b")))], Some(item()), held);
        check(&[("self", reference(None, true, Ty::primitive("u8")))], Some(item()), &[]);
    }

    #[test]
    fn what_is_passed_as_static_stays_as_long_as_anybody_may_hold_it() {
        let text = reference(Some("'static"), false, Ty::primitive("str"));
        let held = &[(0, Place::Result, false, true)];
        check(&[("text", text.clone())], Some(text.clone()), held);
        check(&[("text", text.clone())], Some(holder("'a")), held);
        check(&[("text", text)], Some(Ty::primitive("u8")), &[]);
    }

    #[test]
    fn what_a_generic_that_is_a_reference_leads_to_is_borrowed_by_its_holder() {
        let generic = Ty::Generic("I".to_owned());
        let holder = Ty::Path {
            id: "1".to_owned(),
            name: "Holder".to_owned(),
            args: vec![Arg::Type(generic.clone())],
        };
        let inputs = [("input".to_owned(), generic)];
        let slice = Ty::Slice(Box::new(Ty::primitive("u8")));
        let table = [
            (Ty::primitive("u8"), vec![]),
            (reference(Some("'static"), false, slice.clone()), vec![(false, true), (false, false)]),
            (reference(Some("'static"), true, slice), vec![(true, true), (false, false)]),
        ];
        for (stands_for, expected) in table {
            let map = Substitution::from([("I".to_owned(), Arg::Type(stands_for))]);
            let found = flows(&inputs, Some(&holder), &[], &map);
            let found: Vec<_> = found.iter().map(|flow| (flow.exclusive, flow.of_argument)).collect();
            assert_eq!(found, expected);
        }
    }
}
