//! What the build script has made is used; what it has switched off is not there.

include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// The name of the table.
pub fn name() -> &'static str {
    env!("TABLE_NAME")
}

/// Whether a number is in the table.
#[cfg(fast)]
pub fn is_listed(number: u32) -> bool {
    TABLE.binary_search(&number).is_ok()
}

/// The same, slowly.
#[cfg(not(fast))]
pub fn is_listed(number: u32) -> bool {
    TABLE.iter().any(|listed| *listed == number)
}
