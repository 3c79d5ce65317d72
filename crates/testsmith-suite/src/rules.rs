//! What a reviewer of generated tests does not want to see: one entry in [`RULES`] for each, found in the text of a file.
//!
//! [`broken`] says which test of a file breaks which rule. It is asked about every test before it is delivered, and by the bench
//! about files of any origin. Knows text only.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Expr, ExprMethodCall, Item, ItemFn, Lit, Local, Pat, Token};

/// Something that a test should not do.
pub struct Rule {
    /// By which it is counted.
    pub id: &'static str,
    /// What it forbids.
    pub forbids: &'static str,
    /// How it is found in the text.
    pub found: &'static str,
    /// What is done about it, and where.
    pub mended: &'static str,
    is_broken: fn(&TestBody, &FileFacts) -> bool,
}

/// All rules.
pub const RULES: &[Rule] = &[
    Rule {
        id: "hidden-value",
        forbids: "an assertion that hides the value behind `is_ok`, `is_err` or `is_some`",
        found: "`assert!` of a call of one of these",
        mended: "the value, the variant or the message of the error is asserted, where the types show one",
        is_broken: |test, _| test.assertions.iter().any(hides_value),
    },
    Rule {
        id: "discarded-result",
        forbids: "a result that is bound to `_` or to a name that nobody uses",
        found: "`let _ = …;` and `let _name = …;`",
        mended: "the result is asserted in passing; where nothing of it shows, it is dropped by name",
        is_broken: |test, _| test.locals.iter().any(|local| local.is_discarded),
    },
    Rule {
        id: "spelled-types",
        forbids: "a type at every binding",
        found: "two or more `let`, and all of them with a type",
        mended: "only the bindings that the compiler names get a type",
        is_broken: |test, _| test.locals.len() > 1 && test.locals.iter().all(|local| local.has_type),
    },
    Rule {
        id: "repeated-shape",
        forbids: "the third test of one shape with other literals",
        found: "three tests of a file whose bodies are the same without their literals",
        mended: "they become one test with a table of cases",
        is_broken: |test, file| file.shapes.get(&test.shape).is_some_and(|count| *count >= MOST_OF_A_SHAPE),
    },
    Rule {
        id: "debug-text",
        forbids: "an assertion on what `Debug` prints",
        found: "`{:?}` in what is asserted",
        mended: "a field, an accessor, a variant or what `Display` prints is asserted instead, where there is one",
        is_broken: |test, _| test.assertions.iter().any(prints_debug),
    },
    Rule {
        id: "length-only",
        forbids: "a length, and nothing of what is that long",
        found: "all assertions are on `len()` or `count()`",
        mended: "what has the length is asserted, or a part of it",
        is_broken: |test, _| {
            !test.assertions.is_empty() && test.assertions.iter().all(|it| is_length(it, test, &LENGTHS))
        },
    },
    Rule {
        id: "number-list",
        forbids: "a list of more than eight numbers",
        found: "a list of literals, or more than eight escaped bytes in a text",
        mended: "bytes that are a text are one, equal elements are counted, inputs are shortened",
        is_broken: |test, _| test.longest_number_list > MOST_NUMBERS,
    },
    Rule {
        id: "tautology",
        forbids: "an assertion that cannot fail",
        found: "both sides of it are the same text",
        mended: "it is left out, and the test with it if nothing else is asserted",
        is_broken: |test, _| test.assertions.iter().any(is_tautology),
    },
    Rule {
        id: "full-buffer",
        forbids: "that a text does not fit into a buffer",
        found: "`write!` into an array in an assertion",
        mended: "the text is asserted; a buffer stays where nothing else shows the mutant",
        is_broken: |test, _| test.assertions.iter().any(|it| it.text.contains("write ! (& mut [0u8")),
    },
    Rule {
        id: "renamed-binding",
        forbids: "a variable that is another one under a new name",
        found: "`let a = b;` and `let a = &b;`",
        mended: "the other one stands in its place",
        is_broken: |test, _| test.locals.iter().any(|local| local.is_renamed),
    },
    Rule {
        id: "counted-name",
        forbids: "a name that differs from another by a counter",
        found: "a name that is another name of the file and a number",
        mended: "the name says what makes the case special",
        is_broken: |test, file| counted(&test.name).is_some_and(|base| file.names.contains(base)),
    },
    Rule {
        id: "dumped-name",
        forbids: "a name with a dump of digits",
        found: "four or more parts that begin with a digit, or the code of a character",
        mended: "the name says the kind of the input instead",
        is_broken: |test, _| is_dump(&test.name),
    },
    Rule {
        id: "nothing-asserted",
        forbids: "a test that only calls",
        found: "no assertion, and no `should_panic`",
        mended: "what the last call gave or changed is asserted",
        is_broken: |test, _| test.assertions.is_empty() && !test.should_panic,
    },
    Rule {
        id: "line-number",
        forbids: "a line number in a comment",
        found: "`.rs:` and a digit in a comment",
        mended: "functions are named; ids and lines are in the report",
        is_broken: |test, _| test.comments.iter().any(|line| has_line_number(line)),
    },
];

