//! What is not the same every time, and therefore proves nothing: [`Nondeterminism`] learns it from programs that were run twice on
//! the original, in different processes, and says what of other programs is not to be looked at.
//!
//! A mark is on a callable: on one way of looking at its result, on what it does to its arguments, or on how it ends.
//! What a marked value is passed to is not to blame for what comes out: it is tainted, and not looked at either. Nor is it
//! known how a call ends that is given such a value, so that the whole program proves nothing.

use std::collections::BTreeMap;

use testsmith_exec::{Nondeterminism as Found, Shift, ending, show};
use testsmith_ir::{Mode, Program, Statement};
use testsmith_rt::harness::wire::{Aspect, At, Outcome};

/// What of a callable is not the same every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trait {
    /// What its result shows, in this way of looking.
    Result(Aspect),
    /// What becomes of its arguments, in this way of looking.
    Arguments(Aspect),
    /// What is inside of an argument that does not look the same every time: it shows in the result, or in other arguments.
    Reveals,
    /// How it ends, or whether there is a result.
    End,
}

/// Why something is marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Two things that were seen in the same place.
    Seen([String; 2]),
    /// What the source says.
    Source(String),
}

/// Callables that do not do the same every time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nondeterminism {
    known: BTreeMap<(u32, Trait), Reason>,
}

/// How much of a slot is not the same every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Taint {
    None,
    /// What it shows as a whole. What is inside may be the same.
    Looks,
    /// All.
    Value,
}

const LOOKS: [Aspect; 4] = [Aspect::Debug, Aspect::Display, Aspect::Eq, Aspect::Cmp];

impl Taint {
    fn hides(self, aspect: Aspect) -> bool {
        match self {
            Taint::None => false,
            Taint::Looks => LOOKS.contains(&aspect),
            Taint::Value => true,
        }
    }

    fn of(aspect: Aspect) -> Taint {
        if aspect == Aspect::Value { Taint::Value } else { Taint::Looks }
    }
}

impl Nondeterminism {
    /// All that is known: the number of a callable, what of it, and why.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Trait, &Reason)> {
        self.known.iter().map(|((callable, what), reason)| (*callable, *what, reason))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Marks the result of a callable because of what its source says.
    pub fn declare(&mut self, callable: u32, reason: &str) {
        let reason = Reason::Source(reason.to_owned());
        self.known.entry((callable, Trait::Result(Aspect::Value))).or_insert(reason);
    }

    /// Ways in which slots of a program are not to be looked at.
    pub fn unseen(&self, program: &Program) -> Vec<(u16, Aspect)> {
        if self.known.is_empty() {
            return Vec::new();
        }
        let taints = self.taints(program, program.statements.len());
        let mut unseen = Vec::new();
        for ((slot, taint), statement) in (0..).zip(taints).zip(&program.statements) {
            let is_marked = |aspect: &Aspect| {
                statement.callable().is_some_and(|callable| self.has(callable.0, Trait::Result(*aspect)))
            };
            let all = [Aspect::Value].into_iter().chain(LOOKS);
            unseen.extend(all.filter(|aspect| taint.hides(*aspect) || is_marked(aspect)).map(|a| (slot, a)));
        }
        unseen
    }

    /// Whether a program may end in another way every time, so that nothing of it proves anything.
    pub fn may_end_otherwise(&self, program: &Program) -> bool {
        if self.known.is_empty() {
            return false;
        }
        let taints = self.taints(program, program.statements.len());
        program.statements.iter().any(|statement| {
            let is_marked = statement.callable().is_some_and(|callable| self.has(callable.0, Trait::End));
            is_marked || takes_tainted(statement, &taints)
        })
    }

