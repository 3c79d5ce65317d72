//! The embedded solver against evaluation: what it finds holds, and what it calls impossible is.

use super::*;
use crate::expr::Op;
use crate::expr::random::{Random, Step, plan};

/// A random expression equals the value that it has under a random model; the solver finds a model, or proves that
/// the value cannot be another one when the variables are fixed.
#[test]
fn circuits_compute_what_evaluation_computes() {
    for seed in 0..600 {
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

/// Two factors of a prime, without the wrap: nobody proves soon that there are none.
fn factors_of_a_prime(e: &mut Exprs) -> Vec<Expr> {
    let (x, y) = (e.variable(0, 64), e.variable(1, 64));
    let (p, q) = (e.zext(128, x), e.zext(128, y));
    let product = e.mul(p, q);
    let (prime, one) = (e.constant(128, 0x7fff_ffff_ffff_ffff_ffff_ffff_ffff_ffff), e.constant(64, 1));
    vec![e.eq(product, prime), e.ult(one, x), e.ult(x, y)]
}

#[test]
fn the_limit_of_steps_is_unknown() {
    let mut e = Exprs::new();
    let constraints = factors_of_a_prime(&mut e);
    let limit = Limit::default().and_steps(5);
    assert_eq!(Embedded::new().check(&mut e, &constraints, &limit), Answer::Unknown(Reason::Steps));
}

#[test]
fn the_limit_of_time_is_kept() {
    let mut e = Exprs::new();
    let constraints = factors_of_a_prime(&mut e);
    let began = Instant::now();
    let limit = Limit::time(Duration::from_millis(300));
    assert_eq!(Layered::new().check(&mut e, &constraints, &limit), Answer::Unknown(Reason::Time));
    // Generous, for a machine that does something else as well.
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

/// What `Layered` says of random conjunctions, floats included, is what trying all values says.
#[test]
fn all_layers_agree_with_trying_every_value() {
    let mut counts = [0; 2];
    for seed in 0..250 {
        let mut random = Random::new(seed);
        let mut exprs = Exprs::new();
        let (x, y) = (exprs.variable(0, 4), exprs.variable(1, 5));
        let float = exprs.convert(Op::FFromS, 32, y);
        let (wide, half) = (exprs.zext(32, x), exprs.float_constant(32, 0.5));
        let product = exprs.fmul(float, half);
        let mut known = vec![x, y, float, wide, product];
        let mut truths = Vec::new();
        for _ in 0..30 {
            let a = random.pick(&known);
            let width = exprs.width(a);
            let b = match random.below(3) {
                0 => exprs.constant(width, random.value(width)),
                _ => random.pick(&known),
            };
            let b = if exprs.width(b) > width { exprs.extract(0, width, b) } else { exprs.sext(width, b) };
            let integer = [Op::Add, Op::Mul, Op::URem, Op::SDiv, Op::Xor, Op::Eq, Op::Ult, Op::Slt];
            let floats = [Op::FAdd, Op::FMul, Op::FLt, Op::FEq, Op::FLe, Op::Eq, Op::Add, Op::Slt];
            let op = random.pick(if width == 32 { &floats } else { &integer });
            let expr = exprs.binary(op, a, b);
            if exprs.width(expr) == 1 { truths.push(expr) } else { known.push(expr) }
        }
        let mut solver = Layered::new();
        for _ in 0..4 {
            let mut constraints: Vec<Expr> = Vec::new();
            for _ in 0..3 {
                let truth = random.pick(&truths);
                constraints.push(if random.below(2) == 0 { truth } else { exprs.not(truth) });
            }
            let any = (0..512).any(|values| {
                let model = Model::from_iter([(0, values % 16), (1, values / 16)]);
                constraints.iter().all(|&constraint| exprs.eval(constraint, &model) == 1)
            });
            let answer = solver.check(&mut exprs, &constraints, &Limit::default());
            let text = || constraints.iter().map(|&c| exprs.show(c)).collect::<Vec<_>>().join(" AND ");
            assert_eq!(answer.word(), if any { "sat" } else { "unsat" }, "seed {seed}: {}", text());
            counts[usize::from(any)] += 1;
        }
        assert_eq!(solver.statistics().wrong_models, 0);
    }
    assert!(counts.iter().all(|&count| count > 80), "{counts:?}");
}

#[test]
fn a_query_that_was_asked_before_is_known() {
    let mut e = Exprs::new();
    let (x, y) = (e.variable(0, 32), e.variable(1, 32));
    let (seven, nine) = (e.constant(32, 7), e.constant(32, 9));
    let squares = [e.mul(x, x), e.mul(y, y)];
    let constraints = [e.eq(squares[0], seven), e.eq(squares[1], nine)];
    let mut solver = Layered::new();
    assert_eq!(solver.check(&mut e, &constraints, &Limit::default()), Answer::Unsat);
    let before = solver.statistics();
    assert_eq!(solver.check(&mut e, &constraints[..1], &Limit::default()), Answer::Unsat);
    assert_eq!(solver.statistics().known, before.known + 1);
    assert_eq!(solver.statistics().incremental, before.incremental);
}

/// A solver that says what it likes.
struct Liar(Answer);

impl Solver for Liar {
    fn name(&self) -> &str {
        "liar"
    }

    fn check(&mut self, _: &mut Exprs, _: &[Expr], _: &Limit) -> Answer {
        self.0.clone()
    }
}

#[test]
fn a_wrong_model_is_counted_and_not_used() {
    let mut e = Exprs::new();
    let (x, y, one) = (e.variable(0, 128), e.variable(1, 128), e.constant(128, 1));
    let product = e.mul(x, y);
    let target = e.constant(128, 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ff61);
    let constraints = [e.eq(product, target), e.ult(one, x), e.ult(one, y), e.ult(x, y)];
    let liar = Liar(Answer::Sat(Model::from_iter([(0, 3), (1, 5)])));
    let mut solver = Layered::new().with_external(Box::new(liar));
    let answer = solver.check(&mut e, &constraints, &Limit::default().and_steps(10));
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert_eq!(solver.statistics().wrong_models, 1);
    assert_eq!(solver.statistics().unknown, 1);
}
