//! Circuits for sums, products and quotients.
//!
//! A product with a constant adds and subtracts as few shifted copies as possible (non-adjacent form). Quotients are
//! long division: a dividend that is known gives the quotient by propagation alone, which `q * c + r = a` for unknown `q`, `r` does not.

use super::super::sat::Lit;
use super::{Blaster, constant, known_value};
use crate::expr::{Node, Op};

impl Blaster {
    pub(super) fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let (bit, next) = self.gates.add_bits(a, b, carry);
            sum.push(bit);
            carry = next;
        }
        sum
    }

    pub(super) fn difference(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        self.sum(a, &flipped(b), Lit::TRUE)
    }

    /// The value, negated where `negate` holds.
    fn signed(&mut self, negate: Lit, bits: &[Lit]) -> Vec<Lit> {
        let flipped: Vec<Lit> = bits.iter().map(|&bit| self.gates.xor(bit, negate)).collect();
        self.sum(&flipped, &constant(bits.len(), 0), negate)
    }

    pub(super) fn product(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        if let Some(factor) = known_value(b) {
            return self.multiple(a, factor);
        }
        if let Some(factor) = known_value(a) {
            return self.multiple(b, factor);
        }
        // One row for each bit of the factor that has more constant bits.
        let constants = |bits: &[Lit]| bits.iter().filter(|bit| bit.is_constant()).count();
        let (rows, columns) = if constants(a) > constants(b) { (a, b) } else { (b, a) };
        let width = a.len();
        let mut sum = constant(width, 0);
        for (place, &row) in rows.iter().enumerate().filter(|(_, row)| **row != Lit::FALSE) {
            let copy: Vec<Lit> =
                columns[..width - place].iter().map(|&bit| self.gates.and(bit, row)).collect();
            let high = self.sum(&sum[place..], &copy, Lit::FALSE);
            sum.splice(place.., high);
        }
        sum
    }

    /// The product with a constant.
    fn multiple(&mut self, bits: &[Lit], mut factor: u128) -> Vec<Lit> {
        let width = bits.len();
        let mut sum = constant(width, 0);
        for place in 0..width {
            if factor & 1 == 1 {
                // 3 as 4 - 1: a digit of -1 where the next bit is set as well.
                let minus = factor & 2 == 2;
                let copy = &bits[..width - place];
                let high = if minus {
                    self.difference(&sum[place..], copy)
                } else {
                    self.sum(&sum[place..], copy, Lit::FALSE)
                };
                sum.splice(place.., high);
                factor = if minus { factor.wrapping_add(1) } else { factor };
            }
            factor >>= 1;
        }
        sum
    }

    pub(super) fn division(&mut self, node: &Node, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let key = (node.operand(0), node.operand(1));
        match node.op() {
            Op::UDiv | Op::URem => {
                if !self.quotients.contains_key(&key) {
                    let both = self.divide(a, b);
                    self.quotients.insert(key, both);
                }
                let (quotient, remainder) = &self.quotients[&key];
                if node.op() == Op::UDiv { quotient.clone() } else { remainder.clone() }
            }
            _ => self.signed_division(node.op(), a, b),
        }
    }

    fn signed_division(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (size_a, size_b) = (self.signed(sign_a, a), self.signed(sign_b, b));
        let (quotient, remainder) = self.divide(&size_a, &size_b);
        match op {
            Op::SDiv => {
                let negative = self.gates.xor(sign_a, sign_b);
                self.signed(negative, &quotient)
            }
            _ => self.signed(sign_a, &remainder),
        }
    }

    /// Unsigned quotient and remainder.
    fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        match known_value(b) {
            Some(0) => (constant(a.len(), u128::MAX), a.to_vec()),
            Some(divisor) => self.divide_by(a, divisor),
            None => self.long_division(a, b),
        }
    }

    /// Long division by a constant: what is left is always below the divisor, so each step is as narrow as that.
    fn divide_by(&mut self, a: &[Lit], divisor: u128) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len();
        let log = (127 - divisor.leading_zeros()) as usize;
        let constant_divisor = constant(log + 2, divisor);
        let mut quotient = vec![Lit::FALSE; width];
        let mut rest = a[width - log.min(width)..].to_vec();
        for place in (0..width.saturating_sub(log)).rev() {
            rest.insert(0, a[place]);
            rest.resize(log + 2, Lit::FALSE);
            let fits = !self.less(&rest, &constant_divisor);
            let less = self.difference(&rest, &constant_divisor);
            rest = self.choose(fits, &less, &rest);
            rest.truncate(log + 1);
            quotient[place] = fits;
        }
        rest.resize(width, Lit::FALSE);
        (quotient, rest)
    }

    /// Bit by bit from the top. For a divisor of 0 every step fits: all ones, and the dividend is left.
    fn long_division(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len();
        let mut divisor = b.to_vec();
        divisor.push(Lit::FALSE);
        let mut quotient = vec![Lit::FALSE; width];
        let mut rest = constant(width + 1, 0);
        for place in (0..width).rev() {
            rest.pop();
            rest.insert(0, a[place]);
            let fits = !self.less(&rest, &divisor);
            let less = self.difference(&rest, &divisor);
            rest = self.choose(fits, &less, &rest);
            quotient[place] = fits;
        }
        rest.pop();
        (quotient, rest)
    }
}

fn flipped(bits: &[Lit]) -> Vec<Lit> {
    bits.iter().map(|&bit| !bit).collect()
}
