//! Which parameter of a callable is which of the function behind it: closures are written into the call and are no
//! parameters of the callable, formatting takes the receiver alone.

use testsmith_ir::api::Callable;

/// For each parameter of a callable, its index among the function's.
pub(super) fn align(callable: &Callable, names: &[&str]) -> Vec<Option<usize>> {
    let params = &callable.params;
    if params.len() == names.len() {
        return (0..params.len()).map(Some).collect();
    }
    let mut next = 0;
    let each = params.iter().enumerate().map(|(at, param)| {
        // Patterns have no name in the function, and some text of their own in the callable.
        let fits = |name: &&str| *name == param.name || *name == "_" && !is_word(&param.name);
        let found = (next..names.len()).find(|at| fits(&names[*at]));
        let found = found.or_else(|| Some(at.max(next)).filter(|at| *at < names.len()));
        next = found.map_or(next, |at| at + 1);
        found
    });
    each.collect()
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use testsmith_ir::sketch;

    #[test]
    fn parameters_are_found_in_spite_of_closures_and_patterns() {
        let rows = [
            ("self: &S; n: u8", "self n", "0 1"),
            ("self: &S; n: u8", "self f n", "0 2"),
            ("value: &S", "self f", "0"),
            ("(a, b): u8; n: u8", "f _ n", "1 2"),
            ("n: u8; m: u8", "f n g m", "1 3"),
            ("n: u8", "", "-"),
        ];
        for (params, names, expected) in rows {
            let table = format!("type S\ntype u8: copy\nfn f({params}) => f()");
            let api = sketch::api(&table).expect("the table is right");
            let names: Vec<&str> = names.split_whitespace().collect();
            let found = align(&api.callables[0], &names).into_iter();
            let found = found.map(|at| at.map_or("-".to_owned(), |at| at.to_string()));
            assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{params}");
        }
    }
}
