//! Loaded before the C library by test processes that shall see another world: other clocks, other random numbers, another host
//! name and number of processors, another user, other limits. It stands alone: the compiler of the user builds it, without a dependency.
//!
//! `TESTSMITH_WORLD` says what the world is like: seconds that the wall clock and the monotonic one are ahead, a seed, the
//! number of processors, the user, how many files may be open, and the name of the host, with commas between them.

#![no_std]

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod linux {
    use core::arch::asm;
    use core::ffi::{c_char, c_int, c_long, c_uint, c_void};
    use core::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

    const VARIABLE: &[u8] = b"TESTSMITH_WORLD=";

    const GETTIMEOFDAY: c_long = 96;
    const TIME: c_long = 201;
    const UNAME: c_long = 63;
    const FUTEX: c_long = 202;
    const CLOCK_GETTIME: c_long = 228;
    const GETRANDOM: c_long = 318;
    const SCHED_GETAFFINITY: c_long = 204;
    const GETUID: c_long = 102;
    const GETGID: c_long = 104;
    const GETEUID: c_long = 107;
    const GETEGID: c_long = 108;
    const GETPPID: c_long = 110;
    const PRLIMIT: c_long = 302;

    static IS_READ: AtomicBool = AtomicBool::new(false);
    static WALL: AtomicI64 = AtomicI64::new(0);
    static MONOTONIC: AtomicI64 = AtomicI64::new(0);
    static SEED: AtomicU64 = AtomicU64::new(0);
    static GIVEN: AtomicU64 = AtomicU64::new(0);
    static PROCESSORS: AtomicU64 = AtomicU64::new(0);
    static USER: AtomicU64 = AtomicU64::new(0);
    static OPEN_FILES: AtomicU64 = AtomicU64::new(0);
    /// Where the name of the host begins, as an address; it ends with a zero.
    static HOST: AtomicU64 = AtomicU64::new(0);

    extern "C" {
        static environ: *const *const u8;
        fn __errno_location() -> *mut c_int;
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Time {
        seconds: i64,
        rest: i64,
    }

    /// A system call, past the C library: its own functions are these here.
    unsafe fn make_call(number: c_long, arguments: [usize; 6]) -> isize {
        let [a, b, c, d, e, f] = arguments;
        let result: isize;
        asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack)
        );
        result
    }

    /// The result as the C library gives it.
    unsafe fn told(result: isize) -> isize {
        if (-4095..0).contains(&result) {
            *__errno_location() = (-result) as c_int;
            return -1;
        }
        result
    }

    /// Reads the world once, from the environment itself: `getenv` may be somebody else's.
    unsafe fn read() {
        if IS_READ.swap(true, Relaxed) || environ.is_null() {
            return;
        }
        let mut entry = environ;
        while !(*entry).is_null() {
            if let Some(value) = after(*entry, VARIABLE) {
                parse(value);
            }
            entry = entry.add(1);
        }
    }

    /// What follows behind this beginning.
    unsafe fn after(text: *const u8, beginning: &[u8]) -> Option<*const u8> {
        for (at, byte) in beginning.iter().enumerate() {
            if *text.add(at) != *byte {
                return None;
            }
        }
        Some(text.add(beginning.len()))
    }

    unsafe fn parse(text: *const u8) {
        let mut at = text;
        let mut numbers = [0i64; 6];
        for number in &mut numbers {
            let is_negative = *at == b'-';
            at = at.add(usize::from(is_negative));
            while (*at).is_ascii_digit() {
                *number = number.wrapping_mul(10).wrapping_add(i64::from(*at - b'0'));
                at = at.add(1);
            }
            *number = if is_negative { -*number } else { *number };
            at = at.add(usize::from(*at == b','));
        }
        WALL.store(numbers[0], Relaxed);
        MONOTONIC.store(numbers[1], Relaxed);
        SEED.store(numbers[2] as u64, Relaxed);
        PROCESSORS.store(numbers[3] as u64, Relaxed);
        USER.store(numbers[4] as u64, Relaxed);
        OPEN_FILES.store(numbers[5] as u64, Relaxed);
        HOST.store(at as u64, Relaxed);
    }

    /// How far a clock is ahead: of the time of day, or since the start; others count what a process has used.
    fn ahead(clock: c_int) -> i64 {
        match clock {
            0 | 5 | 8 | 11 => WALL.load(Relaxed),
            1 | 4 | 6 | 7 | 9 => MONOTONIC.load(Relaxed),
            _ => 0,
        }
    }

    #[no_mangle]
    pub unsafe extern "C" fn clock_gettime(clock: c_int, time: *mut Time) -> c_int {
        read();
        let result = make_call(CLOCK_GETTIME, [clock as usize, time as usize, 0, 0, 0, 0]);
        if result == 0 {
            (*time).seconds += ahead(clock);
        }
        told(result) as c_int
    }

    #[no_mangle]
    pub unsafe extern "C" fn gettimeofday(time: *mut Time, zone: *mut c_void) -> c_int {
        read();
        let result = make_call(GETTIMEOFDAY, [time as usize, zone as usize, 0, 0, 0, 0]);
        if result == 0 && !time.is_null() {
            (*time).seconds += ahead(0);
        }
        told(result) as c_int
    }

    #[no_mangle]
    pub unsafe extern "C" fn time(result: *mut i64) -> i64 {
        let mut now = Time { seconds: 0, rest: 0 };
        clock_gettime(0, &mut now);
        if !result.is_null() {
            *result = now.seconds;
        }
        now.seconds
    }

    #[no_mangle]
    pub unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, flags: c_uint) -> isize {
        read();
        let seed = SEED.load(Relaxed);
        if seed == 0 {
            return told(make_call(GETRANDOM, [buffer as usize, length, flags as usize, 0, 0, 0]));
        }
        for at in 0..length {
            // The last step of SplitMix64.
            let number = (seed << 32 | GIVEN.fetch_add(1, Relaxed)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            *buffer.add(at) = (number ^ (number >> 31)) as u8;
        }
        length as isize
    }

    #[no_mangle]
    pub unsafe extern "C" fn getentropy(buffer: *mut u8, length: usize) -> c_int {
        if getrandom(buffer, length, 0) == length as isize {
            0
        } else {
            -1
        }
    }

    unsafe fn copy_host(to: *mut u8, room: usize) {
        let host = HOST.load(Relaxed) as usize as *const u8;
        if host.is_null() || *host == 0 || room == 0 {
            return;
        }
        let mut at = 0;
        while at + 1 < room && *host.add(at) != 0 {
            *to.add(at) = *host.add(at);
            at += 1;
        }
        *to.add(at) = 0;
    }

    /// Of each of the fields of `utsname`, of which the second is the name of the host.
    const FIELD: usize = 65;

    #[no_mangle]
    pub unsafe extern "C" fn uname(names: *mut u8) -> c_int {
        read();
        let result = make_call(UNAME, [names as usize, 0, 0, 0, 0, 0]);
        if result == 0 {
            copy_host(names.add(FIELD), FIELD);
        }
        told(result) as c_int
    }

    #[no_mangle]
    pub unsafe extern "C" fn gethostname(name: *mut c_char, room: usize) -> c_int {
        let mut names = [0u8; 6 * FIELD];
        let result = uname(names.as_mut_ptr());
        let mut at = 0;
        while result == 0 && at < room.min(FIELD) {
            *name.add(at) = names[FIELD + at] as c_char;
            at += 1;
        }
        result
    }

    #[no_mangle]
    pub unsafe extern "C" fn sched_getaffinity(process: c_int, size: usize, mask: *mut u8) -> c_int {
        read();
        let result = make_call(SCHED_GETAFFINITY, [process as usize, size, mask as usize, 0, 0, 0]);
        let processors = PROCESSORS.load(Relaxed) as usize;
        if result < 0 {
            return told(result) as c_int;
        }
        for at in 0..size {
            let first = at * 8;
            let own = if (at as isize) < result { *mask.add(at) } else { 0 };
            let made = (0..8).fold(0, |byte, bit| byte | u8::from(first + bit < processors) << bit);
            *mask.add(at) = if processors == 0 { own } else { made };
        }
        0
    }

    /// A user or group, by the call that asks the kernel.
    unsafe fn user(number: c_long) -> c_uint {
        read();
        match USER.load(Relaxed) {
            0 => make_call(number, [0; 6]) as c_uint,
            user => user as c_uint,
        }
    }

    #[no_mangle]
    pub unsafe extern "C" fn getuid() -> c_uint {
        user(GETUID)
    }

    #[no_mangle]
    pub unsafe extern "C" fn geteuid() -> c_uint {
        user(GETEUID)
    }

    #[no_mangle]
    pub unsafe extern "C" fn getgid() -> c_uint {
        user(GETGID)
    }

    #[no_mangle]
    pub unsafe extern "C" fn getegid() -> c_uint {
        user(GETEGID)
    }

    /// In another world somebody else has started the process.
    #[no_mangle]
    pub unsafe extern "C" fn getppid() -> c_int {
        read();
        make_call(GETPPID, [0; 6]) as c_int + c_int::from(USER.load(Relaxed) != 0)
    }

    /// Which limit is that of open files.
    const FILES: c_int = 7;
    /// Those of the size of files and of data, of processes and of the address space, which a sandbox sets: not that of the stack,
    /// by which threads lay out their memory.
    const OF_SANDBOX: [c_int; 4] = [1, 2, 6, 9];
    const UNLIMITED: u64 = u64::MAX;
    const LIMITED: u64 = 1 << 45;

    #[no_mangle]
    pub unsafe extern "C" fn getrlimit(resource: c_int, limit: *mut [u64; 2]) -> c_int {
        read();
        let result = make_call(PRLIMIT, [0, resource as usize, 0, limit as usize, 0, 0]);
        let files = OPEN_FILES.load(Relaxed);
        if result == 0 && files != 0 {
            if resource == FILES {
                *limit = [files, files];
            } else if OF_SANDBOX.contains(&resource) {
                *limit = [if (*limit)[0] == UNLIMITED { LIMITED } else { UNLIMITED }, UNLIMITED];
            }
        }
        told(result) as c_int
    }

    #[no_mangle]
    pub unsafe extern "C" fn getrlimit64(resource: c_int, limit: *mut [u64; 2]) -> c_int {
        getrlimit(resource, limit)
    }

    /// Waits up to a point in time, of the wall clock with the first flag, else of the monotonic one.
    const WAIT_BITSET: usize = 9;
    const IS_WALL: usize = 256;
    const COMMANDS: usize = 127;

    /// Variadic in the C library; the registers are the same.
    #[no_mangle]
    pub unsafe extern "C" fn syscall(
        number: c_long,
        a: usize,
        b: usize,
        c: usize,
        d: usize,
        e: usize,
        f: usize,
    ) -> c_long {
        read();
        match number {
            CLOCK_GETTIME => return clock_gettime(a as c_int, b as *mut Time).into(),
            GETTIMEOFDAY => return gettimeofday(a as *mut Time, b as *mut c_void).into(),
            TIME => return time(a as *mut i64),
            GETUID | GETGID | GETEUID | GETEGID => return user(number).into(),
            GETRANDOM => return getrandom(a as *mut u8, b, c as c_uint) as c_long,
            // The kernel knows its own clocks only.
            FUTEX if b & COMMANDS == WAIT_BITSET && d != 0 => {
                let mut until = *(d as *const Time);
                until.seconds -= ahead(c_int::from(b & IS_WALL == 0));
                let until = core::ptr::addr_of!(until) as usize;
                return told(make_call(number, [a, b, c, until, e, f])) as c_long;
            }
            _ => {}
        }
        told(make_call(number, [a, b, c, d, e, f])) as c_long
    }
}

#[panic_handler]
fn end(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
