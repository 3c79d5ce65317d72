//! Programs of earlier runs, again: what killed a mutant once most likely does so again.

use testsmith_ir::Program;

use super::{Strategy, Trial};
use crate::search_state::SearchState;

/// Proposes given programs, one after the other.
pub struct Stored {
    programs: std::vec::IntoIter<Program>,
}

impl Stored {
    /// These.
    pub fn new(programs: Vec<Program>) -> Stored {
        Stored { programs: programs.into_iter() }
    }
}

impl Strategy for Stored {
    fn name(&self) -> &'static str {
        "store"
    }

    fn propose(&mut self, _: &SearchState<'_>, count: usize) -> Vec<Program> {
        self.programs.by_ref().take(count).collect()
    }

    fn is_thorough(&self) -> bool {
        true
    }

    fn take(&mut self, _: &SearchState<'_>, _: &[Trial]) {}
}
