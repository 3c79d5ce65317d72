//! The report of `contracts`: text, JSON, a page in Markdown.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;
use testsmith_contracts::{Contract, LAWS, Table, Tables};
use testsmith_instrument::Plan;
use testsmith_ir::{Api, Program, check, render};
use testsmith_model::Package;
use testsmith_model::api::Model;

use super::claims::{Findings, broken_promise, gap, is_shown};
use super::kept::Kept;
use super::properties::PropertyTests;
use super::sampling::{Checked, Judged, Sampler};
use crate::cli::ContractsArgs;
use crate::options::Output;
use crate::report::json::{MutantEntry, SCHEMA};

/// Mutants that are named by default.
const MOST_MUTANTS: usize = 10;

/// `contracts --json`.
#[derive(Serialize)]
pub(super) struct Report {
    schema: &'static str,
    package: String,
    version: String,
    seed: u64,
    executions: u64,
    functions: Vec<Function>,
    types: Vec<Type>,
    refuted: Vec<RefutedClaim>,
    /// Functions of which nothing was seen.
    never_called: Vec<String>,
    /// Rounds of reduction that had something to try.
    rounds: u64,
    /// Panics that neither the docs nor a guard in the code declare.
    faults: Vec<FaultReport>,
    /// Laws of the standard library's traits.
    laws: LawsReport,
    /// What contracts say of mutants.
    #[serde(skip_serializing_if = "Option::is_none")]
    mutants: Option<MutantsReport>,
    /// What was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) property_tests: Option<PropertyTests>,
    /// A unified diff that nobody has applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) patch: Option<String>,
    /// Objects of earlier runs, and for later ones.
    pub(super) kept: Kept,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<Checked>,
    seconds: f64,
}

#[derive(Serialize)]
struct FaultReport {
    file: String,
    line: u32,
    message: String,
    /// The shortest program that shows it.
    program: Vec<String>,
}

#[derive(Serialize)]
struct LawsReport {
    tried: usize,
    broken: Vec<LawReport>,
}

#[derive(Serialize)]
struct LawReport {
    #[serde(rename = "type")]
    ty: String,
    #[serde(rename = "trait")]
    of_trait: &'static str,
    law: &'static str,
    /// Trials that hold, of all.
    shown: usize,
    of: usize,
    /// The shortest program that breaks it.
    exception: Vec<String>,
}

#[derive(Serialize)]
struct MutantsReport {
    /// Mutants that some program has infected.
    infected: usize,
    /// Those that break a contract.
    broken: usize,
    /// Each with the contracts that it breaks.
    breaking: Vec<Breaking>,
}

#[derive(Serialize)]
struct Breaking {
    id: String,
    change: String,
    contracts: Vec<String>,
}

#[derive(Serialize)]
struct Function {
    path: String,
    unit: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The instance that was looked at.
    instance: String,
    /// All calls that were seen.
    calls: u64,
    /// Those that differ in something.
    distinct: usize,
    /// Distinct calls that panicked.
    panics: usize,
    contracts: Vec<Claim>,
    /// What the docs do not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<String>,
    /// What the docs say, and calls contradict.
    #[serde(skip_serializing_if = "Option::is_none")]
    promise: Option<String>,
}

#[derive(Serialize)]
struct Claim {
    kind: &'static str,
    text: String,
    /// Distinct calls that show it.
    shown: usize,
    /// Distinct calls that could have.
    of: usize,
    /// Whether it is in the text by default.
    is_shown: bool,
    /// The shortest program that panics for another reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unexplained: Vec<String>,
}

#[derive(Serialize)]
struct Type {
    name: String,
    /// Distinct objects.
    objects: usize,
    invariants: Vec<Claim>,
    nearly: Vec<NearlyClaim>,
}

#[derive(Serialize)]
struct NearlyClaim {
    text: String,
    shown: usize,
    of: usize,
    /// The shortest program that makes an exception.
    exception: Vec<String>,
}

#[derive(Serialize)]
struct RefutedClaim {
    path: String,
    kind: &'static str,
    text: String,
    program: Vec<String>,
    /// Whether the call that contradicts it panicked.
    panicked: bool,
}

