//! How many programs run in a second: `cargo test --release -p testsmith-rt -- --ignored --nocapture speed`.

use std::time::Instant;

use super::subject::*;
use super::*;

/// Eight statements of the usual kinds.
fn typical(seed: i32) -> Run {
    let ops = vec![
        int(seed % 20),
        call(CLAMP, &[(C, 0)]),
        int(seed % 7),
        call(CLAMP, &[(C, 2)]),
        call(LIST, &[(M, 1), (M, 3), (M, 2)]),
        call(PUSH, &[(X, 4), (C, 0)]),
        call(SUM, &[(S, 4)]),
        call(CLAMP, &[(M, 6)]),
    ];
    program(ops, &[0, 4, 7])
}

fn measure(name: &str, options: Options, mutants: Mutants) {
    let runs = (0..1000).map(|seed| Run { mutants: mutants.clone(), ..typical(seed) }).collect();
    let message = Batch { options, runs, ..Batch::default() }.encode();
    let (runs, seconds) = with_worker(tables(), |worker| {
        let start = Instant::now();
        let mut runs = 0;
        while start.elapsed().as_secs_f64() < 1.0 {
            let answer = Answer::decode(&worker.answer(&message)).expect("an answer");
            runs += answer.executions.iter().map(|found| 1 + found.ran.len()).sum::<usize>();
        }
        (runs, start.elapsed().as_secs_f64())
    });
    println!("{name:40} {:>10.0} runs/s", runs as f64 / seconds);
}

#[test]
#[ignore = "measures"]
fn speed() {
    let none = || Mutants::Listed(Vec::new());
    let unseen = || Options { observe: Observing::Nothing, ..Options::default() };
    measure("original, neither traced nor observed", Options { trace: false, ..unseen() }, none());
    measure("original, traced", unseen(), none());
    measure("original, traced, hashed", hashed(), none());
    measure("original, traced, observed", Options::default(), none());
    measure("mutants, not observed", unseen(), Mutants::Infected { at_most: 100 });
    measure("mutants, observed", hashed(), Mutants::Infected { at_most: 100 });
    let alike = Mutants::Listed(vec![6; 10]);
    measure("mutants that do not differ, observed", hashed(), alike);
    measure("forked", Options { observe: Observing::Hash, ..forked() }, Mutants::Listed(vec![1; 10]));
}
