//! Processors whose system calls nobody has put in a table. The `seccomp` of the others has the same
//! function.

use super::{Landlock, Policy};

/// Cannot be had on this processor either.
pub(super) fn install_in_namespaces(policy: &Policy, landlock: Landlock) -> Result<(), &'static str> {
    install(policy, landlock)
}

/// Cannot be had on this processor.
pub(super) fn install(_policy: &Policy, _landlock: Landlock) -> Result<(), &'static str> {
    Err("not known for this processor")
}
