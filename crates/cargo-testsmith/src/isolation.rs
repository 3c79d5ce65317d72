//! In which processes the code of a package runs, and why: asks its sources ([`Sources`]) for state that outlives a program
//! and for unsafe code, and the sandbox what it protects on this system.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;
use testsmith_exec::{Setup, Trust};
use testsmith_model::api::{Model, Origin};
use testsmith_model::effects::{self, Effects, FunctionEffects, IoKind, MutableState, StateKind};
use testsmith_model::{CfgSet, FeatureFlags, Package, PackageChoice, SourceTree, Workspace, load_sources};
use testsmith_proc::sandbox::{self, Report, State};

use crate::build::Builder;
use crate::cli::IsolationArg;
use crate::failure::{Code, Failure};
use crate::options::PackageOptions;

/// What the sources of a package, and of those that it depends on by a path, say of its functions.
pub(crate) struct Sources {
    /// By the name of the package; the first is the package itself.
    effects: Vec<(String, Effects)>,
}

/// How far the processes are trusted in which a package's code runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Isolation {
    pub(crate) trust: Trust,
    pub(crate) because: String,
    /// The callables that touch what outlives a program; `None` if that is not known, or nothing does.
    pub(crate) stateful: Option<BTreeSet<u32>>,
}

/// The same for a report.
#[derive(Serialize, Clone, Debug)]
pub(crate) struct IsolationReport {
    mode: &'static str,
    because: String,
    /// Programs that call one of so many callables need a process of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    stateful: Option<usize>,
}

/// Something that the sandbox does not protect.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    what: String,
    /// `open` or `partly`.
    state: &'static str,
    reason: String,
}

impl Gap {
    /// In a few words.
    pub(crate) fn line(&self) -> String {
        let partly = if self.state == "partly" { ", in part" } else { "" };
        format!("{}{partly} ({})", self.what, self.reason)
    }
}

impl Isolation {
    /// As it was asked for, or as the sources need it.
    pub(crate) fn choose(sources: &Sources, model: &Model, asked: Option<IsolationArg>) -> Isolation {
        let trust = match asked {
            Some(IsolationArg::InProcess) => Trust::InProcess,
            Some(IsolationArg::Mutants) => Trust::Mutants,
            Some(IsolationArg::Fork) => Trust::Fork,
            None => {
                let (trust, because) = needed(&sources.effects);
                let stateful = (trust == Trust::Fork).then(|| sources.stateful(model)).flatten();
                return Isolation { trust, because, stateful };
            }
        };
        Isolation { trust, because: "it was asked for".to_owned(), stateful: None }
    }

    pub(crate) fn report(&self) -> IsolationReport {
        let mode = match self.trust {
            Trust::InProcess => "in-process",
            Trust::Mutants => "mutants",
            Trust::Fork => "fork",
            Trust::Fresh => "fresh",
        };
        let stateful = self.stateful.as_ref().map(BTreeSet::len);
        IsolationReport { mode, because: self.because.clone(), stateful }
    }
}

impl IsolationReport {
    /// In a line.
    pub(crate) fn line(&self) -> String {
        if let Some(count) = self.stateful {
            return format!(
                "programs that call one of {count} stateful callables run in processes of their own, all others in one \
                 and their mutants in its children: {}",
                self.because
            );
        }
        let what = match self.mode {
            "in-process" => "programs and mutants run in one process",
            "mutants" => "mutants run in children of their worker",
            "fork" => "every program and every mutant runs in a process of its own",
            _ => "every program runs in a worker of its own",
        };
        format!("{what}: {}", self.because)
    }
}

