//! A cyclic redundancy check over four bytes that has to have one value.
//! goals: 2

mod support;
use support::{bytes, goal};

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let mask = (crc & 1).wrapping_neg();
            crc = (crc >> 1) ^ (0xedb8_8320 & mask);
        }
    }
    !crc
}

#[unsafe(no_mangle)]
extern "C" fn run() {
    let bytes = bytes(0, b"aaaa");
    let sum = crc(&bytes);
    if sum == 0x1234_5678 {
        goal(0);
    }
    if sum == 0xffff_ffff && bytes[0] != b'a' {
        goal(1);
    }
}
