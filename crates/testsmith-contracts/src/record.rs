//! Executions of programs with questions become rows: [`Tables`].

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use testsmith_ir::{Api, CallableId, Program, Slot, TypeId};
use testsmith_rt::harness::Value;
use testsmith_rt::harness::wire::{At, Execution, Observations, Outcome, What};

use crate::cell::{Cell, Part, element, of_literal, parts, plain, text_hash};
use crate::probe::{Answer, Look, Operand, Probe, Probed, RESULT, Subject};
use crate::slice::recipe;
use crate::table::{Column, End, Row, Table, When};

/// Distinct rows that are kept of a callable or a type.
const MOST_ROWS: usize = 3000;
/// Objects that are kept of a type.
const MOST_OBJECTS: usize = 400;
/// Statements of a recipe.
const LONGEST_RECIPE: usize = 20;

/// An object that some program has made: what rebuilds it, and where it is then.
#[derive(Clone, Debug)]
pub struct Object {
    /// Runs up to the statement after which the object was looked at.
    pub recipe: Program,
    /// It.
    pub slot: Slot,
    /// Its row in the table of its type.
    pub row: usize,
}

/// Everything that was seen.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// What was true around calls, by callable.
    pub callables: BTreeMap<CallableId, Table>,
    /// What was true of objects, by type.
    pub types: BTreeMap<TypeId, Table>,
    /// Objects of each type that look different.
    pub objects: BTreeMap<TypeId, Vec<Object>>,
    /// Queries that panicked.
    pub panicking: BTreeSet<CallableId>,
    /// Integers that were seen, by type.
    pub numbers: BTreeMap<String, BTreeSet<i128>>,
    /// What the conditions of callables compare public members with.
    pub constants: Constants,
}

/// By callable.
pub type Constants = Arc<BTreeMap<CallableId, BTreeSet<i128>>>;

impl Tables {
    /// Empty ones of callables whose conditions name these constants.
    pub fn with_constants(constants: Constants) -> Tables {
        Tables { constants, ..Tables::default() }
    }

    /// Adds what an execution shows; how many rows are new.
    pub fn record(
        &mut self,
        api: &Api,
        program: &Arc<Program>,
        probed: &Probed,
        execution: &Execution,
    ) -> usize {
        let Observations::Full(all) = &execution.observations else { return 0 };
        let mut seen: HashMap<u16, &What> = HashMap::new();
        for observation in all {
            if let At::Statement(number) = observation.at {
                let slot = seen.entry(number).or_insert(&observation.what);
                // A structured value says more than what is printed.
                if matches!(observation.what, What::Value(_)) {
                    *slot = &observation.what;
                }
            }
        }
        let mut new = 0;
        for probe in &probed.probes {
            let end = match end(execution, probe) {
                Ended::Row(end) => end,
                Ended::Question => {
                    let asked = probed.program[Slot(execution.statement)].callable();
                    self.panicking.extend(asked);
                    break;
                }
                Ended::Unknown => break,
            };
            let answers = Answers { api, probe, seen: &seen, has_returned: end == End::Returned };
            let row = Row { program: program.clone(), call: probe.original, end };
            new += usize::from(self.row(&answers, row));
        }
        new
    }

    fn row(&mut self, answers: &Answers<'_>, row: Row) -> bool {
        let probe = answers.probe;
        let named = || self.constants.get(&probe.callable).cloned().unwrap_or_default();
        let table = self.callables.entry(probe.callable).or_insert_with(|| Table::with_constants(named()));
        let mut cells = Vec::new();
        for look in &probe.looks {
            for part in answers.parts(look) {
                if let (Cell::Int(value), When::Always) = (part.cell, look.when) {
                    let known = self.numbers.entry(part.ty.clone()).or_default();
                    if known.len() < MOST_OBJECTS {
                        known.insert(value);
                    }
                }
                let column = answers.column(look, &part);
                cells.push((table.column(column), part.cell));
            }
        }
        for (state, cell) in answers.states() {
            cells.push((table.column(state), cell));
        }
        for (column, cell) in answers.items() {
            cells.push((table.column(column), cell));
        }
        cells.sort_unstable();
        cells.dedup_by_key(|(column, _)| *column);
        if row.end == End::Returned {
            self.objects(answers, &row);
        }
        self.callables
            .get_mut(&probe.callable)
            .expect("it was just made")
            .add(cells, row, MOST_ROWS)
            .is_some()
    }

