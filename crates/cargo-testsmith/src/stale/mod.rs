//! Tests that the tool has written and that no longer hold, because the crate has changed: found one by one in the copy, so that
//! everything else goes on without them. [`check`] finds them; `blame` reads the compiler's errors, `likely` guesses new names,
//! `report` tells people.

mod blame;
mod files;
mod likely;
mod report;
mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use testsmith_model::{Names, Package, Target};
use testsmith_suite::claims::Order;
use testsmith_suite::text::{
    AssertionFailure, Existing, HEADER, ValueChange, imported_name, refreshed, with_kills,
};
use testsmith_suite::world::{InWorld, WORLDS};
use testsmith_suite::{Access, Exceptions, Heap, Runner, Suite, TestId, libtest};

use self::blame::blame;
use self::files::OurFile;
use self::report::{Action, Kind};
pub(crate) use self::report::{StaleTest, is_left, text};
pub(crate) use self::suite::written_suite;
use crate::build::Builder;
use crate::failure::Failure;
use crate::generate::NAME;
use crate::options::{PackageOptions, RunOptions};
use crate::report::progress::Progress;
use crate::score::shorten;
use crate::{test_sandbox, worlds};

/// Rounds of the compiler, and of running, after which the rest is left to whoever comes next.
const MOST_ROUNDS: usize = 20;

/// Orders in which what was rewritten has to pass.
const ORDERS: [Order; 3] = [Order::SideBySide, Order::Single, Order::Shuffled(1)];

/// What is wrong with a test.
#[derive(Clone, Debug)]
struct Finding {
    kind: Kind,
    message: Option<String>,
    what: Option<String>,
    likely: Option<String>,
    /// Values that have changed, by the line of their assertion.
    changes: Vec<(usize, ValueChange)>,
    /// The test with the new values, if it holds with them.
    refreshed: Option<String>,
}

impl Finding {
    fn new(kind: Kind, message: String) -> Finding {
        let message = Some(message);
        Finding { kind, message, what: None, likely: None, changes: Vec::new(), refreshed: None }
    }
}

/// A file with tests while they are looked at.
struct State {
    file: OurFile,
    /// Where it stands in the copy.
    compiled_at: PathBuf,
    edition: u16,
    /// Without what does not hold, and with what was rewritten.
    current: Existing,
    found: BTreeMap<String, Finding>,
    /// Imports of what is not there.
    bad_imports: BTreeSet<String>,
    /// Whether the whole file does not compile, and no test is to blame.
    is_left_out: bool,
}

/// What was found out about the tests that are there.
pub(crate) struct Checked {
    states: Vec<State>,
    /// What the user wants to be done.
    wanted: Wanted,
}

/// What the user wants to be done with stale tests.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// Those that hold with other values are rewritten.
    pub(crate) refresh: bool,
    /// The others are removed.
    pub(crate) prune: bool,
}

/// Where the tests are that are checked.
#[derive(Clone, Copy)]
pub(crate) enum Where<'a> {
    /// Where cargo finds them.
    Package,
    /// In a folder of the user's choice, and inside of the crate.
    Folder(&'a Path),
}

/// Checks what the tool has written for a package earlier. Where the crate itself, or tests of other people, do not compile,
/// that is left to those who build them.
pub(crate) fn check(
    options: &PackageOptions,
    builder: &Builder,
    package: &Package,
    place: Where<'_>,
    run: &RunOptions,
    wanted: Wanted,
    progress: &Progress,
) -> Result<Checked, Failure> {
    // Where cargo looks anyway, nothing has to be moved.
    let place = match place {
        Where::Folder(dir) if files::is_usual(package, dir) => Where::Package,
        place => place,
    };
    let files = match place {
        Where::Package => files::of_package(package),
        Where::Folder(dir) => {
            files::in_folder(package, dir).into_iter().chain(files::inside(package)).collect()
        }
    };
    let copy = builder.copies.plain();
    let state = |file: OurFile| State {
        compiled_at: builder.copies.place(&file.place, &copy),
        edition: package.edition,
        current: file.existing.clone(),
        found: BTreeMap::new(),
        bad_imports: BTreeSet::new(),
        is_left_out: false,
        file,
    };
    let mut checked = Checked { states: files.into_iter().map(state).collect(), wanted };
    if checked.states.iter().any(|state| state.current.tests().next().is_some()) {
        progress.phase("checking the tests that are there");
        let folder = match place {
            Where::Package => None,
            Where::Folder(dir) => Some(dir),
        };
        Checking { options, builder: builder.clone(), package, run, copy, folder }
            .run(&mut checked.states)?;
    }
    Ok(checked)
}

