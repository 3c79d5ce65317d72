//! From the bytes of a wasm module to register code.
//!
//! Main types: [`Module`], what the machine runs, and [`Instr`], one instruction of it. `decode` reads and validates the
//! sections, `translate` turns stack code into register code, `numeric` is the table of numeric instructions.

pub(crate) mod bits;
mod code;
mod decode;
mod module;
mod names;
pub(crate) mod numeric;
mod translate;
mod trap;

pub(crate) use code::compare_width;
pub use code::{Instr, Load, Reg};
pub use decode::DecodeError;
pub(crate) use module::NULL;
pub use module::{
    Body, Data, Elements, Export, FuncId, Function, Global, Import, Module, Offset, Signature, ValType,
};
pub use numeric::{Binary, Unary};
pub use trap::Trap;
