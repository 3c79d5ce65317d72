//! Panics of every kind: bounds, `unwrap`, division, overflow, an assertion and text cut inside of a character.
//! goals: 1, panics: 8

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (u32, u32) = (number(0, 1), number(1, 1));
    let array = [1_u32, 2, 3];
    match a {
        10 => goal(array[b as usize]),
        11 => goal(array.iter().copied().find(|value| *value == b).unwrap()),
        12 => goal(100 / b),
        13 => goal(b + 4_294_967_000),
        14 => assert!(b < 1000, "too large"),
        15 => drop(&"aäöü"[b as usize..]),
        16 => goal(1 << b),
        17 => goal(0 - b),
        _ => {}
    }
}
