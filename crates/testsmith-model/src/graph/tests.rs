//! A table of callables and the source behind them in, members and edges out.

use testsmith_ir::sketch;

use super::*;
use crate::api::{Origin, OriginKind};
use crate::{CfgSet, Module, SourceFile, SourceTree, effects};

/// A line of the source is an origin where one of its functions is in the table. Others are in `more`.
fn graph(table: &str, source: &str, more: &[(OriginKind, &str, &str)]) -> Graph {
    joined(table, source, more).0
}

fn joined(table: &str, source: &str, more: &[(OriginKind, &str, &str)]) -> (Graph, Effects) {
    let api = sketch::api(table).expect("the table is right");
    let file = SourceFile::parse("lib.rs".into(), "lib.rs".into(), 0, Module::default(), source.into());
    let tree = SourceTree { files: vec![file.expect("the source parses")], skipped: Vec::new() };
    let effects = effects::analyse(&tree, 0, &CfgSet::parse("unix"));
    let place = |path: &str| {
        let found = effects.functions().iter().find(|function| function.path == path)?;
        Some(SourcePlace { file: found.file.clone(), first: found.line, last: found.line })
    };
    let origins = api.callables().map(|(id, callable)| {
        let (kind, unit) = more
            .iter()
            .find(|(_, path, _)| *path == callable.path)
            .map_or((OriginKind::Method, "c::S"), |(kind, _, unit)| (*kind, unit));
        let name = callable.path.replace("c::", "");
        Origin::sketch(&callable.path, unit, kind, place(&name), vec![id.0 as usize])
    });
    let origins = origins.collect();
    (
        Graph::new(&Model { api, origins, inspectors: Vec::new(), skipped: Vec::new(), format: 0 }, &effects),
        effects,
    )
}

/// One line for each member: `path(name: verdict cause callee, …) defines … uses …`.
fn members(graph: &Graph) -> Vec<String> {
    let param = |param: &Parameter| {
        let mut text = format!("{}: {:?}", param.name, param.purity);
        if param.is_consumed {
            text += " moved";
        }
        if param.cause != Cause::Signature {
            text += &format!(" {:?}", param.cause);
        }
        if let Some(callee) = &param.callee {
            text += &format!(" by {callee}");
        }
        text
    };
    let fields = |word: &str, fields: &BTreeSet<Field>| {
        let fields: Vec<_> = fields.iter().map(ToString::to_string).collect();
        if fields.is_empty() { String::new() } else { format!(" {word} {}", fields.join(" ")) }
    };
    let line = |member: &Member| {
        let params: Vec<_> = member.params.iter().map(param).collect();
        let defines = fields("defines", &member.effects.defines);
        let uses = fields("uses", &member.effects.uses);
        format!("{}({}){defines}{uses}", member.path, params.join(", "))
    };
    graph.members.iter().map(line).collect()
}

/// One line for each edge.
fn edges(graph: &Graph, purified: bool) -> Vec<String> {
    let line = |edge: &Edge| {
        let (member, node) = (&graph.members[edge.member].path, &graph.nodes[edge.node].name);
        match edge.direction {
            Direction::Needs => format!("{member} needs {node} [{}]", edge.item),
            Direction::Provides => format!("{node} from {member} [{}]", edge.item),
        }
    };
    graph.edges(purified).map(line).collect()
}

const STACK: &str = "
    type u8: copy
    type usize: copy
    type bool: copy
    type c::S: drop
    type &u8
    type Option<&u8>: borrows
    type Option<u8>: copy
    fn c::S::new() -> c::S => S::new()
    fn c::S::push(self: &mut c::S; item: u8) => $0.push($1)
    fn c::S::pop(self: &mut c::S) -> Option<u8> => $0.pop()
    fn c::S::peek(self: &c::S) -> Option<&u8> [0& > out] => $0.peek()
    fn c::S::is_empty(self: &mut c::S) -> bool => $0.is_empty()
    fn c::S::absorb(self: &mut c::S; other: c::S) => $0.absorb($1)
";

const STACK_SOURCE: &str = "
    pub struct S { items: Vec<u8>, hits: usize }
    impl S {
        pub fn new() -> S { S { items: Vec::new(), hits: 0 } }
        pub fn push(&mut self, item: u8) { self.put(item) }
        fn put(&mut self, item: u8) { self.items.push(item) }
        pub fn pop(&mut self) -> Option<u8> { self.hits += 1; self.items.pop() }
        pub fn peek(&self) -> Option<&u8> { self.items.last() }
        pub fn is_empty(&mut self) -> bool { self.items.is_empty() }
        pub fn absorb(&mut self, other: S) { self.items.extend(other.items) }
    }
