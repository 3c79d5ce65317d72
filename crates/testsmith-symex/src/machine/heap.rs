//! The memory as expressions see it: loads and stores of values that depend on inputs, at addresses that may.
//!
//! An address that depends on inputs is treated in one of two ways. Heap simulation goes on with the one address of this run
//! and puts `address = concrete address` on the path. Heap reasoning reads a table of if-then-else over all cells that the
//! address can be, and a store changes each of them under the condition that it is meant. Which cells those are is known
//! from the form of the address and from the path (`range`, `facts`), without a solver. The cost of reasoning is the number
//! of cells; `HeapMode` can force either.

use std::collections::BTreeMap;

use super::HeapMode;
use super::memory::Memory;
use super::symbolic::Symbolic;
use super::value::Value;
use crate::expr::{Expr, Exprs};
use crate::wasm::{Load, Trap};

/// Where a load or a store goes.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub(super) place: u32,
    pub(super) address: Value,
    pub(super) offset: u32,
    pub(super) bytes: u32,
}

impl Access {
    fn concrete(self) -> u64 {
        u64::from(self.address.low()) + u64::from(self.offset)
    }

    fn in_bounds(self, memory: &Memory) -> bool {
        self.concrete() + u64::from(self.bytes) <= memory.len() as u64
    }
}

impl Memory {
    /// The expression of a few bytes, the first lowest; nothing where all are concrete.
    pub(super) fn joined(&self, exprs: &mut Exprs, at: usize, bytes: usize) -> Option<Expr> {
        if (at..at + bytes).all(|byte| self.expr(byte).is_none()) {
            return None;
        }
        let part = |exprs: &mut Exprs, at: usize| match self.expr(at) {
            Some(expr) => expr,
            None => exprs.constant(8, u128::from(self.byte(at))),
        };
        // From the lowest byte up, so that extracts of one value grow together again.
        let first = part(exprs, at);
        Some((at + 1..at + bytes).fold(first, |low, at| {
            let high = part(exprs, at);
            exprs.concat(high, low)
        }))
    }

    /// Gives bytes, whose concrete values are there already, an expression.
    pub(super) fn store_expr(&mut self, exprs: &mut Exprs, at: usize, bytes: usize, expr: Expr) {
        for byte in 0..bytes {
            let part = exprs.extract(byte as u32 * 8, 8, expr);
            let known = exprs.as_constant(part).is_some();
            self.set_expr(at + byte, (!known).then_some(part));
        }
    }

    fn little_endian(&self, at: usize, bytes: usize) -> u64 {
        (0..bytes).fold(0, |value, byte| value | u64::from(self.byte(at + byte)) << (8 * byte))
    }
}

