//! `Some` and `None` where a function ends; not where its whole body is one of them.

pub fn position(items: &[u8], wanted: u8) -> Option<usize> {
    for (at, item) in items.iter().enumerate() {
        if *item == wanted {
            return Some(at);
        }
    }
    None
}

pub fn inner<T: Clone>(items: &[T], is_empty: bool) -> Option<T> {
    if is_empty { None } else { Some(items[0].clone()) }
}

pub fn whole(value: u8) -> Option<u8> {
    Some(value)
}

// mutants:
// 6:20 Some(at) → None
// 9:5 None → Some(0)
// 13:33 Some(items[0].clone()) → None
