// Tests written by `cargo testsmith`. Change what you like: it is kept.

mod jar;
mod purse;
