//! Tables in, contracts out.

use std::sync::Arc;

use testsmith_ir::random::{Generator, Options};
use testsmith_ir::{Program, Slot, check, sketch};

use crate::cell::Cell;
use crate::table::{Column, End, Row, Table, When};
use crate::{Queries, infer, invariants, nearly, probe};

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
    assert_eq!(queries.count(), 5);
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
