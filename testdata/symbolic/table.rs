//! Steps through a table that inputs index.
//! goals: 3

mod support;
use support::{goal, number};

const TABLE: [u8; 64] = table();

const fn table() -> [u8; 64] {
    let mut table = [0; 64];
    let (mut place, mut value) = (0, 0x4f_u8);
    while place < table.len() {
        table[(place * 13 + 5) % 64] = value;
        value = value.wrapping_mul(73).wrapping_add(41);
        place += 1;
    }
    table
}

#[unsafe(no_mangle)]
extern "C" fn run() {
    let state = (0..4).fold(number::<u8>(9, 0), |state, slot| {
        TABLE[usize::from(state ^ number::<u8>(slot, 0)) % TABLE.len()]
    });
    if state == 0xa7 {
        goal(0);
    }
    let first: u8 = number(10, 0);
    if first < 16 && TABLE[usize::from(first)] == 0x4f {
        goal(1);
    }
    if usize::from(first) < TABLE.len() && TABLE[usize::from(TABLE[usize::from(first)] % 64)] == 0xa7 {
        goal(2);
    }
}