";

#[test]
fn members_have_the_effects_of_their_functions() {
    let expected = [
        "c::S::new() defines S.hits S.items",
        "c::S::push(self: ReadWrite by S::put, item: Safe) defines S.items uses S.items",
        "c::S::pop(self: ReadWrite) defines S.hits S.items uses S.hits S.items",
        "c::S::peek(self: ReadOnly) uses S.items",
        "c::S::is_empty(self: Safe Unchanged) uses S.items",
        "c::S::absorb(self: ReadWrite, other: ReadOnly moved) defines S.items uses S.items",
    ];
    assert_eq!(members(&graph(STACK, STACK_SOURCE, &[])), expected);
}

/// The example of the paper, in Rust.
#[test]
fn the_purified_graph_has_no_providers_that_change_nothing() {
    let graph = graph(STACK, STACK_SOURCE, &[]);
    let all = edges(&graph, false);
    let kept = edges(&graph, true);
    let dropped: Vec<_> = all.iter().filter(|edge| !kept.contains(edge)).map(String::as_str).collect();
    assert_eq!(dropped, ["S from c::S::peek [receiver]", "S from c::S::is_empty [receiver]"]);
    let providers: Vec<_> =
        kept.iter().filter(|edge| edge.starts_with("S from")).map(String::as_str).collect();
    assert_eq!(
        providers,
        [
            "S from c::S::new [result]",
            "S from c::S::push [receiver]",
            "S from c::S::pop [receiver]",
            "S from c::S::absorb [receiver]"
        ]
    );
    // A member still needs what it is called with.
    assert!(kept.contains(&"c::S::peek needs S [receiver]".to_owned()), "{kept:?}");
    assert!(kept.contains(&"c::S::absorb needs S [parameter 1]".to_owned()), "{kept:?}");
}

#[test]
fn callables_find_their_answers() {
    let api = sketch::api(STACK).expect("the table is right");
    let graph = graph(STACK, STACK_SOURCE, &[]);
    let id = |path: &str| api.find(path).expect("it is in the table");
    let (new, push, pop, peek) = (id("c::S::new"), id("c::S::push"), id("c::S::pop"), id("c::S::peek"));
    assert_eq!(graph.purity(push), [Purity::ReadWrite, Purity::Safe]);
    assert_eq!(graph.uses(peek).iter().map(ToString::to_string).collect::<Vec<_>>(), ["S.items"]);
    assert!(graph.may_influence(push, peek) && !graph.may_influence(peek, push));
    let stack = api.find_type("c::S").expect("it is in the table");
    let provided =
        |id| graph.provides(&api, id).into_iter().map(|(at, ty)| (at, ty == stack)).collect::<Vec<_>>();
    assert_eq!(provided(new), [(None, true)]);
    assert_eq!(provided(pop), [(Some(0), true), (None, false)]);
    assert_eq!(provided(peek), [(None, false)]);
}

#[test]
fn what_has_no_body_is_judged_by_declaration_or_signature() {
    let table = "
        type u8: copy
        type String: drop
        type c::S: drop
        type c::E: drop
        type &u8
        fn c::S(a: u8; b: String) -> c::S => S { a: $0, b: $1 }
        fn c::E::V(value: u8) -> c::E => E::V($0)
        fn c::S::a(place: &c::S) -> &u8 [0& > out] => &$0.a
        fn c::S::a =(place: &mut c::S; a: u8) => $0.a = $1
        fn c::S::made(self: &mut c::S; other: &c::S) -> u8 => $0.made($1)
    ";
    let source = "pub struct S { pub a: u8, pub b: String } pub enum E { V(u8), W { n: u8 } } make! {}";
    let more = [
        (OriginKind::Constructor, "c::S", "c::S"),
        (OriginKind::Constructor, "c::E::V", "c::E"),
        (OriginKind::FieldRead, "c::S::a", "c::S"),
        (OriginKind::FieldWrite, "c::S::a =", "c::S"),
    ];
    let graph = graph(table, source, &more);
    let expected = [
        "c::S(a: Safe, b: ReadOnly moved) defines S.a S.b",
        "c::E::V(value: Safe) defines E.V.0",
        "c::S::a(place: ReadOnly) uses S.a",
        "c::S::a =(place: ReadWrite, a: Safe) defines S.a",
        "c::S::made(self: ReadWrite Unseen, other: Safe Unseen) defines S.a S.b uses S.a S.b",
    ];
    assert_eq!(members(&graph), expected);
    assert_eq!(graph.members[4].evidence, Evidence::Signature);
}

