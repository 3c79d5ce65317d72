//! Which system calls reach outside of a process, by the part of the world, and where a path stands in their arguments.

use libc::c_long;

/// A part of the world outside of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Files, also looking up a path.
    Files,
    /// Sockets.
    Network,
    /// Other processes, and what this one may do.
    Processes,
    /// The working directory, and the mask for new files.
    Directory,
    /// Standard input, and whether there is a terminal.
    Input,
    /// Signals: sending them, handling them, timers.
    Signals,
}

impl Part {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Part::Files => "files",
            Part::Network => "network",
            Part::Processes => "processes",
            Part::Directory => "directory",
            Part::Input => "input",
            Part::Signals => "signals",
        }
    }
}

/// Where the path of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathAt {
    /// There is none.
    None,
    /// The argument of this number, from the working directory on.
    Plain(usize),
    /// The argument after this one, which is the folder that it begins at.
    In(usize),
}

/// When a call is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Always,
    /// If the argument of this number is not above this.
    AtMost(u32, u32),
    /// If these bits of the first argument are not set.
    Without(u32),
}

/// A system call that is told.
pub(super) struct Told {
    pub(super) number: c_long,
    pub(super) name: &'static str,
    pub(super) part: Part,
    pub(super) path: PathAt,
    pub(super) when: When,
}

macro_rules! told {
    ($($(#[$attribute:meta])* $part:ident $number:ident $path:expr, $when:expr;)*) => {
        &[$($(#[$attribute])* Told {
            number: libc::$number,
            name: stringify!($number),
            part: Part::$part,
            path: $path,
            when: $when,
        },)*]
    };
}

use PathAt::{In, None as NoPath, Plain};
use When::{Always, AtMost, Without};

/// All of them; those that newer processors do not have are the older forms of others.
pub(super) const TOLD: &[Told] = told! {
    Files SYS_openat In(0), Always;
    Files SYS_openat2 In(0), Always;
    Files SYS_newfstatat In(0), Always;
    Files SYS_statx In(0), Always;
    Files SYS_faccessat In(0), Always;
    Files SYS_faccessat2 In(0), Always;
    Files SYS_readlinkat In(0), Always;
    Files SYS_mkdirat In(0), Always;
    Files SYS_mknodat In(0), Always;
    Files SYS_unlinkat In(0), Always;
    Files SYS_renameat2 In(0), Always;
    Files SYS_linkat In(0), Always;
    Files SYS_symlinkat In(1), Always;
    Files SYS_fchmodat In(0), Always;
    Files SYS_fchownat In(0), Always;
    Files SYS_utimensat In(0), Always;
    Files SYS_truncate Plain(0), Always;
    Files SYS_statfs Plain(0), Always;
    Files SYS_setxattr Plain(0), Always;
    Files SYS_lsetxattr Plain(0), Always;
    Files SYS_getxattr Plain(0), Always;
    Files SYS_lgetxattr Plain(0), Always;
    Files SYS_listxattr Plain(0), Always;
    Files SYS_llistxattr Plain(0), Always;
    Files SYS_removexattr Plain(0), Always;
    Files SYS_lremovexattr Plain(0), Always;
    Files SYS_inotify_init1 NoPath, Always;
    Network SYS_socket NoPath, Always;
    Network SYS_connect NoPath, Always;
    Network SYS_bind NoPath, Always;
    Network SYS_listen NoPath, Always;
    Network SYS_accept NoPath, Always;
    Network SYS_accept4 NoPath, Always;
    Processes SYS_execve Plain(0), Always;
    Processes SYS_execveat In(0), Always;
    Processes SYS_clone NoPath, Without(libc::CLONE_THREAD as u32);
    Processes SYS_ptrace NoPath, Always;
    Processes SYS_setuid NoPath, Always;
    Processes SYS_setgid NoPath, Always;
    Processes SYS_setpgid NoPath, Always;
    Processes SYS_setsid NoPath, Always;
    Processes SYS_pidfd_open NoPath, Always;
    Directory SYS_getcwd NoPath, Always;
    Directory SYS_chdir Plain(0), Always;
    Directory SYS_fchdir NoPath, Always;
    Directory SYS_umask NoPath, Always;
    Directory SYS_chroot Plain(0), Always;
    Signals SYS_kill NoPath, Always;
    Signals SYS_setitimer NoPath, Always;
    Signals SYS_timer_create NoPath, Always;
    Signals SYS_rt_sigqueueinfo NoPath, Always;
    Signals SYS_pidfd_send_signal NoPath, Always;
    // The C library itself handles signals 32 and 33.
    Signals SYS_rt_sigaction NoPath, AtMost(0, 31);
    Input SYS_read NoPath, AtMost(0, 0);
    Input SYS_readv NoPath, AtMost(0, 0);
    Input SYS_ioctl NoPath, AtMost(0, 2);
    #[cfg(target_arch = "x86_64")] Files SYS_open Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_creat Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_stat Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_lstat Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_access Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_readlink Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_mkdir Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_mknod Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_rmdir Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_unlink Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_rename Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_renameat In(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_link Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_symlink Plain(1), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_chmod Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_chown Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_lchown Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_utime Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_utimes Plain(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_futimesat In(0), Always;
    #[cfg(target_arch = "x86_64")] Files SYS_inotify_init NoPath, Always;
    #[cfg(target_arch = "x86_64")] Processes SYS_fork NoPath, Always;
    #[cfg(target_arch = "x86_64")] Processes SYS_vfork NoPath, Always;
    #[cfg(target_arch = "x86_64")] Signals SYS_alarm NoPath, Always;
};

/// The call of this number, if it is told.
pub(super) fn told(number: c_long) -> Option<&'static Told> {
    TOLD.iter().find(|told| told.number == number)
}

/// Whether a call of this number is told, whatever its arguments are.
pub(crate) fn is_told(number: c_long) -> bool {
    told(number).is_some_and(|told| told.when == When::Always)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_there_once() {
        let mut numbers: Vec<c_long> = TOLD.iter().map(|told| told.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), TOLD.len());
        assert!(is_told(libc::SYS_openat) && !is_told(libc::SYS_write));
    }
}
