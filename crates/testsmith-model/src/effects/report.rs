//! What the analysis says of a function: purity of its parameters, fields that it defines and uses, and what it
//! does beyond its arguments. Plain values, without any tie to the syntax trees they came from.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// What a call can do to the object behind an argument, as the *caller* can see it afterwards.
///
/// The words are those of parameter purity analysis (Salcianu and Rinard): *read-only* if neither the parameter nor
/// what can be reached from it is written, *safe* if moreover the call leaves no new way to it behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purity {
    /// The object is not changed, and the result gives no way to it: it is looked at, copied or not used at all.
    Safe,
    /// The object is not changed, but the result refers to it. Also every argument that is moved into the call:
    /// nobody can look at it afterwards, so the call does not provide it; what lives on of it is in the result or in
    /// another argument.
    ReadOnly,
    /// The object is changed, or may be, or a way to change it is handed out.
    ReadWrite,
}

/// How an argument gets into a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Passing {
    /// A copy of a value that holds no references.
    Copy,
    /// A move: the caller loses the value.
    Value,
    /// `&T` without interior mutability.
    Shared,
    /// `&T` of a type that can be changed behind a shared reference.
    Interior,
    /// `&mut T`, and values that hold one.
    Mutable,
    /// A raw pointer.
    Pointer,
}

impl Passing {
    /// The worst that a function can do with an argument, from the signature alone.
    pub fn worst(self) -> Purity {
        match self {
            Passing::Copy => Purity::Safe,
            Passing::Value | Passing::Shared => Purity::ReadOnly,
            Passing::Interior | Passing::Mutable | Passing::Pointer => Purity::ReadWrite,
        }
    }
}

/// A parameter and what happens to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamEffects {
    /// Its name; `self` for a receiver, `_` for a pattern.
    pub name: String,
    /// How the argument gets in.
    pub passing: Passing,
    /// What happens to it.
    pub purity: Purity,
    /// What that rests on.
    pub cause: Cause,
    /// Something that the argument refers to is changed, not only the argument itself.
    pub is_deep: bool,
    /// Path of the function that changes it, where its own function only passes it on.
    pub callee: Option<String>,
}

/// What a verdict on a parameter rests on, beyond its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The signature tells.
    Signature,
    /// The signature allows a change that does not happen.
    Unchanged,
    /// It can be changed through the result.
    Lent,
    /// It is changed behind a shared reference.
    Interior,
    /// It is changed by a raw pointer, whatever the signature says.
    Unsafe,
    /// No body was found: the verdict is the worst that the signature allows.
    Unseen,
}

impl ParamEffects {
    /// Whether the caller loses the argument.
    pub fn is_consumed(&self) -> bool {
        self.passing == Passing::Value
    }
}

/// A field of a type of the crate. Fields of enum variants are named `Variant.field`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field {
    /// Path of the type from the crate root, such as `map::Entry`.
    pub owner: Arc<str>,
    /// Name or number of the field.
    pub name: Arc<str>,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.owner, self.name)
    }
}

/// A way to the world outside of the process's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IoKind {
    /// Files and folders.
    Files,
    /// Sockets and names.
    Network,
    /// Other processes, and the end of this one.
    Process,
    /// Environment variables, arguments and the current folder, which are read.
    Environment,
    /// The same, changed.
    ProcessState,
    /// Standard input, output and error.
    Console,
    /// Clocks.
    Time,
    /// Random numbers.
    Random,
    /// Threads and waiting for them.
    Threads,
}

/// What a function does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionEffects {
    /// Path text: `module::f`, `module::Type::f`, `<module::Type as Trait>::f`, `module::Trait::f`.
    pub path: String,
    /// Name of the file, as in [`SourceFile::name`](crate::SourceFile::name).
    pub file: String,
    /// Line on which the item begins, attributes aside; for a derived function that of the word in `derive`.
    pub line: usize,
    /// Whether the first parameter is a receiver.
    pub has_receiver: bool,
    /// Parameters, the receiver first.
    pub params: Vec<ParamEffects>,
    /// Fields written, also by the functions that it calls, and those that can be written through the result.
    /// Fields of objects that are gone after the call are left out.
    pub defines: BTreeSet<Field>,
    /// Fields read, also by the functions that it calls; those of objects that the call itself makes are left out.
    pub uses: BTreeSet<Field>,
    /// Statics that are read, by path.
    pub statics_read: BTreeSet<String>,
    /// Statics that are changed, by path.
    pub statics_written: BTreeSet<String>,
    /// What it does outside.
    pub io: BTreeSet<IoKind>,
    /// What its own body calls without the analysis knowing what that does: functions and methods of other
    /// crates, macros.
    pub unknown_calls: BTreeSet<String>,
    /// Whether something with unknown effects is called, here or further down.
    pub calls_unknown: bool,
    /// Whether unsafe code runs, here or further down.
    pub uses_unsafe: bool,
    /// Whether something is changed behind a shared reference, here or further down.
    pub uses_interior: bool,
    /// Whether there is a panic, an assertion, an `unwrap` or an index, here or further down. A hint.
    pub may_panic: bool,
    /// Whether a body was read. Without, everything is what the signature allows.
    pub is_known: bool,
}

impl FunctionEffects {
    /// What happens to the receiver.
    pub fn receiver(&self) -> Option<&ParamEffects> {
        self.params.first().filter(|_| self.has_receiver)
    }

    /// Whether nothing that existed before a call is changed by it, inside or outside of the process. Values that
    /// the call creates or takes over may change, and it may panic.
    pub fn is_pure(&self) -> bool {
        self.is_known
            && !self.calls_unknown
            && self.io.is_empty()
            && self.statics_written.is_empty()
            && self.params.iter().all(|p| p.purity != Purity::ReadWrite)
    }

    /// Whether a call of this function before one of `later` can make a difference to it through a field or a
    /// static: a define-use pair. Whether both touch the same object is not asked.
    pub fn may_influence(&self, later: &FunctionEffects) -> bool {
        !self.defines.is_disjoint(&later.uses) || !self.statics_written.is_disjoint(&later.statics_read)
    }
}

/// State that outlives a call and belongs to no object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutableState {
    /// Path text.
    pub path: String,
    /// Name of the file.
    pub file: String,
    /// Line of the item.
    pub line: usize,
    /// How it can change.
    pub kind: StateKind,
}

/// How a static can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StateKind {
    /// `static mut`, and statics of other languages.
    StaticMut,
    /// A static with interior mutability.
    Interior,
    /// Set once, by whoever comes first: `OnceLock`.
    Once,
    /// A thread-local with interior mutability.
    ThreadLocal,
    /// Made when first used and the same ever after, as far as its type tells: `LazyLock`, `lazy_static!`, a thread-local of
    /// a plain type.
    Lazy,
}
