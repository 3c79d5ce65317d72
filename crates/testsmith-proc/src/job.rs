//! One child process from its start to its reaping. [`Job`] owns the process and its place in the
//! `registry`; dropping it in between, as a panic does, kills and reaps the process.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;
use std::{io, thread};

use rustix::process::Pid;

use crate::error::StartError;
use crate::registry::{self, TOKEN_VARIABLE, Ticket};
use crate::spec::Spec;
use crate::{addresses, limit, orphan, wait};

/// A file that is still open for writing cannot be executed: in a program with threads, the one that
/// wrote it may have lent its handle to a process that is just being started. It passes in moments.
const BUSY_RETRIES: u32 = 20;
const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// Tells the dynamic linker which libraries come first.
pub(crate) const PRELOAD_VARIABLE: &str = "LD_PRELOAD";

/// Which of the standard streams are pipes; the others lead nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pipes {
    None,
    Output,
    All,
}

/// A child process that has not been reaped.
pub(crate) struct Job {
    child: Child,
    pid: Pid,
    ticket: Ticket,
    reaped: bool,
}

impl Job {
    /// Starts the process.
    pub(crate) fn start(spec: &Spec, memory: Option<u64>, pipes: Pipes) -> Result<Self, StartError> {
        Self::start_with_input(spec, memory, pipes, None)
    }

    /// The same with this at its standard input, if there is something.
    pub(crate) fn start_with_input(
        spec: &Spec,
        memory: Option<u64>,
        pipes: Pipes,
        input: Option<OwnedFd>,
    ) -> Result<Self, StartError> {
        orphan::adopt();
        let ticket = Ticket::issue();
        let mut command = command(spec, &ticket, pipes);
        if let Some(input) = input {
            command.stdin(input);
        }
        let recording = registry::spawning();
        let child = match spec.fixed_addresses {
            true => addresses::fixed(|| spawn(&mut command)),
            false => spawn(&mut command),
        };
        let child = child.map_err(|source| StartError::of(spec, source))?;
        let pid = Pid::from_child(&child);
        ticket.record(pid);
        drop(recording);
        limit::apply(pid, memory);
        Ok(Self { child, pid, ticket, reaped: false })
    }

    /// The process, which is also the name of its group.
    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// The reading ends of its output, once, if there are pipes.
    pub(crate) fn take_pipes(&mut self) -> Option<(ChildStdout, ChildStderr)> {
        self.child.stdout.take().zip(self.child.stderr.take())
    }

    /// The writing end of its input, once, if it is a pipe.
    pub(crate) fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Kills the process and its group.
    pub(crate) fn kill(&self) {
        registry::kill(self.pid);
    }

    /// Kills what a process that has ended leaves behind, in its group and outside of it.
    pub(crate) fn clear(&self) {
        self.kill();
        orphan::collect(self.ticket.number(), self.pid);
    }

    /// Reaps a process that has ended.
    pub(crate) fn reap(mut self) -> io::Result<ExitStatus> {
        self.reap_in_place()
    }

    fn reap_in_place(&mut self) -> io::Result<ExitStatus> {
        self.reaped = true;
        let child = &mut self.child;
        self.ticket.retire(|| child.wait())
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if self.reaped {
            return;
        }
        self.kill();
        wait::block_until_ended(self.pid);
        self.clear();
        // There is nobody left to tell about a failure.
        let _ = self.reap_in_place();
    }
}

fn command(spec: &Spec, ticket: &Ticket, pipes: Pipes) -> Command {
    let stream = |piped: bool| if piped { Stdio::piped() } else { Stdio::null() };
    let output = || stream(pipes != Pipes::None);
    let mut command = Command::new(program(&spec.program));
    command.args(&spec.args).process_group(0);
    command.stdin(stream(pipes == Pipes::All)).stdout(output()).stderr(output());
    if !spec.dir.as_os_str().is_empty() {
        command.current_dir(&spec.dir);
    }
    for name in &spec.env_remove {
        command.env_remove(name);
    }
    for (name, value) in &spec.env {
        command.env(name, value);
    }
    if let Some(library) = &spec.preload {
        command.env(PRELOAD_VARIABLE, library);
    }
    command.env(TOKEN_VARIABLE, ticket.token());
    command
}

/// The program as `Command` wants it: which directory a relative path starts at is otherwise
/// unspecified once the child has a directory of its own.
pub(crate) fn program(asked: &Path) -> PathBuf {
    if asked.components().count() > 1 {
        std::path::absolute(asked).unwrap_or_else(|_| asked.to_path_buf())
    } else {
        asked.to_path_buf()
    }
}

fn spawn(command: &mut Command) -> io::Result<Child> {
    for _ in 0..BUSY_RETRIES {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(BUSY_PAUSE);
            }
            outcome => return outcome,
        }
    }
    command.spawn()
}
