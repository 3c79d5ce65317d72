//! The recorded queries, read into a table of expressions each.
//!
//! Main type: [`Recorded`].

use std::fs;
use std::path::Path;

use testsmith_symex::expr::{Expr, Exprs};
use testsmith_symex::solver::smtlib;

use crate::fail::{Context, Fail, Result};

/// A query of the set.
pub(super) struct Recorded {
    pub(super) name: String,
    pub(super) exprs: Exprs,
    pub(super) constraints: Vec<Expr>,
}

/// Every query of the folder whose name contains `only`, by name.
pub(super) fn read(folder: &Path, only: &str) -> Result<Vec<Recorded>> {
    let mut recorded = Vec::new();
    for entry in fs::read_dir(folder).context(format!("read {}", folder.display()))? {
        let path = entry.context("read a folder")?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_none_or(|extension| extension != "smt2") || !name.contains(only) {
            continue;
        }
        let text = fs::read_to_string(&path).context(format!("read {}", path.display()))?;
        let mut exprs = Exprs::new();
        let query =
            smtlib::read(&mut exprs, &text).map_err(|bad| Fail::new(format!("{}: {bad}", path.display())))?;
        recorded.push(Recorded { name, exprs, constraints: query.constraints });
    }
    recorded.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(recorded)
}
