//! What the compiler says about the meta-program, and what is taken out of it therefore.
//!
//! The compiler is the type oracle. An error is traced to the smallest thing that can be blamed, in this order: a
//! `const fn` that was opened, the arm of one mutant, a site, the sites inside of the place, the function, the file.
//! What is blamed is switched off, and the rest is compiled again.

use std::ops::Range;

use crate::plan::{Plan, State};
use crate::render::{Piece, Rendered};

/// An error of the compiler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its code, such as `E0308`.
    pub code: Option<String>,
    /// Its first line.
    pub message: String,
    /// The places that it names, the main one first.
    pub places: Vec<Place>,
}

/// A place in a file of the meta-program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the file in the plan; `None` for a file that is not part of it.
    pub file: Option<usize>,
    /// Bytes of the rewritten text.
    pub range: Range<usize>,
}

/// What a round of feedback has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Mutants that were rejected.
    pub rejected: usize,
    /// `const fn`s that stay what they are, and functions left alone.
    pub closed: usize,
    /// Errors that nothing could be blamed for.
    pub unexplained: Vec<Diagnostic>,
}

impl Outcome {
    /// Whether the meta-program has changed: if not, another round would end the same way.
    pub fn is_progress(&self) -> bool {
        self.rejected + self.closed > 0
    }
}

/// The result of one function of blame.
type Blamed = Option<(usize, usize)>;

impl Plan {
    /// Takes out what the errors are blamed on; `rendered` are the texts that were compiled.
    pub fn reject_blamed(&mut self, rendered: &[Rendered], diagnostics: &[Diagnostic]) -> Outcome {
        let mut outcome = Outcome::default();
        for diagnostic in diagnostics {
            match self.blame(rendered, diagnostic) {
                Some((rejected, closed)) => {
                    outcome.rejected += rejected;
                    outcome.closed += closed;
                }
                None => outcome.unexplained.push(diagnostic.clone()),
            }
        }
        outcome
    }

    fn blame(&mut self, rendered: &[Rendered], diagnostic: &Diagnostic) -> Blamed {
        let places: Vec<(usize, Range<usize>)> =
            diagnostic.places.iter().filter_map(|place| Some((place.file?, place.range.clone()))).collect();
        let reason = match &diagnostic.code {
            Some(code) => format!("{code}: {}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        self.blame_const_fn(diagnostic, &places)
            .or_else(|| places.iter().find_map(|(file, at)| self.blame_arm(rendered, *file, at, &reason)))
            .or_else(|| places.iter().find_map(|(file, at)| self.blame_site(rendered, *file, at, &reason)))
            .or_else(|| places.iter().find_map(|(file, at)| self.blame_inner(rendered, *file, at, &reason)))
            .or_else(|| {
                places.iter().find_map(|(file, at)| self.blame_function(rendered, *file, at, &reason))
            })
            .or_else(|| places.iter().find_map(|(file, _)| self.blame_file(*file, &reason)))
    }

    /// "cannot call non-const function `path::name` in constants".
    fn blame_const_fn(&mut self, diagnostic: &Diagnostic, places: &[(usize, Range<usize>)]) -> Blamed {
        if diagnostic.code.as_deref() != Some("E0015") {
            return None;
        }
        let name = callee(&diagnostic.message)?;
        // A test or another package may be the one that calls: then any package's function is meant.
        let packages: Vec<_> = match places.first() {
            Some((file, _)) => vec![self.tree.files[*file].package],
            None => (0..self.facts.len()).collect(),
        };
        let mut found = false;
        for package in packages {
            found |= self.keep_const(&name, package);
        }
        found.then_some((0, 1))
    }

    fn blame_arm(&mut self, rendered: &[Rendered], file: usize, at: &Range<usize>, reason: &str) -> Blamed {
        let arms = rendered.get(file)?.pieces.iter().filter(|piece| contains(piece, at));
        let number = arms.filter_map(|piece| Some((piece.range.len(), piece.mutant?))).min()?.1;
        // Blamed by an earlier error of this round already: nothing more to do.
        Some((usize::from(self.reject(number, reason)), 0))
    }

    fn blame_site(&mut self, rendered: &[Rendered], file: usize, at: &Range<usize>, reason: &str) -> Blamed {
        let sites =
            rendered.get(file)?.pieces.iter().filter(|piece| contains(piece, at) && piece.mutant.is_none());
        let piece = sites.min_by_key(|piece| piece.range.len())?;
        self.blame_sites(file, &[piece.site], reason)
    }

    fn blame_inner(&mut self, rendered: &[Rendered], file: usize, at: &Range<usize>, reason: &str) -> Blamed {
        let inside = |piece: &&Piece| {
            piece.mutant.is_none() && at.start <= piece.range.start && piece.range.end <= at.end
        };
        let sites: Vec<_> =
            rendered.get(file)?.pieces.iter().filter(inside).map(|piece| piece.site).collect();
        if sites.is_empty() { None } else { self.blame_sites(file, &sites, reason) }
    }

    /// A site without mutants (a tick) can only go with its function.
    fn blame_sites(&mut self, file: usize, sites: &[usize], reason: &str) -> Blamed {
        let (mut rejected, mut closed) = (0, 0);
        for site in sites {
            let site = &self.sites[file][*site];
            let (base, count, function) = (site.base, site.count, site.function);
            if count == 0 && sites.len() == 1 && self.functions[function].left_alone.is_none() {
                self.leave_alone(function, &State::Unviable(reason.to_owned()));
                closed += 1;
            }
            for number in base..base + count {
                rejected += usize::from(self.reject(number, reason));
            }
        }
        Some((rejected, closed))
    }

    fn blame_function(
        &mut self,
        rendered: &[Rendered],
        file: usize,
        at: &Range<usize>,
        reason: &str,
    ) -> Blamed {
        let start = rendered.get(file)?.to_source(at.start);
        let around = |(index, function): (usize, &crate::Function)| {
            let is_around = function.file == file && function.range.contains(&start) && function.left_alone.is_none();
            is_around.then_some((function.range.len(), index))
        };
        let function = self.functions.iter().enumerate().filter_map(around).min()?.1;
        self.leave_alone(function, &State::Unviable(reason.to_owned()));
        Some((0, 1))
    }

    fn blame_file(&mut self, file: usize, reason: &str) -> Blamed {
        let functions: Vec<_> = (0..self.functions.len())
            .filter(|at| self.functions[*at].file == file && self.functions[*at].left_alone.is_none())
            .collect();
        for function in &functions {
            self.leave_alone(*function, &State::Unviable(reason.to_owned()));
        }
        (!functions.is_empty()).then_some((0, functions.len()))
    }
}

fn contains(piece: &Piece, at: &Range<usize>) -> bool {
    piece.range.start <= at.start && at.end <= piece.range.end
}

/// The name in the first backticks, without path and generics.
fn callee(message: &str) -> Option<String> {
    let quoted = message.split('`').nth(1)?;
    let mut depth = 0usize;
    let mut plain = String::new();
    for c in quoted.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let name = plain.rsplit("::").find(|part| !part.is_empty())?;
    Some(name.trim_start_matches("r#").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_callee_is_read_from_the_message() {
        for (message, expected) in [
            ("cannot call non-const function `f` in constants", "f"),
            ("cannot call non-const associated function `Foo::<T>::new` in constant functions", "new"),
            ("cannot call non-const method `<impl a::B<u8>>::get::<u8>` in statics", "get"),
        ] {
            assert_eq!(callee(message).as_deref(), Some(expected), "{message}");
        }
        assert_eq!(callee("no quotes"), None);
    }
}
