//! Small programs and the text that a person would write for them.

use super::{Options, Rendered, Spelling, render};
use crate::borrow::check as obey;
use crate::{sample, sketch};

fn rendered(program: &str, bound: &[&str]) -> Rendered {
    let api = sample::api();
    let sketched = sketch::program(&api, program).unwrap();
    let liveness = obey(&api, &sketched.program).unwrap();
    let bound = bound.iter().map(|name| sketched.slot(name).unwrap()).collect();
    render(&api, &sketched.program, &liveness, &Options { bound, ..Options::default() })
}

#[track_caller]
fn check(program: &str, expected: &[&str]) {
    let body = rendered(program, &[]).body;
    assert_eq!(body.lines().collect::<Vec<_>>(), expected, "{program}");
}

#[test]
fn literals_stand_where_they_are_used() {
    check("a = List::of(1, 2)\nList::push(a, -3)", &["let mut list = List::of([1, 2]);", "list.push(-3);"]);
    check("n = 1: i32\ni32::sub(n, n)", &["let _ = 1 - 1;"]);
    check("n = 1: i32", &[]);
    check("Point::new(1.5, 2)", &["let _ = Point { x: 1.5, y: 2.0 };"]);
}

#[test]
fn a_literal_that_changes_or_is_long_and_used_twice_has_a_variable() {
    check("n = 1: i32\nset(n, 2)", &["let mut number = 1;", "number = 2;"]);
    let twice = "text = \"a long text\": &str\nParser::new(text)\nParser::new(text)";
    check(twice, &["let text = \"a long text\";", "Parser::new(text);", "Parser::new(text);"]);
    check("n = 1: i32\ndrop n", &["let number = 1;", "drop(number);"]);
}

#[test]
fn arguments_are_borrowed_as_the_parameter_wants() {
    check(
        "a = List::new()\nb = List::new()\nkeep_both(a, 1)",
        &["let mut list = List::new();", "let _list2 = List::new();", "keep_both(&mut list, &1);"],
    );
    let through = "a = List::new()\nview = List::borrow_mut(a)\nkeep_both(view, 1)\nkeep_both(view, 2)";
    check(
        through,
        &[
            "let mut list = List::new();",
            "let list2 = &mut list;",
            "keep_both(&mut *list2, &1);",
            "keep_both(list2, &2);",
        ],
    );
    check(
        "a = List::new()\nn = List::at(a, 0)\nshow(n)",
        &["let list = List::new();", "let at = &list[0];", "show(at);"],
    );
    check(
        "text = \"a\": String\nParser::new(text)\nString::push(text, \"b\")",
        &["let mut text = String::from(\"a\");", "Parser::new(&text);", "text.push_str(\"b\");"],
    );
}

#[test]
fn constants_stand_wherever_they_go() {
    check_inlined(
        "none = mine::Mark::NONE()\nmine::Marks::new(none, none)",
        &[],
        &["let _ = Marks { first: Mark::NONE, last: Mark::NONE };"],
    );
}

#[test]
fn macros_take_references_by_themselves() {
    check(
        "a = List::new()\nList::print(a, 3)",
        &["let list = List::new();", "let _ = write!(&mut [0u8; 64][..3], \"{}\", list).is_err();"],
    );
}

#[test]
fn a_zero_before_a_digit_does_not_look_like_an_octal_number() {
    check(
        "text = \"\u{0}1\": String\nparser = Parser::new(text)\nParser::word(parser)",
        &["let mut parser = Parser::new(\"\\u{0}1\");", "parser.word();"],
    );
}

#[test]
fn temporaries_are_not_borrowed_for_longer_than_they_live() {
    check(
        "n = 1: i32\nm = 2: i32\nmax = i32::max_ref(n, m)\nshow(max)",
        &["let max_ref = 1i32.max_ref(&2);", "show(max_ref);"],
    );
    check(
        "text = \"a\": String\nparser = Parser::new(text)\nParser::word(parser)",
        &["let mut parser = Parser::new(\"a\");", "parser.word();"],
    );
    let kept = "name = \"a\": String\nname = Name::of(name)\nName::show(name)";
    check(kept, &["let text = String::from(\"a\");", "let name = Name::of(&text);", "name.show();"]);
    let used = "name = \"a\": String\nName::check(name)";
    check(used, &["Name::check(&String::from(\"a\"));"]);
}

