//! Plain random programs: what every other strategy has to beat.

use testsmith_ir::Program;
use testsmith_ir::random::{Generator, Options};

use super::{Strategy, Trial};
use crate::search_state::SearchState;
use crate::subject::Subject;

/// Proposes random programs.
pub struct Random<'a> {
    generator: Generator<'a>,
}

impl<'a> Random<'a> {
    /// The programs of a seed, of at most so many statements.
    pub fn new(subject: &Subject<'a>, seed: u64, max_statements: usize) -> Random<'a> {
        let options = Options {
            max_statements,
            roots: subject.roots.clone(),
            inspectors: subject.inspectors.clone(),
            constants: subject.constants.clone(),
            ..Options::default()
        };
        Random { generator: Generator::new(subject.api, seed, options) }
    }
}

impl Strategy for Random<'_> {
    fn name(&self) -> &'static str {
        "random"
    }

    fn propose(&mut self, known: &SearchState<'_>, count: usize) -> Vec<Program> {
        known.callable_stats().teach(&mut self.generator);
        (0..count).map(|_| self.generator.next()).collect()
    }

    fn take(&mut self, _: &SearchState<'_>, _: &[Trial]) {}
}
