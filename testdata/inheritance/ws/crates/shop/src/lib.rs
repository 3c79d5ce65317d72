//! Uses a member of the workspace and two packages outside of it.

/// What a customer pays.
pub fn price(net: u32) -> u32 {
    money::rounded(net + rates::tax(net))
}

/// The version, inherited from the workspace.
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

#[cfg(test)]
mod tests {
    #[test]
    fn tax_is_added() {
        assert_eq!(super::price(fixtures::NET), 120);
        assert_eq!(super::version(), "1.2.3");
    }
}