    /// What the call has left behind.
    fn objects(&mut self, answers: &Answers<'_>, row: &Row) {
        for (operand, ty) in &answers.probe.types {
            let looks = answers.probe.looks.iter().filter(|look| {
                look.when == When::After && matches!(look.subject, Subject::Query(_, of) | Subject::Reached(_, _, of) if of == *operand)
            });
            let table = self.types.entry(*ty).or_default();
            let mut cells = Vec::new();
            for look in looks {
                for part in answers.parts(look) {
                    let mut column = answers.column(look, &part);
                    column.name = answers.asked_of(look, "self", &part);
                    column.is_result = false;
                    cells.push((table.column(column), part.cell));
                }
            }
            if let Some((column, cell)) = answers.state_of(*operand, *ty, When::After) {
                cells.push((
                    table.column(Column { name: "self".to_owned(), is_result: false, ..column }),
                    cell,
                ));
            }
            if cells.is_empty() {
                continue;
            }
            cells.sort_unstable();
            let new = table.add(cells, row.clone(), MOST_ROWS);
            let objects = self.objects.entry(*ty).or_default();
            let slot = answers.probe.operands.iter().find(|(of, _)| of == operand).map(|(_, slot)| *slot);
            if let Some(slot) = slot
                && let Some(at) = new
                && row.call.index() < LONGEST_RECIPE
            {
                let (recipe, slot) = recipe(answers.api, &row.shortest(), slot);
                let object = Object { recipe, slot, row: at };
                match objects.len() < MOST_OBJECTS {
                    true => objects.push(object),
                    // Later ones take the place of earlier ones, so that objects go on growing.
                    false => objects[at * 7919 % MOST_OBJECTS] = object,
                }
            }
        }
    }
}

/// How a call ended, as far as the execution tells.
enum Ended {
    Row(End),
    /// A question after it panicked.
    Question,
    Unknown,
}

fn end(execution: &Execution, probe: &Probe) -> Ended {
    let at = execution.statement;
    match &execution.outcome {
        Outcome::Panic { message, file, line } if at == probe.statement.0 => {
            Ended::Row(End::Panicked { message: message.clone(), file: file.clone(), line: *line })
        }
        _ if at > probe.last.0 => {
            match execution.absent.contains(&probe.statement.0) && probe.is_skipped(execution) {
                true => Ended::Unknown,
                false => Ended::Row(End::Returned),
            }
        }
        Outcome::Panic { .. } if at > probe.statement.0 || probe.asks_at(at) => Ended::Question,
        _ => Ended::Unknown,
    }
}

impl Probe {
    /// Whether it was not called at all, because an argument has no value.
    fn is_skipped(&self, execution: &Execution) -> bool {
        let answers = self.looks.iter().filter(|look| look.when == When::Always);
        answers
            .filter_map(|look| match look.answer {
                Answer::Statement(slot) => Some(slot),
                _ => None,
            })
            .any(|slot| execution.absent.contains(&slot.0))
    }

    /// Whether a question before the call stands at this statement.
    fn asks_at(&self, at: u16) -> bool {
        self.looks.iter().any(|look| look.when != When::Always && look.answer == Answer::Statement(Slot(at)))
    }
}

/// What was seen around one call.
struct Answers<'a> {
    api: &'a Api,
    probe: &'a Probe,
    seen: &'a HashMap<u16, &'a What>,
    has_returned: bool,
}

