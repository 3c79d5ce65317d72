//! Waits for what does not come.

use std::sync::{mpsc, Mutex};

pub fn lock_twice() -> u32 {
    let mutex = Mutex::new(1);
    let first = mutex.lock();
    let second = mutex.lock();
    drop(first);
    second.map_or(0, |number| *number)
}

pub fn receive() -> u32 {
    let (sender, receiver) = mpsc::channel();
    let number = receiver.recv().unwrap_or(0);
    drop(sender);
    number
}

/// Waits when it is dropped.
pub struct Clingy(u32);

impl Clingy {
    pub fn new(number: u32) -> Clingy {
        Clingy(number)
    }

    pub fn number(&self) -> u32 {
        self.0
    }
}

impl Drop for Clingy {
    fn drop(&mut self) {
        receive();
    }
}

/// What is on the standard input.
pub fn read_stdin() -> String {
    let mut text = String::new();
    let length = std::io::Read::read_to_string(&mut std::io::stdin(), &mut text);
    format!("{length:?} {text}")
}
