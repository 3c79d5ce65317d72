//! New programs from objects that were seen: [`Composer`]. A call gets objects of the store as arguments, each rebuilt by its
//! recipe, and numbers that have to do with them: what their queries answered, one more and one less.

use std::collections::BTreeSet;

use testsmith_ir::random::{Options, ProgramBuilder, ProgramMutator};
use testsmith_ir::{Accepts, Api, CallableId, Literal, LiteralKind, Program, Slot, Statement, TypeId};

use crate::cell::{Cell, plain};
use crate::record::{Object, Tables};
use crate::search::Tuple;
use crate::transition::{Definers, Transition};

/// Statements of a recipe and what is done to its object, at most.
const MOST_STATEMENTS: usize = 28;
/// Calls after the one that a program is about, at most.
const MORE_CALLS: usize = 3;

/// Composes programs.
pub struct Composer<'a> {
    api: &'a Api,
    mutator: ProgramMutator<'a>,
    definers: Definers,
}

/// An object that was put into a program.
struct Placed<'t> {
    object: &'t Object,
    ty: TypeId,
}

impl<'a> Composer<'a> {
    /// With the choices of a seed.
    pub fn new(api: &'a Api, seed: u64, options: Options) -> Composer<'a> {
        Composer {
            api,
            mutator: ProgramMutator::new(api, seed, Options { max_statements: MOST_STATEMENTS, ..options }),
            definers: Definers::new(),
        }
    }

    /// What is known of which callable may change the answer of which query.
    #[must_use]
    pub fn with_definers(self, definers: Definers) -> Composer<'a> {
        Composer { definers, ..self }
    }

    pub(crate) fn definers(&self) -> &Definers {
        &self.definers
    }

    /// How often each callable is used, as for random programs.
    pub fn weigh(&mut self, weight: impl Fn(CallableId) -> u32) {
        self.mutator.weigh(weight);
    }

    /// Begins a program.
    pub(crate) fn begin(&mut self) -> ProgramBuilder<'_, 'a> {
        self.mutator.begin(None)
    }

    /// Rebuilds an object of a type that was seen; the program may have one that is like it already.
    pub(crate) fn object(
        builder: &mut ProgramBuilder<'_, '_>,
        tables: &Tables,
        ty: TypeId,
        like: Option<usize>,
    ) -> Option<(Slot, usize)> {
        let objects = tables.objects.get(&ty).filter(|objects| !objects.is_empty())?;
        let at = match like {
            Some(at) if builder.rng().percent(70) => at,
            _ => builder.rng().below(objects.len()),
        };
        let object = objects.get(at)?;
        let mut map = Vec::new();
        builder.copy(&object.recipe, 0, object.recipe.size(), &mut map);
        Some((map.get(object.slot.index()).copied().flatten()?, at))
    }

    /// Another program about a callable, which goes on for a few calls.
    pub fn compose(&mut self, tables: &Tables, callable: CallableId) -> Option<Program> {
        let mut builder = self.mutator.begin(None);
        let wanted = arguments(self.api, &mut builder, tables, callable, &Tuple::default());
        builder.call_with(callable, &wanted)?;
        for _ in 0..builder.rng().below(MORE_CALLS + 1) {
            builder.call_any();
        }
        Some(builder.finish())
    }

    /// A program that ends with a call with these arguments, after a step that changes one of them.
    pub(crate) fn compose_with(
        &mut self,
        tables: &Tables,
        callable: CallableId,
        tuple: &Tuple,
        step: Option<&Transition>,
    ) -> Option<Program> {
        let mut builder = self.mutator.begin(None);
        let wanted = arguments(self.api, &mut builder, tables, callable, tuple);
        if let Some(step) = step {
            let of_step: Vec<Option<Slot>> =
                step.map.iter().map(|param| param.and_then(|param| wanted[param])).collect();
            builder.call_with(step.callable, &of_step)?;
        }
        builder.call_with(callable, &wanted)?;
        Some(builder.finish())
    }
}

/// Rebuilds the objects of a tuple, chooses others, and writes the numbers: the slots of a call's arguments.
fn arguments(
    api: &Api,
    builder: &mut ProgramBuilder<'_, '_>,
    tables: &Tables,
    callable: CallableId,
    tuple: &Tuple,
) -> Vec<Option<Slot>> {
    let mut placed: Vec<Placed<'_>> = Vec::new();
    let mut wanted: Vec<Option<Slot>> = vec![None; api[callable].params.len()];
    for (param, of) in api[callable].params.iter().enumerate() {
        let Some(ty) = object_type(api, of.accepts) else { continue };
        let first = placed.iter().find(|it| it.ty == ty).map(|it| it.object);
        let chosen = tuple.objects.get(param).copied().flatten();
        let object = match chosen {
            Some(at) => tables.objects.get(&ty).and_then(|all| all.get(at)),
            None => choose(builder, tables, ty, first),
        };
        let Some(object) = object else { continue };
        let mut map = Vec::new();
        builder.copy(&object.recipe, 0, object.recipe.size(), &mut map);
        wanted[param] = map.get(object.slot.index()).copied().flatten();
        placed.push(Placed { object, ty });
    }
    for (param, of) in api[callable].params.iter().enumerate() {
        let (Accepts::Value(ty) | Accepts::Shared(ty)) = of.accepts else { continue };
        let Some(LiteralKind::Int { signed, bits }) = api[ty].literal else { continue };
        let value = match tuple.numbers.get(param).copied().flatten() {
            Some(value) => Some(value),
            None => number(api, builder, tables, &placed, &plain(&api[ty].text)),
        };
        if let Some(value) = value.filter(|value| signed || *value >= 0) {
            wanted[param] = builder.literal(ty, Literal::int(signed, bits, value));
        }
    }
    wanted
}

