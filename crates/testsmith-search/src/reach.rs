//! Which callables lead to which functions, learned from executions: [`Reach`].
//!
//! An execution tells which functions were entered, not by which statement. A callable that enters a function does so in
//! nearly every program that calls it; one that only stands beside it does so in some.

use testsmith_ir::{CallableId, Program};

/// A callable leads to a function if it did so in at least this part of the cases of the one that did it most.
const SHARE: f64 = 0.6;

/// Counts of programs.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// By callable: programs in which a call of it came back.
    calls: Vec<u32>,
    /// By function, and then by callable: those of them in which the function was entered.
    entries: Vec<Vec<u32>>,
}

impl Reach {
    pub(crate) fn new(functions: usize, callables: usize) -> Reach {
        Reach { calls: vec![0; callables], entries: vec![Vec::new(); functions] }
    }

    /// Takes a program of which so many statements were executed.
    pub(crate) fn take(&mut self, program: &Program, executed: usize, entered: &[usize]) {
        let calls = program.statements.iter().take(executed).filter_map(|statement| statement.callable());
        let mut called: Vec<usize> = calls.map(|callable| callable.0 as usize).collect();
        called.sort_unstable();
        called.dedup();
        called.iter().for_each(|callable| self.calls[*callable] += 1);
        for function in entered {
            let of_function = &mut self.entries[*function];
            if of_function.is_empty() {
                of_function.resize(self.calls.len(), 0);
            }
            called.iter().for_each(|callable| of_function[*callable] += 1);
        }
    }

    /// Whether a callable was ever called.
    pub(crate) fn calls(&self, callable: CallableId) -> u32 {
        self.calls[callable.0 as usize]
    }

    /// Callables that lead to a function, as far as is known, the surest first.
    pub(crate) fn leading_to(&self, function: usize) -> Vec<CallableId> {
        let Some(entries) = self.entries.get(function) else { return Vec::new() };
        let rate = |(entries, calls): (&u32, &u32)| f64::from(*entries) / f64::from((*calls).max(1));
        let rates: Vec<f64> = entries.iter().zip(&self.calls).map(rate).collect();
        let most = rates.iter().copied().fold(0.0, f64::max);
        let mut leading: Vec<(f64, CallableId)> = rates
            .iter()
            .zip((0..).map(CallableId))
            .filter(|(rate, _)| **rate > 0.0 && **rate >= most * SHARE)
            .map(|(rate, callable)| (*rate, callable))
            .collect();
        leading.sort_by(|left, right| right.0.total_cmp(&left.0));
        leading.into_iter().map(|(_, callable)| callable).collect()
    }
}

#[cfg(test)]
mod tests {
    use testsmith_ir::Statement;

    use super::*;

    #[test]
    fn what_only_stands_beside_a_call_does_not_lead_to_its_function() {
        let program = |calls: &[u32]| -> Program {
            calls.iter().map(|id| Statement::Call { callable: CallableId(*id), args: Vec::new() }).collect()
        };
        let mut reach = Reach::new(2, 4);
        reach.take(&program(&[0, 1]), 2, &[0]);
        reach.take(&program(&[0, 1, 1]), 3, &[0]);
        reach.take(&program(&[0, 2]), 2, &[]);
        reach.take(&program(&[0, 3]), 2, &[]);
        reach.take(&program(&[0, 3, 1]), 1, &[]);
        assert_eq!(reach.leading_to(0), [CallableId(1)]);
        assert_eq!(reach.leading_to(1), []);
        assert_eq!(reach.calls(CallableId(0)), 5);
    }
}
