//! A decoded module: functions in register code and what an instance starts with.
//!
//! Main type: [`Module`]. It never changes, so that any number of machines can run it.

use super::code::Instr;

/// The number of a function: imported ones first, as wasm counts.
pub type FuncId = u32;

/// The types of values that the engine knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "the names are those of wasm")]
pub enum ValType {
    I32,
    I64,
    F32,
    F64,
    /// A reference to a function or something of the host: a number, all ones for null.
    Ref,
    /// A vector, which the engine cannot compute with.
    Vector,
}

impl ValType {
    /// Bits of the value; references take 64.
    #[must_use]
    pub const fn width(self) -> u32 {
        match self {
            Self::I32 | Self::F32 => 32,
            Self::I64 | Self::F64 | Self::Ref => 64,
            Self::Vector => 128,
        }
    }
}

/// Parameters and results of a function.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Default)]
pub struct Signature {
    /// Types of the parameters.
    pub params: Vec<ValType>,
    /// Types of the results.
    pub results: Vec<ValType>,
}

/// A function of another module, by name.
#[derive(Clone, Debug)]
pub struct Import {
    /// The module it comes from.
    pub module: String,
    /// Its name there.
    pub name: String,
}

/// What is run when a function is called.
#[derive(Clone, Debug)]
pub enum Body {
    /// The import of this number.
    Import(u32),
    /// Register code.
    Code {
        /// Its place in the module's code.
        start: u32,
        /// Registers of a frame.
        registers: u32,
        /// How many of them are parameters and locals.
        locals: u32,
    },
}

/// A function: its type, its name and its body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Number of the signature; equal signatures have equal numbers.
    pub signature: u32,
    /// The name of the name section, demangled, without hash; empty where there is none.
    pub name: String,
    /// What is run.
    pub body: Body,
}

/// A constant that may be the value of an imported global; those have none here.
#[derive(Clone, Copy, Debug)]
pub enum Offset {
    /// A value.
    Value(u64),
    /// The value of another global.
    Global(u32),
}

/// A global variable.
#[derive(Clone, Copy, Debug)]
pub struct Global {
    /// Its type.
    pub ty: ValType,
    /// Its first value.
    pub value: Offset,
}

/// Bytes for the memory.
#[derive(Clone, Debug)]
pub struct Data {
    /// Where they go at the start; none for those that code copies itself.
    pub offset: Option<Offset>,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// References for a table.
#[derive(Clone, Debug)]
pub struct Elements {
    /// Table and place where they go at the start; none for those that code copies itself.
    pub place: Option<(u32, Offset)>,
    /// The references.
    pub references: Vec<u64>,
}

/// Something that a module shows to the outside.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are those of wasm")]
pub enum Export {
    Function(FuncId),
    Global(u32),
    Memory,
    Table(u32),
}

/// A module in register code.
#[derive(Debug, Default)]
pub struct Module {
    /// All signatures, each once.
    pub signatures: Vec<Signature>,
    /// Imported functions, then its own.
    pub functions: Vec<Function>,
    /// Imported functions by number.
    pub imports: Vec<Import>,
    /// The code of all functions.
    pub code: Vec<Instr>,
    /// Targets of all jump tables.
    pub jump_targets: Vec<u32>,
    /// Why places of the code are `Unsupported`.
    pub reasons: Vec<String>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Number of elements of each table at the start.
    pub tables: Vec<(u64, u64)>,
    /// Pages of the memory at the start, and at most.
    pub memory: (u64, u64),
    /// Data segments.
    pub data: Vec<Data>,
    /// Element segments.
    pub elements: Vec<Elements>,
    /// What is exported.
    pub exports: Vec<(String, Export)>,
    /// The function that runs before all others.
    pub start: Option<FuncId>,
    /// Where each function with a body starts, in order of the code.
    pub(super) starts: Vec<(u32, FuncId)>,
}

/// A null reference.
pub(crate) const NULL: u64 = u64::MAX;

impl Module {
    /// The function that is exported under this name.
    #[must_use]
    pub fn export(&self, name: &str) -> Option<FuncId> {
        self.exports.iter().find_map(|(export, what)| match what {
            Export::Function(function) if export == name => Some(*function),
            _ => None,
        })
    }

    /// The signature of a function.
    #[must_use]
    pub fn signature(&self, function: FuncId) -> &Signature {
        &self.signatures[self.functions[function as usize].signature as usize]
    }

    /// The function in whose code this place lies.
    #[must_use]
    pub fn function_at(&self, place: u32) -> Option<FuncId> {
        let after = self.starts.partition_point(|(start, _)| *start <= place);
        after.checked_sub(1).map(|at| self.starts[at].1)
    }

    /// The import behind a function, if it is one.
    #[must_use]
    pub fn import(&self, function: FuncId) -> Option<&Import> {
        match self.functions[function as usize].body {
            Body::Import(number) => Some(&self.imports[number as usize]),
            Body::Code { .. } => None,
        }
    }
}
