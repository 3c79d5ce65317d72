//! New programs from others: Algorithms 1 and 2 of µTEST, crossover, and the mutations of its §3 ([`Variation`]).
//!
//! Every change is a copy of the parent with something else in one place; the mutator repairs what the change has taken
//! away, by another object or by a new one.

use std::sync::Arc;

use testsmith_ir::random::{Parameter, ProgramBuilder, ProgramMutator};
use testsmith_ir::{CallableId, Program, Slot, Statement, TypeId};

use super::goal::Goal;
use super::objects::Objects;
use super::operators::Operator;
use super::population::{Individual, Population};
use crate::fitness::output;
use crate::search_state::SearchState;

/// A call is repeated at most so often.
const REPEATS: usize = 12;
/// Calls that look at what there is.
const LOOKS: usize = 3;
/// Callables that are tried as a replacement.
const TRIES: usize = 4;

/// Algorithm 1: a call that leads to a goal, with its arguments (Algorithm 2, which is the mutator's), then calls that use
/// what is there, up to a length.
pub(super) fn initial(mutator: &mut ProgramMutator<'_>, known: &SearchState<'_>, length: usize) -> Program {
    let rng = mutator.rng();
    // What no program has entered yet can be approached in no other way.
    let unknown = if rng.once_in(2) {
        rng.one_of(known.alive().filter(|goal| known.near(*goal).is_none()))
    } else {
        None
    };
    let goal = unknown.or_else(|| rng.one_of(known.alive()));
    let wanted = 1 + rng.below(length);
    let leading = goal.map(|goal| known.leading_to(goal)).unwrap_or_default();
    let callable = mutator.rng().one(&leading).copied();
    let mut builder = mutator.begin(None);
    if callable.and_then(|callable| builder.call(callable)).is_none() {
        builder.call_root();
    }
    while builder.size() < wanted && builder.call_any().is_some() {}
    builder.finish()
}

/// What changes are made with.
pub(super) struct Variation<'v, 'a> {
    pub(super) mutator: &'v mut ProgramMutator<'a>,
    pub(super) objects: &'v Objects<'a>,
    pub(super) population: &'v Population,
}

impl Variation<'_, '_> {
    /// A changed copy of a parent.
    pub(super) fn apply(
        &mut self,
        operator: Operator,
        parent: &Individual,
        goal: Goal,
        known: &SearchState<'_>,
    ) -> Program {
        let program = &parent.program;
        match operator {
            Operator::Literal => self.literals(program, 1),
            Operator::Literals => {
                let count = 2 + self.mutator.rng().below(2);
                self.literals(program, count)
            }
            Operator::Argument => self.argument(program),
            Operator::Callable => self.callable(program, known),
            Operator::Delete => self.delete(program),
            Operator::Object => self.object(program, known),
            Operator::Call => self.insert(program, |builder| builder.call_any()),
            Operator::Lead => {
                let leading = known.leading_to(goal.mutant());
                let callable = self.mutator.rng().one(&leading).copied();
                self.insert(program, |builder| builder.call(callable?))
            }
            Operator::Look => self.look(program),
            Operator::Repeat => self.repeat(program),
            Operator::Cross => self.cross(program),
            Operator::Initial | Operator::Local | Operator::Exhaustive => Program::clone(program),
        }
    }

    /// Other values for some literals; where there are none, another argument.
    fn literals(&mut self, program: &Program, count: usize) -> Program {
        let all: Vec<usize> = (0..program.size())
            .filter(|at| matches!(program.statements[*at], Statement::Literal { .. }))
            .collect();
        if all.is_empty() {
            return self.argument(program);
        }
        let chosen: Vec<usize> = (0..count).filter_map(|_| self.mutator.rng().one(&all).copied()).collect();
        let api = self.mutator.api();
        let mut builder = self.mutator.begin(Some(program));
        let mut map = Vec::with_capacity(program.size());
        for (slot, statement) in program.iter() {
            let new = match statement {
                Statement::Literal { ty, value } if chosen.contains(&slot.index()) => {
                    let parameter = Parameter::of(api, program, slot);
                    let other = builder.vary(value, parameter);
                    builder.literal(*ty, other)
                }
                _ => builder.add(statement, &map),
            };
            map.push(new);
        }
        builder.finish()
    }

    /// Another object for one argument of a call.
    fn argument(&mut self, program: &Program) -> Program {
        let Some(at) = self.call_with_arguments(program) else {
            return self.insert(program, |builder| builder.call_any());
        };
        let statement = &program.statements[at];
        let (args, callable) = (statement.args(), statement.callable());
        let gone = self.mutator.rng().below(args.len());
        self.replace(program, at, |builder, map| {
            let new = |slot: Slot| map[slot.index()];
            let keep = |(at, arg): (usize, &testsmith_ir::Arg)| if at == gone { None } else { new(arg.slot) };
            let wanted: Vec<Option<Slot>> = args.iter().enumerate().map(keep).collect();
            builder.call_with(callable?, &wanted)
        })
    }

