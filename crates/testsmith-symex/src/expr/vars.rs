//! Sets of variables, of any size: each different set is kept once and named by a number.
//!
//! Main types: [`VarSet`], the number, and [`VarSets`], which `table` keeps. Most expressions have the set of one of
//! their operands, so a union is mostly a comparison of two numbers.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// A set of variables of one table; equal sets are equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarSet(u32);

impl VarSet {
    /// The set of a constant.
    pub const EMPTY: Self = Self(0);
}

/// A set as bits: variable `n` is bit `n % 64` of word `n / 64`. The last word is never 0.
type Words = Rc<[u64]>;

#[derive(Clone)]
pub(super) struct VarSets {
    sets: Vec<Words>,
    index: FxHashMap<Words, VarSet>,
    unions: FxHashMap<(VarSet, VarSet), VarSet>,
    words: usize,
}

impl VarSets {
    pub(super) fn new() -> Self {
        let empty: Words = Rc::new([]);
        let index = FxHashMap::from_iter([(empty.clone(), VarSet::EMPTY)]);
        Self { sets: vec![empty], index, unions: FxHashMap::default(), words: 0 }
    }

    pub(super) fn bytes(&self) -> usize {
        self.words * 8 + self.sets.len() * 48 + self.unions.len() * 16
    }

    pub(super) fn single(&mut self, place: u32) -> VarSet {
        let mut words = vec![0; place as usize / 64 + 1];
        words[place as usize / 64] = 1 << (place % 64);
        self.intern(words)
    }

    pub(super) fn union(&mut self, a: VarSet, b: VarSet) -> VarSet {
        if a == b || b == VarSet::EMPTY {
            return a;
        }
        if a == VarSet::EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let (short, long) = self.by_length(a, b);
        let mut words = long.to_vec();
        for (word, more) in words.iter_mut().zip(short) {
            *word |= more;
        }
        let union = self.intern(words);
        self.unions.insert(key, union);
        union
    }

    pub(super) fn intersect(&self, a: VarSet, b: VarSet) -> bool {
        let (short, long) = self.by_length(a, b);
        short.iter().zip(long).any(|(a, b)| a & b != 0)
    }

    pub(super) fn members(&self, set: VarSet) -> impl Iterator<Item = u32> + '_ {
        let words = self.sets[set.0 as usize].iter().enumerate();
        words.flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at as u32 * 64 + bit)
        })
    }

    fn by_length(&self, a: VarSet, b: VarSet) -> (&[u64], &[u64]) {
        let (a, b) = (&*self.sets[a.0 as usize], &*self.sets[b.0 as usize]);
        if a.len() <= b.len() { (a, b) } else { (b, a) }
    }

    fn intern(&mut self, words: Vec<u64>) -> VarSet {
        if let Some(&known) = self.index.get(words.as_slice()) {
            return known;
        }
        self.words += words.len();
        let words: Words = words.into();
        let set = VarSet(self.sets.len() as u32);
        self.sets.push(words.clone());
        self.index.insert(words, set);
        set
    }
}
