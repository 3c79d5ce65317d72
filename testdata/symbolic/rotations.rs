//! Rotations, shifts and counted bits.
//! goals: 4

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (u32, u64) = (number(0, 0), number(1, 0));
    if a.rotate_left(7) == 0xdead_beef {
        goal(0);
    }
    if a.count_ones() == 5 && a.leading_zeros() == 3 && a.trailing_zeros() == 9 {
        goal(1);
    }
    if b.rotate_right((a % 64) as u32) == 1 << 63 && a % 64 == 40 {
        goal(2);
    }
    if b.swap_bytes() == 0x0102_0304_0506_0708 {
        goal(3);
    }
}