struct Checking<'a> {
    options: &'a PackageOptions,
    builder: Builder,
    package: &'a Package,
    run: &'a RunOptions,
    copy: PathBuf,
    /// Where the files of the test target are, if not where cargo looks for them.
    folder: Option<&'a Path>,
}

impl Checking<'_> {
    fn run(mut self, states: &mut [State]) -> Result<(), Failure> {
        let mut names = None;
        for _ in 0..MOST_ROUNDS {
            self.write(states)?;
            let which = self.targets(states);
            let which: Vec<&str> = which.iter().map(String::as_str).collect();
            let built = self.builder.build_test(&self.copy, self.package, &which)?;
            if !built.success {
                let names = names.get_or_insert_with(|| Names::read(self.package));
                let is_progress = blame(states, &built.errors, &self.copy, names);
                // A dev-dependency that seemed to be of no use may be missing.
                if !is_progress && !std::mem::replace(&mut self.builder.copies.prunes, false) {
                    break;
                }
                continue;
            }
            let suite = written_suite(&self.builder, self.run, self.package, NAME, &built, &self.copy)?;
            let names = names.get_or_insert_with(|| Names::read(self.package));
            if !self.failing(states, &suite, names)? {
                break;
            }
        }
        Ok(())
    }

    /// Writes the files as they are now into the copy.
    fn write(&mut self, states: &[State]) -> Result<(), Failure> {
        let copies = &mut self.builder.copies;
        let outer = |state: &&State| !state.file.is_inner;
        let texts = states.iter().filter(|state| state.file.is_inner || self.folder.is_none());
        copies.instead = texts.map(|state| (state.file.place.clone(), state.compiled())).collect();
        copies.update_plain(&self.options.workspace)?;
        if let Some(folder) = self.folder {
            let file = |state: &State| {
                Some((state.file.place.file_name()?.to_string_lossy().into_owned(), state.compiled()))
            };
            let mut all: Vec<(String, String)> = states.iter().filter(outer).filter_map(file).collect();
            let main = std::fs::read_to_string(folder.join("main.rs")).ok();
            all.extend(main.map(|text| ("main.rs".to_owned(), text)));
            copies.write_test(&self.copy, self.package, NAME, &all, false)?;
        }
        Ok(())
    }

    /// Cargo's options for the targets that have the tests.
    fn targets(&self, states: &[State]) -> Vec<String> {
        let outer = ["--test", NAME].into_iter().filter(|_| states.iter().any(|it| !it.file.is_inner));
        let inner = self.package.subject().filter(|_| states.iter().any(|it| it.file.is_inner));
        outer.map(str::to_owned).chain(inner.map(Target::option)).collect()
    }

    /// Runs the tests; whether one fails that has not failed before in the same way.
    fn failing(&self, states: &mut [State], suite: &Suite, names: &Names) -> Result<bool, Failure> {
        let mut runner = Runner {
            suite,
            scratch: self.builder.copies.scratch()?,
            temp: self.builder.temp.clone(),
            sandbox: test_sandbox::of_copy(&self.copy, self.run.sandbox, &Exceptions::default()),
            skip: Vec::new(),
            time: self.run.time,
            memory: self.run.memory,
            jobs: self.run.jobs,
            heap: Heap::Usual,
            world: None,
        };
        // Lines are those of the files as they were compiled.
        let compiled: Vec<Existing> = states.iter().map(|state| state.current.clone()).collect();
        for order in ORDERS {
            let all: Vec<TestId> = (0..suite.tests.len()).collect();
            let mut failing = runner.failing(&all, order)?;
            if testsmith_proc::interrupt::requested() {
                return Err(Failure::interrupted());
            }
            let theirs = self.edited(states, suite, failing.keys().copied());
            let wide = self.outside(&mut runner, suite, &theirs, order)?;
            failing.retain(|test, _| !theirs.contains(test) || wide.contains_key(test));
            let mut is_new = false;
            for (test, printed) in &failing {
                is_new |= note(states, &compiled, &suite.tests[*test].name, printed, names);
            }
            if is_new {
                return Ok(true);
            }
        }
        self.unportable(states, &runner)
    }

    /// Takes out what was rewritten and does not hold in other worlds; whether there was something.
    fn unportable(&self, states: &mut [State], runner: &Runner<'_>) -> Result<bool, Failure> {
        let is_rewritten = |name: &str| {
            let (index, own) = parts(states, name)?;
            states[index].found.get(own)?.refreshed.as_ref()
        };
        let tests = 0..runner.suite.tests.len();
        let rewritten: Vec<TestId> =
            tests.filter(|test| is_rewritten(&runner.suite.tests[*test].name).is_some()).collect();
        let library = worlds::library(&self.builder);
        let mut is_new = false;
        for world in WORLDS.iter().filter(|_| !rewritten.is_empty()) {
            let world = Some(InWorld { world: *world, library: library.clone() });
            let failing = Runner { world, ..runner.clone() }.failing(&rewritten, Order::SideBySide)?;
            for test in failing.into_keys() {
                let Some((index, own)) = parts(states, &runner.suite.tests[test].name) else { continue };
                let message = "what it expects is not the same at another time or on another machine";
                is_new |= states[index].give_up(own, message.to_owned());
            }
        }
        Ok(is_new)
    }

    /// Of some tests, those that are as a person has left them: they may need what ours never do.
    fn edited(&self, states: &[State], suite: &Suite, tests: impl Iterator<Item = TestId>) -> Vec<TestId> {
        let is_edited = |name: &str| {
            parts(states, name)
                .is_some_and(|(index, name)| !states[index].file.existing.unedited().contains(name))
        };
        tests.filter(|test| is_edited(&suite.tests[*test].name)).collect()
    }

    /// What fails without the sandbox as well.
    fn outside(
        &self,
        runner: &mut Runner<'_>,
        suite: &Suite,
        tests: &[TestId],
        order: Order,
    ) -> Result<BTreeMap<TestId, String>, Failure> {
        if let Some(sandbox) = &mut runner.sandbox {
            for test in tests {
                let test = &suite.tests[*test];
                let binary = suite.binaries[test.binary].name.clone();
                sandbox.exceptions.insert((binary, test.name.clone()), Access::All);
            }
        }
        Ok(runner.failing(tests, order)?)
    }
}

