//! Where the kernel puts a program, its stack and its heap: by chance, as a protection against attackers. What a program
//! does with memory that is not its own can only be repeated where this is not left to chance.

/// The program that this process becomes, and all that it starts, has its memory at the same addresses every time. Where
/// that is refused, as in some containers, it goes on as it is: it costs no more than repeatability.
pub(super) fn fix() {
    const ASK: libc::c_ulong = 0xffff_ffff;
    let set = |persona: libc::c_ulong| {
        // SAFETY: concerns this process alone, and only from its next program on.
        #[expect(unsafe_code, reason = "no crate here has a safe form of it")]
        unsafe {
            libc::personality(persona)
        }
    };
    if let Ok(now) = libc::c_ulong::try_from(set(ASK)) {
        set(now | libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
    }
}
