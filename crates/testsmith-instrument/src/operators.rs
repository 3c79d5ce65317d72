//! The table of mutation operators: one entry each. The docs are generated from it, and a fixture with the name
//! of the entry shows what it does.

/// A published set that an operator belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperatorSet {
    /// The five sufficient operators of Offutt et al., as PexMutator uses them.
    Sufficient,
    /// The operators of Javalanche, as µTEST uses them.
    Javalanche,
    /// The operators of cargo-mutants.
    CargoMutants,
    /// Operators for what only Rust has.
    Rust,
}

impl OperatorSet {
    /// All sets.
    pub const ALL: [OperatorSet; 4] =
        [OperatorSet::Sufficient, OperatorSet::Javalanche, OperatorSet::CargoMutants, OperatorSet::Rust];

    /// The name of the set in configuration and docs.
    pub fn name(self) -> &'static str {
        match self {
            OperatorSet::Sufficient => "sufficient",
            OperatorSet::Javalanche => "javalanche",
            OperatorSet::CargoMutants => "cargo-mutants",
            OperatorSet::Rust => "rust",
        }
    }
}

/// A mutation operator.
#[derive(Debug, PartialEq, Eq)]
pub struct Operator {
    /// Its name everywhere: output, JSON, configuration, docs, fixtures.
    pub id: &'static str,
    /// What it changes, in a few words.
    pub title: &'static str,
    /// The sets that it belongs to.
    pub sets: &'static [OperatorSet],
    /// Before and after, on one example.
    pub example: (&'static str, &'static str),
    /// Where it applies, and where it does not.
    pub scope: &'static str,
}

use OperatorSet::{CargoMutants, Javalanche, Rust, Sufficient};

/// Declares a constant for each entry, and the table of all of them.
macro_rules! table {
    ($($name:ident = $operator:expr;)*) => {
        $(#[doc = concat!("The operator `", stringify!($name), "`.")]
        pub const $name: &Operator = &$operator;)*

        /// All operators, in the order of the docs.
        pub const OPERATORS: &[&Operator] = &[$($name),*];
    };
}