    /// Learns from two executions of a program; whether there is a new mark.
    pub fn learn(&mut self, program: &Program, found: &Found) -> bool {
        let before = self.known.len();
        for shift in &found.observations {
            self.learn_shift(program, shift);
        }
        if let Some(ends) = &found.end {
            // The machine may have been busy.
            let is_sound = !ends.outcomes.contains(&Outcome::Hang);
            let at = usize::from(ends.statement).min(program.statements.len());
            let taints = self.taints(program, at);
            let ended = program.statements.get(at).filter(|statement| !takes_tainted(statement, &taints));
            if let Some(callable) = ended.filter(|_| is_sound).and_then(Statement::callable) {
                let [first, second] = ends.outcomes.each_ref().map(ending);
                self.add(callable.0, Trait::End, [first, second]);
            }
        }
        self.known.len() > before
    }

    fn learn_shift(&mut self, program: &Program, shift: &Shift) {
        let Some(aspect) = shift.first.what.aspect() else { return };
        let slot = usize::from(shift.first.slot);
        let until = match shift.first.at {
            At::Statement(number) => usize::from(number) + 1,
            At::End => program.statements.len(),
        };
        let Some(own) = program.statements.get(slot) else { return };
        let taint = self.taints(program, until).get(slot).copied();
        let is_known = own.callable().is_some_and(|callable| self.has(callable.0, Trait::Result(aspect)));
        if is_known || taint.is_some_and(|taint| taint.hides(aspect)) {
            return;
        }
        let changes = |statement: &Statement| {
            statement.args().iter().any(|arg| arg.mode == Mode::Exclusive && usize::from(arg.slot.0) == slot)
        };
        // At the end, whoever changed it last; else whoever made it.
        let later = program.statements[..until].iter().enumerate().skip(slot + 1);
        let changed = later.rev().find(|(_, statement)| changes(statement));
        let (at, statement) = changed.unwrap_or((slot, own));
        let Some(callable) = statement.callable() else { return };
        let what = match (inherited(statement, &self.taints(program, at)), Taint::of(aspect)) {
            (Taint::Looks, Taint::Value) => Trait::Reveals,
            _ if at == slot => Trait::Result(aspect),
            _ => Trait::Arguments(aspect),
        };
        self.add(callable.0, what, [show(&shift.first.what), show(&shift.second)]);
    }

    fn add(&mut self, callable: u32, what: Trait, example: [String; 2]) {
        self.known.entry((callable, what)).or_insert(Reason::Seen(example.map(|text| cut(&text))));
    }

    fn has(&self, callable: u32, what: Trait) -> bool {
        self.known.contains_key(&(callable, what))
    }

    /// How much of each slot is not the same every time, after so many statements.
    fn taints(&self, program: &Program, until: usize) -> Vec<Taint> {
        let mut taints: Vec<Taint> = Vec::with_capacity(until);
        for statement in &program.statements[..until] {
            let inherited = inherited(statement, &taints);
            let Some(callable) = statement.callable() else {
                taints.push(Taint::None);
                continue;
            };
            let handed_on = match inherited {
                Taint::Looks if self.has(callable.0, Trait::Reveals) => Taint::Value,
                other => other,
            };
            let worst = |of: fn(Aspect) -> Trait| {
                let aspects = [Aspect::Value].into_iter().chain(LOOKS);
                let marked = aspects.filter(|aspect| self.has(callable.0, of(*aspect)));
                marked.map(Taint::of).max().unwrap_or(Taint::None).max(handed_on)
            };
            let (result, into_arguments) = (worst(Trait::Result), worst(Trait::Arguments));
            for arg in statement.args().iter().filter(|arg| arg.mode == Mode::Exclusive) {
                let taint = &mut taints[usize::from(arg.slot.0)];
                *taint = (*taint).max(into_arguments);
            }
            taints.push(result);
        }
        taints
    }
}

/// How much of what a call is given is not the same every time.
fn inherited(statement: &Statement, taints: &[Taint]) -> Taint {
    let given = statement.args().iter().filter_map(|arg| taints.get(usize::from(arg.slot.0)));
    given.copied().max().unwrap_or(Taint::None)
}

