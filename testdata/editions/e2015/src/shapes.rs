//! An absolute path into this crate.

/// Something flat.
pub trait Shape {
    /// How large it is.
    fn area(&self) -> i64;
}

/// A square.
pub struct Square(pub i64);

impl ::shapes::Shape for Square {
    fn area(&self) -> i64 {
        self.0 * self.0
    }
}
