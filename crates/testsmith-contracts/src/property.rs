//! Contracts as property tests: [`Writer::test`].
//!
//! A test draws objects from a function that rebuilds a few that were seen, and arguments from short lists, in plain loops or
//! with proptest. The call and all questions are a program for the renderer: what is drawn is a call of a placeholder. What a
//! contract says before the call is computed there; what it says of what was before is kept in variables.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_ir::render::{self, Rendered, render};
use testsmith_ir::{
    Accepts, Api, Arg, Callable, CallableId, LiteralKind, Mode, Program, Slot, State, Statement, TypeId,
    check,
};

use crate::atom::{Atom, Op};
use crate::cell::{Cell, argument, plain};
use crate::contract::{Conjunction, Contract, Formula};
use crate::probe::{Operand, RESULT, Subject};
use crate::record::Tables;
use crate::table::{Table, When};

/// States that a test goes through.
const STATES: usize = 10;
/// What a statement of a recipe costs, where a new answer to a query with two is worth a half.
const LENGTH: f64 = 0.004;
/// Numbers that an argument is drawn from.
const NUMBERS: usize = 9;

/// How arguments are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Loops.
    Plain,
    /// `proptest!`
    Proptest,
}

/// A test of one contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyTest {
    /// Its name, which may be taken.
    pub name: String,
    /// What it says, as a doc comment.
    pub title: String,
    /// Everything behind the name: parameters, body.
    pub item: String,
    /// The paths that it needs imported.
    pub imports: BTreeSet<String>,
    /// The types whose objects it draws.
    pub types: Vec<TypeId>,
}

/// A function that rebuilds objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectFunction {
    /// As text.
    pub item: String,
    /// The paths that it needs imported.
    pub imports: BTreeSet<String>,
}

/// Writes tests.
pub struct Writer<'a> {
    api: &'a Api,
    tables: &'a Tables,
    style: Style,
    /// What a crate mentions.
    strings: Vec<String>,
}

/// What an argument is drawn from.
enum Drawn {
    Object(TypeId),
    /// Literals as they are written.
    Values(Vec<String>),
}

/// A column as an expression.
struct Expression {
    text: String,
    is_bool: bool,
}

struct Draft<'a> {
    api: Api,
    callable: CallableId,
    table: &'a Table,
    program: Program,
    /// By parameter.
    drawn: Vec<(Drawn, Slot)>,
    call: Slot,
    /// Questions, by what they ask and when.
    asked: BTreeMap<(Subject, bool), Slot>,
}