const MOST_OF_A_SHAPE: usize = 3;
const MOST_NUMBERS: usize = 8;
const MOST_DIGIT_PARTS: usize = 3;

/// What gives a length.
const LENGTHS: [&str; 2] = ["len", "count"];

/// Which rules each test of a file breaks, by its name and in the order of [`RULES`]; those that break none are there as well.
/// Tests in modules of the file count. `None` if it is no Rust.
pub fn broken(text: &str) -> Option<Vec<(String, BTreeSet<&'static str>)>> {
    let file = syn::parse_file(text).ok()?;
    let mut tests = Vec::new();
    collect(&file.items, text, &mut tests);
    let mut facts = FileFacts::default();
    for test in &tests {
        *facts.shapes.entry(test.shape.clone()).or_default() += 1;
        facts.names.insert(test.name.clone());
    }
    let rules = |test: &TestBody| {
        RULES.iter().filter(|rule| (rule.is_broken)(test, &facts)).map(|it| it.id).collect()
    };
    Some(tests.iter().map(|test| (test.name.clone(), rules(test))).collect())
}

/// What is known of a file.
#[derive(Default)]
struct FileFacts {
    /// How many tests have a shape.
    shapes: BTreeMap<String, usize>,
    names: BTreeSet<String>,
}

/// What is known of a test.
struct TestBody {
    name: String,
    should_panic: bool,
    comments: Vec<String>,
    locals: Vec<Binding>,
    assertions: Vec<Assertion>,
    longest_number_list: usize,
    /// The body with all literals the same.
    shape: String,
}

struct Binding {
    name: String,
    init: Option<Expr>,
    has_type: bool,
    is_discarded: bool,
    is_renamed: bool,
}

struct Assertion {
    /// `assert`, `assert_eq`, …
    macro_name: String,
    args: Vec<Expr>,
    text: String,
}

fn collect(items: &[Item], text: &str, tests: &mut Vec<TestBody>) {
    for item in items {
        match item {
            Item::Fn(function) if is_test(function) => tests.push(TestBody::new(function, text)),
            Item::Mod(module) => {
                collect(module.content.as_ref().map_or(&[], |(_, items)| items), text, tests);
            }
            _ => {}
        }
    }
}

/// `#[test]`, and what test frameworks call theirs.
fn is_test(function: &ItemFn) -> bool {
    function.attrs.iter().any(|attr| attr.path().segments.last().is_some_and(|last| last.ident == "test"))
}

impl TestBody {
    fn new(function: &ItemFn, file: &str) -> TestBody {
        let mut finder = Finder::default();
        finder.visit_block(&function.block);
        let start = syn::spanned::Spanned::span(function).start().line;
        let mut before: Vec<&str> = file.lines().take(start.saturating_sub(1)).collect();
        let mut comments = Vec::new();
        while let Some(line) = before.pop().map(str::trim).filter(|line| line.starts_with("//")) {
            comments.push(line.to_owned());
        }
        let own = file.get(syn::spanned::Spanned::span(function).byte_range()).unwrap_or_default();
        comments.extend(own.lines().map(str::trim).filter(|line| line.starts_with("//")).map(str::to_owned));
        let has = |name: &str| function.attrs.iter().any(|attr| attr.path().is_ident(name));
        let mut test = TestBody {
            name: function.sig.ident.to_string(),
            should_panic: has("should_panic") || has("ignore"),
            comments,
            shape: shape(&function.block.to_token_stream()),
            locals: finder.locals,
            assertions: finder.assertions,
            longest_number_list: finder.longest_number_list,
        };
        test.see_discarded(&function.block);
        test
    }

