//! Executes one program, as the original or as a mutant.
//!
//! The mutant switch is set in memory for the time of the run. Statements, observations and drops are each caught
//! when they panic; whatever happens, all slots are dropped, in reverse order, before the run is over.

use std::any::TypeId;

use super::frame::{Ended, Frame};
use super::limits;
use super::literal::{show, Literals};
use super::memory;
use super::outside;
use super::panics::{self, catch};
use super::slot::{Slot, State};
use super::status::{page, Cause, Phase};
use super::sys;
use super::table::Call;
use super::trace;
use super::watch::Watch;
use super::wire::{Aspect, At, Op, Options, Outcome, Run, What};
use crate::{switch, wasm};

/// As what a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Original {
        traced: bool,
    },
    /// The original, with a footprint for the mutant that the program is made for.
    Model,
    Mutant(u32),
    /// A mutant with a footprint.
    Aim(u32),
}

/// How a run ended. `None` where it was not run to its end: enough has been seen.
pub(super) struct End {
    pub(super) outcome: Option<Outcome>,
    pub(super) statement: u16,
    pub(super) ticks: u64,
    pub(super) absent: Vec<u16>,
}

/// Executes programs; what it holds is kept from run to run.
pub(super) struct Runner {
    /// By their number, with holes.
    pub(super) calls: Vec<Option<Call>>,
    pub(super) literals: Literals,
    frame: Frame,
}

/// What became of a statement.
enum Step {
    /// It has defined its slot, though perhaps without a value.
    Done,
    End(Outcome),
}

impl Runner {
    pub(super) fn new(calls: Vec<Option<Call>>) -> Runner {
        Runner { calls, literals: Literals::default(), frame: Frame::default() }
    }

    /// Runs a program. `until` is a statement beyond which nothing is of interest.
    pub(super) fn run(
        &mut self,
        run: &Run,
        role: Role,
        ticks: u64,
        options: &Options,
        until: Option<u16>,
        watch: &mut Watch<'_>,
    ) -> End {
        panics::listen();
        memory::arm(options.memory);
        limits::arm(ticks, options.stack);
        match role {
            Role::Original { traced: true } | Role::Model => {
                begin_trace(role == Role::Model);
                switch::drive(switch::TRACING);
            }
            Role::Original { traced: false } => switch::drive(0),
            Role::Mutant(number) => switch::drive(number),
            Role::Aim(number) => {
                begin_trace(true);
                switch::drive_traced(number);
            }
        }
        let calls = run.ops.iter().filter_map(|op| match op {
            Op::Call { callable, .. } => Some(*callable),
            Op::Literal(_) | Op::Drop(_) => None,
        });
        let folder = outside::begin_program(calls);
        let (mut outcome, mut statement) = self.statements(run, until, watch);
        page().at(Phase::Dropping, run.ops.len());
        let absent = self.absent();
        if let Some(last) = self.drop_all() {
            // A panic that ended the program is not replaced by one that came of it.
            if outcome == Some(Outcome::Ok) {
                (outcome, statement) = (Some(last), run.ops.len() as u16);
            }
        }
        outside::end_program(folder);
        switch::drive(0);
        let ticks = limits::disarm();
        memory::disarm();
        sys::end_if_forked();
        End { outcome, statement, ticks, absent }
    }

    /// Statements and observations, up to the first that ends the program.
    fn statements(&mut self, run: &Run, until: Option<u16>, watch: &mut Watch<'_>) -> (Option<Outcome>, u16) {
        for (at, op) in run.ops.iter().enumerate() {
            page().at(Phase::Running, at);
            let number = at as u16;
            let step = self.step(op);
            if let Step::End(outcome) = step {
                return (Some(outcome), number);
            }
            if until == Some(number) {
                return (Some(Outcome::Ok), number);
            }
            let goes_on = !watch.looks() || self.look(number, op, &run.unseen, watch);
            if let Some(outcome) = stopped() {
                return (Some(outcome), number);
            }
            if !goes_on {
                return (None, number);
            }
        }
        let end = run.ops.len() as u16;
        page().at(Phase::Observing, run.ops.len());
        let goes_on = !watch.looks() || self.look_at_the_end(run, watch);
        let outcome = stopped().or_else(|| goes_on.then_some(Outcome::Ok));
        (outcome, end)
    }

    /// Executes one statement, which defines one slot.
    fn step(&mut self, op: &Op) -> Step {
        self.frame.ended = None;
        let caught = match catch(|| self.perform(op)) {
            Ok(slot) => {
                // Kept whatever happens: it is dropped with the others, where a panic is caught.
                self.frame.slots.push(slot);
                None
            }
            Err(caught) => Some(caught),
        };
        let ended = self.frame.ended.take();
        let step = match (stopped(), ended) {
            (Some(outcome), _) => Step::End(outcome),
            (None, Some(Ended::Wrong(error))) => Step::End(Outcome::Type(error)),
            (None, Some(Ended::Absent)) if caught.is_some() => {
                self.frame.slots.push(Slot::without(State::Absent));
                Step::Done
            }
            (None, _) => match caught {
                None => return Step::Done,
                Some(caught) => return Step::End(caught.outcome()),
            },
        };
        if let Some(caught) = caught {
            caught.forget();
        }
        step
    }

