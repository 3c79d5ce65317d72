//! The rules on small programs; lines are counted from 1.

use super::{End, Reason, State, check as obey};
use crate::api::Accepts;
use crate::program::{Arg, Slot, Statement};
use crate::sketch::Sketched;
use crate::{sample, sketch};

fn read(text: &str) -> Sketched {
    sketch::program(&sample::api(), text).unwrap()
}

/// Whether the rules are obeyed, or which line says what about whom.
#[track_caller]
fn check(text: &str, expected: &str) {
    let sketched = read(text);
    let name = |slot: Slot| sketched.names[slot.index()].clone().unwrap_or_else(|| slot.to_string());
    let line =
        |slot: Slot| sketched.lines.get(slot.index()).map_or("the end".to_owned(), |it| it.to_string());
    let found = match obey(&sample::api(), &sketched.program) {
        Ok(_) => "fine".to_owned(),
        Err(violation) => {
            let reason = match violation.reason {
                Reason::Moved(at) => format!("moved by {}", line(at)),
                Reason::Dropped(at) => format!("dropped by {}", line(at)),
                Reason::Expired(at) => format!("expired by {}", line(at)),
                Reason::Twice => "twice".to_owned(),
                Reason::LentToArgument(to) => format!("lent to argument {}", name(to)),
                Reason::Lent(to) => format!("lent to {}", name(to)),
                Reason::Outlived(lender) => format!("outlives {}", name(lender)),
                other => format!("{other:?}"),
            };
            format!("{}: {} {reason}", line(violation.statement), name_or_none(&sketched, violation.slot))
        }
    };
    assert_eq!(found, expected, "{text}");
}

fn name_or_none(sketched: &Sketched, slot: Slot) -> String {
    sketched.names.get(slot.index()).cloned().flatten().unwrap_or_else(|| "-".to_owned())
}

#[test]
fn what_is_moved_is_gone_and_what_is_copied_stays() {
    check("a = List::new()\nb = List::into_iter(a)\nList::len(a)", "3: a moved by 2");
    check("a = List::new()\ndrop a\nList::len(a)", "3: a dropped by 2");
    check("a = List::new()\ndrop a\ndrop a", "3: a dropped by 2");
    check("a = List::new()\nn = List::len(a)\nList::at(a, n)\nList::at(a, n)", "fine");
}

#[test]
fn types_and_numbers_of_arguments_are_checked() {
    check("a = List::new()\nList::len(a, a)", "2: - WrongNumber");
    check("a = 1: i32\nList::len(a)", "2: a WrongType");
    let api = sample::api();
    let mut program = read("a = List::new()\nList::len(a)").program;
    let Statement::Call { args, .. } = &mut program.statements[1] else { panic!() };
    args[0] = Arg::moved(Slot(0));
    assert_eq!(obey(&api, &program).unwrap_err().reason, Reason::WrongMode);
    args_of(&mut program)[0] = Arg::shared(Slot(1));
    assert_eq!(obey(&api, &program).unwrap_err().reason, Reason::Undefined);
    program.statements[0] =
        Statement::Literal { ty: api.find_type("List").unwrap(), value: crate::Literal::Unit };
    assert_eq!(obey(&api, &program).unwrap_err().reason, Reason::LiteralType);
}

fn args_of(program: &mut crate::Program) -> &mut Vec<Arg> {
    match &mut program.statements[1] {
        Statement::Call { args, .. } => args,
        Statement::Literal { .. } | Statement::Drop(_) => panic!("statement 1 is a call"),
    }
}

#[test]
fn a_borrow_ends_at_its_last_use() {
    let start = "a = List::new()\nfirst = List::first(a)\n";
    check(&format!("{start}List::push(a, 1)"), "fine");
    check(&format!("{start}List::len(a)\nsecond = List::first(a)\ndrop first"), "fine");
    check(&format!("{start}List::push(a, 1)\ndrop first"), "4: first expired by 3");
    check(&format!("{start}List::into_iter(a)\ndrop first"), "4: first expired by 3");
    check(&format!("{start}drop a\ndrop first"), "4: first expired by 3");
}

#[test]
fn an_exclusive_borrow_forbids_reading() {
    let start = "a = List::new()\nitem = List::get_mut(a, 0)\n";
    check(&format!("{start}set(item, 1)\nList::len(a)"), "fine");
    check(&format!("{start}List::len(a)\nset(item, 1)"), "4: item expired by 3");
    check(&format!("{start}other = List::get_mut(a, 1)\nset(item, 1)"), "4: item expired by 3");
    check("n = 1: i32\nm = 2: i32\nset(n, m)\nset(n, n)", "4: n twice");
}

