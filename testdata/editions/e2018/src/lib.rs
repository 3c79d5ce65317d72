//! Edition 2018: `dyn`, `crate` paths, raw names, array methods by reference.

/// Calls a function, if there is one.
pub fn r#try(f: Option<&dyn Fn(u8) -> u8>, value: u8) -> u8 {
    match f {
        Some(f) => f(value),
        None => crate::fallback(value),
    }
}

fn fallback(value: u8) -> u8 {
    [value, 9].into_iter().copied().min().unwrap_or(0)
}

/// Panics with a bare message.
pub fn check(value: u8) {
    if value > 9 {
        panic!("{}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_called() {
        assert_eq!(r#try(Some(&|v| v + 1), 3), 4);
        assert_eq!(r#try(None, 7), 7);
        assert_eq!(r#try(None, 12), 9);
        check(9);
        check(3);
    }

    #[test]
    #[should_panic(expected = "{}")]
    fn much_is_too_much() {
        check(10);
    }
}
