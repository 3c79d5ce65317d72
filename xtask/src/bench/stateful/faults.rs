//! Faults that nobody has chosen: mutants drawn by seed from all of a package, and who finds them.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::{Value, json};

use super::Bench;
use crate::fail::Result;

/// Random runs to its plateau over all seeds; then stateful, and as control random, for the same measured time.
pub(super) fn measure(bench: &Bench<'_>) -> Result<Value> {
    let budget = bench.args.seconds.to_string();
    let run = |strategy: &str, seed: u64, seconds: &str| -> Result<(BTreeSet<u64>, u64, f64)> {
        let seed = seed.to_string();
        let began = Instant::now();
        let said = bench.json(&["execute", "--strategy", strategy, "--seed", &seed, "--seconds", seconds])?;
        let kills = said["kills"].as_object().into_iter().flatten();
        let killed = kills.filter_map(|(number, _)| number.parse().ok()).collect();
        Ok((killed, said["mutants"].as_u64().unwrap_or(0), began.elapsed().as_secs_f64()))
    };
    let mut random = BTreeSet::new();
    let mut mutants = 0;
    let mut last = 0;
    for seed in 1..=bench.args.seeds {
        let (killed, all, _) = run("random", seed, &budget)?;
        mutants = all;
        let before = random.len();
        random.extend(killed);
        last = random.len() - before;
    }
    let faults = drawn(mutants, bench.args.faults);
    let (mut stateful, mut control) = (BTreeSet::new(), BTreeSet::new());
    let (mut stateful_seconds, mut control_seconds) = (0.0, 0.0);
    for seed in 1..=bench.args.seeds {
        let (killed, _, seconds) = run("stateful", 100 + seed, &budget)?;
        stateful.extend(killed);
        stateful_seconds += seconds;
        let (killed, _, seconds) = run("random", 100 + seed, &budget)?;
        control.extend(killed);
        control_seconds += seconds;
    }
    let of = |killed: &BTreeSet<u64>| faults.intersection(killed).count();
    let new = |killed: &BTreeSet<u64>| {
        faults.iter().filter(|it| killed.contains(it) && !random.contains(it)).count()
    };
    let new_of_all = |killed: &BTreeSet<u64>| killed.difference(&random).count();
    Ok(json!({
        "mutants": mutants,
        "faults": faults.len(),
        "by_random": of(&random),
        "new_by_stateful": new(&stateful),
        "new_by_control": new(&control),
        "all_by_random": random.len(),
        "all_by_last_seed_of_random": last,
        "all_new_by_stateful": new_of_all(&stateful),
        "all_new_by_control": new_of_all(&control),
        "stateful_seconds": stateful_seconds,
        "control_seconds": control_seconds,
    }))
}

/// Numbers of mutants, drawn without a look at what any strategy kills.
fn drawn(mutants: u64, count: usize) -> BTreeSet<u64> {
    const SEED: u64 = 30;
    let mix = |number: u64| {
        let mut value = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(SEED);
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value ^ (value >> 27)
    };
    let mut all: Vec<u64> = (1..=mutants).collect();
    all.sort_by_key(|number| mix(*number));
    all.into_iter().take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_the_same_each_time_and_spread() {
        let faults = drawn(1000, 10);
        assert_eq!((faults.len(), &faults), (10, &drawn(1000, 10)));
        assert!(faults.iter().any(|it| *it < 500) && faults.iter().any(|it| *it >= 500));
    }
}
