//! Literals of a crate's sources: values that its code compares with are worth trying.

use std::collections::BTreeSet;

use syn::visit::Visit;

use crate::SourceTree;

/// Strings and integers that stand in the sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Literals {
    /// Text of strings, byte strings and characters.
    pub strings: BTreeSet<String>,
    /// Integers, also those inside of characters and bytes.
    pub ints: BTreeSet<i128>,
}

/// Collects the literals of all files, those of docs and tests too.
pub fn literals(tree: &SourceTree) -> Literals {
    let mut literals = Literals::default();
    for file in &tree.files {
        literals.visit_file(&file.ast);
    }
    literals
}

impl Literals {
    fn add(&mut self, literal: &syn::Lit) {
        match literal {
            syn::Lit::Str(text) => self.add_text(text.value()),
            syn::Lit::ByteStr(bytes) => self.add_text(String::from_utf8_lossy(&bytes.value()).into_owned()),
            syn::Lit::Char(c) => self.add_text(c.value().to_string()),
            syn::Lit::Byte(byte) => {
                self.ints.insert(byte.value().into());
            }
            syn::Lit::Int(int) => {
                self.ints.extend(int.base10_parse::<i128>().ok());
            }
            _ => {}
        }
    }

    /// Long texts are messages and docs, and rarely compared with.
    fn add_text(&mut self, text: String) {
        if text.len() <= 64 {
            self.strings.insert(text);
        }
    }

    /// Literals in the tokens of a macro, which nobody has parsed.
    fn add_tokens(&mut self, tokens: proc_macro2::TokenStream) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Group(group) => self.add_tokens(group.stream()),
                proc_macro2::TokenTree::Literal(literal) => self.add(&syn::Lit::new(literal)),
                proc_macro2::TokenTree::Ident(_) | proc_macro2::TokenTree::Punct(_) => {}
            }
        }
    }
}

impl Visit<'_> for Literals {
    fn visit_lit(&mut self, literal: &syn::Lit) {
        self.add(literal);
    }

    fn visit_macro(&mut self, mac: &syn::Macro) {
        self.add_tokens(mac.tokens.clone());
    }

    /// Docs are attributes; the words in them are no values.
    fn visit_attribute(&mut self, _: &syn::Attribute) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_found_in_code_and_in_macros_but_not_in_docs() {
        let source = "/// not \"this\"\nfn f(s: &str) -> bool { assert!(s != \"abc\"); s == \"x\" && 0x10 < 17u8 as usize && b'a' == 98 }";
        let mut literals = Literals::default();
        literals.visit_file(&syn::parse_file(source).unwrap());
        assert_eq!(literals.strings, ["abc", "x"].map(str::to_owned).into());
        assert_eq!(literals.ints, [16, 17, 97, 98].into());
    }
}
