//! Figures of all runs: a table for the terminal and the same as JSON.
//!
//! A ratio is the peer's figure over testsmith's on the same crate and kind of run, a median is over
//! the crates where both have one. Time a mutant is wall time of the whole command over the mutants
//! that got a verdict.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::super::median::median;
use super::agreement::{self, Agreement};
use super::record::{self, Record, Run};
use super::table::{figure, table};
use super::tools::OURS;

/// The peer whose verdicts are compared one by one.
const JUDGE: &str = "cargo-mutants";

/// One line while the bench goes on.
pub(super) fn line(record: &Record) -> String {
    let Record { subject, tool, run, seconds, tally, .. } = record;
    let outcome = match &record.gave_up {
        Some(why) => format!("gave up: {why}"),
        None => format!("{} mutants, {} judged", tally.generated, tally.judged()),
    };
    format!("{subject}: {tool} {}: {seconds:.1} s, {outcome}", run.name())
}

pub(super) fn text(records: &[Record]) -> String {
    let header = [
        "crate",
        "tool",
        "run",
        "mutants",
        "judged",
        "seconds",
        "ms/mutant",
        "x a mutant",
        "x whole",
        "tool MiB",
        "child MiB",
    ];
    let rows: Vec<_> = records.iter().map(|record| row(records, record)).collect();
    let mut text = format!("\n{}\n", table(&header, 3, &rows));
    for record in records.iter().filter(|record| record.gave_up.is_some()) {
        text.push_str(&line(record));
        text.push('\n');
    }
    text.push_str(&medians_text(records));
    let agreements = agreements(records);
    for (subject, agreement) in &agreements {
        text.push_str(&agreement_text(subject, agreement));
    }
    if agreements.len() > 1 {
        text.push_str(&agreement_text("all crates", &total(&agreements)));
    }
    text
}

pub(super) fn json(records: &[Record]) -> Value {
    let runs: Vec<Value> = records.iter().map(|record| run_json(records, record)).collect();
    let agreements = agreements(records);
    let by_crate: serde_json::Map<String, Value> =
        agreements.iter().map(|(subject, agreement)| (subject.clone(), json!(agreement))).collect();
    json!({
        "written_at": record::now(),
        "cores": std::thread::available_parallelism().map_or(1, usize::from),
        "memory_note": "peak resident memory, sampled every 100 ms",
        "runs": runs,
        "medians": medians(records).iter().map(Median::json).collect::<Vec<_>>(),
        "agreement": { "all": total(&agreements), "crates": by_crate },
    })
}

fn row(records: &[Record], record: &Record) -> Vec<String> {
    let ours = ours_beside(records, record);
    let mib = |kib: Option<u64>| figure(kib.map(|kib| kib as f64 / 1024.0), 0);
    let known = record.gave_up.is_none();
    let count = |count: usize| {
        if known { count.to_string() } else { "gave up".to_owned() }
    };
    vec![
        record.subject.clone(),
        record.tool.clone(),
        record.run.name().to_owned(),
        count(record.tally.generated),
        count(record.tally.judged()),
        figure(Some(record.seconds), 1),
        figure(record.ms_per_mutant(), 1),
        figure(ours.and_then(|ours| mutant_ratio(ours, record)), 1),
        figure(ours.and_then(|ours| whole_ratio(ours, record)), 1),
        mib(record.memory.tool_kib),
        mib(record.memory.child_kib),
    ]
}

fn run_json(records: &[Record], record: &Record) -> Value {
    let ours = ours_beside(records, record);
    json!({
        "crate": record.subject,
        "tool": record.tool,
        "version": record.version,
        "run": record.run,
        "gave_up": record.gave_up,
        "mutants": record.tally,
        "judged": record.tally.judged(),
        "seconds": record.seconds,
        "ms_per_mutant": record.ms_per_mutant(),
        "ratio_per_mutant": ours.and_then(|ours| mutant_ratio(ours, record)),
        "ratio_whole": ours.and_then(|ours| whole_ratio(ours, record)),
        "memory": record.memory,
        "measured_at": record.measured_at,
        "load_before": record.load_before,
        "own_account": record.own_account,
    })
}

