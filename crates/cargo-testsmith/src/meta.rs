//! Builds the meta-program: writes it, lets the compiler look at it, takes out what it rejects, and again.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use testsmith_instrument::{Diagnostic, Place, Plan, Rendered, render};
use testsmith_model::Workspace;

use crate::build::{Builder, Built, CompilerMessage, Span};
use crate::build_failure;
use crate::copy::write_if_changed;
use crate::failure::Failure;
use crate::harness::Draft;
use crate::{memory, score};

/// Rounds after which something is wrong: errors come in a few phases, and each round takes out what it finds. But of a long
/// sum of generic numbers the compiler tells one wrong operator at a time (euclid's determinant: 27 rounds).
const MOST_ROUNDS: usize = 100;

/// How the meta-program came about.
pub(crate) struct MetaProgram {
    pub(crate) built: Built,
    /// How often the compiler was asked.
    pub(crate) rounds: usize,
}

/// What is built of the meta-program.
pub(crate) enum Purpose<'a> {
    /// The test targets.
    Tests,
    /// A program that drives it.
    Harness(&'a mut Draft),
}

/// Writes and builds the meta-program; mutants that the compiler rejects are switched off in the plan, entries of the
/// harness in its draft.
pub(crate) fn build(
    builder: &Builder,
    workspace: &Workspace,
    plan: &mut Plan,
    purpose: &mut Purpose<'_>,
) -> Result<MetaProgram, Failure> {
    let copies = &builder.copies;
    let relative = |at: usize| {
        let path = &plan.tree.files[at].path;
        path.strip_prefix(&copies.origin).map_or_else(|_| path.clone(), Path::to_owned)
    };
    let paths: Vec<PathBuf> = (0..plan.tree.files.len()).map(relative).collect();
    let rewritten: BTreeSet<_> = paths.iter().cloned().collect();
    let is_harness = matches!(purpose, Purpose::Harness(_));
    copies.update_meta(workspace, &rewritten, is_harness)?;
    let key = key(builder, plan);
    memory::load::<Rejected>(&path(builder), &key).apply(plan);
    if let Purpose::Harness(draft) = purpose {
        draft.recall(builder);
    }
    for rounds in 1..=MOST_ROUNDS {
        let rendered: Vec<Rendered> = (0..paths.len()).map(|at| render(plan, at)).collect();
        for (path, rendered) in paths.iter().zip(&rendered) {
            write_if_changed(&copies.meta().join(path), &rendered.text)?;
        }
        let built = match purpose {
            Purpose::Tests => builder.build_tests(&copies.meta(), &workspace.packages)?,
            Purpose::Harness(draft) => draft.build(builder, plan.mutants.len())?,
        };
        if built.success {
            memory::store(&path(builder), &key, Rejected::of(plan))?;
            if let Purpose::Harness(draft) = purpose {
                draft.remember(builder)?;
            }
            return Ok(MetaProgram { built, rounds });
        }
        if let Purpose::Harness(draft) = purpose
            && draft.give_up_allocator(&built.errors)
        {
            continue;
        }
        let (of_harness, of_crate): (Vec<_>, Vec<_>) = match purpose {
            Purpose::Tests => (Vec::new(), built.errors.iter().collect()),
            Purpose::Harness(draft) => built.errors.iter().partition(|error| draft.entry(error).is_some()),
        };
        let diagnostics: Vec<_> = of_crate.iter().map(|e| diagnostic(e, &paths)).collect();
        let outcome = plan.reject_blamed(&rendered, &diagnostics);
        if let Purpose::Harness(draft) = purpose {
            draft.reject(&of_harness);
        }
        if !outcome.is_progress() && of_harness.is_empty() {
            return Err(match builder.copies.full_disk(&built.words()) {
                Some(full) => full,
                None => unexplained(workspace, builder, &built)?,
            });
        }
    }
    Err(Failure::bug(format!("the meta-program did not compile in {MOST_ROUNDS} rounds")))
}

/// What else may be wrong: the crate itself, which nobody has compiled before where no existing test matters.
fn unexplained(workspace: &Workspace, builder: &Builder, built: &Built) -> Result<Failure, Failure> {
    let plain = builder.build_tests(&builder.copies.plain(), &workspace.packages)?;
    if !plain.success {
        return Ok(score::does_not_compile(&plain, builder));
    }
    if let Some(failure) = build_failure::explained(&built.words()) {
        return Ok(failure);
    }
    let words = built.errors.iter().find_map(|e| e.rendered.clone()).unwrap_or_else(|| built.stderr.clone());
    Ok(Failure::bug(format!("the meta-program does not compile, and no mutant is to blame\n{words}")))
}

/// The compiler's error, with its places in terms of the plan's files.
fn diagnostic(error: &CompilerMessage, paths: &[PathBuf]) -> Diagnostic {
    let mut spans: Vec<&Span> = Vec::new();
    // The main place first; for code that a macro made, also where the macro was called.
    for wanted in [true, false] {
        for span in error.spans.iter().filter(|span| span.is_primary == wanted) {
            let mut next = Some(span);
            while let Some(span) = next {
                spans.push(span);
                next = span.expansion.as_ref().map(|expansion| &expansion.span);
            }
        }
    }
    let place = |span: &Span| Place {
        file: paths.iter().position(|path| Path::new(&span.file_name) == path),
        range: span.byte_start..span.byte_end,
    };
    Diagnostic {
        code: error.code.as_ref().map(|code| code.code.clone()),
        message: error.message.lines().next().unwrap_or_default().to_owned(),
        places: spans.into_iter().map(place).collect(),
    }
}

/// What the compiler has rejected.
#[derive(Default, Serialize, Deserialize)]
struct Rejected {
    rejected: BTreeMap<String, String>,
    left_alone: BTreeMap<String, String>,
}

impl Rejected {
    fn of(plan: &Plan) -> Rejected {
        let rejected = plan.rejected().map(|(id, reason)| (id.to_string(), reason.to_owned())).collect();
        let left_alone =
            plan.left_alone().map(|(path, reason)| (path.to_owned(), reason.to_owned())).collect();
        Rejected { rejected, left_alone }
    }

    fn apply(&self, plan: &mut Plan) {
        plan.reject_known(|id| self.rejected.get(id).cloned(), |path| self.left_alone.get(path).cloned());
    }
}

fn path(builder: &Builder) -> PathBuf {
    builder.copies.home.join("rejected.json")
}

fn key(builder: &Builder, plan: &Plan) -> String {
    memory::key(builder, |hasher| {
        for at in 0..plan.tree.files.len() {
            (&plan.tree.files[at].name, &render(plan, at).text).hash(hasher);
        }
    })
}
