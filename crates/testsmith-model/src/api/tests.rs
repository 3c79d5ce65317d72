//! Documents of a few items in, callables out.

use serde_json::{Value, json};
use testsmith_ir::Visibility;

use super::{Model, Origin, Reach};

/// A document: its version, the items of its root by id, and the paths of what others define.
fn document(format: u64, items: &[(&str, Value)], paths: &[(&str, &[&str])]) -> String {
    let mut index = serde_json::Map::new();
    let public: Vec<&str> =
        items.iter().filter(|(_, item)| item["in_root"] != false).map(|(id, _)| *id).collect();
    let root = json!({ "id": "0", "crate_id": 0, "name": "sample", "visibility": "public", "docs": null,
        "attrs": [], "deprecation": null, "inner": { "module": { "items": public } } });
    index.insert("0".to_owned(), root);
    for (id, item) in items {
        let mut item = item.clone();
        item["id"] = json!(id);
        item["crate_id"] = json!(0);
        index.insert((*id).to_owned(), item);
    }
    let paths: serde_json::Map<String, Value> =
        paths.iter().map(|(id, path)| ((*id).to_owned(), json!({ "path": path }))).collect();
    json!({ "root": "0", "format_version": format, "index": index, "paths": paths }).to_string()
}

fn item(name: &str, inner: Value) -> Value {
    json!({ "name": name, "visibility": "public", "docs": null, "attrs": [], "deprecation": null, "inner": inner })
}

/// In the document, but not in its root.
fn inside(name: &str, inner: Value) -> Value {
    let mut item = item(name, inner);
    item["in_root"] = json!(false);
    item
}

fn function(inputs: &[(&str, Value)], output: Value) -> Value {
    json!({ "function": { "sig": { "inputs": inputs, "output": output }, "generics": generics(),
        "header": { "is_unsafe": false, "is_async": false }, "has_body": true } })
}

fn generics() -> Value {
    json!({ "params": [], "where_predicates": [] })
}

fn primitive(name: &str) -> Value {
    json!({ "primitive": name })
}

fn path(id: &str, name: &str) -> Value {
    json!({ "resolved_path": { "path": name, "id": id, "args": null } })
}

fn read(text: &str) -> Model {
    Model::read(text, &[], Reach::Public).expect("it is a document")
}

/// The code of the callables of all origins.
fn code(model: &Model) -> Vec<&str> {
    let callables = model.origins.iter().flat_map(|origin: &Origin| &origin.callables);
    callables.map(|at| model.api.callables[*at].code.as_str()).collect()
}

#[test]
fn a_newer_format_is_read_as_far_as_it_is_known() {
    let mut f = item("f", function(&[("x", primitive("u8"))], primitive("u8")));
    f["colour"] = json!("green");
    let new = item("n", json!({ "hologram": { "items": [] } }));
    let model = read(&document(9999, &[("1", f), ("2", new)], &[]));
    assert_eq!((model.format, code(&model)), (9999, vec!["::sample::f($0)"]));
}

#[test]
fn an_older_format_has_other_names() {
    let f = json!({ "function": {
        "decl": { "inputs": [["x", primitive("u8")]], "output": primitive("u8"), "c_variadic": false },
        "generics": generics(), "header": { "const": false, "unsafe": false, "async": false } } });
    let again = json!({ "import": { "source": "hidden::f", "name": "g", "id": "1", "glob": false } });
    let model = read(&document(23, &[("1", inside("f", f)), ("2", item("", again))], &[]));
    assert_eq!((model.format, code(&model)), (23, vec!["::sample::g($0)"]));
}

