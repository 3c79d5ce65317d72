//! The first message of a worker: what it was built from, and what the compiler knew of it.

use super::codec::wire_struct;
use super::{Malformed, Reader, Wire, Writer, MAGIC, VERSION};

/// A worker introduces itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// How many mutants the meta-program has; 0 if it is the plain crate.
    pub mutants: u32,
    /// The declared types by their number, then those that were found by inference alone.
    pub types: Vec<TypeReport>,
    /// The callables that have been compiled, by their number.
    pub calls: Vec<CallReport>,
}

/// A type of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeReport {
    /// Its number. Those of inferred types follow the highest declared one.
    pub index: u32,
    /// The first type that is the same to the compiler.
    pub canonical: u32,
    /// As `std::any::type_name` has it.
    pub name: String,
    /// What it can do.
    pub facts: Facts,
    /// Where the function is that drops it, if there is something to drop.
    pub drop: Option<Place>,
}

/// A callable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallReport {
    /// Its number.
    pub callable: u32,
    /// The canonical number of its result's type.
    pub output: u32,
    /// Where its code is.
    pub code: Place,
}

/// A function of the worker's program: so many bytes behind [`anchor`], modulo 2⁶⁴. The system loads the program anywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The bytes.
    pub offset: u64,
}

impl Place {
    /// Of a function at an address.
    pub fn of(address: usize) -> Place {
        let anchor = anchor as *const () as usize;
        Place { offset: (address as u64).wrapping_sub(anchor as u64) }
    }
}

/// The name by which [`anchor`] is found in the program's file.
pub const ANCHOR: &str = "testsmith_anchor";

/// The function that places are counted from.
#[export_name = "testsmith_anchor"]
pub extern "C" fn anchor() {}

/// What the compiler knows of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// `Copy`
    pub copy: bool,
    /// `Clone`
    pub clone: bool,
    /// `std::mem::needs_drop`
    pub needs_drop: bool,
    /// `Debug`
    pub debug: bool,
    /// `Display`
    pub display: bool,
    /// `PartialEq` with itself.
    pub eq: bool,
    /// `PartialOrd` with itself.
    pub ord: bool,
    /// Its values are observed as structured values, not as text.
    pub observable: bool,
    /// `std::mem::size_of`
    pub size: u64,
}

impl Hello {
    /// As a message.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer::new();
        to.raw(&MAGIC.to_le_bytes());
        VERSION.write(&mut to);
        self.write(&mut to);
        to.finish()
    }

    /// From a message, of this version only.
    pub fn decode(bytes: &[u8]) -> Result<Hello, Malformed> {
        let mut from = Reader::new(bytes);
        if from.raw(4)? != MAGIC.to_le_bytes() {
            return Err(Malformed("no worker speaks".to_owned()));
        }
        let version = u32::read(&mut from)?;
        if version != VERSION {
            return Err(Malformed(format!("version {version} instead of {VERSION}")));
        }
        let hello = Hello::read(&mut from)?;
        from.finish()?;
        Ok(hello)
    }
}

wire_struct!(Hello { mutants, types, calls });
wire_struct!(TypeReport { index, canonical, name, facts, drop });
wire_struct!(CallReport { callable, output, code });
wire_struct!(Place { offset });
wire_struct!(Facts { copy, clone, needs_drop, debug, display, eq, ord, observable, size });
