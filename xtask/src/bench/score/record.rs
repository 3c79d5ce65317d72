//! One measured run as data: what was run, how long it took, what it found.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::mutant::{Mutant, Tally};
use super::tools::Tool;
use crate::bench::measure::{Measured, Memory};
use crate::subjects::Subject;

/// Whether the target folder was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum Run {
    Cold,
    Warm,
}

impl Run {
    pub(super) const ALL: &[Run] = &[Run::Cold, Run::Warm];

    pub(super) fn name(self) -> &'static str {
        match self {
            Run::Cold => "cold",
            Run::Warm => "warm",
        }
    }

    /// All runs until the last of `wanted`, in order.
    pub(super) fn up_to(wanted: &[Run]) -> Vec<Run> {
        let last = Self::ALL.iter().rposition(|run| wanted.contains(run));
        Self::ALL.iter().copied().take(last.map_or(0, |last| last + 1)).collect()
    }
}

/// What a tool said about its own run.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Reading {
    pub(super) tally: Tally,
    /// The tool's own account of its time and memory, as it gave it.
    pub(super) own_account: Value,
    /// Empty where the tool's mutants are not compared one by one.
    pub(super) mutants: Vec<Mutant>,
}

/// One run of one tool on one crate.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Record {
    /// `name-version` of the crate.
    pub(super) subject: String,
    pub(super) tool: String,
    pub(super) version: String,
    pub(super) run: Run,
    pub(super) seconds: f64,
    /// Why there are no figures, in the tool's words.
    pub(super) gave_up: Option<String>,
    pub(super) tally: Tally,
    pub(super) memory: Memory,
    /// When the run ended, in seconds since 1970: a reused figure is older than its report.
    pub(super) measured_at: u64,
    /// The machine's load average over the last minute, to tell a disturbed run by.
    pub(super) load_before: Option<f64>,
    pub(super) own_account: Value,
    pub(super) mutants: Vec<Mutant>,
}

impl Record {
    /// The record of a run whose findings have not been read yet.
    pub(super) fn of(subject: &Subject, tool: &Tool, run: Run, measured: &Measured) -> Self {
        Self {
            subject: subject.folder(),
            tool: tool.name.clone(),
            version: tool.version.clone(),
            run,
            seconds: measured.seconds,
            gave_up: None,
            tally: Tally::default(),
            memory: measured.memory,
            measured_at: now(),
            load_before: measured.load_before,
            own_account: Value::Null,
            mutants: Vec::new(),
        }
    }

    pub(super) fn take(&mut self, reading: Reading) {
        self.tally = reading.tally;
        self.own_account = reading.own_account;
        self.mutants = reading.mutants;
    }

    /// Wall time of the whole command for each mutant that got a verdict.
    pub(super) fn ms_per_mutant(&self) -> Option<f64> {
        let judged = self.tally.judged();
        (self.gave_up.is_none() && judged > 0).then(|| self.seconds * 1000.0 / judged as f64)
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warm_run_needs_the_cold_one() {
        assert_eq!(Run::up_to(&[Run::Warm]), [Run::Cold, Run::Warm]);
        assert_eq!(Run::up_to(&[Run::Cold]), [Run::Cold]);
        assert_eq!(Run::up_to(&[]), []);
    }
}
