//! Callables whose results are not the same every time or everywhere, so that no test rests on them, and how that is known: for the report.

use std::collections::BTreeMap;

use testsmith_model::api::{Model, Origin};
use testsmith_search::nondeterminism::{Nondeterminism, Reason, Trait};

use super::verify::Dropped;

/// By the path of a callable, the reason.
pub(super) fn unsteady(
    nondeterminism: &Nondeterminism,
    dropped: &Dropped,
    model: &Model,
) -> BTreeMap<String, String> {
    let marked = nondeterminism.iter().filter(|(_, what, _)| *what != Trait::Reveals);
    let marked = marked.map(|(callable, _, reason)| (callable, text(reason)));
    let elsewhere = dropped.callables_elsewhere.iter();
    let elsewhere =
        elsewhere.map(|(callable, world)| (callable.0, format!("a test of it did not pass {world}")));
    let mut unsteady = BTreeMap::new();
    for (callable, because) in marked.chain(elsewhere) {
        let is_its = |origin: &&Origin| origin.callables.contains(&(callable as usize));
        if let Some(origin) = model.origins.iter().find(is_its) {
            unsteady.entry(origin.path.clone()).or_insert(because);
        }
    }
    unsteady
}

fn text(reason: &Reason) -> String {
    match reason {
        Reason::Seen([first, second]) => format!("one run gave {first}, another one {second}"),
        Reason::Source(source) => source.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_says_what_was_seen_or_known() {
        let seen = Reason::Seen(["1".to_owned(), "2".to_owned()]);
        assert_eq!(text(&seen), "one run gave 1, another one 2");
        assert_eq!(text(&Reason::Source("it reads a clock".to_owned())), "it reads a clock");
    }
}
