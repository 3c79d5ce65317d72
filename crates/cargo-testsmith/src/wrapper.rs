//! This executable in the place of the compiler, of rustdoc or of a test: it notes what cargo gives a test, or adds
//! what the copies need and becomes the tool.
//!
//! The copy must compile whatever `deny(warnings)` or `forbid(…)` the crate has, and lints about a mutant's
//! arithmetic are not wanted. Flags in the environment would reach the dependencies too, and hide the user's own.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use testsmith_proc::Spec;

use crate::build::{LARGE_VAR, WRAPPER_VAR};
use crate::copy::HARNESS;
use crate::doctest::{KEEP_VAR, RUSTDOC};
use crate::failure::Code;
use crate::note::{self, RUNNER};

pub(crate) fn run() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let [first, program, ..] = arguments.as_slice()
        && first == RUNNER
    {
        return noted(program).unwrap_or(ExitCode::SUCCESS);
    }
    let spec = match (arguments.split_first(), std::env::var_os(KEEP_VAR)) {
        // A compiler wrapper is called with the compiler; rustdoc's own arguments start with an option.
        (Some((first, _)), Some(keep)) if first.to_string_lossy().starts_with('-') => {
            if let Some(failed) = noted(OsStr::new(RUSTDOC)) {
                return failed;
            }
            rustdoc(&arguments, keep)
        }
        (Some((compiler, rest)), _) => {
            let is_large = std::env::var_os(LARGE_VAR).is_some() && is_harness(rest);
            let level = is_large.then_some("-Copt-level=0");
            Spec::new(compiler).args(rest).arg("--cap-lints=allow").args(level)
        }
        (None, _) => return ExitCode::from(Code::Usage as u8),
    };
    let error = testsmith_proc::become_program(&spec.env_remove(WRAPPER_VAR));
    anstream::eprintln!("error: {error}");
    ExitCode::from(Code::Environment as u8)
}

/// Whether a compiler is started for the harness.
fn is_harness(arguments: &[OsString]) -> bool {
    let name = HARNESS.replace('-', "_");
    arguments.windows(2).any(|pair| pair[0] == "--crate-name" && pair[1] == *name)
}

/// Notes what cargo gives a program; the exit code if that fails.
fn noted(program: &OsStr) -> Option<ExitCode> {
    let error = note::write(program).err()?;
    anstream::eprintln!("error: cannot write how cargo runs {}: {error}", program.to_string_lossy());
    Some(ExitCode::from(Code::Environment as u8))
}

/// One executable for each doctest, and all of them kept.
fn rustdoc(arguments: &[OsString], keep: OsString) -> Spec {
    Spec::new(std::env::var_os("TESTSMITH_RUSTDOC").unwrap_or_else(|| "rustdoc".into()))
        .args(arguments)
        .args(["-Zunstable-options", "--merge-doctests=no", "--persist-doctests"])
        .arg(keep)
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove(KEEP_VAR)
}
