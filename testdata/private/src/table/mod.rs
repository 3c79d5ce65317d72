//! A module in a folder.

pub(crate) struct Table {
    pub(crate) rows: u8,
}

impl Table {
    pub(crate) fn name(&self, row: u8) -> &'static str {
        if self.has(row) { "row" } else { "none" }
    }

    fn has(&self, row: u8) -> bool {
        row < self.rows
    }
}
