//! Documentation in step with the code: regions that the built tool can write itself.
//!
//! [`REGIONS`] says which command writes which marked region. `tidy` compares, `tidy --bless`
//! rewrites.

use std::process::Command;

use super::Problem;
use crate::fail::Result;
use crate::repo::Repo;
use crate::tool::{self, Profile};
use crate::{files, shell};

struct Region {
    file: &'static str,
    /// The region lies between `<!-- begin: marker -->` and `<!-- end: marker -->`.
    marker: &'static str,
    command: &'static [&'static str],
    /// The language of the code block that the output is put in, where it is not Markdown itself.
    fence: Option<&'static str>,
}

const REGIONS: &[Region] = &[
    Region {
        file: "docs/operators.md",
        marker: "operators",
        command: &["operators", "--markdown"],
        fence: None,
    },
    Region { file: "docs/config.md", marker: "config", command: &["config"], fence: Some("toml") },
];

/// What comparing or blessing a text came to.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    InStep,
    Rewritten(String),
    Problem(String),
}

pub(super) fn run(repo: &Repo, bless: bool) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    let testsmith = tool::build(repo, Profile::Dev)?;
    for region in REGIONS {
        let path = repo.root().join(region.file);
        if !path.exists() {
            problems.push(Problem::new(region.file, "is missing"));
            continue;
        }
        match shell::stdout(Command::new(&testsmith).arg("testsmith").args(region.command)) {
            Err(fail) => problems.push(Problem::new(region.file, format!("cannot be compared: {fail}"))),
            Ok(output) => match settle(&files::read(&path)?, region, &output, bless) {
                Outcome::InStep => {}
                Outcome::Rewritten(text) => files::write(&path, &text)?,
                Outcome::Problem(what) => problems.push(Problem::new(region.file, what)),
            },
        }
    }
    Ok(problems)
}

/// Compares the region of `text` with the command's `output`, or puts it in.
fn settle(text: &str, region: &Region, output: &str, bless: bool) -> Outcome {
    let begin = format!("<!-- begin: {} -->", region.marker);
    let end = format!("<!-- end: {} -->", region.marker);
    let Some((before, within, after)) = split(text, &begin, &end) else {
        return Outcome::Problem(format!("has no region between `{begin}` and `{end}`"));
    };
    let expected = fenced(output, region.fence);
    if within.trim() == expected.trim() {
        Outcome::InStep
    } else if bless {
        Outcome::Rewritten(format!("{before}{begin}\n{expected}\n{end}{after}"))
    } else {
        let command = region.command.join(" ");
        Outcome::Problem(format!("differs from `cargo testsmith {command}`: run `cargo xtask tidy --bless`"))
    }
}

fn split<'text>(text: &'text str, begin: &str, end: &str) -> Option<(&'text str, &'text str, &'text str)> {
    let (before, rest) = text.split_once(begin)?;
    let (within, after) = rest.split_once(end)?;
    Some((before, within, after))
}

fn fenced(output: &str, fence: Option<&str>) -> String {
    let output = output.trim_end();
    match fence {
        Some(language) => format!("```{language}\n{output}\n```"),
        None => output.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Region = Region { file: "a.md", marker: "table", command: &["print"], fence: None };
    const BLOCK: Region = Region { file: "a.md", marker: "block", command: &["print"], fence: Some("toml") };

    #[test]
    fn a_region_that_matches_is_in_step() {
        let text = "x\n<!-- begin: table -->\n| a |\n<!-- end: table -->\ny\n";
        assert_eq!(settle(text, &TABLE, "| a |\n", false), Outcome::InStep);
        assert_eq!(settle(text, &TABLE, "| a |\n", true), Outcome::InStep);
    }

    #[test]
    fn a_region_that_differs_is_a_problem_or_is_rewritten() {
        let text = "x\n<!-- begin: table -->\n| a |\n<!-- end: table -->\ny\n";
        assert!(matches!(settle(text, &TABLE, "| b |\n", false), Outcome::Problem(_)));
        let blessed = "x\n<!-- begin: table -->\n| b |\n<!-- end: table -->\ny\n";
        assert_eq!(settle(text, &TABLE, "| b |\n", true), Outcome::Rewritten(blessed.to_owned()));
    }

    #[test]
    fn a_code_block_is_compared_with_its_fence() {
        let text = "<!-- begin: block -->\n```toml\na = 1\n```\n<!-- end: block -->";
        assert_eq!(settle(text, &BLOCK, "a = 1\n", false), Outcome::InStep);
        assert!(matches!(settle(text, &BLOCK, "a = 2\n", false), Outcome::Problem(_)));
    }

    #[test]
    fn a_missing_marker_is_a_problem_even_when_blessing() {
        for text in ["", "<!-- begin: table -->", "<!-- end: table --> <!-- begin: table -->"] {
            assert!(matches!(settle(text, &TABLE, "", true), Outcome::Problem(_)), "{text}");
        }
    }
}
