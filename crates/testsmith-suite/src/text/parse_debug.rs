//! From what `{:?}` prints back to the expression of the value, where the API has what it takes: `Err(Empty)` of a
//! `Result<u8, Error>` is `Err(Error::Empty)`. An assertion on that says more than one on a text.

use testsmith_ir::{Accepts, Api, Callable, Visibility};
use testsmith_rt::harness::Value;

use super::scope::Scope;
use super::ty::Ty;
use super::value::scalar;

/// An expression of a type whose value prints so.
pub(super) fn parse_debug(api: &Api, ty: &Ty, printed: &str, scope: &mut Scope) -> Option<String> {
    let mut lifter = Lifter { api, visibility: &scope.visibility, rest: printed, imports: Vec::new() };
    let text = lifter.value(ty).filter(|_| lifter.rest.is_empty())?;
    let imports = lifter.imports;
    // Where a name means something else already, a text is easier to read than paths.
    let is_known = imports.into_iter().all(|path| scope.add(&path));
    is_known.then_some(text)
}

struct Lifter<'a> {
    api: &'a Api,
    /// Where the expression stands.
    visibility: &'a Visibility,
    rest: &'a str,
    imports: Vec<String>,
}

impl<'a> Lifter<'a> {
    fn value(&mut self, ty: &Ty) -> Option<String> {
        match ty {
            Ty::Ref { is_mut, inner } => match (&**inner, is_mut) {
                (inner, false) if inner.is("str") => self.quoted('"').map(str::to_owned),
                (Ty::Slice(_), _) => None,
                (inner, false) => Some(format!("&{}", self.value(inner)?)),
                (inner, true) => Some(format!("&mut {}", self.value(inner)?)),
            },
            Ty::Tuple(types) => self.tuple(types),
            Ty::Std(name, args) => self.standard(name, args),
            Ty::Other(text) => self.constructed(text),
            Ty::Array(_) | Ty::Slice(_) => None,
        }
    }

    fn standard(&mut self, name: &str, args: &[Ty]) -> Option<String> {
        match (name, args) {
            ("String", []) => match self.quoted('"')? {
                "\"\"" => Some("String::new()".to_owned()),
                text => Some(format!("String::from({text})")),
            },
            ("char", []) => self.quoted('\'').map(str::to_owned),
            ("bool", []) => {
                let word = self.word();
                matches!(word, "true" | "false").then(|| word.to_owned())
            }
            ("Option", [inner]) => match self.word() {
                "None" => Some("None".to_owned()),
                "Some" => self.wrapped("Some", inner),
                _ => None,
            },
            ("Result", [ok, err]) => match self.word() {
                "Ok" => self.wrapped("Ok", ok),
                "Err" => self.wrapped("Err", err),
                _ => None,
            },
            ("Box", [inner]) if !inner.is_unsized() => Some(format!("Box::new({})", self.value(inner)?)),
            ("Vec", [element]) => self.elements(element),
            (_, []) => self.integer(name),
            _ => None,
        }
    }

    fn wrapped(&mut self, name: &str, inner: &Ty) -> Option<String> {
        self.eat("(")?;
        let text = format!("{name}({})", self.value(inner)?);
        self.eat(")").map(|()| text)
    }

    fn tuple(&mut self, types: &[Ty]) -> Option<String> {
        self.eat("(")?;
        let parts = self.parts(types.iter().map(|ty| ("", ty.clone())))?;
        if types.len() == 1 {
            self.eat(",")?;
        }
        self.eat(")")?;
        Some(if let [one] = parts.as_slice() {
            format!("({one},)")
        } else {
            format!("({})", parts.join(", "))
        })
    }

    fn elements(&mut self, element: &Ty) -> Option<String> {
        self.eat("[")?;
        let mut parts = Vec::new();
        while self.eat("]").is_none() {
            if !parts.is_empty() {
                self.eat(", ")?;
            }
            parts.push(self.value(element)?);
        }
        Some(format!("vec![{}]", parts.join(", ")))
    }

    /// Values between commas, each behind what its field is called.
    fn parts<'t>(&mut self, parts: impl Iterator<Item = (&'t str, Ty)>) -> Option<Vec<String>> {
        let mut texts = Vec::new();
        for (field, ty) in parts {
            if !texts.is_empty() {
                self.eat(", ")?;
            }
            self.eat(field)?;
            texts.push(self.value(&ty)?);
        }
        Some(texts)
    }

    fn integer(&mut self, name: &str) -> Option<String> {
        let is_part = |c: char| c == '-' || c.is_ascii_digit();
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        scalar(name, &Value::Int(digits.parse().ok()?))
    }

    /// A struct or a variant of the API, by the name that it prints.
    fn constructed(&mut self, ty: &str) -> Option<String> {
        let name = self.word();
        let api = self.api;
        let mut makers = api.callables().filter(|(id, callable)| {
            is_same(&api[callable.output].text, ty)
                && constructor(callable).is_some_and(|(made, _)| made == name)
                && self.visibility.sees(api.visibility_of(*id))
        });
        let (_, maker) = makers.next().filter(|_| !name.is_empty())?;
        let (_, fields) = constructor(maker)?;
        let types = maker.params.iter().map(|param| match param.accepts {
            Accepts::Value(id) => Some(Ty::parse(&api[id].text)),
            _ => None,
        });
        let types = types.collect::<Option<Vec<Ty>>>()?;
        let (open, close) = match fields {
            Fields::None => ("", ""),
            Fields::Unnamed => ("(", ")"),
            Fields::Named(_) => (" { ", " }"),
        };
        let named = match &fields {
            Fields::Named(names) => names.clone(),
            Fields::None | Fields::Unnamed => vec![String::new(); types.len()],
        };
        if named.len() != types.len() {
            return None;
        }
        self.eat(open)?;
        let parts = self.parts(named.iter().map(String::as_str).zip(types))?;
        self.eat(close)?;
        self.imports.extend(maker.imports.iter().cloned());
        Some(filled(&maker.shown, &parts))
    }

    fn eat(&mut self, text: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    fn word(&mut self) -> &'a str {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// A literal with its quotes: what `{:?}` escapes, Rust understands.
    fn quoted(&mut self, quote: char) -> Option<&'a str> {
        let inner = self.rest.strip_prefix(quote)?;
        let mut is_escaped = false;
        let end = inner.char_indices().find(|(_, c)| {
            let ends = *c == quote && !is_escaped;
            is_escaped = *c == '\\' && !is_escaped;
            ends
        })?;
        let (literal, rest) = self.rest.split_at(end.0 + 2);
        self.rest = rest;
        Some(literal)
    }
}