#[test]
fn lifetimes_tell_what_is_stored_in_another_argument() {
    let table = "
        type u8: copy
        type c::S<'_>: borrows
        fn c::S::keep(self: &mut c::S<'_>; text: &str) [1 > 0] => $0.keep($1)
        fn c::S::look(self: &mut c::S<'_>; text: &str) => $0.look($1)
    ";
    let source = "pub struct S<'a> { v: Vec<&'a str> } impl<'a> S<'a> {
        pub fn keep(&mut self, text: &'a str) { self.v.push(text) }
        pub fn look(&mut self, text: &str) { self.v.truncate(text.len()) } }";
    let expected = [
        "c::S::keep(self: ReadWrite, text: ReadOnly) defines S.v uses S.v",
        "c::S::look(self: ReadWrite, text: Safe) defines S.v uses S.v",
    ];
    assert_eq!(members(&graph(table, source, &[])), expected);
}

#[test]
fn lifetimes_tell_what_a_body_hides() {
    let table = "
        type u8: copy
        type c::S: drop
        type &u8
        type c::I<'_>: borrows
        fn c::S::first(self: &c::S) -> &u8 [0& > out] => $0.first()
        fn c::S::view(self: &mut c::S) -> c::I<'_> [0& > out] => $0.view()
        fn c::S::peek(self: &mut c::S) -> &u8 [0& > out] => $0.peek()
    ";
    let source = "pub struct S { v: Vec<u8> } pub struct I<'a> { v: &'a [u8] } impl S {
        pub fn first(&self) -> &u8 { unsafe { hidden(self.v.len()) } }
        pub fn view(&mut self) -> I<'_> { I { v: &self.v } }
        pub fn peek(&mut self) -> &u8 { &self.v[0] } }";
    let expected = [
        "c::S::first(self: ReadOnly) uses S.v",
        "c::S::view(self: ReadWrite Lent) defines I.v uses S.v",
        "c::S::peek(self: ReadOnly Unchanged) uses S.v",
    ];
    assert_eq!(members(&graph(table, source, &[])), expected);
}

#[test]
fn a_neighbourhood_is_a_unit_and_what_gives_it_values() {
    let table = "
        type u8: copy
        type c::S: drop
        type c::T: drop
        type c::U: drop
        fn c::S::f(self: &c::S) -> u8 => $0.f()
        fn c::make() -> c::S => make()
        fn c::take(value: &c::S) => take($0)
        fn c::T::s(self: &c::T) -> c::U => $0.s()
    ";
    let more = [
        (OriginKind::Function, "c::make", "c"),
        (OriginKind::Function, "c::take", "c"),
        (OriginKind::Method, "c::T::s", "c::T"),
    ];
    let graph = graph(table, "", &more);
    assert_eq!(graph.neighbourhood("c::S").into_iter().collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(graph.neighbourhood("c::T").into_iter().collect::<Vec<_>>(), [3]);
    assert_eq!(graph.neighbourhood("nothing").len(), 0);
}

#[test]
fn callables_lead_to_what_they_call() {
    let (graph, effects) = joined(
        "fn c::outer() => outer()\nfn c::other() => other()\nfn c::alone() => alone()",
        "fn inner() { helper() }
         fn helper() { if x() { inner() } }
         pub fn outer() { inner(); }
         pub fn other() { outer(); helper() }
         pub fn alone() {}",
        &[],
    );
    let callers = Callers::new(&graph, &effects);
    let of = |line: usize, name: &str| -> Vec<(u32, usize)> {
        callers.of("lib.rs", line, name).into_iter().map(|(id, calls)| (id.0, calls)).collect()
    };
    assert_eq!(of(1, "inner"), [(0, 1), (1, 2)]);
    assert_eq!(of(2, "helper"), [(1, 1), (0, 2)]);
    assert_eq!(of(3, "outer"), [(0, 0), (1, 1)]);
    assert_eq!(of(5, "alone"), [(2, 0)]);
    assert_eq!(of(5, "unknown"), []);
}
