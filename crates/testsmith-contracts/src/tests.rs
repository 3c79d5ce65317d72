//! Tables in, contracts out.

use std::sync::Arc;

use testsmith_ir::random::{Generator, Options};
use testsmith_ir::{Api, Literal, Program, Slot, Statement, check, sketch};

use crate::atom::{Atom, Op};
use crate::cell::Cell;
use crate::record::{Object, Tables};
use crate::reduce::{Reason, Target, programs, targets};
use crate::table::{Column, End, Row, Table, When};
use testsmith_rt::harness::wire::{At, Difference, Execution, Observation, Observations, Outcome, What};

use crate::{Composer, Queries, infer, invariants, nearly, on_mutant, probe};

/// A column by its text: `old self.len(): usize`, `new result: bool`, `index: usize`; `new self` is a state.
fn column(text: &str) -> Column {
    let (rest, ty) = text.split_once(": ").expect("a column has a type");
    let (when, name) = match rest.split_once(' ') {
        Some(("old", name)) => (When::Before, name),
        Some(("new", name)) => (When::After, name),
        _ => (When::Always, rest),
    };
    Column {
        name: name.to_owned(),
        when,
        ty: ty.to_owned(),
        is_result: name.starts_with("result"),
        is_argument: when == When::Always,
        is_state: name == "self",
        is_alone: true,
        is_lent: false,
        source: None,
    }
}

struct Sketch {
    table: Table,
    columns: Vec<usize>,
}

impl Sketch {
    fn new(columns: &[&str]) -> Sketch {
        let mut table = Table::default();
        let columns = columns.iter().map(|text| table.column(column(text))).collect();
        Sketch { table, columns }
    }

    /// Adds a row; `None` is a panic with no values after it.
    fn row(&mut self, cells: &[Cell], panic: Option<&str>) {
        let end = panic.map_or(End::Returned, |message| End::Panicked {
            message: message.to_owned(),
            file: "src/lib.rs".to_owned(),
            line: 1,
        });
        let cells = self.columns.iter().copied().zip(cells.iter().copied());
        let known = cells.filter(|(_, cell)| *cell != Cell::Undefined).collect();
        let row = Row { program: Arc::new(Program::default()), call: Slot(0), end };
        self.table.add(known, row, usize::MAX);
    }

    fn contracts(&self) -> Vec<String> {
        infer(&self.table).iter().map(|contract| contract.text(&self.table)).collect()
    }
}

fn int(value: i32) -> Cell {
    Cell::Int(value.into())
}

const NONE: Cell = Cell::Undefined;

#[test]
fn one_condition_explains_all_panics() {
    let mut sketch = Sketch::new(&["index: usize", "old self.len(): usize", "value: i32"]);
    for (index, len) in (0..8).flat_map(|index| (0..8).map(move |len| (index, len))) {
        let panic = (index >= len).then_some("index out of bounds");
        sketch.row(&[int(index), int(len), int(index * 3 - len)], panic);
    }
    assert_eq!(sketch.contracts(), ["panics exactly if index >= self.len()"]);
}

#[test]
fn several_conditions_explain_them_together() {
    let mut sketch = Sketch::new(&["range.start: usize", "range.end: usize", "old self.len(): usize"]);
    for (start, end) in (0..7).flat_map(|start| (0..7).map(move |end| (start, end))) {
        for len in 0..7 {
            let panic = (start > end || end > len).then_some("out of range");
            sketch.row(&[int(start), int(end), int(len)], panic);
        }
    }
    let expected = "panics exactly if range.end > self.len() || range.end < range.start";
    assert_eq!(sketch.contracts(), [expected]);
}

#[test]
fn where_there_are_two_regimes_both_are_named() {
    let mut sketch = Sketch::new(&["at: usize", "old self.len(): usize", "old self.contains(key): bool"]);
    for (at, len) in (0..8).flat_map(|at| (0..8).map(move |len| (at, len))) {
        for known in [false, true] {
            let panics = if known { at >= len } else { at > len };
            sketch.row(&[int(at), int(len), Cell::Bool(known)], panics.then_some("out of bounds"));
        }
    }
    assert_eq!(
        sketch.contracts(),
        ["panics exactly if at > self.len() || at >= self.len() && self.contains(key)"]
    );
}

