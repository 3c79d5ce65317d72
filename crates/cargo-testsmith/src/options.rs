//! One resolved value of flags, configuration and environment: what the commands work with.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use testsmith_instrument::operators::{self, OPERATORS, OperatorSet};
use testsmith_model::{FeatureFlags, PackageChoice, Workspace};
use testsmith_suite::TimeLimits;

use crate::api_config::ApiConfig;
use crate::cli::{ChoiceArgs, ColorArg, OutputArgs, PackageArgs, RunArgs};
use crate::config::{Config, nearest};
use crate::failure::Failure;
use crate::filter::{self, FileGlob, Filter};
use crate::selector::Selector;

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
}

/// Processes at a time.
const MOST_JOBS: usize = 1024;

/// Everything that `score` needs to know besides the workspace.
pub(crate) struct RunOptions {
    pub(crate) jobs: usize,
    pub(crate) doctests: bool,
    pub(crate) skip_tests: Vec<String>,
    pub(crate) min_score: Option<f64>,
    pub(crate) offline: bool,
    pub(crate) time: TimeLimits,
    pub(crate) memory: Option<u64>,
    /// Whether tests run in the sandbox.
    pub(crate) sandbox: bool,
}

/// The packages and how they are built.
pub(crate) struct PackageOptions {
    pub(crate) workspace: Workspace,
    pub(crate) features: FeatureFlags,
    pub(crate) target_dir: Option<PathBuf>,
}

impl PackageOptions {
    pub(crate) fn resolve(args: &PackageArgs) -> Result<PackageOptions, Failure> {
        let features = FeatureFlags {
            features: args.features.clone(),
            all: args.all_features,
            no_default: args.no_default_features,
        };
        let choice = if args.workspace {
            PackageChoice::All
        } else if args.package.is_empty() {
            PackageChoice::Default
        } else {
            PackageChoice::Named(args.package.clone())
        };
        let here = std::env::current_dir().map_err(|e| Failure::io("find", Path::new("."), &e))?;
        let workspace = Workspace::load(args.manifest_path.as_deref(), &here, &choice, &features)?;
        if workspace.packages.is_empty() {
            return Err(Failure::usage(format!(
                "the workspace in {} has no packages\n  run this where one is, or name its Cargo.toml with --manifest-path",
                workspace.root.display()
            )));
        }
        Ok(PackageOptions {
            workspace,
            features,
            target_dir: args.target_dir.clone().map(|dir| here.join(dir)),
        })
    }

    /// Tests this program of those of a package without a library.
    pub(crate) fn choose_program(&mut self, name: Option<&str>) -> Result<(), Failure> {
        let (Some(name), [package]) = (name, self.workspace.packages.as_mut_slice()) else { return Ok(()) };
        if let Some(library) = package.library() {
            return Err(Failure::usage(format!(
                "{} has a library, {}, and tests are written for that\n  \
                 leave out --bin; code that only a program has can be tested where the library has it",
                package.name, library.name
            )));
        }
        if package.prefer_program(name) {
            return Ok(());
        }
        let known: Vec<&str> = package.programs().map(|program| program.name.as_str()).collect();
        Err(Failure::usage(match known.is_empty() {
            true => format!("{} has no programs", package.name),
            false => {
                let like = nearest(name, known.iter().copied());
                format!(
                    "there is no program `{name}`\n  did you mean `{like}`? There are: {}",
                    known.join(", ")
                )
            }
        }))
    }

    /// Names of the packages.
    pub(crate) fn names(&self) -> Vec<String> {
        self.workspace.packages.iter().map(|package| package.name.clone()).collect()
    }

    /// What is analysed, in a word.
    pub(crate) fn title(&self) -> String {
        self.names().join(", ")
    }

    /// The configuration of the workspace, and of the package if there is just one.
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        let manifest = match self.workspace.packages.as_slice() {
            [package] => Some(package.manifest.as_path()),
            _ => None,
        };
        Config::load(&self.workspace.root, manifest)
    }

    /// What the configuration says of the API; the workspace's is for all members.
    pub(crate) fn api_config(&self, config: &Config) -> Result<ApiConfig, Failure> {
        ApiConfig::new(config, self.workspace.member_dirs.len() > 1)
    }
}

impl RunOptions {
    pub(crate) fn resolve(
        args: &RunArgs,
        min_score: Option<f64>,
        config: &Config,
    ) -> Result<RunOptions, Failure> {
        let min_score = min_score.or(config.min_score);
        if let Some(percent) = min_score.filter(|percent| !(0.0..=100.0).contains(percent)) {
            return Err(Failure::usage(format!("--min-score {percent} is not between 0 and 100")));
        }
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let jobs = args.jobs.or(config.jobs).unwrap_or(cores);
        if jobs == 0 {
            return Err(Failure::usage("--jobs 0 would never end\n  give at least 1"));
        }
        if jobs > MOST_JOBS {
            return Err(Failure::usage(format!(
                "--jobs {jobs} is more than any machine could do at a time\n  give at most {MOST_JOBS}; this one has {cores} cores"
            )));
        }
        Ok(RunOptions {
            jobs,
            doctests: args.doctests || config.doctests,
            skip_tests: config.skip_tests.iter().chain(&args.skip_test).cloned().collect(),
            min_score,
            offline: args.offline,
            time: TimeLimits {
                baseline: Duration::from_secs(config.baseline_seconds),
                base: Duration::from_secs(config.timeout_seconds),
                factor: config.timeout_factor,
                until: None,
            },
            memory: (config.memory_mib > 0).then_some(config.memory_mib << 20),
            sandbox: config.sandbox && !args.no_sandbox,
        })
    }
}

