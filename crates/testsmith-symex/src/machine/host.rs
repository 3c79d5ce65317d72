//! What the program may ask of the outside: functions that it imports.
//!
//! Main trait: [`Host`]. The engine answers WASI itself (`wasi`) and catches panics (`attempt`, `halt` of the module
//! `testsmith`); every other import goes to the host of the caller.

use super::memory::Memory;
use super::symbolic::Symbolic;
use super::value::Value;
use super::{Stop, wasi};
use crate::expr::Exprs;
use crate::wasm::{Import, Trap};

/// Answers imports that the engine does not know itself.
pub trait Host {
    /// A number by which [`Host::call`] knows the import again; nothing when there is no such function. A program that calls
    /// one that is not there ends as unsupported.
    fn link(&self, import: &Import) -> Option<u32>;

    /// Answers a call: reads arguments and writes results of `call`.
    ///
    /// # Errors
    /// When the run ends here.
    fn call(&mut self, function: u32, call: &mut HostCall<'_, '_>) -> Result<(), Stop>;
}

/// A host that has no function.
pub struct NoHost;

impl Host for NoHost {
    fn link(&self, _import: &Import) -> Option<u32> {
        None
    }

    fn call(&mut self, function: u32, _call: &mut HostCall<'_, '_>) -> Result<(), Stop> {
        unreachable!("function {function} of a host without functions")
    }
}

/// A call of an imported function: its values, and what it may look at and change.
pub struct HostCall<'a, 'e> {
    /// The place of the call in the module's code.
    pub place: u32,
    /// Arguments from 0 on; results go to the same places.
    pub values: &'a mut [Value],
    /// The program's memory.
    pub memory: &'a mut Memory,
    /// Expressions and path.
    pub symbolic: &'a mut Symbolic<'e>,
}

impl HostCall<'_, '_> {
    /// An argument, which the path fixes where it depends on inputs.
    pub fn fixed(&mut self, argument: usize) -> u64 {
        self.symbolic.fix(self.place, self.values[argument])
    }

    /// An argument as an address or a length, fixed likewise.
    pub fn fixed_low(&mut self, argument: usize) -> u32 {
        self.fixed(argument) as u32
    }

    /// Makes bytes of memory an input: the variable of this number. Its value in this run is `bits`, or else what is there; it
    /// is returned. The first byte is the lowest.
    ///
    /// # Errors
    /// When the bytes end beyond the memory.
    pub fn input(&mut self, at: u32, bytes: u32, variable: u32, bits: Option<u128>) -> Result<u128, Trap> {
        let at = u64::from(at);
        if let Some(bits) = bits {
            self.memory.write(at, &bits.to_le_bytes()[..bytes as usize])?;
        }
        let mut value = [0; 16];
        value[..bytes as usize].copy_from_slice(self.memory.slice(at, u64::from(bytes))?);
        let whole = self.symbolic.exprs.variable(variable, bytes * 8);
        self.memory.store_expr(self.symbolic.exprs, at as usize, bytes as usize, whole);
        Ok(u128::from_le_bytes(value))
    }

    /// The expression of bytes of memory, the first byte lowest, or nothing where all are concrete.
    ///
    /// # Errors
    /// When the bytes end beyond the memory.
    pub fn expr_at(&mut self, at: u32, bytes: u32) -> Result<Option<crate::expr::Expr>, Trap> {
        self.memory.slice(u64::from(at), u64::from(bytes))?;
        Ok(self.memory.joined(self.symbolic.exprs, at as usize, bytes as usize))
    }

    /// The table of expressions.
    pub fn exprs(&mut self) -> &mut Exprs {
        self.symbolic.exprs
    }
}

/// What a call of an import does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Link {
    Wasi(wasi::Function),
    /// Runs a function of the table and catches panics and halts in it.
    Attempt,
    /// Ends the innermost attempt with a number.
    Halt,
    Host(u32),
    /// Nobody has it: the run ends when it is called.
    Missing,
}

/// Who answers an import.
pub(super) fn link(import: &Import, host: &dyn Host) -> Link {
    let engine = match (import.module.as_str(), import.name.as_str()) {
        ("testsmith", "attempt") => Some(Link::Attempt),
        ("testsmith", "halt") => Some(Link::Halt),
        ("wasi_snapshot_preview1", name) => Some(Link::Wasi(wasi::Function::named(name))),
        _ => None,
    };
    engine.or_else(|| host.link(import).map(Link::Host)).unwrap_or(Link::Missing)
}
