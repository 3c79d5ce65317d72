//! What names a mutant on the command line and in the configuration: its id, or `file:line[:column]`.

use std::collections::BTreeSet;

use testsmith_instrument::{Mutant, Plan};

use crate::config::nearest;
use crate::failure::{Code, Failure};

/// A name of one mutant, or of all on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selector {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Id(String),
    Place { file: String, line: usize, column: Option<usize> },
}

impl Selector {
    /// Anything but a place is taken for an id.
    pub(crate) fn new(text: &str) -> Selector {
        let kind = place(text.trim()).unwrap_or_else(|| Kind::Id(text.trim().to_ascii_lowercase()));
        Selector { text: text.to_owned(), kind }
    }

    /// As the user has written it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it names this mutant.
    pub(crate) fn is(&self, plan: &Plan, mutant: &Mutant) -> bool {
        match &self.kind {
            Kind::Id(id) => mutant.id.0 == *id,
            Kind::Place { file, line, column } => {
                mutant.line == *line
                    && column.is_none_or(|column| mutant.column == column)
                    && is_file(&plan.file_of(mutant).name, file)
            }
        }
    }

    /// The mutants that it names; without any an error that says which come close.
    pub(crate) fn find<'p>(&self, plan: &'p Plan) -> Result<Vec<&'p Mutant>, Failure> {
        let found: Vec<&Mutant> = plan.mutants.iter().filter(|mutant| self.is(plan, mutant)).collect();
        match found.is_empty() {
            true => Err(Failure::new(
                Code::Nothing,
                format!(
                    "there is no mutant `{}`\n  {}`cargo testsmith list` prints all of them; an id changes with the function that \
                     the mutant is in",
                    self.text,
                    self.like(plan).map(|like| format!("did you mean `{like}`? ")).unwrap_or_default()
                ),
            )),
            false => Ok(found),
        }
    }

    /// The name of the same kind that looks most like it.
    pub(crate) fn like(&self, plan: &Plan) -> Option<String> {
        let Kind::Place { file, line, .. } = &self.kind else {
            let ids = plan.mutants.iter().map(|mutant| mutant.id.0.as_str());
            return Some(nearest(&self.text, ids).to_owned()).filter(|like| !like.is_empty());
        };
        let files: BTreeSet<&str> = plan.mutants.iter().map(|it| plan.file_of(it).name.as_str()).collect();
        let there = files.iter().find(|name| is_file(name, file)).copied();
        let name = there.unwrap_or_else(|| nearest(file, files.into_iter()));
        let inside = plan.mutants.iter().filter(|mutant| plan.file_of(mutant).name == name);
        let near = inside.min_by_key(|mutant| (mutant.line.abs_diff(*line), mutant.column))?;
        Some(format!("{name}:{}:{}", near.line, near.column))
    }
}

/// `src/lib.rs:12` or `src/lib.rs:12:7`.
fn place(text: &str) -> Option<Kind> {
    let (before, last) = text.rsplit_once(':')?;
    let last: usize = last.parse().ok()?;
    let whole = before.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<usize>().ok()?)));
    let (file, line, column) = match whole {
        Some((file, line)) => (file, line, Some(last)),
        None => (before, last, None),
    };
    Some(Kind::Place { file: file.trim_start_matches("./").to_owned(), line, column })
}

/// Whether a name, which may lack folders at its start, means a file.
fn is_file(name: &str, meant: &str) -> bool {
    name.strip_suffix(meant).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_an_id_or_a_place() {
        let place = |file: &str, line, column| Kind::Place { file: file.to_owned(), line, column };
        let table = [
            ("3f2a91bc04", Kind::Id("3f2a91bc04".to_owned())),
            ("3F2A91BC04", Kind::Id("3f2a91bc04".to_owned())),
            ("src/lib.rs:12", place("src/lib.rs", 12, None)),
            ("./src/lib.rs:12:7", place("src/lib.rs", 12, Some(7))),
            ("src/a:b.rs:12", place("src/a:b.rs", 12, None)),
            ("src/lib.rs", Kind::Id("src/lib.rs".to_owned())),
        ];
        for (text, kind) in table {
            assert_eq!(Selector::new(text).kind, kind, "{text}");
        }
        assert!(is_file("src/lib.rs", "lib.rs") && !is_file("src/lib.rs", "b.rs"));
    }
}
