//! A source file: its text, its syntax tree, and where its bytes stand in lines.

use std::ops::Range;
use std::path::PathBuf;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

/// Where a module stands in the module tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// Names from the crate root down, empty for the root itself.
    pub path: Vec<String>,
    /// Where the files of the modules lie that its file declares.
    pub dir: PathBuf,
}

/// A parsed file of the code under test.
#[derive(Clone)]
pub struct SourceFile {
    /// Absolute path.
    pub path: PathBuf,
    /// Path relative to the workspace, with `/`.
    pub name: String,
    /// Index of its package in the workspace's chosen packages.
    pub package: usize,
    /// The text, without a byte order mark.
    pub text: String,
    /// Whether the file began with a byte order mark.
    pub bom: bool,
    /// The syntax tree of the text; its spans are byte ranges of the text.
    pub ast: syn::File,
    /// The module that the file holds.
    pub module: Module,
    line_starts: Vec<usize>,
}

/// A place in a text, both counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

const BOM: char = '\u{feff}';

impl SourceFile {
    /// Parses a file's bytes; the error is one line.
    pub fn parse(
        path: PathBuf,
        name: String,
        package: usize,
        module: Module,
        bytes: Vec<u8>,
    ) -> Result<SourceFile, String> {
        let text = String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())?;
        let (bom, text) = match text.strip_prefix(BOM) {
            Some(rest) => (true, rest.to_owned()),
            None => (false, text),
        };
        let ast = parse_text(&text).map_err(|error| not_understood(&error))?;
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        Ok(SourceFile { path, name, package, text, bom, ast, module, line_starts })
    }

    /// The place of a byte.
    pub fn place(&self, offset: usize) -> LineColumn {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1];
        LineColumn { line, column: self.text[start..offset].chars().count() + 1 }
    }

    /// The text of a line, from 1, without its end.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts[line - 1];
        let end = self.line_starts.get(line).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// A piece of the text.
    pub fn slice(&self, range: &Range<usize>) -> &str {
        &self.text[range.clone()]
    }
}

/// Words that were names in edition 2015, in the order in which they are taken for names: `dyn` last, which stands before traits there
/// as well.
const LATER_KEYWORDS: [&str; 4] = ["async", "await", "try", "dyn"];

/// The syntax tree. Where the parser does not understand it, names of edition 2015 may be what it takes for keywords; the compiler has
/// the last word on that, and places stay as they are.
fn parse_text(text: &str) -> Result<syn::File, syn::Error> {
    let error = match syn::parse_file(text) {
        Ok(file) => return Ok(file),
        Err(error) => error,
    };
    let tokens: TokenStream = text.parse().map_err(|_| error.clone())?;
    let forms = [&LATER_KEYWORDS[..3], &LATER_KEYWORDS[..]];
    let parsed = forms.iter().find_map(|names| syn::parse2(with_raw_names(tokens.clone(), names)).ok());
    parsed.ok_or(error)
}

/// The same tokens at the same places, with these words as names.
fn with_raw_names(tokens: TokenStream, names: &[&str]) -> TokenStream {
    let raw = |token| match token {
        TokenTree::Ident(name) if names.iter().any(|it| name == it) => {
            TokenTree::Ident(Ident::new_raw(&name.to_string(), name.span()))
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), with_raw_names(group.stream(), names));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    };
    tokens.into_iter().map(raw).collect()
}

fn not_understood(error: &syn::Error) -> String {
    format!("line {}: syntax not understood: {error}", error.span().start().line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::spanned::Spanned;

    #[test]
    fn byte_ranges_hold_with_a_byte_order_mark_and_crlf_and_wide_characters() {
        let text = "\u{feff}// äö\r\nfn f() {\r\n    \"ß\"; 1 + 2;\r\n}\r\n";
        let file =
            SourceFile::parse("a.rs".into(), "a.rs".into(), 0, Module::default(), text.into()).unwrap();
        assert!(file.bom);
        let syn::Item::Fn(item) = &file.ast.items[0] else { panic!("a function") };
        let range = item.block.stmts[1].span().byte_range();
        assert_eq!(file.slice(&range), "1 + 2;");
        assert_eq!(file.place(range.start), LineColumn { line: 3, column: 10 });
        assert_eq!(file.line(3), "    \"ß\"; 1 + 2;");
    }
    #[test]
    fn names_of_edition_2015_are_names_at_their_places() {
        let parse =
            |text: &str| SourceFile::parse("a.rs".into(), "a.rs".into(), 0, Module::default(), text.into());
        for text in [
            "fn f(async: u8) -> Box<dyn Shape> { async + 1 }",
            "fn f() -> u8 { let dyn = try!(g()); dyn + 1 }",
        ] {
            let file = parse(text).unwrap();
            let syn::Item::Fn(item) = &file.ast.items[0] else { panic!("a function") };
            let last = item.block.stmts.last().expect("there is one").span().byte_range();
            assert!(file.slice(&last).ends_with(" + 1"), "{text}");
        }
        let error = parse("fn f() {\n    1 +\n}").err().expect("it has an end too early");
        assert!(error.starts_with("line 3: syntax not understood: "), "{error}");
    }
}
