//! `Ok` and `Err` where a function ends, where the other one has a value that can be written down.

pub fn checked(value: u8) -> Result<u8, String> {
    if value > 100 {
        return Err(format!("{value} is too much"));
    }
    Ok(value)
}

pub fn read(name: &str) -> Result<(), std::io::Error> {
    let size = std::fs::metadata(name)?.len();
    match size {
        0 => Err(std::io::Error::other("empty")),
        _ => Ok(()),
    }
}

// mutants:
// 5:16 Err(format!("{value} is too much")) → Ok(0)
// 7:5 Ok(value) → Err(String::new())
// 13:14 Err(std::io::Error::other("empty")) → Ok(())
