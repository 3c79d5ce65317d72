//! What an operand is, told at run time from its type's name.
//!
//! The rewritten source must compile for every type, and recording must not tie the types of two operands to
//! each other, or inference breaks far away from the site. So operands arrive as plain type parameters without
//! a bound, and the few types whose meaning is known are recognised here. No other type is called `i32`: a
//! user's own would have a path in front.

/// An operand of a type whose operators have a known meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Prim<'a> {
    /// A signed integer of so many bits.
    Int(i128, u32),
    /// An unsigned integer of so many bits.
    Uint(u128, u32),
    Float(f64),
    Bool(bool),
    Char(char),
    Str(&'a str),
    /// Anything else.
    Other,
}

impl<'a> Prim<'a> {
    /// Recognises a value, through any number of `&`.
    pub(crate) fn of<T: ?Sized>(value: &'a T) -> Prim<'a> {
        let mut name = std::any::type_name::<T>();
        let mut at: *const u8 = (value as *const T).cast();
        if name == "str" {
            // SAFETY: `T` is `str`; its address and length are those of the value.
            let bytes = unsafe { std::slice::from_raw_parts(at, std::mem::size_of_val(value)) };
            return std::str::from_utf8(bytes).map_or(Prim::Other, Prim::Str);
        }
        while let Some(inner) = name.strip_prefix('&') {
            let inner = inner.strip_prefix("mut ").unwrap_or(inner);
            // SAFETY: the value is a reference: its bytes are an address, for `str` with a length behind it.
            unsafe {
                if inner == "str" {
                    return Prim::Str(at.cast::<&'a str>().read());
                }
                if !is_thin(inner.trim_start_matches(['&'])) {
                    return Prim::Other;
                }
                at = at.cast::<*const u8>().read();
            }
            name = inner;
        }
        // SAFETY: `at` points to a live value of the type that `name` names.
        unsafe { read(name, at) }
    }
}

/// Whether a reference to this type is a plain address of a type that `read` knows.
fn is_thin(name: &str) -> bool {
    const NAMES: [&str; 18] = [
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "f32",
        "f64",
        "bool",
        "char",
        "str",
        "alloc::string::String",
    ];
    NAMES.contains(&name)
}

/// # Safety
/// `at` must point to a live value of the type `name`, if that is one of those below.
unsafe fn read<'a>(name: &str, at: *const u8) -> Prim<'a> {
    macro_rules! integer {
        ($variant:ident, $wide:ty, $t:ty) => {
            Prim::$variant(at.cast::<$t>().read() as $wide, <$t>::BITS)
        };
    }
    match name {
        "i8" => integer!(Int, i128, i8),
        "i16" => integer!(Int, i128, i16),
        "i32" => integer!(Int, i128, i32),
        "i64" => integer!(Int, i128, i64),
        "i128" => integer!(Int, i128, i128),
        "isize" => integer!(Int, i128, isize),
        "u8" => integer!(Uint, u128, u8),
        "u16" => integer!(Uint, u128, u16),
        "u32" => integer!(Uint, u128, u32),
        "u64" => integer!(Uint, u128, u64),
        "u128" => integer!(Uint, u128, u128),
        "usize" => integer!(Uint, u128, usize),
        // Single precision is computed in double precision elsewhere: too exact, so not known.
        "f64" => Prim::Float(at.cast::<f64>().read()),
        "bool" => Prim::Bool(at.cast::<bool>().read()),
        "char" => Prim::Char(at.cast::<char>().read()),
        "alloc::string::String" => Prim::Str((*at.cast::<String>()).as_str()),
        _ => Prim::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_types_are_recognised_through_references_and_others_are_not() {
        assert_eq!(Prim::of(&-3i8), Prim::Int(-3, 8));
        assert_eq!(Prim::of(&&&7usize), Prim::Uint(7, usize::BITS));
        assert_eq!(Prim::of(&&mut 7u8), Prim::Uint(7, 8));
        assert_eq!(Prim::of("ab"), Prim::Str("ab"));
        assert_eq!(Prim::of(&"ab"), Prim::Str("ab"));
        assert_eq!(Prim::of(&&&"ab"), Prim::Str("ab"));
        assert_eq!(Prim::of(&String::from("ab")), Prim::Str("ab"));
        assert_eq!(Prim::of(&&String::from("ab")), Prim::Str("ab"));
        assert_eq!(Prim::of(&2.5f64), Prim::Float(2.5));
        assert_eq!(Prim::of(&'x'), Prim::Char('x'));
        assert_eq!(Prim::of(&true), Prim::Bool(true));
        assert_eq!(Prim::of(&Some(1)), Prim::Other);
        assert_eq!(Prim::of(&[1, 2][..]), Prim::Other);
        assert_eq!(Prim::of(&&[1, 2][..]), Prim::Other);
        #[allow(non_camel_case_types)]
        struct i32;
        assert_eq!(Prim::of(&i32), Prim::Other);
    }
}