impl Sources {
    /// Reads the libraries; nothing else is linked to the harness. `cfg` are the options that the package is compiled
    /// under.
    pub(crate) fn read(
        options: &PackageOptions,
        builder: &Builder,
        package: &Package,
        cfg: &CfgSet,
    ) -> Result<Sources, Failure> {
        let root = &options.workspace.root;
        let mut effects = vec![(package.name.clone(), library_effects(root, package, cfg))];
        for other in path_dependencies(package) {
            // Its build script is not asked: that would be another build.
            let plain = Package { has_build_script: false, ..other };
            let cfg = CfgSet::ask(
                &plain,
                &plain.dir,
                &plain.spec_at(&plain.dir),
                &builder.args(),
                &options.features,
            )?;
            effects.push((plain.name.clone(), library_effects(root, &plain, &cfg)));
        }
        Ok(Sources { effects })
    }

    /// What the functions of the library do.
    pub(crate) fn library(&self) -> &Effects {
        &self.effects.first().expect("the package itself comes first").1
    }

    /// The function that a callable is an instance of.
    fn function(&self, origin: &Origin) -> Option<&FunctionEffects> {
        let place = origin.place.as_ref()?;
        self.library().at(&place.file, place.first, origin.path.rsplit("::").next()?)
    }

    /// The callables that touch what outlives a program; `None` if any program may do so: through a drop, through what looks
    /// at a value, or in another package.
    fn stateful(&self, model: &Model) -> Option<BTreeSet<u32>> {
        let [(_, own), others @ ..] = self.effects.as_slice() else { return None };
        let statics: BTreeSet<&str> = changing(own).map(|state| state.path.as_str()).collect();
        let touches = |function: &FunctionEffects| {
            let is_one = |path: &String| statics.contains(path.as_str());
            function.statics_read.iter().chain(&function.statics_written).any(is_one)
                || STATEFUL.iter().any(|(kind, _)| function.io.contains(kind))
        };
        let is_elsewhere = others.iter().any(|(_, effects)| has_state(effects));
        let is_implicit = |function: &FunctionEffects| IMPLICIT.iter().any(|it| function.path.contains(it));
        if is_elsewhere || own.functions().iter().any(|function| is_implicit(function) && touches(function)) {
            return None;
        }
        let stateful = model.origins.iter().filter(|origin| self.function(origin).is_some_and(touches));
        Some(stateful.flat_map(|origin| &origin.callables).filter_map(|at| u32::try_from(*at).ok()).collect())
    }

    /// Callables whose results are not the same every time, as far as the source tells, with the reason.
    pub(crate) fn unsteady(&self, model: &Model) -> Vec<(u32, &'static str)> {
        let reasons = [(IoKind::Time, "it reads a clock"), (IoKind::Random, "it asks for random numbers")];
        let of_origin = |origin: &Origin| {
            let function = self.function(origin)?;
            reasons.iter().find(|(kind, _)| function.io.contains(kind)).map(|(_, reason)| *reason)
        };
        let found = model.origins.iter().filter_map(|origin| Some((origin, of_origin(origin)?)));
        let each = found.flat_map(|(origin, reason)| {
            let callables = origin.callables.iter().filter_map(|callable| u32::try_from(*callable).ok());
            callables.map(move |callable| (callable, reason))
        });
        each.collect()
    }
}

/// The packages that a package depends on by a path, also by way of others.
fn path_dependencies(package: &Package) -> Vec<Package> {
    let mut all = Vec::new();
    let paths = |of: &Package| of.dependencies.iter().filter_map(|it| it.path.clone()).collect::<Vec<_>>();
    let mut open: Vec<PathBuf> = paths(package);
    let mut seen: BTreeSet<PathBuf> = BTreeSet::from([package.dir.clone()]);
    // Which features of it are on is cargo's business: with all of them, nothing is overlooked.
    let every = FeatureFlags { all: true, ..FeatureFlags::default() };
    while let Some(dir) = open.pop() {
        if !seen.insert(dir.clone()) {
            continue;
        }
        let manifest = dir.join("Cargo.toml");
        // What cannot be read will be a matter for cargo.
        let found = Workspace::load(Some(&manifest), &dir, &PackageChoice::All, &every);
        let members = found.into_iter().flat_map(|workspace| workspace.packages);
        for other in members.filter(|member| member.dir == dir) {
            open.extend(paths(&other));
            all.push(other);
        }
    }
    all
}

