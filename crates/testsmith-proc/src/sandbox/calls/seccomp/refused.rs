//! Which system calls are refused, when, and with what answer.
//!
//! A filter sees numbers only, no path and no structure in memory. So what cannot be told apart by
//! numbers is refused as a whole: `chmod` in the scratch folder too, and every socket that could be
//! connected.

use std::collections::BTreeMap;

use libc::{
    AF_UNIX, CLONE_THREAD, EAGAIN, ENOSYS, EPERM, O_ACCMODE, O_TRUNC, SOCK_DGRAM, SOCK_RAW, TIOCLINUX,
    TIOCSTI, c_int, c_long,
};
use seccompiler::SeccompCmpOp::{self, Eq, MaskedEq, Ne};
use seccompiler::{SeccompCmpArgLen, SeccompCondition, SeccompRule};

use super::{Landlock, Policy};

/// Calls with the rules that make them refused; without a rule, always.
pub(super) type Calls = BTreeMap<i64, Vec<SeccompRule>>;

/// Numbers that all processors share, and `libc` does not have for all of them.
mod shared {
    use libc::c_long;

    pub(super) const PIDFD_SEND_SIGNAL: c_long = 424;
    pub(super) const IO_URING_SETUP: c_long = 425;
    pub(super) const IO_URING_ENTER: c_long = 426;
    pub(super) const IO_URING_REGISTER: c_long = 427;
    pub(super) const OPEN_TREE: c_long = 428;
    pub(super) const MOVE_MOUNT: c_long = 429;
    pub(super) const FSOPEN: c_long = 430;
    pub(super) const FSCONFIG: c_long = 431;
    pub(super) const FSMOUNT: c_long = 432;
    pub(super) const FSPICK: c_long = 433;
    pub(super) const CLONE3: c_long = 435;
    pub(super) const OPENAT2: c_long = 437;
    pub(super) const PIDFD_GETFD: c_long = 438;
    pub(super) const PROCESS_MADVISE: c_long = 440;
    pub(super) const MOUNT_SETATTR: c_long = 442;
    pub(super) const QUOTACTL_FD: c_long = 443;
    pub(super) const PROCESS_MRELEASE: c_long = 448;
    pub(super) const FCHMODAT2: c_long = 452;
    pub(super) const SETXATTRAT: c_long = 463;
    pub(super) const REMOVEXATTRAT: c_long = 466;
    pub(super) const OPEN_TREE_ATTR: c_long = 467;
    pub(super) const FILE_SETATTR: c_long = 469;
}

/// Looking into other processes, and changing them.
const TRACING: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    shared::PIDFD_GETFD,
    shared::PROCESS_MADVISE,
    shared::PROCESS_MRELEASE,
];

/// The parts of the kernel that no unit test needs, and most attacks do. `io_uring` makes calls that no
/// filter sees.
const SYSTEM: &[c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    shared::OPEN_TREE,
    shared::OPEN_TREE_ATTR,
    shared::MOVE_MOUNT,
    shared::FSOPEN,
    shared::FSCONFIG,
    shared::FSMOUNT,
    shared::FSPICK,
    shared::MOUNT_SETATTR,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    shared::IO_URING_SETUP,
    shared::IO_URING_ENTER,
    shared::IO_URING_REGISTER,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    shared::QUOTACTL_FD,
    libc::SYS_syslog,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_vhangup,
];

