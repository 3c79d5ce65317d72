//! Matches a type with generics against a concrete one: `Slab<T>` against `Slab<i32>` says that `T` is `i32`.

use super::ty::{Arg, Bound, Substitution, Ty};

/// Extends the substitution so that the pattern becomes the type; `false` if there is no such.
pub(crate) fn unify(pattern: &Ty, ty: &Ty, map: &mut Substitution) -> bool {
    match (pattern, ty) {
        // What it is depends on what is not known yet.
        (Ty::Assoc { .. } | Ty::Inferred | Ty::Impl(_), _) => true,
        (Ty::Generic(name), _) => match map.get(name) {
            Some(Arg::Type(known)) => known == ty,
            Some(_) => false,
            None => {
                map.insert(name.clone(), Arg::Type(ty.clone()));
                true
            }
        },
        (Ty::Path { id: p, args: ps, .. }, Ty::Path { id: t, args: ts, .. }) => {
            // Arguments that have defaults may be left out on one side.
            p == t && ps.iter().zip(ts).all(|(p, t)| unify_arg(p, t, map))
        }
        (Ty::Tuple(ps), Ty::Tuple(ts)) => all(ps, ts, map),
        (Ty::Slice(p), Ty::Slice(t)) => unify(p, t, map),
        (Ty::Array(p, pl), Ty::Array(t, tl)) => unify(p, t, map) && unify_const(pl, tl, map),
        (Ty::Ref { is_mut: pm, inner: p, .. }, Ty::Ref { is_mut: tm, inner: t, .. }) => {
            pm == tm && unify(p, t, map)
        }
        (Ty::Dyn(ps, _), Ty::Dyn(ts, _)) => {
            let same = |(p, t): (&Bound, &Bound)| p.id == t.id;
            ps.len() == ts.len() && ps.iter().zip(ts).all(same)
        }
        (Ty::Function { inputs: pi, output: po }, Ty::Function { inputs: ti, output: to }) => {
            all(pi, ti, map) && unify(po, to, map)
        }
        _ => pattern == ty,
    }
}

fn all(patterns: &[Ty], types: &[Ty], map: &mut Substitution) -> bool {
    patterns.len() == types.len() && patterns.iter().zip(types).all(|(p, t)| unify(p, t, map))
}

pub(crate) fn unify_arg(pattern: &Arg, arg: &Arg, map: &mut Substitution) -> bool {
    match (pattern, arg) {
        // All lifetimes are one in the harness; their names matter for flows alone.
        (Arg::Lifetime(_), Arg::Lifetime(_)) => true,
        (Arg::Type(pattern), Arg::Type(ty)) => unify(pattern, ty, map),
        (Arg::Const(pattern), Arg::Const(value)) => unify_const(pattern, value, map),
        _ => false,
    }
}

/// A pattern that is a name stands for the value, as `N` does.
fn unify_const(pattern: &str, value: &str, map: &mut Substitution) -> bool {
    let is_name =
        pattern.starts_with(char::is_alphabetic) && pattern.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name {
        return pattern == value;
    }
    match map.get(pattern) {
        Some(Arg::Const(known)) => known == value,
        Some(_) => false,
        None => {
            map.insert(pattern.to_owned(), Arg::Const(value.to_owned()));
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generic(name: &str) -> Ty {
        Ty::Generic(name.to_owned())
    }

    #[test]
    fn generics_are_bound_once() {
        let mut map = Substitution::new();
        let pair = |a, b| Ty::Tuple(vec![a, b]);
        let (i32, u8) = (Ty::primitive("i32"), Ty::primitive("u8"));
        assert!(unify(&pair(generic("A"), generic("B")), &pair(i32.clone(), u8.clone()), &mut map));
        assert_eq!(map.get("A"), Some(&Arg::Type(i32.clone())));
        assert!(!unify(&generic("A"), &u8, &mut map));
        assert!(unify(&generic("A"), &i32, &mut map));
    }

    #[test]
    fn lengths_of_arrays_are_bound_like_types() {
        let mut map = Substitution::new();
        let array = |len: &str| Ty::Array(Box::new(Ty::primitive("u8")), len.to_owned());
        assert!(unify(&array("N"), &array("4"), &mut map));
        assert_eq!(map.get("N"), Some(&Arg::Const("4".to_owned())));
        assert!(!unify(&array("8"), &array("4"), &mut map));
    }
}
