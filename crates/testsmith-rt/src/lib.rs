//! The run-time library that the meta-program of a crate under test is linked with.
//!
//! The rewritten source asks it at every site which arm to take ([`switch`]), tells it the operands so that
//! infection can be recorded ([`infect`]), and pays a tick of fuel in every loop and function ([`fuel`]). What
//! a process did is left on a [`coverage_map`]: a small file shared by memory map with the tool that started it.
//! A [`harness`] drives the same switch in memory, for many test programs in one process.
//! No dependency, no output, nothing that a user's crate could notice.

pub mod claims;
pub mod coverage_map;
mod fuel;
pub mod harness;
mod infect;
mod omit;
mod pairs;
mod prim;
mod span;
mod switch;
mod wasm;

pub use fuel::tick;
pub use omit::{omit, Omit};
pub use pairs::{Combine, Compare};
pub use span::{span, Span};
pub use switch::{active, and, and_rhs, answer, bin, cmp, keep, may, neg, or, or_rhs, sel, side, una};

// The rewritten source of a `#![no_std]` crate reaches `Vec`, `String` and the like through here.
#[doc(hidden)]
pub use std;

/// The source files of this library: `(path below src, text)`.
pub const SOURCES: &[(&str, &str)] = &[
    ("lib.rs", include_str!("lib.rs")),
    ("claims.rs", include_str!("claims.rs")),
    ("coverage_map.rs", include_str!("coverage_map.rs")),
    ("fuel.rs", include_str!("fuel.rs")),
    ("harness/distance.rs", include_str!("harness/distance.rs")),
    ("harness/footprint.rs", include_str!("harness/footprint.rs")),
    ("harness/frame.rs", include_str!("harness/frame.rs")),
    ("harness/guard.rs", include_str!("harness/guard.rs")),
    ("harness/calls.rs", include_str!("harness/calls.rs")),
    ("harness/chance.rs", include_str!("harness/chance.rs")),
    ("harness/heap_key.rs", include_str!("harness/heap_key.rs")),
    ("harness/isolate.rs", include_str!("harness/isolate.rs")),
    ("harness/limits.rs", include_str!("harness/limits.rs")),
    ("harness/literal.rs", include_str!("harness/literal.rs")),
    ("harness/memory.rs", include_str!("harness/memory.rs")),
    ("harness/mod.rs", include_str!("harness/mod.rs")),
    ("harness/observe.rs", include_str!("harness/observe.rs")),
    ("harness/operands.rs", include_str!("harness/operands.rs")),
    ("harness/outside.rs", include_str!("harness/outside.rs")),
    ("harness/panics.rs", include_str!("harness/panics.rs")),
    ("harness/probe.rs", include_str!("harness/probe.rs")),
    ("harness/run.rs", include_str!("harness/run.rs")),
    ("harness/serve.rs", include_str!("harness/serve.rs")),
    ("harness/slot.rs", include_str!("harness/slot.rs")),
    ("harness/status.rs", include_str!("harness/status.rs")),
    ("harness/sys.rs", include_str!("harness/sys.rs")),
    ("harness/table.rs", include_str!("harness/table.rs")),
    ("harness/text.rs", include_str!("harness/text.rs")),
    ("harness/touched.rs", include_str!("harness/touched.rs")),
    ("harness/trace.rs", include_str!("harness/trace.rs")),
    ("harness/trap.rs", include_str!("harness/trap.rs")),
    ("harness/value.rs", include_str!("harness/value.rs")),
    ("harness/watch.rs", include_str!("harness/watch.rs")),
    ("harness/wasm_worker.rs", include_str!("harness/wasm_worker.rs")),
    ("harness/wire/answer.rs", include_str!("harness/wire/answer.rs")),
    ("harness/wire/batch.rs", include_str!("harness/wire/batch.rs")),
    ("harness/wire/codec.rs", include_str!("harness/wire/codec.rs")),
    ("harness/wire/hello.rs", include_str!("harness/wire/hello.rs")),
    ("harness/wire/mod.rs", include_str!("harness/wire/mod.rs")),
    ("harness/worker.rs", include_str!("harness/worker.rs")),
    ("inert.rs", include_str!("inert.rs")),
    ("infect.rs", include_str!("infect.rs")),
    ("omit.rs", include_str!("omit.rs")),
    ("pairs.rs", include_str!("pairs.rs")),
    ("prim.rs", include_str!("prim.rs")),
    ("span.rs", include_str!("span.rs")),
    ("switch.rs", include_str!("switch.rs")),
    ("wasm.rs", include_str!("wasm.rs")),
];

/// The files to be written beside a meta-program. One that only runs the user's tests needs no harness, and is built
/// in a fraction of the time with one that does nothing.
pub fn sources(harness: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    SOURCES.iter().map(move |(path, text)| match *path {
        "harness/mod.rs" if !harness => (*path, include_str!("inert.rs")),
        path => (path, *text),
    })
}
