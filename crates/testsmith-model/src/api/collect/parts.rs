//! What a type of the crate is made of: struct literals, tuple structs, variants, public fields.

use testsmith_ir::api::{Accepts, Callable, Flow, Param, Place};

use super::{Found, OriginKind, parent};
use crate::api::doc::{Item, Kind, Shape};
use crate::api::flows::for_ever;
use crate::api::table::borrows;
use crate::api::ty::{Substitution, Ty};

impl Found<'_, '_> {
    /// What a type of the crate in one of its forms is made of: literals, fields, what is in a variant.
    pub(super) fn parts(&mut self, item: &Item, ty: &Ty) {
        let Some(path) = self.world.names.path(&item.id) else { return };
        match &item.kind {
            Kind::Struct { shape, .. } => {
                self.constructor(item, item, ty, shape, &path);
                self.fields(item, ty, shape, &path);
            }
            Kind::Enum { variants, .. } => {
                let variants = variants.iter().filter_map(|id| self.world.names.doc.get(id));
                for variant in variants.filter(|variant| variant.is_public) {
                    if let Kind::Variant(shape) = &variant.kind {
                        let path = format!("{path}::{}", variant.name);
                        self.constructor(item, variant, ty, shape, &path);
                        self.opened(item, ty, shape, &path);
                    }
                }
            }
            _ => {}
        }
    }

    /// Takes types of the crate out of a variant: often the only way to have one. No part of the API by itself.
    fn opened(&mut self, owner: &Item, ty: &Ty, shape: &Shape, path: &str) {
        let Some(fields) = self.visible_fields(owner, shape) else { return };
        let map = self.substitution(owner, ty);
        for (at, (name, field)) in fields.iter().enumerate() {
            let field = self.world.normal(&field.with(&map));
            if !field.bare().is_own() {
                continue;
            }
            let pattern = match shape {
                Shape::Tuple(_) => {
                    let parts = (0..fields.len()).map(|part| if part == at { "value" } else { "_" });
                    format!("{path}({})", parts.collect::<Vec<_>>().join(", "))
                }
                _ => format!("{path} {{ {name}: value, .. }}"),
            };
            let Some(text) = self.world.names.code(ty) else { continue };
            let short = self.world.names.path(&owner.id).unwrap_or_default();
            let shown = short.rsplit("::").next().unwrap_or_default();
            let shown = pattern.replacen(&short, shown, 1);
            let accepts = self.table.accepts(ty);
            let output = self.table.intern(&field);
            let (Ok(accepts), Ok(output)) = (accepts, output) else { continue };
            self.table.push(Callable {
                path: format!("{text}: {path} {name}"),
                code: format!("match $0 {{ ::{pattern} => value, _ => f.absent() }}"),
                shown: format!("match $0 {{ {shown} => value, _ => unreachable!() }}"),
                imports: vec![short],
                params: vec![Param { name: "value".to_owned(), accepts }],
                output,
                flows: holds(0, ty, &field),
            });
        }
    }

    /// A struct or a variant, written out.
    fn constructor(&mut self, owner: &Item, item: &Item, ty: &Ty, shape: &Shape, path: &str) {
        // Variants of an enum that may get more of them can be written; a variant that may get more fields cannot.
        if item.has_attr("non_exhaustive") {
            return;
        }
        let Some(fields) = self.visible_fields(owner, shape) else { return };
        let unit = self.world.names.path(&owner.id).unwrap_or_default();
        let result = self.construct(owner, ty, &fields, shape, path);
        self.record(item, OriginKind::Constructor, unit, path.to_owned(), result);
    }

    /// Name and type of each field, if all can be given from outside.
    fn visible_fields(&self, owner: &Item, shape: &Shape) -> Option<Vec<(String, Ty)>> {
        let is_enum = matches!(owner.kind, Kind::Enum { .. });
        let field = |id: &String| {
            let item = self.world.names.doc.get(id)?;
            let Kind::Field(ty) = &item.kind else { return None };
            (is_enum || item.is_public).then(|| (item.name.clone(), self.world.names.canonical(ty)))
        };
        match shape {
            Shape::Unit => Some(Vec::new()),
            Shape::Tuple(fields) => fields.iter().map(|id| field(id.as_ref()?)).collect(),
            Shape::Plain { fields, is_complete } => {
                if *is_complete {
                    fields.iter().map(field).collect()
                } else {
                    None
                }
            }
        }
    }

