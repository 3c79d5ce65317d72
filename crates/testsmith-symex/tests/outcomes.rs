//! What the engine makes of bad input: each has a clear outcome, and other goals go on.

mod support;

use std::time::Duration;

use support::{module, rust, wat};
use testsmith_symex::explore::{Coverage, Explorer, Instance, Program, Settings, Stats, Turn};
use testsmith_symex::expr::{Expr, Exprs, Model};
use testsmith_symex::machine::{
    End, HeapMode, InstantiateError, Limit as RunLimit, Machine, NoHost, Options, Value,
};
use testsmith_symex::solver::{Answer, Layered, Limit, Reason, Solver};
use testsmith_symex::tree::Counts;
use testsmith_symex::wasm::{Module, Trap};

/// How a call of `run` without arguments ends.
fn end(text: &str, options: &Options) -> End {
    let module = module(&wat(text));
    let run = module.export("run").expect("it is exported");
    let mut machine = Machine::new(&module, options.clone(), &mut NoHost).expect("it can be instantiated");
    machine.call(run, &[], &mut Exprs::new(), &mut NoHost).end
}

#[test]
fn what_is_no_module_is_said() {
    for bytes in [&b""[..], b"not wasm", b"\0asm\x01\0\0\0\x01\x05"] {
        assert!(Module::decode(bytes).is_err());
    }
    let second = wat("(module (memory 1) (memory 1))");
    let error = Module::decode(&second).map(|_| ()).expect_err("two memories").to_string();
    assert!(error.contains("memor"), "{error}");
}

#[test]
fn an_unknown_instruction_ends_the_run_that_meets_it_and_no_other() {
    let text = r#"(module (memory 1)
        (func (export "run") (drop (i8x16.splat (i32.const 1))))
        (func (export "other") (result i32) (i32.const 7)))"#;
    let End::Unsupported(what) = end(text, &Options::default()) else { panic!("it is not supported") };
    assert!(what.contains("SIMD"), "{what}");
    let module = module(&wat(text));
    let other = module.export("other").expect("it is exported");
    let mut machine = Machine::new(&module, Options::default(), &mut NoHost).expect("it can be instantiated");
    let run = machine.call(other, &[], &mut Exprs::new(), &mut NoHost);
    assert_eq!(run.end, End::Returned(vec![Value::concrete(7)]));
}

#[test]
fn a_missing_import_is_named() {
    let text = r#"(module (import "env" "absent" (func $absent)) (func (export "run") (call $absent)))"#;
    let End::Unsupported(what) = end(text, &Options::default()) else { panic!("nobody has it") };
    assert!(what.contains("absent") && what.contains("env"), "{what}");
}

#[test]
fn memory_has_a_cap() {
    let options = Options { memory: 4 << 16, ..Options::default() };
    let grow = r#"(module (memory 1) (func (export "run") (result i32) (memory.grow (i32.const PAGES))))"#;
    let grown = |pages: &str| end(&grow.replace("PAGES", pages), &options);
    assert_eq!(grown("3"), End::Returned(vec![Value::concrete(1)]));
    assert_eq!(grown("4"), End::Returned(vec![Value::concrete(u64::from(u32::MAX))]));
    let large = module(&wat("(module (memory 5))"));
    let error =
        Machine::new(&large, options, &mut NoHost).map(|_| ()).expect_err("it is too large at the start");
    assert!(matches!(error, InstantiateError::Memory(327_680)), "{error}");
}

#[test]
fn a_hundred_million_steps_end_a_run() {
    let text = r#"(module (func (export "run") (loop (br 0))))"#;
    assert_eq!(end(text, &Options::default()), End::Limited(RunLimit::Steps));
}

#[test]
fn recursion_without_end_is_a_stack_overflow() {
    let text = r#"(module (func $f (export "run") (call $f)))"#;
    assert_eq!(end(text, &Options::default()), End::Trapped(Trap::StackOverflow));
}

/// A loop over an input of 64 bits: one decision and some nodes for each turn.
const LOOP: &str = r#"
    #[link(wasm_import_module = "testsmith")]
    unsafe extern "C" {
        fn hole(slot: u32, kind: u32, at: *mut u8, len: u32);
    }
    #[unsafe(no_mangle)]
    extern "C" fn run() {
        let mut number = 3_u64;
        unsafe { hole(0, 0, (&raw mut number).cast(), 8) };
        let mut turns = 0_u64;
        while number != turns.wrapping_mul(turns) + 1_000_000 {
            number = number.wrapping_add(turns) ^ 0x55;
            turns += 1;
        }
    }"#;

