//! Cases as the text of tests that people like to read.
//!
//! [`claim`] knows which claims can be written and how, [`test()`] writes a whole test, [`module`] and [`main_file`] whole
//! files, into which [`Existing`] ones are taken over; `inner` knows what is different inside of the crate, [`Condition`] what only some
//! builds have, [`LintLevels`] what the lints of a crate ask. Knows no folders: text in, text out.

pub mod claim;
mod condition;
mod existing;
mod file;
mod fingerprint;
mod inner;
mod lint_levels;
mod name;
mod parse_debug;
mod printed;
mod refresh;
mod refresh_row;
mod scope;
mod subject;
mod table;
mod test;
#[cfg(test)]
mod tests;
mod ty;
mod uses;
mod value;
mod words;
mod wrap;

pub(crate) use claim::type_of;
pub use claim::{is_message, is_string, is_writable};
pub use condition::Condition;
pub use existing::{At, Existing, HEADER, Unreadable, imported_name, is_ours};
pub use file::{Module, main_file, module, module_names};
pub use inner::{declared, inner_file, seen_from_inside, undeclared};
pub use lint_levels::LintLevels;
pub use name::focus;
pub use refresh::{AssertionFailure, ValueChange, refreshed};
pub use table::{alike, table};
pub use test::{KillWords, TestText, expected, finding, test, with_kills};
pub use words::{is_keyword, snake_case};
