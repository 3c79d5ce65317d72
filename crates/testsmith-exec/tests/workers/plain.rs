//! Programs that do nothing wrong, and workers that are replaced though alive.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use testsmith_exec::{Executor, Failure, Kind, Setup, Trust};
use testsmith_proc::{Spec, sandbox};
use testsmith_rt::harness::Value;
use testsmith_rt::harness::wire::{Batch, Bitmap, Difference, Mutants, Op, Outcome, Run, What};

use crate::programs::{batch, bump, call, fixture, int, options, pool, scratch, seen, text};
use crate::subject::{
    ABORTS, ALLOCATES, BUMP, COUNT, DIFFERS, EQUAL, EXITS, HANGS, HASH, LENGTH, PANIC, PROCESS, THREAD, WRITE,
};

pub(crate) fn a_worker_introduces_itself() {
    let mut fixture = fixture(|_| {});
    let hello = fixture.executor.hello().expect("the worker can be started");
    assert_eq!(hello.mutants, 6);
    assert!(hello.calls.iter().any(|call| call.callable == BUMP));
}

pub(crate) fn executions_are_in_the_order_of_the_runs() {
    let runs = (0..50).map(|number| bump(number, &[DIFFERS, EQUAL]));
    for (number, execution) in (0..).zip(fixture(|_| {}).run(runs)) {
        assert_eq!(execution.outcome, Outcome::Ok);
        assert_eq!(seen(&execution), Some(Value::Int(number + 1)));
        assert_eq!(execution.ran, [DIFFERS, EQUAL]);
        let [(DIFFERS, Difference::Observation(0, Some(What::Value(value))))] = &execution.differences[..]
        else {
            panic!("{:?}", execution.differences);
        };
        assert_eq!(Value::decode(value).ok(), Some(Value::Int(number + 2)));
    }
}

pub(crate) fn an_empty_batch_has_an_empty_answer() {
    let mut fixture = fixture(|_| {});
    assert_eq!(fixture.run([]), []);
    assert_eq!(fixture.executor.tally().started, 0, "nothing had to be started");
}

pub(crate) fn infected_mutants_are_run() {
    let run = Run { mutants: Mutants::Infected { at_most: 10 }, ..call(BUMP, int(1)) };
    let skip = Bitmap::from_iter([ABORTS, EXITS, HANGS, ALLOCATES]);
    let batch = Batch { skip, ..batch([run]) };
    let executions = fixture(|_| {}).executor.run(&batch).expect("the worker can be started");
    assert_eq!(executions[0].ran, [DIFFERS, EQUAL]);
    assert_eq!(executions[0].differences.len(), 1);
}

pub(crate) fn programs_cannot_write_outside_of_their_folder() {
    let mut fixture = fixture(|_| {});
    let policy = sandbox::Policy::default();
    let report = sandbox::ask(&policy).expect("this executable is the sandbox");
    if !report.holds(sandbox::Guard::Files) {
        eprintln!("skipped: programs_cannot_write_outside_of_their_folder: {report}");
        return;
    }
    let scratch = scratch();
    let outside = scratch.path().join("file").display().to_string();
    let executions = fixture.run([call(WRITE, text(&outside)), call(WRITE, text("/dev/null"))]);
    assert_eq!(seen(&executions[0]), Some(Value::Bool(false)));
    assert_eq!(seen(&executions[1]), Some(Value::Bool(true)));
}

pub(crate) fn a_worker_is_kept_from_batch_to_batch() {
    let mut fixture = fixture(|_| {});
    let mut processes = (0..5).map(|_| seen(&fixture.run([call(PROCESS, None)])[0]));
    let first = processes.next();
    assert!(processes.all(|process| Some(process) == first));
    drop(processes);
    assert_eq!(fixture.executor.tally().started, 1);
    fixture.executor.renew(Kind::Usual);
    assert_ne!(Some(seen(&fixture.run([call(PROCESS, None)])[0])), first);
    let tally = fixture.executor.tally();
    assert_eq!((tally.started, tally.replaced, tally.died), (2, 1, 0));
    assert!(tally.peak_memory > 100_000, "{tally:?}");
}

