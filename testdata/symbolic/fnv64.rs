//! The FNV hash of eight bytes, of 64 bits.
//! goals: 1

mod support;
use support::{bytes, goal};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let bytes = bytes(0, b"aaaaaaaa");
    let start = 0xcbf2_9ce4_8422_2325_u64;
    let hash =
        bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    if hash >> 40 == 0xab_cdef {
        goal(0);
    }
}
