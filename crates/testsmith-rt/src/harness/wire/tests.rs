//! What is written is what is read; what nobody wrote is an error.

use std::cmp::Ordering;
use std::fmt::Debug;

use super::super::outside::Outside;
use super::*;

/// One of everything that a batch can hold.
fn batch() -> Batch {
    let literals = [
        Literal::Unit,
        Literal::Bool(true),
        Literal::Char('é'),
        Literal::Int(IntKind::I8, -128),
        Literal::Int(IntKind::U128, -1),
        Literal::Int(IntKind::I128, i128::MIN),
        Literal::F32(-0.5),
        Literal::F64(1e300),
        Literal::Str("a\nb".to_owned()),
        Literal::String(String::new()),
        Literal::ByteStr(vec![0, 255]),
        Literal::Bytes(vec![]),
    ];
    let mut ops: Vec<Op> = literals.into_iter().map(Op::Literal).collect();
    let args = vec![(Mode::Move, 0), (Mode::Copy, 1), (Mode::Shared, 300), (Mode::Exclusive, u16::MAX)];
    ops.extend([Op::Call { callable: 70_000, args }, Op::Drop(3)]);
    let infected = Run {
        ops: Vec::new(),
        alive: Vec::new(),
        unseen: Vec::new(),
        mutants: Mutants::Infected { at_most: 9 },
    };
    let aimed = Run { mutants: Mutants::Aimed { first: 300, at_most: 2 }, ..infected.clone() };
    let listed = Run {
        ops,
        alive: vec![1, 2],
        unseen: vec![(2, Aspect::Display)],
        mutants: Mutants::Listed(vec![7, 8, 9, 1, u32::MAX]),
    };
    let options =
        Options { observe: Observing::Hash, trace: false, isolate: Isolation::Fork, ..Options::default() };
    Batch { options, skip: [3, 77].into_iter().collect(), runs: vec![infected, aimed, listed] }
}

/// One of everything that an answer can hold.
fn answer() -> Answer {
    let outcomes = [
        Outcome::Ok,
        Outcome::Panic { message: "no".to_owned(), file: "src/lib.rs".to_owned(), line: 3 },
        Outcome::Fuel,
        Outcome::Depth,
        Outcome::Memory,
        Outcome::Type("slot 1".to_owned()),
        Outcome::Signal(11),
        Outcome::Exit(-1),
        Outcome::Hang,
        Outcome::Outside(Outside::Signals),
    ];
    let whats = [
        What::Value(vec![1, 2]),
        What::Debug("d".to_owned()),
        What::Display("e".to_owned()),
        What::Eq(1, true),
        What::Cmp(2, Some(Ordering::Greater)),
        What::Cmp(2, None),
        What::Panics(Aspect::Cmp),
        What::Absent,
    ];
    let observe = |what: &What| Observation { at: At::Statement(u16::MAX), slot: 4, what: what.clone() };
    let mut seen: Vec<Observation> = whats.iter().map(observe).collect();
    seen[0].at = At::End;
    let mut full = Execution::ended(Outcome::Ok, 4);
    full.reached = vec![5, 6, 2];
    full.infected = vec![5];
    full.maybe = vec![2];
    full.distances = vec![Distance { probe: 5, to_true: 0.0, to_false: f64::INFINITY, to_other: 2.5 }];
    let operands = |left, right| Operands { probe: 5, left, right };
    full.operands = vec![
        operands(Operand::Int(i128::MIN), Operand::Int(7)),
        operands(Operand::Char('é'), Operand::Text("é".to_owned())),
    ];
    full.absent = vec![0, 9];
    full.observations = Observations::Full(seen);
    full.ran = vec![5, 2];
    full.differences = vec![
        (5, Difference::Outcome(Outcome::Fuel, 2)),
        (2, Difference::Observation(0, Some(What::Absent))),
        (1, Difference::Observation(3, None)),
    ];
    full.impact = Some((5, 12));
    let mut executions = vec![full];
    executions.extend(outcomes.into_iter().map(|outcome| Execution::ended(outcome, 1)));
    executions[1].observations = Observations::Hash(u64::MAX);
    Answer { executions, leaked: 1 << 40, threads_left: 2 }
}