impl Answers<'_> {
    /// The parts of the answer to a look.
    fn parts(&self, look: &Look) -> Vec<Part> {
        if matches!(look.subject, Subject::State(_) | Subject::Same(_))
            || (look.when == When::After && !self.has_returned)
        {
            return Vec::new();
        }
        match &look.answer {
            Answer::Literal(literal) => parts(&of_literal(literal), &self.type_of(look)),
            Answer::Number(count) => vec![Part {
                suffix: ".len()".to_owned(),
                ty: "usize".to_owned(),
                cell: Cell::Int(i128::try_from(*count).unwrap_or(i128::MAX)),
            }],
            Answer::Statement(slot) => match self.seen.get(&slot.0) {
                Some(What::Value(bytes)) => {
                    Value::decode(bytes).map(|value| parts(&value, &self.type_of(look))).unwrap_or_default()
                }
                _ => Vec::new(),
            },
        }
    }

    /// Whether lists hold the arguments.
    fn items(&self) -> Vec<(Column, Cell)> {
        let mut lists: Vec<(&Look, String, Vec<Value>)> = Vec::new();
        let mut arguments: Vec<(&Look, String, Value)> = Vec::new();
        for look in &self.probe.looks {
            if matches!(look.subject, Subject::State(_) | Subject::Same(_))
                || (look.when == When::After && !self.has_returned)
            {
                continue;
            }
            let value = match &look.answer {
                Answer::Literal(literal) => Some(of_literal(literal)),
                Answer::Number(_) => None,
                Answer::Statement(slot) => match self.seen.get(&slot.0) {
                    Some(What::Value(bytes)) => Value::decode(bytes).ok(),
                    _ => None,
                },
            };
            let ty = plain(&self.type_of(look));
            match value {
                Some(list) if list.is_whole() => match list {
                    Value::List(values, _) | Value::Set(values, _) => {
                        lists.push((look, element(&ty), values));
                    }
                    value if look.when == When::Always => arguments.push((look, ty, value)),
                    _ => {}
                },
                _ => {}
            }
        }
        let mut all = Vec::new();
        for (look, element, values) in &lists {
            for (_, _, value) in
                arguments.iter().filter(|(of, ty, _)| ty == element && of.subject != look.subject)
            {
                let argument = arguments.iter().find(|(.., other)| other == value).map(|(of, ..)| of.subject);
                let Some(Subject::Value(operand)) = argument else { continue };
                let whole = Part { suffix: String::new(), ty: String::new(), cell: Cell::Undefined };
                let column = self.column(look, &whole);
                let name = format!("{}.contains(&{})", column.name, self.name(operand));
                let column = Column {
                    name,
                    ty: "bool".to_owned(),
                    is_argument: false,
                    is_alone: false,
                    source: None,
                    ..column
                };
                all.push((column, Cell::Bool(values.contains(value))));
            }
        }
        all
    }

    /// The type of the value that is looked at.
    fn type_of(&self, look: &Look) -> String {
        let callable = &self.api[self.probe.callable];
        let id = match look.subject {
            Subject::Value(RESULT) => callable.output,
            Subject::Value(operand) => {
                use testsmith_ir::Accepts::{Exclusive, List, Shared, Slice, SliceMut, Value};
                match callable.params[usize::from(operand)].accepts {
                    Value(ty) | Shared(ty) | Exclusive(ty) => ty,
                    Slice(ty) | SliceMut(ty) | List(ty) => return format!("[{}]", plain(&self.api[ty].text)),
                    _ => return "str".to_owned(),
                }
            }
            Subject::Query(query, _) | Subject::Asked(query, ..) | Subject::Reached(_, query, _) => {
                self.api[query].output
            }
            Subject::Count(_) | Subject::State(_) | Subject::Same(_) => return String::new(),
        };
        self.api[id].text.clone()
    }

    fn column(&self, look: &Look, part: &Part) -> Column {
        let (operand, is_alone) = match look.subject {
            Subject::Asked(_, of, _) => (of, false),
            Subject::Value(of)
            | Subject::Count(of)
            | Subject::Query(_, of)
            | Subject::Reached(_, _, of)
            | Subject::State(of)
            | Subject::Same(of) => (of, true),
        };
        let is_about_result = operand == RESULT || matches!(look.subject, Subject::Asked(_, _, RESULT));
        Column {
            name: self.asked_of(look, self.name(operand), part),
            when: look.when,
            ty: part.ty.clone(),
            is_result: is_about_result,
            is_argument: look.when == When::Always,
            is_state: false,
            is_alone,
            is_lent: self.is_lent(operand),
            source: Some((look.subject, part.suffix.clone())),
        }
    }

    /// Whether the call cannot change an operand as far as its type says: it is not lent exclusively.
    fn is_lent(&self, operand: Operand) -> bool {
        use testsmith_ir::Accepts::{Exclusive, SliceMut};
        let params = &self.api[self.probe.callable].params;
        let accepts = params.get(usize::from(operand)).map(|param| param.accepts);
        !matches!(accepts, None | Some(Exclusive(_) | SliceMut(_)))
    }

    /// The text of a look, of an object that has this name.
    fn asked_of(&self, look: &Look, name: &str, part: &Part) -> String {
        let text = match look.subject {
            Subject::Value(_) | Subject::Count(_) | Subject::State(_) | Subject::Same(_) => name.to_owned(),
            Subject::Query(query, _) => written(&self.api[query].shown, name, None),
            Subject::Reached(accessor, query, _) => {
                let reached = written(&self.api[accessor].shown, name, None);
                let reached = if needs_brackets(&reached) { format!("({reached})") } else { reached };
                written(&self.api[query].shown, reached.trim_start_matches('&'), None)
            }
            Subject::Asked(query, _, other) => written(&self.api[query].shown, name, Some(self.name(other))),
        };
        // Of two operands, an operator needs brackets before a dot.
        match part.suffix.starts_with('.') && needs_brackets(&text) {
            true => format!("({text}){}", part.suffix),
            false => format!("{text}{}", part.suffix),
        }
    }

    fn name(&self, operand: Operand) -> &str {
        match operand {
            RESULT => "result",
            operand => {
                let name = &self.api[self.probe.callable].params[usize::from(operand)].name;
                if name.is_empty() || name == "_" { "argument" } else { name }
            }
        }
    }

    /// The states of objects before and after.
    fn states(&self) -> Vec<(Column, Cell)> {
        let times = |(operand, ty): &(Operand, TypeId)| {
            [When::Before, When::After].map(|when| self.state_of(*operand, *ty, when))
        };
        self.probe.types.iter().flat_map(times).flatten().collect()
    }

    fn state_of(&self, operand: Operand, ty: TypeId, when: When) -> Option<(Column, Cell)> {
        if when == When::After && !self.has_returned {
            return None;
        }
        let column = Column {
            name: self.name(operand).to_owned(),
            when,
            ty: plain(&self.api[ty].text),
            is_result: operand == RESULT,
            is_argument: false,
            is_state: true,
            is_alone: true,
            is_lent: self.is_lent(operand),
            source: Some((Subject::State(operand), String::new())),
        };
        Some((column, self.state(operand, when)?))
    }

    /// What a clone shows, and the answers of all queries. Where the crate can compare, an object that does not equal what it
    /// was has changed, whatever it shows; and where nothing shows what is inside, nothing is known.
    fn state(&self, operand: Operand, when: When) -> Option<Cell> {
        let mut text = String::new();
        let mut is_telling = false;
        let mut has_changed = false;
        for look in self.probe.looks.iter().filter(|look| look.when == when) {
            let Answer::Statement(slot) = look.answer else { continue };
            match look.subject {
                Subject::State(of) if of == operand => {
                    let shown = format!("{:?};", self.seen.get(&slot.0)?);
                    // What holds addresses hides what is behind them.
                    if !shown.contains("0x_") {
                        is_telling = true;
                        text += &shown;
                    }
                }
                Subject::Query(_, of) if of == operand => text += &format!("{:?};", self.seen.get(&slot.0)?),
                Subject::Same(of) if of == operand => {
                    is_telling = true;
                    has_changed = self.seen.get(&slot.0).is_some_and(|what| is_false(what));
                }
                _ => {}
            }
        }
        let can_compare =
            || self.probe.looks.iter().any(|look| matches!(look.subject, Subject::Same(of) if of == operand));
        if has_changed {
            text += "changed";
        }
        (is_telling || can_compare()).then(|| Cell::Other(text_hash(&text)))
    }
}

/// Whether it is the answer `false`.
fn is_false(what: &What) -> bool {
    matches!(what, What::Value(bytes) if Value::decode(bytes).is_ok_and(|value| value == Value::Bool(false)))
}

/// Whether an expression has to be in brackets before a dot.
fn needs_brackets(text: &str) -> bool {
    text.starts_with(['&', '*', '-', '!']) || text.contains(' ') && !text.ends_with(')')
}

/// An expression with the names of its operands.
fn written(shown: &str, name: &str, argument: Option<&str>) -> String {
    let text = shown.replace("&$0", name).replace("$0", name);
    argument.map_or(text.clone(), |argument| text.replace("$1", argument))
}
