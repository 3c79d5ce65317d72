//! What is explored: [`Program`], something that runs on the values of a model, and [`Instance`], a function of a machine.

use super::inputs::Inputs;
use crate::expr::{Exprs, Model};
use crate::machine::{InstantiateError, Machine, Options, Run, Snapshot};
use crate::wasm::{FuncId, Module};

/// Something that can be run on any inputs and always does the same on the same ones.
pub trait Program {
    /// What it is made of.
    fn module(&self) -> &Module;

    /// Runs it. An input without a value in the model keeps the value that the program gives it.
    fn run(&mut self, exprs: &mut Exprs, model: &Model) -> Run;

    /// The values that all inputs had in the last run.
    fn inputs(&self) -> &Model;
}

/// An exported function without parameters, whose inputs are literals that it shows with `hole`.
pub struct Instance<'m> {
    machine: Machine<'m>,
    snapshot: Snapshot,
    function: FuncId,
    /// The host; after a run it has the goals that were reached.
    pub inputs: Inputs,
}

impl<'m> Instance<'m> {
    /// Makes a machine and keeps its first state.
    ///
    /// # Errors
    /// When the module cannot be instantiated.
    pub fn new(module: &'m Module, function: FuncId, options: Options) -> Result<Self, InstantiateError> {
        let mut inputs = Inputs::default();
        let mut machine = Machine::new(module, options, &mut inputs)?;
        let snapshot = machine.snapshot();
        Ok(Self { machine, snapshot, function, inputs })
    }

    /// The machine, in the state at the end of the last run.
    #[must_use]
    pub fn machine(&self) -> &Machine<'m> {
        &self.machine
    }
}

impl Program for Instance<'_> {
    fn module(&self) -> &Module {
        self.machine.module()
    }

    fn run(&mut self, exprs: &mut Exprs, model: &Model) -> Run {
        self.machine.reset(&self.snapshot);
        self.inputs.start(model.clone());
        self.machine.call(self.function, &[], exprs, &mut self.inputs)
    }

    fn inputs(&self) -> &Model {
        &self.inputs.values
    }
}
