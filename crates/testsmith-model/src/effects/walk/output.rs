//! Types of what methods of the standard library give back.

use super::method::Call;
use crate::effects::decls::{Decls, FnDecl};
use crate::effects::stdlib::Out;
use crate::effects::ty::Ty;

/// The type that a row of the table stands for, given the receiver's type and what the closure returns.
pub(super) fn output(
    d: &Decls<'_>,
    f: &FnDecl<'_>,
    out: Out,
    receiver: &Ty,
    closure: &Ty,
    call: &Call<'_>,
) -> Ty {
    let str_ref = || Ty::Prim("str").reference(false);
    let iter = |item: Ty| if item.is_unknown() { Ty::Unknown } else { Ty::Iter(Box::new(item)) };
    let of_iter = |item: Ty| Ty::Iter(Box::new(item));
    let item = || d.item(f, receiver);
    let element = || element_of(d, receiver);
    match out {
        Out::Unknown => collected(call, receiver, d, f),
        Out::Unit => Ty::UNIT,
        Out::Bool => Ty::Prim("bool"),
        Out::Usize => Ty::Prim("usize"),
        Out::Ordering => Ty::foreign("Ordering", Vec::new()),
        Out::Str => str_ref(),
        Out::String => Ty::foreign("String", Vec::new()),
        Out::OptStr => Ty::option(str_ref()),
        Out::IterStr => of_iter(str_ref()),
        Out::IterChar => of_iter(Ty::Prim("char")),
        Out::IterByte => of_iter(Ty::Prim("u8")),
        Out::IterCharIndices => of_iter(Ty::Tuple(vec![Ty::Prim("usize"), Ty::Prim("char")])),
        Out::Same => owned(receiver),
        Out::SameRef => receiver.peeled().clone().reference(false),
        Out::SameRefMut => receiver.unreferenced().clone().reference(true),
        Out::Element => match (unwrapped(d, receiver), call.args.first()) {
            (Ty::Unknown, Some(default)) if call.name == "unwrap_or" => default.ty.clone(),
            (known, _) => known,
        },
        Out::ElementRef => element().reference(false),
        Out::ElementRefMut => element().reference(true),
        Out::OptElement => Ty::option(element()),
        Out::OptElementRef => Ty::option(element().reference(false)),
        Out::OptElementRefMut => Ty::option(element().reference(true)),
        Out::IterRef => map_items(receiver, false).unwrap_or_else(|| of_iter(element().reference(false))),
        Out::IterRefMut => map_items(receiver, true).unwrap_or_else(|| of_iter(element().reference(true))),
        Out::Iter => zipped(d, f, call, receiver),
        Out::OptItem => Ty::option(item()),
        Out::SameIter => iter(item()),
        Out::Enumerated => of_iter(Ty::Tuple(vec![Ty::Prim("usize"), item()])),
        Out::Vec => Ty::foreign("Vec", vec![element()]),
        Out::Closure | Out::OfClosure => closure.clone(),
        Out::IterClosure => match receiver.peeled().foreign_name() {
            Some("Option") => Ty::option(closure.clone()),
            Some("Result") => Ty::foreign("Result", vec![closure.clone(), receiver.arg(1)]),
            _ => of_iter(closure.clone()),
        },
        Out::IterOfClosure => of_iter(match closure.item() {
            Ty::Unknown => closure.arg(0),
            known => known,
        }),
        Out::Argument => call.args.first().map(|arg| arg.ty.clone()).unwrap_or_default(),
        Out::OptArg0 => Ty::option(receiver.arg(0)),
        Out::OptArg1 => Ty::option(receiver.arg(1)),
        Out::KeepOuter => kept(receiver, &call.name),
        Out::Keys => of_iter(receiver.arg(0).reference(false)),
        Out::Entry => Ty::foreign("Entry", vec![element()]),
        Out::Slice => Ty::Seq(Box::new(bytes_or(receiver, element()))).reference(false),
        Out::SliceMut => Ty::Seq(Box::new(bytes_or(receiver, element()))).reference(true),
        Out::Pointer => Ty::Ptr(false, Box::new(element())),
        Out::PointerMut => Ty::Ptr(true, Box::new(element())),
    }
}

/// The receiver's type without references; a shared owner is cloned as such.
fn owned(receiver: &Ty) -> Ty {
    match receiver.unreferenced() {
        Ty::Prim("str") => Ty::foreign("String", Vec::new()),
        Ty::Seq(inner) if matches!(receiver, Ty::Ref(..)) => Ty::foreign("Vec", vec![(**inner).clone()]),
        other => other.clone(),
    }
}

fn element_of(d: &Decls<'_>, receiver: &Ty) -> Ty {
    let mut ty = receiver.clone();
    for _ in 0..8 {
        match (&ty, d.one_step_behind(&ty)) {
            (Ty::Own(..) | Ty::Ref(..), Some(next)) => ty = next,
            _ => break,
        }
    }
    ty.element()
}

