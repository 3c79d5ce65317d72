//! The rules, statement by statement, as a generator of programs needs them.

use super::liveness::{self, End, Liveness};
use super::loan::Holdings;
use super::types::looks_at_borrowed;
use super::violation::{Reason, Violation};
use crate::api::{Accepts, Api, Callable, TypeId};
use crate::program::{Arg, Mode, Slot, Statement};

/// What the slots of an unfinished program are.
#[derive(Clone, Debug)]
pub struct State<'a> {
    pub(super) api: &'a Api,
    pub(super) values: Vec<Value>,
    /// Slots that are alive and hold loans.
    pub(super) borrowers: Vec<Slot>,
}

#[derive(Clone, Debug)]
pub(super) struct Value {
    /// `None` for the slot of a `Drop`.
    pub(super) ty: Option<TypeId>,
    pub(super) status: Status,
    pub(super) last_use: Option<Slot>,
    pub(super) holds: Holdings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Alive,
    Moved(Slot),
    Dropped(Slot),
    Expired(Slot),
}

impl<'a> State<'a> {
    /// No statement yet.
    pub fn new(api: &'a Api) -> State<'a> {
        State { api, values: Vec::new(), borrowers: Vec::new() }
    }

    /// What its programs are made of.
    pub(crate) fn api(&self) -> &'a Api {
        self.api
    }

    /// Forgets all statements.
    pub fn clear(&mut self) {
        self.values.clear();
        self.borrowers.clear();
    }

    /// The slot that the next statement defines.
    pub fn next(&self) -> Slot {
        Slot::at(self.values.len())
    }

    /// Whether a statement can come next.
    pub fn can(&self, statement: &Statement) -> Result<(), Violation> {
        match statement {
            Statement::Literal { ty, value } => {
                let matches = self.api[*ty].literal == Some(value.kind());
                self.ensure(matches, self.next(), Reason::LiteralType)
            }
            Statement::Drop(slot) => {
                self.available(*slot)?;
                self.undisturbed(Arg::moved(*slot))
            }
            Statement::Call { callable, args } => {
                let callable = &self.api[*callable];
                self.ensure(callable.takes(args.len()), self.next(), Reason::WrongNumber)?;
                for (index, arg) in args.iter().enumerate() {
                    self.fits(callable.params[callable.param_of(index)].accepts, *arg)?;
                    self.available(arg.slot)?;
                    self.undisturbed(*arg)?;
                    self.compatible(&args[..index], *arg)?;
                }
                self.lasting(callable, args)
            }
        }
    }

    /// What a call keeps for ever borrows from no slot: literals do not.
    fn lasting(&self, callable: &Callable, args: &[Arg]) -> Result<(), Violation> {
        args.iter().enumerate().try_for_each(|(index, arg)| {
            let is_short = self.is_too_short(callable, callable.param_of(index), *arg);
            self.ensure(!is_short, arg.slot, Reason::TooShort)
        })
    }

    /// Whether a parameter's argument is kept for ever, and this one borrows from a slot.
    pub(crate) fn is_too_short(&self, callable: &Callable, param: usize, arg: Arg) -> bool {
        let is_lent = matches!(arg.mode, Mode::Shared | Mode::Exclusive);
        callable.keeps(param) && (is_lent || !self.values[arg.slot.index()].holds.loans.is_empty())
    }

    /// Appends a statement if it can come next.
    pub fn push(&mut self, statement: &Statement) -> Result<(), Violation> {
        self.can(statement)?;
        let this = self.next();
        match statement {
            Statement::Literal { ty, .. } => self.define(Some(*ty)),
            Statement::Drop(slot) => {
                self.use_slot(Arg::moved(*slot), this);
                self.values[slot.index()].status = Status::Dropped(this);
                self.define(None);
            }
            Statement::Call { callable, args } => {
                args.iter().for_each(|arg| self.use_slot(*arg, this));
                let callable = &self.api[*callable];
                self.define(Some(callable.output));
                if !callable.flows.is_empty() {
                    self.flow(callable, args, this);
                }
            }
        }
        Ok(())
    }

    /// All slots that could be an argument of the next statement. Using one may expire others: see
    /// [`expires`](State::expires).
    pub fn usable(&self, accepts: Accepts) -> impl Iterator<Item = Arg> {
        self.usable_beside(accepts, &[])
    }

    /// As [`usable`](State::usable), for a call that has some of its arguments already.
    pub fn usable_beside(&self, accepts: Accepts, chosen: &[Arg]) -> impl Iterator<Item = Arg> {
        self.values.iter().enumerate().filter_map(move |(index, value)| {
            if value.status != Status::Alive {
                return None;
            }
            let fit = self.api.fit(accepts, value.ty?)?;
            let arg = Arg { slot: Slot::at(index), mode: fit.mode };
            let is_free = self.undisturbed(arg).is_ok() && self.compatible(chosen, arg).is_ok();
            is_free.then_some(arg)
        })
    }

    /// The slots that could no longer be used after such a use of another one.
    pub fn expires(&self, arg: Arg) -> impl Iterator<Item = Slot> {
        let borrowers = self.borrowers.iter().copied();
        borrowers.filter(move |borrower| self.values[borrower.index()].holds.conflicts(arg.slot, arg.mode))
    }

    /// The type of a slot that could be used now.
    pub fn alive(&self, slot: Slot) -> Option<TypeId> {
        let value = self.values.get(slot.index())?;
        if value.status == Status::Alive { value.ty } else { None }
    }

    /// Slots that borrow and have a destructor: what they borrow from cannot be changed before they are dropped.
    pub fn guards(&self) -> impl Iterator<Item = Slot> {
        self.borrowers.iter().copied().filter(|borrower| self.is_guard(*borrower))
    }

