//! What is traced on the original, and how mutants differ from it.

use testsmith_rt::harness::wire::{Difference, Distance, Outcome};

use super::subject::*;
use super::*;

fn clamp_run(value: i32) -> Run {
    program(vec![int(value), call(CLAMP, &[(M, 0)])], &[])
}

#[test]
fn a_traced_run_tells_reach_infection_and_distances() {
    let execution = execute(clamp_run(12));
    assert_eq!(execution.reached, [1, 2, 3, 5]);
    assert_eq!(execution.infected, [2, 5]);
    assert_eq!(execution.maybe, []);
    assert_eq!(execution.distances, [Distance { probe: 1, to_true: 3.0, to_false: 0.0, to_other: 3.0 }]);
    assert_eq!(execution.ticks, 1);
    let twice = vec![int(20), call(CLAMP, &[(M, 0)]), int(4), call(CLAMP, &[(M, 2)])];
    let execution = execute(program(twice, &[]));
    assert_eq!(execution.distances, [Distance { probe: 1, to_true: 0.0, to_false: 0.0, to_other: 6.0 }]);
    assert_eq!(execution.reached, [1, 2, 3, 5, 4]);
    let execution = execute(program(vec![int(4), call(DELICATE, &[(M, 0)])], &[]));
    assert_eq!((execution.infected, execution.maybe), (vec![7], vec![8]));
}

#[test]
fn runs_know_nothing_of_each_other() {
    let answer =
        answer(&Batch { runs: vec![clamp_run(12), clamp_run(1), clamp_run(12)], ..Batch::default() });
    let reached: Vec<_> = answer.executions.iter().map(|found| found.reached.clone()).collect();
    assert_eq!(reached, [vec![1, 2, 3, 5], vec![1, 2, 3, 4], vec![1, 2, 3, 5]]);
    assert_eq!(answer.executions[0], answer.executions[2]);
}

#[test]
fn nothing_is_told_that_was_not_asked_for() {
    let options = Options { trace: false, observe: Observing::Nothing, ..Options::default() };
    let mut run = clamp_run(12);
    run.mutants = Mutants::Infected { at_most: 10 };
    let execution = execute_with(options, run);
    assert_eq!(execution.reached, []);
    assert_eq!(execution.distances, []);
    assert_eq!(execution.observations, Observations::Nothing);
    assert_eq!((execution.ran, execution.differences), (vec![2, 5], vec![]), "they end alike");
}