/// What `unwrap` gives; a guard that needs none stays what it is.
fn unwrapped(d: &Decls<'_>, receiver: &Ty) -> Ty {
    match receiver {
        Ty::Ref(_, inner) if !matches!(**inner, Ty::Foreign(_) | Ty::Seq(_)) => receiver.clone(),
        Ty::Foreign(foreign) if foreign.name == "Ordering" => receiver.clone(),
        _ => element_of(d, receiver),
    }
}

/// `iter()` of a map yields pairs.
fn map_items(receiver: &Ty, mutable: bool) -> Option<Ty> {
    let inner = receiver.peeled().clone().reference(mutable);
    match inner.item() {
        pair @ Ty::Tuple(_) if matches!(receiver.peeled(), Ty::Foreign(_)) => Some(Ty::Iter(Box::new(pair))),
        _ => None,
    }
}

/// `Option<T>` with `as_ref` holds a `&T`, and so on; `copied` does the opposite.
fn kept(receiver: &Ty, method: &str) -> Ty {
    let change = |inner: Ty| match method {
        "as_ref" | "as_deref" => inner.reference(false),
        "as_mut" | "as_deref_mut" => inner.reference(true),
        "copied" | "cloned" => match inner {
            Ty::Ref(_, inner) => *inner,
            other => other,
        },
        _ => inner,
    };
    match receiver.peeled() {
        Ty::Foreign(foreign) if matches!(foreign.name.as_str(), "Option" | "Result") => {
            let mut args = foreign.args.clone();
            if let Some(first) = args.first_mut() {
                *first = change(std::mem::take(first));
            }
            let name = if method.starts_with("ok_or") { "Result" } else { &foreign.name };
            Ty::foreign(name, args)
        }
        Ty::Iter(item) => Ty::Iter(Box::new(change((**item).clone()))),
        Ty::Foreign(foreign) if matches!(foreign.name.as_str(), "Mutex" | "RwLock") => {
            receiver.arg(0).reference(true)
        }
        _ => match (method, receiver.item()) {
            ("copied" | "cloned" | "filter", Ty::Unknown) => Ty::Unknown,
            ("copied" | "cloned" | "filter", item) => Ty::Iter(Box::new(change(item))),
            ("as_ref" | "as_mut", _) => Ty::Unknown,
            _ => Ty::Unknown,
        },
    }
}

fn zipped(d: &Decls<'_>, f: &FnDecl<'_>, call: &Call<'_>, receiver: &Ty) -> Ty {
    let of_iter = |item: Ty| Ty::Iter(Box::new(item));
    match (call.name.as_str(), call.args.first()) {
        ("zip", Some(other)) => of_iter(Ty::Tuple(vec![d.item(f, receiver), d.item(f, &other.ty)])),
        ("flatten", _) => match d.item(f, receiver).item() {
            Ty::Unknown => Ty::Unknown,
            item => of_iter(item),
        },
        ("windows" | "chunks" | "chunks_exact" | "rchunks", _) => {
            of_iter(Ty::Seq(Box::new(element_of(d, receiver))).reference(false))
        }
        _ => Ty::Unknown,
    }
}

/// `collect::<Vec<_>>()` and what else says its type behind its name; halves of a slice.
fn collected(call: &Call<'_>, receiver: &Ty, d: &Decls<'_>, f: &FnDecl<'_>) -> Ty {
    if let Some(written) = &call.turbofish {
        let item = d.item(f, receiver);
        return match written {
            Ty::Foreign(foreign) if foreign.args.len() == 1 && foreign.args[0].is_unknown() => {
                Ty::foreign(&foreign.name, vec![item])
            }
            other => other.clone(),
        };
    }
    let slice = |mutable: bool| Ty::Seq(Box::new(element_of(d, receiver))).reference(mutable);
    match call.name.as_str() {
        "split_at" => Ty::Tuple(vec![slice(false), slice(false)]),
        "split_at_mut" => Ty::Tuple(vec![slice(true), slice(true)]),
        "chunks_mut" | "chunks_exact_mut" => Ty::Iter(Box::new(slice(true))),
        "partial_cmp" => Ty::option(Ty::foreign("Ordering", Vec::new())),
        "position" | "rposition" => Ty::option(Ty::Prim("usize")),
        "size_hint" => Ty::Tuple(vec![Ty::Prim("usize"), Ty::option(Ty::Prim("usize"))]),
        "checked_add" | "checked_sub" | "checked_mul" | "checked_div" => {
            Ty::option(receiver.unreferenced().clone())
        }
        "min" | "max" | "clamp" | "pow" | "abs" | "wrapping_add" | "wrapping_sub" | "saturating_sub"
        | "saturating_add"
            if matches!(receiver.unreferenced(), Ty::Prim(_)) =>
        {
            receiver.unreferenced().clone()
        }
        _ => Ty::Unknown,
    }
}

/// Strings are bytes here, not characters.
fn bytes_or(receiver: &Ty, element: Ty) -> Ty {
    match receiver.peeled() {
        Ty::Prim("str") => Ty::Prim("u8"),
        Ty::Foreign(foreign) if foreign.name == "String" => Ty::Prim("u8"),
        _ => element,
    }
}
