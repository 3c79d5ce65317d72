//! Calls that stand where their result is used: `Slab::from_iter(vec![(0, 'a')])` needs no variable for the vector.
//!
//! A call moves into the only statement that uses it, if nothing happens in between, nothing else in that statement minds
//! that it is evaluated there, and its value may be a temporary. A constant, `None` or `Op::Less`, says as much as a variable
//! would: it stands wherever its value goes.

use super::template::{Piece, Position, is_formatting, pieces};
use super::uses::has_visible_destructor;
use super::{Line, Options};
use crate::api::{Accepts, Api, Callable, Type};
use crate::program::{Arg, Mode, Program, Slot, Statement};

/// Longer expressions are hard to read.
const LONGEST: usize = 80;

/// For each slot the statement that it moves into.
#[derive(Clone, Debug)]
pub(super) struct Inlining {
    targets: Vec<Option<Slot>>,
    /// Slots that are constants.
    constants: Vec<bool>,
}

impl Inlining {
    pub(super) fn new(api: &Api, program: &Program, options: &Options) -> Inlining {
        let is_constant =
            |statement: &Statement| statement.callable().is_some_and(|id| is_constant(&api[id]));
        let mut inlining = Inlining {
            targets: vec![None; program.size()],
            constants: program.statements.iter().map(is_constant).collect(),
        };
        if options.inline {
            for slot in (0..program.size()).rev().map(Slot::at) {
                inlining.targets[slot.index()] = inlining.target(api, program, options, slot);
            }
        }
        inlining
    }

    /// Whether a slot has no line of its own.
    pub(super) fn has(&self, slot: Slot) -> bool {
        self.targets[slot.index()].is_some()
    }

    /// Gives a variable back to slots that turned out to need it; whether there are any.
    pub(super) fn give_back(&mut self, slots: &[Slot]) -> bool {
        slots.iter().for_each(|slot| self.targets[slot.index()] = None);
        !slots.is_empty()
    }

    /// Slots that make this line too long.
    pub(super) fn too_long(&self, line: &Line) -> Vec<Slot> {
        let inside = (0..self.targets.len()).map(Slot::at);
        match line.expression.len() > LONGEST {
            true => inside
                .filter(|slot| self.targets[slot.index()] == Some(line.slot) && !self.constants[slot.index()])
                .collect(),
            false => Vec::new(),
        }
    }

    fn target(&self, api: &Api, program: &Program, options: &Options, slot: Slot) -> Option<Slot> {
        let id = program[slot].callable()?;
        let output = &api[api[id].output];
        if options.bound.contains(&slot) {
            return None;
        }
        if self.constants[slot.index()] {
            return constant_target(api, program, slot);
        }
        let (user, at, arg) = only_use(program, slot)?;
        let Statement::Call { callable, args: others } = &program[user] else { return None };
        let callable = &api[*callable];
        // Slots are looked at from the last on: what is there already is evaluated later.
        let is_first = others[..at].iter().all(|earlier| !self.has(earlier.slot));
        let between = program.statements[slot.index() + 1..user.index()].iter().zip(slot.index() + 1..);
        let is_next = between.into_iter().all(|(statement, index)| {
            matches!(statement, Statement::Literal { .. }) || self.leads_to(Slot::at(index), user)
        });
        let param = callable.param_of(at);
        let fit = api.fit(callable.params[param].accepts, api[id].output);
        // It would be written as `&*…`, which nobody likes.
        let is_reborrowed = fit.is_none_or(|fit| fit.through && fit.mode == Mode::Shared);
        let lives = match arg.mode {
            Mode::Move | Mode::Copy => true,
            Mode::Shared | Mode::Exclusive => {
                let is_dropped_early = has_visible_destructor(output);
                let is_end = options.bound.is_empty() && is_last_call(program, user);
                !is_lent_for_longer(callable, param) && (!is_dropped_early || is_end)
            }
        };
        let is_wanted =
            is_first && is_next && lives && !is_reborrowed && is_readable(&api[id], callable, param);
        (is_wanted && !self.disturbs_around(api, program, slot, user)).then_some(user)
    }