fn library_effects(root: &Path, package: &Package, cfg: &CfgSet) -> Effects {
    let mut library = package.clone();
    let subject = package.subject();
    library.targets.retain(|target| Some(target) == subject);
    let mut tree = SourceTree::default();
    load_sources(&mut tree, root, &library, 0, cfg);
    effects::analyse(&tree, 0, cfg)
}

/// Effects on what belongs to the whole process. Other processes are ended after each program anyway.
const STATEFUL: [(IoKind, &str); 2] = [
    (IoKind::Threads, "has to do with threads"),
    (IoKind::ProcessState, "changes the environment or the working directory"),
];

/// Functions that run without a call in the program: when a value is dropped or looked at.
const IMPLICIT: [&str; 7] =
    [" Drop>::", " Debug>::", " Display>::", " PartialEq>::", " PartialOrd>::", " Ord>::", " Clone>::"];

/// The statics whose value can be another one after a program.
fn changing(effects: &Effects) -> impl Iterator<Item = &MutableState> {
    effects.mutable_state.iter().filter(|state| state.kind != StateKind::Lazy)
}

fn has_state(effects: &Effects) -> bool {
    changing(effects).next().is_some() || reaching(effects).next().is_some()
}

/// How far processes have to be trusted for the code of these packages, and why.
fn needed(all: &[(String, Effects)]) -> (Trust, String) {
    // Where it is not the package's own, its name is told.
    let of = |at: usize| if at == 0 { String::new() } else { format!(" of {}", all[at].0) };
    let each = || all.iter().enumerate();
    let state = each().flat_map(|(at, (_, effects))| {
        let states = changing(effects).map(move |state| state_reason(state, &of(at)));
        states.chain(reaching(effects).map(move |reason| format!("{reason}{}", of(at))))
    });
    let state: Vec<String> = state.collect();
    if let Some(because) = summary(&state) {
        return (Trust::Fork, because);
    }
    // What is made once is the same for all programs, unless a mutant has made it.
    let lazy = each().flat_map(|(at, (_, effects))| {
        let lazy = effects.mutable_state.iter().filter(|state| state.kind == StateKind::Lazy);
        lazy.map(move |state| state_reason(state, &of(at)))
    });
    if let Some(because) = summary(&lazy.collect::<Vec<_>>()) {
        return (Trust::Mutants, because);
    }
    if let Some((at, _)) = each().find(|(_, (_, effects))| effects.has_unsafe) {
        let because = format!("there is unsafe code{}, with which a mutant may damage its process", of(at));
        return (Trust::Mutants, because);
    }
    (Trust::InProcess, "no state outlives a program, and there is no unsafe code".to_owned())
}

fn state_reason(state: &MutableState, of: &str) -> String {
    let kind = match state.kind {
        StateKind::StaticMut => "the mutable static",
        StateKind::Interior => "the static",
        StateKind::Once => "the static, set when first used,",
        StateKind::ThreadLocal => "the thread-local",
        StateKind::Lazy => "what a mutant may make of the static, made when first used,",
    };
    format!("{kind} `{}`{of} ({}:{}) outlives a program", state.path, state.file, state.line)
}

