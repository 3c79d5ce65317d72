//! What programs do on the original: how they end and what is seen.

use testsmith_rt::harness::wire::{Hello, Outcome};
use testsmith_rt::harness::with_worker;

use super::subject::*;
use super::*;

/// Runs a program that ends well and checks what was seen, in this process and in a child.
fn check(ops: Vec<Op>, alive: &[u16], expected: &[&str]) {
    for options in [Options::default(), forked()] {
        let execution = execute_with(options, program(ops.clone(), alive));
        assert_eq!(execution.outcome, Outcome::Ok);
        assert_eq!(usize::from(execution.statement), ops.len());
        assert_eq!(seen(&execution), expected);
    }
}

/// Runs a program that ends otherwise, at this statement.
fn check_end(ops: Vec<Op>, statement: u16, expected: &str) {
    for options in [Options::default(), forked()] {
        let execution = execute_with(options, program(ops.clone(), &[]));
        let found = match execution.outcome {
            Outcome::Panic { message, file, line } => {
                assert_eq!(file.is_empty(), line == 0);
                format!("panic: {message}")
            }
            Outcome::Type(error) => format!("type: {error}"),
            other => format!("{other:?}"),
        };
        assert_eq!((found.as_str(), execution.statement), (expected, statement));
    }
}

#[test]
fn literals_of_every_type_get_a_slot() {
    let literals = [
        Literal::Unit,
        Literal::Bool(true),
        Literal::Char('x'),
        Literal::Int(IntKind::I8, -1),
        Literal::Int(IntKind::I16, -1),
        Literal::Int(IntKind::I32, -1),
        Literal::Int(IntKind::I64, -1),
        Literal::Int(IntKind::I128, -1),
        Literal::Int(IntKind::Isize, -1),
        Literal::Int(IntKind::U8, 1),
        Literal::Int(IntKind::U16, 1),
        Literal::Int(IntKind::U32, 1),
        Literal::Int(IntKind::U64, 1),
        Literal::Int(IntKind::U128, -1),
        Literal::Int(IntKind::Usize, 1),
        Literal::F32(0.5),
        Literal::F64(-0.5),
        Literal::Str("a".to_owned()),
        Literal::String("b".to_owned()),
        Literal::ByteStr(vec![1]),
        Literal::Bytes(vec![2]),
    ];
    let alive: Vec<u16> = (0..literals.len() as u16).collect();
    let huge = format!("end 13: Huge({})", u128::MAX);
    let expected = [
        "end 1: Bool(true)",
        "end 2: Char('x')",
        "end 3: Int(-1)",
        "end 4: Int(-1)",
        "end 5: Int(-1)",
        "end 6: Int(-1)",
        "end 7: Int(-1)",
        "end 8: Int(-1)",
        "end 9: Int(1)",
        "end 10: Int(1)",
        "end 11: Int(1)",
        "end 12: Int(1)",
        &huge,
        "end 14: Int(1)",
        "end 15: F32(0.5)",
        "end 16: F64(-0.5)",
        "end 17: Str(\"a\", 1)",
        "end 18: Str(\"b\", 1)",
        "end 19: List([Int(1)], 1)",
        "end 20: List([Int(2)], 1)",
    ];
    check(literals.map(Op::Literal).to_vec(), &alive, &expected);
}

#[test]
fn arguments_are_moved_copied_and_borrowed() {
    let list = [int(3), int(4), call(LIST, &[(C, 0), (M, 1)])];
    let with = |more: Vec<Op>| list.iter().cloned().chain(more).collect::<Vec<_>>();
    let made = "2: List([Int(3), Int(4)], 2)";
    check(with(vec![call(LEN, &[(S, 2)])]), &[], &[made, "3: Int(2)"]);
    check(with(vec![call(SUM, &[(S, 2)])]), &[], &[made, "3: Int(7)"]);
    let pushed = "end 2: List([Int(3), Int(4), Int(3)], 3)";
    check(with(vec![call(PUSH, &[(X, 2), (C, 0)])]), &[2], &[made, pushed]);
    check(with(vec![call(REVERSE, &[(X, 2)])]), &[2], &[made, "end 2: List([Int(4), Int(3)], 2)"]);
    // A reference in a slot: copied, and given to whoever wants the referent.
    check(with(vec![call(FIRST, &[(S, 2)])]), &[3], &[made, "3: Int(3)", "end 3: Int(3)"]);
    let first = "3: Int(3)";
    check(
        with(vec![call(GET_MUT, &[(X, 2)]), Op::Drop(3)]),
        &[2],
        &[made, first, "end 2: List([Int(3), Int(4)], 2)"],
    );
    check(with(vec![call(ADD, &[(C, 0), (C, 0)])]), &[], &[made, "3: Int(6)"]);
    check(with(vec![call(TAIL, &[(C, 0), (M, 0)])]), &[], &[made, "3: Tuple([Int(3), List([Int(3)], 1)])"]);
    check(
        with(vec![
            call(ITER, &[(S, 2)]),
            call(NEXT, &[(X, 3)]),
            call(NEXT, &[(X, 3)]),
            call(NEXT, &[(X, 3)]),
        ]),
        &[3],
        &[
            made,
            "3: Debug(\"Iter([3, 4])\")",
            "4: Option(Some(Int(3)))",
            "5: Option(Some(Int(4)))",
            "6: Option(None)",
            "end 3: Debug(\"Iter([])\")",
        ],
    );
}

