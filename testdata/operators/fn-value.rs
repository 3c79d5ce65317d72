//! Bodies of functions give way to values of their type.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

#[derive(Clone, Copy, Default)]
pub struct Known(u8);

pub struct Unknown(u8);

pub fn nothing(target: &mut u8) {
    *target = 1;
}

pub fn flag(a: u8) -> bool {
    a > 1
}

pub fn number(a: i16) -> i16 {
    a + 5
}

pub fn size(a: &[u8]) -> usize {
    a.len()
}

pub fn ratio(a: f32) -> f32 {
    a * 2.0
}

pub fn letter(a: &str) -> char {
    a.chars().next().unwrap_or('x')
}

pub fn owned(a: u8) -> String {
    a.to_string()
}

pub fn borrowed(a: &str) -> &str {
    a.trim()
}

pub fn maybe(a: u8) -> Option<u8> {
    a.checked_sub(1)
}

pub fn attempt(a: &str) -> Result<bool, std::str::ParseBoolError> {
    a.parse()
}

pub fn list(a: u8) -> Vec<bool> {
    vec![a > 1]
}

pub fn map(a: bool) -> BTreeMap<bool, ()> {
    BTreeMap::from([(a, ())])
}

pub fn set(a: u8) -> HashSet<u8> {
    HashSet::from([a])
}

pub fn boxed(a: u8) -> Box<bool> {
    Box::new(a > 1)
}

pub fn shared(a: u8) -> Rc<()> {
    Rc::new(drop(a))
}

pub fn slice(a: &[bool]) -> &[bool] {
    &a[1..]
}

pub fn pair(a: u8) -> (bool, ()) {
    (a > 1, ())
}

pub fn array(a: u8) -> [bool; 2] {
    [a > 1, a > 2]
}

pub fn order(a: u8, b: u8) -> Ordering {
    a.cmp(&b)
}

pub fn known(a: u8) -> Known {
    Known(a)
}

pub fn reference(a: &Known) -> &Known {
    a
}

pub fn unknown(a: u8) -> Unknown {
    Unknown(a)
}

pub fn generic<T>(a: T) -> T {
    a
}

pub fn values(a: &Known, b: &Unknown) -> u8 {
    a.0 + b.0
}

// mutants:
// 12:33 { *target = 1; } → ()
// 16:28 { a > 1 } → true
// 16:28 { a > 1 } → false
// 20:30 { a + 5 } → 0
// 20:30 { a + 5 } → 1
// 20:30 { a + 5 } → -1
// 24:32 { a.len() } → 0
// 24:32 { a.len() } → 1
// 28:29 { a * 2.0 } → 0.0
// 28:29 { a * 2.0 } → 1.0
// 28:29 { a * 2.0 } → -1.0
// 32:32 { a.chars().next().unwrap_or('x') } → Default::default()
// 36:31 { a.to_string() } → String::new()
// 36:31 { a.to_string() } → "xyzzy".into()
// 40:34 { a.trim() } → ""
// 40:34 { a.trim() } → "xyzzy"
// 44:35 { a.checked_sub(1) } → None
// 44:35 { a.checked_sub(1) } → Some(0)
// 44:35 { a.checked_sub(1) } → Some(1)
// 48:67 { a.parse() } → Ok(true)
// 48:67 { a.parse() } → Ok(false)
// 52:33 { vec![a > 1] } → vec![]
// 52:33 { vec![a > 1] } → vec![true]
// 52:33 { vec![a > 1] } → vec![false]
// 56:43 { BTreeMap::from([(a, ())]) } → BTreeMap::new()
// 56:43 { BTreeMap::from([(a, ())]) } → BTreeMap::from_iter([(true, ())])
// 56:43 { BTreeMap::from([(a, ())]) } → BTreeMap::from_iter([(false, ())])
// 60:34 { HashSet::from([a]) } → HashSet::new()
// 60:34 { HashSet::from([a]) } → HashSet::from_iter([0])
// 60:34 { HashSet::from([a]) } → HashSet::from_iter([1])
// 64:34 { Box::new(a > 1) } → Box::new(true)
// 64:34 { Box::new(a > 1) } → Box::new(false)
// 68:32 { Rc::new(drop(a)) } → Rc::new(())
// 72:37 { &a[1..] } → Vec::leak(Vec::new())
// 72:37 { &a[1..] } → Vec::leak(vec![true])
// 72:37 { &a[1..] } → Vec::leak(vec![false])
// 76:34 { (a > 1, ()) } → (true, ())
// 76:34 { (a > 1, ()) } → (false, ())
// 80:34 { [a > 1, a > 2] } → [true; 2]
// 80:34 { [a > 1, a > 2] } → [false; 2]
// 84:40 { a.cmp(&b) } → Ordering::Less
// 84:40 { a.cmp(&b) } → Ordering::Equal
// 84:40 { a.cmp(&b) } → Ordering::Greater
// 88:30 { Known(a) } → Default::default()
// 92:39 { a } → Box::leak(Box::new(Default::default()))
// 104:45 { a.0 + b.0 } → 0
// 104:45 { a.0 + b.0 } → 1