    /// A name with an underscore is discarded, unless somebody uses it all the same.
    fn see_discarded(&mut self, block: &syn::Block) {
        let mut uses: BTreeMap<String, usize> = BTreeMap::new();
        words(&block.to_token_stream(), &mut |word| *uses.entry(word.to_owned()).or_default() += 1);
        for local in &mut self.locals {
            let is_unused =
                || local.name.starts_with('_') && uses.get(&local.name).is_none_or(|count| *count < 2);
            local.is_discarded = local.name == "_" || is_unused();
        }
    }
}

#[derive(Default)]
struct Finder {
    locals: Vec<Binding>,
    assertions: Vec<Assertion>,
    longest_number_list: usize,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_local(&mut self, local: &'ast Local) {
        let (pattern, has_type) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, true),
            pattern => (pattern, false),
        };
        let init = local.init.as_ref().map(|init| (*init.expr).clone());
        let name = match pattern {
            Pat::Ident(ident) => ident.ident.to_string(),
            Pat::Wild(_) => "_".to_owned(),
            _ => String::new(),
        };
        let is_mutable = matches!(pattern, Pat::Ident(ident) if ident.mutability.is_some());
        // A mutable copy is changed while the other one stays.
        let is_renamed = !is_mutable && init.as_ref().is_some_and(is_name_or_reference);
        self.locals.push(Binding { name, init, has_type, is_discarded: false, is_renamed });
        syn::visit::visit_local(self, local);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let name = call.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let args = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        let args: Vec<Expr> = args.map(|args| args.into_iter().collect()).unwrap_or_default();
        args.iter().for_each(|arg| self.visit_expr(arg));
        if name == "vec" {
            self.see_list(args.iter());
        }
        if name.starts_with("assert") || name.starts_with("debug_assert") {
            let text = call.tokens.to_string();
            self.assertions.push(Assertion { macro_name: name, args, text });
        }
    }

    fn visit_expr_array(&mut self, array: &'ast syn::ExprArray) {
        self.see_list(array.elems.iter());
        syn::visit::visit_expr_array(self, array);
    }

    fn visit_lit_byte_str(&mut self, bytes: &'ast syn::LitByteStr) {
        let odd =
            bytes.value().iter().filter(|byte| !matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t')).count();
        self.longest_number_list = self.longest_number_list.max(odd);
    }
}

impl Finder {
    fn see_list<'e>(&mut self, elements: impl Iterator<Item = &'e Expr>) {
        let numbers = elements.filter(|element| is_number(element)).count();
        self.longest_number_list = self.longest_number_list.max(numbers);
    }
}

fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_) | Lit::Float(_) | Lit::Byte(_)),
        Expr::Unary(unary) => is_number(&unary.expr),
        _ => false,
    }
}

fn is_name_or_reference(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => {
            path.path.get_ident().is_some_and(|name| name.to_string().starts_with(char::is_lowercase))
        }
        Expr::Reference(reference) if reference.mutability.is_none() => is_name_or_reference(&reference.expr),
        _ => false,
    }
}

/// The method that an expression ends in.
fn method(expr: &Expr) -> Option<&ExprMethodCall> {
    match expr {
        Expr::MethodCall(call) => Some(call),
        Expr::Paren(inner) => method(&inner.expr),
        _ => None,
    }
}

fn hides_value(assertion: &Assertion) -> bool {
    let [first, ..] = assertion.args.as_slice() else { return false };
    let hides = |call: &ExprMethodCall| ["is_ok", "is_err", "is_some"].iter().any(|name| call.method == name);
    assertion.macro_name == "assert" && method(first).is_some_and(hides)
}

fn prints_debug(assertion: &Assertion) -> bool {
    // What is behind the values is the message of the assertion.
    let values = if assertion.macro_name == "assert" { 1 } else { 2 };
    assertion.args.iter().take(values).any(|value| {
        let text = value.to_token_stream().to_string();
        text.contains("format !") && (text.contains(":?}") || text.contains(":#?}"))
    })
}

