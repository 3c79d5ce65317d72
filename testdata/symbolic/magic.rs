//! The head of a file: a signature, a version, a length and a checksum.
//! goals: 4

mod support;
use support::{bytes, goal};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let bytes = bytes(0, &[0; 12]);
    if bytes[..4] != *b"\x7fELF" {
        return;
    }
    goal(0);
    let version = u16::from_be_bytes([bytes[4], bytes[5]]);
    let len = u32::from_le_bytes(bytes[6..10].try_into().unwrap());
    if version > 2 {
        goal(1);
    } else if len as usize == bytes.len() - 2 {
        let sum = bytes[..10].iter().fold(0_u16, |sum, byte| sum.rotate_left(1) ^ u16::from(*byte));
        goal(if sum == u16::from_le_bytes([bytes[10], bytes[11]]) { 3 } else { 2 });
    }
}
