//! This executable as the compiler's wrapper for the copies: it adds `--cap-lints=allow` and becomes the compiler.
//!
//! The copy must compile whatever `deny(warnings)` or `forbid(…)` the crate has, and lints about a mutant's
//! arithmetic are not wanted. Flags in the environment would reach the dependencies too, and hide the user's own.

use std::process::ExitCode;

use testsmith_proc::Spec;

pub(crate) fn run() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(compiler) = arguments.next() else { return ExitCode::from(crate::failure::Code::Usage as u8) };
    let spec =
        Spec::new(compiler).args(arguments).arg("--cap-lints=allow").env_remove(crate::build::WRAPPER_VAR);
    let error = testsmith_proc::become_program(&spec);
    anstream::eprintln!("error: {error}");
    ExitCode::from(crate::failure::Code::Environment as u8)
}
