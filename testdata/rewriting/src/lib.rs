//! Code whose meaning changes easily when it is rewritten: order of evaluation, borrows, inference, coercions.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{AddAssign, ControlFlow, Index, IndexMut};

/// Logs what is evaluated.
#[derive(Default)]
pub struct Log(std::cell::RefCell<Vec<&'static str>>);

impl Log {
    fn at(&self, name: &'static str, value: usize) -> usize {
        self.0.borrow_mut().push(name);
        value
    }
}

/// For primitive operands the right side of `op=` comes first.
pub fn primitive_order(log: &Log) -> u32 {
    let mut items = [1u32, 2, 3];
    items[log.at("place", 1)] += log.at("value", 5) as u32;
    items[1]
}

/// Not primitive: the left side comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Money(pub u32);

impl AddAssign for Money {
    fn add_assign(&mut self, other: Money) {
        self.0 += other.0;
    }
}

/// See there.
pub fn custom_order(log: &Log) -> Money {
    let mut items = [Money(1), Money(2)];
    items[log.at("place", 1)] += Money(log.at("value", 5) as u32);
    items[1]
}

/// Two-phase borrows.
pub fn grow(items: &mut Vec<usize>) {
    items.push(items.len());
    items.insert(0, items.len() + 1);
    let last = items.len() - 1;
    items[last] += items[0];
    items.swap(0, last);
}

/// Types are inferred from later use.
pub fn inferred(values: &[u8]) -> u8 {
    let mut sum = 0;
    let mut count = 1;
    for value in values {
        sum += value / 2;
        count += 1;
    }
    let scale = 3;
    sum.wrapping_add(scale) / count
}

/// Literals of unusual types.
pub fn literals() -> (u128, i8, f32, char, &'static [u8], u8) {
    (1 << 100, -128, 1e3, '\u{e9}', b"ab", b'\\')
}

/// Coercions in arms and branches.
pub fn shown(value: Option<i32>) -> Box<dyn fmt::Display> {
    match value {
        Some(v) if v < 0 => Box::new("negative"),
        Some(v) => Box::new(v),
        None => Box::new(String::from("none")),
    }
}

/// A value that is borrowed or owned.
pub fn trimmed(text: &str) -> Cow<'_, str> {
    if text.starts_with(' ') {
        return Cow::Owned(text.trim_start().to_owned() + "!");
    }
    text.into()
}

/// Labelled blocks and breaks with values.
pub fn search(grid: &[Vec<i32>], wanted: i32) -> Option<(usize, usize)> {
    let found = 'outer: {
        for (y, row) in grid.iter().enumerate() {
            for (x, cell) in row.iter().enumerate() {
                if *cell == wanted {
                    break 'outer Some((x, y));
                }
                if *cell > wanted {
                    continue;
                }
            }
        }
        None
    };
    found.map(|(x, y)| (x + 1, y + 1))
}

/// Let-else, nested patterns, ranges, bindings.
pub fn parse(text: &str) -> Result<(char, u32), String> {
    let Some((head, tail)) = text.split_at_checked(1) else {
        return Err("empty".into());
    };
    let unit = match head.chars().next() {
        Some(c @ ('a'..='f' | 'x')) => c,
        Some(c) if c.is_ascii_digit() && tail.is_empty() => return Ok(('0', c.to_digit(10).unwrap_or(0))),
        other => return Err(format!("{other:?}")),
    };
    let number = tail.parse::<u32>().map_err(|e| e.to_string())?;
    Ok((unit, number.checked_mul(2).ok_or("large")? - 1))
}

/// Generic code with trait operators.
pub fn total<T>(items: &[T], start: T) -> T
where
    T: Copy + std::ops::Add<Output = T> + PartialOrd,
{
    let mut sum = start;
    for item in items {
        if *item > start {
            sum = sum + *item;
        }
    }
    sum
}

/// Closures that move, mutate and return.
pub fn closures(names: Vec<String>) -> (usize, Vec<String>) {
    let mut count = 0;
    let mut note = |n: usize| count += n;
    note(1);
    note(names.len());
    let make = move || names;
    (count, make())
}

/// Try folds and control flow.
pub fn limited(items: &[u32], limit: u32) -> Option<u32> {
    let flow = items.iter().try_fold(0u32, |sum, item| {
        let sum = sum + item;
        if sum > limit {
            ControlFlow::Break(sum)
        } else {
            ControlFlow::Continue(sum)
        }
    });
    match flow {
        ControlFlow::Continue(sum) => Some(sum),
        ControlFlow::Break(_) => None,
    }
}

/// Own indexing.
pub struct Ring {
    items: Vec<i64>,
}

impl Index<isize> for Ring {
    type Output = i64;
    fn index(&self, at: isize) -> &i64 {
        &self.items[at.rem_euclid(self.items.len() as isize) as usize]
    }
}

impl IndexMut<isize> for Ring {
    fn index_mut(&mut self, at: isize) -> &mut i64 {
        let len = self.items.len() as isize;
        &mut self.items[at.rem_euclid(len) as usize]
    }
}

impl Ring {
    /// A new one.
    pub fn new(items: &[i64]) -> Self {
        Self { items: items.to_vec() }
    }

    /// All moved by one.
    pub fn turned(mut self) -> Self {
        self[-1] -= self[0];
        self.items.rotate_left(1);
        self
    }
}

impl Iterator for Ring {
    type Item = i64;
    fn next(&mut self) -> Option<i64> {
        self.items.pop().filter(|item| *item != 0)
    }
}

