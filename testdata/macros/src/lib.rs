//! Functions that macros make: a mutant in a macro's body is in every function that it makes.

macro_rules! compared {
    ($name:ident, $limit:expr) => {
        /// Whether it is more than that.
        pub fn $name(value: u32) -> bool {
            value > $limit
        }
    };
}

compared!(is_big, 9);
compared!(is_huge, 99 + 1);

macro_rules! units {
    ($($name:ident: $factor:literal),*) => {
        $(
            /// So many of the smallest one.
            pub fn $name(value: u32) -> u32 {
                value * $factor
            }
        )*
    };
}

units!(metres: 1, kilometres: 1000);

/// Not made of items: its body is left alone.
macro_rules! doubled {
    ($value:expr) => {
        $value * 2
    };
}

/// Its caller is not.
pub fn is_even(value: u32) -> bool {
    doubled!(value / 2) == value
}
