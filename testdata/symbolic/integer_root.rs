//! The integer square root by Newton.
//! goals: 2

mod support;
use support::{goal, number};

fn root(square: u32) -> u32 {
    if square < 2 {
        return square;
    }
    let mut guess = 1 << (square.ilog2() / 2 + 1);
    loop {
        let next = (guess + square / guess) / 2;
        if next >= guess {
            return guess;
        }
        guess = next;
    }
}

#[unsafe(no_mangle)]
extern "C" fn run() {
    let square: u32 = number(0, 0);
    let root = root(square);
    if root == 1234 {
        goal(0);
    }
    if root > 1 && root * root == square && root % 100 == 77 {
        goal(1);
    }
}
