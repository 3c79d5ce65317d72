//! Modules that are made at random: the machine agrees with the reference interpreter on results, traps and memory, and the
//! expressions of results have the concrete values.

mod support;

use std::fmt::Write;

use support::{module, reference, wat};
use testsmith_symex::expr::{Exprs, Model};
use testsmith_symex::machine::{End, Machine, NoHost, Options, Value};
use testsmith_symex::wasm::ValType;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 20) % limit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// Small numbers, borders, and anything.
    fn number(&mut self) -> u64 {
        match self.below(5) {
            0 => self.below(10),
            1 => 1 << self.below(64),
            2 => (1_u64 << self.below(64)).wrapping_sub(1),
            3 => self.below(10).wrapping_neg(),
            _ => self.next(),
        }
    }
}

/// Locals 0 and 1 are `i32` parameters, 2 and 3 `i64` ones, 4 to 7 the same again; 8 counts turns of loops.
fn local(random: &mut Random, ty: &str) -> u64 {
    random.below(2) + 4 * random.below(2) + if ty == "i64" { 2 } else { 0 }
}

const BINARY: &[&str] = &[
    "add", "sub", "mul", "and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "rotr", "div_s", "div_u",
    "rem_s", "rem_u",
];
const COMPARE: &[&str] = &["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"];

fn expression(random: &mut Random, ty: &'static str, depth: u32) -> String {
    if depth == 0 || random.below(6) == 0 {
        return match random.below(3) {
            0 => format!(
                "({ty}.const {})",
                if ty == "i32" { random.number() as i32 as i64 } else { random.number() as i64 }
            ),
            _ => format!("(local.get {})", local(random, ty)),
        };
    }
    let other = if ty == "i32" { "i64" } else { "i32" };
    let sub = |random: &mut Random, ty| expression(random, ty, depth - 1);
    match random.below(14) {
        0 if ty == "i32" => {
            let of = random.pick(&["i32", "i64"]);
            format!("({of}.{} {} {})", random.pick(COMPARE), sub(random, of), sub(random, of))
        }
        0 => format!("(i64.extend_i32_{} {})", random.pick(&["s", "u"]), sub(random, other)),
        1 if ty == "i32" => format!("(i32.wrap_i64 {})", sub(random, other)),
        1 => format!("(i64.extend32_s {})", sub(random, ty)),
        2 => format!(
            "({ty}.{} {})",
            random.pick(&["clz", "ctz", "popcnt", "extend8_s", "extend16_s"]),
            sub(random, ty)
        ),
        3 => {
            let (a, b, condition) = (sub(random, ty), sub(random, ty), sub(random, "i32"));
            // wasmi 2.0.0 takes the wrong arm where the condition is an `i32.eqz`; wasmtime and the engine do not.
            let condition = condition.replacen(
                "(i32.eqz ",
                "(i32.extend8_s ",
                usize::from(condition.starts_with("(i32.eqz ")),
            );
            format!("(select {a} {b} {condition})")
        }
        4 => {
            let load = random.pick(&["load", "load8_s", "load8_u", "load16_s", "load16_u"]);
            format!(
                "({ty}.{load} offset={} (i32.and {} (i32.const 255)))",
                random.below(9),
                sub(random, "i32")
            )
        }
        5 => format!("(call ${ty} {} {})", sub(random, "i32"), sub(random, "i64")),
        6 if ty == "i32" => format!("(i32.eqz {})", sub(random, "i32")),
        6 => "(global.get $wide)".to_owned(),
        7 => {
            let float = random.pick(&["f32", "f64"]);
            let sign = random.pick(&["s", "u"]);
            format!(
                "({ty}.trunc_sat_{float}_{sign} ({float}.sqrt ({float}.convert_{ty}_{sign} {})))",
                sub(random, ty)
            )
        }
        8 => format!(
            "(call_indirect (param i32 i64) (result {ty}) {} {} (i32.add (i32.const {}) (i32.and {} (i32.const 1))))",
            sub(random, "i32"),
            sub(random, "i64"),
            if ty == "i32" { 0 } else { 2 },
            sub(random, "i32")
        ),
        _ => format!("({ty}.{} {} {})", random.pick(BINARY), sub(random, ty), sub(random, ty)),
    }
}

