//! Which of many thousand entries a run has touched: [`Touched`].

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A list that never grows: every number is in it once at most.
pub(super) struct Touched {
    numbers: Box<[AtomicU32]>,
    length: AtomicU32,
}

impl Touched {
    pub(super) fn new(most: usize) -> Touched {
        Touched { numbers: (0..most).map(|_| AtomicU32::new(0)).collect(), length: AtomicU32::new(0) }
    }

    pub(super) fn clear(&self) {
        self.length.store(0, Relaxed);
    }

    pub(super) fn push(&self, number: u32) {
        let at = self.length.load(Relaxed);
        if let Some(place) = self.numbers.get(at as usize) {
            place.store(number, Relaxed);
            self.length.store(at + 1, Relaxed);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.numbers.iter().take(self.length.load(Relaxed) as usize).map(|number| number.load(Relaxed))
    }
}