    /// Whether a slot moves into a statement, perhaps through others.
    fn leads_to(&self, slot: Slot, user: Slot) -> bool {
        self.targets[slot.index()].is_some_and(|target| target == user || self.leads_to(target, user))
    }

    /// Whether a call has to do with what stands beside it in the whole line.
    fn disturbs_around(&self, api: &Api, program: &Program, slot: Slot, user: Slot) -> bool {
        let further = self.targets[user.index()];
        self.disturbs(api, program, slot, program[user].args())
            || further.is_some_and(|further| self.disturbs_around(api, program, slot, further))
    }

    /// Whether a call has to do with one of these arguments: it uses the same slot, or something that may borrow from one
    /// that is taken or changed.
    fn disturbs(&self, api: &Api, program: &Program, slot: Slot, beside: &[Arg]) -> bool {
        let alone = |mode| matches!(mode, Mode::Move | Mode::Exclusive);
        // What can be copied borrows nothing exclusively.
        let may_lend_to = |holder: Slot, lender: Mode| {
            let ty = type_of(api, program, holder).filter(|ty| ty.borrows);
            ty.is_some_and(|ty| alone(lender) || lender == Mode::Shared && !ty.facts.copy)
        };
        let others = || beside.iter().filter(|other| other.slot != slot && !self.has(other.slot));
        program[slot].args().iter().any(|arg| {
            others().any(|other| match other.slot == arg.slot {
                true => alone(other.mode) || alone(arg.mode),
                false => may_lend_to(arg.slot, other.mode),
            })
        })
    }
}

fn type_of<'a>(api: &'a Api, program: &Program, slot: Slot) -> Option<&'a Type> {
    match &program[slot] {
        Statement::Literal { ty, .. } => Some(&api[*ty]),
        Statement::Call { callable, .. } => Some(&api[api[*callable].output]),
        Statement::Drop(_) => None,
    }
}

/// The use of a slot, if there is just one.
fn only_use(program: &Program, slot: Slot) -> Option<(Slot, usize, Arg)> {
    match uses(program, slot).as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// The uses of a slot: each time the statement, and the argument that it is. None if it is dropped: that needs a name.
fn uses(program: &Program, slot: Slot) -> Vec<(Slot, usize, Arg)> {
    if program.statements.contains(&Statement::Drop(slot)) {
        return Vec::new();
    }
    let of_statement = |(user, statement): (Slot, &'_ Statement)| {
        let args = statement.args().iter().enumerate().filter(|(_, arg)| arg.slot == slot);
        args.map(|(at, arg)| (user, at, *arg)).collect::<Vec<_>>()
    };
    program.iter().flat_map(of_statement).collect()
}

/// Whether a call is none, but the name of something: evaluating it any number of times anywhere is the same.
fn is_constant(callable: &Callable) -> bool {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    callable.params.is_empty() && callable.shown.chars().all(is_path)
}

/// The first of the statements that a constant goes into, if it does nothing but go into others by value.
fn constant_target(api: &Api, program: &Program, slot: Slot) -> Option<Slot> {
    let uses = uses(program, slot);
    let is_value = |(user, at, arg): &(Slot, usize, Arg)| {
        let callable = program[*user].callable().map(|id| &api[id]);
        let is_moved = matches!(arg.mode, Mode::Move | Mode::Copy);
        is_moved && callable.is_some_and(|callable| stands_alone(callable, callable.param_of(*at)))
    };
    uses.first().filter(|_| uses.iter().all(is_value)).map(|(user, ..)| *user)
}

/// Whether what is given for a parameter stands between commas, or alone.
fn stands_alone(callable: &Callable, param: usize) -> bool {
    positions(callable, param).all(|position| position == Position::Argument)
}

/// Whether something borrows what a parameter was given beyond the call.
fn is_lent_for_longer(callable: &Callable, param: usize) -> bool {
    callable.flows.iter().any(|flow| flow.from == param && flow.of_argument)
}

fn is_last_call(program: &Program, slot: Slot) -> bool {
    let mut later = program.statements[slot.index() + 1..].iter();
    later.all(|statement| matches!(statement, Statement::Literal { .. }))
}

/// Whether a call can stand where a parameter of another does: that is there once, and not the target of an assignment. What
/// methods are called on has a name, unless it comes out of a method itself.
fn is_readable(inner: &Callable, callable: &Callable, param: usize) -> bool {
    if callable.list() == Some(param) {
        return true;
    }
    let positions: Vec<Position<'_>> = positions(callable, param).collect();
    let is_unsized = !matches!(
        callable.params[param].accepts,
        Accepts::Value(_) | Accepts::Shared(_) | Accepts::Exclusive(_)
    );
    match positions.as_slice() {
        [Position::Receiver] => {
            let opens = [".unwrap()", ".unwrap_err()"].iter().any(|end| callable.shown.ends_with(end));
            inner.shown.starts_with("$0.") || opens
        }
        [Position::Argument] => !is_unsized && !is_formatting(&callable.shown),
        [Position::Right(operator)] => {
            let is_arithmetic = matches!(operator.trim(), "+" | "-" | "*" | "/" | "%");
            is_arithmetic && matches!(callable.params[param].accepts, Accepts::Value(_))
        }
        _ => false,
    }
}

fn positions(callable: &Callable, param: usize) -> impl Iterator<Item = Position<'_>> {
    pieces(&callable.shown).into_iter().filter_map(move |piece| match piece {
        Piece::Arg { param: other, position } if other == param => Some(position),
        Piece::Arg { .. } | Piece::Text(_) | Piece::List => None,
    })
}

