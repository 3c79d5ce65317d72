//! Mutants that eat memory until there is none: they leave `left` as it is.

/// So many pages of one mebibyte, each written to.
pub fn pages(count: usize) -> Vec<Vec<u8>> {
    let (mut pages, mut left) = (Vec::new(), count);
    while left != 0 {
        pages.push(page());
        left -= 1;
    }
    pages
}

#[cfg_attr(any(), testsmith::skip)]
fn page() -> Vec<u8> {
    vec![7; 1 << 20]
}
