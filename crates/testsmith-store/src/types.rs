//! Objects and the tables of their types.

use std::collections::BTreeMap;
use std::fmt;

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, Transaction, params, params_from_iter};

/// What a query answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing that can be kept.
    Nothing,
    /// A truth value is 0 or 1; of other values it is a hash.
    Number(i64),
    /// A number that is larger.
    Large(String),
}

/// Something that a program has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The name of its type, which means the same in the next run.
    pub ty: String,
    /// Equal for objects that look equal.
    pub state: u64,
    /// Where it is when its recipe has run.
    pub slot: u16,
    /// What rebuilds it.
    pub recipe: String,
    /// By query.
    pub answers: BTreeMap<String, Answer>,
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{:016x}\t{}\t{}", self.ty, self.state, self.slot, self.recipe)?;
        for (query, answer) in &self.answers {
            match answer {
                Answer::Nothing => {}
                Answer::Number(number) => write!(f, "\t{query} = {number}")?,
                Answer::Large(number) => write!(f, "\t{query} = {number}")?,
            }
        }
        Ok(())
    }
}

/// The numbers of types and the columns of queries, as far as they are known.
#[derive(Default)]
pub(crate) struct Types {
    numbers: BTreeMap<String, i64>,
    columns: BTreeMap<i64, BTreeMap<String, usize>>,
    /// Indexes are made when all is in: that is three times as fast.
    indexes_later: bool,
    /// By type: the statement that adds an object with these columns.
    statements: BTreeMap<i64, (Vec<usize>, String)>,
}

/// The index of a column.
fn index(ty: i64, column: usize) -> String {
    format!("create index if not exists object_{ty}_c{column} on object_{ty}(c{column});")
}

/// Equal recipes have equal ones; an index of texts would be larger than all else.
pub(crate) fn hash(recipe: &str) -> i64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in recipe.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash.cast_signed()
}

impl Types {
    /// Takes the indexes of all objects away until [`Types::finish`].
    pub(crate) fn begin_bulk(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        self.indexes_later = true;
        let mut all = connection
            .prepare("select name from sqlite_master where type = 'index' and name glob 'object_*_c*'")?;
        let names: Vec<String> = all.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        names.iter().try_for_each(|name| connection.execute_batch(&format!("drop index {name}")))
    }

    /// Makes all indexes.
    pub(crate) fn finish_bulk(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut all = connection.prepare("select type, column from query")?;
        let columns = all.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
        let columns: Vec<(i64, i64)> = columns.collect::<rusqlite::Result<_>>()?;
        for (ty, column) in columns {
            connection.execute_batch(&index(ty, usize::try_from(column).unwrap_or(usize::MAX)))?;
        }
        connection.execute_batch("analyze")
    }

