//! In which processes the code of a package runs, and why: asks its sources for state that outlives a program and for
//! unsafe code, and the cage what it protects on this system.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Serialize;
use testsmith_exec::{Setup, Trust};
use testsmith_model::effects::{self, Effects, IoKind, MutableState, StateKind};
use testsmith_model::{
    CfgSet, FeatureFlags, Package, PackageChoice, SourceTree, TargetKind, Workspace, load_sources,
};
use testsmith_proc::cage::{self, Report, State};

use crate::build::Builder;
use crate::cli::IsolationArg;
use crate::failure::{Code, Failure};
use crate::list;
use crate::options::PackageOptions;

/// How far the processes are trusted in which a package's code runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Isolation {
    pub(crate) trust: Trust,
    pub(crate) because: String,
}

/// The same for a report.
#[derive(Serialize, Clone, Debug)]
pub(crate) struct IsolationReport {
    mode: &'static str,
    because: String,
}

/// Something that the cage does not protect.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    what: String,
    /// `open` or `partly`.
    state: &'static str,
    reason: String,
}

impl Isolation {
    /// As it was asked for, or as the sources need it.
    pub(crate) fn choose(
        options: &PackageOptions,
        builder: &Builder,
        package: &Package,
        asked: Option<IsolationArg>,
    ) -> Result<Isolation, Failure> {
        let trust = match asked {
            Some(IsolationArg::InProcess) => Trust::InProcess,
            Some(IsolationArg::Mutants) => Trust::Mutants,
            Some(IsolationArg::Fork) => Trust::Fork,
            None => {
                let cfg = list::cfg(options, builder, package)?;
                return Ok(needed(&all_effects(package, &cfg, builder, &options.features)));
            }
        };
        Ok(Isolation { trust, because: "it was asked for".to_owned() })
    }

    pub(crate) fn report(&self) -> IsolationReport {
        let mode = match self.trust {
            Trust::InProcess => "in-process",
            Trust::Mutants => "mutants",
            Trust::Fork => "fork",
            Trust::Fresh => "fresh",
        };
        IsolationReport { mode, because: self.because.clone() }
    }
}

impl IsolationReport {
    /// In a line.
    pub(crate) fn line(&self) -> String {
        let what = match self.mode {
            "in-process" => "programs and mutants run in one process",
            "mutants" => "mutants run in children of their worker",
            "fork" => "every program and every mutant runs in a process of its own",
            _ => "every program runs in a worker of its own",
        };
        format!("{what}: {}", self.because)
    }
}

/// The effects of a package's library, and of those that it depends on by a path; the first is its own.
fn all_effects(
    package: &Package,
    cfg: &CfgSet,
    builder: &Builder,
    features: &FeatureFlags,
) -> Vec<(String, Effects)> {
    let mut all = vec![(package.name.clone(), library_effects(package, cfg))];
    let mut open: Vec<PathBuf> = package.path_dependencies.clone();
    let mut seen: BTreeSet<PathBuf> = BTreeSet::from([package.dir.clone()]);
    // Which features of it are on is cargo's business: with all of them, nothing is overlooked.
    let every = FeatureFlags { all: true, ..FeatureFlags::default() };
    while let Some(dir) = open.pop() {
        if !seen.insert(dir.clone()) {
            continue;
        }
        let manifest = dir.join("Cargo.toml");
        let Ok(found) = Workspace::load(Some(&manifest), &dir, &PackageChoice::Default, &every) else {
            continue;
        };
        for other in found.packages {
            // Its build script is not asked: that would be another build.
            let plain = Package { has_build_script: false, ..other };
            let cfg = CfgSet::ask(&plain, &plain.dir, &builder.args(), features);
            let cfg = cfg.unwrap_or_else(|_| cfg_of_nothing());
            all.push((plain.name.clone(), library_effects(&plain, &cfg)));
            open.extend(plain.path_dependencies);
        }
    }
    all
}

