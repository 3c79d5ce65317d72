//! What a sandboxed program may do ([`Policy`]), and its way through a command line: the tool says it to
//! itself in another role.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// What a sandboxed program may do. The default may write nowhere, and has no resource limit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// Folders below which it may write, create, rename and remove. One that is not there when the sandbox
    /// is entered is left out.
    pub writable: Vec<PathBuf>,
    /// Namespaces of its own: a network that leads nowhere, and a file system on which only the writable folders can be
    /// written. This folder stands at `/tmp`. Where the system refuses namespaces, the sandbox does without.
    pub namespaces: Option<PathBuf>,
    /// A library that the program loads before its own; the process that enters the sandbox does not.
    pub preload: Option<PathBuf>,
    /// Whether the tool is asked about system calls that reach outside: see [`run_observed`](crate::run_observed).
    pub observed: bool,
    /// Bytes of address space, for each process.
    pub memory: Option<u64>,
    /// Seconds of processor time, for each process. SIGXCPU ends it, SIGKILL a second later.
    pub cpu_seconds: Option<u64>,
    /// Processes and threads on top of those that run when the sandbox is entered; root is exempt. 0 stands
    /// for "no other process", holds for root as well, and does not count threads.
    pub processes: Option<u64>,
    /// Open files, for each process.
    pub open_files: Option<u64>,
    /// Bytes of each file that it writes. SIGXFSZ ends it.
    pub file_size: Option<u64>,
}

/// Ends the policy on a command line; the program follows.
const END: &str = "--";

const WRITABLE: &[u8] = b"writable=";
const NAMESPACES: &[u8] = b"namespaces=";
const PRELOAD: &[u8] = b"preload=";
const OBSERVED: &str = "observed";

type Number = fn(&mut Policy) -> &mut Option<u64>;

const NUMBERS: [(&str, Number); 5] = [
    ("memory", |policy| &mut policy.memory),
    ("cpu-seconds", |policy| &mut policy.cpu_seconds),
    ("processes", |policy| &mut policy.processes),
    ("open-files", |policy| &mut policy.open_files),
    ("file-size", |policy| &mut policy.file_size),
];

impl Policy {
    /// The arguments that [`Policy::from_args`] reads back.
    pub(super) fn to_args(&self) -> Vec<OsString> {
        let mut copy = self.clone();
        let numbers = NUMBERS.into_iter().filter_map(|(name, number)| {
            let value = (*number(&mut copy))?;
            Some(OsString::from(format!("{name}={value}")))
        });
        let mut args: Vec<OsString> = numbers.collect();
        let named =
            |name: &[u8], path: &PathBuf| OsString::from_vec([name, path.as_os_str().as_bytes()].concat());
        args.extend(self.writable.iter().map(|folder| named(WRITABLE, folder)));
        args.extend(self.namespaces.iter().map(|tmp| named(NAMESPACES, tmp)));
        args.extend(self.observed.then(|| OBSERVED.into()));
        args.extend(self.preload.iter().map(|library| named(PRELOAD, library)));
        args.push(END.into());
        args
    }

    /// Takes the policy from the front of the arguments; the error is an argument that is not part of
    /// one, or nothing where the end is missing.
    pub(super) fn from_args(args: &mut impl Iterator<Item = OsString>) -> Result<Self, OsString> {
        let mut policy = Self::default();
        loop {
            let arg = args.next().unwrap_or_default();
            if arg == END {
                return Ok(policy);
            }
            policy.add(&arg).ok_or(arg)?;
        }
    }

    fn add(&mut self, arg: &OsStr) -> Option<()> {
        if arg == OBSERVED {
            self.observed = true;
            return Some(());
        }
        if let Some(folder) = arg.as_bytes().strip_prefix(WRITABLE) {
            self.writable.push(PathBuf::from(OsStr::from_bytes(folder)));
            return Some(());
        }
        for (name, path) in [(NAMESPACES, &mut self.namespaces), (PRELOAD, &mut self.preload)] {
            if let Some(value) = arg.as_bytes().strip_prefix(name) {
                *path = Some(PathBuf::from(OsStr::from_bytes(value)));
                return Some(());
            }
        }
        let (name, value) = arg.to_str()?.split_once('=')?;
        let (_, number) = NUMBERS.iter().find(|(known, _)| *known == name)?;
        *number(self) = Some(value.parse().ok()?);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(policy: &Policy) {
        let mut args = policy.to_args().into_iter().chain(["program".into(), END.into()]);
        assert_eq!(Policy::from_args(&mut args).as_ref(), Ok(policy));
        assert_eq!(args.collect::<Vec<_>>(), ["program", END], "the rest is the program's");
    }

    #[test]
    fn a_policy_survives_the_command_line() {
        check(&Policy::default());
        let odd = OsString::from_vec(b"/a b=c\n\xff".to_vec());
        check(&Policy {
            namespaces: Some("/some/where else".into()),
            writable: vec!["/tmp".into(), odd.into(), "--".into()],
            ..Policy::default()
        });
        check(&Policy {
            writable: Vec::new(),
            namespaces: Some("/some where/else".into()),
            preload: Some("/a.so".into()),
            observed: true,
            memory: Some(u64::MAX),
            cpu_seconds: Some(1),
            processes: Some(0),
            open_files: Some(64),
            file_size: Some(1 << 40),
        });
    }

    #[test]
    fn what_is_no_policy_is_named() {
        for wrong in ["memory", "memory=", "memory=-1", "memory=1k", "speed=1", ""] {
            let mut args = [wrong, END].map(OsString::from).into_iter();
            assert_eq!(Policy::from_args(&mut args), Err(wrong.into()));
        }
        assert_eq!(Policy::from_args(&mut std::iter::empty()), Err(OsString::new()));
    }
}