fn hello() -> Hello {
    let facts = Facts { copy: true, size: 24, ..Facts::default() };
    let types = vec![TypeReport {
        index: 4,
        canonical: 1,
        name: "alloc::string::String".to_owned(),
        facts,
        drop: Some(Place { offset: 7 }),
    }];
    Hello {
        mutants: 3,
        types,
        calls: vec![CallReport { callable: 9, output: 4, code: Place { offset: u64::MAX } }],
    }
}

/// Round trip; then every prefix and every changed byte is read without a panic, and no prefix is a message.
fn check<T: PartialEq + Debug>(value: T, bytes: Vec<u8>, decode: fn(&[u8]) -> Result<T, Malformed>) {
    assert_eq!(decode(&bytes), Ok(value));
    for length in 0..bytes.len() {
        assert!(decode(&bytes[..length]).is_err(), "{length} of {}", bytes.len());
    }
    let mut garbage = bytes.clone();
    for at in 0..bytes.len() {
        for byte in [0, 1, 2, 3, 7, 9, 0x7f, 0x80, 0xff] {
            garbage[at] = byte;
            let _ = decode(&garbage);
        }
        garbage[at] = bytes[at];
    }
    garbage.push(0);
    assert!(decode(&garbage).is_err(), "one byte more is not the message");
}

#[test]
fn messages_survive_the_way_and_garbage_is_an_error() {
    check(batch(), batch().encode(), Batch::decode);
    check(answer(), answer().encode(), Answer::decode);
    check(hello(), hello().encode(), Hello::decode);
}

#[test]
fn numbers_take_few_bytes() {
    let length = |write: &dyn Fn(&mut Writer)| {
        let mut to = Writer::new();
        write(&mut to);
        to.len()
    };
    assert_eq!(length(&|to| to.numbers(&[1000, 1001, 1002, 1003])), 6);
    assert_eq!(length(&|to| 0.0f64.write(to)), 1);
    assert_eq!(length(&|to| 3.0f64.write(to)), 2);
    assert_eq!(length(&|to| (-1i32).write(to)), 1);
    assert_eq!(length(&|to| to.wide(u128::MAX)), 19);
}

#[test]
fn a_number_that_does_not_fit_is_an_error() {
    let mut bytes = vec![0xff; 18];
    bytes.push(0x03);
    assert_eq!(Reader::new(&bytes).wide(), Ok(u128::MAX));
    bytes[18] = 0x04;
    assert!(Reader::new(&bytes).wide().is_err());
    assert!(Reader::new(&[0xff; 40]).wide().is_err());
    assert!(u16::read(&mut Reader::new(&[0x80, 0x80, 0x04])).is_err());
}

#[test]
fn a_worker_of_another_version_and_a_refusal_are_errors() {
    let mut bytes = hello().encode();
    bytes[4] = VERSION as u8 + 1;
    assert!(Hello::decode(&bytes).unwrap_err().0.contains("version"));
    let refusal = Answer::refusal(&Malformed("why".to_owned()));
    assert_eq!(Answer::decode(&refusal), Err(Malformed("the worker refuses: why".to_owned())));
}

#[test]
fn frames_are_read_as_they_were_written_and_a_cut_one_is_an_error() {
    let mut stream = Vec::new();
    for message in [&b"one"[..], b"", b"three"] {
        write_frame(&mut stream, message).unwrap();
    }
    let mut from = &stream[..];
    assert_eq!(read_frame(&mut from).unwrap().as_deref(), Some(&b"one"[..]));
    assert_eq!(read_frame(&mut from).unwrap().as_deref(), Some(&b""[..]));
    assert_eq!(read_frame(&mut from).unwrap().as_deref(), Some(&b"three"[..]));
    assert_eq!(read_frame(&mut from).unwrap(), None);
    for length in [1, 3, 4, 6] {
        assert!(read_frame(&mut &stream[..length]).is_err(), "{length}");
    }
    assert!(read_frame(&mut &[0xff; 8][..]).is_err());
}
