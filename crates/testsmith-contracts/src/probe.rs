//! Adds questions to a program: [`probe`]. Before and after each call all queries of what takes part in it are asked, so
//! that the answers of one execution are rows of contracts.

use std::collections::HashMap;

use testsmith_ir::{Accepts, Api, Arg, CallableId, Literal, Mode, Program, Slot, State, Statement, TypeId};

use crate::query::Queries;
use crate::table::When;

/// Who takes part in a call: a parameter by its number, or the result.
pub(crate) type Operand = u8;

/// The operand that is the result.
pub(crate) const RESULT: Operand = u8::MAX;

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Subject {
    /// The value of an operand.
    Value(Operand),
    /// How many elements a list of arguments has.
    Count(Operand),
    /// What a clone of an operand shows.
    State(Operand),
    /// Whether an operand equals the clone from before the call.
    Same(Operand),
    /// The answer of a query.
    Query(CallableId, Operand),
    /// The answer of a query about what an accessor of an operand gives.
    Reached(CallableId, CallableId, Operand),
    /// The answer of a query with an argument.
    Asked(CallableId, Operand, Operand),
}

/// Where an answer stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It is known without running anything.
    Literal(Literal),
    /// A number of elements.
    Number(usize),
    /// The result of a statement.
    Statement(Slot),
}

/// One question with the place of its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) subject: Subject,
    pub(crate) when: When,
    pub(crate) answer: Answer,
}

/// A call with all that is asked around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// What is called.
    pub callable: CallableId,
    /// The call in the program that was given.
    pub original: Slot,
    /// The call in the program with questions.
    pub(crate) statement: Slot,
    /// The last statement with an answer.
    pub(crate) last: Slot,
    pub(crate) looks: Vec<Look>,
    /// The types of operands that were asked.
    pub(crate) types: Vec<(Operand, TypeId)>,
    /// The slots of the operands, in the program that was given.
    pub(crate) operands: Vec<(Operand, Slot)>,
}

/// A program with questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// What is to be run.
    pub program: Program,
    /// The calls that it has rows of.
    pub probes: Vec<Probe>,
}

/// Adds questions around calls. The program obeys the borrow rules, and so does the result.
pub fn probe(
    api: &Api,
    queries: &Queries,
    program: &Program,
    is_subject: impl Fn(CallableId) -> bool,
) -> Probed {
    let mut prober = Prober {
        api,
        queries,
        state: State::new(api),
        program: Program::default(),
        moved: Vec::with_capacity(program.size()),
        known: HashMap::new(),
        is_changed: Vec::new(),
        copies: Vec::new(),
        last_uses: Vec::new(),
        now: 0,
        probes: Vec::new(),
    };
    let last_uses = last_uses(program);
    for (original, statement) in program.iter() {
        prober.now = original.index();
        let mut statement = statement.clone();
        statement.rename(|old| prober.moved[old.index()]);
        let place = match &statement {
            Statement::Call { callable, args } if is_subject(*callable) && prober.knows(args) => {
                prober.around(*callable, &args.clone(), original, &statement)
            }
            _ => prober.push(statement),
        };
        prober.moved.push(place);
        prober.last_uses[place.index()] = last_uses[original.index()];
    }
    Probed { program: prober.program, probes: prober.probes }
}

/// The last statement that names each slot; its own where none does.
fn last_uses(program: &Program) -> Vec<usize> {
    let mut uses: Vec<usize> = (0..program.size()).collect();
    for (this, statement) in program.iter() {
        statement.slots().for_each(|slot| uses[slot.index()] = this.index());
    }
    uses
}

struct Prober<'a> {
    api: &'a Api,
    queries: &'a Queries,
    state: State<'a>,
    program: Program,
    /// The new slot of each old one.
    moved: Vec<Slot>,
    /// Answers that still hold: what was asked, of which slots.
    known: HashMap<(CallableId, Slot, Option<Slot>), Slot>,
    /// Slots that are not what their statement has defined any more.
    is_changed: Vec<bool>,
    /// Clones of operands from before the call at hand.
    copies: Vec<(Operand, Slot)>,
    /// The old statement that last uses each new slot; 0 for answers.
    last_uses: Vec<usize>,
    /// The old statement at hand.
    now: usize,
    probes: Vec<Probe>,
}

