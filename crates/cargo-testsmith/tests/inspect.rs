//! `inspect` and `execute` on small packages: what can be called, what cannot and why, and that calls really happen.

mod util;

use serde_json::Value;
use util::Fixture;

const MANIFEST: &str = "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

fn package(lib: &str) -> Fixture {
    let fixture = Fixture::package(&[("src/lib.rs", lib)]);
    fixture.write("Cargo.toml", MANIFEST);
    fixture
}

fn run(fixture: &Fixture, arguments: &[&str]) -> Value {
    fixture.run(&[arguments, &["--json"]].concat()).expect_code(0).json()
}

fn strings<'v>(list: &'v Value, key: &str) -> Vec<&'v str> {
    let items = list.as_array().expect("a list");
    items.iter().map(|item| item[key].as_str().expect("a text")).collect()
}

/// All of these are found, and all of them are called.
#[test]
fn callables_of_every_kind_are_executed() {
    let lib = "use std::collections::BTreeMap;

/// Generic, with a default.
pub struct Stack<T, S = ()> { items: Vec<T>, pub tag: u8, extra: S }
impl<T: Clone> Stack<T> {
    pub fn new() -> Self { Stack { items: Vec::new(), tag: 0, extra: () } }
    pub fn push(&mut self, item: T) -> usize { self.items.push(item); self.items.len() }
    pub fn pop(&mut self) -> Option<T> { self.items.pop() }
    pub fn peek(&self) -> Option<&T> { self.items.last() }
    pub fn peek_mut(&mut self) -> Option<&mut T> { self.items.last_mut() }
    pub fn iter(&self) -> Iter<'_, T> { Iter { inner: self.items.iter() } }
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) { self.items.retain(keep) }
    pub fn map<U>(self, change: impl Fn(T) -> U) -> Vec<U> { self.items.into_iter().map(change).collect() }
    pub fn into_items(self) -> Vec<T> { self.items }
}
impl<T: Clone> Default for Stack<T> { fn default() -> Self { Self::new() } }
impl<T> Extend<T> for Stack<T> { fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) { self.items.extend(items) } }
impl<T> std::ops::Index<usize> for Stack<T> { type Output = T; fn index(&self, at: usize) -> &T { &self.items[at] } }
pub struct Iter<'a, T> { inner: std::slice::Iter<'a, T> }
impl<'a, T> Iterator for Iter<'a, T> { type Item = &'a T; fn next(&mut self) -> Option<&'a T> { self.inner.next() } }

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape { Point, Circle(u32), Rect { w: u32, h: u32 } }
impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, \"{}\", self.area()) }
}
impl std::str::FromStr for Shape {
    type Err = std::num::ParseIntError;
    fn from_str(text: &str) -> Result<Self, Self::Err> { Ok(Shape::Circle(text.parse()?)) }
}
impl std::ops::Add for Shape { type Output = u32; fn add(self, other: Shape) -> u32 { self.area() ^ other.area() } }
impl Shape {
    pub const UNIT: Shape = Shape::Circle(1);
    pub fn area(&self) -> u32 { match *self { Shape::Point => 0, Shape::Circle(r) => r & 7, Shape::Rect { w, h } => w & h } }
}
impl From<Shape> for u32 { fn from(shape: Shape) -> u32 { shape.area() } }

pub trait Area { fn of(&self) -> u32; fn twice(&self) -> u32 { self.of().wrapping_mul(2) } }
impl Area for Shape { fn of(&self) -> u32 { self.area() } }
impl Area for u32 { fn of(&self) -> u32 { *self } }
pub fn total(shapes: &[Shape]) -> u32 { shapes.iter().map(|shape| shape.area() & 3).sum() }
pub fn dynamic(area: &dyn Area) -> u32 { area.of() }
pub fn boxed(area: Box<dyn Area>) -> u32 { area.twice() }
pub fn generic<A: Area>(area: A) -> u32 { area.of() }
pub fn words<'a>(text: &'a str, by: char) -> Vec<&'a str> { text.split(by).collect() }
pub fn count(map: &BTreeMap<String, u8>) -> usize { map.len() }
pub fn first<const N: usize>(bytes: [u8; N]) -> Option<u8> { bytes.first().copied() }
pub fn apply(change: fn(u8) -> u8, to: u8) -> u8 { change(to) }
pub fn read(mut from: impl std::io::Read) -> usize { let mut text = String::new(); from.read_to_string(&mut text).unwrap_or(0) }
pub static LIMIT: u32 = 7;
pub mod inner { pub fn deep() -> bool { true } mod hidden { pub fn shown() -> u8 { 1 } } pub use hidden::shown; }
";
    let fixture = package(lib);
    let inspected = run(&fixture, &["inspect"]);
    assert_eq!(inspected["callables"]["skipped"], serde_json::json!([]));
    let executed = run(&fixture, &["execute", "--seconds", "2"]);
    assert_eq!(executed["never_executed"], serde_json::json!([]));
    assert_eq!(executed["executed"], inspected["callables"]["testable"]);
    assert!(executed["killed"].as_u64() > Some(20), "{executed:#}");
    let mut endings: Vec<_> = executed["endings"].as_object().expect("an object").keys().collect();
    endings.retain(|ending| *ending != "panic");
    assert_eq!((&executed["unconfirmed"], endings), (&0.into(), vec![&"ok".to_owned()]));
}

