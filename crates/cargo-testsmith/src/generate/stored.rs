//! What a search leaves for the next one: programs that killed, and those that came close ([`load`], [`save`]).

use std::collections::BTreeSet;

use serde::Serialize;
use testsmith_contracts::Tables;
use testsmith_exec::{from_json, to_json};
use testsmith_ir::{Api, Program, check};
use testsmith_search::{Found, Stored};
use testsmith_store::{Store, StoreError, StoredProgram};

use crate::contracts::kept;

/// A program that told a mutant from the original.
const KILL: &str = "kill";
/// One that came closest to a mutant that is alive.
const NEAR: &str = "near";
/// Programs of the latter.
const MOST_NEAR: usize = 400;

/// Programs of earlier runs that are kept although nobody knows what they kill now.
const MOST_KILLING: usize = 2_000;

/// What became of the store.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct FromStore {
    /// Programs of earlier runs that were run again.
    pub(crate) programs: usize,
    /// Objects of earlier runs that were rebuilt.
    pub(crate) objects: usize,
    /// Programs that are none of this API any more.
    pub(crate) dropped: usize,
    /// Programs that are of no use any more.
    pub(crate) useless: usize,
    /// Programs that were new in this run.
    pub(crate) added: usize,
}

/// What earlier runs have left. What the API has no more is taken out.
pub(crate) fn load(store: &mut Store, api: &Api, package: &str) -> Result<(Stored, FromStore), StoreError> {
    let mut from_store = FromStore::default();
    let mut programs: Vec<Program> = Vec::new();
    for stored in store.programs(package)? {
        match from_json(&stored.recipe, api).ok().filter(|program| check(api, program).is_ok()) {
            Some(program) => programs.push(program),
            None => from_store.dropped += 1,
        }
    }
    programs.sort_unstable();
    programs.dedup();
    let (objects, kept) = kept::load(store, api)?;
    from_store.programs = programs.len();
    from_store.objects = kept.loaded;
    from_store.dropped += kept.dropped;
    Ok((Stored { programs, objects }, from_store))
}

/// Keeps what this run has found; what kills nothing any more goes.
pub(crate) fn save(
    store: &mut Store,
    api: &Api,
    package: &str,
    found: &Found,
    covers_all: bool,
    tables: Option<&Tables>,
    from_store: &mut FromStore,
) -> Result<(), StoreError> {
    let stored = |purpose: &str, program: &Program| StoredProgram {
        purpose: purpose.to_owned(),
        recipe: to_json(program, api),
    };
    let killing: BTreeSet<&Program> = found.archive.values().map(|best| best.program.as_ref()).collect();
    let near: BTreeSet<&Program> = found.near.values().map(|near| near.program.as_ref()).collect();
    let near = near.into_iter().filter(|program| !killing.contains(program)).take(MOST_NEAR);
    let mut all: Vec<StoredProgram> = killing.iter().map(|program| stored(KILL, program)).collect();
    all.extend(near.map(|program| stored(NEAR, program)));
    // What kills mutants that were no goals of this run stays, and what cannot be built any more goes.
    if !covers_all {
        let known = store.programs(package)?.into_iter().filter(|it| it.purpose == KILL);
        let is_program =
            |it: &StoredProgram| from_json(&it.recipe, api).is_ok_and(|program| check(api, &program).is_ok());
        all.extend(known.filter(is_program).take(MOST_KILLING));
    }
    let purposes: &[&str] = if all.is_empty() { &[] } else { &[KILL, NEAR] };
    let (added, gone) = store.keep_programs(package, purposes, &all)?;
    from_store.added = added;
    // Those that could not be built were counted when they were read.
    from_store.useless = gone;
    if let Some(tables) = tables {
        kept::save(store, api, tables)?;
    }
    Ok(())
}
