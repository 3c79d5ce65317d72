//! The imports of a harness: literals become inputs, sites become conditions, observations are kept.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::condition::{Class, infection};
use super::execution::{Condition, Seen, Visit};
use super::operand::Operand;
use crate::explore::{Inputs, Kind};
use crate::expr::Exprs;
use crate::machine::{Host, HostCall, Stop};
use crate::wasm::Import;

/// Visits of one mutant that are kept: in a loop, all but the first are much like them.
const VISITS: u32 = 4;

/// Where the harness's numbers for what is known of a site's mutants stand.
const INFECTED: u32 = 2;
const UNKNOWN: u32 = 4;

/// What a run has shown so far.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) inputs: Inputs,
    /// Slots whose literals are inputs.
    pub(super) symbolic: BTreeSet<u32>,
    pub(super) visits: Vec<Visit>,
    pub(super) visited: FxHashMap<u32, u32>,
    pub(super) seen: Vec<Seen>,
}

const IMPORTS: &[&str] = &["hole", "site", "mark", "cond", "at", "seen"];

impl Host for Shown {
    fn link(&self, import: &Import) -> Option<u32> {
        (import.module == "testsmith").then_some(())?;
        IMPORTS.iter().position(|name| *name == import.name).map(|at| at as u32)
    }

    fn call(&mut self, function: u32, call: &mut HostCall<'_, '_>) -> Result<(), Stop> {
        match IMPORTS[function as usize] {
            "hole" => self.hole(call),
            "site" => self.site(call),
            "mark" => {
                self.mark(call);
                Ok(())
            }
            "cond" => {
                self.condition(call);
                Ok(())
            }
            "seen" => self.see(call),
            _ => Ok(()),
        }
    }
}

impl Shown {
    fn hole(&mut self, call: &mut HostCall<'_, '_>) -> Result<(), Stop> {
        let [slot, kind, at, len] = [0, 1, 2, 3].map(|argument| call.fixed_low(argument));
        if !self.symbolic.contains(&slot) {
            return Ok(());
        }
        let kind =
            Kind::from_number(kind).ok_or_else(|| Stop::Unsupported(format!("a literal of kind {kind}")))?;
        self.inputs.hole(call, slot, kind, at, len)
    }

    /// Two operands, or one, by their addresses; the harness says what they are.
    fn site(&mut self, call: &mut HostCall<'_, '_>) -> Result<(), Stop> {
        let [class, base, n, ops, shown] = [0, 1, 2, 3, 4].map(|argument| call.fixed_low(argument));
        let class =
            Class::from_number(class).ok_or_else(|| Stop::Unsupported(format!("a site of class {class}")))?;
        if (base..base + n).all(|mutant| self.visited.get(&mutant).is_some_and(|visits| *visits >= VISITS)) {
            return Ok(());
        }
        let words: Vec<u32> = call
            .memory
            .slice(u64::from(shown), 32)?
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().expect("it has four bytes")))
            .collect();
        let mut operands = Vec::new();
        let mut sized = false;
        for operand in 0..if class == Class::Change { 1 } else { 2 } {
            let name = call.memory.slice(u64::from(words[2 * operand]), u64::from(words[2 * operand + 1]))?;
            let name = String::from_utf8_lossy(name).into_owned();
            sized |= name.ends_with("usize") || name.ends_with("isize");
            operands.extend(Operand::read(call, &name, words[4 + 2 * operand], words[5 + 2 * operand])?);
        }
        let has_original = class != Class::Change;
        let ops = call.memory.slice(u64::from(ops), u64::from(n) + u64::from(has_original))?.to_vec();
        let symbolic = operands.iter().any(|operand| operand.is_symbolic(call.exprs()));
        for (at, mutant) in (base..base + n).enumerate() {
            let pair = if has_original { [ops[0], ops[at + 1]] } else { [0, ops[at]] };
            let known = infection(call.exprs(), class, pair, &operands);
            let condition = known.map_or(Condition::Unknown, Condition::Known);
            self.visit(call, mutant, condition, symbolic, sized);
        }
        Ok(())
    }

    fn mark(&mut self, call: &mut HostCall<'_, '_>) {
        let [base, n, bits] = [0, 1, 2].map(|argument| call.fixed_low(argument));
        let condition = match bits {
            bits if bits & INFECTED != 0 => Condition::Known(Exprs::TRUE),
            bits if bits & UNKNOWN != 0 => Condition::Unknown,
            _ => Condition::Known(Exprs::FALSE),
        };
        (base..base + n).for_each(|mutant| self.visit(call, mutant, condition, false, false));
    }

    /// The harness has computed the condition itself.
    fn condition(&mut self, call: &mut HostCall<'_, '_>) {
        let mutant = call.fixed_low(0);
        let value = call.values[1];
        let condition = match value.expr {
            None => call.exprs().truth(value.bits != 0),
            Some(expr) => call.symbolic.truth(expr),
        };
        self.visit(call, mutant, Condition::Known(condition), value.expr.is_some(), false);
    }

    fn visit(
        &mut self,
        call: &HostCall<'_, '_>,
        mutant: u32,
        condition: Condition,
        symbolic: bool,
        sized: bool,
    ) {
        let visits = self.visited.entry(mutant).or_default();
        *visits += 1;
        if *visits <= VISITS {
            let after = call.symbolic.decisions().len();
            self.visits.push(Visit { mutant, after, condition, symbolic, sized });
        }
    }

    fn see(&mut self, call: &mut HostCall<'_, '_>) -> Result<(), Stop> {
        let [at, slot, aspect, from, len] = [0, 1, 2, 3, 4].map(|argument| call.fixed_low(argument));
        let bytes = call.memory.slice(u64::from(from), u64::from(len))?.to_vec();
        let exprs =
            (0..len).filter_map(|place| Some((place, call.memory.expr((from + place) as usize)?))).collect();
        self.seen.push(Seen { at, slot, aspect, bytes, exprs });
        Ok(())
    }
}
