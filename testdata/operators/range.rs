//! The bound of a range belongs to it or not: in loops, indices and calls; not where the type must stay.

pub fn sum(n: u32) -> u32 {
    let mut sum = 0;
    for i in 0..n {
        sum += i;
    }
    sum
}

pub fn head(text: &[u8], n: usize) -> &[u8] {
    &text[..n]
}

pub fn is_percent(value: u32) -> bool {
    (0..=100).contains(&value)
}

pub fn squares(n: u32) -> Vec<u32> {
    (1..n).map(|i| i * i).collect()
}

pub fn span(n: usize) -> std::ops::Range<usize> {
    0..n
}

// mutants:
// 5:15 .. → ..=
// 12:11 .. → ..=
// 16:7 ..= → ..
// 20:7 .. → ..=
