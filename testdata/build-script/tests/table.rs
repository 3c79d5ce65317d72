//! Reads the table, and a file beside the manifest.

use build_script::{is_listed, name, TABLE};

#[test]
fn the_table_is_used() {
    assert!(is_listed(5) && !is_listed(4));
    assert_eq!(name(), "primes");
    let text = std::fs::read_to_string("table.txt").unwrap();
    assert_eq!(text.split(',').count(), TABLE.len());
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(manifest.join("table.txt").exists());
}
