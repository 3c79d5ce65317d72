//! Public functions that never ask all that the private ones behind them can answer.

mod digits;
mod table;

/// How many decimal digits a text has.
pub fn decimal_digits(text: &str) -> usize {
    digits::count(text, 10)
}

/// What a row is called.
pub fn row_name(row: u8) -> &'static str {
    table::Table { rows: 3 }.name(row % 2)
}

/// Whether it is one of the first rows.
pub fn is_early(row: u8) -> bool {
    shelf::is_low(row)
}

mod shelf {
    pub(super) fn is_low(row: u8) -> bool {
        below(row, 2)
    }

    /// Only this module sees it, and it has no file of its own.
    fn below(row: u8, limit: u8) -> bool {
        if limit == 0 {
            return false;
        }
        row < limit
    }
}
