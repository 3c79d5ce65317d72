//! A test whose assertion no longer holds, with the value that is there now. The new expression has the shape of the old one:
//! what `{:?}` prints does not tell types, and the old expression does.

use std::ops::Range;

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, ExprLit, ExprUnary, Lit, Token, UnOp};

use super::printed::{Owner, Printed, is_number};
use super::refresh_row::cell;

/// What libtest has printed of a test that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssertionFailure {
    /// Of `assert_eq!` or `assert_ne!` at a line, counted from 1.
    Values {
        /// Where the assertion begins.
        line: usize,
        /// What the first expression is.
        left: String,
        /// What the second expression is.
        right: String,
    },
    /// Of `assert!` at a line.
    Untrue {
        /// Where the assertion begins.
        line: usize,
    },
    /// It panics as it should, with other words.
    Message {
        /// All of them.
        message: String,
    },
    /// Everything else, in the words of the first line.
    Other {
        /// What is known of it.
        message: String,
    },
}

/// What has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueChange {
    /// The expression that has another value.
    pub what: String,
    /// What it was.
    pub old: String,
    /// What it is.
    pub new: String,
}

/// What the failure of an assertion means, and the test as it would hold; `None` in its place if that cannot be written, and for
/// all if no assertion has failed. `item` is the whole test, whose first line has the number `first_line`; `owner` knows the enum of a
/// variant, as the file names it.
pub fn refreshed(
    item: &str,
    first_line: usize,
    failure: &AssertionFailure,
    owner: &dyn Fn(&str) -> Option<String>,
) -> Option<(ValueChange, Option<String>)> {
    let function: syn::ItemFn = syn::parse_str(item).ok()?;
    match failure {
        AssertionFailure::Values { line, left, right } => {
            let assertion = Assertion::at(&function, item, (line + 1).checked_sub(first_line)?)?;
            Some(assertion.with_value(&function, left, right, owner))
        }
        AssertionFailure::Untrue { line } => {
            let assertion = Assertion::at(&function, item, (line + 1).checked_sub(first_line)?)?;
            assertion.turned()
        }
        AssertionFailure::Message { message } => with_message(&function, item, message),
        AssertionFailure::Other { .. } => None,
    }
}

/// An assertion of a test.
struct Assertion<'a> {
    item: &'a str,
    name: Range<usize>,
    arguments: Vec<Expr>,
}

impl<'a> Assertion<'a> {
    /// The one that begins at a line of the item.
    fn at(function: &syn::ItemFn, item: &'a str, line: usize) -> Option<Assertion<'a>> {
        let mut finder = Finder { line, found: None };
        finder.visit_item_fn(function);
        let found = finder.found?;
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        let arguments = parser.parse2(found.tokens.clone()).ok()?.into_iter().collect();
        Some(Assertion { item, name: found.path.span().byte_range(), arguments })
    }

    fn text(&self, expr: &Expr) -> &'a str {
        self.item.get(expr.span().byte_range()).unwrap_or_default()
    }

    /// `assert_eq!(what, old)` with a new value.
    fn with_value(
        &self,
        function: &syn::ItemFn,
        left: &str,
        right: &str,
        owner: Owner<'_>,
    ) -> (ValueChange, Option<String>) {
        let what = self.arguments.first().map_or("", |first| self.text(first)).to_owned();
        let text = match (&self.item[self.name.clone()], self.arguments.as_slice()) {
            ("assert_eq", [_, expected]) => Printed::read(left)
                .and_then(|value| rewritten(expected, self.text(expected), &value, owner))
                .map(|new| replaced(self.item, expected.span().byte_range(), &new)),
            // The message says which row it is.
            ("assert_eq", [_, expected, _]) => {
                let (left, right) = (Printed::read(left), Printed::read(right));
                let row = left.zip(right).and_then(|(left, right)| cell(function, expected, &left, &right));
                row.and_then(|(cell, value)| {
                    let new = rewritten(&cell, self.text(&cell), &value, owner)?;
                    Some(replaced(self.item, cell.span().byte_range(), &new))
                })
            }
            // That two differ was the claim.
            ("assert_ne", [_, _]) => Some(replaced(self.item, self.name.clone(), "assert_eq")),
            _ => None,
        };
        (ValueChange { what, old: right.to_owned(), new: left.to_owned() }, text)
    }

