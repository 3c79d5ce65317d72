//! Programs and mutants that end, stop or spoil their worker: every run has exactly one answer all the same.

use testsmith_exec::{Confirmed, Failure, Trust};
use testsmith_proc::interrupt;
use testsmith_rt::harness::Value;
use testsmith_rt::harness::outside::Outside;
use testsmith_rt::harness::wire::{Batch, Difference, Mutants, Outcome, Run};

use crate::programs::{batch, bump, call, fixture, int, options, pool, seen};
use crate::subject::{
    ABORT, ABORTS, ALLOCATE, ALLOCATES, BUMP, CLOSE, DIFFERS, EQUAL, EXIT, EXITS, HANG, HANGS, PROCESS,
    RECURSE, UNWRITTEN_HEAP, UNWRITTEN_STACK,
};

const SIGABRT: i32 = 6;

pub(crate) fn an_original_that_dies_takes_nobody_along() {
    let mut fixture = fixture(|_| {});
    let runs = [bump(1, &[DIFFERS]), bump(2, &[]), call(ABORT, None), bump(3, &[EQUAL]), bump(4, &[])];
    let executions = fixture.run(runs);
    let seen: Vec<_> = executions.iter().map(seen).collect();
    let int = |number| Some(Value::Int(number));
    assert_eq!(seen, [int(2), int(3), None, int(4), int(5)]);
    assert_eq!(executions[2].outcome, Outcome::Signal(SIGABRT));
    assert_eq!(executions[0].differences.len(), 1);
    assert_eq!(executions[3].ran, [EQUAL]);
    let tally = fixture.executor.tally();
    assert_eq!((tally.died, tally.started), (1, 2));
}

pub(crate) fn every_death_has_its_outcome() {
    let mut fixture = fixture(|_| {});
    let runs = [
        (call(ABORT, None), Outcome::Signal(SIGABRT)),
        (call(EXIT, None), Outcome::Exit(7)),
        (call(HANG, None), Outcome::Hang),
        (call(ALLOCATE, None), Outcome::Memory),
        // The runtime of Rust says that the stack is full, and aborts.
        (call(RECURSE, int(0)), Outcome::Signal(SIGABRT)),
    ];
    for (run, expected) in &runs {
        let executions = fixture.run([run.clone()]);
        assert_eq!(executions[0].outcome, *expected);
        assert_eq!(usize::from(executions[0].statement) + 1, run.ops.len(), "the last statement did it");
    }
    let (together, expected): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
    assert_eq!(fixture.outcomes(together), expected);
}

pub(crate) fn a_mutant_that_dies_is_a_difference() {
    let mut fixture = fixture(|_| {});
    let mutants = [EQUAL, ABORTS, DIFFERS, EXITS, HANGS, ALLOCATES];
    let executions = fixture.run([bump(1, &[DIFFERS]), bump(2, &mutants), bump(3, &[DIFFERS])]);
    assert!(executions.iter().all(|execution| execution.outcome == Outcome::Ok));

    let mut ran = executions[1].ran.clone();
    ran.sort_unstable();
    assert_eq!(ran, [DIFFERS, EQUAL, ABORTS, EXITS, HANGS, ALLOCATES]);
    let difference =
        |mutant| executions[1].differences.iter().find(|(of, _)| *of == mutant).map(|(_, d)| d.clone());
    let ended = |outcome| Some(Difference::Outcome(outcome, 1));
    assert_eq!(difference(EQUAL), None);
    assert!(matches!(difference(DIFFERS), Some(Difference::Observation(0, Some(_)))));
    assert_eq!(difference(ABORTS), ended(Outcome::Signal(SIGABRT)));
    assert_eq!(difference(EXITS), ended(Outcome::Exit(7)));
    assert_eq!(difference(HANGS), ended(Outcome::Hang));
    assert_eq!(difference(ALLOCATES), ended(Outcome::Memory));
    assert_eq!(executions[1].differences.len(), 5);
    // One death; the others of the run were found in children.
    assert_eq!(fixture.executor.tally().died, 1);
    assert!(executions[0].differences.len() == 1 && executions[2].differences.len() == 1);
}

