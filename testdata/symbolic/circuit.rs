//! Truth values through a circuit.
//! goals: 2

mod support;
use support::{goal, truth};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let inputs: [bool; 8] = std::array::from_fn(|slot| truth(slot as u32, false));
    let [a, b, c, d, e, f, g, h] = inputs;
    if (a | !b) & (b | c) & (!c | !d) & (d ^ e) & (e == f) & (f | g) & (!g ^ h) & (a & !h) {
        goal(0);
    }
    if inputs.iter().filter(|input| **input).count() == 8 {
        goal(1);
    }
}
