//! What an assertion is about: a variable, or the expression that would have been bound to it.

/// An expression, and how often it has to be dereferenced to give the value that is meant.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    text: String,
    derefs: usize,
}

impl Subject {
    pub(super) fn new(text: &str) -> Subject {
        Subject { text: text.to_owned(), derefs: 0 }
    }

    /// What the pointer leads to.
    pub(super) fn deref(&self) -> Subject {
        let written = |text: &str, derefs: usize| Subject { text: text.to_owned(), derefs };
        match (self.derefs, self.place(), self.view()) {
            (0, Some(place), _) => written(place, 0),
            (0, None, Some(viewed)) => written(viewed, 1),
            _ => written(&self.text, self.derefs + 1),
        }
    }

    /// What a reference that is written as such leads to: `list[0]` of `&mut list[0]`.
    fn place(&self) -> Option<&str> {
        let place = self.text.strip_prefix('&')?;
        Some(place.strip_prefix("mut ").unwrap_or(place)).filter(|place| is_postfix(place))
    }

    /// What `&*vec` is a view of.
    fn view(&self) -> Option<&str> {
        let viewed = self.text.strip_prefix("&*").or_else(|| self.text.strip_prefix("&mut *"))?;
        Some(viewed).filter(|viewed| is_postfix(viewed))
    }

    /// As an operand of `assert_eq!`.
    pub(super) fn value(&self) -> String {
        match self.derefs {
            0 => self.text.clone(),
            derefs => format!("{}{}", "*".repeat(derefs), self.receiver()),
        }
    }

    /// Whether it is a variable.
    pub(super) fn is_name(&self) -> bool {
        self.derefs == 0 && self.text.chars().all(|c| c.is_alphanumeric() || c == '_')
    }

    /// Behind `!`.
    pub(super) fn negated(&self) -> String {
        match self.derefs {
            0 => format!("!{}", self.receiver()),
            _ => format!("!{}", self.value()),
        }
    }

    /// Before a dot: methods find their way through pointers.
    pub(super) fn receiver(&self) -> String {
        match self.place().or(self.view()) {
            Some(place) => place.to_owned(),
            None if is_postfix(&self.text) => self.text.clone(),
            None => format!("({})", self.text),
        }
    }

    /// The operands of `a == b`, and the operator.
    pub(super) fn comparison(&self) -> Option<(&str, &str, &str)> {
        let (at, operator) = top_level(&self.text).find_map(|(at, _)| {
            let operators = [" == ", " != ", " <= ", " >= ", " < ", " > "];
            let found = operators.into_iter().find(|operator| self.text[at..].starts_with(operator));
            found.map(|operator| (at, operator))
        })?;
        Some((&self.text[..at], operator.trim(), &self.text[at + operator.len()..]))
    }
}

/// Whether a dot behind it belongs to all of it.
fn is_postfix(text: &str) -> bool {
    !text.starts_with(['&', '*', '-', '!', '|'])
        && top_level(text).all(|(_, c)| c != ' ')
        && !text.contains("..")
        || text.starts_with('"') && top_level(text).all(|(_, c)| c != ' ')
}

/// The characters that are in no brackets and no quotes.
pub(super) fn top_level(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut depth = 0;
    let mut angles = 0;
    let mut quote = None;
    let mut is_escaped = false;
    text.char_indices().filter(move |(at, c)| {
        if let Some(end) = quote {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                c if *c == end => quote = None,
                _ => {}
            }
            return false;
        }
        match c {
            '"' => quote = Some('"'),
            // A letter, not a lifetime.
            '\'' if is_letter(&text[*at..]) => quote = Some('\''),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            // Those of `f::<_, u8>()` and `<[u8] as Trait>::f()`, not of a comparison.
            '<' if angles > 0 || *at == 0 || text[..*at].ends_with("::") => angles += 1,
            '>' if angles > 0 && !text[..*at].ends_with('-') => angles -= 1,
            _ => return depth == 0 && angles == 0,
        }
        false
    })
}

fn is_letter(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    match chars.next() {
        Some('\\') => true,
        Some(_) => chars.next() == Some('\''),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_written_for_the_place_where_it_stands() {
        let table = [
            ("len", "len", "*len", "len"),
            ("list.len()", "list.len()", "*list.len()", "list.len()"),
            ("&list[0]", "&list[0]", "list[0]", "list[0]"),
            ("&mut list[0]", "&mut list[0]", "list[0]", "list[0]"),
            ("&*vec", "&*vec", "*vec", "vec"),
            ("a + b", "a + b", "*(a + b)", "(a + b)"),
            ("-x", "-x", "*(-x)", "(-x)"),
            ("f(\"a b\", ' ')", "f(\"a b\", ' ')", "*f(\"a b\", ' ')", "f(\"a b\", ' ')"),
            ("f::<_, u8>()", "f::<_, u8>()", "*f::<_, u8>()", "f::<_, u8>()"),
            ("<T as A<_>>::f()", "<T as A<_>>::f()", "*<T as A<_>>::f()", "<T as A<_>>::f()"),
            ("\"a b\".len()", "\"a b\".len()", "*\"a b\".len()", "\"a b\".len()"),
        ];
        for (text, value, deref, receiver) in table {
            let subject = Subject::new(text);
            assert_eq!(subject.value(), value);
            assert_eq!(subject.deref().value(), deref);
            assert_eq!(subject.receiver(), receiver);
        }
    }

    #[test]
    fn comparisons_are_taken_apart() {
        assert_eq!(Subject::new("a == f(b < c)").comparison(), Some(("a", "==", "f(b < c)")));
        assert_eq!(Subject::new("f::<u8>() < b").comparison(), Some(("f::<u8>()", "<", "b")));
        assert_eq!(Subject::new("f(a == b)").comparison(), None);
    }
}
