//! Plain execution: the engine without inputs against wasmi on the same module, and the fixed cost of a run.

use std::path::Path;
use std::time::Duration;

use testsmith_symex::expr::Exprs;
use testsmith_symex::machine::{End, Hooks, Machine, NoHost, Options, Value};
use testsmith_symex::wasm::Module;

use super::processor::Moment;
use super::program::compile;
use crate::bench::median::median;
use crate::fail::{Context, Fail, Result};

/// Functions of the program, and the sizes that they are called with.
const WORK: &[(&str, u32)] = &[
    ("sieve", 400_000),
    ("sort", 60_000),
    ("checksum", 300_000),
    ("maps", 12_000),
    ("text", 8_000),
    ("matrix", 70),
];

/// Times of each; the middle one counts.
const TIMES: usize = 5;

/// Runs that do nothing, to measure what a run costs at least.
const EMPTY_RUNS: u32 = 20_000;

pub(super) fn compare(source: &Path, flags: &[String]) -> Result<()> {
    let bytes = compile(source, flags)?;
    println!(
        "{:16} {:>12} {:>10} {:>10} {:>6}",
        "concrete", "instructions", "engine ms", "wasmi ms", "ratio"
    );
    let module = Module::decode(&bytes).context("decode the module")?;
    let mut ratios = Vec::new();
    for (name, size) in WORK {
        let (mine, result, steps) = engine(&module, name, *size)?;
        let (theirs, expected) = wasmi(&bytes, name, *size)?;
        if result != expected {
            return Err(Fail::new(format!("{name} is {result} in the engine and {expected} in wasmi")));
        }
        let ratio = mine / theirs;
        println!("{name:16} {steps:>12} {mine:>10.2} {theirs:>10.2} {ratio:>6.2}");
        ratios.push(ratio);
    }
    println!("median ratio {:.2}", median(ratios.into_iter()).unwrap_or_default());
    println!("fixed cost of a run: {:.2} µs", fixed_cost(&module)?);
    Ok(())
}

fn middle(times: Vec<Duration>) -> f64 {
    median(times.into_iter().map(|time| time.as_secs_f64() * 1e3)).unwrap_or_default()
}

/// Milliseconds, the result and the instructions.
fn engine(module: &Module, name: &str, size: u32) -> Result<(f64, u32, u64)> {
    let function = module.export(name).context(format!("find `{name}`"))?;
    let hooks = Hooks { panics: true, hashes: false, wide: false };
    let options = Options { hooks, steps: u64::MAX, ..Options::default() };
    let mut machine = Machine::new(module, options, &mut NoHost).context("make an instance")?;
    let snapshot = machine.snapshot();
    let (mut exprs, mut times, mut outcome) = (Exprs::new(), Vec::new(), (0, 0));
    for _ in 0..TIMES {
        machine.reset(&snapshot);
        let began = Moment::now();
        let run = machine.call(function, &[Value::concrete(u64::from(size))], &mut exprs, &mut NoHost);
        times.push(began.elapsed());
        match run.end {
            End::Returned(values) => outcome = (values[0].low(), run.steps),
            end => return Err(Fail::new(format!("`{name}` ended with {end:?}"))),
        }
    }
    Ok((middle(times), outcome.0, outcome.1))
}

fn wasmi(bytes: &[u8], name: &str, size: u32) -> Result<(f64, u32)> {
    let engine = wasmi::Engine::default();
    let module = wasmi::Module::new(&engine, bytes).context("read the module")?;
    let (mut times, mut result) = (Vec::new(), 0);
    for _ in 0..TIMES {
        let mut store = wasmi::Store::new(&engine, ());
        let mut linker = wasmi::Linker::new(&engine);
        for import in module.imports() {
            let wasmi::ExternType::Func(ty) = import.ty() else { continue };
            let random = import.name() == "random_get";
            let answer = move |mut caller: wasmi::Caller<'_, ()>,
                               values: &[wasmi::Val],
                               results: &mut [wasmi::Val]| {
                if let (true, [wasmi::Val::I32(at), wasmi::Val::I32(len)]) = (random, values) {
                    fill(&mut caller, *at as usize, *len as usize);
                }
                if let Some(first) = results.first_mut() {
                    *first = wasmi::Val::I32(if random { 0 } else { 8 });
                }
                Ok(())
            };
            linker.func_new(import.module(), import.name(), ty.clone(), answer).context("link")?;
        }
        let instance = linker.instantiate_and_start(&mut store, &module).context("make an instance")?;
        let function = instance.get_typed_func::<u32, u32>(&store, name).context(format!("find `{name}`"))?;
        let began = Moment::now();
        result = function.call(&mut store, size).context(format!("run `{name}`"))?;
        times.push(began.elapsed());
    }
    Ok((middle(times), result))
}

/// The same random bytes as the engine's.
fn fill(caller: &mut wasmi::Caller<'_, ()>, at: usize, len: usize) {
    let bytes: Vec<u8> = (0..len).map(|byte| (byte as u8).wrapping_mul(157).wrapping_add(71)).collect();
    if let Some(memory) = caller.get_export("memory").and_then(wasmi::Extern::into_memory) {
        // Out of bounds shows in the result.
        let _ = memory.write(&mut *caller, at, &bytes);
    }
}

/// Microseconds of a reset and a run that does nothing.
fn fixed_cost(module: &Module) -> Result<f64> {
    let function = module.export("nothing").context("find `nothing`")?;
    let mut machine = Machine::new(module, Options::default(), &mut NoHost).context("make an instance")?;
    let snapshot = machine.snapshot();
    let mut exprs = Exprs::new();
    let began = Moment::now();
    for _ in 0..EMPTY_RUNS {
        machine.reset(&snapshot);
        machine.call(function, &[Value::concrete(1)], &mut exprs, &mut NoHost);
    }
    Ok(began.elapsed().as_secs_f64() * 1e6 / f64::from(EMPTY_RUNS))
}