    /// The number of a type, which gets a table if it is new.
    pub(crate) fn number(&mut self, transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<i64> {
        if let Some(number) = self.numbers.get(name) {
            return Ok(*number);
        }
        let find = "select number from type where name = ?1";
        let known: Option<i64> = transaction.query_row(find, [name], |row| row.get(0)).optional()?;
        let number = match known {
            Some(number) => number,
            None => {
                transaction.execute("insert into type(name) values (?1)", [name])?;
                let number = transaction.last_insert_rowid();
                transaction
                    .execute_batch(&format!("create table object_{number}(oid integer primary key)"))?;
                number
            }
        };
        self.numbers.insert(name.to_owned(), number);
        self.columns.insert(number, columns(transaction, number)?);
        Ok(number)
    }

    pub(crate) fn insert(
        &mut self,
        transaction: &Transaction<'_>,
        ty: i64,
        object: &Object,
    ) -> rusqlite::Result<()> {
        let state = object.state.cast_signed();
        transaction
            .prepare_cached(
                "insert into recipe(type, state, slot, hash, recipe) values (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![ty, state, object.slot, hash(&object.recipe), object.recipe])?;
        let mut columns = Vec::with_capacity(object.answers.len());
        let mut values = vec![Value::Integer(transaction.last_insert_rowid())];
        for (query, answer) in &object.answers {
            columns.push(self.column(transaction, ty, query)?);
            values.push(match answer {
                Answer::Nothing => Value::Null,
                Answer::Number(number) => Value::Integer(*number),
                Answer::Large(number) => Value::Text(number.clone()),
            });
        }
        let known = self.statements.get(&ty).is_some_and(|(known, _)| *known == columns);
        if !known {
            let names: String = columns.iter().map(|column| format!(", c{column}")).collect();
            let places: String = (2..=values.len()).map(|at| format!(", ?{at}")).collect();
            let text = format!("insert into object_{ty}(oid{names}) values (?1{places})");
            self.statements.insert(ty, (columns, text));
        }
        transaction.prepare_cached(&self.statements[&ty].1)?.execute(params_from_iter(values))?;
        Ok(())
    }

    /// The column of a query, which is added with its index if it is new.
    fn column(&mut self, transaction: &Transaction<'_>, ty: i64, query: &str) -> rusqlite::Result<usize> {
        let columns = self.columns.entry(ty).or_default();
        if let Some(column) = columns.get(query) {
            return Ok(*column);
        }
        let column = columns.len();
        transaction.execute(
            "insert into query(type, column, name) values (?1, ?2, ?3)",
            params![ty, column as i64, query],
        )?;
        transaction.execute_batch(&format!("alter table object_{ty} add column c{column}"))?;
        if !self.indexes_later {
            transaction.execute_batch(&index(ty, column))?;
        }
        columns.insert(query.to_owned(), column);
        Ok(column)
    }
}

pub(crate) fn columns(connection: &Connection, ty: i64) -> rusqlite::Result<BTreeMap<String, usize>> {
    let mut columns = connection.prepare_cached("select name, column from query where type = ?1")?;
    let column = |row: &rusqlite::Row<'_>| {
        let number: i64 = row.get(1)?;
        Ok((row.get(0)?, usize::try_from(number).unwrap_or(usize::MAX)))
    };
    columns.query_map([ty], column)?.collect()
}

pub(crate) fn objects(connection: &Connection, ty: &str) -> rusqlite::Result<Vec<Object>> {
    let find = "select number from type where name = ?1";
    let Some(number) = connection.query_row(find, [ty], |row| row.get::<_, i64>(0)).optional()? else {
        return Ok(Vec::new());
    };
    let columns = columns(connection, number)?;
    let names: String = columns.values().map(|column| format!(", o.c{column}")).collect();
    let text = format!(
        "select r.state, r.slot, r.recipe{names} from recipe r join object_{number} o on o.oid = r.oid
         where r.type = ?1 order by length(r.recipe), r.oid"
    );
    let object = |row: &rusqlite::Row<'_>| {
        let state: i64 = row.get(0)?;
        let mut answers = BTreeMap::new();
        for (at, query) in columns.keys().enumerate() {
            let answer = match row.get_ref(at + 3)? {
                ValueRef::Integer(number) => Answer::Number(number),
                ValueRef::Text(text) => Answer::Large(String::from_utf8_lossy(text).into_owned()),
                _ => Answer::Nothing,
            };
            answers.insert(query.clone(), answer);
        }
        Ok(Object {
            ty: ty.to_owned(),
            state: state.cast_unsigned(),
            slot: row.get(1)?,
            recipe: row.get(2)?,
            answers,
        })
    };
    connection.prepare(&text)?.query_map([number], object)?.collect()
}

/// Objects of each type, and answers of all.
pub(crate) fn count(connection: &Connection) -> rusqlite::Result<(BTreeMap<String, u64>, u64)> {
    let mut types = connection.prepare("select number, name from type")?;
    let all: Vec<(i64, String)> =
        types.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    let (mut objects, mut answers) = (BTreeMap::new(), 0);
    for (number, name) in all {
        let ask = |what: &str| {
            let text = format!("select {what} from object_{number}");
            connection
                .query_row(&text, [], |row| row.get::<_, i64>(0))
                .map(|count| u64::try_from(count).unwrap_or(0))
        };
        objects.insert(name, ask("count(*)")?);
        for column in columns(connection, number)?.values() {
            answers += ask(&format!("count(c{column})"))?;
        }
    }
    Ok((objects, answers))
}

pub(crate) fn remove_object(transaction: &Transaction<'_>, ty: i64, oid: i64) -> rusqlite::Result<()> {
    transaction.execute("delete from recipe where oid = ?1", [oid])?;
    transaction.execute(&format!("delete from object_{ty} where oid = ?1"), [oid])?;
    Ok(())
}

/// All objects of a recipe.
pub(crate) fn remove(transaction: &Transaction<'_>, recipe: &str) -> rusqlite::Result<usize> {
    let mut find =
        transaction.prepare_cached("select type, oid from recipe where hash = ?1 and recipe = ?2")?;
    let found: Vec<(i64, i64)> = find
        .query_map(params![hash(recipe), recipe], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    found.iter().try_for_each(|(ty, oid)| remove_object(transaction, *ty, *oid))?;
    Ok(found.len())
}

pub(crate) fn prune(transaction: &Transaction<'_>, most: u64) -> rusqlite::Result<u64> {
    let mut types = transaction.prepare("select number from type")?;
    let numbers: Vec<i64> = types.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut removed = 0;
    for number in numbers {
        let mut find = transaction.prepare(
            "select oid from recipe where type = ?1 order by length(recipe), oid limit -1 offset ?2",
        )?;
        let old: Vec<i64> =
            find.query_map(params![number, most], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        removed += old.len() as u64;
        old.iter().try_for_each(|oid| remove_object(transaction, number, *oid))?;
    }
    Ok(removed)
}
