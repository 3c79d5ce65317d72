//! Who uses a slot, and how: decides what needs a variable, `mut` and a suffix.

use super::Options;
use super::inference;
use super::literal::{is_default, type_name};
use super::template::{self, Piece, Position, is_assignment};
use crate::api::{Accepts, Api, Callable, LiteralKind, Type, TypeId};
use crate::arguments::standard;
use crate::literal::Literal;
use crate::program::{Mode, Program, Slot, Statement};

/// The uses of all slots of a program.
pub(super) struct Uses<'a> {
    api: &'a Api,
    program: &'a Program,
    options: &'a Options,
    by_slot: Vec<Vec<Use<'a>>>,
    is_dropped: Vec<bool>,
}

/// A slot as an argument.
struct Use<'a> {
    callable: &'a Callable,
    param: usize,
    position: Position<'a>,
    mode: Mode,
    through: bool,
}

impl<'a> Uses<'a> {
    pub(super) fn new(api: &'a Api, program: &'a Program, options: &'a Options) -> Uses<'a> {
        let by_slot = (0..program.size()).map(|_| Vec::new()).collect();
        let mut uses = Uses { api, program, options, by_slot, is_dropped: vec![false; program.size()] };
        for statement in &program.statements {
            match statement {
                Statement::Literal { .. } => {}
                Statement::Drop(slot) => uses.is_dropped[slot.index()] = true,
                Statement::Call { callable, args } => {
                    let callable = &api[*callable];
                    for (index, arg) in args.iter().enumerate() {
                        let param = callable.param_of(index);
                        let ty = uses.type_of(arg.slot);
                        let fit = ty.and_then(|ty| api.fit(callable.params[param].accepts, ty));
                        let through = fit.is_some_and(|fit| fit.through);
                        let position = position(callable, param);
                        uses.by_slot[arg.slot.index()].push(Use {
                            callable,
                            param,
                            position,
                            mode: arg.mode,
                            through,
                        });
                    }
                }
            }
        }
        uses
    }

    /// The type of a slot's value.
    pub(super) fn type_of(&self, slot: Slot) -> Option<TypeId> {
        match &self.program[slot] {
            Statement::Literal { ty, .. } => Some(*ty),
            Statement::Call { callable, .. } => Some(self.api[*callable].output),
            Statement::Drop(_) => None,
        }
    }

    /// Whether a later statement or what comes after the program names the slot.
    pub(super) fn is_used(&self, slot: Slot) -> bool {
        !self.by_slot[slot.index()].is_empty()
            || self.is_dropped[slot.index()]
            || self.options.bound.contains(&slot)
    }

    /// Whether the variable itself is borrowed exclusively.
    pub(super) fn is_changed(&self, slot: Slot) -> bool {
        self.by_slot[slot.index()].iter().any(Use::is_change)
    }

    /// Whether a literal gets a variable: it is used, and cannot stand where it is used.
    pub(super) fn is_bound_literal(&self, slot: Slot) -> bool {
        let Statement::Literal { value, .. } = &self.program[slot] else { return false };
        let uses = &self.by_slot[slot.index()];
        let is_short = match value {
            Literal::Str(text) => text.len() <= SHORT_TEXT,
            // Where a `&str` is wanted, the text itself is written.
            Literal::String(text) => {
                let is_text = |one: &Use<'_>| one.callable.params[one.param].accepts == Accepts::Text;
                text.len() <= SHORT_TEXT && uses.iter().all(is_text)
            }
            Literal::ByteStr(_) | Literal::Bytes(_) => false,
            _ => true,
        };
        let is_inlined = !self.is_dropped[slot.index()]
            && !self.options.bound.contains(&slot)
            && (is_short || uses.len() == 1)
            && uses.iter().all(|one| one.can_be_literal(value));
        self.is_used(slot) && !is_inlined
    }

    /// Whether nobody tells the type of a number that has a variable.
    pub(super) fn literal_needs_suffix(&self, slot: Slot, kind: LiteralKind) -> bool {
        let uses = &self.by_slot[slot.index()];
        let is_place = |one: &Use<'_>| match one.position {
            Position::Receiver | Position::Deref | Position::Prefixed => true,
            Position::Left(operator) => !is_assignment(operator),
            // Whoever has the reference may look for a method.
            Position::Argument => inference::is_reference(one.callable),
            Position::Right(_) => false,
        };
        type_name(kind).is_some()
            && match uses.first() {
                _ if self.options.spelling.is_explicit(slot) => true,
                None => !is_default(kind),
                // The compiler has to know the type before it looks for a method.
                Some(_) if is_default(kind) => uses.iter().any(is_place),
                Some(one) => inference::needs_suffix(self.api, one.callable, one.param, one.position, kind),
            }
    }
}

impl Use<'_> {
    fn is_change(&self) -> bool {
        self.mode == Mode::Exclusive && !self.through
    }

    /// A temporary dies at the end of the statement, so it must not be one that is borrowed for longer; but references to
    /// constants live forever.
    fn can_be_literal(&self, value: &Literal) -> bool {
        let flows = || self.callable.flows.iter().any(|flow| flow.from == self.param && flow.of_argument);
        let becomes_constant =
            matches!(self.callable.params[self.param].accepts, Accepts::Text | Accepts::Slice(_));
        match self.mode {
            Mode::Move | Mode::Copy => true,
            Mode::Shared => becomes_constant || is_constant(value) || !flows(),
            Mode::Exclusive => false,
        }
    }
}

/// A text that is written as often as it is used.
const SHORT_TEXT: usize = 8;

/// Whether something might show when a value is dropped: not with texts and collections of the standard library.
pub(super) fn has_visible_destructor(ty: &Type) -> bool {
    const QUIET: [&str; 18] = [
        "BTreeMap",
        "BTreeSet",
        "BinaryHeap",
        "Box",
        "Cow",
        "Duration",
        "HashMap",
        "HashSet",
        "Option",
        "OsString",
        "PathBuf",
        "RandomState",
        "Range",
        "RangeInclusive",
        "Result",
        "String",
        "Vec",
        "VecDeque",
    ];
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '\'');
    let mut names = ty.text.split(|c| !is_part(c)).filter(|name| !name.is_empty() && !name.starts_with('\''));
    let is_quiet = |path: &str| {
        let name = standard(path);
        QUIET.contains(&name)
            || name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()) && name != "dyn"
    };
    ty.facts.needs_drop && ty.literal.is_none() && !names.all(is_quiet)
}

/// Whether a reference to it is one to a constant.
fn is_constant(value: &Literal) -> bool {
    match value {
        // A slice of a constant is made by a call.
        Literal::String(_) | Literal::Bytes(_) | Literal::ByteStr(_) => false,
        Literal::F32(bits) => f32::from_bits(*bits).is_finite(),
        Literal::F64(bits) => f64::from_bits(*bits).is_finite(),
        _ => true,
    }
}

fn position(callable: &Callable, param: usize) -> Position<'_> {
    let found = template::pieces(&callable.shown).into_iter().find_map(|piece| match piece {
        Piece::Arg { param: other, position } if other == param => Some(position),
        Piece::Arg { .. } | Piece::Text(_) | Piece::List => None,
    });
    found.unwrap_or(Position::Argument)
}
