//! Solvers that speak SMT-LIB 2 over a pipe: bitwuzla, z3, cvc5 and whoever else reads it.
//!
//! Main types: [`Conversation`], which somebody who may start processes provides, and [`External`]. A solver that does not answer in time
//! is started again; what it says is not believed before the model was evaluated.

use std::time::{Duration, Instant};

use super::smtlib::{Floats, read_model, write};
use super::{Answer, Limit, Reason, Solver};
use crate::expr::{Expr, Exprs, Op};

/// A running solver process.
pub trait Conversation {
    /// The solver's name.
    fn name(&self) -> &str;

    /// Sends text to its input.
    ///
    /// # Errors
    /// When it is gone.
    fn send(&mut self, text: &str) -> Result<(), Reason>;

    /// Its next line of output, without the end of the line.
    ///
    /// # Errors
    /// [`Reason::Time`] when there is none within `limit`, [`Reason::Broken`] when it is gone.
    fn receive(&mut self, limit: Duration) -> Result<String, Reason>;

    /// Ends the process and starts another one.
    ///
    /// # Errors
    /// When it cannot be started.
    fn restart(&mut self) -> Result<(), Reason>;
}

/// A solver at the other end of a conversation.
pub struct External<C> {
    conversation: C,
}

impl<C: Conversation> External<C> {
    /// The solver of this conversation.
    pub fn new(conversation: C) -> Self {
        Self { conversation }
    }

    /// Sends text as it is and returns the first word of the answer: for queries in files.
    ///
    /// # Errors
    /// As those of [`Conversation`]; the solver is then started again.
    pub fn ask(&mut self, text: &str, limit: &Limit) -> Result<String, Reason> {
        let answer = self.converse(text, limit);
        if answer.is_err() {
            self.conversation.restart()?;
        }
        answer
    }

    fn converse(&mut self, text: &str, limit: &Limit) -> Result<String, Reason> {
        self.conversation.send("(reset)\n(set-option :produce-models true)\n")?;
        self.conversation.send(text)?;
        let answer = self.conversation.receive(limit.time)?;
        match answer.trim() {
            "sat" | "unsat" | "unknown" => Ok(answer.trim().to_owned()),
            other => Err(Reason::Broken(other.chars().take(200).collect())),
        }
    }

    fn query(&mut self, exprs: &Exprs, constraints: &[Expr], limit: &Limit) -> Result<Answer, Reason> {
        let began = Instant::now();
        let text = write(exprs, constraints, Floats::Theory);
        match self.converse(&text, limit)?.as_str() {
            "unsat" => Ok(Answer::Unsat),
            "sat" => {
                let names = variables(exprs, constraints);
                if names.is_empty() {
                    return Ok(Answer::Sat(crate::expr::Model::new()));
                }
                self.conversation.send(&format!("(get-value ({}))\n", names.join(" ")))?;
                let values = self.balanced(&limit.left(began))?;
                let model = read_model(&values).map_err(|bad| Reason::Broken(bad.to_string()))?;
                Ok(Answer::Sat(model))
            }
            _ => Ok(Answer::Unknown(Reason::Broken("it says unknown".to_owned()))),
        }
    }

    /// Lines up to the end of the list that they begin.
    fn balanced(&mut self, limit: &Limit) -> Result<String, Reason> {
        // The answer itself is there: a late one is worth a moment.
        let limit = limit.time.max(Duration::from_millis(200));
        let began = Instant::now();
        let (mut text, mut open) = (String::new(), 0i64);
        while open > 0 || text.is_empty() {
            let line = self.conversation.receive(limit.saturating_sub(began.elapsed()))?;
            let count = |c: char| line.matches(c).count() as i64;
            open += count('(') - count(')');
            text.push_str(line.trim());
            text.push(' ');
        }
        Ok(text)
    }
}

impl<C: Conversation> Solver for External<C> {
    fn name(&self) -> &str {
        self.conversation.name()
    }

    fn check(&mut self, exprs: &mut Exprs, constraints: &[Expr], limit: &Limit) -> Answer {
        self.query(exprs, constraints, limit).unwrap_or_else(|reason| {
            // Whatever it was doing, it must not answer the next query.
            match self.conversation.restart() {
                Ok(()) => Answer::Unknown(reason),
                Err(gone) => Answer::Unknown(gone),
            }
        })
    }
}

/// The names of the variables that the text declares.
fn variables(exprs: &Exprs, constraints: &[Expr]) -> Vec<String> {
    let mut found: Vec<Expr> =
        constraints.iter().flat_map(|&constraint| exprs.variables(constraint)).collect();
    found.sort_unstable();
    found.dedup();
    debug_assert!(found.iter().all(|&variable| exprs.op(variable) == Op::Var));
    found
        .iter()
        .filter_map(|&variable| exprs.as_variable(variable))
        .map(|number| format!("x{number}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Model;

    /// A solver that says what it was told to say.
    struct Script {
        lines: Vec<Result<&'static str, Reason>>,
        heard: String,
        restarts: usize,
    }

    impl Conversation for Script {
        fn name(&self) -> &str {
            "script"
        }

        fn send(&mut self, text: &str) -> Result<(), Reason> {
            self.heard.push_str(text);
            Ok(())
        }

        fn receive(&mut self, _: Duration) -> Result<String, Reason> {
            self.lines.remove(0).map(str::to_owned)
        }

        fn restart(&mut self) -> Result<(), Reason> {
            self.restarts += 1;
            Ok(())
        }
    }

    fn answer(lines: &[Result<&'static str, Reason>]) -> (Answer, usize) {
        let mut exprs = Exprs::new();
        let (x, ten) = (exprs.variable(7, 8), exprs.constant(8, 10));
        let constraint = exprs.ult(ten, x);
        let script = Script { lines: lines.to_vec(), heard: String::new(), restarts: 0 };
        let mut solver = External::new(script);
        let answer = solver.check(&mut exprs, &[constraint], &Limit::default());
        assert!(solver.conversation.heard.contains("(declare-const x7 (_ BitVec 8))"));
        (answer, solver.conversation.restarts)
    }

    #[test]
    fn values_may_come_in_lines() {
        let model = Model::from_iter([(7, 11)]);
        assert_eq!(answer(&[Ok("sat"), Ok("((x7"), Ok("  #x0b))")]), (Answer::Sat(model), 0));
        assert_eq!(answer(&[Ok("unsat")]), (Answer::Unsat, 0));
    }

    #[test]
    fn whoever_does_not_answer_is_started_again() {
        assert_eq!(answer(&[Err(Reason::Time)]), (Answer::Unknown(Reason::Time), 1));
        let (unknown, restarts) = answer(&[Ok("(error \"line 3\")")]);
        assert!(matches!(unknown, Answer::Unknown(Reason::Broken(_))));
        assert_eq!(restarts, 1);
    }
}
