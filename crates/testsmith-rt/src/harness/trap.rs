//! Sees the system calls of programs before the kernel does: a filter sends those that reach outside to a handler, which ends a
//! program, and makes the call where it is the worker's own. Where the processor or the system has no such filter, nothing is
//! seen here.

pub(super) use system::set;

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_pointer_width = "64"))]
mod system {
    use std::arch::global_asm;
    use std::ffi::{c_char, c_int, c_long, c_void, CStr};

    use super::super::calls::{class_of, path_argument, CONDITIONAL, TRAPPED};
    use super::super::outside::{reach, Outside};

    // Makes any system call. The filter lets calls through that are made here.
    global_asm!(
        ".pushsection .text.testsmith_make_call,\"ax\",@progbits",
        ".hidden testsmith_make_call",
        ".globl testsmith_make_call",
        ".hidden testsmith_call_made",
        ".globl testsmith_call_made",
        "testsmith_make_call:",
        "mov rax, rdi",
        "mov rdi, rsi",
        "mov rsi, rdx",
        "mov rdx, rcx",
        "mov r10, r8",
        "mov r8, r9",
        "mov r9, [rsp + 8]",
        "syscall",
        "testsmith_call_made:",
        "ret",
        ".popsection",
    );

    extern "C" {
        fn testsmith_make_call(number: i64, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> i64;
        fn testsmith_call_made();
        fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int;
        fn prctl(option: c_int, ...) -> c_int;
        fn pthread_atfork(
            before: Option<extern "C" fn()>,
            in_parent: Option<extern "C" fn()>,
            in_child: Option<extern "C" fn()>,
        ) -> c_int;
    }

    /// `struct sigaction` of the C libraries for this processor.
    #[repr(C)]
    struct Action {
        handler: extern "C" fn(c_int, *const Info, *mut Context),
        mask: [u64; 16],
        flags: c_int,
        restorer: usize,
    }

    /// The part of `siginfo_t` that tells of a system call.
    #[repr(C)]
    struct Info {
        head: [u64; 2],
        call_address: *const c_void,
        call: c_int,
        architecture: u32,
    }

    /// The registers in `ucontext_t`, and what stands before them.
    #[repr(C)]
    struct Context {
        head: [u64; 5],
        registers: [u64; 23],
    }

    const RDI: usize = 8;
    const RSI: usize = 9;
    const RDX: usize = 12;
    const RAX: usize = 13;
    const R10: usize = 2;
    const R8: usize = 0;
    const R9: usize = 1;

    const SIGSYS: c_int = 31;
    const SA_SIGINFO: c_int = 4;
    const SA_NODEFER: c_int = 0x4000_0000;
    const SET_NO_NEW_PRIVILEGES: c_int = 38;
    const SET_SECCOMP: c_int = 22;
    const FILTER: c_long = 2;

    /// One instruction of a filter.
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Instruction {
        code: u16,
        if_true: u8,
        if_false: u8,
        operand: u32,
    }

    #[repr(C)]
    struct Filter {
        length: u16,
        instructions: *const Instruction,
    }

    const LOAD: u16 = 0x20;
    const JUMP_IF_EQUAL: u16 = 0x15;
    const JUMP_IF_GREATER: u16 = 0x25;
    const RETURN: u16 = 0x06;
    const ALLOW: u32 = 0x7fff_0000;
    const TRAP: u32 = 0x0003_0000;
    const X86_64: u32 = 0xc000_003e;

    /// Where the kernel tells of a call: its number, the processor, the address behind it, the low half of an argument.
    const NUMBER: u32 = 0;
    const ARCHITECTURE: u32 = 4;
    const ADDRESS: u32 = 8;
    const fn argument(at: u32) -> u32 {
        16 + 8 * at
    }

    /// Sets the trap for this thread and all that it starts.
    pub(crate) fn set() {
        let action = Action { handler: handle, mask: [0; 16], flags: SA_SIGINFO | SA_NODEFER, restorer: 0 };
        let instructions = filter();
        let filter = Filter { length: instructions.len() as u16, instructions: instructions.as_ptr() };
        // SAFETY: the structures are those that the C library and the kernel expect, and outlive the calls.
        unsafe {
            if sigaction(SIGSYS, &action, std::ptr::null_mut()) != 0 {
                return;
            }
            pthread_atfork(Some(before_fork), None, None);
            prctl(SET_NO_NEW_PRIVILEGES, 1 as c_long, 0 as c_long, 0 as c_long, 0 as c_long);
            prctl(SET_SECCOMP, FILTER, &filter as *const Filter, 0 as c_long, 0 as c_long);
        }
    }

    /// A fork happens with all signals blocked: there is no trap for it.
    extern "C" fn before_fork() {
        reach(Outside::Processes);
    }

    fn filter() -> Vec<Instruction> {
        let instruction = |code, if_true, if_false, operand| Instruction { code, if_true, if_false, operand };
        let load = |offset| instruction(LOAD, 0, 0, offset);
        let answer = |value| instruction(RETURN, 0, 0, value);
        let own = testsmith_call_made as *const () as usize as u64;
        let mut all = vec![
            load(ARCHITECTURE),
            instruction(JUMP_IF_EQUAL, 1, 0, X86_64),
            answer(ALLOW),
            load(ADDRESS),
            instruction(JUMP_IF_EQUAL, 0, 3, own as u32),
            load(ADDRESS + 4),
            instruction(JUMP_IF_EQUAL, 0, 1, (own >> 32) as u32),
            answer(ALLOW),
            load(NUMBER),
        ];
        for (call, _) in TRAPPED {
            all.extend([instruction(JUMP_IF_EQUAL, 0, 1, *call), answer(TRAP)]);
        }
        for (call, _, position, at_most) in CONDITIONAL {
            all.extend([
                instruction(JUMP_IF_EQUAL, 0, 4, *call),
                load(argument(*position)),
                instruction(JUMP_IF_GREATER, 1, 0, *at_most),
                answer(TRAP),
                answer(ALLOW),
            ]);
        }
        all.push(answer(ALLOW));
        all
    }

    extern "C" fn handle(_: c_int, info: *const Info, context: *mut Context) {
        // SAFETY: the kernel gives both to a handler of this kind.
        let (call, registers) = unsafe { ((*info).call as u32, &mut (*context).registers) };
        let arguments = [RDI, RSI, RDX, R10, R8, R9].map(|register| registers[register]);
        let is_quiet = path_argument(call).is_some_and(|at| is_quiet(arguments[at]));
        if let Some(outside) = class_of(call, arguments).filter(|_| !is_quiet) {
            reach(outside);
        }
        let [a, b, c, d, e, f] = arguments;
        // SAFETY: it is the call that was about to be made.
        registers[RAX] = unsafe { testsmith_make_call(i64::from(call), a, b, c, d, e, f) } as u64;
    }

    fn is_quiet(path: u64) -> bool {
        if path == 0 {
            return true;
        }
        // SAFETY: the kernel would have read it as well.
        let path = unsafe { CStr::from_ptr(path as usize as *const c_char) }.to_bytes();
        super::super::outside::is_quiet(path)
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_pointer_width = "64")))]
mod system {
    pub(crate) fn set() {}
}
