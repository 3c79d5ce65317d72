//! The rows of the bench as text, and what must not be in them.

use super::explore::Row;

pub(super) fn head() {
    println!(
        "{:16} {:>7} {:>6} {:>8} {:>8} {:>7} {:>7} {:>8} {:>7} {:>6} {:>6} {:>6}  missing",
        "program",
        "goals",
        "runs",
        "s",
        "at most",
        "runs",
        "time s",
        "queries",
        "unknown",
        "wrong",
        "MB",
        "paths"
    );
}

pub(super) fn line(row: &Row) {
    let at_most = row.at_most.map_or(String::new(), |seconds| format!("{seconds:.2}"));
    let memory = row.memory.map_or(String::new(), |memory| format!("{memory:.0}"));
    let missing: Vec<String> = row.missing.iter().map(u32::to_string).collect();
    println!(
        "{:16} {:>3}/{:<3} {:>6} {:>8.3} {at_most:>8} {:>7} {:>7.2} {:>8} {:>7} {:>6} {memory:>6} {:>6}  {}",
        row.name,
        row.reached,
        row.declared,
        row.runs_to_goals,
        row.time_to_goals.as_secs_f64(),
        row.stats.runs,
        row.time.as_secs_f64(),
        row.stats.queries,
        row.stats.unknown,
        wrong(row),
        if row.complete { format!("{}", row.counts.terminal) } else { format!("{}+", row.counts.terminal) },
        missing.join(" ")
    );
}

fn wrong(row: &Row) -> u64 {
    let stats = &row.stats;
    stats.mispredictions + stats.nondeterministic + stats.wrong_conditions + stats.wrong_models
}

pub(super) fn sums(rows: &[Row]) {
    let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
    println!(
        "{} programs: {} of {} goals, {} runs, {} queries, {} unknown; {} mispredictions, {} nondeterministic, {} wrong conditions, {} wrong models",
        rows.len(),
        rows.iter().map(|row| row.reached).sum::<usize>(),
        rows.iter().map(|row| row.declared).sum::<usize>(),
        sum(|row| row.stats.runs),
        sum(|row| row.stats.queries),
        sum(|row| row.stats.unknown),
        sum(|row| row.stats.mispredictions),
        sum(|row| row.stats.nondeterministic),
        sum(|row| row.stats.wrong_conditions),
        sum(|row| row.stats.wrong_models),
    );
    let seconds =
        |of: fn(&Row) -> std::time::Duration| rows.iter().map(of).sum::<std::time::Duration>().as_secs_f64();
    println!(
        "{:.1} s of the processor; on the clock {:.1} s in the solver and {:.1} s in runs, {:.1} µs a run with {:.0} instructions",
        seconds(|row| row.time),
        seconds(|row| row.stats.solving),
        seconds(|row| row.stats.running),
        seconds(|row| row.stats.running) * 1e6 / sum(|row| row.stats.runs).max(1) as f64,
        sum(|row| row.stats.steps) as f64 / sum(|row| row.stats.runs).max(1) as f64,
    );
    println!(
        "slices: {} known, {} by models, {} searched, {} incremental, {} alone, {} unknown",
        sum(|row| row.statistics.known),
        sum(|row| row.statistics.models),
        sum(|row| row.statistics.searched),
        sum(|row| row.statistics.incremental),
        sum(|row| row.statistics.alone),
        sum(|row| row.statistics.unknown),
    );
}

/// What makes the bench fail.
pub(super) fn problems(rows: &[Row]) -> Vec<String> {
    let failed = rows.iter().filter(|row| wrong(row) > 0);
    failed.map(|row| format!("{}: {} predictions went otherwise", row.name, wrong(row))).collect()
}
