//! A time of day that is added to.
//! goals: 3

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (hour, minute, more): (u8, u8, u16) = (number(0, 0), number(1, 0), number(2, 0));
    if hour >= 24 || minute >= 60 {
        return goal(0);
    }
    let total = u32::from(hour) * 60 + u32::from(minute) + u32::from(more);
    let (days, hour, minute) = (total / 1440, total / 60 % 24, total % 60);
    if days == 3 && hour == 7 && minute == 59 {
        goal(1);
    }
    if days == 0 && hour == 23 && minute == 59 && more > 1000 {
        goal(2);
    }
}
