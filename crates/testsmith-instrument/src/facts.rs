//! What can be told about a crate from its declarations alone: its types, which of them have `Default`, the kinds
//! of fields and constants, and which functions const contexts call.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Fields, ImplItemFn, Item, ItemFn, ItemImpl, Type};

use crate::kinds::Kind;

/// Facts about one package.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Names of types that the package declares.
    pub(crate) types: HashSet<String>,
    /// Those of them that have `Default`.
    pub(crate) defaults: HashSet<String>,
    /// Kinds of fields, by type and field.
    pub(crate) fields: HashMap<(String, String), Kind>,
    /// Kinds of constants, by name.
    pub(crate) consts: HashMap<String, Kind>,
    /// Names that are called in const contexts.
    pub(crate) const_calls: HashSet<String>,
    /// What each `const fn` calls, by name.
    pub(crate) calls: HashMap<String, HashSet<String>>,
    /// Names of macros that are called.
    pub(crate) macros: HashSet<String>,
}

impl Facts {
    pub(crate) fn gather<'a>(files: impl Iterator<Item = &'a syn::File>) -> Facts {
        let mut facts = Facts::default();
        for file in files {
            facts.visit_file(file);
        }
        facts
    }

    fn const_context(&mut self, tokens: impl ToTokens) {
        called_names(tokens.to_token_stream(), &mut self.const_calls);
    }

    fn const_fn(&mut self, signature: &syn::Signature, body: &syn::Block) {
        if signature.constness.is_some() {
            let calls = self.calls.entry(signature.ident.to_string()).or_default();
            called_names(body.to_token_stream(), calls);
        }
    }

    fn declare(&mut self, name: String, attrs: &[syn::Attribute]) {
        let derives_default = attrs.iter().any(|attr| {
            let tokens = attr.meta.to_token_stream().to_string();
            tokens.contains("derive") && tokens.split(|c: char| !c.is_alphanumeric()).any(|w| w == "Default")
        });
        if derives_default {
            self.defaults.insert(name.clone());
        }
        self.types.insert(name);
    }

    fn declare_fields(&mut self, owner: &str, fields: &Fields) {
        for (at, field) in fields.iter().enumerate() {
            let name = field.ident.as_ref().map_or_else(|| at.to_string(), ToString::to_string);
            self.fields.insert((owner.to_owned(), name), Kind::of_type(&field.ty));
        }
    }
}

