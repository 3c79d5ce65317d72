//! Gates over literals: equal gates are one gate, and each becomes clauses when it is made.
//!
//! Main type: [`Gates`]. A gate means the same in both directions (Tseitin), so that any literal may be assumed later, true or
//! false. Neighbours: `blast` makes circuits of gates, `sat` takes the clauses.

use rustc_hash::FxHashMap;

use super::sat::{Lit, Sat};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    And,
    Xor,
    Mux,
    Majority,
}

pub(super) struct Gates {
    pub(super) sat: Sat,
    known: FxHashMap<(Kind, [Lit; 3]), Lit>,
    conjunctions: FxHashMap<Box<[Lit]>, Lit>,
}

impl Gates {
    pub(super) fn new() -> Self {
        Self { sat: Sat::new(), known: FxHashMap::default(), conjunctions: FxHashMap::default() }
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
            (Lit::TRUE, x) | (x, Lit::TRUE) => x,
            _ if a == b => a,
            _ if a == !b => Lit::FALSE,
            _ => self.gate(Kind::And, [a.min(b), a.max(b), Lit::TRUE], |sat, out| {
                sat.add(&[!out, a]);
                sat.add(&[!out, b]);
                sat.add(&[out, !a, !b]);
            }),
        }
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// The conjunction of many as one gate.
    pub(super) fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut lits: Vec<Lit> = lits.into_iter().filter(|&lit| lit != Lit::TRUE).collect();
        lits.sort_unstable();
        lits.dedup();
        // A literal and its negation are neighbours.
        if lits.contains(&Lit::FALSE) || lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        match lits[..] {
            [] => Lit::TRUE,
            [one] => one,
            [a, b] => self.and(a, b),
            _ => self.conjunction(lits),
        }
    }

    fn conjunction(&mut self, lits: Vec<Lit>) -> Lit {
        if let Some(&known) = self.conjunctions.get(lits.as_slice()) {
            return known;
        }
        let out = self.sat.variable();
        let mut clause = vec![out];
        for &lit in &lits {
            self.sat.add(&[!out, lit]);
            clause.push(!lit);
        }
        self.sat.add(&clause);
        self.conjunctions.insert(lits.into(), out);
        out
    }

    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.negated() != b.negated();
        let (a, b) = (a.flip(a.negated()), b.flip(b.negated()));
        match (a, b) {
            (Lit::TRUE, x) | (x, Lit::TRUE) => (!x).flip(negate),
            _ if a == b => Lit::FALSE.flip(negate),
            _ => {
                let out = self.gate(Kind::Xor, [a.min(b), a.max(b), Lit::TRUE], |sat, out| {
                    sat.add(&[!out, a, b]);
                    sat.add(&[!out, !a, !b]);
                    sat.add(&[out, !a, b]);
                    sat.add(&[out, a, !b]);
                });
                out.flip(negate)
            }
        }
    }

    /// `then` where `condition`, else `otherwise`.
    pub(super) fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if condition.negated() {
            return self.mux(!condition, otherwise, then);
        }
        match (condition, then, otherwise) {
            (Lit::TRUE, ..) => then,
            _ if then == otherwise => then,
            _ if then == !otherwise => !self.xor(condition, then),
            (c, Lit::TRUE, x) => self.or(c, x),
            (c, Lit::FALSE, x) => self.and(!c, x),
            (c, x, Lit::TRUE) => self.or(!c, x),
            (c, x, Lit::FALSE) => self.and(c, x),
            (c, a, b) if a == c => self.or(c, b),
            (c, a, b) if a == !c => self.and(!c, b),
            (c, a, b) if b == c => self.and(c, a),
            (c, a, b) if b == !c => self.or(!c, a),
            (c, a, b) => self.gate(Kind::Mux, [c, a, b], |sat, out| {
                sat.add(&[!c, !a, out]);
                sat.add(&[!c, a, !out]);
                sat.add(&[c, !b, out]);
                sat.add(&[c, b, !out]);
                // Implied, but propagation alone does not see them.
                sat.add(&[!a, !b, out]);
                sat.add(&[a, b, !out]);
            }),
        }
    }

    /// Whether at least two of three hold: the carry of a sum.
    pub(super) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable();
        let [a, b, c] = lits;
        match (a, b, c) {
            (Lit::TRUE, Lit::FALSE, c) => c,
            (Lit::TRUE, ..) => self.or(b, c),
            (Lit::FALSE, ..) => self.and(b, c),
            _ if a == b || b == c => b,
            _ if a == !b => c,
            _ if b == !c => a,
            _ => {
                // All three negated is the negation: keep the first one plain.
                let negate = a.negated();
                let [a, b, c] = lits.map(|lit| lit.flip(negate));
                let out = self.gate(Kind::Majority, [a, b, c], |sat, out| {
                    for (x, y) in [(a, b), (a, c), (b, c)] {
                        sat.add(&[!x, !y, out]);
                        sat.add(&[x, y, !out]);
                    }
                });
                out.flip(negate)
            }
        }
    }

    /// The sum and the carry of three bits.
    pub(super) fn add_bits(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        (self.xor(half, c), self.majority(a, b, c))
    }

    fn gate(&mut self, kind: Kind, inputs: [Lit; 3], clauses: impl FnOnce(&mut Sat, Lit)) -> Lit {
        if let Some(&known) = self.known.get(&(kind, inputs)) {
            return known;
        }
        let out = self.sat.variable();
        clauses(&mut self.sat, out);
        self.known.insert((kind, inputs), out);
        out
    }
}
