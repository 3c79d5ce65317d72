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
    /// It, or it with a text of another length.
    pub(super) program: Program,
    pub(super) slots: Vec<Slot>,
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
    fn new(of: &Arc<Program>, program: Program, slots: Vec<Slot>) -> Case {
        Case {
            of: of.clone(),
            program,
            slots,
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
        2 * self.slots.len() + usize::from(self.program != *self.of)
    }
}

/// All cases of a program: each literal alone, texts also a character longer and shorter, then pairs, then all.
pub(super) fn variants(of: &Arc<Program>) -> Vec<Case> {
    let literals: Vec<Slot> = of.iter().filter(|(_, it)| is_input(it)).map(|(slot, _)| slot).collect();
    let plain = |slots: Vec<Slot>| Case::new(of, of.as_ref().clone(), slots);
    let mut cases: Vec<Case> = literals.iter().map(|slot| plain(vec![*slot])).collect();
    for slot in &literals {
        let longer = [resized(of, *slot, true), resized(of, *slot, false)];
        cases.extend(longer.into_iter().flatten().map(|program| Case::new(of, program, vec![*slot])));
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
