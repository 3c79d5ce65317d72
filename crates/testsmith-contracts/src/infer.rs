//! All contracts of a callable: [`infer`].

use crate::atom::Atom;
use crate::bits::Bits;
use crate::contract::{Contract, Formula, Kind, Support};
use crate::equation::equations;
use crate::outcome::outcomes;
use crate::panics::panics;
use crate::table::Table;
use crate::template::conditions;

/// What claims have to rest on.
pub(crate) struct Evidence {
    /// The rows whose call came back.
    pub(crate) returned: Bits,
    /// Distinct rows that have to show a claim.
    pub(crate) fewest: usize,
}

impl Evidence {
    /// Whether something held after all calls that came back, and after so many of them.
    pub(crate) fn supports(&self, table: &Table, atom: &Atom, fewest: usize) -> bool {
        let mut shown = 0;
        for row in self.returned.rows().filter(|row| *row < table.len()) {
            match atom.holds(table, row) {
                Some(true) => shown += 1,
                Some(false) => return false,
                None => {}
            }
        }
        shown >= fewest
    }

    pub(crate) fn always(&self, table: &Table, kind: Kind, atom: Atom) -> Contract {
        let (holds, _) = atom.rows(table);
        let support = Support { shown: holds.common(&self.returned), of: self.returned.count() };
        Contract { kind, formula: Formula::Always(atom), support }
    }
}

/// Distinct rows that have to show a claim.
const FEWEST: usize = 20;

/// Whether a contract says when a column is true.
fn is_about(contract: &Contract, column: usize) -> bool {
    matches!(&contract.formula, Formula::Exactly { what: Atom::Is(decided, _), .. } if *decided == column)
}

/// What holds in all rows of a callable: panics, outcomes, equations, what stays as it was, and the rest.
pub fn infer(table: &Table) -> Vec<Contract> {
    let evidence = Evidence { returned: table.returned(), fewest: FEWEST };
    let conditions = conditions(table);
    let mut all: Vec<Contract> = panics(table, &conditions, &evidence).into_iter().collect();
    if evidence.returned.count() >= evidence.fewest {
        all.extend(outcomes(table, &conditions, &evidence));
        let decided = |column: &usize| all.iter().any(|contract| is_about(contract, *column));
        let open: Vec<usize> = (0..table.columns().len()).filter(|column| !decided(column)).collect();
        all.extend(equations(table, &open, &conditions, &evidence));
    }
    all.sort_by_key(|contract| contract.kind);
    all
}
