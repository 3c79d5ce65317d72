//! Only what is compiled counts.

#[cfg(windows)]
mod windows;

/// On by default.
#[cfg(feature = "metric")]
pub fn is_far(km: u32) -> bool {
    km > 100
}

/// Off by default.
#[cfg(not(feature = "metric"))]
pub fn is_far(miles: u32) -> bool {
    miles > 60
}

/// Off unless asked for.
#[cfg(feature = "extra")]
pub fn is_very_far(km: u32) -> bool {
    km > 1000
}

/// Statements and arms of it are switched off too.
pub fn unit(short: bool) -> u8 {
    #[cfg(target_os = "none")]
    return 9;
    match short {
        #[cfg(feature = "extra")]
        true if is_very_far(0) => 3,
        true => 1,
        false => 2,
    }
}

/// Compiled for tests only.
#[cfg(test)]
fn helper(value: u32) -> bool {
    value > 5
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert!(is_far(101) && !is_far(100) && !is_far(7));
        assert_eq!((unit(true), unit(false)), (1, 2));
        assert!(helper(6));
    }

    #[cfg(feature = "extra")]
    #[test]
    fn more() {
        assert!(is_very_far(1001) && !is_very_far(1000) && !is_very_far(7));
    }
}
