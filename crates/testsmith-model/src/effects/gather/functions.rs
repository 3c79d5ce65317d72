//! Functions with their signatures, and what `impl`s say.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Block, FnArg, ImplItem, ItemImpl, ItemTrait, ReceiverKind, Safety, Signature, Visibility};

use super::{Gather, RawFn, impl_fns, trait_fns};
use crate::effects::convert::Scope;
use crate::effects::decls::{
    AssocDecl, Body, FnDecl, FnId, ModuleId, Owner, ParamDecl, TraitDecl, TraitId, head,
};
use crate::effects::names::{Def, Found, Space, segments};
use crate::effects::text;
use crate::effects::ty::{Bound, Ty};

impl<'a> Gather<'a, '_> {
    pub(super) fn finish_traits(&mut self) {
        for (_, module, item) in &self.raw.traits {
            let supers = item.supertraits.iter().filter_map(|bound| match bound {
                syn::TypeParamBound::Trait(bound) => self.own_trait(*module, &bound.path),
                _ => None,
            });
            let supers = supers.collect();
            self.decls.traits.push(TraitDecl { methods: BTreeMap::new(), supers });
        }
    }

    fn own_trait(&self, module: ModuleId, path: &syn::Path) -> Option<TraitId> {
        match self.decls.names.resolve(module, &segments(path), Space::Types) {
            Found::Own(Def::Trait(id), rest) if rest.is_empty() => Some(id),
            _ => None,
        }
    }

    pub(super) fn finish_free_functions(&mut self, bodies: &HashMap<*const Block, ModuleId>) {
        for at in 0..self.raw.fns.len() {
            let RawFn { file, module, item } = self.raw.fns[at];
            let context = Context::free(file, module, self.scope(module), bodies);
            let path =
                text::joined(&self.decls.names.modules[module].path, &item.sig.ident.unraw().to_string());
            let decl = self.function(&context, path, &item.vis, &item.sig, Some(&item.block));
            self.decls.fns.push(decl);
        }
        for at in 0..self.raw.traits.len() {
            let (file, module, item) = self.raw.traits[at];
            self.finish_trait_methods(at, file, module, item, bodies);
        }
    }

    fn finish_trait_methods(
        &mut self,
        id: TraitId,
        file: usize,
        module: ModuleId,
        item: &'a ItemTrait,
        bodies: &HashMap<*const Block, ModuleId>,
    ) {
        let own = Bound {
            own: Some(id),
            name: item.ident.unraw().to_string(),
            is_lost: false,
            inputs: Vec::new(),
            output: Ty::Unknown,
            assoc: Vec::new(),
        };
        let trait_path = text::joined(&self.decls.names.modules[module].path, &own.name);
        let used: Vec<_> = trait_fns(item).filter(|function| self.is_used(&function.attrs)).collect();
        for function in used {
            let mut context = Context::free(file, module, self.scope(module), bodies);
            context.owner = Owner::Trait(id);
            context.scope.self_ty = Some(Ty::Param("Self".to_owned()));
            context.scope.params.insert("Self".to_owned());
            context.scope.declare(&item.generics);
            context.scope.bounds.insert("Self".to_owned(), vec![own.clone()]);
            let path = format!("{trait_path}::{}", function.sig.ident.unraw());
            let decl = self.function(
                &context,
                path,
                &Visibility::Inherited,
                &function.sig,
                function.default.as_ref(),
            );
            let fn_id = self.decls.fns.len();
            self.decls.traits[id].methods.insert(decl.name.clone(), fn_id);
            if decl.has_receiver {
                self.decls.methods.entry(decl.name.clone()).or_default().push(fn_id);
            }
            self.decls.fns.push(decl);
        }
    }

    pub(super) fn finish_impls(&mut self, bodies: &HashMap<*const Block, ModuleId>) {
        for at in 0..self.raw.impls.len() {
            let (file, module, item) = self.raw.impls[at];
            self.finish_impl(file, module, item, bodies);
        }
    }

    fn finish_impl(
        &mut self,
        file: usize,
        module: ModuleId,
        item: &'a ItemImpl,
        bodies: &HashMap<*const Block, ModuleId>,
    ) {
        let mut scope = self.scope(module);
        scope.declare(&item.generics);
        let self_ty = scope.ty(&item.self_ty);
        scope.self_ty = Some(self_ty.clone());
        for assoc in item.items.iter() {
            if let ImplItem::Type(assoc) = assoc {
                let ty = scope.ty(&assoc.ty);
                scope.assoc.insert(assoc.ident.unraw().to_string(), ty);
            }
        }
        let assoc = scope.assoc.clone();
        if let Ty::Own(id, _) = &self_ty {
            let consts = item.items.iter().filter_map(|item| match item {
                ImplItem::Const(item) => Some(((*id, item.ident.unraw().to_string()), scope.ty(&item.ty))),
                _ => None,
            });
            let consts: Vec<_> = consts.collect();
            self.decls.assoc_consts.extend(consts);
        }
        let trait_path = item.trait_.as_ref().map(|(path, _)| path);
        let own_trait = trait_path.and_then(|path| self.own_trait(module, path));
        let trait_name = trait_path.and_then(|path| segments(path).pop());
        let owner = if trait_path.is_some() { Owner::Impl(own_trait) } else { Owner::Inherent };
        let prefix = match &trait_name {
            Some(name) => format!("<{} as {name}>", text::of_type(&self.decls, &self_ty)),
            None => text::of_type(&self.decls, &self_ty),
        };
        let mut decls = Vec::new();
        for function in impl_fns(item).filter(|function| self.is_used(&function.attrs)) {
            let mut context = Context::free(file, module, self.scope(module), bodies);
            context.owner = owner.clone();
            context.scope.declare(&item.generics);
            context.scope.self_ty = Some(self_ty.clone());
            context.scope.assoc = assoc.clone();
            let path = format!("{prefix}::{}", function.sig.ident.unraw());
            decls.push(self.function(&context, path, &function.vis, &function.sig, Some(&function.block)));
        }
        self.note_impl(&self_ty, own_trait, trait_name.as_deref(), &assoc);
        for decl in decls {
            self.add_method(&self_ty, own_trait, decl);
        }
    }

    /// `Self::Item` may be given by another `impl` than the one that names it, as in those of `DoubleEndedIterator`.
    pub(super) fn settle_projections(&mut self) {
        let settled = |f: &FnDecl<'_>, ty: &Ty| match &f.self_ty {
            Some(own) if !matches!(own, Ty::Param(_)) => ty.replaced(&|name| {
                let name = name.strip_prefix("Self::")?;
                Some(self.decls.associated(own, name))
            }),
            _ => ty.clone(),
        };
        let each = self.decls.fns.iter().map(|f| {
            let params: Vec<Ty> = f.params.iter().map(|param| settled(f, &param.ty)).collect();
            (settled(f, &f.ret), params)
        });
        let found: Vec<_> = each.collect();
        for (f, (ret, params)) in self.decls.fns.iter_mut().zip(found) {
            f.ret = ret;
            f.params.iter_mut().zip(params).for_each(|(param, ty)| param.ty = ty);
        }
    }

    /// Keeps what an `impl` says apart from its functions.
    fn note_impl(
        &mut self,
        self_ty: &Ty,
        own_trait: Option<TraitId>,
        trait_name: Option<&str>,
        assoc: &HashMap<String, Ty>,
    ) {
        if let (Ty::Own(id, _), Some(name)) = (self_ty, trait_name) {
            match own_trait {
                Some(own) => self.decls.traits_of.entry(*id).or_default().push(own),
                None => drop(self.decls.types[*id].foreign_traits.insert(name.to_owned())),
            }
            if name == "Deref"
                && let (Some(target), Ty::Own(_, args)) = (assoc.get("Target"), self_ty)
            {
                // The `impl` may name the parameters differently.
                let own = self.decls.types[*id].params.iter().cloned().map(Ty::Param);
                let names = args.iter().zip(own).filter_map(|(arg, own)| match arg {
                    Ty::Param(name) => Some((name.clone(), own)),
                    _ => None,
                });
                self.decls.derefs.insert(*id, target.with(&names.collect()));
            }
        }
        let each = assoc.iter();
        self.decls.assoc.extend(each.map(|(name, ty)| AssocDecl {
            name: name.clone(),
            self_ty: self_ty.clone(),
            ty: ty.clone(),
        }));
    }

    pub(super) fn add_method(&mut self, self_ty: &Ty, own_trait: Option<TraitId>, decl: FnDecl<'a>) -> FnId {
        let (id, name) = (self.decls.fns.len(), decl.name.clone());
        let by_name = match self_ty.unreferenced() {
            Ty::Own(id, _) => self.decls.of_type.entry(*id).or_default(),
            Ty::Param(_) | Ty::Bounded(_) | Ty::Unknown => &mut self.decls.blanket,
            other => self.decls.of_foreign.entry(head(other)).or_default(),
        };
        by_name.entry(name.clone()).or_default().push(id);
        if let Some(own) = own_trait {
            self.decls.of_trait.entry((own, name.clone())).or_default().push(id);
        }
        if decl.has_receiver {
            self.decls.methods.entry(name).or_default().push(id);
        }
        self.decls.fns.push(decl);
        id
    }

    fn function(
        &self,
        context: &Context<'_, 'a>,
        path: String,
        vis: &Visibility,
        sig: &'a Signature,
        body: Option<&'a Block>,
    ) -> FnDecl<'a> {
        let file = self.file(context.file);
        let mut scope = context.scope.clone();
        scope.declare(&sig.generics);
        let module = body.and_then(|body| context.bodies.get(&std::ptr::from_ref(body))).copied();
        let line = |at: usize| file.place(at).line;
        FnDecl {
            path,
            name: sig.ident.unraw().to_string(),
            file: context.file,
            line: line(beginning(vis, sig)),
            name_line: line(sig.ident.span().byte_range().start),
            module: module.unwrap_or(context.module),
            owner: context.owner.clone(),
            self_ty: scope.self_ty.clone(),
            assoc: Rc::new(scope.assoc.clone()),
            has_receiver: sig.receiver().is_some(),
            params: sig.inputs.iter().map(|input| parameter(&scope, input)).collect(),
            ret: scope.output(&sig.output),
            is_unsafe: matches!(sig.safety, Safety::Unsafe(_)),
            body: body.map_or(Body::Absent, Body::Block),
            generics: scope.params,
            bounds: scope.bounds,
        }
    }
}

