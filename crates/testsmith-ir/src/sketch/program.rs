//! Programs from their notation.

use crate::api::{Accepts, Api, Callable, LiteralKind, TypeId};
use crate::literal::Literal;
use crate::program::{Arg, Mode, Program, Slot, Statement};

/// A program, and what its notation called things.
#[derive(Clone, Debug, Default)]
pub struct Sketched {
    /// The program.
    pub program: Program,
    /// By slot.
    pub names: Vec<Option<String>>,
    /// By slot: the line of the notation that has it, from 1 on.
    pub lines: Vec<usize>,
}

/// Reads a program: `name = path(arguments)`, `path(arguments)`, `name = literal: type` and `drop name`, one on each line.
/// An error names the line that is wrong.
pub fn program(api: &Api, text: &str) -> Result<Sketched, String> {
    let mut reader = Reader { api, sketched: Sketched::default(), line: 0, types: Vec::new() };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    for (number, line) in lines.enumerate() {
        reader.line = number + 1;
        reader.statement(line).map_err(|error| format!("{line}: {error}"))?;
    }
    Ok(reader.sketched)
}

impl Sketched {
    /// The slot with this name; the last one if there are several.
    pub fn slot(&self, name: &str) -> Option<Slot> {
        self.names.iter().rposition(|known| known.as_deref() == Some(name)).map(Slot::at)
    }
}

struct Reader<'a> {
    api: &'a Api,
    sketched: Sketched,
    line: usize,
    /// By slot.
    types: Vec<Option<TypeId>>,
}

impl Reader<'_> {
    fn statement(&mut self, line: &str) -> Result<(), String> {
        if let Some(name) = line.strip_prefix("drop ") {
            let slot = self.slot(name)?;
            self.push(None, Statement::Drop(slot), None);
            return Ok(());
        }
        let (name, value) = match line.split_once(" = ") {
            Some((name, value)) => (Some(name), value),
            None => (None, line),
        };
        match value.split_once('(') {
            Some((path, args)) if value.ends_with(')') => self.call(name, path, &args[..args.len() - 1]),
            _ => self.literal(name, value),
        }
    }

    fn literal(&mut self, name: Option<&str>, text: &str) -> Result<(), String> {
        let (text, ty) = text.rsplit_once(": ").ok_or("a literal without a type")?;
        let ty = self.api.find_type(ty).ok_or("no such type")?;
        let value = value(self.api, text, ty)?;
        self.push(name, Statement::Literal { ty, value }, Some(ty));
        Ok(())
    }

    fn call(&mut self, name: Option<&str>, path: &str, args: &str) -> Result<(), String> {
        let api = self.api;
        let id = api.find(path).ok_or("no such callable")?;
        let callable = &api[id];
        let args = args.split(", ").filter(|arg| !arg.is_empty()).enumerate();
        let args =
            args.map(|(index, arg)| self.arg(callable, index, arg)).collect::<Result<Vec<Arg>, _>>()?;
        self.push(name, Statement::Call { callable: id, args }, Some(callable.output));
        Ok(())
    }

    /// A name with the mode that fits, or a new literal. What does not fit is moved, for the rules to complain.
    fn arg(&mut self, callable: &Callable, index: usize, text: &str) -> Result<Arg, String> {
        let accepts = callable.params.get(callable.param_of(index)).map(|param| param.accepts);
        let is_name = text.starts_with(|c: char| c.is_alphabetic()) && !matches!(text, "true" | "false");
        let slot = match (is_name, accepts) {
            (true, _) => self.slot(text)?,
            (false, Some(accepts)) => {
                let ty = self.literal_type(accepts, text).ok_or("no such literal")?;
                let value = value(self.api, text, ty)?;
                self.push(None, Statement::Literal { ty, value }, Some(ty))
            }
            (false, None) => return Err("too many arguments".to_owned()),
        };
        let ty = self.types[slot.index()];
        let fit = accepts.zip(ty).and_then(|(accepts, ty)| self.api.fit(accepts, ty));
        Ok(Arg { slot, mode: fit.map_or(Mode::Move, |fit| fit.mode) })
    }

    /// The first type of the table that has such literals and that the parameter takes.
    fn literal_type(&self, accepts: Accepts, text: &str) -> Option<TypeId> {
        let fits = |id: TypeId| self.api.fit(accepts, id).is_some() && value(self.api, text, id).is_ok();
        self.api.types().map(|(id, _)| id).find(|id| fits(*id))
    }

    fn slot(&self, name: &str) -> Result<Slot, String> {
        self.sketched.slot(name).ok_or_else(|| format!("no slot `{name}`"))
    }

    fn push(&mut self, name: Option<&str>, statement: Statement, ty: Option<TypeId>) -> Slot {
        self.sketched.names.push(name.map(str::to_owned));
        self.sketched.lines.push(self.line);
        self.types.push(ty);
        self.sketched.program.push(statement)
    }
}

fn value(api: &Api, text: &str, ty: TypeId) -> Result<Literal, String> {
    let quoted = || text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).map(str::to_owned);
    let value = api[ty].literal.and_then(|kind| match kind {
        LiteralKind::Unit => (text == "()").then_some(Literal::Unit),
        LiteralKind::Bool => text.parse().ok().map(Literal::Bool),
        LiteralKind::Char => text.trim_matches('\'').parse().ok().map(Literal::Char),
        LiteralKind::Int { signed, bits } => text.parse().ok().map(|value| Literal::int(signed, bits, value)),
        LiteralKind::F32 => text.parse::<f32>().ok().map(Literal::from),
        LiteralKind::F64 => text.parse::<f64>().ok().map(Literal::from),
        LiteralKind::Str => quoted().map(Literal::Str),
        LiteralKind::String => quoted().map(Literal::String),
        LiteralKind::ByteStr => quoted().map(|text| Literal::ByteStr(text.into_bytes())),
        LiteralKind::Bytes => quoted().map(|text| Literal::Bytes(text.into_bytes())),
    });
    value.ok_or_else(|| format!("`{text}` is no literal of `{}`", api[ty].shown))
}
