//! Calculations with numbers: sequences, divisors, powers, primes and other bases.

/// A number of Fibonacci's sequence, from 0 and 1 on; nothing for what is below 0 or beyond 46.
pub fn fibonacci(number: i32) -> Option<i32> {
    if number < 0 || number > 46 {
        return None;
    }
    let (mut before, mut current) = (0, 1);
    let mut at = 0;
    while at < number {
        let next = if at < 45 { before + current } else { before };
        before = current;
        current = next;
        at += 1;
    }
    Some(before)
}

/// The product of all numbers up to this one.
pub fn factorial(number: i32) -> Option<i64> {
    if number < 0 || number > 20 {
        return None;
    }
    let mut product: i64 = 1;
    let mut factor: i64 = 2;
    while factor <= i64::from(number) {
        product *= factor;
        factor += 1;
    }
    Some(product)
}

/// A base to the power of an exponent; nothing for exponents below 0, and for what is too large.
pub fn power(base: i32, exponent: i32) -> Option<i64> {
    if exponent < 0 || exponent > 8 {
        return None;
    }
    if base > 100 || base < -100 {
        return None;
    }
    let mut result: i64 = 1;
    for _ in 0..exponent {
        result *= i64::from(base);
    }
    Some(result)
}

/// The greatest number that divides both.
pub fn greatest_common_divisor(first: i32, second: i32) -> i32 {
    let (mut a, mut b) = (i64::from(first), i64::from(second));
    if a < 0 {
        a = -a;
    }
    if b < 0 {
        b = -b;
    }
    while b != 0 {
        let rest = a % b;
        a = b;
        b = rest;
    }
    if a > i64::from(i32::MAX) { i32::MAX } else { a as i32 }
}

/// The least number that both divide; nothing where it is too large.
pub fn least_common_multiple(first: i32, second: i32) -> Option<i32> {
    if first <= 0 || second <= 0 {
        return None;
    }
    if first > 1_000 || second > 1_000 {
        return None;
    }
    let (mut a, mut b) = (first, second);
    while a != b {
        if a < b {
            a += first;
        } else {
            b += second;
        }
    }
    Some(a)
}

/// Whether nothing but 1 and the number itself divides it. Numbers beyond 2000 are not looked at.
pub fn is_prime(number: i32) -> bool {
    if number < 2 || number > 2_000 {
        return false;
    }
    if number == 2 || number == 3 {
        return true;
    }
    if number % 2 == 0 {
        return false;
    }
    let mut divisor = 3;
    while divisor * divisor <= number {
        if number % divisor == 0 {
            return false;
        }
        divisor += 2;
    }
    true
}

/// The largest of some numbers.
pub fn max_value(numbers: &[i32]) -> Option<i32> {
    let mut at = 1;
    let mut largest = *numbers.first()?;
    while at < numbers.len() {
        if numbers[at] > largest {
            largest = numbers[at];
        }
        at += 1;
    }
    Some(largest)
}

/// A number from 0 on in base 2, digit by digit as a decimal number: 5 is 101.
pub fn to_binary(number: i32) -> Option<i64> {
    if number < 0 || number > 0xffff {
        return None;
    }
    let mut rest = i64::from(number);
    let (mut digits, mut place) = (0, 1);
    while rest > 0 {
        digits += rest % 2 * place;
        place *= 10;
        rest /= 2;
    }
    Some(digits)
}

/// The same in base 8.
pub fn to_octal(number: i32) -> Option<i64> {
    if number < 0 || number > 0x00ff_ffff {
        return None;
    }
    let mut rest = i64::from(number);
    let (mut digits, mut place) = (0, 1);
    while rest != 0 {
        digits += (rest & 7) * place;
        place *= 10;
        rest >>= 3;
    }
    Some(digits)
}

/// A number in base 16, as text.
pub fn to_hexadecimal(number: i32) -> String {
    if number < 0 {
        return String::new();
    }
    let mut rest = number;
    let mut digits = Vec::new();
    loop {
        let digit = (rest % 16) as u8;
        digits.push(if digit < 10 { b'0' + digit } else { b'A' + (digit - 10) });
        rest /= 16;
        if rest == 0 {
            break;
        }
    }
    digits.iter().rev().map(|digit| char::from(*digit)).collect()
}
