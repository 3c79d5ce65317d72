//! Programs as the text that a person would write.

mod inference;
mod inline;
mod literal;
mod names;
mod operand;
mod template;
#[cfg(test)]
mod tests;
mod uses;

use std::collections::BTreeSet;

use crate::api::{Api, Callable, CallableId, LiteralKind};
use crate::borrow::Liveness;
use crate::program::{Arg, Program, Slot, Statement};

use inline::Inlining;
pub use literal::{quoted, repeated, text as literal_text};
use names::Names;
use operand::Operand;
use template::Piece;
use uses::{Uses, has_visible_destructor};

/// How to write a program.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Spaces before each line.
    pub indent: usize,
    /// Slots that get a variable even if the program itself would do without: what is looked at later.
    pub bound: Vec<Slot>,
    /// Names that no variable may have.
    pub reserved: Vec<String>,
    /// Calls whose result is used once stand where it is used, if that reads well.
    pub inline: bool,
    /// How much is left to the compiler.
    pub spelling: Spelling,
}

/// How much of what the compiler can infer is written nevertheless.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// As a person would: what the compiler most likely finds out is not written.
    #[default]
    Natural,
    /// As a person would, but for these statements: those that the compiler did not understand.
    Partly(BTreeSet<Slot>),
    /// The type of every number that is written, and of every variable that is none; slices are slices without the compiler's
    /// help.
    Explicit,
}

impl Spelling {
    /// Whether all types of a statement are written.
    pub fn is_explicit(&self, slot: Slot) -> bool {
        match self {
            Spelling::Natural => false,
            Spelling::Partly(slots) => slots.contains(&slot),
            Spelling::Explicit => true,
        }
    }
}

/// A program as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// All lines.
    pub body: String,
    /// The paths that the body needs imported.
    pub imports: BTreeSet<String>,
    /// The variable of each slot that has one.
    pub names: Vec<Option<String>>,
    /// The statements that have a line of their own, in order.
    pub lines: Vec<Line>,
}

/// A statement as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The statement.
    pub slot: Slot,
    /// What it computes, without a variable for it: `set.len()`.
    pub expression: String,
    /// The type is written, because the expression alone would not tell it.
    pub is_annotated: bool,
    /// The whole statement: `let len = set.len();`.
    pub text: String,
}

/// The body of a function that does what a program does. The program obeys the [borrow rules](crate::borrow).
pub fn render(api: &Api, program: &Program, liveness: &Liveness, options: &Options) -> Rendered {
    let mut inlining = Inlining::new(api, program, options);
    let (names, imports, lines) = loop {
        let mut renderer = Renderer {
            api,
            program,
            liveness,
            options,
            uses: Uses::new(api, program, options),
            inlining: &inlining,
            inlined: vec![None; program.size()],
            misplaced: Vec::new(),
            names: vec![None; program.size()],
            imports: BTreeSet::new(),
        };
        renderer.name_slots();
        let lines: Vec<Line> =
            program.iter().filter_map(|(slot, statement)| renderer.line(slot, statement)).collect();
        let mut misplaced = std::mem::take(&mut renderer.misplaced);
        misplaced.extend(lines.iter().flat_map(|line| inlining.too_long(line)));
        let Renderer { names, imports, .. } = renderer;
        if !inlining.give_back(&misplaced) {
            break (names, imports, lines);
        }
    };
    let indent = " ".repeat(options.indent);
    let body =
        lines.iter().flat_map(|line| line.text.lines()).map(|line| format!("{indent}{line}\n")).collect();
    Rendered { body, imports, names, lines }
}

/// Whether a path has to be imported in an edition: some traits are in the prelude since 2021.
pub fn needs_import(path: &str, edition: u16) -> bool {
    const SINCE_2021: [&str; 3] = ["FromIterator", "TryFrom", "TryInto"];
    let is_new = |name: &str| path.starts_with("std::") && SINCE_2021.contains(&name);
    edition < 2021 || !path.rsplit("::").next().is_some_and(is_new)
}

struct Renderer<'a> {
    api: &'a Api,
    program: &'a Program,
    liveness: &'a Liveness,
    options: &'a Options,
    uses: Uses<'a>,
    inlining: &'a Inlining,
    /// The text of calls that stand where they are used.
    inlined: Vec<Option<String>>,
    /// Calls that cannot stand where they are used after all.
    misplaced: Vec<Slot>,
    names: Vec<Option<String>>,
    imports: BTreeSet<String>,
}

