//! Lowered operations compute what the float operations compute, bit by bit.

use super::*;
use crate::expr::Model;
use crate::expr::random::{Random, plan};

/// Bits that floats are made of: edges, ties, subnormal ones, not a number, neighbours of all.
fn interesting(random: &mut Random, width: u32) -> u128 {
    let edges64 = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        0.1,
        3.0,
        1e10,
        2147483647.5,
        2147483648.0,
        -2147483649.0,
        4294967296.0,
        9.3e18,
        1.9e19,
        1e-310,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        4503599627370497.5,
        3.4e38,
        1e-45,
        1e-38,
    ];
    let edge = random.pick(&edges64);
    let near = random.below(5) as u128;
    match (random.below(4), width) {
        (0, _) => random.value(width),
        (1, 32) => u128::from((edge as f32).to_bits()),
        (1, 64) => u128::from(edge.to_bits()),
        (2, 32) => (u128::from((edge as f32).to_bits()) + near).saturating_sub(2) & 0xffff_ffff,
        (2, 64) => (u128::from(edge.to_bits()) + near).saturating_sub(2) & u128::from(u64::MAX),
        (_, 32) => u128::from(((random.next() as i16) as f32 / 8.0).to_bits()),
        (_, 64) => u128::from(((random.next() as i16) as f64 / 8.0).to_bits()),
        _ => random.value(width),
    }
}

#[test]
fn lowered_operations_agree_with_the_machine() {
    let mut cases: Vec<(Op, u32, u32)> = Vec::new();
    for format in [32, 64] {
        for op in [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FMin, Op::FMax, Op::FEq, Op::FLt, Op::FLe] {
            cases.push((op, format, format));
        }
        for op in [Op::FSqrt, Op::FCeil, Op::FFloor, Op::FTrunc, Op::FNearest] {
            cases.push((op, format, format));
        }
        for integer in [8, 32, 64, 128] {
            cases.extend([(Op::FFromS, integer, format), (Op::FFromU, integer, format)]);
            cases.extend([(Op::FToS, format, integer), (Op::FToU, format, integer)]);
        }
    }
    cases.extend([(Op::FPromote, 32, 64), (Op::FDemote, 64, 32)]);
    let mut random = Random::new(1);
    for (op, from, to) in cases {
        let mut e = Exprs::new();
        let (a, b) = (e.variable(0, from), e.variable(1, from));
        let direct = match op.arity() {
            2 => e.binary(op, a, b),
            _ => e.convert(op, to, a),
        };
        let lowered = Lowering::default().lower(&mut e, direct);
        assert!(!has_floats(&e, &[lowered]));
        for _ in 0..3_000 {
            let model =
                Model::from_iter([(0, interesting(&mut random, from)), (1, interesting(&mut random, from))]);
            let (expected, found) = (e.eval(direct, &model), e.eval(lowered, &model));
            assert_eq!(found, expected, "{op:?} {from} {to}: {found:x} for {expected:x} under {model:x?}");
        }
    }
}

#[test]
fn lowering_keeps_the_value_of_expressions() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut exprs = Exprs::new();
        let mut known: Vec<Expr> = Vec::new();
        for step in plan(&mut random, 24) {
            known.push(step.build(&mut exprs, &known));
        }
        let mut lowering = Lowering::default();
        let pairs: Vec<(Expr, Expr)> =
            known.iter().map(|&expr| (expr, lowering.lower(&mut exprs, expr))).collect();
        for _ in 0..4 {
            let model = Model::from_iter((0..4).map(|number| (number, random.value(128))));
            for &(before, after) in &pairs {
                assert_eq!(exprs.eval(before, &model), exprs.eval(after, &model), "seed {seed}");
            }
        }
    }
}
