//! Uses a macro of its own workspace.

use macros::Name;

/// A cat.
#[derive(Name)]
pub struct Cat {
    pub lives: u8,
}

impl Cat {
    /// Whether it goes on.
    pub fn is_alive(&self) -> bool {
        self.lives > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cat_has_a_name_and_lives() {
        assert_eq!(Cat::name(), "Cat");
        assert!(Cat { lives: 9 }.is_alive());
    }
}
