//! The text of the harness: a table of types and a table of callables, one entry a line.
//!
//! A line is known by its file and number, so that a message of the compiler leads back to its entry.

use std::collections::HashMap;
use std::fmt::Write;

use testsmith_ir::api::{Accepts, Api, Callable, CallableId, TypeId};

use crate::RUNTIME;

/// Entries of one file: small files are compiled side by side.
const ENTRIES: usize = 100;

/// A line of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// A type.
    Kind(TypeId),
    /// A callable.
    Call(CallableId),
}

/// The sources of the harness.
#[derive(Debug)]
pub struct Harness {
    /// Name and text of each file; the first is `main.rs`.
    pub files: Vec<(String, String)>,
    lines: HashMap<(String, usize), Entry>,
}

impl Harness {
    /// Writes the harness of an API for a meta-program with so many mutants. `counts` is whether it counts allocations:
    /// a program has one allocator, and the crate may have its own.
    pub fn new(api: &Api, mutants: usize, counts: bool) -> Harness {
        let kinds = api
            .types()
            .filter(|(_, ty)| ty.text != "_")
            .map(|(id, ty)| (Entry::Kind(id), format!("{RUNTIME}::kind!({}, {})", id.0, ty.text)));
        let calls = api.callables().map(|(id, callable)| {
            // A type of the table has been asked for its traits already.
            let known = if api[callable.output].text == "_" { "" } else { "known " };
            let line = format!("{RUNTIME}::call!({}, {known}|f| {})", id.0, code(api, callable));
            (Entry::Call(id), line)
        });
        let mut harness = Harness { files: Vec::new(), lines: HashMap::new() };
        let kinds = harness.tables("kinds", "Kind", kinds.collect());
        let calls = harness.tables("calls", "Call", calls.collect());
        harness.files.insert(0, ("main.rs".to_owned(), main(&kinds, &calls, mutants, counts)));
        harness
    }

    /// Writes the files of one table; returns the names of their modules.
    fn tables(&mut self, name: &str, entry: &str, lines: Vec<(Entry, String)>) -> Vec<String> {
        let mut modules = Vec::new();
        for (number, chunk) in lines.chunks(ENTRIES).enumerate() {
            let module = format!("{name}{number}");
            let mut text = String::new();
            let of = format!("{RUNTIME}::harness::{entry}");
            for (at, (entry, line)) in chunk.iter().enumerate() {
                // A function of its own: the compiler looks at the borrows of a function only where all its types fit, so
                // that entries in one function would hide each other's errors until the next round.
                let _ = writeln!(text, "fn entry{at}() -> {of} {{ {line} }}");
                self.lines.insert((format!("{module}.rs"), at + 1), *entry);
            }
            let calls: Vec<_> = (0..chunk.len()).map(|at| format!("entry{at}()")).collect();
            let _ =
                writeln!(text, "pub(crate) fn table() -> Vec<{of}> {{\n    vec![{}]\n}}", calls.join(", "));
            self.files.push((format!("{module}.rs"), text));
            modules.push(module);
        }
        modules
    }

    /// How many entries its tables have.
    pub fn entries(&self) -> usize {
        self.lines.len()
    }

    /// The entry on a line of a file.
    pub fn entry(&self, file: &str, line: usize) -> Option<Entry> {
        self.lines.get(&(file.to_owned(), line)).copied()
    }
}

fn main(kinds: &[String], calls: &[String], mutants: usize, counts: bool) -> String {
    let modules = kinds.iter().chain(calls).map(|module| format!("mod {module};\n")).collect::<String>();
    let joined = |modules: &[String]| {
        if modules.is_empty() {
            return "Vec::new()".to_owned();
        }
        let tables: Vec<_> = modules.iter().map(|module| format!("{module}::table()")).collect();
        format!("[{}].into_iter().flatten().collect()", tables.join(", "))
    };
    let allocator = match counts {
        true => format!(
            "#[global_allocator]\nstatic MEMORY: {RUNTIME}::harness::Counting = {RUNTIME}::harness::Counting;\n\n"
        ),
        false => String::new(),
    };
    format!(
        "#![allow(warnings)]\n\n{modules}\n{allocator}{RUNTIME}::chance!();\n{RUNTIME}::outside!();\n\nfn main() {{\n    {RUNTIME}::harness::serve(\
         {RUNTIME}::harness::Tables {{\n        mutants: {mutants},\n        kinds: {},\n        calls: {},\n    }});\n}}\n",
        joined(kinds),
        joined(calls)
    )
}