#[test]
fn a_document_that_cannot_be_read_is_named_with_its_version() {
    let cases = [
        ("{", "rustdoc's JSON cannot be read: it is no JSON"),
        (
            r#"{"format_version":12345}"#,
            "rustdoc's JSON of format version 12345 cannot be read: there is no `index`",
        ),
        (
            r#"{"format_version":12345,"index":{},"paths":{},"root":1}"#,
            "rustdoc's JSON of format version 12345 cannot be read: there is no `module at the root`",
        ),
    ];
    for (text, expected) in cases {
        let error = Model::read(text, &[], Reach::Public).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_dependency_says_where_its_type_is_named_and_how_it_is_made() {
    let tool = |id: &str| path(id, "Tool");
    let f = item("f", function(&[("tool", tool("7"))], Value::Null));
    let text = document(57, &[("1", f)], &[("7", &["dep", "private", "Tool"])]);
    assert_eq!(super::mentioned_crates(&text).unwrap(), ["dep".to_owned()].into());
    let structure = json!({ "struct": { "kind": { "plain": { "fields": [], "has_stripped_fields": true } },
        "generics": generics(), "impls": ["4"] } });
    let imp = json!({ "impl": { "generics": generics(), "trait": null, "for": tool("2"), "items": ["5"],
        "provided_trait_methods": [], "is_negative": false, "is_synthetic": false, "blanket_impl": null } });
    let again = json!({ "use": { "source": "private::Tool", "name": "Tool", "id": "2", "is_glob": false } });
    let new = function(&[("size", primitive("u8"))], json!({ "generic": "Self" }));
    let dependency = document(
        57,
        &[
            ("2", inside("Tool", structure)),
            ("3", item("", again)),
            ("4", inside("", imp)),
            ("5", inside("new", new)),
        ],
        &[("2", &["dep", "private", "Tool"])],
    );
    let model = Model::read(&text, &[("dep".to_owned(), dependency)], Reach::Public).unwrap();
    let texts: Vec<_> = model.api.types.iter().map(|ty| ty.text.as_str()).collect();
    assert!(texts.contains(&"::dep::Tool"), "{texts:?}");
    let made = "{ let made: ::dep::Tool = <::dep::Tool>::new($0); made }";
    assert!(model.api.callables.iter().any(|callable| callable.code == made));
}

#[test]
fn a_trait_without_an_implementor_gets_a_mock() {
    let receiver =
        json!({ "borrowed_ref": { "lifetime": null, "is_mutable": false, "type": { "generic": "Self" } } });
    let mut size = function(&[("self", receiver)], primitive("u8"));
    size["function"]["has_body"] = json!(false);
    let sized =
        json!({ "trait": { "items": ["2"], "generics": generics(), "bounds": [], "is_unsafe": false } });
    let bound = json!({ "trait_bound": { "trait": { "path": "Sized", "id": "1", "args": null }, "modifier": "none" } });
    let f = function(&[("of", json!({ "impl_trait": [bound] }))], Value::Null);
    let model = read(&document(
        57,
        &[("1", item("Size", sized)), ("2", inside("size", size)), ("3", item("f", f))],
        &[],
    ));
    let constant = "::sample::f({ #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] \
                    struct Mock; impl ::sample::Size for Mock { fn size(self: &Self) -> u8 { 7 } } Mock })";
    let counting = "::sample::f({ #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)] \
                    struct Mock { calls: ::std::cell::Cell<u32> } impl ::sample::Size for Mock { \
                    fn size(self: &Self) -> u8 { self.calls.set(self.calls.get() + 1); \
                    if self.calls.get() % 2 == 1 { 7 } else { 0 } } } Mock::default() })";
    assert_eq!(code(&model), [constant, counting]);
}

#[test]
fn a_parameter_that_lives_for_ever_gets_constants() {
    let text =
        json!({ "borrowed_ref": { "lifetime": "'static", "is_mutable": false, "type": primitive("str") } });
    let model = read(&document(57, &[("1", item("f", function(&[("name", text)], Value::Null)))], &[]));
    // Literals do, and nothing that borrows.
    let f = &model.api.callables[model.origins[0].callables[0]];
    assert_eq!((f.code.as_str(), f.flows.as_slice()), ("::sample::f($0)", &[super::flows::for_ever(0)][..]));
    let number =
        json!({ "borrowed_ref": { "lifetime": "'static", "is_mutable": false, "type": primitive("u8") } });
    let model = read(&document(57, &[("1", item("f", function(&[("n", number)], Value::Null)))], &[]));
    assert_eq!(code(&model), ["::sample::f(&7)"]);
}

#[test]
fn what_is_made_from_something_that_lives_for_ever_gets_such() {
    let of = |arg: Value| json!({ "angle_bracketed": { "args": [{ "type": arg }], "constraints": [] } });
    let kept = |lifetime: Value| {
        let text = json!({ "borrowed_ref": { "lifetime": lifetime, "is_mutable": false, "type": primitive("str") } });
        let imp = json!({ "impl": { "generics": generics(),
            "trait": { "path": "From", "id": "From", "args": of(text) }, "for": path("1", "Keys"), "items": [],
            "provided_trait_methods": [], "is_negative": false, "is_synthetic": false, "blanket_impl": null } });
        let keys = json!({ "struct": { "kind": { "plain": { "fields": [], "has_stripped_fields": true } },
            "generics": generics(), "impls": ["2"] } });
        let into = json!([{ "trait_bound": { "trait": { "path": "Into", "id": "Into",
            "args": of(path("1", "Keys")) }, "modifier": "none" } }]);
        let f = function(&[("keys", json!({ "impl_trait": into }))], Value::Null);
        let items = [("1", inside("Keys", keys)), ("2", inside("", imp)), ("3", item("f", f))];
        let standard: [(&str, &[&str]); 2] =
            [("From", &["core", "convert", "From"]), ("Into", &["core", "convert", "Into"])];
        let model = read(&document(57, &items, &standard));
        let f = model.api.callables.iter().find(|callable| callable.path.starts_with("sample::f"));
        f.map(|f| f.flows.clone())
    };
    assert_eq!(kept(json!("'static")), Some(vec![super::flows::for_ever(0)]));
    assert_eq!(kept(Value::Null), Some(Vec::new()));
}

#[test]
fn what_stands_for_a_parameter_that_lasts_lives_for_ever() {
    let of_text = json!({ "angle_bracketed": { "args": [{ "type": primitive("str") }], "constraints": [] } });
    let as_ref = json!({ "trait_bound": { "trait": { "path": "AsRef", "id": "AsRef", "args": of_text }, "modifier": "none" } });
    let flows = |bounds: Value| {
        let param = json!({ "name": "T", "kind": { "type": { "bounds": bounds, "default": null, "is_synthetic": false } } });
        let mut f = function(&[("text", json!({ "generic": "T" }))], Value::Null);
        f["function"]["generics"] = json!({ "params": [param], "where_predicates": [] });
        let standard: [(&str, &[&str]); 1] = [("AsRef", &["core", "convert", "AsRef"])];
        let model = read(&document(57, &[("1", item("f", f))], &standard));
        let of_text = |callable: &&testsmith_ir::Callable| callable.path.contains("&'static str");
        model.api.callables.iter().find(of_text).map(|f| f.flows.clone())
    };
    assert_eq!(
        flows(json!([as_ref.clone(), { "outlives": "'static" }])),
        Some(vec![super::flows::for_ever(0)])
    );
    assert_eq!(flows(json!([as_ref])), Some(Vec::new()));
}

#[test]
fn items_of_an_iterator_have_the_bounds_of_their_parameter() {
    let bound = |name: &str, args: Value| json!({ "trait_bound": { "trait": { "path": name, "id": name, "args": args }, "modifier": "none" } });
    let binding = json!({ "angle_bracketed": { "args": [], "constraints": [
        { "name": "Item", "args": null, "binding": { "equality": { "type": { "generic": "B" } } } }] } });
    let text = json!({ "angle_bracketed": { "args": [{ "type": primitive("str") }], "constraints": [] } });
    let param = |name: &str, bound: Value| json!({ "name": name, "kind": { "type": { "bounds": [bound], "default": null, "is_synthetic": false } } });
    let mut f = function(&[("parts", json!({ "generic": "I" }))], Value::Null);
    f["function"]["generics"]["params"] =
        json!([param("I", bound("Iterator", binding)), param("B", bound("AsRef", text))]);
    let standard: [(&str, &[&str]); 2] = [
        ("Iterator", &["core", "iter", "traits", "iterator", "Iterator"]),
        ("AsRef", &["core", "convert", "AsRef"]),
    ];
    let model = read(&document(57, &[("1", item("f", f))], &standard));
    let expected = [
        "::sample::f::<::std::vec::IntoIter<&'static str>, &'static str>($0)",
        "::sample::f::<::std::iter::Filter<::std::vec::IntoIter<::std::string::String>, fn(&::std::string::String) -> bool>, ::std::string::String>($0)",
    ];
    assert_eq!(code(&model), expected);
}

/// A type parameter with bounds.
fn param(name: &str, bounds: &Value) -> Value {
    json!({ "name": name, "kind": { "type": { "bounds": bounds, "default": null, "is_synthetic": false } } })
}

/// A bound: a trait, by its name, with `Item` fixed to a type.
fn of_items(name: &str, item: Value) -> Value {
    let constraint = json!({ "name": "Item", "args": null, "binding": { "equality": { "type": item } } });
    json!([{ "trait_bound": { "trait": { "path": name, "id": name,
        "args": { "angle_bracketed": { "args": [], "constraints": [constraint] } } }, "modifier": "none" } }])
}

#[test]
fn a_type_agrees_with_what_a_bound_fixes() {
    let implementation = |generics: Value, of: Value, item: &str| {
        json!({ "impl": { "generics": generics, "trait": { "path": "Array", "id": "Array", "args": null },
            "for": of, "items": [item], "provided_trait_methods": [], "is_negative": false,
            "is_synthetic": false, "blanket_impl": null } })
    };
    let is = |ty: Value| {
        inside("Item", json!({ "assoc_type": { "generics": generics(), "bounds": [], "type": ty } }))
    };
    let generic = json!({ "generic": "T" });
    let of_any = json!({ "params": [param("T", &json!([]))], "where_predicates": [] });
    let array = json!({ "array": { "type": generic, "len": "4" } });
    let array_trait =
        json!({ "trait": { "items": [], "generics": generics(), "bounds": [], "is_unsafe": false } });
    let dependency = document(
        57,
        &[
            ("Array", item("Array", array_trait)),
            ("2", inside("", implementation(of_any, array, "3"))),
            ("3", is(generic)),
            ("4", inside("", implementation(generics(), primitive("u64"), "5"))),
            ("5", is(json!({ "generic": "Self" }))),
        ],
        &[("Array", &["dep", "Array"])],
    );
    for (item_type, expected) in [("u8", "[u8; 4]"), ("char", "[char; 4]"), ("u64", "u64")] {
        let mut f = function(&[("array", json!({ "generic": "A" }))], Value::Null);
        f["function"]["generics"]["params"] = json!([param("A", &of_items("Array", primitive(item_type)))]);
        let text = document(57, &[("1", item("f", f))], &[("Array", &["dep", "Array"])]);
        let model = Model::read(&text, &[("dep".to_owned(), dependency.clone())], Reach::Public).unwrap();
        assert_eq!(code(&model)[0], format!("::sample::f::<{expected}>($0)"));
    }
}

#[test]
fn a_default_that_is_a_private_constant_is_its_value() {
    let parser = |args: Value| json!({ "resolved_path": { "path": "Parser", "id": "1", "args": args } });
    let default = |value: &str| json!({ "name": "N", "kind": { "const": { "type": primitive("usize"), "default": value } } });
    let structure = json!({ "struct": { "kind": { "plain": { "fields": [], "has_stripped_fields": true } },
        "generics": { "params": [default("MAX")], "where_predicates": [] }, "impls": ["3"] } });
    let mut max = inside(
        "MAX",
        json!({ "constant": { "type": primitive("usize"),
            "const": { "expr": "1024", "value": "1_024usize", "is_literal": true } } }),
    );
    max["visibility"] = json!("crate");
    let left_out = || parser(json!({ "angle_bracketed": { "args": [], "constraints": [] } }));
    let imp = json!({ "impl": { "generics": generics(), "trait": null, "for": left_out(), "items": ["4"],
        "provided_trait_methods": [], "is_negative": false, "is_synthetic": false, "blanket_impl": null } });
    let new = inside("new", function(&[], left_out()));
    let items = [("1", item("Parser", structure)), ("2", max), ("3", inside("", imp)), ("4", new)];
    let model = read(&document(57, &items, &[]));
    let new = model.api.callables.iter().find(|callable| callable.path.ends_with("::new"));
    let texts = new.map(|new| (new.code.as_str(), new.shown.as_str()));
    assert_eq!(texts, Some(("<::sample::Parser<1024>>::new()", "Parser::new()")));
}

#[test]
fn what_a_closure_gives_comes_from_what_it_is_given() {
    let number =
        json!({ "borrowed_ref": { "lifetime": null, "is_mutable": false, "type": primitive("u16") } });
    let call =
        json!({ "parenthesized": { "inputs": [primitive("bool"), number], "output": { "generic": "K" } } });
    let bound = json!([{ "trait_bound": { "trait": { "path": "FnMut", "id": "FnMut", "args": call }, "modifier": "none" } }]);
    let mut f = function(&[("key", json!({ "generic": "F" }))], Value::Null);
    f["function"]["generics"]["params"] = json!([param("K", &json!([])), param("F", &bound)]);
    let model =
        read(&document(57, &[("1", item("f", f))], &[("FnMut", &["core", "ops", "function", "FnMut"])]));
    let expected = ["::sample::f::<bool, _>(|value, _| value)", "::sample::f::<u16, _>(|_, value| *value)"];
    assert_eq!(code(&model), expected);
}

#[test]
fn text_is_parsed_by_a_closure() {
    let text = json!({ "borrowed_ref": { "lifetime": null, "is_mutable": false, "type": primitive("str") } });
    let result = |error: &str| {
        json!({ "resolved_path": { "path": "Result", "id": "Result", "args": { "angle_bracketed": {
            "args": [{ "type": path("Ip", "IpAddr") }, { "type": path(error, error) }], "constraints": [] } } } })
    };
    let standard: [(&str, &[&str]); 5] = [
        ("Fn", &["core", "ops", "function", "Fn"]),
        ("Result", &["core", "result", "Result"]),
        ("Ip", &["core", "net", "ip_addr", "IpAddr"]),
        ("Error", &["core", "net", "parser", "AddrParseError"]),
        ("Other", &["core", "num", "ParseIntError"]),
    ];
    let cases: [(&str, &[&str]); 2] = [("Error", &["::sample::f::<_>(|text| text.parse())"]), ("Other", &[])];
    for (error, expected) in cases {
        let call = json!({ "parenthesized": { "inputs": [text], "output": result(error) } });
        let bound = json!([{ "trait_bound": { "trait": { "path": "Fn", "id": "Fn", "args": call }, "modifier": "none" } }]);
        let mut f = function(&[("parse", json!({ "generic": "F" }))], Value::Null);
        f["function"]["generics"]["params"] = json!([param("F", &bound)]);
        assert_eq!(code(&read(&document(57, &[("1", item("f", f))], &standard))), expected);
    }
}

#[test]
fn what_is_announced_to_a_collection_of_the_callers_choice_is_told() {
    let bound = |name: &str| {
        json!({ "trait_bound": { "trait": { "path": name, "id": name, "args": { "angle_bracketed": {
        "args": [{ "type": primitive("char") }], "constraints": [] } } }, "modifier": "none" } })
    };
    let standard: [(&str, &[&str]); 2] = [
        ("FromIterator", &["core", "iter", "traits", "collect", "FromIterator"]),
        ("Extend", &["core", "iter", "traits", "collect", "Extend"]),
    ];
    let told = |bounds: &[&str]| {
        let bounds: Vec<Value> = bounds.iter().map(|name| bound(name)).collect();
        let mut f = function(&[("text", primitive("u8"))], json!({ "generic": "T" }));
        f["function"]["generics"]["params"] = json!([param("T", &json!(bounds))]);
        let model = read(&document(57, &[("1", item("f", f))], &standard));
        let own = model.api.callables.iter().filter(|it| it.path.starts_with("sample::f"));
        own.map(|it| (it.shown.clone(), model.api.types[it.output.0 as usize].text.clone()))
            .collect::<Vec<_>>()
    };
    let collected = ("f::<Vec<char>>($0)".to_owned(), "::std::vec::Vec<char>".to_owned());
    let both = told(&["FromIterator"]);
    assert_eq!(both[0], collected);
    assert!(both[1].0.ends_with("let Lengths(lengths) = f($0); lengths }"), "{both:?}");
    assert_eq!(both[1].1, "::std::vec::Vec<(usize, ::std::option::Option<usize>)>");
    // The collection has one trait.
    assert_eq!(told(&["FromIterator", "Extend"]), [collected]);
}

#[test]
fn what_was_lent_is_there_after_a_closure_has_panicked() {
    let list = json!({ "borrowed_ref": { "lifetime": null, "is_mutable": true, "type": primitive("u16") } });
    let call = |output: Value| json!({ "parenthesized": { "inputs": [primitive("u8")], "output": output } });
    let told = |of: &str, lent: &Value, output: Value| {
        let bound = json!([{ "trait_bound": { "trait": { "path": of, "id": of, "args": call(output) }, "modifier": "none" } }]);
        let mut f = function(&[("list", lent.clone()), ("each", json!({ "generic": "F" }))], Value::Null);
        f["function"]["generics"]["params"] = json!([param("F", &bound)]);
        let path: &[&str] = &["core", "ops", "function", of];
        let model = read(&document(57, &[("1", item("f", f))], &[(of, path)]));
        model
            .api
            .callables
            .iter()
            .map(|it| it.shown.clone())
            .filter(|it| it.contains("catch_unwind"))
            .collect()
    };
    let counting =
        "{ let mut calls = 0; move |_| { calls += 1; if calls == 3 { panic!(\"stop\") } calls % 2 == 0 } }";
    let at_once = "|_| panic!(\"stop\")";
    let table: [(&str, &Value, &[&str]); 4] = [
        ("FnMut", &list, &[at_once, counting]),
        ("FnOnce", &list, &[at_once]),
        ("Fn", &list, &[at_once]),
        ("FnMut", &primitive("u16"), &[]),
    ];
    for (of, lent, closures) in table {
        let caught = |it: &&str| format!("catch_unwind(AssertUnwindSafe(|| f($0, {it}))).is_err()");
        let expected: Vec<String> = closures.iter().map(caught).collect();
        let told: Vec<String> = told(of, lent, primitive("bool"));
        assert_eq!(told, expected, "{of}");
    }
}

#[test]
fn a_type_that_no_argument_says_is_written() {
    let result = json!({ "resolved_path": { "path": "Result", "id": "Result", "args": { "angle_bracketed": {
        "args": [{ "type": primitive("u16") }, { "type": { "generic": "E" } }], "constraints": [] } } } });
    let call = json!({ "parenthesized": { "inputs": [], "output": result } });
    let bound = json!([{ "trait_bound": { "trait": { "path": "FnOnce", "id": "FnOnce", "args": call }, "modifier": "none" } }]);
    let lent = json!({ "borrowed_ref": { "lifetime": null, "is_mutable": true, "type": primitive("u16") } });
    let standard: [(&str, &[&str]); 2] =
        [("FnOnce", &["core", "ops", "function", "FnOnce"]), ("Result", &["core", "result", "Result"])];
    let shown = |inputs: &[(&str, Value)]| {
        let mut f = function(inputs, Value::Null);
        f["function"]["generics"]["params"] = json!([param("F", &bound), param("E", &json!([]))]);
        let model = read(&document(57, &[("1", item("f", f))], &standard));
        let own = model.api.callables.iter().filter(|it| it.path.starts_with("sample::f"));
        let all: Vec<String> = own.map(|it| it.shown.clone()).collect();
        [all.first(), all.last()].map(|it| it.cloned().unwrap_or_default())
    };
    let (closure, error) = (("make", json!({ "generic": "F" })), ("error", json!({ "generic": "E" })));
    let stopped = |call: &str| format!("catch_unwind(AssertUnwindSafe(|| {call})).is_err()");
    let open = shown(&[("list", lent.clone()), closure.clone()]);
    assert_eq!(
        open,
        ["f::<_, i32>($0, || Ok(7))".to_owned(), stopped("f::<_, i32>($0, || panic!(\"stop\"))")]
    );
    let said = shown(&[("list", lent), closure, error]);
    assert_eq!(said, ["f($0, || Ok(7), $1)".to_owned(), stopped("f($0, || panic!(\"stop\"), $1)")]);
}

#[test]
fn a_type_that_only_the_result_could_say_is_written() {
    let shown = |output: Value| {
        let mut f = function(&[("number", primitive("u8"))], output);
        f["function"]["generics"]["params"] = json!([param("T", &json!([]))]);
        let model = read(&document(57, &[("1", item("f", f))], &[]));
        model.api.callables.iter().find(|it| it.path.starts_with("sample::f")).map(|it| it.shown.clone())
    };
    assert_eq!(shown(primitive("u16")).as_deref(), Some("f::<i32>($0)"));
    // The type of the result would say it, where that is written.
    assert_eq!(shown(json!({ "generic": "T" })).as_deref(), Some("f::<i32>($0)"));
}

#[test]
fn a_type_that_a_list_says_is_left_out() {
    let item_is_t = json!({ "angle_bracketed": { "args": [], "constraints": [
        { "name": "Item", "args": null, "binding": { "equality": { "type": { "generic": "T" } } } }] } });
    let lent =
        json!({ "borrowed_ref": { "lifetime": null, "is_mutable": false, "type": { "generic": "L" } } });
    let says = json!({ "bound_predicate": { "type": lent, "generic_params": [], "bounds": [{ "trait_bound": {
        "trait": { "path": "IntoIterator", "id": "IntoIterator", "args": item_is_t }, "generic_params": [],
        "modifier": "none" } }] } });
    let mut f = function(&[("list", lent)], primitive("u16"));
    let params = json!([param("L", &json!([])), param("T", &json!([]))]);
    f["function"]["generics"] = json!({ "params": params, "where_predicates": [says] });
    let standard: [(&str, &[&str]); 1] =
        [("IntoIterator", &["core", "iter", "traits", "collect", "IntoIterator"])];
    let model = read(&document(57, &[("1", item("f", f))], &standard));
    let shown =
        model.api.callables.iter().find(|it| it.path.starts_with("sample::f")).map(|it| it.shown.as_str());
    assert_eq!(shown, Some("f($0)"));
}

#[test]
fn what_does_not_fit_the_stack_of_a_test_is_left_alone() {
    let array = |len: &str| json!({ "array": { "type": primitive("u8"), "len": len } });
    let model = read(&document(57, &[("1", item("f", function(&[], array("8388608"))))], &[]));
    let reasons: Vec<&str> = model.skipped.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(reasons, ["an array that is too large for the stack of a test"]);
    let model = read(&document(57, &[("1", item("f", function(&[], array("64"))))], &[]));
    assert!(model.skipped.is_empty());
}

#[test]
fn a_type_of_the_crate_has_the_same_arguments_everywhere() {
    let of_itself = json!({ "params": [param("T", &json!([]))], "where_predicates": [] });
    let of = |name: &str| {
        json!({ "resolved_path": { "path": "Holder", "id": "1", "args": { "angle_bracketed": {
        "args": [{ "type": { "generic": name } }], "constraints": [] } } } })
    };
    let structure = json!({ "struct": { "kind": { "tuple": [] }, "generics": of_itself, "impls": [] } });
    let other = json!({ "borrowed_ref": { "lifetime": null, "is_mutable": true, "type": of("S2") } });
    let mut f = function(&[("other", other)], Value::Null);
    f["function"]["generics"]["params"] = json!([param("S2", &json!([]))]);
    let model = read(&document(57, &[("1", item("Holder", structure)), ("2", item("append", f))], &[]));
    let appended: Vec<_> = code(&model).into_iter().filter(|code| code.contains("append")).collect();
    assert_eq!(appended, ["::sample::append::<i32>($0)", "::sample::append::<::std::string::String>($0)"]);
}

#[test]
fn docs_and_attributes_are_kept() {
    let mut f = item("f", function(&[], Value::Null));
    f["docs"] = json!("# Panics\n\nAlways.\n\n# Examples\n\n```\nf();\n```");
    f["deprecation"] = json!({ "since": null, "note": null });
    f["attrs"] = json!(["#[cfg(feature = \"loud\")]"]);
    let model = read(&document(57, &[("1", f)], &[]));
    let origin = &model.origins[0];
    assert!(origin.panics.declare_any() && origin.is_deprecated);
    assert_eq!(
        (origin.examples.as_slice(), origin.features.as_slice()),
        (&["f();".to_owned()][..], &["loud".to_owned()][..])
    );
}

/// A generic struct with a constructor, these bounds of its parameter, and an impl of a trait of the standard library.
fn holder(bounds: &Value, of_trait: &str) -> Model {
    let of = json!({ "resolved_path": { "path": "Holder", "id": "1", "args": { "angle_bracketed": {
        "args": [{ "type": { "generic": "T" } }], "constraints": [] } } } });
    let of_itself = json!({ "params": [{ "name": "T", "kind": { "type": {
        "bounds": bounds, "default": null, "is_synthetic": false } } }], "where_predicates": [] });
    let structure = json!({ "struct": { "kind": { "plain": { "fields": [], "has_stripped_fields": true } },
        "generics": of_itself, "impls": ["2", "4"] } });
    let imp = json!({ "impl": { "generics": of_itself, "trait": null, "for": of, "items": ["3"],
        "provided_trait_methods": [], "is_negative": false, "is_synthetic": false, "blanket_impl": null } });
    let mut of_trait_imp = imp.clone();
    of_trait_imp["impl"]["trait"] = json!({ "path": of_trait, "id": of_trait, "args": null });
    of_trait_imp["impl"]["items"] = json!([]);
    let new = function(&[("value", json!({ "generic": "T" }))], json!({ "generic": "Self" }));
    read(&document(
        57,
        &[
            ("1", item("Holder", structure)),
            ("2", inside("", imp)),
            ("3", inside("new", new)),
            ("4", inside("", of_trait_imp)),
        ],
        &[
            ("Copy", &["core", "marker", "Copy"]),
            ("Drop", &["core", "ops", "drop", "Drop"]),
            ("Unpin", &["core", "marker", "Unpin"]),
        ],
    ))
}

/// How the function `made` of a trait `Made` is called for a type that has the same function under a name of its own.
fn shown_beside(own: &str, function: &Value) -> Option<String> {
    let of = path("1", "Tool");
    let structure = json!({ "struct": { "kind": { "plain": { "fields": [], "has_stripped_fields": true } },
        "generics": generics(), "impls": ["2", "4"] } });
    let imp = |of_trait: Value, items: &[&str]| {
        json!({ "impl": { "generics": generics(), "trait": of_trait, "for": of, "items": items,
            "provided_trait_methods": [], "is_negative": false, "is_synthetic": false, "blanket_impl": null } })
    };
    let made = json!({ "trait": { "items": [], "generics": generics(), "bounds": [], "is_unsafe": false } });
    let items = [
        ("1", item("Tool", structure)),
        ("2", inside("", imp(Value::Null, &["3"]))),
        ("3", inside(own, function.clone())),
        ("4", inside("", imp(json!({ "path": "Made", "id": "6", "args": null }), &["5"]))),
        ("5", inside("made", function.clone())),
        ("6", item("Made", made)),
    ];
    let model = read(&document(57, &items, &[("1", &["sample", "Tool"]), ("6", &["sample", "Made"])]));
    let of_trait = model.api.callables.iter().find(|it| it.path.contains(" as ::sample::Made>"));
    of_trait.map(|it| it.shown.clone())
}

#[test]
fn a_method_of_a_trait_that_the_type_hides_is_called_by_the_trait() {
    let lent =
        json!({ "borrowed_ref": { "lifetime": null, "is_mutable": false, "type": { "generic": "Self" } } });
    let method = function(&[("self", lent)], primitive("u8"));
    assert_eq!(shown_beside("weight", &method).as_deref(), Some("$0.made()"));
    assert_eq!(shown_beside("made", &method).as_deref(), Some("Made::made($0)"));
}

#[test]
fn a_function_of_a_trait_that_the_type_hides_is_called_by_both() {
    let maker = function(&[("size", primitive("u8"))], json!({ "generic": "Self" }));
    assert_eq!(shown_beside("with_size", &maker).as_deref(), Some("Tool::made($0)"));
    assert_eq!(shown_beside("made", &maker).as_deref(), Some("<Tool as Made>::made($0)"));
}

#[test]
fn what_a_trait_gives_to_an_array_is_called_by_the_trait() {
    let array = json!({ "array": { "type": primitive("u8"), "len": "4" } });
    let imp = json!({ "impl": { "generics": generics(), "trait": { "path": "Zero", "id": "3", "args": null }, "for": array,
        "items": ["2", "4"], "provided_trait_methods": [], "is_negative": false, "is_synthetic": false, "blanket_impl": null } });
    let zero = json!({ "trait": { "items": [], "generics": generics(), "bounds": [], "is_unsafe": false,
        "implementations": ["1"] } });
    let items = [
        ("1", inside("", imp)),
        ("2", inside("zero", function(&[], json!({ "generic": "Self" })))),
        ("3", item("Zero", zero)),
        ("4", inside("LEN", json!({ "assoc_const": { "type": primitive("usize"), "value": "4" } }))),
    ];
    let model = read(&document(57, &items, &[("3", &["sample", "Zero"])]));
    let shown: Vec<&str> = model.api.callables.iter().map(|it| it.shown.as_str()).collect();
    for wanted in ["<[u8; 4] as Zero>::zero()", "<[u8; 4] as Zero>::LEN"] {
        assert!(shown.contains(&wanted), "{wanted} is not in {shown:?}");
    }
}

#[test]
fn what_a_type_drops_itself_is_also_counted_where_the_bounds_allow_it() {
    let model = holder(&json!([]), "Drop");
    let counted = "<::sample::Holder<::std::rc::Rc<u8>>>::new($0.clone())";
    assert!(code(&model).contains(&counted), "{:?}", code(&model));
    let shown: Vec<_> = model.inspectors.iter().map(|at| model.api.callables[*at].shown.as_str()).collect();
    assert_eq!(shown, ["Rc::strong_count($0)"]);
    assert_eq!(model.roots().len(), code(&model).len() + 1);
    let copied = json!([{ "trait_bound": { "trait": { "path": "Copy", "id": "Copy", "args": null }, "modifier": "none" } }]);
    for model in [holder(&copied, "Drop"), holder(&json!([]), "Unpin")] {
        assert!(code(&model).iter().all(|code| !code.contains("Rc<")) && model.inspectors.is_empty());
    }
}

/// With a visibility as rustdoc writes it, the path of a module or a word.
fn visible(visibility: &str, mut item: Value) -> Value {
    item["visibility"] = match visibility.strip_prefix("in ") {
        Some(path) => json!({ "restricted": { "parent": 0, "path": path } }),
        None => json!(visibility),
    };
    item
}

#[test]
fn a_test_stands_where_it_sees_all_that_is_private() {
    let module = |items: &[&str]| json!({ "module": { "items": items } });
    let plain = || function(&[], primitive("u8"));
    let taking = |of: Value| function(&[("of", of)], primitive("u8"));
    let point = json!({ "struct": { "generics": generics(), "impls": [],
        "kind": { "plain": { "fields": ["20"], "has_stripped_fields": false } } } });
    let glob = json!({ "use": { "source": "a", "name": "a", "id": "2", "is_glob": true } });
    let items = [
        ("1", item("free", plain())),
        ("2", visible("crate", item("a", module(&["3", "4", "5", "6", "7"])))),
        ("3", inside("open", plain())),
        ("4", visible("in ::a", inside("own", plain()))),
        ("5", visible("crate", inside("shared", plain()))),
        ("6", visible("in ::a", inside("deep", module(&["8", "9"])))),
        ("7", visible("in ::a", inside("on_point", taking(path("10", "Point"))))),
        ("8", inside("far", plain())),
        ("9", visible("in ::a::deep", inside("farthest", plain()))),
        ("10", item("Point", point)),
        ("20", visible("crate", inside("x", json!({ "struct_field": primitive("u8") })))),
        ("11", item("", glob)),
        ("12", visible("crate", item("b", module(&["13", "14"])))),
        (
            "13",
            visible(
                "in ::b",
                inside(
                    "Other",
                    json!({ "enum": {
            "generics": generics(), "variants": [], "impls": [] } }),
                ),
            ),
        ),
        ("14", visible("in ::b", inside("on_other", taking(path("13", "Other"))))),
    ];
    let model = Model::read(&document(57, &items, &[]), &[], Reach::Private).expect("it is a document");
    let mut visibilities: Vec<String> = model
        .api
        .callables()
        .filter(|(_, callable)| callable.code.contains("::sample::") || callable.code.contains("$0.x"))
        .map(|(id, callable)| match model.api.visibility_of(id) {
            Visibility::Anywhere => format!("{}: anywhere", callable.code),
            Visibility::Inside(module) => format!("{}: crate::{}", callable.code, module.join("::")),
        })
        .collect();
    visibilities.sort();
    assert_eq!(
        visibilities,
        [
            "&$0.x: crate::",
            "::sample::a::deep::far(): crate::a",
            "::sample::a::deep::farthest(): crate::a::deep",
            "::sample::a::on_point($0): crate::a",
            "::sample::a::own(): crate::a",
            "::sample::b::on_other($0): crate::b",
            "::sample::free(): anywhere",
            // What a glob brings has a shorter name.
            "::sample::open(): anywhere",
            "::sample::shared(): crate::",
            "{ $0.x = $1; }: crate::",
            "{ let made: ::sample::Point = ::sample::Point { x: $0 }; made }: crate::",
        ]
    );
}

#[test]
fn a_method_of_what_is_lent_says_whose_it_is_where_the_owner_has_it_as_well() {
    let shown = |owners: &[Value]| {
        let lent = json!({ "borrowed_ref": { "lifetime": null, "is_mutable": true, "type": { "generic": "Self" } } });
        let imp = |of: &Value| {
            json!({ "impl": { "generics": generics(), "for": of, "items": ["9"],
                "trait": { "path": "Fill", "id": "8", "args": null },
                "provided_trait_methods": [], "is_negative": false, "is_synthetic": false, "blanket_impl": null } })
        };
        let ids = ["1", "2", "3"];
        let fill = json!({ "trait": { "items": [], "generics": generics(), "bounds": [], "is_unsafe": false, "implementations": ids[..owners.len()] } });
        let mut items: Vec<(&str, Value)> =
            ids.into_iter().zip(owners).map(|(id, of)| (id, inside("", imp(of)))).collect();
        items.push(("8", item("Fill", fill)));
        items.push(("9", inside("fill", function(&[("self", lent)], primitive("u8")))));
        let model = read(&document(57, &items, &[("8", &["sample", "Fill"])]));
        let mut shown: Vec<String> = model.api.callables.iter().map(|it| it.shown.clone()).collect();
        shown.retain(|it| it.contains("fill"));
        shown
    };
    let slice = json!({ "slice": primitive("u8") });
    let array = json!({ "array": { "type": primitive("u8"), "len": "4" } });
    let reference =
        json!({ "borrowed_ref": { "lifetime": null, "is_mutable": true, "type": array.clone() } });
    assert_eq!(shown(std::slice::from_ref(&slice)), ["$0.fill()"]);
    let of_all = json!({ "generic": "T" });
    let beside = shown(&[slice.clone(), of_all]);
    assert!(beside.contains(&"<[u8] as Fill>::fill($0)".to_owned()), "{beside:?}");
    assert_eq!(shown(&[slice, array.clone()]), ["<[u8] as Fill>::fill($0)", "$0.fill()"]);
    assert_eq!(shown(&[array, reference]), ["$0.fill()", "Fill::fill($0)"]);
}