/// The type whose objects a parameter takes.
pub(crate) fn object_type(api: &Api, accepts: Accepts) -> Option<TypeId> {
    let (Accepts::Value(ty) | Accepts::Shared(ty) | Accepts::Exclusive(ty)) = accepts else { return None };
    api[ty].literal.is_none().then_some(ty)
}

/// One of the objects of a type, in most cases; often one that is like the first of that type in the call: of two random
/// ones hardly any have the same length.
fn choose<'t>(
    builder: &mut ProgramBuilder<'_, '_>,
    tables: &'t Tables,
    ty: TypeId,
    first: Option<&'t Object>,
) -> Option<&'t Object> {
    const REUSED: u8 = 90;
    const ALIKE: u8 = 60;
    const TRIED: usize = 12;
    let objects = tables.objects.get(&ty)?;
    match first {
        Some(first) if builder.rng().percent(ALIKE) => {
            let tried: Vec<&Object> = (0..TRIED).filter_map(|_| builder.rng().one(objects)).collect();
            tried.into_iter().max_by_key(|other| alike(tables, ty, first.row, other.row))
        }
        _ if builder.rng().percent(REUSED) => builder.rng().one(objects),
        _ => None,
    }
}

/// How many answers two objects have in common.
fn alike(tables: &Tables, ty: TypeId, one: usize, other: usize) -> usize {
    let table = &tables.types[&ty];
    let columns = 0..table.columns().len();
    columns.filter(|column| table.cell(*column, one) == table.cell(*column, other)).count()
}

/// A number of a type: near what an object answered, or small, or one that was seen. Else whatever is there is used.
fn number(
    api: &Api,
    builder: &mut ProgramBuilder<'_, '_>,
    tables: &Tables,
    placed: &[Placed<'_>],
    ty: &str,
) -> Option<i128> {
    const SMALL: usize = 9;
    let step = [-1, 0, 0, 1][builder.rng().below(4)];
    let answers: BTreeSet<i128> = placed.iter().flat_map(|it| answers(tables, it, ty)).collect();
    let answers: Vec<i128> = answers.into_iter().collect();
    match builder.rng().below(10) {
        0 | 1 => Some(builder.rng().one(&answers)?.saturating_add(step)),
        // Below a length is an index.
        8 | 9 => {
            let end = usize::try_from(*builder.rng().one(&answers)?).ok().filter(|end| *end > 0)?;
            Some(builder.rng().below(end) as i128)
        }
        3 | 4 => Some(builder.rng().below(SMALL) as i128),
        // What was put into an object is a key of it, most likely.
        6 | 7 => {
            let put: Vec<i128> = placed.iter().flat_map(|it| literals(api, &it.object.recipe, ty)).collect();
            builder.rng().one(&put).copied()
        }
        5 => {
            let seen: Vec<i128> = tables.numbers.get(ty)?.iter().copied().collect();
            builder.rng().one(&seen).map(|value| value.saturating_add(step))
        }
        _ => None,
    }
}

/// The numbers of a type that a recipe writes.
pub(crate) fn literals<'p>(
    api: &'p Api,
    recipe: &'p Program,
    ty: &'p str,
) -> impl Iterator<Item = i128> + 'p {
    recipe.statements.iter().filter_map(move |statement| match statement {
        Statement::Literal { ty: of, value } if plain(&api[*of].text) == ty => match value {
            Literal::Signed { value, .. } => Some(*value),
            Literal::Unsigned { value, .. } => i128::try_from(*value).ok(),
            _ => None,
        },
        _ => None,
    })
}

/// The numbers of a type that an object answered.
fn answers<'t>(tables: &'t Tables, placed: &Placed<'t>, ty: &str) -> Vec<i128> {
    let Some(table) = tables.types.get(&placed.ty) else { return Vec::new() };
    let columns = table.columns().iter().enumerate().filter(|(_, column)| column.ty == ty);
    let cell = |(column, _)| match table.cell(column, placed.object.row) {
        Cell::Int(value) => Some(value),
        _ => None,
    };
    columns.filter_map(cell).collect()
}
