//! What is written is read back to the same values; the recorded queries are read.

use super::*;
use crate::expr::random::{Random, plan};
use crate::expr::{Expr, Exprs, Model};

#[test]
fn what_is_written_is_read_back() {
    for seed in 0..1_500 {
        let mut random = Random::new(seed);
        let mut exprs = if seed % 2 == 0 { Exprs::new() } else { Exprs::without_rules() };
        let mut known: Vec<Expr> = Vec::new();
        for step in plan(&mut random, 20) {
            known.push(step.build(&mut exprs, &known));
        }
        let constraints: Vec<Expr> = known.iter().copied().filter(|&expr| exprs.width(expr) == 1).collect();
        let text = write(&exprs, &constraints, Floats::Names);
        let mut again = Exprs::new();
        let query = read(&mut again, &text).unwrap_or_else(|bad| panic!("{bad}\n{text}"));
        assert_eq!(query.constraints.len(), constraints.len());
        for _ in 0..4 {
            let model = Model::from_iter((0..4).map(|number| (number, random.value(128))));
            let by_name = query.names.iter().enumerate().map(|(place, name)| {
                let number: u32 = name[1..].parse().unwrap();
                (place as u32, model.get(number).unwrap())
            });
            let renamed = Model::from_iter(by_name);
            for (&before, &after) in constraints.iter().zip(&query.constraints) {
                assert_eq!(exprs.eval(before, &model), again.eval(after, &renamed), "seed {seed}\n{text}");
            }
        }
    }
}

#[test]
fn recorded_queries_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/queries");
    let mut files = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let query = read(&mut Exprs::new(), &text).unwrap();
        assert!(!query.constraints.is_empty());
        files += 1;
    }
    assert!(files >= 59);
}

#[test]
fn bad_text_is_an_error() {
    for text in [
        "(assert x)",
        "(assert",
        "(assert true))",
        "(declare-const x Int)",
        "(assert (bvadd #x00 #x00))",
        "(assert (= #x00 #x0000))",
        "(assert ((_ extract 9 0) #x00))",
        "(assert (bvudiv true))",
        "(assert (= (_ bv1 129) (_ bv1 129)))",
        "(push 1)",
        "(assert ())",
        "(assert #x)",
        "(assert (and))",
    ] {
        assert!(read(&mut Exprs::new(), text).is_err(), "{text}");
    }
    let deep = "(".repeat(100_000);
    assert!(read(&mut Exprs::new(), &deep).is_err());
}

#[test]
fn values_are_read() {
    let model = read_model("((x7 #x0a) (x9 true) (x12 (_ bv5 32)))").unwrap();
    assert_eq!(model, Model::from_iter([(7, 10), (9, 1), (12, 5)]));
    assert!(read_model("(error \"no model\")").is_err());
    assert!(read_model("sat").is_err());
}