impl<'a> Writer<'a> {
    /// Of an API whose objects are in the tables.
    pub fn new(api: &'a Api, tables: &'a Tables, style: Style, strings: &[String]) -> Writer<'a> {
        let mut strings: Vec<String> = strings.iter().filter(|it| it.len() <= 12).take(6).cloned().collect();
        strings.extend(["", "a", "ab c"].map(str::to_owned));
        strings.sort();
        strings.dedup();
        Writer { api, tables, style, strings }
    }

    /// A contract as a test. `panics` says when the call panics, where it does: such calls are left out. `None` where the contract
    /// speaks of what a test cannot draw or write.
    pub fn test(
        &self,
        callable: CallableId,
        table: &Table,
        contract: &Contract,
        panics: Option<&Contract>,
    ) -> Option<PropertyTest> {
        let is_about_panics = matches!(contract.formula, Formula::Panics { .. });
        let guard: Vec<Conjunction> = match panics.map(|it| &it.formula) {
            _ if is_about_panics => Vec::new(),
            None => Vec::new(),
            Some(Formula::Panics { any, exactly: true }) => any.clone(),
            Some(_) => return None,
        };
        let (before, after) = atoms(&contract.formula);
        let mut columns: BTreeSet<usize> = before.iter().chain(&after).flat_map(Atom::columns).collect();
        columns.extend(guard.iter().flatten().flat_map(Atom::columns));
        let draft = self.draft(callable, table, &columns)?;
        let liveness = check(&draft.api, &draft.program).ok()?;
        let bound: Vec<Slot> = draft.drawn.iter().map(|(_, slot)| *slot).collect();
        let needs_result = columns.iter().any(|column| table.columns()[*column].is_result);
        let bound = bound.into_iter().chain(needs_result.then_some(draft.call)).collect();
        let reserved = ["state", "panics", "expected", "outcome"].map(str::to_owned).to_vec();
        let options = render::Options { bound, reserved, ..render::Options::default() };
        let rendered = render(&draft.api, &draft.program, &liveness, &options);
        self.written(&draft, &rendered, contract, &guard, &after)
    }

    /// The call with its arguments drawn, and the questions that the columns are about.
    fn draft<'t>(
        &self,
        callable: CallableId,
        table: &'t Table,
        columns: &BTreeSet<usize>,
    ) -> Option<Draft<'t>> {
        let mut api = self.api.clone();
        let mut program = Program::default();
        let mut drawn = Vec::new();
        for param in &self.api[callable].params {
            let (ty, what) = self.drawn(param.accepts)?;
            let id = CallableId(u32::try_from(api.callables.len()).ok()?);
            api.callables.push(Callable {
                path: format!("drawn {}", param.name),
                code: String::new(),
                shown: format!("drawn_{}()", param.name),
                imports: Vec::new(),
                params: Vec::new(),
                output: ty,
                flows: Vec::new(),
            });
            let slot = program.push(Statement::Call { callable: id, args: Vec::new() });
            drawn.push((what, slot));
        }
        let mut state = State::new(&api);
        for (_, statement) in program.iter() {
            state.push(statement).ok()?;
        }
        let mut asked = BTreeMap::new();
        let subject = |column: usize| table.columns()[column].source.as_ref().map(|(subject, _)| *subject);
        let of_time =
            |when: When| columns.iter().copied().filter(move |it| table.columns()[*it].when == when);
        let slots: Vec<Slot> = drawn.iter().map(|(_, slot)| *slot).collect();
        for column in of_time(When::Before) {
            ask(&api, &mut state, &mut program, &slots, None, (subject(column)?, true), &mut asked)?;
        }
        let args = args(&api, &state, callable, &slots)?;
        let statement = Statement::Call { callable, args };
        state.push(&statement).ok()?;
        let call = program.push(statement);
        for column in of_time(When::After) {
            ask(&api, &mut state, &mut program, &slots, Some(call), (subject(column)?, false), &mut asked)?;
        }
        drop(state);
        Some(Draft { api, callable, table, program, drawn, call, asked })
    }

    fn drawn(&self, accepts: Accepts) -> Option<(TypeId, Drawn)> {
        let string =
            || self.api.types().find(|(_, ty)| ty.literal == Some(LiteralKind::Str)).map(|(id, _)| id);
        let ty = match accepts {
            Accepts::Value(ty) | Accepts::Shared(ty) | Accepts::Exclusive(ty) => ty,
            Accepts::Text => string()?,
            _ => return None,
        };
        let of = &self.api[ty];
        let texts = |suffix: &str| {
            self.strings.iter().map(|it| format!("{}{suffix}", render::quoted(it))).collect::<Vec<_>>()
        };
        let values = match of.literal {
            Some(LiteralKind::Int { signed, .. }) => self.numbers(&plain(&of.text), signed),
            Some(LiteralKind::Bool) => vec!["false".to_owned(), "true".to_owned()],
            Some(LiteralKind::Char) => ["'a'", "'B'", "' '", "'é'"].map(str::to_owned).to_vec(),
            Some(LiteralKind::Str) => texts(""),
            Some(_) => return None,
            None if !of.borrows && self.tables.objects.get(&ty).is_some_and(|all| !all.is_empty()) => {
                return Some((ty, Drawn::Object(ty)));
            }
            None => return None,
        };
        Some((ty, Drawn::Values(values)))
    }

    /// Small numbers, and what objects answered: boundaries are there.
    fn numbers(&self, ty: &str, signed: bool) -> Vec<String> {
        let first: &[i128] = if signed { &[-1, 0, 1, 2, 3] } else { &[0, 1, 2, 3, 4, 5] };
        let mut all: Vec<i128> = first.to_vec();
        let seen = self.tables.numbers.get(ty).into_iter().flatten().copied();
        let fair = seen.filter(|it| !all.contains(it) && (-1_000..=1_000).contains(it)).collect::<Vec<_>>();
        let room = NUMBERS.saturating_sub(all.len());
        all.extend((0..room.min(fair.len())).map(|at| fair[at * fair.len() / room.min(fair.len())]));
        all.sort_unstable();
        all.into_iter().map(|value| format!("{value}")).collect()
    }

    fn written(
        &self,
        draft: &Draft<'_>,
        rendered: &Rendered,
        contract: &Contract,
        guard: &[Conjunction],
        after: &[Atom],
    ) -> Option<PropertyTest> {
        let name_of = |slot: Slot| rendered.names[slot.index()].clone();
        let line_of = |slot: Slot| rendered.lines.iter().find(|line| line.slot == slot);
        let mut head: Vec<String> = Vec::new();
        let mut draws: Vec<(String, String)> = Vec::new();
        let mut shown: Vec<String> = Vec::new();
        let mut types: Vec<TypeId> = Vec::new();
        for (at, (drawn, slot)) in draft.drawn.iter().enumerate() {
            let name = name_of(*slot)?;
            let line = &line_of(*slot)?.text;
            let is_changed = line.starts_with("let mut ");
            match drawn {
                Drawn::Object(ty) => {
                    let state = if types.is_empty() { "state".to_owned() } else { format!("{name}_state") };
                    let function = function_name(self.api, *ty);
                    let mutability = if is_changed { "mut " } else { "" };
                    head.push(format!("let {mutability}{name} = {function}({state});"));
                    let count = self.states(*ty).len();
                    draws.push((state.clone(), format!("0..{count}usize")));
                    shown.push(format!("{state} {{{state}}}"));
                    types.push(*ty);
                }
                Drawn::Values(values) if !is_changed => {
                    let ty = self.api[draft.api[draft.program[*slot].callable()?].output].text.clone();
                    draws.push((name.clone(), self.values(values, &ty)));
                    shown.push(format!("{name} {{{name}:?}}"));
                }
                Drawn::Values(_) => return None,
            }
            let _ = at;
        }
        let text = Text { draft, rendered };
        let mut lines = Vec::new();
        if !guard.is_empty() {
            let leave = if self.style == Style::Plain { "continue" } else { "return Ok(())" };
            lines.push(format!("if {} {{\n    {leave};\n}}", text.any(guard, When::Before)?));
        }
        let context = match shown.is_empty() {
            true => String::new(),
            false => format!(", \"{}\"", shown.join(", ")),
        };
        let call = line_of(draft.call)?;
        match &contract.formula {
            Formula::Panics { any, exactly } => {
                lines.push(format!("let panics = {};", text.any(any, When::Before)?));
                lines.push(format!(
                    "let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {{\n    let _ = {};\n}}));",
                    call.expression
                ));
                match exactly {
                    true => lines.push(format!("assert_eq!(outcome.is_err(), panics{context});")),
                    false => lines.push(format!("assert!(!panics || outcome.is_err(){context});")),
                }
            }
            formula => {
                let kept: BTreeSet<usize> = after
                    .iter()
                    .flat_map(Atom::columns)
                    .filter(|it| draft.table.columns()[*it].when == When::Before)
                    .collect();
                for column in &kept {
                    let expression = text.column(*column, true)?;
                    lines.push(format!("let {} = {};", old_name(draft.table, *column), expression.text));
                }
                let condition = match formula {
                    Formula::Exactly { any, .. } => Some(text.any(any, When::Before)?),
                    Formula::If { when, .. } => Some(text.all(when)?),
                    _ => None,
                };
                if let Some(condition) = &condition {
                    lines.push(format!("let expected = {condition};"));
                }
                lines.push(call.text.clone());
                let [then] = after else { return None };
                lines.push(match formula {
                    Formula::Exactly { .. } => {
                        format!("assert_eq!({}, expected{context});", text.after(then)?)
                    }
                    Formula::If { .. } => {
                        format!("if expected {{\n    {}\n}}", text.assertion(then, &context)?)
                    }
                    _ => text.assertion(then, &context)?,
                });
            }
        }
        let title = contract.text(draft.table);
        let own = self.api[draft.callable].path.rsplit("::").next().unwrap_or_default().to_owned();
        let body: Vec<String> = head.into_iter().chain(lines).collect();
        Some(PropertyTest {
            name: test_name(&own, &title),
            item: self.item(&draws, &body.join("\n")),
            title,
            imports: rendered.imports.clone(),
            types,
        })
    }

    /// What a value is drawn from, as text.
    fn values(&self, values: &[String], ty: &str) -> String {
        let ty = plain(ty);
        let is_number = ty.starts_with(['u', 'i']) && !ty.contains("str");
        let first = values.iter().enumerate().map(|(at, value)| match at {
            0 if is_number => format!("{value}{ty}"),
            _ => value.clone(),
        });
        format!("[{}]", first.collect::<Vec<_>>().join(", "))
    }

    /// Loops, or what `proptest!` takes, around a body.
    fn item(&self, draws: &[(String, String)], body: &str) -> String {
        match self.style {
            Style::Plain => {
                let mut text = String::from("() {\n");
                draws.iter().for_each(|(name, from)| text += &format!("for {name} in {from} {{\n"));
                text += body;
                text += "\n";
                draws.iter().for_each(|_| text += "}\n");
                // A test without anything to draw is one call.
                let text = if draws.is_empty() { text.replace("continue;", "return;") } else { text };
                text + "}\n"
            }
            Style::Proptest => {
                let strategy = |from: &String| match from.starts_with('[') {
                    true => format!("proptest::sample::select(vec!{from})"),
                    false => from.clone(),
                };
                let each = draws.iter().map(|(name, from)| format!("{name} in {}", strategy(from)));
                format!("({}) {{\n{body}\n}}\n", each.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Objects of a type that are as different as can be, and short: of each query those answers that are rare count more than
    /// one of very many, such as a capacity.
    fn states(&self, ty: TypeId) -> Vec<usize> {
        let Some(objects) = self.tables.objects.get(&ty) else { return Vec::new() };
        let table = &self.tables.types[&ty];
        let columns: Vec<usize> =
            (0..table.columns().len()).filter(|at| !table.columns()[*at].is_state).collect();
        let values = |column: usize| -> BTreeSet<Cell> {
            objects.iter().map(|object| table.cell(column, object.row)).collect()
        };
        let worth: Vec<f64> =
            columns.iter().map(|column| 1.0 / values(*column).len().max(1) as f64).collect();
        let mut seen: BTreeSet<(usize, Cell)> = BTreeSet::new();
        let mut chosen: Vec<usize> = Vec::new();
        // What is lent to something that has to be dropped cannot be given away.
        let can_leave = |at: usize| {
            let mut program = objects[at].recipe.clone();
            program.push(Statement::Drop(objects[at].slot));
            check(self.api, &program).is_ok()
        };
        let can_leave: Vec<bool> = (0..objects.len()).map(can_leave).collect();
        let is_new = |at: &usize, chosen: &[usize]| {
            can_leave[*at]
                && chosen.iter().all(|it| {
                    (&objects[*it].recipe, objects[*it].slot) != (&objects[*at].recipe, objects[*at].slot)
                })
        };
        while chosen.len() < STATES.min(objects.len()) {
            let score = |at: &usize| {
                let new = columns.iter().zip(&worth).filter(|(column, _)| {
                    !seen.contains(&(**column, table.cell(**column, objects[*at].row)))
                });
                new.map(|(_, worth)| worth).sum::<f64>() - LENGTH * objects[*at].recipe.size() as f64
            };
            let rest = (0..objects.len()).filter(|at| is_new(at, &chosen));
            let Some(best) = rest.max_by(|a, b| score(a).total_cmp(&score(b)).then(b.cmp(a))) else { break };
            seen.extend(columns.iter().map(|column| (*column, table.cell(*column, objects[best].row))));
            chosen.push(best);
        }
        chosen.sort_by_key(|at| (objects[*at].recipe.size(), *at));
        chosen
    }

    /// The function that makes objects of a type.
    pub fn objects(&self, ty: TypeId) -> Option<ObjectFunction> {
        let mut imports: BTreeSet<String> = self.api[ty].imports.iter().cloned().collect();
        let states = self.states(ty);
        let mut arms = String::new();
        for (at, number) in states.iter().enumerate() {
            let object = &self.tables.objects[&ty][*number];
            let liveness = check(self.api, &object.recipe).ok()?;
            let options = render::Options { bound: vec![object.slot], ..render::Options::default() };
            let rendered = render(self.api, &object.recipe, &liveness, &options);
            let name = rendered.names[object.slot.index()].clone()?;
            imports.extend(rendered.imports);
            let pattern = if at + 1 == states.len() { "_".to_owned() } else { at.to_string() };
            // Nobody writes `let list = List::new(); list`.
            let last = rendered.lines.last().filter(|line| line.slot == object.slot);
            let last = last.filter(|line| !line.text.starts_with("let mut"));
            let body = match last {
                Some(line) => {
                    let before = rendered.body.strip_suffix(&format!("{}\n", line.text)).unwrap_or_default();
                    format!("{before}{}", line.expression)
                }
                None => format!("{}{name}", rendered.body),
            };
            arms += &format!("{pattern} => {{\n{body}\n}}\n");
        }
        let (name, shown) = (function_name(self.api, ty), &self.api[ty].shown);
        let item = format!("fn {name}(state: usize) -> {shown} {{\nmatch state {{\n{arms}}}\n}}\n");
        (!states.is_empty()).then_some(ObjectFunction { item, imports })
    }
}

/// The atoms of a formula that are about what was before, and those about what is afterwards.
fn atoms(formula: &Formula) -> (Vec<Atom>, Vec<Atom>) {
    match formula {
        Formula::Panics { any, .. } => (any.iter().flatten().copied().collect(), Vec::new()),
        Formula::Exactly { what, any } => (any.iter().flatten().copied().collect(), vec![*what]),
        Formula::Always(atom) => (Vec::new(), vec![*atom]),
        Formula::If { when, then } => (when.clone(), vec![*then]),
    }
}

/// Adds a question, unless it is asked already.
fn ask(
    api: &Api,
    state: &mut State<'_>,
    program: &mut Program,
    slots: &[Slot],
    result: Option<Slot>,
    key: (Subject, bool),
    asked: &mut BTreeMap<(Subject, bool), Slot>,
) -> Option<()> {
    if asked.contains_key(&key) {
        return Some(());
    }
    let of = |operand: Operand| match operand {
        RESULT => result,
        operand => slots.get(usize::from(operand)).copied(),
    };
    let mut push = |callable: CallableId, slots: &[Slot]| {
        let statement = Statement::Call { callable, args: args(api, state, callable, slots)? };
        let is_harmless = |arg: &Arg| matches!(arg.mode, Mode::Copy | Mode::Shared);
        if !statement.args().iter().all(is_harmless) || state.push(&statement).is_err() {
            return None;
        }
        Some(program.push(statement))
    };
    let slot = match key.0 {
        Subject::Query(query, operand) => push(query, &[of(operand)?])?,
        Subject::Asked(query, operand, other) => push(query, &[of(operand)?, of(other)?])?,
        Subject::Reached(accessor, query, operand) => {
            let reached = push(accessor, &[of(operand)?])?;
            push(query, &[reached])?
        }
        Subject::Value(operand) | Subject::State(operand) => of(operand)?,
        Subject::Count(_) | Subject::Same(_) => return None,
    };
    asked.insert(key, slot);
    Some(())
}

/// How a call takes its arguments.
fn args(api: &Api, state: &State<'_>, callable: CallableId, slots: &[Slot]) -> Option<Vec<Arg>> {
    let params = api[callable].params.iter();
    let arg = |(param, slot): (&testsmith_ir::Param, &Slot)| {
        Some(Arg { slot: *slot, mode: api.fit(param.accepts, state.alive(*slot)?)?.mode })
    };
    (params.len() == slots.len()).then_some(())?;
    params.zip(slots).map(arg).collect()
}

/// Atoms as text, in the names of the program.
struct Text<'d> {
    draft: &'d Draft<'d>,
    rendered: &'d Rendered,
}

impl Text<'_> {
    fn any(&self, any: &[Conjunction], _: When) -> Option<String> {
        let all: Vec<String> = any.iter().map(|all| self.all(all)).collect::<Option<_>>()?;
        Some(all.join(" || "))
    }

    fn all(&self, all: &[Atom]) -> Option<String> {
        let all: Vec<String> = all.iter().map(|atom| self.condition(atom, false)).collect::<Option<_>>()?;
        Some(all.join(" && "))
    }

    /// An atom as an expression that is true or false. `keeps` names what was before by its variables.
    fn condition(&self, atom: &Atom, keeps: bool) -> Option<String> {
        let of = |column: usize| self.operand(column, keeps);
        Some(match *atom {
            Atom::Is(column, is) => {
                let text = of(column)?;
                match is {
                    true => text,
                    false if is_simple(&text) => format!("!{text}"),
                    false => format!("!({text})"),
                }
            }
            Atom::Compare(left, op, right) => format!("{} {} {}", of(left)?, op.text(), of(right)?),
            Atom::Constant(column, op, value) => format!("{} {} {value}", of(column)?, op.text()),
            Atom::SumCompare { a, b, op, right } => {
                format!("{} + {} {} {}", of(a)?, of(b)?, op.text(), of(right)?)
            }
            Atom::Plus(..) | Atom::Sum { .. } | Atom::Extreme { .. } => {
                let (left, right) = self.sides(atom)?;
                format!("{left} == {right}")
            }
        })
    }

    /// What is afterwards, as an expression.
    fn after(&self, atom: &Atom) -> Option<String> {
        self.condition(atom, true)
    }

    fn assertion(&self, atom: &Atom, context: &str) -> Option<String> {
        Some(match atom {
            Atom::Compare(left, Op::Eq, right) => {
                format!(
                    "assert_eq!({}, {}{context});",
                    self.operand(*left, true)?,
                    self.operand(*right, true)?
                )
            }
            Atom::Constant(column, Op::Eq, value) => {
                format!("assert_eq!({}, {value}{context});", self.operand(*column, true)?)
            }
            Atom::Plus(..) | Atom::Sum { .. } | Atom::Extreme { .. } => {
                let (left, right) = self.sides(atom)?;
                format!("assert_eq!({left}, {right}{context});")
            }
            _ => format!("assert!({}{context});", self.condition(atom, true)?),
        })
    }

    /// Both sides of an equation, so that nothing is taken from what is smaller.
    fn sides(&self, atom: &Atom) -> Option<(String, String)> {
        let of = |column: usize| self.operand(column, true);
        Some(match *atom {
            Atom::Plus(left, right, plus) if plus < 0 => {
                (format!("{} + {}", of(left)?, plus.unsigned_abs()), of(right)?)
            }
            Atom::Plus(left, right, plus) => (of(left)?, format!("{} + {plus}", of(right)?)),
            Atom::Sum { left, a, b, is_difference: true } => (format!("{} + {}", of(left)?, of(b)?), of(a)?),
            Atom::Sum { left, a, b, is_difference: false } => (of(left)?, format!("{} + {}", of(a)?, of(b)?)),
            Atom::Extreme { left, a, b, is_min } => {
                let function = if is_min { "min" } else { "max" };
                (of(left)?, format!("std::cmp::{function}({}, {})", of(a)?, of(b)?))
            }
            _ => return None,
        })
    }

    fn operand(&self, column: usize, keeps: bool) -> Option<String> {
        let is_old = self.draft.table.columns()[column].when == When::Before;
        if keeps && is_old {
            return Some(old_name(self.draft.table, column));
        }
        let expression = self.column(column, false)?;
        let needs_brackets = expression.is_bool && !is_simple(&expression.text);
        Some(if needs_brackets { format!("({})", expression.text) } else { expression.text })
    }

    /// A column as an expression; one that is kept owns what it is.
    fn column(&self, column: usize, is_kept: bool) -> Option<Expression> {
        let of = &self.draft.table.columns()[column];
        let (subject, suffix) = of.source.as_ref()?;
        let slot = match of.when {
            When::Always => {
                self.draft
                    .drawn
                    .get(match subject {
                        Subject::Value(operand) => usize::from(*operand),
                        _ => return None,
                    })?
                    .1
            }
            When::Before => *self.draft.asked.get(&(*subject, true))?,
            When::After => *self.draft.asked.get(&(*subject, false))?,
        };
        let (text, ty) = match subject {
            Subject::State(_) => {
                let ty = self.draft.program_type(slot)?;
                let facts = self.draft.api[ty].facts;
                if !facts.clone || !facts.eq || self.draft.api[ty].referent.is_some() {
                    return None;
                }
                let name = self.rendered.names[slot.index()].clone()?;
                let text = if is_kept { format!("{name}.clone()") } else { name };
                return Some(Expression { text, is_bool: false });
            }
            Subject::Value(RESULT) => (
                self.rendered.names[slot.index()].clone()?,
                self.draft.api[self.draft.program_type(slot)?].text.clone(),
            ),
            Subject::Value(_) => (
                self.rendered.names[slot.index()].clone()?,
                self.draft.api[self.draft.program_type(slot)?].text.clone(),
            ),
            _ => {
                let line = self.rendered.lines.iter().find(|line| line.slot == slot)?;
                (line.expression.clone(), self.draft.api[self.draft.program_type(slot)?].text.clone())
            }
        };
        part(&text, &ty, suffix)
    }
}

impl Draft<'_> {
    fn program_type(&self, slot: Slot) -> Option<TypeId> {
        self.program[slot].callable().map(|callable| self.api[callable].output)
    }
}

