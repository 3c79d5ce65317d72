//! Arithmetic by methods: the opposite operation, and the other behaviour on overflow.

pub fn next(id: u32) -> Option<u32> {
    id.checked_add(1)
}

pub fn mixed(hash: u64, byte: u8) -> u64 {
    hash.wrapping_mul(u64::from(byte))
}

pub fn paid(balance: u16, price: u16) -> u16 {
    balance.saturating_sub(price)
}

pub fn carried(a: u8, b: u8) -> (u8, bool) {
    a.overflowing_add(b)
}

pub fn squared(value: u8) -> u8 {
    value.wrapping_pow(2)
}

// mutants:
// 4:8 checked_add → checked_sub
// 4:8 checked_add → wrapping_add
// 8:10 wrapping_mul → wrapping_div
// 8:10 wrapping_mul → saturating_mul
// 12:13 saturating_sub → saturating_add
// 12:13 saturating_sub → wrapping_sub
// 16:7 overflowing_add → overflowing_sub
// 20:11 wrapping_pow → saturating_pow
