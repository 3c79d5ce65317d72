//! From programs that expose mutants to test cases: smaller programs, all that they prove, and the fewest that prove it all.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_ir::{CallableId, Program};
use testsmith_rt::harness::wire::Bitmap;
use testsmith_suite::case::Case;
use testsmith_suite::cover::{Proof, cover};
use testsmith_suite::dress::dress;
use testsmith_suite::lab::{Lab, On};
use testsmith_suite::oracle::{Evidence, Writer};
use testsmith_suite::reduce;

use crate::failure::Failure;
use crate::workers::failure;

/// The cases for what was found.
pub(crate) fn cases(
    lab: &Lab<'_>,
    writer: &dyn Writer,
    inspectors: &[CallableId],
    found: &BTreeMap<u32, Program>,
    mutants: u32,
) -> Result<Vec<Case>, Failure> {
    let exposures = reduce::exposures(lab, writer, inspectors, found).map_err(failure)?;
    let programs: BTreeSet<Program> = exposures.into_iter().map(|exposure| exposure.program).collect();
    let asked: Vec<(Program, On)> = programs.into_iter().map(|program| (program, On::Infected)).collect();
    // What nobody asked for need not be run.
    let skip: Bitmap = (1..=mutants).filter(|mutant| !found.contains_key(mutant)).collect();
    let looks = lab.look(&asked, &skip).map_err(failure)?;
    let proof = |((program, _), look): ((Program, On), Option<_>)| {
        let evidence = Evidence::of(&program, &look?, writer)?;
        Some(Proof { program, evidence })
    };
    let proofs: Vec<Proof> = asked.into_iter().zip(looks).filter_map(proof).collect();
    let simple = reduce::cases(lab, writer, cover(&proofs)).map_err(failure)?;
    dress(lab, writer, inspectors, simple).map_err(failure)
}
