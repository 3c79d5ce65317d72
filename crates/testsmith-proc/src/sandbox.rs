//! A sandbox for programs that are not trusted: [`enter`] takes rights away from this very process, and
//! from all that it will start, before it becomes the program.
//!
//! The tool starts its own executable in the role of the sandbox ([`spec`], [`ROLE`]); that process enters
//! the sandbox and becomes the program ([`become_sandboxed`]). This way nothing has to be done between `fork`
//! and `exec`, where a program with threads may do almost nothing.
//!
//! | what | by |
//! |---|---|
//! | files outside of the writable folders are read-only | landlock |
//! | permissions, owners, times and attributes of all files stay | seccomp |
//! | no network, no socket but a connected pair | seccomp; landlock for TCP |
//! | no signal to processes outside | landlock from Linux 6.12 on, else seccomp for `kill` |
//! | no look at other processes | seccomp, landlock |
//! | no mounts, namespaces, keys, kernel interfaces, shared memory that outlives the process | seccomp |
//! | nobody leaves the process group, so that killing the group kills all | seccomp |
//! | root's privileges, but for reading and writing files of others | capabilities |
//! | no open file but the three standard streams | close-on-exec |
//! | memory, processor time, processes, open files, size of files | resource limits |
//!
//! Every line is a best effort: the [`Report`] says what holds on this system. Reading is not
//! restricted, since what is read cannot get out.
//!
//! `policy` is what is asked for, `report` what was had; `files` is landlock, `calls` seccomp.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
mod handles;
mod policy;
#[cfg(target_os = "linux")]
mod privileges;
mod report;
mod resources;
mod role;

pub use policy::Policy;
pub use report::{Guard, Report, State};
pub use role::{ROLE, ask, become_sandboxed, spec};

/// Restricts this process and all that it will start, for ever. To be called while there is one thread:
/// the kernel restricts threads, not processes.
pub fn enter(policy: &Policy) -> Report {
    let mut report = Report::default();
    restrict(policy, &mut report);
    resources::limit(policy, &mut report);
    report.note(Guard::Handles, handles::close_on_exec());
    report
}

#[cfg(target_os = "linux")]
fn restrict(policy: &Policy, report: &mut Report) {
    report.note(Guard::Privileges, privileges::give_up());
    let landlock = files::restrict(&policy.writable, report);
    calls::refuse(policy, landlock, report);
}

#[cfg(not(target_os = "linux"))]
fn restrict(_policy: &Policy, report: &mut Report) {
    for guard in Guard::ALL.into_iter().filter(Guard::needs_linux) {
        report.note(guard, State::Open("there is a sandbox on Linux only".to_owned()));
    }
}
