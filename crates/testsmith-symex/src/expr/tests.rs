//! The table: equal nodes are one, sets of variables, values.

use super::*;

#[test]
fn equal_nodes_are_one_node() {
    let mut e = Exprs::new();
    let (x, y) = (e.variable(7, 32), e.variable(9, 32));
    assert_eq!(e.add(x, y), e.add(y, x));
    assert_ne!(e.sub(x, y), e.sub(y, x));
    let before = e.len();
    let _ = e.add(x, y);
    assert_eq!(e.len(), before);
}

#[test]
fn variables_of_an_expression_have_no_limit() {
    let mut e = Exprs::new();
    let inputs: Vec<Expr> = (0..500).map(|n| e.variable(n * 1000, 8)).collect();
    let sum = inputs.iter().copied().reduce(|a, b| e.add(a, b)).unwrap();
    assert_eq!(e.variables(sum).collect::<Vec<_>>(), inputs);
    assert!(e.share_variables(sum, inputs[499]));
    assert!(!e.share_variables(inputs[0], inputs[499]));
}

#[test]
fn deep_expressions_are_evaluated() {
    let mut e = Exprs::new();
    let x = e.variable(0, 32);
    let mut sum = x;
    for _ in 0..200_000 {
        let product = e.mul(sum, x);
        sum = e.add(product, x);
    }
    assert_eq!(e.eval(sum, &Model::from_iter([(0, 1)])), 200_001);
}

#[test]
fn wide_values_keep_all_bits() {
    let mut e = Exprs::new();
    let x = e.variable(3, 128);
    let big = e.constant(128, u128::MAX - 5);
    let sum = e.xor(x, big);
    assert_eq!(e.eval(sum, &Model::from_iter([(3, 1 << 100)])), (u128::MAX - 5) ^ 1 << 100);
    assert_eq!(e.as_constant(big), Some(u128::MAX - 5));
}

#[test]
fn text_is_readable() {
    let mut e = Exprs::new();
    let (x, c) = (e.variable(0, 8), e.constant(8, 10));
    let low = e.ult(x, c);
    let wide = e.zext(32, x);
    let zero = e.constant(32, 0);
    let value = e.ite(low, wide, zero);
    assert_eq!(e.show(value), "if((%0 < 10), %0, 0) as u32");
}

/// Variable 0 is a number, variable 1 a letter of a text.
struct Source;

impl Names for Source {
    fn name(&self, number: u32) -> String {
        ["n", "t[2]"][number as usize].to_owned()
    }

    fn is_letter(&self, number: u32) -> bool {
        number == 1
    }
}

#[test]
fn text_for_people_reads_like_source() {
    let mut e = Exprs::new();
    let (n, letter) = (e.variable(0, 32), e.variable(1, 8));
    let [minus_five, x] = [e.constant(32, u128::MAX - 4), e.constant(8, u128::from(b'x'))];
    let less = e.slt(n, minus_five);
    let other = e.ne(letter, x);
    let not_less = e.ult(letter, x);
    let not_less = e.not(not_less);
    let both = e.and(less, other);
    let text = |expr| e.text(expr, 400, &Source).to_string();
    assert_eq!(text(less), "n < -5");
    assert_eq!(text(other), "t[2] != 'x'");
    assert_eq!(text(not_less), "t[2] >= 'x'");
    assert_eq!(text(both), "(n < -5) & (t[2] != 'x')");
    assert_eq!(e.show(less), "(%0 <s 0xfffffffb)");
}