/// Which mutants are wanted.
pub(crate) fn filter(args: &ChoiceArgs, config: &Config, root: &Path) -> Result<Filter, Failure> {
    let operators = if args.operators.is_empty() { &config.operators } else { &args.operators };
    let files = if args.file.is_empty() { &config.files } else { &args.file };
    let exclude_re: Vec<_> = config.exclude_re.iter().chain(&args.exclude_re).cloned().collect();
    Ok(Filter {
        operators: operator_ids(operators)?,
        files: files.iter().map(|pattern| FileGlob::new(pattern)).collect::<Result<_, _>>()?,
        files_are_given: !args.file.is_empty(),
        exclude_files: filter::globs(&config.exclude_files)?,
        re: args.re.iter().map(|re| filter::regex(re)).collect::<Result<_, _>>()?,
        exclude_re: filter::regexes(&exclude_re)?,
        patch: filter::patch(args.in_diff.as_deref(), root)?,
        only: args.only.iter().map(|name| Selector::new(name)).collect(),
        accepted: accepted(config),
    })
}

/// Mutants that the configuration accepts, with the reasons.
pub(crate) fn accepted(config: &Config) -> Vec<(Selector, String)> {
    config.accepted.iter().map(|(name, reason)| (Selector::new(name), reason.clone())).collect()
}

/// Ids of operators from names of operators and sets; `-name` takes away.
fn operator_ids(names: &[String]) -> Result<Vec<&'static str>, Failure> {
    let mut ids: Vec<&'static str> = Vec::new();
    if names.iter().all(|name| name.starts_with('-')) {
        ids.extend(OPERATORS.iter().map(|operator| operator.id));
    }
    for name in names {
        let (take_away, name) = match name.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, name.as_str()),
        };
        let meant = meant_operators(name)?;
        if take_away {
            ids.retain(|id| !meant.contains(id));
        } else {
            ids.extend(meant);
        }
    }
    Ok(ids)
}

fn meant_operators(name: &str) -> Result<Vec<&'static str>, Failure> {
    if name == "all" {
        return Ok(OPERATORS.iter().map(|operator| operator.id).collect());
    }
    if let Some(set) = OperatorSet::ALL.into_iter().find(|set| set.name() == name) {
        let members = OPERATORS.iter().filter(|operator| operator.sets.contains(&set));
        return Ok(members.map(|operator| operator.id).collect());
    }
    if let Some(operator) = operators::find(name) {
        return Ok(vec![operator.id]);
    }
    let known = OPERATORS.iter().map(|o| o.id).chain(OperatorSet::ALL.iter().map(|set| set.name()));
    let nearest = nearest(name, known);
    Err(Failure::usage(format!(
        "there is no operator `{name}`\n  did you mean `{nearest}`? `cargo testsmith operators` prints all of them"
    )))
}

impl Output {
    /// Resolves the flags, and tells the terminal library about colours.
    pub(crate) fn resolve(args: &OutputArgs) -> Output {
        let color = args.color.unwrap_or_else(|| match std::env::var("CARGO_TERM_COLOR").as_deref() {
            Ok("always") => ColorArg::Always,
            Ok("never") => ColorArg::Never,
            _ => ColorArg::Auto,
        });
        match color {
            ColorArg::Always => anstream::ColorChoice::Always.write_global(),
            ColorArg::Never => anstream::ColorChoice::Never.write_global(),
            // NO_COLOR, CLICOLOR and the kind of terminal are looked at by the library.
            ColorArg::Auto => anstream::ColorChoice::Auto.write_global(),
        }
        Output { json: args.json, quiet: args.quiet, verbose: args.verbose }
    }

    /// Whether a live bar makes sense.
    pub(crate) fn shows_progress(self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_chosen_by_name_by_set_and_by_taking_away() {
        let ids = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(ToString::to_string).collect();
            operator_ids(&names).map_err(|f| f.message)
        };
        assert_eq!(ids(&["ror", "lcr"]).unwrap(), ["ror", "lcr"]);
        assert_eq!(ids(&["all"]).unwrap().len(), OPERATORS.len());
        assert_eq!(ids(&["-uoi"]).unwrap().len(), OPERATORS.len() - 1);
        assert!(ids(&["javalanche", "-neg"]).unwrap().iter().all(|id| *id != "neg"));
        assert!(ids(&["rorr"]).unwrap_err().contains("`ror`"));
    }
}