pub(crate) fn a_worker_that_leaks_is_replaced() {
    let mut fixture = fixture(|setup| setup.most_leaked = 1000);
    let long = "x".repeat(600);
    for (round, replaced) in [(0, 0), (1, 1), (2, 1), (3, 2)] {
        fixture.run([call(LENGTH, text(&format!("{long}{round}")))]);
        assert_eq!(fixture.executor.tally().replaced, replaced, "after round {round}");
    }
}

pub(crate) fn a_worker_with_threads_left_over_is_replaced() {
    let mut fixture = fixture(|_| {});
    assert_eq!(fixture.outcomes([call(PANIC, None), call(BUMP, int(1))])[1], Outcome::Ok);
    assert_eq!(fixture.executor.tally().replaced, 0);
    assert_eq!(fixture.outcomes([call(THREAD, None)]), [Outcome::Ok]);
    assert_eq!(fixture.executor.tally().replaced, 1);
}

pub(crate) fn without_trust_every_run_has_its_own_process() {
    let mut fixture = fixture(|setup| setup.trust = Trust::Fresh);
    let executions = fixture.run((0..5).map(|number| bump(number, &[DIFFERS])));
    assert!(executions.iter().all(|execution| execution.differences.len() == 1));
    assert_eq!(fixture.executor.tally().started, 5);
    // Without a mutant there is nothing to be afraid of.
    fixture.run((0..5).map(|number| bump(number, &[])));
    assert_eq!(fixture.executor.tally().started, 6);
}

pub(crate) fn only_programs_that_touch_state_have_their_own_process() {
    for (stateful, processes) in [(None, 4), (Some(PROCESS), 4), (Some(BUMP), 1)] {
        let mut fixture = fixture(|setup| {
            setup.trust = Trust::Fork;
            setup.stateful = stateful.map(|callable| [callable].into());
        });
        let asked = (0..8).map(|at| if at % 2 == 0 { call(PROCESS, None) } else { bump(at, &[]) });
        let executions = fixture.run(asked);
        let seen: BTreeSet<String> =
            executions.iter().step_by(2).map(|execution| format!("{:?}", seen(execution))).collect();
        assert_eq!(seen.len(), processes, "{stateful:?}");
        assert!(executions.iter().all(|execution| execution.outcome == Outcome::Ok));
    }
}

pub(crate) fn observations_that_change_from_process_to_process_are_marked() {
    let mut fixture = fixture(|_| {});
    let both = Run {
        ops: vec![
            Op::Call { callable: PROCESS, args: Vec::new() },
            Op::Literal(int(1).expect("it is a number")),
            Op::Call { callable: BUMP, args: vec![(testsmith_rt::harness::wire::Mode::Copy, 1)] },
        ],
        alive: vec![0, 2],
        unseen: Vec::new(),
        mutants: Mutants::Listed(vec![ABORTS]),
    };
    let runs = [bump(1, &[]), both, call(COUNT, None), call(COUNT, None)];
    let nondeterminism =
        fixture.executor.deterministic(&options(), &runs).expect("the worker can be started");
    assert!(nondeterminism[0].is_empty());
    // After its statement, and at the end.
    let places =
        |at: usize| nondeterminism[at].observations.iter().map(|shift| shift.index).collect::<Vec<_>>();
    assert_eq!((nondeterminism[1].end.is_some(), places(1)), (false, vec![0, 2]));
    // Whichever came first saw another count.
    assert_eq!([places(2), places(3)], [[0]; 2]);
    assert_eq!(fixture.executor.tally().died, 0, "mutants have no part in it");
}

pub(crate) fn what_is_random_is_the_same_in_all_usual_workers_and_not_in_others() {
    let hash = || fixture(|_| {}).run([call(HASH, None)]).iter().map(seen).collect::<Vec<_>>();
    assert_eq!(hash(), hash());
    let nondeterminism = fixture(|_| {}).executor.deterministic(&options(), &[call(HASH, None)]);
    assert!(!nondeterminism.expect("the worker can be started")[0].is_empty());
}

