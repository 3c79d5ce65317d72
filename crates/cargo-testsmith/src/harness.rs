//! The harness of a package: asks rustdoc for its API, writes the harness beside the meta-program, and takes out what
//! the compiler rejects.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use testsmith_instrument::Plan;
use testsmith_instrument::harness::{Entry, Harness};
use testsmith_model::api::{DocError, Model, Reach, document};
use testsmith_model::{Package, TargetKind};

use crate::build::{Builder, Built, CompilerMessage, Span};
use crate::copy::{HARNESS, write_if_changed};
use crate::failure::{Code, Failure};
use crate::filter::Filter;
use crate::list;
use crate::meta::{self, MetaProgram, Purpose};
use crate::options::PackageOptions;
use crate::report::progress::Progress;

/// A meta-program with a harness that drives it.
pub(crate) struct Driven {
    pub(crate) model: Model,
    pub(crate) plan: Plan,
    pub(crate) built: MetaProgram,
    /// Whether the harness counts allocations. It does unless the crate has an allocator of its own.
    pub(crate) counts_memory: bool,
}

/// Reads the API of a package and builds its meta-program with a harness.
pub(crate) fn build(
    options: &PackageOptions,
    filter: &Filter,
    builder: &Builder,
    package: &Package,
    reach: Reach,
    progress: &Progress,
) -> Result<Driven, Failure> {
    progress.phase("reading the API");
    builder.copies.update_plain(&options.workspace)?;
    let mut draft = Draft::of(builder, package, reach)?;
    let mut plan = list::plan(options, filter, builder)?;
    if reach == Reach::Private {
        plan.open();
    }
    progress.phase("building the harness");
    let built = meta::build(builder, &options.workspace, &mut plan, &mut Purpose::Harness(&mut draft))?;
    Ok(Driven { counts_memory: draft.counts_memory, model: draft.model, plan, built })
}

/// A harness that is being built.
pub(crate) struct Draft {
    pub(crate) model: Model,
    package: Package,
    harness: Option<Harness>,
    counts_memory: bool,
}

impl Draft {
    /// Reads the API of a package from its plain copy, which has been built.
    pub(crate) fn of(builder: &Builder, package: &Package, reach: Reach) -> Result<Draft, Failure> {
        let Some(library) = package.library().filter(|library| library.kind == TargetKind::Lib) else {
            return Err(Failure::new(
                Code::Baseline,
                format!(
                    "{} has no library, so there is nothing to call from outside\n  \
                     move its code to src/lib.rs, which src/main.rs then uses",
                    package.name
                ),
            ));
        };
        let spec = builder.cargo(&builder.copies.plain(), "rustdoc").args(["--lib", "-p", &package.name]);
        let spec = spec.args(builder.args()).args(builder.features.args());
        let text = document(spec, &builder.copies.build(), &library.name).map_err(failure)?;
        let path = builder.copies.build().join("doc");
        let model = Model::read(&text, reach).ok_or(DocError::Unreadable(path)).map_err(failure)?;
        Ok(Draft { model, package: package.clone(), harness: None, counts_memory: true })
    }

    /// Writes and builds it as it is now.
    pub(crate) fn build(&mut self, builder: &Builder, mutants: usize) -> Result<Built, Failure> {
        let harness = Harness::new(&self.model.api, mutants, self.counts_memory);
        let dir = builder.copies.place(&self.package.dir, &builder.copies.meta()).join(HARNESS);
        for (name, text) in &harness.files {
            write_if_changed(&dir.join(name), text)?;
        }
        self.harness = Some(harness);
        builder.build_harness(&builder.copies.meta(), &self.package)
    }

    /// The entry that an error is about.
    pub(crate) fn entry(&self, error: &CompilerMessage) -> Option<Entry> {
        error.spans.iter().find_map(|span| {
            let mut next = Some(span);
            while let Some(span) = next {
                if let Some(entry) = self.entry_at(span) {
                    return Some(entry);
                }
                next = span.expansion.as_ref().map(|expansion| &expansion.span);
            }
            None
        })
    }

    fn entry_at(&self, span: &Span) -> Option<Entry> {
        let path = Path::new(&span.file_name);
        let is_ours = path.parent().is_some_and(|dir| dir.ends_with(HARNESS));
        let name = path.file_name().filter(|_| is_ours)?.to_str()?;
        self.harness.as_ref()?.entry(name, span.line_start)
    }

    /// Leaves the allocator to the crate if that is what an error is about; whether it is.
    pub(crate) fn give_up_allocator(&mut self, errors: &[CompilerMessage]) -> bool {
        let is_conflict =
            |error: &CompilerMessage| error.message.contains("#[global_allocator]") && error.code.is_none();
        let gives_up = self.counts_memory && errors.iter().any(is_conflict);
        self.counts_memory &= !gives_up;
        gives_up
    }

    /// Takes out what errors are about.
    pub(crate) fn reject(&mut self, errors: &[&CompilerMessage]) {
        let mut reasons = BTreeMap::new();
        for error in errors {
            match self.entry(error) {
                Some(Entry::Call(id)) => {
                    let reason = error.message.lines().next().unwrap_or_default().to_owned();
                    reasons.entry(id).or_insert(reason);
                }
                Some(Entry::Kind(id)) => self.model.forget(id),
                None => {}
            }
        }
        self.model.remove(&reasons);
    }
}

fn failure(error: DocError) -> Failure {
    let code = match &error {
        DocError::Start(_) => Code::Environment,
        DocError::Failed(_) => Code::Baseline,
        DocError::Interrupted => Code::Interrupted,
        DocError::Unreadable(_) => return Failure::bug(error),
    };
    Failure::new(code, error.to_string())
}

/// Where a harness was built.
pub(crate) fn executable(built: &Built) -> Result<PathBuf, Failure> {
    built.harness().map(Path::to_owned).ok_or_else(|| Failure::bug("cargo built no harness"))
}
