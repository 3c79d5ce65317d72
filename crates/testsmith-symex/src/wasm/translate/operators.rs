//! One arm for every operator of wasm.

use wasmparser::{BlockType, Operator};

use super::control::Kind;
use super::{Operand, Translator};
use crate::wasm::code::{Instr, Load, Reg};
use crate::wasm::decode::value_type;
use crate::wasm::module::{NULL, ValType};
use crate::wasm::numeric::{Binary, Unary, numeric_instructions};

macro_rules! define_lookup {
    (
        compare { $($cmp:ident $cmp_const:ident $jump:ident $jump_const:ident $contrary:ident |$ca:ident: $cta:ty, $cb:ident: $ctb:ty| $cbody:expr;)* }
        binary { $($bin:ident $bin_const:ident |$ba:ident: $bta:ty, $bb:ident: $btb:ty| $bbody:expr;)* }
        partial { $($par:ident |$pa:ident: $pta:ty, $pb:ident: $ptb:ty| $pbody:expr;)* }
        unary { $($una:ident |$ua:ident: $uta:ty| $ubody:expr;)* }
        convert { $($con:ident |$va:ident: $vta:ty| $vbody:expr;)* }
    ) => {
        fn as_binary(operator: &Operator<'_>) -> Option<Binary> {
            match operator {
                $(Operator::$cmp => Some(Binary::$cmp),)*
                $(Operator::$bin => Some(Binary::$bin),)*
                $(Operator::$par => Some(Binary::$par),)*
                _ => None,
            }
        }

        fn as_unary(operator: &Operator<'_>) -> Option<Unary> {
            match operator {
                $(Operator::$una => Some(Unary::$una),)*
                $(Operator::$con => Some(Unary::$con),)*
                _ => None,
            }
        }
    };
}

numeric_instructions!(define_lookup);

