//! What the compiler says about the meta-program, and what is taken out of it therefore.
//!
//! The compiler is the type oracle. An error is traced to the smallest thing that can be blamed, in this order: a
//! private item or a `const fn` that was opened, the arm of one mutant, what moves a value or opens a new way through the function (for
//! errors about moves and borrows), a site, the sites inside of the place, the function, the file.
//! What is blamed is switched off, and the rest is compiled again.

use std::collections::HashSet;
use std::ops::Range;

use crate::operators;
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
    /// `const fn`s and private items that stay what they are, and functions left alone.
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

/// What is known while the errors of one round are looked at.
struct Round {
    /// Functions that the compiled text has rewritten.
    open: Vec<bool>,
    /// Functions whose new ways have been closed: further errors about them have the same cause.
    flow_blamed: HashSet<usize>,
}

/// The result of one function of blame: mutants rejected and functions closed.
type Blamed = Option<(usize, usize)>;

impl Plan {
    /// Takes out what the errors are blamed on; `rendered` are the texts that were compiled.
    pub fn reject_blamed(&mut self, rendered: &[Rendered], diagnostics: &[Diagnostic]) -> Outcome {
        let mut outcome = Outcome::default();
        let mut round = Round {
            open: self.functions.iter().map(|f| f.left_alone.is_none()).collect(),
            flow_blamed: HashSet::new(),
        };
        for diagnostic in diagnostics {
            match self.blame(rendered, diagnostic, &mut round) {
                Some((rejected, closed)) => {
                    outcome.rejected += rejected;
                    outcome.closed += closed;
                }
                None => outcome.unexplained.push(diagnostic.clone()),
            }
        }
        outcome
    }

