//! Builds test binaries with cargo, and reads what it and the compiler say.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use testsmith_model::{FeatureFlags, Linked, Package, TargetKind, linked};
use testsmith_proc::{Ending, Limits, Spec};
use testsmith_suite::TestBinary;

use crate::copy::{Copies, HARNESS, RUNTIME_PACKAGE};
use crate::failure::{Failure, IoContext};
use crate::note::{self, NOTES_VAR, RUNNER};

/// Makes this very executable behave as a compiler wrapper.
pub(crate) const WRAPPER_VAR: &str = "TESTSMITH_WRAPS_RUSTC";

/// Makes the wrapper build the harness without optimisation: cargo has one level for a whole package.
pub(crate) const LARGE_VAR: &str = "TESTSMITH_HARNESS_IS_LARGE";

/// Names the crates whose tests keep the lints of the user: with commas, as the compiler calls them.
pub(crate) const LINTS_VAR: &str = "TESTSMITH_KEEPS_LINTS";

/// The profile of the copies, whatever the crate's own profiles say: see docs/internals/meta-program.md.
const PROFILE: &[&str] = &[
    "profile.testsmith.inherits=\"dev\"",
    "profile.testsmith.debug=0",
    "profile.testsmith.panic=\"unwind\"",
    "profile.testsmith.lto=\"off\"",
    "profile.testsmith.incremental=false",
];

/// Bytes of sources of dependencies that are optimised: a few seconds of the compiler's time.
const MOST_OPTIMISED_BYTES: u64 = 8 << 20;
/// Those of a single one.
const LARGEST_OPTIMISED: u64 = 4 << 20;

/// How things are built.
#[derive(Clone, Debug)]
pub(crate) struct Builder {
    pub(crate) copies: Copies,
    pub(crate) features: FeatureFlags,
    /// The host by its name, where the user has configured what to build for.
    pub(crate) host: Option<Host>,
    pub(crate) jobs: Option<usize>,
    pub(crate) opt_level: u8,
    pub(crate) offline: bool,
    /// Dependencies that are optimised a little, as cargo names them: what programs call should not be slower than the crate.
    pub(crate) optimised: Vec<String>,
    /// Whether debug assertions and overflow checks are on, in the crate's own code.
    pub(crate) checks: bool,
    /// Crates whose tests are compiled under the lints of the user.
    pub(crate) keeps_lints: Vec<String>,
    /// The folder for temporary files of cargo and all that it starts: what is killed leaves some behind.
    pub(crate) temp: PathBuf,
}

/// What everything is built for, whatever else is configured: it has to run here.
#[derive(Clone, Debug)]
pub(crate) struct Host {
    pub(crate) name: String,
    /// What the user has configured.
    pub(crate) instead_of: String,
}

impl Host {
    /// For a configured target.
    pub(crate) fn of(dir: &Path, configured: String) -> Option<Host> {
        Some(Host { name: host(dir)?, instead_of: configured })
    }

    /// What the user should know, if it is something else than they want.
    pub(crate) fn note(&self) -> Option<String> {
        let Host { name, instead_of } = self;
        (name != instead_of)
            .then(|| format!("note: cargo is configured to build for {instead_of}; tests run here, so all is built for {name}"))
    }
}

/// What a build has given.
#[derive(Default)]
pub(crate) struct Built {
    /// Executables of test targets, and the harness.
    pub(crate) executables: Vec<Executable>,
    /// Errors of the compiler.
    pub(crate) errors: Vec<CompilerMessage>,
    /// Its warnings, where lints are kept.
    pub(crate) warnings: Vec<CompilerMessage>,
    /// What cargo itself had to say.
    pub(crate) stderr: String,
    pub(crate) success: bool,
}

/// A test target's executable.
pub(crate) struct Executable {
    path: PathBuf,
    manifest: PathBuf,
    target: String,
    kind: String,
}

/// An error, as the compiler writes it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct CompilerMessage {
    pub(crate) message: String,
    pub(crate) level: String,
    pub(crate) code: Option<ErrorCode>,
    pub(crate) spans: Vec<Span>,
    pub(crate) rendered: Option<String>,
    /// Notes and proposals that belong to it.
    #[serde(default)]
    pub(crate) children: Vec<Child>,
}

