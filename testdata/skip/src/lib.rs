//! What is marked is left alone.

/// By cargo-mutants' attribute.
#[mutants::skip]
pub fn first(value: u32) -> bool {
    value > 1
}

/// In tests only, as cargo-mutants' users write it.
#[cfg_attr(test, mutants::skip)]
pub fn second(value: u32) -> bool {
    value > 1
}

/// By an attribute that needs no dependency.
#[cfg_attr(any(), testsmith::skip)]
pub fn third(value: u32) -> bool {
    value > 1
}

/// A whole type.
pub struct Fourth;

#[cfg_attr(any(), mutants::skip)]
impl Fourth {
    /// Inside.
    pub fn is_more(&self, value: u32) -> bool {
        value > 1
    }
}

#[cfg_attr(any(), mutants::skip)]
mod fifth;

/// Not marked.
pub fn sixth(value: bool) -> bool {
    !value
}

/// Calls the module that is left alone.
pub fn seventh() -> u32 {
    fifth::answer()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_or_not() {
        assert!(first(2) && second(2) && third(2) && Fourth.is_more(2));
        assert!(sixth(false));
        assert_eq!(seventh(), 42);
    }
}
