//! The harness of a package: asks rustdoc for its API, writes the harness beside the meta-program, and takes out what
//! the compiler rejects.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use testsmith_instrument::Plan;
use testsmith_instrument::harness::{Entry, Harness};
use testsmith_ir::{Callable, CallableId};
use testsmith_model::api::{DocError, Model, Reach, document, mentioned_crates};
use testsmith_model::{Package, Target, TargetKind};
use testsmith_rt::harness::outside::Outside;
use testsmith_suite::text::is_keyword;

use crate::allow::Allow;
use crate::api_config::ApiConfig;
use crate::build::{Builder, Built, CompilerMessage, Span};
use crate::build_failure;
use crate::copy::{HARNESS, write_if_changed};
use crate::failure::{Code, Failure};
use crate::generate::TestModules;
use crate::isolation::Sources;
use crate::memory;
use crate::meta::{self, MetaProgram, Purpose};
use crate::options::PackageOptions;
use crate::reaching::{self, LeftOut, Reaching, Reasons};
use crate::report::progress::Progress;

/// A meta-program with a harness that drives it.
pub(crate) struct BuiltHarness {
    pub(crate) model: Model,
    pub(crate) plan: Plan,
    pub(crate) built: MetaProgram,
    /// What callables may reach outside of the process, of those that do.
    pub(crate) allowed: BTreeMap<CallableId, BTreeSet<Outside>>,
    /// What is not called because it reaches outside of the process.
    pub(crate) left_out: Vec<LeftOut>,
    /// Callables that read a clock, also by way of dependencies, and how; nothing where nothing is left out either.
    clocks: BTreeMap<CallableId, String>,
    /// Whether the harness counts allocations. It does unless the crate has an allocator of its own.
    pub(crate) counts_memory: bool,
}

impl BuiltHarness {
    /// Callables whose results are not the same every time, as far as sources and call graph tell, with the reason.
    pub(crate) fn unsteady(&self, sources: &Sources) -> BTreeMap<CallableId, String> {
        let by_source = sources.unsteady(&self.model).into_iter();
        let by_source = by_source.map(|(id, reason)| (CallableId(id), reason.to_owned()));
        by_source.chain(self.clocks.clone()).collect()
    }
}

/// What a harness is made of.
pub(crate) struct HarnessRequest<'a> {
    pub(crate) options: &'a PackageOptions,
    pub(crate) builder: &'a Builder,
    pub(crate) package: &'a Package,
    /// Whether private items of a library are called too; those of a program always are.
    pub(crate) private: bool,
    /// Where tests can stand, if what is called is to be tested there.
    pub(crate) test_modules: Option<&'a TestModules>,
    pub(crate) api_config: &'a ApiConfig,
    /// Whether what reaches outside is left out, unless it is allowed.
    pub(crate) stays_inside: bool,
}

/// Reads the API of a package and builds its meta-program, with the mutants of a plan, and a harness.
pub(crate) fn build(
    harness_request: &HarnessRequest<'_>,
    mut plan: Plan,
    progress: &Progress,
) -> Result<BuiltHarness, Failure> {
    let HarnessRequest { options, builder, package, .. } = harness_request;
    progress.phase("reading the API");
    builder.copies.update_plain(&options.workspace)?;
    let mut draft = Draft::of(harness_request)?;
    if reach(package, harness_request.private) != Reach::Public {
        plan.open();
    }
    progress.phase("building the harness");
    let mut built = meta::build(builder, &options.workspace, &mut plan, &mut Purpose::Harness(&mut draft))?;
    let mut clocks = BTreeMap::new();
    if harness_request.stays_inside {
        let Reaching { outside, clocks: found } =
            reaching::find(builder, package, &draft.model, &plan, &built)?;
        clocks = found;
        if draft.leave_out(outside) {
            draft.remember(builder)?;
            let rounds = built.rounds;
            built = meta::build(builder, &options.workspace, &mut plan, &mut Purpose::Harness(&mut draft))?;
            built.rounds += rounds;
        }
    }
    let Draft { counts_memory, model, left_out, allow, rejected, .. } = draft;
    let allowed =
        allow.map(|allow| reaching::allowed(&model, &rejected.reaching, &allow)).unwrap_or_default();
    let clocks =
        model.api.callables().filter_map(|(id, callable)| Some((id, clocks.remove(&callable.path)?)));
    let clocks = clocks.collect();
    Ok(BuiltHarness { counts_memory, model, plan, built, left_out, allowed, clocks })
}

