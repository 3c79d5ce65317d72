//! `cargo testsmith inspect`: what of a crate can be called, what a call needs and changes, and what cannot be called,
//! and why. `purity` writes the table, `json` a part of the document; `drawing` draws the graph.

mod json;
mod purity;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use serde::Serialize;
use testsmith_instrument::{Plan, State};
use testsmith_model::api::{Model, Origin, OriginKind};
use testsmith_model::effects;
use testsmith_model::graph::Graph;

use crate::api_config::ApiConfig;
use crate::build::Builder;
use crate::cli::{GraphFormat, PartArgs};
use crate::drawing::View;
use crate::failure::{Failure, IoContext};
use crate::filter::Filter;
use crate::harness::{self, BuiltHarness, HarnessRequest};
use crate::list;
use crate::options::{Output, PackageOptions};
use crate::report::json::SCHEMA;
use crate::report::progress::Progress;
use crate::unit;

/// `inspect --json`.
#[derive(Serialize)]
struct Inspection {
    schema: &'static str,
    package: String,
    callables: Callables,
    units: Vec<Unit>,
    members: Vec<json::MemberEntry>,
    graph: json::GraphEntry,
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

/// What was found out of a package.
struct Inspected {
    document: Inspection,
    graph: Graph,
}

pub(crate) fn run(
    options: &PackageOptions,
    filter: &Filter,
    api_config: &ApiConfig,
    builder: &Builder,
    part: &PartArgs,
    private: bool,
    output: Output,
) -> Result<(), Failure> {
    if part.graph == Some(GraphFormat::Svg) && options.workspace.packages.len() > 1 {
        return Err(Failure::usage("one picture shows one package\n  choose it with -p"));
    }
    let progress = Progress::new(output);
    let result: Result<Vec<_>, Failure> = options
        .workspace
        .packages
        .iter()
        .enumerate()
        .map(|(at, package)| {
            let harness_request = HarnessRequest {
                options,
                builder,
                package,
                private,
                test_modules: None,
                api_config,
                stays_inside: true,
            };
            inspect(&harness_request, filter, at, &progress)
        })
        .collect();
    progress.finish();
    let inspected = result?;
    let text = if output.json {
        let documents: Vec<_> = inspected.iter().map(|one| &one.document).collect();
        match documents.as_slice() {
            [one] => crate::json_text(one),
            several => crate::json_text(&several),
        }
    } else {
        let texts: Result<Vec<_>, Failure> =
            inspected.iter().map(|one| one.shown(part, output.verbose)).collect();
        texts?.join("\n")
    };
    match &part.out {
        Some(path) => std::fs::write(path, text).doing("write", path),
        None => {
            crate::print_text(&text);
            Ok(())
        }
    }
}

/// Package number `at`.
fn inspect(
    harness_request: &HarnessRequest<'_>,
    filter: &Filter,
    at: usize,
    progress: &Progress,
) -> Result<Inspected, Failure> {
    let started = Instant::now();
    let package = harness_request.package;
    let plan = list::plan(harness_request.options, filter, harness_request.builder)?;
    let BuiltHarness { model, plan, built, .. } = harness::build(harness_request, plan, progress)?;
    progress.phase("reading what the functions do");
    let effects = effects::analyse(&plan.tree, at, &plan.cfgs[at]);
    let graph = Graph::new(&model, &effects);
    let document = Inspection {
        schema: SCHEMA,
        package: package.name.clone(),
        callables: callables(&model),
        units: units(&model, &plan),
        members: json::members(&graph),
        graph: json::graph(&graph),
        types: model.api.types.len(),
        entries: model.api.callables.len(),
        rustdoc_format: model.format,
        build_rounds: built.rounds,
        seconds: started.elapsed().as_secs_f64(),
    };
    Ok(Inspected { document, graph })
}

impl Inspected {
    /// The part that the user has asked for.
    fn shown(&self, part: &PartArgs, verbose: bool) -> Result<String, Failure> {
        let units: BTreeSet<&str> = self.graph.members.iter().map(|member| member.unit.as_str()).collect();
        let unit = part.unit.as_deref().map(|name| unit::find(&units, name)).transpose()?;
        if let Some(format) = part.graph {
            let package = &self.document.package;
            let title = unit.map_or_else(|| package.clone(), |unit| format!("{package}, {unit}"));
            return Ok(View { graph: &self.graph, title, purified: part.purified, unit }.draw(format));
        }
        if part.purity {
            return Ok(purity::table(&self.graph, unit));
        }
        Ok(self.document.text(verbose) + &purity::summary(&self.graph))
    }
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