#[test]
fn what_comes_out_of_an_iterator_borrows_from_the_list() {
    let start =
        "a = List::new()\niter = List::iter_mut(a)\none = IterMut::next(iter)\ntwo = IterMut::next(iter)\n";
    check(&format!("{start}set(one, 1)\nset(two, 2)\nset(one, 3)"), "fine");
    check(&format!("{start}drop iter\nset(one, 1)"), "fine");
    check(&format!("{start}List::len(a)\nset(two, 2)"), "6: two expired by 5");
}

#[test]
fn a_reborrow_locks_the_reference_that_it_came_from() {
    let start = "a = List::new()\nrefer = List::borrow_mut(a)\nitem = List::get_mut(refer, 0)\n";
    check(&format!("{start}set(item, 1)\nList::push(refer, 1)\nList::push(a, 1)"), "fine");
    check(&format!("{start}List::push(refer, 1)\nset(item, 1)"), "5: item expired by 4");
    check(&format!("{start}List::len(a)\nset(item, 1)"), "5: item expired by 4");
    check(
        "a = List::new()\nrefer = List::borrow_mut(a)\nfirst = List::first(refer)\nList::len(refer)\ndrop first",
        "fine",
    );
    check(
        "a = List::new()\nrefer = List::borrow_mut(a)\nfirst = List::first(refer)\nList::len(a)\ndrop first",
        "5: first expired by 4",
    );
}

#[test]
fn a_guard_has_to_be_dropped_before_its_lender_is_used() {
    let start = "a = List::new()\ndrain = List::drain(a)\n";
    check(start, "fine");
    check(&format!("{start}List::len(a)"), "3: a lent to drain");
    check(&format!("{start}drop a"), "3: a lent to drain");
    check(&format!("{start}Drain::next(drain)\ndrop drain\nList::len(a)"), "fine");
}

#[test]
fn arguments_of_a_call_must_not_borrow_from_each_other() {
    check("a = List::new()\nList::add_assign(a, a)", "2: a twice");
    check("a = List::new()\nb = List::new()\nList::add_assign(a, b)\nList::eq(a, a)", "fine");
    check("a = List::new()\nList::add(a, a)", "2: a twice");
    let start = "n = 1: i32\nrefs = Vec::refs()\nVec::push_ref(refs, n)\n";
    check(&format!("{start}one = Vec::some_ref(refs)\nVec::push_ref(refs, one)"), "fine");
    check(
        "a = List::new()\nitem = List::get_mut(a, 0)\nb = List::at(a, 0)\ni32::max_ref(b, item)",
        "4: item expired by 3",
    );
    check("a = List::new()\nn = List::at(a, 0)\nkeep_both(a, n)", "3: a lent to argument n");
}

#[test]
fn a_collection_holds_what_is_put_into_it() {
    let start = "n = 1: i32\nm = 2: i32\nrefs = Vec::refs()\nVec::push_ref(refs, n)\n";
    check(&format!("{start}set(m, 3)\nVec::ref_len(refs)"), "fine");
    check(&format!("{start}set(n, 3)\nVec::ref_len(refs)"), "6: refs expired by 5");
    // What was taken out before has the same lifetime as what is put in later.
    check(
        &format!("{start}one = Vec::some_ref(refs)\nVec::push_ref(refs, m)\nset(m, 3)\nshow(one)"),
        "8: one expired by 7",
    );
    check(&format!("{start}one = Vec::some_ref(refs)\nset(m, 3)\nVec::push_ref(refs, m)\nshow(one)"), "fine");
}

#[test]
fn who_holds_a_reference_to_a_collection_puts_things_into_the_collection() {
    let start = "n = 1: i32\nrefs = Vec::refs()\nview = Vec::borrow_mut(refs)\nVec::push_ref(view, n)\n";
    check(&format!("{start}set(n, 3)"), "fine");
    check(&format!("{start}set(n, 3)\nVec::ref_len(refs)"), "6: refs expired by 5");
}