/// A harness of more entries is built as it is: optimising indexmap's 2,600 takes 12 s, and what runs in the first
/// 10 s afterwards is a quarter slower without it. The crate itself is optimised all the same, its generics aside.
const MOST_OPTIMISED: usize = 1_200;

/// Words that are keywords in some editions or some places only: an item can have them as its name.
const IN_SOME_PLACES: &[&str] = &["async", "await", "dyn", "gen", "main", "try", "union"];

/// How far tests of a package reach: to private items of a library if that is asked for, to those of a program anyway.
fn reach(package: &Package, private: bool) -> Reach {
    match package.is_program() {
        true => Reach::Program,
        false if private => Reach::Private,
        false => Reach::Public,
    }
}

/// What of a package can be called: its library, if another program can use that, or its program.
pub(crate) fn subject(package: &Package) -> Result<&Target, Failure> {
    let name = &package.name;
    let (what, advice) = match package.subject() {
        None => (
            format!("{name} has neither a library nor a program, so there is nothing to call"),
            "tests can be written for what stands below src/lib.rs or src/main.rs",
        ),
        Some(library) if library.kind == TargetKind::ProcMacro => (
            format!("{name} is a procedural macro: the compiler calls its functions, and no test can"),
            "move what they do to a library that works on proc_macro2's types, which the macro then uses; \
             `cargo testsmith score` judges the tests that there are",
        ),
        Some(library) if library.name == "std" => (
            format!(
                "the library of {name} is called `std`, and hides the standard library from all that calls it"
            ),
            "give it another name: `[lib] name = …` in Cargo.toml",
        ),
        Some(library) if is_keyword(&library.name) && !IN_SOME_PLACES.contains(&library.name.as_str()) => (
            format!("the library of {name} is called `{}`, which is a word of the language", library.name),
            "give it another name, that tests can write: `[lib] name = …` in Cargo.toml",
        ),
        Some(library) => return Ok(library),
    };
    Err(Failure::new(Code::Baseline, format!("{what}\n  {advice}")))
}

/// That tests from outside can use a library: what is only made for other languages cannot be linked to one.
pub(crate) fn linkable(package: &Package) -> Result<(), Failure> {
    let subject = subject(package)?;
    match subject.is_linkable || subject.kind == TargetKind::Bin {
        true => Ok(()),
        false => Err(Failure::new(
            Code::Baseline,
            format!(
                "the library of {} cannot be used by a test in tests/: its crate-type is only for other languages\n  \
                 add \"lib\" to it in Cargo.toml: `crate-type = [\"cdylib\", \"lib\"]` builds both",
                package.name
            ),
        )),
    }
}

/// A harness that is being built.
pub(crate) struct Draft {
    pub(crate) model: Model,
    package: Package,
    harness: Option<Harness>,
    counts_memory: bool,
    /// What tests may reach; without it, everything, as where programs are given.
    allow: Option<Allow>,
    left_out: Vec<LeftOut>,
    /// Of what the compiler was asked first.
    key: String,
    rejected: Rejected,
}

/// Entries that the compiler has rejected.
#[derive(Default, Serialize, Deserialize)]
struct Rejected {
    /// By the path of a callable, the reason.
    callables: BTreeMap<String, String>,
    /// Text of types that cannot be named.
    types: BTreeSet<String>,
    /// By the path of a callable, where it reaches outside of its process, allowed or not.
    #[serde(default)]
    reaching: BTreeMap<String, Reasons>,
}