pub(crate) fn with_fork_no_worker_dies() {
    let mut fixture = fixture(|setup| setup.trust = Trust::Fork);
    let mut runs: Vec<Run> = [ABORT, EXIT, HANG, ALLOCATE].map(|callable| call(callable, None)).into();
    runs.push(bump(1, &[ABORTS, EXITS, ALLOCATES, DIFFERS]));
    let executions = fixture.run(runs);
    let outcomes: Vec<_> = executions.iter().map(|execution| execution.outcome.clone()).collect();
    let expected = [Outcome::Signal(SIGABRT), Outcome::Exit(7), Outcome::Hang, Outcome::Memory, Outcome::Ok];
    assert_eq!(outcomes, expected);
    assert_eq!(executions[4].differences.len(), 4);
    let tally = fixture.executor.tally();
    assert_eq!((tally.started, tally.died), (1, 0));
}

pub(crate) fn with_mutants_apart_none_of_them_reaches_the_worker() {
    let mut fixture = fixture(|setup| setup.trust = Trust::Mutants);
    let mutants = [EQUAL, ABORTS, DIFFERS, EXITS, HANGS, ALLOCATES];
    let executions = fixture.run([bump(1, &mutants), bump(2, &[]), bump(3, &[DIFFERS, ABORTS])]);
    let seen: Vec<_> = executions.iter().map(seen).collect();
    assert_eq!(seen, [2, 3, 4].map(|number| Some(Value::Int(number))));
    let ended = |outcome| Difference::Outcome(outcome, 1);
    let [first, _, third] = executions.as_slice() else { panic!("there are three") };
    assert_eq!((first.ran.as_slice(), first.differences.len()), (mutants.as_slice(), 5));
    let expected = [
        (ABORTS, ended(Outcome::Signal(SIGABRT))),
        (EXITS, ended(Outcome::Exit(7))),
        (HANGS, ended(Outcome::Hang)),
        (ALLOCATES, ended(Outcome::Memory)),
    ];
    for death in &expected {
        assert!(first.differences.contains(death), "{death:?} {:?}", first.differences);
    }
    assert_eq!(third.differences.len(), 2);
    // A program itself is not apart.
    let outcomes = fixture.outcomes([call(ABORT, None), bump(1, &[])]);
    assert_eq!(outcomes, [Outcome::Signal(SIGABRT), Outcome::Ok]);
    assert_eq!(fixture.executor.tally().died, 1);
}

pub(crate) fn a_batch_full_of_deaths_still_has_all_answers() {
    let mut fixture = fixture(|_| {});
    let run = |number: i32| match number % 4 {
        0 => call(ABORT, None),
        1 => call(EXIT, None),
        2 => bump(number, &[ABORTS, DIFFERS, EXITS]),
        _ => Run { mutants: Mutants::Infected { at_most: 3 }, ..call(BUMP, int(number)) },
    };
    let executions = fixture.run((0..40).map(run));
    assert_eq!(executions.len(), 40);
    for (number, execution) in (0..).zip(&executions) {
        let expected = match number % 4 {
            0 => (Outcome::Signal(SIGABRT), None, 0),
            1 => (Outcome::Exit(7), None, 0),
            2 => (Outcome::Ok, Some(Value::Int(number + 1)), 3),
            // Two of the first three, since one is equal.
            _ => (Outcome::Ok, Some(Value::Int(number + 1)), 2),
        };
        assert_eq!(
            (execution.outcome.clone(), seen(execution), execution.differences.len()),
            expected,
            "{number}"
        );
    }
}

pub(crate) fn a_program_that_closes_every_file_has_an_answer() {
    let mut fixture = fixture(|setup| setup.allow = [Outside::Files].into());
    let outcomes = fixture.outcomes([bump(1, &[]), call(CLOSE, None), bump(2, &[])]);
    assert_eq!([&outcomes[0], &outcomes[2]], [&Outcome::Ok; 2]);
    assert_ne!(outcomes[1], Outcome::Ok);
}

