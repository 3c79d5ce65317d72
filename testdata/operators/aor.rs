//! Each arithmetic operator becomes each other one; strings are only added.

pub fn total(price: u32, count: u32) -> u32 {
    price * count
}

pub fn spend(budget: &mut [i64], at: usize, amount: i64) {
    budget[at] -= amount;
}

pub fn greeting(name: &str) -> String {
    let mut text = "hello ".to_string() + name;
    text += "!";
    text
}

// mutants:
// 4:11 * → +
// 4:11 * → -
// 4:11 * → /
// 4:11 * → %
// 8:16 -= → +=
// 8:16 -= → *=
// 8:16 -= → /=
// 8:16 -= → %=
