//! Functions that do not do the same every time, and some beside them that do.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::time::{Instant, SystemTime};

/// Fine enough to be another one every time.
pub fn nanoseconds() -> u128 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos())
}

/// Mostly the same twice in a row.
pub fn days() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400)
}

/// The order of a hash table.
pub fn order() -> Vec<u32> {
    (0..100).collect::<HashSet<u32>>().into_iter().collect()
}

pub fn address() -> usize {
    let boxed = Box::new(1_u8);
    &*boxed as *const u8 as usize
}

pub fn thread() -> String {
    format!("{:?}", std::thread::current().id())
}

pub fn process() -> u32 {
    std::process::id()
}

/// Workers of one kind have the same number.
pub fn arguments() -> usize {
    std::env::args().count()
}

pub fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Ends in one way or another.
pub fn sometimes() -> Option<u32> {
    (random() % 2 == 0).then_some(1)
}

pub fn fails_sometimes() -> u32 {
    assert!(random() % 2 == 0, "bad luck");
    1
}

/// Changes its argument only.
pub fn fill(bytes: &mut Vec<u8>) {
    bytes.push(random() as u8);
    bytes.push(random() as u8);
}

/// Its text has an order that is another one every time; what it holds is always the same.
#[derive(Debug, Clone)]
pub struct Table {
    entries: HashMap<u32, u32>,
}

impl Table {
    pub fn new(length: u8) -> Table {
        Table { entries: (0..10 + u32::from(length)).map(|key| (key, key + 1)).collect() }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn sum(&self) -> u32 {
        self.entries.values().sum()
    }
}

/// Its text holds an address in a form that nobody could know.
pub struct Handle {
    inside: Box<u32>,
}

impl Handle {
    pub fn new(number: u32) -> Handle {
        Handle { inside: Box::new(number) }
    }

    pub fn number(&self) -> u32 {
        *self.inside
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle at {}", &*self.inside as *const u32 as usize)
    }
}

/// Uses a clock, and tells nothing of it.
pub fn steady_work(number: u32) -> u32 {
    let _ = Instant::now();
    number / 2 + 1
}

/// The control: always the same, whatever it is given.
pub fn twice(number: u64) -> u64 {
    if number > 1000 {
        number
    } else {
        number * 2
    }
}

/// The same with a type of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair(u32, u32);

impl Pair {
    pub fn new(left: u32, right: u32) -> Pair {
        Pair(left.min(right), left.max(right))
    }

    pub fn width(&self) -> u32 {
        self.1 - self.0
    }
}
