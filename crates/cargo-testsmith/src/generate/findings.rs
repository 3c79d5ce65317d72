//! Panics that nobody declared: for each place the shortest program that shows it.

use serde::Serialize;
use testsmith_ir::{Api, Program, check, render};
use testsmith_model::api::PanicKind;
use testsmith_rt::harness::wire::{Bitmap, Outcome};
use testsmith_search::Found;
use testsmith_suite::lab::{Lab, ProgramObservation, Target};
use testsmith_suite::reduce;
use testsmith_suite::text::{self, TestText};

use super::assertion_policy::CratePolicy;
use crate::api_config::ApiConfig;
use crate::failure::Failure;
use crate::workers::failure;

/// A panic that the docs do not declare.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Finding {
    /// The name of its [`PanicKind`], `explicit` or `other`.
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    /// What is called.
    pub(crate) callable: String,
    /// The statements that lead to it.
    pub(crate) program: Vec<String>,
    /// The paths that they need imported.
    pub(crate) imports: Vec<String>,
    /// The ignored test that was written for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) test: Option<String>,
    /// The same as data.
    #[serde(skip)]
    pub(crate) shortest: Program,
}

impl Finding {
    /// As a test that is ignored until somebody sees to it.
    pub(crate) fn as_test(&self, api: &Api) -> Option<TestText> {
        let Finding { kind, message, file, line, .. } = self;
        let said: String = message.lines().next().unwrap_or_default().chars().take(LONGEST_MESSAGE).collect();
        let reason = format!("a panic that the docs do not declare ({kind})");
        text::finding(api, &self.shortest, format!("panics at {file}:{line}: {said}"), reason)
    }
}

/// Of a message, in a comment.
const LONGEST_MESSAGE: usize = 90;

/// The panics of a search that nobody declared, by place.
pub(crate) fn findings(
    lab: &Lab<'_>,
    policy: &CratePolicy<'_>,
    found: &Found,
) -> Result<Vec<Finding>, Failure> {
    let mut undeclared = Vec::new();
    for ((file, line), panic) in &found.panics {
        let mut program = panic.program.as_ref().clone();
        program.statements.truncate(usize::from(panic.statement) + 1);
        let outcome = Outcome::Panic { message: panic.message.clone(), file: file.clone(), line: *line };
        if policy.is_finding(&program, &outcome) {
            undeclared.push(((file.clone(), *line), program));
        }
    }
    let reduced = reduce::panics(lab, undeclared).map_err(failure)?;
    let messages = messages(lab, &reduced)?;
    let finding = |(((file, line), program), message): (((String, u32), Program), Option<String>)| {
        let message = message.unwrap_or_else(|| found.panics[&(file.clone(), line)].message.clone());
        let callable = policy.last_of(&program).map_or(String::new(), |origin| origin.path.clone());
        let kind = kind(&message, policy, &file, line);
        let (lines, imports) = shown(lab, &program);
        Finding {
            kind,
            message,
            file,
            line,
            callable,
            program: lines,
            imports,
            test: None,
            shortest: program,
        }
    };
    Ok(reduced.into_iter().zip(messages).map(finding).collect())
}

/// What the shortened programs say: another one than the search's may panic in the same place with other words.
fn messages(lab: &Lab<'_>, reduced: &[((String, u32), Program)]) -> Result<Vec<Option<String>>, Failure> {
    let asked: Vec<_> =
        reduced.iter().map(|(_, program)| (program.clone(), Target::Listed(Vec::new()))).collect();
    let message = |observed: Option<ProgramObservation>| match observed?.outcome {
        Outcome::Panic { message, .. } => Some(message),
        _ => None,
    };
    Ok(lab.look(&asked, &Bitmap::default()).map_err(failure)?.into_iter().map(message).collect())
}

/// Places of a search whose panics nobody wants to know of.
pub(crate) fn ignored(found: &Found, api_config: &ApiConfig) -> usize {
    let is_ignored =
        |((file, line), message): (&(String, u32), &str)| api_config.ignores(file, *line, message);
    found
        .panics
        .iter()
        .map(|(place, panic)| (place, panic.message.as_str()))
        .filter(|it| is_ignored(*it))
        .count()
}

/// A program as text, with what it needs imported.
pub(crate) fn shown(lab: &Lab<'_>, program: &Program) -> (Vec<String>, Vec<String>) {
    let Ok(liveness) = check(lab.api, program) else { return (Vec::new(), Vec::new()) };
    let rendered = render(lab.api, program, &liveness, &render::Options::default());
    let lines = rendered.body.lines().map(str::to_owned).collect();
    (lines, rendered.imports.into_iter().collect())
}

fn kind(message: &str, policy: &CratePolicy<'_>, file: &str, line: u32) -> &'static str {
    let explicit = || if policy.is_explicit(file, line) { "explicit" } else { "other" };
    PanicKind::of(message).map_or_else(explicit, PanicKind::name)
}
