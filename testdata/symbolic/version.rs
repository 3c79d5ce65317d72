//! A version of three numbers, with a check of leading zeros.
//! goals: 5

mod support;
use support::{goal, text};

enum Error {
    Parts,
    Number,
    Zero,
}

fn parse(text: &str) -> Result<[u32; 3], Error> {
    let parts: Vec<&str> = text.split('.').collect();
    let parts: [&str; 3] = parts.try_into().map_err(|_| Error::Parts)?;
    let mut numbers = [0; 3];
    for (number, part) in numbers.iter_mut().zip(parts) {
        if part.len() > 1 && part.starts_with('0') {
            return Err(Error::Zero);
        }
        *number = part.parse().map_err(|_| Error::Number)?;
    }
    Ok(numbers)
}

#[unsafe(no_mangle)]
extern "C" fn run() {
    match parse(&text(0, "aaaaaa")) {
        Err(Error::Parts) => goal(0),
        Err(Error::Number) => goal(1),
        Err(Error::Zero) => goal(2),
        Ok(version) if version == [1, 20, 3] => goal(3),
        Ok([0, 0, patch]) if patch > 9 => goal(4),
        Ok(_) => {}
    }
}
