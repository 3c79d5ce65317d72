//! Types, constants and statics with what they are made of.

use syn::ext::IdentExt;

use super::{Gather, Shape};
use crate::effects::convert::{Scope, param_names};
use crate::effects::decls::{FieldDecl, FieldId, StaticDecl, TypeDecl};
use crate::effects::report::StateKind;
use crate::effects::ty::Ty;
use crate::effects::{derives, text};

impl Gather<'_, '_> {
    pub(super) fn finish_types(&mut self) {
        for raw in &self.raw.types {
            let mut scope = self.scope(raw.module);
            scope.params.extend(param_names(raw.generics));
            let params = param_names(raw.generics);
            scope.self_ty =
                Some(Ty::Own(self.decls.types.len(), params.iter().cloned().map(Ty::Param).collect()));
            let fields = match &raw.shape {
                Shape::Struct(fields) => read_fields(&scope, fields.iter(), None),
                Shape::Union(fields) => read_fields(&scope, fields.named.iter(), None),
                Shape::Enum(variants) => {
                    let each = variants.iter().enumerate();
                    each.flat_map(|(at, v)| read_fields(&scope, v.fields.iter(), Some((at, &v.ident))))
                        .collect()
                }
            };
            let path = text::joined(&self.decls.names.modules[raw.module].path, &raw.name);
            let foreign_traits = derives::names(raw.attrs, self.cfg).into_iter().map(|(name, _)| name);
            let decl = TypeDecl {
                path: path.into(),
                params,
                has_lifetime: raw.generics.lifetimes().next().is_some(),
                is_enum: matches!(raw.shape, Shape::Enum(_)),
                fields,
                foreign_traits: foreign_traits.collect(),
                carry: None,
                interior: false,
                holds_raw: false,
            };
            let id = self.decls.types.len();
            for (at, field) in decl.fields.iter().enumerate() {
                let same_name = self.decls.fields.entry(field.member.clone()).or_default();
                same_name.push(FieldId(id, at));
            }
            self.decls.types.push(decl);
        }
        self.decls.consts = self.raw.consts.iter().map(|(module, ty)| self.scope(*module).ty(ty)).collect();
    }

    pub(super) fn finish_statics(&mut self) {
        for raw in std::mem::take(&mut self.raw.statics) {
            let ty = self.scope(raw.module).ty(&raw.ty);
            let path = text::joined(&self.decls.names.modules[raw.module].path, &raw.name);
            let line = self.file(raw.file).place(raw.offset).line;
            self.decls.statics.push(StaticDecl { path, file: raw.file, line, ty, kind: raw.kind });
        }
    }

    pub(super) fn settle_statics(&mut self) {
        for at in 0..self.decls.statics.len() {
            let decl = &self.decls.statics[at];
            let is_plain = |ty: &Ty| !self.decls.interior(ty);
            let once = match decl.ty.foreign_name() {
                Some("LazyLock" | "Lazy") => Some(StateKind::Lazy),
                Some("OnceLock" | "OnceCell" | "Once") => Some(StateKind::Once),
                _ => None,
            };
            let of_type = match &decl.ty {
                Ty::Foreign(foreign) if once.is_some() && foreign.args.iter().all(is_plain) => once,
                ty if !is_plain(ty) => Some(StateKind::Interior),
                _ => None,
            };
            let kind = match (decl.kind, of_type) {
                (Some(StateKind::ThreadLocal), None) => Some(StateKind::Lazy),
                // What is made once may still be changed afterwards.
                (Some(StateKind::Lazy), Some(of_type)) => Some(of_type),
                (declared, of_type) => declared.or(of_type),
            };
            self.decls.statics[at].kind = kind;
        }
    }

    pub(super) fn finish_derives(&mut self) {
        for id in 0..self.raw.types.len() {
            let raw = &self.raw.types[id];
            let (file, module) = (raw.file, raw.module);
            let self_ty = Ty::Own(id, self.decls.types[id].params.iter().cloned().map(Ty::Param).collect());
            for (name, offset) in derives::names(raw.attrs, self.cfg) {
                let line = self.file(file).place(offset).line;
                if let Some(mut decl) = derives::function(&name, &self_ty, file, line, module) {
                    decl.path = format!("<{} as {name}>::{}", self.decls.types[id].path, decl.name);
                    self.add_method(&self_ty, None, decl);
                }
            }
        }
    }
}

fn read_fields<'f>(
    scope: &Scope<'_, '_>,
    fields: impl Iterator<Item = &'f syn::Field>,
    variant: Option<(usize, &syn::Ident)>,
) -> Vec<FieldDecl> {
    let each = fields.enumerate().map(|(at, field)| {
        let member = field.ident.as_ref().map_or_else(|| at.to_string(), |name| name.unraw().to_string());
        let name = match variant {
            Some((_, variant)) => format!("{}.{member}", variant.unraw()),
            None => member.clone(),
        };
        FieldDecl { name: name.into(), variant: variant.map(|v| v.0), member, ty: scope.ty(&field.ty) }
    });
    each.collect()
}
