//! `async`, `dyn` and `try` are names here.

/// The sum of two numbers.
pub fn sum(a: &str, async: &str) -> Result<i64, ::std::num::ParseIntError> {
    let dyn = try!(a.parse::<i64>());
    Ok(dyn + async.parse::<i64>()?)
}