/// Whether an assertion is about a length, be it through a variable.
fn is_length(assertion: &Assertion, test: &TestBody, names: &[&str]) -> bool {
    let [left, right, ..] = assertion.args.as_slice() else { return false };
    let is_call = |expr: &Expr| method(expr).is_some_and(|call| names.iter().any(|name| call.method == name));
    let bound = match left {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    };
    let is_bound = bound.is_some_and(|name| {
        test.locals.iter().any(|local| local.name == name && local.init.as_ref().is_some_and(is_call))
    });
    assertion.macro_name == "assert_eq" && is_number(right) && (is_call(left) || is_bound) && {
        // That something is that long is what a test of a capacity, or of `len` itself, is about.
        !is_zero_or_one(right)
    }
}

fn is_zero_or_one(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(literal) if matches!(&literal.lit, Lit::Int(number) if matches!(number.base10_digits(), "0" | "1")))
}

fn is_tautology(assertion: &Assertion) -> bool {
    let same =
        |left: &Expr, right: &Expr| left.to_token_stream().to_string() == right.to_token_stream().to_string();
    match (assertion.macro_name.as_str(), assertion.args.as_slice()) {
        ("assert_eq", [left, right, ..]) => same(left, right),
        ("assert", [Expr::Macro(inner), ..]) if inner.mac.path.is_ident("matches") => {
            let text = inner.mac.tokens.to_string();
            text.split_once(',').is_some_and(|(value, pattern)| value.trim() == pattern.trim())
        }
        ("assert", [Expr::Lit(_), ..]) => true,
        _ => false,
    }
}

/// The name without the number at its end.
fn counted(name: &str) -> Option<&str> {
    let (base, number) = name.rsplit_once('_')?;
    number.chars().all(|c| c.is_ascii_digit()).then_some(base)
}

fn is_dump(name: &str) -> bool {
    let parts: Vec<&str> = name.split('_').collect();
    let starts = |part: &&&str| part.starts_with(|c: char| c.is_ascii_digit());
    let is_code = |part: &&str| {
        let digits = part.strip_prefix('u').unwrap_or_default();
        digits.len() >= 2
            && digits.chars().all(|c| c.is_ascii_hexdigit())
            && !["u8", "u16", "u32", "u64", "u128"].contains(part)
    };
    parts.iter().filter(starts).count() > MOST_DIGIT_PARTS || parts.iter().any(is_code)
}

fn has_line_number(comment: &str) -> bool {
    comment
        .match_indices(".rs:")
        .any(|(at, mark)| comment[at + mark.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

/// A body with all literals the same, and names of variables as they are: they come of the calls.
fn shape(tokens: &proc_macro2::TokenStream) -> String {
    let mut shape = String::new();
    push_shape(tokens.clone(), &mut shape);
    shape
}

fn push_shape(tokens: proc_macro2::TokenStream, shape: &mut String) {
    use proc_macro2::TokenTree;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                shape.push('(');
                push_shape(group.stream(), shape);
                shape.push(')');
            }
            TokenTree::Literal(_) => shape.push_str("_ "),
            TokenTree::Ident(ident) => *shape += &format!("{ident} "),
            // The sign of a number.
            TokenTree::Punct(punct) if punct.as_char() == '-' => {}
            TokenTree::Punct(punct) => shape.push(punct.as_char()),
        }
    }
}

