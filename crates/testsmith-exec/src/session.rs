//! One worker from its start to its death: [`Session`] starts it, hears its introduction, asks for batches and watches
//! its progress. What to do about a death is not decided here: see `plan`.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use testsmith_proc::{Ending, Gone, Limits, Spec, Worker, sandbox};
use testsmith_rt::harness::outside::{ALLOW_VAR, Outside};
use testsmith_rt::harness::status::{APART_VAR, Cause, SALT_VAR, STATUS_VAR, Status};
use testsmith_rt::harness::wire::{Answer, Batch, Hello, Isolation, Malformed, Options, Outcome};

use crate::failure::Failure;
use crate::folder::{Folder, Page};
use crate::setup::{Kind, Setup};

/// A processor-time limit ends a worker for what all of its runs have used.
const SIGXCPU: i32 = 24;

/// How long a worker may take to end a child that hangs.
const FORK_MARGIN: Duration = Duration::from_secs(2);

/// How the answer of a worker begins that does not understand the batch.
const REFUSAL: &str = "the worker refuses";

/// A worker that runs.
pub(crate) struct Session {
    worker: Worker,
    page: Page,
    hello: Hello,
    /// How many batches it was given.
    batches: u32,
    /// Generations of its descendants that programs run in, if they do not run in the worker itself: those that nobody else
    /// watches.
    generations: u32,
}

/// What a worker says to a batch.
pub(crate) enum Reply {
    Answer(Answer),
    Died(Death),
}

/// A worker that died, or had to be killed, in the middle of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Death {
    /// What this is for the program that did it.
    pub(crate) outcome: Outcome,
    /// What it was doing, if that is known and it was part of the batch.
    pub(crate) status: Option<Status>,
}

impl Session {
    /// Starts a worker and hears its introduction.
    pub(crate) fn start(setup: &Setup, kind: Kind, folder: &mut Folder) -> Result<Self, Failure> {
        let page = folder.renew()?;
        let spec = spec(setup, kind, &page);
        let mut worker = Worker::start(&spec, &Limits::default())?;
        let hello = match worker.receive(Instant::now() + setup.start) {
            Ok(frame) => Hello::decode(&frame).map_err(|error| error.to_string()),
            Err(Gone::Interrupted) => return Err(Failure::Interrupted),
            Err(gone) => Err(gone.to_string()),
        };
        let hello = hello.map_err(|reason| Failure::NoHello { reason, said: worker.last_words() })?;
        Ok(Self { worker, page, hello, batches: 0, generations: u32::from(setup.trust.is_apart()) })
    }

    pub(crate) fn hello(&self) -> &Hello {
        &self.hello
    }

    pub(crate) fn peak_memory(&mut self) -> Option<u64> {
        self.worker.peak_memory()
    }

    /// Asks for a batch, with these options instead of its own. After a death the session is over.
    pub(crate) fn ask(
        &mut self,
        batch: &Batch,
        options: &Options,
        stall: Duration,
    ) -> Result<Reply, Failure> {
        self.batches += 1;
        let patience = Duration::from_millis(options.patience.into());
        let stall = match options.isolate {
            Isolation::InProcess => stall,
            // The worker itself sees to children that hang; it needs the time for it.
            Isolation::Mutants | Isolation::Programs | Isolation::Fork => stall.max(patience + FORK_MARGIN),
        };
        let frame = match self.worker.send(&batch.encode_with(options)) {
            Ok(()) => self.wait(stall, Some(patience).filter(|patience| !patience.is_zero())),
            Err(gone) => Err(gone),
        };
        match frame.map(|frame| Answer::decode(&frame)) {
            Ok(Ok(answer)) if answer.executions.len() == batch.runs.len() => Ok(Reply::Answer(answer)),
            Ok(Err(Malformed(reason))) if reason.starts_with(REFUSAL) => Err(Failure::Refused(reason)),
            // A program can have done anything to the worker's memory.
            Ok(answer) => {
                let reason =
                    answer.err().map_or_else(|| "too few answers".to_owned(), |error| error.to_string());
                let gone = self.worker.end(Gone::Protocol(reason));
                Ok(Reply::Died(self.death(&gone)))
            }
            Err(Gone::Interrupted) => Err(Failure::Interrupted),
            Err(gone) => Ok(Reply::Died(self.death(&gone))),
        }
    }

