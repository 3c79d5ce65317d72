//! What the tests share: modules from text and from Rust, and the reference interpreter.
#![allow(dead_code, reason = "each test uses its part")]

use std::path::Path;
use std::process::Command;

use testsmith_symex::expr::Model;
use testsmith_symex::wasm::Module;

/// Bytes of a module written as text.
pub(crate) fn wat(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("the text is a module")
}

/// The module in register code.
pub(crate) fn module(bytes: &[u8]) -> Module {
    Module::decode(bytes).expect("the module is valid")
}

/// Compiles a Rust program for wasm: functions with `#[unsafe(no_mangle)]` are its exports.
pub(crate) fn rust(source: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("make a folder");
    let (from, to) = (folder.path().join("program.rs"), folder.path().join("program.wasm"));
    std::fs::write(&from, source).expect("write the program");
    compile(&from, &to);
    std::fs::read(&to).expect("read the module")
}

/// Compiles a Rust program that is there as a file.
pub(crate) fn rust_file(source: &Path) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("make a folder");
    let to = folder.path().join("program.wasm");
    compile(source, &to);
    std::fs::read(&to).expect("read the module")
}

/// Little is optimised away and branches stay branches, as `docs/internals/symbolic.md` says.
const FLAGS: &str = include_str!("../../../../testdata/symbolic/rustc-flags");

fn compile(from: &Path, to: &Path) {
    let output = Command::new("rustc").args(FLAGS.lines()).arg(from).arg("-o").arg(to).output();
    let output = output.expect("rustc runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "is the target there? `rustup target add wasm32-wasip1`\n{message}");
}

/// What the reference interpreter makes of a call: the bits of the results, or the name of the trap.
pub(crate) fn reference(
    bytes: &[u8],
    export: &str,
    arguments: &[wasmi::Val],
    model: &Model,
) -> Result<Vec<u64>, String> {
    run_reference(bytes, export, arguments, model).1
}

/// The goals that a program reaches in the reference interpreter, and how it ends.
pub(crate) fn reference_goals(bytes: &[u8], model: &Model) -> (Vec<u32>, Result<Vec<u64>, String>) {
    run_reference(bytes, "run", &[], model)
}

fn run_reference(
    bytes: &[u8],
    export: &str,
    arguments: &[wasmi::Val],
    model: &Model,
) -> (Vec<u32>, Result<Vec<u64>, String>) {
    let engine = wasmi::Engine::default();
    let module = wasmi::Module::new(&engine, bytes).expect("the module is valid");
    let mut store = wasmi::Store::new(&engine, Outside { model: model.clone(), goals: Vec::new() });
    let mut linker = wasmi::Linker::new(&engine);
    for import in module.imports() {
        let wasmi::ExternType::Func(ty) = import.ty() else { panic!("only functions are imported") };
        let name = import.name().to_owned();
        linker
            .func_new(import.module(), import.name(), ty.clone(), move |caller, values, results| {
                answer(&name, caller, values, results);
                Ok(())
            })
            .expect("each import stands once");
    }
    let instance = linker.instantiate_and_start(&mut store, &module).expect("it can be instantiated");
    let function = instance.get_func(&store, export).expect("it is exported");
    let results = function.ty(&store).results().len();
    let mut values = vec![wasmi::Val::I32(0); results];
    let outcome = match function.call(&mut store, arguments, &mut values) {
        Ok(()) => Ok(values.iter().map(bits).collect()),
        Err(error) => Err(error.as_trap_code().map_or_else(|| error.to_string(), |code| format!("{code:?}"))),
    };
    (store.into_data().goals, outcome)
}

struct Outside {
    model: Model,
    goals: Vec<u32>,
}

/// The same world as the engine's: fixed randomness, nothing outside; inputs have the values of the model.
fn answer(
    name: &str,
    mut caller: wasmi::Caller<'_, Outside>,
    values: &[wasmi::Val],
    results: &mut [wasmi::Val],
) {
    let number = |at: usize| bits(&values[at]) as u32;
    let memory = caller.get_export("memory").and_then(wasmi::Extern::into_memory).expect("a memory");
    match name {
        "hole" => {
            let (slot, kind, at, len) = (number(0), number(1), number(2), number(3));
            let whole = kind < 3;
            let parts: Vec<(u32, usize, usize)> = match whole {
                true => vec![(slot << 10, at as usize, len as usize)],
                false => (0..len).map(|part| (slot << 10 | part, (at + part) as usize, 1)).collect(),
            };
            for (variable, at, len) in parts {
                if let Some(value) = caller.data().model.get(variable) {
                    let bytes = value.to_le_bytes();
                    memory.write(&mut caller, at, &bytes[..len]).expect("in bounds");
                }
            }
        }
        "goal" => caller.data_mut().goals.push(number(0)),
        "random_get" => {
            let bytes: Vec<u8> =
                (0..number(1)).map(|byte| (byte as u8).wrapping_mul(157).wrapping_add(71)).collect();
            memory.write(&mut caller, number(0) as usize, &bytes).expect("in bounds");
        }
        _ => {}
    }
    if let Some(result) = results.first_mut() {
        *result = wasmi::Val::I32(if name == "random_get" { 0 } else { 8 });
    }
}

pub(crate) fn bits(value: &wasmi::Val) -> u64 {
    match value {
        wasmi::Val::I32(value) => u64::from(*value as u32),
        wasmi::Val::I64(value) => *value as u64,
        wasmi::Val::F32(value) => u64::from(value.to_bits()),
        wasmi::Val::F64(value) => value.to_bits(),
        other => panic!("{other:?} has no bits"),
    }
}
