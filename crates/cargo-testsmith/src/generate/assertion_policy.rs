//! What the oracle wants to know of the crate: what can be written, what was printed, which panics are meant.

use std::collections::HashMap;

use testsmith_instrument::Plan;
use testsmith_ir::{Accepts, Callable, CallableId, Param, Program, TypeId, Visibility};
use testsmith_model::api::{Model, Origin, PanicDocs, PanicKind};
use testsmith_model::effects::Purity;
use testsmith_model::graph::Graph;
use testsmith_rt::harness::wire::Outcome;
use testsmith_suite::case::{Case, Check};
use testsmith_suite::oracle::{AssertionPolicy, Declared};
use testsmith_suite::text;

use crate::api_config::ApiConfig;
use crate::subject::id;

/// Knows the crate.
pub(crate) struct CratePolicy<'a> {
    pub(crate) model: &'a Model,
    plan: &'a Plan,
    api_config: &'a ApiConfig,
    origins: HashMap<CallableId, &'a Origin>,
}

/// Macros that say what is wrong: whoever wrote one wants the panic. `unreachable!` and `.expect(…)` rather say that it
/// cannot happen.
const GUARDS: [&str; 4] = ["panic!", "assert!", "assert_eq!", "assert_ne!"];
const BELIEFS: [&str; 2] = [".expect(", "unreachable!"];

impl<'a> CratePolicy<'a> {
    pub(crate) fn new(model: &'a Model, plan: &'a Plan, api_config: &'a ApiConfig) -> CratePolicy<'a> {
        let each = |origin: &'a Origin| origin.callables.iter().map(move |at| (id(*at), origin));
        CratePolicy { model, plan, api_config, origins: model.origins.iter().flat_map(each).collect() }
    }

    /// What a person would count as the callable.
    pub(crate) fn origin(&self, callable: CallableId) -> Option<&'a Origin> {
        self.origins.get(&callable).copied()
    }

    /// The last call of a program that is one of the crate's.
    pub(crate) fn last_of(&self, program: &Program) -> Option<&'a Origin> {
        program.statements.iter().rev().find_map(|statement| self.origin(statement.callable()?))
    }

    /// What a case is about: the callable that its name names, or the last one before it that is one of the crate's.
    pub(crate) fn subject_of(&self, case: &Case) -> Option<&'a Origin> {
        let focus = text::focus(&self.model.api, case).index();
        let mut before = case.program.statements.iter().take(focus + 1).rev();
        let nearest = before.find_map(|statement| self.origin(statement.callable()?));
        nearest.or_else(|| self.last_of(&case.program))
    }

    /// Callables that only look at their one argument, or take out what is in it, and print nothing.
    pub(crate) fn inspectors(&self, graph: &Graph) -> Vec<CallableId> {
        let is_inspector = |id: &CallableId| {
            let callable = &self.model.api[*id];
            let [Param { accepts, .. }] = callable.params.as_slice() else { return false };
            // A copy shows nothing new.
            let is_copy =
                matches!(accepts, Accepts::Value(ty) | Accepts::Shared(ty) if *ty == callable.output);
            !is_copy
                && !callable.shown.contains("format!")
                && graph.purity(*id).iter().all(|purity| *purity != Purity::ReadWrite)
                && match graph.member(*id) {
                    Some(member) => !member.changes_something(),
                    None => self.is_opener(callable),
                }
        };
        self.model.api.callables().map(|(id, _)| id).filter(is_inspector).collect()
    }

    /// Whether a callable gives what is inside of an `Option` or a `Result`.
    fn is_opener(&self, callable: &Callable) -> bool {
        let holders = ["::std::option::Option<", "::std::result::Result<"];
        let [Param { accepts: Accepts::Value(ty), .. }] = callable.params.as_slice() else { return false };
        let is_holder = |ty: TypeId| holders.iter().any(|it| self.model.api[ty].text.starts_with(it));
        is_holder(*ty) && callable.output != *ty
    }

    /// Whether a file is one of the crate's.
    fn is_own(&self, file: &str) -> bool {
        self.plan.tree.files.iter().any(|source| source.name == file)
    }

    /// Whether a panic is one of the crate's that the user wants to know of, and nobody has declared.
    pub(crate) fn is_finding(&self, program: &Program, panic: &Outcome) -> bool {
        let Outcome::Panic { message, file, line } = panic else { return false };
        // What is private may rely on its callers.
        self.model.api.visibility(program) == Some(Visibility::Anywhere)
            // Places of the standard library and of dependencies say nothing to whoever reads this.
            && self.is_own(file) && !self.api_config.ignores(file, *line, message) && self.declared(program, panic).is_none()
    }

    /// Whether a line of the crate says on purpose that something is wrong.
    pub(crate) fn is_explicit(&self, file: &str, line: u32) -> bool {
        self.line_has(file, line, &GUARDS) || self.line_has(file, line, &BELIEFS)
    }

    fn line_has(&self, file: &str, line: u32, words: &[&str]) -> bool {
        let source = self.plan.tree.files.iter().find(|source| source.name == file);
        source.is_some_and(|source| {
            let line = source.line(line as usize);
            words.iter().any(|word| line.contains(word))
        })
    }
}

impl AssertionPolicy for CratePolicy<'_> {
    fn is_writable(&self, program: &Program, check: &Check) -> bool {
        text::is_writable(&self.model.api, program, check)
    }

    fn is_printed(&self, program: &Program, check: &Check) -> bool {
        let maker = program[check.slot].callable();
        // A buffer that is too small says little about what did not fit: a text is better, and there is no other way.
        let is_formatted = maker.is_some_and(|maker| {
            let shown = &self.model.api[maker].shown;
            shown.contains("format!") || shown.starts_with("write!(")
        });
        is_formatted || text::is_string(&self.model.api, program, check)
    }

    fn is_message(&self, program: &Program, check: &Check) -> bool {
        text::is_message(&self.model.api, program, check)
    }

    fn declared(&self, program: &Program, panic: &Outcome) -> Option<Declared> {
        let Outcome::Panic { message, file, line } = panic else { return None };
        if self.api_config.ignores(file, *line, message) {
            return None;
        }
        let last = program.statements.last().and_then(|statement| statement.callable());
        let docs = last.and_then(|id| self.origin(id)).map(|origin| &origin.panics);
        match PanicKind::of(message) {
            Some(kind) => docs.is_some_and(|docs| docs.declare(kind)).then_some(Declared::Panic),
            None if self.line_has(file, *line, &GUARDS) => Some(Declared::Message),
            None if docs.is_some_and(PanicDocs::declare_any) => Some(match self.is_own(file) {
                true => Declared::Message,
                false => Declared::Panic,
            }),
            None => None,
        }
    }
}
