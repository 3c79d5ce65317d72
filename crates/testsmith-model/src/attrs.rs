//! What the attributes of an item say: is it compiled, is it test code, is it to be left alone?

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

use crate::CfgSet;
use crate::cfg::Predicate;

/// Whom an item is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody: it is code under test.
    Users,
    /// Tests only.
    Tests,
    /// Nobody: a cfg switches it off.
    Nobody,
}

/// The attributes of an item, with every `cfg_attr` that holds opened.
pub struct Attrs {
    metas: Vec<Meta>,
    audience: Audience,
}

impl Attrs {
    /// Reads attributes under the options `cfg`.
    pub fn read(attrs: &[Attribute], cfg: &CfgSet) -> Attrs {
        let mut metas = Vec::new();
        for attr in attrs {
            open(&attr.meta, cfg, &mut metas);
        }
        let holds = |cfg: &CfgSet| {
            let mut predicates = metas.iter().filter(|m| m.path().is_ident("cfg"));
            // What cannot be understood is taken to hold, so that nothing is lost silently.
            predicates.all(|m| parts(m, Predicate::parse).is_none_or(|p| cfg.holds(&p)))
        };
        let audience = if metas.iter().any(is_test) {
            Audience::Tests
        } else if holds(cfg) {
            Audience::Users
        } else if holds(&cfg.with_test()) {
            Audience::Tests
        } else {
            Audience::Nobody
        };
        Attrs { metas, audience }
    }

    /// Whom the item is compiled for.
    pub fn audience(&self) -> Audience {
        self.audience
    }

    /// `#[mutants::skip]`, `#[testsmith::skip]`, also inside `cfg_attr`, whose predicate then does not matter.
    pub fn skip(attrs: &[Attribute]) -> bool {
        attrs.iter().any(|attr| {
            let is_conditional = attr.path().is_ident("cfg_attr");
            let metas = parts(&attr.meta, conditional).map(|(_, metas)| metas).unwrap_or_default();
            is_skip(&attr.meta) || is_conditional && metas.iter().any(is_skip)
        })
    }

    /// Whether there is an attribute of this name.
    pub fn has(&self, name: &str) -> bool {
        self.metas.iter().any(|m| m.path().is_ident(name))
    }

    /// The value of `#[name = "value"]`.
    pub fn value(&self, name: &str) -> Option<String> {
        self.metas.iter().find_map(|meta| match meta {
            Meta::NameValue(pair) if pair.path.is_ident(name) => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        })
    }
}

fn open(meta: &Meta, cfg: &CfgSet, into: &mut Vec<Meta>) {
    if !meta.path().is_ident("cfg_attr") {
        into.push(meta.clone());
    } else if let Some((predicate, metas)) = parts(meta, conditional)
        && cfg.holds(&predicate)
    {
        metas.iter().for_each(|inner| open(inner, cfg, into));
    }
}

/// What stands in the parentheses of an attribute.
fn parts<T>(meta: &Meta, parser: fn(ParseStream<'_>) -> syn::Result<T>) -> Option<T> {
    let Meta::List(list) = meta else { return None };
    list.parse_args_with(parser).ok()
}

/// `predicate, attribute, …`.
fn conditional(input: ParseStream<'_>) -> syn::Result<(Predicate, Vec<Meta>)> {
    let predicate = input.parse()?;
    input.parse::<Token![,]>()?;
    let metas = Punctuated::<Meta, Token![,]>::parse_terminated(input)?;
    Ok((predicate, metas.into_iter().collect()))
}

/// `#[test]`, `#[tokio::test]`, `#[rstest]` and their like.
fn is_test(meta: &Meta) -> bool {
    const NAMES: [&str; 6] = ["test", "bench", "rstest", "test_case", "quickcheck", "proptest"];
    meta.path().segments.last().is_some_and(|last| NAMES.iter().any(|name| last.ident == name))
}

fn is_skip(meta: &Meta) -> bool {
    let names: Vec<_> = meta.path().segments.iter().map(|s| s.ident.to_string()).collect();
    matches!(names.as_slice(), [tool, skip] if (tool == "mutants" || tool == "testsmith") && skip == "skip")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(text: &str) -> Vec<Attribute> {
        syn::parse_str::<syn::ItemFn>(&format!("{text} fn f() {{}}")).unwrap().attrs
    }

    #[test]
    fn the_audience_is_told_from_cfg_and_test_attributes() {
        let cfg = CfgSet::parse("unix");
        let check = |text: &str| Attrs::read(&item(text), &cfg).audience();
        assert_eq!(check(""), Audience::Users);
        assert_eq!(check("#[cfg(unix)]"), Audience::Users);
        assert_eq!(check("#[cfg(not(test))]"), Audience::Users);
        assert_eq!(check("#[cfg(test)]"), Audience::Tests);
        assert_eq!(check("#[cfg(all(test, unix))]"), Audience::Tests);
        assert_eq!(check("#[tokio::test]"), Audience::Tests);
        assert_eq!(check("#[cfg(windows)]"), Audience::Nobody);
        assert_eq!(check("#[cfg(false)]"), Audience::Nobody);
        assert_eq!(check("#[cfg_attr(unix, cfg(windows))]"), Audience::Nobody);
        assert_eq!(check("#[cfg_attr(windows, cfg(windows))]"), Audience::Users);
    }

    #[test]
    fn skip_attributes_and_values_are_seen_through_cfg_attr() {
        assert!(Attrs::skip(&item("#[mutants::skip]")));
        assert!(Attrs::skip(&item("#[cfg_attr(any(), testsmith::skip)]")));
        assert!(!Attrs::skip(&item("#[inline]")));
        let cfg = CfgSet::parse("unix");
        let attrs = Attrs::read(&item("#[cfg_attr(unix, path = \"x.rs\", inline)]"), &cfg);
        assert_eq!(attrs.value("path").as_deref(), Some("x.rs"));
        assert!(attrs.has("inline"));
    }
}
