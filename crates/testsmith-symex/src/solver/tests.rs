//! The embedded solver against evaluation: what it finds holds, and what it calls impossible is.

use super::*;
use crate::expr::Op;
use crate::expr::random::{Random, Step, plan};

/// A random expression equals the value that it has under a random model; the solver finds a model, or proves that
/// the value cannot be another one when the variables are fixed.
#[test]
fn circuits_compute_what_evaluation_computes() {
    for seed in 0..1_500 {
        let mut random = Random::new(seed);
        let steps = plan(&mut random, 14);
        let mut exprs = if seed % 2 == 0 { Exprs::new() } else { Exprs::without_rules() };
        let mut known: Vec<Expr> = Vec::new();
        for step in &steps {
            if matches!(step, Step::Node { op, .. } if op.is_float()) {
                break;
            }
            known.push(step.build(&mut exprs, &known));
        }
        let mut solver = Embedded::new();
        for _ in 0..3 {
            let model = Model::from_iter((0..4).map(|number| (number, random.value(128))));
            let root = known[known.len() - 1 - random.below(known.len().min(4))];
            let value = exprs.eval(root, &model);
            let value = exprs.constant(exprs.width(root), value);
            let mut constraints = Vec::new();
            for number in 0..4 {
                let variable = exprs.find_variable(number).unwrap();
                let fixed = exprs.constant(exprs.width(variable), model.get(number).unwrap());
                constraints.push(exprs.eq(variable, fixed));
            }
            let equal = exprs.eq(root, value);
            let differ = exprs.not(equal);
            let text = || format!("seed {seed}: {}", exprs.show(root));
            constraints.push(equal);
            let found = solver.check(&mut exprs.clone(), &constraints, &Limit::default());
            assert!(matches!(found, Answer::Sat(_)), "{} {found:?}", text());
            constraints.pop();
            constraints.push(differ);
            let found = solver.check(&mut exprs.clone(), &constraints, &Limit::default());
            assert_eq!(found, Answer::Unsat, "{}", text());
        }
    }
}

#[test]
fn a_product_is_taken_apart() {
    let mut e = Exprs::new();
    let (x, y) = (e.variable(0, 64), e.variable(1, 64));
    let product = e.mul(x, y);
    let (target, one) = (e.constant(64, 143), e.constant(64, 1));
    let constraints =
        [e.eq(product, target), e.ult(one, x), e.ult(one, y), e.ult(x, target), e.ult(y, target)];
    let Answer::Sat(model) = Embedded::new().check(&mut e, &constraints, &Limit::default()) else { panic!() };
    assert!(constraints.iter().all(|&constraint| e.eval(constraint, &model) == 1), "{model:?}");
}

#[test]
fn the_limit_of_steps_is_unknown() {
    let mut e = Exprs::new();
    let (x, y) = (e.variable(0, 128), e.variable(1, 128));
    let one = e.constant(128, 1);
    let product = e.binary(Op::Mul, x, y);
    let prime = e.constant(128, 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ff61);
    let constraints = [e.eq(product, prime), e.ult(one, x), e.ult(x, y)];
    let limit = Limit::default().and_steps(5);
    assert_eq!(Embedded::new().check(&mut e, &constraints, &limit), Answer::Unknown(Reason::Steps));
}
