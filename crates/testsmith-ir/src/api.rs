//! What programs are made of: concrete types and concrete callables, each known by its index in a table.
//!
//! The model fills the tables; the harness reports the [`Facts`] that only the compiler knows.

use std::ops::Index;

use crate::guidance::Guidance;
use crate::visibility::Visibility;

/// Index of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// Index of a callable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallableId(pub u32);

/// All that programs can use.
#[derive(Clone, Debug, Default)]
pub struct Api {
    /// By [`TypeId`].
    pub types: Vec<Type>,
    /// By [`CallableId`].
    pub callables: Vec<Callable>,
    /// What the user knows of it.
    pub guidance: Guidance,
    /// Where each callable can be used, by [`CallableId`]; those beyond its end anywhere.
    pub visibilities: Vec<Visibility>,
}

/// A concrete type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// As the harness writes it, with full paths and `'static` for every lifetime: `::slab::Iter<'static, i32>`.
    pub text: String,
    /// As a person would write it, with imports: `Iter<'_, i32>`.
    pub shown: String,
    /// The paths that `shown` needs imported: `slab::Iter`.
    pub imports: Vec<String>,
    /// How its values are written as literals, if they are.
    pub literal: Option<LiteralKind>,
    /// It is a reference, or has a lifetime parameter: a value may borrow from others.
    pub borrows: bool,
    /// It is `&T` or `&mut T` of this type of the table.
    pub referent: Option<(Reference, TypeId)>,
    /// Unknown until the harness has been asked.
    pub facts: Facts,
}

/// The two kinds of reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// `&T`
    Shared,
    /// `&mut T`
    Exclusive,
}

/// What the compiler knows of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the trait of that name, or the function of `std::mem`")]
pub struct Facts {
    pub copy: bool,
    pub clone: bool,
    pub needs_drop: bool,
    pub debug: bool,
    pub display: bool,
    pub eq: bool,
    pub ord: bool,
    pub size: usize,
}

/// Types that have literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the type of that name")]
pub enum LiteralKind {
    Unit,
    Bool,
    Char,
    /// An integer of so many bits; `usize` and `isize` have 0.
    Int {
        signed: bool,
        bits: u8,
    },
    F32,
    F64,
    /// `&'static str`
    Str,
    /// `String`
    String,
    /// `&'static [u8]`
    ByteStr,
    /// `Vec<u8>`
    Bytes,
}

/// Something that can be called, with every type parameter chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callable {
    /// Unique and stable, as reports name it: `semver::Version::new`, `slab::Slab<i32>::get`.
    pub path: String,
    /// The expression that the harness compiles: `<::semver::Version>::new($0, $1, $2)`.
    pub code: String,
    /// The expression that a person would write: `Version::new($0, $1, $2)`, `$0.len()`, `$0 + $1`, `$0.field = $1`. For a
    /// parameter that takes a reference, `$1` stands for the whole argument with its `&`; for a receiver and for an
    /// operand with a dot behind it, for the place alone.
    pub shown: String,
    /// The paths that `shown` needs imported: types, functions, traits.
    pub imports: Vec<String>,
    /// In the order of `$0`, `$1` ….
    pub params: Vec<Param>,
    /// Type of the result.
    pub output: TypeId,
    /// Who may borrow from whom afterwards.
    pub flows: Vec<Flow>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// As the signature has it; good for naming variables.
    pub name: String,
    /// What it takes.
    pub accepts: Accepts,
}

/// How a parameter takes its argument: see docs/internals/harness.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accepts {
    /// A value.
    Value(TypeId),
    /// `&T`
    Shared(TypeId),
    /// `&mut T`
    Exclusive(TypeId),
    /// `&str`
    Text,
    /// `&[T]`
    Slice(TypeId),
    /// `&mut [T]`
    SliceMut(TypeId),
    /// `&Path`
    Path,
    /// `&OsStr`
    OsText,
    /// `&CStr`
    CText,
    /// Elements.
    List(TypeId),
}

/// After the call, `to` may borrow from what `from` was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flow {
    /// A parameter.
    pub from: usize,
    /// The result, or a parameter.
    pub to: Place,
    /// The borrow is exclusive: `&'a mut self -> &'a mut T`.
    pub exclusive: bool,
    /// The borrow is of the argument itself (`&'a self`), not only of what the argument borrows from (`Iter<'a>`).
    pub of_argument: bool,
}

/// Where a borrow ends up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In the result.
    Result,
    /// In what a parameter was given.
    Param(usize),
    /// In something that lives for ever: what is borrowed has to do so, too (`T: 'static`).
    Forever,
}

impl Index<TypeId> for Api {
    type Output = Type;

    fn index(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }
}

impl Index<CallableId> for Api {
    type Output = Callable;

    fn index(&self, id: CallableId) -> &Callable {
        &self.callables[id.0 as usize]
    }
}

impl Api {
    /// All types with their ids.
    pub fn types(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        (0..).map(TypeId).zip(&self.types)
    }

    /// All callables with their ids.
    pub fn callables(&self) -> impl Iterator<Item = (CallableId, &Callable)> {
        (0..).map(CallableId).zip(&self.callables)
    }
}