impl Translator<'_> {
    /// Translates one operator. `selected` is the type of the value below the top, which an untyped `select` needs.
    pub(super) fn operator(&mut self, operator: &Operator<'_>, selected: Option<wasmparser::ValType>) {
        if self.skips(operator) {
            return;
        }
        if let Some(op) = as_binary(operator) {
            return self.binary(op);
        }
        if let Some(op) = as_unary(operator) {
            let a = self.pop();
            let to = self.push_slot();
            self.emit(Instr::unary(op, to, a));
            return;
        }
        if !(self.control_operator(operator)
            || self.variable_operator(operator, selected)
            || self.memory_operator(operator)
            || self.table_operator(operator))
        {
            let name = format!("{operator:?}");
            self.give_up(name.split([' ', '{']).next().unwrap_or_default());
        }
    }

    /// Whether the operator stands in code that is never reached. Blocks in there are counted, so that the end of the one
    /// around them is found.
    fn skips(&mut self, operator: &Operator<'_>) -> bool {
        let Some(depth) = self.unreachable.as_mut() else { return false };
        match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => *depth += 1,
            Operator::TryTable { .. } | Operator::Try { .. } => *depth += 1,
            Operator::Else if *depth == 0 => return false,
            Operator::End if *depth == 0 => return false,
            Operator::End => *depth -= 1,
            _ => {}
        }
        true
    }

    fn binary(&mut self, op: Binary) {
        if let Some(Operand::Const(constant)) = self.stack.last().copied()
            && Instr::binary_const(op, 0, 0, 0).is_some()
        {
            self.pop_operand();
            let a = self.pop();
            let to = self.push_slot();
            let instr = Instr::binary_const(op, to, a, constant);
            self.emit(instr.expect("it was asked whether there is one"));
            return;
        }
        let b = self.pop();
        let a = self.pop();
        let to = self.push_slot();
        self.emit(Instr::binary(op, to, a, b));
    }

    fn control_operator(&mut self, operator: &Operator<'_>) -> bool {
        match *operator {
            Operator::Nop => {}
            Operator::Unreachable => {
                self.emit(Instr::Unreachable);
                self.unreachable = Some(0);
            }
            Operator::Block { blockty } => self.open_block(Kind::Block, blockty),
            Operator::Loop { blockty } => self.open_block(Kind::Loop, blockty),
            Operator::If { blockty } => self.open_block(Kind::If, blockty),
            Operator::Else => self.else_arm(),
            Operator::End => self.end(),
            Operator::Br { relative_depth } => self.jump(relative_depth),
            Operator::BrIf { relative_depth } => self.jump_if(relative_depth),
            Operator::BrTable { ref targets } => {
                let depths: Result<Vec<u32>, _> = targets.targets().collect();
                let mut depths = depths.expect("the validator has read them");
                depths.push(targets.default());
                self.jump_table(&depths);
            }
            Operator::Return => self.return_(),
            Operator::Call { function_index } => {
                let signature = self.module.functions[function_index as usize].signature;
                let frame = self.arguments(signature);
                self.emit(Instr::Call { frame, function: function_index });
                self.results_of(signature);
            }
            Operator::CallIndirect { type_index, table_index } => {
                let Some(signature) = self.types[type_index as usize] else { return false };
                let index = self.pop();
                let frame = self.arguments(signature);
                self.emit(Instr::CallIndirect { frame, index, table: table_index as u16, signature });
                self.results_of(signature);
            }
            _ => return false,
        }
        true
    }

    fn open_block(&mut self, kind: Kind, ty: BlockType) {
        let (params, results) = match ty {
            BlockType::Empty => (0, 0),
            BlockType::Type(_) => (0, 1),
            BlockType::FuncType(index) => {
                let signature = self.types[index as usize].expect("blocks have function types");
                let signature = &self.module.signatures[signature as usize];
                (signature.params.len(), signature.results.len())
            }
        };
        self.open(kind, params, results);
    }

    /// Puts the arguments of a call in their slots and takes them; the frame starts at the first.
    fn arguments(&mut self, signature: u32) -> Reg {
        let count = self.module.signatures[signature as usize].params.len();
        self.settle_top(count);
        self.stack.truncate(self.stack.len() - count);
        self.slot(self.stack.len())
    }

    fn results_of(&mut self, signature: u32) {
        let count = self.module.signatures[signature as usize].results.len();
        (0..count).for_each(|_| self.push(Operand::Slot));
        // The call has no result register that could be changed.
        self.barrier = self.here();
    }

    fn variable_operator(&mut self, operator: &Operator<'_>, selected: Option<wasmparser::ValType>) -> bool {
        match *operator {
            Operator::LocalGet { local_index } => self.push(Operand::Local(local_index as Reg)),
            Operator::LocalSet { local_index } => self.set_local(local_index as Reg),
            Operator::LocalTee { local_index } => {
                self.set_local(local_index as Reg);
                self.push(Operand::Local(local_index as Reg));
            }
            Operator::GlobalGet { global_index: global } => {
                let to = self.push_slot();
                self.emit(Instr::GlobalGet { to, global });
            }
            Operator::GlobalSet { global_index: global } => {
                let from = self.pop();
                self.emit(Instr::GlobalSet { from, global });
            }
            Operator::I32Const { value } => self.push(Operand::Const(u64::from(value as u32))),
            Operator::I64Const { value } => self.push(Operand::Const(value as u64)),
            Operator::F32Const { value } => self.push(Operand::Const(u64::from(value.bits()))),
            Operator::F64Const { value } => self.push(Operand::Const(value.bits())),
            Operator::RefNull { .. } => self.push(Operand::Const(NULL)),
            Operator::RefFunc { function_index } => self.push(Operand::Const(u64::from(function_index))),
            Operator::RefIsNull => {
                let a = self.pop();
                let to = self.push_slot();
                self.emit(Instr::I64EqConst { to, a, constant: NULL });
            }
            // Floats are kept as their bits.
            Operator::I32ReinterpretF32
            | Operator::I64ReinterpretF64
            | Operator::F32ReinterpretI32
            | Operator::F64ReinterpretI64 => {}
            Operator::Drop => {
                self.pop_operand();
            }
            Operator::Select => return self.select(selected),
            Operator::TypedSelect { ty } => return self.select(Some(ty)),
            _ => return false,
        }
        true
    }

    fn select(&mut self, ty: Option<wasmparser::ValType>) -> bool {
        let Some(ty) = ty.map(value_type).filter(|ty| *ty != ValType::Vector) else { return false };
        let condition = self.pop();
        let b = self.pop();
        let a = self.pop();
        let to = self.push_slot();
        self.emit(Instr::Select { to, condition, a, b, width: ty.width() as u8 });
        true
    }

    fn memory_operator(&mut self, operator: &Operator<'_>) -> bool {
        self.load_operator(operator)
            || self.store_operator(operator)
            || match *operator {
                Operator::MemorySize { .. } => {
                    let to = self.push_slot();
                    self.emit(Instr::MemorySize { to });
                    true
                }
                Operator::MemoryGrow { .. } => {
                    let pages = self.pop();
                    let to = self.push_slot();
                    self.emit(Instr::MemoryGrow { to, pages });
                    true
                }
                Operator::MemoryCopy { .. } => {
                    let [to, from, bytes] = self.pop_three();
                    self.emit(Instr::MemoryCopy { to, from, bytes });
                    true
                }
                Operator::MemoryFill { .. } => {
                    let [to, value, bytes] = self.pop_three();
                    self.emit(Instr::MemoryFill { to, value, bytes });
                    true
                }
                Operator::MemoryInit { data_index: segment, .. } => {
                    let [to, from, bytes] = self.pop_three();
                    self.emit(Instr::MemoryInit { to, from, bytes, segment });
                    true
                }
                Operator::DataDrop { data_index: segment } => {
                    self.emit(Instr::DataDrop { segment });
                    true
                }
                _ => false,
            }
    }

    fn pop_three(&mut self) -> [Reg; 3] {
        let third = self.pop();
        let second = self.pop();
        [self.pop(), second, third]
    }

    fn load_operator(&mut self, operator: &Operator<'_>) -> bool {
        let (memarg, bytes, signed, width) = match *operator {
            Operator::I32Load { memarg } | Operator::F32Load { memarg } => (memarg, 4, false, 32),
            Operator::I64Load { memarg } | Operator::F64Load { memarg } => (memarg, 8, false, 64),
            Operator::I32Load8S { memarg } => (memarg, 1, true, 32),
            Operator::I32Load8U { memarg } => (memarg, 1, false, 32),
            Operator::I32Load16S { memarg } => (memarg, 2, true, 32),
            Operator::I32Load16U { memarg } => (memarg, 2, false, 32),
            Operator::I64Load8S { memarg } => (memarg, 1, true, 64),
            Operator::I64Load8U { memarg } => (memarg, 1, false, 64),
            Operator::I64Load16S { memarg } => (memarg, 2, true, 64),
            Operator::I64Load16U { memarg } => (memarg, 2, false, 64),
            Operator::I64Load32S { memarg } => (memarg, 4, true, 64),
            Operator::I64Load32U { memarg } => (memarg, 4, false, 64),
            _ => return false,
        };
        let address = self.pop();
        let to = self.push_slot();
        // Addresses have 32 bits, and the validator has seen that the offset has as well.
        let offset = memarg.offset as u32;
        let wide = width == 64;
        self.emit(match (bytes, signed) {
            (_, true) => Instr::LoadSigned { to, address, offset, load: Load { bytes, signed, width } },
            (1, _) => Instr::Load8 { to, address, offset, wide },
            (2, _) => Instr::Load16 { to, address, offset, wide },
            (4, _) => Instr::Load32 { to, address, offset, wide },
            _ => Instr::Load64 { to, address, offset },
        });
        true
    }

    fn store_operator(&mut self, operator: &Operator<'_>) -> bool {
        let (memarg, bytes) = match *operator {
            Operator::I32Store8 { memarg } | Operator::I64Store8 { memarg } => (memarg, 1),
            Operator::I32Store16 { memarg } | Operator::I64Store16 { memarg } => (memarg, 2),
            Operator::I32Store { memarg }
            | Operator::F32Store { memarg }
            | Operator::I64Store32 { memarg } => (memarg, 4),
            Operator::I64Store { memarg } | Operator::F64Store { memarg } => (memarg, 8),
            _ => return false,
        };
        let from = self.pop();
        let address = self.pop();
        let offset = memarg.offset as u32;
        self.emit(match bytes {
            1 => Instr::Store8 { from, address, offset },
            2 => Instr::Store16 { from, address, offset },
            4 => Instr::Store32 { from, address, offset },
            _ => Instr::Store64 { from, address, offset },
        });
        true
    }

    fn table_operator(&mut self, operator: &Operator<'_>) -> bool {
        match *operator {
            Operator::TableGet { table } => {
                let index = self.pop();
                let to = self.push_slot();
                self.emit(Instr::TableGet { to, index, table });
            }
            Operator::TableSet { table } => {
                let from = self.pop();
                let index = self.pop();
                self.emit(Instr::TableSet { index, from, table });
            }
            Operator::TableSize { table } => {
                let to = self.push_slot();
                self.emit(Instr::TableSize { to, table });
            }
            Operator::TableGrow { table } => {
                let more = self.pop();
                let value = self.pop();
                let to = self.push_slot();
                self.emit(Instr::TableGrow { to, value, more, table });
            }
            Operator::TableFill { table } => {
                let [index, value, count] = self.pop_three();
                self.emit(Instr::TableFill { index, value, count, table });
            }
            Operator::TableCopy { dst_table, src_table } => {
                let [to, from, count] = self.pop_three();
                let (to_table, from_table) = (dst_table as u16, src_table as u16);
                self.emit(Instr::TableCopy { to, from, count, to_table, from_table });
            }
            Operator::TableInit { elem_index: segment, table } => {
                let [to, from, count] = self.pop_three();
                self.emit(Instr::TableInit { to, from, count, table: table as u16, segment });
            }
            Operator::ElemDrop { elem_index: segment } => {
                self.emit(Instr::ElementDrop { segment });
            }
            _ => return false,
        }
        true
    }
}
