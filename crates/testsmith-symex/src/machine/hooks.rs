//! Functions that are not executed but known: entries of panics, hashing, and 128-bit arithmetic.
//!
//! Main types: [`Hooks`], which kinds are on, and [`Hook`], what a function of the module is. They are found by name, so a
//! module without a name section has none. A hooked product is one multiplication of 128 bits for the solver in place of
//! a dozen of 32, and a hash that is always the same is legal for a collection: only its order changes.

mod wide;

use super::host::HostCall;
use super::value::Value;
use super::{Panic, Stop};
use crate::wasm::{Function, Module, ValType};
use wide::Wide;

/// Which kinds of functions are not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hooks {
    /// Entries of panics end the run, or the innermost `attempt`.
    pub panics: bool,
    /// Hashes of the standard library are always the same.
    pub hashes: bool,
    /// 128-bit products, quotients, remainders and shifts are single operations.
    pub wide: bool,
}

impl Default for Hooks {
    fn default() -> Self {
        Self { panics: true, hashes: true, wide: true }
    }
}

/// What a known function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hook {
    Panic,
    Hash,
    Wide(Wide),
}

/// Paths of functions that start a panic and do more than hand on their arguments, such as cutting text.
const PANICS: &[&str] = &[
    "core::panicking::",
    "std::panicking::begin_panic",
    "std::panicking::panic_with_hook",
    "core::option::unwrap_failed",
    "core::option::expect_failed",
    "core::result::unwrap_failed",
    "core::cell::panic_already_",
    "core::slice::index::slice_",
    "core::str::slice_error_fail",
];

/// What every hash is.
const HASH: u64 = 0x2545_f491_4f6c_dd1d;

impl Hook {
    /// What is known of a function.
    pub(super) fn of(module: &Module, function: &Function, hooks: Hooks) -> Option<Self> {
        let name = function.name.as_str();
        let signature = &module.signatures[function.signature as usize];
        if hooks.panics && signature.results.is_empty() && PANICS.iter().any(|path| name.starts_with(path)) {
            return Some(Self::Panic);
        }
        if hooks.hashes && signature.results == [ValType::I64] && hashes(name) {
            return Some(Self::Hash);
        }
        if hooks.wide && signature.results.is_empty() {
            return Wide::named(name, &signature.params).map(Self::Wide);
        }
        None
    }

    pub(super) fn call(
        self,
        call: &mut HostCall<'_, '_>,
        panic: impl FnOnce(&HostCall<'_, '_>) -> Panic,
    ) -> Result<(), Stop> {
        match self {
            Self::Panic => return Err(Stop::Panic(panic(call))),
            Self::Hash => call.values[0] = Value::concrete(HASH),
            Self::Wide(op) => op.call(call)?,
        }
        Ok(())
    }
}

/// Hashing with the standard library's own hasher, whichever way the compiler mangled the name.
fn hashes(name: &str) -> bool {
    let of_builder = name.contains("core::hash::BuildHasher") && name.contains("::hash_one");
    let std_hasher = name.contains("DefaultHasher") || name.contains("core::hash::sip");
    of_builder || (std_hasher && name.ends_with("Hasher>::finish"))
}

/// File, line and column of a panic from its `Location`: the last argument of every entry.
pub(super) fn panic_location(call: &HostCall<'_, '_>, arguments: usize) -> Option<(String, u32, u32)> {
    let at = call.values[..arguments].last()?.low();
    let word = |offset: u64| {
        let bytes = call.memory.slice(u64::from(at) + offset, 4).ok()?;
        Some(u32::from_le_bytes(bytes.try_into().expect("it has four bytes")))
    };
    let (file, len) = (word(0)?, word(4)?);
    // Text with its terminating zero in newer versions of the library.
    if at == 0 || len == 0 || len > 4096 {
        return None;
    }
    let file = call.memory.slice(u64::from(file), u64::from(len)).ok()?;
    let file = std::str::from_utf8(file).ok()?.trim_end_matches('\0');
    Some((file.to_owned(), word(8)?, word(12)?))
}