/// A part of an expression of a type, owned.
fn part(text: &str, ty: &str, suffix: &str) -> Option<Expression> {
    let bare = ty.replace("'static ", "");
    let inner = || if needs_brackets(text) { format!("({text})") } else { text.to_owned() };
    let of_part = |suffix: &str, ty: String| part(&format!("{}{suffix}", inner()), &ty, "");
    match suffix {
        "" => {}
        ".is_some()" | ".is_ok()" | ".is_sorted()" => {
            return Some(Expression { text: format!("{}{suffix}", inner()), is_bool: true });
        }
        ".len()" => return Some(Expression { text: format!("{}.len()", inner()), is_bool: false }),
        ".start" | ".end" if !bare.contains("RangeInclusive") => return of_part(suffix, argument(&bare, 0)),
        _ => {
            let number: usize = suffix.strip_prefix('.')?.parse().ok()?;
            return of_part(suffix, argument(&bare, number));
        }
    }
    if let Some(behind) = bare.strip_prefix('&') {
        const PLAIN: [&str; 14] = [
            "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
            "isize",
        ];
        let text = match behind {
            "str" => text.to_owned(),
            _ if PLAIN.contains(&behind) => format!("*{text}"),
            _ => return None,
        };
        return Some(Expression { text, is_bool: false });
    }
    if let Some(behind) = bare.strip_prefix("::std::option::Option<&") {
        let text = match behind {
            "str>" => format!("{}.map(str::to_owned)", inner()),
            _ if !behind.contains('&') && !behind.starts_with("mut ") => format!("{}.cloned()", inner()),
            _ => return None,
        };
        return Some(Expression { text, is_bool: false });
    }
    // What borrows would outlive the call.
    (!bare.contains('&')).then(|| Expression { text: text.to_owned(), is_bool: bare == "bool" })
}

