//! The tests that the tool has written, in what was built of a copy.

use std::path::Path;

use testsmith_model::{Package, Target, TargetKind};
use testsmith_suite::{Exceptions, Suite, Test, discover};

use crate::build::{Builder, Built};
use crate::failure::Failure;
use crate::generate::NAME;
use crate::options::RunOptions;
use crate::test_sandbox;

/// Those of the test target, and those inside of the library or the program.
pub(crate) fn written_suite(
    builder: &Builder,
    run: &RunOptions,
    package: &Package,
    target: &str,
    built: &Built,
    copy: &Path,
) -> Result<Suite, Failure> {
    let target = Target {
        name: target.to_owned(),
        kind: TargetKind::Test,
        src: package.dir.join("tests").join(target).join("main.rs"),
        is_linkable: false,
        harness: true,
        test: true,
        doctest: false,
    };
    let mut package = package.clone();
    package.targets.retain(|known| (known.kind, &known.name) != (target.kind, &target.name));
    package.targets.push(target);
    let binaries = built.binaries(builder, copy, &[package])?;
    let sandbox = test_sandbox::of_copy(copy, run.sandbox, &Exceptions::default());
    let mut suite = discover::discover(binaries, &[], sandbox.as_ref(), &builder.temp)?;
    // Inside of the crate there are others as well.
    let is_outer = |test: &Test| suite.binaries[test.binary].name.starts_with("test ");
    suite.tests.retain(|test| is_outer(test) || test.name.split("::").any(|part| part == NAME));
    Ok(suite)
}