/// All identifiers, also in macros.
fn words(tokens: &proc_macro2::TokenStream, see: &mut impl FnMut(&str)) {
    for token in tokens.clone() {
        match token {
            proc_macro2::TokenTree::Group(group) => words(&group.stream(), see),
            proc_macro2::TokenTree::Ident(ident) => see(&ident.to_string()),
            proc_macro2::TokenTree::Literal(literal) => {
                // `{name:?}` in a format.
                let text = literal.to_string();
                for part in text.split('{').skip(1) {
                    see(part.split([':', '}']).next().unwrap_or_default());
                }
            }
            proc_macro2::TokenTree::Punct(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each rule a test that breaks it and no other one, and one that is like it and breaks none.
    const EXAMPLES: &[(&str, &str, &str)] = &[
        ("hidden-value", "assert!(parse(1).is_ok());", "assert!(parse(1).is_none());"),
        (
            "discarded-result",
            "let _result = push(1);\nassert_eq!(len(), 1);",
            "let _kept = push(1);\ndrop(_kept);\nassert_eq!(len(), 1);",
        ),
        (
            "spelled-types",
            "let a: A = a();\nlet b: B = a.b();\nassert!(b.c());",
            "let a: A = a();\nlet b = a.b();\nassert!(b.c());",
        ),
        ("debug-text", "assert_eq!(format!(\"{:?}\", a()), \"A\");", "assert_eq!(a(), 2, \"{:?}\", b());"),
        (
            "length-only",
            "assert_eq!(list().len(), 7);",
            "let list = list();\nassert_eq!(list.len(), 7);\nassert_eq!(list[0], 5);",
        ),
        (
            "number-list",
            "assert_eq!(a(), [1, 2, 3, 4, 5, 6, 7, 8, -9]);",
            "assert_eq!(a(), [1, 2, 3, 4, 5, 6, 7, 8]);",
        ),
        (
            "tautology",
            "assert!(matches!(Table::Ascii, Table::Ascii));",
            "assert!(matches!(table(), Table::Ascii));",
        ),
        (
            "full-buffer",
            "assert!(write!(&mut [0u8; 64][..3], \"{}\", a).is_none());",
            "assert_eq!(format!(\"{}\", a), \"b\");",
        ),
        (
            "renamed-binding",
            "let other = glob;\nassert_eq!(other.a(), 5);",
            "let mut other = glob;\nother.b();\nassert_eq!(other.a(), 5);",
        ),
        ("nothing-asserted", "call();", "assert!(call());"),
        ("line-number", "// at lib.rs:290\nassert!(call());", "// in `call`\nassert!(call());"),
    ];

    fn rules_of(text: &str) -> Vec<Vec<&'static str>> {
        let broken = broken(text).expect("it is Rust");
        broken.into_iter().map(|(_, rules)| rules.into_iter().collect()).collect()
    }

    #[test]
    fn each_rule_finds_what_it_forbids_and_nothing_like_it() {
        for (rule, bad, good) in EXAMPLES {
            let file = |body: &str| format!("#[test]\nfn one() {{\n{body}\n}}\n");
            assert_eq!(rules_of(&file(bad)), [vec![*rule]], "{bad}");
            assert_eq!(rules_of(&file(good)), [Vec::<&str>::new()], "{good}");
        }
    }

    #[test]
    fn names_are_seen_together() {
        let file = |names: &[&str]| -> String {
            let test =
                |(at, name): (usize, &&str)| format!("#[test]\nfn {name}() {{ assert!(call{at}()); }}\n");
            names.iter().enumerate().map(test).collect()
        };
        let none = Vec::<&str>::new;
        assert_eq!(rules_of(&file(&["pop_returns_2", "len_returns_3"])), [none(), none()]);
        assert_eq!(rules_of(&file(&["pop_works", "pop_works_2"])), [none(), vec!["counted-name"]]);
        let dumps = ["of_sunday_06_nov_94_08_49", "dot_u80_of_printer", "of_u64_1_2"];
        assert_eq!(rules_of(&file(&dumps)), [vec!["dumped-name"], vec!["dumped-name"], none()]);
    }

    #[test]
    fn three_of_a_shape_are_two_too_many() {
        let test = |at: usize| format!("#[test]\nfn of_{at}() {{ assert_eq!(parse(\"{at}\"), -{at}); }}\n");
        let file = |count: usize| (0..count).map(test).collect::<String>();
        assert_eq!(rules_of(&file(2)).concat(), Vec::<&str>::new());
        assert_eq!(rules_of(&file(3)).concat(), ["repeated-shape"; 3]);
    }

    #[test]
    fn all_rules_have_an_example_here() {
        let elsewhere = ["repeated-shape", "counted-name", "dumped-name"];
        for rule in RULES {
            let is_shown = EXAMPLES.iter().any(|(id, ..)| *id == rule.id) || elsewhere.contains(&rule.id);
            assert!(is_shown, "{}", rule.id);
        }
    }

    #[test]
    fn the_guide_shows_the_table() {
        let guide = include_str!("../../../docs/guide.md");
        for Rule { id, forbids, found, mended, .. } in RULES {
            let row = format!("| `{id}` | {forbids} | {found} | {mended} |\n");
            assert!(guide.contains(&row), "docs/guide.md has to have the row\n{row}");
        }
    }
}
