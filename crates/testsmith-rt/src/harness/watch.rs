//! Looking at slots: what the original shows is kept, what a mutant shows is compared with it.

use std::fmt;

use super::limits;
use super::observe::Sink;
use super::panics::catch;
use super::slot::Slot;
use super::text::print;
use super::wire::{Aspect, At, Difference, Observation, What, Wire, Writer};
use crate::wasm;

/// What becomes of observations.
pub(super) enum Watch<'a> {
    /// Nobody looks.
    Nothing,
    /// The engine is told.
    Tell,
    /// They are kept.
    Keep(Vec<Observation>),
    /// They are compared with these, until one differs.
    Compare { expected: &'a [Observation], next: usize, found: Option<Difference> },
}

impl<'a> Watch<'a> {
    pub(super) fn compare(expected: &'a [Observation]) -> Watch<'a> {
        Watch::Compare { expected, next: 0, found: None }
    }

    pub(super) fn looks(&self) -> bool {
        !matches!(self, Watch::Nothing)
    }

    /// Takes an observation; false where the program need not go on.
    #[must_use]
    pub(super) fn see(&mut self, at: At, slot: u16, what: What) -> bool {
        let observation = Observation { at, slot, what };
        match self {
            Watch::Nothing => true,
            Watch::Tell => {
                tell(&observation);
                true
            }
            Watch::Keep(kept) => {
                kept.push(observation);
                true
            }
            Watch::Compare { expected, next, found } => {
                if expected.get(*next) == Some(&observation) {
                    *next += 1;
                    return true;
                }
                *found = Some(Difference::Observation(*next as u32, Some(observation.what)));
                false
            }
        }
    }

    /// Looks at a fresh slot; false where the program need not go on.
    #[must_use]
    pub(super) fn look(&mut self, at: At, number: u16, slot: &Slot, unseen: &[(u16, Aspect)]) -> bool {
        let Some(value) = slot.any() else { return true };
        let of = slot.of;
        let shows = |aspect| !unseen.contains(&(number, aspect));
        // SAFETY, for all functions here: the slot is full, so the pointer is to a live value of its type.
        if let Some(observe) = of.observe {
            if !shows(Aspect::Value) {
                return true;
            }
            let what = seen(Aspect::Value, || What::Value(Sink::bytes(|to| unsafe { observe(value, to) })));
            return self.take(at, number, what);
        }
        if let Some(shape) = of.shape.filter(|_| shows(Aspect::Value)) {
            let what = seen(Aspect::Value, || What::Value(Sink::bytes(|to| unsafe { shape(value, to) })));
            if !self.take(at, number, what) {
                return false;
            }
        }
        if let Some(debug) = of.debug.filter(|_| shows(Aspect::Debug)) {
            let what = seen(Aspect::Debug, || {
                What::Debug(print(|to| write!(to, "{:?}", Shown(&|f| unsafe { debug(value, f) }))))
            });
            if !self.take(at, number, what) {
                return false;
            }
        }
        if let Some(display) = of.display.filter(|_| shows(Aspect::Display)) {
            let what = seen(Aspect::Display, || {
                What::Display(print(|to| write!(to, "{}", Shown(&|f| unsafe { display(value, f) }))))
            });
            return self.take(at, number, what);
        }
        true
    }

    /// Compares two slots of a type that does not show its values; false where the program need not go on.
    #[must_use]
    pub(super) fn look_at_both(
        &mut self,
        number: u16,
        slot: &Slot,
        other: u16,
        before: &Slot,
        unseen: &[(u16, Aspect)],
    ) -> bool {
        let shows = |aspect| !unseen.contains(&(number, aspect)) && !unseen.contains(&(other, aspect));
        let (Some(value), Some(old)) = (slot.any(), before.any()) else { return true };
        if slot.id != before.id || slot.of.observe.is_some() {
            return true;
        }
        if let Some(eq) = slot.of.eq.filter(|_| shows(Aspect::Eq)) {
            // SAFETY: both are live values of the same type; also below.
            let what = seen(Aspect::Eq, || What::Eq(other, unsafe { eq(value, old) }));
            if !self.take(At::End, number, what) {
                return false;
            }
        }
        if let Some(ord) = slot.of.ord.filter(|_| shows(Aspect::Cmp)) {
            let what = seen(Aspect::Cmp, || What::Cmp(other, unsafe { ord(value, old) }));
            return self.take(At::End, number, what);
        }
        true
    }

    fn take(&mut self, at: At, slot: u16, what: Option<What>) -> bool {
        what.is_some_and(|what| self.see(at, slot, what))
    }
}

/// What is seen; `None` where the program has been stopped meanwhile.
fn seen(aspect: Aspect, look: impl FnOnce() -> What) -> Option<What> {
    let what = catch(look).unwrap_or_else(|caught| {
        caught.forget();
        What::Panics(aspect)
    });
    limits::stopped().is_none().then_some(what)
}

/// Hands an observation to the engine, as bytes. One that panicked has no bytes and is 8 more than its aspect, one of nothing
/// is 15.
fn tell(observation: &Observation) {
    let at = match observation.at {
        At::Statement(number) => u32::from(number),
        At::End => u32::MAX,
    };
    let told = |aspect: u32, bytes: &[u8]| wasm::seen(at, observation.slot.into(), aspect, bytes);
    match &observation.what {
        What::Value(bytes) => told(Aspect::Value as u32, bytes),
        What::Debug(text) => told(Aspect::Debug as u32, text.as_bytes()),
        What::Display(text) => told(Aspect::Display as u32, text.as_bytes()),
        What::Eq(other, equal) => {
            let [low, high] = other.to_le_bytes();
            told(Aspect::Eq as u32, &[low, high, u8::from(*equal)]);
        }
        What::Cmp(other, order) => {
            let [low, high] = other.to_le_bytes();
            told(Aspect::Cmp as u32, &[low, high, order.map_or(2, |order| order as u8)]);
        }
        What::Panics(aspect) => told(8 + *aspect as u32, &[]),
        What::Absent => told(15, &[]),
    }
}

struct Shown<'a>(&'a dyn Fn(&mut fmt::Formatter<'_>) -> fmt::Result);

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

/// All observations of the original that a mutant does not show, or shows otherwise.
pub(super) fn differing(expected: &[Observation], seen: &[Observation]) -> Vec<Difference> {
    let mut left = seen;
    let mut differences = Vec::new();
    for (index, observation) in expected.iter().enumerate() {
        let is_same_look = |other: &Observation| {
            let about = |it: &Observation| (it.at, it.slot, it.what.aspect());
            // Without a value there is one look, whatever it would have shown.
            about(other) == about(observation)
                || (other.at, other.slot) == (observation.at, observation.slot) && other.what == What::Absent
        };
        // Both are in the order of the program, so nothing before what fits can fit what follows.
        let found = left.iter().position(is_same_look).map(|at| {
            left = &left[at..];
            &left[0].what
        });
        if found != Some(&observation.what) {
            differences.push(Difference::Observation(index as u32, found.cloned()));
        }
    }
    differences
}

/// FNV-1a over all observations.
pub(super) fn hash(observations: &[Observation]) -> u64 {
    let mut to = Writer::new();
    observations.iter().for_each(|observation| observation.write(&mut to));
    to.finish()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
