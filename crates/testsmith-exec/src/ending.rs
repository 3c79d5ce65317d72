//! How programs end, in words: [`ending`].

use testsmith_rt::harness::wire::Outcome;

/// The kind of an outcome: what is counted and reported.
pub fn ending(outcome: &Outcome) -> String {
    let name = match outcome {
        Outcome::Ok => "ok",
        Outcome::Panic { .. } => "panic",
        Outcome::Fuel => "fuel",
        Outcome::Depth => "depth",
        Outcome::Memory => "memory",
        Outcome::Type(reason) => return format!("type: {reason}"),
        Outcome::Signal(number) => return format!("signal {number}"),
        Outcome::Exit(code) => return format!("exit {code}"),
        Outcome::Hang => "hang",
        Outcome::Outside(outside) => return format!("outside: {}", outside.name()),
    };
    name.to_owned()
}
