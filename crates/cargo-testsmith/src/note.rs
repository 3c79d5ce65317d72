//! What cargo gives a test process: noted by this executable, which cargo starts in the place of each test binary.
//!
//! `[env]` of cargo's configuration, `CARGO_PKG_…`, the library path: cargo alone knows them all. A build therefore
//! ends with `cargo test` "running" the binaries, with this executable as their runner.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The folder for notes.
pub(crate) const NOTES_VAR: &str = "TESTSMITH_NOTES";

/// The first argument of a runner.
pub(crate) const RUNNER: &str = "--testsmith-note";

/// Variables of an environment.
pub(crate) type Variables = Vec<(OsString, OsString)>;

/// Notes the environment of this process as that of a program, if somebody wants to know.
pub(crate) fn write(program: &OsStr) -> std::io::Result<()> {
    let Some(dir) = std::env::var_os(NOTES_VAR) else { return Ok(()) };
    let mut note = Vec::new();
    for (name, value) in std::env::vars_os() {
        note.extend_from_slice(name.as_bytes());
        note.push(b'=');
        note.extend_from_slice(value.as_bytes());
        note.push(0);
    }
    std::fs::create_dir_all(&dir)?;
    std::fs::write(file(Path::new(&dir), program), note)
}

/// What was noted for a program, without what this process would hand down anyway.
pub(crate) fn read(dir: &Path, program: &OsStr) -> std::io::Result<Variables> {
    let is_news = |(name, value): &(OsString, OsString)| {
        !is_ours(name) && std::env::var_os(name).as_ref() != Some(value)
    };
    Ok(variables(&std::fs::read(file(dir, program))?).into_iter().filter(is_news).collect())
}

fn file(dir: &Path, program: &OsStr) -> PathBuf {
    dir.join(Path::new(program).file_name().unwrap_or(program))
}

fn variables(note: &[u8]) -> Variables {
    let split = |variable: &[u8]| {
        // A name can begin with `=` but is never empty.
        let at = variable.iter().skip(1).position(|byte| *byte == b'=')? + 1;
        let owned = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
        Some((owned(&variable[..at]), owned(&variable[at + 1..])))
    };
    note.split(|byte| *byte == 0).filter_map(split).collect()
}

/// Set for cargo by this tool, not by cargo for the tests.
fn is_ours(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("TESTSMITH_") || matches!(&*name, "TMPDIR" | "RUSTDOC" | "RUSTC_WORKSPACE_WRAPPER")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read_as_names_and_values() {
        let read = variables(b"A=1\0EMPTY=\0PATHS=a=b\0=odd=2\0broken\0");
        let expected = [("A", "1"), ("EMPTY", ""), ("PATHS", "a=b"), ("=odd", "2")];
        assert_eq!(read, expected.map(|(name, value)| (name.into(), value.into())));
    }
}
