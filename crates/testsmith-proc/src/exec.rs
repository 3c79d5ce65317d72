//! This process becomes another program: what a compiler wrapper does. Nothing is started, so there is nothing to
//! limit or to wait for.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::error::StartError;
use crate::job::PRELOAD_VARIABLE;
use crate::spec::Spec;

/// Replaces this process by the program; returns only if that fails.
pub fn become_program(spec: &Spec) -> StartError {
    let mut command = Command::new(&spec.program);
    command.args(&spec.args);
    spec.env_remove.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.envs(spec.env.iter().map(|(name, value)| (name, value)));
    if let Some(library) = &spec.preload {
        command.env(PRELOAD_VARIABLE, library);
    }
    StartError::of(spec, command.exec())
}
