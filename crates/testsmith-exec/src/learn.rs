//! What the compiler knew, told by a worker: [`learn`] completes the tables with it.

use testsmith_ir::api::{Api, Facts, Type, TypeId};
use testsmith_rt::harness::wire::{Hello, TypeReport};

/// Completes the tables: facts of all types, types that are the same made one, and the types of results that nobody
/// could name before. What a worker says that makes no sense is left aside: it runs code that nobody trusts.
pub fn learn(api: &mut Api, hello: &Hello) {
    let is_sound = |report: &&TypeReport| report.index < MOST_TYPES && report.canonical <= report.index;
    let reports: Vec<&TypeReport> = hello.types.iter().filter(is_sound).collect();
    let most = reports.iter().map(|report| report.index as usize + 1).max().unwrap_or(0);
    let mut canonical: Vec<TypeId> = (0..).map(TypeId).take(most.max(api.types.len())).collect();
    // Placeholders are given up: their numbers are free for what the compiler found.
    let placeholders: Vec<Type> = api.types.clone();
    for report in reports {
        canonical[report.index as usize] = TypeId(report.canonical);
        enter(api, report);
    }
    let outputs: Vec<TypeId> = api.callables.iter().map(|callable| callable.output).collect();
    api.canonical(&canonical);
    for report in &hello.calls {
        let Some(callable) = api.callables.get_mut(report.callable as usize) else { continue };
        let Some(output) = api.types.get_mut(report.output as usize) else { continue };
        let declared = &placeholders[outputs[report.callable as usize].0 as usize];
        callable.output = TypeId(report.output);
        // Whether a type that the compiler inferred borrows is known from the signature alone.
        if declared.text == "_" {
            output.borrows |= declared.borrows;
        }
    }
}

/// No API has so many.
const MOST_TYPES: u32 = 1 << 20;

fn enter(api: &mut Api, report: &TypeReport) {
    let index = report.index as usize;
    let unknown = Type {
        text: "_".to_owned(),
        shown: "_".to_owned(),
        imports: Vec::new(),
        literal: None,
        borrows: false,
        referent: None,
        facts: Facts::default(),
    };
    if index >= api.types.len() {
        api.types.resize(index + 1, unknown.clone());
    }
    let ty = &mut api.types[index];
    if ty.text == "_" {
        *ty = Type { text: report.name.clone(), ..unknown };
    }
    let facts = &report.facts;
    ty.facts = Facts {
        copy: facts.copy,
        clone: facts.clone,
        needs_drop: facts.needs_drop,
        debug: facts.debug,
        display: facts.display,
        eq: facts.eq,
        ord: facts.ord,
        size: usize::try_from(facts.size).unwrap_or(usize::MAX),
    };
}

#[cfg(test)]
mod tests {
    use testsmith_ir::{Accepts, sketch};
    use testsmith_rt::harness::wire::{CallReport, Facts as WireFacts, Place};

    use super::*;

    fn call(callable: u32, output: u32) -> CallReport {
        CallReport { callable, output, code: Place::default() }
    }

    fn report(index: u32, canonical: u32, copy: bool) -> TypeReport {
        let facts = WireFacts { copy, size: 8, ..WireFacts::default() };
        TypeReport { index, canonical, name: format!("T{index}"), facts, drop: None }
    }

    #[test]
    fn types_that_are_the_same_become_one_and_inferred_ones_get_a_name() {
        let mut api = sketch::api(
            "type A: copy
             type B: copy
             fn make() -> A => make()
             fn take(b: B) => take($0)
             fn guess() -> A => guess()",
        )
        .expect("the tables are right");
        let [a, b] = ["A", "B"].map(|name| api.find_type(name).expect("it is in the table"));
        let inferred = u32::try_from(api.types.len()).expect("few");
        let hello = Hello {
            mutants: 0,
            types: vec![
                report(0, 0, true),
                report(a.0, a.0, true),
                report(b.0, a.0, true),
                report(inferred, inferred, false),
            ],
            calls: vec![call(0, a.0), call(1, 0), call(2, inferred)],
        };
        learn(&mut api, &hello);
        assert_eq!(api.callables[1].params[0].accepts, Accepts::Value(a));
        assert_eq!(api.callables[2].output, TypeId(inferred));
        assert_eq!(api[TypeId(inferred)].text, format!("T{inferred}"));
        assert!(api[a].facts.copy && !api[TypeId(inferred)].facts.copy);
    }
}
