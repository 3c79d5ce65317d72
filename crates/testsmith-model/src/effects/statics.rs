//! Statics, also those inside of `thread_local!` and `lazy_static!`.

use proc_macro2::TokenTree;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, Macro, Token, Type, Visibility};

use super::decls::ModuleId;
use super::report::StateKind;

/// A static whose type is still to be read.
pub(super) struct RawStatic {
    pub(super) file: usize,
    pub(super) module: ModuleId,
    pub(super) name: String,
    pub(super) offset: usize,
    pub(super) ty: Type,
    /// What its declaration says of how it changes; its type may say more.
    pub(super) kind: Option<StateKind>,
}

impl RawStatic {
    pub(super) fn new(
        file: usize,
        module: ModuleId,
        ident: &Ident,
        ty: &Type,
        kind: Option<StateKind>,
    ) -> RawStatic {
        let (name, offset) = (ident.unraw().to_string(), ident.span().byte_range().start);
        RawStatic { file, module, name, offset, ty: ty.clone(), kind }
    }
}

/// The statics that a macro call declares; none for other macros.
pub(super) fn macro_statics(file: usize, module: ModuleId, mac: &Macro) -> Vec<RawStatic> {
    let kind = match mac.path.segments.last() {
        Some(last) if last.ident == "thread_local" => StateKind::ThreadLocal,
        Some(last) if last.ident == "lazy_static" => StateKind::Lazy,
        _ => return Vec::new(),
    };
    let declared = mac.parse_body_with(declarations).unwrap_or_default();
    declared.iter().map(|(name, ty)| RawStatic::new(file, module, name, ty, Some(kind))).collect()
}

/// `pub static NAME: Type = …;`, with `static ref` for `lazy_static!`.
fn declarations(input: ParseStream<'_>) -> syn::Result<Vec<(Ident, Type)>> {
    let mut found = Vec::new();
    while !input.is_empty() {
        input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        input.parse::<Token![static]>()?;
        input.parse::<Option<Token![ref]>>()?;
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        found.push((name, input.parse()?));
        while !input.is_empty() && !input.peek(Token![;]) {
            input.parse::<TokenTree>()?;
        }
        input.parse::<Option<Token![;]>>()?;
    }
    Ok(found)
}