/// What needs more than a look at its signature: mocks, constants, function pointers, opened variants, private types
/// behind aliases.
#[test]
fn callables_whose_types_are_hard_to_come_by_are_executed() {
    let lib = "pub trait Sink { type Item; fn put(&mut self, item: u8) -> bool; fn name(&self) -> String; fn twice(&mut self) -> bool { self.put(1) && self.put(2) } }
pub fn fill(sink: &mut impl Sink) -> bool { sink.twice() }
pub fn boxed(sink: Box<dyn Sink<Item = u8>>) -> String { sink.name() }
pub fn label(name: &'static str, with: u8) -> (&'static str, u8) { (name, with) }
pub fn visit(each: Option<&dyn Fn(u8) -> u8>) -> u8 { each.map_or(0, |each| each(3)) }

pub struct Map { items: Vec<(i32, i32)> }
impl Map {
    pub fn new() -> Map { Map { items: Vec::new() } }
    pub fn entry(&mut self, key: i32) -> Entry<'_> { let at = self.items.iter().position(|item| item.0 == key); match at { Some(at) => Entry::Occupied(Occupied { map: self, at }), None => Entry::Vacant(Vacant { map: self, key }) } }
    pub fn extract<F: FnMut(&i32) -> bool>(&mut self, keep: F) -> Extract<'_, F> { Extract { map: self, keep } }
}
pub enum Entry<'a> { Occupied(Occupied<'a>), Vacant(Vacant<'a>) }
pub struct Occupied<'a> { map: &'a mut Map, at: usize }
impl Occupied<'_> { pub fn get(&self) -> i32 { self.map.items[self.at].1 } }
pub struct Vacant<'a> { map: &'a mut Map, key: i32 }
impl Vacant<'_> { pub fn insert(self, value: i32) -> usize { self.map.items.push((self.key, value)); self.map.items.len() } }
pub struct Extract<'a, F> { map: &'a mut Map, keep: F }
impl<F: FnMut(&i32) -> bool> Iterator for Extract<'_, F> { type Item = i32; fn next(&mut self) -> Option<i32> { while let Some((key, _)) = self.map.items.pop() { if (self.keep)(&key) { return Some(key); } } None } }

mod storage { pub struct Fixed<const N: usize>(pub(crate) [u8; N]); pub trait Storage { fn bytes(&self) -> &[u8]; } impl<const N: usize> Storage for Fixed<N> { fn bytes(&self) -> &[u8] { &self.0 } } }
pub struct BufferInner<S: storage::Storage> { storage: S }
pub type Buffer<const N: usize> = BufferInner<storage::Fixed<N>>;
impl<const N: usize> Buffer<N> { pub fn new(bytes: [u8; N]) -> Self { BufferInner { storage: storage::Fixed(bytes) } } }
impl<S: storage::Storage> BufferInner<S> { pub fn len(&self) -> usize { self.storage.bytes().len() } }