/// What a struct or variant has in it.
enum Fields {
    None,
    Unnamed,
    /// Each as it stands before its value: `x: `.
    Named(Vec<String>),
}

/// The name of a struct or a variant, if that is what a callable makes: `Point { x: $0 }`, `Error::Empty`, `Some($0)`.
fn constructor(callable: &Callable) -> Option<(&str, Fields)> {
    let shown = callable.shown.as_str();
    let end = shown.find(['(', ' ']).unwrap_or(shown.len());
    let (path, rest) = shown.split_at(end);
    let name = path.rsplit("::").next()?;
    let is_type =
        name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().any(|c| c.is_ascii_lowercase());
    let holes: Vec<String> = (0..callable.params.len()).map(|at| format!("${at}")).collect();
    let fields = match rest {
        "" => Fields::None,
        _ if rest == format!("({})", holes.join(", ")) => Fields::Unnamed,
        _ => {
            let inside = rest.strip_prefix(" { ")?.strip_suffix(" }")?;
            let names = inside.split(", ").zip(&holes).map(|(field, hole)| field.strip_suffix(hole.as_str()));
            Fields::Named(names.map(|name| name.map(str::to_owned)).collect::<Option<Vec<_>>>()?)
        }
    };
    is_type.then_some((name, fields))
}

/// Whether two texts mean one type: `std::any::type_name` writes no leading colons.
fn is_same(a: &str, b: &str) -> bool {
    let bare = |text| str::strip_prefix(text, "::").unwrap_or(text);
    bare(a) == bare(b)
}

fn filled(template: &str, parts: &[String]) -> String {
    let holes = parts.iter().enumerate().rev();
    holes.fold(template.to_owned(), |text, (at, part)| text.replacen(&format!("${at}"), part, 1))
}

#[cfg(test)]
mod tests {
    use testsmith_ir::sketch;

    use super::*;

    const API: &str = "
        type u8: copy
        type char: copy
        type String
        type mine::Error
        type mine::Point
        fn mine::Error::Empty() -> mine::Error => Error::Empty
        fn mine::Error::Invalid(c: char; index: u8) -> mine::Error => Error::Invalid { c: $0, index: $1 }
        fn mine::Error::Other(text: String) -> mine::Error => Error::Other($0)
        fn mine::Point::new(x: u8) -> mine::Point => Point::new($0)
    ";

    #[test]
    fn what_only_a_test_inside_of_the_crate_could_write_is_not_written_outside() {
        let mut api = sketch::api(API).expect("the table is well-formed");
        let inside = Visibility::Inside(vec!["error".to_owned()]);
        api.visibilities.push(inside.clone());
        let lifted = |visibility: Visibility| {
            let mut scope = Scope { visibility, ..Scope::default() };
            parse_debug(&api, &Ty::parse("mine::Error"), "Empty", &mut scope)
        };
        assert_eq!(lifted(Visibility::Anywhere), None);
        assert_eq!(lifted(inside).as_deref(), Some("Error::Empty"));
    }

    #[test]
    fn what_is_printed_becomes_an_expression() {
        let api = sketch::api(API).expect("the table is well-formed");
        let table = [
            ("mine::Error", "Empty", Some("Error::Empty")),
            ("std::result::Result<u8, mine::Error>", "Ok(5)", Some("Ok(5)")),
            ("Result<u8, mine::Error>", "Err(Empty)", Some("Err(Error::Empty)")),
            (
                "Option<mine::Error>",
                r"Some(Invalid { c: '\'', index: 3 })",
                Some(r"Some(Error::Invalid { c: '\'', index: 3 })"),
            ),
            (
                "(mine::Error, u8)",
                r#"(Other("a\"b"), 1)"#,
                Some(r#"(Error::Other(String::from("a\"b")), 1)"#),
            ),
            ("Vec<mine::Error>", "[Empty, Empty]", Some("vec![Error::Empty, Error::Empty]")),
            ("mine::Error", "Empty2", None),
            ("mine::Error", "Empty and more", None),
            ("mine::Point", "Point { x: 1 }", None),
        ];
        for (ty, printed, expected) in table {
            let found = parse_debug(&api, &Ty::parse(ty), printed, &mut Scope::default());
            assert_eq!(found.as_deref(), expected, "{printed}");
        }
    }
}