    /// `assert!(…)` for the contrary.
    fn turned(&self) -> Option<(ValueChange, Option<String>)> {
        let [claim] = self.arguments.as_slice() else { return None };
        let text = self.text(claim);
        let (what, old, new) = match text.strip_prefix('!') {
            Some(rest) => (rest, "false", "true"),
            None => (text, "true", "false"),
        };
        let change = ValueChange { what: what.to_owned(), old: old.to_owned(), new: new.to_owned() };
        let contrary = contrary(claim, text).map(|new| replaced(self.item, claim.span().byte_range(), &new));
        Some((change, contrary))
    }
}

struct Finder {
    line: usize,
    found: Option<syn::Macro>,
}

impl Visit<'_> for Finder {
    fn visit_macro(&mut self, found: &syn::Macro) {
        if found.path.span().start().line == self.line && self.found.is_none() {
            self.found = Some(found.clone());
        }
    }
}

fn replaced(item: &str, range: Range<usize>, new: &str) -> String {
    let mut text = item.to_owned();
    text.replace_range(range, new);
    text
}

/// What a claim that does not hold says otherwise. That `a < b` does not hold leaves two cases open, and a pattern more.
fn contrary(claim: &Expr, text: &str) -> Option<String> {
    const METHODS: [(&str, &str); 4] =
        [("is_some", "is_none"), ("is_none", "is_some"), ("is_ok", "is_err"), ("is_err", "is_ok")];
    match claim {
        Expr::Unary(ExprUnary { op: UnOp::Not(_), .. }) => Some(text.trim_start_matches('!').to_owned()),
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            let other = METHODS.iter().find(|(method, _)| *method == name);
            Some(match other {
                Some((_, other)) => format!("{}.{other}()", text.strip_suffix(&format!(".{name}()"))?),
                None => format!("!{text}"),
            })
        }
        Expr::Binary(binary) => {
            let (from, to) = match binary.op {
                syn::BinOp::Eq(_) => (" == ", " != "),
                syn::BinOp::Ne(_) => (" != ", " == "),
                _ => return None,
            };
            Some(text.replacen(from, to, 1))
        }
        Expr::Call(_) | Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => Some(format!("!{text}")),
        _ => None,
    }
}

/// `#[should_panic(expected = "…")]` with other words.
fn with_message(function: &syn::ItemFn, item: &str, message: &str) -> Option<(ValueChange, Option<String>)> {
    let attribute = function.attrs.iter().find(|attr| attr.path().is_ident("should_panic"))?;
    let mut old = None;
    attribute
        .parse_nested_meta(|meta| {
            old = Some(meta.value()?.parse::<syn::LitStr>()?);
            Ok(())
        })
        .ok()?;
    let old = old?;
    let new = super::expected(message);
    let text = new.map(|new| replaced(item, old.span().byte_range(), &format!("{new:?}")));
    let change =
        ValueChange { what: "the panic's message".to_owned(), old: old.value(), new: message.to_owned() };
    Some((change, text))
}

/// Functions around a value that do not show when it is printed.
const TRANSPARENT: [&str; 7] =
    ["String::from", "Box::new", "Rc::new", "Arc::new", "Path::new", "PathBuf::from", "Cow::from"];

