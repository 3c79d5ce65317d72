//! Fields of a struct expression with a base fall back to the base.

#[derive(Clone, Default)]
pub struct Style {
    pub bold: bool,
    pub size: u8,
}

pub fn heading(base: Style, size: u8) -> Style {
    Style { size, ..base }
}

pub fn strong() -> Style {
    Style { bold: true, ..Style::default() }
}

pub fn whole(size: u8) -> Style {
    Style { bold: false, size }
}

// mutants:
// 10:13 size → nothing
// 14:13 bold: true → nothing
