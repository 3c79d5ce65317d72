//! Simplified and unsimplified expressions have the same value under random models; each rule is met on the way.

use std::collections::BTreeSet;

use super::*;
use crate::expr::Model;
use crate::expr::random::{Random, plan};

/// Builds the same random expressions in both tables and compares values under random models.
#[test]
fn rules_keep_the_value() {
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let steps = plan(&mut random, 24);
        let (mut simple, mut plain) = (Exprs::new(), Exprs::without_rules());
        let mut pairs = Vec::new();
        for step in &steps {
            let build = |exprs: &mut Exprs, known: &[Expr]| step.build(exprs, known);
            let left: Vec<Expr> = pairs.iter().map(|&(a, _)| a).collect();
            let right: Vec<Expr> = pairs.iter().map(|&(_, b)| b).collect();
            pairs.push((build(&mut simple, &left), build(&mut plain, &right)));
        }
        for _ in 0..4 {
            let model = Model::from_iter((0..4).map(|number| (number, random.value(128))));
            for &(a, b) in &pairs {
                let (found, expected) = (simple.eval(a, &model), plain.eval(b, &model));
                let text = || format!("seed {seed}: {} for {}", simple.show(a), plain.show(b));
                assert_eq!(found, expected, "{} under {model:?}", text());
                let (least, most) = simple.bounds(a);
                assert!((least..=most).contains(&found), "bounds {least}..={most}, {}", text());
            }
        }
    }
}

#[test]
fn names_of_rules_are_unique() {
    let names: Vec<&str> = all_rules().map(|(_, rule)| rule.name).collect();
    assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
}

/// A rule that no random expression meets is either wrong or not worth having.
#[test]
fn every_rule_is_met() {
    let mut met = BTreeSet::new();
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let mut exprs = Exprs::new();
        let mut known = Vec::new();
        for step in plan(&mut random, 24) {
            if let Some(node) = step.node(&exprs, &known) {
                met.extend(rule_for(&mut exprs, node));
            }
            known.push(step.build(&mut exprs, &known));
        }
    }
    let missed: Vec<&str> =
        all_rules().map(|(_, rule)| rule.name).filter(|name| !met.contains(name)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// The first rule that applies to the node as it was asked for.
fn rule_for(exprs: &mut Exprs, mut node: Node) -> Option<&'static str> {
    exprs.order(&mut node);
    if fold(exprs, &node).is_some() {
        return None;
    }
    rules_of(node.op()).iter().find(|rule| (rule.apply)(exprs, &node).is_some()).map(|rule| rule.name)
}

fn all_rules() -> impl Iterator<Item = (Op, &'static Rule)> {
    let operations = [
        Op::Not,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::UDiv,
        Op::SDiv,
        Op::URem,
        Op::SRem,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Shl,
        Op::LShr,
        Op::AShr,
        Op::Eq,
        Op::Ult,
        Op::Slt,
        Op::Ite,
        Op::Extract,
        Op::Concat,
        Op::ZExt,
        Op::SExt,
        Op::FLt,
        Op::FToS,
    ];
    operations.into_iter().flat_map(|op| rules_of(op).iter().map(move |rule| (op, rule)))
}
