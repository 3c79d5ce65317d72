//! One walk over a function's body, with what is known of its callees: what may it read, write, hand out?
//!
//! Expressions are evaluated to [`Value`]s. Variables only grow: the order of statements is not looked at, except
//! that a `let` hides earlier ones, and the walk is repeated until nothing changes.

mod call;
mod control;
mod expr;
mod implied;
mod macros;
mod method;
mod operator;
mod output;
mod outside;
mod pattern;
mod place;
mod standard;
mod switched;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use syn::{Block, Stmt};

use super::convert::Scope;
use super::decls::{Body, Decls, FieldId, FnDecl, FnId};
use super::reach::keep_visible;
use super::summary::{Changer, Summary, Written, start};
use super::ty::Ty;
use super::value::{Access, Root, Value};

/// The result of a walk.
pub(super) struct Walked {
    pub(super) summary: Summary,
    /// Functions whose summaries were used.
    pub(super) callees: BTreeSet<FnId>,
}

/// Analyses one function.
pub(super) fn walk(decls: &Decls<'_>, known: &[Summary], id: FnId) -> Walked {
    let f = &decls.fns[id];
    let scope = Scope {
        params: f.generics.clone(),
        bounds: f.bounds.clone(),
        self_ty: f.self_ty.clone(),
        assoc: (*f.assoc).clone(),
        ..Scope::new(&decls.names, &decls.aliases, f.module)
    };
    let mut walker = Walker {
        d: decls,
        f,
        scope,
        known,
        out: Summary::new(f.params.len()),
        callees: BTreeSet::new(),
        vars: HashMap::new(),
        params: HashMap::new(),
        frames: Vec::new(),
        breaks: Vec::new(),
        returned: Vec::new(),
        grew: false,
        expected: None,
        calling: None,
    };
    match f.body {
        Body::Block(block) => walker.body(block),
        Body::Derived => walker.derived(),
        Body::Absent => walker.out = Summary::of_signature(decls, f),
    }
    walker.out.limit_return(decls, f);
    walker.out.returns.ty = Ty::Unknown;
    keep_visible(decls, f, &mut walker.out);
    Walked { summary: walker.out, callees: walker.callees }
}

/// A variable, by the place of its name in the file; `self` has none.
type Var = usize;

const SELF: Var = usize::MAX;

/// Repetitions for variables that depend on each other.
const ROUNDS: usize = 6;

struct Walker<'d, 'a> {
    d: &'d Decls<'a>,
    f: &'d FnDecl<'a>,
    scope: Scope<'d, 'a>,
    known: &'d [Summary],
    out: Summary,
    callees: BTreeSet<FnId>,
    vars: HashMap<Var, Value>,
    /// Variables that are parameters, or parts of one.
    params: HashMap<Var, usize>,
    /// Names in scope, the innermost block last.
    frames: Vec<HashMap<String, Var>>,
    /// Values of the loops around, from `break`.
    breaks: Vec<Value>,
    /// Values of the function and the closures around, from `return`.
    returned: Vec<Value>,
    grew: bool,
    /// The type that the expression at hand is to have, where that is written.
    expected: Option<Ty>,
    /// The function of the crate whose effects are being taken over.
    calling: Option<FnId>,
}

impl<'d, 'a> Walker<'d, 'a> {
    fn body(&mut self, block: &Block) {
        self.out.uses_unsafe |= self.f.is_unsafe;
        for _ in 0..ROUNDS {
            self.grew = false;
            self.frames = vec![HashMap::new()];
            self.returned = vec![Value::default()];
            self.bind_params();
            self.expected = self.written_return();
            let value = self.block(block);
            let value = self.coerced(value, &self.f.ret);
            self.out.returns.absorb(&value);
            let returned = self.returned.pop().unwrap_or_default();
            self.out.returns.absorb(&returned);
            if !self.grew {
                break;
            }
        }
    }

    fn bind_params(&mut self) {
        for (at, param) in self.f.params.iter().enumerate() {
            let mut value = Value::fresh(param.ty.clone());
            value.roots.insert(Root::Param(at), start(&param.ty));
            match param.pat {
                None => {
                    self.params.insert(SELF, at);
                    self.declare("self".to_owned(), SELF, value);
                }
                Some(pat) => {
                    let before: BTreeSet<Var> = self.vars.keys().copied().collect();
                    self.bind(pat, value, false);
                    let bound = self.vars.keys().filter(|var| !before.contains(var)).copied();
                    let bound: Vec<_> = bound.map(|var| (var, at)).collect();
                    self.params.extend(bound);
                }
            }
        }
    }

    /// Brings a variable into scope, or adds to what it may be.
    fn declare(&mut self, name: String, var: Var, value: Value) {
        self.grow(var, &value);
        let frame = self.frames.last_mut().expect("a body is walked within a frame");
        frame.insert(name, var);
    }