    fn blame(&mut self, rendered: &[Rendered], diagnostic: &Diagnostic, round: &mut Round) -> Blamed {
        let places: Vec<(usize, Range<usize>)> =
            diagnostic.places.iter().filter_map(|place| Some((place.file?, place.range.clone()))).collect();
        let reason = match &diagnostic.code {
            Some(code) => format!("{code}: {}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        let code = diagnostic.code.as_deref().unwrap_or_default();
        self.blame_opening(diagnostic)
            .or_else(|| self.blame_const_fn(diagnostic, &places, round))
            .or_else(|| places.iter().find_map(|(file, at)| self.blame_arm(rendered, *file, at, &reason)))
            .or_else(|| self.blame_move(rendered, code, &places, &reason))
            .or_else(|| self.blame_flow(rendered, code, places.first()?, &reason, round))
            .or_else(|| places.iter().find_map(|(file, at)| self.blame_site(rendered, *file, at, &reason)))
            .or_else(|| places.iter().find_map(|(file, at)| self.blame_inner(rendered, *file, at, &reason)))
            .or_else(|| {
                places
                    .iter()
                    .find_map(|(file, at)| self.blame_function(rendered, *file, at, &reason, &round.open))
            })
            .or_else(|| places.iter().find_map(|(file, _)| self.blame_file(*file, &reason, &round.open)))
    }

    /// "`name` is ambiguous": a glob brings in an item that was private.
    fn blame_opening(&mut self, diagnostic: &Diagnostic) -> Blamed {
        if diagnostic.code.as_deref() != Some("E0659") {
            return None;
        }
        let name = diagnostic.message.split('`').nth(1)?;
        let closed: usize = self.openings.iter_mut().map(|openings| openings.close(name)).sum();
        (closed > 0).then_some((0, closed))
    }

    /// "cannot call non-const function `path::name` in constants".
    fn blame_const_fn(
        &mut self,
        diagnostic: &Diagnostic,
        places: &[(usize, Range<usize>)],
        round: &Round,
    ) -> Blamed {
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
        // An earlier error of this round may have closed it already.
        let was_open = self.functions.iter().zip(&round.open).any(|(f, open)| *open && f.name == name);
        (found || was_open).then_some((0, usize::from(found)))
    }

    fn blame_arm(&mut self, rendered: &[Rendered], file: usize, at: &Range<usize>, reason: &str) -> Blamed {
        let arms = rendered.get(file)?.pieces.iter().filter(|piece| contains(piece, at));
        let number = arms.filter_map(|piece| Some((piece.range.len(), piece.mutant?))).min()?.1;
        // Blamed by an earlier error of this round already: nothing more to do.
        Some((usize::from(self.reject(number, reason)), 0))
    }

    /// "use of moved value": a site that takes by value what a method of the same name takes by reference.
    fn blame_move(
        &mut self,
        rendered: &[Rendered],
        code: &str,
        places: &[(usize, Range<usize>)],
        reason: &str,
    ) -> Blamed {
        let by_value = [operators::PAIR, operators::CHECKED, operators::UNARY];
        let (_, others) = places.split_first().filter(|_| code == "E0382" || code == "E0507")?;
        others.iter().find_map(|(file, at)| {
            let site = innermost(rendered.get(*file)?, at)?;
            let base = self.sites[*file][site].base;
            let operator = self.mutants.get((base as usize).checked_sub(1)?)?.operator;
            if by_value.contains(&operator) { self.blame_sites(*file, &[site], reason) } else { None }
        })
    }

    /// Moves and borrows that hold on one way through a function and not on another: what has opened that way is a
    /// `return`, a jump or an assignment that can be left out, and the error does not name it.
    fn blame_flow(
        &mut self,
        rendered: &[Rendered],
        code: &str,
        place: &(usize, Range<usize>),
        reason: &str,
        round: &mut Round,
    ) -> Blamed {
        const FLOW: [&str; 8] = ["E0381", "E0382", "E0384", "E0499", "E0502", "E0505", "E0506", "E0716"];
        let (file, at) = place;
        let start = FLOW.contains(&code).then(|| rendered.get(*file))??.to_source(at.start);
        let around = |f: &crate::Function| f.file == *file && f.range.contains(&start);
        let function = self.functions.iter().position(around)?;
        if round.flow_blamed.contains(&function) {
            return Some((0, 0));
        }
        let opens_a_way = |m: &crate::Mutant| {
            m.operator == operators::RETURN
                || m.operator == operators::JUMP
                || m.operator == operators::OMIT && m.before.contains(" = ")
        };
        let suspects: Vec<_> = self
            .iter()
            .filter(|(m, state)| {
                **state == State::Alive && around(&self.functions[m.function]) && opens_a_way(m)
            })
            .map(|(m, _)| m.number)
            .collect();
        let rejected = suspects.iter().filter(|number| self.reject(**number, reason)).count();
        round.flow_blamed.extend((rejected > 0).then_some(function));
        (rejected > 0).then_some((rejected, 0))
    }

    fn blame_site(&mut self, rendered: &[Rendered], file: usize, at: &Range<usize>, reason: &str) -> Blamed {
        let site = innermost(rendered.get(file)?, at)?;
        self.blame_sites(file, &[site], reason)
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
            if count == 0 && sites.len() == 1 {
                closed += usize::from(self.close(function, reason));
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
        open: &[bool],
    ) -> Blamed {
        let start = rendered.get(file)?.to_source(at.start);
        let around = |(index, function): (usize, &crate::Function)| {
            let is_around = function.file == file && function.range.contains(&start) && open[index];
            is_around.then_some((function.range.len(), index))
        };
        let function = self.functions.iter().enumerate().filter_map(around).min()?.1;
        Some((0, usize::from(self.close(function, reason))))
    }

    fn blame_file(&mut self, file: usize, reason: &str, open: &[bool]) -> Blamed {
        let functions: Vec<_> =
            (0..self.functions.len()).filter(|at| self.functions[*at].file == file && open[*at]).collect();
        let closed = functions.iter().filter(|function| self.close(**function, reason)).count();
        (!functions.is_empty()).then_some((0, closed))
    }

    /// Leaves a function alone, unless an earlier error of this round has done so already.
    fn close(&mut self, function: usize, reason: &str) -> bool {
        let is_open = self.functions[function].left_alone.is_none();
        if is_open {
            self.leave_alone(function, &State::Unviable(reason.to_owned()));
        }
        is_open
    }
}

/// The smallest site that holds a place.
fn innermost(rendered: &Rendered, at: &Range<usize>) -> Option<usize> {
    let sites = rendered.pieces.iter().filter(|piece| contains(piece, at) && piece.mutant.is_none());
    sites.min_by_key(|piece| piece.range.len()).map(|piece| piece.site)
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
