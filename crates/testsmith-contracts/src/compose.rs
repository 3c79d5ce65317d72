//! New programs from objects that were seen: [`Composer`]. A call gets objects of the store as arguments, each rebuilt by its
//! recipe, and numbers that have to do with them: what their queries answered, one more and one less.

use std::collections::BTreeSet;

use testsmith_ir::random::{Options, ProgramBuilder, ProgramMutator};
use testsmith_ir::{Accepts, Api, CallableId, Literal, LiteralKind, Program, Slot, TypeId};

use crate::cell::{Cell, plain};
use crate::record::{Object, Tables};

/// Statements of a recipe and what is done to its object, at most.
const MOST_STATEMENTS: usize = 28;
/// Calls after the one that a program is about, at most.
const MORE_CALLS: usize = 3;

/// Composes programs.
pub struct Composer<'a> {
    api: &'a Api,
    mutator: ProgramMutator<'a>,
}

/// What is wanted of the arguments of a call; nothing is random.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wish {
    /// By parameter: objects to choose from, by their number.
    pub(crate) objects: Vec<Option<Vec<usize>>>,
    /// The parameter that is a number, the object parameter and the answer that it is close to.
    pub(crate) near: Option<(usize, usize, String)>,
    /// How far from that.
    pub(crate) distance: i128,
}

/// An object that was put into a program.
struct Placed<'t> {
    param: usize,
    object: &'t Object,
    ty: TypeId,
}

impl<'a> Composer<'a> {
    /// With the choices of a seed.
    pub fn new(api: &'a Api, seed: u64, options: Options) -> Composer<'a> {
        Composer {
            api,
            mutator: ProgramMutator::new(api, seed, Options { max_statements: MOST_STATEMENTS, ..options }),
        }
    }

    /// How often each callable is used, as for random programs.
    pub fn weigh(&mut self, weight: impl Fn(CallableId) -> u32) {
        self.mutator.weigh(weight);
    }

    /// Another program about a callable, which goes on for a few calls.
    pub fn compose(&mut self, tables: &Tables, callable: CallableId) -> Option<Program> {
        self.compose_with(tables, callable, &Wish::default())
    }

    pub(crate) fn compose_with(
        &mut self,
        tables: &Tables,
        callable: CallableId,
        wish: &Wish,
    ) -> Option<Program> {
        let api = self.api;
        let mut builder = self.mutator.begin(None);
        let mut placed: Vec<Placed<'_>> = Vec::new();
        let mut wanted: Vec<Option<Slot>> = vec![None; api[callable].params.len()];
        for (param, of) in api[callable].params.iter().enumerate() {
            let Some(ty) = object_type(api, of.accepts) else { continue };
            let among = wish.objects.get(param).and_then(Option::as_ref);
            let first = placed.iter().find(|it| it.ty == ty).map(|it| it.object);
            let Some(object) = choose(&mut builder, tables, ty, among, first) else { continue };
            let mut map = Vec::new();
            builder.copy(&object.recipe, 0, object.recipe.size(), &mut map);
            wanted[param] = map.get(object.slot.index()).copied().flatten();
            placed.push(Placed { param, object, ty });
        }
        for (param, of) in api[callable].params.iter().enumerate() {
            let Accepts::Value(ty) = of.accepts else { continue };
            let Some(LiteralKind::Int { signed, bits }) = api[ty].literal else { continue };
            let value = match &wish.near {
                Some((number, object, name)) if *number == param => {
                    let placed = placed.iter().find(|it| it.param == *object);
                    placed.and_then(|it| answer(tables, it, name)).map(|it| it.saturating_add(wish.distance))
                }
                _ => number(&mut builder, tables, &placed, &plain(&api[ty].text)),
            };
            if let Some(value) = value.filter(|value| signed || *value >= 0) {
                wanted[param] = builder.literal(ty, Literal::int(signed, bits, value));
            }
        }
        builder.call_with(callable, &wanted)?;
        if wish.near.is_none() {
            for _ in 0..builder.rng().below(MORE_CALLS + 1) {
                builder.call_any();
            }
        }
        Some(builder.finish())
    }
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
    among: Option<&Vec<usize>>,
    first: Option<&'t Object>,
) -> Option<&'t Object> {
    const REUSED: u8 = 90;
    const ALIKE: u8 = 60;
    const TRIED: usize = 12;
    let objects = tables.objects.get(&ty)?;
    if let Some(some) = among {
        return builder.rng().one(some).and_then(|at| objects.get(*at));
    }
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
        5 => {
            let seen: Vec<i128> = tables.numbers.get(ty)?.iter().copied().collect();
            builder.rng().one(&seen).map(|value| value.saturating_add(step))
        }
        _ => None,
    }
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

/// What an object answered to one query.
fn answer(tables: &Tables, placed: &Placed<'_>, name: &str) -> Option<i128> {
    let table = tables.types.get(&placed.ty)?;
    let column = table.columns().iter().position(|column| column.name == name)?;
    match table.cell(column, placed.object.row) {
        Cell::Int(value) => Some(value),
        _ => None,
    }
}
