//! Operands and registers: what is on the stack, where it is, and the instructions that bring it elsewhere.

use super::{Operand, Translator};
use crate::wasm::code::{Instr, Reg};

impl Translator<'_> {
    pub(super) fn here(&self) -> usize {
        self.module.code.len()
    }

    pub(super) fn emit(&mut self, instr: Instr) -> usize {
        self.module.code.push(instr);
        self.here() - 1
    }

    /// The register that belongs to a height of the stack.
    pub(super) fn slot(&self, height: usize) -> Reg {
        // A frame that is too large is found at the end; until then any number does.
        (self.locals as usize + height) as Reg
    }

    pub(super) fn push(&mut self, operand: Operand) {
        self.stack.push(operand);
        self.highest = self.highest.max(self.stack.len());
    }

    /// Pushes a value that the next instruction puts into its slot, and returns the slot.
    pub(super) fn push_slot(&mut self) -> Reg {
        self.push(Operand::Slot);
        self.slot(self.stack.len() - 1)
    }

    /// Takes the top of the stack as a register; a constant is put into its slot first.
    pub(super) fn pop(&mut self) -> Reg {
        let operand = self.pop_operand();
        let slot = self.slot(self.stack.len());
        match operand {
            Operand::Slot => slot,
            Operand::Local(local) => local,
            Operand::Const(constant) => {
                self.emit(Instr::Const { to: slot, constant });
                slot
            }
        }
    }

    pub(super) fn pop_operand(&mut self) -> Operand {
        self.stack.pop().expect("the validator has seen that there is an operand")
    }

    /// Puts the operand at this height into its slot, where it must be at the borders of blocks and calls.
    pub(super) fn settle(&mut self, height: usize) {
        let to = self.slot(height);
        match self.stack[height] {
            Operand::Slot => return,
            Operand::Local(from) => self.emit(Instr::Copy { to, from }),
            Operand::Const(constant) => self.emit(Instr::Const { to, constant }),
        };
        self.stack[height] = Operand::Slot;
    }

    pub(super) fn settle_all(&mut self) {
        self.settle_top(self.stack.len());
    }

    pub(super) fn settle_top(&mut self, count: usize) {
        for height in self.stack.len() - count..self.stack.len() {
            self.settle(height);
        }
    }

    /// What was pushed from this local is put into its slot before the local changes. Returns whether there was any.
    fn keep_uses_of(&mut self, local: Reg) -> bool {
        let mut any = false;
        for height in 0..self.stack.len() {
            if self.stack[height] == Operand::Local(local) {
                self.settle(height);
                any = true;
            }
        }
        any
    }

    /// `local.set` and `local.tee`: the value goes straight into the local where the last instruction computed it.
    pub(super) fn set_local(&mut self, local: Reg) {
        let value = self.pop_operand();
        let slot = self.slot(self.stack.len());
        let kept = self.keep_uses_of(local);
        match value {
            Operand::Local(from) if from == local => {}
            Operand::Local(from) => {
                self.emit(Instr::Copy { to: local, from });
            }
            Operand::Const(constant) => {
                self.emit(Instr::Const { to: local, constant });
            }
            Operand::Slot => {
                if kept || !self.redirect(slot, local) {
                    self.emit(Instr::Copy { to: local, from: slot });
                }
            }
        }
    }

    /// The last instruction writes to `to` in place of `slot`, if it wrote there.
    fn redirect(&mut self, slot: Reg, to: Reg) -> bool {
        if self.here() <= self.barrier {
            return false;
        }
        match self.module.code.last_mut().and_then(Instr::result_mut) {
            Some(result) if *result == slot => {
                *result = to;
                true
            }
            _ => false,
        }
    }

    /// Takes back the last instruction, if it is a comparison or a test for zero with its result in this register. A local
    /// may be read again, so that what computes it has to stay.
    pub(super) fn take_condition(&mut self, register: Reg) -> Option<Instr> {
        if self.here() <= self.barrier || u32::from(register) < self.locals {
            return None;
        }
        let mut last = *self.module.code.last()?;
        let fits = matches!(last, Instr::I32Eqz { .. } | Instr::I64Eqz { .. }) || last.contrary().is_some();
        if fits && last.result_mut().is_some_and(|result| *result == register) {
            self.module.code.pop();
            Some(last)
        } else {
            None
        }
    }
}
