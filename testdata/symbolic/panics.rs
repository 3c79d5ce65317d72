//! Panics of every kind: bounds, `unwrap`, division, overflow, an assertion and text cut inside of a character.
//! goals: 1, panics: 8

use std::hint::black_box;

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (u32, u32) = (number(0, 1), number(1, 1));
    let array = [1_u32, 2, 3];
    match a {
        10 => drop(black_box(array[b as usize])),
        11 => drop(black_box(array.iter().copied().find(|value| *value == b).unwrap())),
        12 => drop(black_box(100 / b)),
        13 => drop(black_box(b + 4_294_967_000)),
        14 => assert!(b < 1000, "too large"),
        15 => drop(black_box(&"aäöü"[b as usize..])),
        16 => drop(black_box(1 << b)),
        17 => drop(black_box(0 - b)),
        _ => goal(0),
    }
}
