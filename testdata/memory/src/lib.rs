//! A mutant that eats memory until there is none.

/// So many pages, each written to.
pub fn pages(count: usize) -> Vec<Vec<u8>> {
    let mut pages = Vec::new();
    while pages.len() != count {
        pages.push(page());
    }
    pages
}

fn page() -> Vec<u8> {
    vec![7; 1 << 20]
}
