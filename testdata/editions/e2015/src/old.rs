//! `async` and `dyn` are names here, which the parser does not know: the file is left alone.

/// The sum of two numbers.
pub fn sum(a: &str, async: &str) -> Result<i64, ::std::num::ParseIntError> {
    let dyn = try!(a.parse::<i64>());
    Ok(dyn + async.parse::<i64>()?)
}
