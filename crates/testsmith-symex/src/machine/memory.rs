//! Linear memory with a shadow: for each byte that depends on inputs, its expression.
//!
//! Main type: [`Memory`]. The shadow is kept in pages and absent where all bytes are concrete. Pages that were written are
//! remembered, so that a reset copies a few pages and not the memory.

use crate::expr::Expr;
use crate::wasm::Trap;

/// Bytes of a page, the unit of the shadow and of resets (a sixteenth of wasm's own).
pub const PAGE: usize = 4096;
const SHIFT: u32 = PAGE.trailing_zeros();
/// Bytes of wasm's page.
const WASM_PAGE: u64 = 65_536;

/// Some byte of the page has an expression.
const SHADOWED: u8 = 1;
/// The page was written since the snapshot.
const CHANGED: u8 = 2;

type ShadowPage = Box<[Option<Expr>; PAGE]>;

/// The bytes of a program and what they are in terms of the inputs.
pub struct Memory {
    bytes: Vec<u8>,
    /// What is known of each page.
    flags: Vec<u8>,
    shadow: Vec<Option<ShadowPage>>,
    changed: Vec<u32>,
    /// Shadow pages without an entry, for use again.
    spare: Vec<ShadowPage>,
    most: u64,
}

impl Memory {
    /// A memory of so many wasm pages that grows to `most` bytes.
    pub(super) fn new(pages: u64, most: u64) -> Self {
        let mut memory = Self {
            bytes: Vec::new(),
            flags: Vec::new(),
            shadow: Vec::new(),
            changed: Vec::new(),
            spare: Vec::new(),
            most,
        };
        memory.resize((pages * WASM_PAGE) as usize);
        memory
    }

    fn resize(&mut self, bytes: usize) {
        self.bytes.resize(bytes, 0);
        self.flags.resize(bytes / PAGE, 0);
        self.shadow.resize_with(bytes / PAGE, || None);
    }

