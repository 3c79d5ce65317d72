//! Calls by path: functions of the crate, constructors, functions of other crates, closures.

use std::cmp::Ordering;
use std::collections::HashMap;

use syn::{Expr, ExprClosure, ExprPath};

use super::Walker;
use super::expr::all;
use crate::effects::decls::{FnDecl, FnId, TypeId};
use crate::effects::names::{Def, Found, Space, segments};
use crate::effects::stdlib;
use crate::effects::summary::{Summary, Written, start};
use crate::effects::ty::Ty;
use crate::effects::value::{Access, Root, Value};

/// Closures among the arguments, by number: walked when it is known what they are called with.
pub(super) type Closures<'e> = [(usize, &'e ExprClosure)];

impl Walker<'_, '_> {
    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Value {
        let mut func = &*call.func;
        while let Expr::Paren(inner) = func {
            func = &inner.expr;
        }
        let (args, closures) = self.arguments(call.args.iter());
        if let Expr::Path(path) = func {
            let variable = path.path.get_ident().and_then(|name| self.variable(&name.to_string()));
            if variable.is_none() {
                return self.path_call(path, args, &closures);
            }
        }
        let callee = self.place(func, super::place::Want::Read);
        self.call_value(callee, args, &closures)
    }

    pub(super) fn arguments<'e>(
        &mut self,
        exprs: impl Iterator<Item = &'e Expr>,
    ) -> (Vec<Value>, Vec<(usize, &'e ExprClosure)>) {
        let (mut args, mut closures) = (Vec::new(), Vec::new());
        for (at, expr) in exprs.enumerate() {
            args.push(match expr {
                Expr::Closure(closure) => {
                    closures.push((at, closure));
                    Value::default()
                }
                other => self.value(other),
            });
        }
        (args, closures)
    }

    /// A call of a closure or of a function that the caller has passed in: what it does itself is the business of
    /// whoever wrote it, what it gets may be changed.
    fn call_value(&mut self, callee: Value, mut args: Vec<Value>, closures: &Closures<'_>) -> Value {
        for (at, closure) in closures {
            args[*at] = self.closure(closure, &[]);
        }
        if matches!(callee.ty, Ty::Function(..)) {
            return self.call_function(&callee.ty, &args);
        }
        args.iter().for_each(|arg| self.escape(arg));
        // A closure behind a mutable reference may change what it has captured.
        if matches!(callee.ty, Ty::Ref(true, _)) {
            self.write(&callee);
        }
        let ty = match callee.ty.peeled() {
            Ty::Callable(output) => (**output).clone(),
            other => {
                let mut bounds = self.f.bounds_of(other).iter();
                bounds.find(|bound| bound.is_callable()).map(|bound| bound.output.clone()).unwrap_or_default()
            }
        };
        let mut value = all(&args);
        // What a closure of this body captures can come back; the caller's closure holds nothing of ours.
        if !matches!(callee.ty.peeled(), Ty::Param(_) | Ty::Bounded(_)) {
            value.absorb(&callee);
        }
        self.passed_on(value.with_type(ty), false)
    }

    fn path_call(&mut self, path: &ExprPath, args: Vec<Value>, closures: &Closures<'_>) -> Value {
        if let Some(qself) = &path.qself {
            let names = segments(&path.path);
            let owner = self.scope.ty(&qself.ty);
            if let Found::Own(Def::Trait(id), _) =
                self.d.names.resolve(self.f.module, &names[..qself.position], Space::Types)
                && let Some(name) = names.last()
            {
                return self.trait_call(id, name, Some(owner), args, closures);
            }
            return match self.associated_owner(path) {
                Some((name, owner)) => self.associated_call(&owner, &name, &[], args, closures),
                None => self.outside_call(&["_".to_owned()], Ty::Unknown, args, closures),
            };
        }
        let names = segments(&path.path);
        match self.d.names.resolve(self.f.module, &names, Space::Values) {
            Found::Own(Def::Fn(id), rest) if rest.is_empty() => self.call_known(&[id], args, closures),
            Found::Own(Def::Variant(id, at), rest) if rest.is_empty() => {
                self.construct(Ty::Own(id, Vec::new()), id, Some(at), args, closures)
            }
            Found::Own(Def::Type(id), rest) if rest.is_empty() => {
                self.construct(Ty::Own(id, Vec::new()), id, None, args, closures)
            }
            Found::Own(Def::Trait(id), rest) if rest.len() == 1 => {
                self.trait_call(id, &rest[0], None, args, closures)
            }
            Found::Own(Def::Type(_) | Def::Alias(_), rest) if rest.len() == 1 => {
                let owner = self.associated_owner(path).map(|(_, owner)| owner).unwrap_or_default();
                self.associated_call(&owner, &rest[0], &[], args, closures)
            }
            Found::Own(..) => self.call_value(Value::default(), args, closures),
            Found::Foreign(full) => match (names.as_slice(), &self.f.self_ty) {
                ([name], Some(own)) if name == "Self" => {
                    let own = own.clone();
                    match own {
                        Ty::Own(id, _) => self.construct(own, id, None, args, closures),
                        _ => self.call_value(Value::default(), args, closures),
                    }
                }
                ([.., name], _) if self.is_type_name(&names[0]) => {
                    let name = name.clone();
                    let owner = self.associated_owner(path).map(|(_, owner)| owner).unwrap_or_default();
                    self.associated_call(&owner, &name, &full, args, closures)
                }
                _ => {
                    let owner = self.associated_owner(path).map(|(_, owner)| owner).unwrap_or_default();
                    self.outside_call(&full, owner, args, closures)
                }
            },
        }
    }

    /// `Self` or a type parameter.
    fn is_type_name(&self, name: &str) -> bool {
        name == "Self" || self.scope.params.contains(name)
    }

    /// The name and the type of `Type::name`.
    pub(super) fn associated_owner(&self, path: &ExprPath) -> Option<(String, Ty)> {
        let name = path.path.segments.last()?.ident.to_string();
        if let Some(qself) = &path.qself {
            return Some((name, self.scope.ty(&qself.ty)));
        }
        let mut owner = path.path.clone();
        owner.segments.pop()?;
        owner.segments.pop_punct();
        (!owner.segments.is_empty()).then(|| (name, self.scope.path(&owner)))
    }

    /// `Type::name(…)`.
    fn associated_call(
        &mut self,
        owner: &Ty,
        name: &str,
        full: &[String],
        args: Vec<Value>,
        closures: &Closures<'_>,
    ) -> Value {
        if let Ty::Own(id, _) = owner
            && let Some(at) = self.d.names.variants.get(id).and_then(|all| all.iter().position(|v| v == name))
        {
            return self.construct(owner.clone(), *id, Some(at), args, closures);
        }
        let found = self.d.methods_of(self.f, owner, name);
        let found: Vec<_> =
            found.into_iter().filter(|id| self.d.fns[*id].params.len() == args.len()).collect();
        if !found.is_empty() {
            let mut value = match owner {
                Ty::Param(_) | Ty::Bounded(_) => self.call_promised(&found, args, closures),
                _ => self.call_known(&found, args, closures),
            };
            if value.ty.is_unknown()
                && found.iter().all(|id| Some(&self.d.fns[*id].ret) == self.d.fns[*id].self_ty.as_ref())
            {
                value.ty = owner.clone();
            }
            return value;
        }
        match owner {
            // What a type argument does is up to whoever chose it.
            Ty::Param(_) | Ty::Bounded(_) => {
                args.iter().filter(|arg| matches!(arg.ty, Ty::Ref(true, _))).for_each(|arg| self.write(arg));
                let is_new = matches!(name, "default" | "new" | "from" | "zero" | "one");
                self.call_value(Value::default(), args, closures).with_type(if is_new {
                    owner.clone()
                } else {
                    Ty::Unknown
                })
            }
            Ty::Own(..) if !args.is_empty() && stdlib::method(name, args.len() - 1).is_some() => {
                self.method_on_first(name, args, closures)
            }
            Ty::Unknown if name == "default" && args.is_empty() => Value::default(),
            Ty::Own(..) | Ty::Unknown if full.len() < 2 || matches!(owner, Ty::Own(..)) => {
                self.unknown(name);
                self.call_value(Value::default(), args, closures)
            }
            _ => {
                let root = match owner {
                    Ty::Foreign(foreign) => foreign.root.clone(),
                    _ => String::new(),
                };
                let parts = [root, crate::effects::decls::head(owner), name.to_owned()].into_iter();
                let by_type = || parts.filter(|part| !part.is_empty()).collect();
                let path = if full.len() > 1 { full.to_vec() } else { by_type() };
                self.outside_call(&path, owner.clone(), args, closures)
            }
        }
    }

    /// `Trait::name(…)` and `<Type as Trait>::name(…)`: the `impl` for the type, else the trait's own body; without
    /// a type, any.
    fn trait_call(
        &mut self,
        id: usize,
        name: &str,
        owner: Option<Ty>,
        args: Vec<Value>,
        closures: &Closures<'_>,
    ) -> Value {
        let all = self.d.of_trait(id, name);
        let owner = owner.or_else(|| args.first().map(|first| first.ty.clone())).unwrap_or_default();
        let Ty::Own(own, _) = owner.peeled() else { return self.call_promised(&all, args, closures) };
        let is_for = |id: &FnId| {
            let self_ty = self.d.fns[*id].self_ty.as_ref().map(Ty::unreferenced);
            matches!(self_ty, Some(Ty::Own(id, _)) if id == own)
        };
        let written: Vec<_> = all.iter().copied().filter(is_for).collect();
        let declared = self.d.traits[id].methods.get(name).copied();
        let found = if written.is_empty() { declared.into_iter().collect() } else { written };
        self.call_known(&found, args, closures)
    }

    /// A tuple struct or variant.
    fn construct(
        &mut self,
        ty: Ty,
        id: TypeId,
        variant: Option<usize>,
        mut args: Vec<Value>,
        closures: &Closures<'_>,
    ) -> Value {
        for (at, closure) in closures {
            args[*at] = self.closure(closure, &[]);
        }
        let mut map = HashMap::new();
        for (at, arg) in args.iter().enumerate() {
            if let Some((field, ty)) = self.d.field(id, &[], variant, &at.to_string()) {
                self.out.defines.insert(field);
                ty.learn(&arg.ty, &mut map);
            }
        }
        let ty = match ty {
            Ty::Own(id, args) if args.is_empty() => {
                let params = self.d.types[id].params.iter();
                Ty::Own(id, params.map(|name| map.get(name).cloned().unwrap_or_default()).collect())
            }
            known => known,
        };
        all(&args).with_type(ty)
    }

    /// A call of one of several functions of the crate.
    pub(super) fn call_known(
        &mut self,
        ids: &[FnId],
        mut args: Vec<Value>,
        closures: &Closures<'_>,
    ) -> Value {
        for (at, closure) in closures {
            let inputs = self.closure_inputs(ids, *at, &args, closure.inputs.len());
            args[*at] = self.closure(closure, &inputs);
        }
        for at in 0..args.len() {
            let function = args[at].ty.clone();
            if matches!(function, Ty::Function(..)) {
                let inputs = self.closure_inputs(ids, at, &args, 2);
                let value = self.call_function(&function, &inputs);
                args[at].absorb(&value);
            }
        }
        if let [id] = ids {
            let params = self.d.fns[*id].params.iter();
            let pairs = std::mem::take(&mut args).into_iter().zip(params);
            args = pairs.map(|(arg, param)| self.coerced(arg, &param.ty)).collect();
        }
        let (known, mut result) = (self.known, Value::default());
        for id in ids {
            let (f, summary) = (&self.d.fns[*id], &known[*id]);
            self.callees.insert(*id);
            self.out.absorb(summary);
            self.calling = Some(*id);
            for (state, arg) in summary.params.iter().zip(&args) {
                self.written_by_callee(state.written, arg);
            }
            self.calling = None;
            result.absorb(&self.returned(f, summary, &args));
            if result.ty.is_unknown() {
                result.ty = self.result_type(f, &args);
            }
        }
        self.passed_on(result, false)
    }

    /// A function that was passed on by name is called with what there is.
    pub(super) fn call_function(&mut self, function: &Ty, inputs: &[Value]) -> Value {
        let Ty::Function(own, path) = function else { return Value::default() };
        if own.is_empty() {
            return self.outside_call(path, Ty::Unknown, inputs.iter().take(1).cloned().collect(), &[]);
        }
        let count = self.d.fns[own[0]].params.len();
        self.call_known(own, inputs.iter().take(count).cloned().collect(), &[])
    }

    /// A method that a bound promises may be one that nobody sees here: it does what its signature allows.
    pub(super) fn call_promised(&mut self, ids: &[FnId], args: Vec<Value>, closures: &Closures<'_>) -> Value {
        for (param, arg) in ids.iter().flat_map(|id| self.d.fns[*id].params.iter().zip(&args)) {
            if matches!(param.ty, Ty::Ref(true, _)) {
                self.write(arg);
            }
        }
        self.call_known(ids, args, closures)
    }

    fn written_by_callee(&mut self, written: Written, arg: &Value) {
        match written {
            Written::No => {}
            // The callee changed the variable itself, not what the variable holds on to.
            Written::Plain if arg.is_local => self.write_place(arg),
            Written::Plain => self.write(arg),
            Written::Deep => self.write(&Value { deep: true, ..arg.clone() }),
            Written::Interior => self.write_inside(arg),
            Written::Forced => self.write(&arg.clone().raised(Access::Raw)),
        }
    }

    /// What a closure is called with: anything of the type that the callee names, out of the other arguments.
    fn closure_inputs(&self, ids: &[FnId], at: usize, args: &[Value], count: usize) -> Vec<Value> {
        let whole = all(args);
        let declared = ids.iter().find_map(|id| {
            let f = &self.d.fns[*id];
            let ty = f.params.get(at)?.ty.unreferenced();
            let bound = f.bounds_of(ty).iter().find(|bound| bound.is_callable())?;
            let types = bound.inputs.iter().map(|input| self.in_callee(f, input, args));
            Some(types.collect::<Vec<_>>())
        });
        let types = declared.unwrap_or_else(|| vec![Ty::Unknown; count]);
        types.into_iter().map(|ty| self.passed_on(whole.clone().with_type(ty), false)).collect()
    }

    fn result_type(&self, f: &FnDecl<'_>, args: &[Value]) -> Ty {
        self.in_callee(f, &f.ret, args)
    }

    /// A type of a callee's signature, with its parameters replaced by what the arguments tell.
    fn in_callee(&self, f: &FnDecl<'_>, ty: &Ty, args: &[Value]) -> Ty {
        let mut map = HashMap::new();
        for (param, arg) in f.params.iter().zip(args) {
            param.ty.learn(&arg.ty, &mut map);
        }
        let own = map.get("Self").cloned();
        ty.replaced(&|name| {
            if let Some(known) = map.get(name) {
                return Some(known.clone());
            }
            let associated = name.strip_prefix("Self::").zip(own.as_ref());
            Some(associated.map(|(name, own)| self.d.associated(own.peeled(), name)).unwrap_or_default())
        })
    }

    /// What the result of a call gives access to, in terms of its arguments.
    fn returned(&self, f: &FnDecl<'_>, summary: &Summary, args: &[Value]) -> Value {
        let mut result = Value::default();
        for (root, access) in &summary.returns.roots {
            match root {
                Root::Static(_) => drop(result.roots.insert(*root, *access)),
                Root::Param(at) => {
                    let (Some(arg), Some(param)) = (args.get(*at), f.params.get(*at)) else { continue };
                    let start = start(&param.ty);
                    let part = match access.cmp(&start) {
                        Ordering::Greater if *access == Access::Raw => arg.clone().raised(*access),
                        Ordering::Greater => self.opened(arg.clone()),
                        Ordering::Equal => arg.clone(),
                        Ordering::Less => arg.clone().capped(Some(*access)),
                    };
                    result.absorb(&part);
                }
            }
        }
        if !result.roots.is_empty() || !result.path.is_empty() {
            result.path.extend(&summary.returns.path);
        }
        result.deep |= summary.returns.deep;
        result
    }
}
