//! The solver that the configuration names, for what the embedded one gives up on: [`ExternalSolver`] starts it.
//!
//! It is the user's own program and runs without a sandbox; what it says is evaluated before it is used.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use testsmith_proc::{Dialogue, NoLine, Spec};
use testsmith_search::StartsSolver;
use testsmith_symex::solver::{Conversation, External, Limit, Reason, Solver};

use crate::failure::Failure;

/// Arguments with which known solvers read one command after the other from their input.
const KNOWN: [(&str, &[&str]); 3] = [
    ("z3", &["-in", "-smt2"]),
    ("bitwuzla", &["--lang", "smt2", "-m"]),
    ("cvc5", &["--lang", "smt2", "--incremental", "--produce-models"]),
];

/// The most memory that it may have, in bytes.
const MEMORY: u64 = 4 << 30;

/// How long it may take to say that nothing is a contradiction.
const START: Duration = Duration::from_secs(20);

/// How long it may take for an answer, whatever else there is time for: one that hangs must not hold up a search.
const ANSWER: Duration = Duration::from_secs(2);

/// After so many questions in a row without an answer it is left alone.
const PATIENCE: u32 = 3;

/// A solver that can be started.
pub(crate) struct ExternalSolver {
    name: String,
    spec: Spec,
}

impl fmt::Debug for ExternalSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl ExternalSolver {
    /// The program of these words, if there are some; it has to be there, and to answer.
    pub(crate) fn named(words: &[String]) -> Result<Option<ExternalSolver>, Failure> {
        let Some((program, arguments)) = words.split_first() else { return Ok(None) };
        let place = find(program).ok_or_else(|| {
            let advice = "install it, write its path, or take the key `solver` out of the configuration";
            Failure::usage(format!("there is no solver `{program}` on PATH\n  {advice}"))
        })?;
        let name = place.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let known = KNOWN.iter().find(|(known, _)| *known == name).filter(|_| arguments.is_empty());
        let arguments: Vec<OsString> = match known {
            Some((_, arguments)) => arguments.iter().map(OsString::from).collect(),
            None => arguments.iter().map(OsString::from).collect(),
        };
        let solver = ExternalSolver { name, spec: Spec::new(place).args(arguments) };
        solver.try_out()?;
        Ok(Some(solver))
    }

    /// Asks whether nothing at all is a contradiction.
    fn try_out(&self) -> Result<(), Failure> {
        let refused = |why: String| {
            let advice =
                "it has to read SMT-LIB 2 from its input: give the arguments for that in the key `solver`";
            Failure::usage(format!("the solver `{}` does not answer: {why}\n  {advice}", self.name))
        };
        let process = Process::start(self, START).map_err(|why| refused(why.to_string()))?;
        match External::new(process).ask("(check-sat)\n", &Limit::time(START)) {
            Ok(answer) if answer == "sat" => Ok(()),
            Ok(answer) => Err(refused(format!("nothing is a contradiction, and it says `{answer}`"))),
            Err(why) => Err(refused(why.to_string())),
        }
    }
}

/// The program of this name on PATH, or at this place.
fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        let place = Path::new(program);
        return place.is_file().then(|| std::path::absolute(place).unwrap_or_else(|_| place.to_owned()));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|place| place.is_file())
}

impl StartsSolver for ExternalSolver {
    fn start(&self) -> Option<Box<dyn Solver>> {
        Some(Box::new(External::new(Process::start(self, ANSWER).ok()?)))
    }
}

/// A running solver.
struct Process {
    name: String,
    spec: Spec,
    dialogue: RefCell<Option<Dialogue>>,
    /// Questions in a row that it has not answered.
    failures: u32,
    /// How long an answer may take.
    patience: Duration,
}

impl Process {
    fn start(solver: &ExternalSolver, patience: Duration) -> Result<Process, Reason> {
        let mut process = Process {
            name: solver.name.clone(),
            spec: solver.spec.clone(),
            dialogue: RefCell::new(None),
            failures: 0,
            patience,
        };
        process.begin()?;
        Ok(process)
    }

    fn begin(&mut self) -> Result<(), Reason> {
        let dialogue = Dialogue::start(&self.spec, MEMORY).map_err(|why| Reason::Broken(why.to_string()))?;
        *self.dialogue.borrow_mut() = Some(dialogue);
        Ok(())
    }

    fn gone() -> Reason {
        Reason::Broken("it has ended".to_owned())
    }
}

impl Conversation for Process {
    fn name(&self) -> &str {
        &self.name
    }

    fn send(&mut self, text: &str) -> Result<(), Reason> {
        self.dialogue.borrow().as_ref().ok_or_else(Self::gone)?.send(text);
        Ok(())
    }

    fn receive(&mut self, limit: Duration) -> Result<String, Reason> {
        let limit = limit.min(self.patience);
        let line = self.dialogue.borrow().as_ref().ok_or(NoLine::Gone).and_then(|it| it.line(limit));
        match line {
            Ok(line) => {
                self.failures = 0;
                Ok(line)
            }
            Err(silence) => {
                self.failures += 1;
                Err(if silence == NoLine::Late { Reason::Time } else { Self::gone() })
            }
        }
    }

    fn restart(&mut self) -> Result<(), Reason> {
        *self.dialogue.borrow_mut() = None;
        match self.failures >= PATIENCE {
            true => Err(Reason::Broken("it gives no answers".to_owned())),
            false => self.begin(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use testsmith_symex::expr::Exprs;
    use testsmith_symex::solver::Answer;

    use super::*;

    fn script(text: &str) -> Result<Option<ExternalSolver>, String> {
        let words = ["/bin/sh", "-c", text].map(str::to_owned);
        ExternalSolver::named(&words).map_err(|failure| failure.message)
    }

    #[test]
    fn whoever_is_not_there_or_no_solver_is_refused() {
        assert!(ExternalSolver::named(&[]).expect("there need not be one").is_none());
        let nobody =
            ExternalSolver::named(&["no-such-solver".to_owned()]).expect_err("it is not there").message;
        assert!(nobody.starts_with("there is no solver `no-such-solver` on PATH"), "{nobody}");
        for (text, words) in [
            ("echo hello; sleep 9", "does not answer"),
            ("exit 1", "it has ended"),
            ("echo unsat; sleep 9", "it says `unsat`"),
        ] {
            let message = script(text).expect_err(text);
            assert!(message.contains(words), "{message}");
        }
    }

    /// It says `sat` for nothing at all, and hangs, or ends, when it is asked for more.
    #[test]
    fn one_that_hangs_or_ends_is_left_alone() {
        for then in ["sleep 60", "exit 1"] {
            let text = format!(
                "while read line; do case $line in *check-sat*) break;; *declare*) {then};; esac; done; echo sat; sleep 60"
            );
            let solver = script(&text).expect("it answers at first").expect("there is one");
            let mut solver = solver.start().expect("it starts");
            let mut exprs = Exprs::new();
            let (x, ten) = (exprs.variable(7, 8), exprs.constant(8, 10));
            let constraint = exprs.ult(ten, x);
            let began = Instant::now();
            for _ in 0..20 {
                let answer = solver.check(&mut exprs, &[constraint], &Limit::time(START));
                assert!(matches!(answer, Answer::Unknown(_)), "{then}: {answer:?}");
            }
            assert!(began.elapsed() < PATIENCE * START, "{then}");
        }
    }
}