pub(crate) fn mutants_are_confirmed_in_fresh_processes() {
    let mut fixture = fixture(|_| {});
    let mut confirm = |run: &Run, mutant| {
        let confirmed = fixture.executor.confirm(&options(), &[(run.clone(), mutant)]);
        confirmed.expect("the worker can be started").remove(0)
    };
    assert_eq!(confirm(&bump(1, &[]), EQUAL), Confirmed::No);
    let differs = confirm(&bump(1, &[]), DIFFERS);
    let Confirmed::Yes(observed) = &differs else { panic!("{differs:?}") };
    assert!(matches!(observed.difference, Difference::Observation(0, Some(_))), "{observed:?}");
    assert_eq!((&observed.outcome, observed.original.is_some()), (&Outcome::Ok, true));
    let aborts = confirm(&bump(1, &[]), ABORTS);
    let Confirmed::Yes(observed) = &aborts else { panic!("{aborts:?}") };
    assert_eq!(observed.difference, Difference::Outcome(Outcome::Signal(SIGABRT), 1));
    let process = confirm(&call(PROCESS, None), DIFFERS);
    assert!(
        matches!(&process, Confirmed::Flaky(nondeterminism) if nondeterminism.observations.len() == 1),
        "{process:?}"
    );
    for unwritten in [UNWRITTEN_HEAP, UNWRITTEN_STACK] {
        let confirmed = confirm(&call(unwritten, None), DIFFERS);
        assert!(matches!(confirmed, Confirmed::Flaky(_)), "{unwritten}: {confirmed:?}");
    }
    assert_eq!(confirm(&call(ABORT, None), DIFFERS), Confirmed::No);
    let tally = fixture.executor.tally();
    assert_eq!(tally.started, tally.replaced + tally.died, "no process is left");

    let (pool, _scratch) = pool(3);
    let kills = [(bump(1, &[]), EQUAL), (bump(1, &[]), ABORTS), (call(PROCESS, None), DIFFERS)];
    let confirmed = pool.confirm(&options(), &kills).expect("the workers can be started");
    assert_eq!(confirmed[..2], [Confirmed::No, aborts]);
    assert!(matches!(confirmed[2], Confirmed::Flaky(_)));
}

pub(crate) fn deaths_in_a_pool_do_not_mix_up_results() {
    let (pool, _scratch) = pool(3);
    let runs = |number: i32| {
        [bump(number, &[DIFFERS]), call([ABORT, EXIT, BUMP][(number % 3) as usize], int(number))]
    };
    let batches: Vec<Batch> = (0..60).map(|number| batch(runs(number))).collect();
    let results = pool.run(&batches).expect("the workers can be started");
    for (number, executions) in (0..).zip(&results) {
        assert_eq!(seen(&executions[0]), Some(Value::Int(number + 1)));
        let expected =
            [Outcome::Signal(SIGABRT), Outcome::Exit(7), Outcome::Ok][(number % 3) as usize].clone();
        assert_eq!(executions[1].outcome, expected);
    }
    assert_eq!(pool.tally().died, 40);
}

pub(crate) fn an_interruption_is_a_failure() {
    let mut fixture = fixture(|_| {});
    fixture.run([bump(1, &[])]);
    let hanging = batch([call(HANG, None)]);
    let failure = std::thread::scope(|scope| {
        let running = scope.spawn(|| fixture.executor.run(&hanging));
        std::thread::sleep(std::time::Duration::from_millis(50));
        interrupt::request();
        running.join().expect("an executor does not panic")
    });
    assert!(matches!(failure, Err(Failure::Interrupted)), "{failure:?}");
    let failure = fixture.executor.run(&hanging);
    assert!(matches!(failure, Err(Failure::Interrupted)), "{failure:?}");
    interrupt::reset_for_tests();
    assert_eq!(fixture.outcomes([bump(1, &[])]), [Outcome::Ok]);
}
