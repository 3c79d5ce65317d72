//! Expressions as places: what an assignment, a borrow or a method call gets at.

use syn::{Expr, Member};

use super::{SELF, Walker};
use crate::effects::decls::{FieldId, TypeId};
use crate::effects::names::{Def, Found, Space, segments};
use crate::effects::ty::Ty;
use crate::effects::value::{Access, Root, Value};

/// What a place is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    Read,
    /// A mutable reference.
    Write,
    /// Assignment to the whole of it: the last field is not read.
    Define,
}

impl Want {
    /// What the place around is wanted for.
    fn around(self) -> Want {
        if self == Want::Define { Want::Write } else { self }
    }
}

impl Walker<'_, '_> {
    pub(super) fn place(&mut self, expr: &Expr, want: Want) -> Value {
        match expr {
            Expr::Paren(inner) => self.place(&inner.expr, want),
            Expr::Group(inner) => self.place(&inner.expr, want),
            Expr::Path(path) => self.path_place(path, want),
            Expr::Field(field) => {
                let base = self.place(&field.base, want.around());
                self.field(base, &field.member, want)
            }
            Expr::Index(index) => {
                let base = self.place(&index.expr, want.around());
                let at = self.value(&index.index);
                self.index(base, at, want)
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                let base = self.place(&unary.expr, want.around());
                self.dereference(base, want)
            }
            other => self.value(other),
        }
    }

    fn path_place(&mut self, path: &syn::ExprPath, want: Want) -> Value {
        let names = segments(&path.path);
        if let [name] = names.as_slice()
            && let Some(var) = self.variable(name)
        {
            return self.variable_place(var);
        }
        match self.d.names.resolve(self.f.module, &names, Space::Values) {
            Found::Own(Def::Static(id), rest) if rest.is_empty() => {
                if want != Want::Define {
                    self.out.statics_read.insert(id);
                }
                let decl = &self.d.statics[id];
                let is_mut = decl.kind == Some(crate::effects::report::StateKind::StaticMut);
                let mut value = Value::fresh(decl.ty.clone());
                value.roots.insert(Root::Static(id), if is_mut { Access::Mut } else { Access::Shared });
                value
            }
            Found::Own(Def::Const(id), rest) if rest.is_empty() => self.constant(self.d.consts[id].clone()),
            Found::Own(Def::Type(id), rest) if rest.is_empty() => self.constructor(id, None),
            Found::Own(Def::Variant(id, at), rest) if rest.is_empty() => self.constructor(id, Some(at)),
            Found::Own(Def::Fn(id), _) => {
                // A function that is passed on by name is taken to be called.
                self.callees.insert(id);
                self.out.absorb(&self.known[id]);
                Value::fresh(Ty::Function(vec![id], Vec::new()))
            }
            _ => self.named_elsewhere(path, &names),
        }
    }

    /// `Self`, `Self::CONST`, `Type::method` without a call.
    fn named_elsewhere(&mut self, path: &syn::ExprPath, names: &[String]) -> Value {
        match names {
            [name] if name == "Self" => return Value::fresh(self.f.self_ty.clone().unwrap_or_default()),
            [name] if name == "None" => return Value::fresh(Ty::option(Ty::Unknown)),
            _ => {}
        }
        let Some((name, owner)) = self.associated_owner(path) else { return Value::default() };
        let constant = owner.unreferenced().clone();
        if let Ty::Own(id, _) = &constant
            && self.d.names.variants.get(id).is_some_and(|variants| variants.contains(&name))
        {
            return Value::fresh(constant);
        }
        if let Ty::Own(id, _) = &constant
            && let Some(ty) = self.d.assoc_consts.get(&(*id, name.clone()))
        {
            return self.constant(ty.clone());
        }
        let own = self.d.methods_of(self.f, &owner, &name);
        for id in &own {
            self.callees.insert(*id);
            self.out.absorb(&self.known[*id]);
        }
        if !own.is_empty() {
            return Value::fresh(Ty::Function(own, Vec::new()));
        }
        match self.d.names.resolve(self.f.module, names, Space::Values) {
            Found::Foreign(full) if name.starts_with(char::is_lowercase) => {
                Value::fresh(Ty::Function(Vec::new(), full))
            }
            _ if matches!(owner, Ty::Prim(_)) => Value::fresh(owner),
            _ => Value::default(),
        }
    }

    /// A struct or variant without fields, or the function that makes one.
    fn constructor(&mut self, id: TypeId, variant: Option<usize>) -> Value {
        let fields =
            self.d.all_fields(id).filter(|field| self.d.types[id].fields[field.1].variant == variant);
        self.out.defines.extend(fields);
        Value::fresh(Ty::Own(id, Vec::new()))
    }

    /// A constant is a new object each time.
    fn constant(&mut self, ty: Ty) -> Value {
        let fields = self.fields_within(&ty);
        self.out.defines.extend(fields);
        Value::fresh(ty)
    }

    pub(super) fn variable_place(&mut self, var: super::Var) -> Value {
        if let Some(at) = self.params.get(&var) {
            self.out.params[*at].used = true;
        }
        let mut value = self.vars.get(&var).cloned().unwrap_or_default();
        value.is_local = value.ty.is_owned();
        if var == SELF && value.ty.is_unknown() {
            value.ty = self.f.self_ty.clone().unwrap_or_default();
        }
        value
    }

