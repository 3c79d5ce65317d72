//! The borrow rules and the text of programs against the compiler: what the rules accept, rustc compiles; what they reject
//! as a wrong borrow, rustc nearly always rejects, too.

mod compile;
mod standard;

use std::time::Instant;

use compile::Functions;
use testsmith_ir::random::{Generator, Options, Rng, disturb};
use testsmith_ir::render::Spelling;
use testsmith_ir::{Api, CallableId, Liveness, Program, check, render};

const ACCEPTED: usize = 2000;
const REJECTED: usize = 1000;

#[test]
fn what_the_rules_accept_compiles() {
    let api = standard::api();
    assert!(api.callables.len() >= 40);
    let mut accepted = Functions::default();
    // From short programs with many values to long ones with few, which use them again and again; the last are about
    // what holds references.
    let all = Vec::new();
    let holders = holders(&api);
    let kinds = [(6, 70, &all), (12, 80, &all), (20, 90, &all), (30, 97, &all), (16, 80, &holders)];
    for (seed, (max_statements, reuse, roots)) in (0..).zip(kinds) {
        let options = Options { max_statements, reuse, roots: roots.clone(), ..Options::default() };
        let mut generator = Generator::new(&api, seed, options);
        for number in 0..ACCEPTED / kinds.len() {
            let program = generator.next();
            let liveness = check(&api, &program).expect("the generator keeps to the rules");
            let spelling = if number % 5 == 4 { Spelling::Explicit } else { Spelling::Natural };
            accepted.add(text(&api, &program, &liveness, number % 2 == 0, number % 3 > 0, spelling));
        }
    }
    let failed = accepted.failures("accepted");
    println!("of {ACCEPTED} accepted programs {} compile", ACCEPTED - failed.len());
    for (function, message) in failed.iter().take(5) {
        println!("{}{message}", accepted.text(*function));
    }
    assert!(failed.is_empty(), "{} programs do not compile", failed.len());
}

#[test]
fn what_the_rules_reject_does_not_compile() {
    let api = standard::api();
    let options = Options { max_statements: 14, reuse: 90, ..Options::default() };
    let mut generator = Generator::new(&api, 99, options);
    let mut rng = Rng::new(100);
    let mut rejected = Functions::default();
    let mut violations = Vec::new();
    while violations.len() < REJECTED {
        let mut program = generator.next();
        disturb(&api, &mut program, &mut rng);
        if let Err(violation) = check(&api, &program)
            && violation.reason.is_borrow()
        {
            let liveness = Liveness::unchecked(&program);
            rejected.add(text(&api, &program, &liveness, false, false, Spelling::Natural));
            violations.push(violation);
        }
    }
    let mut failed = rejected.failures("rejected");
    failed.retain(|_, message| compile::is_borrow_error(message));
    println!("of {REJECTED} rejected programs {} do not compile", failed.len());
    for index in (0..REJECTED).filter(|index| !failed.contains_key(index)).take(5) {
        println!("compiles, though {}:\n{}", violations[index], rejected.text(index));
    }
    assert!(failed.len() * 100 >= REJECTED * 90, "only {} are rejected by rustc", failed.len());
}

/// Callables that put references into something, or change what is referred to.
fn holders(api: &Api) -> Vec<CallableId> {
    let is_holder = |path: &str| ["Vec<&i32>", "Cell", "add_assign"].iter().any(|part| path.contains(part));
    api.callables().filter(|(_, callable)| is_holder(&callable.path)).map(|(id, _)| id).collect()
}

/// The body of a function; `observed` adds a look at each slot that is left, `inline` leaves out variables.
fn text(
    api: &Api,
    program: &Program,
    liveness: &Liveness,
    observed: bool,
    inline: bool,
    spelling: Spelling,
) -> String {
    let bound = if observed { liveness.observable().to_vec() } else { Vec::new() };
    let options = render::Options { indent: 4, bound, inline, spelling, ..render::Options::default() };
    let rendered = render(api, program, liveness, &options);
    let looks = options.bound.iter().filter_map(|slot| rendered.names[slot.index()].as_ref());
    let looks: String =
        looks.map(|name| format!("    let _ = &{name};\n    std::mem::size_of_val(&{name});\n")).collect();
    rendered.body + &looks
}

/// `cargo test --release -p testsmith-ir --test rustc -- --ignored --nocapture speed`
#[test]
#[ignore = "says how fast the generator is, which is nothing to assert"]
fn speed_of_the_generator() {
    const PROGRAMS: usize = 300_000;
    let api = standard::api();
    let mut generator = Generator::new(&api, 1, Options::default());
    let start = Instant::now();
    let statements: usize = (0..PROGRAMS).map(|_| generator.next().size()).sum();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:.0} programs a second, {:.1} statements each",
        PROGRAMS as f64 / seconds,
        statements as f64 / PROGRAMS as f64
    );
}
