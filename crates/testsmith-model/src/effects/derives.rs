//! Functions that `derive` writes: no source shows them, but what they do is known.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Meta};

use super::decls::{Body, FnDecl, ModuleId, Owner, ParamDecl};
use super::ty::{Bounds, Ty};
use crate::{Attrs, CfgSet};

/// The traits that a type derives, each with the place of the word.
pub(super) fn names(attrs: &[Attribute], cfg: &CfgSet) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for attr in attrs.iter().filter(|attr| Attrs::read(std::slice::from_ref(attr), cfg).has("derive")) {
        let Meta::List(list) = &attr.meta else { continue };
        if list.path.is_ident("derive") {
            words(list.tokens.clone(), &mut found);
        } else {
            inside_cfg_attr(list.tokens.clone(), &mut found);
        }
    }
    found
}

fn inside_cfg_attr(tokens: TokenStream, into: &mut Vec<(String, usize)>) {
    let mut is_derive = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) if is_derive => words(group.stream(), into),
            token => is_derive = matches!(token, TokenTree::Ident(word) if word == "derive"),
        }
    }
}

/// The last name of each path in a list.
fn words(tokens: TokenStream, into: &mut Vec<(String, usize)>) {
    let mut last = None;
    for token in tokens {
        match token {
            TokenTree::Ident(word) => last = Some((word.to_string(), word.span().byte_range().start)),
            TokenTree::Punct(punct) if punct.as_char() == ',' => into.extend(last.take()),
            _ => {}
        }
    }
    into.extend(last);
}

/// The function that deriving a trait writes, if the analysis knows it.
pub(super) fn function<'a>(
    trait_name: &str,
    self_ty: &Ty,
    file: usize,
    line: usize,
    module: ModuleId,
) -> Option<FnDecl<'a>> {
    let shared = self_ty.clone().reference(false);
    let other = |name: &str, ty: Ty| ParamDecl { name: name.to_owned(), ty, pat: None };
    let state = || other("state", Ty::Param("H".to_owned()).reference(true));
    let formatter = || other("f", Ty::foreign("Formatter", Vec::new()).reference(true));
    let (name, receiver, more, ret) = match trait_name {
        "Clone" => ("clone", true, None, self_ty.clone()),
        "Default" => ("default", false, None, self_ty.clone()),
        "PartialEq" => ("eq", true, Some(other("other", shared.clone())), Ty::Prim("bool")),
        "PartialOrd" => {
            let ret = Ty::option(Ty::foreign("Ordering", Vec::new()));
            ("partial_cmp", true, Some(other("other", shared.clone())), ret)
        }
        "Ord" => ("cmp", true, Some(other("other", shared.clone())), Ty::foreign("Ordering", Vec::new())),
        "Hash" => ("hash", true, Some(state()), Ty::UNIT),
        "Debug" => ("fmt", true, Some(formatter()), Ty::foreign("Result", vec![Ty::UNIT])),
        _ => return None,
    };
    let receiver = receiver.then(|| other("self", shared));
    Some(FnDecl {
        path: String::new(),
        name: name.to_owned(),
        file,
        line,
        name_line: line,
        module,
        owner: Owner::Impl(None),
        self_ty: Some(self_ty.clone()),
        assoc: Rc::new(HashMap::new()),
        generics: HashSet::new(),
        bounds: Bounds::new(),
        has_receiver: receiver.is_some(),
        params: receiver.into_iter().chain(more).collect(),
        ret,
        is_unsafe: false,
        body: Body::Derived,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_traits_are_found_also_below_a_cfg() {
        let text = "#[derive(Clone, std::fmt::Debug)] #[cfg_attr(unix, derive(Hash))] \
                    #[cfg_attr(windows, derive(Ord))] struct S;";
        let item: syn::ItemStruct = syn::parse_str(text).unwrap();
        let found = names(&item.attrs, &CfgSet::parse("unix"));
        assert_eq!(found.into_iter().map(|(name, _)| name).collect::<Vec<_>>(), ["Clone", "Debug", "Hash"]);
    }
}
