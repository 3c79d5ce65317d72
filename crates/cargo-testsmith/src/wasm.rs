//! The harness built once more, for wasm: what the strategy `symbolic` executes. Where that cannot be, the reason.
//!
//! Same plan, same text, and what the compiler has rejected for this machine is out already. It lies beside the other build.

use std::path::Path;

use testsmith_model::Package;
use testsmith_proc::{Limits, Spec};
use testsmith_symex::wasm::Module;

use crate::build::{Builder, Built, Host};
use crate::failure::Failure;

/// What it is built for.
pub(crate) const TARGET: &str = "wasm32-wasip1";

/// The entries of the harness, which nothing in the program calls.
const ENTRIES: [&str; 3] = ["ts_alloc", "ts_load", "ts_run"];

/// Bytes of the program's stack: all of it is part of what a reset looks at.
const STACK: u32 = 256 << 10;

/// Arguments of the compiler for the harness.
pub(crate) fn link_arguments() -> Vec<String> {
    let exports = ENTRIES.iter().map(|entry| format!("-Clink-arg=--export={entry}"));
    exports.chain([format!("-Clink-arg=-zstack-size={STACK}")]).collect()
}

/// Builds the harness that lies in the copy; the reason where there is none for wasm.
pub(crate) fn build(builder: &Builder, package: &Package) -> Result<Result<Module, String>, Failure> {
    if !is_installed(&builder.copies.meta()) {
        return Ok(Err(format!(
            "the target {TARGET} is not installed; `rustup target add {TARGET}` does that"
        )));
    }
    let host = Host { name: TARGET.to_owned(), instead_of: TARGET.to_owned() };
    let builder = Builder { host: Some(host), ..builder.clone() };
    let built = builder.build_harness(&builder.copies.meta(), package, false)?;
    Ok(module(&built))
}

fn module(built: &Built) -> Result<Module, String> {
    let Some(path) = built.harness().filter(|_| built.success) else { return Err(why_not(built)) };
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Module::decode(&bytes).map_err(|error| format!("the engine does not take the module: {error}"))
}

/// The first thing that was wrong.
fn why_not(built: &Built) -> String {
    let said = built.errors.first().map(|error| error.in_short());
    let line = || built.stderr.lines().find(|line| line.starts_with("error")).map(str::to_owned);
    let reason = said.or_else(line).unwrap_or_else(|| "nobody says why".to_owned());
    format!("the crate does not build for {TARGET}: {reason}")
}

/// Whether the compiler has the target's standard library.
fn is_installed(dir: &Path) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let spec = Spec::new(rustc).args(["--print=target-libdir", "--target", TARGET]).dir(dir);
    let mut libraries = None;
    let _ =
        testsmith_proc::run_lines(&spec, &Limits::default(), &mut |line| libraries = Some(line.to_owned()));
    libraries.is_some_and(|libraries| Path::new(&libraries).is_dir())
}
