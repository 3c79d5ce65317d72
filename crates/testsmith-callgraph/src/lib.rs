//! Which functions of a linked program reach outside of their process: files, network, environment, and so on. [`CallGraph`] reads
//! an ELF executable that was linked with `--emit-relocs`: a relocation in a function is a call, or a reference to data that points to
//! functions. `reach` follows the calls back from the functions of the C library that leave the process (`leaves`).
//!
//! Nothing is executed, and no source is read, so that macros, `cfg`, dependencies and foreign code make no difference.

mod elf;
mod instructions;
mod leaves;
mod names;
mod reach;

pub use elf::Unreadable;
pub use reach::{CallGraph, Chain};

/// What the linker has to be told: to leave relocations in the program.
pub const LINK_ARGUMENT: &str = "-Clink-arg=-Wl,--emit-relocs";