/// Differences as text, in this process and in children.
fn check(run: Run, expected: &[(u32, &str)]) {
    for options in [Options::default(), forked(), hashed()] {
        let execution = execute_with(options, run.clone());
        let shown = |difference: &Difference| match difference {
            Difference::Observation(index, Some(What::Value(bytes))) => {
                format!("{index}: {:?}", Value::decode(bytes).expect("a value"))
            }
            Difference::Observation(index, Some(what)) => format!("{index}: {what:?}"),
            Difference::Observation(index, None) => format!("{index}: nothing"),
            Difference::Outcome(Outcome::Panic { message, .. }, at) => format!("panic at {at}: {message}"),
            Difference::Outcome(outcome, at) => format!("{outcome:?} at {at}"),
        };
        let found: Vec<_> =
            execution.differences.iter().map(|(mutant, found)| (*mutant, shown(found))).collect();
        let found: Vec<_> = found.iter().map(|(mutant, shown)| (*mutant, shown.as_str())).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn mutants_differ_in_what_is_seen() {
    let all = [1, 2, 3, 4, 5, 6];
    check(on(clamp_run(12), &all), &[(2, "0: Int(13)"), (5, "0: Int(101)")]);
    check(on(clamp_run(10), &all), &[(1, "0: Int(11)"), (3, "0: Int(11)"), (5, "0: Int(101)")]);
    check(on(clamp_run(1), &all), &[(2, "0: Int(100)"), (3, "0: Int(100)"), (4, "0: Int(0)")]);
    let later = vec![int(1), call(CLAMP, &[(C, 0)]), int(12), call(CLAMP, &[(M, 2)])];
    check(on(program(later, &[0]), &[5]), &[(5, "1: Int(101)")]);
    let equal = vec![int(3), int(4), call(OPAQUE, &[(M, 0)]), call(OPAQUE, &[(M, 1)])];
    check(on(program(equal, &[2, 3]), &[9]), &[(9, "0: Eq(2, true)")]);
}

#[test]
fn all_differences_of_a_mutant_are_told_where_that_is_asked_for() {
    let all = Options { observe: Observing::All, ..Options::default() };
    let twice = vec![int(12), call(CLAMP, &[(C, 0)]), int(1), call(CLAMP, &[(M, 2)]), call(CLAMP, &[(C, 0)])];
    for options in [all.clone(), Options { observe: Observing::All, ..forked() }] {
        let execution = execute_with(options, on(program(twice.clone(), &[]), &[4, 5]));
        let places = execution.differences.iter().map(|(mutant, difference)| match difference {
            Difference::Observation(index, Some(_)) => (*mutant, *index),
            other => panic!("{other:?}"),
        });
        assert_eq!(places.collect::<Vec<_>>(), [(4, 1), (5, 0), (5, 2)]);
    }
    // A mutant that ends early has shown what it has shown.
    let boom = vec![int(8), call(CLAMP, &[(M, 0)]), call(BOOM, &[(C, 1)]), call(CLAMP, &[(M, 1)])];
    let execution = execute_with(all, on(program(boom, &[]), &[4]));
    let [(4, Difference::Observation(0, Some(_))), (4, Difference::Outcome(Outcome::Panic { .. }, 2))] =
        &execution.differences[..]
    else {
        panic!("{:?}", execution.differences);
    };
}

#[test]
fn mutants_differ_in_how_they_end() {
    let count = vec![uint(3), call(COUNT_DOWN, &[(M, 0)])];
    check(on(program(count, &[]), &[5, 6]), &[(6, "Fuel at 1")]);
    // 6 + 1 = 7 goes boom, and 6 - 1 does not.
    let boom = vec![int(6), call(CLAMP, &[(M, 0)]), call(BOOM, &[(M, 1)])];
    let original = execute(program(boom.clone(), &[]));
    assert!(matches!(original.outcome, Outcome::Panic { .. }));
    check(on(program(boom, &[]), &[1, 4]), &[(4, "0: Int(5)")]);
    let options = Options { observe: Observing::Nothing, ..Options::default() };
    let boom = vec![int(6), call(CLAMP, &[(M, 0)]), call(BOOM, &[(M, 1)]), int(1)];
    let execution = execute_with(options.clone(), on(program(boom, &[]), &[1, 4]));
    assert_eq!(execution.differences, [(4, Difference::Outcome(Outcome::Ok, 2))]);
    // The other way round: only the mutant goes boom.
    let boom = vec![int(8), call(CLAMP, &[(M, 0)]), call(BOOM, &[(M, 1)])];
    let execution = execute_with(options, on(program(boom, &[]), &[4]));
    let [(4, Difference::Outcome(Outcome::Panic { message, .. }, 2))] = &execution.differences[..] else {
        panic!("{:?}", execution.differences);
    };
    assert_eq!(message, "boom at 7");
}

#[test]
fn a_mutant_without_a_value_differs() {
    let ops = vec![int(4), call(DELICATE, &[(M, 0)]), call(CLAMP, &[(M, 1)])];
    check(on(program(ops, &[]), &[8]), &[(8, "0: Absent")]);
}

#[test]
fn a_mutant_that_dies_in_a_child_is_a_difference() {
    let ops = vec![int(4), call(DELICATE, &[(M, 0)])];
    let execution = execute_with(forked(), on(program(ops, &[]), &[7, 8]));
    let signal = Difference::Outcome(Outcome::Signal(6), 1);
    assert_eq!(execution.differences, [(7, signal), (8, Difference::Observation(0, Some(What::Absent)))]);
}

#[test]
fn a_mutant_that_does_not_end_is_run_once_unless_it_is_asked_for() {
    let ran = |mutants: Mutants, options: Options| -> Vec<Vec<u32>> {
        let count = || vec![uint(3), call(COUNT_DOWN, &[(M, 0)])];
        let run = Run { mutants, ..program(count(), &[]) };
        let batch = Batch { options, runs: vec![run.clone(), run], ..Batch::default() };
        answer(&batch).executions.into_iter().map(|execution| execution.ran).collect()
    };
    let infected = Mutants::Infected { at_most: 10 };
    let once = ran(infected.clone(), Options::default());
    assert!(once[0].contains(&6) && !once[1].contains(&6), "{once:?}");
    assert_eq!(ran(infected.clone(), forked()), once);
    let all = ran(infected, Options { observe: Observing::All, ..Options::default() });
    assert!(all[0].contains(&6) && all[1].contains(&6), "{all:?}");
    let listed = Mutants::Listed(vec![6]);
    assert_eq!(ran(listed, Options::default()), [[6], [6]]);
}

#[test]
fn infected_mutants_are_run_without_those_that_are_left_out() {
    let ran_on = |mutants: Mutants, skip: &[u32], options: Options| {
        let mut run = clamp_run(10);
        run.mutants = mutants;
        let batch = Batch { options, skip: skip.iter().copied().collect(), runs: vec![run] };
        let execution = answer(&batch).executions.pop().expect("an answer to the run");
        (execution.ran, execution.differences.len())
    };
    let ran = |at_most, skip: &[u32], options| ran_on(Mutants::Infected { at_most }, skip, options);
    assert_eq!(ran(10, &[], Options::default()), (vec![1, 3, 5], 3));
    assert_eq!(ran(10, &[3], Options::default()), (vec![1, 5], 2));
    assert_eq!(ran(1, &[1], forked()), (vec![3], 1));
    assert_eq!(ran(10, &[], Options { trace: false, ..Options::default() }), (vec![1, 3, 5], 3));
    let aimed =
        |first, skip: &[u32]| ran_on(Mutants::Aimed { first, at_most: 2 }, skip, Options::default()).0;
    assert_eq!(aimed(5, &[5]), [5, 1]);
    assert_eq!(aimed(2, &[1]), [3, 5], "it was not infected");
}

#[test]
fn the_impact_of_the_mutant_that_a_program_is_made_for_counts_sites() {
    let impact = |ops: &[Op], first: u32| {
        let run = Run { mutants: Mutants::Aimed { first, at_most: 10 }, ..program(ops.to_vec(), &[]) };
        let of = |isolate: Isolation| {
            let unseen = Options { isolate, observe: Observing::Nothing, ..Options::default() };
            let untraced = Options { trace: false, ..unseen.clone() };
            assert_eq!(execute_with(untraced, run.clone()).impact, None);
            execute_with(unseen, run.clone()).impact
        };
        let [one, two, three] = [Isolation::InProcess, Isolation::Mutants, Isolation::Fork].map(of);
        assert_eq!((one, one), (two, three));
        one
    };
    let once = [int(10), call(CLAMP, &[(M, 0)])];
    assert_eq!(impact(&once, 1), Some((1, 2)), "4 is executed instead of 5");
    assert_eq!(impact(&once, 5), Some((5, 0)), "nothing is done with another literal");
    assert_eq!(impact(&once, 2), None, "it was not infected");
    let twice = [int(10), call(CLAMP, &[(M, 0)]), call(CLAMP, &[(M, 1)])];
    assert_eq!(impact(&twice, 5), Some((5, 1)), "it is compared with something");
}

#[test]
fn a_wrong_or_endless_program_is_not_run_on_mutants() {
    for ops in [vec![call(CLAMP, &[])], vec![call(ENDLESS, &[])]] {
        assert_eq!(execute(on(program(ops, &[]), &[1, 2])).ran, []);
    }
}

#[test]
fn the_original_can_be_run_again_and_numbers_of_the_switch_are_no_mutants() {
    let count = || on(program(vec![int(1), call(COUNTER, &[])], &[]), &[0, u32::MAX, u32::MAX - 1]);
    let execution = execute(count());
    assert_eq!(execution.ran, [0]);
    assert!(matches!(execution.differences[..], [(0, Difference::Observation(0, Some(What::Value(_))))]));
    assert_eq!(execute(on(clamp_run(3), &[0])).differences, []);
}
