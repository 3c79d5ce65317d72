//! The command line, as it is typed. `options` makes one resolved value of it and the configuration.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use testsmith_rt::harness::outside::Outside;
use testsmith_search::{Method, Solving};

/// Finds the defects that your tests would miss, and writes the tests.
#[derive(Parser, Debug)]
#[command(
    name = "cargo testsmith",
    bin_name = "cargo testsmith",
    version,
    max_term_width = 100,
    after_help = "Examples:
  cargo testsmith generate                  write the tests that are missing
  cargo testsmith score                     which defects would the tests of this crate miss?
  cargo testsmith score -f 'src/parse*.rs'  the same, for some files
  cargo testsmith score --in-diff my.diff   the same, for what a diff changes
  cargo testsmith list --json               all mutants, as JSON
  cargo testsmith inspect --graph svg -o graph.svg
                                            what can be called, what it needs and provides

Exit codes: 0 all detected, 1 usage, 2 survivors, 3 time-outs only, 4 the crate or its tests fail
before any mutant, 5 the diff does not fit, 6 the machine is in the way, 7 nothing to judge, 8 tests of an
earlier run no longer hold, 9 cargo does not run the written tests by itself, 70 a bug, 130 interrupted."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Print the mutants of a crate, without building anything
    ///
    /// A crate with a build script is built as far as its cfg options need it.
    List(ListArgs),
    /// Find out which mutants the existing tests detect
    Score(ScoreArgs),
    /// Write the tests that are missing
    Generate(GenerateArgs),
    /// Tell the story of one mutant: what it changes, which test kills it, or how close any came
    Explain(ExplainArgs),
    /// Say what holds for each function: when it panics, when it gives `Some` or `Ok`, what it changes
    ///
    /// The claims are inferred from calls, and kept if no other call contradicts them: good for documentation, no proof.
    Contracts(ContractsArgs),
    /// Look at the store of objects that runs leave for the next
    Store(StoreArgs),
    /// Run random programs on the mutants, and say how fast and how well: the baseline of all strategies
    #[command(hide = true)]
    Execute(ExecuteArgs),
    /// Show what of a crate can be called, what a call needs and changes, and what cannot be called, and why
    Inspect(ShowArgs),
    /// Print the table of mutation operators
    Operators {
        /// As Markdown, for the docs
        #[arg(long)]
        markdown: bool,
    },
    /// Print a commented configuration file with the defaults
    Config,
}

#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) package: PackageArgs,
    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,
    /// Print what is left alone, and why, instead of the mutants
    #[arg(long, help_heading = "Output")]
    pub(crate) skipped: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Args, Debug)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) package: PackageArgs,
    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,
    /// Private items too, which only tests inside of the crate can use
    #[arg(long)]
    pub(crate) private: bool,
    /// The program that is looked at, where there are several and no library; otherwise the main one
    #[arg(long, value_name = "NAME")]
    pub(crate) bin: Option<String>,
    /// Do not ask the network for anything
    #[arg(long)]
    pub(crate) offline: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) inspect: InspectArgs,
    #[command(flatten)]
    pub(crate) part: PartArgs,
}

#[derive(Args, Debug)]
pub(crate) struct StoreArgs {
    /// What to do
    #[arg(value_enum)]
    pub(crate) command: StoreCommand,
    /// With `prune`: so many objects of each type stay
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) keep: u64,
    #[command(flatten)]
    pub(crate) package: PackageArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum StoreCommand {
    /// How many objects of each type there are, and how large the file is
    Stats,
    /// Take out objects, those with the longest recipes first
    Prune,
    /// Print every object on a line: type, state, slot, recipe, answers, with tabs between them
    Export,
}

