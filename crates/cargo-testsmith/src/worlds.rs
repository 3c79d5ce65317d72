//! The library that test processes load to see another world: compiled once, below `target/testsmith`, by the user's compiler.

use std::path::PathBuf;
use std::time::Duration;

use testsmith_proc::{Capture, Limits, Spec};
use testsmith_suite::world::PRELOAD;

use crate::build::Builder;
use crate::failure::write_atomically;

/// More than enough for a file that stands alone.
const PATIENCE: Duration = Duration::from_secs(60);
/// Nobody reads what the compiler says of it.
const SAID: usize = 4096;

/// The library; `None` where it cannot be had: then worlds differ in variables only.
pub(crate) fn library(builder: &Builder) -> Option<PathBuf> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return None;
    }
    let dir = builder.copies.home.join("world");
    let (source, library) = (dir.join("world.rs"), dir.join("libworld.so"));
    let is_there = std::fs::read_to_string(&source).is_ok_and(|text| text == PRELOAD) && library.exists();
    if is_there {
        return Some(library);
    }
    std::fs::create_dir_all(&dir).ok()?;
    // Made under another name: what is there under its own is whole.
    let made = dir.join("libworld.new");
    let unfinished = dir.join("unfinished.rs");
    write_atomically(&unfinished, PRELOAD).ok()?;
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let spec = Spec::new(rustc)
        .args(["--edition=2021", "--crate-type=cdylib", "--crate-name=world", "-O", "-Cpanic=abort", "-o"])
        .arg(&made)
        .arg(&unfinished)
        .dir(builder.copies.plain());
    let ran = testsmith_proc::run(&spec, &Limits::wall(PATIENCE), Capture::Tail { bytes: SAID }).ok()?;
    if !ran.ending.success() {
        return None;
    }
    std::fs::rename(&made, &library).ok()?;
    std::fs::rename(&unfinished, &source).ok()?;
    Some(library)
}
