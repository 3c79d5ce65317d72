//! Every numeric instruction on telling values: the machine agrees with the reference interpreter, and the expression that it
//! builds has the concrete value.

mod support;

use support::{bits, module, reference, wat};
use testsmith_symex::expr::{Exprs, Model};
use testsmith_symex::machine::{End, Machine, NoHost, Options, Value};
use testsmith_symex::wasm::{Binary, FuncId, Unary};

/// `I32TruncSatF64S` is `i32.trunc_sat_f64_s`.
fn words(instruction: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for letter in instruction.chars() {
        if letter.is_ascii_uppercase() {
            words.push(String::new());
        }
        words.last_mut().expect("it starts with a capital").push(letter.to_ascii_lowercase());
    }
    words
}

struct Instruction {
    text: String,
    operand: String,
    result: String,
}

const TYPES: [&str; 4] = ["i32", "i64", "f32", "f64"];
const COMPARISONS: [&str; 7] = ["eq", "ne", "lt", "gt", "le", "ge", "eqz"];

fn instruction(name: &str) -> Instruction {
    let words = words(name);
    let (prefix, rest) = words.split_first().expect("a name has a type");
    let other = rest.iter().find(|word| TYPES.contains(&word.as_str()));
    let result = if COMPARISONS.contains(&rest[0].as_str()) { "i32" } else { prefix };
    Instruction {
        text: format!("{prefix}.{}", rest.join("_")),
        operand: other.unwrap_or(prefix).clone(),
        result: result.to_owned(),
    }
}

/// Values at the borders of every type, and some between.
fn telling(ty: &str) -> Vec<u64> {
    let floats = [
        0.0,
        0.5,
        1.0,
        1.5,
        2.5,
        3.7,
        127.5,
        128.0,
        65_536.0,
        2_147_483_647.0,
        2_147_483_648.0,
        4_294_967_295.5,
        4_294_967_296.0,
        9.2e18,
        9_223_372_036_854_775_808.0,
        18_446_744_073_709_551_616.0,
        1e300,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        f64::INFINITY,
        f64::NAN,
        0.1,
        16_777_217.0,
    ];
    let signed = floats.iter().flat_map(|float| [*float, -*float]);
    match ty {
        "f32" => signed.map(|float| u64::from((float as f32).to_bits())).collect(),
        "f64" => signed.map(f64::to_bits).collect(),
        ty => {
            let width = if ty == "i32" { 32 } else { 64 };
            let mask = u64::MAX >> (64 - width);
            let powers = (0..width).step_by(5).chain([width - 1, 7, 8, 15, 16, 31]).map(|bit| 1_u64 << bit);
            let near =
                powers.flat_map(|power| [power.wrapping_sub(1), power, power + 1, power.wrapping_neg()]);
            let mut all: Vec<u64> = near
                .chain([0, 3, 7, 10, 100, 12345, 0x1234_5678_9abc_def0])
                .map(|value| value & mask)
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        }
    }
}

fn val(ty: &str, bits: u64) -> wasmi::Val {
    match ty {
        "i32" => wasmi::Val::I32(bits as i32),
        "i64" => wasmi::Val::I64(bits as i64),
        "f32" => wasmi::Val::F32(wasmi::F32::from_bits(bits as u32)),
        _ => wasmi::Val::F64(wasmi::F64::from_bits(bits)),
    }
}

fn width(ty: &str) -> u32 {
    if ty.ends_with("32") { 32 } else { 64 }
}

/// Not a number is not one value: the reference may give another one.
fn same(ty: &str, a: u64, b: u64) -> bool {
    let nan = |bits: u64| match ty {
        "f32" => f32::from_bits(bits as u32).is_nan(),
        "f64" => f64::from_bits(bits).is_nan(),
        _ => false,
    };
    a == b || nan(a) && nan(b)
}

