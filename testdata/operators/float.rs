//! Float literals: plus one, zero, negated.

pub fn half(value: f64) -> f64 {
    value * 0.5
}

pub fn below() -> f32 {
    -1.5f32
}

// mutants:
// 4:13 0.5 → 1.5
// 4:13 0.5 → 0.0
// 4:13 0.5 → -0.5
// 8:5 -1.5f32 → -0.5f32
// 8:5 -1.5f32 → 0.0f32
// 8:5 -1.5f32 → 1.5f32
