//! Test programs as data: what they are made of ([`api`]), the programs themselves ([`program`]), Rust's borrow rules
//! for them ([`borrow`]), their text ([`mod@render`]), and random ones ([`random`]). See docs/internals/harness.md.
//! What a user knows of an API is [`Guidance`]; where the mutants that programs are to expose stand in the control flow is in
//! [`regions`].

#![forbid(unsafe_code)]

pub mod api;
mod arguments;
pub mod borrow;
mod edit;
mod guidance;
pub mod hash;
mod literal;
pub mod program;
pub mod random;
pub mod regions;
pub mod render;
#[cfg(test)]
mod sample;
pub mod sketch;
pub mod visibility;

pub use api::{
    Accepts, Api, Callable, CallableId, Facts, Flow, LiteralKind, Param, Place, Reference, Type, TypeId,
};
pub use arguments::Fit;
pub use borrow::{End, Liveness, Reason, State, Violation, check};
pub use guidance::Guidance;
pub use literal::Literal;
pub use program::{Arg, Mode, Program, Slot, Statement};
pub use regions::{Region, Regions, Side};
pub use render::{Line, Rendered, render};
pub use visibility::Visibility;
