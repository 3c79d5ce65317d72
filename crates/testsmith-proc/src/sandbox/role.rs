//! The tool's own executable in the role of the sandbox: [`spec`] starts it, [`become_sandboxed`] is what its
//! `main` calls, and [`ask`] finds out what the sandbox protects here.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, io, process};

use super::{Policy, Report, enter};
use crate::error::StartError;
use crate::exec::become_program;
use crate::job;
use crate::run::run;
use crate::spec::{Capture, Limits, Spec};

/// The first argument of the executable in this role.
pub const ROLE: &str = "--testsmith-sandbox";

/// More than enough for a process that only restricts itself and prints a few lines.
const PATIENCE: Duration = Duration::from_secs(20);
const REPORT_BYTES: usize = 64 * 1024;

/// The program of `spec`, started by the tool's own executable, which enters the sandbox first.
///
/// That executable's `main` must call [`become_sandboxed`] when its first argument is [`ROLE`].
pub fn spec(policy: &Policy, spec: Spec) -> Spec {
    let policy = Policy { preload: spec.preload.or_else(|| policy.preload.clone()), ..policy.clone() };
    let args = command_line(&policy).chain([job::program(&spec.program).into_os_string()]).chain(spec.args);
    Spec { program: this_executable(), args: args.collect(), preload: None, ..spec }
}

/// Enters the sandbox and becomes the program; returns only if that fails. The arguments are those that
/// follow [`ROLE`]. Without a program, it writes the report to stdout and ends the process.
pub fn become_sandboxed(args: impl IntoIterator<Item = OsString>) -> StartError {
    let mut args = args.into_iter();
    let policy = match Policy::from_args(&mut args) {
        Ok(policy) => policy,
        Err(wrong) => return not_sandboxed(format!("`{}` is not part of a policy", wrong.to_string_lossy())),
    };
    let program = args.next();
    let report = enter(&policy, program.as_deref().map(Path::new));
    let Some(program) = program else {
        return match io::stdout().write_all(report.encode().as_bytes()) {
            Ok(()) => process::exit(0),
            Err(error) => not_sandboxed(error.to_string()),
        };
    };
    if policy.observed
        && let Err(error) = crate::observe::hand_over()
    {
        return not_sandboxed(format!("system calls cannot be watched: {error}"));
    }
    become_program(&Spec { preload: policy.preload, ..Spec::new(program).args(args) })
}

/// What the sandbox protects on this system, found out by a process that enters it.
pub fn ask(policy: &Policy) -> Result<Report, StartError> {
    let spec = Spec { args: command_line(policy).collect(), ..Spec::new(this_executable()) };
    let ran = run(&spec, &Limits::wall(PATIENCE), Capture::Tail { bytes: REPORT_BYTES })?;
    if !ran.ending.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(not_sandboxed(format!("{}: {}", ran.ending, said.trim())));
    }
    Ok(Report::decode(&String::from_utf8_lossy(&ran.stdout)))
}

fn command_line(policy: &Policy) -> impl Iterator<Item = OsString> {
    [ROLE.into()].into_iter().chain(policy.to_args())
}

/// An update may replace the file while the tool runs; the kernel still knows the old one.
fn this_executable() -> PathBuf {
    let found = env::current_exe().ok().filter(|path| path.exists());
    found.unwrap_or_else(|| PathBuf::from("/proc/self/exe"))
}

fn not_sandboxed(reason: String) -> StartError {
    StartError::NotSandboxed { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandboxed_spec_keeps_all_but_the_program_and_its_arguments() {
        let policy = Policy { memory: Some(7), ..Policy::default() };
        let plain = Spec::new("prog").args(["a", "--"]).dir("/usr").env("A", "1").env_remove("B");
        let sandboxed = spec(&policy, plain.clone());
        assert_eq!(sandboxed.program, env::current_exe().unwrap());
        assert_eq!(sandboxed.args, [ROLE, "memory=7", "--", "prog", "a", "--"]);
        assert_eq!(
            (sandboxed.dir, sandboxed.env, sandboxed.env_remove),
            (plain.dir, plain.env, plain.env_remove)
        );
    }

    #[test]
    fn a_relative_program_still_starts_at_the_tools_directory() {
        let sandboxed = spec(&Policy::default(), Spec::new("target/prog").dir("/usr"));
        let program = sandboxed.args.last().expect("the program is the last argument");
        assert_eq!(*program, env::current_dir().unwrap().join("target/prog"));
    }

    #[test]
    fn arguments_that_are_no_policy_are_an_error_before_anything_is_restricted() {
        let error = become_sandboxed(["nonsense".into()]);
        assert!(error.to_string().contains("`nonsense` is not part of a policy"), "{error}");
    }
}
