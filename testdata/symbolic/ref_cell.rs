//! Borrows at run time: a cell that is borrowed twice panics.
//! goals: 2, panics: 1

use std::cell::RefCell;

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let cells: [RefCell<u32>; 4] = std::array::from_fn(|place| RefCell::new(place as u32));
    let (a, b): (u8, u8) = (number(0, 0), number(1, 1));
    let (Some(first), Some(second)) = (cells.get(usize::from(a)), cells.get(usize::from(b))) else {
        return goal(0);
    };
    let mut first = first.borrow_mut();
    *first += *second.borrow();
    if *first == 5 {
        goal(1);
    }
}
