//! From where callables can be used ([`Visibility`]): private ones only from inside of the crate, each from its own module. A test
//! stands in one module, so that a program whose private callables have no module in common cannot be written.

use crate::api::{Api, CallableId};
use crate::program::{Program, Slot};

/// Where a test has to stand to use something.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visibility {
    /// Anywhere, outside of the crate too.
    #[default]
    Anywhere,
    /// In this module of the crate or below it: the names from the root down, none for the root itself.
    Inside(Vec<String>),
}

impl Visibility {
    /// Where both can be used; `None` if no module sees both.
    pub fn join(&self, other: &Visibility) -> Option<Visibility> {
        if self.sees(other) { Some(self.clone()) } else { other.sees(self).then(|| other.clone()) }
    }

    /// Whether what has another visibility can be used here.
    pub fn sees(&self, other: &Visibility) -> bool {
        match (self, other) {
            (_, Visibility::Anywhere) => true,
            (Visibility::Anywhere, Visibility::Inside(_)) => false,
            (Visibility::Inside(here), Visibility::Inside(there)) => here.starts_with(there),
        }
    }

    /// How far inside of the crate it is.
    pub fn depth(&self) -> usize {
        match self {
            Visibility::Anywhere => 0,
            Visibility::Inside(module) => module.len() + 1,
        }
    }
}

impl Api {
    /// Where a callable can be used.
    pub fn visibility_of(&self, callable: CallableId) -> &Visibility {
        self.visibilities.get(callable.0 as usize).unwrap_or(&Visibility::Anywhere)
    }

    /// Where a test with this program can stand; `None` if there is no such place.
    pub fn visibility(&self, program: &Program) -> Option<Visibility> {
        if self.visibilities.is_empty() {
            return Some(Visibility::Anywhere);
        }
        let mut all = program.statements.iter().filter_map(|statement| statement.callable());
        all.try_fold(Visibility::Anywhere, |visibility, callable| {
            visibility.join(self.visibility_of(callable))
        })
    }

    /// Takes out what keeps a program from being visible from one module: of calls that no module sees together the last one stays.
    pub fn make_visible(&self, program: &mut Program) {
        if self.visibility(program).is_some() {
            return;
        }
        let needs = |slot: Slot| program.ancestors(slot).into_iter().chain([slot]);
        let callable = |slot: Slot| program[slot].callable();
        let mut visibility = Visibility::Anywhere;
        let mut kept = vec![false; program.size()];
        for slot in (0..program.size()).rev().map(Slot::at) {
            let mut callables = needs(slot).filter_map(callable);
            let joined = callables
                .try_fold(visibility.clone(), |visibility, it| visibility.join(self.visibility_of(it)));
            if let Some(joined) = joined {
                visibility = joined;
                kept[slot.index()] = true;
            }
        }
        program.keep(|slot| kept[slot.index()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check, sketch};

    fn inside(path: &str) -> Visibility {
        Visibility::Inside(path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    #[test]
    fn what_uses_both_stands_in_the_inner_of_two_modules() {
        let (root, a, b, deep) = (inside(""), inside("a"), inside("b"), inside("a::deep"));
        let table = [
            (&Visibility::Anywhere, &Visibility::Anywhere, Some(&Visibility::Anywhere)),
            (&Visibility::Anywhere, &root, Some(&root)),
            (&root, &a, Some(&a)),
            (&a, &deep, Some(&deep)),
            (&a, &b, None),
            (&deep, &b, None),
        ];
        for (one, other, expected) in table {
            assert_eq!(one.join(other).as_ref(), expected, "{one:?} {other:?}");
            assert_eq!(other.join(one).as_ref(), expected, "{other:?} {one:?}");
        }
    }

    /// `free` can be used anywhere, `a` and `b` in modules of these names, `root` in all of the crate.
    fn api() -> Api {
        let text = "type u8: copy\nfn free(x: u8) -> u8 => free($0)\nfn a(x: u8) -> u8 => a($0)\n\
                    fn b(x: u8) -> u8 => b($0)\nfn root(x: u8) -> u8 => root($0)";
        let visibilities = vec![Visibility::Anywhere, inside("a"), inside("b"), inside("")];
        Api { visibilities, ..sketch::api(text).expect("the table is well-formed") }
    }

    #[track_caller]
    fn becomes(before: &str, after: &str, visibility: &Visibility) {
        let api = api();
        let read = |text: &str| sketch::program(&api, text).expect("a program").program;
        let mut program = read(before);
        assert_eq!(api.visibility(&program).is_some(), before == after);
        api.make_visible(&mut program);
        assert_eq!(program, read(after));
        assert_eq!(api.visibility(&program).as_ref(), Some(visibility));
        assert!(check(&api, &program).is_ok());
    }

    #[test]
    fn a_program_is_left_with_what_one_module_sees() {
        becomes("x = 1: u8\nfree(x)", "x = 1: u8\nfree(x)", &Visibility::Anywhere);
        becomes("x = 1: u8\ny = root(x)\na(y)", "x = 1: u8\ny = root(x)\na(y)", &inside("a"));
        becomes("x = 1: u8\na(x)\nroot(x)\nb(x)", "x = 1: u8\nroot(x)\nb(x)", &inside("b"));
        becomes("x = 1: u8\ny = a(x)\nb(y)\nfree(x)", "x = 1: u8\ny = a(x)\nfree(x)", &inside("a"));
    }
}
