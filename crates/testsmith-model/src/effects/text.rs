//! Path text of declarations, and words in macro bodies.

use proc_macro2::{TokenStream, TokenTree};

use super::decls::Decls;
use super::ty::Ty;

/// `a::b::name`.
pub(super) fn joined(module: &[String], name: &str) -> String {
    module.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("::")
}

/// A type as it stands in the path of a function, without arguments.
pub(super) fn of_type(decls: &Decls<'_>, ty: &Ty) -> String {
    match ty {
        Ty::Prim(name) => (*name).to_owned(),
        Ty::Own(id, _) => decls.types[*id].path.to_string(),
        Ty::Foreign(foreign) => foreign.name.clone(),
        Ty::Param(name) => name.clone(),
        Ty::Ref(false, inner) => format!("&{}", of_type(decls, inner)),
        Ty::Ref(true, inner) => format!("&mut {}", of_type(decls, inner)),
        Ty::Ptr(false, inner) => format!("*const {}", of_type(decls, inner)),
        Ty::Ptr(true, inner) => format!("*mut {}", of_type(decls, inner)),
        Ty::Seq(inner) => format!("[{}]", of_type(decls, inner)),
        Ty::Tuple(list) => {
            let list: Vec<_> = list.iter().map(|ty| of_type(decls, ty)).collect();
            format!("({})", list.join(", "))
        }
        Ty::Bounded(bounds) => bounds.iter().map(|bound| bound.name.as_str()).collect::<Vec<_>>().join(" + "),
        Ty::Unknown | Ty::Iter(_) | Ty::Callable(_) | Ty::Function(..) => "_".to_owned(),
    }
}

/// Whether a word occurs.
pub(super) fn mentions(tokens: &TokenStream, word: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Group(group) => mentions(&group.stream(), word),
        _ => false,
    })
}
