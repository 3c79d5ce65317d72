//! Tests from outside, with std.

#[test]
fn a_list_is_read() {
    assert_eq!(no_std::numbers("1,2").unwrap(), [1, 2]);
    assert!(no_std::numbers("1,x").is_err());
}
