//! Many function bodies, compiled in a few files.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const PER_FILE: usize = 500;

#[derive(Default)]
pub(crate) struct Functions {
    bodies: Vec<String>,
}

impl Functions {
    pub(crate) fn add(&mut self, body: String) {
        self.bodies.push(body);
    }

    pub(crate) fn text(&self, function: usize) -> String {
        format!("fn f{function}() {{\n{}}}\n", self.bodies[function])
    }

    /// The functions that do not compile, each with its first error.
    pub(crate) fn failures(&self, name: &str) -> BTreeMap<usize, String> {
        let numbers: Vec<usize> = (0..self.bodies.len()).collect();
        let files = numbers.chunks(PER_FILE).enumerate();
        files.flat_map(|(file, functions)| self.compile(&format!("{name}_{file}"), functions)).collect()
    }

    fn compile(&self, name: &str, functions: &[usize]) -> BTreeMap<usize, String> {
        let mut source = String::new();
        let mut by_line: Vec<usize> = Vec::new();
        for function in functions {
            let text = self.text(*function);
            by_line.extend(text.lines().map(|_| *function));
            source.push_str(&text);
        }
        let mut failures = BTreeMap::new();
        for (line, error) in errors(&rustc(name, &source)) {
            failures.entry(by_line[line - 1]).or_insert(error);
        }
        failures
    }
}

/// What the compiler says, one line for each message.
fn rustc(name: &str, source: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("{name}.rs"));
    std::fs::write(&file, source).expect("the folder can be written");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let arguments =
        "--edition 2021 --crate-type lib --emit metadata --error-format short --cap-lints allow --out-dir";
    let output = Command::new(compiler)
        .args(arguments.split(' '))
        .arg(folder)
        .arg(&file)
        .output()
        .expect("there is a compiler");
    let messages = String::from_utf8(output.stderr).expect("messages are text");
    assert_eq!(output.status.success(), errors(&messages).next().is_none(), "{messages}");
    messages
}

/// `accepted_0.rs:12:5: error[E0505]: cannot move out of `x` because it is borrowed`
fn errors(messages: &str) -> impl Iterator<Item = (usize, String)> {
    messages.lines().filter_map(|message| {
        let (place, error) = message.split_once(": error")?;
        let line = place.split(".rs:").nth(1)?.split(':').next()?.parse().ok()?;
        Some((line, format!("line {line}: error{error}")))
    })
}

/// Whether the borrow checker says so.
pub(crate) fn is_borrow_error(message: &str) -> bool {
    const CODES: [&str; 10] =
        ["E0382", "E0499", "E0502", "E0503", "E0505", "E0506", "E0597", "E0713", "E0716", "E0521"];
    CODES.iter().any(|code| message.contains(code))
}
