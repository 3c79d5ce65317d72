//! `cargo testsmith`: finds the defects that a crate's tests would miss.
//!
//! `main` reads the command line, resolves it with the configuration, runs one command and turns its result into
//! an exit code. The commands are pipelines of plain values; only `report` and this file print.

mod allow;
mod api_config;
mod build;
mod build_failure;
mod build_target;
mod chosen;
mod cli;
mod config;
mod constants;
mod contracts;
mod copy;
mod doctest;
mod drawing;
mod execute;
mod explain;
#[cfg(feature = "symbolic")]
mod external_solver;
mod failure;
mod filter;
mod generate;
mod harness;
mod inspect;
mod isolation;
mod list;
mod memory;
mod meta;
mod note;
mod operators;
mod options;
mod patch;
mod programs;
mod reaching;
mod report;
mod score;
mod selector;
mod stale;
mod store;
mod subject;
mod symbolic;
mod targets;
mod test_sandbox;
mod time_budget;
mod unit;
#[cfg(feature = "symbolic")]
mod wasm;
mod workers;
mod worlds;
mod wrapper;

use std::path::Path;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::Parser;

use crate::api_config::ApiConfig;
use crate::build::Builder;
use crate::cli::{
    Cli, Command, ContractsArgs, ExplainArgs, GenerateArgs, InspectArgs, ListArgs, ScoreArgs, StoreArgs,
};
use crate::config::Config;
use crate::copy::{Claiming, Copies};
use crate::failure::{Code, Failure, IoContext};
use crate::filter::Filter;
use crate::options::{Output, PackageOptions, RunOptions};

fn main() -> ExitCode {
    if std::env::var_os(build::WRAPPER_VAR).is_some() {
        return wrapper::run();
    }
    let mut sandboxed = std::env::args_os().skip(1);
    if sandboxed.next().is_some_and(|first| first == testsmith_proc::sandbox::ROLE) {
        let error = testsmith_proc::sandbox::become_sandboxed(sandboxed);
        anstream::eprintln!("error: {error}");
        return exit(Code::Environment);
    }
    let cli = match Cli::try_parse_from(arguments()) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return exit(if error.use_stderr() { Code::Usage } else { Code::Success });
        }
    };
    let result = testsmith_proc::interrupt::install().map_err(Failure::bug).and_then(|()| run(cli.command));
    testsmith_proc::sweep();
    match result {
        Ok(code) => exit(code),
        Err(failure) => {
            const RED: Style = AnsiColor::Red.on_default().bold();
            anstream::eprintln!("{RED}error{RED:#}: {failure}");
            exit(failure.code)
        }
    }
}

/// `cargo testsmith …` calls `cargo-testsmith testsmith …`.
fn arguments() -> Vec<std::ffi::OsString> {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|first| first == "testsmith") {
        arguments.remove(1);
    }
    arguments
}

fn exit(code: Code) -> ExitCode {
    ExitCode::from(code as u8)
}

fn run(command: Command) -> Result<Code, Failure> {
    match command {
        Command::List(args) => run_list(&args),
        Command::Score(args) => run_score(&args),
        Command::Generate(args) => run_generate(&args),
        Command::Explain(args) => run_explain(&args),
        Command::Inspect(args) => {
            run_inspect(&args.inspect, |options, filter, api_config, builder, output| {
                inspect::run(options, filter, api_config, builder, &args.part, args.inspect.private, output)
            })
        }
        Command::Contracts(args) => run_contracts(&args),
        Command::Store(args) => run_store(&args),
        Command::Execute(args) => {
            run_inspect(&args.inspect, |options, filter, api_config, builder, output| {
                execute::run(options, filter, api_config, builder, &args, output)
            })
        }
        Command::Operators { markdown } => {
            anstream::print!("{}", if markdown { operators::markdown() } else { operators::text() });
            Ok(Code::Success)
        }
        Command::Config => {
            anstream::print!("{}", config::commented_default());
            Ok(Code::Success)
        }
    }
}

fn run_list(args: &ListArgs) -> Result<Code, Failure> {
    let output = Output::resolve(&args.output);
    let options = PackageOptions::resolve(&args.package)?;
    let config = options.config()?;
    let filter = options::filter(&args.choice, &config, &options.workspace.root)?;
    let mut builder = builder(&options, &config);
    if options.workspace.packages.iter().any(|package| package.has_build_script) {
        // Build scripts say what is part of the crate; they run in a copy.
        claim(&mut builder, None)?;
    }
    list::run(&options, &filter, &builder, args.skipped, output)?;
    Ok(Code::Success)
}

/// Runs a command that builds the harness.
fn run_inspect(
    args: &InspectArgs,
    command: impl FnOnce(&PackageOptions, &Filter, &ApiConfig, &Builder, Output) -> Result<(), Failure>,
) -> Result<Code, Failure> {
    let output = Output::resolve(&args.output);
    let mut options = PackageOptions::resolve(&args.package)?;
    options.choose_program(args.bin.as_deref())?;
    let config = options.config()?;
    let filter = options::filter(&args.choice, &config, &options.workspace.root)?;
    let api_config = options.api_config(&config)?;
    let temp = temporary_folder()?;
    let mut builder =
        Builder { offline: args.offline, temp: temp.path().to_owned(), ..builder(&options, &config) };
    claim(&mut builder, Some(temp.path()))?;
    tell_host(&builder, output);
    optimise_linked(&mut builder, &options)?;
    let result = command(&options, &filter, &api_config, &builder, output);
    testsmith_proc::sweep();
    result.map(|()| Code::Success)
}

