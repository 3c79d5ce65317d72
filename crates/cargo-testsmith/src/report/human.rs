//! The score as text: survivors grouped by file, a table of files, the score.

use std::collections::BTreeMap;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use testsmith_instrument::{Mutant, Plan};

use super::json::{Counts, Score, VerdictEntry};
use super::lines::excerpt;
use crate::stale;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default();
const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// The whole report.
pub(crate) fn score(score: &Score, plan: &Plan, verbose: bool) -> String {
    let mut out = String::new();
    let by_id: BTreeMap<&str, &Mutant> = plan.mutants.iter().map(|m| (m.id.0.as_str(), m)).collect();
    survivors(&mut out, score, plan, &by_id);
    unreached(&mut out, score);
    accepted(&mut out, score);
    if verbose {
        unviable(&mut out, score);
    }
    files(&mut out, score);
    self_checks(&mut out, score);
    summary(&mut out, score);
    out + &stale::text(&score.stale, verbose)
}

fn survivors(out: &mut String, score: &Score, plan: &Plan, by_id: &BTreeMap<&str, &Mutant>) {
    let mut last = "";
    for survivor in &score.survivors {
        if survivor.file != last {
            let _ = writeln!(out, "{BOLD}{}{BOLD:#}", survivor.file);
            last = &survivor.file;
        }
        let Some(mutant) = by_id.get(survivor.id.as_str()) else { continue };
        let excerpt = excerpt(plan, mutant);
        let _ = writeln!(
            out,
            "  {RED}survived{RED:#} {}:{}:{} {} in {} {DIM}{}{DIM:#}",
            survivor.file, survivor.line, survivor.column, survivor.operator, survivor.function, survivor.id
        );
        for line in &excerpt.before {
            let _ = writeln!(out, "    {DIM}{:>5} |{DIM:#} {RED}- {}{RED:#}", excerpt.line, line.trim_end());
        }
        for line in &excerpt.after {
            let _ = writeln!(out, "          {DIM}|{DIM:#} {GREEN}+ {line}{GREEN:#}");
        }
    }
    if !score.survivors.is_empty() {
        out.push('\n');
    }
}

/// Mutants that no test reaches, by function: they need a test of the function, not one each.
fn unreached(out: &mut String, score: &Score) {
    let mut functions: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for entry in score.verdicts.iter().filter(|v| v.verdict == "unreached") {
        let key = (entry.mutant.file.as_str(), entry.mutant.function.as_str());
        let (count, line) = functions.entry(key).or_insert((0, entry.mutant.line));
        *count += 1;
        *line = (*line).min(entry.mutant.line);
    }
    if functions.is_empty() {
        return;
    }
    let _ = writeln!(out, "{BOLD}never executed by a test{BOLD:#}");
    let mut functions: Vec<_> = functions.into_iter().collect();
    functions.sort_by_key(|((file, _), (_, line))| (*file, *line));
    for ((file, function), (count, line)) in functions {
        let mutants = if count == 1 { "mutant" } else { "mutants" };
        let _ = writeln!(out, "  {YELLOW}{count:>4}{YELLOW:#} {mutants:7} from {file}:{line} in {function}");
    }
    out.push('\n');
}

/// Mutants that no test has to kill, because the user says so.
fn accepted(out: &mut String, score: &Score) {
    let accepted: Vec<&VerdictEntry> = score.verdicts.iter().filter(|v| v.verdict == "accepted").collect();
    if accepted.is_empty() {
        return;
    }
    let _ = writeln!(out, "{BOLD}accepted by the configuration{BOLD:#}");
    for entry in accepted {
        let (mutant, reason) = (&entry.mutant, entry.reason.as_deref().unwrap_or_default());
        let _ = writeln!(
            out,
            "  {}:{}:{} {}: {} {DIM}{}{DIM:#}: {reason}",
            mutant.file, mutant.line, mutant.column, mutant.operator, mutant.change, mutant.id
        );
    }
    out.push('\n');
}

