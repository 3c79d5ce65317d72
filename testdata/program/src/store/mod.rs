//! What there is.

use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub struct Store {
    amounts: BTreeMap<String, u32>,
}

impl Store {
    pub fn new() -> Store {
        Store::default()
    }

    /// Adds so much of it.
    pub fn put(&mut self, name: &str, amount: u32) {
        let known = self.amounts.entry(name.to_owned()).or_insert(0);
        *known = plus(*known, amount);
    }

    pub fn kinds(&self) -> usize {
        self.amounts.len()
    }

    pub fn total(&self) -> u32 {
        self.amounts.values().fold(0, |sum, amount| plus(sum, *amount))
    }
}

/// There is never more than a number can hold.
fn plus(a: u32, b: u32) -> u32 {
    a.saturating_add(b)
}
