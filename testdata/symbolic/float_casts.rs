//! Floats to integers and back.
//! goals: 5

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let value: f64 = number(0, 0.0);
    if value as i64 == -1_234_567_890_123 {
        goal(0);
    }
    if value as u8 == 255 && value < 256.0 && value.fract() == 0.5 {
        goal(1);
    }
    if value.is_nan() {
        goal(2);
    } else if value as f32 as f64 == value && value > 1e30 {
        goal(3);
    }
    if value.floor() == 42.0 && value.ceil() == 43.0 && value.round() == 43.0 {
        goal(4);
    }
}