#[test]
fn operators_get_places_and_parentheses() {
    check("i32::abs(-5)", &["let _ = (-5i32).abs();"]);
    check("i32::neg(-5)", &["let _ = -(-5i32);"]);
    check("i32::sub(3, -5)", &["let _ = 3 - (-5);"]);
    check(
        "a = List::new()\nb = List::new()\nc = List::add(a, b)\nList::add_assign(c, b)\nList::eq(c, b)",
        &[
            "let list = List::new();",
            "let list2 = List::new();",
            "let mut list3 = list + &list2;",
            "list3 += &list2;",
            "let _ = list3 == list2;",
        ],
    );
    let through = "a = List::new()\nb = List::new()\nview = List::borrow_mut(a)\nList::add_assign(view, b)\nList::eq(view, b)";
    check(
        through,
        &[
            "let mut list = List::new();",
            "let list2 = List::new();",
            "let list3 = &mut list;",
            "*list3 += &list2;",
            "let _ = *list3 == list2;",
        ],
    );
}

#[test]
fn types_are_written_where_nothing_tells_them() {
    check("n = usize::pow(2, 3)", &["let _ = 2usize.pow(3);"]);
    check("w = Wrapper<u8>::new(3)", &["Wrapper::new(3u8);"]);
    check("w = Wrapper<u8>::empty()", &["let _: Wrapper<u8> = Wrapper::empty();"]);
    check("p = Pair<u8, u8>::Left(3)", &["let _: Pair<u8, u8> = Pair::Left(3u8);"]);
    check("n = 5: usize\na = List::new()\nList::at(a, n)", &["let list = List::new();", "let _ = &list[5];"]);
}

#[test]
fn results_that_nobody_uses_are_ignored_or_kept_alive() {
    check("a = List::new()\nList::len(a)", &["let list = List::new();", "list.len();"]);
    check("a = List::new()\nList::drain(a)", &["let mut list = List::new();", "let _drain = list.drain();"]);
    check(
        "a = List::new()\nd = List::drain(a)\ndrop d",
        &["let mut list = List::new();", "let drain = list.drain();", "drop(drain);"],
    );
}

#[test]
fn bytes_are_written_as_text() {
    check("hash(\"ab\")", &["hash(b\"ab\");"]);
    check(
        "bytes = \"ab\": Vec<u8>\nhash(bytes)\nhash(bytes)",
        &["let bytes = Vec::from(*b\"ab\");", "hash(&bytes);", "hash(&bytes);"],
    );
}

#[test]
fn variables_have_telling_names_and_no_function_is_hidden() {
    check(
        "a = List::new()\nn = List::len(a)\nm = List::len(a)\nList::at(a, n)\nList::at(a, m)",
        &[
            "let list = List::new();",
            "let len = list.len();",
            "let len2 = list.len();",
            "let _ = &list[len];",
            "let _ = &list[len2];",
        ],
    );
    check("h = hash(\"ab\")\nusize::pow(h, 2)", &["let number = hash(b\"ab\");", "let _ = number.pow(2);"]);
}

#[test]
fn slots_that_are_looked_at_later_have_variables() {
    let found = rendered("n = 5: u8\na = List::new()\nlen = List::len(a)", &["n", "len"]);
    assert_eq!(found.body, "let number = 5u8;\nlet list = List::new();\nlet len = list.len();\n");
    let names: Vec<_> = found.names.iter().map(Option::as_deref).collect();
    assert_eq!(names, [Some("number"), Some("list"), Some("len")]);
    assert_eq!(found.lines[2].expression, "list.len()");
}

#[test]
fn lines_are_indented_and_imports_collected() {
    let mut api = sample::api();
    let id = sample::callable(&api, "List::new");
    api.callables[id.0 as usize].imports.push("mine::List".to_owned());
    let program = sketch::program(&api, "a = List::new()").unwrap().program;
    let liveness = obey(&api, &program).unwrap();
    let found = render(&api, &program, &liveness, &Options { indent: 4, ..Options::default() });
    assert_eq!(found.body, "    let _list = List::new();\n");
    assert_eq!(found.imports.into_iter().collect::<Vec<_>>(), ["mine::List"]);
}

#[track_caller]
fn check_inlined(program: &str, bound: &[&str], expected: &[&str]) {
    let api = sample::api();
    let sketched = sketch::program(&api, program).unwrap();
    let liveness = obey(&api, &sketched.program).unwrap();
    let bound = bound.iter().map(|name| sketched.slot(name).unwrap()).collect();
    let options = Options { bound, inline: true, ..Options::default() };
    let body = render(&api, &sketched.program, &liveness, &options).body;
    assert_eq!(body.lines().collect::<Vec<_>>(), expected, "{program}");
}

#[test]
fn a_call_that_is_used_once_stands_where_it_is_used() {
    check_inlined(
        "a = List::of(1)\nit = List::iter(a)\nn = Iter::next(it)",
        &["n"],
        &["let list = List::of([1]);", "let next = list.iter().next();"],
    );
    check_inlined(
        "a = List::new()\nn = List::len(a)\nusize::pow(n, 2)",
        &[],
        &["let list = List::new();", "let _ = list.len().pow(2);"],
    );
    check_inlined(
        "x = i32::abs(-1)\ny = i32::abs(-2)\nList::of(x, y)",
        &[],
        &["let _list = List::of([(-1i32).abs(), (-2i32).abs()]);"],
    );
    check_inlined("x = i32::neg(1)\nList::of(x)", &[], &["let _list = List::of([-1i32]);"]);
}

