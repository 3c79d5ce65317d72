//! Register code: what the interpreter executes in place of wasm's stack code.
//!
//! Main type: [`Instr`]. A frame is a row of registers: parameters and locals first, then a place for every height of the
//! operand stack. Instructions of all functions stand in one row, so that a place in it is a number for the whole module.

use super::numeric::numeric_instructions;

/// A register of the frame.
pub type Reg = u16;

/// What a load reads and makes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Bytes that are read.
    pub bytes: u8,
    /// Whether the sign is copied into the bits above.
    pub signed: bool,
    /// Bits of the result, 32 or 64.
    pub width: u8,
}

macro_rules! define_code {
    (
        compare { $($cmp:ident $cmp_const:ident $jump:ident $jump_const:ident $contrary:ident |$ca:ident: $cta:ty, $cb:ident: $ctb:ty| $cbody:expr;)* }
        binary { $($bin:ident $bin_const:ident |$ba:ident: $bta:ty, $bb:ident: $btb:ty| $bbody:expr;)* }
        partial { $($par:ident |$pa:ident: $pta:ty, $pb:ident: $ptb:ty| $pbody:expr;)* }
        unary { $($una:ident |$ua:ident: $uta:ty| $ubody:expr;)* }
        convert { $($con:ident |$va:ident: $vta:ty| $vbody:expr;)* }
    ) => {
        /// One instruction of register code. `to` is written; jumps name a place in the module's code.
        #[derive(Clone, Copy, PartialEq, Debug)]
        #[allow(missing_docs, reason = "numeric instructions have wasm's names, fields say what they hold")]
        pub enum Instr {
            $($cmp { to: Reg, a: Reg, b: Reg },)*
            $($cmp_const { to: Reg, a: Reg, constant: u64 },)*
            $($jump { a: Reg, b: Reg, target: u32 },)*
            $($jump_const { a: Reg, constant: i32, target: u32 },)*
            $($bin { to: Reg, a: Reg, b: Reg },)*
            $($bin_const { to: Reg, a: Reg, constant: u64 },)*
            $($par { to: Reg, a: Reg, b: Reg },)*
            $($una { to: Reg, a: Reg },)*
            $($con { to: Reg, a: Reg },)*
            /// A constant; its type is that of the instruction that reads it.
            Const { to: Reg, constant: u64 },
            Copy { to: Reg, from: Reg },
            /// `to = condition != 0 ? a : b`, of `width` bits.
            Select { to: Reg, condition: Reg, a: Reg, b: Reg, width: u8 },
            GlobalGet { to: Reg, global: u32 },
            GlobalSet { from: Reg, global: u32 },
            /// Loads that bring in zeros, by size; others are `LoadOther`.
            Load8 { to: Reg, address: Reg, offset: u32, wide: bool },
            Load16 { to: Reg, address: Reg, offset: u32, wide: bool },
            Load32 { to: Reg, address: Reg, offset: u32, wide: bool },
            Load64 { to: Reg, address: Reg, offset: u32 },
            LoadSigned { to: Reg, address: Reg, offset: u32, load: Load },
            Store8 { from: Reg, address: Reg, offset: u32 },
            Store16 { from: Reg, address: Reg, offset: u32 },
            Store32 { from: Reg, address: Reg, offset: u32 },
            Store64 { from: Reg, address: Reg, offset: u32 },
            MemorySize { to: Reg },
            MemoryGrow { to: Reg, pages: Reg },
            MemoryCopy { to: Reg, from: Reg, bytes: Reg },
            MemoryFill { to: Reg, value: Reg, bytes: Reg },
            MemoryInit { to: Reg, from: Reg, bytes: Reg, segment: u32 },
            DataDrop { segment: u32 },
            TableGet { to: Reg, index: Reg, table: u32 },
            TableSet { index: Reg, from: Reg, table: u32 },
            TableSize { to: Reg, table: u32 },
            TableGrow { to: Reg, value: Reg, more: Reg, table: u32 },
            TableFill { index: Reg, value: Reg, count: Reg, table: u32 },
            TableCopy { to: Reg, from: Reg, count: Reg, to_table: u16, from_table: u16 },
            TableInit { to: Reg, from: Reg, count: Reg, table: u16, segment: u32 },
            ElementDrop { segment: u32 },
            Jump { target: u32 },
            JumpIf { condition: Reg, target: u32 },
            JumpUnless { condition: Reg, target: u32 },
            /// Jumps to entry `index` of `count` targets from `first` on in the module's list; the last one for all above.
            JumpTable { index: Reg, count: u32, first: u32 },
            /// Calls a function; its frame starts at `frame`, where the arguments are and the results will be.
            Call { frame: Reg, function: u32 },
            CallIndirect { frame: Reg, index: Reg, table: u16, signature: u32 },
            /// Ends the call; `count` results from `from` on become the first registers.
            Return { from: Reg, count: u16 },
            Unreachable,
            /// The translation could not express what stands here; the number is that of the reason.
            Unsupported { reason: u32 },
        }

        impl Instr {
            /// The instruction with two operands.
            #[must_use]
            pub fn binary(op: super::Binary, to: Reg, a: Reg, b: Reg) -> Self {
                use super::Binary;
                match op {
                    $(Binary::$cmp => Self::$cmp { to, a, b },)*
                    $(Binary::$bin => Self::$bin { to, a, b },)*
                    $(Binary::$par => Self::$par { to, a, b },)*
                }
            }

            /// The instruction with a constant on the right, where it has that form.
            #[must_use]
            pub fn binary_const(op: super::Binary, to: Reg, a: Reg, constant: u64) -> Option<Self> {
                use super::Binary;
                match op {
                    $(Binary::$cmp => Some(Self::$cmp_const { to, a, constant }),)*
                    $(Binary::$bin => Some(Self::$bin_const { to, a, constant }),)*
                    $(Binary::$par => None,)*
                }
            }

            /// The instruction with one operand.
            #[must_use]
            pub fn unary(op: super::Unary, to: Reg, a: Reg) -> Self {
                use super::Unary;
                match op {
                    $(Unary::$una => Self::$una { to, a },)*
                    $(Unary::$con => Self::$con { to, a },)*
                }
            }

            /// The jump that is taken where this comparison is true.
            #[must_use]
            pub fn as_jump(self) -> Option<Self> {
                match self {
                    $(Self::$cmp { a, b, .. } => Some(Self::$jump { a, b, target: 0 }),)*
                    $(Self::$cmp_const { a, constant, .. } => {
                        let constant = small(constant, compare_width(super::Binary::$cmp))?;
                        Some(Self::$jump_const { a, constant, target: 0 })
                    })*
                    _ => None,
                }
            }

            /// The comparison that is true where this one is false.
            #[must_use]
            pub fn contrary(self) -> Option<Self> {
                let contrary = |op: super::Binary| op.contrary().expect("only comparisons are asked");
                match self {
                    $(Self::$cmp { to, a, b } => Some(Self::binary(contrary(super::Binary::$cmp), to, a, b)),)*
                    $(Self::$cmp_const { to, a, constant } => {
                        Self::binary_const(contrary(super::Binary::$cmp), to, a, constant)
                    })*
                    _ => None,
                }
            }

            /// The register that it writes, where it computes one value from registers or constants.
            pub fn result_mut(&mut self) -> Option<&mut Reg> {
                match self {
                    $(Self::$cmp { to, .. } | Self::$cmp_const { to, .. } => Some(to),)*
                    $(Self::$bin { to, .. } | Self::$bin_const { to, .. } => Some(to),)*
                    $(Self::$par { to, .. } => Some(to),)*
                    $(Self::$una { to, .. } => Some(to),)*
                    $(Self::$con { to, .. } => Some(to),)*
                    Self::Const { to, .. }
                    | Self::Copy { to, .. }
                    | Self::Select { to, .. }
                    | Self::GlobalGet { to, .. }
                    | Self::Load8 { to, .. }
                    | Self::Load16 { to, .. }
                    | Self::Load32 { to, .. }
                    | Self::Load64 { to, .. }
                    | Self::LoadSigned { to, .. } => Some(to),
                    _ => None,
                }
            }

            /// The place that a jump goes to.
            pub fn target_mut(&mut self) -> Option<&mut u32> {
                match self {
                    $(Self::$jump { target, .. } | Self::$jump_const { target, .. } => Some(target),)*
                    Self::Jump { target } | Self::JumpIf { target, .. } | Self::JumpUnless { target, .. } => {
                        Some(target)
                    }
                    _ => None,
                }
            }
        }
    };
}

numeric_instructions!(define_code);

/// A constant that fits the short field of a jump, which is extended with its sign.
fn small(constant: u64, width: u32) -> Option<i32> {
    match width {
        32 => Some(constant as u32 as i32),
        _ => i32::try_from(constant as i64).ok(),
    }
}

/// The width of the operands of an integer comparison.
#[must_use]
pub(crate) fn compare_width(op: super::Binary) -> u32 {
    use super::Binary::*;
    match op {
        I32Eq | I32Ne | I32LtS | I32LtU | I32GtS | I32GtU | I32LeS | I32LeU | I32GeS | I32GeU => 32,
        _ => 64,
    }
}
