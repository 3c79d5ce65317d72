//! What `{:?}` prints, taken apart without knowing the types.

/// The path of a variant, where it is known.
pub(super) type Owner<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A value as it prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Printed {
    /// A number, `true`, or the name of what has no parts.
    Word(String),
    /// With its quotes.
    Text(String),
    /// With its quotes.
    Char(String),
    /// `[…]`
    List(Vec<Printed>),
    /// `(…)`
    Tuple(Vec<Printed>),
    /// `Name(…)`
    Named(String, Vec<Printed>),
    /// `Name { field: … }`
    Fields(String, Vec<(String, Printed)>),
}

impl Printed {
    /// Takes a text apart; `None` if it is none of the usual.
    pub(super) fn read(text: &str) -> Option<Printed> {
        let mut reader = Reader { rest: text.trim() };
        let value = reader.value()?;
        reader.rest.is_empty().then_some(value)
    }

    /// As an expression, where nothing tells of which type; `None` if a name in it has no owner.
    pub(super) fn plain(&self, owner: Owner<'_>) -> Option<String> {
        let all = |values: &[Printed]| {
            let parts: Option<Vec<String>> = values.iter().map(|value| value.plain(owner)).collect();
            parts.map(|parts| parts.join(", "))
        };
        match self {
            Printed::Word(word) => {
                let is_plain = is_number(word) || matches!(word.as_str(), "true" | "false" | "None");
                if is_plain { Some(word.clone()) } else { owner(word) }
            }
            Printed::Text(text) | Printed::Char(text) => Some(text.clone()),
            Printed::List(values) => Some(format!("[{}]", all(values)?)),
            Printed::Tuple(values) => {
                Some(format!("({}{})", all(values)?, if values.len() == 1 { "," } else { "" }))
            }
            Printed::Named(name, values) if matches!(name.as_str(), "Some" | "Ok" | "Err") => {
                Some(format!("{name}({})", all(values)?))
            }
            Printed::Named(name, values) => Some(format!("{}({})", owner(name)?, all(values)?)),
            Printed::Fields(name, fields) => {
                let field =
                    |(field, value): &(String, Printed)| Some(format!("{field}: {}", value.plain(owner)?));
                let fields: Option<Vec<String>> = fields.iter().map(field).collect();
                Some(format!("{} {{ {} }}", owner(name)?, fields?.join(", ")))
            }
        }
    }
}

/// Whether a word is a number that could stand in a source.
pub(super) fn is_number(word: &str) -> bool {
    let is_float = || word.contains(['.', 'e']) && word.parse::<f64>().is_ok_and(f64::is_finite);
    word.parse::<i128>().is_ok() || word.parse::<u128>().is_ok() || is_float()
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Option<Printed> {
        match self.rest.chars().next()? {
            '"' => Some(Printed::Text(self.quoted('"')?)),
            '\'' => Some(Printed::Char(self.quoted('\'')?)),
            '[' => Some(Printed::List(self.list('[', ']')?)),
            '(' => Some(Printed::Tuple(self.list('(', ')')?)),
            _ => self.named(),
        }
    }

    fn named(&mut self) -> Option<Printed> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let word = self.take(end);
        if word.is_empty() {
            return None;
        }
        if self.rest.starts_with('(') {
            return Some(Printed::Named(word.to_owned(), self.list('(', ')')?));
        }
        if !self.rest.starts_with(" { ") {
            return Some(Printed::Word(word.to_owned()));
        }
        self.take(3);
        let mut fields = Vec::new();
        loop {
            let end = self.rest.find(": ")?;
            let name = self.take(end).to_owned();
            self.take(2);
            fields.push((name, self.value()?));
            if self.eat(" }") {
                return Some(Printed::Fields(word.to_owned(), fields));
            }
            if !self.eat(", ") {
                return None;
            }
        }
    }

    fn list(&mut self, open: char, close: char) -> Option<Vec<Printed>> {
        self.take(open.len_utf8());
        let close = close.to_string();
        let mut values = Vec::new();
        loop {
            // A tuple of one has a comma behind it.
            if self.eat(&close) {
                return Some(values);
            }
            values.push(self.value()?);
            let _ = self.eat(", ") || self.eat(",");
        }
    }

    /// A literal with its quotes, which the compiler has to understand as well.
    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut is_escaped = false;
        let end = self.rest.char_indices().skip(1).find_map(|(at, c)| {
            let ends = c == quote && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends.then_some(at + 1)
        })?;
        let text = self.take(end);
        syn::parse_str::<syn::Lit>(text).ok()?;
        Some(text.to_owned())
    }

    fn eat(&mut self, what: &str) -> bool {
        let rest = self.rest.strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn take(&mut self, end: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_plain_is_read_and_written_again() {
        let same = [
            "-3",
            "1.5e-7",
            "\"a, \\\"b\\\")\"",
            "'('",
            "[1, 2]",
            "[]",
            "(1,)",
            "Some((1, [\"x\"]))",
            "None",
        ];
        for text in same {
            assert_eq!(Printed::read(text).and_then(|value| value.plain(&|_| None)).as_deref(), Some(text));
        }
        let others = ["{1: 2}", "Point { x: 1 ", "", "\"open", "1 2", "Room(", "[1; 2]", "0x_"];
        for text in others {
            assert_eq!(Printed::read(text).and_then(|value| value.plain(&|_| None)), None, "{text}");
        }
        let fields = vec![("x".to_owned(), Printed::Word("1".to_owned()))];
        assert_eq!(Printed::read("Point { x: 1 }"), Some(Printed::Fields("Point".to_owned(), fields)));
    }
}
