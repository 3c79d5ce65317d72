//! Changes of programs that keep their slots in order: what the search is made of.

use std::collections::HashMap;

use crate::api::TypeId;
use crate::literal::Literal;
use crate::program::{Mode, Program, Slot, Statement};

impl Program {
    /// The statements that need a slot, directly or through others, in order; without the slot itself.
    pub fn dependents(&self, slot: Slot) -> Vec<Slot> {
        let mut needs = vec![false; self.size()];
        needs[slot.index()] = true;
        let later = self.iter().skip(slot.index() + 1);
        let needing = later.filter(|(this, statement)| {
            needs[this.index()] = statement.slots().any(|used| needs[used.index()]);
            needs[this.index()]
        });
        needing.map(|(this, _)| this).collect()
    }

    /// The statements that a slot is made from, directly or through others, in order; without the slot itself.
    pub fn ancestors(&self, slot: Slot) -> Vec<Slot> {
        let mut needed = vec![false; self.size()];
        needed[slot.index()] = true;
        for (this, statement) in self.iter().take(slot.index() + 1).rev() {
            if needed[this.index()] {
                statement.slots().for_each(|used| needed[used.index()] = true);
            }
        }
        (0..slot.index()).filter(|index| needed[*index]).map(Slot::at).collect()
    }

    /// Removes a statement and all that depends on it. Returns the new slot of each old one that is left.
    pub fn remove(&mut self, slot: Slot) -> Vec<Option<Slot>> {
        let mut kept = vec![true; self.size()];
        kept[slot.index()] = false;
        self.dependents(slot).into_iter().for_each(|dependent| kept[dependent.index()] = false);
        self.keep(|slot| kept[slot.index()])
    }

    /// Keeps the chosen statements, which must name no other ones. Returns the new slot of each old one that is left.
    pub fn keep(&mut self, chosen: impl Fn(Slot) -> bool) -> Vec<Option<Slot>> {
        let mut new: Vec<Option<Slot>> = Vec::with_capacity(self.size());
        let mut next = 0;
        self.statements.retain_mut(|statement| {
            let is_kept = chosen(Slot::at(new.len()));
            if is_kept {
                statement.rename(|old| new[old.index()].expect("a kept statement names only kept slots"));
            }
            new.push(is_kept.then(|| Slot::at(next)));
            next += usize::from(is_kept);
            is_kept
        });
        new
    }

    /// Inserts statements so that the first gets slot `at`. They name slots by their new numbers: those below `at`, and
    /// their own from `at` on. What stood at `at` and behind moves up.
    pub fn insert(&mut self, at: Slot, statements: impl IntoIterator<Item = Statement>) {
        let before = self.size();
        self.statements.splice(at.index()..at.index(), statements);
        let by = self.size() - before;
        for moved in &mut self.statements[at.index() + by..] {
            moved.rename(|slot| if slot < at { slot } else { Slot::at(slot.index() + by) });
        }
    }

    /// Appends another program. Its slot 0 becomes the slot with the returned index.
    pub fn append(&mut self, other: &Program) -> usize {
        let offset = self.size();
        self.statements.extend(other.statements.iter().cloned().map(|mut statement| {
            statement.rename(|slot| Slot::at(slot.index() + offset));
            statement
        }));
        offset
    }

    /// Replaces the types of literals, after types of the table were found to be the same.
    pub fn retype(&mut self, map: &[TypeId]) {
        for statement in &mut self.statements {
            if let Statement::Literal { ty, .. } = statement {
                *ty = map[ty.0 as usize];
            }
        }
    }

    /// The form that programs have in common which differ only in where their literals stand: literals come first, in the
    /// order of their first use, unused ones not at all, and equal ones that are never changed only once.
    ///
    /// It obeys the borrow rules if the program does: a literal borrows from nothing, and one that is defined earlier
    /// lives longer.
    pub fn canonical(&self) -> Program {
        let constant = self.constants();
        let mut literals = Program::default();
        let mut new: Vec<Option<Slot>> = vec![None; self.size()];
        let mut shared: HashMap<(TypeId, &Literal), Slot> = HashMap::new();
        for slot in self.statements.iter().flat_map(Statement::slots) {
            let Statement::Literal { ty, value } = &self[slot] else { continue };
            if new[slot.index()].is_some() {
                continue;
            }
            let equal = constant[slot.index()].then(|| shared.get(&(*ty, value))).flatten();
            let place = equal.copied().unwrap_or_else(|| literals.push(self[slot].clone()));
            new[slot.index()] = Some(place);
            if constant[slot.index()] {
                shared.insert((*ty, value), place);
            }
        }
        self.with_literals(literals, new)
    }

