//! Shifts turn round, also with another integer type on the right.

pub fn doubled(value: u64, times: u8) -> u64 {
    value << times
}

pub fn halve(value: &mut i32) {
    *value >>= 1;
}

// mutants:
// 4:11 << → >>
// 8:12 >>= → <<=