/// The file of a test, and its own name.
fn parts<'n>(states: &[State], name: &'n str) -> Option<(usize, &'n str)> {
    let (module, own) = name.rsplit_once("::")?;
    Some((states.iter().position(|state| state.file.module == module)?, own))
}

/// Takes note of a test that fails; whether something is different then.
fn note(states: &mut [State], compiled: &[Existing], name: &str, printed: &str, names: &Names) -> bool {
    let Some((index, own)) = parts(states, name) else { return false };
    let state = &mut states[index];
    let end = Path::new(state.file.path.file_name().unwrap_or_default()).to_owned();
    let failure = libtest::failure(printed, |file| Path::new(file).file_name() == Some(end.as_os_str()));
    state.rewrite_or_take_out(&compiled[index], own, &failure, names)
}

impl State {
    /// What is compiled of it.
    fn compiled(&self) -> String {
        let current = &self.current;
        // What has not changed is not compiled anew; places in it are the same.
        let is_same = current.is_as_read() && current.raw().starts_with(current.text().trim_end());
        match self.is_left_out {
            true => format!("{HEADER}\n"),
            false if is_same => current.raw().to_owned(),
            false => current.text().to_owned(),
        }
    }

    /// Goes on without a test; whether it was there.
    fn take_out(&mut self, test: &str, finding: Finding) -> bool {
        if !self.current.tests().any(|(name, _)| name == test) {
            return false;
        }
        self.current = self.current.without(&BTreeSet::from([test.to_owned()]));
        let known = self.found.entry(test.to_owned()).or_insert(finding);
        known.refreshed = None;
        true
    }

