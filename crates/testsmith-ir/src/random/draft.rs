//! A random program while it is written.

use super::constant_pool::ConstantPool;
use super::constants::Parameter;
use super::rng::Rng;
use super::roulette_wheel::RouletteWheel;
use super::sources::{Kind, Maker, Sources};
use crate::api::{Accepts, CallableId};
use crate::borrow::State;
use crate::program::{Arg, Mode, Program, Slot, Statement};

/// A call that needs more statements than a program should have is made alone, if it is not so many times as many.
const DEAREST: usize = 4;

/// Lists have fewer elements.
const MAX_LIST: usize = 4;

/// An inspector looks at so many slots.
const INSPECTED: usize = 2;

/// How often something that fits is looked for before the cheapest is taken.
const TRIES: usize = 4;

/// One in so many arguments beside a receiver is looked for inside of it: an element that is there, a reference into it.
const PARTS: usize = 8;

/// Of a hundred arguments that could be either, so many are literals and not results of calls.
const LITERALS: u8 = 75;

/// Of a hundred arguments that a helper could make, so many are made by one. The others see what helpers do not make.
const HELPERS: u8 = 90;

pub(super) struct Draft<'g, 'a> {
    pub(super) sources: &'g Sources,
    pub(super) pool: &'g ConstantPool,
    pub(super) reuse: u8,
    pub(super) rng: &'g mut Rng,
    pub(super) state: &'g mut State<'a>,
    pub(super) program: Program,
    /// Arguments of calls that are not made yet: to be left alone.
    pub(super) promised: Vec<Slot>,
    /// One of those that may be used like this all the same.
    pub(super) lent: Option<Arg>,
    /// What the argument at hand is for.
    pub(super) parameter: Option<Parameter>,
}

impl Draft<'_, '_> {
    /// Adds calls of the roots while there is room for one.
    pub(super) fn fill(&mut self, roots: &RouletteWheel, max_statements: usize) {
        let mut failures = 0;
        while self.program.size() < max_statements && failures < TRIES {
            let budget = max_statements - self.program.size();
            if self.rng.once_in(4)
                && let Some(guard) = self.rng.one_of(self.state.guards())
            {
                self.push(Statement::Drop(guard));
                continue;
            }
            let is_empty = self.program.size() == 0;
            let affordable = |id: CallableId| {
                let cost = self.sources.cost(id)?;
                // What takes settings with many fields would be called by no program at all.
                let dear =
                    (is_empty && cost <= max_statements * DEAREST).then_some(cost + max_statements / 2);
                Some((id, Some(budget).filter(|budget| cost <= *budget).or(dear)?))
            };
            let Some((root, budget)) = (0..TRIES).find_map(|_| affordable(roots.select(self.rng)?)) else {
                return;
            };
            self.promised.clear();
            failures += usize::from(self.call(root, budget).is_none());
        }
    }

    /// Looks at what is there with each of the inspectors, a few times at most.
    pub(super) fn inspect(&mut self, inspectors: &[CallableId]) {
        let sources = self.sources;
        self.promised.clear();
        for inspector in inspectors.iter().filter(|inspector| !sources.is_shunned(**inspector)) {
            let Some(kind) = sources.params(*inspector).next() else { continue };
            let slots = (0..self.program.size()).map(Slot::at);
            let args: Vec<Arg> =
                slots.filter_map(|slot| self.given(kind, slot, &[])).take(INSPECTED).collect();
            for arg in args {
                self.push(Statement::Call { callable: *inspector, args: vec![arg] });
            }
        }
    }

    /// Ends what would live too long, after what borrows from that.
    pub(super) fn finish(mut self) -> Program {
        while self.state.finish().is_err() {
            let guards: Vec<Slot> = self.state.guards().collect();
            if guards.into_iter().rev().find_map(|guard| self.push(Statement::Drop(guard))).is_none() {
                break;
            }
        }
        // What borrows from itself cannot be dropped.
        while self.state.finish().is_err() {
            self.shorten();
        }
        self.program
    }

    /// Takes the last statement back.
    fn shorten(&mut self) {
        self.program.statements.pop();
        self.state.clear();
        for statement in &self.program.statements {
            self.state.push(statement).expect("it could follow the same statements before");
        }
    }

    /// A call with at most so many statements, arguments included; the callable's cost at least.
    pub(super) fn call(&mut self, callable: CallableId, budget: usize) -> Option<Slot> {
        self.call_with(callable, None, budget)
    }

    /// As `call`, with slots that are wanted as arguments, one entry for each argument. One that is missing or does not
    /// fit is replaced by another slot, or made.
    pub(super) fn call_with(
        &mut self,
        callable: CallableId,
        wanted: Option<&[Option<Slot>]>,
        budget: usize,
    ) -> Option<Slot> {
        let outer = self.parameter;
        let slot = self.call_for(callable, wanted, budget);
        self.parameter = outer;
        slot
    }

