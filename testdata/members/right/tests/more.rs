//! Tests the neighbour too.

#[test]
fn two_more() {
    assert_eq!(right::much_more(1), 3);
    assert!(left::is_more(2) && !left::is_more(1) && !left::is_more(0));
}