/// Whether a call's text can stand where its result is used: what is no postfix expression can only be moved, and only
/// between commas.
pub(super) fn can_stand(api: &Api, program: &Program, slot: Slot, text: &str) -> bool {
    let is_fit = |(user, at, arg): &(Slot, usize, Arg)| {
        let Some(callable) = program[*user].callable().map(|id| &api[id]) else { return false };
        let is_moved = matches!(arg.mode, Mode::Move | Mode::Copy);
        let is_argument = stands_alone(callable, callable.param_of(*at));
        is_postfix(text) || is_moved && is_argument && !text.starts_with('|')
    };
    !text.contains('\n') && uses(program, slot).iter().all(is_fit)
}

/// Whether a constant goes into nothing but structs and variants that say which type their fields have.
pub(super) fn is_told(api: &Api, program: &Program, slot: Slot) -> bool {
    let is_field = |(user, ..): &(Slot, usize, Arg)| {
        let callable = program[*user].callable().map(|id| &api[id]);
        callable.is_some_and(|it| it.shown.ends_with(" }") && !api[it.output].text.contains('<'))
    };
    program[slot].callable().is_some_and(|id| is_constant(&api[id]))
        && uses(program, slot).iter().all(is_field)
}

/// Whether a dot behind it, or a sign before it, would belong to all of it.
fn is_postfix(text: &str) -> bool {
    let mut depth = 0;
    let mut quote = None;
    let mut is_escaped = false;
    !text.starts_with(['&', '*', '-', '!', '|', '{'])
        && text.char_indices().all(|(at, c)| {
            if let Some(end) = quote {
                let ends = c == end && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                quote = quote.filter(|_| !ends);
                return true;
            }
            match c {
                '"' => quote = Some('"'),
                '\'' if text[at + 1..].chars().nth(1) == Some('\'') || text[at + 1..].starts_with('\\') => {
                    quote = Some('\'');
                }
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ' ' => return depth > 0,
                '.' => return depth > 0 || !text[at..].starts_with(".."),
                _ => {}
            }
            true
        })
}

/// What is put into a `Some` and taken out again was never there.
pub(super) fn without_detour(expression: String) -> String {
    let inner = expression.strip_suffix(".unwrap()").and_then(|text| text.strip_prefix("Some("));
    let Some(inner) = inner.and_then(|text| text.strip_suffix(')')) else { return expression };
    let mut depth = 0;
    let is_one = inner.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    });
    if is_one { inner.to_owned() } else { expression }
}
