//! Elements that show whether they are dropped: [`World::counted`].
//!
//! A container that forgets to drop an element, or drops one twice, behaves the same with numbers. So each type that drops
//! what it holds by itself is also looked at with an `Rc` in it: how many there are of it, a clone outside of the container
//! tells. Where the compiler does the dropping little can go wrong, and a form costs as many entries as the type has methods.

use super::choose;
use super::ty::{Arg, ParamKind, Ty};
use super::world::World;

/// What is counted.
pub(crate) fn element() -> Ty {
    Ty::standard("std::rc::Rc", [Ty::primitive("u8")])
}

/// Whether a type is, or holds, what is counted.
pub(crate) fn is_counted(ty: &Ty) -> bool {
    let element = element();
    ty.any(|part| *part == element)
}

impl World<'_> {
    /// The form of a generic type of the crate that holds counted elements: of several types that it holds the last one is
    /// counted, so that keys stay what is easily looked up. `None` if it has no `Drop` of its own, its bounds ask for more,
    /// or it holds nothing plain.
    pub(crate) fn counted(&self, id: &str) -> Option<Ty> {
        if !self.has_drop(id) {
            return None;
        }
        let Some(Ty::Path { id, name, mut args }) = self.instances(id).into_iter().next() else {
            return None;
        };
        let generics = self.generics(&id).filter(|generics| generics.params.len() == args.len())?;
        let is_held = |kind: &ParamKind| matches!(kind, ParamKind::Type { default: None, .. });
        let at = generics.params.iter().rposition(|param| is_held(&param.kind))?;
        let Arg::Type(plain) = &args[at] else { return None };
        let held = match plain {
            Ty::Array(element, len) if is_plain(element) => Ty::Array(Box::new(self::element()), len.clone()),
            plain if is_plain(plain) => element(),
            _ => return None,
        };
        let asked = self.bounds(generics, &generics.params[at].name);
        if asked.iter().any(|bound| choose::implements(self, &held, bound, 0) == Some(false)) {
            return None;
        }
        args[at] = Arg::Type(held);
        let ty = Ty::Path { id, name, args };
        self.names.code(&ty).map(|_| ty)
    }

    /// Whether a type of the crate does something when it is dropped.
    pub(crate) fn has_drop(&self, id: &str) -> bool {
        self.impls.iter().any(|written| {
            let is_drop =
                written.of_trait.as_ref().is_some_and(|of| of.name == "Drop" && of.id.starts_with("std::"));
            is_drop && matches!(&written.for_type, Ty::Path { id: of, .. } if of == id)
        })
    }
}

fn is_plain(ty: &Ty) -> bool {
    matches!(ty, Ty::Primitive(_)) || *ty == Ty::string()
}