    /// Waits for an answer as long as there is progress. A statement may use so much processor time (`busy`), and may go
    /// on for as long as `stall` without using any; where others keep the machine busy, it has longer to use its share.
    fn wait(&mut self, stall: Duration, busy: Option<Duration>) -> Result<Vec<u8>, Gone> {
        let busy = busy.map_or(stall, |busy| busy.min(stall));
        let tick = (busy / 8).clamp(Duration::from_millis(1), Duration::from_millis(250));
        // The first look is taken when there has been no answer for a while: most are quick.
        let mut last: Option<Pace> = None;
        loop {
            if let Some(frame) = self.worker.poll(Instant::now() + tick)? {
                return Ok(frame);
            }
            let status = self.page.read();
            let used = [self.generations, ALL_GENERATIONS].map(|many| self.worker.processor_time(many));
            match &mut last {
                Some(pace) if pace.status == status => {
                    if pace.is_over(used, stall, busy) {
                        return Err(self.worker.end(Gone::TimedOut));
                    }
                }
                _ => last = Some(Pace::new(status, used)),
            }
        }
    }

    fn death(&self, gone: &Gone) -> Death {
        let status = self.page.read().filter(|status| status.batch == self.batches);
        let is_blameless = *gone == Gone::Exited(Ending::Signalled(SIGXCPU));
        let outcome = outcome(gone, status.and_then(|status| status.cause));
        Death { outcome, status: status.filter(|_| !is_blameless) }
    }
}

/// How long a worker has been at the same statement.
struct Pace {
    status: Option<Status>,
    since: Instant,
    /// Processor time that programs had used when it was first seen there.
    first: Option<Duration>,
    /// Processor time that it and all of its descendants had used when that last changed.
    last: Option<Duration>,
    idle_since: Instant,
}

/// The worker, the child that answers the batch, the child that runs a program, and one that this has started.
const ALL_GENERATIONS: u32 = 3;

/// A worker that uses processor time has so many times as long: others may leave it little.
const STARVING: u32 = 8;

impl Pace {
    fn new(status: Option<Status>, [used, by_all]: [Option<Duration>; 2]) -> Self {
        let now = Instant::now();
        Self { status, since: now, first: used, last: by_all, idle_since: now }
    }

    /// Whether that is too long, now that so much processor time has been used by programs, and by all.
    fn is_over(&mut self, [used, by_all]: [Option<Duration>; 2], stall: Duration, busy: Duration) -> bool {
        if by_all != self.last {
            self.last = by_all;
            self.idle_since = Instant::now();
        }
        let used = used.zip(self.first).map_or(Duration::ZERO, |(now, first)| now.saturating_sub(first));
        used >= busy || self.idle_since.elapsed() >= stall || self.since.elapsed() >= stall * STARVING
    }
}

/// The worker in its sandbox, with a folder for everything that it writes.
fn spec(setup: &Setup, kind: Kind, page: &Page) -> Spec {
    let spec = setup.program.clone().env(STATUS_VAR, page.path()).env("TMPDIR", page.folder());
    // Symbols of a backtrace that nobody reads take longer than the program.
    let spec = spec.env(SALT_VAR, kind.salt().to_string()).env("RUST_BACKTRACE", "0");
    let spec = spec.fixed_addresses(kind.has_fixed_addresses()).args(kind.arguments());
    let spec = spec.env(ALLOW_VAR, permissions(setup));
    let spec = if setup.trust.is_apart() { spec.env(APART_VAR, "1") } else { spec };
    match &setup.policy {
        Some(policy) => {
            let mut policy = policy.clone();
            policy.writable.push(page.folder().to_path_buf());
            sandbox::spec(&policy, spec)
        }
        None => spec,
    }
}

