//! Doctests: rustdoc builds and runs them once, keeps their executables, and from then on each is a test binary.
//!
//! Keeping them is an unstable option of rustdoc, so this executable stands in for rustdoc and adds it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use testsmith_model::Package;
use testsmith_proc::{Capture, Ending, Limits, Spec};
use testsmith_suite::{TestBinary, libtest};

use crate::build::Builder;
use crate::failure::{Code, Failure, IoContext};
use crate::note::{self, NOTES_VAR};

/// Names the folder for executables; also tells the wrapper that it stands in for rustdoc.
pub(crate) const KEEP_VAR: &str = "TESTSMITH_KEEPS_DOCTESTS";

/// The name that rustdoc's environment is noted under: it hands it down to the doctests.
pub(crate) const RUSTDOC: &str = "rustdoc";

/// What cargo prints of a suite of doctests, at most.
const OUTPUT: usize = 16 << 20;

/// A doctest, as rustdoc names it: `src/lib.rs - parse (line 12)`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Doctest {
    file: String,
    item: String,
    line: usize,
    /// It passes by panicking.
    should_panic: bool,
}

/// Builds and runs the doctests of a copy, and gives back those that can be run again; `group` is the first free one.
pub(crate) fn build(
    builder: &Builder,
    copy: &Path,
    packages: &[Package],
    group: usize,
) -> Result<Vec<TestBinary>, Failure> {
    let mut binaries = Vec::new();
    for (index, package) in packages.iter().enumerate() {
        if !package.targets.iter().any(|target| target.doctest) {
            continue;
        }
        let keep = builder.copies.home.join("doctests").join(&package.name);
        if keep.exists() {
            std::fs::remove_dir_all(&keep).doing("empty", &keep)?;
        }
        let output = run_rustdoc(builder, copy, package, &keep)?;
        let dir = builder.copies.place(&package.dir, copy);
        let notes = builder.copies.notes();
        let env = note::read(&notes, OsStr::new(RUSTDOC)).doing("learn from", &notes)?;
        for (name, _) in libtest::results(&output) {
            let Some(doctest) = parse(&name) else { continue };
            let path = keep.join(doctest.folder()).join("rust_out");
            if path.is_file() {
                let mut binary = TestBinary {
                    path,
                    name: format!("doctest {} ({}:{})", doctest.item, doctest.file, doctest.line),
                    package: index,
                    dir: dir.clone(),
                    env: env.clone(),
                    harness: false,
                    passes_by_failing: doctest.should_panic,
                    group: group + index,
                };
                binary.passes_by_failing |= !succeeds(&binary, &builder.temp)?;
                binaries.push(binary);
            }
        }
    }
    Ok(binaries)
}

/// rustdoc has just found that the doctest passes, but does not always say how: one whose program fails should panic.
fn succeeds(binary: &TestBinary, temp: &Path) -> Result<bool, Failure> {
    let mut spec = Spec::new(&binary.path).dir(&binary.dir).env("TMPDIR", temp);
    spec.env.extend(binary.env.iter().cloned());
    let limits = Limits::wall(Duration::from_secs(60));
    Ok(testsmith_proc::run(&spec, &limits, Capture::Nothing)?.ending.success())
}

fn run_rustdoc(builder: &Builder, copy: &Path, package: &Package, keep: &Path) -> Result<String, Failure> {
    let rustdoc = std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
    let spec = builder
        .cargo(copy, "test")
        .args(["--doc", "-p", &builder.spec(package, copy)])
        .args(builder.args())
        .args(builder.features.args())
        .env("RUSTDOC", std::env::current_exe().unwrap_or_default())
        .env("TESTSMITH_RUSTDOC", rustdoc)
        .env(NOTES_VAR, builder.copies.notes())
        .env(KEEP_VAR, keep);
    let ran = testsmith_proc::run(&spec, &Limits::default(), Capture::Tail { bytes: OUTPUT })?;
    let output = String::from_utf8_lossy(&ran.stdout).into_owned();
    match ran.ending {
        Ending::Interrupted => Err(Failure::interrupted()),
        ending if ending.success() => Ok(output),
        _ => {
            let failed: Vec<_> =
                libtest::results(&output).into_iter().filter(|(_, ok)| !ok).map(|(name, _)| name).collect();
            let words = if failed.is_empty() {
                String::from_utf8_lossy(&ran.stderr).into_owned()
            } else {
                failed.join("\n")
            };
            Err(Failure::new(
                Code::Baseline,
                format!("the doctests fail before any mutant\n{words}\n  `cargo test --doc` shows more"),
            ))
        }
    }
}

/// Reads rustdoc's name of a doctest that is run; those that are only compiled are left out.
fn parse(name: &str) -> Option<Doctest> {
    let (name, should_panic) = match name.strip_suffix(" - should panic") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let (file, rest) = name.split_once(" - ")?;
    let (item, line) = rest.split_once("(line ")?;
    let line = line.strip_suffix(')')?.parse().ok()?;
    Some(Doctest { file: file.to_owned(), item: item.trim().to_owned(), line, should_panic })
}

impl Doctest {
    /// The folder that rustdoc keeps it in.
    fn folder(&self) -> PathBuf {
        let plain: String =
            self.file.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        PathBuf::from(format!("{plain}_{}_0", self.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doctests_that_run_are_known_by_rustdocs_names() {
        let doctest = parse("src/a-b.rs - m::S::f (line 12)").unwrap();
        assert_eq!((doctest.item.as_str(), doctest.should_panic), ("m::S::f", false));
        assert_eq!(doctest.folder(), Path::new("src_a_b_rs_12_0"));
        assert!(parse("src/lib.rs - (line 3) - should panic").unwrap().should_panic);
        assert_eq!(parse("src/lib.rs - f (line 8) - compile"), None);
        assert_eq!(parse("src/lib.rs - f (line 8) - compile fail"), None);
    }
}
