//! The programs of `testdata/symbolic`: each is explored until every goal and every panic that it declares is reached, nothing
//! that the engine predicted goes otherwise, and the reference interpreter sees the same goals on the same inputs.

mod support;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use support::{module, reference_goals, rust_file};
use testsmith_symex::explore::{Coverage, Explorer, Instance, Settings, Stats, Turn};
use testsmith_symex::expr::{Exprs, Model};
use testsmith_symex::machine::{End, Hooks, Options};
use testsmith_symex::solver::{Layered, Limit};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/symbolic")
}

/// A number that the head of a program declares: `//! goals: 4, panics: 3`.
fn declared(source: &str, what: &str) -> usize {
    let heads = source.lines().filter_map(|line| line.strip_prefix("//! "));
    let values = heads
        .flat_map(|line| line.split(", "))
        .filter_map(|part| part.strip_prefix(what)?.strip_prefix(": "));
    values.last().map_or(0, |value| value.parse().expect("a number"))
}

/// Runs of which the reference interpreter does the same.
const COMPARED: usize = 40;

/// Turns of the loop, solved or not. Limits are in steps and not in time, so that a slow machine sees the same.
const TURNS: usize = 50_000;

fn check(name: &str) {
    let path = folder().join(name).with_extension("rs");
    let source = std::fs::read_to_string(&path).expect("the program is there");
    let (goals, panics) = (declared(&source, "goals"), declared(&source, "panics"));
    // Goals that take the solver longer than a test may; the bench looks for them.
    let hard = declared(&source, "hard");
    let bytes = rust_file(&path);
    let decoded = module(&bytes);
    let run = decoded.export("run").expect("the program has an entry");
    let mut program = Instance::new(&decoded, run, Options::default()).expect("it can be instantiated");
    let reached = Rc::new(RefCell::new(BTreeSet::new()));
    program.inputs.watch(reached.clone());
    let (mut exprs, mut solver, mut ranking) = (Exprs::new(), Layered::new(), Coverage::default());
    let settings =
        Settings { limit: Limit::time(Duration::from_secs(20)).and_steps(20_000), ..Settings::default() };
    let mut explorer = Explorer::new(&mut exprs, &mut program, &mut solver, settings);
    explorer.run(&Model::new(), &mut ranking);
    let mut seen = BTreeSet::new();
    let mut compared: Vec<(Model, End)> = Vec::new();
    for _ in 0..TURNS {
        if reached.borrow().len() + hard >= goals && seen.len() >= panics {
            break;
        }
        match explorer.turn(&mut ranking) {
            Turn::Exhausted => break,
            Turn::Settled => {}
            Turn::Ran(run) => {
                if compared.len() < COMPARED {
                    compared.push((explorer.last_model().expect("it has run").clone(), run.end.clone()));
                }
                if let End::Panicked(panic) = run.end {
                    seen.insert((panic.entry, panic.location));
                }
            }
        }
    }
    sound(name, &explorer.stats);
    let missing: Vec<u32> = (0..goals as u32).filter(|goal| !reached.borrow().contains(goal)).collect();
    assert!(missing.len() <= hard, "{name}: goals {missing:?} are not reached");
    assert_eq!(seen.len(), panics, "{name}: {seen:?}");
    agree_with_the_reference(&bytes, &compared);
}

/// Nothing went otherwise than the engine said.
fn sound(name: &str, stats: &Stats) {
    assert_eq!(stats.mispredictions, 0, "{name}");
    assert_eq!(stats.nondeterministic, 0, "{name}");
    assert_eq!(stats.wrong_conditions, 0, "{name}");
    assert_eq!(stats.wrong_models, 0, "{name}");
}

/// The reference interpreter reaches the same goals on the same inputs, and panics where the engine says so.
fn agree_with_the_reference(bytes: &[u8], compared: &[(Model, End)]) {
    let decoded = module(bytes);
    let run = decoded.export("run").expect("the program has an entry");
    // Known functions change nothing that a program can see but the order of hash tables: here they are executed.
    let hooks = Hooks { panics: true, hashes: false, wide: false };
    let mut program =
        Instance::new(&decoded, run, Options { hooks, ..Options::default() }).expect("as before");
    for (model, _) in compared {
        let mut exprs = Exprs::new();
        let run = testsmith_symex::explore::Program::run(&mut program, &mut exprs, model);
        let (goals, ended) = reference_goals(bytes, model);
        assert_eq!(program.inputs.goals, goals, "{model:?}");
        assert_eq!(
            matches!(run.end, End::Returned(_)),
            ended.is_ok(),
            "{model:?}: {:?} and {ended:?}",
            run.end
        );
    }
}

macro_rules! programs {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

programs! {
    address adler base64 binary_search body_mass bounded_stack brackets btree_map caesar
    char_methods checked64 circuit civil_date clock collatz crc32 date determinant distances
    durations float32 float_casts fnv32 fnv64 format format_float gcd hash_map hash_set hexadecimal
    int128 integer_root keywords luhn magic murmur nested panics parse_i128 parse_i32 parse_u64
    product32 product64 quadratic quotients quotients64 ref_cell ring roman rotations run_lengths
    saturation search_tree sort split_parse table text_equal tokens trait_objects triangle
    unicode_case utf8 vector version weak_kill words
}

#[test]
fn every_program_is_tested() {
    let files = std::fs::read_dir(folder()).expect("the folder is there");
    let names = files.map(|file| file.expect("an entry").file_name().into_string().expect("plain names"));
    let found: BTreeSet<String> =
        names.filter_map(|name| name.strip_suffix(".rs").map(str::to_owned)).collect();
    let named: BTreeSet<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(found, named);
}
