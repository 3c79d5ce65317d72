//! Two numbers around a colon in six bytes.
//! goals: 4, seconds: 1.1

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = text(0, "aaaaaa");
    let mut parts = text.split(':');
    let (Some(first), Some(second), None) = (parts.next(), parts.next(), parts.next()) else {
        goal(0);
        return;
    };
    match (first.parse::<u8>(), second.parse::<u8>()) {
        (Ok(hour), Ok(minute)) if hour == 23 && minute == 59 => goal(1),
        (Ok(hour), Ok(minute)) if hour < 24 && minute < 60 => goal(2),
        (Ok(_), Ok(_)) => goal(3),
        _ => {}
    }
}