/// What a call's result is bound to.
enum Binding {
    /// `let name = …;`
    Variable,
    /// `let _name = …;`: nobody uses it, but it has to live as long as it does.
    Kept,
    /// `let _ = …;`
    Ignored,
    /// `…;`
    Unit,
}

impl Renderer<'_> {
    fn name_slots(&mut self) {
        let mut names = Names::new(self.api, self.program, &self.options.reserved);
        for (slot, statement) in self.program.iter() {
            let mut name = || names.choose(self.api, self.program, slot);
            self.names[slot.index()] = match statement {
                Statement::Literal { .. } => self.uses.is_bound_literal(slot).then(name),
                Statement::Call { .. } if self.inlining.has(slot) => None,
                Statement::Call { callable, .. } => match self.binding(slot, &self.api[*callable]) {
                    Binding::Variable => Some(name()),
                    Binding::Kept => Some(format!("_{}", name())),
                    Binding::Ignored | Binding::Unit => None,
                },
                Statement::Drop(_) => None,
            };
        }
    }

    fn binding(&self, slot: Slot, callable: &Callable) -> Binding {
        let output = &self.api[callable.output];
        match output.literal {
            Some(LiteralKind::Unit) => Binding::Unit,
            _ if self.uses.is_used(slot) => Binding::Variable,
            _ if has_visible_destructor(output) => Binding::Kept,
            _ => Binding::Ignored,
        }
    }

    fn line(&mut self, slot: Slot, statement: &Statement) -> Option<Line> {
        match statement {
            Statement::Literal { value, .. } => {
                let name = self.names[slot.index()].as_ref()?;
                let expression = literal::text(value, self.uses.literal_needs_suffix(slot, value.kind()));
                let text = format!("let {}{name} = {expression};", self.mutability(slot));
                Some(Line { slot, expression, is_annotated: false, text })
            }
            Statement::Call { callable, args } => {
                let line = self.call(slot, *callable, args);
                if !self.inlining.has(slot) {
                    return Some(line);
                }
                let is_open = line.is_annotated && !inline::is_told(self.api, self.program, slot);
                if is_open || !inline::can_stand(self.api, self.program, slot, &line.expression) {
                    self.misplaced.push(slot);
                }
                self.inlined[slot.index()] = Some(line.expression);
                None
            }
            Statement::Drop(dropped) => {
                let name = self.names[dropped.index()].as_ref()?;
                let expression = format!("drop({name})");
                let text = format!("{expression};");
                Some(Line { slot, expression, is_annotated: false, text })
            }
        }
    }

    fn call(&mut self, slot: Slot, id: CallableId, args: &[Arg]) -> Line {
        let api = self.api;
        let callable = &api[id];
        self.imports.extend(callable.imports.iter().cloned());
        let expression = self.expression(slot, callable, args);
        let binding = self.binding(slot, callable);
        let types = |arg: Arg| self.uses.type_of(arg.slot);
        // A number or a text that comes out of a call is hardly ever open.
        let is_composed = api[callable.output].literal.is_none();
        let is_explicit = self.options.spelling.is_explicit(slot) && is_composed;
        let is_written = inference::needs_annotation(api, callable, types, args)
            || is_explicit && inference::can_be_annotated(api, callable);
        let annotation = match is_written {
            true => format!(": {}", api[callable.output].shown),
            false => String::new(),
        };
        let name = self.names[slot.index()].as_deref().unwrap_or_default();
        let mutability = self.mutability(slot);
        let is_annotated = !annotation.is_empty();
        let text = match binding {
            Binding::Variable | Binding::Kept => {
                format!("let {mutability}{name}{annotation} = {expression};")
            }
            Binding::Ignored if !is_annotated && can_be_dismissed(api, callable) => format!("{expression};"),
            Binding::Ignored => format!("let _{annotation} = {expression};"),
            Binding::Unit => format!("{expression};"),
        };
        if is_annotated {
            self.imports.extend(api[callable.output].imports.iter().cloned());
        }
        Line { slot, expression, is_annotated, text }
    }

    fn mutability(&self, slot: Slot) -> &'static str {
        if self.uses.is_changed(slot) { "mut " } else { "" }
    }

    fn expression(&self, this: Slot, callable: &Callable, args: &[Arg]) -> String {
        let operand =
            |param: usize, arg: &Arg, at: usize| Operand::new(self, this, callable, param, *arg, at);
        let operands: Vec<Operand<'_>> =
            args.iter().enumerate().map(|(at, arg)| operand(callable.param_of(at), arg, at)).collect();
        let pieces = template::pieces(&callable.shown);
        let by_place = compares_places(&pieces, &operands);
        let mut text = String::new();
        for piece in &pieces {
            match *piece {
                // What is made for this call alone need not be lent to it.
                Piece::Text(part) if operands.first().is_some_and(Operand::is_temporary) => {
                    text.push_str(part.strip_prefix(".by_ref()").unwrap_or(part));
                }
                Piece::Text(part) => text.push_str(part),
                Piece::List => {
                    let listed = operands.iter().filter(|operand| callable.list() == Some(operand.param));
                    let listed: Vec<_> =
                        listed.map(|operand| operand.text(template::Position::Argument)).collect();
                    text.push_str(&listed.join(", "));
                }
                Piece::Arg { param, position } => {
                    let Some(operand) = operands.get(param) else { continue };
                    let shown = if by_place { operand.place(position) } else { operand.text(position) };
                    push_field(&mut text, &shown);
                }
            }
        }
        inline::without_detour(text)
    }
}

