//! Small cases and the text that a person would write for them.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use testsmith_ir::render::Spelling;
use testsmith_ir::{Api, sketch};
use testsmith_rt::harness::Value;

use super::{
    Existing, HEADER, KillWords, TestText, Unreadable, finding, is_writable, main_file, module, module_names,
    test,
};
use crate::case::{Case, Check, Claim, Ending};

fn api() -> Api {
    let mut api = sketch::api(
        "
        type i32: copy eq debug ord
        type usize: copy eq debug ord
        type f64: copy eq debug
        type bool: copy eq debug
        type &str: copy eq debug
        type String: drop eq debug
        type &i32: copy eq debug
        type &mut i32: eq debug
        type Option<i32>: copy eq debug
        type Option<&i32>: copy eq debug borrows
        type Result<(), Full>
        type Result<(), i32>: eq debug
        type Vec<i32>: drop eq debug
        type std::cmp::Ordering: copy eq debug
        type mine::List: drop eq debug display ord
        type mine::Drain<'_>: drop borrows
        type mine::Wrapper<i32>: copy debug eq ord
        type Result<mine::List, Full>
        type Vec<mine::List>: drop
        fn mine::List::new() -> mine::List => List::new()
        fn mine::List::of(items: *i32) -> mine::List => List::of([$*])
        fn mine::List::push(self: &mut mine::List; value: i32) => $0.push($1)
        fn mine::List::try_push(self: &mut mine::List; value: i32) -> Result<(), i32> => $0.try_push($1)
        fn mine::List::force_push(self: &mut mine::List; value: i32) -> Result<(), Full> => $0.force_push($1)
        fn mine::List::pop(self: &mut mine::List) -> Option<i32> => $0.pop()
        fn mine::List::len(self: &mine::List) -> usize => $0.len()
        fn mine::List::contains(self: &mine::List; item: &i32) -> bool => $0.contains($1)
        fn mine::List::first(self: &mine::List) -> Option<&i32> [0& > out] => $0.first()
        fn mine::List::at(self: &mine::List; index: usize) -> &i32 [0& > out] => &$0[$1]
        fn mine::List::at_mut(self: &mut mine::List; index: usize) -> &mut i32 [0& > out] => &mut $0[$1]
        fn mine::List::mean(self: &mine::List) -> f64 => $0.mean()
        fn mine::List::drain(self: &mut mine::List) -> mine::Drain<'_> [0& > out] => $0.drain()
        fn mine::List::to_vec(self: &mine::List) -> Vec<i32> => $0.to_vec()
        fn <mine::List as PartialEq>::eq(self: &mine::List; other: &mine::List) -> bool => $0 == $1
        fn <mine::List as PartialOrd>::lt(self: &mine::List; other: &mine::List) -> bool => $0 < $1
        fn mine::List::compare(self: &mine::List; other: &mine::List) -> std::cmp::Ordering => $0.compare($1)
        fn mine::Wrapper<i32>::empty() -> mine::Wrapper<i32> => Wrapper::empty()
        fn mine::List::read(text: &str) -> Result<mine::List, Full> => List::read($0)
        fn mine::List::split(self: &mine::List) -> Vec<mine::List> => $0.split()
        fn mine::parse(text: &str) -> Result<(), i32> => parse($0)
        fn mine::shout(text: &str) -> String => shout($0)
        fn set(place: &mut i32; value: i32) => $0 = $1
        type mine::Point: copy eq debug
        fn mine::Point(x: i32; y: i32) -> mine::Point => Point { x: $0, y: $1 }
        fn mine::Point::assign_x(place: &mut mine::Point; x: i32) => $0.x = $1
        fn mine::Point::x(self: &mine::Point) -> i32 => $0.x
        fn mine::Point::size(self: &mine::Point) -> i32 => $0.size()
        fn mine::Point::fmt(self: &mine::Point) -> String => format!(\"{}\", $0)
        fn mine::Point::print(self: &mine::Point; size: usize) -> bool => write!(&mut [0u8; 64][..$1], \"{}\", $0).is_err()
        fn mine::Point::read(text: &String) -> mine::Point => Point::read($0)
        type Vec<u8>: drop eq debug
        fn mine::print(text: &str) -> Vec<u8> => print($0)
        type std::time::SystemTime: copy eq debug
        type Option<std::time::SystemTime>: copy eq debug
        fn mine::time(text: &str) -> std::time::SystemTime => time($0)
        fn mine::maybe_time(text: &str) -> Option<std::time::SystemTime> => maybe_time($0)
        ",
    )
    .expect("the table is well-formed");
    for (path, import) in
        [("mine::List::new", "mine::List"), ("mine::List::of", "mine::List"), ("mine::parse", "mine::parse")]
    {
        let id = api.find(path).expect("it is in the table");
        api.callables[id.0 as usize].imports.push(import.to_owned());
    }
    api
}

/// A case of a sketched program with claims about its named slots.
fn case(program: &str, checks: &[(&str, Claim)]) -> Case {
    let sketched = sketch::program(&api(), program).expect("the program is well-formed");
    let check = |(name, claim): &(&str, Claim)| Check {
        after: None,
        slot: sketched.slot(name).expect("the slot has this name"),
        claim: claim.clone(),
    };
    let checks = checks.iter().map(check).collect();
    Case::new(sketched.program.clone(), Ending::Returns, checks, Vec::new())
}

fn killing(clauses: &[&str]) -> KillWords {
    KillWords { clauses: clauses.iter().map(|clause| (*clause).to_owned()).collect(), places: Vec::new() }
}

fn written(case: &Case) -> TestText {
    test(&api(), case, &KillWords::default(), Spelling::Natural).expect("the case can be written")
}

#[track_caller]
fn check(program: &str, checks: &[(&str, Claim)], name: &str, lines: &[&str]) {
    let found = written(&case(program, checks));
    assert_eq!(found.lines, lines);
    assert_eq!(found.names[0], name);
}

fn int(value: i128) -> Claim {
    Claim::Value(Value::Int(value))
}

fn some(value: i128) -> Claim {
    Claim::Value(Value::Option(Some(Box::new(Value::Int(value)))))
}

fn is(value: bool) -> Claim {
    Claim::Value(Value::Bool(value))
}

#[test]
fn a_value_that_only_the_assertion_uses_stands_in_it() {
    check(
        "list = mine::List::new()\nlen = mine::List::len(list)",
        &[("len", int(0))],
        "len_on_new_list_returns_0",
        &["let list = List::new();", "assert_eq!(list.len(), 0);"],
    );
    check(
        "list = mine::List::of(1, 2)\nmine::List::push(list, 3)\npop = mine::List::pop(list)\nlen = mine::List::len(list)",
        &[("pop", some(3)), ("len", int(2))],
        "pop_after_push_returns_some_3",
        &[
            "let mut list = List::of([1, 2]);",
            "list.push(3);",
            "assert_eq!(list.pop(), Some(3));",
            "assert_eq!(list.len(), 2);",
        ],
    );
}

#[test]
fn a_value_that_others_use_has_a_variable() {
    check(
        "list = mine::List::of(1)\nlen = mine::List::len(list)\nat = mine::List::at(list, len)",
        &[("len", int(1)), ("at", int(1))],
        "len_of_list_1_returns_1",
        &[
            "let list = List::of([1]);",
            "let len = list.len();",
            "assert_eq!(list[len], 1);",
            "assert_eq!(len, 1);",
        ],
    );
    check(
        "wrapper = mine::Wrapper<i32>::empty()",
        &[("wrapper", Claim::Debug("Wrapper".to_owned()))],
        "wrapper_empty_shows_wrapper",
        &[
            "let wrapper: mine::Wrapper<i32> = Wrapper::empty();",
            "assert_eq!(format!(\"{wrapper:?}\"), \"Wrapper\");",
        ],
    );
}

#[test]
fn what_changed_is_looked_at_at_the_end() {
    check(
        "list = mine::List::of(1)\nplace = mine::List::at_mut(list, 0)\nset(place, 5)",
        &[("list", Claim::Debug("[5]".to_owned())), ("place", int(5))],
        "at_mut_0_of_list_1_shows_5",
        &[
            "let mut list = List::of([1]);",
            "let at_mut = &mut list[0];",
            "*at_mut = 5;",
            "assert_eq!(*at_mut, 5);",
            "assert_eq!(format!(\"{list:?}\"), \"[5]\");",
        ],
    );
}

#[test]
fn structs_and_their_fields_have_names() {
    check(
        "point = mine::Point(1, 2)\nsize = mine::Point::size(point)",
        &[("size", int(3))],
        "size_of_point_1_2_returns_3",
        &["let point = Point { x: 1, y: 2 };", "assert_eq!(point.size(), 3);"],
    );
    check(
        "point = mine::Point(1, 2)\nmine::Point::assign_x(point, 5)\nsize = mine::Point::size(point)",
        &[("size", int(7))],
        "size_after_set_x_returns_7",
        &["let mut point = Point { x: 1, y: 2 };", "point.x = 5;", "assert_eq!(point.size(), 7);"],
    );
    let debug = written(&case(
        "point = mine::Point(1, 2)\nx = mine::Point::x(point)",
        &[("x", Claim::Debug("1".to_owned()))],
    ));
    assert_eq!(debug.names[0], "point_of_1_2_has_x_1");
}

#[test]
fn what_is_printed_and_read_again_is_a_test_of_printing() {
    let program = "point = mine::Point(1, 2)\ntext = mine::Point::fmt(point)\nread = mine::Point::read(text)";
    let point = case(program, &[("point", int(0))]).checks[0].slot;
    check(
        program,
        &[("read", Claim::Equal(point, true))],
        "display_of_point_1_2_is_read_back",
        &[
            "let point = Point { x: 1, y: 2 };",
            "let point2 = Point::read(&format!(\"{}\", point));",
            "assert_eq!(point2, point);",
        ],
    );
}

#[test]
fn names_say_what_is_too_long_for_them() {
    let of = |program: &str, claim: Claim| written(&case(program, &[("found", claim)])).names.remove(0);
    let long = "a long text with a dot. And more".to_owned();
    let table = [
        (of("found = mine::time(\"2012-01-01T00:00:00+00:00\")", Claim::Value(Value::SinceEpoch(5, 6))), {
            "time_of_2012_01_returns_time"
        }),
        (of("found = mine::shout(\"a\")", Claim::Value(Value::Str(long.clone(), 32))), {
            "shout_of_a_returns_a_long_text_with_a_dot"
        }),
        (of("found = mine::Point(1, 2)", Claim::Debug(long)), "point_of_1_2_shows_a_long_text_with_a_dot"),
        (of("found = mine::Point(1, 2)", Claim::Debug("[]".to_owned())), "point_of_1_2_shows_empty"),
    ];
    for (found, expected) in table {
        assert_eq!(found, expected);
    }
}

#[test]
fn that_a_text_does_not_fit_is_asserted() {
    check(
        "point = mine::Point(1, 2)\nfound = mine::Point::print(point, 0)",
        &[("found", is(true))],
        "display_overflows_a_buffer_0_of_point_1_2",
        &[
            "let point = Point { x: 1, y: 2 };",
            "assert!(write!(&mut [0u8; 64][..0], \"{}\", point).is_err());",
        ],
    );
}

#[test]
fn what_is_lent_exclusively_is_not_looked_at_in_passing() {
    check(
        "list = mine::List::of(1)\nplace = mine::List::at_mut(list, 0)",
        &[("place", int(1))],
        "at_mut_0_of_list_1_returns_1",
        &["let mut list = List::of([1]);", "let at_mut = &mut list[0];", "assert_eq!(*at_mut, 1);"],
    );
}

#[test]
fn assertions_suit_the_type() {
    let one = |call: &str, claim: Claim| {
        let program = format!("list = mine::List::of(1)\nfound = mine::List::{call}");
        written(&case(&program, &[("found", claim)])).lines.pop().expect("there is an assertion")
    };
    let ok = |value: Value| Claim::Value(Value::Result(Ok(Box::new(value))));
    let err = |value: Value| Claim::Value(Value::Result(Err(Box::new(value))));
    let table = [
        (one("contains(list, 1)", is(true)), "assert!(list.contains(&1));"),
        (one("contains(list, 1)", is(false)), "assert!(!list.contains(&1));"),
        (one("first(list)", some(-1)), "assert_eq!(list.first(), Some(&-1));"),
        (one("first(list)", Claim::Value(Value::Option(None))), "assert_eq!(list.first(), None);"),
        (one("try_push(list, 1)", ok(Value::Unit)), "assert_eq!(list.try_push(1), Ok(()));"),
        (one("try_push(list, 1)", err(Value::Int(1))), "assert_eq!(list.try_push(1), Err(1));"),
        (one("force_push(list, 1)", ok(Value::Unit)), "assert!(matches!(list.force_push(1), Ok(())));"),
        (
            written(&case(
                "found = mine::shout(\"a\")",
                &[("found", Claim::Value(Value::Str("A".repeat(64), 64)))],
            ))
            .lines
            .remove(0),
            "assert_eq!(shout(\"a\"), \"A\".repeat(64));",
        ),
        (one("mean(list)", Claim::Value(Value::F64(f64::NAN))), "assert!(list.mean().is_nan());"),
        (one("mean(list)", Claim::Value(Value::F64(0.1))), "assert_eq!(list.mean(), 0.1);"),
        (
            one("mean(list)", Claim::Value(Value::F64(-0.0))),
            "assert_eq!(list.mean().to_bits(), (-0.0f64).to_bits());",
        ),
        (
            written(&case("found = mine::time(\"a\")", &[("found", Claim::Value(Value::SinceEpoch(5, 0)))]))
                .lines
                .remove(0),
            "assert_eq!(time(\"a\"), SystemTime::UNIX_EPOCH + Duration::from_secs(5));",
        ),
        (
            written(&case(
                "found = mine::maybe_time(\"a\")",
                &[("found", Claim::Value(Value::Option(Some(Box::new(Value::BeforeEpoch(1, 2))))))],
            ))
            .lines
            .remove(0),
            "assert_eq!(maybe_time(\"a\"), Some(SystemTime::UNIX_EPOCH - Duration::new(1, 2)));",
        ),
        (one("to_vec(list)", Claim::Value(Value::List(Vec::new(), 0))), "assert!(list.to_vec().is_empty());"),
        (
            one("to_vec(list)", Claim::Value(Value::List(vec![Value::Int(1)], 1))),
            "assert_eq!(list.to_vec(), [1]);",
        ),
        (
            one("to_vec(list)", Claim::Value(Value::List(vec![Value::Int(1)], 99))),
            "assert_eq!(list.to_vec().len(), 99);",
        ),
        (
            one("compare(list, list)", Claim::Value(Value::Ordering(Ordering::Less))),
            "assert_eq!(list.compare(&list), Ordering::Less);",
        ),
    ];
    for (found, expected) in table {
        assert_eq!(found, expected);
    }
}

#[test]
fn comparisons_are_negated_where_that_means_the_same() {
    let two = "a = mine::List::of(1)\nb = mine::List::of(2)\n";
    let last = |call: &str| {
        let program = format!("{two}found = {call}");
        written(&case(&program, &[("found", is(false))])).lines.split_off(2)
    };
    assert_eq!(last("<mine::List as PartialEq>::eq(a, b)"), ["assert!(list != list2);"]);
    assert_eq!(last("<mine::List as PartialOrd>::lt(a, b)"), ["let lt = list < list2;", "assert!(!lt);"]);
}

#[test]
fn where_a_crate_has_written_ne_no_sign_takes_the_place_of_the_other() {
    let table = "
        type bool: copy eq debug
        type mine::Tag: eq
        fn mine::Tag::new() -> mine::Tag => Tag::new()
        fn <mine::Tag as PartialEq>::eq(self: &mine::Tag; other: &mine::Tag) -> bool => $0 == $1
        fn <mine::Tag as PartialEq>::ne(self: &mine::Tag; other: &mine::Tag) -> bool => $0 != $1
        ";
    let api = sketch::api(table).expect("the table is well-formed");
    for (method, sign) in [("eq", "=="), ("ne", "!=")] {
        let text = format!(
            "a = mine::Tag::new()\nb = mine::Tag::new()\nfound = <mine::Tag as PartialEq>::{method}(a, b)"
        );
        let sketched = sketch::program(&api, &text).expect("it is well-formed");
        let slot = sketched.slot("found").expect("it has this name");
        let checks = vec![Check { after: None, slot, claim: is(false) }];
        let case = Case::new(sketched.program.clone(), Ending::Returns, checks, Vec::new());
        let lines = test(&api, &case, &KillWords::default(), Spelling::Natural)
            .expect("it can be written")
            .lines
            .split_off(2);
        assert_eq!(lines, [format!("let flag = tag {sign} tag2;"), "assert!(!flag);".to_owned()]);
    }
}

#[test]
fn objects_are_compared_with_each_other() {
    let program = "a = mine::List::of(1)\nb = mine::List::of(2)";
    let b = sketch::program(&api(), program).expect("it is well-formed").slot("b").expect("it has this name");
    let of = |claim: Claim| written(&case(program, &[("a", claim)])).lines.pop();
    let table = [
        (Claim::Equal(b, true), "assert_eq!(list, list2);"),
        (Claim::Equal(b, false), "assert_ne!(list, list2);"),
        (
            Claim::Order(b, Some(Ordering::Less)),
            "assert_eq!(list.partial_cmp(&list2), Some(Ordering::Less));",
        ),
        (
            Claim::Order(b, Some(Ordering::Equal)),
            "assert_eq!(list.partial_cmp(&list2), Some(Ordering::Equal));",
        ),
        (Claim::Display("[1]".to_owned()), "assert_eq!(list.to_string(), \"[1]\");"),
    ];
    for (claim, expected) in table {
        assert_eq!(of(claim).as_deref(), Some(expected));
    }
    let program = "a = mine::Wrapper<i32>::empty()\nb = mine::Wrapper<i32>::empty()";
    let b = sketch::program(&api(), program).expect("it is well-formed").slot("b").expect("it has this name");
    let less = Claim::Order(b, Some(Ordering::Less));
    let lines = written(&case(program, &[("a", less)])).lines;
    assert_eq!(
        lines.last().map(String::as_str),
        Some("assert!(wrapper < wrapper2);"),
        "it has no `lt` of its own"
    );
}

#[test]
fn what_has_parts_that_do_not_show_has_an_outline() {
    let opaque = || Box::new(Value::Opaque);
    let read =
        |value| written(&case("found = mine::List::read(\"x\")", &[("found", Claim::Value(value))])).lines;
    assert_eq!(read(Value::Result(Ok(opaque()))), ["assert!(List::read(\"x\").is_ok());"]);
    assert_eq!(read(Value::Result(Err(opaque()))), ["assert!(List::read(\"x\").is_err());"]);
    let split = |length| {
        let program = "list = mine::List::of(1)\nfound = mine::List::split(list)";
        written(&case(program, &[("found", Claim::Value(Value::List(Vec::new(), length)))])).lines.pop()
    };
    assert_eq!(split(3).as_deref(), Some("assert_eq!(list.split().len(), 3);"));
    assert_eq!(split(0).as_deref(), Some("assert!(list.split().is_empty());"));
}

#[test]
fn what_cannot_be_compared_is_not_writable() {
    let writable = |program: &str, name: &str, claim: Claim| {
        let case = case(program, &[(name, claim)]);
        is_writable(&api(), &case.program, &case.checks[0])
    };
    let push = "list = mine::List::new()\nfound = mine::List::force_push(list, 1)";
    assert!(writable(push, "found", Claim::Value(Value::Result(Ok(Box::new(Value::Unit))))));
    assert!(!writable(push, "found", Claim::Value(Value::Result(Err(Box::new(Value::Int(1)))))));
    assert!(!writable(push, "list", int(1)));
    assert!(!writable(push, "list", Claim::Debug("Guard(0x_)".to_owned())));
}

#[test]
fn panics_are_expected_with_the_stable_part_of_their_message() {
    let of = |message: &str| {
        let mut case = case("list = mine::List::new()\nmine::List::at(list, 3)", &[]);
        case.ending = Ending::Panics { message: message.to_owned() };
        let text = test(&api(), &case, &killing(&["`<` in `List::at` becomes `<=`"]), Spelling::Natural)
            .expect("it can be written");
        text.item(&text.names[0], &[])
    };
    assert_eq!(
        of("index out of bounds"),
        "// Fails if `<` in `List::at` becomes `<=`.\n#[test]\n#[should_panic(expected = \"index out of bounds\")]\n\
         fn at_3_on_new_list_panics() {\n    let list = List::new();\n    let _ = &list[3];\n}\n"
    );
    assert!(of("").contains("#[should_panic]\n"));
    assert!(of("assertion failed: (match (&(a)) { _ => a })").contains("(expected = \"assertion failed\")"));
    assert!(of("at 0x7fff00001111: no").contains("(expected = \"at\")"));
    assert!(of(&"word ".repeat(20)).contains("word word\")]"), "it is cut between words");
}

#[test]
fn one_kill_is_told_and_the_others_are_counted() {
    let comment = |kills: &[&str]| {
        let kills = killing(kills);
        let case = case("list = mine::List::new()\nlen = mine::List::len(list)", &[("len", int(0))]);
        test(&api(), &case, &kills, Spelling::Natural).expect("it can be written").comment
    };
    let long = "`".to_owned() + &"a".repeat(70) + "` in `f` becomes `b`";
    let table: [(&[&str], &str); 5] = [
        (&[], ""),
        (&["`+` in `sum` becomes `-`"], "Fails if `+` in `sum` becomes `-`."),
        (&["`f` does nothing", "b"], "Fails if `f` does nothing; 1 other defect is in the report."),
        (&["a", "b", "c"], "Fails if a; 2 other defects are in the report."),
        (&[&long, "b", "c"], "Fails if b; 2 other defects are in the report."),
    ];
    for (kills, expected) in table {
        assert_eq!(comment(kills), expected);
    }
}

fn len_test() -> TestText {
    written(&case("list = mine::List::new()\nlen = mine::List::len(list)", &[("len", int(0))]))
}

fn parse_test(given: &str) -> TestText {
    let claim = Claim::Value(Value::Result(Err(Box::new(Value::Int(1)))));
    written(&case(&format!("found = mine::parse(\"{given}\")"), &[("found", claim)]))
}

#[test]
fn a_module_has_a_header_its_imports_and_its_tests() {
    let found = module(None, &[len_test(), parse_test("0x"), parse_test("0x"), parse_test("0-x")], 2021);
    let expected = [
        HEADER,
        "",
        "use mine::{parse, List};",
        "",
        "#[test]",
        "fn len_on_new_list_returns_0() {",
        "    let list = List::new();",
        "    assert_eq!(list.len(), 0);",
        "}",
        "",
        "#[test]",
        "fn parse_rejects_0x() {",
        "    assert_eq!(parse(\"0x\"), Err(1));",
        "}",
        "",
        "#[test]",
        "fn parse_rejects_0_x() {",
        "    assert_eq!(parse(\"0-x\"), Err(1));",
        "}",
    ];
    assert_eq!(found.text.lines().collect::<Vec<_>>(), expected);
    let names = ["len_on_new_list_returns_0", "parse_rejects_0x", "", "parse_rejects_0_x"];
    assert_eq!(found.names.iter().map(|name| name.as_deref().unwrap_or("")).collect::<Vec<_>>(), names);
}

#[test]
fn what_is_in_a_file_stays_and_nothing_is_added_twice() {
    let edited = format!(
        "{HEADER}\n\nuse mine::List; // why\n\n/// Mine.\nfn helper() -> List {{\n    List::new()\n}}\n\n// A remark.\n\
         #[test]\nfn my_len() {{\n    // Comments make no difference.\n    let list = List::new();\n    assert_eq!(list.len(), 0,);\n}}\n\n// The end.\n"
    );
    let existing = Existing::read(&edited).expect("it is ours");
    assert_eq!(existing.tests().map(|(name, _)| name).collect::<Vec<_>>(), ["my_len"]);
    let found = module(Some(&existing), &[len_test()], 2021);
    assert_eq!((found.text.as_str(), found.names.as_slice()), (edited.as_str(), &[None][..]));
    let found = module(Some(&existing), &[parse_test("0x")], 2021).text;
    assert!(found.contains("use mine::{parse, List}; // why\n"), "{found}");
    assert!(
        found.contains("/// Mine.\nfn helper()") && found.contains("// A remark.\n#[test]\nfn my_len()"),
        "{found}"
    );
    assert!(found.contains("// The end.\n\n#[test]\nfn parse_rejects_0x() {\n"), "{found}");
    let again = Existing::read(&found).expect("it is ours");
    assert_eq!(module(Some(&again), &[parse_test("0x"), len_test()], 2021).text, found);
    let without = again.without(&["my_len".to_owned()].into());
    assert!(!without.text().contains("A remark"), "{}", without.text());
    assert_eq!(without.tests().map(|(name, _)| name).collect::<Vec<_>>(), ["parse_rejects_0x"]);
}

#[test]
fn names_do_not_clash_with_what_is_there() {
    let edited =
        format!("{HEADER}\n\nuse other::len_on_new_list_returns_0;\n\n#[test]\nfn len_returns_0() {{}}\n");
    let existing = Existing::read(&edited).expect("it is ours");
    let found = module(Some(&existing), &[len_test()], 2021);
    assert_eq!(found.names, [Some("len_on_new_list_returns_0_2".to_owned())]);
}

#[test]
fn a_finding_is_a_test_that_is_ignored_and_would_fail() {
    let api = api();
    let program = sketch::program(&api, "list = mine::List::new()\nmine::List::at(list, 3)")
        .expect("it is well-formed");
    let shown =
        finding(&api, &program.program, "panics at lib.rs:2: no item".to_owned(), "a \"bug\"".to_owned());
    let text = module(None, &[shown.expect("it can be written")], 2021).text;
    let expected = "use mine::List;\n\n// panics at lib.rs:2: no item\n#[test]\n#[ignore = \"a \\\"bug\\\"\"]\n\
        fn at_3_on_new_list_panics() {\n    let list = List::new();\n    let _ = &list[3];\n}\n";
    assert_eq!(text, format!("{HEADER}\n\n{expected}"));
    let existing = Existing::read(&text).expect("it is ours");
    let again = finding(&api, &program.program, String::new(), String::new()).expect("it can be written");
    assert!(existing.has_body(&again.body()));
}

#[test]
fn files_of_others_are_not_read() {
    assert_eq!(Existing::read("fn f() {}").err(), Some(Unreadable::Foreign));
    let broken = Existing::read(&format!("{HEADER}\nfn f( {{}}\n")).err();
    assert!(matches!(broken, Some(Unreadable::Syntax { line: 2, .. })), "{broken:?}");
}

#[test]
fn modules_are_called_like_their_units() {
    let names = |units: &[&str], edition| {
        let units: Vec<String> = units.iter().map(|unit| (*unit).to_owned()).collect();
        module_names(&units, &["findings"], "slab", edition)
    };
    assert_eq!(names(&["slab::Slab", "slab"], 2021), ["slab_slab", "slab"]);
    assert_eq!(names(&["map::IndexMap", "set::IndexMap"], 2021), ["map_index_map", "set_index_map"]);
    assert_eq!(names(&["a::Box", "HTTPServer<T>"], 2021), ["box_tests", "http_server"]);
    assert_eq!(names(&["Slab"], 2015), ["slab_tests"]);
    assert_eq!(names(&["a::Findings"], 2021), ["findings_tests"]);
}

#[test]
fn main_has_a_line_for_each_module() {
    let modules = ["b".to_owned(), "a".to_owned()];
    let text = "use my_crate::List;\nuse std::rc::Rc;\nfn f() { vec![1]; }\n";
    let new = main_file(None, &modules, [text], "my-crate", 2015);
    assert!(new.starts_with(&format!("{HEADER}\n\n// The tests call")), "{new}");
    assert!(new.contains("#![allow(clippy::useless_vec)]\n"), "{new}");
    let more = main_file(Some(&new), &modules, ["fn g() { a.clone(); }\n"], "my-crate", 2015);
    assert!(more.contains("#![allow(clippy::useless_vec)]\n#![allow(clippy::clone_on_copy)]\n"), "{more}");
    assert!(!main_file(None, &modules, ["fn g() {}\n"], "my-crate", 2021).contains("allow"));
    assert!(new.ends_with("]\n\nextern crate my_crate;\n\nmod a;\nmod b;\n"), "{new}");
    assert_eq!(main_file(Some(&new), &modules, [], "my-crate", 2015), new);
    let other = main_file(Some(&new), &modules, ["use hashbrown::HashMap;\n"], "my-crate", 2015);
    assert!(other.contains("extern crate hashbrown;\nextern crate my_crate;\n"), "{other}");
    let edited = format!("{HEADER}\n\nmod a;\n\nfn helper() {{}}\n");
    assert_eq!(
        main_file(Some(&edited), &modules, ["use other::HashMap;\n"], "x", 2021),
        format!("{HEADER}\n\nmod a;\nmod b;\n\nfn helper() {{}}\n")
    );
}

#[test]
fn a_type_is_written_on_the_line_that_the_compiler_did_not_understand() {
    let case = case(
        "a = mine::Wrapper<i32>::empty()\nlist = mine::List::of(1)\nlen = mine::List::len(list)",
        &[("len", int(1))],
    );
    let natural = written(&case);
    let shown = BTreeSet::from(["let list = List::of([1]);".to_owned()]);
    let slots = Spelling::Partly(BTreeSet::from([testsmith_ir::Slot(1), testsmith_ir::Slot(2)]));
    assert_eq!(natural.more_explicit(&shown), [slots.clone(), Spelling::Explicit]);
    let with = |spelling| test(&api(), &case, &KillWords::default(), spelling).expect("it can be written");
    let partly = with(slots);
    assert_eq!(partly.lines[1..], ["let list: mine::List = List::of([1i32]);", "assert_eq!(list.len(), 1);"]);
    // The same line again says nothing new, and after everything there is nothing.
    let shown = BTreeSet::from([partly.lines[1].clone()]);
    assert_eq!(partly.more_explicit(&shown), [Spelling::Explicit]);
    assert_eq!(with(Spelling::Explicit).more_explicit(&shown), []);
}

#[test]
fn what_is_text_is_read_as_text() {
    let shout = |text: &str| {
        let claim = Claim::Value(Value::Str(text.to_owned(), text.len() as u64));
        written(&case("found = mine::shout(\"a\")", &[("found", claim)])).lines.remove(0)
    };
    assert_eq!(shout("one line\ntwo\n"), "assert_eq!(shout(\"a\"), \"one line\\ntwo\\n\");");
    assert_eq!(
        shout("one line\ntwo\n\nfour"),
        "assert_eq!(shout(\"a\"), concat!(\"one line\\n\", \"two\\n\", \"\\n\", \"four\"));"
    );
    let print = |bytes: &[u8]| {
        let values = bytes.iter().map(|byte| Value::Int(i128::from(*byte))).collect();
        let claim = Claim::Value(Value::List(values, bytes.len() as u64));
        written(&case("found = mine::print(\"a\")", &[("found", claim)])).lines.remove(0)
    };
    assert_eq!(print(b"plain text"), "assert_eq!(print(\"a\"), b\"plain text\");");
    assert_eq!(
        print("gr\u{fc}ner Text".as_bytes()),
        "assert_eq!(std::str::from_utf8(&print(\"a\")), Ok(\"gr\u{fc}ner Text\"));"
    );
    assert_eq!(print(&[1, 2, 3]), "assert_eq!(print(\"a\"), [1, 2, 3]);");
}

#[test]
fn what_nobody_uses_is_said_in_passing_or_opened() {
    let program = "list = mine::List::of(1)\npush = mine::List::try_push(list, 2)\nforce = mine::List::force_push(list, 3)\n\
                   len = mine::List::len(list)";
    let mut whole =
        case(program, &[("push", Claim::Debug("Ok(())".to_owned())), ("force", ok()), ("len", int(3))]);
    whole.passing = whole.checks.drain(..2).collect();
    assert_eq!(
        written(&whole).lines,
        [
            "let mut list = List::of([1]);",
            "assert_eq!(list.try_push(2), Ok(()));",
            "assert!(matches!(list.force_push(3), Ok(())));",
            "assert_eq!(list.len(), 3);",
        ]
    );
}

fn ok() -> Claim {
    Claim::Value(Value::Result(Ok(Box::new(Value::Unit))))
}
