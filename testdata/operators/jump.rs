//! `break` and `continue` become each other, with their labels; a `break` with a value stays.

pub fn first_even(rows: &[Vec<u32>]) -> Option<u32> {
    let mut found = None;
    'rows: for row in rows {
        for value in row {
            if value % 2 != 0 {
                continue;
            }
            found = Some(*value);
            break 'rows;
        }
    }
    found
}

pub fn doubled_until(limit: u32) -> u32 {
    let mut value = 1;
    loop {
        if value > limit {
            break value;
        }
        value *= 2;
    }
}

// mutants:
// 8:17 continue → break
// 11:13 break 'rows → continue 'rows