    /// Goes on without a test that was rewritten in vain.
    fn give_up(&mut self, test: &str, message: String) -> bool {
        self.found.remove(test);
        self.take_out(test, Finding::new(Kind::Fails, message))
    }

    /// Goes on with new values where they can be written, and else without the test.
    fn rewrite_or_take_out(
        &mut self,
        compiled: &Existing,
        test: &str,
        failure: &AssertionFailure,
        names: &Names,
    ) -> bool {
        let text = compiled.tests().find(|(name, _)| *name == test).map(|(_, text)| text.to_owned());
        let Some(text) = text else { return false };
        let first_line = compiled.first_line_of(test).unwrap_or(1);
        let imports = self.current.imports();
        let owner = |variant: &str| {
            let owner = names.enum_of(variant)?;
            let is_known = imports.iter().any(|path| imported_name(path) == owner);
            is_known.then(|| format!("{owner}::{variant}"))
        };
        let Some((change, new)) = refreshed(&text, first_line, failure, &owner) else {
            let message = match failure {
                AssertionFailure::Other { message } | AssertionFailure::Message { message } => {
                    message.clone()
                }
                AssertionFailure::Values { .. } | AssertionFailure::Untrue { .. } => "it fails".to_owned(),
            };
            return self.take_out(test, Finding::new(Kind::Fails, message));
        };
        let line = match failure {
            AssertionFailure::Values { line, .. } | AssertionFailure::Untrue { line } => *line,
            AssertionFailure::Message { .. } | AssertionFailure::Other { .. } => 0,
        };
        let is_again = |(known, other): &(usize, ValueChange)| *known == line && other.what == change.what;
        let is_shaky = self.found.get(test).is_some_and(|finding| finding.changes.iter().any(is_again));
        if is_shaky {
            // It was rewritten for the value of another run.
            return self.give_up(test, format!("`{}` is not the same in every run", change.what));
        }
        let finding = Finding { message: None, ..Finding::new(Kind::ValueChanged, String::new()) };
        let finding = self.found.entry(test.to_owned()).or_insert(finding);
        finding.changes.push((line, change));
        match new {
            Some(new) => {
                finding.refreshed = Some(new.clone());
                self.current = self.current.with_test(test, &new);
                true
            }
            None => {
                let finding = finding.clone();
                self.take_out(test, finding)
            }
        }
    }

    fn unedited(&self) -> BTreeSet<String> {
        self.file.existing.unedited()
    }

    /// What becomes of a stale test in the user's file.
    fn action(&self, test: &str, wanted: Wanted) -> Action {
        let Some(finding) = self.found.get(test).filter(|_| self.unedited().contains(test)) else {
            return Action::Kept;
        };
        match (&finding.refreshed, finding.kind) {
            (_, Kind::FileDoesNotCompile) => Action::Kept,
            (Some(_), _) if wanted.refresh => Action::Refreshed,
            (None, _) if wanted.prune => Action::Removed,
            _ => Action::Kept,
        }
    }

    fn with_action(&self, wanted: Wanted, action: Action) -> BTreeSet<String> {
        self.found.keys().filter(|test| self.action(test, wanted) == action).cloned().collect()
    }