    /// Another callable with the same result, and the same arguments as far as they fit.
    fn callable(&mut self, program: &Program, known: &SearchState<'_>) -> Program {
        let api = known.subject().api;
        let calls = (0..program.size()).filter(|at| program.statements[*at].callable().is_some());
        let Some(at) = self.mutator.rng().one_of(calls) else { return Program::clone(program) };
        let statement = &program.statements[at];
        let Some(old) = statement.callable() else { return Program::clone(program) };
        let receiver = statement.args().first().and_then(|arg| output(api, &program[arg.slot]));
        let Some(other) = self.alternative(old, receiver, known) else { return Program::clone(program) };
        let types: Vec<Option<TypeId>> =
            statement.args().iter().map(|arg| output(api, &program[arg.slot])).collect();
        self.replace(program, at, |builder, map| {
            let mut left: Vec<usize> = (0..types.len()).collect();
            let mut fitting = |accepts| {
                let place = left
                    .iter()
                    .position(|arg| types[*arg].is_some_and(|ty| api.fit(accepts, ty).is_some()))?;
                map[statement.args()[left.remove(place)].slot.index()]
            };
            let wanted: Vec<Option<Slot>> =
                api[other].params.iter().map(|param| fitting(param.accepts)).collect();
            builder.call_with(other, &wanted)
        })
    }

    /// Something else that gives the same type. What gives nothing is replaced by what takes the same object.
    fn alternative(
        &mut self,
        old: CallableId,
        receiver: Option<TypeId>,
        known: &SearchState<'_>,
    ) -> Option<CallableId> {
        let api = known.subject().api;
        let takes_receiver = |callable: &CallableId| {
            let first = api[*callable].params.first();
            receiver.is_some_and(|ty| first.is_some_and(|param| api.fit(param.accepts, ty).is_some()))
        };
        let is_nothing = api[api[old].output].facts.size == 0;
        (0..TRIES * TRIES).find_map(|_| {
            let makers = self.mutator.makers(api[old].output).to_vec();
            let other = self.mutator.rng().one(&makers).copied()?;
            (other != old && (!is_nothing || takes_receiver(&other))).then_some(other)
        })
    }

    fn delete(&mut self, program: &Program) -> Program {
        if program.size() < 2 {
            return self.insert(program, |builder| builder.call_any());
        }
        let at = self.mutator.rng().below(program.size());
        self.replace(program, at, |_, _| None)
    }

    /// Another object of a type that is used, from a sequence that has built one, or made anew.
    fn object(&mut self, program: &Program, known: &SearchState<'_>) -> Program {
        let api = known.subject().api;
        let types = program.statements.iter().filter_map(|statement| output(api, statement));
        let Some(ty) = self.mutator.rng().one_of(types.filter(|ty| api[*ty].literal.is_none())) else {
            return self.insert(program, |builder| builder.call_any());
        };
        let uses_kept = self.mutator.rng().once_in(2);
        let kept = if uses_kept { self.objects.get(ty, self.mutator.rng()).cloned() } else { None };
        self.insert(program, |builder| match kept {
            Some(kept) => {
                builder.copy(&kept, 0, kept.size(), &mut Vec::new());
                builder.call_any()
            }
            None => builder.make(ty),
        })
    }

    /// Calls at the end.
    fn look(&mut self, program: &Program) -> Program {
        let count = 1 + self.mutator.rng().below(LOOKS);
        let mut builder = self.mutator.begin(Some(program));
        builder.copy(program, 0, program.size(), &mut Vec::new());
        for _ in 0..count {
            builder.call_any();
        }
        builder.finish()
    }

    /// The same call some more times.
    fn repeat(&mut self, program: &Program) -> Program {
        let Some(at) = self.call_with_arguments(program) else {
            return self.insert(program, |builder| builder.call_any());
        };
        let times = 1 + self.mutator.rng().below(REPEATS);
        let mut builder = self.mutator.begin(Some(program));
        let mut map = Vec::new();
        builder.copy(program, 0, at + 1, &mut map);
        for _ in 0..times {
            builder.add(&program.statements[at], &map);
        }
        builder.copy(program, at + 1, program.size(), &mut map);
        builder.finish()
    }

    /// The beginning of one program and the end of another.
    fn cross(&mut self, program: &Program) -> Program {
        let other = self.population.any(self.mutator.rng()).map(|other| Arc::clone(&other.program));
        let Some(other) = other else { return self.insert(program, |builder| builder.call_any()) };
        let to = self.mutator.rng().below(program.size() + 1);
        let from = self.mutator.rng().below(other.size() + 1);
        let mut builder = self.mutator.begin(Some(program));
        builder.copy(program, 0, to, &mut Vec::new());
        builder.copy(&other, from, other.size(), &mut vec![None; from]);
        builder.finish()
    }

    /// A copy with something else for one statement.
    fn replace(
        &mut self,
        program: &Program,
        at: usize,
        other: impl FnOnce(&mut ProgramBuilder<'_, '_>, &[Option<Slot>]) -> Option<Slot>,
    ) -> Program {
        let mut builder = self.mutator.begin(Some(program));
        let mut map = Vec::with_capacity(program.size());
        builder.copy(program, 0, at, &mut map);
        let new = other(&mut builder, &map);
        map.push(new);
        builder.copy(program, at + 1, program.size(), &mut map);
        builder.finish()
    }

    /// A copy with something more somewhere.
    fn insert(
        &mut self,
        program: &Program,
        more: impl FnOnce(&mut ProgramBuilder<'_, '_>) -> Option<Slot>,
    ) -> Program {
        let at = self.mutator.rng().below(program.size() + 1);
        let mut builder = self.mutator.begin(Some(program));
        let mut map = Vec::with_capacity(program.size());
        builder.copy(program, 0, at, &mut map);
        more(&mut builder);
        builder.copy(program, at, program.size(), &mut map);
        builder.finish()
    }

    fn call_with_arguments(&mut self, program: &Program) -> Option<usize> {
        let calls = (0..program.size()).filter(|at| !program.statements[*at].args().is_empty());
        self.mutator.rng().one_of(calls)
    }
}
