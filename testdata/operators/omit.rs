//! Statements that only have an effect. Printing, and what declares something, stays.

pub fn reset(list: &mut Vec<u32>, count: &mut usize) {
    let first = 1;
    list.clear();
    *count = 0;
    *count += first;
    assert!(list.is_empty());
    println!("{count}");
    debug_assert!(list.is_empty());
    std::mem::drop(first);
}

pub fn save(out: &mut dyn std::io::Write) -> std::io::Result<()> {
    out.flush()?;
    writeln!(out, "done")?;
    Ok(())
}

// mutants:
// 5:5 list.clear(); → nothing
// 6:5 *count = 0; → nothing
// 7:5 *count += first; → nothing
// 8:5 assert!(list.is_empty()); → nothing
// 11:5 std::mem::drop(first); → nothing
// 15:5 out.flush()?; → nothing
// 16:5 writeln!(out, "done")?; → nothing
