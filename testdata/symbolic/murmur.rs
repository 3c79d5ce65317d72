//! The last steps of MurmurHash3, which can be undone.
//! goals: 2

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let mut hash: u32 = number(0, 0);
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(0xc2b2_ae35);
    hash ^= hash >> 16;
    if hash == 42 {
        goal(0);
    } else if hash % 1_000_003 == 7 && hash > 1 << 31 {
        goal(1);
    }
}
