//! Objects from earlier runs: [`load`] gives programs that rebuild them, [`save`] keeps those of this run.

use std::collections::BTreeMap;

use testsmith_contracts::{Cell, Tables};
use testsmith_exec::{from_json, to_json};
use testsmith_ir::{Api, Program, check};
use testsmith_store::{Answer, Object, Store, StoreError};

/// What came of a store.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub(crate) struct Kept {
    /// Objects whose recipes were run again.
    pub(crate) loaded: usize,
    /// Recipes that are no programs of this API any more, and were dropped.
    pub(crate) dropped: usize,
    /// Objects that were new in this run.
    pub(crate) added: usize,
}

/// The programs of all objects of the API's types; what the API has no more is taken out.
pub(crate) fn load(store: &mut Store, api: &Api) -> Result<(Vec<Program>, Kept), StoreError> {
    let mut kept = Kept::default();
    let mut programs = Vec::new();
    let mut useless = Vec::new();
    for ty in api.types.iter().filter(|ty| ty.text != "_") {
        for object in store.objects(&ty.text)? {
            match from_json(&object.recipe, api).ok().filter(|program| check(api, program).is_ok()) {
                Some(program) => programs.push(program),
                None => useless.push(object.recipe),
            }
        }
    }
    kept.loaded = programs.len();
    kept.dropped = useless.len();
    store.remove(&useless)?;
    // Of one program there may be several objects.
    programs.sort_unstable();
    programs.dedup();
    Ok((programs, kept))
}

/// Keeps the objects of this run; how many are new.
pub(crate) fn save(store: &mut Store, api: &Api, tables: &Tables) -> Result<usize, StoreError> {
    let mut objects = Vec::new();
    for (ty, known) in &tables.objects {
        let table = &tables.types[ty];
        for object in known {
            let mut answers = BTreeMap::new();
            let mut state = 0;
            for (at, column) in table.columns().iter().enumerate() {
                match table.cell(at, object.row) {
                    Cell::Other(hash) if column.is_state => state = hash,
                    cell => drop(answers.insert(column.name.clone(), answer(cell))),
                }
            }
            let ty = api[*ty].text.clone();
            objects.push(Object {
                ty,
                state,
                slot: object.slot.0,
                recipe: to_json(&object.recipe, api),
                answers,
            });
        }
    }
    store.add(&objects)
}

fn answer(cell: Cell) -> Answer {
    match cell {
        Cell::Undefined => Answer::Nothing,
        Cell::Bool(value) => Answer::Number(value.into()),
        Cell::Int(value) => {
            i64::try_from(value).map_or_else(|_| Answer::Large(value.to_string()), Answer::Number)
        }
        Cell::Other(hash) => Answer::Number(hash.cast_signed()),
    }
}
