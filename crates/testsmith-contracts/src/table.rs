//! Rows of typed values: what was true before and after each call of one callable ([`Table`]).

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use testsmith_ir::{Program, Slot};

use crate::bits::Bits;
use crate::cell::Cell;
use crate::probe::Subject;

/// When something was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum When {
    /// Before the call.
    Before,
    /// After it.
    After,
    /// It is the same before and after: what an argument was.
    Always,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// As it is written: `self.len()`.
    pub name: String,
    /// When it was looked at.
    pub when: When,
    /// The type of its values, without references.
    pub ty: String,
    /// It is the result, a part of it, or asked of it.
    pub is_result: bool,
    /// It is an argument or a part of one.
    pub is_argument: bool,
    /// It is the state of an object.
    pub is_state: bool,
    /// It is about one object alone.
    pub is_alone: bool,
    /// It is about what the call was only lent, and cannot change as far as its type says.
    pub is_lent: bool,
    /// What was asked, and which part of the answer it is.
    pub(crate) source: Option<(Subject, String)>,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// It came back.
    Returned,
    /// It panicked.
    Panicked {
        /// What it said.
        message: String,
        /// Where.
        file: String,
        /// Where.
        line: u32,
    },
}

/// Where a row comes from.
#[derive(Clone, Debug)]
pub struct Row {
    /// The program.
    pub program: Arc<Program>,
    /// The call in it.
    pub call: Slot,
    /// How it ended.
    pub end: End,
}

impl Row {
    /// The program up to the call.
    pub fn shortest(&self) -> Program {
        let mut program = self.program.as_ref().clone();
        program.statements.truncate(self.call.index() + 1);
        program
    }
}

/// Distinct rows of one callable or type.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: Vec<Column>,
    by_name: HashMap<(String, When), usize>,
    cells: Vec<Vec<Cell>>,
    rows: Vec<Row>,
    /// By what is in them.
    known: HashMap<(Vec<(usize, Cell)>, bool), usize>,
    /// Rows with equal ones.
    observed: u64,
    /// Rows whose call came back.
    returns: usize,
    /// What the conditions of the callable compare public members with.
    constants: BTreeSet<i128>,
}

impl Table {
    /// An empty table of a callable whose conditions name these constants.
    pub(crate) fn with_constants(constants: BTreeSet<i128>) -> Table {
        Table { constants, ..Table::default() }
    }

    /// What the conditions of the callable compare public members with.
    pub(crate) fn constants(&self) -> &BTreeSet<i128> {
        &self.constants
    }

    /// All columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Where the rows come from.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// How many distinct rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many rows there were, equal ones counted.
    pub fn observed(&self) -> u64 {
        self.observed
    }

    /// What is in a place.
    pub fn cell(&self, column: usize, row: usize) -> Cell {
        self.cells[column].get(row).copied().unwrap_or_default()
    }

    /// How many distinct rows there are whose call came back.
    pub fn returns(&self) -> usize {
        self.returns
    }

    /// The number of a column.
    pub fn find(&self, name: &str, when: When) -> Option<usize> {
        self.by_name.get(&(name.to_owned(), when)).copied()
    }

    /// The number of a column, which is made if it is new.
    pub(crate) fn column(&mut self, column: Column) -> usize {
        let key = (column.name.clone(), column.when);
        *self.by_name.entry(key).or_insert_with(|| {
            self.columns.push(column);
            self.cells.push(Vec::new());
            self.columns.len() - 1
        })
    }

    /// Adds a row, unless there is an equal one or there are enough; of equal ones the shorter program is kept. The number
    /// of the row if it is new.
    pub(crate) fn add(&mut self, cells: Vec<(usize, Cell)>, row: Row, most: usize) -> Option<usize> {
        self.observed += 1;
        let key = (cells, row.end == End::Returned);
        if let Some(known) = self.known.get(&key) {
            let kept = &mut self.rows[*known];
            if row.call < kept.call {
                *kept = row;
            }
            return None;
        }
        if self.rows.len() >= most {
            return None;
        }
        let at = self.rows.len();
        for (column, cell) in &key.0 {
            let cells = &mut self.cells[*column];
            cells.resize(at, Cell::Undefined);
            cells.push(*cell);
        }
        self.returns += usize::from(row.end == End::Returned);
        self.rows.push(row);
        self.known.insert(key, at);
        Some(at)
    }

    /// The rows whose call came back.
    pub fn returned(&self) -> Bits {
        Bits::of(self.len(), |row| self.rows[row].end == End::Returned)
    }

    /// The rows whose call panicked.
    pub fn panicked(&self) -> Bits {
        Bits::of(self.len(), |row| self.rows[row].end != End::Returned)
    }

    /// How many different values a column has in these rows, counted up to a few.
    pub(crate) fn variety(&self, column: usize, rows: &Bits) -> usize {
        const ENOUGH: usize = 4;
        let mut seen: Vec<Cell> = Vec::new();
        for row in rows.rows().filter(|row| *row < self.len()) {
            let cell = self.cell(column, row);
            if cell != Cell::Undefined && !seen.contains(&cell) {
                seen.push(cell);
                if seen.len() == ENOUGH {
                    break;
                }
            }
        }
        seen.len()
    }
}
