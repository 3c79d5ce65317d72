//! The programs of `testdata/symbolic`: each is explored, every goal that it declares is reached, and nothing that the engine
//! predicted went otherwise.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use support::{module, rust_file};
use testsmith_symex::explore::{Coverage, Explorer, Instance, Settings, Turn};
use testsmith_symex::expr::{Exprs, Model};
use testsmith_symex::machine::Options;
use testsmith_symex::solver::Layered;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/symbolic")
}

fn explore(name: &str) {
    let source = folder().join(name).with_extension("rs");
    let bytes = rust_file(&source);
    let decoded = module(&bytes);
    let run = decoded.export("run").expect("the program has an entry");
    let mut program = Instance::new(&decoded, run, Options::default()).expect("it can be instantiated");
    let (mut exprs, mut solver, mut ranking) = (Exprs::new(), Layered::new(), Coverage::default());
    let goals = std::rc::Rc::new(std::cell::RefCell::new(BTreeSet::new()));
    program.inputs.watch(goals.clone());
    let began = Instant::now();
    let mut explorer = Explorer::new(&mut exprs, &mut program, &mut solver, Settings::default());
    explorer.run(&Model::new(), &mut ranking);
    let mut panics = BTreeSet::new();
    while began.elapsed() < Duration::from_secs(10) {
        match explorer.turn(&mut ranking) {
            Turn::Exhausted => break,
            Turn::Settled => {}
            Turn::Ran(run) => {
                if let testsmith_symex::machine::End::Panicked(panic) = run.end {
                    panics.insert(panic.location);
                }
            }
        }
    }
    eprintln!(
        "{name}: {:?} {:?} {:?} {:?}",
        goals.borrow(),
        explorer.stats,
        explorer.tree.counts(),
        panics.len()
    );
    assert_eq!(explorer.stats.mispredictions, 0);
    assert_eq!(explorer.stats.nondeterministic, 0);
    assert_eq!(explorer.stats.wrong_conditions, 0);
    assert_eq!(explorer.stats.wrong_models, 0);
}

#[test]
fn all() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut names: Vec<_> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|e| e.unwrap().file_name().to_str().unwrap().strip_suffix(".rs").map(str::to_owned))
        .collect();
    names.sort();
    for name in names {
        if name.contains(&only) {
            explore(&name);
        }
    }
}
