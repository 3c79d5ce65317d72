//! Names of functions as people read them: demangled, without type arguments, closures and traits.

/// The path of a function, as `{:#}` of its demangled name has it, without what only the compiler needs:
/// `<a::B<u8> as c::D>::e::{{closure}}` is `a::B::e`, and `core::ptr::drop_in_place::<a::B>` is `drop of a::B`.
pub(crate) fn path(symbol: &str) -> String {
    let text = format!("{:#}", rustc_demangle::demangle(symbol));
    if let Some(dropped) = text
        .strip_prefix("core::ptr::drop_in_place::<")
        .or_else(|| text.strip_prefix("core::ptr::drop_in_place<"))
    {
        let dropped = dropped.strip_suffix('>').unwrap_or(dropped);
        return format!("drop of {}", plain(dropped));
    }
    plain(&text)
}

fn plain(text: &str) -> String {
    let text = text.trim_start_matches(['&', '*']);
    let text = match text.strip_prefix('<').and_then(|rest| Some((rest, closing(rest)?))) {
        Some((rest, end)) => {
            let (of, method) = (&rest[..end], &rest[end + 1..]);
            // The implementor says more than the trait, unless it is no path.
            let of = top_level_as(of).map_or(of, |at| &of[..at]);
            format!("{}{method}", plain(of))
        }
        None => text.to_owned(),
    };
    let mut depth = 0_usize;
    let mut previous = ' ';
    let mut kept = String::new();
    for character in text.chars() {
        match character {
            '<' => depth += 1,
            '>' if previous != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(character),
            _ => {}
        }
        previous = character;
    }
    let parts = kept.split("::").filter(|part| !part.is_empty() && !part.starts_with('{'));
    parts.collect::<Vec<_>>().join("::")
}

/// Where the `<` that stands before this text is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1_usize;
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '<' => depth += 1,
            '>' if previous != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        previous = character;
    }
    None
}

/// Where ` as ` stands outside of all brackets.
fn top_level_as(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' | b')' | b']' => depth -= 1,
            b' ' if depth == 0 && text[at..].starts_with(" as ") => return Some(at),
            _ => {}
        }
    }
    None
}

/// The crate that a path begins with.
pub(crate) fn root(path: &str) -> &str {
    path.split("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_short() {
        let table = [
            ("core::panicking::panic_fmt", "core::panicking::panic_fmt"),
            ("<a::B<u8> as c::D<e::F>>::g::{{closure}}", "a::B::g"),
            ("<std::path::Path>::exists", "std::path::Path::exists"),
            ("a::f::<b::C>::{closure#0}", "a::f"),
            ("<a::B as core::ops::Fn<fn() -> u8>>::call", "a::B::call"),
            ("core::ptr::drop_in_place::<a::B<c::D>>", "drop of a::B"),
            ("unlink", "unlink"),
        ];
        for (text, expected) in table {
            assert_eq!(path(text), expected, "{text}");
        }
    }
}