pub(crate) fn a_pool_gives_results_in_the_order_of_the_batches() {
    let (pool, _scratch) = pool(4);
    assert_eq!(pool.hello().expect("the worker can be started").mutants, 6);
    let batches: Vec<Batch> = (0..100).map(|number| batch([bump(number, &[]), bump(-number, &[])])).collect();
    let results = pool.run(&batches).expect("the workers can be started");
    for (number, executions) in (0..).zip(&results) {
        let numbers: Vec<_> = executions.iter().map(seen).collect();
        assert_eq!(numbers, [Some(Value::Int(number + 1)), Some(Value::Int(1 - number))]);
    }
    assert_eq!(results.len(), 100);
}

pub(crate) fn a_pool_keeps_its_workers() {
    let (pool, _scratch) = pool(2);
    let batches = vec![batch([bump(1, &[])]); 8];
    for _ in 0..5 {
        pool.run(&batches).expect("the workers can be started");
    }
    assert!(pool.tally().started <= 2, "{:?}", pool.tally());
    assert_eq!(pool.run(&[]).map(|results| results.len()).ok(), Some(0));
}

pub(crate) fn what_a_worker_costs_is_little() {
    let cost = |what: &str, most: u64, job: &mut dyn FnMut()| {
        let mut times: Vec<Duration> = (0..50)
            .map(|_| {
                let start = Instant::now();
                job();
                start.elapsed()
            })
            .collect();
        times.sort();
        // The first decile: what the code costs, not what the neighbours do.
        println!("{what}: {:?}", times[5]);
        assert!(times[5] < Duration::from_millis(most), "{what}: {:?}", times[5]);
    };
    for (name, sandboxed) in [("without a sandbox", false), ("in a sandbox", true)] {
        let mut fixture = fixture(|setup| setup.policy = setup.policy.take().filter(|_| sandboxed));
        cost(&format!("to start a worker {name}"), 50, &mut || {
            fixture.executor.renew(Kind::Usual);
            fixture.executor.hello().expect("the worker can be started");
        });
        let (one, many) = (batch([bump(1, &[])]), batch((0..1000).map(|number| bump(number, &[DIFFERS]))));
        cost(&format!("a batch of one run {name}"), 10, &mut || {
            fixture.executor.run(&one).expect("the worker runs");
        });
        cost(&format!("a batch of a thousand runs with a mutant each {name}"), 200, &mut || {
            fixture.executor.run(&many).expect("the worker runs");
        });
    }
}

pub(crate) fn a_program_that_is_no_worker_is_told() {
    let table = [
        (Spec::new("/bin/sh").args(["-c", "echo oops >&2; exit 4"]), "its last words were: oops"),
        (Spec::new("/bin/echo").arg("hello, I am something else"), "bytes"),
        (Spec::new("/bin/sh").args(["-c", "printf '\\004\\000\\000\\000abcd'"]), "no worker speaks"),
        (Spec::new("/no/such/worker"), "cannot start `/no/such/worker`"),
    ];
    for (program, expected) in table {
        for policy in [None, Some(sandbox::Policy::default())] {
            let scratch = scratch();
            let setup = Setup { policy, ..Setup::new(program.clone(), scratch.path()) };
            let mut executor = Executor::new(setup).expect("the folder can be written");
            let failure = executor.hello().expect_err("it is no worker").to_string();
            assert!(failure.contains(expected), "{failure}");
        }
    }
}

pub(crate) fn a_batch_for_another_worker_is_no_death() {
    let mut fixture = fixture(|_| {});
    let wrong = fixture.outcomes([call(99, None)]);
    assert!(matches!(wrong[..], [Outcome::Type(_)]), "{wrong:?}");
    let far = Run { ops: vec![Op::Drop(7)], ..call(BUMP, None) };
    let wrong = fixture.outcomes([far]);
    assert!(matches!(wrong[..], [Outcome::Type(_)]), "{wrong:?}");
    // Statements are counted in 16 bits.
    let endless = Run { ops: vec![Op::Drop(0); 70_000], ..call(BUMP, None) };
    let failure = fixture.executor.run(&batch([endless]));
    assert!(matches!(failure, Err(Failure::Refused(_))), "{failure:?}");
    assert_eq!(fixture.executor.tally().died, 0);
}
