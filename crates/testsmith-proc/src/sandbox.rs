//! A sandbox for programs that are not trusted: [`enter`] takes rights away from this very process, and
//! from all that it will start, before it becomes the program.
//!
//! The tool starts its own executable in the role of the sandbox ([`spec`], [`ROLE`]); that process enters
//! the sandbox and becomes the program ([`become_sandboxed`]). This way nothing has to be done between `fork`
//! and `exec`, where a program with threads may do almost nothing.
//!
//! | what | with namespaces | without |
//! |---|---|---|
//! | files outside of the writable folders are read-only | a view of the file system | landlock |
//! | permissions, owners, times and attributes of files stay | the same | seccomp, of all files |
//! | no network but one that leads nowhere | a network of its own | seccomp: no socket but a connected pair; landlock for TCP |
//! | no shared memory and queues that outlive the process | namespaces | seccomp |
//!
//! A policy asks for namespaces or does not; a system may refuse them. In any case:
//!
//! | what | by |
//! |---|---|
//! | no signal to processes outside | landlock from Linux 6.12 on, else seccomp for `kill` |
//! | no look at other processes | seccomp, landlock |
//! | no mounts, further namespaces, keys, kernel interfaces | seccomp |
//! | nobody leaves the process group, so that killing the group kills all | seccomp, without namespaces |
//! | root's privileges, but for reading and writing files of others | capabilities |
//! | no open file but the three standard streams | close-on-exec |
//! | memory, processor time, processes, open files, size of files | resource limits |
//!
//! Every line is a best effort: the [`Report`] says what holds on this system. Reading is not
//! restricted, since what is read cannot get out.
//!
//! `policy` is what is asked for, `report` what was had; `namespaces` is the view, `files` landlock, `calls` seccomp.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
mod handles;
#[cfg(target_os = "linux")]
mod namespaces;
mod policy;
#[cfg(target_os = "linux")]
mod privileges;
mod report;
mod resources;
mod role;

use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;

pub use policy::Policy;
pub use report::{Guard, Report, State};
pub use role::{ROLE, ask, become_sandboxed, spec};

/// Restricts this process and all that it will start, for ever. To be called while there is one thread:
/// the kernel restricts threads, not processes. The program that is to run afterwards can still be found.
pub fn enter(policy: &Policy, program: Option<&Path>) -> Report {
    let mut report = Report::default();
    restrict(policy, program, &mut report);
    resources::limit(policy, &mut report);
    report.note(Guard::Handles, handles::close_on_exec());
    report
}

#[cfg(target_os = "linux")]
fn restrict(policy: &Policy, program: Option<&Path>, report: &mut Report) {
    let namespaces = policy.namespaces.as_ref().map(|tmp| {
        let shown: Vec<PathBuf> = program.map(Path::to_path_buf).into_iter().collect();
        namespaces::enter(tmp, &policy.writable, &shown)
    });
    report.note(Guard::Privileges, privileges::give_up());
    if let Some(Ok(())) = namespaces {
        let landlock = files::restrict_further(report);
        calls::refuse_in_namespaces(policy, landlock, report);
        return;
    }
    let landlock = files::restrict(&policy.writable, report);
    calls::refuse(policy, landlock, report);
    if let Some(Err(refused)) = namespaces {
        report.note(Guard::Namespaces, State::Open(refused.to_string()));
    }
}

#[cfg(not(target_os = "linux"))]
fn restrict(_policy: &Policy, _program: Option<&Path>, report: &mut Report) {
    for guard in Guard::ALL.into_iter().filter(Guard::needs_linux) {
        report.note(guard, State::Open("there is a sandbox on Linux only".to_owned()));
    }
}
