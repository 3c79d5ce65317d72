//! Two objects that meet a condition together: [`Store::pairs`](crate::Store::pairs).

use std::time::{Duration, Instant};

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use crate::types::columns;

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the operator of that name")]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
}

impl Comparison {
    fn sql(self) -> &'static str {
        match self {
            Comparison::Eq => "=",
            Comparison::Ne => "<>",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
        }
    }
}

/// A condition on the answers of one or two objects; queries by their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// An answer of the first object and a number.
    First(String, Comparison, i64),
    /// An answer of the second object and a number.
    Second(String, Comparison, i64),
    /// An answer of the first and one of the second.
    Both(String, Comparison, String),
}

/// The recipes of two objects.
pub type Pair = (String, String);

/// Pairs of objects of two types that meet all clauses, no first one twice, as many as are found in time. Each first object has
/// the second ones tried from another place on, so that they differ, too.
pub(crate) fn pairs(
    connection: &mut Connection,
    types: [&str; 2],
    clauses: &[Clause],
    most: usize,
    time: Duration,
) -> rusqlite::Result<Vec<Pair>> {
    let number = |connection: &Connection, name: &str| -> rusqlite::Result<Option<i64>> {
        connection.query_row("select number from type where name = ?1", [name], |row| row.get(0)).optional()
    };
    let [first, second] = types.map(|name| number(connection, name));
    let (Some(first), Some(second)) = (first?, second?) else { return Ok(Vec::new()) };
    let (of_first, of_second) = (columns(connection, first)?, columns(connection, second)?);
    let mut values: Vec<Value> = Vec::new();
    let (mut alone, mut together) = (String::new(), String::new());
    for clause in clauses {
        let known = match clause {
            Clause::First(name, op, value) => of_first.get(name).map(|column| {
                values.push(Value::Integer(*value));
                alone += &format!(" and a.c{column} {} ?{}", op.sql(), values.len());
            }),
            Clause::Second(name, op, value) => of_second.get(name).map(|column| {
                values.push(Value::Integer(*value));
                // The sign keeps the planner from the index of the value: it would start at its end each time.
                together += &format!(" and +b.c{column} {} ?{}", op.sql(), values.len());
            }),
            Clause::Both(one, op, other) => {
                of_first.get(one).zip(of_second.get(other)).map(|(one, other)| {
                    together += &format!(" and a.c{one} {} +b.c{other}", op.sql());
                })
            }
        };
        if known.is_none() {
            return Ok(Vec::new());
        }
    }
    let last: Option<i64> =
        connection.query_row(&format!("select max(oid) from object_{second}"), [], |row| row.get(0))?;
    let spread = last.unwrap_or(0).max(1);
    let text = format!(
        "select a.oid, (select b.oid from object_{second} b where b.oid >= abs(a.oid * 7919) % {spread}{together} limit 1) y
         from object_{first} a where y is not null{alone} limit {most}"
    );
    let until = Instant::now() + time;
    connection.progress_handler(1_000, Some(move || Instant::now() >= until))?;
    let found = ask(connection, &text, values);
    // What follows must not be interrupted.
    connection.progress_handler(0, None::<fn() -> bool>)?;
    let recipe = |oid: i64| -> rusqlite::Result<String> {
        connection
            .prepare_cached("select recipe from recipe where oid = ?1")?
            .query_row([oid], |row| row.get(0))
    };
    found?.into_iter().map(|(a, b)| Ok((recipe(a)?, recipe(b)?))).collect()
}

/// Rows until the time is over.
fn ask(connection: &Connection, text: &str, values: Vec<Value>) -> rusqlite::Result<Vec<(i64, i64)>> {
    let mut statement = connection.prepare_cached(text)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Vec::new();
    loop {
        match rows.next() {
            Ok(Some(row)) => found.push((row.get(0)?, row.get(1)?)),
            Ok(None) => return Ok(found),
            Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted) => {
                return Ok(found);
            }
            Err(error) => return Err(error),
        }
    }
}
