//! `execute --write`: random programs as Rust, for the compiler to check the borrow rules by.
//!
//! `accepted.rs` holds programs that obey the rules, so all of them have to compile; `rejected.rs` holds programs that a
//! change has made break them. One module each, so that a message leads back to its program.

use std::fmt::Write;
use std::path::Path;

use testsmith_ir::random::{Generator, Options, Rng, disturb};
use testsmith_ir::{Api, Liveness, Program, check, render};

use crate::copy::write_if_changed;
use crate::failure::Failure;

/// So many programs are disturbed at most for each that breaks a rule by it.
const TRIES: usize = 100;

/// What to write.
pub(crate) struct Wanted<'a> {
    pub(crate) api: &'a Api,
    pub(crate) options: &'a Options,
    pub(crate) seed: u64,
    /// So many programs of each kind.
    pub(crate) count: usize,
    /// Of the package.
    pub(crate) edition: u16,
    /// The name of its library.
    pub(crate) library: &'a str,
}

pub(crate) fn write(wanted: &Wanted<'_>, dir: &Path) -> Result<(), Failure> {
    write_if_changed(&dir.join("accepted.rs"), &accepted(wanted))?;
    write_if_changed(&dir.join("rejected.rs"), &rejected(wanted))
}

fn accepted(wanted: &Wanted<'_>) -> String {
    let mut generator = Generator::new(wanted.api, wanted.seed, wanted.options.clone());
    let mut text = wanted.head();
    for number in 0..wanted.count {
        let program = generator.next();
        let liveness = check(wanted.api, &program).expect("the generator obeys the borrow rules");
        wanted.add(&mut text, number, &program, &liveness);
    }
    text
}

fn rejected(wanted: &Wanted<'_>) -> String {
    let Wanted { api, count, .. } = *wanted;
    let mut generator = Generator::new(api, wanted.seed, wanted.options.clone());
    let mut rng = Rng::new(wanted.seed);
    let mut text = wanted.head();
    let mut number = 0;
    for _ in 0..count * TRIES {
        let mut program = generator.next();
        disturb(api, &mut program, &mut rng);
        let Err(violation) = check(api, &program) else { continue };
        if violation.reason.is_borrow() {
            wanted.add(&mut text, number, &program, &Liveness::unchecked(&program));
            number += 1;
        }
        if number == count {
            break;
        }
    }
    text
}

impl Wanted<'_> {
    fn head(&self) -> String {
        let mut text = "#![allow(warnings)]\n".to_owned();
        if self.edition < 2018 {
            let _ = writeln!(text, "extern crate {};", self.library.replace('-', "_"));
        }
        text
    }

    fn add(&self, text: &mut String, number: usize, program: &Program, liveness: &Liveness) {
        let options = render::Options { indent: 8, ..render::Options::default() };
        let rendered = render(self.api, program, liveness, &options);
        let _ = writeln!(text, "mod p{number} {{");
        for import in rendered.imports.iter().filter(|path| render::needs_import(path, self.edition)) {
            let _ = writeln!(text, "    use {import};");
        }
        let _ = writeln!(text, "    #[test]\n    fn run() {{\n{}    }}\n}}", rendered.body);
    }
}
