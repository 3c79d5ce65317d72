//! What a search needs to solve for inputs: the harness for wasm, or the reason why there is none.

use testsmith_model::Package;

use crate::build::Builder;
use crate::cli::StrategyArg;
use crate::failure::{Code, Failure};
use crate::options::PackageOptions;

/// The engine's side of a search.
#[derive(Default)]
pub(crate) struct Symbolic {
    #[cfg(feature = "symbolic")]
    pub(crate) module: Option<testsmith_symex::wasm::Module>,
    /// The solver of the configuration.
    #[cfg(feature = "symbolic")]
    pub(crate) solver: Option<crate::external_solver::ExternalSolver>,
    /// Why there is no module, though the strategy would use one.
    pub(crate) missing: Option<String>,
}

/// Builds the harness for wasm, where the strategy has a use for it. A failure where nothing but that was asked for.
pub(crate) fn prepare(
    strategy: StrategyArg,
    builder: &Builder,
    package: &Package,
    options: &PackageOptions,
) -> Result<Symbolic, Failure> {
    if !matches!(strategy, StrategyArg::Symbolic | StrategyArg::Hybrid) {
        return Ok(Symbolic::default());
    }
    let symbolic = built(builder, package, options)?;
    match &symbolic.missing {
        Some(reason) if strategy == StrategyArg::Symbolic => {
            let advice = "every other strategy does without it";
            Err(Failure::new(Code::Environment, format!("no harness for `symbolic`: {reason}\n  {advice}")))
        }
        _ => Ok(symbolic),
    }
}

#[cfg(feature = "symbolic")]
fn built(builder: &Builder, package: &Package, options: &PackageOptions) -> Result<Symbolic, Failure> {
    let solver = crate::external_solver::ExternalSolver::named(&options.config()?.solver)?;
    Ok(match crate::wasm::build(builder, package)? {
        Ok(module) => Symbolic { module: Some(module), solver, missing: None },
        Err(reason) => Symbolic { module: None, solver, missing: Some(reason) },
    })
}

#[cfg(not(feature = "symbolic"))]
fn built(_: &Builder, _: &Package, _: &PackageOptions) -> Result<Symbolic, Failure> {
    Ok(Symbolic { missing: Some("this cargo-testsmith was built without the feature `symbolic`".to_owned()) })
}

impl Symbolic {
    /// What the user should know.
    pub(crate) fn note(&self) -> Option<String> {
        self.missing.as_ref().map(|reason| format!("note: nothing is solved for: {reason}"))
    }
}
