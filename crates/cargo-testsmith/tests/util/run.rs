//! The tool as a process: its environment, its time limit, and what it says and leaves behind.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Fixture, Score, Tree};

/// Longer than any run that works as it should needs, even on a loaded machine.
const LIMIT: Duration = Duration::from_secs(150);

/// In the environment of the tool and of whatever it starts: tells which processes belong to a run.
const MARK: &str = "TESTSMITH_WHOLE_TOOL_TEST";

/// What a run of the tool came to.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A run under way.
pub(crate) struct Running<'a> {
    fixture: &'a Fixture,
    child: Child,
    /// Files with what it says.
    output: [PathBuf; 2],
    before: Tree,
}

impl Fixture {
    /// Runs the tool with these arguments, and checks that it has touched and left nothing.
    #[track_caller]
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.start(self.tool().args(arguments)).wait()
    }

    /// `score --json` with these arguments, which has to come to a score.
    #[track_caller]
    pub(crate) fn score(&self, arguments: &[&str]) -> Score {
        let run = self.run(&[&["score", "--json"], arguments].concat());
        assert!(matches!(run.code, Some(0 | 2 | 3)), "no score: {run:#?}");
        run.score()
    }

    /// `list --json` with these arguments.
    #[track_caller]
    pub(crate) fn list(&self, arguments: &[&str]) -> Value {
        self.run(&[&["list", "--json"], arguments].concat()).expect_code(0).json()
    }

    /// Waits until the code of the fixture has left this sign, or the tool this file.
    #[track_caller]
    pub(crate) fn wait_for_sign(&self, name: &str) {
        let start = Instant::now();
        while !self.beside(name).exists() && !is_below(&self.beside("tmp"), name) {
            assert!(start.elapsed() < LIMIT, "{name} did not appear");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// The tool as cargo starts it.
    pub(crate) fn tool(&self) -> Command {
        let mut tool = self.command(env!("CARGO_BIN_EXE_cargo-testsmith"));
        tool.arg("testsmith");
        tool
    }

    /// A process with a user's environment, not that of a test under cargo: with the same target folder, all
    /// fixtures would build in one place.
    pub(crate) fn command(&self, program: &str) -> Command {
        let temp = self.beside("tmp");
        fs::create_dir_all(&temp).expect("the folder can be made");
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let is_needed = matches!(&*text, "CARGO" | "CARGO_HOME" | "RUSTUP_HOME" | "RUSTUP_TOOLCHAIN");
            let is_cargos = text.starts_with("CARGO") || text.starts_with("RUST");
            if is_cargos && !is_needed || matches!(&*text, "LD_LIBRARY_PATH" | "NO_COLOR" | "CLICOLOR_FORCE")
            {
                command.env_remove(&name);
            }
        }
        command
            .env("TMPDIR", temp)
            .env(MARK, self.beside(""))
            .current_dir(self.path(""))
            .stdin(Stdio::null());
        command
    }

    /// Starts a command; its output goes to files, so that nobody has to read while it runs.
    pub(crate) fn start(&self, command: &mut Command) -> Running<'_> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let output = ["stdout", "stderr"].map(|name| self.beside(&format!("{name}-{number}")));
        let [stdout, stderr] = output.each_ref().map(|path| File::create(path).expect("it can be made"));
        let before = self.tree();
        let child = command.stdout(stdout).stderr(stderr).spawn().expect("the program is there");
        Running { fixture: self, child, output, before }
    }

    /// Command lines of the processes that the tool has started and that are still there.
    pub(crate) fn processes(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.beside("").display()).into_bytes();
        let is_marked = |process: &PathBuf| {
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == mark)
        };
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
        let line = |process: PathBuf| {
            let line = fs::read(process.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ")
        };
        processes.filter(is_marked).map(line).collect()
    }
}

