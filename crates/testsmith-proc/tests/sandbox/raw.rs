//! System calls as they are, for attempts that no library would make.

use std::io;

use libc::{c_long, c_void};

/// What a call says: a number, or the error that it set.
fn answer(result: c_long) -> io::Result<c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Calls by number, with arguments that are numbers or addresses of what outlives the call.
pub(crate) fn call(number: c_long, arguments: [c_long; 5]) -> io::Result<()> {
    let [a, b, c, d, e] = arguments;
    // SAFETY: callers pass numbers, null, or pointers to live values of the right size.
    answer(unsafe { libc::syscall(number, a, b, c, d, e) }).map(drop)
}

/// The address of a value that lives until the call is over.
pub(crate) fn address<T: ?Sized>(value: &T) -> c_long {
    std::ptr::from_ref(value).cast::<c_void>() as c_long
}

/// The address of a value that the call may change.
pub(crate) fn address_mut<T>(value: &mut T) -> c_long {
    std::ptr::from_mut(value).cast::<c_void>() as c_long
}

/// Starts a process in a new user namespace, the way `clone` does; it ends at once.
pub(crate) fn clone_into_namespace() -> io::Result<()> {
    let flags = c_long::from(libc::CLONE_NEWUSER | libc::SIGCHLD);
    // SAFETY: without a stack of its own, the new process goes on with a copy of this one's memory, as
    // after `fork`, and makes one call that is safe there.
    let pid = answer(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?;
    if pid == 0 {
        // SAFETY: it ends the process and nothing else.
        unsafe { libc::_exit(0) };
    }
    Ok(())
}
