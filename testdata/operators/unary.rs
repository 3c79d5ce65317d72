//! `!` and `-` are left out; a negative literal is one literal.

pub fn inverted(flag: bool) -> bool {
    !flag
}

pub fn opposite(value: f64) -> f64 {
    -value
}

pub fn lowest() -> i8 {
    -128
}

// mutants:
// 4:5 ! → nothing
// 8:5 - → nothing