/// A note or a proposal.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Child {
    pub(crate) spans: Vec<Span>,
}

impl CompilerMessage {
    /// The lint that it is of; other errors have a number.
    pub(crate) fn lint(&self) -> Option<&str> {
        let code = self.code.as_ref()?.code.as_str();
        let is_number = code.len() > 1 && code[1..].chars().all(|c| c.is_ascii_digit());
        (!is_number).then_some(code)
    }

    /// What is wrong, and the line that it is about.
    pub(crate) fn in_short(&self) -> String {
        let lines = self.spans.iter().filter(|span| span.is_primary).flat_map(|span| &span.text);
        let line = lines.map(|code| code.text.trim()).next();
        line.map_or_else(|| self.message.clone(), |line| format!("{}: `{line}`", self.message))
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ErrorCode {
    pub(crate) code: String,
}

/// A line of code that an error shows.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Code {
    pub(crate) text: String,
}

/// A place that an error names.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Span {
    pub(crate) file_name: String,
    pub(crate) byte_start: usize,
    pub(crate) byte_end: usize,
    pub(crate) line_start: usize,
    pub(crate) is_primary: bool,
    /// The lines that it is in.
    #[serde(default)]
    pub(crate) text: Vec<Code>,
    /// What the compiler would put there.
    #[serde(default)]
    pub(crate) suggested_replacement: Option<String>,
    /// Where the macro stands that made this code.
    pub(crate) expansion: Option<Box<Expansion>>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Expansion {
    pub(crate) span: Span,
}

/// A line of cargo's output.
#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Line {
    CompilerArtifact {
        manifest_path: PathBuf,
        target: ArtifactTarget,
        profile: ArtifactProfile,
        executable: Option<PathBuf>,
    },
    CompilerMessage {
        message: CompilerMessage,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct ArtifactProfile {
    test: bool,
}

/// What the compiler says of itself: its version, the triple that it builds for.
pub(crate) fn compiler(dir: &Path) -> Vec<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let spec = Spec::new(rustc).arg("-vV").dir(dir);
    let mut lines = Vec::new();
    // Without an answer there is nothing to know.
    let _ = testsmith_proc::run_lines(&spec, &Limits::default(), &mut |line| lines.push(line.to_owned()));
    lines
}

/// How the compiler goes on after an error in a constant of a generic function.
const WANTED_BY: &str = "the above error was encountered while instantiating";

/// The triple that the compiler builds for unless told otherwise.
fn host(dir: &Path) -> Option<String> {
    compiler(dir).iter().find_map(|line| Some(line.strip_prefix("host: ")?.to_owned()))
}

impl Builder {
    /// Arguments that say how cargo builds, for whichever command.
    pub(crate) fn args(&self) -> Vec<String> {
        let mut args = vec!["--profile=testsmith".to_owned()];
        args.push(format!("--target-dir={}", self.copies.build().display()));
        args.extend(self.host.iter().map(|host| format!("--target={}", host.name)));
        for setting in PROFILE {
            args.push(format!("--config={setting}"));
        }
        for check in ["debug-assertions", "overflow-checks"] {
            args.push(format!("--config=profile.testsmith.{check}={}", self.checks));
            // Dependencies stay as they were built.
            args.push(format!("--config=profile.testsmith.package.\"*\".{check}=true"));
        }
        args.push(format!("--config=profile.testsmith.opt-level={}", self.opt_level));
        // Other dependencies as in a debug build: optimising them takes longer than most suites run.
        args.push("--config=profile.testsmith.package.\"*\".opt-level=0".to_owned());
        for dependency in &self.optimised {
            args.push(format!("--config=profile.testsmith.package.\"{dependency}\".opt-level=1"));
        }
        args.push(format!("--config=profile.testsmith.package.{RUNTIME_PACKAGE}.opt-level=3"));
        args
    }

