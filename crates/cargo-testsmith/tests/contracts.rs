//! `contracts` on small packages: what is claimed, what the docs lack, in all three forms.

mod util;

use serde_json::Value;
use util::Fixture;

/// A list with room for a few, as its docs say, and a lookup whose docs say nothing.
const SHELF: &str = "
/// A list that has room for four.
#[derive(Clone, Debug, Default)]
pub struct Shelf { items: Vec<i32> }

impl Shelf {
    pub fn new() -> Shelf { Shelf::default() }
    pub fn len(&self) -> usize { self.items.len() }
    pub fn is_full(&self) -> bool { self.items.len() == 4 }
    /// Puts an item at the end.
    ///
    /// # Panics
    ///
    /// Panics if the shelf is full.
    pub fn push(&mut self, item: i32) { assert!(!self.is_full(), \"the shelf is full\"); self.items.push(item) }
    /// The item at a place.
    pub fn at(&self, index: usize) -> i32 { self.items[index] }
    pub fn get(&self, index: usize) -> Option<&i32> { self.items.get(index) }
    pub fn cut(&mut self, to: usize) { self.items.truncate(to) }
}
";

fn contracts(report: &Value, path: &str) -> Vec<String> {
    let functions = report["functions"].as_array().expect("a list");
    let function =
        functions.iter().find(|it| it["path"] == path).unwrap_or_else(|| panic!("no {path}: {report:#}"));
    let claims = function["contracts"].as_array().expect("a list").iter();
    claims.map(|claim| claim["text"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn a_list_is_described_as_its_author_would() {
    let fixture = Fixture::package(&[("src/lib.rs", SHELF)]);
    let run =
        |more: &[&str]| fixture.run(&[&["contracts", "--executions", "3000"], more].concat()).expect_code(0);
    let report = run(&["--json", "--check", "3000"]).json();
    assert_eq!(contracts(&report, "sample::Shelf::at")[0], "panics exactly if index >= self.len()");
    assert_eq!(contracts(&report, "sample::Shelf::push")[0], "panics exactly if self.is_full()");
    let of_push = contracts(&report, "sample::Shelf::push");
    assert!(of_push.contains(&"self.len() == old(self.len()) + 1".to_owned()), "{of_push:?}");
    let of_get = contracts(&report, "sample::Shelf::get");
    assert!(of_get.contains(&"result.is_some() exactly if index < self.len()".to_owned()), "{of_get:?}");
    let of_cut = contracts(&report, "sample::Shelf::cut");
    assert!(of_cut.contains(&"self is unchanged exactly if to >= self.len()".to_owned()), "{of_cut:?}");
    let gaps: Vec<&Value> =
        report["functions"].as_array().expect("a list").iter().filter(|it| !it["gap"].is_null()).collect();
    assert_eq!(gaps.iter().map(|it| it["path"].as_str()).collect::<Vec<_>>(), [Some("sample::Shelf::at")]);
    assert_eq!(report["checked"]["contradicted"], 0, "{:#}", report["checked"]);

    let text = run(&[]).stdout;
    assert!(text.contains("panics exactly if self.is_full()"), "{text}");
    assert!(text.contains("panics that the docs do not name\n  sample::Shelf::at (src/lib.rs:17)"), "{text}");
    let page = run(&["--markdown"]).stdout;
    assert!(page.starts_with("# Contracts of sample 0.1.0\n"), "{page}");
    assert!(page.contains("* panics exactly if `index >= self.len()`"), "{page}");
}

/// The second run starts where the first one ended, a store that cannot be read is kept aside, and what the crate has no more
/// goes.
#[test]
fn objects_are_kept_for_the_next_run() {
    let fixture = Fixture::package(&[("src/lib.rs", SHELF)]);
    let none = fixture.run(&["store", "stats"]).expect_code(7);
    assert!(none.stderr.contains("there is no store"), "{}", none.stderr);
    let arguments = ["contracts", "--executions", "600", "--json"];
    let kept = || fixture.run(&arguments).expect_code(0).json()["kept"].clone();
    let first = kept();
    assert_eq!((first["loaded"].as_u64(), first["dropped"].as_u64()), (Some(0), Some(0)), "{first}");
    let added = first["added"].as_u64().expect("a number");
    assert!(added > 20, "{first}");
    let second = kept();
    assert!(second["loaded"].as_u64() > Some(20), "{second}");
    let stats = fixture.run(&["store", "stats", "--json"]).expect_code(0).json();
    let shelves = stats["objects"]["::sample::Shelf"].as_u64().expect("a number");
    assert!(shelves >= added, "{stats}");
    let exported = fixture.run(&["store", "export"]).expect_code(0).stdout;
    assert_eq!(exported.lines().count() as u64, shelves);
    assert!(exported.lines().all(|line| line.starts_with("::sample::Shelf\t")), "{exported}");
    fixture.run(&["store", "prune", "--keep", "5"]).expect_code(0);
    let stats = fixture.run(&["store", "stats", "--json"]).expect_code(0).json();
    assert_eq!(stats["objects"]["::sample::Shelf"], 5);

    fixture.write("src/lib.rs", SHELF.replace("fn push(", "fn put("));
    assert!(kept()["dropped"].as_u64() > Some(0));

    fixture.write(
        "target/testsmith/store.sqlite",
        "no store at all, and long enough that it could be one, were it not text",
    );
    let damaged = fixture.run(&["store", "stats"]).expect_code(6);
    assert!(damaged.stderr.contains("is damaged"), "{}", damaged.stderr);
    let run = fixture.run(&arguments).expect_code(0);
    assert!(
        run.stderr.contains("it is kept as ") && run.stderr.contains("store.old-1.sqlite"),
        "{}",
        run.stderr
    );
    assert_eq!(run.json()["kept"]["loaded"], 0);
}

/// The three worked examples of the paper (§II): `merge` of sets, which is more than joining disjoint ones; `merge_left` of equal
/// lists, which are not all empty; and `merge_after`, which fails on siblings alone, and only with its cursor on a child.
const WORKED: &str = "
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SortedSet { items: Vec<u8> }

impl SortedSet {
    pub fn new() -> SortedSet { SortedSet::default() }
    pub fn len(&self) -> usize { self.items.len() }
    pub fn insert(&mut self, item: u8) { if let Err(at) = self.items.binary_search(&item) { self.items.insert(at, item) } }
    pub fn contains(&self, item: u8) -> bool { self.items.contains(&item) }
    pub fn is_disjoint(&self, other: &SortedSet) -> bool { self.items.iter().all(|it| !other.contains(*it)) }
    pub fn is_subset(&self, other: &SortedSet) -> bool { self.items.iter().all(|it| other.contains(*it)) }
    pub fn merge(&mut self, other: &SortedSet) { other.items.iter().for_each(|it| self.insert(*it)) }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List { items: Vec<u8> }

impl List {
    pub fn new() -> List { List::default() }
    pub fn len(&self) -> usize { self.items.len() }
    pub fn is_empty(&self) -> bool { self.items.is_empty() }
    pub fn extend(&mut self, item: u8) { self.items.push(item) }
    pub fn merge_left(&mut self, other: &List) { self.items = [other.items.clone(), self.items.clone()].concat() }
}

/// A node of a tree with a cursor over its children, which is off at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree { parent: Option<u8>, children: Vec<u8>, cursor: usize }

impl Tree {
    pub fn root() -> Tree { Tree { parent: None, children: Vec::new(), cursor: 0 } }
    pub fn child(parent: u8) -> Tree { Tree { parent: Some(parent), children: Vec::new(), cursor: 0 } }
    pub fn len(&self) -> usize { self.children.len() }
    pub fn off(&self) -> bool { self.cursor >= self.children.len() }
    pub fn is_sibling(&self, other: &Tree) -> bool { self.parent.is_some() && self.parent == other.parent }
    pub fn grow(&mut self, child: u8) { self.children.push(child); self.cursor = self.children.len() }
    pub fn start(&mut self) { self.cursor = 0 }
    /// Puts the children of another node behind the cursor.
    ///
    /// # Panics
    ///
    /// Panics if the cursor is off.
    pub fn merge_after(&mut self, other: &Tree) {
        assert!(!self.off(), \"the cursor is off\");
        let end = self.cursor + 1 + if self.is_sibling(other) { self.children.len() } else { 0 };
        let rest = self.children[end..].to_vec();
        self.children.truncate(end);
        self.children.extend(&other.children);
        self.children.extend(rest);
    }
}
";

#[test]
fn the_worked_examples_of_the_paper_come_out_as_declared() {
    let fixture = Fixture::package(&[("src/lib.rs", WORKED)]);
    let arguments = ["contracts", "--executions", "3000", "--no-store", "--json"];
    let report = fixture.run(&arguments).expect_code(0).json();
    let merge = contracts(&report, "sample::SortedSet::merge");
    assert!(merge.iter().all(|it| !it.contains("is_disjoint")), "A: overlapping sets were merged: {merge:?}");
    assert!(merge.contains(&"self is unchanged exactly if other.is_subset(self)".to_owned()), "A: {merge:?}");
    let merge_left = contracts(&report, "sample::List::merge_left");
    assert!(
        !merge_left.iter().any(|it| it.starts_with("if self == other") && it.contains("is_empty")),
        "B: equal lists that are not empty were merged: {merge_left:?}"
    );
    assert!(
        merge_left.iter().any(|it| it.contains("self.len() ==") && it.contains("other.len()")),
        "B: {merge_left:?}"
    );
    let faults = report["faults"].as_array().expect("a list");
    let [fault] = faults.as_slice() else { panic!("C: one fault: {faults:#?}") };
    assert!(fault["message"].as_str().is_some_and(|it| it.contains("out of range")), "C: {fault}");
    let program = fault["program"].as_array().expect("lines");
    assert!(program.iter().any(|line| line.as_str().is_some_and(|it| it.contains("start()"))), "C: {fault}");
    assert!(report["rounds"].as_u64() > Some(0), "inference and reduction alternate");
    assert_eq!(report["laws"]["broken"].as_array().map(Vec::len), Some(0), "{:#}", report["laws"]);
    assert!(report["laws"]["tried"].as_u64() >= Some(6), "{:#}", report["laws"]);
}

/// An equality that is none: what is broken is said, with an example.
#[test]
fn a_broken_law_of_a_trait_is_found() {
    let source = "
#[derive(Clone, Debug)]
pub struct Name { text: String }
impl Name { pub fn new(text: &str) -> Name { Name { text: text.to_owned() } } pub fn len(&self) -> usize { self.text.len() } }
impl PartialEq for Name { fn eq(&self, other: &Name) -> bool { self.text.len() <= other.text.len() } }
impl Eq for Name {}
";
    let fixture = Fixture::package(&[("src/lib.rs", source)]);
    let arguments = ["contracts", "--executions", "600", "--no-store", "--json"];
    let report = fixture.run(&arguments).expect_code(0).json();
    let broken = report["laws"]["broken"].as_array().expect("a list");
    let laws: Vec<_> = broken.iter().map(|it| it["law"].as_str().expect("a text")).collect();
    assert_eq!(laws, ["(a == b) == (b == a)"], "{broken:#?}");
}

#[test]
fn contracts_become_tests_that_kill_and_a_patch_that_compiles() {
    let fixture = Fixture::package(&[("src/lib.rs", SHELF)]).with_tests_in("tests");
    let arguments = ["contracts", "--executions", "2000", "--no-store"];
    let more = ["--property-tests", "--patch", "--mutants", "--json"];
    let report = fixture.run(&[&arguments[..], &more].concat()).expect_code(0).json();
    let written = report["property_tests"]["written"].as_array().expect("a list");
    let names: Vec<&str> = written.iter().filter_map(|it| it["name"].as_str()).collect();
    for name in ["at_panics_exactly_if_index_at_least_len", "push_panics_exactly_if_is_full"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(written.iter().all(|it| it["kills"].as_array().is_some_and(|kills| !kills.is_empty())));
    let text = fixture.read("tests/testsmith_contracts/main.rs");
    assert!(text.contains("/// panics exactly if index >= self.len()\n///\n/// Fails on:\n"), "{text}");
    let mut cargo = fixture.command("cargo");
    let passing = cargo.args(["test", "--offline", "--test", "testsmith_contracts"]).output();
    let passing = passing.expect("cargo can be started");
    assert!(passing.status.success(), "{}", String::from_utf8_lossy(&passing.stdout));
    let breaking = report["mutants"]["breaking"].as_array().expect("a list");
    assert!(breaking.len() > 3, "{breaking:#?}");
    let patch = report["patch"].as_str().expect("a text");
    assert!(
        patch.contains("+    /// Panics if `index >= self.len()`.") && !patch.contains("is_full()`"),
        "{patch}"
    );
    assert_eq!(fixture.read("src/lib.rs"), SHELF, "nothing is applied");

    // What somebody has changed is theirs.
    fixture.write("tests/testsmith_contracts/main.rs", format!("{text}\n// mine\n"));
    let refused = fixture.run(&[&arguments[..], &["--property-tests"]].concat()).expect_code(1);
    assert!(refused.stderr.contains("has been changed since it was written"), "{}", refused.stderr);
}

/// What the first run has killed, the second kills with the stored programs, and survivors say what they break.
#[test]
fn a_second_generate_begins_with_what_the_first_has_found() {
    let fixture = Fixture::package(&[("src/lib.rs", SHELF)]);
    let run = |more: &[&str]| {
        let arguments = ["generate", "--all-mutants", "--dry-run", "--budget", "2s", "--json"];
        fixture.run(&[&arguments[..], more].concat()).expect_code(0).json()
    };
    let first = run(&[]);
    assert_eq!(first["from_store"]["programs"], 0, "{}", first["from_store"]);
    assert!(first["from_store"]["added"].as_u64() > Some(3), "{}", first["from_store"]);
    let second = run(&[]);
    assert_eq!(second["from_store"]["programs"], first["from_store"]["added"], "{}", second["from_store"]);
    assert!(second["strategies"]["store"].as_u64() > Some(10), "{}", second["strategies"]);
    assert!(second["yield"]["found"].as_u64() >= first["yield"]["found"].as_u64(), "{}", second["yield"]);
}
