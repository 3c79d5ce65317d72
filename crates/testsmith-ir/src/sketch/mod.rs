//! Tables and programs written by hand, for tests and trials.
//!
//! ```
//! use testsmith_ir::{check, render, sketch};
//!
//! let api = sketch::api("
//!     type i32: copy
//!     type usize: copy
//!     type Vec<i32>: drop
//!     type &i32
//!     type Option<&i32>: copy borrows
//!     fn Vec::new() -> Vec<i32> => Vec::<i32>::new()
//!     fn Vec::push(self: &mut Vec<i32>; value: i32) => $0.push($1)
//!     fn Vec::first(self: &Vec<i32>) -> Option<&i32> [0& > out] => $0.first()
//!     fn Vec::of(items: *i32) -> Vec<i32> => vec![$*]
//! ").unwrap();
//! let program = sketch::program(&api, "
//!     vec = Vec::of(1, 2)
//!     Vec::push(vec, 3)
//!     first = Vec::first(vec)
//! ").unwrap().program;
//! let liveness = check(&api, &program).unwrap();
//! let text = render(&api, &program, &liveness, &render::Options::default()).body;
//! assert_eq!(text, "let mut vec = vec![1, 2];\nvec.push(3);\nvec.first();\n");
//! ```
//!
//! In tables, a parameter of type `&T` [borrows](crate::api::Accepts::Shared), `*T` is a list, `=&T` takes the reference as
//! a value. In brackets stand the flows: `0& > out` means that the result borrows argument 0 itself, `1 > 0` that
//! argument 0 then holds what argument 1 borrows.
//!
//! In programs, arguments are names or literals; how they are taken follows from the parameter. A literal is a statement
//! of its own, before the call.

mod api;
mod program;

pub use api::api;
pub use program::{Sketched, program};
