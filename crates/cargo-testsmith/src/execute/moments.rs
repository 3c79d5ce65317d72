//! How a search was going at certain moments: [`Moments`] listens to it.

use std::cell::RefCell;

use serde::Serialize;
use testsmith_exec::ObservedDifference;
use testsmith_ir::Program;
use testsmith_search::{Event, SearchObserver};

/// Parts of a budget to wait for, and what was known when they were used up.
pub(super) struct Moments(RefCell<State>);

struct State {
    /// Those that are still to come, the last one first.
    waiting: Vec<f64>,
    taken: Vec<Moment>,
    last: Option<Event>,
}

/// How a search was going.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Moment {
    /// Of the budget.
    part: f64,
    programs: u64,
    reached: usize,
    infected: usize,
    killed: usize,
    branches: usize,
}

impl Moment {
    fn new(part: f64, event: Option<&Event>) -> Moment {
        let of = |count: fn(&Event) -> usize| event.map_or(0, count);
        Moment {
            part,
            programs: event.map_or(0, |event| event.executions),
            reached: of(|event| event.reached),
            infected: of(|event| event.infected),
            killed: of(|event| event.killed + event.pending),
            branches: of(|event| event.sides),
        }
    }
}

impl Moments {
    /// Waits for these.
    pub(super) fn new(parts: &[f64]) -> Moments {
        let mut waiting = parts.to_vec();
        waiting.sort_by(|a, b| b.total_cmp(a));
        Moments(RefCell::new(State { waiting, taken: Vec::new(), last: None }))
    }

    /// What it was like; as it is now for moments that have not come.
    pub(super) fn taken(self) -> Vec<Moment> {
        let State { waiting, mut taken, last } = self.0.into_inner();
        taken.extend(waiting.iter().rev().map(|part| Moment::new(*part, last.as_ref())));
        taken
    }
}

impl SearchObserver for Moments {
    fn hear(&self, event: Event) {
        self.0.borrow_mut().hear(event);
    }

    fn can_use(&self, _: &Program, _: &ObservedDifference) -> bool {
        true
    }
}

impl State {
    fn hear(&mut self, event: Event) {
        while let Some(part) = self.waiting.pop_if(|part| *part < event.used) {
            self.taken.push(Moment::new(part, self.last.as_ref()));
        }
        self.last = Some(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(used: f64, killed: usize) -> Event {
        Event {
            executions: 10,
            mutant_runs: 0,
            killed,
            pending: 1,
            reached: 5,
            infected: 4,
            sides: 3,
            goals: 9,
            strategy: "random",
            used,
        }
    }

    #[test]
    fn a_moment_is_what_was_known_before_it() {
        let moments = Moments::new(&[0.5, 0.1, 1.0]);
        moments.hear(event(0.05, 0));
        moments.hear(event(0.09, 1));
        moments.hear(event(0.6, 2));
        let killed: Vec<(f64, usize)> =
            moments.taken().iter().map(|moment| (moment.part, moment.killed)).collect();
        assert_eq!(killed, [(0.1, 2), (0.5, 2), (1.0, 3)]);
    }
}
