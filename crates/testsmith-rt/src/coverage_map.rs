//! The coverage map: a file shared between the tool and one test process.
//!
//! The tool writes a [`Task`] on it, names it in [`COVERAGE_MAP_VAR`], starts the process, and reads a [`Findings`]
//! back. The process maps the file, so that what it wrote is there even when it aborts, and processes that it
//! starts itself write on the same coverage map.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicU8, Ordering};

/// The environment variable that holds the path of the coverage map.
pub const COVERAGE_MAP_VAR: &str = "TESTSMITH_COVERAGE_MAP";
/// First word of every coverage map; changes whenever the layout does.
const MAGIC: u32 = 0x3153_4d54;
/// Bytes before the marks.
const HEADER: usize = 64;

/// A mark: the site of the mutant was executed.
pub const REACHED: u8 = 1;
/// A mark: the mutant would have computed another value than the original.
pub const INFECTED: u8 = 2;
/// A mark: whether it would have is not known.
pub const UNKNOWN: u8 = 4;

const FLAG_OUT_OF_FUEL: u32 = 1;

/// What a process shall do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Behave as the original, record nothing.
    Plain,
    /// Behave as the original, record reach and infection of mutants `1..=mutants`, count fuel.
    Trace {
        /// Number of mutants in the meta-program.
        mutants: u32,
    },
    /// Behave as this mutant until the fuel runs out.
    Mutant {
        /// Number of the mutant, from 1.
        number: u32,
        /// Ticks that the process may use.
        fuel: u64,
    },
    /// Make a child for each of so many mutants, which the environment names (see [`crate::claims`]).
    Each {
        /// How many there are.
        mutants: u32,
        /// Ticks that each may use.
        fuel: u64,
    },
}

/// What a process has left on its coverage map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// Ticks used, in a traced run.
    pub fuel_used: u64,
    /// The process was stopped because it had used up its fuel.
    pub out_of_fuel: bool,
    /// For each mutant (index 0 is unused) its marks, in a traced run; how each has ended, from index 0 on, where each had a child.
    pub marks: Vec<u8>,
}

impl Task {
    /// The bytes of a fresh coverage map with this task.
    pub fn encode(self) -> Vec<u8> {
        let (mode, active, mutants, fuel) = match self {
            Task::Plain => (0u32, 0u32, 0u32, 0u64),
            Task::Trace { mutants } => (1, 0, mutants, 0),
            Task::Mutant { number, fuel } => (2, number, 0, fuel),
            Task::Each { mutants, fuel } => (3, 0, mutants, fuel),
        };
        let mut bytes = Vec::with_capacity(HEADER + mutants as usize + 1);
        for word in [MAGIC, mode, active, mutants] {
            bytes.extend_from_slice(&word.to_ne_bytes());
        }
        bytes.extend_from_slice(&fuel.to_ne_bytes());
        bytes.resize(HEADER + mutants as usize + 1, 0);
        bytes
    }
}

impl Findings {
    /// Reads a coverage map back; `None` if it is not one.
    pub fn decode(bytes: &[u8]) -> Option<Findings> {
        let word = |at: usize| Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        if word(0)? != MAGIC {
            return None;
        }
        Some(Findings {
            fuel_used: u64::from_ne_bytes(bytes.get(24..32)?.try_into().ok()?),
            out_of_fuel: word(32)? & FLAG_OUT_OF_FUEL != 0,
            marks: bytes.get(HEADER..)?.to_vec(),
        })
    }
}

/// The coverage map as the process sees it: a mapping that is never unmapped.
#[repr(C)]
pub(crate) struct CoverageMap {
    magic: AtomicU32,
    mode: AtomicU32,
    active: AtomicU32,
    mutants: AtomicU32,
    fuel: AtomicU64,
    fuel_used: AtomicU64,
    flags: AtomicU32,
}

