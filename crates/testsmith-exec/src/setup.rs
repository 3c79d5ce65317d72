//! How workers are started, how far they are trusted, and when they are replaced: [`Setup`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use testsmith_proc::Spec;
use testsmith_proc::sandbox::Policy;
use testsmith_rt::harness::outside::Outside;

/// How workers are started and treated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The harness.
    pub program: Spec,
    /// What it may do; the executor adds a folder to write to. `None` is for programs that can be trusted: the sandbox is
    /// entered through the tool's own executable, which a test may not have.
    pub policy: Option<Policy>,
    /// Where every executor makes a folder of its own.
    pub scratch: PathBuf,
    /// How far processes are trusted in which mutants ran.
    pub trust: Trust,
    /// With [`Trust::Fork`]: the callables that read or change state that outlives a program. Programs that call none of
    /// them run as with [`Trust::Mutants`]. `None` if that is not known: then every program has a process of its own.
    pub stateful: Option<BTreeSet<u32>>,
    /// What programs may reach outside of their process; what else they try to reach ends them.
    pub allow: BTreeSet<Outside>,
    /// What programs may reach that call one of these. Where that is files, they have an empty folder for it, which is their working
    /// directory.
    pub allow_calls: BTreeMap<u32, BTreeSet<Outside>>,
    /// How long a worker may take to introduce itself.
    pub start: Duration,
    /// How long a worker may go without progress from one statement to the next before it is killed. Loops of the crate
    /// itself end when their fuel does; this is for what does not tick.
    pub stall: Duration,
    /// A worker that has leaked more bytes than this is replaced.
    pub most_leaked: u64,
    /// A worker in which more threads than this are left over is replaced.
    pub most_threads: u32,
}

/// How far a process is trusted in which a mutant ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trust {
    /// It goes on. For crates without unsafe code and without state, whose mutants can do no harm to what comes after.
    #[default]
    InProcess,
    /// Mutants run in children of the worker. For crates with unsafe code, whose mutants may damage their process.
    Mutants,
    /// Programs and mutants run in children of the worker, each in its own. For crates with state that outlives a
    /// program; [`Setup::stateful`] says which programs need it.
    Fork,
    /// It is replaced after every run.
    Fresh,
}

impl Trust {
    /// Whether a mutant can do no harm to the process that it runs in.
    pub(crate) fn is_harmless(self) -> bool {
        self == Self::InProcess
    }

    /// Whether each batch is answered in a child of the worker, so that all find the same process. Where neither unsafe code
    /// nor state is, there is nothing to find.
    pub(crate) fn is_apart(self) -> bool {
        matches!(self, Self::Mutants | Self::Fork)
    }
}

/// Where a worker has its heap, how it numbers its threads, and what its arguments are. What depends on that shows when a
/// program runs in workers of two kinds; what a search does must not depend on it, so all of its workers are of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// The same in every worker of this kind, where the system lets us choose addresses.
    #[default]
    Usual,
    /// Other than in the usual ones, and again the same in all.
    Shifted,
    /// Anywhere, as the system likes it: also code and stack move.
    Anywhere,
}

impl Kind {
    pub(crate) fn salt(self) -> u32 {
        match self {
            Self::Usual => 1,
            Self::Shifted => 2,
            Self::Anywhere => 3,
        }
    }

    /// Which the harness takes no notice of: a test has others, so what depends on them has to show.
    pub(crate) fn arguments(self) -> impl Iterator<Item = String> {
        (1..self.salt()).map(|number| number.to_string())
    }

    pub(crate) fn has_fixed_addresses(self) -> bool {
        self != Self::Anywhere
    }
}

impl Setup {
    /// Whether programs with these callables touch state that outlives them.
    pub(crate) fn is_stateful(&self, mut callables: impl Iterator<Item = u32>) -> bool {
        self.stateful.as_ref().is_none_or(|stateful| callables.any(|callable| stateful.contains(&callable)))
    }

    /// The harness in a sandbox, with limits that plain crates do not reach.
    pub fn new(program: Spec, scratch: impl Into<PathBuf>) -> Self {
        let policy = Policy {
            writable: Vec::new(),
            // Programs may do less than tests: landlock and seccomp refuse more than namespaces would.
            namespaces: None,
            preload: None,
            observed: false,
            memory: Some(8 << 30),
            // Counted over the whole life of a worker, which is long. One that has used it all is replaced; it is for what
            // goes on when nobody watches any more.
            cpu_seconds: Some(900),
            processes: Some(64),
            open_files: Some(256),
            file_size: Some(256 << 20),
        };
        Self {
            program,
            policy: Some(policy),
            scratch: scratch.into(),
            trust: Trust::default(),
            stateful: None,
            allow: BTreeSet::new(),
            allow_calls: BTreeMap::new(),
            start: Duration::from_secs(30),
            stall: Duration::from_secs(10),
            most_leaked: 64 << 20,
            most_threads: 0,
        }
    }
}