    /// Which literals are only ever copied or borrowed.
    fn constants(&self) -> Vec<bool> {
        let mut constant = vec![true; self.size()];
        for statement in &self.statements {
            match statement {
                Statement::Literal { .. } => {}
                Statement::Drop(slot) => constant[slot.index()] = false,
                Statement::Call { args, .. } => {
                    let changed = args.iter().filter(|arg| matches!(arg.mode, Mode::Move | Mode::Exclusive));
                    changed.for_each(|arg| constant[arg.slot.index()] = false);
                }
            }
        }
        constant
    }

    /// The given literals, then all other statements; `new` has the new slots of the literals.
    fn with_literals(&self, literals: Program, mut new: Vec<Option<Slot>>) -> Program {
        let mut all = literals;
        for (slot, statement) in self.iter() {
            if matches!(statement, Statement::Literal { .. }) {
                continue;
            }
            let mut statement = statement.clone();
            statement.rename(|used| new[used.index()].expect("slots are defined before they are used"));
            new[slot.index()] = Some(all.push(statement));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use crate::program::{Program, Slot, Statement};
    use crate::{check, sample, sketch};

    fn read(text: &str) -> Program {
        sketch::program(&sample::api(), text).unwrap().program
    }

    fn slots(numbers: &[u16]) -> Vec<Slot> {
        numbers.iter().copied().map(Slot).collect()
    }

    #[test]
    fn dependents_and_ancestors_are_found_through_others() {
        let program = read(
            "a = List::new()\nb = List::new()\nn = List::len(a)\ni = List::at(b, n)\nshow(i)\nList::len(b)",
        );
        assert_eq!(program.dependents(Slot(0)), slots(&[2, 3, 4]));
        assert_eq!(program.dependents(Slot(1)), slots(&[3, 4, 5]));
        assert_eq!(program.dependents(Slot(5)), []);
        assert_eq!(program.ancestors(Slot(3)), slots(&[0, 1, 2]));
        assert_eq!(program.ancestors(Slot(5)), slots(&[1]));
    }

    #[test]
    fn what_depends_on_a_removed_statement_goes_with_it() {
        let mut program =
            read("a = List::new()\nb = List::new()\nn = List::len(a)\nList::at(b, n)\nList::len(b)\ndrop a");
        let new = program.remove(Slot(0));
        assert_eq!(program, read("b = List::new()\nList::len(b)"));
        assert_eq!(new, [None, Some(Slot(0)), None, None, Some(Slot(1)), None]);
    }

    #[test]
    fn what_stands_behind_an_insertion_moves_up() {
        let mut program = read("a = List::new()\nb = List::new()\nList::len(b)\nList::len(a)");
        let inserted = read("a = List::new()\nc = List::new()\nList::len(c)").statements.split_off(1);
        program.insert(Slot(1), inserted);
        let expected =
            "a = List::new()\nc = List::new()\nList::len(c)\nb = List::new()\nList::len(b)\nList::len(a)";
        assert_eq!(program, read(expected));
    }

    #[test]
    fn an_appended_program_keeps_to_its_own_slots() {
        let mut program = read("a = List::new()");
        assert_eq!(program.append(&read("b = List::new()\nList::len(b)\ndrop b")), 1);
        assert_eq!(program, read("a = List::new()\nb = List::new()\nList::len(b)\ndrop b"));
    }

    #[track_caller]
    fn check_same(left: &str, right: &str, expected: bool) {
        let [left, right] = [left, right].map(|text| read(text).canonical());
        assert_eq!(left == right, expected, "{left:#?}\n{right:#?}");
        assert_eq!(left.hash() == right.hash(), expected);
        assert_eq!(left.canonical(), left);
    }

    #[test]
    fn where_literals_stand_makes_no_difference() {
        let plain = "a = List::new()\nList::push(a, 1)\nList::push(a, 1)";
        check_same(plain, "n = 1: i32\na = List::new()\nList::push(a, n)\nList::push(a, n)", true);
        check_same(plain, "a = List::new()\nunused = 7: i32\nList::push(a, 1)\nList::push(a, 1)", true);
        check_same(plain, "a = List::new()\nList::push(a, 1)\nList::push(a, 2)", false);
        check_same(
            plain,
            "n = 1: i32\nset(n, 1)\na = List::new()\nList::push(a, n)\nList::push(a, 1)",
            false,
        );
    }

    #[test]
    fn a_literal_that_is_changed_stays_apart_from_its_equals() {
        let program = read("n = 1: i32\nm = 1: i32\nset(n, 2)\nshow(m)\nshow(n)").canonical();
        let literals = program.statements.iter().filter(|it| matches!(it, Statement::Literal { .. }));
        assert_eq!(literals.count(), 3);
    }

    #[test]
    fn canonical_programs_obey_the_rules() {
        let api = sample::api();
        let mut generator = crate::random::Generator::new(&api, 5, crate::random::Options::default());
        for _ in 0..3000 {
            let program = generator.next();
            check(&api, &program.canonical()).unwrap_or_else(|violation| panic!("{violation}: {program:#?}"));
        }
    }
}