#[derive(Args, Debug)]
pub(crate) struct ContractsArgs {
    #[command(flatten)]
    pub(crate) inspect: InspectArgs,
    /// So many programs, of a dozen calls each
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) executions: u64,
    /// Of everything that is random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Workers at a time; all cores by default
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Only for this type or module: its path, or the last name of it; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) unit: Vec<String>,
    /// Start without the objects of earlier runs, and keep none for later ones
    #[arg(long)]
    pub(crate) no_store: bool,
    /// Everything that was found, also what is rarely of interest
    #[arg(long)]
    pub(crate) all: bool,
    /// A page in Markdown
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// Run programs on the mutants too, and say which contracts each of them breaks
    #[arg(long)]
    pub(crate) mutants: bool,
    /// Write the contracts that kill mutants as property tests to tests/testsmith_contracts
    #[arg(long)]
    pub(crate) property_tests: bool,
    /// Propose `# Panics` sections and `debug_assert!`s as a patch; nothing is changed
    #[arg(long)]
    pub(crate) patch: bool,
    /// Instead, without the store: run random programs, then measure how many unsound contracts reduction refutes, and random
    /// programs in the same time; so many programs judge
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) measure: Option<u64>,
    /// Then run so many other programs, and say how many of the claims they contradict
    #[arg(long, value_name = "N", default_value_t = 0, hide = true)]
    pub(crate) check: u64,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "What to show")]
pub(crate) struct PartArgs {
    /// What a call does to each argument, and which fields it defines and uses
    #[arg(long, group = "part", conflicts_with = "json")]
    pub(crate) purity: bool,
    /// The dependence graph of members and types
    #[arg(long, value_name = "FORMAT", group = "part", conflicts_with = "json")]
    pub(crate) graph: Option<GraphFormat>,
    /// Of the graph, only what is new or changed counts as provided
    #[arg(long, requires = "graph")]
    pub(crate) purified: bool,
    /// Only this unit, and what gives it values
    #[arg(long, value_name = "NAME", requires = "part")]
    pub(crate) unit: Option<String>,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Lines
    Text,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

#[derive(Args, Debug)]
pub(crate) struct ExecuteArgs {
    #[command(flatten)]
    pub(crate) inspect: InspectArgs,
    /// How long
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub(crate) seconds: f64,
    /// Of the random programs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Statements of a program, at most
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) statements: usize,
    /// Workers at a time
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Then run programs of eight statements so often, again and again, to measure the worker alone
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) replay: u64,
    /// Instead, run so many random programs in two processes each, and compare the answers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) agree: u64,
    /// Instead, run so many random programs in a process and in the engine of `--strategy symbolic`, and compare
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) agree_engine: u64,
    /// Instead, write random programs as text to this folder: what the borrow rules accept, and what they reject
    #[arg(long, value_name = "DIR")]
    pub(crate) write: Option<PathBuf>,
    /// So many of each
    #[arg(long, value_name = "N", default_value_t = 500, requires = "write")]
    pub(crate) count: usize,
    /// Run the programs of this file, one JSON document a line, instead of random ones
    #[arg(long, value_name = "FILE")]
    pub(crate) programs: Option<PathBuf>,
    /// In which processes programs and mutants run; without it, as the crate's code needs it
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) isolation: Option<IsolationArg>,
    /// What programs may reach outside of their process: files, network, processes, environment, directory, input, signals, exit
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = parse_outside)]
    pub(crate) allow: Vec<Outside>,
    /// How long a program may go on without a step before its process is killed
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0)]
    pub(crate) stall: f64,
    /// How programs are come by
    #[arg(long, value_enum, value_name = "NAME", default_value = "random")]
    pub(crate) strategy: StrategyArg,
    /// Instead of the time, so many programs
    #[arg(long, value_name = "N")]
    pub(crate) executions: Option<u64>,
    /// What the solver goes for
    #[arg(long, value_enum, value_name = "GOALS", default_value = "all")]
    pub(crate) solve: SolveArg,
    /// After this part of the budget do nothing but solve, and before it everything else, to measure it
    #[arg(long, value_name = "PART")]
    pub(crate) solve_after: Option<f64>,
    /// Report how it was going after these parts of the budget
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    pub(crate) moments: Vec<f64>,
}

/// What the solver goes for.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SolveArg {
    /// Nothing: others go on in its place
    Nothing,
    /// New paths alone
    Paths,
    /// New paths, and other values at the sites of mutants
    Weak,
    /// New paths, and other observations
    Strong,
    /// All of it
    All,
}

