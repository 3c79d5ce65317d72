//! A harness in the engine: [`Harness`] loads test programs and runs them, from the same state each time.

use std::collections::BTreeSet;
use std::fmt;

use super::execution::Execution;
use super::host::Shown;
use crate::expr::{Exprs, Model};
use crate::machine::{End, InstantiateError, Machine, Options, Run, Snapshot, Value};
use crate::wasm::{FuncId, Module};

/// As what a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// As the original, whose sites tell what they see; nobody observes.
    Traced,
    /// As the original, which is observed.
    Original,
    /// As this mutant, which is observed.
    Mutant(u32),
}

/// A run that is wanted.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// Which of the programs that were loaded.
    pub program: u32,
    /// As what.
    pub role: Role,
    /// Slots whose literals are inputs.
    pub symbolic: &'a BTreeSet<u32>,
    /// Values for them; without one, a literal keeps its own.
    pub model: &'a Model,
}

/// Why a module is no harness, or does not take a program.
#[derive(Debug)]
pub enum HarnessError {
    /// It cannot be instantiated.
    Instantiate(InstantiateError),
    /// It lacks this function.
    Missing(&'static str),
    /// A call of this function ended like this.
    Ended(&'static str, End),
    /// It refuses the programs.
    Refused,
}

impl fmt::Display for HarnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instantiate(error) => error.fmt(f),
            Self::Missing(name) => write!(f, "the module has no function `{name}`"),
            Self::Ended(name, end) => write!(f, "`{name}` ended with {end:?}"),
            Self::Refused => f.write_str("the harness does not understand the program"),
        }
    }
}

impl std::error::Error for HarnessError {}

/// An instance of a harness.
pub struct Harness<'m> {
    machine: Machine<'m>,
    /// With programs.
    loaded: Option<Snapshot>,
    alloc: FuncId,
    load: FuncId,
    run: FuncId,
}

impl<'m> Harness<'m> {
    /// Makes an instance and runs its start; then a run may take so many steps.
    ///
    /// # Errors
    /// When the module is no harness.
    pub fn new(module: &'m Module, options: Options, steps: u64) -> Result<Self, HarnessError> {
        let export = |name| module.export(name).ok_or(HarnessError::Missing(name));
        let [alloc, load, run] = [export("ts_alloc")?, export("ts_load")?, export("ts_run")?];
        let start = export("_start")?;
        let mut machine =
            Machine::new(module, options, &mut Shown::default()).map_err(HarnessError::Instantiate)?;
        let begun = machine.call(start, &[], &mut Exprs::new(), &mut Shown::default());
        if !matches!(begun.end, End::Returned(_)) {
            return Err(HarnessError::Ended("_start", begun.end));
        }
        machine.limit_steps(steps);
        Ok(Self { machine, loaded: None, alloc, load, run })
    }

    /// What it is made of.
    #[must_use]
    pub fn module(&self) -> &'m Module {
        self.machine.module()
    }

    /// Loads programs, in the form that the harness takes, in the place of those before.
    ///
    /// # Errors
    /// When it does not take them.
    pub fn load(&mut self, programs: &[u8]) -> Result<(), HarnessError> {
        self.forget_programs();
        let len = Value::concrete(programs.len() as u64);
        let at = self.said("ts_alloc", self.alloc, &[len])?;
        let trapped = |_| HarnessError::Refused;
        self.machine.memory.write(u64::from(at), programs).map_err(trapped)?;
        let runs = self.said("ts_load", self.load, &[Value::concrete(u64::from(at)), len])?;
        if runs == u32::MAX {
            return Err(HarnessError::Refused);
        }
        self.loaded = Some(self.machine.snapshot());
        Ok(())
    }

    /// Goes back to where no program is loaded, as far as there is a way.
    fn forget_programs(&mut self) {
        if let Some(loaded) = self.loaded.take() {
            self.machine.reset(&loaded);
        }
    }

    fn said(
        &mut self,
        name: &'static str,
        function: FuncId,
        arguments: &[Value],
    ) -> Result<u32, HarnessError> {
        let run = self.machine.call(function, arguments, &mut Exprs::new(), &mut Shown::default());
        match run.end {
            End::Returned(values) => Ok(values.first().map_or(0, |value| value.low())),
            end => Err(HarnessError::Ended(name, end)),
        }
    }

    /// Runs a program from the state in which it was loaded.
    ///
    /// # Panics
    /// When no program is loaded.
    pub fn run(&mut self, exprs: &mut Exprs, wanted: &Wanted<'_>) -> Execution {
        let loaded = self.loaded.as_ref().expect("a program is loaded before it is run");
        self.machine.reset(loaded);
        let mut shown = Shown { symbolic: wanted.symbolic.clone(), ..Shown::default() };
        shown.inputs.start(wanted.model.clone());
        let (mutant, mode) = match wanted.role {
            Role::Traced => (0, 1),
            Role::Original => (0, 2),
            Role::Mutant(mutant) => (mutant, 2),
        };
        let arguments = [wanted.program, mutant, mode].map(|word| Value::concrete(u64::from(word)));
        let run: Run = self.machine.call(self.run, &arguments, exprs, &mut shown);
        Execution::new(run, shown, exprs)
    }
}