#[test]
fn references_in_slots_are_followed() {
    let with = |more: &[Op]| {
        let mut ops = vec![int(3), call(LIST, &[(C, 0)]), call(GET_MUT, &[(X, 1)])];
        ops.extend_from_slice(more);
        ops
    };
    let made = ["1: List([Int(3)], 1)", "2: Int(3)"];
    let increment = |mode| call(INCREMENT, &[(mode, 2)]);
    let read = |mode| call(READ_INT, &[(mode, 2)]);
    for how in [S, X] {
        let ops = with(&[increment(X), read(how), increment(M), call(SUM, &[(S, 1)])]);
        check(ops, &[], &[made[0], made[1], "4: Int(4)", "6: Int(5)"]);
    }
    check(with(&[increment(X), read(M)]), &[], &[made[0], made[1], "4: Int(4)"]);
    for op in [increment(S), increment(C), read(C)] {
        let error = execute(program(with(&[op]), &[])).outcome;
        assert!(matches!(error, Outcome::Type(_)), "{error:?}");
    }
    let gone = execute(program(with(&[read(M), read(S)]), &[]));
    assert!(matches!((gone.outcome, gone.statement), (Outcome::Type(_), 4)));
    // A shared one can be copied as often as one likes, but not used to change anything.
    let first =
        |op: Op| vec![int(3), call(LIST, &[(C, 0)]), call(FIRST, &[(S, 1)]), read(C), read(S), read(M), op];
    check(first(int(0)), &[], &[made[0], made[1], "3: Int(3)", "4: Int(3)", "5: Int(3)"]);
    for how in [S, X, M, C] {
        let ops = vec![int(3), call(LIST, &[(C, 0)]), call(FIRST, &[(S, 1)]), increment(how)];
        let error = execute(program(ops, &[])).outcome;
        assert!(matches!(error, Outcome::Type(_)), "{how:?} {error:?}");
    }
}

#[test]
fn text_is_taken_from_all_that_holds_text() {
    for make in [BOXED_TEXT, COW_TEXT] {
        let ops = vec![text("a"), call(make, &[(S, 0)]), call(UPPER, &[(S, 1)])];
        check(ops, &[], &["1: Str(\"a\", 1)", "2: Str(\"A\", 1)"]);
    }
    let others = [
        (PATH, PATH_LEN, "1: Str(\"a/b\", 3)", "2: Int(2)"),
        (OS, OS_LEN, "1: Str(\"a/b\", 3)", "2: Int(3)"),
        (C_TEXT, C_LEN, "1: Debug(\"\\\"a/b\\\"\")", "2: Int(4)"),
    ];
    for (make, measure, made, measured) in others {
        check(vec![text("a/b"), call(make, &[(C, 0)]), call(measure, &[(S, 1)])], &[], &[made, measured]);
    }

    for literal in [Literal::Str("aé".to_owned()), Literal::String("aé".to_owned())] {
        let upper = vec![Op::Literal(literal), call(UPPER, &[(S, 0)]), call(UPPER, &[(S, 1)])];
        check(upper, &[], &["1: Str(\"AÉ\", 3)", "2: Str(\"AÉ\", 3)"]);
    }
}