fn needs_brackets(text: &str) -> bool {
    text.starts_with(['&', '*', '-', '!']) || text.contains(' ') && !text.ends_with(')')
}

fn is_simple(text: &str) -> bool {
    !text.contains(' ') || text.ends_with(')') && !text.contains(" == ") && !text.starts_with('*')
}

/// The variable of what was before.
fn old_name(table: &Table, column: usize) -> String {
    let name = table.columns()[column].name.replace("self.", "").replace("self", "object");
    let words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
        .collect();
    format!("old_{}", words.join("_"))
}

/// The function that makes objects of a type.
fn function_name(api: &Api, ty: TypeId) -> String {
    let text = plain(&api[ty].shown);
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    let mut name = String::from("some");
    for word in words {
        name.push('_');
        for (at, letter) in word.chars().enumerate() {
            if letter.is_uppercase() && at > 0 {
                name.push('_');
            }
            name.extend(letter.to_lowercase());
        }
    }
    name
}

/// A name that says what the test is about.
fn test_name(callable: &str, title: &str) -> String {
    const LONGEST: usize = 60;
    const WORDS: [(&str, &str); 12] = [
        ("&&", " and "),
        ("||", " or "),
        ("==", " is "),
        ("!=", " is_not "),
        (">=", " at_least "),
        ("<=", " at_most "),
        (">", " above "),
        ("<", " below "),
        ("!", " not "),
        ("+", " plus "),
        ("-", " minus "),
        ("self.", " "),
    ];
    let mut text = title.to_owned();
    WORDS.iter().for_each(|(from, to)| text = text.replace(from, to));
    let mut name = callable.split('<').next().unwrap_or(callable).to_lowercase();
    name.retain(|c| c.is_alphanumeric() || c == '_');
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
        if name.len() + word.len() >= LONGEST {
            break;
        }
        name += "_";
        name += &word.to_lowercase();
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_values_are_owned() {
        let table = [
            ("list.get(i)", "::std::option::Option<&'static i32>", "", Some("list.get(i).cloned()")),
            (
                "list.get(i)",
                "::std::option::Option<&'static i32>",
                ".is_some()",
                Some("list.get(i).is_some()"),
            ),
            ("list.first()", "&'static i32", "", Some("*list.first()")),
            ("name", "&'static str", ".len()", Some("name.len()")),
            ("a == b", "bool", "", Some("a == b")),
            ("list.iter()", "::sample::Iter<&'static i32>", "", None),
            ("list.range()", "::std::ops::Range<usize>", ".end", Some("list.range().end")),
        ];
        for (text, ty, suffix, expected) in table {
            assert_eq!(part(text, ty, suffix).map(|it| it.text).as_deref(), expected, "{text}: {ty}{suffix}");
        }
    }

    #[test]
    fn names_say_what_a_test_is_about() {
        let table = [
            ("at", "panics exactly if index >= self.len()", "at_panics_exactly_if_index_at_least_len"),
            ("push", "self.len() == old(self.len()) + 1", "push_len_is_old_len_plus_1"),
            (
                "get",
                "result.is_some() exactly if index < self.len()",
                "get_result_is_some_exactly_if_index_below_len",
            ),
        ];
        for (callable, title, expected) in table {
            assert_eq!(test_name(callable, title), expected);
        }
    }
}
