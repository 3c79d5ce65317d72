//! A few pages.

#[test]
fn pages_are_made() {
    assert_eq!(memory::pages(2).len(), 2);
}
