//! What the solvers made of the queries, side by side, and where they contradict each other.
//!
//! Main types: [`Row`], one for a solver, and [`Outcome`], one for a query.

use super::queries::Recorded;
use crate::bench::median::median;

pub(super) struct Row {
    pub(super) name: String,
    pub(super) outcomes: Vec<Outcome>,
}

/// `sat`, `unsat`, `unknown` or `wrong`, and how long it took.
pub(super) struct Outcome {
    pub(super) word: String,
    pub(super) ms: f64,
    pub(super) note: String,
}

impl Outcome {
    pub(super) fn solved(&self) -> bool {
        self.word == "sat" || self.word == "unsat"
    }
}

pub(super) fn print(rows: &[Row]) {
    println!("{:24} solved    sat  unsat  median ms    sum s", "solver");
    for row in rows {
        let count = |word: &str| row.outcomes.iter().filter(|outcome| outcome.word == word).count();
        let (sat, unsat) = (count("sat"), count("unsat"));
        let times = || row.outcomes.iter().map(|outcome| outcome.ms);
        println!(
            "{:24} {:6} {sat:6} {unsat:6} {:10.2} {:8.1}",
            row.name,
            sat + unsat,
            median(times()).unwrap_or_default(),
            times().sum::<f64>() / 1e3
        );
    }
}

/// Models that do not hold, and queries that one solver calls possible and another one impossible.
pub(super) fn problems(rows: &[Row], recorded: &[Recorded]) -> Vec<String> {
    let mut problems = Vec::new();
    for (place, query) in recorded.iter().enumerate() {
        let said = |word: &str| -> Vec<&str> {
            let who = rows.iter().filter(|row| row.outcomes[place].word == word);
            who.map(|row| row.name.as_str()).collect()
        };
        let (sat, unsat, wrong) = (said("sat"), said("unsat"), said("wrong"));
        if !wrong.is_empty() {
            problems.push(format!("{}: wrong model of {}", query.name, wrong.join(", ")));
        }
        if !sat.is_empty() && !unsat.is_empty() {
            problems.push(format!(
                "{}: sat for {}, unsat for {}",
                query.name,
                sat.join(", "),
                unsat.join(", ")
            ));
        }
    }
    problems
}
