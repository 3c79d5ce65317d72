//! A mutant, and the id by which it is known from one run to the next.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use crate::operators::Operator;

/// A name that survives unrelated edits: it is made from the file, the function, the operator and the texts before
/// and after, not from lines or counts of other mutants.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MutantId(pub String);

impl fmt::Display for MutantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One artificial defect.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its number in the meta-program, from 1.
    pub number: u32,
    /// Its lasting name.
    pub id: MutantId,
    /// The operator that made it.
    pub operator: &'static Operator,
    /// Index of its file in the plan.
    pub file: usize,
    /// Index of its function in the plan.
    pub function: usize,
    /// The bytes that it replaces.
    pub span: Range<usize>,
    /// Line of their start, from 1.
    pub line: usize,
    /// Column of their start, from 1.
    pub column: usize,
    /// The text there, on one line.
    pub before: String,
    /// What stands there instead; empty where it is left out.
    pub after: String,
}

/// Gives out ids: equal changes in one function are told apart by their order.
#[derive(Default)]
pub(crate) struct Ids {
    seen: HashMap<u64, u32>,
}

impl Ids {
    pub(crate) fn next(&mut self, parts: &[&str]) -> MutantId {
        let key = hash(parts.iter().copied());
        let count = self.seen.entry(key).or_default();
        *count += 1;
        let ordinal = count.to_string();
        let key = hash(parts.iter().copied().chain((*count > 1).then_some(ordinal.as_str())));
        MutantId(format!("{:010x}", key >> 24))
    }
}

/// FNV-1a, written out because ids must never change with a library.
fn hash<'a>(parts: impl Iterator<Item = &'a str>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    // The last multiplication reaches the upper half only with what was there before: mix once more.
    hash ^= hash >> 32;
    hash.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A piece of source on one line, white space folded.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_depend_on_all_parts_and_tell_equal_changes_apart() {
        let mut ids = Ids::default();
        let first = ids.next(&["src/lib.rs", "f", "ror", "<", "<="]);
        let second = ids.next(&["src/lib.rs", "f", "ror", "<", "<="]);
        let other = ids.next(&["src/lib.rs", "g", "ror", "<", "<="]);
        assert_eq!(first.0.len(), 10);
        assert!(first != second && second != other && first != other);
        assert_eq!(first, Ids::default().next(&["src/lib.rs", "f", "ror", "<", "<="]));
    }
}
