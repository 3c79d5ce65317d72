//! Edition 2015: paths start at the crate, trait objects are bare, modules are declared before use.

extern crate core;

mod old;
mod shapes;

use shapes::Shape;
pub use old::sum;

/// Whether two shapes are equally large.
pub fn same(a: &Shape, b: &Box<Shape>) -> bool {
    a.area() == b.area()
}

/// The smaller of two, by an absolute path.
pub fn smaller(a: u8, b: u8) -> u8 {
    ::core::cmp::min(a, b)
}

#[cfg(test)]
mod tests {
    use shapes::Square;

    #[test]
    fn squares_of_one_size_are_the_same() {
        assert!(super::same(&Square(2), &(Box::new(Square(2)) as Box<::Shape>)));
        assert!(!super::same(&Square(2), &(Box::new(Square(3)) as Box<::Shape>)));
        assert_eq!((::Shape::area(&Square(3)), ::Shape::area(&Square(-3))), (9, 9));
        assert_eq!(super::smaller(3, 2), 2);
        assert_eq!(::sum("1", "2"), Ok(3));
    }
}
