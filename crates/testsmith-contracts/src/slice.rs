//! The part of a program that an object depends on: [`recipe`].

use testsmith_ir::{Api, Mode, Program, Slot, Statement, check};

/// A program that ends with the object, without steps that have nothing to do with it: what made it and its arguments, and later calls
/// that may have changed any of these. Where the borrow rules do not hold without the rest, all of it is kept.
pub(crate) fn recipe(api: &Api, program: &Program, slot: Slot) -> (Program, Slot) {
    let mut is_needed = vec![false; program.size()];
    is_needed[slot.index()] = true;
    // Each pass adds what those of the last need; what is needed by none stays out.
    loop {
        let before = is_needed.iter().filter(|needed| **needed).count();
        for (at, statement) in program.iter().rev() {
            let changes =
                |arg: &testsmith_ir::Arg| arg.mode == Mode::Exclusive && is_needed[arg.slot.index()];
            if statement.args().iter().any(changes) {
                is_needed[at.index()] = true;
            }
            if is_needed[at.index()] && !statement.is_drop() {
                statement.slots().for_each(|slot| is_needed[slot.index()] = true);
            }
        }
        if is_needed.iter().filter(|needed| **needed).count() == before {
            break;
        }
    }
    // A guard has to end where it ended.
    for (at, statement) in program.iter() {
        if let Statement::Drop(dropped) = statement {
            is_needed[at.index()] = is_needed[dropped.index()];
        }
    }
    let mut places = vec![None; program.size()];
    let mut sliced = Program::default();
    for (at, statement) in program.iter().filter(|(at, _)| is_needed[at.index()]) {
        let mut statement = statement.clone();
        statement.rename(|old| places[old.index()].expect("what is needed comes earlier"));
        places[at.index()] = Some(sliced.push(statement));
    }
    match places[slot.index()].filter(|_| check(api, &sliced).is_ok()) {
        Some(new) => (sliced, new),
        None => (program.clone(), slot),
    }
}

#[cfg(test)]
mod tests {
    use testsmith_ir::sketch;

    use super::*;

    #[test]
    fn idle_steps_go_and_changes_stay() {
        let api = sketch::api(
            "
            type i32: copy
            type usize: copy
            type List: drop
            fn List::new() -> List => List::new()
            fn List::push(self: &mut List; value: i32) => $0.push($1)
            fn List::len(self: &List) -> usize => $0.len()
            fn List::append(self: &mut List; other: &mut List) => $0.append($1)
        ",
        )
        .expect("the table is well-formed");
        let text = "a = List::new()\nb = List::new()\nc = List::new()\nList::len(a)\nList::push(b, 1)\n\
                    List::append(a, b)\nList::push(c, 2)\nList::push(a, 3)\n";
        let program = sketch::program(&api, text).expect("it is a program").program;
        let (sliced, slot) = recipe(&api, &program, Slot(0));
        let calls: Vec<&str> =
            sliced.statements.iter().filter_map(|it| Some(api[it.callable()?].path.as_str())).collect();
        assert_eq!(calls, ["List::new", "List::new", "List::push", "List::append", "List::push"]);
        assert_eq!((slot, check(&api, &sliced).is_ok()), (Slot(0), true));
    }
}