impl Prober<'_> {
    fn push(&mut self, statement: Statement) -> Slot {
        self.state.push(&statement).expect("questions disturb nobody");
        for slot in statement.slots() {
            self.known.retain(|(_, asked, argument), _| *asked != slot && *argument != Some(slot));
        }
        for arg in statement.args().iter().filter(|arg| arg.mode == Mode::Exclusive) {
            self.is_changed[arg.slot.index()] = true;
        }
        self.is_changed.push(false);
        // Until the whole statement is done, it may be needed.
        self.last_uses.push(usize::MAX);
        self.program.push(statement)
    }

    /// A call with questions before and after it.
    fn around(&mut self, callable: CallableId, args: &[Arg], original: Slot, statement: &Statement) -> Slot {
        let shape = &self.api[callable];
        let single = args.iter().enumerate().filter(|(at, _)| shape.list() != Some(shape.param_of(*at)));
        let mut operands: Vec<(Operand, Slot)> =
            single.filter_map(|(at, arg)| Some((Operand::try_from(at).ok()?, arg.slot))).collect();
        let mut looks = self.values(&operands);
        if let Some(list) = shape.list() {
            let count = Answer::Number(args.len() - list);
            let subject = Subject::Count(Operand::try_from(list).unwrap_or(RESULT - 1));
            looks.push(Look { subject, when: When::Always, answer: count });
        }
        let mut types = Vec::new();
        self.copies.clear();
        self.ask(&operands, When::Before, callable, &mut looks, &mut types);
        let call = self.push(statement.clone());
        looks.push(Look {
            subject: Subject::Value(RESULT),
            when: When::After,
            answer: Answer::Statement(call),
        });
        operands.push((RESULT, call));
        self.ask(&operands, When::After, callable, &mut looks, &mut types);
        let last = Slot::at(self.program.size() - 1);
        let back = |slot: Slot| self.moved.iter().position(|new| *new == slot).map_or(original, Slot::at);
        let operands = operands.into_iter().map(|(operand, slot)| (operand, back(slot))).collect();
        self.probes.push(Probe { callable, original, statement: call, last, looks, types, operands });
        call
    }

    /// Whether no number among the arguments was changed through a reference: a row without it would prove nothing.
    fn knows(&self, args: &[Arg]) -> bool {
        let is_plain = |slot: Slot| self.state.alive(slot).is_some_and(|ty| self.api[ty].literal.is_some());
        !args.iter().any(|arg| self.is_changed[arg.slot.index()] && is_plain(arg.slot))
    }

    /// The values of arguments that are known.
    fn values(&self, operands: &[(Operand, Slot)]) -> Vec<Look> {
        let known = operands.iter().filter(|(_, slot)| !self.is_changed[slot.index()]);
        let look = |(operand, slot): &(Operand, Slot)| {
            let answer = match &self.program[*slot] {
                Statement::Literal { value, .. } => Answer::Literal(value.clone()),
                Statement::Call { .. } => Answer::Statement(*slot),
                Statement::Drop(_) => return None,
            };
            Some(Look { subject: Subject::Value(*operand), when: When::Always, answer })
        };
        known.filter_map(look).collect()
    }

    fn ask(
        &mut self,
        operands: &[(Operand, Slot)],
        when: When,
        callable: CallableId,
        looks: &mut Vec<Look>,
        types: &mut Vec<(Operand, TypeId)>,
    ) {
        for (operand, slot) in operands.iter().copied() {
            let Some(ty) = self.asked_type(slot) else { continue };
            if !types.contains(&(operand, ty)) {
                types.push((operand, ty));
            }
            let mut add = |subject, answer: Option<Slot>| {
                looks.extend(answer.map(|at| Look { subject, when, answer: Answer::Statement(at) }));
            };
            for query in self.queries.plain(ty) {
                // What a query says of its own answer is nothing.
                if *query != callable {
                    add(Subject::Query(*query, operand), self.query(*query, slot, None));
                }
            }
            for (accessor, query) in self.queries.reached(ty) {
                if *accessor != callable && *query != callable {
                    let reached = self.query(*accessor, slot, None);
                    let answer = reached.and_then(|reached| self.query(*query, reached, None));
                    add(Subject::Reached(*accessor, *query, operand), answer);
                }
            }
            if let Some(clone) = self.queries.clone_of(ty) {
                let copy = self.query(clone, slot, None);
                add(Subject::State(operand), copy);
                if when == When::Before {
                    self.copies.extend(copy.map(|copy| (operand, copy)));
                } else if let Some(equal) = self.queries.equality_of(ty)
                    && let Some((_, copy)) = self.copies.iter().find(|(of, _)| *of == operand).copied()
                {
                    add(Subject::Same(operand), self.query(equal, slot, Some(copy)));
                }
            }
            for query in self.queries.with_argument(ty) {
                for (other, argument) in operands.iter().copied().filter(|(other, _)| *other != operand) {
                    let is_itself = *query == callable && when == When::Before;
                    if !is_itself {
                        add(Subject::Asked(*query, operand, other), self.query(*query, slot, Some(argument)));
                    }
                }
            }
        }
    }

    /// The type that a slot holds or refers to, if it can be asked something.
    fn asked_type(&self, slot: Slot) -> Option<TypeId> {
        let ty = self.state.alive(slot)?;
        let referent = self.api[ty].referent.map(|(_, referent)| referent);
        let can_ask = |ty: &TypeId| {
            !self.queries.plain(*ty).is_empty()
                || !self.queries.with_argument(*ty).is_empty()
                || self.queries.clone_of(*ty).is_some()
        };
        [Some(ty), referent].into_iter().flatten().find(can_ask)
    }

    /// Asks, if nobody minds.
    fn query(&mut self, query: CallableId, slot: Slot, argument: Option<Slot>) -> Option<Slot> {
        if let Some(known) = self.known.get(&(query, slot, argument)) {
            return Some(*known);
        }
        let params = &self.api[query].params;
        let mut args = vec![self.arg(params[0].accepts, slot)?];
        if let Some(argument) = argument {
            args.push(self.arg(params[1].accepts, argument)?);
        }
        let is_harmless = |arg: &Arg| {
            let is_needed = |slot: Slot| self.last_uses[slot.index()] >= self.now;
            matches!(arg.mode, Mode::Copy | Mode::Shared) && !self.state.expires(*arg).any(is_needed)
        };
        let statement = Statement::Call { callable: query, args: args.clone() };
        if !args.iter().all(is_harmless) || self.state.push(&statement).is_err() {
            return None;
        }
        self.is_changed.push(false);
        self.last_uses.push(0);
        let at = self.program.push(statement);
        self.known.insert((query, slot, argument), at);
        Some(at)
    }

    fn arg(&self, accepts: Accepts, slot: Slot) -> Option<Arg> {
        let fit = self.api.fit(accepts, self.state.alive(slot)?)?;
        Some(Arg { slot, mode: fit.mode })
    }
}
