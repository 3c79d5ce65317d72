//! Edition 2021: captured fields, arrays by value, `TryFrom` in scope, or-patterns.

/// A counter with a name.
pub struct Counter {
    pub name: String,
    pub count: u8,
}

impl Counter {
    /// Counts on while the name is borrowed.
    pub fn count(&mut self, by: u32) -> bool {
        let name = &self.name;
        let mut add = |n: u8| self.count = self.count.saturating_add(n);
        match u8::try_from(by) {
            Ok(n) => add(n),
            Err(_) => return false,
        }
        !name.is_empty()
    }
}

/// The largest of three.
pub fn largest(values: [u8; 3]) -> Option<u8> {
    values.into_iter().max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts() {
        let mut counter = Counter { name: "x".into(), count: 1 };
        assert!(counter.count(2));
        assert_eq!(counter.count, 3);
        assert!(!counter.count(256));
        assert_eq!(largest([1, 3, 2]), Some(3));
    }
}
