//! Temporaries that hold a lock have to be dropped where they are dropped in the original.

use std::cell::RefCell;
use std::sync::{Mutex, RwLock};

/// Two flags behind a lock.
#[derive(Default)]
pub struct Flags {
    pub x: bool,
    pub y: bool,
}

/// The left operand's guard is gone when the right one is evaluated.
pub fn both(flags: &Mutex<Flags>) -> bool {
    flags.lock().unwrap().x && flags.lock().unwrap().y
}

/// The same with `||`, as a condition, with a write behind it.
pub fn take(flags: &RwLock<Flags>) -> bool {
    if flags.write().unwrap().x || flags.write().unwrap().y {
        flags.write().unwrap().x = false;
        return true;
    }
    false
}

/// The guard of a condition is gone in the block.
pub fn pop(stack: &Mutex<Vec<u32>>) -> Option<u32> {
    if stack.lock().unwrap().len() > 1 {
        return stack.lock().unwrap().pop();
    }
    None
}

/// Guards of statements, negations, arguments and loops.
pub fn drain(stack: &RefCell<Vec<u32>>) -> u32 {
    let mut sum = 0;
    while !stack.borrow_mut().is_empty() {
        sum += stack.borrow_mut().pop().unwrap_or(0).min(100);
    }
    stack.borrow_mut().push(sum + 1);
    sum
}
