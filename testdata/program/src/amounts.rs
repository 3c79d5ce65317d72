//! Amounts as people write them. Both programs have this module.

/// `12`, or `2k` for two thousand.
pub(crate) fn read(text: &str) -> Option<u32> {
    match text.strip_suffix('k') {
        Some(thousands) => thousands.parse::<u32>().ok()?.checked_mul(1000),
        None => text.parse().ok(),
    }
}
