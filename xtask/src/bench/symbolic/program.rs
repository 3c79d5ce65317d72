//! The programs: compiled to wasm, with what the head of each source declares.
//!
//! Main type: [`Program`].

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fail::{Context, Result};
use crate::shell;

/// A program of the bench.
pub(super) struct Program {
    pub(super) name: String,
    /// The module.
    pub(super) bytes: Vec<u8>,
    /// Goals that it has, by numbers from 0 on.
    pub(super) goals: usize,
    /// Places that panic.
    pub(super) panics: usize,
    /// Seconds in which all of them are to be reached, where that is declared.
    pub(super) seconds: Option<f64>,
}

/// The programs of a folder whose name contains one of `only`, by name.
pub(super) fn read(folder: &Path, only: &[String]) -> Result<Vec<Program>> {
    let flags = flags(folder)?;
    let entries = fs::read_dir(folder).context(format!("read {}", folder.display()))?;
    let mut sources: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    sources.sort();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let wanted = |path: &PathBuf| only.is_empty() || only.iter().any(|part| name(path).contains(part));
    let programs = sources.iter().filter(|path| wanted(path)).map(|path| {
        let source = fs::read_to_string(path).context(format!("read {}", path.display()))?;
        let number = |what| declared(&source, what).and_then(|text| text.parse::<f64>().ok());
        Ok(Program {
            name: name(path),
            bytes: compile(path, &flags)?,
            goals: number("goals").unwrap_or(0.0) as usize,
            panics: number("panics").unwrap_or(0.0) as usize,
            seconds: number("seconds"),
        })
    });
    programs.collect()
}

/// What the head of a program declares: `//! goals: 4, panics: 3`.
fn declared<'s>(source: &'s str, what: &str) -> Option<&'s str> {
    let heads = source.lines().filter_map(|line| line.strip_prefix("//! "));
    heads.flat_map(|line| line.split(", ")).find_map(|part| part.strip_prefix(what)?.strip_prefix(": "))
}

/// The compiler's flags for these programs, which the tests of the engine use as well.
pub(super) fn flags(folder: &Path) -> Result<Vec<String>> {
    let path = folder.join("rustc-flags");
    let text = fs::read_to_string(&path).context(format!("read {}", path.display()))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// The module of a program, compiled again where the source is newer.
pub(super) fn compile(source: &Path, flags: &[String]) -> Result<Vec<u8>> {
    let folder = Path::new("target/bench/symbolic");
    fs::create_dir_all(folder).context(format!("create {}", folder.display()))?;
    let to = folder.join(source.file_name().unwrap_or_default()).with_extension("wasm");
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    if changed(&to).is_none() || changed(&to) < changed(source) {
        let mut command = Command::new("rustc");
        command.args(flags).arg(source).arg("-o").arg(&to);
        shell::stdout(&mut command)
            .context(format!("compile {} (`cargo xtask setup` adds its target)", source.display()))?;
    }
    fs::read(&to).context("read the module")
}
