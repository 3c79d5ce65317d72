//! Writes and reads a file; each test binary does it under the same name.

use std::path::Path;

/// Writes a number, waits as a slow disk would, and reads it back.
pub fn round_trip(path: &Path, number: u32) -> u32 {
    std::fs::write(path, number.to_string()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    std::fs::read_to_string(path).unwrap().parse().unwrap_or(0)
}

/// Not tested well.
pub fn is_small(number: u32) -> bool {
    number < 10
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
}
