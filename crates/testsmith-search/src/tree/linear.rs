//! From a tree to a program: depth first, arguments before their call ([`linearise`]).

use testsmith_ir::{Api, Arg, Program, Reason, Slot, State, Statement};

use super::function_set::FunctionSet;
use super::node::{Node, What};

/// So many borrowers are dropped for one call, at most.
const MOST_DROPS: usize = 4;

/// A program whose last call is the top of the tree; `None` where the borrow rules do not allow it.
pub(super) fn linearise(api: &Api, set: &FunctionSet, tree: &Node) -> Option<Linear> {
    let mut writer = Writer { api, set, state: State::new(api), program: Program::default() };
    let top = writer.node(tree)?;
    writer.finish()?;
    Some(Linear { program: writer.program, top })
}

/// A tree as a program.
pub(super) struct Linear {
    pub(super) program: Program,
    /// The statement of the top of the tree.
    pub(super) top: Slot,
}

struct Writer<'a> {
    api: &'a Api,
    set: &'a FunctionSet,
    state: State<'a>,
    program: Program,
}

impl Writer<'_> {
    /// Writes a tree; the slot of what it provides.
    fn node(&mut self, node: &Node) -> Option<Slot> {
        let at = match &node.what {
            What::Literal(value) => {
                return self.push(Statement::Literal { ty: node.ty, value: value.clone() });
            }
            What::Entry(at) => *at,
        };
        let entry = self.set.entry(at);
        let callable = &self.api[entry.callable];
        let mut args = Vec::with_capacity(node.children.len());
        for (index, child) in node.children.iter().enumerate() {
            let slot = self.node(child)?;
            let fit = self.api.fit(callable.params[callable.param_of(index)].accepts, child.ty)?;
            args.push(Arg { slot, mode: fit.mode });
        }
        let provided = entry.item.map(|item| args[item].slot);
        let result = self.call(Statement::Call { callable: entry.callable, args })?;
        Some(provided.unwrap_or(result))
    }

    /// Adds a call, after what stands in its way because it borrows and has a destructor.
    fn call(&mut self, call: Statement) -> Option<Slot> {
        for _ in 0..MOST_DROPS {
            let Err(violation) = self.state.can(&call) else { break };
            let (Reason::Lent(borrower) | Reason::LentToArgument(borrower)) = violation.reason else { break };
            if call.slots().any(|slot| slot == borrower) {
                break;
            }
            self.push(Statement::Drop(borrower))?;
        }
        self.push(call)
    }

    /// Ends what would live too long.
    fn finish(&mut self) -> Option<()> {
        while self.state.finish().is_err() {
            let guards: Vec<Slot> = self.state.guards().collect();
            guards.into_iter().rev().find_map(|guard| self.push(Statement::Drop(guard)))?;
        }
        Some(())
    }

    fn push(&mut self, statement: Statement) -> Option<Slot> {
        self.state.push(&statement).ok()?;
        Some(self.program.push(statement))
    }
}
