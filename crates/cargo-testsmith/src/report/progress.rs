//! Live progress on stderr: a line for each phase, and a bar while tests run.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use testsmith_suite::{Event, Verdict};

use crate::options::Output;

/// Shows what is going on.
pub(crate) struct Progress {
    started: Instant,
    bar: ProgressBar,
    is_live: bool,
    is_quiet: bool,
    counts: Mutex<Counts>,
    /// When a line about the search was last printed.
    told: Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Counts {
    detected: usize,
    missed: usize,
}

impl Progress {
    pub(crate) fn new(output: Output) -> Progress {
        let is_live = output.shows_progress();
        Progress {
            started: Instant::now(),
            bar: if is_live { ProgressBar::new_spinner() } else { ProgressBar::hidden() },
            is_live,
            is_quiet: output.quiet || output.json && !is_live,
            counts: Mutex::default(),
            told: Mutex::default(),
        }
    }

    /// How long the command has been running.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// A new phase: a spinner on a terminal, a line elsewhere.
    pub(crate) fn phase(&self, what: &str) {
        if self.is_live {
            self.bar.reset();
            self.bar.unset_length();
            self.bar.set_style(style("{spinner} {msg} {elapsed}"));
            self.bar.set_message(what.to_owned());
            self.bar.enable_steady_tick(Duration::from_millis(100));
        } else if !self.is_quiet {
            anstream::eprintln!("{what} …");
        }
    }

    /// Something that the user should know at once.
    pub(crate) fn note(&self, what: &str) {
        if self.is_live {
            self.bar.println(what);
        } else {
            anstream::eprintln!("{what}");
        }
    }

    /// Does something on the terminal without the bar.
    pub(crate) fn pause<T>(&self, what: impl FnOnce() -> T) -> T {
        self.bar.suspend(what)
    }

    /// Takes an event of the test runs.
    pub(crate) fn event(&self, event: &Event) {
        match event {
            Event::TracingStarted { tests } => self.start("tracing tests", *tests),
            Event::MutantsStarted { mutants } => self.start("running mutants", *mutants),
            Event::Traced => self.bar.inc(1),
            Event::MutantDone { verdict, .. } => {
                let mut counts = self.counts.lock().expect("nobody panics while counting");
                match verdict {
                    Verdict::Killed { .. } | Verdict::Timeout { .. } => counts.detected += 1,
                    _ => counts.missed += 1,
                }
                self.bar.set_message(format!(
                    "running mutants: {} detected, {} missed",
                    counts.detected, counts.missed
                ));
                self.bar.inc(1);
            }
        }
    }

    /// Takes an event of the search.
    pub(crate) fn searching(&self, event: &testsmith_search::Event, elapsed: Duration) {
        let speed = event.executions as f64 / elapsed.as_secs_f64().max(0.001);
        let message = format!(
            "searching: {} of {} mutants killed, {speed:.0} programs/s ({})",
            event.killed, event.goals, event.strategy
        );
        if self.is_live {
            const PARTS: f64 = 1000.0;
            if self.bar.length() != Some(PARTS as u64) {
                self.bar.reset();
                self.bar.set_length(PARTS as u64);
                self.bar.set_style(style("{spinner} {bar:24} {msg}, {eta} left"));
            }
            self.bar.set_position((event.used * PARTS) as u64);
            self.bar.set_message(message);
        } else if !self.is_quiet {
            let mut told = self.told.lock().expect("nobody panics while telling");
            // Often enough to see that it lives.
            if told.get_or_insert_with(Instant::now).elapsed() > Duration::from_secs(5) {
                anstream::eprintln!("  {message}");
                *told = Some(Instant::now());
            }
        }
    }

    fn start(&self, what: &str, length: usize) {
        if self.is_live {
            self.bar.reset();
            self.bar.set_length(length as u64);
            self.bar.set_style(style("{spinner} {bar:24} {pos}/{len} {msg}, {eta} left"));
            self.bar.set_message(what.to_owned());
        } else if !self.is_quiet {
            anstream::eprintln!("{what} ({length}) …");
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is one of ours")
}
