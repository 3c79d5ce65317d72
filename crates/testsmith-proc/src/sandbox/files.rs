//! Landlock: files outside of the writable folders are read-only, TCP is refused, and signals reach no
//! process outside. What the kernel has of it depends on its landlock ABI, see [`Landlock`].

use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};

use super::{Guard, Report, State};

/// The newest version that this was tested with; what an older kernel lacks is left out.
const TESTED: ABI = ABI::V7;

/// Programs write to these as a matter of course, and nothing comes of it.
const SINKS: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

/// What this kernel's landlock has; `calls` makes up for a part of what is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Landlock {
    abi: u32,
}

impl Landlock {
    #[cfg(test)]
    pub(super) fn of_abi(abi: u32) -> Self {
        Self { abi }
    }

    /// It keeps processes from looking at those outside from its first version on.
    pub(super) fn is_there(self) -> bool {
        self.abi > 0
    }

    pub(super) fn has_tcp(self) -> bool {
        self.abi >= ABI::V4 as u32
    }

    pub(super) fn has_truncate(self) -> bool {
        self.abi >= ABI::V3 as u32
    }

    pub(super) fn has_signals(self) -> bool {
        self.abi >= ABI::V6 as u32
    }
}

/// Restricts this thread, and notes what became of files and, where landlock knows them, signals.
pub(super) fn restrict(writable: &[PathBuf], report: &mut Report) -> Landlock {
    let (abi, state) = match confine(writable).map(|status| status.landlock) {
        Ok(LandlockStatus::Available { effective_abi, .. }) => {
            let abi = effective_abi as u32;
            (abi, State::Held(format!("landlock ABI {abi}")))
        }
        Ok(LandlockStatus::NotEnabled) => {
            let advice = "landlock is off; add it to `lsm=` on the kernel's command line";
            (0, State::Open(advice.to_owned()))
        }
        Ok(LandlockStatus::NotImplemented) => {
            (0, State::Open("this kernel has no landlock, which came with Linux 5.13".to_owned()))
        }
        Err(error) => (0, State::Open(format!("landlock: {error}"))),
    };
    report.note(Guard::Files, state);
    let landlock = Landlock { abi };
    if landlock.has_signals() {
        report.note(Guard::Signals, State::Held(format!("landlock ABI {abi}")));
    }
    landlock
}

/// In namespaces, files are no concern of it: it keeps signals and looks from processes outside.
pub(super) fn restrict_further(report: &mut Report) -> Landlock {
    let abi = match confine_further().map(|status| status.landlock) {
        Ok(LandlockStatus::Available { effective_abi, .. }) => effective_abi as u32,
        Ok(_) | Err(_) => 0,
    };
    let landlock = Landlock { abi };
    if landlock.has_signals() {
        report.note(Guard::Signals, State::Held(format!("landlock ABI {abi}")));
    }
    landlock
}

/// Names may move from folder to folder: landlock refuses that unless it is allowed.
fn confine_further() -> Result<RestrictionStatus, RulesetError> {
    let devices = AccessFs::MakeChar | AccessFs::MakeBlock;
    Ruleset::default()
        .handle_access(devices | AccessFs::Refer)?
        .scope(Scope::from_all(TESTED))?
        .create()?
        .add_rules(path_beneath_rules(["/"], AccessFs::Refer))?
        .restrict_self()
}

fn confine(writable: &[PathBuf]) -> Result<RestrictionStatus, RulesetError> {
    let all = AccessFs::from_all(TESTED);
    let below_writable = all & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    let sink = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    Ruleset::default()
        .handle_access(all)?
        .handle_access(AccessNet::from_all(TESTED))?
        .scope(Scope::from_all(TESTED))?
        .create()?
        .add_rules(path_beneath_rules(["/"], AccessFs::from_read(TESTED)))?
        .add_rules(path_beneath_rules(SINKS, sink))?
        .add_rules(path_beneath_rules(writable, below_writable))?
        .restrict_self()
}