    /// What holds: the file without stale tests, but for those that are rewritten.
    fn working(&self, wanted: Wanted) -> Existing {
        if self.is_left_out {
            let empty = Existing::read(&format!("{HEADER}\n")).expect("a header is Rust");
            return empty.reserving(self.delivered(wanted).names());
        }
        let refreshed = self.with_action(wanted, Action::Refreshed);
        let out = self.found.keys().filter(|test| !refreshed.contains(*test)).cloned().collect();
        self.current.without(&out).reserving(self.delivered(wanted).names())
    }

    /// The file as the user gets it, before anything is added.
    fn delivered(&self, wanted: Wanted) -> Existing {
        let mut file = self.file.existing.clone();
        for test in self.with_action(wanted, Action::Refreshed) {
            if let Some(text) = self.found.get(&test).and_then(|finding| finding.refreshed.as_ref()) {
                file = file.with_test(&test, text);
            }
        }
        let removed = self.with_action(wanted, Action::Removed);
        if removed.is_empty() {
            return file;
        }
        let texts: Vec<&str> =
            self.file.existing.tests().filter(|(name, _)| removed.contains(*name)).map(|it| it.1).collect();
        file = file.without(&removed).without_imports_of(&texts, self.edition);
        let is_whole = self.with_action(wanted, Action::Kept).is_empty();
        if is_whole { file.without_imports(&self.bad_imports, self.edition) } else { file }
    }

    fn entry(&self, test: &str, finding: &Finding, wanted: Wanted) -> StaleTest {
        let change = finding.changes.first().map(|(_, change)| change);
        StaleTest {
            test: format!("{}::{test}", self.file.module),
            file: shorten(&self.file.path).display().to_string(),
            line: self.file.existing.line_of(test).unwrap_or(1),
            kind: finding.kind,
            what: finding.what.clone().or_else(|| change.map(|change| change.what.clone())),
            old: change.map(|change| change.old.clone()),
            new: change.map(|change| change.new.clone()),
            likely: finding.likely.clone(),
            message: finding.message.clone(),
            edited: !self.unedited().contains(test),
            refreshable: finding.refreshed.is_some() && self.unedited().contains(test),
            action: self.action(test, wanted),
        }
    }
}

impl Checked {
    /// Says anew what tests kill that were rewritten.
    pub(crate) fn say_kills(&mut self, kills: impl Fn(&str) -> Vec<String>) {
        for state in &mut self.states {
            for (test, finding) in &mut state.found {
                if let Some(text) = &mut finding.refreshed {
                    *text = with_kills(text, &kills(&format!("{}::{test}", state.file.module)));
                }
            }
        }
    }

    /// The stale tests.
    pub(crate) fn stale(&self) -> Vec<StaleTest> {
        let of_file = |state: &State| -> Vec<StaleTest> {
            state.found.iter().map(|(test, finding)| state.entry(test, finding, self.wanted)).collect()
        };
        let mut all: Vec<StaleTest> = self.states.iter().flat_map(of_file).collect();
        all.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        all
    }

    /// A builder whose copies have what holds instead of the user's files, for those who take them from the user's tree.
    pub(crate) fn builder(&self, builder: &Builder) -> Builder {
        let mut builder = builder.clone();
        let changed = self.states.iter().filter(|state| !state.found.is_empty() || state.is_left_out);
        let text = |state: &State| match state.is_left_out {
            true => format!("{HEADER}\n"),
            false => state.working(self.wanted).text().to_owned(),
        };
        builder.copies.instead.extend(changed.map(|state| (state.file.path.clone(), text(state))));
        builder
    }

    /// What holds of a file, if something of it does not.
    pub(crate) fn working(&self, path: &Path) -> Option<Existing> {
        self.changed(path).map(|state| state.working(self.wanted))
    }

    /// A file as the user gets it, before anything is added, if something of it does not hold.
    pub(crate) fn delivered(&self, path: &Path) -> Option<Existing> {
        self.changed(path).map(|state| state.delivered(self.wanted))
    }

    fn changed(&self, path: &Path) -> Option<&State> {
        let is_it = |state: &&State| state.file.path == path;
        self.states.iter().find(is_it).filter(|state| !state.found.is_empty() || state.is_left_out)
    }
}
