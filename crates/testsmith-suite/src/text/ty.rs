//! The text of a type, taken apart as far as values can be written for it.

/// A type, as the text of a test sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    /// A primitive, or a type of the standard library by the last part of its path; lifetimes are left out.
    Std(String, Vec<Ty>),
    /// `&T` and `&mut T`
    Ref {
        is_mut: bool,
        inner: Box<Ty>,
    },
    Tuple(Vec<Ty>),
    Array(Box<Ty>),
    Slice(Box<Ty>),
    /// Of any other crate, or nothing that is known here: its text.
    Other(String),
}

impl Ty {
    /// Reads `::std::option::Option<&'static str>`, and what `std::any::type_name` makes of it.
    pub(super) fn parse(text: &str) -> Ty {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix('&') {
            let rest = without_lifetime(rest);
            return match rest.strip_prefix("mut ") {
                Some(inner) => Ty::Ref { is_mut: true, inner: Box::new(Ty::parse(inner)) },
                None => Ty::Ref { is_mut: false, inner: Box::new(Ty::parse(rest)) },
            };
        }
        if let Some(inner) = enclosed(text, '(', ')') {
            return Ty::Tuple(split(inner, ',').into_iter().map(Ty::parse).collect());
        }
        if let Some(inner) = enclosed(text, '[', ']') {
            return match split(inner, ';').as_slice() {
                [element] => Ty::Slice(Box::new(Ty::parse(element))),
                [element, _] => Ty::Array(Box::new(Ty::parse(element))),
                _ => Ty::Other(text.to_owned()),
            };
        }
        named(text)
    }

    /// Whether it is this type of the standard library.
    pub(super) fn is(&self, name: &str) -> bool {
        matches!(self, Ty::Std(known, _) if known == name)
    }

    /// Whether values exist behind pointers alone.
    pub(super) fn is_unsized(&self) -> bool {
        matches!(self, Ty::Slice(_)) || ["str", "Path", "OsStr", "CStr"].iter().any(|name| self.is(name))
    }
}

fn named(text: &str) -> Ty {
    let (path, args) = match text.split_once('<') {
        Some((path, rest)) => match rest.strip_suffix('>') {
            Some(args) => (path, split(args, ',')),
            None => return Ty::Other(text.to_owned()),
        },
        None => (text, Vec::new()),
    };
    let args = args.into_iter().filter(|arg| !arg.starts_with('\'')).map(Ty::parse).collect();
    let path = path.trim_start_matches("::");
    match path.rsplit_once("::") {
        None => Ty::Std(path.to_owned(), args),
        Some((module, name)) => match module.split("::").next() {
            Some("std" | "core" | "alloc") => Ty::Std(name.to_owned(), args),
            _ => Ty::Other(text.to_owned()),
        },
    }
}

fn without_lifetime(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) => rest.split_once(' ').map_or(rest, |(_, rest)| rest),
        None => text,
    }
}

fn enclosed(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// The parts that are in no brackets; none of nothing.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0;
    let mut before = ' ';
    let parts = text.split(|c| {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        before = c;
        c == separator && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn std(name: &str, args: impl IntoIterator<Item = Ty>) -> Ty {
        Ty::Std(name.to_owned(), args.into_iter().collect())
    }

    fn shared(inner: Ty) -> Ty {
        Ty::Ref { is_mut: false, inner: Box::new(inner) }
    }

    #[test]
    fn types_are_known_by_either_of_their_texts() {
        let text = || shared(std("str", []));
        let table = [
            ("u8", std("u8", [])),
            ("()", Ty::Tuple(Vec::new())),
            ("&'static str", text()),
            ("::std::option::Option<&'static str>", std("Option", [text()])),
            ("core::option::Option<&str>", std("Option", [text()])),
            ("alloc::borrow::Cow<'static, str>", std("Cow", [std("str", [])])),
            ("(u8, ::std::vec::Vec<(i32,)>)", {
                let inner = std("Vec", [Ty::Tuple(vec![std("i32", [])])]);
                Ty::Tuple(vec![std("u8", []), inner])
            }),
            ("&'static mut [u8]", {
                Ty::Ref { is_mut: true, inner: Box::new(Ty::Slice(Box::new(std("u8", [])))) }
            }),
            ("[u8; 4]", Ty::Array(Box::new(std("u8", [])))),
            ("::slab::Slab<i32>", Ty::Other("::slab::Slab<i32>".to_owned())),
            (
                "::std::option::Option<::slab::Slab<i32>>",
                std("Option", [Ty::Other("::slab::Slab<i32>".to_owned())]),
            ),
        ];
        for (text, expected) in table {
            assert_eq!(Ty::parse(text), expected, "{text}");
        }
    }
}
