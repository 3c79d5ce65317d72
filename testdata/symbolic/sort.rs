//! The sort of the standard library on four numbers.
//! goals: 3, seconds: 0.06

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let mut numbers: [i32; 4] = std::array::from_fn(|slot| number(slot as u32, 0));
    let before = numbers;
    numbers.sort();
    if numbers == [1, 2, 3, 4] && before[0] == 4 {
        goal(0);
    }
    if numbers[0] == numbers[3] {
        goal(1);
    }
    if before.windows(2).all(|pair| pair[0] > pair[1]) {
        goal(2);
    }
}
