//! The system calls that reach outside, by the numbers of x86-64: for the trap, and for whoever finds them in code.

use super::outside::Outside::{self, Directory, Files, Network, Processes, Signals};

/// In any case.
pub(super) const TRAPPED: &[(u32, Outside)] = &[
    (2, Files),       // open
    (4, Files),       // stat
    (6, Files),       // lstat
    (21, Files),      // access
    (76, Files),      // truncate
    (82, Files),      // rename
    (83, Files),      // mkdir
    (84, Files),      // rmdir
    (85, Files),      // creat
    (86, Files),      // link
    (87, Files),      // unlink
    (88, Files),      // symlink
    (89, Files),      // readlink
    (90, Files),      // chmod
    (92, Files),      // chown
    (94, Files),      // lchown
    (132, Files),     // utime
    (133, Files),     // mknod
    (137, Files),     // statfs
    (188, Files),     // setxattr
    (189, Files),     // lsetxattr
    (191, Files),     // getxattr
    (192, Files),     // lgetxattr
    (194, Files),     // listxattr
    (195, Files),     // llistxattr
    (197, Files),     // removexattr
    (198, Files),     // lremovexattr
    (235, Files),     // utimes
    (253, Files),     // inotify_init
    (294, Files),     // inotify_init1
    (257, Files),     // openat
    (258, Files),     // mkdirat
    (259, Files),     // mknodat
    (260, Files),     // fchownat
    (261, Files),     // futimesat
    (262, Files),     // newfstatat
    (263, Files),     // unlinkat
    (264, Files),     // renameat
    (265, Files),     // linkat
    (266, Files),     // symlinkat
    (267, Files),     // readlinkat
    (268, Files),     // fchmodat
    (269, Files),     // faccessat
    (280, Files),     // utimensat
    (316, Files),     // renameat2
    (332, Files),     // statx
    (437, Files),     // openat2
    (439, Files),     // faccessat2
    (41, Network),    // socket
    (42, Network),    // connect
    (43, Network),    // accept
    (49, Network),    // bind
    (50, Network),    // listen
    (288, Network),   // accept4
    (58, Processes),  // vfork
    (59, Processes),  // execve
    (322, Processes), // execveat
    (101, Processes), // ptrace
    (105, Processes), // setuid
    (106, Processes), // setgid
    (109, Processes), // setpgid
    (112, Processes), // setsid
    (160, Processes), // setrlimit
    (434, Processes), // pidfd_open
    (79, Directory),  // getcwd
    (80, Directory),  // chdir
    (81, Directory),  // fchdir
    (95, Directory),  // umask
    (161, Directory), // chroot
    (37, Signals),    // alarm
    (38, Signals),    // setitimer
    (62, Signals),    // kill
    (129, Signals),   // rt_sigqueueinfo
    (222, Signals),   // timer_create
    (424, Signals),   // pidfd_send_signal
];

/// If the argument at this position is not above this: of standard input, and of the standard streams as a terminal. The
/// C library itself handles signals 32 and 33.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_pointer_width = "64"))]
pub(super) const CONDITIONAL: &[(u32, Outside, u32, u32)] = &[
    (0, Outside::Input, 0, 0),  // read
    (19, Outside::Input, 0, 0), // readv
    (16, Outside::Input, 0, 2), // ioctl
    (13, Signals, 0, 31),       // rt_sigaction
];

/// Which part of the world a call reaches, with these arguments.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_pointer_width = "64"))]
pub(super) fn class_of(call: u32, arguments: [u64; 6]) -> Option<Outside> {
    // Looking at how a signal is handled changes nothing.
    if call == 13 && arguments[1] == 0 {
        return None;
    }
    let always = TRAPPED.iter().map(|(number, outside)| (number, outside));
    let sometimes = CONDITIONAL.iter().map(|(number, outside, ..)| (number, outside));
    always.chain(sometimes).find(|(number, _)| **number == call).map(|(_, outside)| *outside)
}

/// Which argument of a call is the path of a file that is only looked at or opened.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_pointer_width = "64"))]
pub(super) fn path_argument(call: u32) -> Option<usize> {
    match call {
        2 | 4 | 6 | 21 | 89 => Some(0),
        257 | 262 | 267 | 269 | 332 | 437 | 439 => Some(1),
        _ => None,
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64", target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_there_once_and_has_its_class() {
        let mut numbers: Vec<u32> = TRAPPED.iter().map(|(number, _)| *number).collect();
        numbers.extend(CONDITIONAL.iter().map(|(number, ..)| *number));
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count);
        assert_eq!(class_of(41, [0; 6]), Some(Network));
        assert_eq!(class_of(1, [0; 6]), None, "what is written to the standard streams is no matter");
        assert_eq!(class_of(13, [15, 0, 0, 0, 0, 0]), None);
        assert_eq!(class_of(13, [15, 8, 0, 0, 0, 0]), Some(Signals));
    }
}
