//! Why a build failed that no line of the user's is to blame for: the network, the compiler itself, the machine.

use testsmith_model::indented;

use crate::failure::{Code, Failure};

/// A cause, by words that cargo or the compiler use for it.
struct Cause {
    words: &'static [&'static str],
    what: &'static str,
    advice: &'static str,
}

const CAUSES: &[Cause] = &[
    Cause {
        words: &["you're using offline mode", "--offline was specified"],
        what: "a dependency is not on this machine, and nothing may be downloaded",
        advice: "leave out --offline once, or run `cargo fetch`; then run this again",
    },
    Cause {
        words: &[
            "failed to download",
            "download of",
            "Could not resolve host",
            "Could not connect",
            "spurious network error",
            "network failure",
            "SSL connect error",
        ],
        what: "a dependency could not be downloaded",
        advice: "is there a network? `cargo fetch` shows more; what is on this machine is used with --offline",
    },
    Cause {
        words: &[
            "internal compiler error",
            "the compiler unexpectedly panicked",
            "SIGSEGV",
            "SIGILL",
            "SIGBUS",
        ],
        what: "the compiler crashed",
        advice: "this is a bug of the compiler, not of the crate: another toolchain may help, or fewer mutants \
                 (-f, `exclude_files` in testsmith.toml); `RUST_BACKTRACE=1 cargo test --no-run` shows more",
    },
    Cause {
        words: &[
            "signal: 9, SIGKILL",
            "memory allocation of",
            "LLVM ERROR: out of memory",
            "failed to create jobserver",
        ],
        what: "the compiler ran out of memory, or was killed",
        advice: "give it more room: fewer jobs (-j 1), or fewer mutants (-f)",
    },
];

/// The most of what cargo said that is shown.
const MOST_LINES: usize = 12;

/// The failure behind what cargo and the compiler have said, if it is one of these.
pub(crate) fn explained(said: &str) -> Option<Failure> {
    let is_it = |cause: &&Cause| cause.words.iter().any(|word| said.contains(word));
    let Cause { what, advice, .. } = CAUSES.iter().find(is_it)?;
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).take(MOST_LINES).collect();
    Some(Failure::new(Code::Environment, format!("{what}\n{}\n  {advice}", indented(&lines.join("\n")))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cause_gets_its_own_answer() {
        let table = [
            (
                "error: no matching package\nAs a reminder, you're using offline mode (--offline) which",
                "--offline once",
            ),
            (
                "warning: spurious network error (3 tries remaining): Could not resolve host",
                "is there a network?",
            ),
            ("error: failed to download from `https://…`", "is there a network?"),
            ("error: internal compiler error: unexpected panic", "a bug of the compiler"),
            (
                "process didn't exit successfully: `rustc …` (signal: 11, SIGSEGV: invalid memory reference)",
                "a bug of the compiler",
            ),
            ("process didn't exit successfully: `rustc …` (signal: 9, SIGKILL: kill)", "-j 1"),
        ];
        for (said, words) in table {
            let failure = explained(said).expect("it is known");
            assert!(
                failure.message.contains(words) && failure.code == Code::Environment,
                "{}",
                failure.message
            );
        }
        assert!(explained("error[E0308]: mismatched types").is_none());
    }
}
