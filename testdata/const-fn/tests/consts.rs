//! `next` is needed in a const context here.

use const_fn::{is_even, next, Buffer, Step, SIZE};

const THREE: u32 = next(2);

#[test]
fn constants_are_right() {
    assert_eq!((THREE, SIZE), (3, 12));
    assert_eq!(Buffer([0; SIZE]).0.len(), 12);
}

#[test]
fn functions_are_right() {
    assert!(is_even(4) && !is_even(3));
    assert_eq!(Step(1).further(), 6);
}
