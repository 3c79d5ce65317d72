//! Libraries that show next to nothing of what they do, as that of an application does: nearly all of their code can be tested
//! from inside alone. The user is asked, or told.

use std::io::{BufRead, IsTerminal};

use testsmith_model::api::OriginKind;

use crate::harness::BuiltHarness;
use crate::options::Output;

/// How many functions a library has for one that can be called, if it is a facade.
const FUNCTIONS_FOR_ONE: usize = 20;

/// A library most of whose functions cannot be called from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facade {
    callables: usize,
    functions: usize,
}

impl Facade {
    /// What a harness that calls public items alone says of its library.
    pub(crate) fn of(harness: &BuiltHarness) -> Option<Facade> {
        let own = harness.model.origins.iter().filter(|origin| origin.kind != OriginKind::Provided);
        Facade::new(own.count(), harness.plan.functions.len())
    }

    fn new(callables: usize, functions: usize) -> Option<Facade> {
        (callables * FUNCTIONS_FOR_ONE <= functions).then_some(Facade { callables, functions })
    }

    /// What the user should know.
    pub(crate) fn note(self) -> String {
        let Facade { callables, functions } = self;
        let [items, are] = if callables == 1 { ["item", "is"] } else { ["items", "are"] };
        format!("only {callables} {items} of a library with {functions} functions {are} public")
    }

    /// Whether the user wants tests inside of the crate; nobody is asked where nobody would answer.
    pub(crate) fn ask(self, output: Output) -> bool {
        if output.quiet || output.json || !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal()
        {
            return false;
        }
        anstream::eprint!(
            "{}: test it from inside of its modules, as --private does? --public asks no more [Y/n] ",
            self.note()
        );
        let mut answer = String::new();
        let has_answered = std::io::stdin().lock().read_line(&mut answer).is_ok_and(|length| length > 0);
        has_answered && matches!(answer.trim().to_ascii_lowercase().as_str(), "" | "y" | "yes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_facade_shows_one_in_twenty_functions_at_most() {
        let table = [(0, 0, true), (1, 19, false), (1, 20, true), (11, 1500, true), (300, 900, false)];
        for (callables, functions, expected) in table {
            assert_eq!(Facade::new(callables, functions).is_some(), expected, "{callables} of {functions}");
        }
    }

    #[test]
    fn what_is_said_of_it_is_a_sentence() {
        let facade = |callables| Facade { callables, functions: 90 };
        assert_eq!(facade(1).note(), "only 1 item of a library with 90 functions is public");
        assert_eq!(facade(0).note(), "only 0 items of a library with 90 functions are public");
    }
}
