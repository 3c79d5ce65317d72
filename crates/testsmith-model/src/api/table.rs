//! The tables under construction: each concrete type once, and the callables that use them.

use std::collections::{BTreeSet, HashMap, HashSet};

use testsmith_ir::api::{Accepts, Api, Callable, Facts, LiteralKind, Reference, Type, TypeId};

use super::text::Names;
use super::ty::{Arg, Ty};

/// Types and callables so far.
pub(crate) struct Table<'a> {
    names: Names<'a>,
    pub(crate) api: Api,
    /// By [`TypeId`]; inferred ones are [`Ty::Inferred`].
    pub(crate) tys: Vec<Ty>,
    ids: HashMap<String, TypeId>,
    /// Code and parameters of every callable.
    seen: HashMap<(String, Vec<Accepts>), usize>,
    paths: HashSet<String>,
    /// Indices of callables that are called for what they tell of their argument.
    pub(crate) inspectors: Vec<usize>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(names: Names<'a>) -> Table<'a> {
        Table {
            names,
            api: Api::default(),
            tys: Vec::new(),
            ids: HashMap::new(),
            seen: HashMap::new(),
            paths: HashSet::new(),
            inspectors: Vec::new(),
        }
    }

    /// The id of a type; an error says why it cannot have one.
    pub(crate) fn intern(&mut self, ty: &Ty) -> Result<TypeId, String> {
        let text =
            self.names.code(ty).ok_or_else(|| format!("the type `{}` cannot be named", describe(ty)))?;
        if let Some(id) = self.ids.get(&text) {
            return Ok(*id);
        }
        if self.names.is_unsized(ty) {
            return Err(format!("`{text}` has no size"));
        }
        let referent = match ty {
            Ty::Ref { is_mut, inner, .. } if !self.names.is_unsized(inner) => {
                let kind = if *is_mut { Reference::Exclusive } else { Reference::Shared };
                Some((kind, self.intern(inner)?))
            }
            _ => None,
        };
        let mut imports = BTreeSet::new();
        let shown = self.names.shown(ty, &mut imports).unwrap_or_else(|| text.clone());
        let id = self.add(ty.clone(), &text, shown, imports, referent);
        self.ids.insert(text, id);
        Ok(id)
    }

    fn add(
        &mut self,
        ty: Ty,
        text: &str,
        shown: String,
        imports: BTreeSet<String>,
        referent: Option<(Reference, TypeId)>,
    ) -> TypeId {
        let id = TypeId(u32::try_from(self.api.types.len()).expect("types are few"));
        self.api.types.push(Type {
            text: text.to_owned(),
            shown,
            imports: imports.into_iter().collect(),
            literal: literal(&ty),
            borrows: borrows(&ty),
            referent,
            facts: Facts::default(),
        });
        self.tys.push(ty);
        id
    }

    /// A type of its own for a result that only the compiler can name.
    pub(crate) fn inferred(&mut self, borrows: bool) -> TypeId {
        let id = self.add(Ty::Inferred, "_", "_".to_owned(), BTreeSet::new(), None);
        self.api.types[id.0 as usize].borrows = borrows;
        id
    }

    /// Whether some callable asks for a type, and none gives it or something that holds it.
    pub(crate) fn is_missing(&self, ty: &Ty) -> bool {
        let Some(id) = self.names.code(ty).and_then(|text| self.ids.get(&text).copied()) else {
            return false;
        };
        let asks =
            |callable: &Callable| callable.params.iter().any(|param| wanted(param.accepts) == Some(id));
        let gives = |callable: &Callable| {
            self.tys[callable.output.0 as usize].any(|part| part == ty)
                && !callable.params.iter().any(|param| wanted(param.accepts) == Some(id))
        };
        self.api.callables.iter().any(asks) && !self.api.callables.iter().any(gives)
    }

    /// How a parameter of this type takes its argument.
    pub(crate) fn accepts(&mut self, ty: &Ty) -> Result<Accepts, String> {
        let Ty::Ref { is_mut, inner, .. } = ty else { return Ok(Accepts::Value(self.intern(ty)?)) };
        let path = inner.as_path().map(|(path, _)| path);
        // What can be borrowed as such has to be in the table.
        if let Some(owner) = owner(inner) {
            self.intern(&owner)?;
        }
        Ok(match (&**inner, path, is_mut) {
            (Ty::Primitive(name), _, false) if name == "str" => Accepts::Text,
            (Ty::Slice(element), _, false) => Accepts::Slice(self.intern(element)?),
            (Ty::Slice(element), _, true) => Accepts::SliceMut(self.intern(element)?),
            (_, Some("std::path::Path"), false) => Accepts::Path,
            (_, Some("std::ffi::OsStr"), false) => Accepts::OsText,
            (_, Some("std::ffi::CStr"), false) => Accepts::CText,
            // A type of the crate without a size exists behind references alone.
            (inner, ..) if self.names.is_unsized(inner) => Accepts::Value(self.intern(ty)?),
            (inner, _, false) => Accepts::Shared(self.intern(inner)?),
            (inner, _, true) => Accepts::Exclusive(self.intern(inner)?),
        })
    }

    /// Adds a callable, unless it is there already; gives its index. Those that differ in their parameters alone, as for the
    /// implementors of a `dyn Trait`, are numbered.
    pub(crate) fn push(&mut self, mut callable: Callable) -> usize {
        callable.imports.sort();
        callable.imports.dedup();
        let next = self.api.callables.len();
        let params: Vec<_> = callable.params.iter().map(|param| param.accepts).collect();
        let at = *self.seen.entry((callable.code.clone(), params)).or_insert(next);
        if at == next {
            let path = callable.path.clone();
            let numbered = (2..).map(|number| format!("{path} ({number})"));
            let free = std::iter::once(path.clone()).chain(numbered).find(|path| !self.paths.contains(path));
            callable.path = free.expect("numbers do not end");
            self.paths.insert(callable.path.clone());
            self.api.callables.push(callable);
        }
        at
    }
}

