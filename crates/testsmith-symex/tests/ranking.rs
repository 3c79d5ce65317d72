//! A ranking towards a goal comes there in fewer runs than coverage, where the goal stands behind many other paths.

mod support;

use std::time::Duration;

use support::{module, rust};
use testsmith_symex::explore::{
    Coverage, Distances, Explorer, Graph, Instance, Ranking, Settings, Toward, Turn, UNREACHABLE,
};
use testsmith_symex::expr::{Exprs, Model};
use testsmith_symex::machine::{End, Options};
use testsmith_symex::solver::{Layered, Limit};
use testsmith_symex::wasm::{Instr, Module};

/// Seven bytes are counted in a loop with four ways through it; the function with the goal looks at five others.
const PROGRAM: &str = r#"
    #[link(wasm_import_module = "testsmith")]
    unsafe extern "C" {
        fn hole(slot: u32, kind: u32, at: *mut u8, len: u32);
        fn goal(number: u32);
    }
    #[inline(never)]
    fn target(bytes: &[u8]) {
        if bytes[1] == b'#' && bytes[2] == b'!' {
            if bytes[3] == bytes[4] {
                unsafe { goal(1) };
            }
        }
    }
    #[unsafe(no_mangle)]
    extern "C" fn run() {
        let mut bytes = *b"abcdefghijkl";
        unsafe { hole(0, 3, bytes.as_mut_ptr(), 12) };
        let mut counts = [0_u32; 4];
        for byte in &bytes[5..] {
            match byte {
                b'0'..=b'9' => counts[0] += 1,
                b'a'..=b'z' => counts[1] += 1,
                b'A'..=b'Z' => counts[2] += 1,
                _ => counts[3] += 1,
            }
        }
        if bytes[0] == b'Q' {
            target(&bytes);
        } else if counts == [1, 2, 3, 1] {
            unsafe { goal(2) };
        }
    }"#;

/// Where the function is called that has `target` in its name, and where that calls the goal.
fn places(module: &Module) -> Vec<u32> {
    let named = |place: u32| {
        let function = module.function_at(place).expect("code belongs to a function");
        module.functions[function as usize].name.contains("target")
    };
    let calls = module.code.iter().enumerate().filter_map(|(place, instr)| match instr {
        Instr::Call { .. } => Some(place as u32),
        _ => None,
    });
    calls.filter(|place| named(*place)).collect()
}

fn runs(module: &Module, ranking: &mut dyn Ranking) -> u64 {
    let run = module.export("run").expect("it is exported");
    let mut program = Instance::new(module, run, Options::default()).expect("it can be instantiated");
    let reached = std::rc::Rc::default();
    program.inputs.watch(std::rc::Rc::clone(&reached));
    let (mut exprs, mut solver) = (Exprs::new(), Layered::new());
    let settings =
        Settings { limit: Limit::time(Duration::from_secs(20)).and_steps(20_000), ..Settings::default() };
    let mut explorer = Explorer::new(&mut exprs, &mut program, &mut solver, settings);
    explorer.run(&Model::new(), ranking);
    while !reached.borrow().contains(&1) {
        match explorer.turn(ranking) {
            Turn::Exhausted => panic!("the goal can be reached"),
            Turn::Ran(run) => assert!(!matches!(run.end, End::Limited(_))),
            Turn::Settled => {}
        }
    }
    assert_eq!(explorer.stats.mispredictions, 0);
    explorer.stats.runs
}

#[test]
fn toward_a_goal_is_shorter_than_coverage() {
    let bytes = rust(PROGRAM);
    let module = module(&bytes);
    let goals = places(&module);
    assert!(!goals.is_empty());
    let distances = Distances::to(&Graph::of(&module), goals.iter().copied());
    assert_eq!(distances.from(goals[0]), 0);
    assert_ne!(distances.from(module_start(&module)), UNREACHABLE);
    let toward = runs(&module, &mut Toward::new(distances, &module));
    let coverage = runs(&module, &mut Coverage::default());
    assert!(toward <= coverage && toward < 30, "{toward} runs toward the goal, {coverage} by coverage");
}

/// The first instruction of `run`.
fn module_start(module: &Module) -> u32 {
    let run = module.export("run").expect("it is exported");
    (0..module.code.len() as u32).find(|place| module.function_at(*place) == Some(run)).expect("it has code")
}