impl From<SolveArg> for Solving {
    fn from(goals: SolveArg) -> Solving {
        Solving {
            paths: goals != SolveArg::Nothing,
            weak: matches!(goals, SolveArg::Weak | SolveArg::All),
            strong: matches!(goals, SolveArg::Strong | SolveArg::All),
        }
    }
}

/// How programs are come by.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StrategyArg {
    /// At random
    Random,
    /// By evolution
    Evolve,
    /// Typed trees over the purified function set
    Tree,
    /// The same over the whole function set
    TreeImpure,
    /// Calls that contradict what all calls had in common, about objects that were seen
    Stateful,
    /// Inputs that a solver finds, for random programs
    Symbolic,
    /// What earned most lately
    Hybrid,
}

impl From<StrategyArg> for Method {
    fn from(strategy: StrategyArg) -> Method {
        match strategy {
            StrategyArg::Random => Method::Random,
            StrategyArg::Evolve => Method::Evolve,
            StrategyArg::Tree => Method::Tree { purified: true },
            StrategyArg::TreeImpure => Method::Tree { purified: false },
            StrategyArg::Stateful => Method::Stateful,
            StrategyArg::Symbolic => Method::Symbolic,
            StrategyArg::Hybrid => Method::Hybrid,
        }
    }
}

/// In which processes programs and mutants run.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IsolationArg {
    /// All in the worker
    InProcess,
    /// The mutants of a batch in a child of the worker
    Mutants,
    /// Every program and every mutant in a child of its own
    Fork,
}

#[derive(Args, Debug)]
pub(crate) struct ScoreArgs {
    #[command(flatten)]
    pub(crate) package: PackageArgs,
    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Succeed at this score (percent) or above, whatever survives
    #[arg(long, value_name = "PERCENT", help_heading = "Running")]
    pub(crate) min_score: Option<f64>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// Its id, as `list` and the reports name it, or `file:line` or `file:line:column`; or the name of a written test, for all that it
    /// was seen to fail on
    pub(crate) mutant: String,
    #[command(flatten)]
    pub(crate) package: PackageArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) package: PackageArgs,
    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// Time for the search, such as `30s`, `2m` or `1m30s`
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    pub(crate) budget: Duration,
    /// Instead, so many programs: with the same seed they give the same tests
    #[arg(long, value_name = "N", conflicts_with = "budget", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) executions: Option<u64>,
    /// Of everything that is random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How programs are found
    #[arg(long, value_enum, value_name = "NAME", default_value_t = StrategyArg::Hybrid)]
    pub(crate) strategy: StrategyArg,
    /// Only for this type or module: its path, or the last name of it; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) unit: Vec<String>,
    /// For all mutants, also for those that the existing tests detect
    #[arg(long)]
    pub(crate) all_mutants: bool,
    /// Start without what earlier runs have found, and keep nothing for later ones; so it is with --executions
    #[arg(long)]
    pub(crate) no_store: bool,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Where the tests go")]
