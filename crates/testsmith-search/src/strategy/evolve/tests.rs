//! Evolution against a crate that is a closure: nothing is run.

use std::collections::BTreeSet;
use std::sync::Arc;

use testsmith_ir::random::Constants;
use testsmith_ir::{Api, Literal, Region, Regions, Side, Statement, check, sketch};
use testsmith_rt::harness::wire::{Distance, Execution};

use super::*;
use crate::nondeterminism::Nondeterminism;
use crate::observer::NoObserver;
use crate::subject::Target;

const API: &str = "
    type i32: copy
    type &str
    type Gate
    fn Gate::new() -> Gate => Gate::new()
    fn Gate::pass(self: &Gate; value: i32) => $0.pass($1)
    fn other(text: &str) => other($0)
";

/// `pass` is `if value == 4711 { mutant 2 }`, where mutant 1 is the comparison.
fn subject(api: &Api) -> Subject<'_> {
    let pass = api.find("Gate::pass").expect("it is in the table");
    let body = Region { mutants: vec![1], ..Region::default() };
    let inside = Region {
        parent: Some(0),
        sides: vec![Side { probe: 1, answer: true }],
        mutants: vec![2],
        ..Region::default()
    };
    let target = |probe| Target { function: 0, probe, callables: vec![pass] };
    Subject {
        api,
        roots: api.callables().map(|(id, _)| id).collect(),
        inspectors: Vec::new(),
        constants: Constants::default(),
        mutants: vec![target(Some(1)), target(None)],
        regions: Regions { all: vec![body, inside], probes: vec![(1, 0)] },
        #[cfg(feature = "symbolic")]
        module: None,
        #[cfg(feature = "symbolic")]
        solver: None,
        changes: Vec::new(),
        fields: Vec::new(),
    }
}

/// What a worker would say of a program.
fn execute(api: &Api, program: &Program) -> Execution {
    let mut execution = Execution::ended(Outcome::Ok, u16::try_from(program.size()).expect("it is short"));
    let pass = api.find("Gate::pass");
    let calls = program.statements.iter().filter(|statement| statement.callable() == pass);
    let values = calls.filter_map(|call| match &program[call.args()[1].slot] {
        Statement::Literal { value: Literal::Signed { value, .. }, .. } => Some(*value),
        _ => None,
    });
    let distances: Vec<f64> = values.map(|value| (value - 4711).unsigned_abs() as f64).collect();
    if let Some(to_true) = distances.iter().copied().min_by(f64::total_cmp) {
        execution.reached = if to_true == 0.0 { vec![1, 2] } else { vec![1] };
        execution.infected = if to_true == 0.0 { vec![2] } else { Vec::new() };
        let is_always = distances.iter().all(|distance| *distance == 0.0);
        let to_false = f64::from(u8::from(is_always));
        let to_other = to_true.max(1.0);
        execution.distances = vec![Distance { probe: 1, to_true, to_false, to_other }];
    }
    execution
}

/// Runs rounds until mutant 2 is infected; how many programs that took.
fn programs_until_infected(seed: u64) -> usize {
    let api = sketch::api(API).expect("the table is well-formed");
    let subject = subject(&api);
    let mut known = SearchState::new(&subject, &BTreeSet::from([1, 2]), Nondeterminism::default());
    let mut evolve = Evolve::new(&subject, seed, &Evolving::default());
    let mut count = 0;
    for _ in 0..40 {
        let programs = evolve.propose(&known, 32);
        let mut round = Vec::new();
        for program in programs {
            check(&api, &program).unwrap_or_else(|violation| panic!("{violation}: {program:#?}"));
            let (program, execution) = (Arc::new(program.clone()), execute(&api, &program));
            let gains = known.take(&program, &execution, &NoObserver);
            count += 1;
            if execution.infected == [2] {
                return count;
            }
            round.push(Trial { program, execution, gains });
        }
        evolve.take(&known, &round);
    }
    panic!("it was never found");
}

#[test]
fn a_number_that_is_compared_with_is_found_by_its_distance() {
    for seed in 0..10 {
        let count = programs_until_infected(seed);
        assert!(count <= 200, "{count} programs with seed {seed}");
    }
}

#[test]
fn a_seed_has_its_evolution() {
    assert_eq!(programs_until_infected(3), programs_until_infected(3));
}
