//! What cargo is configured to build for. Tests and mutants run here, so that everything is built for the host; where the user
//! has set something else, or the host by its name, cargo has to be told so.

use std::path::{Path, PathBuf};

/// The target that the user has configured for a folder, if any: in the environment, or in the first configuration file that
/// names one, from the folder upwards and then in cargo's home.
pub(crate) fn configured(dir: &Path) -> Option<String> {
    let of_environment = std::env::var("CARGO_BUILD_TARGET").ok().filter(|target| !target.is_empty());
    of_environment
        .or_else(|| files(dir).iter().find_map(|file| target_in(&std::fs::read_to_string(file).ok()?)))
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let folders = dir.ancestors().map(|dir| dir.join(".cargo")).chain(home);
    folders.flat_map(|folder| ["config.toml", "config"].map(|name| folder.join(name))).collect()
}

/// `build.target`, of which there may be several.
fn target_in(config: &str) -> Option<String> {
    let config: toml::Table = config.parse().ok()?;
    let target = config.get("build")?.get("target")?;
    let first = target.as_array().and_then(|targets| targets.first()).unwrap_or(target);
    first.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_read_however_it_is_written() {
        let table = [
            ("[build]\ntarget = \"wasm32-wasip1\"\n", Some("wasm32-wasip1")),
            ("build.target = [\"a\", \"b\"]\n", Some("a")),
            ("[build]\njobs = 2\n", None),
            ("[target.a]\nrunner = \"x\"\n", None),
            ("= =", None),
        ];
        for (config, target) in table {
            assert_eq!(target_in(config).as_deref(), target, "{config}");
        }
    }
}
