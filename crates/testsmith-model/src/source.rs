//! A source file: its text, its syntax tree, and where its bytes stand in lines.

use std::ops::Range;
use std::path::PathBuf;

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
        let ast = syn::parse_file(&text).map_err(|error| not_understood(&text, &error))?;
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

/// Words that were names in edition 2015: the compiler still takes them there, the parser does not.
const LATER_KEYWORDS: [&str; 4] = ["async", "await", "dyn", "try"];

fn not_understood(text: &str, error: &syn::Error) -> String {
    let start = error.span().start();
    let rest = text.lines().nth(start.line.saturating_sub(1)).unwrap_or_default();
    let rest: String = rest.chars().skip(start.column).collect();
    let word = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    match LATER_KEYWORDS.contains(&word) {
        true => format!(
            "line {}: `{word}` is a name in edition 2015 and a keyword since; written `r#{word}`, it is a name in both",
            start.line
        ),
        false => format!("line {}: syntax not understood: {error}", start.line),
    }
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
}
