//! Each would wait for ever, or panic, if a guard lived too long.

use std::cell::RefCell;
use std::sync::{Mutex, RwLock};

use locks::{both, drain, pop, take, Flags};

#[test]
fn both_flags() {
    assert!(both(&Mutex::new(Flags { x: true, y: true })));
    assert!(!both(&Mutex::new(Flags { x: true, y: false })));
    assert!(!both(&Mutex::new(Flags { x: false, y: true })));
}

#[test]
fn a_flag_is_taken() {
    let flags = RwLock::new(Flags { x: true, y: false });
    assert!(take(&flags));
    assert!(!take(&flags));
}

#[test]
fn the_last_one_stays() {
    let stack = Mutex::new(vec![1, 2]);
    assert_eq!(pop(&stack), Some(2));
    assert_eq!(pop(&stack), None);
}

#[test]
fn a_stack_is_drained() {
    let stack = RefCell::new(vec![1, 2]);
    assert_eq!(drain(&stack), 3);
    assert_eq!(stack.into_inner(), [4]);
}
