//! Blocks, loops, conditions and jumps.
//!
//! Main type: [`Control`], an open block. A jump forward is filled in when its block ends.

use super::{Operand, Translator};
use crate::wasm::code::{Instr, Reg};

/// A place in the code that waits for its target.
enum Waiting {
    Jump(usize),
    Table(usize),
}

/// A block that is open.
pub(super) struct Control {
    /// Height of the stack without the parameters of the block.
    height: usize,
    params: usize,
    results: usize,
    /// Where a jump to a loop goes.
    back_to: Option<usize>,
    /// The jump around the first arm of an `if`.
    else_jump: Option<usize>,
    waiting: Vec<Waiting>,
    is_body: bool,
}

impl Control {
    /// The body of the function, which a jump leaves by returning.
    pub(super) fn body(results: usize) -> Self {
        Self {
            height: 0,
            params: 0,
            results,
            back_to: None,
            else_jump: None,
            waiting: Vec::new(),
            is_body: true,
        }
    }

    /// How many values a jump to it takes along.
    fn arity(&self) -> usize {
        if self.back_to.is_some() { self.params } else { self.results }
    }
}

/// The kinds of blocks.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Block,
    Loop,
    If,
}

impl Translator<'_> {
    pub(super) fn open(&mut self, kind: Kind, params: usize, results: usize) {
        let condition = (kind == Kind::If).then(|| self.pop_condition());
        self.settle_all();
        let else_jump = condition.map(|condition| self.emit_unless(condition));
        let back_to = (kind == Kind::Loop).then(|| self.bind());
        let height = self.stack.len() - params;
        let waiting = Vec::new();
        self.controls.push(Control { height, params, results, back_to, else_jump, waiting, is_body: false });
    }

    pub(super) fn else_arm(&mut self) {
        let reachable = self.unreachable.take().is_none();
        let control = self.controls.last().expect("an else has its if");
        let (height, params, results) = (control.height, control.params, control.results);
        if reachable {
            self.settle_top(results);
            let jump = self.emit(Instr::Jump { target: 0 });
            self.innermost().waiting.push(Waiting::Jump(jump));
        }
        let jump = self.innermost().else_jump.take().expect("an else has its if");
        let here = self.bind();
        self.fill(&Waiting::Jump(jump), here);
        self.stack.truncate(height);
        (0..params).for_each(|_| self.push(Operand::Slot));
    }

    /// Closes the innermost block; at the end of the body it returns.
    pub(super) fn end(&mut self) {
        let reachable = self.unreachable.take().is_none();
        let mut control = self.controls.pop().expect("an end has its block");
        if reachable {
            self.settle_top(control.results);
        }
        let jumped_to = !control.waiting.is_empty() || control.else_jump.is_some();
        control.waiting.extend(control.else_jump.take().map(Waiting::Jump));
        if jumped_to {
            let here = self.bind();
            control.waiting.iter().for_each(|waiting| self.fill(waiting, here));
        }
        self.stack.truncate(control.height);
        (0..control.results).for_each(|_| self.push(Operand::Slot));
        if control.is_body && (reachable || jumped_to) {
            let from = self.slot(control.height);
            self.emit(Instr::Return { from, count: self.results as u16 });
        }
    }

    pub(super) fn jump(&mut self, depth: u32) {
        self.leave_for(depth);
        self.unreachable = Some(0);
    }

    pub(super) fn jump_if(&mut self, depth: u32) {
        let condition = self.pop_condition();
        let arity = self.control(depth).arity();
        self.settle_top(arity);
        if !self.control(depth).is_body && self.in_place(depth) {
            let jump = self.emit_if(condition);
            self.aim(jump, depth);
        } else {
            let around = self.emit_unless(condition);
            self.leave_for(depth);
            let here = self.bind();
            self.fill(&Waiting::Jump(around), here);
        }
    }

    pub(super) fn jump_table(&mut self, depths: &[u32]) {
        let index = self.pop();
        let arity = self.control(depths[0]).arity();
        self.settle_top(arity);
        let first = self.module.jump_targets.len();
        self.emit(Instr::JumpTable { index, count: depths.len() as u32, first: first as u32 });
        self.module.jump_targets.extend(depths.iter().map(|_| 0));
        // Where values have to move, the entry leads to a piece of code that moves them; one for each block.
        let mut movers: Vec<(u32, usize)> = Vec::new();
        for (at, &depth) in depths.iter().enumerate() {
            let entry = Waiting::Table(first + at);
            if !self.control(depth).is_body && self.in_place(depth) {
                self.aim_at(entry, depth);
                continue;
            }
            let known = movers.iter().find(|(known, _)| *known == depth).map(|(_, place)| *place);
            let place = known.unwrap_or_else(|| {
                let place = self.bind();
                movers.push((depth, place));
                self.leave_for(depth);
                place
            });
            self.fill(&entry, place);
        }
        self.unreachable = Some(0);
    }

    pub(super) fn return_(&mut self) {
        let depth = self.controls.len() as u32 - 1;
        self.jump(depth);
    }

    /// Moves the values that a jump takes along to where the block expects them, and jumps.
    fn leave_for(&mut self, depth: u32) {
        let arity = self.control(depth).arity();
        if self.control(depth).is_body && arity == 1 {
            let from = match *self.stack.last().expect("one result") {
                Operand::Local(local) => local,
                _ => {
                    self.settle_top(1);
                    self.slot(self.stack.len() - 1)
                }
            };
            self.emit(Instr::Return { from, count: 1 });
            return;
        }
        self.settle_top(arity);
        let source = self.stack.len() - arity;
        if self.control(depth).is_body {
            let from = self.slot(source);
            self.emit(Instr::Return { from, count: arity as u16 });
            return;
        }
        let height = self.control(depth).height;
        if height != source {
            for value in 0..arity {
                let (to, from) = (self.slot(height + value), self.slot(source + value));
                self.emit(Instr::Copy { to, from });
            }
        }
        let jump = self.emit(Instr::Jump { target: 0 });
        self.aim(jump, depth);
    }

    /// Whether the values that a jump takes along are where the block expects them.
    fn in_place(&self, depth: u32) -> bool {
        let control = self.control(depth);
        control.arity() == 0 || control.height == self.stack.len() - control.arity()
    }

    fn aim(&mut self, jump: usize, depth: u32) {
        self.aim_at(Waiting::Jump(jump), depth);
    }

    fn aim_at(&mut self, waiting: Waiting, depth: u32) {
        match self.control(depth).back_to {
            Some(place) => self.fill(&waiting, place),
            None => {
                let at = self.controls.len() - 1 - depth as usize;
                self.controls[at].waiting.push(waiting);
            }
        }
    }

    fn fill(&mut self, waiting: &Waiting, place: usize) {
        let place = place as u32;
        match *waiting {
            Waiting::Jump(at) => {
                *self.module.code[at].target_mut().expect("only jumps wait for a target") = place;
            }
            Waiting::Table(at) => self.module.jump_targets[at] = place,
        }
    }

    /// Marks that jumps may lead here.
    fn bind(&mut self) -> usize {
        self.barrier = self.here();
        self.barrier
    }

    fn control(&self, depth: u32) -> &Control {
        &self.controls[self.controls.len() - 1 - depth as usize]
    }

    fn innermost(&mut self) -> &mut Control {
        self.controls.last_mut().expect("the body is open to the end")
    }

    /// Takes the condition of a jump: a comparison that the jump can make itself, or a register.
    fn pop_condition(&mut self) -> Condition {
        let register = self.pop();
        let Some(last) = self.take_condition(register) else { return Condition::True(register) };
        match last {
            // The test for zero may itself stand behind a comparison.
            Instr::I32Eqz { a, .. } => match self.take_condition(a) {
                Some(inner) if inner.contrary().is_some() => {
                    Condition::Compare(inner.contrary().expect("just seen"))
                }
                Some(inner) => {
                    self.emit(inner);
                    Condition::False(a)
                }
                None => Condition::False(a),
            },
            Instr::I64Eqz { to, a } => Condition::Compare(Instr::I64EqConst { to, a, constant: 0 }),
            compare => Condition::Compare(compare),
        }
    }

    fn emit_if(&mut self, condition: Condition) -> usize {
        match condition {
            Condition::True(condition) => self.emit(Instr::JumpIf { condition, target: 0 }),
            Condition::False(condition) => self.emit(Instr::JumpUnless { condition, target: 0 }),
            Condition::Compare(mut compare) => match compare.as_jump() {
                Some(jump) => self.emit(jump),
                None => {
                    let condition = *compare.result_mut().expect("a comparison has a result");
                    self.emit(compare);
                    self.emit(Instr::JumpIf { condition, target: 0 })
                }
            },
        }
    }

    fn emit_unless(&mut self, condition: Condition) -> usize {
        self.emit_if(match condition {
            Condition::True(register) => Condition::False(register),
            Condition::False(register) => Condition::True(register),
            Condition::Compare(compare) => {
                Condition::Compare(compare.contrary().expect("conditions are integer comparisons"))
            }
        })
    }
}

/// What a jump depends on.
#[derive(Clone, Copy)]
enum Condition {
    True(Reg),
    False(Reg),
    Compare(Instr),
}
