//! The status page: what a worker is doing, in memory that outlives it.
//!
//! The tool names a file in [`STATUS_VAR`]; the worker maps it and notes every run before it starts it, so that the
//! tool knows who died.

use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering::Relaxed};

use super::outside::Outside;
use crate::coverage_map::map;
use crate::wasm;

/// The environment variable that holds the path of the status page.
pub const STATUS_VAR: &str = "TESTSMITH_STATUS";
/// The environment variable that holds a number by which a worker is to differ from the one before: what depends on the
/// numbers of threads or on addresses then shows, also where the system does not change them from process to process.
pub const SALT_VAR: &str = "TESTSMITH_SALT";
/// The environment variable of a worker that answers each batch in a child of its own: every batch then finds the same
/// process, whatever has run before.
pub const APART_VAR: &str = "TESTSMITH_APART";
/// First word of every page; changes whenever the layout does.
const MAGIC: u32 = 0x5053_5354;
/// Bytes of a page.
const SIZE: usize = 64;

/// What a worker was doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// What kind of work.
    pub phase: Phase,
    /// How many batches it has begun.
    pub batch: u32,
    /// Index of the run in the batch.
    pub run: u32,
    /// The mutant, or 0 for the original.
    pub mutant: u32,
    /// The statement; the number of statements stands for the end.
    pub statement: u32,
    /// Why it ended itself, if it did.
    pub cause: Option<Cause>,
}

/// What kind of work a worker was doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// None: it waits for a batch, or answers.
    Idle,
    /// Executes a statement.
    Running,
    /// Looks at slots.
    Observing,
    /// Drops what is left.
    Dropping,
}

/// Why a program was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It used all its ticks, also those that it gets for tidying up.
    Fuel,
    /// It used more stack than allowed, and did not tidy up in time.
    Depth,
    /// It allocated more than allowed.
    Memory,
    /// It was about to reach outside of its process.
    Outside(Outside),
}

impl Cause {
    pub(super) fn of(number: u32) -> Option<Cause> {
        let outside = Outside::ALL.iter().map(|outside| Cause::Outside(*outside));
        let mut all = [Cause::Fuel, Cause::Depth, Cause::Memory].iter().copied().chain(outside);
        all.find(|cause| cause.number() == number)
    }

    /// On the page, where 0 stands for none.
    pub(super) fn number(self) -> u32 {
        match self {
            Cause::Fuel => 1,
            Cause::Depth => 2,
            Cause::Memory => 3,
            Cause::Outside(outside) => 16 + outside as u32,
        }
    }
}

impl Status {
    /// The bytes of a fresh page.
    pub fn fresh() -> Vec<u8> {
        let mut bytes = MAGIC.to_ne_bytes().to_vec();
        bytes.resize(SIZE, 0);
        bytes
    }

    /// Reads a page; `None` if it is not one.
    pub fn decode(bytes: &[u8]) -> Option<Status> {
        let word = |at: usize| Some(u32::from_ne_bytes(bytes.get(4 * at..4 * at + 4)?.try_into().ok()?));
        if word(0)? != MAGIC {
            return None;
        }
        let phases = [Phase::Idle, Phase::Running, Phase::Observing, Phase::Dropping];
        Some(Status {
            phase: *phases.get(word(1)? as usize)?,
            batch: word(2)?,
            run: word(3)?,
            mutant: word(4)?,
            statement: word(5)?,
            cause: Cause::of(word(6)?),
        })
    }
}

/// The page as the worker sees it.
#[repr(C)]
pub(super) struct Page {
    magic: AtomicU32,
    phase: AtomicU32,
    batch: AtomicU32,
    run: AtomicU32,
    mutant: AtomicU32,
    statement: AtomicU32,
    cause: AtomicU32,
}

/// The page of a worker that nobody watches.
static PRIVATE: Page = Page {
    magic: AtomicU32::new(MAGIC),
    phase: AtomicU32::new(0),
    batch: AtomicU32::new(0),
    run: AtomicU32::new(0),
    mutant: AtomicU32::new(0),
    statement: AtomicU32::new(0),
    cause: AtomicU32::new(0),
};
static PAGE: AtomicPtr<Page> = AtomicPtr::new(std::ptr::null_mut());

/// Opens the page that the environment names. Without one, children still share a page with their worker.
pub(super) fn open() {
    if !PAGE.load(Relaxed).is_null() {
        return;
    }
    let named = std::env::var_os(STATUS_VAR);
    let mapped = named.and_then(|path| map::file(std::path::Path::new(&path), SIZE));
    if let Some(base) = mapped.or_else(|| map::anonymous(SIZE)) {
        PAGE.store(base.cast_mut().cast(), Relaxed);
        page().magic.store(MAGIC, Relaxed);
    }
}

pub(super) fn page() -> &'static Page {
    // SAFETY: null, or a mapping of at least `SIZE` bytes that lives as long as the process; atomics only.
    unsafe { PAGE.load(Relaxed).as_ref() }.unwrap_or(&PRIVATE)
}

impl Page {
    pub(super) fn batch(&self) {
        self.batch.fetch_add(1, Relaxed);
    }

    /// A run begins.
    pub(super) fn begin(&self, run: u32, mutant: u32) {
        self.run.store(run, Relaxed);
        self.mutant.store(mutant, Relaxed);
        self.statement.store(0, Relaxed);
        self.cause.store(0, Relaxed);
    }

    pub(super) fn at(&self, phase: Phase, statement: usize) {
        if wasm::IS {
            return wasm::at(phase as u32, statement as u32);
        }
        self.phase.store(phase as u32, Relaxed);
        self.statement.store(statement as u32, Relaxed);
    }

    pub(super) fn idle(&self) {
        self.phase.store(Phase::Idle as u32, Relaxed);
    }

    pub(super) fn is_idle(&self) -> bool {
        self.phase.load(Relaxed) == Phase::Idle as u32
    }

    /// Which statement ran last, and whether the process has ended itself.
    pub(super) fn last(&self) -> (u16, Option<Cause>) {
        (self.statement.load(Relaxed) as u16, Cause::of(self.cause.load(Relaxed)))
    }
}

/// Ends the process, leaving a note.
#[cold]
pub(super) fn die(cause: Cause) -> ! {
    page().cause.store(cause.number(), Relaxed);
    std::process::abort()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_as_it_was_written() {
        let mut bytes = Status::fresh();
        for (at, word) in
            [(1, 2u32), (2, 7), (3, 5), (4, 9), (5, 3), (6, Cause::Outside(Outside::Network).number())]
        {
            bytes[4 * at..4 * at + 4].copy_from_slice(&word.to_ne_bytes());
        }
        let expected = Status {
            phase: Phase::Observing,
            batch: 7,
            run: 5,
            mutant: 9,
            statement: 3,
            cause: Some(Cause::Outside(Outside::Network)),
        };
        assert_eq!(Status::decode(&bytes), Some(expected));
        assert_eq!(Status::decode(&bytes[..20]), None);
        assert_eq!(Status::decode(b"something else, and long enough to be one"), None);
    }
}