fn statement(random: &mut Random, depth: u32, text: &mut String) {
    let ty = random.pick(&["i32", "i64"]);
    match random.below(if depth == 0 { 4 } else { 9 }) {
        0..=2 => {
            let to = local(random, ty);
            let value = expression(random, ty, 3);
            let _ = write!(text, "(local.set {to} {value})");
        }
        3 => {
            let store = random.pick(&["store", "store8", "store16"]);
            let (at, value) = (expression(random, "i32", 2), expression(random, ty, 2));
            let _ = write!(
                text,
                "({ty}.{store} offset={} (i32.and {at} (i32.const 255)) {value})",
                random.below(9)
            );
        }
        4 => {
            let condition = expression(random, "i32", 2);
            let _ = write!(text, "(if {condition} (then ");
            statement(random, depth - 1, text);
            text.push_str(") (else ");
            statement(random, depth - 1, text);
            text.push_str("))");
        }
        5 => {
            let _ = write!(text, "(local.set 8 (i32.const {}))(loop ", random.below(5));
            statement(random, 0, text);
            text.push_str("(local.set 8 (i32.sub (local.get 8) (i32.const 1)))(br_if 0 (i32.gt_s (local.get 8) (i32.const 0))))");
        }
        6 => {
            let index = expression(random, "i32", 2);
            let _ = write!(text, "(block (block (block (br_table 0 1 2 0 {index}))");
            statement(random, depth - 1, text);
            text.push(')');
            statement(random, depth - 1, text);
            text.push(')');
        }
        7 => {
            let (to, from, bytes) = (random.below(200), random.below(200), random.below(40));
            match random.below(3) {
                0 => {
                    let _ =
                        write!(text, "(memory.copy (i32.const {to}) (i32.const {from}) (i32.const {bytes}))");
                }
                1 => {
                    let byte = expression(random, "i32", 1);
                    let _ = write!(text, "(memory.fill (i32.const {to}) {byte} (i32.const {bytes}))");
                }
                _ => {
                    let _ = write!(
                        text,
                        "(memory.init $part (i32.const {to}) (i32.const {}) (i32.const 4))",
                        bytes % 5
                    );
                }
            }
        }
        _ => {
            let wide = expression(random, "i64", 2);
            let _ = write!(
                text,
                "(global.set $wide {wide})(call $both (local.get 0) (local.get 2))(local.set 6)(local.set 4)"
            );
        }
    }
}

fn program(random: &mut Random) -> String {
    let mut body = String::new();
    for _ in 0..6 {
        statement(random, 2, &mut body);
    }
    let (a, b) = (expression(random, "i32", 3), expression(random, "i64", 3));
    format!(
        r#"(module (memory (export "memory") 1) (data $part "abcdefgh") (data (i32.const 16) "\01\80\ff\7f123456789")
        (global $wide (mut i64) (i64.const 99)) (table 4 funcref)
        (elem (i32.const 0) $i32 $more32 $i64 $more64)
        (func $i32 (param i32 i64) (result i32) (i32.xor (local.get 0) (i32.wrap_i64 (local.get 1))))
        (func $more32 (param i32 i64) (result i32) (if (result i32) (local.get 0) (then (i32.const 5)) (else (local.get 0))))
        (func $i64 (param i32 i64) (result i64) (i64.sub (local.get 1) (i64.extend_i32_s (local.get 0))))
        (func $more64 (param i32 i64) (result i64) (i64.rotl (local.get 1) (i64.const 9)))
        (func $both (param i32 i64) (result i32 i64) (i32.const 3) (i64.extend_i32_u (local.get 0)))
        (func (export "run") (param i32 i32 i64 i64) (result i32 i64 i64) (local i32 i32 i64 i64 i32)
          {body} {a} {b} (i64.xor (i64.load (i32.const 16)) (i64.load (i32.const 100)))))"#
    )
}

