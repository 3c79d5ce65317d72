//! Opens the private items of a crate: in the copy, everything that can be `pub` is.
//!
//! The harness is a program beside the library and can then call private functions too. No line moves. Imports stay as
//! they are, because a glob that brought in more names could make others ambiguous; where a name becomes ambiguous all the
//! same, its items stay closed ([`Openings::close`]).

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Fields, File, Ident, ImplItem, ItemImpl, Visibility};

/// What is written to open the items of one file, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Openings {
    pub(crate) all: Vec<Opening>,
}

/// One item that is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    /// Its visibility; empty where it has none.
    pub(crate) range: Range<usize>,
    /// What is written instead.
    pub(crate) text: &'static str,
    /// The name of the item, `None` for a field of a tuple.
    name: Option<String>,
}

impl Openings {
    pub(crate) fn of(file: &File) -> Openings {
        let mut finder = Finder { all: Vec::new() };
        finder.visit_file(file);
        finder.all.sort_by_key(|opening| opening.range.start);
        Openings { all: finder.all }
    }

    /// Leaves the items of a name as they are; how many those were.
    pub(crate) fn close(&mut self, name: &str) -> usize {
        let before = self.all.len();
        self.all.retain(|opening| opening.name.as_deref() != Some(name));
        before - self.all.len()
    }
}

struct Finder {
    all: Vec<Opening>,
}

impl Finder {
    /// `first` is the first token behind the visibility.
    fn open(&mut self, visibility: &Visibility, first: proc_macro2::Span, name: Option<&Ident>) {
        let name = name.map(ToString::to_string);
        match visibility {
            Visibility::Public(_) => {}
            Visibility::Inherited => {
                let start = first.byte_range().start;
                self.all.push(Opening { range: start..start, text: "pub ", name });
            }
            Visibility::Restricted(restricted) => {
                let range = restricted.pub_token.span.byte_range().start
                    ..restricted.paren_token.span.close().byte_range().end;
                self.all.push(Opening { range, text: "pub", name });
            }
        }
    }

    fn fields(&mut self, fields: &Fields) {
        for field in fields {
            let first = match &field.ident {
                Some(name) => name.span(),
                None => field.ty.span(),
            };
            self.open(&field.vis, first, field.ident.as_ref());
        }
    }

    fn signature(&mut self, visibility: &Visibility, signature: &syn::Signature) {
        self.open(visibility, signature.span(), Some(&signature.ident));
    }
}

impl<'ast> Visit<'ast> for Finder {
    /// Items inside of a function cannot be named from anywhere else.
    fn visit_block(&mut self, _: &'ast Block) {}

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.signature(&item.vis, &item.sig);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.open(&item.vis, item.struct_token.span, Some(&item.ident));
        self.fields(&item.fields);
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.open(&item.vis, item.union_token.span, Some(&item.ident));
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.open(&item.vis, item.enum_token.span, Some(&item.ident));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let first =
            item.unsafety.map(|token| token.span).or(item.modifiers.auto_token.map(|token| token.span));
        self.open(&item.vis, first.unwrap_or(item.trait_token.span), Some(&item.ident));
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        if item.ident != "_" {
            self.open(&item.vis, item.const_token.span, Some(&item.ident));
        }
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.open(&item.vis, item.static_token.span, Some(&item.ident));
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.open(&item.vis, item.type_token.span, Some(&item.ident));
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let first = item.unsafety.map_or(item.mod_token.span, |token| token.span);
        self.open(&item.vis, first, Some(&item.ident));
        visit::visit_item_mod(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if item.trait_.is_some() {
            return;
        }
        for inner in &item.items {
            match inner {
                ImplItem::Fn(function) if function.modifiers.defaultness.is_none() => {
                    self.signature(&function.vis, &function.sig);
                }
                ImplItem::Const(constant) if constant.modifiers.defaultness.is_none() => {
                    self.open(&constant.vis, constant.const_token.span, Some(&constant.ident));
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use testsmith_model::{CfgSet, Module, SourceFile, SourceTree};

    use crate::{Diagnostic, Plan, render};

    fn plan(text: &str) -> Plan {
        let file = SourceFile::parse("a.rs".into(), "a.rs".into(), 0, Module::default(), text.into());
        let tree = SourceTree { files: vec![file.expect("it parses")], skipped: Vec::new() };
        let mut plan = Plan::new(tree, &[CfgSet::parse("unix")]);
        plan.open();
        plan
    }

    /// The text with the openings alone.
    fn opened(plan: &mut Plan) -> String {
        plan.sites.iter_mut().for_each(Vec::clear);
        render(plan, 0).text
    }

    #[test]
    fn everything_that_can_be_pub_is() {
        let cases = [
            ("fn f() {}", "pub fn f() {}"),
            ("pub fn f() {}", "pub fn f() {}"),
            ("pub(crate) fn f() {}", "pub fn f() {}"),
            ("pub(in crate::a) const fn f() {}", "pub const fn f() {}"),
            ("async unsafe fn f() {}", "pub async unsafe fn f() {}"),
            ("#[inline]\nextern \"C\" fn f() {}", "#[inline]\npub extern \"C\" fn f() {}"),
            ("struct S { a: i32, pub b: i32 }", "pub struct S { pub a: i32, pub b: i32 }"),
            ("struct S(i32, pub(super) u8);", "pub struct S(pub i32, pub u8);"),
            ("enum E { A { a: i32 }, B(u8) }", "pub enum E { A { a: i32 }, B(u8) }"),
            ("trait T { fn f(&self); }", "pub trait T { fn f(&self); }"),
            ("unsafe trait T {}", "pub unsafe trait T {}"),
            ("const C: i32 = 1; const _: () = ();", "pub const C: i32 = 1; const _: () = ();"),
            ("static S: i32 = 1; type A = i32;", "pub static S: i32 = 1; pub type A = i32;"),
            ("mod m { fn f() {} }", "pub mod m { pub fn f() {} }"),
            (
                "impl S { fn f(&self) {} const C: i32 = 1; }",
                "impl S { pub fn f(&self) {} pub const C: i32 = 1; }",
            ),
            ("impl T for S { fn f(&self) {} }", "impl T for S { fn f(&self) {} }"),
            ("use a::b; extern crate c;", "use a::b; extern crate c;"),
            ("fn f() { fn inner() {} struct S; }", "pub fn f() { fn inner() {} struct S; }"),
        ];
        for (text, expected) in cases {
            assert_eq!(opened(&mut plan(text)), expected);
        }
    }

    #[test]
    fn mutants_are_written_as_without_openings() {
        let text = "const fn f(a: i32) -> i32 { a + 1 }\nfn g() -> bool { f(1) < 2 }";
        let mut open = plan(text);
        let opened = render(&open, 0).text;
        open.openings.iter_mut().for_each(|openings| openings.all.clear());
        assert_eq!(opened.replacen("pub ", "", 2), render(&open, 0).text);
        assert!(opened.starts_with("pub ") && opened.contains("\npub fn g"), "{opened}");
    }

    #[test]
    fn what_becomes_ambiguous_stays_closed() {
        let mut plan = plan("mod a { fn f() {} fn g() {} }");
        let error = Diagnostic {
            code: Some("E0659".to_owned()),
            message: "`f` is ambiguous".to_owned(),
            places: Vec::new(),
        };
        let rendered = [render(&plan, 0)];
        assert!(plan.reject_blamed(&rendered, &[error]).is_progress());
        assert_eq!(opened(&mut plan), "pub mod a { fn f() {} pub fn g() {} }");
    }
}