impl Draft {
    /// Reads the API of a package from its plain copy, which has been built.
    pub(crate) fn of(harness_request: &HarnessRequest<'_>) -> Result<Draft, Failure> {
        let HarnessRequest { builder, package, private, test_modules, api_config, .. } = *harness_request;
        let reach = reach(package, private);
        let subject = subject(package)?;
        let spec = builder.cargo(&builder.copies.plain(), "rustdoc").args([
            &subject.option(),
            "-p",
            &builder.spec(package, &builder.copies.plain()),
        ]);
        let spec = spec.args(builder.args()).args(builder.features.args());
        let text = document(spec, &builder.docs(), &subject.name).map_err(failure)?;
        let dependencies = dependencies(builder, package, &text)?;
        let mut model =
            Model::read(&text, &dependencies, reach).map_err(DocError::Format).map_err(failure)?;
        if reach == Reach::Program {
            model.remove(&entry_point(&model, subject));
        }
        if let Some(test_modules) = test_modules {
            model.remove(&test_modules.unfit(&model));
        }
        api_config.apply(&mut model, &subject.name)?;
        let key = memory::key(builder, |hasher| {
            Harness::new(&model.api, 0, true).files.iter().for_each(|(_, text)| text.hash(hasher));
        });
        Ok(Draft {
            model,
            package: package.clone(),
            harness: None,
            counts_memory: true,
            allow: harness_request.stays_inside.then(|| api_config.allow.clone()),
            left_out: Vec::new(),
            key,
            rejected: Rejected::default(),
        })
    }

    /// Writes and builds it as it is now.
    pub(crate) fn build(&mut self, builder: &Builder, mutants: usize) -> Result<Built, Failure> {
        let harness = Harness::new(&self.model.api, mutants, self.counts_memory);
        let dir = builder.copies.place(&self.package.dir, &builder.copies.meta()).join(HARNESS);
        for (name, text) in &harness.files {
            write_if_changed(&dir.join(name), text)?;
        }
        let is_large = harness.entries() > MOST_OPTIMISED;
        self.harness = Some(harness);
        builder.build_harness(&builder.copies.meta(), &self.package, is_large)
    }

    /// The entry that an error is about, or the first of them.
    pub(crate) fn entry(&self, error: &CompilerMessage) -> Option<Entry> {
        self.entries(error).first().copied()
    }

    fn entries(&self, error: &CompilerMessage) -> Vec<Entry> {
        let at_span = |span| {
            let mut next = Some(span);
            while let Some(span) = next {
                if let Some(entry) = self.entry_at(span) {
                    return Some(entry);
                }
                next = span.expansion.as_ref().map(|expansion| &expansion.span);
            }
            None
        };
        match error.spans.iter().find_map(at_span) {
            Some(entry) => vec![entry],
            None => self.entries_of_instance(error),
        }
    }

    /// The entries that use a type whose constants cannot be computed, as `Pattern<'a', 'a'>` where both must differ: the
    /// error is in the crate, and only its text says of which instance.
    fn entries_of_instance(&self, error: &CompilerMessage) -> Vec<Entry> {
        let Some(owner) = error.rendered.as_deref().and_then(impossible_instance) else { return Vec::new() };
        let uses = |callable: &Callable| callable.code.contains(&owner);
        let calls = self.model.api.callables();
        calls.filter(|(_, callable)| uses(callable)).map(|(id, _)| Entry::Call(id)).collect()
    }

    fn entry_at(&self, span: &Span) -> Option<Entry> {
        let path = Path::new(&span.file_name);
        let is_ours = path.parent().is_some_and(|dir| dir.ends_with(HARNESS));
        let name = path.file_name().filter(|_| is_ours)?.to_str()?;
        self.harness.as_ref()?.entry(name, span.line_start)
    }

    /// Leaves the allocator to the crate if that is what an error is about; whether it is.
    pub(crate) fn give_up_allocator(&mut self, errors: &[CompilerMessage]) -> bool {
        let is_conflict =
            |error: &CompilerMessage| error.message.contains("#[global_allocator]") && error.code.is_none();
        let gives_up = self.counts_memory && errors.iter().any(is_conflict);
        self.counts_memory &= !gives_up;
        gives_up
    }

    /// Takes out what errors are about.
    pub(crate) fn reject(&mut self, errors: &[&CompilerMessage]) {
        let mut rejected = Rejected::default();
        for error in errors {
            for entry in self.entries(error) {
                match entry {
                    Entry::Call(id) => {
                        let reason = error.message.lines().next().unwrap_or_default().to_owned();
                        rejected.callables.entry(self.model.api[id].path.clone()).or_insert(reason);
                    }
                    Entry::Kind(id) => {
                        rejected.types.insert(self.model.api[id].text.clone());
                    }
                }
            }
        }
        self.take_out(rejected);
    }

    /// Leaves out what reaches outside and is not allowed to; whether there is something.
    fn leave_out(&mut self, reaching: BTreeMap<String, Reasons>) -> bool {
        let before = self.model.api.callables.len();
        self.take_out(Rejected { reaching, ..Rejected::default() });
        self.model.api.callables.len() < before
    }