/// Names of traps, as the reference interpreter and the machine have them.
fn kind(text: &str) -> &'static str {
    let text = text.to_lowercase().replace(['_', ' '], "");
    let kinds = [
        ("zero", "division by zero"),
        ("overflow", "overflow"),
        ("table", "table"),
        ("memory", "memory"),
        ("unreachable", "unreachable"),
        ("signature", "type"),
        ("indirect", "type"),
    ];
    kinds.iter().find(|(part, _)| text.contains(part)).map_or("other", |(_, kind)| kind)
}

#[test]
fn random_modules_do_what_the_reference_interpreter_does() {
    let (mut returned, mut trapped) = (0, 0);
    for seed in 1..=1500_u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let text = program(&mut random);
        let bytes = wat(&text);
        let decoded = module(&bytes);
        let run = decoded.export("run").expect("it is exported");
        let mut machine =
            Machine::new(&decoded, Options::default(), &mut NoHost).expect("it can be instantiated");
        let snapshot = machine.snapshot();
        for _ in 0..3 {
            let inputs: Vec<u64> = decoded
                .signature(run)
                .params
                .iter()
                .map(|ty| match ty {
                    ValType::I32 => random.number() & 0xffff_ffff,
                    _ => random.number(),
                })
                .collect();
            check(&text, &bytes, &mut machine, &inputs, &mut returned, &mut trapped);
            machine.reset(&snapshot);
        }
    }
    assert!(returned > 1000 && trapped > 200, "{returned} {trapped}");
}

fn check(
    text: &str,
    bytes: &[u8],
    machine: &mut Machine<'_>,
    inputs: &[u64],
    returned: &mut u32,
    trapped: &mut u32,
) {
    let values: Vec<wasmi::Val> = inputs
        .iter()
        .enumerate()
        .map(|(place, bits)| match place {
            0 | 1 => wasmi::Val::I32(*bits as i32),
            _ => wasmi::Val::I64(*bits as i64),
        })
        .collect();
    let expected = reference(bytes, "run", &values, &Model::new());
    let mut exprs = Exprs::new();
    let arguments: Vec<Value> = inputs
        .iter()
        .enumerate()
        .map(|(place, bits)| {
            let width = if place < 2 { 32 } else { 64 };
            Value { bits: *bits, expr: Some(exprs.variable(place as u32, width)) }
        })
        .collect();
    let model: Model =
        inputs.iter().enumerate().map(|(place, bits)| (place as u32, u128::from(*bits))).collect();
    let function = machine.module().export("run").expect("it is exported");
    let run = machine.call(function, &arguments, &mut exprs, &mut NoHost);
    for decision in &run.path {
        let condition = decision.condition(&mut exprs, machine.module());
        assert_eq!(exprs.eval(condition, &model), 1, "a decision that this run took\n{inputs:?}\n{text}");
    }
    match (run.end, expected) {
        (End::Returned(results), Ok(expected)) => {
            *returned += 1;
            let found: Vec<u64> = results.iter().map(|value| value.bits).collect();
            assert_eq!(found, expected, "{inputs:?}\n{text}");
            for value in results {
                if let Some(expr) = value.expr {
                    assert_eq!(exprs.eval(expr, &model), u128::from(value.bits), "{inputs:?}\n{text}");
                }
            }
        }
        (End::Trapped(trap), Err(expected)) => {
            *trapped += 1;
            assert_eq!(
                kind(&format!("{trap:?}")),
                kind(&expected),
                "{trap:?}, {expected}\n{inputs:?}\n{text}"
            );
        }
        (found, expected) => panic!("{found:?} and {expected:?}\n{inputs:?}\n{text}"),
    }
}