/// Whether a call is given a value that is not the same every time.
fn takes_tainted(statement: &Statement, taints: &[Taint]) -> bool {
    statement.args().iter().any(|arg| taints.get(usize::from(arg.slot.0)) == Some(&Taint::Value))
}

/// Examples are for people.
const LONGEST: usize = 120;

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use testsmith_exec::Ends;
    use testsmith_ir::{Arg, CallableId, Literal, Slot, TypeId};
    use testsmith_rt::harness::wire::{Observation, What};

    use super::*;

    fn call(callable: u32, args: &[Arg]) -> Statement {
        Statement::Call { callable: CallableId(callable), args: args.to_vec() }
    }

    fn shift(at: At, slot: u16, aspect: Aspect) -> Shift {
        let what = |text: &str| match aspect {
            Aspect::Value => What::Value(text.as_bytes().to_vec()),
            _ => What::Debug(text.to_owned()),
        };
        Shift { index: 0, first: Observation { at, slot, what: what("a") }, second: what("b") }
    }

    fn found(observations: Vec<Shift>) -> Found {
        Found { end: None, observations }
    }

    /// `now()`, `double(it)`, `vec()`, `push(&mut vec, it)`, `len(&vec)`.
    fn program() -> Program {
        let [zero, two] = [0, 2].map(Slot);
        Program::from_iter([
            call(10, &[]),
            call(11, &[Arg::copied(zero)]),
            call(12, &[]),
            call(13, &[Arg::exclusive(two), Arg::copied(zero)]),
            call(14, &[Arg::shared(two)]),
        ])
    }

    fn marked(nondeterminism: &Nondeterminism) -> Vec<(u32, Trait)> {
        nondeterminism.iter().map(|(callable, what, _)| (callable, what)).collect()
    }

    #[test]
    fn only_the_first_that_differs_is_to_blame() {
        let mut nondeterminism = Nondeterminism::default();
        let all = [0, 1, 4].map(|slot| shift(At::Statement(slot), slot, Aspect::Value));
        let at_the_end = [0, 1, 2].map(|slot| shift(At::End, slot, Aspect::Value));
        assert!(nondeterminism.learn(&program(), &found(all.into_iter().chain(at_the_end).collect())));
        assert_eq!(marked(&nondeterminism), [(10, Trait::Result(Aspect::Value))]);
        let unseen = nondeterminism.unseen(&program());
        for slot in 0..5 {
            assert!(unseen.contains(&(slot, Aspect::Value)), "{slot} {unseen:?}");
        }
        assert!(!nondeterminism.learn(&program(), &found(vec![shift(At::End, 1, Aspect::Value)])));
        let other = Program::from_iter([call(12, &[]), call(14, &[Arg::shared(Slot(0))])]);
        assert_eq!(nondeterminism.unseen(&other), []);
    }

    #[test]
    fn what_a_value_looks_like_says_nothing_of_what_is_inside() {
        let program = Program::from_iter([call(1, &[]), call(2, &[Arg::shared(Slot(0))])]);
        let mut nondeterminism = Nondeterminism::default();
        nondeterminism.learn(&program, &found(vec![shift(At::Statement(0), 0, Aspect::Debug)]));
        let unseen = nondeterminism.unseen(&program);
        assert!(unseen.contains(&(1, Aspect::Debug)) && !unseen.contains(&(1, Aspect::Value)), "{unseen:?}");
        nondeterminism.learn(&program, &found(vec![shift(At::Statement(1), 1, Aspect::Value)]));
        assert_eq!(marked(&nondeterminism), [(1, Trait::Result(Aspect::Debug)), (2, Trait::Reveals)]);
    }

    /// A number of a generator that was made with a seed is the same every time, whatever other generators give.
    #[test]
    fn whoever_shows_what_is_inside_is_to_blame_only_for_what_does_not_look_the_same() {
        let number = |maker| Program::from_iter([call(maker, &[]), call(3, &[Arg::exclusive(Slot(0))])]);
        let (random, seeded) = (number(1), number(2));
        let mut nondeterminism = Nondeterminism::default();
        let shifts = [shift(At::Statement(0), 0, Aspect::Debug), shift(At::Statement(1), 1, Aspect::Value)];
        nondeterminism.learn(&random, &found(shifts.to_vec()));
        assert_eq!(marked(&nondeterminism), [(1, Trait::Result(Aspect::Debug)), (3, Trait::Reveals)]);
        assert!(nondeterminism.unseen(&random).contains(&(1, Aspect::Value)));
        assert_eq!(nondeterminism.unseen(&seeded), []);
    }

    #[test]
    fn whoever_changed_an_argument_is_to_blame_for_it() {
        let literal = Statement::Literal { ty: TypeId(0), value: Literal::Bytes(vec![0]) };
        let fill = call(5, &[Arg::exclusive(Slot(0))]);
        let program = Program::from_iter([literal, fill]);
        let mut nondeterminism = Nondeterminism::default();
        nondeterminism.learn(&program, &found(vec![shift(At::End, 0, Aspect::Value)]));
        assert_eq!(marked(&nondeterminism), [(5, Trait::Arguments(Aspect::Value))]);
        assert!(nondeterminism.unseen(&program).contains(&(0, Aspect::Value)));
    }

    /// An iterator that prints what it has given away already can be asked for its length all the same.
    #[test]
    fn what_an_argument_looks_like_afterwards_says_nothing_of_what_is_inside() {
        let next = call(5, &[Arg::exclusive(Slot(0))]);
        let len = call(6, &[Arg::shared(Slot(0))]);
        let program = Program::from_iter([call(4, &[]), next, len]);
        let mut nondeterminism = Nondeterminism::default();
        nondeterminism.learn(&program, &found(vec![shift(At::End, 0, Aspect::Debug)]));
        assert_eq!(marked(&nondeterminism), [(5, Trait::Arguments(Aspect::Debug))]);
        let unseen = nondeterminism.unseen(&program);
        assert!(unseen.contains(&(0, Aspect::Debug)) && !unseen.contains(&(2, Aspect::Value)), "{unseen:?}");
        assert!(!nondeterminism.may_end_otherwise(&program));
    }

    #[test]
    fn programs_that_end_otherwise_are_known_by_their_callable() {
        let ends = |outcomes| Ends { statement: 1, outcomes };
        let mut nondeterminism = Nondeterminism::default();
        let busy = ends([Outcome::Ok, Outcome::Hang]);
        nondeterminism.learn(&program(), &Found { end: Some(busy), observations: Vec::new() });
        assert!(!nondeterminism.may_end_otherwise(&program()));
        let odd = ends([Outcome::Ok, Outcome::Exit(1)]);
        nondeterminism.learn(&program(), &Found { end: Some(odd), observations: Vec::new() });
        assert!(nondeterminism.may_end_otherwise(&program()));
        assert_eq!(marked(&nondeterminism), [(11, Trait::End)]);
    }

    #[test]
    fn a_call_is_not_to_blame_for_ending_otherwise_if_its_argument_is() {
        let mut nondeterminism = Nondeterminism::default();
        nondeterminism.learn(&program(), &found(vec![shift(At::Statement(0), 0, Aspect::Value)]));
        let odd = Ends { statement: 1, outcomes: [Outcome::Ok, Outcome::Exit(1)] };
        assert!(!nondeterminism.learn(&program(), &Found { end: Some(odd), observations: Vec::new() }));
        assert!(nondeterminism.may_end_otherwise(&program()));
        assert!(!nondeterminism.may_end_otherwise(&Program::from_iter([call(10, &[])])));
    }

    #[test]
    fn what_the_source_says_holds_without_an_example() {
        let mut nondeterminism = Nondeterminism::default();
        nondeterminism.declare(10, "reads a clock");
        assert!(nondeterminism.unseen(&program()).contains(&(1, Aspect::Value)));
    }
}
