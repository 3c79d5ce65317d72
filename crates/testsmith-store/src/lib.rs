//! Keeps objects from one run to the next: the recipe that rebuilds each, what its queries answered, a hash of its state.
//!
//! One SQLite file ([`Store`]) with a wide table for each type, one column a query; recipes stand apart, so that scans stay
//! narrow. A transaction is written as a whole or not at all, whenever the process ends. What programs are made of is not
//! known here: recipes are text. See docs/internals/stateful.md.

#![forbid(unsafe_code)]

mod error;
mod schema;
mod search;
mod types;

pub use error::StoreError;
pub use search::{Clause, Comparison, Pair};
pub use types::{Answer, Object};

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::types::Types;

/// Recipes that are kept of one state: what looks equal may behave differently.
pub const RECIPES_A_STATE: usize = 3;

/// A store that is open.
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// A program that is worth running again: it killed a mutant, came close to one, or showed a transition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredProgram {
    /// What it is good for; the store does not know the words.
    pub purpose: String,
    /// What it does.
    pub recipe: String,
}

/// What is in a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Objects of each type.
    pub objects: BTreeMap<String, u64>,
    /// Answers of queries that are stored.
    pub answers: u64,
    /// Programs that are worth running again, by their purpose.
    pub programs: BTreeMap<String, u64>,
    /// Size of the file.
    pub bytes: u64,
}

impl Stats {
    /// Objects of all types.
    pub fn total(&self) -> u64 {
        self.objects.values().sum()
    }
}