impl Report {
    pub(super) fn new(
        package: &Package,
        model: &Model,
        sampler: &Sampler<'_>,
        findings: &Findings,
        args: &ContractsArgs,
    ) -> Report {
        let (api, tables) = (sampler.api, &sampler.tables);
        let functions = findings.functions.iter().map(|(at, (callable, contracts))| {
            let origin = &model.origins[*at];
            let table = &tables.callables[callable];
            Function {
                path: origin.path.clone(),
                unit: origin.unit.clone(),
                file: origin.place.as_ref().map(|place| place.file.clone()),
                line: origin.place.as_ref().map(|place| place.first),
                instance: api[*callable].path.clone(),
                calls: table.observed(),
                distinct: table.len(),
                panics: table.panicked().count(),
                contracts: contracts.iter().map(|contract| Claim::new(api, contract, table)).collect(),
                gap: gap(origin, tables, *callable, contracts),
                promise: broken_promise(origin, tables, *callable),
            }
        });
        let types = findings.types.iter().map(|(ty, invariants)| {
            let table = &tables.types[ty];
            let nearly = findings.nearly[ty].iter().map(|it| NearlyClaim {
                text: it.atom.text(table, false),
                shown: it.support.shown,
                of: it.support.of,
                exception: lines(api, &table.rows()[it.exception].shortest()),
            });
            Type {
                name: api[*ty].shown.clone(),
                objects: table.len(),
                invariants: invariants.iter().map(|contract| Claim::new(api, contract, table)).collect(),
                nearly: nearly.collect(),
            }
        });
        let refuted = findings.refuted.iter().map(|it| RefutedClaim {
            path: model.origins[it.origin].path.clone(),
            kind: it.contract.kind.name(),
            text: it.contract.text(&tables.callables[&it.callable]),
            program: lines(api, &it.program),
            panicked: it.panicked,
        });
        let faults = findings.faults.iter().map(|it| FaultReport {
            file: it.file.clone(),
            line: it.line,
            message: it.message.lines().next().unwrap_or_default().to_owned(),
            program: lines(api, &it.program),
        });
        let laws = findings.laws.iter().map(|it| {
            let known = LAWS.into_iter().find(|(law, ..)| *law == it.law.law);
            let (_, of_trait, law) = known.expect("all laws are in the table");
            LawReport {
                ty: api[it.law.ty].shown.clone(),
                of_trait,
                law,
                shown: it.shown,
                of: it.of,
                exception: lines(api, &it.exception),
            }
        });
        let is_missing = |at: &usize| !findings.functions.contains_key(at);
        let wanted = super::subjects(model, &args.unit).unwrap_or_default();
        let has_subject = |at: &usize| {
            model.origins[*at]
                .callables
                .iter()
                .any(|callable| wanted.contains(&crate::subject::id(*callable)))
        };
        let never = (0..model.origins.len()).filter(|at| is_missing(at) && has_subject(at));
        Report {
            schema: SCHEMA,
            package: package.name.clone(),
            version: package.version.clone(),
            seed: args.seed,
            executions: sampler.executions,
            functions: functions.collect(),
            types: types.collect(),
            refuted: refuted.collect(),
            rounds: findings.rounds,
            faults: faults.collect(),
            laws: LawsReport { tried: findings.laws_tried, broken: laws.collect() },
            mutants: None,
            property_tests: None,
            patch: None,
            never_called: never.map(|at| model.origins[at].path.clone()).collect(),
            kept: Kept::default(),
            checked: None,
            seconds: 0.0,
        }
    }

    /// Adds which mutants break which contracts.
    pub(super) fn tell_mutants(
        &mut self,
        model: &Model,
        findings: &Findings,
        tables: &Tables,
        judged: &Judged,
        plan: &Plan,
        packages: &[String],
    ) {
        let breaking = judged.broken.iter().map(|(mutant, broken)| {
            let entry = MutantEntry::new(plan, plan.mutant(*mutant), packages);
            let contracts = broken.iter().filter_map(|of| findings.text(model, tables, *of)).collect();
            Breaking { id: entry.id.clone(), change: entry.change.clone(), contracts }
        });
        self.mutants = Some(MutantsReport {
            infected: judged.infected.len(),
            broken: judged.broken.len(),
            breaking: breaking.collect(),
        });
    }

