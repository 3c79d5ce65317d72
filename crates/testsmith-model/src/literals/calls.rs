//! Literals that stand as arguments of calls: which function, which argument ([`Argument`]).
//!
//! Tokens tell no types: a function is known by its name, and by what stands before it.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{Argument, Found};

/// What is said before `(` and calls nothing.
const KEYWORDS: [&str; 8] = ["if", "while", "match", "for", "in", "return", "let", "fn"];
/// What they are given is given to whoever takes their result.
const WRAPPERS: [&str; 5] = ["Some", "Ok", "Borrowed", "Owned", "from"];
/// Owners of `new` that are nothing but the text.
const TEXTS: [&str; 2] = ["Path", "OsStr"];
/// Paths that begin with these do not say a name.
const UNNAMED: [&str; 4] = ["Self", "self", "crate", "super"];

/// Adds the arguments of all calls in some tokens.
pub(super) fn read(found: &mut Found, tokens: TokenStream) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        if is_punct(tokens[..at].last(), '#') {
            continue;
        }
        read(found, group.stream());
        let callee = Callee::before(&tokens[..at]).filter(|_| group.delimiter() == Delimiter::Parenthesis);
        let Some(callee) = callee else { continue };
        match &callee.parsed {
            Some(literal) => found.add_argument(&callee.argument("from_str", 0), literal),
            None if callee.is_wrapper() => {}
            None => callee.read_arguments(found, group),
        }
    }
}

/// What is called.
struct Callee {
    function: String,
    owner: Option<String>,
    is_method: bool,
    /// `"1.2".parse::<Version>()`: the text, and `Version` is the owner.
    parsed: Option<syn::Lit>,
}

impl Callee {
    /// What stands at the end of these tokens, in front of `(`.
    fn before(tokens: &[TokenTree]) -> Option<Callee> {
        let (path, generics) = without_generics(tokens);
        let (name, before) = path.split_last()?;
        let TokenTree::Ident(name) = name else { return None };
        if KEYWORDS.iter().any(|word| name == word) {
            return None;
        }
        let is_method = is_punct(before.last(), '.') && !is_punct(before.split_last()?.1.last(), '.');
        let receiver = before.split_last().and_then(|(_, before)| before.last()).filter(|_| is_method);
        let parsed = match receiver {
            Some(TokenTree::Literal(literal)) if name == "parse" => Some(syn::Lit::new(literal.clone())),
            _ => None,
        };
        let owner = if parsed.is_some() { last_word(generics) } else { owner(before) };
        Some(Callee { function: name.to_string(), owner, is_method: is_method && parsed.is_none(), parsed })
    }

    fn argument(&self, function: &str, at: usize) -> Argument {
        Argument { function: function.to_owned(), owner: self.owner.clone(), is_method: self.is_method, at }
    }

    fn read_arguments(&self, found: &mut Found, group: &Group) {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        for (at, tokens) in tokens.split(|token| is_punct(Some(token), ',')).enumerate() {
            literals(tokens, &mut |literal| found.add_argument(&self.argument(&self.function, at), literal));
        }
    }

    /// Whether its result is its argument, to whoever tests with it.
    fn is_wrapper(&self) -> bool {
        let is_text = |owner: &String| TEXTS.contains(&owner.as_str());
        WRAPPERS.contains(&self.function.as_str())
            || self.function == "new" && self.owner.as_ref().is_some_and(is_text)
    }
}

/// Tokens without a `::<…>` at their end, and what stands in it.
fn without_generics(tokens: &[TokenTree]) -> (&[TokenTree], &[TokenTree]) {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().rev() {
        depth += usize::from(is_punct(Some(token), '>'));
        if depth == 0 {
            return (tokens, &[]);
        }
        depth -= usize::from(is_punct(Some(token), '<'));
        if depth == 0 {
            let is_path = at > 1 && tokens[at - 2..at].iter().all(|it| is_punct(Some(it), ':'));
            return if is_path { (&tokens[..at - 2], &tokens[at..]) } else { (tokens, &[]) };
        }
    }
    (tokens, &[])
}

/// `Url` of `Url::` at the end of some tokens.
fn owner(tokens: &[TokenTree]) -> Option<String> {
    let [.., name, first, second] = tokens else { return None };
    let is_path = is_punct(Some(first), ':') && is_punct(Some(second), ':');
    match name {
        TokenTree::Ident(name) if is_path && UNNAMED.iter().all(|it| name != it) => Some(name.to_string()),
        _ => None,
    }
}

/// Of a type, what it is called.
fn last_word(tokens: &[TokenTree]) -> Option<String> {
    tokens.iter().rev().find_map(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    })
}

/// The literals that an argument is, not those that other calls in it are given.
fn literals(tokens: &[TokenTree], take: &mut dyn FnMut(&syn::Lit)) {
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Literal(literal) => {
                let literal = match is_punct(tokens[..at].last(), '-') {
                    true => format!("-{literal}").parse().unwrap_or(literal.clone()),
                    false => literal.clone(),
                };
                take(&syn::Lit::new(literal));
            }
            TokenTree::Group(group) => {
                let is_open = match Callee::before(&tokens[..at]) {
                    Some(callee) => callee.is_wrapper(),
                    None => group.delimiter() != Delimiter::Brace && !is_punct(tokens[..at].last(), '!'),
                };
                if is_open {
                    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                    literals(&inside, take);
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, expected: &[&str]) {
        let mut found = Found::default();
        read(&mut found, code.parse().expect("it is Rust"));
        let shown = found.arguments.iter().map(|(it, values)| {
            let owner = it.owner.as_ref().map(|owner| format!("{owner}::")).unwrap_or_default();
            let dot = if it.is_method { "." } else { "" };
            let values: Vec<_> = values.iter().map(|value| format!("{value:?}")).collect();
            format!("{dot}{owner}{}[{}] = {}", it.function, it.at, values.join(", "))
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{code}");
    }

    #[test]
    fn arguments_belong_to_their_functions() {
        check("Url::parse(\"a\"); Url::parse(b\"b\")", &["Url::parse[0] = Text(\"a\"), Text(\"b\")"]);
        check("url.set(Some(-80), \"x\".to_string())", &[".set[0] = Int(-80)", ".set[1] = Text(\"x\")"]);
        check("join(&[\"p\"], x(\"y\"))", &["join[0] = Text(\"p\")", "x[0] = Text(\"y\")"]);
        check("assert_eq!(crate::f::<u8>('c'), 5)", &["f[0] = Text(\"c\")"]);
        check("g(Path::new(\"/\"), 1..f(2))", &["f[0] = Int(2)", "g[0] = Text(\"/\")", "g[1] = Int(1)"]);
    }

    #[test]
    fn what_is_parsed_is_given_to_the_type() {
        check("\"1.2\".parse::<a::Version>()", &["Version::from_str[0] = Text(\"1.2\")"]);
        check("\"1.2\".parse()", &["from_str[0] = Text(\"1.2\")"]);
        check("\"1.2\".len()", &[]);
    }

    #[test]
    fn keywords_macros_and_attributes_call_nothing() {
        check("if (\"a\" == b) {} #[doc(alias = \"b\")] println!(\"{}\", 1)", &[]);
    }
}