/// The type of which a parameter takes values.
pub(super) fn wanted(accepts: Accepts) -> Option<TypeId> {
    match accepts {
        Accepts::Value(id)
        | Accepts::Shared(id)
        | Accepts::Exclusive(id)
        | Accepts::Slice(id)
        | Accepts::SliceMut(id)
        | Accepts::List(id) => Some(id),
        Accepts::Text | Accepts::Path | Accepts::OsText | Accepts::CText => None,
    }
}

/// The type that owns what a reference to a type without a size leads to.
fn owner(inner: &Ty) -> Option<Ty> {
    match inner {
        Ty::Primitive(name) if name == "str" => Some(Ty::text()),
        Ty::Slice(element) => Some(Ty::vec((**element).clone())),
        _ => match inner.as_path()?.0 {
            "std::path::Path" => Some(Ty::standard("std::path::PathBuf", [])),
            "std::ffi::OsStr" => Some(Ty::standard("std::ffi::OsString", [])),
            "std::ffi::CStr" => Some(Ty::standard("std::ffi::CString", [])),
            _ => None,
        },
    }
}

fn literal(ty: &Ty) -> Option<LiteralKind> {
    Some(match ty {
        Ty::Tuple(parts) if parts.is_empty() => LiteralKind::Unit,
        Ty::Primitive(name) => match name.as_str() {
            "bool" => LiteralKind::Bool,
            "char" => LiteralKind::Char,
            "f32" => LiteralKind::F32,
            "f64" => LiteralKind::F64,
            "str" | "never" => return None,
            _ => {
                let (kind, bits) = name.split_at(1);
                LiteralKind::Int { signed: kind == "i", bits: bits.parse().unwrap_or(0) }
            }
        },
        _ if *ty == Ty::string() => LiteralKind::String,
        _ if *ty == Ty::vec(Ty::primitive("u8")) => LiteralKind::Bytes,
        Ty::Ref { inner, is_mut: false, .. } => match &**inner {
            Ty::Primitive(name) if name == "str" => LiteralKind::Str,
            Ty::Slice(element) if **element == Ty::primitive("u8") => LiteralKind::ByteStr,
            _ => return None,
        },
        _ => return None,
    })
}

/// Whether a value of the type may borrow from another one.
pub(crate) fn borrows(ty: &Ty) -> bool {
    ty.any(|part| match part {
        Ty::Ref { .. } => true,
        Ty::Path { args, .. } => args.iter().any(|arg| matches!(arg, Arg::Lifetime(_))),
        _ => false,
    })
}

/// For messages.
pub(crate) fn describe(ty: &Ty) -> String {
    match ty {
        Ty::Path { name, .. } => name.clone(),
        Ty::Generic(name) | Ty::Primitive(name) => name.clone(),
        Ty::Pointer => "*const _".to_owned(),
        Ty::Ref { is_mut: true, inner, .. } => format!("&mut {}", describe(inner)),
        Ty::Ref { inner, .. } => format!("&{}", describe(inner)),
        Ty::Slice(inner) => format!("[{}]", describe(inner)),
        Ty::Array(inner, len) => format!("[{}; {len}]", describe(inner)),
        Ty::Tuple(parts) => format!("({})", parts.iter().map(describe).collect::<Vec<_>>().join(", ")),
        Ty::Dyn(bounds, _) => {
            format!("dyn {}", bounds.iter().map(|b| b.name.as_str()).collect::<Vec<_>>().join(" + "))
        }
        Ty::Impl(bounds) => {
            format!("impl {}", bounds.iter().map(|b| b.name.as_str()).collect::<Vec<_>>().join(" + "))
        }
        Ty::Assoc { of, name, .. } => format!("{}::{name}", describe(of)),
        Ty::Function { .. } => "fn(…)".to_owned(),
        Ty::Closure { code } => code.clone(),
        Ty::Inferred => "_".to_owned(),
    }
}