    /// From now on optimises what is linked to a package, as far as that takes little time: those nearest to it first.
    pub(crate) fn optimise_linked(&mut self, package: &Package) {
        let copy = self.copies.plain();
        let mut spec = self.cargo(&copy, "metadata").args(self.features.args());
        let host = self.host.as_ref().map(|host| host.name.clone()).or_else(|| host(&copy));
        spec = spec.args(host.map(|host| format!("--filter-platform={host}")));
        let mut left = MOST_OPTIMISED_BYTES;
        for Linked { spec, bytes } in linked(spec, &self.copies.place(&package.manifest, &copy)) {
            if bytes <= left.min(LARGEST_OPTIMISED) {
                left -= bytes;
                self.optimised.push(spec);
            }
        }
    }

    /// How cargo names a package in a copy.
    pub(crate) fn spec(&self, package: &Package, copy: &Path) -> String {
        package.spec_at(&self.copies.place(&package.dir, copy))
    }

    /// Where rustdoc writes.
    pub(crate) fn docs(&self) -> PathBuf {
        let build = self.copies.build();
        self.host.as_ref().map_or(build.clone(), |host| build.join(&host.name)).join("doc")
    }

    /// Builds the test targets of packages in a copy, and notes what cargo would give each of them.
    pub(crate) fn build_tests(&self, copy: &Path, packages: &[Package]) -> Result<Built, Failure> {
        self.build_targets(copy, &["--tests"], packages)
    }

    /// The same for some targets of a package, as cargo's options name them.
    pub(crate) fn build_test(
        &self,
        copy: &Path,
        package: &Package,
        which: &[&str],
    ) -> Result<Built, Failure> {
        self.build_targets(copy, which, std::slice::from_ref(package))
    }

    fn build_targets(&self, copy: &Path, which: &[&str], packages: &[Package]) -> Result<Built, Failure> {
        let mut spec = self.cargo(copy, "test").args(which.iter().copied()).arg("--message-format=json");
        spec = spec.args(self.runner(copy)).env(NOTES_VAR, self.copies.notes());
        spec = spec.args(self.args()).args(self.features.args());
        spec = spec.args(self.jobs.map(|jobs| format!("--jobs={jobs}")));
        for package in packages {
            spec = spec.arg("-p").arg(self.spec(package, copy));
        }
        self.built(&spec)
    }

    /// Builds the harness of a package in a copy; a large one as quickly as can be.
    pub(crate) fn build_harness(
        &self,
        copy: &Path,
        package: &Package,
        is_large: bool,
    ) -> Result<Built, Failure> {
        let mut spec = self.cargo(copy, "build").args(["--bin", HARNESS, "--message-format=json"]);
        // A program is a library there, for which cargo does not set it.
        let program = package.subject().filter(|_| package.is_program());
        spec = program.iter().fold(spec, |spec, program| spec.env("CARGO_BIN_NAME", &program.name));
        if is_large {
            spec = spec.env(LARGE_VAR, "1");
        }
        spec = spec.args(self.args()).args(self.features.args()).arg("-p").arg(self.spec(package, copy));
        spec = spec.args(self.jobs.map(|jobs| format!("--jobs={jobs}")));
        self.built(&spec)
    }

    fn built(&self, spec: &Spec) -> Result<Built, Failure> {
        let mut built = Built::default();
        let ran = testsmith_proc::run_lines(spec, &Limits::default(), &mut |line| built.read(line))?;
        if ran.ending == Ending::Interrupted {
            return Err(Failure::interrupted());
        }
        built.success = ran.ending.success();
        built.stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
        Ok(built)
    }

    /// Arguments that make cargo start this executable in the place of each test binary.
    fn runner(&self, copy: &Path) -> Vec<String> {
        let exe = std::env::current_exe().unwrap_or_default();
        let value = toml::Value::from(vec![exe.to_string_lossy().into_owned(), RUNNER.to_owned()]);
        // A runner that the user has set for the host would come before one for all targets.
        let targets = [host(copy), Some("'cfg(all())'".to_owned())];
        targets.iter().flatten().map(|target| format!("--config=target.{target}.runner={value}")).collect()
    }