impl CoverageMap {
    /// Opens the coverage map that the environment names.
    pub(crate) fn open() -> Option<&'static CoverageMap> {
        let path = std::env::var_os(COVERAGE_MAP_VAR)?;
        let base = map::file(std::path::Path::new(&path), HEADER)?;
        // SAFETY: the mapping is at least HEADER bytes, page aligned, and lives as long as the process; all
        // access goes through atomics.
        let coverage_map = unsafe { &*base.cast::<CoverageMap>() };
        (coverage_map.magic.load(Ordering::Relaxed) == MAGIC).then_some(coverage_map)
    }

    pub(crate) fn task(&self) -> Task {
        match self.mode.load(Ordering::Relaxed) {
            1 => Task::Trace { mutants: self.mutants.load(Ordering::Relaxed) },
            2 => Task::Mutant {
                number: self.active.load(Ordering::Relaxed),
                fuel: self.fuel.load(Ordering::Relaxed),
            },
            _ => Task::Plain,
        }
    }

    /// The ticks of each child, if there are to be some.
    #[allow(dead_code)] // On Linux alone.
    pub(crate) fn fuel_of_each(&self) -> Option<u64> {
        (self.mode.load(Ordering::Relaxed) == 3).then(|| self.fuel.load(Ordering::Relaxed))
    }

    /// Sets the task of the next child.
    #[allow(dead_code)] // As above.
    pub(crate) fn be_mutant(&self, number: u32, fuel: u64) {
        self.mode.store(2, Ordering::Relaxed);
        self.active.store(number, Ordering::Relaxed);
        self.fuel.store(fuel, Ordering::Relaxed);
        self.flags.store(0, Ordering::Relaxed);
    }

    #[allow(dead_code)] // As above.
    pub(crate) fn is_out_of_fuel(&self) -> bool {
        self.flags.load(Ordering::Relaxed) & FLAG_OUT_OF_FUEL != 0
    }

    /// Notes how the child of a mutant has ended, by its place among the mutants.
    #[allow(dead_code)] // As above.
    pub(crate) fn note(&self, at: usize, end: u8) {
        if let Some(mark) = u32::try_from(at).ok().and_then(|at| self.marks(at)) {
            mark.store(end, Ordering::Relaxed);
        }
    }

    /// Whether nothing more can be found out about a mutant: infected, or nobody knows.
    pub(crate) fn is_settled(&self, mutant: u32) -> bool {
        self.marks(mutant).map_or(true, |marks| marks.load(Ordering::Relaxed) & (INFECTED | UNKNOWN) != 0)
    }

    pub(crate) fn mark(&self, mutant: u32, bits: u8) {
        if let Some(marks) = self.marks(mutant) {
            if marks.load(Ordering::Relaxed) & bits != bits {
                marks.fetch_or(bits, Ordering::Relaxed);
            }
        }
    }

    fn marks(&self, mutant: u32) -> Option<&AtomicU8> {
        if mutant > self.mutants.load(Ordering::Relaxed) {
            return None;
        }
        let base: *const CoverageMap = self;
        // SAFETY: the file holds HEADER + mutants + 1 bytes, and `mutant` is at most `mutants`.
        Some(unsafe { &*base.cast::<u8>().add(HEADER + mutant as usize).cast::<AtomicU8>() })
    }

    pub(crate) fn add_fuel_used(&self, ticks: u64) {
        self.fuel_used.fetch_add(ticks, Ordering::Relaxed);
    }

    pub(crate) fn set_out_of_fuel(&self) {
        self.flags.fetch_or(FLAG_OUT_OF_FUEL, Ordering::Relaxed);
    }
}

#[cfg(unix)]
pub(crate) mod map {
    //! `mmap` without a dependency: three constants that all Unixes share, and one that they do not.
    use std::os::fd::AsRawFd;

    const READ_WRITE: i32 = 1 | 2;
    const SHARED: i32 = 1;

    extern "C" {
        fn mmap(addr: *mut u8, len: usize, prot: i32, flags: i32, fd: i32, off: i64) -> *mut u8;
    }

    /// The file, shared with all who map it.
    pub(crate) fn file(path: &std::path::Path, at_least: usize) -> Option<*const u8> {
        let file = std::fs::OpenOptions::new().read(true).write(true).open(path).ok()?;
        let len = usize::try_from(file.metadata().ok()?.len()).ok()?;
        if len < at_least {
            return None;
        }
        // SAFETY: a fresh shared mapping of a file that is open for reading and writing.
        let base = unsafe { mmap(std::ptr::null_mut(), len, READ_WRITE, SHARED, file.as_raw_fd(), 0) };
        (base as isize != -1).then_some(base.cast_const())
    }

    /// Memory that is shared with children.
    #[allow(dead_code)] // By the harness alone, which not every copy has.
    pub(crate) fn anonymous(len: usize) -> Option<*const u8> {
        const ANONYMOUS: i32 =
            if cfg!(any(target_os = "linux", target_os = "android")) { 0x20 } else { 0x1000 };
        // SAFETY: a fresh mapping of nothing.
        let base = unsafe { mmap(std::ptr::null_mut(), len, READ_WRITE, SHARED | ANONYMOUS, -1, 0) };
        (base as isize != -1).then_some(base.cast_const())
    }
}

#[cfg(not(unix))]
pub(crate) mod map {
    //! Without `mmap` there is no coverage map: every process behaves as the original.
    pub(crate) fn file(_path: &std::path::Path, _at_least: usize) -> Option<*const u8> {
        None
    }

    #[allow(dead_code)] // By the harness alone, which not every copy has.
    pub(crate) fn anonymous(_len: usize) -> Option<*const u8> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_written_by_the_tool_is_read_by_the_process_and_back() {
        let path = std::env::temp_dir().join(format!("testsmith-coverage-map-{}", std::process::id()));
        std::fs::write(&path, Task::Trace { mutants: 3 }.encode()).unwrap();
        let base = map::file(&path, HEADER).unwrap();
        let coverage_map = unsafe { &*base.cast::<CoverageMap>() };
        assert_eq!(coverage_map.task(), Task::Trace { mutants: 3 });
        coverage_map.mark(2, REACHED | INFECTED);
        coverage_map.mark(4, REACHED);
        coverage_map.add_fuel_used(7);
        coverage_map.set_out_of_fuel();
        let findings = Findings::decode(&std::fs::read(&path).unwrap()).unwrap();
        std::fs::remove_file(&path).unwrap();
        let expected = Findings { fuel_used: 7, out_of_fuel: true, marks: vec![0, 0, REACHED | INFECTED, 0] };
        assert_eq!(findings, expected);
    }

    #[test]
    fn a_mutant_task_survives_the_way_there() {
        let bytes = Task::Mutant { number: 9, fuel: 1 << 40 }.encode();
        assert_eq!(bytes.len(), HEADER + 1);
        let findings = Findings::decode(&bytes).unwrap();
        assert_eq!(findings, Findings { fuel_used: 0, out_of_fuel: false, marks: vec![0] });
        assert_eq!(Findings::decode(b"something else"), None);
    }
}
