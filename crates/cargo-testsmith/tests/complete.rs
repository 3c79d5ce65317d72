//! Nothing of a crate's API gets lost: each public function that rustdoc lists can be called or is skipped with a reason.
//! The count here is made from rustdoc's JSON alone and shares no code with the model.

mod util;

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use util::Fixture;

/// Functions by the type or trait that they belong to, as rustdoc lists them.
struct Listed<'d> {
    index: &'d Map<String, Value>,
    reached: BTreeSet<String>,
}

impl<'d> Listed<'d> {
    fn read(document: &'d Value) -> Listed<'d> {
        let mut listed = Listed {
            index: document["index"].as_object().expect("there is an index"),
            reached: BTreeSet::new(),
        };
        listed.reach(&document["root"].to_string(), false);
        listed
    }

    /// Follows modules and imports; those with a star leave the module itself out.
    fn reach(&mut self, id: &str, only_inside: bool) {
        let Some(item) = self.index.get(id) else { return };
        if !only_inside && !self.reached.insert(id.to_owned()) {
            return;
        }
        let inner = &item["inner"];
        if let Some(import) = inner.get("use") {
            let is_glob = import["is_glob"] == true;
            self.reach(&import["id"].to_string(), is_glob);
        }
        for child in inner["module"]["items"].as_array().into_iter().flatten() {
            let id = child.to_string();
            let is_offered = |child: &Value| child["visibility"] == "public" && !is_hidden(child);
            if self.index.get(&id).is_some_and(is_offered) {
                self.reach(&id, false);
            }
        }
    }

    fn is_hidden(&self, id: &Value) -> bool {
        let id = id.to_string();
        self.index.get(&id).is_some_and(|item| item["crate_id"] == 0) && !self.reached.contains(&id)
    }

    /// `area` or `Shape::area`, or `Area::of` for a method of a trait.
    fn functions(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (id, item) in self.index.iter().filter(|(_, item)| item["crate_id"] == 0) {
            let inner = &item["inner"];
            if inner.get("function").is_some() && self.reached.contains(id) {
                found.insert(text(&item["name"]).to_owned());
            }
            let Some(imp) = inner.get("impl") else { continue };
            let is_written = imp["is_synthetic"] == false && imp["blanket_impl"].is_null();
            let mut of = &imp["for"];
            while of.get("borrowed_ref").is_some() {
                of = &of["borrowed_ref"]["type"];
            }
            let of = &of["resolved_path"];
            if !is_written || self.is_hidden(&of["id"]) || self.is_hidden(&imp["trait"]["id"]) {
                continue;
            }
            let owner = if imp["trait"].is_null() { &of["path"] } else { &imp["trait"]["path"] };
            let owner = text(owner).rsplit("::").next().expect("a name");
            let members = imp["items"].as_array().into_iter().flatten();
            for member in members.filter_map(|id| self.index.get(&id.to_string())) {
                let is_public =
                    matches!(text(&member["visibility"]), "public" | "default") && !is_hidden(member);
                if is_public && member["inner"].get("function").is_some() {
                    found.insert(format!("{owner}::{}", text(&member["name"])));
                }
            }
        }
        found
    }
}

/// Whether its authors keep it out of the docs.
fn is_hidden(item: &Value) -> bool {
    item["attrs"].to_string().contains("#[doc(hidden)]")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A path of a report as [`Listed::functions`] writes it.
fn short(path: &str) -> Vec<String> {
    if let Some((_, rest)) = path.strip_prefix('<').and_then(|path| path.split_once(" as ")) {
        return vec![rest.replace('>', "")];
    }
    let parts: Vec<&str> = path.rsplit("::").collect();
    [1, 2]
        .iter()
        .map(|count| parts.iter().take(*count).rev().copied().collect::<Vec<_>>().join("::"))
        .collect()
}

fn check(fixture: &Fixture, library: &str) {
    let report = fixture.run(&["inspect", "--json"]).expect_code(0).json();
    let document = fixture.read(&format!("target/testsmith/build/doc/{library}.json"));
    let document: Value = serde_json::from_str(&document).expect("rustdoc writes JSON");
    let callables = &report["callables"];
    let skipped = callables["skipped"].as_array().expect("a list");
    let count = |key: &str| callables[key].as_u64().expect("a number");
    assert_eq!(count("found"), count("testable") + skipped.len() as u64);
    assert!(skipped.iter().all(|skipped| !text(&skipped["reason"]).is_empty()));
    let members = report["members"].as_array().expect("a list");
    let told: BTreeSet<String> =
        members.iter().chain(skipped).flat_map(|member| short(text(&member["path"]))).collect();
    let listed = Listed::read(&document).functions();
    assert!(!listed.is_empty());
    let lost: Vec<_> = listed.difference(&told).collect();
    assert!(lost.is_empty(), "{library} has lost {lost:?}");
}

#[test]
fn every_public_function_is_called_or_skipped() {
    for (name, library) in [("demo", "meeting_room"), ("hostile", "hostile"), ("macros", "macros")] {
        check(&Fixture::copy(name), library);
    }
}

#[test]
fn impls_that_fit_no_type_are_counted() {
    let lib = "
pub struct Wrapper<T>(T);
pub trait Sealed { const KEY: u8; fn key(&self) -> u8 { Self::KEY } }
impl<T> Wrapper<T> { pub fn new(inner: T) -> Self { Wrapper(inner) } }
impl<T: std::future::Future> Wrapper<T> { pub fn polled(&self) -> bool { true } }
impl<A: IntoIterator, B: IntoIterator> From<(A, B)> for Wrapper<(A::IntoIter, B::IntoIter)> {
    fn from((a, b): (A, B)) -> Self { Wrapper((a.into_iter(), b.into_iter())) }
}
impl<T: Sealed> Wrapper<T> { pub fn sealed(&self) -> u8 { self.0.key() } }
impl<T> std::fmt::Pointer for Wrapper<T> { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(\"p\") } }
";
    let fixture = Fixture::package(&[("src/lib.rs", lib)]);
    fixture.write("Cargo.toml", "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    check(&fixture, "sample");
}