    pub(super) fn print(
        mut self,
        args: &ContractsArgs,
        output: Output,
        time: Duration,
        checked: Option<Checked>,
    ) {
        (self.seconds, self.checked) = (time.as_secs_f64(), checked);
        if output.json {
            crate::print_json(&self);
        } else if args.markdown {
            crate::print_text(&self.markdown(args.all));
        } else {
            crate::print_text(&self.text(args.all));
        }
    }

    fn text(&self, all: bool) -> String {
        let mut text = String::new();
        let mut unit = "";
        for function in self.functions.iter().filter(|function| function.is_shown(all)) {
            if function.unit != unit {
                unit = &function.unit;
                let _ = writeln!(text, "{unit}");
            }
            let _ = writeln!(text, "  {}  ({} different calls)", function.path, function.distinct);
            for claim in function.contracts.iter().filter(|claim| all || claim.is_shown) {
                let _ = writeln!(text, "    {}  ({})", claim.text, claim.support());
                for line in &claim.unexplained {
                    let _ = writeln!(text, "        {line}");
                }
            }
        }
        for ty in self.types.iter().filter(|ty| !ty.invariants.is_empty()) {
            let _ = writeln!(text, "every {}  ({} different ones)", ty.name, ty.objects);
            ty.invariants.iter().for_each(|claim| {
                let _ = writeln!(text, "    {}", claim.text);
            });
        }
        for ty in self.types.iter().filter(|ty| !ty.nearly.is_empty()) {
            let _ = writeln!(text, "nearly every {}", ty.name);
            for claim in &ty.nearly {
                let _ =
                    writeln!(text, "    {}  ({} of {}), but not after", claim.text, claim.shown, claim.of);
                claim.exception.iter().for_each(|line| {
                    let _ = writeln!(text, "        {line}");
                });
            }
        }
        let gaps: Vec<(&Function, &String)> =
            self.functions.iter().filter_map(|function| Some((function, function.gap.as_ref()?))).collect();
        if !gaps.is_empty() {
            let _ = writeln!(text, "panics that the docs do not name");
            for (function, gap) in gaps {
                let _ = writeln!(text, "  {}{}: {gap}", function.path, function.place());
            }
        }
        for function in self.functions.iter().filter(|function| function.promise.is_some()) {
            let promise = function.promise.as_deref().unwrap_or_default();
            let _ = writeln!(
                text,
                "a promise that calls contradict\n  {}{}: {promise}",
                function.path,
                function.place()
            );
        }
        self.faults_text(&mut text);
        self.laws_text(&mut text);
        self.mutants_text(&mut text, all);
        if all {
            self.refuted_text(&mut text);
        }
        if let Some(tests) = &self.property_tests {
            text += &tests.text(all);
        }
        if let Some(patch) = &self.patch {
            text += patch;
        }
        let _ = writeln!(text, "{}", self.summary());
        text
    }

    fn faults_text(&self, text: &mut String) {
        if self.faults.is_empty() {
            return;
        }
        let _ = writeln!(text, "panics that neither the docs nor the code declare");
        for fault in &self.faults {
            let _ = writeln!(text, "  {}:{}: {}", fault.file, fault.line, fault.message);
            fault.program.iter().for_each(|line| {
                let _ = writeln!(text, "        {line}");
            });
        }
    }

    fn laws_text(&self, text: &mut String) {
        for law in &self.laws.broken {
            let _ = writeln!(
                text,
                "{} breaks a law of {}: {}  ({} of {} trials hold), but not after",
                law.ty, law.of_trait, law.law, law.shown, law.of
            );
            law.exception.iter().for_each(|line| {
                let _ = writeln!(text, "        {line}");
            });
        }
    }

    fn mutants_text(&self, text: &mut String, all: bool) {
        let Some(mutants) = &self.mutants else { return };
        let most = if all { usize::MAX } else { MOST_MUTANTS };
        for mutant in mutants.breaking.iter().take(most) {
            let _ = writeln!(text, "mutant {} ({}) breaks", mutant.id, mutant.change);
            for contract in &mutant.contracts {
                let _ = writeln!(text, "    {contract}");
            }
        }
        let hidden = mutants.breaking.len().saturating_sub(most);
        let more = if hidden > 0 { format!("; --all lists {hidden} more") } else { String::new() };
        let _ = writeln!(
            text,
            "{} of {} mutants that were infected break a contract{more}",
            mutants.broken, mutants.infected
        );
    }

