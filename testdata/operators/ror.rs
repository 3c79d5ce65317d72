//! Comparisons: ordered ones become each other one; equality keeps to itself unless it is about numbers.

pub fn is_minor(age: u8) -> bool {
    age < 18
}

pub fn is_same(a: &str, b: &str) -> bool {
    a == b
}

pub fn is_answer(number: i32) -> bool {
    number == 42
}

pub fn has_items(count: usize) -> bool {
    count != 0
}

// mutants:
// 4:9 < → <=
// 4:9 < → >
// 4:9 < → >=
// 4:9 < → ==
// 4:9 < → !=
// 8:7 == → !=
// 12:12 == → <=
// 12:12 == → >=
// 12:12 == → !=
// 16:11 != → <
// 16:11 != → ==