impl Store {
    /// Opens a store, which is made if there is none.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let connection = schema::open(path)?;
        Ok(Store { connection, path: path.to_path_buf() })
    }

    /// Opens a store. One that cannot be read, because it is damaged or another version has written it, is kept aside under
    /// another name, which is returned, and a new one begins.
    pub fn open_or_set_aside(path: &Path) -> Result<(Store, Option<(PathBuf, StoreError)>), StoreError> {
        match Store::open(path) {
            Ok(store) => Ok((store, None)),
            Err(error) if error.is_about_content() => {
                let aside = schema::set_aside(path)?;
                Ok((Store::open(path)?, Some((aside, error))))
            }
            Err(error) => Err(error),
        }
    }

    /// Adds objects, all or none; how many are new. Of one state the shortest recipes are kept.
    pub fn add(&mut self, objects: &[Object]) -> Result<usize, StoreError> {
        self.write(|transaction| {
            let mut types = Types::default();
            let mut new = 0;
            for object in objects {
                new += usize::from(add(transaction, &mut types, object)?);
            }
            Ok(new)
        })
    }

    /// Adds very many objects, all or none; how many are new. Indexes are made at the end, so that this is for a store that is
    /// smaller than what is added.
    pub fn add_bulk(&mut self, objects: impl IntoIterator<Item = Object>) -> Result<usize, StoreError> {
        self.write(|transaction| {
            let mut types = Types::default();
            types.begin_bulk(transaction)?;
            let mut new = 0;
            for object in objects {
                new += usize::from(add(transaction, &mut types, &object)?);
            }
            types.finish_bulk(transaction)?;
            Ok(new)
        })
    }

    /// All objects of a type, those with the shortest recipes first.
    pub fn objects(&self, ty: &str) -> Result<Vec<Object>, StoreError> {
        self.read(|connection| types::objects(connection, ty))
    }

    /// Pairs of objects of two types that meet all clauses, `most` at most, no first one twice: as many as are found in
    /// time.
    pub fn pairs(
        &mut self,
        types: [&str; 2],
        clauses: &[Clause],
        most: usize,
        time: Duration,
    ) -> Result<Vec<Pair>, StoreError> {
        let found = search::pairs(&mut self.connection, types, clauses, most, time);
        found.map_err(|error| StoreError::of(&self.path, error))
    }

    /// The types that there are objects of.
    pub fn types(&self) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let mut names = connection.prepare("select name from type order by name")?;
            names.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// The programs of a package, the short ones first.
    pub fn programs(&self, package: &str) -> Result<Vec<StoredProgram>, StoreError> {
        self.read(|connection| {
            let mut all = connection.prepare(
                "select purpose, recipe from program where package = ?1 order by length(recipe), recipe, purpose",
            )?;
            let program =
                |row: &rusqlite::Row<'_>| Ok(StoredProgram { purpose: row.get(0)?, recipe: row.get(1)? });
            all.query_map([package], program)?.collect()
        })
    }

    /// Makes these the programs of a package of some purposes: others of these purposes go. How many are new, and how many
    /// went.
    pub fn keep_programs(
        &mut self,
        package: &str,
        purposes: &[&str],
        programs: &[StoredProgram],
    ) -> Result<(usize, usize), StoreError> {
        let wanted: BTreeSet<&StoredProgram> = programs.iter().collect();
        let known = self.programs(package)?;
        self.write(|transaction| {
            let mut remove = transaction
                .prepare_cached("delete from program where package = ?1 and purpose = ?2 and recipe = ?3")?;
            let mut gone = 0;
            for program in known.iter().filter(|it| purposes.contains(&it.purpose.as_str())) {
                if !wanted.contains(program) {
                    gone += remove.execute(params![package, program.purpose, program.recipe])?;
                }
            }
            let mut add = transaction.prepare_cached(
                "insert or ignore into program(package, purpose, recipe) values (?1, ?2, ?3)",
            )?;
            let mut new = 0;
            for program in &wanted {
                new += add.execute(params![package, program.purpose, program.recipe])?;
            }
            Ok((new, gone))
        })
    }

    /// Takes out recipes that are of no use any more.
    pub fn remove(&mut self, recipes: &[String]) -> Result<usize, StoreError> {
        self.write(|transaction| recipes.iter().map(|recipe| types::remove(transaction, recipe)).sum())
    }

    /// Keeps at most so many objects of each type, those with the shortest recipes, and gives the space back; how many went.
    pub fn prune(&mut self, most: u64) -> Result<u64, StoreError> {
        let removed = self.write(|transaction| types::prune(transaction, most))?;
        self.read(|connection| connection.execute_batch("vacuum"))?;
        Ok(removed)
    }

    /// What is in it.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let (objects, answers) = self.read(types::count)?;
        let programs = self.read(|connection| {
            let mut counts = connection
                .prepare("select purpose, count(*) from program group by purpose order by purpose")?;
            let count = |row: &rusqlite::Row<'_>| {
                let count: i64 = row.get(1)?;
                Ok((row.get(0)?, u64::try_from(count).unwrap_or(0)))
            };
            counts.query_map([], count)?.collect()
        })?;
        let bytes = std::fs::metadata(&self.path).map_or(0, |file| file.len());
        Ok(Stats { objects, answers, programs, bytes })
    }

    /// Writes every object as one line of tab-separated text: type, state, slot, recipe, answers.
    pub fn export(&self, to: &mut impl Write) -> Result<io::Result<()>, StoreError> {
        for ty in self.types()? {
            for object in self.objects(&ty)? {
                if let Err(error) = writeln!(to, "{object}") {
                    return Ok(Err(error));
                }
            }
        }
        Ok(Ok(()))
    }

    /// Does something as a whole or not at all.
    fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let all = || {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        all().map_err(|error| StoreError::of(&self.path, error))
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        work(&self.connection).map_err(|error| StoreError::of(&self.path, error))
    }
}

/// Adds one object, unless its recipe is known or its state has enough shorter ones.
fn add(transaction: &Transaction<'_>, types: &mut Types, object: &Object) -> rusqlite::Result<bool> {
    let ty = types.number(transaction, &object.ty)?;
    let length = i64::try_from(object.recipe.len()).unwrap_or(i64::MAX);
    let known: Option<i64> = transaction
        .prepare_cached("select oid from recipe where hash = ?4 and type = ?1 and slot = ?2 and recipe = ?3")?
        .query_row(params![ty, object.slot, object.recipe, types::hash(&object.recipe)], |row| row.get(0))
        .optional()?;
    if known.is_some() {
        return Ok(false);
    }
    let mut of_state = transaction.prepare_cached(
        "select oid, length(recipe) from recipe where type = ?1 and state = ?2 order by length(recipe) desc",
    )?;
    let equal: Vec<(i64, i64)> = of_state
        .query_map(params![ty, object.state.cast_signed()], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    if equal.len() >= RECIPES_A_STATE {
        let (longest, its_length) = equal[0];
        if its_length <= length {
            return Ok(false);
        }
        types::remove_object(transaction, ty, longest)?;
    }
    types.insert(transaction, ty, object)?;
    Ok(true)
}

#[cfg(test)]
mod tests;