impl Running<'_> {
    /// Waits for the end, and checks that the run has touched and left nothing.
    #[track_caller]
    pub(crate) fn wait(self) -> Run {
        self.wait_within(LIMIT)
    }

    /// Waits for a command that may leave what it likes, as cargo does.
    #[track_caller]
    pub(crate) fn wait_for_anything(mut self, limit: Duration) -> Run {
        let status = self.child.within(limit);
        if status.is_none() {
            self.child.kill().expect("it is our child");
            self.child.wait().expect("it is our child");
        }
        self.said(status.and_then(|status| status.code()))
    }

    /// The same with another limit.
    #[track_caller]
    pub(crate) fn wait_within(mut self, limit: Duration) -> Run {
        let Some(status) = self.child.within(limit) else {
            let processes = self.fixture.processes();
            self.signal("TERM");
            if self.child.within(Duration::from_secs(5)).is_none() {
                self.child.kill().expect("it is our child");
                self.child.wait().expect("it is our child");
            }
            panic!("not done after {limit:?}, with {processes:#?}\n{:#?}", self.said(None));
        };
        let run = self.said(status.code());
        self.before.assert_same(&self.fixture.tree());
        let left = self.fixture.processes();
        assert!(left.is_empty(), "processes are left: {left:#?}\n{run:#?}");
        let files = fs::read_dir(self.fixture.beside("tmp")).into_iter().flatten().flatten();
        let files: Vec<_> = files.map(|entry| entry.file_name()).collect();
        assert!(files.is_empty(), "{run:#?}\ntemporary files are left: {files:?}");
        run
    }

    /// Sends a signal to the tool, and to it alone.
    /// Waits until it has said something on stderr.
    #[track_caller]
    pub(crate) fn wait_for(&self, words: &str) {
        let start = Instant::now();
        while !self.said(None).stderr.contains(words) {
            assert!(start.elapsed() < LIMIT, "it never said `{words}`: {:#?}", self.said(None));
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -s {name} {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &kill]).status().expect("there is a shell");
        assert!(sent.success(), "{kill}");
    }

    /// The process itself.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    fn said(&self, code: Option<i32>) -> Run {
        let read = |path| {
            let bytes = fs::read(path).expect("the file was made at the start");
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let [stdout, stderr] = self.output.each_ref().map(read);
        Run { code, stdout, stderr }
    }
}

impl Run {
    /// Panics unless the exit code is this one.
    #[track_caller]
    pub(crate) fn expect_code(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "another exit code: {self:#?}");
        self
    }

    /// Panics unless the words stand on stderr, in any order.
    #[track_caller]
    pub(crate) fn expect_words(self, words: &[&str]) -> Run {
        let missing: Vec<_> = words.iter().filter(|word| !self.stderr.contains(**word)).collect();
        assert!(missing.is_empty(), "stderr lacks {missing:?}: {self:#?}");
        self
    }

    /// What stderr says after the phases, each of which ends in dots.
    pub(crate) fn message(&self) -> &str {
        let mut message = self.stderr.as_str();
        while let Some((_, rest)) = message.split_once('\n').filter(|(phase, _)| phase.ends_with('…')) {
            message = rest;
        }
        message
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON: {error}\n{self:#?}"))
    }

    #[track_caller]
    pub(crate) fn score(&self) -> Score {
        Score(self.json())
    }
}

/// Waits for something, at most for a while.
pub(crate) trait WithinLimit {
    fn within(&mut self, limit: Duration) -> Option<ExitStatus>;
}

impl WithinLimit for Child {
    fn within(&mut self, limit: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.try_wait().expect("it is our child") {
                return Some(status);
            }
            if start.elapsed() > limit {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Code of a fixture that leaves a file for the test: beside the crate, or where the sandbox lets it.
pub(crate) fn leave_sign(name: &str) -> String {
    format!(
        "let leave = |folder: std::path::PathBuf| std::fs::write(folder.join(\"{name}\"), \"\");\n    \
         leave(std::env::var_os(\"SIGNS\").unwrap().into()).or_else(|_| leave(std::env::temp_dir())).unwrap();"
    )
}

/// Whether a file of this name is somewhere below a folder.
fn is_below(folder: &Path, name: &str) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    folder.join(name).exists() || entries.map(|it| it.path()).any(|it| it.is_dir() && is_below(&it, name))
}

/// Waits until something is so.
#[track_caller]
pub(crate) fn until(is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LIMIT, "it never was");
        thread::sleep(Duration::from_millis(2));
    }
}
