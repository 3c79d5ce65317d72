//! The file: its tables and version, how it is opened, and how a bad one is set aside.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use crate::error::StoreError;

/// Of the tables; one more with each change of them.
pub(crate) const VERSION: i64 = 2;

/// How long another process may hold the file.
const PATIENCE: Duration = Duration::from_secs(5);

const PRAGMAS: &str = "
    pragma journal_mode = wal;
    pragma synchronous = normal;
    pragma temp_store = memory;
    pragma foreign_keys = off;";

/// The objects of type *n* are in the table `object_n`, with the columns `c0`, `c1` … that `query` names.
const TABLES: &str = "
    create table type(number integer primary key, name text not null unique);
    create table query(type integer not null, column integer not null, name text not null,
                       primary key(type, column)) without rowid;
    create table recipe(oid integer primary key, type integer not null, state integer not null,
                        slot integer not null, hash integer not null, recipe text not null);
    create index recipe_state on recipe(type, state);
    create index recipe_hash on recipe(hash);
    create table program(number integer primary key, package text not null, purpose text not null,
                         recipe text not null, unique(package, purpose, recipe));";

pub(crate) fn open(path: &Path) -> Result<Connection, StoreError> {
    let other = |reason: String| StoreError::Other { path: path.to_path_buf(), reason };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| other(error.to_string()))?;
    }
    let of = |error| StoreError::of(path, error);
    let connection = Connection::open(path).map_err(of)?;
    connection.busy_timeout(PATIENCE).map_err(of)?;
    let version: i64 = connection.query_row("pragma user_version", [], |row| row.get(0)).map_err(of)?;
    let tables: i64 =
        connection.query_row("select count(*) from sqlite_master", [], |row| row.get(0)).map_err(of)?;
    match version {
        0 if tables == 0 => create(&connection).map_err(of)?,
        VERSION => {
            let check: String =
                connection.query_row("pragma quick_check(1)", [], |row| row.get(0)).map_err(of)?;
            if check != "ok" {
                return Err(StoreError::Damaged { path: path.to_path_buf(), reason: check });
            }
        }
        found => return Err(StoreError::Version { path: path.to_path_buf(), found, known: VERSION }),
    }
    connection.execute_batch(PRAGMAS).map_err(of)?;
    Ok(connection)
}

fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(PRAGMAS)?;
    connection.execute_batch(&format!("begin immediate; {TABLES} pragma user_version = {VERSION}; commit;"))
}

/// Renames a file, with what belongs to it, to a name that is free.
pub(crate) fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let other =
        |error: std::io::Error| StoreError::Other { path: path.to_path_buf(), reason: error.to_string() };
    let named = |number: u32| path.with_extension(format!("old-{number}.sqlite"));
    let aside = (1..).map(named).find(|name| !name.exists()).expect("some name is free");
    fs::rename(path, &aside).map_err(other)?;
    for suffix in ["-wal", "-shm"] {
        let beside = |of: &Path| PathBuf::from(format!("{}{suffix}", of.display()));
        match fs::rename(beside(path), beside(&aside)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(other(error)),
            _ => {}
        }
    }
    Ok(aside)
}
