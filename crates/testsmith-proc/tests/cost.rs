//! What a trivial child costs. Thousands are run, so this must stay well below the 2 ms that the bound
//! allows for a loaded machine. `cargo test --test cost -- --nocapture` prints the figures.
#![cfg(target_os = "linux")]

mod util;

use std::time::{Duration, Instant};

use testsmith_proc::{Capture, Limits, Spec, run};
use util::{LONG, TAIL};

const CHILDREN: usize = 500;

/// The first decile over many children: what the code costs, not what the neighbours do.
fn cost(capture: Capture) -> Duration {
    let spec = Spec::new("/bin/true");
    let time = || {
        let start = Instant::now();
        let ran = run(&spec, &Limits::wall(LONG), capture).expect("/bin/true is there");
        assert!(ran.ending.success());
        start.elapsed()
    };
    let mut times: Vec<Duration> = (0..CHILDREN).map(|_| time()).collect();
    times.sort();
    times[CHILDREN / 10]
}

#[test]
fn a_trivial_child_costs_well_under_two_milliseconds() {
    for (name, capture) in [("no output", Capture::Nothing), ("tail", TAIL)] {
        let cost = cost(capture);
        println!("{name}: {cost:?} per child");
        assert!(cost < Duration::from_millis(2), "{name}: {cost:?}");
    }
}
