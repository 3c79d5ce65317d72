//! Programs with other literals: what shows a mutant by a text may show it by a value if it is given something else, and one
//! text may show what otherwise takes two.

use std::collections::BTreeSet;

use testsmith_ir::{Literal, Program, Statement};

use super::literals;
use super::proposals::slices;

/// Programs that are looked at.
const MOST_VARIATIONS: usize = 4096;

/// Parts of programs with other literals in the place of one of theirs: those that `others` have there or elsewhere, and texts
/// that the crate mentions. The simplest come first.
pub fn varied(
    programs: &BTreeSet<Program>,
    others: &BTreeSet<Program>,
    strings: &[String],
) -> BTreeSet<Program> {
    let parts = |program: &Program| slices(program).into_iter().chain([program.clone()]);
    let bases: BTreeSet<Program> = programs.iter().flat_map(parts).collect();
    let mut varied = BTreeSet::new();
    for literal in pool(others, strings) {
        for base in &bases {
            if varied.len() >= MOST_VARIATIONS {
                return varied;
            }
            varied.extend(with(base, &literal));
        }
    }
    varied
}

/// Literals of programs, and texts.
fn pool(programs: &BTreeSet<Program>, strings: &[String]) -> Vec<Literal> {
    let written = programs.iter().flat_map(|program| &program.statements).filter_map(|it| match it {
        Statement::Literal { value: Literal::String(text), .. } => Some(Literal::Str(text.clone())),
        Statement::Literal { value, .. } => Some(value.clone()),
        Statement::Call { .. } | Statement::Drop(_) => None,
    });
    let texts = strings.iter().map(|text| Literal::Str(text.clone()));
    let distinct: BTreeSet<Literal> = written.chain(texts).collect();
    let mut pool: Vec<Literal> = distinct.into_iter().collect();
    pool.sort_by_key(literals::weight);
    pool
}

/// A program with a literal in the place of each of its own type.
fn with<'a>(base: &'a Program, literal: &'a Literal) -> impl Iterator<Item = Program> + 'a {
    base.iter().filter_map(move |(slot, statement)| {
        let Statement::Literal { ty, value } = statement else { return None };
        let value = alike(value, literal).filter(|other| other != value)?;
        let mut varied = base.clone();
        varied.statements[slot.index()] = Statement::Literal { ty: *ty, value };
        Some(varied)
    })
}

/// The second literal as one of the first one's type.
fn alike(old: &Literal, new: &Literal) -> Option<Literal> {
    match (old, new) {
        (Literal::String(_), Literal::Str(text)) => Some(Literal::String(text.clone())),
        (Literal::Str(_), Literal::Str(_)) | (Literal::Char(_), Literal::Char(_)) => Some(new.clone()),
        (Literal::Signed { bits, .. }, Literal::Signed { bits: other, .. })
        | (Literal::Unsigned { bits, .. }, Literal::Unsigned { bits: other, .. })
            if bits == other =>
        {
            Some(new.clone())
        }
        (Literal::ByteStr(_), Literal::ByteStr(_)) | (Literal::Bytes(_), Literal::Bytes(_)) => {
            Some(new.clone())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use testsmith_ir::sketch;

    use super::*;

    #[test]
    fn parts_of_programs_are_given_what_others_were_given() {
        let api = sketch::api(
            "
            type &str: copy
            type Parsed
            type Error
            fn parse(text: &str) -> Parsed => parse($0)
            fn Parsed::unwrap_err(self: Parsed) -> Error => $0.unwrap_err()
            ",
        )
        .expect("the table is well-formed");
        let read = |text: &str| sketch::program(&api, text).expect("it is a program").program;
        let program = read("parsed = parse(\">\")\nParsed::unwrap_err(parsed)");
        let others = BTreeSet::from([program.clone(), read("parse(\"a\")")]);
        let expected = [
            read("parse(\"1\")"),
            read("parse(\"a\")"),
            read("parsed = parse(\"1\")\nParsed::unwrap_err(parsed)"),
            read("parsed = parse(\"a\")\nParsed::unwrap_err(parsed)"),
        ];
        let varied = varied(&BTreeSet::from([program]), &others, &["1".to_owned()]);
        assert_eq!(varied, BTreeSet::from(expected));
    }
}