    fn take_out(&mut self, rejected: Rejected) {
        let reason = |callable: &Callable| rejected.callables.get(&callable.path).cloned();
        let reasons = self.model.api.callables();
        let reasons = reasons.filter_map(|(id, callable)| Some((id, reason(callable)?))).collect();
        self.model.remove(&reasons);
        let types = self.model.api.types();
        let unnamed = types.filter(|(_, ty)| rejected.types.contains(&ty.text)).map(|(id, _)| id);
        unnamed.collect::<Vec<_>>().into_iter().for_each(|id| self.model.forget(id));
        if let Some(allow) = &self.allow {
            let unwanted = reaching::unwanted(&self.model, &rejected.reaching, allow);
            self.model.remove(&unwanted.iter().map(|(id, left_out)| (*id, left_out.reason())).collect());
            self.left_out.extend(unwanted.into_values());
            self.left_out.sort_by(|a, b| a.path.cmp(&b.path));
            self.left_out.dedup_by(|a, b| a.path == b.path);
        }
        self.rejected.callables.extend(rejected.callables);
        self.rejected.reaching.extend(rejected.reaching);
        self.rejected.types.extend(rejected.types);
    }

    /// Takes out what was rejected in an earlier run.
    pub(crate) fn recall(&mut self, builder: &Builder) {
        self.take_out(memory::load(&self.memory(builder), &self.key));
    }

    /// Keeps what has been rejected for later runs.
    pub(crate) fn remember(&self, builder: &Builder) -> Result<(), Failure> {
        memory::store(&self.memory(builder), &self.key, &self.rejected)
    }

    fn memory(&self, builder: &Builder) -> PathBuf {
        builder.copies.home.join(format!("rejected-harness-{}.json", self.package.name))
    }
}

/// The type of which the compiler could not compute a constant: ``evaluation of `Owner::<Args>::NAME` failed``.
fn impossible_instance(rendered: &str) -> Option<String> {
    let (_, rest) = rendered.split_once("evaluation of `")?;
    let (constant, _) = rest.split_once("` failed")?;
    let (owner, _) = constant.rsplit_once("::")?;
    // Without arguments it would be a type in all its forms.
    owner.ends_with('>').then(|| owner.replace("::<", "<"))
}

/// The `main` of a program: it asks for arguments that a test does not have, and ends the process.
fn entry_point(model: &Model, program: &Target) -> BTreeMap<CallableId, String> {
    let path = format!("{}::main", program.crate_name());
    let mains = model.origins.iter().filter(|origin| origin.path == path);
    let callables = mains.flat_map(|origin| &origin.callables);
    let reason = "it is the whole program, and takes what it needs from outside";
    callables.map(|at| (crate::subject::id(*at), reason.to_owned())).collect()
}

/// Documents of the dependencies that the API mentions, each with the name by which code refers to it. What cannot be
/// documented is left out: the crate's own items are worth more than those that need it.
fn dependencies(
    builder: &Builder,
    package: &Package,
    document_of_crate: &str,
) -> Result<Vec<(String, String)>, Failure> {
    let mentioned = mentioned_crates(document_of_crate).map_err(DocError::Format).map_err(failure)?;
    let mut documents = Vec::new();
    for dependency in &package.dependencies {
        // rustdoc knows the library, whatever it is called here.
        let library = dependency.package.replace('-', "_");
        if !mentioned.contains(&library) || documents.iter().any(|(name, _)| *name == dependency.name) {
            continue;
        }
        let exact = exact(builder, package, &dependency.package);
        let spec = builder.cargo(&builder.copies.plain(), "rustdoc").args(["--lib", "-p", &exact]);
        match document(spec.args(builder.args()), &builder.docs(), &library) {
            Ok(text) => documents.push((dependency.name.clone(), text)),
            Err(DocError::Failed(_) | DocError::Unreadable(_)) => {}
            Err(error) => return Err(failure(error)),
        }
    }
    Ok(documents)
}

/// The dependency as cargo's `-p` names it: by what the lock file says of it, for cargo would ask which is meant where there are
/// several versions of it, or a folder that holds it beside the registry.
fn exact(builder: &Builder, package: &Package, dependency: &str) -> String {
    let text = std::fs::read_to_string(builder.copies.plain().join("Cargo.lock")).unwrap_or_default();
    exact_in(&text, &package.name, dependency)
}

