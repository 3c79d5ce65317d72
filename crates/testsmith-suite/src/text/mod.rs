//! Cases as the text of tests that people like to read.
//!
//! [`claim`] knows which claims can be written and how, [`test`] writes a whole test. Knows no files: text in, text out.

pub mod claim;
mod scope;
mod subject;
mod ty;
mod value;

pub use claim::is_writable;
