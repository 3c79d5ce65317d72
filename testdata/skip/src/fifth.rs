//! Marked where it is declared.

pub fn answer() -> u32 {
    40 + 2
}
