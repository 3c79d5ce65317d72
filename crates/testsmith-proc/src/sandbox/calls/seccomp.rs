//! The filters that the kernel asks about each system call. `refused` is the table that they are made
//! of.
//!
//! It is a list of refusals, not of permissions: the programs are unknown, and most of what they may
//! call is harmless under landlock and without privileges.

mod refused;

use std::env::consts::ARCH;
use std::process;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};

use super::{Landlock, Policy};
use refused::Calls;

/// Refuses system calls to this thread, and to all threads and processes that it starts.
pub(super) fn install(policy: &Policy, landlock: Landlock) -> Result<(), seccompiler::Error> {
    apply(policy, refused::by_answer(policy, landlock, process::id()))
}

/// The same for a thread in namespaces, where less has to be refused.
pub(super) fn install_in_namespaces(policy: &Policy, landlock: Landlock) -> Result<(), seccompiler::Error> {
    apply(policy, refused::by_answer_in_namespaces(policy, landlock, process::id()))
}

fn apply(policy: &Policy, answers: Vec<(u32, Calls)>) -> Result<(), seccompiler::Error> {
    #[cfg(target_arch = "x86_64")]
    apply_filter(&no_second_abi())?;
    for (answer, mut calls) in answers {
        // A refusal comes before a question, and whoever asks refuses them as well.
        calls.retain(|call, _| !(policy.observed && crate::observe::is_told(*call)));
        apply_filter(&program(answer, calls)?)?;
    }
    Ok(())
}

/// A program that answers these calls with an error (or with success, where that is 0), without doing
/// anything, and allows all others. It ends whoever calls as another processor would.
fn program(answer: u32, calls: Calls) -> Result<BpfProgram, seccompiler::Error> {
    let processor = TargetArch::try_from(ARCH)?;
    let filter = SeccompFilter::new(calls, SeccompAction::Allow, SeccompAction::Errno(answer), processor)?;
    Ok(filter.try_into()?)
}

/// The kernel may take each call by a second number, for programs with short pointers ("x32"), and
/// reports the same processor for both. The table would have to name every call twice.
#[cfg(target_arch = "x86_64")]
fn no_second_abi() -> BpfProgram {
    use libc::{
        BPF_ABS, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, ENOSYS, SECCOMP_RET_ALLOW,
        SECCOMP_RET_ERRNO,
    };
    const SECOND_ABI: u32 = 0x4000_0000;
    const OFFSET_OF_NUMBER: u32 = 0;
    let instruction = |code: u32, jt, jf, k| seccompiler::sock_filter { code: code as u16, jt, jf, k };
    vec![
        instruction(BPF_LD | BPF_W | BPF_ABS, 0, 0, OFFSET_OF_NUMBER),
        instruction(BPF_JMP | BPF_JGE | BPF_K, 0, 1, SECOND_ABI),
        instruction(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS as u32),
        instruction(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW),
    ]
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io;
    use std::os::unix::fs::OpenOptionsExt;
    use std::thread;

    use rustix::process::{Pid, getpid, getppid, test_kill_process, test_kill_process_group};

    use super::*;

    /// Does something in a thread of its own, for which the calls are refused that landlock of this ABI
    /// cannot.
    fn refused_to<R: Send>(abi: u32, job: impl FnOnce() -> R + Send) -> R {
        thread::scope(|scope| {
            let thread = scope.spawn(|| {
                install(&Policy::default(), Landlock::of_abi(abi)).expect("this kernel has seccomp");
                job()
            });
            thread.join().expect("the thread only makes calls")
        })
    }

    fn errno<T>(outcome: io::Result<T>) -> Option<i32> {
        outcome.err().map(|error| error.raw_os_error().unwrap_or(0))
    }

    #[test]
    fn before_landlock_knows_signals_only_the_process_itself_can_be_killed() {
        let parent = getppid().unwrap_or(Pid::INIT);
        let outcomes = refused_to(5, || [getpid(), parent, Pid::INIT].map(test_kill_process));
        let refused = Err(rustix::io::Errno::PERM);
        assert_eq!(outcomes, [Ok(()), refused, refused]);
        // In a container the group may be led from outside, and have no number.
        if let Some(group) = crate::procfs::our_group() {
            // Cargo leads the group that this test is in, unless it is started by itself.
            let expected = if group == getpid() { Ok(()) } else { refused };
            assert_eq!(refused_to(5, || test_kill_process_group(group)), expected);
        }
        assert_eq!(refused_to(6, || test_kill_process(parent)), test_kill_process(parent));
    }

    #[test]
    fn before_landlock_knows_truncation_no_file_can_be_emptied_but_by_writing() {
        let path = std::env::temp_dir().join(format!("testsmith-truncation-{}", process::id()));
        let empty_by_reading = || File::options().read(true).custom_flags(libc::O_TRUNC).open(&path);
        for (abi, expected) in [(2, Some(libc::EPERM)), (3, None)] {
            fs::write(&path, "precious").expect("there is a folder for temporary files");
            assert_eq!(refused_to(abi, || errno(empty_by_reading())), expected, "ABI {abi}");
        }
        assert_eq!(refused_to(2, || errno(fs::read(&path))), None);
        assert_eq!(refused_to(2, || errno(fs::write(&path, "other"))), None);
        fs::remove_file(&path).expect("it is ours");
    }

    #[test]
    fn every_filter_can_be_compiled_for_every_kernel_and_policy() {
        for abi in 0..=7 {
            for processes in [None, Some(0), Some(5)] {
                let policy = Policy { processes, ..Policy::default() };
                for (answer, calls) in refused::by_answer(&policy, Landlock::of_abi(abi), 1234) {
                    assert!(!calls.is_empty());
                    program(answer, calls).expect("the table is small and well-formed");
                }
            }
        }
    }
}
