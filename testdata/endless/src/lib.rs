//! Mutants that never end: in a loop, in a recursion, inside of std, and asleep.

use std::sync::mpsc::{channel, Sender};

/// The sum of all numbers below a limit.
pub fn sum(limit: u64) -> u64 {
    let (mut sum, mut next) = (0, 1);
    while next < limit {
        sum += next;
        next += 1;
    }
    sum
}

/// Numbers up to a limit, by an iterator without an end.
pub fn count(limit: u64) -> usize {
    (0..).step_by(3).take_while(|number| *number < limit).count()
}

/// The answer of a thread; without the message there is none.
pub fn answer() -> u64 {
    let (sender, receiver) = channel();
    let kept = sender.clone();
    std::thread::spawn(move || tell(&sender));
    let answer = receiver.recv().unwrap_or(0);
    drop(kept);
    answer
}

fn tell(sender: &Sender<u64>) {
    sender.send(42).expect("somebody listens");
}
