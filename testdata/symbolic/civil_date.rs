//! Days since 1970 as year, month and day, and back.
//! goals: 3

mod support;
use support::{goal, number};

fn civil(days: i32) -> (i32, i32, i32) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + next, month, day)
}

#[unsafe(no_mangle)]
extern "C" fn run() {
    let days: i32 = number(0, 0);
    if !(0..200_000).contains(&days) {
        return;
    }
    let (year, month, day) = civil(days);
    if (month, day) == (2, 29) {
        goal(if year > 2300 { 0 } else { 1 });
    }
    if year == 1999 && month == 12 && day == 31 {
        goal(2);
    }
}