    /// Slots that have to be dropped or moved before the end: they borrow from what is dropped earlier.
    pub fn overdue(&self) -> impl Iterator<Item = Slot> {
        self.guards().filter(|guard| self.outlives(*guard).is_some())
    }

    /// The end of the program.
    pub fn finish(&self) -> Result<Liveness, Violation> {
        for guard in self.guards() {
            if let Some(lender) = self.outlives(guard) {
                return self.violation(guard, Reason::Outlived(lender));
            }
        }
        Ok(self.liveness())
    }

    /// How long slots live if the program ends here.
    pub fn liveness(&self) -> Liveness {
        let end = |slot: Slot| self.end(slot);
        let last_uses = self.values.iter().map(|value| value.last_use).collect();
        let ends: Vec<End> = (0..self.values.len()).map(|index| end(Slot::at(index))).collect();
        let exclusive =
            |lender: Slot| self.expires(Arg::shared(lender)).filter(move |borrower| *borrower != lender);
        let order = liveness::borrowers_first(&ends, |lender| exclusive(lender).collect());
        Liveness { last_uses, ends, order }
    }

    fn end(&self, slot: Slot) -> End {
        let value = &self.values[slot.index()];
        match value.status {
            _ if value.ty.is_none() => End::Nothing,
            Status::Moved(at) => End::Moved(at),
            Status::Dropped(at) => End::Dropped(at),
            Status::Expired(at) => End::Expired(at),
            Status::Alive => match self.undisturbed(Arg::shared(slot)) {
                Err(Violation { reason: Reason::Lent(to), .. }) => End::Lent(to),
                _ => End::Alive,
            },
        }
    }

    /// A slot that is dropped earlier at the end of the program than this guard, which borrows from it.
    fn outlives(&self, guard: Slot) -> Option<Slot> {
        let loans = self.values[guard.index()].holds.loans.iter();
        loans.filter(|loan| !loan.through && loan.lender >= guard).map(|loan| loan.lender).next()
    }

    fn is_guard(&self, slot: Slot) -> bool {
        let value = &self.values[slot.index()];
        !value.holds.loans.is_empty() && value.ty.is_some_and(|ty| looks_at_borrowed(&self.api[ty]))
    }

    /// The slot has the type of the parameter, and is taken as such a parameter takes it.
    fn fits(&self, accepts: Accepts, arg: Arg) -> Result<(), Violation> {
        let ty = self.values.get(arg.slot.index()).and_then(|value| value.ty);
        let Some(ty) = ty else { return self.violation(arg.slot, Reason::Undefined) };
        let Some(fit) = self.api.fit(accepts, ty) else { return self.violation(arg.slot, Reason::WrongType) };
        self.ensure(fit.mode == arg.mode, arg.slot, Reason::WrongMode)
    }

    /// The slot holds a value.
    fn available(&self, slot: Slot) -> Result<(), Violation> {
        match self.values.get(slot.index()) {
            None | Some(Value { ty: None, .. }) => self.violation(slot, Reason::Undefined),
            Some(value) => match value.status {
                Status::Alive => Ok(()),
                Status::Moved(at) => self.violation(slot, Reason::Moved(at)),
                Status::Dropped(at) => self.violation(slot, Reason::Dropped(at)),
                Status::Expired(at) => self.violation(slot, Reason::Expired(at)),
            },
        }
    }

    /// Nobody whom this use would expire is in need of what it borrows. Who borrows from itself is always in need.
    fn undisturbed(&self, arg: Arg) -> Result<(), Violation> {
        let needs_it = |borrower: &Slot| *borrower == arg.slot || self.is_guard(*borrower);
        match self.expires(arg).find(needs_it) {
            Some(borrower) => self.violation(arg.slot, Reason::Lent(borrower)),
            None => Ok(()),
        }
    }

    /// The argument and those before it leave each other alone.
    fn compatible(&self, before: &[Arg], arg: Arg) -> Result<(), Violation> {
        for other in before {
            if other.slot == arg.slot {
                let alone = |mode| matches!(mode, Mode::Move | Mode::Exclusive);
                self.ensure(!alone(arg.mode) && !alone(other.mode), arg.slot, Reason::Twice)?;
            }
            for (lender, borrower) in [(arg, other.slot), (*other, arg.slot)] {
                if self.values[borrower.index()].holds.conflicts(lender.slot, lender.mode) {
                    return self.violation(lender.slot, Reason::LentToArgument(borrower));
                }
            }
        }
        Ok(())
    }

    fn define(&mut self, ty: Option<TypeId>) {
        self.values.push(Value { ty, status: Status::Alive, last_use: None, holds: Holdings::default() });
    }

    fn use_slot(&mut self, arg: Arg, this: Slot) {
        let State { values, borrowers, .. } = self;
        borrowers.retain(|borrower| {
            let value = &mut values[borrower.index()];
            let expires = value.holds.conflicts(arg.slot, arg.mode);
            if expires {
                value.status = Status::Expired(this);
            }
            !expires
        });
        let value = &mut values[arg.slot.index()];
        value.last_use = Some(this);
        if arg.mode == Mode::Move {
            value.status = Status::Moved(this);
            borrowers.retain(|borrower| *borrower != arg.slot);
        }
    }

    fn ensure(&self, holds: bool, slot: Slot, reason: Reason) -> Result<(), Violation> {
        if holds { Ok(()) } else { self.violation(slot, reason) }
    }

    fn violation<T>(&self, slot: Slot, reason: Reason) -> Result<T, Violation> {
        Err(Violation { statement: self.next(), slot, reason })
    }
}
