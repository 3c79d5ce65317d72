//! Each family on the smallest input: which mutants there are, and what is written for them.

use testsmith_model::{CfgSet, Module, SourceFile, SourceTree};

use crate::plan::Plan;
use crate::render::render;

fn plan(text: &str) -> Plan {
    let file = SourceFile::parse("a.rs".into(), "a.rs".into(), 0, Module::default(), text.into())
        .expect("it parses");
    Plan::new(SourceTree { files: vec![file], skipped: Vec::new() }, &[CfgSet::parse("unix")])
}

/// Mutants as `operator: before → after`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let plan = plan(text);
    let shown = plan.mutants.iter().map(|m| format!("{}: {} → {}", m.operator.id, m.before, m.after));
    assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
    let rendered = render(&plan, 0).text;
    assert_eq!(rendered.matches('\n').count(), text.matches('\n').count(), "no line moves");
    // A macro's body is no Rust before it is expanded, and syn does not look into it.
    syn::parse_file(&rendered).unwrap_or_else(|e| panic!("{e} in {rendered}"));
}

/// Mutants of the body of a function without value mutants of its own.
#[track_caller]
fn check_body(body: &str, expected: &[&str]) {
    check(&format!("fn f(a: A, b: B, n: usize, i: i32, t: bool) -> impl R {{ {body} }}"), expected);
}

#[test]
fn comparisons_are_replaced_by_each_other() {
    check_body("a.x < b.y", &["ror: < → <=", "ror: < → >", "ror: < → >=", "ror: < → ==", "ror: < → !="]);
    check_body("a == b", &["ror: == → !="]);
    check_body(
        "n == 0",
        &["ror: == → >=", "ror: == → !=", "uoi: n → (n + 1)", "uoi: n → (n - 1)", "const: 0 → 1"],
    );
}

#[test]
fn arithmetic_is_replaced_within_its_family() {
    check_body("a + b", &["aor: + → -", "aor: + → *", "aor: + → /", "aor: + → %"]);
    check_body("a & b", &["bit: & → |", "bit: & → ^"]);
    check_body("a << b", &["shift: << → >>"]);
    check_body(
        "x += y; x",
        &["omit: x += y; → ", "aor: += → -=", "aor: += → *=", "aor: += → /=", "aor: += → %="],
    );
    check_body("\"a\".to_string() + &b", &["str: \"a\" → \"\"", "str: \"a\" → \"xyzzy\""]);
}

#[test]
fn a_change_that_would_be_read_otherwise_is_shown_with_parentheses() {
    check_body(
        "a - b % c",
        &[
            "aor: - → +",
            "aor: a - b % c → (a * (b % c))",
            "aor: a - b % c → (a / (b % c))",
            "aor: a - b % c → (a % (b % c))",
            "aor: b % c → (b + c)",
            "aor: b % c → (b - c)",
            "aor: % → *",
            "aor: % → /",
        ],
    );
    check_body(
        "n as u8 >> m",
        &["shift: n as u8 >> m → (n as u8) << m", "cast: n as u8 → u8::MAX", "cast: n as u8 → u8::MIN"],
    );
    check_body(
        "n & 1",
        &["bit: & → |", "bit: & → ^", "uoi: n → (n + 1)", "uoi: n → (n - 1)", "const: 1 → 2", "const: 1 → 0"],
    );
}

#[test]
fn connectors_and_conditions_are_turned_around() {
    check_body("a && b", &["lcr: && → ||"]);
    check_body("if let Some(x) = a && b {} c", &[]);
    check_body("if a.b() { c } else { d }", &["neg: a.b() → !a.b()"]);
    check_body("if a && b { c } else { d }", &["neg: a && b → !(a && b)", "lcr: && → ||"]);
    check_body("while !a.b() {} c", &["unary: ! → "]);
}

