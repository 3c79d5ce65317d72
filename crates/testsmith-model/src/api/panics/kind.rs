//! What a panic message of the standard library is about: [`PanicKind`].
//!
//! Nobody promises such a message, and docs that declare a panic mean one of these kinds only if they speak of it.

/// What a panic of the standard library is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PanicKind {
    /// An index, a range or a length that does not fit.
    Bounds,
    /// A number that its type cannot hold.
    Overflow,
    /// A division by zero.
    DivideByZero,
    /// A value that is not there, or an error where a value was expected.
    Unwrap,
    /// A `RefCell` that is borrowed already.
    Borrow,
    /// More memory than there can be.
    Capacity,
}

/// A kind: how it is called in reports, what its messages hold, and the words of docs that speak of it.
struct Row {
    kind: PanicKind,
    name: &'static str,
    messages: &'static [&'static str],
    words: &'static [&'static str],
}

/// `<` stands for any comparison in code.
const KINDS: [Row; 6] = [
    Row {
        kind: PanicKind::DivideByZero,
        name: "overflow",
        messages: &["divide by zero", "divisor of zero"],
        words: &["zero", "0", "divisor", "nonzero", "empty"],
    },
    Row {
        kind: PanicKind::Capacity,
        name: "capacity",
        messages: &["capacity overflow", "memory allocation of"],
        words: &[
            "capacity",
            "overflow",
            "overflows",
            "memory",
            "allocation",
            "allocate",
            "large",
            "size",
            "max",
            "<",
        ],
    },
    Row {
        kind: PanicKind::Overflow,
        name: "overflow",
        messages: &["with overflow", "attempt to subtract", "attempt to add", "attempt to multiply"],
        words: &[
            "overflow",
            "overflows",
            "overflowed",
            "underflow",
            "underflows",
            "large",
            "larger",
            "big",
            "bigger",
            "exceeds",
            "exceed",
            "greater",
            "less",
            "negative",
            "max",
            "min",
            "fit",
            "fits",
            "range",
            "<",
        ],
    },
    Row {
        kind: PanicKind::Bounds,
        name: "index",
        messages: &[
            "index out of bounds",
            "out of range",
            "range start index",
            "range end index",
            "slice index starts at",
            "char boundary",
            "mid > len",
            "should be <= len",
            "should be < len",
            "out of bounds",
            "source slice length",
            "slices have different lengths",
            "chunk size must be",
        ],
        words: &[
            "bound", "bounds", "range", "index", "indices", "length", "len", "size", "position", "past",
            "beyond", "exceeds", "exceed", "greater", "less", "larger", "smaller", "longer", "shorter",
            "short", "long", "boundary", "capacity", "outside", "empty", "least", "most", "enough",
            "elements", "<",
        ],
    },
    Row {
        kind: PanicKind::Unwrap,
        name: "unwrap",
        messages: &[
            "called `Option::unwrap()`",
            "called `Result::unwrap()`",
            "called `Result::unwrap_err()`",
        ],
        words: &[
            "none", "some", "missing", "absent", "present", "empty", "exist", "exists", "found", "contain",
            "contains", "invalid", "valid", "fail", "fails", "error", "errors", "err", "any", "parsed",
            "vacant", "cannot",
        ],
    },
    Row {
        kind: PanicKind::Borrow,
        name: "borrow",
        messages: &["already borrowed", "already mutably borrowed"],
        words: &["borrow", "borrowed", "borrows", "reentrant", "recursively"],
    },
];

impl PanicKind {
    /// What a message is about; `None` if it is not one of the standard library's, but somebody's own words.
    pub fn of(message: &str) -> Option<PanicKind> {
        let says = |row: &&Row| row.messages.iter().any(|part| message.contains(part));
        KINDS.iter().find(says).map(|row| row.kind)
    }

    /// How reports call it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether a word of docs speaks of it.
    pub(super) fn is_meant_by(self, word: &str) -> bool {
        self.row().words.contains(&word)
    }

    fn row(self) -> &'static Row {
        KINDS.iter().find(|row| row.kind == self).expect("each kind has a row")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_standard_library_have_a_kind_and_others_have_none() {
        let table = [
            ("index out of bounds: the len is 3 but the index is 3", Some(PanicKind::Bounds)),
            ("range end index 5 out of range for slice of length 3", Some(PanicKind::Bounds)),
            ("mid > len", Some(PanicKind::Bounds)),
            ("removal index (is 3) should be < len (is 3)", Some(PanicKind::Bounds)),
            (
                "byte index 1 is not a char boundary; it is inside 'é' (bytes 0..2) of `é`",
                Some(PanicKind::Bounds),
            ),
            ("attempt to add with overflow", Some(PanicKind::Overflow)),
            ("attempt to divide by zero", Some(PanicKind::DivideByZero)),
            ("attempt to calculate the remainder with a divisor of zero", Some(PanicKind::DivideByZero)),
            ("capacity overflow", Some(PanicKind::Capacity)),
            ("called `Option::unwrap()` on a `None` value", Some(PanicKind::Unwrap)),
            ("already borrowed: BorrowMutError", Some(PanicKind::Borrow)),
            ("invalid key", None),
            ("assertion failed: self.is_open()", None),
        ];
        for (message, expected) in table {
            assert_eq!(PanicKind::of(message), expected, "{message}");
        }
    }

    #[test]
    fn words_are_in_lower_case_and_messages_differ() {
        for row in &KINDS {
            assert!(row.words.iter().all(|word| word.to_lowercase() == *word), "{}", row.name);
            let message = row.messages[0];
            assert_eq!(PanicKind::of(message), Some(row.kind), "an earlier row hides `{message}`");
        }
    }
}
