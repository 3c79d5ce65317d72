//! Tables of references and the instructions on them.

use super::Machine;
use crate::wasm::Trap;

impl Machine<'_> {
    pub(super) fn table_get(&self, table: u32, index: u32) -> Result<u64, Trap> {
        self.tables[table as usize].get(index as usize).copied().ok_or(Trap::TableOutOfBounds)
    }

    pub(super) fn table_set(&mut self, table: u32, index: u32, reference: u64) -> Result<(), Trap> {
        let slot = self.tables[table as usize].get_mut(index as usize);
        *slot.ok_or(Trap::TableOutOfBounds)? = reference;
        Ok(())
    }

    /// The size before, or all ones when it would be too large.
    pub(super) fn table_grow(&mut self, table: u32, reference: u64, more: u32) -> u32 {
        let most = self.module.tables[table as usize].1.min(1 << 24);
        let table = &mut self.tables[table as usize];
        let before = table.len() as u64;
        if before + u64::from(more) > most {
            return u32::MAX;
        }
        table.resize((before + u64::from(more)) as usize, reference);
        before as u32
    }

    pub(super) fn table_fill(&mut self, table: u32, at: u32, value: u64, count: u32) -> Result<(), Trap> {
        let table = &mut self.tables[table as usize];
        let range = range(table.len(), at, count)?;
        table[range].fill(value);
        Ok(())
    }

    pub(super) fn table_copy(&mut self, to: (u32, u32), from: (u32, u32), count: u32) -> Result<(), Trap> {
        let source = &self.tables[from.0 as usize];
        let references = source[range(source.len(), from.1, count)?].to_vec();
        let target = &mut self.tables[to.0 as usize];
        let range = range(target.len(), to.1, count)?;
        target[range].copy_from_slice(&references);
        Ok(())
    }

    pub(super) fn table_init(
        &mut self,
        table: u32,
        segment: u32,
        to: u32,
        from: u32,
        count: u32,
    ) -> Result<(), Trap> {
        let module = self.module;
        let source: &[u64] = match self.dropped_elements[segment as usize] {
            true => &[],
            false => &module.elements[segment as usize].references,
        };
        let source = &source[range(source.len(), from, count)?];
        let target = &mut self.tables[table as usize];
        let range = range(target.len(), to, count)?;
        target[range].copy_from_slice(source);
        Ok(())
    }
}

fn range(len: usize, at: u32, count: u32) -> Result<std::ops::Range<usize>, Trap> {
    let (start, end) = (at as usize, at as usize + count as usize);
    if end <= len { Ok(start..end) } else { Err(Trap::TableOutOfBounds) }
}
