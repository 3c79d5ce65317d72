//! The state that every run starts from: [`Snapshot`].

use super::{Machine, Value};

/// Memory, globals and tables at one moment, without any input.
pub struct Snapshot {
    memory: Vec<u8>,
    globals: Vec<Value>,
    tables: Vec<Vec<u64>>,
    dropped_data: Vec<bool>,
    dropped_elements: Vec<bool>,
}

impl Machine<'_> {
    /// Keeps the state of now. Only one snapshot of a machine is valid at a time: the last one.
    pub fn snapshot(&mut self) -> Snapshot {
        Snapshot {
            memory: self.memory.keep(),
            globals: self.globals.clone(),
            tables: self.tables.clone(),
            dropped_data: self.dropped_data.clone(),
            dropped_elements: self.dropped_elements.clone(),
        }
    }

    /// Goes back to the state of the snapshot; only pages that were written are copied.
    pub fn reset(&mut self, to: &Snapshot) {
        self.memory.reset(&to.memory);
        self.globals.clone_from(&to.globals);
        self.tables.clone_from(&to.tables);
        self.dropped_data.clone_from(&to.dropped_data);
        self.dropped_elements.clone_from(&to.dropped_elements);
    }
}