/// Counts words; the entry's borrow is short.
pub fn words(text: &str) -> BTreeMap<&str, usize> {
    let mut map = BTreeMap::new();
    for word in text.split_whitespace() {
        *map.entry(word).or_insert(0) += 1;
    }
    map
}

/// Const generics and associated constants.
pub struct Block<const N: usize>([u8; N]);

impl<const N: usize> Block<N> {
    /// Its size.
    pub const SIZE: usize = N * 2;
    /// Filled.
    pub fn filled(with: u8) -> Self {
        let mut bytes = [0; N];
        bytes[N - 1] = with;
        Block(bytes)
    }
    /// The sum.
    pub fn sum(&self) -> u32 {
        self.0.iter().map(|b| u32::from(*b)).sum::<u32>() + N as u32
    }
}

/// Lifetimes, matches on references, nested options.
pub fn pick<'a>(items: &'a [Option<&'a str>], at: usize) -> Option<&'a str> {
    match items.get(at)? {
        Some(text) if !text.is_empty() => Some(text),
        Some(_) | None => items.iter().flatten().next().copied(),
    }
}

/// Unsafe code, raw pointers.
pub fn swap_raw(items: &mut [u16], a: usize, b: usize) {
    assert!(a < items.len() && b < items.len());
    let start = items.as_mut_ptr();
    unsafe {
        std::ptr::swap(start.add(a), start.add(b));
    }
}

/// A future that is polled by hand.
pub async fn later(n: u32) -> u32 {
    let half = async { n / 2 }.await;
    half + 1
}

/// Diverging branches.
pub fn always(n: i32) -> i32 {
    let value = if n > 0 { n } else { panic!("not positive: {n}") };
    value * 2
}

/// Returns impl Trait.
pub fn evens(limit: u32) -> impl Iterator<Item = u32> + Clone {
    (0..limit).filter(|n| n % 2 == 0).map(|n| n + 1)
}

/// Trait with default methods and generics.
pub trait Shape {
    /// Its area.
    fn area(&self) -> f64;
    /// Whether it is larger.
    fn is_larger(&self, other: &dyn Shape) -> bool {
        self.area() > other.area()
    }
}

impl Shape for f64 {
    fn area(&self) -> f64 {
        self * self * 0.5
    }
}

impl<T: Shape + ?Sized> Shape for Box<T> {
    fn area(&self) -> f64 {
        (**self).area()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order() {
        let log = Log::default();
        assert_eq!(primitive_order(&log), 7);
        assert_eq!(log.0.take(), ["value", "place"]);
        assert_eq!(custom_order(&log), Money(7));
        assert_eq!(log.0.take(), ["place", "value"]);
    }

    #[test]
    fn growth() {
        let mut items = vec![7];
        grow(&mut items);
        assert_eq!(items, [4, 7, 3]);
    }

    #[test]
    fn values() {
        assert_eq!(inferred(&[4, 8]), 3);
        assert_eq!(literals(), (1 << 100, -128, 1000.0, 'é', &b"ab"[..], 92));
        assert_eq!(
            shown(Some(-1)).to_string() + &shown(Some(2)).to_string() + &shown(None).to_string(),
            "negative2none"
        );
        assert_eq!((trimmed(" a"), trimmed("b")), ("a!".into(), "b".into()));
        assert_eq!(search(&[vec![1], vec![9, 2]], 2), Some((2, 2)));
        assert_eq!(parse("x4"), Ok(('x', 7)));
        assert_eq!(parse("7"), Ok(('0', 7)));
        assert!(
            parse("").is_err()
                && parse("y1").is_err()
                && parse("a?").is_err()
                && parse("a4294967295").is_err()
        );
        assert_eq!(total(&[1, 5, 2], 1), 8);
        assert_eq!(total(&[0.5, 2.5], 1.0), 3.5);
        assert_eq!(closures(vec!["a".into()]), (2, vec!["a".to_string()]));
        assert_eq!((limited(&[1, 2], 3), limited(&[1, 3], 3)), (Some(3), None));
        assert_eq!(Ring::new(&[1, 2, 4]).turned().items, [2, 3, 1]);
        assert_eq!(Ring::new(&[0, 5]).next(), Some(5));
        assert_eq!(words("a b a").into_iter().collect::<Vec<_>>(), [("a", 2), ("b", 1)]);
        assert_eq!((Block::<3>::filled(4).sum(), Block::<3>::SIZE), (7, 6));
        assert_eq!(
            (pick(&[Some(""), Some("x")], 1), pick(&[Some("y"), Some("")], 1), pick(&[], 0)),
            (Some("x"), Some("y"), None)
        );
        let mut items = [1, 2, 3];
        swap_raw(&mut items, 0, 2);
        assert_eq!(items, [3, 2, 1]);
        assert_eq!(evens(5).collect::<Vec<_>>(), [1, 3, 5]);
        assert!(Shape::is_larger(&2.0, &1.0f64) && !(Box::new(1.0) as Box<dyn Shape>).is_larger(&1.0));
        assert_eq!(always(3), 6);
    }

    #[test]
    #[should_panic(expected = "not positive: 0")]
    fn never() {
        always(0);
    }

    #[test]
    fn futures() {
        use std::future::Future;
        let mut future = Box::pin(later(8));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert_eq!(future.as_mut().poll(&mut context), std::task::Poll::Ready(5));
    }
}
