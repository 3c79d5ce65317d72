//! Keeps the queries that the engine asks, as text, to choose a set of different sizes from.
//!
//! Main types: [`Recorder`], a solver around another one, and [`Query`].

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use testsmith_symex::expr::{Expr, Exprs};
use testsmith_symex::solver::smtlib::{self, Floats};
use testsmith_symex::solver::{Answer, Limit, Solver};

use crate::fail::{Context, Result};
use crate::files;

/// A query as it was asked.
pub(super) struct Query {
    text: String,
    /// `sat`, `unsat` or `unknown`.
    word: &'static str,
    ms: f64,
}

/// A solver that remembers what it was asked.
pub(super) struct Recorder<S> {
    pub(super) inner: S,
    pub(super) queries: Vec<Query>,
    records: bool,
}

/// Text of a query that is still a small file.
const LARGEST: usize = 20_000;

impl<S> Recorder<S> {
    pub(super) fn new(inner: S, records: bool) -> Self {
        Self { inner, queries: Vec::new(), records }
    }
}

impl<S: Solver> Solver for Recorder<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn check(&mut self, exprs: &mut Exprs, constraints: &[Expr], limit: &Limit) -> Answer {
        let began = Instant::now();
        let answer = self.inner.check(exprs, constraints, limit);
        if self.records {
            let ms = began.elapsed().as_secs_f64() * 1e3;
            let text = smtlib::write(exprs, constraints, Floats::Theory);
            if text.len() <= LARGEST {
                self.queries.push(Query { text, word: answer.word(), ms });
            }
        }
        answer
    }
}

/// Writes some of the queries: spread over what they took, the slowest first, sat and unsat in turn.
pub(super) fn keep(folder: &Path, program: &str, queries: &[Query], most: usize) -> Result<()> {
    let mut sorted: Vec<(usize, &Query)> = queries.iter().enumerate().collect();
    sorted.sort_by(|(_, a), (_, b)| b.ms.total_cmp(&a.ms));
    let mut kept = BTreeSet::new();
    let step = (sorted.len() / most.max(1)).max(1);
    for (turn, start) in (0..sorted.len()).step_by(step).enumerate() {
        if kept.len() == most {
            break;
        }
        let wanted = if turn % 2 == 0 { "sat" } else { "unsat" };
        let rest = &sorted[start..];
        let best = rest.iter().find(|(_, query)| query.word == wanted).or(rest.first());
        if let Some((number, query)) = best
            && kept.insert(*number)
        {
            let path = folder.join(format!("{program}_{number:05}.smt2"));
            fs::create_dir_all(folder).context(format!("create {}", folder.display()))?;
            files::write(&path, &query.text)?;
        }
    }
    Ok(())
}
