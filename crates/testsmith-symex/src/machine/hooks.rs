//! Functions that are not executed but known: entries of panics, hashing, and 128-bit arithmetic.
//!
//! Main types: [`Hooks`], which kinds are on, and [`Hook`], what a function of the module is. They are found by name, so a
//! module without a name section has none. A hooked product is one multiplication of 128 bits for the solver in place of
//! a dozen of 32, and a hash that is always the same is legal for a collection: only its order changes.

use super::host::HostCall;
use super::value::Value;
use super::{Panic, Stop};
use crate::expr::{Expr, Op};
use crate::wasm::{Function, Module, ValType};

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

/// 128-bit operations of the compiler's run-time library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wide {
    Mul,
    UDiv,
    URem,
    SDiv,
    SRem,
    Shl,
    LShr,
    AShr,
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

impl Wide {
    fn named(name: &str, params: &[ValType]) -> Option<Self> {
        use ValType::{I32, I64};
        let (op, second) = match name {
            "__multi3" => (Self::Mul, &[I64, I64][..]),
            "__udivti3" => (Self::UDiv, &[I64, I64][..]),
            "__umodti3" => (Self::URem, &[I64, I64][..]),
            "__divti3" => (Self::SDiv, &[I64, I64][..]),
            "__modti3" => (Self::SRem, &[I64, I64][..]),
            "__ashlti3" => (Self::Shl, &[I32][..]),
            "__lshrti3" => (Self::LShr, &[I32][..]),
            "__ashrti3" => (Self::AShr, &[I32][..]),
            _ => return None,
        };
        let expected: Vec<ValType> = [I32, I64, I64].iter().chain(second).copied().collect();
        (params == expected).then_some(op)
    }

    /// Arguments: where the result goes, the halves of both operands, low first; a shift has its amount in 32 bits.
    fn call(self, call: &mut HostCall<'_, '_>) -> Result<(), Stop> {
        let to = u64::from(call.fixed_low(0));
        let a = (call.values[1], call.values[2]);
        let shifts = matches!(self, Self::Shl | Self::LShr | Self::AShr);
        let b = if shifts { (call.values[3], Value::default()) } else { (call.values[3], call.values[4]) };
        let (bits_a, bits_b) = (joined(a), if shifts { u128::from(b.0.low()) } else { joined(b) });
        let divides = matches!(self, Self::UDiv | Self::URem | Self::SDiv | Self::SRem);
        if divides && bits_b == 0 {
            // The library's own answer to what its callers exclude.
            return Err(crate::wasm::Trap::Unreachable.into());
        }
        let result = self.compute(bits_a, bits_b);
        call.memory.write(to, &result.to_le_bytes())?;
        if [a.0, a.1, b.0, b.1].iter().any(|half| half.expr.is_some()) {
            let expr = self.expr(call, a, b, shifts);
            call.memory.store_expr(call.symbolic.exprs, to as usize, 16, expr);
        }
        Ok(())
    }

    fn compute(self, a: u128, b: u128) -> u128 {
        match self {
            Self::Mul => a.wrapping_mul(b),
            Self::UDiv => a / b,
            Self::URem => a % b,
            Self::SDiv => (a as i128).wrapping_div(b as i128) as u128,
            Self::SRem => (a as i128).wrapping_rem(b as i128) as u128,
            Self::Shl => a.wrapping_shl(b as u32),
            Self::LShr => a.wrapping_shr(b as u32),
            Self::AShr => (a as i128).wrapping_shr(b as u32) as u128,
        }
    }

    fn expr(self, call: &mut HostCall<'_, '_>, a: (Value, Value), b: (Value, Value), shifts: bool) -> Expr {
        let symbolic = &mut *call.symbolic;
        let mut whole = |(low, high): (Value, Value)| {
            let (low, high) = (symbolic.expr_of(low, 64), symbolic.expr_of(high, 64));
            symbolic.exprs.concat(high, low)
        };
        let a = whole(a);
        let b = if shifts {
            let amount = symbolic.expr_of(b.0, 32);
            let mask = symbolic.exprs.constant(32, 127);
            let amount = symbolic.exprs.and(amount, mask);
            symbolic.exprs.zext(128, amount)
        } else {
            whole(b)
        };
        let op = match self {
            Self::Mul => Op::Mul,
            Self::UDiv => Op::UDiv,
            Self::URem => Op::URem,
            Self::SDiv => Op::SDiv,
            Self::SRem => Op::SRem,
            Self::Shl => Op::Shl,
            Self::LShr => Op::LShr,
            Self::AShr => Op::AShr,
        };
        symbolic.exprs.binary(op, a, b)
    }
}

fn joined((low, high): (Value, Value)) -> u128 {
    u128::from(low.bits) | u128::from(high.bits) << 64
}
