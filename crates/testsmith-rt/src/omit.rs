//! `expr?` without the `?`: what a function computes when an error is not handed on.

/// What `?` may stand behind.
pub trait Omit {
    /// What is inside.
    type Inside;
    /// What is inside; a panic where there is nothing.
    fn inside(self) -> Self::Inside;
}

impl<T> Omit for Option<T> {
    type Inside = T;

    #[track_caller]
    fn inside(self) -> T {
        self.expect("`?` on a `None` value was omitted")
    }
}

impl<T, E> Omit for Result<T, E> {
    type Inside = T;

    #[track_caller]
    fn inside(self) -> T {
        // Not `expect`: the error type need not have `Debug`.
        self.ok().expect("`?` on an `Err` value was omitted")
    }
}

/// `value.unwrap()`, for whatever `?` may stand behind.
#[track_caller]
pub fn omit<V: Omit>(value: V) -> V::Inside {
    value.inside()
}