/// Explores for so many turns.
fn explore(bytes: &[u8], options: Options, solver: &mut dyn Solver, turns: usize) -> (Stats, Counts, bool) {
    let decoded = module(bytes);
    let run = decoded.export("run").expect("it is exported");
    let mut program = Instance::new(&decoded, run, options).expect("it can be instantiated");
    let (mut exprs, mut ranking) = (Exprs::new(), Coverage::default());
    let settings =
        Settings { limit: Limit::time(Duration::from_secs(20)).and_steps(20_000), ..Settings::default() };
    let mut explorer = Explorer::new(&mut exprs, &mut program, solver, settings);
    explorer.run(&Model::new(), &mut ranking);
    for _ in 0..turns {
        if matches!(explorer.turn(&mut ranking), Turn::Exhausted) {
            break;
        }
    }
    let complete = explorer.completely_explored();
    (explorer.stats.clone(), explorer.tree.counts(), complete)
}

#[test]
fn a_run_at_a_cap_is_cut_off_and_the_tree_is_not_complete() {
    let bytes = rust(LOOP);
    for options in [
        Options { nodes: 300, ..Options::default() },
        Options { decisions: 20, ..Options::default() },
        Options { steps: 2_000, ..Options::default() },
    ] {
        let (stats, counts, complete) = explore(&bytes, options, &mut Layered::new(), 10);
        assert!(stats.runs > 1, "other goals go on: {stats:?}");
        assert_eq!((stats.mispredictions, stats.nondeterministic), (0, 0), "{stats:?}");
        assert!(counts.unknown > 0 && !complete, "{counts:?}");
    }
}

/// A solver that gives the same answer to everything.
struct Stubborn(Answer);

impl Solver for Stubborn {
    fn name(&self) -> &str {
        "stubborn"
    }

    fn check(&mut self, _: &mut Exprs, _: &[Expr], _: &Limit) -> Answer {
        self.0.clone()
    }
}

/// One comparison with an input: two paths.
const COMPARISON: &str = r#"
    #[link(wasm_import_module = "testsmith")]
    unsafe extern "C" {
        fn hole(slot: u32, kind: u32, at: *mut u8, len: u32);
        fn goal(number: u32);
    }
    #[unsafe(no_mangle)]
    extern "C" fn run() {
        let mut number = 3_u32;
        unsafe { hole(0, 0, (&raw mut number).cast(), 4) };
        if number == 1000 {
            unsafe { goal(1) };
        }
    }"#;

#[test]
fn a_solver_that_does_not_answer_leaves_unknown_outcomes() {
    for reason in [Reason::Time, Reason::Broken("it was killed".to_owned())] {
        let mut solver = Stubborn(Answer::Unknown(reason));
        let (stats, counts, complete) = explore(&rust(COMPARISON), Options::default(), &mut solver, 10);
        assert_eq!((stats.runs, stats.unknown, counts.unknown), (1, 1, 1));
        assert!(!complete);
    }
}

#[test]
fn a_model_that_does_not_hold_is_counted_and_not_used() {
    let mut solver = Stubborn(Answer::Sat(Model::from_iter([(0, 999)])));
    let (stats, counts, complete) = explore(&rust(COMPARISON), Options::default(), &mut solver, 10);
    assert_eq!((stats.runs, stats.unknown, counts.unknown), (1, 1, 1));
    assert!(stats.wrong_models > 0 && !complete);
}

#[test]
fn a_path_that_was_called_infeasible_and_is_seen_is_counted() {
    let bytes = rust(COMPARISON);
    let decoded = module(&bytes);
    let run = decoded.export("run").expect("it is exported");
    let mut program = Instance::new(&decoded, run, Options::default()).expect("it can be instantiated");
    let (mut exprs, mut ranking, mut liar) = (Exprs::new(), Coverage::default(), Stubborn(Answer::Unsat));
    let mut explorer = Explorer::new(&mut exprs, &mut program, &mut liar, Settings::default());
    explorer.run(&Model::new(), &mut ranking);
    while !matches!(explorer.turn(&mut ranking), Turn::Exhausted) {}
    assert_eq!(explorer.stats.mispredictions, 0);
    explorer.run(&Model::from_iter([(0, 1000)]), &mut ranking);
    assert_eq!(explorer.stats.mispredictions, 1);
}

