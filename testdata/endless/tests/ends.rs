//! Every function ends as long as nobody changes it.

#[test]
fn sums() {
    assert_eq!(endless::sum(4), 6);
}

#[test]
fn counts() {
    assert_eq!(endless::count(4), 2);
}

#[test]
fn answers() {
    assert_eq!(endless::answer(), 42);
}
