//! The limit itself is tried with one function only, which is enough.

use macros::{is_big, is_even, is_huge, kilometres, metres};

#[test]
fn numbers_are_compared() {
    assert!(is_big(10) && !is_big(9) && !is_big(1));
    assert!(is_huge(1000));
}

#[test]
fn units_are_converted() {
    assert_eq!((metres(3), kilometres(2)), (3, 2000));
}

#[test]
fn even_numbers_are_even() {
    assert!(is_even(4) && !is_even(5));
}