#[test]
fn want_of_memory_is_no_condition() {
    let mut sketch = Sketch::new(&["capacity: usize", "new result.capacity(): usize"]);
    (0..40).for_each(|n| sketch.row(&[int(n), int(n)], None));
    (0..9).for_each(|n| sketch.row(&[int(1000 + n), NONE], Some("capacity overflow")));
    assert_eq!(sketch.contracts(), ["result.capacity() == capacity"]);
}

#[test]
fn what_decides_an_outcome_is_named_once() {
    let columns =
        ["index: usize", "old self.len(): usize", "new result.is_some(): bool", "new self.len(): usize"];
    let mut sketch = Sketch::new(&columns);
    for (index, len) in (0..8).flat_map(|index| (0..8).map(move |len| (index, len))) {
        let is_in = index < len;
        sketch.row(&[int(index), int(len), Cell::Bool(is_in), int(len)], None);
    }
    assert_eq!(
        sketch.contracts(),
        ["result.is_some() exactly if index < self.len()", "self.len() == old(self.len())"]
    );
}

#[test]
fn equations_are_as_simple_as_can_be() {
    let columns = ["by: usize", "old self.len(): usize", "new self.len(): usize", "new result: usize"];
    let mut sketch = Sketch::new(&columns);
    for (by, len) in (0..8).flat_map(|by| (0..8).map(move |len| (by, len))) {
        sketch.row(&[int(by), int(len), int(len + 1), int(len.min(by))], None);
    }
    assert_eq!(
        sketch.contracts(),
        ["result == by.min(old(self.len()))", "self.len() == old(self.len()) + 1"]
    );
}

#[test]
fn numbers_of_different_types_are_not_compared() {
    let mut sketch = Sketch::new(&["value: i32", "old self.len(): usize", "new result: u8"]);
    (0..60).for_each(|n| sketch.row(&[int(n), int(n), int(n)], None));
    assert_eq!(sketch.contracts(), [""; 0]);
}

#[test]
fn a_state_is_left_alone_under_a_condition() {
    let mut sketch = Sketch::new(&["n: usize", "old self.len(): usize", "old self: List", "new self: List"]);
    for (n, len) in (0..8).flat_map(|n| (0..8).map(move |len| (n, len))) {
        let state = |len: i32| Cell::Other(u64::try_from(len).expect("a length"));
        sketch.row(&[int(n), int(len), state(len), state(len.min(n))], None);
    }
    assert_eq!(sketch.contracts(), ["self is unchanged exactly if n >= self.len()"]);
}

#[test]
fn facts_of_objects_hold_always_or_nearly() {
    let mut sketch =
        Sketch::new(&["old self.len(): usize", "old self.capacity(): usize", "old self.used(): usize"]);
    for (len, capacity) in (0..12).flat_map(|len| (len..12).map(move |capacity| (len, capacity))) {
        let used = if len == 3 && capacity == 4 { 9 } else { len };
        sketch.row(&[int(len), int(capacity), int(used)], None);
    }
    let table = &sketch.table;
    let texts = |all: Vec<crate::Contract>| all.iter().map(|it| it.text(table)).collect::<Vec<_>>();
    assert_eq!(texts(invariants(table)), ["self.len() <= self.capacity()", "self.len() <= self.used()"]);
    let nearly: Vec<String> = nearly(table).iter().map(|it| it.atom.text(table, false)).collect();
    assert_eq!(
        nearly,
        ["self.len() == self.used()", "self.used() <= self.len()", "self.used() <= self.capacity()"]
    );
}

