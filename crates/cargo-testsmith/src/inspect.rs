//! `cargo testsmith inspect`: what of a crate can be called, and what cannot, and why.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;
use testsmith_instrument::{Plan, State};
use testsmith_model::Package;
use testsmith_model::api::{Model, Origin, OriginKind, Reach};

use crate::build::Builder;
use crate::failure::Failure;
use crate::filter::Filter;
use crate::harness::{self, Driven};
use crate::options::{Output, PackageOptions};
use crate::report::json::SCHEMA;
use crate::report::progress::Progress;

/// `inspect --json`.
#[derive(Serialize)]
struct Inspection {
    schema: &'static str,
    package: String,
    callables: Callables,
    units: Vec<Unit>,
    /// Concrete types that programs can use.
    types: usize,
    /// Entries of the harness: a generic callable has several.
    entries: usize,
    /// Version of rustdoc's format.
    rustdoc_format: u64,
    build_rounds: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct Callables {
    found: usize,
    testable: usize,
    /// Of those that are testable, with `--private`.
    private: usize,
    skipped: Vec<SkippedCallable>,
}

#[derive(Serialize)]
struct SkippedCallable {
    path: String,
    reason: String,
}

/// A type with its impls, or the free functions of a module.
#[derive(Serialize)]
struct Unit {
    name: String,
    callables: usize,
    mutants: usize,
}

pub(crate) fn run(
    options: &PackageOptions,
    filter: &Filter,
    builder: &Builder,
    reach: Reach,
    output: Output,
) -> Result<(), Failure> {
    let progress = Progress::new(output);
    let result: Result<Vec<_>, Failure> = options
        .workspace
        .packages
        .iter()
        .map(|package| inspect(options, filter, builder, package, reach, &progress))
        .collect();
    progress.finish();
    let inspections = result?;
    if output.json {
        match inspections.as_slice() {
            [one] => crate::print_json(one),
            several => crate::print_json(&several),
        }
    } else {
        inspections.iter().for_each(|inspection| anstream::print!("{}", inspection.text(output.verbose)));
    }
    Ok(())
}

fn inspect(
    options: &PackageOptions,
    filter: &Filter,
    builder: &Builder,
    package: &Package,
    reach: Reach,
    progress: &Progress,
) -> Result<Inspection, Failure> {
    let started = Instant::now();
    let Driven { model, plan, built, .. } =
        harness::build(options, filter, builder, package, reach, progress)?;
    Ok(Inspection {
        schema: SCHEMA,
        package: package.name.clone(),
        callables: callables(&model),
        units: units(&model, &plan),
        types: model.api.types.len(),
        entries: model.api.callables.len(),
        rustdoc_format: model.format,
        build_rounds: built.rounds,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Methods that only the standard library's traits add are not the crate's own.
fn is_own(origin: &&Origin) -> bool {
    origin.kind != OriginKind::Provided
}

fn callables(model: &Model) -> Callables {
    let testable = model.origins.iter().filter(is_own).count();
    let skipped: Vec<_> = model
        .skipped
        .iter()
        .map(|skipped| SkippedCallable { path: skipped.path.clone(), reason: skipped.reason.clone() })
        .collect();
    let private = model.origins.iter().filter(is_own).filter(|origin| origin.is_private).count();
    Callables { found: testable + skipped.len(), testable, private, skipped }
}

fn units(model: &Model, plan: &Plan) -> Vec<Unit> {
    let mut units: BTreeMap<&str, Unit> = BTreeMap::new();
    for origin in model.origins.iter().filter(is_own) {
        let empty = || Unit { name: origin.unit.clone(), callables: 0, mutants: 0 };
        units.entry(&origin.unit).or_insert_with(empty).callables += 1;
    }
    let private = Unit { name: "(private functions)".to_owned(), callables: 0, mutants: 0 };
    let mut private = Some(private);
    for (mutant, _) in plan.iter().filter(|(_, state)| **state == State::Alive) {
        let function = &plan.functions[mutant.function];
        let file = &plan.tree.files[function.file].name;
        let unit = unit_at(model, file, function.line).and_then(|name| units.get_mut(name));
        if let Some(unit) = unit.or(private.as_mut()) {
            unit.mutants += 1;
        }
    }
    units.into_values().chain(private.filter(|unit| unit.mutants > 0)).collect()
}

/// The unit of the function on this line.
fn unit_at<'m>(model: &'m Model, file: &str, line: usize) -> Option<&'m str> {
    let is_there = |origin: &&Origin| {
        origin
            .place
            .as_ref()
            .is_some_and(|place| place.file == file && (place.first..=place.last).contains(&line))
    };
    model.origins.iter().filter(is_own).find(is_there).map(|origin| origin.unit.as_str())
}

impl Inspection {
    fn text(&self, verbose: bool) -> String {
        use std::fmt::Write;
        let mut text = String::new();
        let Callables { found, testable, private, skipped } = &self.callables;
        let _ = write!(text, "{}: {testable} of {found} callables can be tested", self.package);
        if *private > 0 {
            let _ = write!(text, ", {private} of them from inside of the crate only");
        }
        text.push('\n');
        let width = self.units.iter().map(|unit| unit.name.len()).max().unwrap_or(4).max(4);
        let _ = writeln!(text, "\n  {:width$}  callables  mutants", "unit");
        for unit in &self.units {
            let _ = writeln!(text, "  {:width$}  {:9}  {:7}", unit.name, unit.callables, unit.mutants);
        }
        if !skipped.is_empty() {
            let _ = writeln!(text, "\n{} cannot:", skipped.len());
        }
        let shown = if verbose { skipped.len() } else { 20 };
        for one in skipped.iter().take(shown) {
            let _ = writeln!(text, "  {}: {}", one.path, one.reason);
        }
        if skipped.len() > shown {
            let _ = writeln!(text, "  … and {} more (--verbose shows all)", skipped.len() - shown);
        }
        text
    }
}