/// Our run of the same kind on the same crate, for a peer's record.
fn ours_beside<'r>(records: &'r [Record], peer: &Record) -> Option<&'r Record> {
    let same = |ours: &&Record| ours.tool == OURS && ours.subject == peer.subject && ours.run == peer.run;
    records.iter().find(same).filter(|_| peer.tool != OURS)
}

fn mutant_ratio(ours: &Record, peer: &Record) -> Option<f64> {
    Some(peer.ms_per_mutant()? / ours.ms_per_mutant()?)
}

fn whole_ratio(ours: &Record, peer: &Record) -> Option<f64> {
    (peer.gave_up.is_none() && ours.gave_up.is_none()).then(|| peer.seconds / ours.seconds)
}

/// The middle of the crates for one tool and kind of run.
struct Median {
    tool: String,
    run: Run,
    crates: usize,
    ms_per_mutant: Option<f64>,
    ratio_per_mutant: Option<f64>,
    ratio_whole: Option<f64>,
}

impl Median {
    fn json(&self) -> Value {
        json!({
            "tool": self.tool,
            "run": self.run,
            "crates": self.crates,
            "ms_per_mutant": self.ms_per_mutant,
            "ratio_per_mutant": self.ratio_per_mutant,
            "ratio_whole": self.ratio_whole,
        })
    }
}

fn medians(records: &[Record]) -> Vec<Median> {
    let mut kinds: Vec<(&str, Run)> = Vec::new();
    for record in records {
        if !kinds.contains(&(record.tool.as_str(), record.run)) {
            kinds.push((&record.tool, record.run));
        }
    }
    kinds.into_iter().map(|(tool, run)| median_of(records, tool, run)).collect()
}

fn median_of(records: &[Record], tool: &str, run: Run) -> Median {
    let of_kind: Vec<&Record> = records
        .iter()
        .filter(|record| record.tool == tool && record.run == run && record.gave_up.is_none())
        .collect();
    let ratios = |ratio: fn(&Record, &Record) -> Option<f64>| {
        let beside = of_kind.iter().filter_map(|record| ratio(ours_beside(records, record)?, record));
        median(beside)
    };
    Median {
        tool: tool.to_owned(),
        run,
        crates: of_kind.len(),
        ms_per_mutant: median(of_kind.iter().filter_map(|record| record.ms_per_mutant())),
        ratio_per_mutant: ratios(mutant_ratio),
        ratio_whole: ratios(whole_ratio),
    }
}

fn medians_text(records: &[Record]) -> String {
    let row = |median: &Median| {
        vec![
            median.tool.clone(),
            median.run.name().to_owned(),
            median.crates.to_string(),
            figure(median.ms_per_mutant, 1),
            figure(median.ratio_per_mutant, 1),
            figure(median.ratio_whole, 1),
        ]
    };
    let rows: Vec<_> = medians(records).iter().map(row).collect();
    let header = ["medians", "run", "crates", "ms/mutant", "x a mutant", "x whole"];
    format!("\n{}", table(&header, 2, &rows))
}

/// Crate by crate, where both tools have named their mutants; the first run that has them.
fn agreements(records: &[Record]) -> Vec<(String, Agreement)> {
    let named = |tool: &'static str| {
        records.iter().filter(move |record| record.tool.starts_with(tool) && !record.mutants.is_empty())
    };
    let mut found: Vec<(String, Agreement)> = Vec::new();
    for ours in named(OURS) {
        let theirs = named(JUDGE).find(|theirs| theirs.subject == ours.subject);
        if let (Some(theirs), false) = (theirs, found.iter().any(|(subject, _)| *subject == ours.subject)) {
            found.push((ours.subject.clone(), agreement::compare(&ours.mutants, &theirs.mutants)));
        }
    }
    found
}

fn total(agreements: &[(String, Agreement)]) -> Agreement {
    let mut total = Agreement::default();
    for (_, agreement) in agreements {
        total.add(agreement);
    }
    total
}