const API: &str = "
    type i32: copy
    type usize: copy
    type bool: copy
    type &i32
    type List: drop
    type Iter<'_>: borrows
    type Guard<'_>: drop borrows
    type Meta: drop
    type &Meta
    fn List::meta(self: &List) -> &Meta [0& > out] => &$0.meta
    fn Meta::uses(self: &Meta) -> usize => $0.uses()
    fn List::new() -> List => List::new()
    fn List::push(self: &mut List; value: i32) => $0.push($1)
    fn List::len(self: &List) -> usize => $0.len()
    fn List::has(self: &List; value: i32) -> bool => $0.has($1)
    fn List::eq(self: &List; other: &List) -> bool => $0 == $1
    fn List::at(self: &List; index: usize) -> &i32 [0& > out] => &$0[$1]
    fn List::iter_mut(self: &mut List) -> Iter<'_> [0& > out] => $0.iter_mut()
    fn List::lock(self: &mut List) -> Guard<'_> [0& > out] => $0.lock()
    fn Iter::left(self: &Iter<'_>) -> usize => $0.left()
    fn Iter::next(self: &mut Iter<'_>) -> i32 => $0.next()
    fn List::join(self: List; other: List) -> List => $0.join($1)
";

/// Questions never make a program one that the compiler rejects, and every call of interest is there.
#[test]
fn programs_with_questions_obey_the_rules() {
    let api = sketch::api(API).expect("the table is well-formed");
    let queries = Queries::new(&api, |id| !api[id].path.contains("mut") && !api[id].path.contains("lock"));
    assert_eq!(queries.count(), 6);
    let list = api.find_type("List").expect("it is in the table");
    assert_eq!(queries.reached(list).len(), 1, "what the accessor gives can be asked");
    let mut generator = Generator::new(&api, 7, Options { max_statements: 14, ..Options::default() });
    let mut asked = 0;
    for _ in 0..3000 {
        let program = generator.next();
        let probed = probe(&api, &queries, &program, |_| true);
        check(&api, &probed.program).unwrap_or_else(|violation| panic!("{violation}: {:#?}", probed.program));
        let calls = program.statements.iter().filter(|statement| statement.callable().is_some()).count();
        assert_eq!(probed.probes.len(), calls);
        asked += probed.program.size() - program.size();
    }
    assert!(asked > 10_000, "{asked}");
}

/// Tables that know lists of so many elements, and the callable `List::at` with a call for each row.
fn seen(api: &Api, lengths: &[usize], calls: &[(i32, i32, bool)]) -> Tables {
    let list = api.find_type("List").expect("it is in the table");
    let mut tables = Tables::default();
    let mut of_list = Sketch::new(&["new self.len(): usize"]);
    for (row, length) in lengths.iter().enumerate() {
        let text = "a = List::new()\n".to_owned() + &"List::push(a, 1)\n".repeat(*length);
        let recipe = sketch::program(api, &text).expect("it is a program").program;
        of_list.row(&[int(i32::try_from(*length).expect("few"))], None);
        tables.objects.entry(list).or_default().push(Object { recipe, slot: Slot(0), row });
    }
    tables.types.insert(list, of_list.table);
    let mut of_at = Sketch::new(&["index: usize", "old self.len(): usize"]);
    for (index, length, panics) in calls {
        of_at.row(&[int(*index), int(*length)], panics.then_some("index out of bounds"));
    }
    tables.callables.insert(api.find("List::at").expect("it is in the table"), of_at.table);
    tables
}

/// The number that the last call of a program is given.
fn index_of(program: &Program) -> Option<i128> {
    let last = program.statements.iter().rev().find(|statement| statement.args().len() == 2)?;
    match &program[last.args()[1].slot] {
        Statement::Literal { value: Literal::Unsigned { value, .. }, .. } => i128::try_from(*value).ok(),
        _ => None,
    }
}

#[test]
fn a_target_is_met_at_its_boundary_first() {
    let api = sketch::api(API).expect("the table is well-formed");
    let tables = seen(&api, &[3], &[]);
    let callable = api.find("List::at").expect("it is in the table");
    let table = &tables.callables[&callable];
    let [index, length] = [("index", When::Always), ("self.len()", When::Before)]
        .map(|(name, when)| table.find(name, when).expect("it is a column"));
    let mut composer = Composer::new(&api, 1, Options::default());
    for (atom, expected) in [
        (Atom::Compare(index, Op::Lt, length), [2, 1]),
        (Atom::Compare(length, Op::Le, index), [3, 4]),
        (Atom::Compare(length, Op::Lt, index), [4, 5]),
        (Atom::Compare(index, Op::Ne, length), [4, 2]),
    ] {
        let found = programs(
            &api,
            &mut composer,
            &tables,
            &Target { callable, all: vec![atom], reason: Reason::Boundary },
        );
        found.iter().for_each(|program| drop(check(&api, program).expect("it obeys the rules")));
        let mut indices: Vec<i128> = found.iter().filter_map(index_of).collect();
        indices.dedup();
        assert_eq!(indices, expected, "{}", atom.text(table, false));
    }
}

#[test]
fn what_no_call_has_met_is_a_target() {
    let api = sketch::api(API).expect("the table is well-formed");
    let calls: Vec<(i32, i32, bool)> = (0..40).map(|n| (n % 6, 6 + n / 6, false)).collect();
    let tables = seen(&api, &[3], &calls);
    let (callable, table) = tables.callables.iter().next().expect("there is one");
    let texts: Vec<String> =
        targets(*callable, table, &[]).iter().map(|target| texts_of(table, target)).collect();
    assert!(texts.contains(&"index >= self.len()".to_owned()), "{texts:?}");
}

fn texts_of(table: &Table, target: &Target) -> String {
    target.all.iter().map(|atom| atom.text(table, false)).collect::<Vec<_>>().join(" && ")
}

#[test]
fn composed_programs_obey_the_rules() {
    let api = sketch::api(API).expect("the table is well-formed");
    let tables = seen(&api, &[0, 1, 4], &[]);
    let mut composer = Composer::new(&api, 5, Options::default());
    let callables: Vec<_> = api.callables().map(|(id, _)| id).collect();
    let mut composed = 0;
    for number in 0..2000 {
        if let Some(program) = composer.compose(&tables, callables[number % callables.len()]) {
            check(&api, &program).unwrap_or_else(|violation| panic!("{violation}: {program:#?}"));
            composed += 1;
        }
    }
    assert!(composed > 1500, "{composed}");
}

/// A tree with a cursor: `merge` wants the cursor on a child, `start` puts it there.
const TREE: &str = "
    type bool: copy
    type usize: copy
    type Tree: drop
    fn Tree::new() -> Tree => Tree::new()
    fn Tree::grow(self: &mut Tree) => $0.grow()
    fn Tree::off(self: &Tree) -> bool => $0.off()
    fn Tree::len(self: &Tree) -> usize => $0.len()
    fn Tree::start(self: &mut Tree) => $0.start()
    fn Tree::merge(self: &mut Tree) => $0.merge()
";

/// All large trees that were seen have their cursor off; `start` was seen to change that on small ones.
fn trees(api: &Api) -> Tables {
    let tree = api.find_type("Tree").expect("it is in the table");
    let mut tables = Tables::default();
    let mut of_tree = Sketch::new(&["new self.off(): bool", "new self.len(): usize"]);
    for (row, (is_off, length)) in [(true, 0), (false, 1), (true, 1), (true, 7)].into_iter().enumerate() {
        let text = "a = Tree::new()\n".to_owned() + &"Tree::grow(a)\n".repeat(length);
        let recipe = sketch::program(api, &text).expect("it is a program").program;
        of_tree.row(&[Cell::Bool(is_off), int(i32::try_from(length).expect("few"))], None);
        tables.objects.entry(tree).or_default().push(Object { recipe, slot: Slot(0), row });
    }
    tables.types.insert(tree, of_tree.table);
    let mut of_start = Sketch::new(&["old self.off(): bool", "new self.off(): bool"]);
    of_start.row(&[Cell::Bool(true), Cell::Bool(false)], None);
    tables.callables.insert(api.find("Tree::start").expect("it is in the table"), of_start.table);
    let mut of_merge = Sketch::new(&["old self.off(): bool", "old self.len(): usize"]);
    of_merge.row(&[Cell::Bool(false), int(1)], None);
    tables.callables.insert(api.find("Tree::merge").expect("it is in the table"), of_merge.table);
    tables
}

#[test]
fn where_no_object_meets_all_clauses_a_call_brings_one_about() {
    let api = sketch::api(TREE).expect("the table is well-formed");
    let tables = trees(&api);
    let [start, merge] =
        ["Tree::start", "Tree::merge"].map(|path| api.find(path).expect("it is in the table"));
    let table = &tables.callables[&merge];
    let [off, length] =
        ["self.off()", "self.len()"].map(|name| table.find(name, When::Before).expect("it is there"));
    let mut composer = Composer::new(&api, 1, Options::default());
    let calls = |all: Vec<Atom>, composer: &mut Composer<'_>| -> Vec<Vec<_>> {
        let target = Target { callable: merge, all, reason: Reason::Precondition };
        let found = programs(&api, composer, &tables, &target);
        found.iter().for_each(|program| drop(check(&api, program).expect("it obeys the rules")));
        found.iter().map(|it| it.statements.iter().filter_map(Statement::callable).collect()).collect()
    };
    let single = calls(vec![Atom::Constant(length, Op::Gt, 1)], &mut composer);
    assert!(!single.is_empty() && single.iter().all(|calls| !calls.contains(&start)), "an object is there");
    let both = calls(vec![Atom::Constant(length, Op::Gt, 1), Atom::Is(off, false)], &mut composer);
    assert!(!both.is_empty(), "a transition makes one");
    for calls in both {
        assert_eq!(calls[calls.len() - 2..], [start, merge]);
        assert_eq!(calls.len(), 1 + 7 + 2, "the large tree");
    }
}

#[test]
fn what_held_whenever_an_antecedent_did_is_contradicted_together_with_it() {
    let columns =
        ["old self.is_empty(): bool", "old other.is_empty(): bool", "old self: List", "new self: List"];
    let mut sketch = Sketch::new(&columns);
    for (left, right, state) in [(true, true, 0), (false, true, 1), (false, false, 2)] {
        for round in 0..12 {
            let after = if left { 0 } else { state * 100 + round };
            sketch.row(
                &[Cell::Bool(left), Cell::Bool(right), Cell::Other(state * 50 + round), Cell::Other(after)],
                None,
            );
        }
    }
    let [own, other] = ["self.is_empty()", "other.is_empty()"]
        .map(|name| sketch.table.find(name, When::Before).expect("it is a column"));
    let then = Atom::Compare(sketch.columns[3], Op::Eq, sketch.columns[2]);
    let implication = crate::Contract {
        kind: crate::Kind::Implication,
        formula: crate::Formula::If { when: vec![Atom::Is(own, true)], then },
        support: crate::Support::default(),
    };
    let found = targets(testsmith_ir::CallableId(0), &sketch.table, &[implication]);
    let of_post: Vec<String> = found
        .iter()
        .filter(|target| target.reason == Reason::Postcondition)
        .map(|target| texts_of(&sketch.table, target))
        .collect();
    assert_eq!(of_post, ["self.is_empty() && !other.is_empty()"]);
    assert_eq!(found[0].all, [Atom::Is(own, true)]);
    assert!(!found.iter().any(|target| target.all == [Atom::Is(other, false)]), "that was met");
}

#[test]
fn what_a_mutant_shows_takes_the_place_of_what_the_original_showed() {
    let observation =
        |at: u16| Observation { at: At::Statement(at), slot: at, what: What::Debug(format!("{at}")) };
    let mut execution = Execution::ended(Outcome::Ok, 3);
    execution.observations = Observations::Full(vec![observation(0), observation(1), observation(2)]);
    execution.differences = vec![
        (7, Difference::Observation(1, Some(What::Debug("other".to_owned())))),
        (7, Difference::Observation(2, None)),
        (8, Difference::Outcome(Outcome::Panic { message: String::new(), file: String::new(), line: 1 }, 2)),
    ];
    let seen = |execution: &Execution| match &execution.observations {
        Observations::Full(all) => all.iter().map(|it| format!("{:?}", it.what)).collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    let of_seven = on_mutant(&execution, 7).expect("it differs");
    assert_eq!(seen(&of_seven), ["Debug(\"0\")", "Debug(\"other\")"]);
    let of_eight = on_mutant(&execution, 8).expect("it differs");
    assert_eq!((of_eight.statement, seen(&of_eight).len()), (2, 3));
    assert!(matches!(of_eight.outcome, Outcome::Panic { .. }));
    assert!(on_mutant(&execution, 9).is_none(), "it does what the original does");
}

#[test]
fn what_could_not_be_asked_contradicts_nothing() {
    let mut sketch = Sketch::new(&["index: usize", "old self.len(): usize"]);
    for (index, len) in (0..8).flat_map(|index| (0..8).map(move |len| (index, len))) {
        sketch.row(&[int(index), int(len)], (index >= len).then_some("out of bounds"));
    }
    let contracts = infer(&sketch.table);
    let mut other = Sketch::new(&["index: usize", "old self.len(): usize"]);
    let outcomes =
        [(int(9), Some("out of bounds")), (NONE, Some("out of bounds")), (int(1), Some("out of bounds"))];
    outcomes.iter().for_each(|(len, panic)| other.row(&[int(5), *len], *panic));
    let there = contracts[0].in_table(&sketch.table, &other.table).expect("it has the columns");
    let broken: Vec<bool> = (0..3).map(|row| there.is_broken_by(&other.table, row)).collect();
    assert_eq!(broken, [true, false, false], "only where the length is known, and the index is within");
}