#[test]
fn values_without_structure_show_themselves() {
    check(
        vec![int(3), call(SHOWN, &[(M, 0)])],
        &[1],
        &[
            "1: Debug(\"Shown(3) at 0x_\")",
            "1: Display(\"3\")",
            "end 1: Debug(\"Shown(3) at 0x_\")",
            "end 1: Display(\"3\")",
        ],
    );
    check(vec![int(-3), call(SHOWN, &[(M, 0)])], &[], &["1: Panics(Debug)", "1: Display(\"-3\")"]);
    check(
        vec![int(3), int(4), call(OPAQUE, &[(M, 0)]), call(OPAQUE, &[(M, 1)])],
        &[2, 3],
        &["end 3: Eq(2, false)", "end 3: Cmp(2, Some(Greater))"],
    );
    let map = vec![int(2), int(1), call(MAP, &[(M, 0), (M, 1)])];
    check(map, &[], &["2: Map([(Int(1), Str(\"1\", 1)), (Int(2), Str(\"2\", 1))], 2)"]);
}

#[test]
fn what_depends_on_an_absent_slot_is_skipped() {
    for parse in [vec![call(MAYBE_PARSE, &[(S, 0)])], vec![call(FIRST, &[(S, 1)])]] {
        let mut ops = vec![text("x"), call(LIST, &[])];
        ops.extend(parse);
        ops.extend([
            int(1),
            call(ADD, &[(M, 3), (M, 2)]),
            call(CLAMP, &[(M, 4)]),
            Op::Drop(5),
            call(CLAMP, &[(C, 3)]),
        ]);
        let execution = execute(program(ops, &[2, 3]));
        assert_eq!(execution.outcome, Outcome::Ok);
        assert_eq!(execution.absent, [2, 4, 5]);
        let expected =
            ["1: List([], 0)", "2: Absent", "4: Absent", "5: Absent", "7: Int(2)", "end 3: Int(1)"];
        assert_eq!(seen(&execution), expected);
    }
    check(vec![text("7"), call(MAYBE_PARSE, &[(C, 0)])], &[], &["1: Int(7)"]);
}

#[test]
fn panics_end_a_program_with_message_and_place() {
    check_end(vec![int(7), call(BOOM, &[(M, 0)]), int(1)], 1, "panic: boom at 7");
    check_end(vec![call(THROW, &[])], 0, "panic: thrown");
    check_end(vec![text("x"), call(PARSE, &[(C, 0)]), call(UNWRAP, &[(M, 1)])], 2, "panic: a value");
    let Outcome::Panic { file, line, .. } =
        execute(program(vec![int(7), call(BOOM, &[(C, 0)])], &[])).outcome
    else {
        panic!("a panic");
    };
    assert!(file.ends_with("subject.rs") && line > 100, "{file}:{line}");
    // A program that installs a hook does so for itself alone.
    let hook = program(vec![call(HOOK, &[])], &[]);
    let boom = program(vec![int(7), call(BOOM, &[(C, 0)])], &[]);
    let answer = answer(&Batch { runs: vec![hook, boom], ..Batch::default() });
    assert!(matches!(answer.executions[1].outcome, Outcome::Panic { .. }));
}

#[test]
fn wrong_programs_are_errors() {
    let list = || vec![int(3), call(LIST, &[(C, 0)])];
    let with = |op: Op| list().into_iter().chain([op]).collect::<Vec<_>>();
    let table = [
        (call(LEN, &[(S, 0)]), "argument 0: slot 0 holds i32, mode Shared, but &alloc::vec::Vec<i32> is wanted"),
        (call(CLAMP, &[(M, 1)]), "argument 0: slot 1 holds alloc::vec::Vec<i32>, mode Move, but i32 is wanted"),
        (call(CLAMP, &[(S, 0)]), "argument 0: slot 0 holds i32, mode Shared, but i32 is wanted"),
        (call(LEN, &[(X, 1)]), "argument 0: slot 1 holds alloc::vec::Vec<i32>, mode Exclusive, but &alloc::vec::Vec<i32> is wanted"),
        (call(PUSH, &[(S, 1), (C, 0)]), "argument 0: slot 1 holds alloc::vec::Vec<i32>, mode Shared, but &mut alloc::vec::Vec<i32> is wanted"),
        (call(UPPER, &[(C, 0)]), "argument 0: slot 0 holds i32, mode Copy, but &str is wanted"),
        (call(CLAMP, &[(M, 2)]), "argument 0: slot 2 is not defined yet, mode Move, but a value is wanted"),
        (call(CLAMP, &[]), "argument 0: there are 0 arguments, but one more is wanted"),
        (call(SWAP, &[(X, 1), (X, 1)]), "argument 1: slot 1 holds alloc::vec::Vec<i32>, mode Exclusive, but a slot of its own is wanted"),
        (call(ADD, &[(M, 0), (M, 0)]), "argument 1: slot 0 holds i32, mode Move, but a slot of its own is wanted"),
        (call(5000, &[]), "there is no callable 5000"),
        (call(901, &[]), "there is no callable 901"),
        (Op::Drop(2), "slot 2 has no value to drop"),
    ];
    for (op, expected) in table {
        check_end(with(op), 2, &format!("type: {expected}"));
    }
    let moved = vec![int(1), call(CLAMP, &[(M, 0)]), call(CLAMP, &[(M, 0)])];
    check_end(moved, 2, "type: argument 0: slot 0 is Gone, mode Move, but i32 is wanted");
    let not_copy = vec![int(1), call(NOTED, &[(M, 0)]), call(KEEP, &[(C, 1)])];
    let wanted = "type: argument 0: slot 1 holds harness::subject::Noted, mode Copy, but harness::subject::Noted is wanted";
    check_end(not_copy, 2, wanted);
}

