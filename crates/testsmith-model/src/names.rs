//! Names that the sources of a crate make public, for guesses what may have taken the place of one that is gone.

use std::path::{Path, PathBuf};

use crate::Package;

/// How alike two names have to be, from 0 to 1, when others could be meant as well.
const ALIKE: f64 = 0.6;

/// A public item of the crate.
struct Named {
    /// The type that it belongs to.
    owner: Option<String>,
    name: String,
    /// Parameters of a function but for `self`.
    arity: Option<usize>,
    is_variant: bool,
}

/// Names that a crate has.
pub struct Names {
    all: Vec<Named>,
}

/// What is missing, as far as an error says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// Its own name.
    pub name: String,
    /// The type that should have it.
    pub owner: Option<String>,
    /// Arguments that it was called with.
    pub arity: Option<usize>,
}

impl Missing {
    /// With its type, as people name it.
    pub fn path(&self) -> String {
        self.owner.iter().map(String::as_str).chain([self.name.as_str()]).collect::<Vec<_>>().join("::")
    }
}

impl Names {
    /// All that the sources of a package make public.
    pub fn read(package: &Package) -> Names {
        let mut names = Names { all: Vec::new() };
        let root = package.subject().and_then(|subject| subject.src.parent().map(Path::to_owned));
        let mut open: Vec<PathBuf> = root.into_iter().collect();
        while let Some(dir) = open.pop() {
            for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = std::fs::read_to_string(&path).unwrap_or_default();
                    syn::parse_file(&text).into_iter().for_each(|file| names.items(&file.items));
                }
            }
        }
        names
    }

    fn items(&mut self, items: &[syn::Item]) {
        for item in items {
            match item {
                syn::Item::Fn(function) if is_public(&function.vis) => self.function(None, &function.sig),
                syn::Item::Struct(item) if is_public(&item.vis) => self.add(None, &item.ident, None),
                syn::Item::Enum(item) if is_public(&item.vis) => {
                    self.add(None, &item.ident, None);
                    let owner = item.ident.to_string();
                    item.variants.iter().for_each(|variant| {
                        let arity = (!variant.fields.is_empty()).then_some(variant.fields.len());
                        self.add(Some(&owner), &variant.ident, arity);
                        self.all.last_mut().into_iter().for_each(|named| named.is_variant = true);
                    });
                }
                syn::Item::Type(item) if is_public(&item.vis) => self.add(None, &item.ident, None),
                syn::Item::Const(item) if is_public(&item.vis) => self.add(None, &item.ident, None),
                syn::Item::Trait(item) if is_public(&item.vis) => {
                    self.add(None, &item.ident, None);
                    let owner = item.ident.to_string();
                    for item in &item.items {
                        if let syn::TraitItem::Fn(function) = item {
                            self.function(Some(&owner), &function.sig);
                        }
                    }
                }
                syn::Item::Impl(block) => self.block(block),
                syn::Item::Mod(syn::ItemMod { content: Some((_, items)), .. }) => self.items(items),
                _ => {}
            }
        }
    }

    fn block(&mut self, block: &syn::ItemImpl) {
        let syn::Type::Path(path) = &*block.self_ty else { return };
        let owner = path.path.segments.last().map(|segment| segment.ident.to_string());
        for item in &block.items {
            match item {
                syn::ImplItem::Fn(function) if block.trait_.is_some() || is_public(&function.vis) => {
                    self.function(owner.as_deref(), &function.sig);
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, owner: Option<&str>, signature: &syn::Signature) {
        let is_own = |input: &&syn::FnArg| matches!(input, syn::FnArg::Typed(_));
        self.add(owner, &signature.ident, Some(signature.inputs.iter().filter(is_own).count()));
    }

    fn add(&mut self, owner: Option<&str>, name: &syn::Ident, arity: Option<usize>) {
        self.all.push(Named {
            owner: owner.map(str::to_owned),
            name: name.to_string(),
            arity,
            is_variant: false,
        });
    }

    /// The enum of a variant, if just one has it.
    pub fn enum_of(&self, variant: &str) -> Option<&str> {
        let mut owners = self.all.iter().filter(|named| named.is_variant && named.name == variant);
        let owner = owners.next()?.owner.as_deref();
        owner.filter(|_| owners.next().is_none())
    }

    /// What is most like something that is missing, of what no test names yet: a name that is as old as the tests would not be
    /// the new one.
    pub fn likely(&self, missing: &Missing, is_named: impl Fn(&str) -> bool) -> Option<String> {
        let fits = |named: &&Named| {
            let fits_owner = missing.owner.is_none() || named.owner == missing.owner;
            let fits_call = match missing.arity {
                // A method may be called with its object in front.
                Some(arity) => named.arity.is_some_and(|own| own == arity || own + 1 == arity),
                None => true,
            };
            fits_owner && fits_call && named.name != missing.name && !is_named(&named.name)
        };
        let likeness = |named: &&Named| strsim::jaro_winkler(&named.name, &missing.name);
        let mut fitting: Vec<&Named> = self.all.iter().filter(fits).collect();
        fitting.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
        let best = fitting.first()?;
        // The only one of its type with such arguments may be called anything.
        let is_only = missing.owner.is_some() && missing.arity.is_some() && fitting.len() == 1;
        (is_only || likeness(best) >= ALIKE).then(|| {
            best.owner.iter().map(String::as_str).chain([best.name.as_str()]).collect::<Vec<_>>().join("::")
        })
    }
}

fn is_public(visibility: &syn::Visibility) -> bool {
    !matches!(visibility, syn::Visibility::Inherited)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
        pub struct Room;
        pub struct House;
        pub enum Refusal { Shut, Taken(String) }
        impl Room {
            pub fn new() -> Room { Room }
            pub fn earliest_gap(&self, length: u16) -> u16 { length }
            pub fn size(&self) -> usize { 0 }
            fn hidden(&self, length: u16) {}
        }
        pub fn book(room: &mut Room, from: u16) {}
    ";

    #[track_caller]
    fn check(name: &str, owner: Option<&str>, arity: Option<usize>, expected: Option<&str>) {
        let mut names = Names { all: Vec::new() };
        names.items(&syn::parse_file(SOURCE).expect("it is Rust").items);
        let owner = owner.map(str::to_owned);
        let missing = Missing { name: name.to_owned(), owner, arity };
        let likely = names.likely(&missing, |name| name == "new");
        assert_eq!(likely.as_deref(), expected, "{name}");
    }

    #[test]
    fn what_is_new_and_like_what_is_gone_is_likely() {
        check("first_gap", Some("Room"), Some(1), Some("Room::earliest_gap"));
        check("first_gap", Some("House"), Some(1), None);
        check("first_gap", Some("Room"), Some(3), None);
        check("Closed", Some("Refusal"), None, None);
        check("books", None, Some(2), Some("book"));
        check("Houses", None, None, Some("House"));
        check("make", Some("Room"), Some(5), None);
    }
}