/// An expression of the shape of another one, for what prints so.
fn rewritten(old: &Expr, text: &str, new: &Printed, owner: Owner<'_>) -> Option<String> {
    let inner = |expr: &Expr, new: &Printed| rewritten(expr, &source(expr), new, owner);
    let all = |exprs: Vec<&Expr>, values: &[Printed]| elements(&exprs, values, owner);
    match (old, new) {
        (Expr::Paren(paren), _) => Some(format!("({})", inner(&paren.expr, new)?)),
        (Expr::Reference(reference), _) => {
            Some(format!("&{}{}", reference.mutability.map_or("", |_| "mut "), inner(&reference.expr, new)?))
        }
        (Expr::Lit(ExprLit { lit, .. }), _) => literal(lit, new),
        (Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }), _) => match &**expr {
            Expr::Lit(ExprLit { lit: lit @ (Lit::Int(_) | Lit::Float(_)), .. }) => literal(lit, new),
            _ => None,
        },
        (Expr::Tuple(tuple), Printed::Tuple(values)) if tuple.elems.len() == values.len() => {
            let parts: Option<Vec<String>> =
                tuple.elems.iter().zip(values).map(|(expr, value)| inner(expr, value)).collect();
            let parts = parts?;
            Some(format!("({}{})", parts.join(", "), if parts.len() == 1 { "," } else { "" }))
        }
        (Expr::Array(array), Printed::List(values)) => {
            Some(format!("[{}]", all(array.elems.iter().collect(), values)?))
        }
        (Expr::Macro(made), Printed::List(values)) if made.mac.path.is_ident("vec") => {
            let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
            let exprs: Vec<Expr> = parser.parse2(made.mac.tokens.clone()).ok()?.into_iter().collect();
            Some(format!("vec![{}]", all(exprs.iter().collect(), values)?))
        }
        (Expr::Macro(made), Printed::Text(text)) if made.mac.path.is_ident("concat") => Some(text.clone()),
        (Expr::Call(call), _) => {
            let function = source(&call.func);
            let arguments: Vec<&Expr> = call.args.iter().collect();
            match (function.as_str(), arguments.as_slice(), new) {
                ("String::new", [], Printed::Text(text)) => Some(format!("String::from({text})")),
                ("Vec::new", [], Printed::List(values)) => {
                    Some(format!("vec![{}]", all(Vec::new(), values)?))
                }
                (name, [argument], _) if TRANSPARENT.contains(&name) => {
                    Some(format!("{name}({})", inner(argument, new)?))
                }
                (_, _, Printed::Named(name, values)) if last(&function) == name => {
                    let same = arguments.len() == values.len();
                    same.then(|| Some(format!("{function}({})", all(arguments, values)?))).flatten()
                }
                _ => variant(&function, new, owner),
            }
        }
        (Expr::Struct(made), Printed::Fields(name, fields)) if last(&source_of(&made.path)) == name => {
            let value = |field: &syn::FieldValue| {
                let syn::Member::Named(ident) = &field.member else { return None };
                let value = fields.iter().find(|(name, _)| ident == name).map(|(_, value)| value)?;
                Some(format!("{ident}: {}", inner(&field.expr, value)?))
            };
            let parts: Option<Vec<String>> = made.fields.iter().map(value).collect();
            let all_are_there = made.fields.len() == fields.len();
            Some(format!("{} {{ {} }}", source_of(&made.path), parts.filter(|_| all_are_there)?.join(", ")))
        }
        (Expr::Path(_), _) => variant(text, new, owner),
        _ => None,
    }
}

/// Elements, those that were not there before in the shape of the first.
fn elements(old: &[&Expr], values: &[Printed], owner: Owner<'_>) -> Option<String> {
    let one = |(at, value): (usize, &Printed)| match old.get(at).or(old.first()) {
        Some(expr) => rewritten(expr, &source(expr), value, owner),
        None => value.plain(owner),
    };
    let parts: Option<Vec<String>> = values.iter().enumerate().map(one).collect();
    Some(parts?.join(", "))
}

/// Another literal of the same type.
fn literal(old: &Lit, new: &Printed) -> Option<String> {
    match (old, new) {
        (Lit::Int(old), Printed::Word(word)) => is_number(word).then(|| format!("{word}{}", old.suffix())),
        (Lit::Float(old), Printed::Word(word)) => is_number(word).then(|| format!("{word}{}", old.suffix())),
        (Lit::Bool(_), Printed::Word(word)) => {
            matches!(word.as_str(), "true" | "false").then(|| word.clone())
        }
        (Lit::Str(_), Printed::Text(text)) | (Lit::Char(_), Printed::Char(text)) => Some(text.clone()),
        (Lit::ByteStr(_), Printed::List(values)) => {
            let byte = |value: &Printed| match value {
                Printed::Word(word) => word.parse::<u8>().ok(),
                _ => None,
            };
            let bytes: Option<Vec<u8>> = values.iter().map(byte).collect();
            Some(format!("b\"{}\"", bytes?.escape_ascii()))
        }
        _ => None,
    }
}

