//! What is claimed of a callable or a type: [`Contract`].

use crate::atom::Atom;
use crate::table::{End, Row, Table};

/// Atoms that hold together.
pub type Conjunction = Vec<Atom>;

/// What a contract is about, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// When the call panics.
    Panics,
    /// When the result is `Some`, `Ok` or true.
    Outcome,
    /// What a value is afterwards.
    Equation,
    /// When an object is left as it was.
    Unchanged,
    /// What always holds afterwards.
    Ensures,
    /// What holds afterwards under a condition.
    Implication,
    /// What holds for all objects of a type.
    Invariant,
}

impl Kind {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Panics => "panics",
            Kind::Outcome => "outcome",
            Kind::Equation => "equation",
            Kind::Unchanged => "unchanged",
            Kind::Ensures => "ensures",
            Kind::Implication => "implication",
            Kind::Invariant => "invariant",
        }
    }
}

/// What is claimed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// A call panics if one of these holds.
    Panics {
        /// One of them is enough.
        any: Vec<Conjunction>,
        /// It panics in no other case.
        exactly: bool,
    },
    /// A fact about a call that came back holds exactly if one of these did.
    Exactly {
        /// The fact.
        what: Atom,
        /// One of them is enough.
        any: Vec<Conjunction>,
    },
    /// It holds after every call, or of every object.
    Always(Atom),
    /// It holds after calls before which something held.
    If {
        /// All of it.
        when: Conjunction,
        /// What holds afterwards.
        then: Atom,
    },
}

/// What a contract rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// Rows that show it: panics that are explained, calls before which the condition held.
    pub shown: usize,
    /// Rows that could have shown it.
    pub of: usize,
}

/// A claim with what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// What it is about.
    pub kind: Kind,
    /// The claim.
    pub formula: Formula,
    /// What it rests on.
    pub support: Support,
}

/// Whether a panic is for want of memory: no contract speaks of that.
pub(crate) fn is_for_memory(row: &Row) -> bool {
    match &row.end {
        End::Panicked { message, .. } => ["capacity overflow", "memory allocation of", "Hash table capacity"]
            .iter()
            .any(|it| message.contains(it)),
        End::Returned => false,
    }
}

impl Contract {
    /// Whether a row contradicts it.
    pub fn is_broken_by(&self, table: &Table, row: usize) -> bool {
        let holds = |atom: &Atom| atom.holds(table, row) == Some(true);
        let fails = |atom: &Atom| atom.holds(table, row) == Some(false);
        // What could not be asked contradicts nothing.
        let any_holds = |any: &[Conjunction]| match any.iter().any(|all| all.iter().all(holds)) {
            true => Some(true),
            false => any.iter().all(|all| all.iter().any(fails)).then_some(false),
        };
        let this = &table.rows()[row];
        let has_returned = this.end == End::Returned;
        match &self.formula {
            Formula::Panics { any, exactly } => match has_returned {
                true => any_holds(any) == Some(true),
                false => *exactly && !is_for_memory(this) && any_holds(any) == Some(false),
            },
            Formula::Exactly { what, any } => {
                let known = what.holds(table, row).zip(any_holds(any));
                has_returned && known.is_some_and(|(is, expected)| is != expected)
            }
            Formula::Always(atom) => has_returned && fails(atom),
            Formula::If { when, then } => has_returned && when.iter().all(holds) && fails(then),
        }
    }

    /// The first row from a place on that contradicts it.
    pub fn broken_by(&self, table: &Table, from: usize) -> Option<usize> {
        (from..table.len()).find(|row| self.is_broken_by(table, *row))
    }

    /// The same of another table.
    pub fn in_table(&self, from: &Table, to: &Table) -> Option<Contract> {
        let atom = |atom: &Atom| atom.in_table(from, to);
        let all = |all: &Conjunction| all.iter().map(atom).collect::<Option<Conjunction>>();
        let any = |any: &[Conjunction]| any.iter().map(all).collect::<Option<Vec<_>>>();
        let formula = match &self.formula {
            Formula::Panics { any: some, exactly } => Formula::Panics { any: any(some)?, exactly: *exactly },
            Formula::Exactly { what, any: some } => Formula::Exactly { what: atom(what)?, any: any(some)? },
            Formula::Always(it) => Formula::Always(atom(it)?),
            Formula::If { when, then } => Formula::If { when: all(when)?, then: atom(then)? },
        };
        Some(Contract { formula, ..self.clone() })
    }

    /// As one line: `panics exactly if index >= self.len()`.
    pub fn text(&self, table: &Table) -> String {
        let before = |all: &Conjunction| join(all, table, false);
        let any_of = |any: &[Conjunction]| any.iter().map(before).collect::<Vec<_>>().join(" || ");
        match &self.formula {
            Formula::Panics { any, .. } if any.is_empty() => "never panicked".to_owned(),
            Formula::Panics { any, exactly: true } if any == &[Vec::new()] => "always panics".to_owned(),
            Formula::Panics { any, exactly: true } => format!("panics exactly if {}", any_of(any)),
            Formula::Panics { any, exactly: false } => {
                format!("panics if {}, and otherwise, too", any_of(any))
            }
            Formula::Exactly { what, any } => {
                format!("{} exactly if {}", what.text(table, true), any_of(any))
            }
            Formula::Always(atom) => atom.text(table, self.kind != Kind::Invariant),
            Formula::If { when, then } => format!("if {}: {}", before(when), then.text(table, true)),
        }
    }
}

fn join(all: &Conjunction, table: &Table, marks_old: bool) -> String {
    all.iter().map(|atom| atom.text(table, marks_old)).collect::<Vec<_>>().join(" && ")
}