/// What programs may reach, as the worker reads it.
fn permissions(setup: &Setup) -> String {
    let names =
        |all: &BTreeSet<Outside>| all.iter().map(|outside| outside.name()).collect::<Vec<_>>().join(",");
    let of_calls = setup.allow_calls.iter().map(|(call, all)| format!(";{call}={}", names(all)));
    names(&setup.allow) + &of_calls.collect::<String>()
}

/// What the end of a process is for the program that brought it about.
fn outcome(gone: &Gone, cause: Option<Cause>) -> Outcome {
    match (gone, cause) {
        (Gone::TimedOut, _) => Outcome::Hang,
        (Gone::Exited(_), Some(Cause::Fuel)) => Outcome::Fuel,
        (Gone::Exited(_), Some(Cause::Depth)) => Outcome::Depth,
        (Gone::Exited(_), Some(Cause::Memory)) => Outcome::Memory,
        (Gone::Exited(_), Some(Cause::Outside(outside))) => Outcome::Outside(outside),
        (Gone::Exited(Ending::Signalled(SIGXCPU) | Ending::TimedOut), None) => Outcome::Hang,
        (Gone::Exited(Ending::Signalled(signal)), None) => Outcome::Signal(*signal),
        (Gone::Exited(Ending::Exited(code)), None) => Outcome::Exit(*code),
        // It has spoilt the pipe, as if it had ended.
        (Gone::Exited(Ending::Interrupted) | Gone::Protocol(_) | Gone::Interrupted, _) => Outcome::Exit(-1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_gets_little_time_has_longer() {
        let [stall, busy] = [Duration::from_secs(10), Duration::from_secs(3)];
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        let ago =
            |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).expect("not just started");
        let is_over_by = |began: u64, idle: u64, used| {
            let (first, last) = (seconds(1), seconds(1));
            let mut pace = Pace { status: None, since: ago(began), first, last, idle_since: ago(idle) };
            pace.is_over(used, stall, busy)
        };
        let is_over = |began, idle, used| is_over_by(began, idle, [used; 2]);
        assert!(!is_over_by(11, 11, [seconds(1), seconds(5)]), "a child of it is at work, and watched by it");
        assert!(!is_over(9, 9, seconds(1)));
        assert!(is_over(11, 11, seconds(1)), "it waits for something");
        assert!(!is_over(11, 11, seconds(2)), "it is at work");
        assert!(is_over(5, 1, seconds(4)), "it has used more than enough");
        assert!(is_over(81, 1, seconds(2)), "it has had time enough");
        let mut unknown = Pace { since: ago(11), idle_since: ago(11), ..Pace::new(None, [None; 2]) };
        assert!(unknown.is_over([None; 2], stall, busy), "nobody knows what it uses");
    }

    #[test]
    fn an_end_is_an_outcome_and_the_note_on_the_page_is_the_better_one() {
        let abort = Gone::Exited(Ending::Signalled(6));
        let table = [
            (abort.clone(), None, Outcome::Signal(6)),
            (abort.clone(), Some(Cause::Memory), Outcome::Memory),
            (abort.clone(), Some(Cause::Depth), Outcome::Depth),
            (abort, Some(Cause::Fuel), Outcome::Fuel),
            (Gone::Exited(Ending::Exited(3)), None, Outcome::Exit(3)),
            (Gone::Exited(Ending::Signalled(SIGXCPU)), None, Outcome::Hang),
            (Gone::TimedOut, None, Outcome::Hang),
            (Gone::Protocol("noise".to_owned()), None, Outcome::Exit(-1)),
        ];
        for (gone, cause, expected) in table {
            assert_eq!(outcome(&gone, cause), expected, "{gone} {cause:?}");
        }
    }
}
