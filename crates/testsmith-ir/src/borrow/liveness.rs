//! How long the slots of a program live.

use crate::program::{Program, Slot};

/// The lives of a program's slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Liveness {
    pub(super) last_uses: Vec<Option<Slot>>,
    pub(super) ends: Vec<End>,
    pub(super) order: Vec<Slot>,
}

/// What has become of a slot at the end of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It can be looked at.
    Alive,
    /// It is there, but this slot borrows it exclusively and has a destructor that may still look at it.
    Lent(Slot),
    /// This statement took it.
    Moved(Slot),
    /// This statement dropped it.
    Dropped(Slot),
    /// This statement changed, moved or dropped what it borrows from.
    Expired(Slot),
    /// It never held a value: the slot of a `Drop`.
    Nothing,
}

impl Liveness {
    /// The uses of a program that need not obey the rules, as if nothing were borrowed: good for showing it in a message.
    pub fn unchecked(program: &Program) -> Liveness {
        let mut liveness = Liveness {
            last_uses: vec![None; program.size()],
            ends: vec![End::Alive; program.size()],
            order: Vec::new(),
        };
        for (this, statement) in program.iter() {
            statement.slots().for_each(|slot| liveness.last_uses[slot.index()] = Some(this));
        }
        liveness
    }

    /// The last statement that uses a slot.
    pub fn last_use(&self, slot: Slot) -> Option<Slot> {
        self.last_uses[slot.index()]
    }

    /// What has become of a slot at the end.
    pub fn end(&self, slot: Slot) -> End {
        self.ends[slot.index()]
    }

    /// Whether a slot can be looked at when the program has run.
    pub fn is_observable(&self, slot: Slot) -> bool {
        self.end(slot) == End::Alive
    }

    /// All slots that can be looked at when the program has run, in an order in which all of them can: who borrows
    /// exclusively comes before whom it borrows from.
    pub fn observable(&self) -> &[Slot] {
        &self.order
    }
}

/// Orders what is alive so that `exclusive` borrowers of a slot come before it.
pub(super) fn borrowers_first(ends: &[End], exclusive: impl Fn(Slot) -> Vec<Slot>) -> Vec<Slot> {
    let mut seen = vec![false; ends.len()];
    let mut order = Vec::new();
    for slot in (0..ends.len()).map(Slot::at) {
        visit(slot, &exclusive, &mut seen, &mut order);
    }
    order.retain(|slot| ends[slot.index()] == End::Alive);
    order
}

fn visit(slot: Slot, exclusive: &impl Fn(Slot) -> Vec<Slot>, seen: &mut [bool], order: &mut Vec<Slot>) {
    if !std::mem::replace(&mut seen[slot.index()], true) {
        exclusive(slot).into_iter().for_each(|borrower| visit(borrower, exclusive, seen, order));
        order.push(slot);
    }
}
