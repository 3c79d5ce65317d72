//! Parenthesised text: what SMT-LIB is made of.
//!
//! Main type: [`Sexp`]. Nesting is limited, so that no text can exhaust the stack.

use super::read::BadText;

const DEPTH: usize = 2_000;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sexp<'a> {
    Atom(&'a str),
    List(Vec<Sexp<'a>>),
}

impl<'a> Sexp<'a> {
    pub(super) fn atom(&self) -> Option<&'a str> {
        match self {
            Self::Atom(text) => Some(text),
            Self::List(_) => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Self]> {
        match self {
            Self::Atom(_) => None,
            Self::List(items) => Some(items),
        }
    }
}

/// Everything at the top of a text.
pub(super) fn parse(text: &str) -> Result<Vec<Sexp<'_>>, BadText> {
    let mut open: Vec<Vec<Sexp<'_>>> = vec![Vec::new()];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '(' => {
                open.push(Vec::new());
                1
            }
            ')' => {
                let list = open.pop().expect("there is always one");
                let outer = open.last_mut().ok_or_else(|| BadText::new("a parenthesis is closed twice"))?;
                outer.push(Sexp::List(list));
                1
            }
            _ => {
                let length = atom_length(rest, first)?;
                open.last_mut().expect("there is always one").push(Sexp::Atom(&rest[..length]));
                length
            }
        };
        if open.len() > DEPTH {
            return Err(BadText::new("nested too deeply"));
        }
        rest = rest[taken..].trim_start();
    }
    match <[_; 1]>::try_from(open) {
        Ok([top]) => Ok(top),
        Err(_) => Err(BadText::new("a parenthesis is not closed")),
    }
}

fn atom_length(rest: &str, first: char) -> Result<usize, BadText> {
    if first == '|' || first == '"' {
        let end = rest[1..].find(first).ok_or_else(|| BadText::new("a quotation is not closed"))?;
        return Ok(end + 2);
    }
    Ok(rest.find(|c: char| c.is_whitespace() || "();|\"".contains(c)).unwrap_or(rest.len()))
}
