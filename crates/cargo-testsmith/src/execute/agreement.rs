//! Random programs in two processes each: whether the answers are the same, and whether every worker that was lost is
//! accounted for.

use std::collections::BTreeMap;

use serde::Serialize;
use testsmith_exec::{WorkerPool, ending, show, to_json};
use testsmith_ir::Api;
use testsmith_search::agree::{Agree, Agreement, Example, agree};

use super::report::{AvoidedReport, MarkReport};
use super::{Environment, failure};
use crate::failure::Failure;
use crate::isolation::{Gap, IsolationReport};
use crate::options::Output;
use crate::report::json::SCHEMA;

#[derive(Serialize)]
struct AgreementReport {
    schema: &'static str,
    package: String,
    isolation: IsolationReport,
    unprotected: Vec<Gap>,
    memory_limit: &'static str,
    seconds: f64,
    programs: u64,
    /// In both processes together.
    endings: BTreeMap<String, u64>,
    /// Programs that ended their process, in both together.
    deaths: u64,
    workers_died: u64,
    /// Workers that died though no program says so.
    workers_lost: u64,
    with_marks: u64,
    differed: u64,
    /// Programs that differ though everything that is marked is left out.
    unmarked: u64,
    nondeterminism: Vec<MarkReport>,
    avoided: Vec<AvoidedReport>,
    examples: Vec<ExampleReport>,
}

/// A program that did not do the same.
#[derive(Serialize)]
struct ExampleReport {
    is_marked: bool,
    endings: [String; 2],
    /// How it ended when it was looked at again, if that differed.
    again: Option<[String; 2]>,
    /// Statement or slot, and what was seen there.
    seen: Vec<(u16, [String; 2])>,
    /// As `--programs` takes it.
    program: String,
}

pub(super) fn run(
    api: &Api,
    pool: &WorkerPool,
    workers: usize,
    wanted: &Agree,
    package: &str,
    environment: Environment,
    output: Output,
) -> Result<(), Failure> {
    let agreement = agree(api, pool, workers, wanted).map_err(failure)?;
    let report = AgreementReport::of(agreement, api, package, environment);
    if output.json {
        crate::print_json(&report);
    } else {
        anstream::print!("{}", report.text());
    }
    Ok(())
}

impl AgreementReport {
    fn of(agreement: Agreement, api: &Api, package: &str, environment: Environment) -> AgreementReport {
        let workers_lost = agreement.workers_lost();
        let Agreement { programs, endings, deaths, workers_died, with_marks, .. } = agreement;
        let Agreement { differed, unmarked, seconds, nondeterminism, callable_stats, examples, .. } =
            agreement;
        AgreementReport {
            schema: SCHEMA,
            package: package.to_owned(),
            isolation: environment.isolation,
            unprotected: environment.unprotected,
            memory_limit: environment.memory_limit,
            seconds,
            programs,
            endings,
            deaths,
            workers_died,
            workers_lost,
            with_marks,
            differed,
            unmarked,
            nondeterminism: nondeterminism.iter().map(|mark| MarkReport::of(mark, api)).collect(),
            avoided: callable_stats.avoided().into_iter().map(|it| AvoidedReport::of(it, api)).collect(),
            examples: examples.into_iter().map(|example| ExampleReport::of(example, api)).collect(),
        }
    }

    fn text(&self) -> String {
        format!(
            "{}: {} programs in two processes each, {:.0} s; {} differed, {} of them in what is not marked; {} ended their \
             process; {} workers died, {} of them nobody knows why\n{}\n",
            self.package,
            self.programs,
            self.seconds,
            self.differed,
            self.unmarked,
            self.deaths,
            self.workers_died,
            self.workers_lost,
            self.isolation.line(),
        )
    }
}

impl ExampleReport {
    fn of(example: Example, api: &Api) -> ExampleReport {
        let Example { program, endings, found, is_marked } = example;
        let shifts = found.observations.iter();
        ExampleReport {
            is_marked,
            endings,
            again: found.end.map(|ends| ends.outcomes.each_ref().map(ending)),
            seen: shifts.map(|it| (it.first.slot, [show(&it.first.what), show(&it.second)])).collect(),
            program: to_json(&program, api),
        }
    }
}
