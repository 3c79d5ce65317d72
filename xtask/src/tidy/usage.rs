//! Who may do what: only the command line prints, only `testsmith-proc` starts processes.
//!
//! Test code may do both: files named `tests.rs`, `tests` folders, and what follows the
//! `#[cfg(test)] mod … {` that ends a file by convention.

use super::Problem;
use super::code_only::code_only;

const PRINTERS: &[&str] = &["crates/cargo-testsmith/", "xtask/"];
const STARTERS: &[&str] = &["crates/testsmith-proc/", "xtask/"];

const PRINTING: &[&str] = &["println!", "print!", "eprintln!", "eprint!", "dbg!"];

/// Engines emit events; only reporters print.
pub(super) fn does_not_print(path: &str, text: &str) -> Vec<Problem> {
    let advice = "return the value or an event; only cargo-testsmith prints";
    find_outside(PRINTERS, path, text, |line| {
        let used = PRINTING.iter().find(|name| has_word(line, name))?;
        Some(format!("`{used}` in a library: {advice}"))
    })
}

/// Every child process goes through one crate, which limits it and cleans up behind it.
pub(super) fn starts_no_process(path: &str, text: &str) -> Vec<Problem> {
    find_outside(STARTERS, path, text, |line| {
        // Clap has a type of the same name, which starts nothing.
        let used = has_word(&line.replace("clap::Command", ""), "Command::new");
        used.then(|| {
            "`Command::new` outside testsmith-proc: give it the spec of the process instead".to_owned()
        })
    })
}

/// Applies `rule` to each line of code that is not a test, unless the file is in an exempt folder.
fn find_outside(
    exempt: &[&str],
    path: &str,
    text: &str,
    rule: impl Fn(&str) -> Option<String>,
) -> Vec<Problem> {
    if is_test_file(path) || exempt.iter().any(|folder| path.starts_with(folder)) {
        return Vec::new();
    }
    let code = code_only(text);
    let lines: Vec<&str> = code.lines().collect();
    let lines = &lines[..start_of_tests(&lines)];
    let problems =
        lines.iter().enumerate().filter_map(|(at, line)| Some(Problem::at_line(path, at, rule(line)?)));
    problems.collect()
}

fn is_test_file(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs")
}

/// The line of the `#[cfg(test)]` whose module is written out in this file, or the end. A
/// `#[cfg(test)]` on anything else hides nothing that follows it.
fn start_of_tests(lines: &[&str]) -> usize {
    let opens_module = |at: usize| {
        let item = lines[at + 1..].iter().find(|line| !line.trim_start().starts_with('#'));
        item.is_some_and(|line| line.contains("mod ") && line.trim_end().ends_with('{'))
    };
    (0..lines.len()).find(|&at| lines[at].trim() == "#[cfg(test)]" && opens_module(at)).unwrap_or(lines.len())
}

/// Whether `word` occurs and is not the end of a longer name.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &str = "crates/testsmith-model/src/lib.rs";

    #[test]
    fn printing_in_a_library_is_a_problem() {
        for name in PRINTING {
            let text = format!("//! Duty.\nfn f() {{ {name}(x); }}\n");
            let problems = does_not_print(LIBRARY, &text);
            assert_eq!(problems.len(), 1, "{name}");
            assert_eq!(problems[0].place, format!("{LIBRARY}:2"));
            assert!(problems[0].what.contains(&format!("`{name}`")), "{}", problems[0]);
        }
    }

    #[test]
    fn printing_is_fine_where_it_is_a_duty_or_only_a_word() {
        for path in ["crates/cargo-testsmith/src/main.rs", "xtask/src/main.rs", "crates/x/tests/a.rs"] {
            assert_eq!(does_not_print(path, "println!();"), [], "{path}");
        }
        for text in ["// println!()", "let x = \"println!()\";", "my_println!()", "r#\"\nprintln!();\n\"#"] {
            assert_eq!(does_not_print(LIBRARY, text), [], "{text}");
        }
    }

    #[test]
    fn tests_at_the_end_of_a_file_may_print() {
        assert_eq!(does_not_print(LIBRARY, "#[cfg(test)]\n#[allow(x)]\nmod tests {\n println!();\n}"), []);
    }

    #[test]
    fn a_test_item_in_the_middle_hides_nothing() {
        for item in ["mod check;", "use a::b;", "fn f() {}"] {
            let text = format!("#[cfg(test)]\n{item}\nfn g() {{ println!(); }}");
            assert_eq!(does_not_print(LIBRARY, &text).len(), 1, "{item}");
        }
    }

    #[test]
    fn processes_are_started_in_one_crate() {
        let text = "let c = std::process::Command::new(program);";
        assert_eq!(starts_no_process(LIBRARY, text).len(), 1);
        assert_eq!(starts_no_process("crates/cargo-testsmith/src/main.rs", text).len(), 1);
        assert_eq!(starts_no_process("crates/testsmith-proc/src/run.rs", text), []);
        assert_eq!(starts_no_process(LIBRARY, "clap::Command::new(name)"), []);
    }
}