#[test]
fn what_is_dropped_last_must_not_borrow_from_what_is_dropped_first() {
    check("refs = Vec::refs()\nn = 1: i32\nVec::push_ref(refs, n)", "fine");
    check("bag = Bag::new()\nn = 1: i32\nBag::put(bag, n)", "the end: bag outlives n");
    check("bag = Bag::new()\nn = 1: i32\nBag::put(bag, n)\ndrop bag", "fine");
    check("n = 1: i32\nbag = Bag::new()\nBag::put(bag, n)", "fine");
}

#[test]
fn what_borrows_from_itself_is_stuck() {
    check("knot = Knot::new()\nKnot::tie(knot)", "fine");
    check("knot = Knot::new()\nKnot::tie(knot)\nKnot::tie(knot)", "3: knot lent to knot");
}

#[test]
fn what_is_kept_for_ever_borrows_from_nothing() {
    check("name = \"a\": &str\nKeys::new(name)", "fine");
    let word = |ty: &str| {
        format!(
            "text = \"a b\": {ty}\nparser = Parser::new(text)\nname = Parser::word(parser)\nKeys::new(name)"
        )
    };
    check(&word("&str"), "fine");
    check(&word("String"), "4: name TooShort");
}

#[test]
fn a_parser_borrows_its_text() {
    let start = "text = \"a b\": String\nparser = Parser::new(text)\nword = Parser::word(parser)\n";
    check(&format!("{start}drop parser\nString::from(word)"), "fine");
    check(&format!("{start}String::push(text, \"c\")\nString::from(word)"), "5: word expired by 4");
    check("text = \"a b\": &str\nparser = Parser::new(text)\ndrop text\nParser::word(parser)", "fine");
}

#[test]
fn the_end_tells_what_can_be_looked_at() {
    let sketched = read(
        "a = List::new()
        b = List::new()
        item = List::get_mut(a, 0)
        first = List::first(b)
        List::push(b, 1)
        c = List::new()
        drain = List::drain(c)
        d = List::new()
        e = List::into_iter(d)
        drop e",
    );
    let liveness = obey(&sample::api(), &sketched.program).unwrap();
    let slot = |name| sketched.slot(name).unwrap();
    let pushed = Slot::at(sketched.lines.iter().rposition(|line| *line == 5).unwrap());
    let last = Slot::at(sketched.program.size() - 1);
    assert_eq!(liveness.end(slot("a")), End::Alive);
    assert_eq!(liveness.end(slot("first")), End::Expired(pushed));
    assert_eq!(liveness.end(slot("c")), End::Lent(slot("drain")));
    assert_eq!(liveness.end(slot("d")), End::Moved(slot("e")));
    assert_eq!(liveness.end(slot("e")), End::Dropped(last));
    assert_eq!(liveness.end(last), End::Nothing);
    assert_eq!(liveness.last_use(slot("b")), Some(pushed));
    assert_eq!(liveness.last_use(slot("item")), None);
    let order: Vec<_> =
        liveness.observable().iter().filter_map(|slot| sketched.names[slot.index()].as_deref()).collect();
    assert_eq!(order, ["item", "a", "b", "drain"]);
}

#[test]
fn a_generator_sees_what_it_can_use_and_what_that_costs() {
    let api = sample::api();
    let sketched = read("a = List::new()\nb = List::new()\nfirst = List::first(a)\ndrain = List::drain(b)");
    let mut state = State::new(&api);
    sketched.program.statements.iter().for_each(|statement| state.push(statement).unwrap());
    let [a, first, drain] = ["a", "first", "drain"].map(|name| sketched.slot(name).unwrap());
    let list = api.find_type("List").unwrap();
    let usable = |accepts| state.usable(accepts).collect::<Vec<_>>();
    assert_eq!(usable(Accepts::Value(list)), [Arg::moved(a)]);
    assert_eq!(usable(Accepts::Exclusive(list)), [Arg::exclusive(a)]);
    assert_eq!(state.expires(Arg::exclusive(a)).collect::<Vec<_>>(), [first]);
    assert_eq!(state.expires(Arg::shared(a)).count(), 0);
    assert_eq!(state.guards().collect::<Vec<_>>(), [drain]);
    assert_eq!(state.usable_beside(Accepts::Shared(list), &[Arg::exclusive(a)]).count(), 0);
    assert_eq!(state.alive(a), Some(list));
    let push = Statement::Drop(a);
    state.push(&push).unwrap();
    assert_eq!((state.alive(a), state.alive(first)), (None, None));
    assert!(state.can(&push).is_err());
}