#[test]
fn statements_and_jumps_are_left_out_or_swapped() {
    check_body("g(a); b", &["omit: g(a); → "]);
    check_body("println!(\"{}\", a); b", &[]);
    check_body("assert!(a); b", &["omit: assert!(a); → "]);
    check_body("if a.b() { return c; } d", &["neg: a.b() → !a.b()", "return: return c; → "]);
    check_body("loop { break; } d", &["jump: break → continue"]);
    check_body("'x: loop { loop { continue 'x; } } d", &["jump: continue 'x → break 'x"]);
    check_body("'x: { break 'x; } d", &[]);
    check_body("loop { break 1; }", &["const: 1 → 2", "const: 1 → 0"]);
    check_body("g()?; d", &["omit: g()?; → ", "try: ? → .unwrap()"]);
}

#[test]
fn arms_give_way_to_the_catch_all_and_guards_to_constants() {
    check_body(
        "match a { A::X => g, A::Y if c => h, _ => k }",
        &["arm: A::X => g → ", "arm: A::Y if c => h → ", "guard: c → true", "guard: c → false"],
    );
    check_body("match a { A::X => g, A::Y => h }", &[]);
    check_body("match a { A::X => k, _ => k }", &[]);
}

#[test]
fn values_of_known_kinds_are_changed() {
    check_body(
        "g(i)",
        &["abs: i → i.abs()", "abs: i → -i.abs()", "uoi: i → -i", "uoi: i → i + 1", "uoi: i → i - 1"],
    );
    check_body("g(t)", &["uoi: t → !t"]);
    check_body("{ let n = a; g(n) }", &[]);
    check_body("b as u8", &["cast: b as u8 → u8::MAX", "cast: b as u8 → u8::MIN"]);
    check_body("-1.5", &["float: -1.5 → -0.5", "float: -1.5 → 0.0", "float: -1.5 → 1.5"]);
}

#[test]
fn ranges_swap_their_bound_where_the_type_may_change() {
    check_body("for x in a..b {} c", &["range: .. → ..="]);
    check_body("(a..=b).contains(&c)", &["range: ..= → .."]);
    check_body("&a[..=b]", &["range: ..= → .."]);
    check_body("g(a..b)", &[]);
}

#[test]
fn methods_of_std_have_counterparts() {
    check_body("a.min(b)", &["pair: min → max"]);
    check_body("a.b.pop_front()", &["pair: pop_front → pop_back"]);
    check_body("a.push_back(g())", &["pair: push_back → push_front"]);
    check_body("a.any(|x| x)", &["pair: any → all"]);
    check_body("cmp::min(a, b)", &["pair: cmp::min → cmp::max"]);
    check_body(
        "a.checked_add(b)",
        &["checked: checked_add → checked_sub", "checked: checked_add → wrapping_add"],
    );
}

#[test]
fn bodies_and_results_follow_the_return_type() {
    check("fn f() -> bool { g() }", &["fn-value: { g() } → true", "fn-value: { g() } → false"]);
    check("fn f() { g() }", &["fn-value: { g() } → ()"]);
    check("fn f() -> bool { true }", &["fn-value: { true } → false", "bool: true → false"]);
    check(
        "fn f() -> Option<u8> { if c { return None; } Some(x) }",
        &[
            "fn-value: { if c { return None; } Some(x) } → None",
            "fn-value: { if c { return None; } Some(x) } → Some(0)",
            "fn-value: { if c { return None; } Some(x) } → Some(1)",
            "option: None → Some(0)",
            "option: Some(x) → None",
            "neg: c → !c",
            "return: return None; → ",
        ],
    );
    check("struct S; impl Default for S { fn default() -> Self { S::new() } }", &[]);
}

#[test]
fn fields_fall_back_to_the_base() {
    check_body("P { x: v, ..base }", &["field: x: v → "]);
    check_body("P { x, ..Default::default() }", &["field: x → "]);
    check_body("P { x: v }", &[]);
}

