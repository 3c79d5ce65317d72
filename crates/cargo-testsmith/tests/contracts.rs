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
