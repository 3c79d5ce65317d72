//! A date of the form 2024-02-29, with the days of each month.
//! goals: 6, seconds: 0.28

mod support;
use support::{goal, text};

fn digits(text: &[u8]) -> Option<u32> {
    text.iter()
        .try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0')))
}

fn days(year: u32, month: u32) -> u32 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = text(0, "aaaaaaaaaa");
    let bytes = text.as_bytes();
    if bytes[4] != b'-' || bytes[7] != b'-' {
        return;
    }
    let parts = (digits(&bytes[..4]), digits(&bytes[5..7]), digits(&bytes[8..]));
    let (Some(year), Some(month), Some(day)) = parts else {
        goal(0);
        return;
    };
    if !(1..=12).contains(&month) {
        goal(1);
    } else if day == 0 || day > days(year, month) {
        goal(2);
    } else if month == 2 && day == 29 {
        goal(if year % 100 == 0 { 3 } else { 4 });
    } else {
        goal(5);
    }
}
