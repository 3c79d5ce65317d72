//! Where loans go: into the result of a call, and into what a call puts something into.

use super::loan::Loan;
use super::state::{State, Status};
use super::types::changes_when_shared;
use crate::api::{Callable, Flow, Place};
use crate::program::{Arg, Mode, Slot};

impl State<'_> {
    /// Loans that come into what exists already come first, so that the result holds them, too.
    pub(super) fn flow(&mut self, callable: &Callable, args: &[Arg], this: Slot) {
        let mut reached = false;
        for flow in &callable.flows {
            if let Place::Param(to) = flow.to {
                let targets = callable.args_of(to, args);
                targets.iter().for_each(|target| self.reach(callable, args, flow, target.slot));
                reached = true;
            }
        }
        for flow in callable.flows.iter().filter(|flow| flow.to == Place::Result) {
            self.hold(callable, args, flow, this);
        }
        if reached {
            self.spread();
            let holds = |slot: &Slot| !self.values[slot.index()].holds.loans.is_empty();
            let alive = |slot: &Slot| self.values[slot.index()].status == Status::Alive;
            self.borrowers = (0..self.values.len()).map(Slot::at).filter(alive).filter(holds).collect();
        } else if !self.values[this.index()].holds.loans.is_empty() {
            self.borrowers.push(this);
        }
    }

    /// Lets a slot hold what a flow brings.
    fn hold(&mut self, callable: &Callable, args: &[Arg], flow: &Flow, to: Slot) {
        for arg in callable.args_of(flow.from, args) {
            if flow.of_argument && matches!(arg.mode, Mode::Shared | Mode::Exclusive) {
                let loan = self.loan(callable, flow, *arg);
                self.values[to.index()].holds.add(loan);
            }
            if arg.slot != to {
                self.inherit(arg.slot, to);
                self.values[to.index()].holds.add_source(arg.slot);
            }
        }
    }

    /// Lets an existing slot hold what a flow brings, and those whose contents it may be a view of.
    fn reach(&mut self, callable: &Callable, args: &[Arg], flow: &Flow, to: Slot) {
        let loans = self.values[to.index()].holds.loans.clone();
        self.hold(callable, args, flow, to);
        for loan in loans {
            let Some(ty) = self.values[loan.lender.index()].ty.map(|ty| &self.api[ty]) else { continue };
            if ty.borrows && (loan.exclusive || changes_when_shared(ty)) {
                self.hold(callable, args, flow, loan.lender);
            }
        }
    }

    /// The compiler goes by how the argument is borrowed, whatever the result makes of it.
    fn loan(&self, callable: &Callable, flow: &Flow, arg: Arg) -> Loan {
        let ty = self.values[arg.slot.index()].ty;
        let fit = ty.and_then(|ty| self.api.fit(callable.params[flow.from].accepts, ty));
        Loan {
            lender: arg.slot,
            exclusive: flow.exclusive || arg.mode == Mode::Exclusive,
            through: fit.is_some_and(|fit| fit.through),
        }
    }

    fn inherit(&mut self, from: Slot, to: Slot) -> bool {
        let mut is_new = false;
        for index in 0..self.values[from.index()].holds.loans.len() {
            let loan = self.values[from.index()].holds.loans[index];
            is_new |= self.values[to.index()].holds.add(loan);
        }
        is_new
    }

    /// Brings loans to all that was made from their holders.
    fn spread(&mut self) {
        loop {
            let mut is_new = false;
            for to in 0..self.values.len() {
                for source in 0..self.values[to].holds.sources.len() {
                    is_new |= self.inherit(self.values[to].holds.sources[source], Slot::at(to));
                }
            }
            if !is_new {
                return;
            }
        }
    }
}