pub fn join<I>(parts: I) -> String where I: IntoIterator, I::Item: AsRef<str> { parts.into_iter().map(|part| part.as_ref().to_owned()).collect() }
pub fn shared<'a, 'b, A, B, X, Y>(a: &'a A, b: &'b B) -> usize where &'a A: IntoIterator<Item = X>, &'b B: IntoIterator<Item = Y>, X: PartialEq<Y> { a.into_iter().zip(b).filter(|(x, y)| x == y).count() }
struct Letters<'a>(&'a str);
impl<'a, 'b> IntoIterator for &'a Letters<'b> { type Item = char; type IntoIter = std::str::Chars<'b>; fn into_iter(self) -> Self::IntoIter { self.0.chars() } }
pub fn same_letters(a: &str, b: &str) -> usize { shared(&Letters(a), &Letters(b)) }
#[non_exhaustive]
pub enum Colour { Red, Green }
pub fn paint(colour: Colour) -> u8 { match colour { Colour::Red => 1, Colour::Green => 2 } }
pub fn put(to: &mut std::io::BufWriter<Vec<u8>>, line: &str) -> bool { std::io::Write::write_all(to, line.as_bytes()).is_ok() }
pub fn end(to: &mut std::io::LineWriter<Vec<u8>>) -> bool { std::io::Write::write_all(to, b\"end\").is_ok() }
pub fn first(from: &mut std::io::BufReader<&'static [u8]>) -> usize { std::io::BufRead::read_line(from, &mut String::new()).unwrap_or(0) }
";
    let fixture = package(lib);
    let inspected = run(&fixture, &["inspect"]);
    assert_eq!(inspected["callables"]["skipped"], serde_json::json!([]));
    let executed = run(&fixture, &["execute", "--seconds", "2"]);
    assert_eq!(executed["never_executed"], serde_json::json!([]));
    // What was rejected is known by then.
    let again = run(&fixture, &["inspect"]);
    assert_eq!((&again["build_rounds"], &again["entries"]), (&1.into(), &inspected["entries"]));
}

/// The receiver is chosen by what the method asks for, and what a parameter is by what others tell.
#[test]
fn methods_are_called_for_types_that_have_them() {
    let lib = "pub trait Tools: Iterator {
    fn oks<T, E>(self) -> Vec<T> where Self: Sized + Iterator<Item = Result<T, E>> { self.filter_map(Result::ok).collect() }
    fn split<A, B>(self) -> (Vec<A>, Vec<B>) where Self: Sized + Iterator<Item = (A, B)> { self.unzip() }
    fn flat(self) -> usize where Self: Sized, Self::Item: IntoIterator, <Self::Item as IntoIterator>::Item: PartialOrd { self.flatten().count() }
    fn in_tuples<T: Tuple>(self) -> usize where Self: Sized + Iterator<Item = T::Item> { self.count() / T::LENGTH }
}
impl<T: ?Sized> Tools for T where T: Iterator {}
pub trait Tuple { type Item; const LENGTH: usize; }
impl<A> Tuple for (A, A) { type Item = A; const LENGTH: usize = 2; }
impl<A> Tuple for (A, A, A) { type Item = A; const LENGTH: usize = 3; }

pub struct Groups<I> { pairs: I }
pub fn groups<K, V, I: IntoIterator<Item = (K, V)>>(pairs: I) -> Groups<I::IntoIter> { Groups { pairs: pairs.into_iter() } }
impl<I, K: Ord, V> Groups<I> where I: Iterator<Item = (K, V)> { pub fn largest(self) -> Option<K> { self.pairs.map(|pair| pair.0).max() } }
pub struct Zipped<T> { parts: T }
impl<A: IntoIterator, B: IntoIterator> From<(A, B)> for Zipped<(A::IntoIter, B::IntoIter)> { fn from((a, b): (A, B)) -> Self { Zipped { parts: (a.into_iter(), b.into_iter()) } } }
impl<A: Iterator, B: Iterator> Iterator for Zipped<(A, B)> { type Item = (A::Item, B::Item); fn next(&mut self) -> Option<Self::Item> { Some((self.parts.0.next()?, self.parts.1.next()?)) } }
#[doc(hidden)]
pub mod free { pub fn offered_elsewhere() -> u8 { 1 } #[doc(hidden)] pub fn of_no_concern() {} }
pub use free::*;
";
    let fixture = package(lib);
    let inspected = run(&fixture, &["inspect"]);
    assert_eq!(inspected["callables"]["skipped"], serde_json::json!([]));
    let members = strings(&inspected["members"], "path");
    assert!(members.contains(&"sample::offered_elsewhere"), "{members:?}");
    assert!(!members.iter().any(|path| path.contains("of_no_concern")), "{members:?}");
    let executed = run(&fixture, &["execute", "--seconds", "2"]);
    assert_eq!(executed["never_executed"], serde_json::json!([]));
}

#[test]
fn what_cannot_be_called_is_named_with_the_reason() {
    let lib = "pub unsafe fn danger() {}
pub async fn later() {}
pub fn address(at: *const u8) -> bool { at.is_null() }
mod private { pub struct Secret; }
pub fn reveal(_: private::Secret) {}
pub trait Lonely { fn alone<T>(&self, with: T); }
pub fn needs<L: Lonely>(_: L) {}
pub fn fine() -> u8 { 1 }
";
    let inspected = run(&package(lib), &["inspect"]);
    let skipped = &inspected["callables"]["skipped"];
    let mut found: Vec<_> = strings(skipped, "path").into_iter().zip(strings(skipped, "reason")).collect();
    found.sort_unstable();
    let expected = [
        ("sample::address", "raw pointer"),
        ("sample::danger", "unsafe"),
        ("sample::later", "async"),
        ("sample::needs", "no type is known for `L: Lonely`"),
        ("sample::reveal", "the type `Secret` cannot be named"),
    ];
    assert_eq!(found, expected);
    assert_eq!(inspected["callables"]["testable"], 1);
}

#[test]
fn units_have_their_callables_and_mutants() {
    let lib = "pub struct A(pub u8);\nimpl A {\n    pub fn is_big(&self) -> bool {\n        self.0 > 9\n    }\n}\n\
               pub fn f(n: u8) -> bool {\n    helper(n)\n}\nfn helper(n: u8) -> bool {\n    n == 3\n}\n";
    let inspected = run(&package(lib), &["inspect", "--operators", "ror"]);
    let units = &inspected["units"];
    assert_eq!(strings(units, "name"), ["sample", "sample::A", "(private functions)"]);
    let mutants: Vec<_> =
        units.as_array().expect("a list").iter().map(|unit| unit["mutants"].as_u64()).collect();
    assert_eq!(mutants, [Some(0), Some(5), Some(3)]);
}

/// Each list is made of a list of lists, which is made of a list of lists of lists.
#[test]
fn a_type_that_is_made_of_deeper_ones_comes_to_an_end() {
    let lib = "pub struct List<T>(Vec<T>);
impl<T> List<T> {
    pub fn new(first: T) -> List<T> { List(vec![first]) }
    pub fn flatten(of: List<List<T>>) -> List<T> { List(of.0.into_iter().flat_map(|list| list.0).collect()) }
    pub fn len(&self) -> usize { self.0.len() }
}
";
    let document = run(&package(lib), &["inspect"]);
    let paths = strings(&document["members"], "path");
    assert!(paths.contains(&"sample::List::flatten"), "{paths:?}");
}

#[test]
fn a_package_without_code_is_told_what_to_do() {
    let fixture = Fixture::package(&[("tests/a.rs", "")]);
    fixture.write("Cargo.toml", MANIFEST);
    fixture
        .run(&["inspect"])
        .expect_code(4)
        .expect_words(&["neither a library nor a program", "src/main.rs"]);
}

/// Nothing but `twice` can be called from outside; with `--private` all is called, and the user's file stays as it is.
#[test]
fn private_items_are_called_on_request() {
    let lib = "mod counting {
    pub(super) struct Counter { count: u32 }
    impl Counter { fn up(&mut self) -> u32 { self.count += 1; self.count } pub(super) fn start() -> Self { Counter { count: 0 } } }
    pub(crate) fn of(text: &str) -> u32 { let mut c = Counter::start(); text.bytes().map(|_| c.up()).last().unwrap_or(0) }
}
fn half(n: u32) -> u32 { n / 2 }
pub fn twice(text: &str) -> u32 { half(counting::of(text)) * 4 }
";
    let fixture = package(lib);
    let counts = |inspected: &Value| {
        let callables = &inspected["callables"];
        ["found", "testable", "private"].map(|key| callables[key].as_u64().expect("a number"))
    };
    assert_eq!(counts(&run(&fixture, &["inspect"])), [1, 1, 0]);
    // The constructor, the field (read and written), three functions and a method.
    assert_eq!(counts(&run(&fixture, &["inspect", "--private"])), [8, 8, 7]);
    let executed = run(&fixture, &["execute", "--private", "--seconds", "1"]);
    assert_eq!(executed["never_executed"], serde_json::json!([]));
    assert_eq!(std::fs::read_to_string(fixture.path("src/lib.rs")).expect("it is there"), lib);
}

const STACK: &str = "use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
static CALLS: AtomicUsize = AtomicUsize::new(0);
#[derive(Clone)]
pub struct Stack { items: Vec<u8>, hits: Cell<usize> }
impl Stack {
    pub fn new() -> Stack { Stack { items: Vec::new(), hits: Cell::new(0) } }
    pub fn push(&mut self, item: u8) { self.put(item) }
    fn put(&mut self, item: u8) { self.items.push(item) }
    pub fn peek(&self) -> Option<&u8> { self.hits.set(self.hits.get() + 1); self.items.last() }
    pub fn first(&mut self) -> Option<&u8> { self.items.first() }
    pub fn merge(&mut self, other: Stack, keep: impl Fn(&u8) -> bool) {
        self.items.extend(other.items.into_iter().filter(keep))
    }
}
pub fn count() -> usize { CALLS.fetch_add(1, Ordering::SeqCst) }
";

#[test]
fn calls_are_shown_with_what_they_need_and_change() {
    let fixture = package(STACK);
    let shown = |arguments: &[&str]| {
        let arguments = [&["inspect", "-q"], arguments].concat();
        fixture.run(&arguments).expect_code(0).stdout
    };
    let expected = "sample
  count
           also writes static CALLS, reads static CALLS, interior mutability

sample::Stack
  Clone::clone  self safe (never changed)
                  defines Stack.hits, Stack.items
                  uses Stack.hits, Stack.items
  new
                  defines Stack.hits, Stack.items
  push          self read/write (by Stack::put), item safe
                  defines Stack.items
                  uses Stack.items
  peek          self read/write (interior mutability)
                  defines Stack.hits
                  uses Stack.hits, Stack.items
                  also interior mutability
  first         self read-only (never changed)
                  uses Stack.items
  merge         self read/write, other read-only (moved), keep read-only (moved)
                  defines Stack.items
                  uses Stack.items
";
    assert_eq!(shown(&["--purity"]), expected);
    let (_, stack) = expected.split_once("\n\n").expect("two units");
    assert_eq!(shown(&["--purity", "--unit", "Stack"]), stack);
    let summary = shown(&[]);
    assert!(
        summary.contains("purity: 8 parameters, 2 safe, 3 read-only, 3 read/write; 4 of 7 members"),
        "{summary}"
    );

    let graph = shown(&["--graph", "text"]);
    assert!(graph.contains("provides Stack [receiver, unchanged], u8 [result]"), "{graph}");
    let purified = shown(&["--graph", "text", "--purified"]);
    assert!(
        purified.contains("  first\n    needs    Stack [receiver]\n    provides u8 [result]\n"),
        "{purified}"
    );
    assert!(shown(&["--graph", "dot"]).starts_with("digraph \"sample\" {"));
    let file = fixture.beside("graph.svg");
    let path = file.to_str().expect("the name is text");
    assert_eq!(shown(&["--graph", "svg", "--unit", "sample::Stack", "-o", path]), "");
    let svg = std::fs::read_to_string(&file).expect("it was written");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains(">push</text>"), "{svg}");

    let document = run(&fixture, &["inspect"]);
    let members = document["members"].as_array().expect("a list");
    let push = members.iter().find(|member| member["path"] == "sample::Stack::push").expect("it is there");
    let receiver = serde_json::json!({
        "name": "self", "item": "receiver", "purity": "read/write", "moved": false, "why": "by Stack::put"
    });
    assert_eq!((&push["purity"][0], &push["defines"]), (&receiver, &serde_json::json!(["Stack.items"])));
    assert_eq!(members.len(), 7);
    let types = document["graph"]["types"].as_array().expect("a list");
    let stack = types.iter().position(|ty| ty["name"] == "Stack").expect("it is there");
    let edges = document["graph"]["edges"].as_array().expect("a list");
    let providers: Vec<_> = edges
        .iter()
        .filter(|edge| edge["way"] == "provides" && edge["type"] == stack && edge["purified"] == true)
        .map(|edge| members[edge["member"].as_u64().unwrap_or_default() as usize]["path"].as_str())
        .collect();
    let expected = ["<sample::Stack as Clone>::clone", "sample::Stack::new", "sample::Stack::push"];
    assert_eq!(providers[..3], expected.map(Some));

    let wrong = |code: i32, arguments: &[&str], words: &[&str]| {
        fixture.run(&[&["inspect", "-q"], arguments].concat()).expect_code(code).expect_words(words);
    };
    wrong(7, &["--purity", "--unit", "Stak"], &["no unit `Stak`", "did you mean `sample::Stack`?"]);
    wrong(1, &["--purified"], &["--graph <FORMAT>"]);
    wrong(1, &["--unit", "Stack"], &["--purity", "--graph <FORMAT>"]);
    wrong(1, &["--graph", "png"], &["text, dot, svg"]);
    wrong(1, &["--graph", "dot", "--json"], &["cannot be used with"]);
}