    fn construct(
        &mut self,
        owner: &Item,
        ty: &Ty,
        fields: &[(String, Ty)],
        shape: &Shape,
        path: &str,
    ) -> Result<Vec<usize>, String> {
        let map = self.substitution(owner, ty);
        // Literals in a test live for ever.
        let is_kept: Vec<bool> = fields.iter().map(|(_, field)| *field == Ty::text()).collect();
        let fields: Vec<(String, Ty)> =
            fields.iter().map(|(name, ty)| (name.clone(), self.world.normal(&ty.with(&map)))).collect();
        let mut params = Vec::new();
        for ((name, ty), is_kept) in fields.iter().zip(&is_kept) {
            let name = if name.starts_with(char::is_numeric) { "value".to_owned() } else { name.clone() };
            let accepts =
                if *is_kept { Accepts::Value(self.table.intern(ty)?) } else { self.table.accepts(ty)? };
            params.push(Param { name, accepts });
        }
        let output = self.table.intern(ty)?;
        let write = |name: &str| match shape {
            Shape::Unit => name.to_owned(),
            Shape::Tuple(_) => {
                let args: Vec<_> = (0..fields.len()).map(|at| format!("${at}")).collect();
                format!("{name}({})", args.join(", "))
            }
            Shape::Plain { .. } => {
                let args = fields.iter().enumerate().map(|(at, (field, _))| format!("{field}: ${at}"));
                format!("{name} {{ {} }}", args.collect::<Vec<_>>().join(", "))
            }
        };
        let held = fields.iter().enumerate().flat_map(|(from, (_, field))| holds(from, field, ty));
        let kept = is_kept.iter().enumerate().filter(|(_, is_kept)| **is_kept).map(|(at, _)| for_ever(at));
        let flows = held.chain(kept).collect();
        let type_path = self.world.names.path(&owner.id).unwrap_or_default();
        // A variant stands behind its type, also one that is called alike.
        let segments = if path == type_path { 1 } else { 2 };
        let short: Vec<&str> = path.rsplitn(segments + 1, "::").take(segments).collect();
        let short = short.into_iter().rev().collect::<Vec<_>>().join("::");
        let text = self.world.names.code(ty).ok_or("it cannot be named")?;
        let callable = Callable {
            path: format!("{text} = {path}"),
            code: format!("{{ let made: {text} = {}; made }}", write(&format!("::{path}"))),
            shown: write(&short),
            imports: vec![type_path],
            params,
            output,
            flows,
        };
        Ok(self.push(callable))
    }

    /// What the generics of a type's declaration are in one of its instances.
    fn substitution(&self, owner: &Item, ty: &Ty) -> Substitution {
        let (Kind::Struct { generics, .. } | Kind::Enum { generics, .. }, Ty::Path { args, .. }) =
            (&owner.kind, ty)
        else {
            return Substitution::new();
        };
        generics.params.iter().map(|param| param.name.clone()).zip(args.iter().cloned()).collect()
    }

    /// Reading and writing public fields.
    fn fields(&mut self, owner: &Item, of: &Ty, shape: &Shape, path: &str) {
        let ids: Vec<_> = match shape {
            Shape::Unit => Vec::new(),
            Shape::Tuple(fields) => fields.iter().flatten().collect(),
            Shape::Plain { fields, .. } => fields.iter().collect(),
        };
        for item in ids.into_iter().filter_map(|id| self.world.names.doc.get(id)) {
            let Kind::Field(ty) = &item.kind else { continue };
            if !item.is_public {
                continue;
            }
            let map = self.substitution(owner, of);
            let field = self.world.normal(&self.world.names.canonical(ty).with(&map));
            for (kind, is_write) in [(OriginKind::FieldRead, false), (OriginKind::FieldWrite, true)] {
                let result = self.field(of, &item.name, &field, is_write);
                let path = format!("{path}::{}{}", item.name, if is_write { " =" } else { "" });
                self.record(item, kind, parent(&path), path, result);
            }
        }
    }

    fn field(&mut self, of: &Ty, name: &str, field: &Ty, is_write: bool) -> Result<Vec<usize>, String> {
        let owner = self.table.intern(of)?;
        let text = self.world.names.code(of).ok_or("it cannot be named")?;
        let callable = if is_write {
            let flows = holds(1, field, of);
            let flows = flows.into_iter().map(|flow| Flow { to: Place::Param(0), ..flow }).collect();
            Callable {
                path: format!("{text}.{name} ="),
                code: format!("{{ $0.{name} = $1; }}"),
                shown: format!("$0.{name} = $1"),
                imports: Vec::new(),
                params: vec![
                    Param { name: "place".to_owned(), accepts: Accepts::Exclusive(owner) },
                    Param { name: name.to_owned(), accepts: self.table.accepts(field)? },
                ],
                output: self.table.intern(&Ty::unit())?,
                flows,
            }
        } else {
            Callable {
                path: format!("{text}.{name}"),
                code: format!("&$0.{name}"),
                shown: format!("&$0.{name}"),
                imports: Vec::new(),
                params: vec![Param { name: "place".to_owned(), accepts: Accepts::Shared(owner) }],
                output: self.table.intern(&Ty::shared(field.clone()))?,
                flows: vec![
                    Flow { from: 0, to: Place::Result, exclusive: false, of_argument: true },
                    Flow { from: 0, to: Place::Result, exclusive: false, of_argument: false },
                ],
            }
        };
        Ok(self.push(callable))
    }
}

/// What a value that is made a part of another one brings along.
fn holds(from: usize, part: &Ty, whole: &Ty) -> Vec<Flow> {
    if !borrows(whole) {
        return Vec::new();
    }
    let to = Place::Result;
    let mut flows = Vec::new();
    if let Ty::Ref { is_mut, .. } = part {
        flows.push(Flow { from, to, exclusive: *is_mut, of_argument: true });
    }
    if borrows(part) {
        flows.push(Flow { from, to, exclusive: false, of_argument: false });
    }
    flows
}