/// Shared memory and queues that other processes use, and that stay when the process ends.
const SHARED_MEMORY: &[c_long] = &[
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// What landlock leaves out: all that can be changed about a file without opening it for writing.
const ATTRIBUTES: &[c_long] = &[
    libc::SYS_fchmodat,
    shared::FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    shared::SETXATTRAT,
    shared::REMOVEXATTRAT,
    shared::FILE_SETATTR,
];

/// Sockets. A connected pair is all that is left: a unix socket that can be connected, or sends
/// datagrams, reaches the services of the user and of the system, which do as they are told.
const SOCKETS: &[c_long] = &[libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen];

/// Who cannot leave the process group dies with it.
const GROUP: &[c_long] = &[libc::SYS_setsid, libc::SYS_setpgid];

/// Calls that have newer forms with more arguments; other processors have the newer ones only.
#[cfg(target_arch = "x86_64")]
const OLD: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD: &[c_long] = &[];

/// The ports of devices.
#[cfg(target_arch = "x86_64")]
const PORTS: &[c_long] = &[libc::SYS_iopl, libc::SYS_ioperm];
#[cfg(not(target_arch = "x86_64"))]
const PORTS: &[c_long] = &[];

/// `ioctl`s that type into the user's terminal, or change a file that is open for reading: its flags,
/// its encryption, its being sealed for ever (`FS_IOC_SETFLAGS`, `FS_IOC_FSSETXATTR`,
/// `FS_IOC_SET_ENCRYPTION_POLICY`, `FS_IOC_ENABLE_VERITY`).
const IOCTLS: [u32; 6] =
    [TIOCSTI as u32, TIOCLINUX as u32, 0x4008_6602, 0x401c_5820, 0x800c_6613, 0x4080_6685];

/// Each of the flags by which `clone` makes namespaces.
const NAMESPACES: [c_int; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Calls by the error that answers them. `own` is this process, which the program will be.
pub(super) fn by_answer(policy: &Policy, landlock: Landlock, own: u32) -> Vec<(u32, Calls)> {
    let mut groups = vec![
        (EPERM, forbidden(landlock, own)),
        (ENOSYS, missing(landlock)),
        // `fs::copy` ends with one that mostly changes nothing: it succeeds, and does nothing.
        (0, Calls::from([(libc::SYS_fchmod, Vec::new())])),
    ];
    groups.extend(no_processes(policy));
    numbered(groups)
}

/// The same in namespaces: the file system, the network and shared memory are the program's own, or cannot be written.
pub(super) fn by_answer_in_namespaces(policy: &Policy, landlock: Landlock, own: u32) -> Vec<(u32, Calls)> {
    let mut forbidden = always(&[TRACING, SYSTEM, PORTS]);
    forbidden.extend(sometimes());
    // A pair of sockets leads nowhere else.
    forbidden.remove(&libc::SYS_socketpair);
    if !landlock.has_signals() {
        forbidden.extend(signals(own));
    }
    let missing = Calls::from([(shared::CLONE3, Vec::new())]);
    let mut groups = vec![(EPERM, forbidden), (ENOSYS, missing)];
    groups.extend(no_processes(policy));
    numbered(groups)
}

fn no_processes(policy: &Policy) -> Option<(c_int, Calls)> {
    (policy.processes == Some(0)).then(|| (EAGAIN, new_processes()))
}

fn numbered(groups: Vec<(c_int, Calls)>) -> Vec<(u32, Calls)> {
    groups.into_iter().map(|(answer, calls)| (answer.unsigned_abs(), calls)).collect()
}

fn always(lists: &[&[c_long]]) -> Calls {
    lists.concat().into_iter().map(|call| (call, Vec::new())).collect()
}

fn forbidden(landlock: Landlock, own: u32) -> Calls {
    let mut calls = always(&[TRACING, SYSTEM, SHARED_MEMORY, ATTRIBUTES, SOCKETS, GROUP, OLD, PORTS]);
    calls.extend(sometimes());
    if !landlock.has_signals() {
        calls.extend(signals(own));
    }
    if !landlock.has_truncate() {
        calls.extend(truncation());
    }
    calls
}

/// Refused for some arguments, the first of which is number 0.
fn sometimes() -> Calls {
    let kind = MaskedEq(0xf);
    let namespaces = NAMESPACES.map(|flag| rule(&[(0, MaskedEq(bits(flag)), flag as u32)]));
    let ioctls = IOCTLS.map(|command| rule(&[(1, Eq, command)]));
    let not_own = |argument| vec![rule(&[(argument, Ne, 0)])];
    Calls::from([
        (
            libc::SYS_socketpair,
            vec![
                rule(&[(0, Ne, AF_UNIX as u32)]),
                rule(&[(1, kind.clone(), SOCK_DGRAM as u32)]),
                // The kernel takes it for another name of datagrams.
                rule(&[(1, kind, SOCK_RAW as u32)]),
            ],
        ),
        (libc::SYS_clone, namespaces.into()),
        (libc::SYS_ioctl, ioctls.into()),
        // Limits, processors and priorities of other processes, among them the tool.
        (libc::SYS_prlimit64, not_own(0)),
        (libc::SYS_sched_setaffinity, not_own(0)),
        (libc::SYS_sched_setscheduler, not_own(0)),
        (libc::SYS_sched_setparam, not_own(0)),
        (libc::SYS_sched_setattr, not_own(0)),
        (libc::SYS_setpriority, not_own(1)),
        (libc::SYS_ioprio_set, not_own(1)),
    ])
}

/// Where landlock has no signals yet: a process may signal itself and its group. `tkill` and `tgkill`
/// stay, since this is how `abort` and `raise` work, in every process that the program starts.
fn signals(own: u32) -> Calls {
    let group = own.wrapping_neg();
    Calls::from([
        (libc::SYS_kill, vec![rule(&[(0, Ne, 0), (0, Ne, own), (0, Ne, group)])]),
        (libc::SYS_rt_sigqueueinfo, Vec::new()),
        (libc::SYS_rt_tgsigqueueinfo, Vec::new()),
        (shared::PIDFD_SEND_SIGNAL, Vec::new()),
    ])
}

/// Where landlock has no truncation yet: emptying a file by its name, or by opening it for reading.
fn truncation() -> Calls {
    let mask = bits(O_TRUNC | O_ACCMODE);
    let empties = |argument| vec![rule(&[(argument, MaskedEq(mask), O_TRUNC as u32)])];
    Calls::from([
        (libc::SYS_truncate, Vec::new()),
        (libc::SYS_openat, empties(2)),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_open, empties(1)),
    ])
}

/// Calls whose arguments are in memory, where no filter can look. Programs that learn that there is no
/// such call use the older one.
fn missing(landlock: Landlock) -> Calls {
    let mut calls = Calls::from([(shared::CLONE3, Vec::new())]);
    if !landlock.has_truncate() {
        calls.insert(shared::OPENAT2, Vec::new());
    }
    calls
}

/// New processes, but not new threads.
fn new_processes() -> Calls {
    Calls::from([
        (libc::SYS_clone, vec![rule(&[(0, MaskedEq(bits(CLONE_THREAD)), 0)])]),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_fork, Vec::new()),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_vfork, Vec::new()),
    ])
}

/// All of these comparisons hold. The kernel looks at 32 bits of each of these arguments.
fn rule(comparisons: &[(u8, SeccompCmpOp, u32)]) -> SeccompRule {
    let conditions = comparisons.iter().map(|(argument, comparison, value)| {
        SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, comparison.clone(), u64::from(*value))
            .expect("there are six arguments, and none of the table is above the third")
    });
    SeccompRule::new(conditions.collect()).expect("every rule of the table has a comparison")
}

/// The bits of a flag as a mask.
fn bits(flag: c_int) -> u64 {
    u64::from(flag as u32)
}