fn cfg_of_nothing() -> CfgSet {
    CfgSet::parse("")
}

/// The library alone: nothing else is linked to the harness.
fn library_effects(package: &Package, cfg: &CfgSet) -> Effects {
    let mut library = package.clone();
    library.targets.retain(|target| target.kind == TargetKind::Lib);
    let mut tree = SourceTree::default();
    load_sources(&mut tree, &library.dir, &library, 0, cfg);
    effects::analyse(&tree, 0, cfg)
}

/// What the code of these packages needs.
fn needed(all: &[(String, Effects)]) -> Isolation {
    // Where it is not the package's own, its name is told.
    let of = |at: usize| if at == 0 { String::new() } else { format!(" of {}", all[at].0) };
    let each = || all.iter().enumerate();
    let state = each().flat_map(|(at, (_, effects))| {
        let states = effects.mutable_state.iter().map(move |state| state_reason(state, &of(at)));
        states.chain(reaching(effects).map(move |reason| format!("{reason}{}", of(at))))
    });
    let state: Vec<String> = state.collect();
    if let Some(because) = summary(&state) {
        return Isolation { trust: Trust::Fork, because };
    }
    if let Some((at, _)) = each().find(|(_, (_, effects))| effects.has_unsafe) {
        let because = format!("there is unsafe code, with which a mutant may damage its process{}", of(at));
        return Isolation { trust: Trust::Mutants, because };
    }
    let because = "no state outlives a program, and there is no unsafe code".to_owned();
    Isolation { trust: Trust::InProcess, because }
}

fn state_reason(state: &MutableState, of: &str) -> String {
    let kind = match state.kind {
        StateKind::StaticMut => "the mutable static",
        StateKind::Interior => "the static",
        StateKind::Once => "the static, set when first used,",
        StateKind::ThreadLocal => "the thread-local",
    };
    format!("{kind} `{}`{of} ({}:{}) outlives a program", state.path, state.file, state.line)
}

/// Functions that change what belongs to the whole process.
fn reaching(effects: &Effects) -> impl Iterator<Item = String> {
    let kinds = [
        (IoKind::Threads, "has to do with threads"),
        (IoKind::Process, "has to do with processes"),
        (IoKind::Environment, "has to do with the environment"),
    ];
    effects.functions().iter().filter_map(move |function| {
        let (_, what) = kinds.iter().find(|(kind, _)| function.io.contains(kind))?;
        Some(format!("`{}` {what}", function.path))
    })
}

/// The first reason, and how many more there are.
fn summary(reasons: &[String]) -> Option<String> {
    let first = reasons.first()?;
    Some(match reasons.len() - 1 {
        0 => first.clone(),
        more => format!("{first}, and {more} more of this kind"),
    })
}

/// What the cage does not protect, for the workers of this setup.
pub(crate) fn gaps(setup: &Setup) -> Result<Vec<Gap>, Failure> {
    let Some(policy) = &setup.policy else { return Ok(Vec::new()) };
    let report = cage::ask(policy).map_err(|error| Failure::new(Code::Environment, error.to_string()))?;
    Ok(gaps_of(&report))
}

fn gaps_of(report: &Report) -> Vec<Gap> {
    let gap = |(guard, state): (cage::Guard, &State)| Gap {
        what: guard.to_string(),
        state: if matches!(state, State::Open(_)) { "open" } else { "partly" },
        reason: state.reason().to_owned(),
    };
    report.gaps().map(gap).collect()
}

/// One line that says what is not protected, if there is something.
pub(crate) fn warning(gaps: &[Gap]) -> Option<String> {
    if gaps.is_empty() {
        return None;
    }
    let one = |gap: &Gap| {
        let partly = if gap.state == "partly" { ", in part" } else { "" };
        format!("{}{partly} ({})", gap.what, gap.reason)
    };
    let all: Vec<String> = gaps.iter().map(one).collect();
    Some(format!("the crate's code runs without protection of: {}", all.join("; ")))
}