/// Where functions are declared.
struct Context<'s, 'a> {
    file: usize,
    module: ModuleId,
    owner: Owner,
    scope: Scope<'s, 'a>,
    bodies: &'s HashMap<*const Block, ModuleId>,
}

impl<'s, 'a> Context<'s, 'a> {
    fn free(
        file: usize,
        module: ModuleId,
        scope: Scope<'s, 'a>,
        bodies: &'s HashMap<*const Block, ModuleId>,
    ) -> Self {
        Context { file, module, owner: Owner::Free, scope, bodies }
    }
}

fn parameter<'a>(scope: &Scope<'_, 'a>, input: &'a FnArg) -> ParamDecl<'a> {
    match input {
        FnArg::Receiver(receiver) => {
            let own = scope.self_ty.clone().unwrap_or_default();
            let ty = match &receiver.kind {
                ReceiverKind::Reference(_, _, mutability) => own.reference(mutability.is_some()),
                ReceiverKind::Typed(_, ty) => scope.ty(ty),
                _ => own,
            };
            ParamDecl { name: "self".to_owned(), ty, pat: None }
        }
        FnArg::Typed(typed) => {
            let name = match &*typed.pat {
                syn::Pat::Ident(name) => name.ident.unraw().to_string(),
                _ => "_".to_owned(),
            };
            ParamDecl { name, ty: scope.ty(&typed.ty), pat: Some(&typed.pat) }
        }
    }
}

/// The first byte of a function, attributes aside.
fn beginning(vis: &Visibility, sig: &Signature) -> usize {
    let start = |span: proc_macro2::Span| span.byte_range().start;
    let vis = (!matches!(vis, Visibility::Inherited)).then(|| start(vis.span()));
    let safety = match &sig.safety {
        Safety::Unsafe(token) => Some(start(token.span())),
        _ => None,
    };
    let first = [
        vis,
        sig.constness.map(|token| start(token.span())),
        sig.asyncness.map(|token| start(token.span())),
        safety,
        sig.abi.as_ref().map(|abi| start(abi.extern_token.span())),
        Some(start(sig.fn_token.span())),
    ];
    first.into_iter().flatten().min().unwrap_or_default()
}
