//! Where the kernel puts a program, its stack and its heap: by chance, as a protection against attackers. What a program
//! does with memory that is not its own can only be repeated where this is not left to chance.

/// What `start` starts has its memory at the same addresses every time, and so has all that this starts in turn. Where
/// that is refused, as in some containers, it goes on as it is: it costs no more than repeatability.
#[cfg(target_os = "linux")]
pub(crate) fn fixed<R>(start: impl FnOnce() -> R) -> R {
    const ASK: libc::c_ulong = 0xffff_ffff;
    let set = |persona: libc::c_ulong| {
        // SAFETY: concerns this thread alone, and only programs that it starts.
        #[expect(unsafe_code, reason = "no crate here has a safe form of it")]
        let before = unsafe { libc::personality(persona) };
        libc::c_ulong::try_from(before).ok()
    };
    let before = set(ASK);
    before.map(|before| set(before | libc::ADDR_NO_RANDOMIZE as libc::c_ulong));
    let started = start();
    before.map(set);
    started
}

/// Elsewhere nobody asks.
#[cfg(not(target_os = "linux"))]
pub(crate) fn fixed<R>(start: impl FnOnce() -> R) -> R {
    start()
}
