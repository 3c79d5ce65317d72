//! Which literals of a program become inputs together: [`Case`].

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use testsmith_ir::{Literal, Program, Slot, Statement};
use testsmith_symex::expr::Model;

/// Literals of a program beyond which pairs are not tried.
const MOST_PAIRED: usize = 8;

/// A program, and the literals of it that are inputs.
pub(super) struct Case {
    /// The program that came close.
    pub(super) of: Arc<Program>,
    /// A part of it that runs by itself, or that with a text of another length.
    pub(super) program: Program,
    pub(super) slots: Vec<Slot>,
    /// A text has another length.
    is_resized: bool,
    /// Its paths were explored.
    pub(super) is_explored: bool,
    /// Something depends on its inputs.
    pub(super) is_alive: bool,
    /// They are all that there are.
    pub(super) is_complete: bool,
    /// Inputs of the paths that were found.
    pub(super) inputs: Vec<Model>,
    /// Mutants whose goals were tried.
    pub(super) tried: BTreeSet<u32>,
}

impl Case {
    fn new(of: &Arc<Program>, program: Program, slots: Vec<Slot>, is_resized: bool) -> Case {
        Case {
            of: of.clone(),
            program,
            slots,
            is_resized,
            is_explored: false,
            is_alive: false,
            is_complete: false,
            inputs: Vec::new(),
            tried: BTreeSet::new(),
        }
    }

    /// Whether all literals of the program are inputs.
    pub(super) fn is_open(&self) -> bool {
        self.program.iter().all(|(slot, statement)| !is_input(statement) || self.slots.contains(&slot))
    }

    /// What tells it from others.
    pub(super) fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.program, &self.slots).hash(&mut hasher);
        hasher.finish()
    }

    /// Cases with few inputs come first, a text of another length behind that as it is; all literals together come last.
    pub(super) fn rank(&self) -> usize {
        2 * self.slots.len() + usize::from(self.is_resized)
    }
}

/// All cases of a program: of each of its parts each literal alone, texts also a character longer and shorter, then pairs,
/// then all.
pub(super) fn variants(of: &Arc<Program>) -> Vec<Case> {
    parts(of).iter().flat_map(|part| variants_of_part(of, part)).collect()
}

/// The parts of a program that share no slot: what happens in one is nothing to the others, and only in their way.
fn parts(of: &Program) -> Vec<Program> {
    // By slot: the first slot of its part, as far as it is known.
    let mut firsts: Vec<usize> = (0..of.size()).collect();
    for (slot, statement) in of.iter() {
        for other in statement.slots() {
            let (mine, others) = (firsts[slot.index()], firsts[other.index()]);
            let (low, high) = (mine.min(others), mine.max(others));
            firsts.iter_mut().filter(|first| **first == high).for_each(|first| *first = low);
        }
    }
    let part = |first: usize| {
        let mut program = of.clone();
        program.keep(|slot| firsts[slot.index()] == first);
        program
    };
    (0..of.size()).filter(|at| firsts[*at] == *at).map(part).collect()
}

fn variants_of_part(of: &Arc<Program>, part: &Program) -> Vec<Case> {
    let literals: Vec<Slot> = part.iter().filter(|(_, it)| is_input(it)).map(|(slot, _)| slot).collect();
    let plain = |slots: Vec<Slot>| Case::new(of, part.clone(), slots, false);
    let mut cases: Vec<Case> = literals.iter().map(|slot| plain(vec![*slot])).collect();
    for slot in &literals {
        let resized = [resized(part, *slot, true), resized(part, *slot, false)];
        cases.extend(resized.into_iter().flatten().map(|program| Case::new(of, program, vec![*slot], true)));
    }
    if (2..=MOST_PAIRED).contains(&literals.len()) {
        for (at, first) in literals.iter().enumerate() {
            cases.extend(literals[at + 1..].iter().map(|second| plain(vec![*first, *second])));
        }
    }
    if literals.len() > 2 {
        cases.push(plain(literals));
    }
    cases
}

/// Whether a statement is a literal that has other values.
fn is_input(statement: &Statement) -> bool {
    let Statement::Literal { value, .. } = statement else { return false };
    match value {
        Literal::Unit => false,
        Literal::Str(text) | Literal::String(text) => !text.is_empty(),
        Literal::ByteStr(bytes) | Literal::Bytes(bytes) => !bytes.is_empty(),
        _ => true,
    }
}

/// The program with a text that has a character more, or one less.
fn resized(of: &Program, slot: Slot, longer: bool) -> Option<Program> {
    let mut program = of.clone();
    let Statement::Literal { value, .. } = &mut program.statements[slot.index()] else { return None };
    match value {
        Literal::Str(text) | Literal::String(text) if longer => text.push('0'),
        Literal::Str(text) | Literal::String(text) => {
            text.pop().filter(|_| !text.is_empty())?;
        }
        Literal::ByteStr(bytes) | Literal::Bytes(bytes) if longer => bytes.push(0),
        Literal::ByteStr(bytes) | Literal::Bytes(bytes) => {
            bytes.pop().filter(|_| !bytes.is_empty())?;
        }
        _ => return None,
    }
    Some(program)
}

#[cfg(test)]
mod tests {
    use testsmith_ir::{Arg, CallableId, TypeId};

    use super::*;

    fn number(value: i128) -> Statement {
        Statement::Literal { ty: TypeId(0), value: Literal::int(true, 32, value) }
    }

    fn call(args: &[u16]) -> Statement {
        let args = args.iter().map(|slot| Arg::copied(Slot(*slot))).collect();
        Statement::Call { callable: CallableId(0), args }
    }

    #[test]
    fn parts_share_no_slot_and_each_has_its_own_cases() {
        let program = Program::from_iter([number(1), number(2), call(&[0]), number(3), call(&[1, 3])]);
        let one = Program::from_iter([number(1), call(&[0])]);
        let other = Program::from_iter([number(2), number(3), call(&[0, 1])]);
        assert_eq!(parts(&program), [one.clone(), other.clone()]);
        let cases = variants(&Arc::new(program));
        let shown: Vec<(&Program, usize)> =
            cases.iter().map(|case| (&case.program, case.slots.len())).collect();
        assert_eq!(shown, [(&one, 1), (&other, 1), (&other, 1), (&other, 2)]);
        assert!(cases[0].is_open() && cases[3].is_open() && !cases[1].is_open());
    }
}
