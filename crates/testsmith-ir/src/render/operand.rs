//! The text of a single argument, by the place in the template where it stands.

use super::Renderer;
use super::inference;
use super::literal::{self, type_name};
use super::template::{Position, is_arithmetic, is_assignment, is_formatting};
use crate::api::{Accepts, Callable, LiteralKind};
use crate::arguments::Fit;
use crate::literal::Literal;
use crate::program::{Arg, Mode, Slot, Statement};

/// An argument of a call.
pub(super) struct Operand<'r> {
    renderer: &'r Renderer<'r>,
    callable: &'r Callable,
    pub(super) param: usize,
    arg: Arg,
    /// All types of the statement are written.
    is_explicit: bool,
    fit: Fit,
    /// No later statement uses the slot.
    is_last_use: bool,
    /// It is an element of a list, and not the first: that one tells the type.
    is_later_element: bool,
}

impl<'r> Operand<'r> {
    pub(super) fn new(
        renderer: &'r Renderer<'r>,
        this: Slot,
        callable: &'r Callable,
        param: usize,
        arg: Arg,
        at: usize,
    ) -> Operand<'r> {
        let ty = renderer.uses.type_of(arg.slot);
        let fit = ty.and_then(|ty| renderer.api.fit(callable.params[param].accepts, ty));
        let is_looked_at = renderer.options.bound.contains(&arg.slot);
        Operand {
            renderer,
            callable,
            param,
            arg,
            is_explicit: renderer.options.spelling.is_explicit(this),
            fit: fit.unwrap_or(Fit { mode: arg.mode, through: false }),
            is_last_use: renderer.liveness.last_use(arg.slot) == Some(this) && !is_looked_at,
            is_later_element: at > param,
        }
    }

    /// As it stands in the template.
    pub(super) fn text(&self, position: Position<'_>) -> String {
        match position {
            Position::Receiver => self.receiver(),
            Position::Deref => self.place(position),
            Position::Left(operator) if is_assignment(operator) && self.fit.mode == Mode::Exclusive => {
                self.place(position)
            }
            Position::Argument if is_formatting(&self.callable.shown) => self.name_or(position, |text| text),
            Position::Prefixed => signed(self.whole(position)),
            Position::Right(operator) if is_arithmetic(operator) => signed(self.whole(position)),
            Position::Argument | Position::Left(_) | Position::Right(_) => self.whole(position),
        }
    }

    /// The value itself, where it is: `*slot` if the slot is a reference to it.
    pub(super) fn place(&self, position: Position<'_>) -> String {
        match self.variable() {
            Some(name) if self.fit.through => format!("*{name}"),
            _ => self.name_or(position, parenthesized),
        }
    }

    /// Whether it is taken as a `&T`.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self.callable.params[self.param].accepts, Accepts::Shared(_))
    }

    /// Whether the call that makes it stands in its place.
    pub(super) fn is_temporary(&self) -> bool {
        let at = self.arg.slot.index();
        self.renderer.names[at].is_none() && self.renderer.inlined[at].is_some()
    }

    /// Whether it would be written with a `&`.
    pub(super) fn is_borrowed(&self) -> bool {
        self.fit.mode == Mode::Shared
    }

    /// Methods find their way through references, except that an owner may have the trait, too: `String` compares with
    /// others than `str` does.
    fn receiver(&self) -> String {
        if let Some(constant) = self.constant(Position::Receiver) {
            return constant;
        }
        let of_std = self.callable.path.contains(" as ::std::");
        let view = of_std.then(|| self.unsized_reference(Position::Receiver)).flatten();
        match view {
            Some(view) if self.fit.mode == Mode::Shared => parenthesized(view),
            _ => self.name_or(Position::Receiver, parenthesized),
        }
    }

    /// With `&` or `&mut`, as the parameter wants it.
    fn whole(&self, position: Position<'_>) -> String {
        if let Some(constant) = self.constant(position) {
            return constant;
        }
        let text = self.name_or(position, |text| text);
        match (self.fit.mode, self.fit.through) {
            (Mode::Move | Mode::Copy, _) => text,
            (Mode::Shared, false) => self.unsized_reference(position).unwrap_or_else(|| format!("&{text}")),
            (Mode::Shared, true) => format!("&*{text}"),
            (Mode::Exclusive, false) if self.is_unsized() && !self.is_coerced(position) => {
                format!("&mut *{text}")
            }
            (Mode::Exclusive, false) => format!("&mut {text}"),
            // Where the parameter is generic, the plain name would move the reference.
            (Mode::Exclusive, true) if self.is_last_use && !inference::is_reference(self.callable) => text,
            (Mode::Exclusive, true) => format!("&mut *{text}"),
        }
    }

    /// A literal that is written as a reference to a constant, whether or not the slot owns its data.
    fn constant(&self, position: Position<'_>) -> Option<String> {
        if self.variable().is_some() {
            return None;
        }
        match (self.literal()?, self.callable.params[self.param].accepts) {
            (Literal::Str(value) | Literal::String(value), Accepts::Text) => Some(literal::quoted(value)),
            (Literal::ByteStr(value) | Literal::Bytes(value), Accepts::Slice(_)) => {
                let bytes = literal::bytes(value);
                let is_slice = position == Position::Receiver || self.is_coerced(position);
                Some(if is_slice { bytes } else { format!("&{bytes}[..]") })
            }
            _ => None,
        }
    }

    /// A reference to the data of its owner, where `&owner` would stay a reference to the owner.
    fn unsized_reference(&self, position: Position<'_>) -> Option<String> {
        if !self.is_unsized() || self.is_coerced(position) {
            return None;
        }
        let name = self.variable()?;
        let ty = &self.renderer.api[self.renderer.uses.type_of(self.arg.slot)?];
        Some(match self.callable.params[self.param].accepts {
            Accepts::Text if ty.literal == Some(LiteralKind::String) => format!("{name}.as_str()"),
            Accepts::Slice(_) if !self.is_box() => format!("{name}.as_slice()"),
            _ => format!("&*{name}"),
        })
    }

    fn is_unsized(&self) -> bool {
        match self.callable.params[self.param].accepts {
            Accepts::Text
            | Accepts::Slice(_)
            | Accepts::SliceMut(_)
            | Accepts::Path
            | Accepts::OsText
            | Accepts::CText => true,
            Accepts::Value(_) | Accepts::Shared(_) | Accepts::Exclusive(_) | Accepts::List(_) => false,
        }
    }

    /// Whether the compiler turns `&String` into the `&str` that is wanted here. Where any `impl AsRef<str>` is
    /// wanted, a `&String` would do as well, but few take a `&Box<str>`. A tuple takes whatever it is given.
    fn is_coerced(&self, position: Position<'_>) -> bool {
        let shown = &self.callable.shown;
        let is_of_a_call = position == Position::Argument && shown.contains('(') && !shown.starts_with('(');
        !self.is_explicit
            && is_of_a_call
            && !self.is_box()
            && inference::is_decided(self.renderer.api, self.callable, self.param)
    }

    fn is_box(&self) -> bool {
        let ty = self.renderer.uses.type_of(self.arg.slot);
        ty.is_some_and(|ty| self.renderer.api[ty].text.contains("Box<"))
    }

    /// The variable's name, or the literal as `shape` wants it.
    fn name_or(&self, position: Position<'_>, shape: impl Fn(String) -> String) -> String {
        if let Some(name) = self.variable() {
            return name.to_owned();
        }
        let Some(value) = self.literal() else { return "()".to_owned() };
        let api = self.renderer.api;
        let is_open = || {
            self.is_explicit
                || inference::needs_suffix(api, self.callable, self.param, position, value.kind())
        };
        let needs_suffix = type_name(value.kind()).is_some() && !self.is_later_element && is_open();
        shape(literal::text(value, needs_suffix))
    }

    /// What stands for the value: its variable, or the call that makes it.
    fn variable(&self) -> Option<&str> {
        let name = self.renderer.names[self.arg.slot.index()].as_deref();
        name.or(self.renderer.inlined[self.arg.slot.index()].as_deref())
    }

    fn literal(&self) -> Option<&'r Literal> {
        match &self.renderer.program[self.arg.slot] {
            Statement::Literal { value, .. } => Some(value),
            Statement::Call { .. } | Statement::Drop(_) => None,
        }
    }
}

/// What stands around binds more tightly than a sign.
fn parenthesized(text: String) -> String {
    if text.starts_with(['-', '&']) { format!("({text})") } else { text }
}

/// Two signs in a row would be hard to read.
fn signed(text: String) -> String {
    if text.starts_with('-') { format!("({text})") } else { text }
}