/// A variant in the place of another one, or of a constant.
fn variant(old: &str, new: &Printed, owner: Owner<'_>) -> Option<String> {
    let prefix = old.rfind("::").map_or("", |end| &old[..end + 2]);
    // `Ok(())` does not tell of which type an error is.
    if prefix.is_empty() {
        return new.plain(owner);
    }
    let is_std = |name: &str| matches!(name, "Some" | "None" | "Ok" | "Err");
    match new {
        Printed::Word(word) if is_number(word) => Some(word.clone()),
        Printed::Word(word) if is_std(word) => Some(word.clone()),
        // `f64::INFINITY` has become `inf`.
        Printed::Word(word) if word.starts_with(char::is_uppercase) => Some(format!("{prefix}{word}")),
        Printed::Named(name, values) => {
            let parts: Option<Vec<String>> = values.iter().map(|value| value.plain(owner)).collect();
            let prefix = if is_std(name) { "" } else { prefix };
            Some(format!("{prefix}{name}({})", parts?.join(", ")))
        }
        _ => None,
    }
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// A part of an expression as text.
fn source(expr: &Expr) -> String {
    quote::ToTokens::to_token_stream(expr).to_string().replace(' ', "")
}

fn source_of(path: &syn::Path) -> String {
    quote::ToTokens::to_token_stream(path).to_string().replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: &str, left: &str, becomes: Option<&str>) {
        let item = format!(
            "// kills: x\n#[test]\nfn works() {{\n    let a = 1;\n    assert_eq!(f(a), {expected});\n}}"
        );
        let failure = AssertionFailure::Values { line: 24, left: left.to_owned(), right: "old".to_owned() };
        let (change, text) = refreshed(&item, 20, &failure, &|_| None).expect("there is an assertion");
        assert_eq!((change.what.as_str(), change.new.as_str()), ("f(a)", left));
        let new = becomes.map(|new| item.replace(&format!("f(a), {expected}"), &format!("f(a), {new}")));
        assert_eq!(text, new, "{expected} for {left}");
    }

    #[test]
    fn a_value_is_written_in_the_shape_of_the_old_one() {
        let table = [
            ("3", "4", Some("4")),
            ("3_u8", "4", Some("4u8")),
            ("-3", "4", Some("4")),
            ("3", "-4", Some("-4")),
            ("u8::MAX", "7", Some("7")),
            ("1.5", "2.0", Some("2.0")),
            ("1.5", "inf", None),
            ("true", "false", Some("false")),
            ("\"a b\"", "\"c \\\"d\\\"\"", Some("\"c \\\"d\\\"\"")),
            ("'a'", "'\\n'", Some("'\\n'")),
            ("b\"ab\"", "[99, 0]", Some("b\"c\\x00\"")),
            ("Some(3)", "Some(4)", Some("Some(4)")),
            ("Some(3)", "None", Some("None")),
            ("None", "Some((4, \"x\"))", Some("Some((4, \"x\"))")),
            ("Ok(3)", "Err(Empty)", None),
            ("Err(Refusal::Closed)", "Err(Backwards)", Some("Err(Refusal::Backwards)")),
            ("Refusal::Closed", "Taken(\"x\")", Some("Refusal::Taken(\"x\")")),
            (
                "Refusal::Taken(String::from(\"y\"))",
                "Taken(\"x\")",
                Some("Refusal::Taken(String::from(\"x\"))"),
            ),
            ("String::new()", "\"x\"", Some("String::from(\"x\")")),
            ("vec![1]", "[1, 2, 3]", Some("vec![1, 2, 3]")),
            (
                "vec![String::from(\"a\")]",
                "[\"a\", \"b\"]",
                Some("vec![String::from(\"a\"), String::from(\"b\")]"),
            ),
            ("[1, 2]", "[]", Some("[]")),
            ("&[1]", "[2]", Some("&[2]")),
            ("(1, 'a')", "(2, 'b')", Some("(2, 'b')")),
            ("Point { x: 1, y: -2 }", "Point { x: 3, y: 4 }", Some("Point { x: 3, y: 4 }")),
            ("Point { x: 1 }", "Point { x: 3, y: 4 }", None),
            ("Ordering::Less", "Greater", Some("Ordering::Greater")),
            ("Duration::new(1, 0)", "2s", None),
            ("BTreeMap::from([(1, 2)])", "{1: 3}", None),
        ];
        for (expected, left, becomes) in table {
            check(expected, left, becomes);
        }
    }

    #[test]
    fn a_claim_is_turned_where_there_is_but_one_other() {
        let table = [
            ("room.is_free()", Some("!room.is_free()")),
            ("!room.is_free()", Some("room.is_free()")),
            ("gap.is_none()", Some("gap.is_some()")),
            ("a == b", Some("a != b")),
            ("a < b", None),
            ("matches!(a, Some(_))", None),
        ];
        for (claim, becomes) in table {
            let item = format!("#[test]\nfn works() {{\n    assert!({claim});\n}}");
            let (_, text) =
                refreshed(&item, 1, &AssertionFailure::Untrue { line: 3 }, &|_| None).expect("an assertion");
            assert_eq!(text, becomes.map(|new| item.replace(claim, new)), "{claim}");
        }
        let owner = |_: &str| None;
        let item = "#[test]\nfn works() {\n    assert_ne!(a, b);\n}";
        let failure = AssertionFailure::Values { line: 3, left: "1".to_owned(), right: "1".to_owned() };
        let (_, text) = refreshed(item, 1, &failure, &owner).expect("an assertion");
        assert_eq!(text, Some(item.replace("assert_ne", "assert_eq")));
    }

    #[test]
    fn a_variant_is_named_by_the_enum_that_the_file_knows() {
        let owner = |name: &str| (name == "Closed").then(|| "Refusal::Closed".to_owned());
        let item = "#[test]\nfn works() {\n    assert_eq!(f(), Ok(()));\n}";
        let failure = |left: &str| AssertionFailure::Values {
            line: 3,
            left: left.to_owned(),
            right: "Ok(())".to_owned(),
        };
        let (_, text) = refreshed(item, 1, &failure("Err(Closed)"), &owner).expect("an assertion");
        assert_eq!(text, Some(item.replace("Ok(())", "Err(Refusal::Closed)")));
        let (_, text) = refreshed(item, 1, &failure("Err(Taken)"), &owner).expect("an assertion");
        assert_eq!(text, None);
    }

    #[test]
    fn a_panic_is_expected_with_its_new_words() {
        let owner = |_: &str| None;
        let item = "#[test]\n#[should_panic(expected = \"too long\")]\nfn works() {\n    f();\n}";
        let failure = AssertionFailure::Message { message: "more than 3 words".to_owned() };
        let (change, text) = refreshed(item, 1, &failure, &owner).expect("it expects a panic");
        assert_eq!((change.old.as_str(), change.new.as_str()), ("too long", "more than 3 words"));
        assert_eq!(text, Some(item.replace("too long", "more than 3 words")));
        assert_eq!(refreshed(item, 1, &AssertionFailure::Untrue { line: 9 }, &owner), None);
    }

    #[test]
    fn the_row_of_a_table_is_rewritten_if_it_is_known() {
        let item = |rows: &str, assertion: &str| {
            format!(
                "#[test]\nfn works() {{\n    for (input, expected) in [{rows}] {{\n        {assertion}\n    }}\n}}"
            )
        };
        let refreshed = |item: &str, left: &str, right: &str| {
            let failure =
                AssertionFailure::Values { line: 4, left: left.to_owned(), right: right.to_owned() };
            refreshed(item, 1, &failure, &|_| None).and_then(|(_, text)| text)
        };
        let assertion = "assert_eq!(f(input), Ok(expected), \"{input:?}\");";
        let before = item("(\"a\", 1u8), (\"b\", 2u8)", assertion);
        let after = item("(\"a\", 1u8), (\"b\", 5u8)", assertion);
        assert_eq!(refreshed(&before, "Ok(5)", "Ok(2)"), Some(after));
        assert_eq!(refreshed(&before, "Err(5)", "Ok(2)"), None, "the other rows are not");
        let twice = item("(\"a\", 2), (\"b\", 2)", assertion);
        assert_eq!(refreshed(&twice, "Ok(5)", "Ok(2)"), None, "either row could be it");
        let negative = item("(\"a\", -1), (\"b\", 2)", "assert_eq!(f(input), expected, \"{input:?}\");");
        let changed = item("(\"a\", 7), (\"b\", 2)", "assert_eq!(f(input), expected, \"{input:?}\");");
        assert_eq!(refreshed(&negative, "7", "-1"), Some(changed));
    }
}