fn run_store(args: &StoreArgs) -> Result<Code, Failure> {
    let options = PackageOptions::resolve(&args.package)?;
    store::run(&options, args, Output::resolve(&args.output)).map(|()| Code::Success)
}

fn run_contracts(args: &ContractsArgs) -> Result<Code, Failure> {
    run_inspect(&args.inspect, |options, filter, api_config, builder, output| {
        contracts::run(options, filter, api_config, builder, args, output)
    })
}

/// For all that children write to the temporary folder.
fn temporary_folder() -> Result<tempfile::TempDir, Failure> {
    tempfile::Builder::new().prefix(copy::TEMP).tempdir().doing("create a folder in", &std::env::temp_dir())
}

fn run_score(args: &ScoreArgs) -> Result<Code, Failure> {
    let output = Output::resolve(&args.output);
    let options = PackageOptions::resolve(&args.package)?;
    let config = options.config()?;
    let filter = options::filter(&args.choice, &config, &options.workspace.root)?;
    let run = RunOptions::resolve(&args.run, args.min_score, &config)?;
    let temp = temporary_folder()?;
    let (jobs, offline) = (Some(run.jobs), run.offline);
    let mut builder = Builder { jobs, offline, temp: temp.path().to_owned(), ..builder(&options, &config) };
    claim(&mut builder, Some(temp.path()))?;
    tell_host(&builder, output);
    let result = score::run(&options, &filter, &builder, &run, output);
    // Whoever is left might still write there.
    testsmith_proc::sweep();
    result
}

fn run_explain(args: &ExplainArgs) -> Result<Code, Failure> {
    let output = Output::resolve(&args.output);
    let options = PackageOptions::resolve(&args.package)?;
    let config = options.config()?;
    // Whatever the user usually chooses: the mutant has a name.
    let filter = Filter { accepted: options::accepted(&config), ..Filter::all() };
    let mut builder = builder(&options, &config);
    if options.workspace.packages.iter().any(|package| package.has_build_script) {
        claim(&mut builder, None)?;
    }
    explain::run(&options, &filter, &builder, &args.mutant, output)?;
    Ok(Code::Success)
}

fn run_generate(args: &GenerateArgs) -> Result<Code, Failure> {
    let output = Output::resolve(&args.output);
    let mut options = PackageOptions::resolve(&args.package)?;
    options.choose_program(args.place.bin.as_deref())?;
    let config = options.config()?;
    let filter = options::filter(&args.choice, &config, &options.workspace.root)?;
    let api_config = options.api_config(&config)?;
    let run = RunOptions::resolve(&args.run, None, &config)?;
    let temp = temporary_folder()?;
    let (jobs, offline) = (Some(run.jobs), run.offline);
    let mut builder = Builder { jobs, offline, temp: temp.path().to_owned(), ..builder(&options, &config) };
    claim(&mut builder, Some(temp.path()))?;
    tell_host(&builder, output);
    optimise_linked(&mut builder, &options)?;
    let request = generate::Request {
        options: &options,
        filter: &filter,
        api_config: &api_config,
        builder: &builder,
        run: &run,
        args,
    };
    let result = generate::run(&request, output);
    testsmith_proc::sweep();
    result
}

fn builder(options: &PackageOptions, config: &Config) -> Builder {
    Builder {
        copies: Copies::new(&options.workspace, options.target_dir.as_deref()),
        features: options.features.clone(),
        host: build_target::configured(&options.workspace.root)
            .and_then(|target| build::Host::of(&options.workspace.root, target)),
        jobs: None,
        opt_level: config.opt_level,
        optimised: Vec::new(),
        offline: false,
        checks: true,
        keeps_lints: Vec::new(),
        temp: std::env::temp_dir(),
    }
}

/// Optimises what programs call that is not of the package itself.
fn optimise_linked(builder: &mut Builder, options: &PackageOptions) -> Result<(), Failure> {
    if let [package] = options.workspace.packages.as_slice() {
        builder.copies.update_plain(&options.workspace)?;
        builder.optimise_linked(package);
    }
    Ok(())
}

/// Says what is built otherwise than the user has configured.
fn tell_host(builder: &Builder, output: Output) {
    let note = builder.host.as_ref().and_then(build::Host::note);
    note.filter(|_| !output.quiet).into_iter().for_each(|note| anstream::eprintln!("{note}"));
}

/// Makes sure that nobody else works in the copies.
fn claim(builder: &mut Builder, temp: Option<&Path>) -> Result<(), Failure> {
    let claiming = Claiming {
        waiting: || anstream::eprintln!("waiting for another cargo testsmith to end …"),
        damaged: || {
            anstream::eprintln!("note: target/testsmith is not as the last run has left it; it is made anew")
        },
    };
    builder.copies.claim(temp, &claiming)
}

/// A document.
fn json_text(document: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(document).expect("documents can be written") + "\n"
}

/// Prints a document on stdout.
fn print_json(document: &impl serde::Serialize) {
    print_text(&json_text(document));
}

/// Prints on stdout; a closed pipe is not an error.
fn print_text(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().write_all(text.as_bytes());
}
