//! Reads declarations from the sources: first every name, then, as names can be followed, every type.

mod functions;
mod types;

use std::collections::HashMap;

use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Fields, ImplItem, Item, ItemFn, ItemImpl, ItemMod, ItemTrait, TraitItem};

use super::convert::{Alias, Scope};
use super::decls::{Decls, MacroDecl, ModuleId, TypeId};
use super::names::{Def, Space};
use super::quiet::is_quiet;
use super::report::StateKind;
use super::statics::{RawStatic, macro_statics};
use super::text;
use crate::{Attrs, Audience, CfgSet, SourceFile, SourceTree};

/// Reads what a package declares.
pub(super) fn gather<'a>(tree: &'a SourceTree, package: usize, cfg: &CfgSet) -> Decls<'a> {
    let decls = Decls { cfg: cfg.clone(), ..Decls::default() };
    let mut gather = Gather { tree, cfg, decls, raw: Raw::default() };
    gather.decls.names.add_module(Vec::new(), None, false);
    for (at, file) in tree.files.iter().enumerate().filter(|(_, file)| file.package == package) {
        let module = gather.module(&file.module.path);
        gather.items(at, module, &file.ast.items);
    }
    gather.finish()
}

/// Items whose names are known and whose types are still to be read.
#[derive(Default)]
struct Raw<'a> {
    types: Vec<RawType<'a>>,
    traits: Vec<(usize, ModuleId, &'a ItemTrait)>,
    impls: Vec<(usize, ModuleId, &'a ItemImpl)>,
    fns: Vec<RawFn<'a>>,
    statics: Vec<RawStatic>,
    consts: Vec<(ModuleId, &'a syn::Type)>,
}

struct RawType<'a> {
    file: usize,
    module: ModuleId,
    name: String,
    attrs: &'a [Attribute],
    generics: &'a syn::Generics,
    shape: Shape<'a>,
}

enum Shape<'a> {
    Struct(&'a Fields),
    Union(&'a syn::FieldsNamed),
    Enum(Vec<&'a syn::Variant>),
}

struct RawFn<'a> {
    file: usize,
    module: ModuleId,
    item: &'a ItemFn,
}

struct Gather<'a, 'c> {
    tree: &'a SourceTree,
    cfg: &'c CfgSet,
    decls: Decls<'a>,
    raw: Raw<'a>,
}

impl<'a> Gather<'a, '_> {
    fn file(&self, at: usize) -> &'a SourceFile {
        &self.tree.files[at]
    }

    fn is_used(&self, attrs: &[Attribute]) -> bool {
        Attrs::read(attrs, self.cfg).audience() == Audience::Users
    }

    /// The module of a path, made with those around it if it is new.
    fn module(&mut self, path: &[String]) -> ModuleId {
        let mut at = 0;
        for depth in 1..=path.len() {
            at = self.child(at, &path[depth - 1]);
        }
        at
    }

    fn child(&mut self, parent: ModuleId, name: &str) -> ModuleId {
        let mut path = self.decls.names.modules[parent].path.clone();
        path.push(name.to_owned());
        let same = |m: &super::names::ModuleDecl| m.path == path && !m.is_block;
        if let Some(at) = self.decls.names.modules.iter().position(same) {
            return at;
        }
        let id = self.decls.names.add_module(path, Some(parent), false);
        self.decls.names.declare(parent, Space::Types, name.to_owned(), Def::Module(id));
        id
    }

    fn items(&mut self, file: usize, module: ModuleId, items: impl IntoIterator<Item = &'a Item>) {
        items.into_iter().for_each(|item| self.item(file, module, item));
    }

    fn item(&mut self, file: usize, module: ModuleId, item: &'a Item) {
        if !item_attrs(item).is_some_and(|attrs| self.is_used(attrs)) {
            return;
        }
        match item {
            Item::Mod(item) => self.inline_module(file, module, item),
            Item::Use(item) => self.decls.names.import(module, &item.tree),
            Item::ExternCrate(item) => {
                let krate = item.ident.unraw().to_string();
                let name =
                    item.rename.as_ref().map_or_else(|| krate.clone(), |(_, name)| name.unraw().to_string());
                self.decls.names.import_crate(module, name, krate);
            }
            Item::Struct(item) => {
                let id = self.ty(
                    file,
                    module,
                    &item.ident,
                    &item.attrs,
                    &item.generics,
                    Shape::Struct(&item.fields),
                );
                if !matches!(item.fields, Fields::Named(_)) {
                    let name = item.ident.unraw().to_string();
                    self.decls.names.declare(module, Space::Values, name, Def::Type(id));
                }
            }
            Item::Union(item) => {
                self.ty(file, module, &item.ident, &item.attrs, &item.generics, Shape::Union(&item.fields));
            }
            Item::Enum(item) => {
                let shape = Shape::Enum(item.variants.iter().collect());
                let id = self.ty(file, module, &item.ident, &item.attrs, &item.generics, shape);
                let variants = item.variants.iter().map(|v| v.ident.unraw().to_string()).collect();
                self.decls.names.variants.insert(id, variants);
            }
            Item::Type(item) => {
                let def = Def::Alias(self.decls.aliases.len());
                self.decls.aliases.push(Alias { module, item });
                self.decls.names.declare(module, Space::Types, item.ident.unraw().to_string(), def);
            }
            Item::Trait(item) => {
                let def = Def::Trait(self.raw.traits.len());
                self.raw.traits.push((file, module, item));
                self.decls.names.declare(module, Space::Types, item.ident.unraw().to_string(), def);
            }
            Item::Impl(item) => {
                self.decls.has_unsafe |= item.unsafety.is_some();
                self.raw.impls.push((file, module, item));
            }
            Item::Fn(item) => {
                let def = Def::Fn(self.raw.fns.len());
                self.raw.fns.push(RawFn { file, module, item });
                self.decls.names.declare(module, Space::Values, item.sig.ident.unraw().to_string(), def);
            }
            Item::Const(item) => {
                let def = Def::Const(self.raw.consts.len());
                self.raw.consts.push((module, &item.ty));
                self.decls.names.declare(module, Space::Values, item.ident.unraw().to_string(), def);
            }
            Item::Static(item) => {
                let is_mut = matches!(item.mutability, syn::StaticMutability::Mut(_));
                let kind = is_mut.then_some(StateKind::StaticMut);
                self.static_item(RawStatic::new(file, module, &item.ident, &item.ty, kind));
            }
            Item::ForeignMod(_) => self.decls.has_unsafe = true,
            Item::Macro(item) => self.macro_item(file, module, item),
            _ => {}
        }
    }

    fn inline_module(&mut self, file: usize, module: ModuleId, item: &'a ItemMod) {
        if let Some((_, items)) = &item.content {
            let inner = self.child(module, &item.ident.unraw().to_string());
            self.items(file, inner, items);
        }
    }

    fn ty(
        &mut self,
        file: usize,
        module: ModuleId,
        ident: &syn::Ident,
        attrs: &'a [Attribute],
        generics: &'a syn::Generics,
        shape: Shape<'a>,
    ) -> TypeId {
        let (id, name) = (self.raw.types.len(), ident.unraw().to_string());
        self.decls.names.declare(module, Space::Types, name.clone(), Def::Type(id));
        self.raw.types.push(RawType { file, module, name, attrs, generics, shape });
        id
    }

    fn static_item(&mut self, raw: RawStatic) {
        let def = Def::Static(self.raw.statics.len());
        self.decls.names.declare(raw.module, Space::Values, raw.name.clone(), def);
        self.raw.statics.push(raw);
    }

    fn macro_item(&mut self, file: usize, module: ModuleId, item: &'a syn::ItemMacro) {
        if let Some(name) = &item.ident {
            self.decls.has_unsafe |= text::mentions(&item.mac.tokens, "unsafe");
            let name = name.unraw().to_string();
            let is_quiet = is_quiet(&name, &item.mac.tokens);
            let new = || MacroDecl { is_quiet: true, local: proc_macro2::TokenStream::new() };
            let decl = self.decls.macros.entry(name).or_insert_with(new);
            decl.is_quiet &= is_quiet;
            if self.decls.names.modules[module].is_block {
                decl.local.extend(item.mac.tokens.clone());
            }
        }
        for raw in macro_statics(file, module, &item.mac) {
            self.static_item(raw);
        }
    }

    /// Items inside of a function's body live in a module of their own.
    fn body_module(&mut self, file: usize, module: ModuleId, body: &'a Block) -> ModuleId {
        let mut nested = Nested { items: Vec::new(), has_unsafe: false };
        nested.visit_block(body);
        self.decls.has_unsafe |= nested.has_unsafe;
        if nested.items.is_empty() {
            return module;
        }
        let path = self.decls.names.modules[module].path.clone();
        let inner = self.decls.names.add_module(path, Some(module), true);
        self.items(file, inner, nested.items);
        inner
    }

    /// Reads the types of everything that has a name by now.
    fn finish(mut self) -> Decls<'a> {
        let bodies = self.body_modules();
        self.finish_types();
        self.finish_traits();
        self.finish_free_functions(&bodies);
        self.finish_impls(&bodies);
        self.settle_projections();
        self.finish_statics();
        self.finish_derives();
        self.decls.settle_types();
        self.settle_statics();
        self.decls
    }

    /// Declares what stands in bodies, which may hold functions with further bodies.
    fn body_modules(&mut self) -> HashMap<*const Block, ModuleId> {
        let mut modules = HashMap::new();
        let (mut fns, mut impls, mut traits) = (0, 0, 0);
        loop {
            let mut bodies: Vec<(usize, ModuleId, &'a Block)> = Vec::new();
            bodies.extend(self.raw.fns[fns..].iter().map(|raw| (raw.file, raw.module, &*raw.item.block)));
            for (file, module, item) in &self.raw.impls[impls..] {
                bodies.extend(impl_fns(item).map(|item| (*file, *module, &item.block)));
            }
            for (file, module, item) in &self.raw.traits[traits..] {
                let blocks = trait_fns(item).filter_map(|item| item.default.as_ref());
                bodies.extend(blocks.map(|block| (*file, *module, block)));
            }
            (fns, impls, traits) = (self.raw.fns.len(), self.raw.impls.len(), self.raw.traits.len());
            if bodies.is_empty() {
                return modules;
            }
            for (file, module, body) in bodies {
                modules.insert(std::ptr::from_ref(body), self.body_module(file, module, body));
            }
        }
    }

    fn scope(&self, module: ModuleId) -> Scope<'_, 'a> {
        Scope::new(&self.decls.names, &self.decls.aliases, module)
    }
}

/// Items inside of a body, and whether it has unsafe blocks.
struct Nested<'a> {
    items: Vec<&'a Item>,
    has_unsafe: bool,
}

impl<'a> Visit<'a> for Nested<'a> {
    fn visit_item(&mut self, item: &'a Item) {
        self.items.push(item);
    }

    fn visit_expr_unsafe(&mut self, block: &'a syn::ExprUnsafe) {
        self.has_unsafe = true;
        visit::visit_expr_unsafe(self, block);
    }
}

fn impl_fns(item: &ItemImpl) -> impl Iterator<Item = &syn::ImplItemFn> {
    item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(item) => Some(item),
        _ => None,
    })
}

fn trait_fns(item: &ItemTrait) -> impl Iterator<Item = &syn::TraitItemFn> {
    item.items.iter().filter_map(|item| match item {
        TraitItem::Fn(item) => Some(item),
        _ => None,
    })
}

fn item_attrs(item: &Item) -> Option<&[Attribute]> {
    Some(match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return None,
    })
}