#[test]
fn what_has_to_live_or_to_be_in_order_keeps_its_variable() {
    // Borrowed by the result, used twice, looked at later.
    check_inlined(
        "a = List::new()\nf = List::first(a)",
        &["f"],
        &["let list = List::new();", "let first = list.first();"],
    );
    check_inlined(
        "n = i32::abs(-1)\nList::of(n, n)",
        &[],
        &["let abs = (-1i32).abs();", "let _list = List::of([abs, abs]);"],
    );
    check_inlined(
        "n = i32::abs(-1)\nList::of(n)",
        &["n"],
        &["let abs = (-1i32).abs();", "let _list = List::of([abs]);"],
    );
    // Something happens in between, or in the other order.
    check_inlined(
        "n = i32::abs(-1)\na = List::new()\nList::push(a, n)",
        &[],
        &["let abs = (-1i32).abs();", "let mut list = List::new();", "list.push(abs);"],
    );
    check_inlined(
        "x = i32::abs(-1)\ny = i32::abs(-2)\nList::of(y, x)",
        &[],
        &["let abs = (-1i32).abs();", "let _list = List::of([(-2i32).abs(), abs]);"],
    );
    // The list is changed by the call that the length is for.
    check_inlined(
        "a = List::new()\nn = List::len(a)\nList::get_mut(a, n)",
        &[],
        &["let mut list = List::new();", "let len = list.len();", "list.get_mut(len);"],
    );
    // The destructor would run earlier.
    check_inlined(
        "a = List::new()\nd = List::drain(a)\nn = Drain::next(d)",
        &["n"],
        &["let mut list = List::new();", "let mut drain = list.drain();", "let next = drain.next();"],
    );
    check_inlined(
        "a = List::new()\nd = List::drain(a)\nDrain::next(d)",
        &[],
        &["let mut list = List::new();", "list.drain().next();"],
    );
    // The type has to be written, or a sign would bind to a part.
    check_inlined("w = i32::neg(1)\ni32::abs(w)", &[], &["let number = -1i32;", "let _ = number.abs();"]);
}

#[test]
fn what_is_made_for_one_call_is_not_lent_to_it() {
    let table = "type Iter: drop\ntype Vec: drop\nfn Iter::new() -> Iter => Iter::new()\n\
                 fn Iter::skip(self: Iter) -> Iter => $0.skip(1)\n\
                 fn Iter::all(self: &mut Iter) -> Vec => $0.by_ref().take(64).collect::<Vec<_>>()";
    let api = sketch::api(table).unwrap();
    let text = |program: &str| {
        let sketched = sketch::program(&api, program).unwrap();
        let options = Options { inline: true, ..Options::default() };
        render(&api, &sketched.program, &obey(&api, &sketched.program).unwrap(), &options).body
    };
    let once = text("a = Iter::new()\nb = Iter::skip(a)\nIter::all(b)");
    assert!(once.contains("skip(1).take(64).collect::<Vec<_>>()"), "{once}");
    let twice = text("a = Iter::new()\nb = Iter::skip(a)\nIter::all(b)\nIter::all(b)");
    assert!(twice.contains(".by_ref().take(64)"), "{twice}");
}

#[test]
fn a_tuple_does_not_turn_an_owner_into_what_it_owns() {
    let table = "type u8: copy\ntype &str: copy\ntype String: drop\ntype (u8, &str): copy borrows\n\
                 fn pair(n: u8; text: &str) -> (u8, &str) [1& > out] => ($0, $1)";
    let api = sketch::api(table).unwrap();
    let program = sketch::program(&api, "text = \"a long text\": String\npair(1, text)\npair(2, text)")
        .unwrap()
        .program;
    let rendered = render(&api, &program, &obey(&api, &program).unwrap(), &Options::default());
    let lines = ["let text = String::from(\"a long text\");", "(1, text.as_str());", "(2, text.as_str());"];
    assert!(lines.iter().all(|line| rendered.body.contains(line)), "{}", rendered.body);
}

#[test]
fn what_the_compiler_could_find_out_is_written_where_it_does_not() {
    let api = sample::api();
    let program = sketch::program(&api, "a = List::of(1, 2)\nn = List::len(a)\nusize::pow(n, 2)").unwrap();
    let liveness = obey(&api, &program.program).unwrap();
    let options = Options { inline: true, spelling: Spelling::Explicit, ..Options::default() };
    let body = render(&api, &program.program, &liveness, &options).body;
    let expected = ["let list: List = List::of([1i32, 2]);", "let _ = list.len().pow(2u8);"];
    assert_eq!(body.lines().collect::<Vec<_>>(), expected);
}
