//! System calls that a function makes itself, without the C library: by the instruction, and the number that stands before it.

use testsmith_rt::harness::outside::Outside::{self, Directory, Files, Network, Processes, Signals};
use testsmith_rt::harness::outside::class_of_call;

use crate::elf::Machine;

/// So far before the instruction the number is looked for.
const REACH: usize = 64;

/// The parts of the world that system calls in this code reach.
pub(crate) fn classes(machine: Machine, code: &[u8]) -> Vec<Outside> {
    let numbers = match machine {
        Machine::X86_64 => numbers_x86_64(code),
        Machine::Aarch64 => numbers_aarch64(code),
    };
    let class = |number: u32| match machine {
        Machine::X86_64 => class_of_call(number),
        Machine::Aarch64 => AARCH64.iter().find(|(call, _)| *call == number).map(|(_, outside)| *outside),
    };
    let mut classes: Vec<Outside> = numbers.into_iter().filter_map(class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// `mov eax, number` somewhere before `syscall`.
fn numbers_x86_64(code: &[u8]) -> Vec<u32> {
    let calls = code.windows(2).enumerate().filter(|(_, bytes)| *bytes == [0x0f, 0x05]).map(|(at, _)| at);
    let number = |at: usize| {
        let before = &code[at.saturating_sub(REACH)..at];
        before.windows(5).rev().find_map(|bytes| match bytes {
            [0xb8, low, high, 0, 0] => Some(u32::from(u16::from_le_bytes([*low, *high]))),
            _ => None,
        })
    };
    calls.filter_map(number).collect()
}

/// `mov w8, #number` somewhere before `svc #0`.
fn numbers_aarch64(code: &[u8]) -> Vec<u32> {
    const CALL: u32 = 0xd400_0001;
    const MOVE: u32 = 0x5280_0008;
    const MASK: u32 = 0xffe0_001f;
    let words: Vec<u32> = code
        .chunks_exact(4)
        .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        .collect();
    let calls = words.iter().enumerate().filter(|(_, word)| **word == CALL).map(|(at, _)| at);
    let number = |at: usize| {
        let before = &words[at.saturating_sub(REACH / 4)..at];
        before.iter().rev().find(|word| **word & MASK == MOVE).map(|word| word >> 5 & 0xffff)
    };
    calls.filter_map(number).collect()
}

/// The numbers that most processors share.
const AARCH64: &[(u32, Outside)] = &[
    (17, Directory),  // getcwd
    (33, Files),      // mknodat
    (34, Files),      // mkdirat
    (35, Files),      // unlinkat
    (36, Files),      // symlinkat
    (37, Files),      // linkat
    (38, Files),      // renameat
    (43, Files),      // statfs
    (45, Files),      // truncate
    (48, Files),      // faccessat
    (49, Directory),  // chdir
    (50, Directory),  // fchdir
    (51, Directory),  // chroot
    (53, Files),      // fchmodat
    (54, Files),      // fchownat
    (56, Files),      // openat
    (78, Files),      // readlinkat
    (79, Files),      // newfstatat
    (88, Files),      // utimensat
    (117, Processes), // ptrace
    (129, Signals),   // kill
    (134, Signals),   // rt_sigaction
    (166, Directory), // umask
    (198, Network),   // socket
    (200, Network),   // bind
    (201, Network),   // listen
    (202, Network),   // accept
    (203, Network),   // connect
    (221, Processes), // execve
    (242, Network),   // accept4
    (276, Files),     // renameat2
    (281, Processes), // execveat
    (291, Files),     // statx
    (437, Files),     // openat2
    (439, Files),     // faccessat2
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_before_the_instruction_says_what_is_called() {
        // mov eax, 87 (unlink); xor edi, edi; syscall
        let unlink = [0xb8, 87, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05];
        assert_eq!(classes(Machine::X86_64, &unlink), [Files]);
        // mov eax, 202 (futex)
        assert_eq!(classes(Machine::X86_64, &[0xb8, 202, 0, 0, 0, 0x0f, 0x05]), []);
        assert_eq!(classes(Machine::X86_64, &[0x0f, 0x05]), []);
        // mov w8, #198 (socket); svc #0
        let socket = [(0x5280_0008_u32 | 198 << 5).to_le_bytes(), 0xd400_0001_u32.to_le_bytes()].concat();
        assert_eq!(classes(Machine::Aarch64, &socket), [Network]);
    }
}