impl Symbolic<'_> {
    /// A load where the address or a byte of memory depends on inputs, or that is out of bounds.
    #[cold]
    #[inline(never)]
    pub(super) fn load(&mut self, memory: &Memory, access: Access, load: Load) -> Result<Value, Trap> {
        let cells = self.cells(memory, access, self.options.load_cells);
        if !access.in_bounds(memory) {
            return Err(Trap::MemoryOutOfBounds);
        }
        let (at, bytes) = (access.concrete() as usize, access.bytes as usize);
        let raw = memory.little_endian(at, bytes);
        let expr = match cells {
            Some(cells) => Some(self.load_cells(memory, access, &cells)),
            None => memory.joined(self.exprs, at, bytes),
        };
        let (from, to) = (u32::from(load.bytes) * 8, u32::from(load.width));
        let bits = extended(raw, from, to, load.signed);
        let Some(expr) = expr else { return Ok(Value::concrete(bits)) };
        let expr = match load.signed {
            true => self.exprs.sext(to, expr),
            false => self.exprs.zext(to, expr),
        };
        Ok(self.value(bits, expr))
    }

    /// A store where the address or the value depends on inputs, or that changes bytes that do, or that is out of bounds.
    #[cold]
    #[inline(never)]
    pub(super) fn store(&mut self, memory: &mut Memory, access: Access, value: Value) -> Result<(), Trap> {
        let cells = self.cells(memory, access, self.options.store_cells);
        if !access.in_bounds(memory) {
            return Err(Trap::MemoryOutOfBounds);
        }
        let (at, bytes) = (access.concrete() as usize, access.bytes as usize);
        match cells {
            Some(cells) => self.store_cells(memory, access, value, &cells)?,
            None => {
                memory.write(at as u64, &value.bits.to_le_bytes()[..bytes])?;
                if let Some(expr) = value.expr {
                    memory.store_expr(self.exprs, at, bytes, expr);
                }
            }
        }
        Ok(())
    }

    /// The addresses, without offset, that a table has to have cells for. Nothing where there is one address: a concrete
    /// one, or one that the path fixes from here on.
    fn cells(&mut self, memory: &Memory, access: Access, most: usize) -> Option<Vec<u64>> {
        let address = access.address.expr?;
        if self.facts.value(address).is_some() {
            return None;
        }
        let most = match self.options.heap {
            HeapMode::ByCost => most,
            HeapMode::Simulation => 1,
            HeapMode::Reasoning => 1 << 16,
        };
        let behind = u64::from(access.offset) + u64::from(access.bytes);
        let cells = self.facts.values(self.exprs, address, most).filter(|cells| {
            cells.len() > 1 && cells.last().is_some_and(|last| last + behind <= memory.len() as u64)
        });
        if cells.is_none() {
            self.fix(access.place, access.address);
        }
        cells
    }

    /// The value at any of the cells: a tree of comparisons, one for each border between runs of equal values.
    fn load_cells(&mut self, memory: &Memory, access: Access, cells: &[u64]) -> Expr {
        let address = access.address.expr.expect("tables are for addresses that depend on inputs");
        let mut runs: Vec<(u64, Expr)> = Vec::new();
        for &cell in cells {
            let at = (cell + u64::from(access.offset)) as usize;
            let value = memory.joined(self.exprs, at, access.bytes as usize).unwrap_or_else(|| {
                let value = memory.little_endian(at, access.bytes as usize);
                self.exprs.constant(access.bytes * 8, u128::from(value))
            });
            if runs.last().is_none_or(|(_, last)| *last != value) {
                runs.push((cell, value));
            }
        }
        self.choose(address, &runs)
    }

    /// The value of the run that the address lies in; runs are given by their first address.
    fn choose(&mut self, address: Expr, runs: &[(u64, Expr)]) -> Expr {
        if let [(_, only)] = runs {
            return *only;
        }
        let (low, high) = runs.split_at(runs.len() / 2);
        let border = self.exprs.constant(self.exprs.width(address), u128::from(high[0].0));
        let below = self.exprs.ult(address, border);
        let (low, high) = (self.choose(address, low), self.choose(address, high));
        self.exprs.ite(below, low, high)
    }

    /// Changes each cell under the condition that it is meant.
    fn store_cells(
        &mut self,
        memory: &mut Memory,
        access: Access,
        value: Value,
        cells: &[u64],
    ) -> Result<(), Trap> {
        let address = access.address.expr.expect("tables are for addresses that depend on inputs");
        let (width, bytes) = (self.exprs.width(address), access.bytes as usize);
        let full =
            if bytes == 8 || value.expr.is_some_and(|expr| self.exprs.width(expr) == 64) { 64 } else { 32 };
        let new = self.expr_of(value, full);
        // Cells may overlap, so what they were before is read first.
        let mut changed: BTreeMap<usize, Expr> = BTreeMap::new();
        for &cell in cells {
            let here = self.exprs.constant(width, u128::from(cell));
            let meant = self.exprs.eq(address, here);
            for byte in 0..bytes {
                let at = (cell + u64::from(access.offset)) as usize + byte;
                let old = changed.get(&at).copied().or_else(|| memory.expr(at));
                let old = old.unwrap_or_else(|| self.exprs.constant(8, u128::from(memory.byte(at))));
                let part = self.exprs.extract(byte as u32 * 8, 8, new);
                let either = self.exprs.ite(meant, part, old);
                changed.insert(at, either);
            }
        }
        memory.write(access.concrete(), &value.bits.to_le_bytes()[..bytes])?;
        for (at, expr) in changed {
            let known = self.exprs.as_constant(expr).is_some();
            memory.set_expr(at, (!known).then_some(expr));
        }
        Ok(())
    }
}

fn extended(raw: u64, from: u32, to: u32, signed: bool) -> u64 {
    if !signed || from == 64 {
        return raw;
    }
    let shift = 64 - from;
    let value = ((raw << shift) as i64 >> shift) as u64;
    if to == 32 { value & u64::from(u32::MAX) } else { value }
}