impl<'a> Visit<'a> for Facts {
    fn visit_item(&mut self, item: &'a Item) {
        match item {
            Item::Struct(item) => {
                self.declare(item.ident.to_string(), &item.attrs);
                self.declare_fields(&item.ident.to_string(), &item.fields);
            }
            Item::Enum(item) => {
                self.declare(item.ident.to_string(), &item.attrs);
                for (_, value) in item.variants.iter().filter_map(|v| v.discriminant.as_ref()) {
                    self.const_context(value);
                }
            }
            Item::Union(item) => self.declare(item.ident.to_string(), &item.attrs),
            Item::Const(item) => {
                self.consts.insert(item.ident.to_string(), Kind::of_type(&item.ty));
                self.const_context(&item.expr);
            }
            Item::Static(item) => {
                self.consts.insert(item.ident.to_string(), Kind::of_type(&item.ty));
                self.const_context(&item.expr);
            }
            // `thread_local! { static X: … = const { f() } }` and the like.
            Item::Macro(item) if item.ident.is_none() => const_blocks(item.mac.tokens.clone(), self),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_impl(&mut self, item: &'a ItemImpl) {
        if let (Some((path, _)), Some(name)) = (&item.trait_, type_name(&item.self_ty))
            && path.segments.last().is_some_and(|last| last.ident == "Default")
        {
            self.defaults.insert(name);
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.consts.insert(item.ident.to_string(), Kind::of_type(&item.ty));
        self.const_context(&item.expr);
    }

    fn visit_trait_item_const(&mut self, item: &'a syn::TraitItemConst) {
        if let Some((_, value)) = &item.default {
            self.const_context(value);
        }
    }

    fn visit_type_array(&mut self, array: &'a syn::TypeArray) {
        self.const_context(&array.len);
        self.visit_type(&array.elem);
    }

    fn visit_expr_repeat(&mut self, repeat: &'a syn::ExprRepeat) {
        self.const_context(&repeat.len);
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_const(&mut self, block: &'a syn::ExprConst) {
        self.const_context(&block.block);
    }

    fn visit_generic_argument(&mut self, argument: &'a syn::GenericArgument) {
        if let syn::GenericArgument::Const(value) = argument {
            self.const_context(value);
        }
        visit::visit_generic_argument(self, argument);
    }

    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        self.const_fn(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        self.const_fn(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        self.macros.extend(mac.path.segments.last().map(|last| last.ident.to_string()));
        // Macros that call each other.
        called_macros(mac.tokens.clone(), &mut self.macros);
    }

    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}
}

/// The last segment of a type's path.
pub(crate) fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        Type::Paren(inner) => type_name(&inner.elem),
        Type::Group(inner) => type_name(&inner.elem),
        Type::Reference(inner) => type_name(&inner.elem),
        _ => None,
    }
}

/// Identifiers in front of parentheses, at any depth, with those of the path or generics before them.
fn called_names(tokens: TokenStream, into: &mut HashSet<String>) {
    let mut path = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => path.push(ident.to_string()),
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Parenthesis {
                    into.extend(path.drain(..));
                }
                called_names(group.stream(), into);
                path.clear();
            }
            TokenTree::Punct(punct) if ":<>,".contains(punct.as_char()) => {}
            _ => path.clear(),
        }
    }
}

/// Names in front of `!`, at any depth.
fn called_macros(tokens: TokenStream, into: &mut HashSet<String>) {
    let mut last = None;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => last = Some(ident.to_string()),
            TokenTree::Punct(punct) if punct.as_char() == '!' => into.extend(last.take()),
            TokenTree::Group(group) => {
                called_macros(group.stream(), into);
                last = None;
            }
            _ => last = None,
        }
    }
}

/// What is called in `const { … }` blocks and `const`/`static` items inside macro input.
fn const_blocks(tokens: TokenStream, facts: &mut Facts) {
    let mut in_const = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if ident == "const" || ident == "static" => in_const = true,
            TokenTree::Ident(ident) if ident == "fn" => in_const = false,
            TokenTree::Punct(punct) if punct.as_char() == ';' => in_const = false,
            TokenTree::Group(group) if in_const => {
                called_names(TokenStream::from(TokenTree::Group(group)), &mut facts.const_calls)
            }
            TokenTree::Group(group) => const_blocks(group.stream(), facts),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(set: &HashSet<String>) -> Vec<&str> {
        let mut names: Vec<_> = set.iter().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn declarations_tell_defaults_kinds_and_const_calls() {
        let file = syn::parse_file(
            "#[derive(Clone, Default)] struct A { n: i32 }
             struct B(f64); impl Default for B { fn default() -> B { B(0.0) } }
             struct C;
             const X: u8 = f(1) + g::<u8>(2);
             static Y: [u8; h()] = [0; k()];
             const fn f(x: u8) -> u8 { inner(x) }
             fn plain() { not_const() }
             enum E { V = d() }",
        )
        .unwrap();
        let facts = Facts::gather(std::iter::once(&file));
        assert_eq!(sorted(&facts.defaults), ["A", "B"]);
        assert_eq!(sorted(&facts.types), ["A", "B", "C", "E"]);
        assert_eq!(facts.fields[&("A".to_owned(), "n".to_owned())], Kind::Signed);
        assert_eq!(facts.fields[&("B".to_owned(), "0".to_owned())], Kind::Float);
        assert_eq!(sorted(&facts.const_calls), ["d", "f", "g", "h", "k", "u8"]);
        assert_eq!(sorted(&facts.calls["f"]), ["inner"]);
    }
}