    /// The variable that a place lies in.
    pub(super) fn base_variable(&self, expr: &Expr) -> Option<super::Var> {
        match expr {
            Expr::Paren(inner) => self.base_variable(&inner.expr),
            Expr::Group(inner) => self.base_variable(&inner.expr),
            Expr::Field(field) => self.base_variable(&field.base),
            Expr::Index(index) => self.base_variable(&index.expr),
            Expr::Unary(unary) => self.base_variable(&unary.expr),
            Expr::Reference(reference) => self.base_variable(&reference.expr),
            Expr::Path(path) => self.variable(&path.path.get_ident()?.to_string()),
            _ => None,
        }
    }

    /// A field of a place, looked for through references, owners and `Deref`.
    pub(super) fn field(&mut self, base: Value, member: &Member, want: Want) -> Value {
        let member = match member {
            Member::Named(name) => syn::ext::IdentExt::unraw(name).to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        let mut base = base;
        for _ in 0..8 {
            match &base.ty {
                Ty::Own(id, args) => {
                    if let Some((field, ty)) = self.d.field(*id, args, None, &member) {
                        return self.at_field(base, &[field], ty, want);
                    }
                }
                Ty::Tuple(list) => {
                    let ty =
                        member.parse().ok().and_then(|at: usize| list.get(at)).cloned().unwrap_or_default();
                    return base.with_type(ty);
                }
                _ => {}
            }
            if self.d.one_step_behind(&base.ty).is_none() {
                break;
            }
            base = self.dereference(base, want.around());
        }
        // Without a type, a field of that name of any type may be meant.
        let is_open = base.ty.is_unknown() && member.parse::<usize>().is_err();
        let fields = self.d.fields.get(&member).filter(|_| is_open).cloned().unwrap_or_default();
        let fields: Vec<_> = fields.into_iter().filter(|FieldId(id, _)| !self.d.types[*id].is_enum).collect();
        let ty = match fields.as_slice() {
            [FieldId(id, at)] => self.d.types[*id].fields[*at].ty.clone(),
            _ => Ty::Unknown,
        };
        self.at_field(base, &fields, ty, want)
    }

    /// Goes on to fields that are known.
    pub(super) fn at_field(&mut self, mut base: Value, fields: &[FieldId], ty: Ty, want: Want) -> Value {
        if want != Want::Define {
            fields.iter().for_each(|field| self.use_field(*field));
        }
        base.path.extend(fields);
        base.within.extend(fields);
        base.is_local &= ty.is_owned();
        if ty.is_raw_pointer() && !matches!(ty, Ty::Ptr(false, _)) {
            base = base.raised(Access::Raw);
        }
        base.with_type(ty)
    }

    fn index(&mut self, base: Value, at: Value, want: Want) -> Value {
        self.out.may_panic = true;
        let method = if want == Want::Read { "index" } else { "index_mut" };
        let own = self.d.methods(self.f, &base.ty, method, 2).own;
        if !own.is_empty() && !base.ty.is_unknown() {
            let output = self.d.associated(base.ty.peeled(), "Output");
            let mut value = self.call_known(&own, vec![base, at.clone()], &[]);
            if value.ty.unreferenced().is_unknown() {
                value.ty = output;
            }
            return value.clone().with_type(value.ty.unreferenced().clone());
        }
        // Without an `Index` of its own, a type is indexed through its `Deref`.
        let base = match base.ty.unreferenced() {
            Ty::Own(id, _) if self.d.derefs.contains_key(id) => self.behind_references(base, want),
            _ => base,
        };
        let is_range = at.ty.foreign_name().is_some_and(|name| name.starts_with("Range"));
        let mut ty = if is_range { Ty::Seq(Box::new(base.ty.element())) } else { base.ty.element() };
        if matches!(base.ty.peeled(), Ty::Prim("str")) || base.ty.peeled().foreign_name() == Some("String") {
            ty = Ty::Prim("str");
        }
        let is_local = base.is_local && matches!(base.ty, Ty::Seq(_));
        Value { is_local, ..base }.with_type(ty)
    }

    pub(super) fn dereference(&mut self, base: Value, want: Want) -> Value {
        if let Ty::Own(..) = &base.ty {
            let method = if want == Want::Read { "deref" } else { "deref_mut" };
            let target = self.d.one_step_behind(&base.ty).unwrap_or_default();
            let own = self.d.methods_of(self.f, &base.ty, method);
            let own: Vec<_> = own.into_iter().filter(|id| self.d.fns[*id].has_receiver).collect();
            let mut value = if own.is_empty() { base } else { self.call_known(&own, vec![base], &[]) };
            value.is_local = false;
            return value.with_type(target);
        }
        self.out.uses_unsafe |= matches!(base.ty, Ty::Ptr(..));
        let is_box = base.ty.foreign_name() == Some("Box");
        let is_local = base.is_local && is_box;
        let raw = base.ty.is_raw_pointer() && !matches!(base.ty, Ty::Ptr(false, _));
        let ty = self.d.one_step_behind(&base.ty).unwrap_or_default();
        let deep = base.deep || !base.path.is_empty() && !is_box;
        let value = Value { is_local, deep, ..base }.with_type(ty);
        if raw { value.raised(Access::Raw) } else { value }
    }
}
