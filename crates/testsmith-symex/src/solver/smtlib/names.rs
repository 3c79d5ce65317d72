//! The names of operations in SMT-LIB, once for reading and writing.
//!
//! Main items: [`BIT_VECTOR`] for operands of one width, [`FLOAT`] for the table's own names of float operations.

use crate::expr::Op;

/// Operations on bit vectors; truth values are written in other words where they have some.
pub(super) const BIT_VECTOR: &[(&str, Op)] = &[
    ("bvadd", Op::Add),
    ("bvsub", Op::Sub),
    ("bvmul", Op::Mul),
    ("bvudiv", Op::UDiv),
    ("bvsdiv", Op::SDiv),
    ("bvurem", Op::URem),
    ("bvsrem", Op::SRem),
    ("bvand", Op::And),
    ("bvor", Op::Or),
    ("bvxor", Op::Xor),
    ("bvshl", Op::Shl),
    ("bvlshr", Op::LShr),
    ("bvashr", Op::AShr),
    ("bvult", Op::Ult),
    ("bvslt", Op::Slt),
    ("bvnot", Op::Not),
];

/// Float operations by their own names, on the bits of floats; what converts has the width of the result after it.
pub(super) const FLOAT: &[(&str, Op)] = &[
    ("float.add", Op::FAdd),
    ("float.sub", Op::FSub),
    ("float.mul", Op::FMul),
    ("float.div", Op::FDiv),
    ("float.min", Op::FMin),
    ("float.max", Op::FMax),
    ("float.sqrt", Op::FSqrt),
    ("float.ceil", Op::FCeil),
    ("float.floor", Op::FFloor),
    ("float.trunc", Op::FTrunc),
    ("float.nearest", Op::FNearest),
    ("float.eq", Op::FEq),
    ("float.lt", Op::FLt),
    ("float.le", Op::FLe),
    ("float.from_s", Op::FFromS),
    ("float.from_u", Op::FFromU),
    ("float.to_s", Op::FToS),
    ("float.to_u", Op::FToU),
    ("float.promote", Op::FPromote),
    ("float.demote", Op::FDemote),
];

pub(super) fn operation(table: &[(&str, Op)], name: &str) -> Option<Op> {
    table.iter().find(|(known, _)| *known == name).map(|(_, op)| *op)
}

pub(super) fn name(table: &[(&'static str, Op)], op: Op) -> Option<&'static str> {
    table.iter().find(|(_, known)| *known == op).map(|(name, _)| *name)
}

/// Whether the operation is written with the width of its result: `(_ float.to_s 32)`.
pub(super) const fn converts(op: Op) -> bool {
    matches!(op, Op::FFromS | Op::FFromU | Op::FToS | Op::FToU | Op::FPromote | Op::FDemote)
}