#[test]
fn fuel_and_depth_end_what_does_not_end() {
    check_end(vec![call(ENDLESS, &[])], 0, "Fuel");
    check_end(vec![int(1), call(STUBBORN, &[])], 1, "Fuel");
    check_end(vec![call(JOIN, &[])], 0, "Fuel");
    check_end(vec![uint(10_000_000), call(RECURSE, &[(M, 0)])], 1, "Depth");
    check(vec![uint(1000), call(RECURSE, &[(M, 0)])], &[], &["1: Int(1000)"]);
}

#[test]
fn ticks_are_counted_exactly_and_limits_hold() {
    let ticks = |fuel: u64, n: u32| {
        let options = Options { fuel, ..Options::default() };
        let execution = execute_with(options, program(vec![uint(n), call(COUNT_DOWN, &[(M, 0)])], &[]));
        (execution.outcome, execution.ticks)
    };
    for n in [0, 1, 63, 64, 65, 1000] {
        assert_eq!(ticks(1000, n), (Outcome::Ok, n.into()), "{n}");
    }
    assert_eq!(ticks(1000, 1001).0, Outcome::Fuel);
    assert_eq!(ticks(0, 0).0, Outcome::Ok);
    assert_eq!(ticks(0, 1).0, Outcome::Fuel);
}

#[test]
fn fuel_that_runs_out_in_a_drop_is_an_outcome_and_a_panic_stays_one() {
    let few = || Options { fuel: 1_500_000, ..Options::default() };
    let execution = execute_with(few(), program(vec![call(SLOW, &[])], &[]));
    assert_eq!((execution.outcome, execution.statement), (Outcome::Fuel, 1));
    let panics = vec![call(SLOW, &[]), int(7), call(BOOM, &[(M, 1)])];
    let execution = execute_with(few(), program(panics, &[]));
    assert!(matches!(execution.outcome, Outcome::Panic { .. }), "{:?}", execution.outcome);
}

#[test]
fn slots_are_dropped_in_reverse_order_and_a_panic_there_is_an_outcome() {
    let noted = |values: [i32; 3]| {
        let mut ops: Vec<Op> = values.into_iter().map(int).collect();
        ops.extend((0..3).map(|slot| call(NOTED, &[(M, slot)])));
        ops
    };
    let order = |ops: Vec<Op>| {
        let message = Batch { runs: vec![program(ops, &[])], ..Batch::default() }.encode();
        let (answer, order) =
            with_worker(tables(), |worker| (worker.answer(&message), DROPPED.with(|d| d.get())));
        (Answer::decode(&answer).expect("an answer").executions[0].outcome.clone(), order)
    };
    assert_eq!(order(noted([1, 2, 3])), (Outcome::Ok, 321));
    let mut ops = noted([1, 2, 3]);
    ops.extend([Op::Drop(4), call(KEEP, &[(M, 3)])]);
    assert_eq!(order(ops), (Outcome::Ok, 213));
    assert_eq!(order(noted([1, -2, 3])).1, 281);
    check_end(noted([1, -2, 3]), 6, "panic: dropped -2");
    let mut ops = noted([-1, -2, 3]);
    check_end(ops.clone(), 6, "panic: dropped -2");
    ops.push(Op::Drop(3));
    check_end(ops, 6, "panic: dropped -1");
}

