//! Child processes of xtask: run to the end, and a failure that repeats the command line.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use crate::fail::{Context, Fail, Result};

/// Runs `command` on this terminal; anything but success is a failure.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = status(command)?;
    if status.success() { Ok(()) } else { Err(Fail::new(format!("`{}` ended with {status}", line(command)))) }
}

/// Runs `command` on this terminal and leaves the judgement of its exit code to the caller.
pub(crate) fn status(command: &mut Command) -> Result<ExitStatus> {
    command.status().context(format!("start `{}`", line(command)))
}

/// Runs `command` without input and returns what it wrote to stdout.
pub(crate) fn stdout(command: &mut Command) -> Result<String> {
    stdout_or(command, 0)
}

/// The same where another exit code than 0 is no failure either.
pub(crate) fn stdout_or(command: &mut Command, good: i32) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().context(format!("start `{}`", line(command)))?;
    if !output.status.success() && output.status.code() != Some(good) {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(Fail::new(format!(
            "`{}` ended with {}: {}",
            line(command),
            output.status,
            stderr.trim()
        )));
    }
    String::from_utf8(output.stdout).context(format!("read the output of `{}` as text", line(command)))
}

/// The command as one would type it, without the folder that the program is in.
pub(crate) fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut words = vec![program.file_name().unwrap_or(program.as_os_str())];
    words.extend(command.get_args());
    words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