/// Runs one instruction on all of these operands in both interpreters.
fn check(name: &str, operands: &[Vec<u64>]) {
    let Instruction { text, operand, result } = instruction(name);
    let count = operands[0].len();
    let params = vec![operand.as_str(); count].join(" ");
    let gets: String = (0..count).map(|number| format!("local.get {number} ")).collect();
    let source = format!("(module (func (export \"f\") (param {params}) (result {result}) {gets} {text}))");
    let bytes = wat(&source);
    let decoded = module(&bytes);
    let function: FuncId = decoded.export("f").expect("it is exported");
    let mut machine =
        Machine::new(&decoded, Options::default(), &mut NoHost).expect("it can be instantiated");
    let mut exprs = Exprs::new();
    let variables: Vec<_> = (0..count).map(|number| exprs.variable(number as u32, width(&operand))).collect();
    let reference = Reference::new(&bytes);
    for values in operands {
        let arguments: Vec<_> = values.iter().map(|value| val(&operand, *value)).collect();
        let expected = reference.call(&arguments);
        let plain: Vec<Value> = values.iter().map(|value| Value::concrete(*value)).collect();
        let run = machine.call(function, &plain, &mut exprs, &mut NoHost);
        assert!(run.path.is_empty());
        let symbolic: Vec<Value> = values
            .iter()
            .zip(&variables)
            .map(|(bits, expr)| Value { bits: *bits, expr: Some(*expr) })
            .collect();
        let traced = machine.call(function, &symbolic, &mut exprs, &mut NoHost);
        let model: Model = values.iter().enumerate().map(|(n, v)| (n as u32, u128::from(*v))).collect();
        for decision in &traced.path {
            let condition = decision.condition(&mut exprs, &decoded);
            assert_eq!(exprs.eval(condition, &model), 1, "{text} {values:x?}: {decision:?}");
        }
        match (expected, run.end, traced.end) {
            (Ok(expected), End::Returned(concrete), End::Returned(symbolic)) => {
                assert!(
                    same(&result, expected, concrete[0].bits),
                    "{text} {values:x?}: {expected:x} {concrete:x?}"
                );
                assert_eq!(symbolic[0].bits, concrete[0].bits);
                let expr = symbolic[0].expr;
                let value = expr.map_or(u128::from(symbolic[0].bits), |expr| exprs.eval(expr, &model));
                assert_eq!(value, u128::from(symbolic[0].bits), "{text} {values:x?} as an expression");
            }
            (Err(_), End::Trapped(a), End::Trapped(b)) if a == b => {}
            other => panic!("{text} {values:x?}: {other:x?}"),
        }
    }
}

/// One module in the reference interpreter, for many calls.
struct Reference {
    store: std::cell::RefCell<wasmi::Store<()>>,
    function: wasmi::Func,
}

impl Reference {
    fn new(bytes: &[u8]) -> Self {
        let engine = wasmi::Engine::default();
        let module = wasmi::Module::new(&engine, bytes).expect("the module is valid");
        let mut store = wasmi::Store::new(&engine, ());
        let instance =
            wasmi::Linker::new(&engine).instantiate_and_start(&mut store, &module).expect("it starts");
        let function = instance.get_func(&store, "f").expect("it is exported");
        Self { store: store.into(), function }
    }

    fn call(&self, arguments: &[wasmi::Val]) -> Result<u64, String> {
        let mut result = [wasmi::Val::I32(0)];
        self.function
            .call(&mut *self.store.borrow_mut(), arguments, &mut result)
            .map(|()| bits(&result[0]))
            .map_err(|error| error.to_string())
    }
}

#[test]
fn instructions_with_two_operands_agree() {
    for op in Binary::ALL {
        let name = format!("{op:?}");
        let values = telling(&instruction(&name).operand);
        let pairs: Vec<Vec<u64>> =
            values.iter().flat_map(|a| values.iter().map(move |b| vec![*a, *b])).collect();
        check(&name, &pairs);
    }
}

#[test]
fn instructions_with_one_operand_agree() {
    for op in Unary::ALL {
        let name = format!("{op:?}");
        let values: Vec<Vec<u64>> =
            telling(&instruction(&name).operand).into_iter().map(|value| vec![value]).collect();
        check(&name, &values);
    }
}

#[test]
fn a_trap_of_the_reference_is_a_trap() {
    let bytes =
        wat("(module (func (export \"f\") (param i32 i32) (result i32) local.get 0 local.get 1 i32.div_s))");
    let zero = [wasmi::Val::I32(1), wasmi::Val::I32(0)];
    assert_eq!(reference(&bytes, "f", &zero, &Model::new()), Err("IntegerDivisionByZero".to_owned()));
}
