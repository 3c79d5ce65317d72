//! Not a member of the workspace: nothing of it is mutated.

/// The tax on an amount.
pub fn tax(net: u32) -> u32 {
    net / 5
}