fn agreement_text(subject: &str, agreement: &Agreement) -> String {
    let Agreement { matched, equal, equal_up_to_timeout, different, .. } = agreement;
    let mut text = format!(
        "\n{subject}: {matched} mutants match {JUDGE}, {equal} verdicts equal, {equal_up_to_timeout} equal up to \
         time-out, {different} different\n  matched {}; theirs alone {} (and {} that do not compile); ours alone {}\n",
        genres(&agreement.matched_by_genre),
        genres(&agreement.theirs_alone),
        agreement.theirs_unviable,
        agreement.ours_alone,
    );
    for difference in &agreement.differences {
        let (theirs, ours) = (difference.their_verdict, difference.our_verdict);
        writeln!(
            text,
            "  {theirs:?} by {JUDGE}, {ours:?} by {OURS}: {} | {}",
            difference.theirs, difference.ours
        )
        .expect("writing to a string cannot fail");
    }
    text
}

fn genres(counts: &std::collections::BTreeMap<String, usize>) -> String {
    if counts.is_empty() {
        return "none".to_owned();
    }
    counts.iter().map(|(genre, count)| format!("{genre} {count}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::mutant::{Mutant, Site, Tally, Verdict};
    use super::*;
    use crate::bench::measure::Memory;

    fn record(subject: &str, tool: &str, seconds: f64, killed: usize) -> Record {
        Record {
            subject: subject.to_owned(),
            tool: tool.to_owned(),
            version: "1".to_owned(),
            run: Run::Cold,
            seconds,
            gave_up: None,
            tally: Tally { generated: killed + 1, unviable: 1, killed, ..Tally::default() },
            memory: Memory { tool_kib: Some(2048), child_kib: None },
            measured_at: 0,
            load_before: None,
            own_account: Value::Null,
            mutants: Vec::new(),
        }
    }

    fn mutant(verdict: Verdict) -> Mutant {
        Mutant {
            name: "a.rs:1:1: x".to_owned(),
            genre: "BinaryOperator".to_owned(),
            file: "a.rs".to_owned(),
            site: Site::Text { line: 1, column: 1, width: Some(1) },
            replacement: "-".to_owned(),
            verdict,
        }
    }

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![1.0, 4.0, 2.0, 9.0]), Some(3.0));
    }

    #[test]
    fn ratios_are_the_peers_figure_over_ours() {
        let records = [record("a", OURS, 2.0, 100), record("a", "cargo-mutants", 50.0, 50)];
        let json = json(&records);
        assert_eq!(json["runs"][1]["ms_per_mutant"], 1000.0);
        assert_eq!(json["runs"][1]["ratio_per_mutant"], 50.0);
        assert_eq!(json["runs"][1]["ratio_whole"], 25.0);
        assert_eq!(json["runs"][0]["ratio_whole"], Value::Null, "we are not compared with ourselves");
    }

    #[test]
    fn who_gave_up_has_no_ratio_and_no_part_in_the_median() {
        let mut gave_up = record("b", "cargo-gamma", 400.0, 0);
        gave_up.gave_up = Some("exit code 3: no".to_owned());
        let records = [
            record("a", OURS, 1.0, 100),
            record("a", "cargo-gamma", 3.0, 100),
            record("b", OURS, 1.0, 100),
            gave_up,
        ];
        let gamma = &json(&records)["medians"][1];
        assert_eq!((&gamma["tool"], &gamma["crates"]), (&json!("cargo-gamma"), &json!(1)));
        assert_eq!(gamma["ratio_per_mutant"], 3.0);
        assert!(text(&records).contains("b: cargo-gamma cold: 400.0 s, gave up: exit code 3: no"));
    }

    #[test]
    fn differences_are_listed_by_name() {
        let mut ours = record("a", OURS, 1.0, 1);
        let mut theirs = record("a", "cargo-mutants", 1.0, 1);
        ours.mutants.push(mutant(Verdict::Killed));
        theirs.mutants.push(mutant(Verdict::Survived));
        let records = [ours, theirs];
        assert_eq!(json(&records)["agreement"]["all"]["different"], 1);
        let text = text(&records);
        assert!(text.contains("a: 1 mutants match cargo-mutants, 0 verdicts equal"), "{text}");
        assert!(text.contains("Survived by cargo-mutants, Killed by testsmith: a.rs:1:1: x"), "{text}");
    }
}
