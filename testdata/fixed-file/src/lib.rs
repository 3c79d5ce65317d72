//! Writes and reads a file. The tests of both binaries do it under the same name: `cargo test` runs one binary
//! after the other, so nothing is wrong with that.

use std::path::Path;

/// Writes a number, waits as a slow disk would, and reads it back.
#[cfg_attr(any(), testsmith::skip)]
pub fn round_trip(path: &Path, number: u32) -> u32 {
    std::fs::write(path, number.to_string()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

/// Tested by one binary.
pub fn is_small(number: u32) -> bool {
    number < 10
}

/// Tested by the other one.
pub fn is_large(number: u32) -> bool {
    number > 90
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_comes_back() {
        let path = std::env::temp_dir().join("testsmith-fixed-file");
        assert_eq!(round_trip(&path, 7), 7);
        assert!(is_small(3));
        std::fs::remove_file(&path).unwrap();
    }

    /// Keeps the two others apart while the tests are traced.
    #[test]
    fn b_takes_its_time() {
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
}
