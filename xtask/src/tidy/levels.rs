//! The levels of the crates: a dependency points to a strictly lower level.
//!
//! [`LEVELS`] is the table of the architecture page; `read` reduces cargo's metadata to what the
//! pure `check` needs.

use cargo_metadata::{DependencyKind, Metadata};

use super::Problem;

const LEVELS: &[(&str, u8)] = &[
    ("testsmith-ir", 0),
    ("testsmith-rt", 1),
    ("testsmith-proc", 1),
    ("testsmith-store", 1),
    ("testsmith-symex", 1),
    ("testsmith-model", 2),
    ("testsmith-exec", 2),
    ("testsmith-callgraph", 2),
    ("testsmith-instrument", 3),
    ("testsmith-contracts", 2),
    ("testsmith-search", 3),
    ("testsmith-suite", 3),
    ("cargo-testsmith", 4),
];

/// Linked into the user's code or built for wasm: nothing third-party comes along.
const ALONE: &[&str] = &["testsmith-ir", "testsmith-rt"];

/// A package below `crates/` with the dependencies that its users get.
pub(super) struct Krate {
    name: String,
    dependencies: Vec<Dependency>,
}

struct Dependency {
    name: String,
    ours: bool,
}

pub(super) fn read(metadata: &Metadata) -> Vec<Krate> {
    let crates = metadata.workspace_root.join("crates");
    let ours = metadata
        .workspace_packages()
        .into_iter()
        .filter(|package| package.manifest_path.starts_with(&crates));
    let krate = |package: &cargo_metadata::Package| Krate {
        name: package.name.to_string(),
        dependencies: package
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind != DependencyKind::Development)
            .map(|dependency| Dependency { name: dependency.name.clone(), ours: dependency.path.is_some() })
            .collect(),
    };
    ours.map(krate).collect()
}

pub(super) fn check(crates: &[Krate]) -> Vec<Problem> {
    crates.iter().flat_map(|krate| levels_of(krate).into_iter().chain(company_of(krate))).collect()
}

fn levels_of(krate: &Krate) -> Vec<Problem> {
    let Some(level) = level(&krate.name) else {
        return vec![problem(
            krate,
            "has no level: add it to the table in xtask's tidy/levels.rs".to_owned(),
        )];
    };
    let ours = krate.dependencies.iter().filter(|dependency| dependency.ours);
    let upward = ours.filter_map(|dependency| match self::level(&dependency.name) {
        Some(lower) if lower < level => None,
        Some(same) => Some(format!(
            "level {level} depends on {}, level {same}: only lower levels may be seen",
            dependency.name
        )),
        None => Some(format!("depends on {}, which has no level", dependency.name)),
    });
    upward.map(|what| problem(krate, what)).collect()
}

fn company_of(krate: &Krate) -> Vec<Problem> {
    if !ALONE.contains(&krate.name.as_str()) {
        return Vec::new();
    }
    let foreign = krate.dependencies.iter().filter(|dependency| !dependency.ours);
    foreign
        .map(|dependency| {
            problem(krate, format!("must stay without third-party code, has {}", dependency.name))
        })
        .collect()
}

fn level(name: &str) -> Option<u8> {
    LEVELS.iter().find(|(krate, _)| *krate == name).map(|(_, level)| *level)
}

fn problem(krate: &Krate, what: String) -> Problem {
    Problem::new(&krate.name, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `name` depends on the `ours` of this workspace and on `foreign` crates.
    fn problems(name: &str, ours: &[&str], foreign: &[&str]) -> Vec<String> {
        let dependency = |ours| move |name: &&str| Dependency { name: (*name).to_owned(), ours };
        let dependencies =
            ours.iter().map(dependency(true)).chain(foreign.iter().map(dependency(false))).collect();
        let krate = Krate { name: name.to_owned(), dependencies };
        check(&[krate]).into_iter().map(|problem| problem.what).collect()
    }

    #[test]
    fn lower_levels_and_third_parties_are_fine() {
        assert_eq!(problems("testsmith-suite", &["testsmith-proc", "testsmith-ir"], &["serde"]), [""; 0]);
        assert_eq!(problems("testsmith-rt", &["testsmith-ir"], &[]), [""; 0]);
    }

    #[test]
    fn the_same_level_and_higher_ones_are_a_problem() {
        let found = problems("testsmith-suite", &["testsmith-search", "cargo-testsmith"], &[]);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("level 3 depends on testsmith-search, level 3"), "{found:?}");
    }

    #[test]
    fn a_crate_without_a_level_is_a_problem_on_both_ends() {
        assert_eq!(problems("testsmith-new", &[], &[]).len(), 1);
        assert_eq!(problems("cargo-testsmith", &["testsmith-new"], &[]).len(), 1);
    }

    #[test]
    fn the_linked_crates_stay_alone() {
        assert_eq!(problems("testsmith-rt", &[], &["libc"]).len(), 1);
        assert_eq!(problems("testsmith-ir", &[], &["serde"]).len(), 1);
    }

    #[test]
    fn whoever_stays_alone_has_a_level() {
        assert!(ALONE.iter().all(|name| level(name).is_some()));
    }
}
