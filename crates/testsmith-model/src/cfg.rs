//! The cfg options that the compiler sets for a crate, and what `#[cfg(…)]` says under them.

use std::collections::BTreeSet;
use std::path::Path;

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{BinOp, Expr, Ident, Lit, LitStr, Token, UnOp};
use testsmith_proc::{Ending, Limits, Spec};

use crate::{FeatureFlags, LoadError, Package, Target};

/// Options such as `unix`, `feature="std"`, as the compiler prints them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CfgSet(BTreeSet<String>);

impl CfgSet {
    /// A set from the lines of `rustc --print cfg`.
    pub fn parse(lines: &str) -> CfgSet {
        CfgSet(lines.lines().map(|line| line.trim().to_owned()).filter(|l| !l.is_empty()).collect())
    }

    /// Asks the compiler. A package without a build script needs no build for it: `dir` is where cargo runs, and `spec` is how it
    /// names the package there; `args` (profile, target folder, …) say how it would build.
    pub fn ask(
        package: &Package,
        dir: &Path,
        spec: &str,
        args: &[String],
        features: &FeatureFlags,
    ) -> Result<CfgSet, LoadError> {
        let lines = if package.has_build_script {
            let cargo = Spec::new(testsmith_proc::cargo())
                .args(["rustc", "--quiet", "-p", spec])
                .args(args)
                .args(features.args())
                .args(target_args(package));
            // The network is asked only where something is missing.
            let offline = cargo.clone().arg("--offline").args(["--", "--print", "cfg"]).dir(dir);
            output(&offline).or_else(|_| output(&cargo.args(["--", "--print", "cfg"]).dir(dir)))?
        } else {
            let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
            let rustc = Spec::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
            output(&rustc.args(["--print", "cfg"]).args(flags.split_whitespace()).dir(dir))?
        };
        let mut set = CfgSet::parse(&lines);
        set.0.extend(package.features.iter().map(|f| format!("feature=\"{f}\"")));
        // The copy is always built with debug assertions on.
        set.0.insert("debug_assertions".to_owned());
        Ok(set)
    }

    /// The same options and `test`.
    pub(crate) fn with_test(&self) -> CfgSet {
        let mut set = self.clone();
        set.0.insert("test".to_owned());
        set
    }

    /// What a condition comes out as that `cfg!(…)` decides; `None` for any other.
    pub fn decides(&self, condition: &Expr) -> Option<bool> {
        match condition {
            Expr::Macro(mac) if mac.mac.path.is_ident("cfg") => {
                let predicate = mac.mac.parse_body::<Predicate>().ok()?;
                Some(self.holds(&predicate))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => Some(!self.decides(&unary.expr)?),
            Expr::Paren(inner) => self.decides(&inner.expr),
            Expr::Binary(binary) => {
                let sides = [self.decides(&binary.left), self.decides(&binary.right)];
                // One side is enough where it is what decides: `cfg!(windows) && path.exists()`.
                let deciding = match binary.op {
                    BinOp::And(_) => false,
                    BinOp::Or(_) => true,
                    _ => return None,
                };
                match sides {
                    [Some(left), Some(right)] if left == right => Some(left),
                    _ if sides.contains(&Some(deciding)) => Some(deciding),
                    _ => None,
                }
            }
            Expr::Lit(literal) => match &literal.lit {
                Lit::Bool(value) => Some(value.value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a predicate holds.
    pub fn holds(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::Option(option) => self.0.contains(option),
            Predicate::Not(inner) => !self.holds(inner),
            Predicate::All(inner) => inner.iter().all(|p| self.holds(p)),
            Predicate::Any(inner) => inner.iter().any(|p| self.holds(p)),
        }
    }
}

/// What stands in `cfg(…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// An option, as in the set.
    Option(String),
    /// `not(…)`.
    Not(Box<Predicate>),
    /// `all(…)`, also `true`.
    All(Vec<Predicate>),
    /// `any(…)`, also `false`.
    Any(Vec<Predicate>),
}

impl Parse for Predicate {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = Ident::parse_any(input)?;
        if input.peek(syn::token::Paren) {
            let content;
            syn::parenthesized!(content in input);
            let mut inner: Vec<_> =
                content.parse_terminated(Predicate::parse, Token![,])?.into_iter().collect();
            return match name.to_string().as_str() {
                "not" if inner.len() == 1 => Ok(Predicate::Not(Box::new(inner.remove(0)))),
                "all" => Ok(Predicate::All(inner)),
                "any" => Ok(Predicate::Any(inner)),
                _ => Err(syn::Error::new(name.span(), "not a cfg predicate")),
            };
        }
        if input.parse::<Option<Token![=]>>()?.is_some() {
            let value: LitStr = input.parse()?;
            return Ok(Predicate::Option(format!("{name}=\"{}\"", value.value())));
        }
        match name.to_string().as_str() {
            "true" => Ok(Predicate::All(Vec::new())),
            "false" => Ok(Predicate::Any(Vec::new())),
            name => Ok(Predicate::Option(name.to_owned())),
        }
    }
}

/// What a command prints.
fn output(spec: &Spec) -> Result<String, LoadError> {
    let mut lines = String::new();
    let ran = testsmith_proc::run_lines(spec, &Limits::default(), &mut |line| {
        lines.push_str(line);
        lines.push('\n');
    })?;
    match ran.ending {
        Ending::Interrupted => Err(LoadError::Interrupted),
        ending if ending.success() => Ok(lines),
        _ => Err(LoadError::Cfg(String::from_utf8_lossy(&ran.stderr).into_owned())),
    }
}

fn target_args(package: &Package) -> Vec<String> {
    package.subject().map(Target::option).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_decided_where_cfg_alone_decides() {
        let set = CfgSet::parse("unix");
        let table = [
            ("cfg!(windows)", Some(false)),
            ("!cfg!(windows)", Some(true)),
            ("(cfg!(unix))", Some(true)),
            ("cfg!(windows) && path.exists()", Some(false)),
            ("path.exists() && cfg!(windows)", Some(false)),
            ("cfg!(unix) && path.exists()", None),
            ("cfg!(unix) || path.exists()", Some(true)),
            ("cfg!(unix) && true", Some(true)),
            ("cfg!(unix) == true", None),
            ("path.exists()", None),
        ];
        for (condition, expected) in table {
            let parsed = syn::parse_str::<Expr>(condition).expect("it is an expression");
            assert_eq!(set.decides(&parsed), expected, "{condition}");
        }
    }

    #[test]
    fn predicates_hold_as_the_compiler_says() {
        let set = CfgSet::parse("unix\nfeature=\"std\"\ntarget_os=\"linux\"\n");
        let check = |text: &str| set.holds(&syn::parse_str::<Predicate>(text).unwrap());
        for yes in [
            "unix",
            "feature = \"std\"",
            "not(windows)",
            "all()",
            "all(unix, feature = \"std\")",
            "any(windows, target_os = \"linux\")",
            "not(all(unix, windows))",
            "true",
        ] {
            assert!(check(yes), "{yes}");
        }
        for no in ["windows", "feature = \"serde\"", "not(unix)", "any()", "all(unix, windows)", "false"] {
            assert!(!check(no), "{no}");
        }
    }
}
