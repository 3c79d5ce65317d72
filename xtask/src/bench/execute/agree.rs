//! Random programs of real crates in two processes each: the same answers but for what is marked, and every lost worker
//! the doing of a program that says so.

use std::path::Path;

use serde_json::{Value, json};

use super::{copy, said};
use crate::fail::Result;
use crate::repo::Repo;
use crate::subjects::Subject;

pub(super) fn measure(repo: &Repo, programs: u64, subject: &Subject, tool: &Path) -> Result<Value> {
    let package = copy(repo, subject)?;
    let agreed = said(tool, &package, "execute", &["--agree", &programs.to_string()])?;
    Ok(json!({ "crate": subject.folder(), "agree": agreed }))
}

pub(super) const HEAD: &str = "crate                  isolation   programs  seconds  differed  unmarked  marks  with marks  \
                               deaths  workers died  lost  | endings, of both processes";

pub(super) fn line(row: &Value) -> String {
    let agree = &row["agree"];
    let count = |field: &str| agree[field].as_u64().unwrap_or_default();
    let endings = agree["endings"].as_object().into_iter().flatten();
    let endings: Vec<String> = endings.map(|(ending, count)| format!("{ending} {count}")).collect();
    format!(
        "{:22} {:10}  {:8}  {:7.0}  {:8}  {:8}  {:5}  {:10}  {:6}  {:12}  {:4}  | {}",
        row["crate"].as_str().unwrap_or_default(),
        agree["isolation"]["mode"].as_str().unwrap_or_default(),
        count("programs"),
        agree["seconds"].as_f64().unwrap_or_default(),
        count("differed"),
        count("unmarked"),
        agree["nondeterminism"].as_array().map_or(0, Vec::len),
        count("with_marks"),
        count("deaths"),
        count("workers_died"),
        count("workers_lost"),
        endings.join(", "),
    )
}

/// All crates together, in words.
pub(super) fn sum(rows: &[Value]) -> String {
    let sum = |field: &str| rows.iter().filter_map(|row| row["agree"][field].as_u64()).sum::<u64>();
    format!(
        "\n{} programs in two processes each: {} differed, {} of them in what is not marked; {} workers died, {} of them \
         nobody knows why",
        sum("programs"),
        sum("differed"),
        sum("unmarked"),
        sum("workers_died"),
        sum("workers_lost"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_summed_up() {
        let row = |programs: u64, differed: u64| {
            let agree = json!({ "programs": programs, "differed": differed, "endings": { "ok": 3 } });
            json!({ "crate": "a-1", "agree": agree })
        };
        assert!(
            sum(&[row(5, 1), row(7, 0)]).starts_with("\n12 programs in two processes each: 1 differed, 0 of")
        );
        assert!(line(&row(5, 1)).ends_with("| ok 3"));
    }
}
