//! A table on the terminal: words to the left, figures to the right.

/// Renders `rows` under `header`; the first `words` columns are left-aligned.
pub(super) fn table(header: &[&str], words: usize, rows: &[Vec<String>]) -> String {
    let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
    let all = || std::iter::once(&header).chain(rows);
    let widths: Vec<usize> = (0..header.len())
        .map(|column| {
            all().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column < words { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    all().map(line).collect()
}

/// A figure with `digits` after the point, or a dash.
pub(super) fn figure(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_left_and_figures_right() {
        let rows = [vec!["a".to_owned(), "10.0".to_owned()], vec!["long".to_owned(), figure(None, 1)]];
        assert_eq!(table(&["tool", "s"], 1, &rows), "tool     s\na     10.0\nlong     -\n");
    }

    #[test]
    fn figures_are_rounded() {
        assert_eq!(figure(Some(1.26), 1), "1.3");
    }
}
