//! Names of functions, from the name section: demangled, whichever way the compiler mangled them, and without the hash.

use wasmparser::{KnownCustom, Name, NameSectionReader};

/// The path that a mangled name stands for; a name that is not mangled stays as it is.
pub(super) fn demangle(name: &str) -> String {
    // The alternate form leaves out the hash, and the disambiguators of the newer mangling.
    match rustc_demangle::try_demangle(name) {
        Ok(path) => format!("{path:#}"),
        Err(_) => name.to_owned(),
    }
}

/// The functions that a custom section names.
pub(super) fn functions(section: &wasmparser::CustomSectionReader<'_>) -> Vec<(u32, String)> {
    match section.as_known() {
        KnownCustom::Name(names) => in_section(names),
        _ => Vec::new(),
    }
}

/// A name section is not part of validation: what cannot be read is left out.
fn in_section(names: NameSectionReader<'_>) -> Vec<(u32, String)> {
    let maps = names.filter_map(Result::ok).filter_map(|name| match name {
        Name::Function(map) => Some(map),
        _ => None,
    });
    maps.flat_map(|map| map.into_iter().filter_map(Result::ok))
        .map(|naming| (naming.index, demangle(naming.name)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::demangle;

    #[test]
    fn both_manglings_become_paths_without_a_hash() {
        let legacy = "_ZN4core9panicking9panic_fmt17h05626cefcc91481dE";
        let newer = "_RNvNtCs1234_4core9panicking9panic_fmt";
        assert_eq!(demangle(legacy), "core::panicking::panic_fmt");
        assert_eq!(demangle(newer), "core::panicking::panic_fmt");
        assert_eq!(demangle("__multi3"), "__multi3");
    }
}