fn exact_in(lock: &str, package: &str, dependency: &str) -> String {
    let lock: toml::Table = lock.parse().unwrap_or_default();
    let entries: Vec<&toml::Value> =
        lock.get("package").and_then(toml::Value::as_array).into_iter().flatten().collect();
    let text = |entry: &toml::Value, key: &str| entry.get(key)?.as_str().map(str::to_owned);
    // What lies in the workspace has no source.
    let own = entries
        .iter()
        .filter(|entry| text(entry, "name").as_deref() == Some(package) && text(entry, "source").is_none());
    let listed = own.filter_map(|entry| entry.get("dependencies")?.as_array()).flatten();
    // `name`, `name version` or `name version (source)`: as much as it takes.
    let mut words = listed.filter_map(|entry| {
        let mut words = entry.as_str()?.split(' ');
        (words.next() == Some(dependency)).then(|| words.map(str::to_owned).collect::<Vec<_>>())
    });
    let words = words.next().unwrap_or_default();
    let is_meant = |entry: &&&toml::Value| {
        let is = |key: &str, word: Option<&String>| {
            word.is_none_or(|word| text(entry, key).as_deref() == Some(word.trim_matches(['(', ')'])))
        };
        text(entry, "name").as_deref() == Some(dependency)
            && is("version", words.first())
            && is("source", words.get(1))
    };
    let Some(meant) = entries.iter().find(is_meant) else { return dependency.to_owned() };
    let named = format!("{dependency}@{}", text(meant, "version").unwrap_or_default());
    match text(meant, "source").filter(|source| source.starts_with("registry+")) {
        Some(source) => format!("{source}#{named}"),
        None => named,
    }
}

fn failure(error: DocError) -> Failure {
    let code = match &error {
        DocError::Start(_) => Code::Environment,
        DocError::Failed(words) => match build_failure::explained(words) {
            Some(failure) => return failure,
            None => Code::Baseline,
        },
        DocError::Format(_) => Code::Environment,
        DocError::Interrupted => Code::Interrupted,
        DocError::Unreadable(_) => return Failure::bug(error),
    };
    Failure::new(code, error.to_string())
}

/// Where a harness was built.
pub(crate) fn executable(built: &Built) -> Result<PathBuf, Failure> {
    built.harness().map(Path::to_owned).ok_or_else(|| Failure::bug("cargo built no harness"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_named_as_the_lock_file_tells_them_apart() {
        let registry = "registry+https://github.com/rust-lang/crates.io-index";
        let entry = |name: &str, version: &str, source: Option<&str>, dependencies: &str| {
            let source = source.map(|it| format!("source = \"{it}\"\n")).unwrap_or_default();
            format!(
                "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{source}dependencies = [{dependencies}]\n"
            )
        };
        let lock = |of_own: &str| {
            entry("own", "1.0.0", None, of_own)
                + &entry("own", "1.0.0", Some(registry), "\"b 9.9.9\"")
                + &entry("a", "0.1.0", Some(registry), "")
                + &entry("b", "0.1.0", Some(registry), "")
                + &entry("b", "0.2.0", None, "")
        };
        let table = [
            ("\"a\"", "a", format!("{registry}#a@0.1.0")),
            ("\"b 0.1.0\"", "b", format!("{registry}#b@0.1.0")),
            ("\"b 0.2.0\"", "b", "b@0.2.0".to_owned()),
            ("", "c", "c".to_owned()),
        ];
        for (of_own, dependency, expected) in table {
            assert_eq!(exact_in(&lock(of_own), "own", dependency), expected, "{of_own}");
        }
    }

    #[test]
    fn an_instance_whose_constants_cannot_be_computed_is_known_by_the_message() {
        let message =
            |constant: &str| format!("error[E0080]\n = note: evaluation of `{constant}` failed here\n");
        let cases = [
            ("wild::Pattern::<'a', 'a'>::DIFFER", Some("wild::Pattern<'a', 'a'>")),
            ("wild::LIMIT", None),
            ("wild::Fixed::LIMIT", None),
        ];
        for (constant, expected) in cases {
            assert_eq!(impossible_instance(&message(constant)).as_deref(), expected, "{constant}");
        }
    }
}