    /// A cargo that works in a copy, with the compiler's lints switched off but for where they are kept.
    pub(crate) fn cargo(&self, copy: &Path, command: &str) -> Spec {
        let wrapper = std::env::current_exe().unwrap_or_default();
        Spec::new(testsmith_proc::cargo())
            .arg(command)
            .args((self.offline || copy == self.copies.meta()).then_some("--offline"))
            .dir(copy)
            .env("RUSTC_WORKSPACE_WRAPPER", wrapper)
            .env(WRAPPER_VAR, "1")
            .env(LINTS_VAR, self.keeps_lints.join(","))
            .env("TMPDIR", &self.temp)
            // Set by the cargo that started us, for its own package.
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_MANIFEST_DIR")
    }
}

impl Built {
    /// All that cargo and the compiler have said.
    pub(crate) fn words(&self) -> String {
        let errors = self.errors.iter().filter_map(|error| error.rendered.as_deref());
        errors.chain([self.stderr.as_str()]).collect::<Vec<_>>().join("\n")
    }

    fn read(&mut self, line: &str) {
        match serde_json::from_str(line) {
            Ok(Line::CompilerArtifact {
                manifest_path: manifest,
                target,
                profile,
                executable: Some(path),
            }) if profile.test || target.name == HARNESS => {
                let kind = target.kind.into_iter().next().unwrap_or_default();
                self.executables.push(Executable { path, manifest, target: target.name, kind });
            }
            Ok(Line::CompilerMessage { message }) if message.level == "error" => self.errors.push(message),
            Ok(Line::CompilerMessage { message }) if message.lint().is_some() => self.warnings.push(message),
            // Errors in constants name the place where they were wanted in a message of its own.
            Ok(Line::CompilerMessage { message }) if message.message.starts_with(WANTED_BY) => {
                self.errors
                    .last_mut()
                    .into_iter()
                    .for_each(|error| error.spans.extend(message.spans.clone()));
            }
            _ => {}
        }
    }

    /// The executable of the harness.
    pub(crate) fn harness(&self) -> Option<&Path> {
        self.executables.iter().find(|exe| exe.target == HARNESS).map(|exe| exe.path.as_path())
    }

    /// The executables as the suite wants them.
    pub(crate) fn binaries(
        &self,
        builder: &Builder,
        copy: &Path,
        packages: &[Package],
    ) -> Result<Vec<TestBinary>, Failure> {
        let binaries = self.executables.iter().filter_map(|exe| exe.binary(builder, copy, packages));
        let mut binaries = binaries.collect::<Result<Vec<_>, _>>()?;
        binaries.sort_by(|a, b| (a.package, &a.name).cmp(&(b.package, &b.name)));
        // Cargo runs one binary after the other.
        binaries.iter_mut().enumerate().for_each(|(at, binary)| binary.group = at);
        Ok(binaries)
    }
}

impl Executable {
    /// As the suite wants it; `None` if it belongs to none of the packages.
    fn binary(
        &self,
        builder: &Builder,
        copy: &Path,
        packages: &[Package],
    ) -> Option<Result<TestBinary, Failure>> {
        let is_package = |p: &Package| builder.copies.place(&p.manifest, copy) == self.manifest;
        let index = packages.iter().position(is_package)?;
        let package = &packages[index];
        let target =
            package.targets.iter().find(|t| t.name == self.target && kind_name(t.kind, &self.kind))?;
        let name = match target.kind {
            TargetKind::Lib | TargetKind::ProcMacro => "lib".to_owned(),
            kind => format!("{} {}", format!("{kind:?}").to_lowercase(), target.name),
        };
        let env = note::read(&builder.copies.notes(), self.path.as_os_str())
            .doing("learn how cargo runs", &self.path);
        Some(env.map(|env| TestBinary {
            path: self.path.clone(),
            name: if packages.len() > 1 { format!("{} {name}", package.name) } else { name },
            package: index,
            dir: builder.copies.place(&package.dir, copy),
            env,
            harness: target.harness,
            passes_by_failing: false,
            group: 0,
        }))
    }
}

fn kind_name(kind: TargetKind, name: &str) -> bool {
    match kind {
        TargetKind::Lib => {
            !matches!(name, "bin" | "test" | "example" | "bench" | "proc-macro" | "custom-build")
        }
        TargetKind::ProcMacro => name == "proc-macro",
        TargetKind::Bin => name == "bin",
        TargetKind::Test => name == "test",
        TargetKind::Example => name == "example",
        TargetKind::Bench => name == "bench",
        TargetKind::BuildScript => name == "custom-build",
    }
}
