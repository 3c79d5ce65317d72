//! A libtest binary beside it.

#[test]
fn doubled() {
    assert_eq!(harness_false::double(2), 4);
}
