//! The table of expressions: append-only, and equal nodes are one node.
//!
//! Main type: [`Exprs`]. A node takes 16 bytes, its set of variables and its place in the hash index 4 bytes each at least.
//! Neighbours: `build` has a function for each operation, `rules` simplifies before a node is made, `vars` holds the sets.

use rustc_hash::FxHashMap;

use super::bits::mask;
use super::node::{Expr, Node, Op, narrow};
use super::rules;
use super::vars::{VarSet, VarSets};

/// All expressions of a run, or of many: an [`Expr`] stays valid for ever, so the one who adds looks at [`Exprs::len`].
#[derive(Clone)]
pub struct Exprs {
    nodes: Vec<Node>,
    sets: Vec<VarSet>,
    index: Vec<u32>,
    wide: Vec<u128>,
    wide_index: FxHashMap<u128, u32>,
    variables: Vec<u32>,
    variable_index: FxHashMap<u32, Expr>,
    var_sets: VarSets,
    simplifies: bool,
    /// How many nodes are being made inside each other, and how many rules may still be applied for the outermost.
    nesting: u32,
    rules_left: u32,
}

impl Default for Exprs {
    fn default() -> Self {
        Self::new()
    }
}

impl Exprs {
    /// The truth value false, in every table.
    pub const FALSE: Expr = match Expr::from_raw(1) {
        Some(expr) => expr,
        None => unreachable!(),
    };
    /// The truth value true, in every table.
    pub const TRUE: Expr = match Expr::from_raw(2) {
        Some(expr) => expr,
        None => unreachable!(),
    };

    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::with_rules(true)
    }

    /// A table that keeps every node as it is asked for: the other side in tests of the rules.
    #[must_use]
    pub fn without_rules() -> Self {
        Self::with_rules(false)
    }

    fn with_rules(simplifies: bool) -> Self {
        let mut exprs = Self {
            nodes: Vec::new(),
            sets: Vec::new(),
            index: vec![0; 1024],
            wide: Vec::new(),
            wide_index: FxHashMap::default(),
            variables: Vec::new(),
            variable_index: FxHashMap::default(),
            var_sets: VarSets::new(),
            simplifies,
            nesting: 0,
            rules_left: 0,
        };
        assert_eq!([exprs.constant(1, 0), exprs.constant(1, 1)], [Self::FALSE, Self::TRUE]);
        exprs
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: true and false are always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Memory in use, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * (size_of::<Node>() + size_of::<VarSet>())
            + self.index.capacity() * size_of::<u32>()
            + self.var_sets.bytes()
    }

    /// The node behind an expression.
    #[must_use]
    pub fn node(&self, expr: Expr) -> Node {
        self.nodes[expr.index()]
    }

    /// Its operation.
    #[must_use]
    pub fn op(&self, expr: Expr) -> Op {
        self.nodes[expr.index()].op
    }

    /// Its width in bits.
    #[must_use]
    pub fn width(&self, expr: Expr) -> u32 {
        self.nodes[expr.index()].width()
    }

    /// The value that it always has.
    #[must_use]
    pub fn as_constant(&self, expr: Expr) -> Option<u128> {
        let node = &self.nodes[expr.index()];
        (node.op == Op::Const).then(|| self.content(node))
    }

    fn content(&self, node: &Node) -> u128 {
        match node.low {
            0 => u128::from(node.words[0]) | u128::from(node.words[1]) << 32,
            _ => self.wide[node.words[0] as usize],
        }
    }

    /// The number of a variable.
    #[must_use]
    pub fn as_variable(&self, expr: Expr) -> Option<u32> {
        let node = &self.nodes[expr.index()];
        (node.op == Op::Var).then(|| self.variables[node.words[0] as usize])
    }

    /// The constant `value`, cut to `width` bits.
    pub fn constant(&mut self, width: u32, value: u128) -> Expr {
        let value = value & mask(width);
        let mut node = Node { op: Op::Const, width: narrow(width), low: 0, words: [0; 3] };
        if value <= u128::from(u64::MAX) {
            node.words = [value as u32, (value >> 32) as u32, 0];
        } else {
            node.low = 1;
            node.words[0] = *self.wide_index.entry(value).or_insert_with(|| {
                self.wide.push(value);
                self.wide.len() as u32 - 1
            });
        }
        self.intern(node)
    }

    /// The variable of this number. Numbers are the caller's own and need not be dense.
    ///
    /// # Panics
    /// When the number already stands for a variable of another width.
    pub fn variable(&mut self, number: u32, width: u32) -> Expr {
        if let Some(&known) = self.variable_index.get(&number) {
            assert_eq!(self.width(known), width, "variable {number} has one width");
            return known;
        }
        let place = self.variables.len() as u32;
        self.variables.push(number);
        let node = Node { op: Op::Var, width: narrow(width), low: 0, words: [place, 0, 0] };
        let variable = self.intern(node);
        self.variable_index.insert(number, variable);
        variable
    }

    /// The variable of this number, if it was made.
    #[must_use]
    pub fn find_variable(&self, number: u32) -> Option<Expr> {
        self.variable_index.get(&number).copied()
    }

    /// The variables that an expression depends on, as [`Exprs::variable`] made them, in the order in which they were made.
    pub fn variables(&self, expr: Expr) -> impl Iterator<Item = Expr> {
        let members = self.var_sets.members(self.sets[expr.index()]);
        members.map(|place| self.variable_index[&self.variables[place as usize]])
    }

    /// The set of variables itself: equal sets are equal values.
    #[must_use]
    pub fn var_set(&self, expr: Expr) -> VarSet {
        self.sets[expr.index()]
    }

    /// Whether two expressions have a variable in common.
    #[must_use]
    pub fn share_variables(&self, a: Expr, b: Expr) -> bool {
        self.var_sets.intersect(self.var_set(a), self.var_set(b))
    }

    /// The node simplified, or as it is.
    pub(super) fn make(&mut self, mut node: Node) -> Expr {
        self.order(&mut node);
        if !self.simplifies {
            return self.intern(node);
        }
        if self.nesting == 0 {
            self.rules_left = rules::LIMIT;
        }
        self.nesting += 1;
        let simpler = self.simplified(&node);
        self.nesting -= 1;
        simpler.unwrap_or_else(|| self.intern(node))
    }

    fn simplified(&mut self, node: &Node) -> Option<Expr> {
        if let Some(value) = rules::fold(self, node) {
            return Some(value);
        }
        self.rules_left = self.rules_left.checked_sub(1)?;
        let simpler = rules::simplify(self, node)?;
        debug_assert_eq!(self.width(simpler), node.width(), "{node:?}");
        Some(simpler)
    }

    /// Constants stand on the right, else the older operand on the left, so that `a + b` and `b + a` are one node.
    pub(super) fn order(&self, node: &mut Node) {
        if !node.op.commutes() {
            return;
        }
        let key = |raw: u32| (self.nodes[raw as usize - 1].op == Op::Const, raw);
        if key(node.words[1]) < key(node.words[0]) {
            node.words.swap(0, 1);
        }
    }

    fn intern(&mut self, node: Node) -> Expr {
        let mut at = self.slot(&node);
        while self.index[at] != 0 {
            let found = self.index[at];
            if self.nodes[found as usize - 1] == node {
                return Expr::from_raw(found).expect("0 is an empty slot");
            }
            at = (at + 1) & (self.index.len() - 1);
        }
        let set = self.variables_of(&node);
        let expr = Expr::from_index(self.nodes.len());
        self.nodes.push(node);
        self.sets.push(set);
        self.index[at] = expr.raw();
        if self.nodes.len() * 4 > self.index.len() * 3 {
            self.grow();
        }
        expr
    }

    fn variables_of(&mut self, node: &Node) -> VarSet {
        if node.op == Op::Var {
            return self.var_sets.single(node.words[0]);
        }
        let sets = &self.sets;
        node.operands()
            .map(|operand| sets[operand.index()])
            .fold(VarSet::EMPTY, |all, set| self.var_sets.union(all, set))
    }

    fn slot(&self, node: &Node) -> usize {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let head = u64::from(node.op as u8) | u64::from(node.width) << 8 | u64::from(node.low) << 16;
        let [a, b, c] = node.words.map(u64::from);
        let mixed =
            ((head << 32 | c).wrapping_mul(FACTOR).rotate_left(29) ^ (a << 32 | b)).wrapping_mul(FACTOR);
        (mixed ^ mixed >> 32) as usize & (self.index.len() - 1)
    }

    fn grow(&mut self) {
        self.index = vec![0; self.index.len() * 2];
        for place in 0..self.nodes.len() {
            let mut at = self.slot(&self.nodes[place]);
            while self.index[at] != 0 {
                at = (at + 1) & (self.index.len() - 1);
            }
            self.index[at] = place as u32 + 1;
        }
    }
}
