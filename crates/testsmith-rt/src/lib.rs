//! The run-time library that the meta-program of a crate under test is linked with.
//!
//! The rewritten source asks it at every site which arm to take ([`switch`]), tells it the operands so that
//! infection can be recorded ([`infect`]), and pays a tick of fuel in every loop and function ([`fuel`]). What
//! a process did is left on a [`board`]: a small file shared by memory map with the tool that started it.
//! No dependency, no output, nothing that a user's crate could notice.

pub mod board;
mod fuel;
mod infect;
mod omit;
mod pairs;
mod prim;
mod span;
mod switch;

pub use fuel::tick;
pub use omit::{omit, Omit};
pub use pairs::{Combine, Compare};
pub use span::{span, Span};
pub use switch::{active, and, and_rhs, bin, cmp, keep, may, neg, or, or_rhs, sel, una};

// The rewritten source of a `#![no_std]` crate reaches `Vec`, `String` and the like through here.
#[doc(hidden)]
pub use std;

/// The source files of this library, to be written beside the meta-program: `(path below src, text)`.
pub const SOURCES: &[(&str, &str)] = &[
    ("lib.rs", include_str!("lib.rs")),
    ("board.rs", include_str!("board.rs")),
    ("fuel.rs", include_str!("fuel.rs")),
    ("infect.rs", include_str!("infect.rs")),
    ("omit.rs", include_str!("omit.rs")),
    ("pairs.rs", include_str!("pairs.rs")),
    ("prim.rs", include_str!("prim.rs")),
    ("span.rs", include_str!("span.rs")),
    ("switch.rs", include_str!("switch.rs")),
];