#[test]
fn the_hello_tells_what_the_compiler_knew() {
    let bytes = with_worker(tables(), |worker| worker.hello().encode());
    let hello = Hello::decode(&bytes).expect("a hello");
    assert_eq!(hello.mutants, MUTANTS);
    let of = |index: u32| hello.types.iter().find(|found| found.index == index).expect("a type");
    let letters = |index: u32| {
        let facts = of(index).facts;
        let all = [
            (facts.copy, 'c'),
            (facts.clone, 'k'),
            (facts.needs_drop, 'd'),
            (facts.debug, '?'),
            (facts.display, 'p'),
            (facts.eq, '='),
            (facts.ord, '<'),
            (facts.observable, 'o'),
        ];
        all.into_iter().filter(|(holds, _)| *holds).map(|(_, letter)| letter).collect::<String>()
    };
    let table = [
        (0, 0, "ck?p=<o", 4),
        (1, 1, "kd?p=<o", 24),
        (2, 2, "ck?p=<o", 16),
        (3, 3, "kd?=<o", 24),
        (4, 4, "=<", 4),
        (5, 5, "k?p", 4),
        (6, 6, "d", 4),
        (8, 8, "k?", 16),
        (9, 0, "ck?p=<o", 4),
    ];
    for (index, canonical, expected, size) in table {
        let found = (of(index).canonical, letters(index), of(index).facts.size);
        assert_eq!(found, (canonical, expected.to_owned(), size), "{}", of(index).name);
    }
    let output =
        |callable: u32| hello.calls.iter().find(|call| call.callable == callable).expect("a call").output;
    assert_eq!((output(CLAMP), output(UPPER), output(ITER), output(OPAQUE)), (0, 1, 8, 4));
    // Found by inference alone.
    let pair = of(output(PAIR));
    assert!(pair.index > 9 && pair.name == "(i32, char)" && letters(pair.index) == "ck?=<o");
    assert_eq!(of(output(MAYBE_PARSE)).index, 0);
    assert_eq!(of(output(PARSE)).name, "core::option::Option<i32>");
    // Said to be known, and nobody knows it: it can only be handed on.
    assert_eq!(
        (of(output(STRANGER)).name.as_str(), letters(output(STRANGER)).as_str()),
        ("core::option::Option<char>", "")
    );
    let indices: Vec<u32> = hello.types.iter().map(|found| found.index).collect();
    assert!(indices.windows(2).all(|pair| pair[0] < pair[1]), "{indices:?}");
}

#[test]
fn leaked_literals_are_told() {
    let run = || program(vec![text("abc"), text("abc"), Op::Literal(Literal::ByteStr(vec![1; 7]))], &[]);
    assert_eq!(answer(&Batch { runs: vec![run(), run()], ..Batch::default() }).leaked, 10);
}

#[test]
fn a_message_that_is_none_is_refused() {
    let answer = with_worker(tables(), |worker| worker.answer(b"what?"));
    assert!(Answer::decode(&answer).unwrap_err().0.contains("refuses"));
}

#[test]
fn a_hash_stands_for_all_observations() {
    let hash = |value: i32| {
        execute_with(hashed(), program(vec![int(value), call(CLAMP, &[(M, 0)])], &[])).observations
    };
    assert!(matches!(hash(1), Observations::Hash(_)));
    assert_eq!(hash(1), hash(1));
    assert_ne!(hash(1), hash(2));
}

#[test]
fn a_child_that_dies_is_an_outcome_of_its_run_alone() {
    let options = Options { patience: 300, ..forked() };
    let runs = vec![
        program(vec![int(5), call(EXIT, &[(M, 0)])], &[]),
        program(vec![call(SLEEP, &[])], &[]),
        program(vec![int(1), call(CLAMP, &[(M, 0)])], &[]),
    ];
    let answer = answer(&Batch { options, runs, ..Batch::default() });
    let outcomes: Vec<_> =
        answer.executions.iter().map(|found| (found.outcome.clone(), found.statement)).collect();
    assert_eq!(outcomes, [(Outcome::Exit(5), 1), (Outcome::Hang, 0), (Outcome::Ok, 2)]);
}