    fn call_for(
        &mut self,
        callable: CallableId,
        wanted: Option<&[Option<Slot>]>,
        budget: usize,
    ) -> Option<Slot> {
        let already_promised = self.promised.len();
        let (sources, api) = (self.sources, self.state.api());
        let mut spare = budget.checked_sub(sources.cost(callable)?)?;
        let mut args: Vec<Arg> = Vec::new();
        for (param, kind) in sources.params(callable).enumerate() {
            self.parameter = Some(Parameter { callable, at: param });
            let is_list = matches!(kind.accepts, Accepts::List(_));
            let count = match wanted {
                _ if !is_list => 1,
                Some(wanted) => wanted.len().saturating_sub(args.len()),
                None => self.rng.below(MAX_LIST),
            };
            for _ in 0..count {
                let before = self.program.size();
                let slot = wanted.and_then(|wanted| *wanted.get(args.len())?);
                let arg = slot.and_then(|slot| self.given(kind, slot, &args));
                let arg = arg.filter(|arg| !self.state.is_too_short(&api[callable], param, *arg));
                let arg = arg.or_else(|| {
                    let literal = api[callable].keeps(param).then(|| self.literal(kind)).flatten();
                    literal.or_else(|| self.argument(kind, kind.cost + spare, &args))
                });
                spare = (spare + kind.cost).saturating_sub(self.program.size() - before);
                match arg {
                    Some(arg) => {
                        args.push(arg);
                        self.promised.push(arg.slot);
                    }
                    None if is_list => break,
                    None => {
                        self.promised.truncate(already_promised);
                        return None;
                    }
                }
            }
        }
        self.promised.truncate(already_promised);
        self.push(Statement::Call { callable, args })
    }

    fn argument(&mut self, kind: &Kind, budget: usize, beside: &[Arg]) -> Option<Arg> {
        // Where it is to be changed or given away, nothing may refer to it.
        if let Some(receiver) = beside.first().filter(|arg| arg.mode == Mode::Shared)
            && self.rng.once_in(PARTS)
            && let Some(arg) = self.part_of(receiver.slot, kind, budget)
        {
            return Some(arg);
        }
        if self.rng.percent(self.reuse)
            && let Some(arg) = self.existing(kind, beside)
        {
            return Some(arg);
        }
        self.make(kind, budget).or_else(|| self.existing(kind, beside))
    }

    /// Something that a call gives which only looks at a slot.
    fn part_of(&mut self, slot: Slot, kind: &Kind, budget: usize) -> Option<Arg> {
        let sources = self.sources;
        // A call waits for the slot, and it may be looked at before.
        let lent = self.lent.replace(Arg { slot, mode: Mode::Shared });
        let part = |draft: &mut Self| {
            let maker = draft.rng.one(&kind.producers)?;
            let is_fit = maker.cost <= budget && !sources.is_shunned(maker.id);
            let looks =
                |kind: &Kind| draft.given(kind, slot, &[]).is_some_and(|arg| arg.mode == Mode::Shared);
            let wanted: Vec<Option<Slot>> =
                sources.params(maker.id).map(|kind| looks(kind).then_some(slot)).collect();
            let made = (is_fit && wanted.iter().any(Option::is_some))
                .then(|| draft.call_with(maker.id, Some(&wanted), budget))?;
            made.map(|slot| Arg { slot, mode: maker.mode })
        };
        let arg = (0..TRIES).find_map(|_| part(self));
        self.lent = lent;
        arg
    }

    /// A slot that nobody else waits for.
    fn existing(&mut self, kind: &Kind, beside: &[Arg]) -> Option<Arg> {
        let Draft { state, promised, lent, rng, .. } = self;
        rng.one_of(free(state, promised, *lent, kind, beside))
    }

    /// This slot, if it fits and nobody else waits for it.
    fn given(&self, kind: &Kind, slot: Slot, beside: &[Arg]) -> Option<Arg> {
        free(self.state, &self.promised, self.lent, kind, beside).find(|arg| arg.slot == slot)
    }

    fn make(&mut self, kind: &Kind, budget: usize) -> Option<Arg> {
        if budget == 0 {
            return None;
        }
        if !kind.kept.is_empty()
            && self.rng.once_in(2)
            && let Some((way, mode)) = self.rng.one(&kind.kept)
            && let Some(slot) = way.follow(self)
        {
            return Some(Arg { slot, mode: *mode });
        }
        let wants_literal = kind.producers.is_empty() || self.rng.percent(LITERALS);
        if wants_literal && let Some(arg) = self.literal(kind) {
            return Some(arg);
        }
        let budget = kind.cost.max(1) + self.rng.below(budget - kind.cost.max(1) + 1);
        let sources = self.sources;
        let is_fit = |maker: &&Maker<CallableId>| maker.cost <= budget && !sources.is_shunned(maker.id);
        let is_helped = !kind.helpers.is_empty() && self.rng.percent(HELPERS);
        let makers = if is_helped { &kind.helpers } else { &kind.producers };
        let some = (0..TRIES).find_map(|_| self.rng.one(makers).filter(is_fit));
        match some.or_else(|| kind.producers.iter().find(is_fit)) {
            Some(maker) => {
                let slot = self.call(maker.id, budget)?;
                Some(Arg { slot, mode: maker.mode })
            }
            None => self.literal(kind),
        }
    }

    fn literal(&mut self, kind: &Kind) -> Option<Arg> {
        let maker = self.rng.one(&kind.literals)?;
        let value = self.pool.literal_for(self.parameter, maker.literal?, self.rng);
        let slot = self.push(Statement::Literal { ty: maker.id, value })?;
        Some(Arg { slot, mode: maker.mode })
    }

    /// Adds a statement if the borrow rules allow it.
    pub(super) fn push(&mut self, statement: Statement) -> Option<Slot> {
        self.state.push(&statement).ok()?;
        Some(self.program.push(statement))
    }
}

/// Slots that fit and that nobody else waits for.
fn free<'s>(
    state: &'s State<'_>,
    promised: &'s [Slot],
    lent: Option<Arg>,
    kind: &Kind,
    beside: &'s [Arg],
) -> impl Iterator<Item = Arg> + use<'s> {
    let is_left_alone = move |arg: &Arg| {
        let is_open = arg.mode == Mode::Copy || beside.contains(arg) || lent == Some(*arg);
        let is_promised = !is_open && promised.contains(&arg.slot);
        !is_promised && !state.expires(*arg).any(|slot| promised.contains(&slot))
    };
    state.usable_beside(kind.accepts, beside).filter(is_left_alone)
}
