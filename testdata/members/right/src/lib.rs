//! Uses its neighbour.

/// Two more.
pub fn much_more(value: u32) -> u32 {
    left::more(left::more(value))
}
