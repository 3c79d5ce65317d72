//! What is shown to people and machines. Everything is printed here or in `main`, from plain values.

pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod lines;
pub(crate) mod progress;
pub(crate) mod rate;