pub(crate) struct PlaceArgs {
    /// A folder, instead of tests/testsmith of the package
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Test private items too: such tests go into the crate, to a file testsmith.rs of the module that can see them,
    /// which gets the line `mod testsmith;`. A program without a library is always tested like that
    #[arg(long)]
    pub(crate) private: bool,
    /// Test public items alone, and ask nothing, also where nearly all of a library is private
    #[arg(long, conflicts_with = "private")]
    pub(crate) public: bool,
    /// The program to test, where there are several and no library; otherwise the main one
    #[arg(long, value_name = "NAME")]
    pub(crate) bin: Option<String>,
    /// Write over files that testsmith did not write
    #[arg(long)]
    pub(crate) force: bool,
    /// Keep tests that pass with debug assertions and overflow checks alone, behind `#[cfg(debug_assertions)]`
    #[arg(long)]
    pub(crate) debug_only: bool,
    /// Also write findings (panics that the docs do not declare), as ignored tests in findings.rs
    #[arg(long)]
    pub(crate) findings: bool,
    /// Rewrite tests of an earlier run that hold with other values now, unless somebody has edited them
    #[arg(long)]
    pub(crate) refresh: bool,
    /// Remove other tests of an earlier run that no longer compile or pass, unless somebody has edited them
    #[arg(long)]
    pub(crate) prune: bool,
    /// Write nothing, and print what would be written as a diff
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `90`, `90s`, `1m30s`, `2m`, `1h`, `500ms`.
fn parse_time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time; give seconds, or something like 30s, 2m, 1m30s");
    let mut total = Duration::ZERO;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let factor = match unit {
            "ms" => 0.001,
            "s" | "" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return Err(wrong()),
        };
        let seconds = number.parse::<f64>().map_err(|_| wrong())? * factor;
        total += Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?;
        rest = after;
    }
    match total.is_zero() {
        true => Err("without time there is nothing to find; give at least 1s".to_owned()),
        false => Ok(total),
    }
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Package")]
pub(crate) struct PackageArgs {
    /// The Cargo.toml of the package or workspace
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// A package of the workspace; may be given several times
    #[arg(short, long, value_name = "NAME")]
    pub(crate) package: Vec<String>,
    /// All packages of the workspace
    #[arg(long, conflicts_with = "package")]
    pub(crate) workspace: bool,
    /// Features to turn on
    #[arg(long, value_name = "FEATURES", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Turn on all features
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Leave out the default features
    #[arg(long)]
    pub(crate) no_default_features: bool,
    /// Where to work, instead of the workspace's target folder
    #[arg(long, value_name = "DIR")]
    pub(crate) target_dir: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Which mutants")]
pub(crate) struct ChoiceArgs {
    /// Only files that match; may be given several times
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) file: Vec<String>,
    /// Only on lines that a unified diff adds or changes
    #[arg(long, value_name = "FILE")]
    pub(crate) in_diff: Option<PathBuf>,
    /// Only mutants whose line in `list` matches; may be given several times
    #[arg(long, value_name = "REGEX")]
    pub(crate) re: Vec<String>,
    /// No mutants whose line in `list` matches; may be given several times
    #[arg(long, value_name = "REGEX")]
    pub(crate) exclude_re: Vec<String>,
    /// Only this mutant: its id, or `file:line` or `file:line:column`; may be given several times
    #[arg(long, value_name = "MUTANT")]
    pub(crate) only: Vec<String>,
    /// Operators or sets of operators, such as `ror,aor` or `cargo-mutants`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) operators: Vec<String>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunArgs {
    /// Processes at a time; all cores by default
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Run the doctests too
    #[arg(long)]
    pub(crate) doctests: bool,
    /// Leave out tests whose name contains this; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) skip_test: Vec<String>,
    /// Run tests as `cargo test` does: what they and the mutants under them do to files, network and processes is real
    #[arg(long)]
    pub(crate) no_sandbox: bool,
    /// Do not ask the network for anything
    #[arg(long)]
    pub(crate) offline: bool,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// JSON on stdout instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Only problems and the result
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// More detail
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// When to use colours; also through CARGO_TERM_COLOR and NO_COLOR
    #[arg(long, value_name = "WHEN")]
    pub(crate) color: Option<ColorArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArg {
    /// On a terminal
    Auto,
    Always,
    Never,
}

/// A part of the world outside.
fn parse_outside(name: &str) -> Result<Outside, String> {
    Outside::named(name).ok_or_else(|| {
        let names: Vec<&str> = Outside::ALL.iter().map(|outside| outside.name()).collect();
        format!("it is one of {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let table = [
            ("90", 90.0),
            ("90s", 90.0),
            ("1m30s", 90.0),
            ("2m", 120.0),
            ("1h", 3600.0),
            ("1.5s", 1.5),
            ("250ms", 0.25),
        ];
        for (text, seconds) in table {
            assert_eq!(parse_time(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for wrong in ["", "0", "0s", "s", "5 apples", "-3s", "1d", "1e400"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