/// The expression of a callable with the accessors of its arguments in it.
fn code(api: &Api, callable: &Callable) -> String {
    let mut text = String::new();
    let mut rest = callable.code.as_str();
    while let Some(at) = rest.find('$') {
        let digits = rest[at + 1..].chars().take_while(char::is_ascii_digit).count();
        text.push_str(&rest[..at]);
        match rest[at + 1..at + 1 + digits].parse::<usize>() {
            Ok(number) if number < callable.params.len() => {
                text.push_str(&argument(api, callable.params[number].accepts, number));
            }
            _ => text.push('$'),
        }
        rest = &rest[at + 1 + digits..];
    }
    text + rest
}

fn argument(api: &Api, accepts: Accepts, number: usize) -> String {
    let of = |name: &str, id: TypeId| format!("f.{name}::<{}>({number})", api[id].text);
    match accepts {
        Accepts::Value(id) => of("value", id),
        Accepts::Shared(id) => of("shared", id),
        Accepts::Exclusive(id) => of("exclusive", id),
        Accepts::Slice(id) => of("slice", id),
        Accepts::SliceMut(id) => of("slice_mut", id),
        Accepts::Text => format!("f.text({number})"),
        Accepts::Path => format!("f.path({number})"),
        Accepts::OsText => format!("f.os_text({number})"),
        Accepts::CText => format!("f.c_text({number})"),
        Accepts::List(id) => format!("f.list::<{}>()", api[id].text),
    }
}

#[cfg(test)]
mod tests {
    use testsmith_ir::api::{Facts, Param, Type};

    use super::*;

    fn api() -> Api {
        let ty = |text: &str| Type {
            text: text.to_owned(),
            shown: text.to_owned(),
            imports: Vec::new(),
            literal: None,
            borrows: false,
            referent: None,
            facts: Facts::default(),
        };
        let param = |accepts| Param { name: "value".to_owned(), accepts };
        let callable = Callable {
            path: "f".to_owned(),
            code: "::sample::f($0, $1)".to_owned(),
            shown: "f($0, $1)".to_owned(),
            imports: Vec::new(),
            params: vec![param(Accepts::Exclusive(TypeId(0))), param(Accepts::Text)],
            output: TypeId(1),
            flows: Vec::new(),
        };
        Api { types: vec![ty("::sample::S"), ty("_")], callables: vec![callable], ..Api::default() }
    }

    #[test]
    fn every_entry_has_a_line_that_leads_back_to_it() {
        let harness = Harness::new(&api(), 7, true);
        let names: Vec<_> = harness.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["main.rs", "kinds0.rs", "calls0.rs"]);
        let line = "fn entry0() -> __testsmith::harness::Call { \
                    __testsmith::call!(0, |f| ::sample::f(f.exclusive::<::sample::S>(0), f.text(1))) }";
        let text = &harness.files[2].1;
        let at = text.lines().position(|other| other.trim() == line).expect("the call has a line") + 1;
        assert_eq!(harness.entry("calls0.rs", at), Some(Entry::Call(CallableId(0))));
        assert_eq!(harness.entry("kinds0.rs", 1), Some(Entry::Kind(TypeId(0))));
    }

    #[test]
    fn a_crate_may_have_nothing_to_call() {
        let main = &Harness::new(&Api::default(), 0, true).files[0].1;
        assert!(main.contains("kinds: Vec::new(),\n        calls: Vec::new(),"), "{main}");
    }

    #[test]
    fn where_the_crate_has_an_allocator_the_harness_has_none() {
        let main = |counts| Harness::new(&api(), 7, counts).files.swap_remove(0).1;
        assert!(main(true).contains("#[global_allocator]"));
        assert!(!main(false).contains("allocator"));
    }
}