    fn grow(&mut self, var: Var, value: &Value) {
        let own = self.vars.entry(var).or_insert_with(|| {
            self.grew = true;
            Value::default()
        });
        let before = own.clone();
        own.join(value);
        (own.is_local, own.within) = (false, BTreeSet::new());
        self.grew |= *own != before;
    }

    fn variable(&self, name: &str) -> Option<Var> {
        self.frames.iter().rev().find_map(|frame| frame.get(name)).copied()
    }

    /// Runs something in a scope of its own.
    fn framed<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.frames.push(HashMap::new());
        let result = run(self);
        self.frames.pop();
        result
    }

    fn block(&mut self, block: &Block) -> Value {
        self.framed(|walker| {
            let mut last = Value::fresh(Ty::UNIT);
            let expected = walker.expected.take();
            let stmts = walker.compiled(block);
            for (at, stmt) in stmts.iter().enumerate() {
                walker.expected = expected.clone().filter(|_| at + 1 == stmts.len());
                last = walker.stmt(stmt);
            }
            last
        })
    }

    fn stmt(&mut self, stmt: &Stmt) -> Value {
        match stmt {
            Stmt::Local(local) => self.local(local),
            // Functions inside of bodies have summaries of their own.
            Stmt::Item(_) => {}
            Stmt::Expr(expr, semicolon) => {
                let value = self.value(expr);
                if semicolon.is_none() || control::diverges(expr) {
                    return value;
                }
            }
            Stmt::Macro(stmt) => {
                let value = self.macro_call(&stmt.mac);
                if stmt.semi_token.is_none() || macros::diverges(&stmt.mac) {
                    return value;
                }
            }
        }
        Value::fresh(Ty::UNIT)
    }

    fn local(&mut self, local: &syn::Local) {
        let Some(init) = &local.init else {
            return self.bind(&local.pat, Value::default(), false);
        };
        if matches!(local.pat, syn::Pat::Wild(_)) && matches!(*init.expr, syn::Expr::Path(_)) {
            return; // `let _ = x;` does not even move `x`.
        }
        if let syn::Pat::Type(typed) = &local.pat {
            self.expected = Some(self.scope.ty(&typed.ty)).filter(|ty| !ty.is_unknown());
        }
        let (value, copied) = self.scrutinee(&init.expr);
        self.expected = None;
        if let Some((_, diverge)) = &init.diverge {
            self.value(diverge);
        }
        self.bind(&local.pat, value, copied);
    }

    /// Notes that everything behind a value may have changed.
    fn write(&mut self, value: &Value) {
        for (root, access) in value.roots.iter().filter(|(_, access)| **access > Access::Shared) {
            self.write_root(*root, *access, value.deep);
        }
        self.out.defines.extend(&value.path);
    }

    /// Notes a change of a place: one inside of a local variable is nobody's business, fields apart.
    fn write_place(&mut self, place: &Value) {
        if place.is_local {
            self.out.defines.extend(&place.within);
        } else {
            self.write(place);
        }
    }

    /// The same where shared access is enough, because the type changes behind a shared reference.
    fn write_interior(&mut self, value: &Value) {
        self.out.uses_interior |= !value.roots.is_empty();
        self.write_inside(value);
    }

    /// What a callee did behind a shared reference.
    fn write_inside(&mut self, value: &Value) {
        let writable = self.opened(value.clone());
        self.write(&writable);
        // A type parameter may stand for something that holds shared references.
        for (root, _) in writable.roots.iter().filter(|(_, access)| **access > Access::Shared) {
            if let Root::Param(at) = root {
                let state = &mut self.out.params[*at];
                state.written = state.written.max(Written::Interior);
            }
        }
    }

    /// Lets a value write behind shared references: to those of its roots whose type allows that, or to all if
    /// none seems to.
    fn opened(&self, mut value: Value) -> Value {
        let changes = |root: &Root| {
            let ty = match root {
                Root::Param(at) => &self.f.params[*at].ty,
                Root::Static(id) => &self.d.statics[*id].ty,
            };
            self.d.interior(ty) || self.d.holds_raw(ty.unreferenced())
        };
        let is_known = value.roots.keys().any(changes);
        for (root, access) in &mut value.roots {
            if !is_known || changes(root) {
                *access = (*access).max(Access::Mut);
            }
        }
        value
    }

    fn write_root(&mut self, root: Root, access: Access, deep: bool) {
        match root {
            Root::Static(id) => drop(self.out.statics_written.insert(id)),
            Root::Param(at) => {
                let is_shared = start(&self.f.params[at].ty) == Access::Shared;
                let written = match access {
                    Access::Raw => Written::Forced,
                    _ if is_shared => Written::Interior,
                    _ if deep => Written::Deep,
                    _ => Written::Plain,
                };
                let changer = self.calling.map_or(Changer::Body, |id| Changer::Callee(Reverse(id)));
                let state = &mut self.out.params[at];
                state.written = state.written.max(written);
                state.changer = state.changer.max(changer);
            }
        }
    }

    /// Something that the analysis cannot look into gets a value: it may look at all of it, and change what it
    /// can.
    fn escape(&mut self, value: &Value) {
        let fields = self.fields_within(&value.ty);
        self.out.uses.extend(&fields);
        if value.can_write() {
            self.write(value);
            self.out.defines.extend(&fields);
        } else if self.d.interior(&value.ty) {
            self.write_interior(value);
            self.out.defines.extend(&fields);
        }
    }

    /// Fields of a type of the crate, and of those inside of it.
    fn fields_within(&self, ty: &Ty) -> BTreeSet<FieldId> {
        let (mut open, mut found) = (Vec::new(), BTreeSet::new());
        ty.peeled().own_types(&mut open);
        while let Some(ty) = open.pop() {
            let Ty::Own(id, _) = ty else { continue };
            for field in self.d.all_fields(id) {
                if found.insert(field) {
                    self.d.types[id].fields[field.1].ty.own_types(&mut open);
                }
            }
        }
        found
    }

    /// A place gets another value as a whole, or gives its own away.
    fn define_whole(&mut self, ty: &Ty) {
        if let Ty::Own(id, _) = ty {
            self.out.defines.extend(self.d.all_fields(*id));
        }
    }

    fn use_whole(&mut self, ty: &Ty) {
        if let Ty::Own(id, _) = ty {
            self.out.uses.extend(self.d.all_fields(*id));
        }
    }

    /// A reference that becomes one to something else goes through the crate's own `Deref`.
    fn coerced(&mut self, mut value: Value, target: &Ty) -> Value {
        let Ty::Ref(mutable, target) = target else { return value };
        for _ in 0..4 {
            let Ty::Ref(own, inner) = value.ty.clone() else { break };
            let is_deref = matches!(&*inner, Ty::Own(id, _) if self.d.derefs.contains_key(id));
            let is_other = match (&**target, &*inner) {
                (Ty::Own(a, _), Ty::Own(b, _)) => a != b,
                (Ty::Unknown | Ty::Param(_) | Ty::Bounded(_), _) => false,
                _ => true,
            };
            if !is_deref || !is_other {
                break;
            }
            let want = if *mutable && own { place::Want::Write } else { place::Want::Read };
            value = self.dereference(value.with_type(*inner), want);
            let ty = value.ty.clone().reference(*mutable && own);
            value.ty = ty;
        }
        value
    }

    fn unknown(&mut self, name: &str) {
        self.out.calls_unknown = true;
        self.out.unknown.insert(name.to_owned());
    }

    /// What is left of access when a value is read out of a place and passed on.
    ///
    /// A type that can hold no references leaves nothing. Out of a borrowed place only copies can be made, and
    /// what can be copied does not write.
    fn passed_on(&self, mut value: Value, is_borrowed_place: bool) -> Value {
        value.is_local = false;
        let open = if is_borrowed_place { Access::Shared } else { Access::Raw };
        let most = match value.ty {
            Ty::Unknown => Some(open),
            _ => self.d.carry(&value.ty, Some(open)),
        };
        value.capped(most)
    }

    fn use_field(&mut self, field: FieldId) {
        self.out.uses.insert(field);
    }

    /// A derived function goes over all fields with the same function of their types.
    fn derived(&mut self) {
        let Some(Ty::Own(id, _)) = &self.f.self_ty else { return };
        let fields: Vec<FieldId> = self.d.all_fields(*id).collect();
        if self.f.has_receiver {
            self.out.uses.extend(fields);
        } else {
            self.out.defines.extend(fields);
        }
        if self.f.name == "clone" {
            self.out.defines.extend(self.d.all_fields(*id));
            // What a clone refers to is what the original refers to.
            self.out.returns.roots.insert(Root::Param(0), Access::Shared);
        }
        self.out.params.iter_mut().for_each(|param| param.used = true);
        if matches!(self.f.name.as_str(), "hash" | "fmt") {
            self.out.params[1].written = Written::Plain;
        }
        let mut types = Vec::new();
        self.d.types[*id].fields.iter().for_each(|field| field.ty.own_types(&mut types));
        for ty in types {
            for callee in self.d.standard_methods_of(&ty, &self.f.name) {
                self.callees.insert(callee);
                self.out.absorb(&self.known[callee]);
            }
        }
    }
}
