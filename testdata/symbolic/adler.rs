//! The checksum of zlib over ten bytes.
//! goals: 2

mod support;
use support::{bytes, goal};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let bytes = bytes(0, b"0123456789");
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in &bytes {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    if a == 1000 && b == 4321 {
        goal(0);
    }
    if b << 16 | a == 0x0a8b_02d5 && bytes.is_ascii() {
        goal(1);
    }
}
