//! Random programs in a worker and in the engine: whether both see the same.

use serde::Serialize;
use testsmith_exec::{WorkerPool, to_json};
use testsmith_ir::Api;
use testsmith_search::engine_agreement::{Agreement, Comparison, compare};

use super::failure;
use crate::failure::Failure;
use crate::options::Output;
use crate::report::json::SCHEMA;

#[derive(Serialize)]
struct AgreementReport<'a> {
    schema: &'static str,
    package: &'a str,
    programs: u64,
    skipped: u64,
    ended_otherwise: u64,
    observed_otherwise: u64,
    infected: u64,
    not_infected: u64,
    examples: Vec<ExampleReport>,
}

#[derive(Serialize)]
struct ExampleReport {
    what: String,
    program: String,
}

pub(super) fn run(
    api: &Api,
    pool: &WorkerPool,
    comparison: &Comparison<'_>,
    package: &str,
    output: Output,
) -> Result<(), Failure> {
    let Agreement { programs, skipped, ended, observed, infected, not_infected, examples } =
        compare(api, pool, comparison).map_err(failure)?;
    if output.json {
        let example = |(program, what)| ExampleReport { what, program: to_json(&program, api) };
        crate::print_json(&AgreementReport {
            schema: SCHEMA,
            package,
            programs,
            skipped,
            ended_otherwise: ended,
            observed_otherwise: observed,
            infected,
            not_infected,
            examples: examples.into_iter().map(example).collect(),
        });
    } else {
        anstream::println!(
            "{package}: {programs} programs in a worker and in the engine ({skipped} skipped): {ended} ended otherwise, of \
             {observed} something else was observed; of {infected} infections {not_infected} in the engine alone"
        );
        examples.iter().for_each(|(_, what)| anstream::println!("  {what}"));
    }
    Ok(())
}
