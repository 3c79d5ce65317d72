//! The same file, from another binary.

#[test]
fn another_number_comes_back() {
    let path = std::env::temp_dir().join("testsmith-fixed-file");
    assert_eq!(fixed_file::round_trip(&path, 8), 8);
    assert!(fixed_file::is_large(95));
    std::fs::remove_file(&path).unwrap();
}