    /// Size in wasm pages.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.bytes.len() as u64 / WASM_PAGE
    }

    /// Grows by so many wasm pages and returns the size before, or nothing when it would be too large.
    pub(super) fn grow(&mut self, pages: u64) -> Option<u64> {
        let before = self.pages();
        let after = before.checked_add(pages)?.checked_mul(WASM_PAGE).filter(|after| *after <= self.most)?;
        self.resize(after as usize);
        Some(before)
    }

    /// Size in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is no memory at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The bytes of a range.
    ///
    /// # Errors
    /// When the range ends beyond the memory.
    pub fn slice(&self, at: u64, len: u64) -> Result<&[u8], Trap> {
        let (start, end) = self.range(at, len)?;
        Ok(&self.bytes[start..end])
    }

    fn range(&self, at: u64, len: u64) -> Result<(usize, usize), Trap> {
        match at.checked_add(len) {
            Some(end) if end <= self.bytes.len() as u64 => Ok((at as usize, end as usize)),
            _ => Err(Trap::MemoryOutOfBounds),
        }
    }

    /// Reads bytes that are all concrete; nothing where they are not, or not there.
    #[inline(always)]
    pub(super) fn read_concrete<const N: usize>(&self, at: u64) -> Option<[u8; N]> {
        let at = at as usize;
        let bytes = self.bytes.get(at..at + N)?;
        let (first, last) = (at >> SHIFT, (at + N - 1) >> SHIFT);
        if (self.flags[first] | self.flags[last]) & SHADOWED != 0 {
            return None;
        }
        Some(bytes.try_into().expect("the slice has N bytes"))
    }

    /// Writes concrete bytes where the pages are known to be changed and without shadow. Returns whether it did.
    #[inline(always)]
    pub(super) fn write_concrete<const N: usize>(&mut self, at: u64, value: [u8; N]) -> bool {
        let at = at as usize;
        let (first, last) = (at >> SHIFT, (at + N - 1) >> SHIFT);
        let ready = matches!((self.flags.get(first), self.flags.get(last)), (Some(&CHANGED), Some(&CHANGED)));
        if ready {
            self.bytes[at..at + N].copy_from_slice(&value);
        }
        ready
    }

    /// Writes concrete bytes; what was known of them as expressions is gone.
    ///
    /// # Errors
    /// When they end beyond the memory.
    pub fn write(&mut self, at: u64, value: &[u8]) -> Result<(), Trap> {
        let (start, end) = self.range(at, value.len() as u64)?;
        self.touch(start, end);
        self.bytes[start..end].copy_from_slice(value);
        self.clear_shadow(start, end);
        Ok(())
    }

    /// Fills a range with a concrete byte.
    pub(super) fn fill(&mut self, at: u64, value: u8, len: u64) -> Result<(), Trap> {
        let (start, end) = self.range(at, len)?;
        self.touch(start, end);
        self.bytes[start..end].fill(value);
        self.clear_shadow(start, end);
        Ok(())
    }

    /// Copies a range, with its expressions; the ranges may overlap.
    pub(super) fn copy(&mut self, to: u64, from: u64, len: u64) -> Result<(), Trap> {
        let (source, source_end) = self.range(from, len)?;
        let (target, target_end) = self.range(to, len)?;
        if len == 0 {
            return Ok(());
        }
        self.touch(target, target_end);
        let shadowed = self.shadowed(source, source_end);
        let exprs: Vec<Option<Expr>> =
            if shadowed { (source..source_end).map(|at| self.expr(at)).collect() } else { Vec::new() };
        self.bytes.copy_within(source..source_end, target);
        self.clear_shadow(target, target_end);
        for (at, expr) in exprs.into_iter().enumerate() {
            if expr.is_some() {
                self.set_expr(target + at, expr);
            }
        }
        Ok(())
    }

    /// The expression of a byte, 8 bits wide.
    #[must_use]
    pub fn expr(&self, at: usize) -> Option<Expr> {
        self.shadow[at >> SHIFT].as_ref().and_then(|page| page[at & (PAGE - 1)])
    }

    /// The concrete byte.
    #[must_use]
    pub fn byte(&self, at: usize) -> u8 {
        self.bytes[at]
    }

    /// Sets the expression of a byte; its concrete value stays.
    pub(super) fn set_expr(&mut self, at: usize, expr: Option<Expr>) {
        let page = at >> SHIFT;
        if self.shadow[page].is_none() {
            if expr.is_none() {
                return;
            }
            let fresh = || vec![None; PAGE].into_boxed_slice().try_into().expect("it has that length");
            self.shadow[page] = Some(self.spare.pop().unwrap_or_else(fresh));
        }
        self.touch(at, at + 1);
        self.flags[page] |= SHADOWED;
        let shadow = self.shadow[page].as_mut().expect("it was just made");
        shadow[at & (PAGE - 1)] = expr;
    }

    /// Marks the pages of a range as changed.
    fn touch(&mut self, start: usize, end: usize) {
        if start == end {
            return;
        }
        for page in start >> SHIFT..=(end - 1) >> SHIFT {
            if self.flags[page] & CHANGED == 0 {
                self.flags[page] |= CHANGED;
                self.changed.push(page as u32);
            }
        }
    }

    /// Whether a byte of the range may have an expression.
    fn shadowed(&self, start: usize, end: usize) -> bool {
        start < end && (start >> SHIFT..=(end - 1) >> SHIFT).any(|page| self.flags[page] & SHADOWED != 0)
    }

    fn clear_shadow(&mut self, start: usize, end: usize) {
        if self.shadowed(start, end) {
            (start..end).for_each(|at| self.set_expr(at, None));
        }
    }

    /// Takes what is there now as what a reset goes back to.
    ///
    /// # Panics
    /// When a byte depends on inputs: those come after the snapshot.
    pub(super) fn keep(&mut self) -> Vec<u8> {
        assert!(self.shadow.iter().all(Option::is_none), "inputs are made after the snapshot");
        self.flags.fill(0);
        self.changed.clear();
        self.bytes.clone()
    }

    /// Makes the memory what it was when `kept` was taken.
    pub(super) fn reset(&mut self, kept: &[u8]) {
        for page in self.changed.drain(..) {
            let page = page as usize;
            self.flags[page] = 0;
            if let Some(mut shadow) = self.shadow[page].take() {
                shadow.fill(None);
                self.spare.push(shadow);
            }
            let start = page * PAGE;
            if let Some(before) = kept.get(start..start + PAGE) {
                self.bytes[start..start + PAGE].copy_from_slice(before);
            }
        }
        self.resize(kept.len());
    }
}
