//! The harness: executes test programs that are data, on the original and on its mutants.
//!
//! A generated binary declares its types and callables in [`Tables`] (with [`kind!`](crate::kind), [`call!`](crate::call),
//! [`maybe!`](crate::maybe)) and calls [`serve`], which speaks the protocol of [`wire`] with the tool. Design:
//! docs/internals/harness.md.
//!
//! ```no_run
//! #[global_allocator]
//! static ALLOCATOR: testsmith_rt::harness::Counting = testsmith_rt::harness::Counting;
//!
//! let kinds = vec![testsmith_rt::kind!(0, String)];
//! let calls = vec![testsmith_rt::call!(0, |f| f.text(0).to_uppercase())];
//! testsmith_rt::harness::serve(testsmith_rt::harness::Tables { mutants: 0, kinds, calls });
//! ```

mod calls;
mod chance;
mod distance;
mod footprint;
mod frame;
mod guard;
mod heap_key;
mod isolate;
mod limits;
mod literal;
mod memory;
mod observe;
mod operands;
pub mod outside;
mod panics;
#[doc(hidden)]
pub mod probe;
mod run;
mod serve;
mod slot;
pub mod status;
mod sys;
mod table;
mod text;
mod touched;
mod trace;
mod trap;
mod value;
mod wasm_worker;
mod watch;
pub mod wire;
mod worker;

#[doc(hidden)]
pub use chance::{clock, random, Time};
pub use frame::Frame;
pub(crate) use limits::refill;
pub use memory::Counting;
pub use observe::{Observe, Sink, MOST_TEXT};
pub use serve::serve;
pub use table::{Call, Kind, Tables};
pub use text::MASKED;
pub(crate) use trace::{current as trace, Trace};
pub use value::Value;
pub use worker::{with_worker, Worker};
