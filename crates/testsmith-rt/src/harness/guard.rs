//! The guard of the stack: a random number of each process that functions of the C library leave in their frames, where a
//! mutant that reads what nobody has written finds it. The thread that runs programs has one that is known.

/// Starts a thread that has a guard made of `salt`, and so have all that it starts. A thread takes the guard of the one
/// that starts it: ours is another one for as long as that takes.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_pointer_width = "64"))]
pub(super) fn known<R>(salt: usize, start: impl FnOnce() -> R) -> R {
    use std::arch::asm;

    let before: u64;
    // SAFETY: the compilers' convention for this system says what is there. Every function that is called from here
    // returns before the guard is as it was.
    unsafe { asm!("mov {}, fs:[0x28]", out(reg) before, options(nostack, preserves_flags, readonly)) };
    let set =
        |guard: u64| unsafe { asm!("mov fs:[0x28], {}", in(reg) guard, options(nostack, preserves_flags)) };
    set(GUARD + ((salt as u64) << 8));
    let started = start();
    set(before);
    started
}

/// No text goes over it, because its first byte is a zero; no address and no small number looks like it.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_pointer_width = "64"))]
const GUARD: u64 = 0x7e57_c0de_5afe_0000;

/// Elsewhere it cannot be chosen by a program.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_pointer_width = "64")))]
pub(super) fn known<R>(_salt: usize, start: impl FnOnce() -> R) -> R {
    start()
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64", target_pointer_width = "64"))]
mod tests {
    use super::*;

    fn guard() -> u64 {
        let guard: u64;
        // SAFETY: as above.
        unsafe { std::arch::asm!("mov {}, fs:[0x28]", out(reg) guard) };
        guard
    }

    #[test]
    fn the_guard_is_known_in_the_thread_and_in_those_that_it_starts() {
        let before = guard();
        let thread = known(2, || {
            std::thread::spawn(|| [guard(), std::thread::spawn(guard).join().expect("it only looks")])
        });
        assert_eq!(thread.join().expect("it only looks"), [GUARD + 0x200; 2]);
        assert_eq!(guard(), before, "here it is as it was");
    }
}