table! {
    ABS = Operator {
        id: "abs",
        title: "absolute value",
        sets: &[Sufficient],
        example: ("a + b", "a.abs() + b"),
        scope: "Variables and fields whose type is known to be a signed integer or a float, as operands and \
                arguments: the absolute value and its negation.",
    };
    AOR = Operator {
        id: "aor",
        title: "arithmetic operator",
        sets: &[Sufficient, CargoMutants],
        example: ("a + b", "a - b"),
        scope: "`+ - * / %` and their assignments: each of the other four. Not on strings.",
    };
    BIT = Operator {
        id: "bit",
        title: "bit operator",
        sets: &[Sufficient, CargoMutants],
        example: ("a & b", "a | b"),
        scope: "`& | ^` and their assignments: each of the other two.",
    };
    SHIFT = Operator {
        id: "shift",
        title: "shift direction",
        sets: &[Sufficient, CargoMutants, Rust],
        example: ("a << b", "a >> b"),
        scope: "`<< >>` and their assignments.",
    };
    CHECKED = Operator {
        id: "checked",
        title: "checked, wrapping and saturating arithmetic",
        sets: &[Sufficient, Rust],
        example: ("a.checked_add(b)", "a.checked_sub(b)"),
        scope: "`checked_`, `wrapping_`, `saturating_` and `overflowing_` methods: the opposite operation, and the \
                other behaviour on overflow (`checked_` ↔ `wrapping_`, `wrapping_` ↔ `saturating_`).",
    };
    LCR = Operator {
        id: "lcr",
        title: "logical connector",
        sets: &[Sufficient, CargoMutants],
        example: ("a && b", "a || b"),
        scope: "`&&` and `||`, except in conditions with `let`.",
    };
    ROR = Operator {
        id: "ror",
        title: "relational operator",
        sets: &[Sufficient, CargoMutants],
        example: ("a < b", "a <= b"),
        scope: "`< <= > >=`: each of the other five. `==` and `!=`: the other one, and the ordered ones that \
                overlap with it where an operand is known to be a number.",
    };
    UOI = Operator {
        id: "uoi",
        title: "unary operator insertion",
        sets: &[Sufficient],
        example: ("f(n)", "f(n + 1)"),
        scope: "Variables and fields of a known primitive type as operands, indices and arguments: `-x`, `x + 1`, \
                `x - 1`, `!x`.",
    };
    CONST = Operator {
        id: "const",
        title: "numeric constant",
        sets: &[Javalanche],
        example: ("x * 8", "x * 9"),
        scope: "Integer literals outside of patterns and const contexts: plus one, minus one, zero.",
    };
    NEG = Operator {
        id: "neg",
        title: "condition",
        sets: &[Javalanche],
        example: ("if a.is_empty() { … }", "if !a.is_empty() { … }"),
        scope: "Conditions of `if` and `while` that no other operator negates.",
    };
    OMIT = Operator {
        id: "omit",
        title: "statement",
        sets: &[Javalanche],
        example: ("list.clear();", ""),
        scope: "Statements that are a call, an assignment or an assertion. Not printing, logging, `debug_assert!`.",
    };
    FN_VALUE = Operator {
        id: "fn-value",
        title: "function value",
        sets: &[CargoMutants],
        example: ("fn f(&self) -> bool { … }", "fn f(&self) -> bool { true }"),
        scope: "Bodies of functions, by their type: unit, bool, numbers, strings, `Option`, `Result`, collections, \
                `Box`/`Rc`/`Arc`, references, tuples, `Ordering`, and `Default` where it is not known to be missing.",
    };
    ARM = Operator {
        id: "arm",
        title: "match arm",
        sets: &[CargoMutants],
        example: ("1 => \"one\", _ => \"many\"", "_ => \"many\""),
        scope: "Arms of a `match` that has a catch-all arm with another body.",
    };
    GUARD = Operator {
        id: "guard",
        title: "match guard",
        sets: &[CargoMutants],
        example: ("n if n > 0 => …", "n if true => …"),
        scope: "Guards of match arms: `true` and `false`.",
    };
    UNARY = Operator {
        id: "unary",
        title: "unary operator",
        sets: &[CargoMutants],
        example: ("!a", "a"),
        scope: "`!` and `-`: left out.",
    };
    FIELD = Operator {
        id: "field",
        title: "struct field",
        sets: &[CargoMutants],
        example: ("P { x: 1, ..base }", "P { ..base }"),
        scope: "Fields of struct expressions with a base (a variable, a field, or a call without arguments): left out, so \
                that the base gives the value.",
    };
    RANGE = Operator {
        id: "range",
        title: "range bound",
        sets: &[Rust],
        example: ("0..n", "0..=n"),
        scope: "`..` ↔ `..=` in `for` loops, indices and in front of a method call.",
    };
    JUMP = Operator {
        id: "jump",
        title: "loop jump",
        sets: &[Rust],
        example: ("break;", "continue;"),
        scope: "`break` ↔ `continue`, with their labels. Not `break` with a value.",
    };
    TRY = Operator {
        id: "try",
        title: "error propagation",
        sets: &[Rust],
        example: ("parse(s)?", "parse(s).unwrap()"),
        scope: "`?`: the error is not handed on.",
    };
    RETURN = Operator {
        id: "return",
        title: "early return",
        sets: &[Rust],
        example: ("if n == 0 { return None; }", "if n == 0 { }"),
        scope: "`return` at the end of an `if` without `else`: left out.",
    };
    STR = Operator {
        id: "str",
        title: "string literal",
        sets: &[Rust],
        example: ("\"abc\"", "\"\""),
        scope: "String literals outside of patterns, const contexts, formats and `expect`: empty, and `\"xyzzy\"`.",
    };
    FLOAT = Operator {
        id: "float",
        title: "float literal",
        sets: &[Javalanche, Rust],
        example: ("x * 0.5", "x * 1.5"),
        scope: "Float literals: plus one, zero, negated.",
    };
    BOOL = Operator {
        id: "bool",
        title: "bool literal",
        sets: &[Rust],
        example: ("let mut found = false;", "let mut found = true;"),
        scope: "`true` ↔ `false` outside of patterns and const contexts.",
    };
    CHAR = Operator {
        id: "char",
        title: "character literal",
        sets: &[Rust],
        example: ("c == 'a'", "c == 'b'"),
        scope: "`char` and byte literals outside of patterns and const contexts: the next one.",
    };
    OPTION = Operator {
        id: "option",
        title: "Some and None",
        sets: &[Rust],
        example: ("Some(x)", "None"),
        scope: "Results of functions that return an `Option`: `Some(…)` → `None`, and back where the type has a value \
                that can be written down.",
    };
    RESULT = Operator {
        id: "result",
        title: "Ok and Err",
        sets: &[Rust],
        example: ("Err(e)", "Ok(())"),
        scope: "Results of functions that return a `Result`: `Ok` ↔ `Err` where the other type has a value that can \
                be written down.",
    };
    CAST = Operator {
        id: "cast",
        title: "integer cast",
        sets: &[Rust],
        example: ("x as u8", "u8::MAX"),
        scope: "`as` to an integer type: the type's boundaries.",
    };
    PAIR = Operator {
        id: "pair",
        title: "std counterpart",
        sets: &[Rust],
        example: ("a.min(b)", "a.max(b)"),
        scope: "Methods of std with a counterpart of the same type: `min`/`max`, `first`/`last`, `is_some`/`is_none`, \
                `any`/`all`, `starts_with`/`ends_with`, `floor`/`ceil` and others.",
    };
}

/// The operator of this id.
pub fn find(id: &str) -> Option<&'static Operator> {
    OPERATORS.iter().copied().find(|operator| operator.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_lower_case_words_and_every_set_is_used() {
        for (at, operator) in OPERATORS.iter().enumerate() {
            assert!(operator.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", operator.id);
            assert!(OPERATORS[..at].iter().all(|other| other.id != operator.id), "{}", operator.id);
            assert!(!operator.sets.is_empty() && !operator.scope.is_empty(), "{}", operator.id);
            assert_ne!(operator.example.0, operator.example.1, "{}", operator.id);
            assert_eq!(find(operator.id), Some(*operator));
        }
        for set in OperatorSet::ALL {
            assert!(OPERATORS.iter().any(|operator| operator.sets.contains(&set)), "{}", set.name());
        }
    }
}
