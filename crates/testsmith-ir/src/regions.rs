//! Where mutants stand in the control flow of the code under test, as numbers: what has to come out true or false before
//! a mutant's place is executed.
//!
//! A region is a stretch of code that is executed under one more condition than what is around it: the body of an `if`,
//! the arm of a `match`, what follows an early return. Regions of a function form a tree, and a mutant stands in one of
//! them. From the depth of the region that an execution came to, and from how far the next condition was from the
//! wanted answer, follow approach level and branch distance.

/// A condition that came out, or has to come out, in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side {
    /// The number under which a traced run reports the condition's distances.
    pub probe: u32,
    /// The answer.
    pub answer: bool,
}

/// Code that is executed under one more condition than its parent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Index of its function.
    pub function: usize,
    /// The region around it; none for the body of a function.
    pub parent: Option<usize>,
    /// One of these lets the execution in. Empty where the condition has no probe, such as a pattern.
    pub sides: Vec<Side>,
    /// Mutants that stand in this region and in none inside of it, in order.
    pub mutants: Vec<u32>,
}

/// The regions of some code, parents before their children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// All of them.
    pub all: Vec<Region>,
    /// Every condition with a probe: its number and the index of its function. Both sides are goals.
    pub probes: Vec<(u32, usize)>,
}

impl Regions {
    /// The region of each mutant, by number; number 0 is nobody.
    pub fn by_mutant(&self, mutants: usize) -> Vec<Option<usize>> {
        let mut found = vec![None; mutants + 1];
        for (at, region) in self.all.iter().enumerate() {
            region.mutants.iter().for_each(|mutant| found[*mutant as usize] = Some(at));
        }
        found
    }

    /// The way to a region from the body of its function, which comes first.
    pub fn way(&self, region: usize) -> Vec<usize> {
        let mut way: Vec<usize> = std::iter::successors(Some(region), |at| self.all[*at].parent).collect();
        way.reverse();
        way
    }

    /// The regions directly inside of each.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.all.len()];
        for (at, region) in self.all.iter().enumerate() {
            if let Some(parent) = region.parent {
                children[parent].push(at);
            }
        }
        children
    }
}