fn unviable(out: &mut String, score: &Score) {
    let rejected: Vec<&VerdictEntry> = score.verdicts.iter().filter(|v| v.verdict == "unviable").collect();
    if rejected.is_empty() {
        return;
    }
    let _ = writeln!(out, "{BOLD}rejected by the compiler{BOLD:#}");
    for entry in rejected {
        let mutant = &entry.mutant;
        let reason = entry.reason.as_deref().unwrap_or_default();
        let _ = writeln!(
            out,
            "  {}:{}:{} {}: {} {DIM}{}: {reason}{DIM:#}",
            mutant.file, mutant.line, mutant.column, mutant.operator, mutant.change, mutant.id
        );
    }
    out.push('\n');
}

fn files(out: &mut String, score: &Score) {
    let mut files: BTreeMap<&str, Counts> = BTreeMap::new();
    for entry in &score.verdicts {
        files.entry(&entry.mutant.file).or_default().add(entry.verdict);
    }
    let width = files.keys().map(|name| name.len()).max().unwrap_or(4).max(4);
    let _ = writeln!(
        out,
        "{BOLD}{:width$}  mutants  killed  timeout  survived  unreached  unviable   score{BOLD:#}",
        "file"
    );
    let mut row = |name: &str, counts: &Counts| {
        let _ = writeln!(
            out,
            "{name:width$}  {:>7}  {:>6}  {:>7}  {:>8}  {:>9}  {:>8}  {:>5}%",
            counts.generated,
            counts.killed,
            counts.timeout,
            counts.survived,
            counts.unreached,
            counts.unviable,
            counts.rate().text()
        );
    };
    for (name, counts) in &files {
        row(name, counts);
    }
    if files.len() > 1 {
        row("all", &score.mutants);
    }
    out.push('\n');
}

fn self_checks(out: &mut String, score: &Score) {
    let checks = &score.self_checks;
    for name in &score.unknown_accepted {
        let _ = writeln!(out, "{YELLOW}warning{YELLOW:#}: {}", unknown_accepted(name));
    }
    for file in &score.unread_files {
        let _ = writeln!(out, "{YELLOW}warning{YELLOW:#}: no mutants in {file}");
    }
    if !checks.changed_tests.is_empty() {
        let _ = writeln!(
            out,
            "{YELLOW}warning{YELLOW:#}: passing on the crate but not on its rewritten copy, and so not used: {}",
            checks.changed_tests.join(", ")
        );
    }
    if score.tests.unusable > 0 {
        let _ = writeln!(
            out,
            "{YELLOW}warning{YELLOW:#}: passing with the others but not alone (or not in time), and so not used: {}",
            checks.unusable_tests.join(", ")
        );
    }
    if !checks.killed_uninfected.is_empty() {
        let _ = writeln!(
            out,
            "{YELLOW}warning{YELLOW:#}: {} of {} mutants that no test seemed to infect were killed all the same: {}\n  \
             some survivors above may be wrong; this is a bug in testsmith, please report it",
            checks.killed_uninfected.len(),
            checks.uninfected_run,
            checks.killed_uninfected.join(", ")
        );
    }
}

/// What is said of a mutant that is accepted and not there: its function may have changed, and the acceptance with it.
pub(crate) fn unknown_accepted(name: &str) -> String {
    format!("`accepted` of the configuration names `{name}`, and there is no such mutant (any more)")
}

fn tests(count: usize) -> String {
    if count == 1 { "1 test".to_owned() } else { format!("{count} tests") }
}

fn summary(out: &mut String, score: &Score) {
    let counts = &score.mutants;
    if !score.complete {
        let _ = writeln!(out, "{YELLOW}interrupted{YELLOW:#}: {} mutants were not run", counts.not_run);
    }
    let viable = counts.viable();
    let _ = writeln!(
        out,
        "{BOLD}score {}%{BOLD:#}: {} of {viable} mutants detected ({} killed, {} timed out), {} survived, {} never reached",
        counts.rate().text(),
        counts.killed + counts.timeout,
        counts.killed,
        counts.timeout,
        counts.survived,
        counts.unreached
    );
    let _ = writeln!(
        out,
        "{DIM}{} in {:.1} s: {:.1} s building, {:.1} s running; {} mutants rejected by the compiler{DIM:#}",
        tests(score.tests.run),
        score.seconds.total,
        score.seconds.build,
        score.seconds.run,
        counts.unviable
    );
}