    fn perform(&mut self, op: &Op) -> Slot {
        match op {
            Op::Literal(literal) => {
                let slot = self.literals.slot(literal);
                if wasm::IS {
                    show(self.frame.slots.len(), literal, &slot);
                }
                slot
            }
            Op::Call { callable, args } => {
                let Some(Some(call)) = self.calls.get(*callable as usize) else {
                    self.frame.wrong_statement(format!("there is no callable {callable}"));
                };
                self.frame.enter(args);
                if self.frame.check() {
                    return Slot::without(State::Absent);
                }
                memory::fill_stack();
                let value = call.invoke(&mut self.frame);
                if value.is_null() {
                    return Slot::without(State::Absent);
                }
                // SAFETY: the call's result is of the call's type.
                unsafe { Slot::new(value, call.of) }
            }
            Op::Drop(slot) => {
                match self.frame.slots.get_mut(usize::from(*slot)).map(|slot| (slot.state, slot)) {
                    Some((State::Full, slot)) => slot.end(),
                    Some((State::Absent, _)) => {}
                    _ => self.frame.wrong_statement(format!("slot {slot} has no value to drop")),
                }
                Slot::without(State::Gone)
            }
        }
    }

    /// Looks at what a statement has defined; false where the program need not go on.
    fn look(&self, number: u16, op: &Op, unseen: &[(u16, Aspect)], watch: &mut Watch<'_>) -> bool {
        let slot = &self.frame.slots[usize::from(number)];
        match op {
            Op::Call { .. } if slot.state == State::Absent => {
                watch.see(At::Statement(number), number, What::Absent)
            }
            Op::Call { .. } if slot.id != TypeId::of::<()>() => {
                page().at(Phase::Observing, usize::from(number));
                watch.look(At::Statement(number), number, slot, unseen)
            }
            // There is nothing new to see in a literal, and nothing at all in `()`.
            _ => true,
        }
    }

    fn look_at_the_end(&self, run: &Run, watch: &mut Watch<'_>) -> bool {
        let (alive, unseen) = (&run.alive, &run.unseen);
        let slot = |number: u16| self.frame.slots.get(usize::from(number));
        for (index, &number) in alive.iter().enumerate() {
            let Some(this) = slot(number) else { continue };
            if this.id == TypeId::of::<()>() {
                continue;
            }
            if !watch.look(At::End, number, this, unseen) {
                return false;
            }
            // The nearest of the same type is enough: equality and order are the same for all.
            let mut before = alive[..index].iter().rev().filter_map(|&other| Some((other, slot(other)?)));
            if let Some((other, before)) = before.find(|(_, before)| before.id == this.id) {
                if !watch.look_at_both(number, this, other, before, unseen) {
                    return false;
                }
            }
        }
        true
    }

    fn absent(&self) -> Vec<u16> {
        let states = self.frame.slots.iter().map(|slot| slot.state).enumerate();
        states.filter(|(_, state)| *state == State::Absent).map(|(at, _)| at as u16).collect()
    }

    /// Drops all slots, the last one first; the outcome of the first drop that did not end well.
    fn drop_all(&mut self) -> Option<Outcome> {
        let mut first = None;
        let slots = &mut self.frame.slots;
        let mut drop_last = || match slots.len().checked_sub(1) {
            Some(last) => {
                page().at(Phase::Dropping, last);
                drop(slots.pop());
                true
            }
            None => false,
        };
        while let Err(caught) = catch(|| while drop_last() {}) {
            match stopped() {
                Some(outcome) => {
                    caught.forget();
                    first.get_or_insert(outcome);
                }
                None => {
                    let outcome = caught.outcome();
                    first.get_or_insert(outcome);
                }
            }
        }
        first
    }
}

fn begin_trace(has_footprint: bool) {
    if let Some(trace) = trace::current() {
        trace.begin(has_footprint);
    }
}

/// The outcome of a program that has been stopped, even if it went on.
fn stopped() -> Option<Outcome> {
    limits::stopped().map(outcome_of)
}

/// As an outcome.
pub(super) fn outcome_of(cause: Cause) -> Outcome {
    match cause {
        Cause::Fuel => Outcome::Fuel,
        Cause::Depth => Outcome::Depth,
        Cause::Memory => Outcome::Memory,
        Cause::Outside(outside) => Outcome::Outside(outside),
    }
}