#[test]
fn a_program_goes_on_after_a_panic_and_a_halt_that_an_attempt_catches() {
    let source = r#"
        #[link(wasm_import_module = "testsmith")]
        unsafe extern "C" {
            fn hole(slot: u32, kind: u32, at: *mut u8, len: u32);
            fn goal(number: u32);
            fn attempt(f: unsafe extern "C" fn(*mut u8), data: *mut u8) -> u32;
            fn halt(why: u32) -> !;
        }
        unsafe extern "C" fn step(data: *mut u8) {
            let number = unsafe { *data.cast::<u32>() };
            // A frame of its own, which the stack pointer has to come back from.
            let room = std::hint::black_box([number; 100]);
            match number {
                0 => panic!("zero"),
                1 => unsafe { halt(2) },
                2 => drop(std::hint::black_box(Vec::<u32>::new()[room[7] as usize])),
                3 => unsafe { *data.cast::<u32>() = attempt(inner, data) + 100 },
                _ => {}
            }
        }
        unsafe extern "C" fn inner(_: *mut u8) {
            None::<u32>.expect("nothing inside");
        }
        #[unsafe(no_mangle)]
        extern "C" fn run() {
            let mut number = 0_u32;
            unsafe { hole(0, 0, (&raw mut number).cast(), 4) };
            let mark = [0x55_u8; 64];
            for _ in 0..100 {
                let why = unsafe { attempt(step, (&raw mut number).cast()) };
                assert!(std::hint::black_box(&mark).iter().all(|byte| *byte == 0x55));
                unsafe { goal(if number == 101 { 7 } else { why }) };
            }
        }"#;
    let bytes = rust(source);
    let decoded = module(&bytes);
    let run = decoded.export("run").expect("it is exported");
    let mut program = Instance::new(&decoded, run, Options::default()).expect("it can be instantiated");
    for (number, goal) in [(0, 1), (1, 2), (2, 1), (3, 7), (9, 0)] {
        let ended = program.run(&mut Exprs::new(), &Model::from_iter([(0, number)])).end;
        assert_eq!((ended, &program.inputs.goals), (End::Returned(vec![]), &vec![goal; 100]), "{number}");
    }
    let (stats, counts, complete) = explore(&bytes, Options::default(), &mut Layered::new(), 50);
    assert_eq!((stats.mispredictions, stats.nondeterministic, complete), (0, 0, true));
    // The five arms, and a number that is what the fourth arm makes of it.
    assert_eq!(counts.terminal, 6);
}

#[test]
fn time_and_randomness_stand_still_and_nothing_is_outside() {
    let source = r#"
        use std::collections::HashMap;
        use std::time::{Instant, SystemTime, UNIX_EPOCH};
        #[link(wasm_import_module = "testsmith")]
        unsafe extern "C" {
            fn goal(number: u32);
        }
        #[unsafe(no_mangle)]
        extern "C" fn run() {
            let order: Vec<u32> = (0..20).map(|n| (n, n)).collect::<HashMap<u32, u32>>().into_keys().collect();
            let sum = order.iter().fold(7_u32, |sum, key| sum.wrapping_mul(31) ^ key);
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as u32;
            let began = Instant::now();
            println!("printed {sum}");
            let file = u32::from(std::fs::read("/etc/passwd").is_err());
            let environment = std::env::vars().count() as u32;
            for value in [sum, now, began.elapsed().as_nanos() as u32, file, environment] {
                unsafe { goal(value) };
            }
        }"#;
    let bytes = rust(source);
    let decoded = module(&bytes);
    let run = decoded.export("run").expect("it is exported");
    let seen = [(); 2].map(|()| {
        let mut program = Instance::new(&decoded, run, Options::default()).expect("it can be instantiated");
        let ended = program.run(&mut Exprs::new(), &Model::new()).end;
        assert_eq!(ended, End::Returned(vec![]));
        program.inputs.goals
    });
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0][1..], [1_704_067_200, 0, 1, 0]);
}

#[test]
fn each_treatment_of_addresses_agrees_with_what_happens() {
    let source = include_str!("../../../testdata/symbolic/vector.rs").replace(
        "mod support;",
        concat!(
            "#[path = \"",
            env!("CARGO_MANIFEST_DIR"),
            "/../../testdata/symbolic/support/mod.rs\"] mod support;"
        ),
    );
    let bytes = rust(&source);
    for heap in [HeapMode::ByCost, HeapMode::Simulation, HeapMode::Reasoning] {
        let options = Options { heap, ..Options::default() };
        let (stats, counts, _) = explore(&bytes, options, &mut Layered::new(), 300);
        assert!(counts.terminal > 20, "{heap:?}: {counts:?}");
        let wrong =
            stats.mispredictions + stats.nondeterministic + stats.wrong_conditions + stats.wrong_models;
        assert_eq!(wrong, 0, "{heap:?}: {stats:?}");
    }
}