    fn refuted_text(&self, text: &mut String) {
        for refuted in &self.refuted {
            let _ = writeln!(text, "seemed to hold: {}: {}, until", refuted.path, refuted.text);
            refuted.program.iter().for_each(|line| {
                let _ = writeln!(text, "        {line}");
            });
        }
    }

    fn summary(&self) -> String {
        let claims: usize = self.functions.iter().map(|function| function.contracts.len()).sum();
        let invariants: usize = self.types.iter().map(|ty| ty.invariants.len()).sum();
        let mut text = format!(
            "{}: {} claims about {} functions and {} types, from {} programs; {} that seemed to hold were refuted",
            self.package,
            claims + invariants,
            self.functions.len(),
            self.types.len(),
            self.executions,
            self.refuted.len(),
        );
        let _ = write!(
            text,
            "\n{} laws of traits were tried, {} are broken",
            self.laws.tried,
            self.laws.broken.len()
        );
        if let Some(checked) = &self.checked {
            let _ = write!(
                text,
                "\nchecked by {} other programs: {} of {} claims are contradicted",
                checked.programs, checked.contradicted, checked.claims
            );
            for example in &checked.examples {
                let _ = write!(text, "\n    {example}");
            }
        }
        text
    }

    fn markdown(&self, all: bool) -> String {
        let mut text = format!("# Contracts of {} {}\n\n", self.package, self.version);
        let _ = writeln!(
            text,
            "Inferred by `cargo testsmith contracts` from {} programs (seed {}). No call that was seen contradicts a line; \
             that is no proof.\n",
            self.executions, self.seed
        );
        let mut unit = "";
        for function in self.functions.iter().filter(|function| function.is_shown(all)) {
            if function.unit != unit {
                unit = &function.unit;
                let _ = writeln!(text, "## `{unit}`\n");
            }
            let _ = writeln!(text, "### `{}`\n", function.path);
            for claim in function.contracts.iter().filter(|claim| all || claim.is_shown) {
                let _ = writeln!(text, "* {} ({})", claim.marked(), claim.support());
            }
            if let Some(gap) = &function.gap {
                let _ = writeln!(text, "* **Not in the docs:** {gap}");
            }
            if let Some(promise) = &function.promise {
                let _ = writeln!(text, "* **Not so:** {promise}");
            }
            let _ = writeln!(text);
        }
        for ty in self.types.iter().filter(|ty| !ty.invariants.is_empty()) {
            let _ = writeln!(text, "## Every `{}`\n", ty.name);
            ty.invariants.iter().for_each(|claim| {
                let _ = writeln!(text, "* {}", claim.marked());
            });
            let _ = writeln!(text);
        }
        text
    }
}

impl Function {
    fn is_shown(&self, all: bool) -> bool {
        self.contracts.iter().any(|claim| all || claim.is_shown)
    }

    fn place(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!(" ({file}:{line})"),
            _ => String::new(),
        }
    }
}

impl Claim {
    fn new(api: &Api, contract: &Contract, table: &Table) -> Claim {
        let unexplained = Findings::unexplained(contract, table);
        Claim {
            kind: contract.kind.name(),
            text: contract.text(table),
            shown: contract.support.shown,
            of: contract.support.of,
            is_shown: is_shown(contract, table),
            unexplained: unexplained.map(|program| lines(api, &program)).unwrap_or_default(),
        }
    }

    fn support(&self) -> String {
        match self.kind {
            "panics" => format!("{} of {} panics", self.shown, self.of),
            _ => format!("{} of {} calls", self.shown, self.of),
        }
    }

    /// With its expressions as code.
    fn marked(&self) -> String {
        for words in ["panics exactly if ", "panics if ", "if "] {
            if let Some(rest) = self.text.strip_prefix(words) {
                return format!("{words}`{rest}`");
            }
        }
        match self.text.split_once(" exactly if ") {
            Some((what, when)) => format!("`{what}` exactly if `{when}`"),
            None => format!("`{}`", self.text),
        }
    }
}

/// A program as a person would write it.
fn lines(api: &Api, program: &Program) -> Vec<String> {
    let Ok(liveness) = check(api, program) else { return Vec::new() };
    let options = render::Options { inline: true, ..render::Options::default() };
    render(api, program, &liveness, &options).body.lines().map(|line| line.trim().to_owned()).collect()
}