/// Whether a call can be a statement of its own although it gives something: it is a call of a function, and its result is no `Result`,
/// which must be used. Much of the standard library must be.
pub fn can_be_dismissed(api: &Api, callable: &Callable) -> bool {
    let output = &api[callable.output];
    let name = callable.shown.split('(').next().unwrap_or_default();
    let last = name.rsplit(['.', ':', '$']).next().unwrap_or_default();
    let is_function = last.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    let is_call =
        callable.shown.ends_with(')') && !callable.shown.starts_with(['&', '*', '(', '-', '!', '{', '|']);
    let is_opener = matches!(last, "unwrap" | "unwrap_err");
    is_call
        && is_function
        && (is_opener || !is_of_std(&callable.path))
        && !name.contains(['!', ' '])
        && head(&output.text) != "Result"
}

/// Whether a path begins in the standard library, or at a primitive type.
fn is_of_std(path: &str) -> bool {
    let first = path
        .trim_start_matches(['<', '&', ':', '['])
        .split([':', ' ', ']', '<', '>', ';'])
        .next()
        .unwrap_or_default();
    let is_primitive = matches!(first, "str" | "bool" | "char" | "f32" | "f64" | "usize" | "isize")
        || first
            .strip_prefix(['u', 'i'])
            .is_some_and(|bits| matches!(bits, "8" | "16" | "32" | "64" | "128"));
    is_primitive || matches!(first, "std" | "core" | "alloc")
}

/// The name of a type of the standard library without its arguments; nothing for primitives and references.
fn head(text: &str) -> &str {
    let path = text.split(['<', '(', '[', '&']).next().unwrap_or_default();
    let is_primitive =
        !path.starts_with("::") && path.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    match crate::arguments::standard(path) {
        "" if !path.is_empty() => "?",
        _ if is_primitive => "",
        name => name,
    }
}

/// Operands of comparisons are borrowed by the operator: `a == b`, not `&a == &b`.
fn compares_places(pieces: &[Piece<'_>], operands: &[Operand<'_>]) -> bool {
    let compares = |piece: &Piece<'_>| match piece {
        Piece::Arg { position: template::Position::Left(operator), .. } => template::is_comparison(operator),
        _ => false,
    };
    let [left, right] = operands else { return false };
    pieces.iter().any(compares)
        && left.is_shared()
        && right.is_shared()
        && (left.is_borrowed() || right.is_borrowed())
}

/// Appends an argument; a field whose value has the field's name is written once.
fn push_field(text: &mut String, shown: &str) {
    let before = text.strip_suffix(": ").and_then(|text| text.strip_suffix(shown));
    match before {
        Some(before) if before.trim_end().ends_with(['{', ',']) => text.truncate(text.len() - 2),
        _ => text.push_str(shown),
    }
}