/// Functions that change what belongs to the whole process.
fn reaching(effects: &Effects) -> impl Iterator<Item = String> {
    effects.functions().iter().filter_map(|function| {
        let (_, what) = STATEFUL.iter().find(|(kind, _)| function.io.contains(kind))?;
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

/// What the sandbox does not protect, for the workers of this setup.
pub(crate) fn gaps(setup: &Setup) -> Result<Vec<Gap>, Failure> {
    let Some(policy) = &setup.policy else { return Ok(Vec::new()) };
    let report = sandbox::ask(policy).map_err(|error| Failure::new(Code::Environment, error.to_string()))?;
    Ok(gaps_of(&report))
}

/// What does not hold, or not wholly.
pub(crate) fn gaps_of(report: &Report) -> Vec<Gap> {
    let gap = |(guard, state): (sandbox::Guard, &State)| Gap {
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
    let all: Vec<String> = gaps.iter().map(Gap::line).collect();
    Some(format!("the crate's code runs without protection of: {}", all.join("; ")))
}

#[cfg(test)]
mod tests {

    use testsmith_model::TargetKind;
    use testsmith_proc::sandbox::Guard;

    use super::*;

    #[test]
    fn what_the_sandbox_does_not_protect_is_one_line() {
        let held = State::Held("landlock ABI 7".to_owned());
        let report = |states: Vec<(Guard, State)>| states.into_iter().collect::<Report>();
        assert_eq!(warning(&gaps_of(&report(vec![(Guard::Files, held.clone())]))), None);
        let gaps = gaps_of(&report(vec![
            (Guard::Files, State::Open("this kernel has no landlock".to_owned())),
            (Guard::Network, held),
            (Guard::Signals, State::Partly("single threads can be signalled".to_owned())),
        ]));
        assert_eq!(
            warning(&gaps).as_deref(),
            Some(
                "the crate's code runs without protection of: files outside of the scratch folders (this kernel has \
                 no landlock); signals to other processes, in part (single threads can be signalled)"
            )
        );
    }

    #[track_caller]
    fn check(libraries: &[&str], trust: Trust, because: &str) {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let effects = |(number, text): (usize, &&str)| {
            let name = format!("p{number}");
            let src = folder.path().join(format!("{name}.rs"));
            std::fs::write(&src, text).expect("the folder is ours");
            let cfg = CfgSet::parse("unix");
            let mut tree = SourceTree::default();
            load_sources(&mut tree, folder.path(), &package(&name, &src), 0, &cfg);
            (name, effects::analyse(&tree, 0, &cfg))
        };
        let all: Vec<_> = libraries.iter().enumerate().map(effects).collect();
        assert_eq!(needed(&all), (trust, because.to_owned()));
    }

    fn package(name: &str, src: &Path) -> Package {
        let target = testsmith_model::Target {
            name: name.to_owned(),
            kind: TargetKind::Lib,
            src: src.to_owned(),
            is_linkable: true,
            harness: true,
            test: true,
            doctest: true,
        };
        Package {
            name: name.to_owned(),
            version: "0.1.0".to_owned(),
            edition: 2021,
            manifest: src.with_file_name("Cargo.toml"),
            dir: src.parent().expect("it is in a folder").to_owned(),
            targets: vec![target],
            features: BTreeSet::new(),
            feature_table: Default::default(),
            has_build_script: false,
            dependencies: Vec::new(),
        }
    }

    #[test]
    fn state_asks_for_more_than_unsafe_code_does_and_that_for_more_than_plain_code() {
        let plain = "pub fn f() -> u8 { 1 }";
        let unsafely = "pub fn f(n: &u8) -> u8 { unsafe { *(n as *const u8) } }";
        let state = "static mut COUNT: u8 = 0;";
        let lazy = "static TABLE: std::sync::LazyLock<u8> = std::sync::LazyLock::new(|| 1);";
        let threads = "pub fn f() { std::thread::spawn(|| {}); }";
        let nothing = "no state outlives a program, and there is no unsafe code";
        let damage = "there is unsafe code, with which a mutant may damage its process";
        check(&[plain, plain], Trust::InProcess, nothing);
        check(&[unsafely, plain], Trust::Mutants, damage);
        check(
            &[plain, unsafely],
            Trust::Mutants,
            "there is unsafe code of p1, with which a mutant may damage its process",
        );
        check(
            &[lazy],
            Trust::Mutants,
            "what a mutant may make of the static, made when first used, `TABLE` (p0.rs:1) outlives a program",
        );
        check(&[threads], Trust::Fork, "`f` has to do with threads");
        let count = "the mutable static `COUNT` of p1 (p1.rs:1) outlives a program";
        check(&[unsafely, state], Trust::Fork, count);
        check(
            &[unsafely, &format!("{state} {threads}")],
            Trust::Fork,
            &format!("{count}, and 1 more of this kind"),
        );
    }
}
