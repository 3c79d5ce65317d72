//! The worker processes of a built harness: how far they are trusted, what limits them, and what does not protect the
//! machine from them.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::Duration;

use testsmith_exec::{Setup, WorkerPool, learn};
use testsmith_model::Package;
use testsmith_model::api::respell;
use testsmith_proc::Spec;
use testsmith_rt::harness::outside::Outside;
use testsmith_rt::harness::wire::Options;

use crate::build::Builder;
use crate::cli::IsolationArg;
use crate::failure::{Code, Failure};
use crate::harness::{BuiltHarness, executable};
use crate::isolation::{self, Gap, Isolation, IsolationReport, Sources};
use crate::options::Output;

/// Of a worker, where nobody counts allocations: enough for what a program may have, and for what the system reserves.
const ADDRESS_SPACE: u64 = 2 << 30;

/// Milliseconds that are enough for what does not tick, where there are other programs and mutants to try.
const QUICK: u32 = 500;

/// What is asked of the processes.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// How many there are.
    pub(crate) workers: usize,
    /// How long a program may go on without a step.
    pub(crate) stall: Duration,
    /// In which processes programs and mutants run; without it, as the crate's code needs it.
    pub(crate) isolation: Option<IsolationArg>,
    /// What programs may reach outside of their process.
    pub(crate) allow: BTreeSet<Outside>,
}

/// Processes that drive a package.
pub(crate) struct Workers {
    pub(crate) pool: WorkerPool,
    pub(crate) environment: Environment,
    /// Limits of a run that has time.
    pub(crate) usual: Options,
    /// Limits of one of very many runs: a program that takes long or much is not worth its time. Most mutants that run
    /// for long run for ever, and the few others are confirmed with the usual limits.
    pub(crate) quick: Options,
}

/// In what programs run.
pub(crate) struct Environment {
    pub(crate) isolation: IsolationReport,
    pub(crate) unprotected: Vec<Gap>,
    /// What is limited: `allocations` by the harness, or the `address space` by the system.
    pub(crate) memory_limit: &'static str,
}

impl Workers {
    /// Starts one, and learns from it what only the compiler knows of the model's types.
    pub(crate) fn start(
        harness: &mut BuiltHarness,
        sources: &Sources,
        builder: &Builder,
        package: &Package,
        wanted: Wanted,
    ) -> Result<Workers, Failure> {
        let isolation = Isolation::choose(sources, &harness.model, wanted.isolation);
        let dir = builder.copies.place(&package.dir, &builder.copies.meta());
        let worker = executable(&harness.built.built)?;
        let mut setup = Setup::new(Spec::new(worker).dir(dir), builder.temp.clone());
        setup.trust = isolation.trust;
        setup.stateful.clone_from(&isolation.stateful);
        setup.allow = wanted.allow;
        setup.allow_calls = harness.allowed.iter().map(|(id, all)| (id.0, all.clone())).collect();
        setup.stall = wanted.stall;
        if let Some(policy) = setup.policy.as_mut().filter(|_| !harness.counts_memory) {
            policy.memory = Some(ADDRESS_SPACE);
        }
        let environment = Environment {
            isolation: isolation.report(),
            unprotected: isolation::gaps(&setup)?,
            memory_limit: if harness.counts_memory { "allocations" } else { "address space" },
        };
        let pool = WorkerPool::new(setup, NonZeroUsize::new(wanted.workers).unwrap_or(NonZeroUsize::MIN));
        learn(&mut harness.model.api, &pool.hello().map_err(failure)?);
        respell(&mut harness.model.api);
        let patience = u32::try_from(wanted.stall.as_millis()).unwrap_or(u32::MAX);
        let usual = Options { memory: 256 << 20, patience, ..Options::default() };
        let quick = Options {
            fuel: 200_000,
            mutant_fuel: 20_000,
            memory: 16 << 20,
            patience: patience.min(QUICK),
            ..usual.clone()
        };
        Ok(Workers { pool, environment, usual, quick })
    }
}

impl Environment {
    /// What is not protected is told in any case.
    pub(crate) fn tell(&self, output: Output) {
        if let Some(warning) = isolation::warning(&self.unprotected) {
            anstream::eprintln!("warning: {warning}");
        }
        if self.memory_limit == "address space" {
            anstream::eprintln!(
                "note: the crate has an allocator of its own; memory is limited to {} GiB of address space, and a \
                 program that wants more ends with a signal",
                ADDRESS_SPACE >> 30
            );
        }
        if !output.quiet && !output.json {
            anstream::eprintln!("{}", self.isolation.line());
        }
    }
}

/// A failure of the workers as one of the command.
pub(crate) fn failure(error: testsmith_exec::Failure) -> Failure {
    match error {
        testsmith_exec::Failure::Interrupted => Failure::interrupted(),
        testsmith_exec::Failure::Refused(_) | testsmith_exec::Failure::NoHello { .. } => Failure::bug(error),
        _ => Failure::new(Code::Environment, error.to_string()),
    }
}
