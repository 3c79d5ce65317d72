//! The cell of a table whose expected value no longer holds: which one it is, and what it has to become.

use syn::visit::Visit;
use syn::{Expr, ExprForLoop, Pat};

use super::printed::Printed;

/// The cell that an assertion in a loop over a table compares with, and the value that it has to have. `expected` is what stands behind the
/// comma, `left` and `right` what the two sides were. `None` if that could be several rows.
pub(super) fn cell(
    function: &syn::ItemFn,
    expected: &Expr,
    left: &Printed,
    right: &Printed,
) -> Option<(Expr, Printed)> {
    let (column, new, old) = column(expected, left, right)?;
    let mut tables = Tables::default();
    tables.visit_item_fn(function);
    let [table] = tables.found.as_slice() else { return None };
    let Expr::Array(rows) = &*table.expr else { return None };
    let cells: Option<Vec<&Expr>> = rows.elems.iter().map(|row| cell_of(&table.pat, row, &column)).collect();
    let is_old = |cell: &&Expr| printed(cell).as_ref() == Some(&old);
    match cells?.into_iter().filter(is_old).collect::<Vec<_>>().as_slice() {
        [one] => Some(((*one).clone(), new)),
        _ => None,
    }
}

#[derive(Default)]
struct Tables {
    found: Vec<ExprForLoop>,
}

impl Visit<'_> for Tables {
    fn visit_expr_for_loop(&mut self, table: &ExprForLoop) {
        self.found.push(table.clone());
    }
}

/// The variable that an expression is made of, and what it was and is: `Ok(expected)` of `Ok(1)`.
fn column(expr: &Expr, left: &Printed, right: &Printed) -> Option<(String, Printed, Printed)> {
    match (expr, left, right) {
        (Expr::Path(path), _, _) => Some((path.path.get_ident()?.to_string(), left.clone(), right.clone())),
        (Expr::Call(call), Printed::Named(name, new), Printed::Named(other, old)) if name == other => {
            match (call.args.first(), call.args.len(), new.as_slice(), old.as_slice()) {
                (Some(argument), 1, [new], [old]) => column(argument, new, old),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The cell of a row for a variable of the pattern.
fn cell_of<'r>(pattern: &Pat, row: &'r Expr, column: &str) -> Option<&'r Expr> {
    let is_it = |pattern: &Pat| matches!(pattern, Pat::Ident(name) if name.ident == column);
    match (pattern, row) {
        (Pat::Tuple(names), Expr::Tuple(cells)) => cells.elems.get(names.elems.iter().position(is_it)?),
        (pattern, row) => is_it(pattern).then_some(row),
    }
}

/// A literal as `Debug` prints it.
fn printed(cell: &Expr) -> Option<Printed> {
    let text = quote::ToTokens::to_token_stream(cell).to_string().replace("- ", "-");
    let number = text
        .find(|c: char| c.is_ascii_alphabetic())
        .filter(|_| text.starts_with(|c: char| c == '-' || c.is_ascii_digit()));
    Printed::read(&text[..number.unwrap_or(text.len())])
}
