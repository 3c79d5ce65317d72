//! A duration with a unit: `90s`, `15m`, `2h`.
//! goals: 4

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = text(0, "aaaa");
    let Some((unit, digits)) = text.as_bytes().split_last() else { return };
    let factor: u64 = match unit {
        b's' => 1,
        b'm' => 60,
        b'h' => 3600,
        _ => return goal(0),
    };
    let Ok(number) = std::str::from_utf8(digits).unwrap_or_default().parse::<u64>() else { return goal(1) };
    match number * factor {
        3600 => goal(2),
        59_940 => goal(3),
        _ => {}
    }
}
