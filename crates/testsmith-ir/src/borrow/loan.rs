//! What a slot borrows from others.

use crate::program::{Mode, Slot};

/// A slot is borrowed by the holder of this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loan {
    pub(super) lender: Slot,
    pub(super) exclusive: bool,
    /// Of what the lender refers to, not of the lender itself: it may outlive the lender.
    pub(super) through: bool,
}

impl Loan {
    /// Whether the lender can be used in this way only once the loan has ended.
    pub(super) fn conflicts(self, slot: Slot, mode: Mode) -> bool {
        let reads = matches!(mode, Mode::Copy | Mode::Shared);
        self.lender == slot && (self.exclusive || !reads)
    }
}

/// The loans that a slot holds, and where they came from.
#[derive(Clone, Debug, Default)]
pub(super) struct Holdings {
    pub(super) loans: Vec<Loan>,
    /// What it was made from or was put into it: a loan that reaches one of these later reaches this slot, too.
    pub(super) sources: Vec<Slot>,
}

impl Holdings {
    /// Whether it has to end before the slot is used in this way.
    pub(super) fn conflicts(&self, slot: Slot, mode: Mode) -> bool {
        self.loans.iter().any(|loan| loan.conflicts(slot, mode))
    }

    /// Adds a loan; `false` if it is nothing new.
    pub(super) fn add(&mut self, loan: Loan) -> bool {
        let is_new = !self.loans.contains(&loan);
        if is_new {
            self.loans.push(loan);
        }
        is_new
    }

    pub(super) fn add_source(&mut self, source: Slot) {
        if !self.sources.contains(&source) {
            self.sources.push(source);
        }
    }
}
