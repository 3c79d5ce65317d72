//! Runs of equal bytes.
//! goals: 3

mod support;
use support::{bytes, goal};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let bytes = bytes(0, b"abcdef");
    let mut runs: Vec<(u8, usize)> = Vec::new();
    for byte in &bytes {
        match runs.last_mut() {
            Some((last, count)) if last == byte => *count += 1,
            _ => runs.push((*byte, 1)),
        }
    }
    if runs.len() == 1 {
        goal(0);
    } else if runs.iter().map(|(_, count)| *count).eq([1, 2, 3]) {
        goal(1);
    }
    if runs.iter().any(|(byte, count)| *byte == b'z' && *count == 4) {
        goal(2);
    }
}
