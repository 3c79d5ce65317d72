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
    /// Between two fences of a comment.
    is_example: bool,
}

/// Collects the literals of all files, those of docs and tests too.
pub fn literals(tree: &SourceTree) -> Literals {
    let mut literals = Literals::default();
    for file in &tree.files {
        literals.is_example = false;
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

    /// A comment line by line, or a whole block.
    fn add_doc(&mut self, text: &str) {
        for line in text.lines().map(str::trim) {
            if line.starts_with("```") {
                self.is_example = !self.is_example;
            } else if self.is_example {
                let line = line.trim_start_matches("# ");
                let tokens = |line: &str| line.parse::<proc_macro2::TokenStream>();
                // A statement over several lines leaves brackets open.
                let closed = || line.replace(['(', ')', '[', ']', '{', '}'], " ");
                self.add_tokens(tokens(line).or_else(|_| tokens(&closed())).unwrap_or_default());
            }
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

    /// Docs are attributes; the words in them are no values, those in their examples are.
    fn visit_attribute(&mut self, attribute: &syn::Attribute) {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) = &pair.value
        {
            self.add_doc(&line.value());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_found_in_code_in_macros_and_in_examples_but_not_in_other_docs() {
        let source = "/// not \"this\"\n/// ```\n/// f(\"but this\",\n/// 7);\n/// ```\n/// nor 5\nfn f(s: &str) -> bool { assert!(s != \"abc\"); s == \"x\" && 0x10 < 17u8 as usize && b'a' == 98 }";
        let mut literals = Literals::default();
        literals.visit_file(&syn::parse_file(source).unwrap());
        assert_eq!(literals.strings, ["abc", "but this", "x"].map(str::to_owned).into());
        assert_eq!(literals.ints, [7, 16, 17, 97, 98].into());
    }
}
