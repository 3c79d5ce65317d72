//! External solvers: which are there, and a conversation with each over pipes.
//!
//! Main types: [`Found`] and [`Process`]. A thread reads what the solver writes, so that waiting for it can end in time.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use testsmith_symex::solver::{Conversation, Reason};

use crate::fail::{Fail, Result};

/// A solver that can be started.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) label: String,
    pub(super) program: PathBuf,
    pub(super) args: Vec<String>,
}

/// Reads one command after the other from its input and gives it to the module of that name, as the solver's own program would.
const BRIDGE: &str = include_str!("bridge.py");

/// What is on PATH and in these folders, as a program or as a Python module.
pub(super) fn find(folders: &[PathBuf]) -> Vec<Found> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places: Vec<PathBuf> = folders.iter().cloned().chain(std::env::split_paths(&path)).collect();
    let program = |name: &str| places.iter().map(|place| place.join(name)).find(|path| path.is_file());
    let mut found = Vec::new();
    for (name, args) in [
        ("z3", &["-in", "-smt2"][..]),
        ("bitwuzla", &["--lang", "smt2", "-m"]),
        ("cvc5", &["--lang", "smt2", "--incremental", "--produce-models"]),
    ] {
        if let Some(program) = program(name) {
            found.push(Found::new(name, program, args));
        } else if let Some(python) = program("python3").filter(|python| has_module(python, name)) {
            found.push(Found::new(&format!("{name} (module)"), python, &["-u", "-c", BRIDGE, name]));
        }
    }
    found
}

fn has_module(python: &Path, name: &str) -> bool {
    let import = Command::new(python).args(["-c", &format!("import {name}")]).stderr(Stdio::null()).status();
    import.is_ok_and(|status| status.success())
}

/// A running solver.
pub(super) struct Process {
    found: Found,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    pub(super) fn start(found: &Found) -> Result<Self> {
        Self::spawn(found).map_err(|what| Fail::new(format!("start {}: {what}", found.label)))
    }

    fn spawn(found: &Found) -> std::io::Result<Self> {
        let mut child = Command::new(&found.program)
            .args(&found.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (send, lines) = channel();
        thread::spawn(move || {
            output.lines().map_while(std::io::Result::ok).try_for_each(|line| send.send(line))
        });
        Ok(Self { found: found.clone(), child, input, lines })
    }

    fn end(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

impl Conversation for Process {
    fn name(&self) -> &str {
        &self.found.label
    }

    fn send(&mut self, text: &str) -> std::result::Result<(), Reason> {
        let sent = self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|what| Reason::Broken(what.to_string()))
    }

    fn receive(&mut self, limit: Duration) -> std::result::Result<String, Reason> {
        self.lines.recv_timeout(limit).map_err(|why| match why {
            RecvTimeoutError::Timeout => Reason::Time,
            RecvTimeoutError::Disconnected => Reason::Broken("it has ended".to_owned()),
        })
    }

    fn restart(&mut self) -> std::result::Result<(), Reason> {
        self.end();
        *self = Self::spawn(&self.found).map_err(|what| Reason::Broken(what.to_string()))?;
        Ok(())
    }
}
