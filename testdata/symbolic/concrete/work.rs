//! Work without inputs, for the speed of concrete execution: each function computes a number that two interpreters agree on.

use std::collections::{BTreeMap, HashMap};

fn random(state: &mut u32) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    *state
}

#[unsafe(no_mangle)]
extern "C" fn nothing(size: u32) -> u32 {
    size
}

#[unsafe(no_mangle)]
extern "C" fn sieve(size: u32) -> u32 {
    let mut composite = vec![false; size as usize];
    let mut count = 0;
    for number in 2..composite.len() {
        if !composite[number] {
            count += 1;
            for multiple in (number * 2..composite.len()).step_by(number) {
                composite[multiple] = true;
            }
        }
    }
    count
}

#[unsafe(no_mangle)]
extern "C" fn sort(size: u32) -> u32 {
    let mut state = 1;
    let mut numbers: Vec<u32> = (0..size).map(|_| random(&mut state)).collect();
    numbers.sort();
    numbers.iter().step_by(7).fold(0, |sum, number| sum.rotate_left(3) ^ number)
}

#[unsafe(no_mangle)]
extern "C" fn checksum(size: u32) -> u32 {
    let mut crc = u32::MAX;
    for byte in 0..size {
        crc ^= byte & 0xff;
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}

#[unsafe(no_mangle)]
extern "C" fn maps(size: u32) -> u32 {
    let (mut hashed, mut ordered, mut state) = (HashMap::new(), BTreeMap::new(), 1);
    for number in 0..size {
        *hashed.entry(random(&mut state) % size).or_insert(0) += number;
        ordered.insert(random(&mut state), number);
    }
    ordered.values().fold(hashed.len() as u32, |sum, number| sum.rotate_left(1) ^ number)
}

#[unsafe(no_mangle)]
extern "C" fn text(size: u32) -> u32 {
    let numbers: Vec<String> = (0..size).map(|number| format!("{:x}:{number}", number * 77)).collect();
    let joined = numbers.join(",");
    joined.split(',').filter_map(|part| part.split(':').nth(1)?.parse::<u32>().ok()).fold(0, u32::wrapping_add)
}

#[unsafe(no_mangle)]
extern "C" fn matrix(size: u32) -> u32 {
    let size = size as usize;
    let a: Vec<f64> = (0..size * size).map(|place| place as f64 * 0.5).collect();
    let mut product = vec![0.0; size * size];
    for row in 0..size {
        for column in 0..size {
            product[row * size + column] =
                (0..size).map(|place| a[row * size + place] * a[place * size + column]).sum::<f64>();
        }
    }
    product.iter().sum::<f64>() as u32
}
