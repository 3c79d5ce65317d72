//! This executable in the place of the compiler, of rustdoc or of a test: it notes what cargo gives a test, or adds
//! what the copies need and becomes the tool.
//!
//! The copy must compile whatever `deny(warnings)` or `forbid(…)` the crate has, and lints about a mutant's
//! arithmetic are not wanted; only written tests have to keep them. Flags in the environment would reach the dependencies too, and hide
//! the user's own.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use testsmith_callgraph::LINK_ARGUMENT;
use testsmith_ir::hash::Fnv;
use testsmith_proc::Spec;

use crate::build::{LARGE_VAR, LINTS_VAR, WRAPPER_VAR};
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
            // Cargo asks the compiler what it can do, and reads the notes that it answers with.
            let is_asked = rest.iter().any(|argument| argument.as_encoded_bytes().starts_with(b"--print"));
            let lints = (!is_asked && !keeps_lints(rest)).then_some("--cap-lints=allow");
            Spec::new(compiler).args(unplaced(rest)).args(lints).args(level).args(link_arguments(rest))
        }
        (None, _) => return ExitCode::from(Code::Usage as u8),
    };
    let error = testsmith_proc::become_program(&spec.env_remove(WRAPPER_VAR));
    anstream::eprintln!("error: {error}");
    ExitCode::from(Code::Environment as u8)
}

/// Whether the call graph of a linked program can be read here.
const HAS_CALL_GRAPH: bool =
    cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")));

/// How an argument begins that tells crates apart which would otherwise have the same name.
const METADATA: &str = "metadata=";

/// The compiler's arguments with other metadata than cargo's, which depend on the folder of this executable: they decide in which
/// order functions are laid out, and that shows where a mutant reads what is not its own.
fn unplaced(arguments: &[OsString]) -> Vec<OsString> {
    let is_metadata = |argument: &OsStr| argument.as_encoded_bytes().starts_with(METADATA.as_bytes());
    let package =
        ["CARGO_PKG_NAME", "CARGO_PKG_VERSION"].map(|name| std::env::var_os(name).unwrap_or_default());
    let mut hash = Fnv::default();
    // What holds a path, or cargo's own hash, does not say what is compiled.
    let is_placed = |argument: &&OsString| {
        let bytes = argument.as_encoded_bytes();
        bytes.contains(&b'/') || bytes.starts_with(b"extra-filename=") || is_metadata(argument)
    };
    let kept = arguments.iter().filter(|argument| !is_placed(argument));
    package.iter().chain(kept).for_each(|argument| hash.text(argument.as_encoded_bytes()));
    let unplaced = OsString::from(format!("{METADATA}{:016x}", hash.finish()));
    arguments.iter().map(|it| if is_metadata(it) { unplaced.clone() } else { it.clone() }).collect()
}

/// What the linker needs to know of a harness.
fn link_arguments(arguments: &[OsString]) -> Vec<String> {
    if !is_harness(arguments) {
        return Vec::new();
    }
    let natively = || HAS_CALL_GRAPH.then(|| LINK_ARGUMENT.to_owned()).into_iter().collect();
    for_wasm(arguments).unwrap_or_else(natively)
}

/// The same for wasm, if it is that.
#[cfg(feature = "symbolic")]
fn for_wasm(arguments: &[OsString]) -> Option<Vec<String>> {
    let is_for_wasm = arguments.iter().any(|argument| argument == crate::wasm::TARGET);
    is_for_wasm.then(crate::wasm::link_arguments)
}

#[cfg(not(feature = "symbolic"))]
fn for_wasm(_: &[OsString]) -> Option<Vec<String>> {
    None
}

/// Whether a compiler is started for the harness.
fn is_harness(arguments: &[OsString]) -> bool {
    let name = HARNESS.replace('-', "_");
    arguments.windows(2).any(|pair| pair[0] == "--crate-name" && pair[1] == *name)
}

/// Whether a compiler is started for tests that have to keep the crate's lints.
fn keeps_lints(arguments: &[OsString]) -> bool {
    let Some(kept) = std::env::var_os(LINTS_VAR) else { return false };
    let is_kept = |name: &OsString| kept.to_string_lossy().split(',').any(|kept| *name == *kept);
    let is_test = arguments.iter().any(|argument| argument == "--test");
    is_test && arguments.windows(2).any(|pair| pair[0] == "--crate-name" && is_kept(&pair[1]))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata(arguments: &[&str]) -> OsString {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let unplaced = unplaced(&arguments);
        assert_eq!(unplaced.len(), arguments.len());
        let others = unplaced.iter().zip(&arguments).filter(|(_, old)| *old != "metadata=1");
        assert!(others.into_iter().all(|(new, old)| new == old), "{unplaced:?}");
        unplaced.last().expect("it is the last").clone()
    }

    #[test]
    fn crates_are_told_apart_by_what_they_are_and_not_by_where_they_lie() {
        let of =
            |name: &str, dir: &str| metadata(&["--crate-name", name, "--out-dir", dir, "-C", "metadata=1"]);
        assert_ne!(of("slab", "/a"), "metadata=1");
        assert_eq!(of("slab", "/a"), of("slab", "/b/c"));
        assert_ne!(of("slab", "/a"), of("slap", "/a"));
    }
}