#[test]
fn test_code_const_contexts_and_patterns_hold_no_mutants() {
    check("#[cfg(test)] mod tests { fn f() -> bool { 1 < 2 } }", &[]);
    check("#[cfg(windows)] fn f() -> bool { 1 < 2 }", &[]);
    check("#[mutants::skip] fn f() -> bool { 1 < 2 }", &[]);
    check("const X: u8 = 1 + 2; static Y: u8 = 3 * 4;", &[]);
    check_body("if cfg!(windows) { a + b } else { c }", &["neg: cfg!(windows) → !cfg!(windows)"]);
    check_body("if !cfg!(windows) { c } else { a + b }", &["unary: ! → "]);
    check_body("match a { 1..=5 => b, _ => b }", &[]);
    check_body("[a; 3 + 4]", &[]);
    let plan = plan("#[cfg(test)] mod t {} #[cfg(windows)] fn f() {} const X: u8 = 1 + 2;");
    let reasons: Vec<_> = plan.skipped.iter().map(|s| format!("{}: {}", s.what, s.reason)).collect();
    assert_eq!(reasons, ["mod t: test code", "fn f: switched off by cfg", "const X: const context"]);
}

#[test]
fn bodies_of_macros_that_produce_functions_are_looked_at() {
    check(
        "macro_rules! m { ($($t:ty),*) => { $(impl A for $t { fn f(&self) -> u8 { g::<$t>() } })* }; } m!(u8, u16);",
        &["fn-value: { g::<$t>() } → 0", "fn-value: { g::<$t>() } → 1"],
    );
    check(
        "macro_rules! m { ($v:vis $n:ident, $e:expr) => { $v fn $n() -> impl R { $e & b } }; } m!(x, 1);",
        &["bit: & → |", "bit: & → ^"],
    );
    check("macro_rules! m { ($($e:expr),*) => { fn f() -> impl R { a $( & $e )* } }; } m!(1, 2);", &[]);
    check("macro_rules! unused { () => { fn f() -> u8 { g() } }; }", &[]);
    check("macro_rules! expression { ($e:expr) => { $e + 1 }; } fn f() -> impl R { expression!(a) }", &[]);
}

#[test]
fn a_const_fn_is_opened_unless_a_const_context_calls_it() {
    let plan = plan(
        "const fn f() -> u8 { g() } const fn g() -> u8 { 1 } const X: u8 = f(); const fn h() -> u8 { 2 }",
    );
    let text = render(&plan, 0).text;
    assert!(text.contains("const fn f() -> u8 { g() }"), "{text}");
    assert!(text.contains("const fn g() -> u8 { 1 }"), "{text}");
    assert!(text.contains("      fn h() -> u8 { __testsmith::tick();"), "{text}");
}

#[test]
fn the_form_of_each_family_is_this() {
    let form = |body: &str| {
        let text = format!("fn f(a: A) -> impl R {{{body}}}");
        let rendered = render(&plan(&text), 0).text;
        let body = rendered.trim_start_matches("fn f(a: A) -> impl R { __testsmith::tick();");
        body.strip_suffix('}').expect("the brace").replace("__testsmith::", "T::")
    };
    assert_eq!(
        form("a & b"),
        "(match ((a), (b)) { (__l, __r) => match T::bin(1, 2, b\"&|^\", &__l, &__r) \
         { 0 => __l & __r, 1 => __l | __r, _ => __l ^ __r } })"
    );
    assert_eq!(
        form("a == b"),
        "(match (&(a), &(b)) { (__l, __r) => match T::cmp(1, 1, b\"=!\", __l, __r) { 0 => *__l == *__r, _ => *__l != *__r } })"
    );
    assert_eq!(
        form("a && b"),
        "(if T::and(1, a) { if T::and_rhs(1, b) { true } else { false } } else { T::active(1) })"
    );
    assert_eq!(form("x ^= y;").matches("match").count(), 3);
    assert_eq!(form("b?"), "(match (b) { __v => match T::may(1, 1) { 0 => __v?, _ => T::omit(__v) } })");
    assert_eq!(form("g(a); b"), "if T::keep(1) { g(a); } b");
    assert_eq!(form("'x'"), "(match T::sel(1, 1) { 0 => 'x', _ => 'y' })");
}
