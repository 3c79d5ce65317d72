//! The FNV hash of four bytes, of 32 bits.
//! goals: 1, hard: 1

mod support;
use support::{bytes, goal};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let bytes = bytes(0, b"aaaa");
    let hash =
        bytes.iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    if hash == 0xdead_beef {
        goal(0);
    }
}
