//! A part of the standard library, with the flows of its signatures.

use testsmith_ir::{Api, sketch};

const TABLE: &str = "
    type i32: copy
    type u8: copy
    type u64: copy
    type usize: copy
    type bool: copy
    type char: copy
    type &str
    type String: drop
    type &[u8]
    type Vec<u8>: drop
    type Box<str>: drop
    type &String
    type &mut String
    type Option<&String>: copy borrows
    type Option<char>: copy
    type Option<&str>: copy borrows
    type std::str::Chars<'_>: borrows
    type std::iter::Peekable<std::str::Chars<'_>>: borrows
    type Option<&char>: copy borrows
    type std::borrow::Cow<'_, str>: drop borrows
    type Vec<&str>: drop borrows

    fn String::new() -> String => String::new()
    fn String::from(text: &str) -> String => String::from($0)
    fn String::push_str(self: &mut String; text: &str) => $0.push_str($1)
    fn String::push(self: &mut String; ch: char) => $0.push($1)
    fn String::len(self: &String) -> usize => $0.len()
    fn String::as_str(self: &String) -> &str [0& > out] => $0.as_str()
    fn String::into_boxed_str(self: String) -> Box<str> => $0.into_boxed_str()
    fn String::clone(self: &String) -> String => $0.clone()
    fn String::eq(self: &String; other: &String) -> bool => $0 == $1
    fn String::add(self: String; other: &str) -> String => $0 + $1
    fn String::borrow(place: &String) -> &String [0& > out] => $0
    fn String::borrow_mut(place: &mut String) -> &mut String [0& > out] => $0
    fn str::trim(self: &str) -> &str [0& > out] => $0.trim()
    fn str::len(self: &str) -> usize => $0.len()
    fn str::chars(self: &str) -> std::str::Chars<'_> [0& > out] => $0.chars()
    fn str::strip_prefix(self: &str; prefix: char) -> Option<&str> [0& > out] => $0.strip_prefix($1)
    fn str::find(self: &str; pattern: &str) -> bool => $0.contains($1)
    fn str::lines(self: &str) -> Vec<&str> [0& > out] => $0.lines().collect::<Vec<&str>>()
    fn text(value: &str) -> &str [0& > out] => $0
    fn Option<&str>::Some(value: &str) -> Option<&str> [0& > out] => Some($0)
    fn Option<&str>::is_some(self: &Option<&str>) -> bool => $0.is_some()
    fn Option<&str>::unwrap_or(self: Option<&str>; default: &str) -> &str [0 > out, 1& > out] => $0.unwrap_or($1)
    fn Chars::next(self: &mut std::str::Chars<'_>) -> Option<char> => $0.next()
    fn Chars::as_str(self: &std::str::Chars<'_>) -> &str [0 > out] => $0.as_str()
    fn Chars::peekable(self: std::str::Chars<'_>) -> std::iter::Peekable<std::str::Chars<'_>> [0 > out] => $0.peekable()
    fn Peekable::peek(self: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<&char> [0& > out] => $0.peek()
    fn Peekable::next(self: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<char> => $0.next()
    fn Cow::from_str(text: &str) -> std::borrow::Cow<'_, str> [0& > out] => std::borrow::Cow::<str>::Borrowed($0)
    fn Cow::from_string(text: String) -> std::borrow::Cow<'_, str> => std::borrow::Cow::<str>::Owned($0)
    fn Cow::to_mut(self: &mut std::borrow::Cow<'_, str>) -> &mut String [0& > out] => $0.to_mut()
    fn Cow::into_owned(self: std::borrow::Cow<'_, str>) -> String => $0.into_owned()
    fn Cow::deref(self: &std::borrow::Cow<'_, str>) -> &str [0& > out] => &*$0
    fn Vec<&str>::of(items: *&str) -> Vec<&str> [0 > out] => vec![$*]
    fn Vec<&str>::push(self: &mut Vec<&str>; item: &str) [1& > 0] => $0.push($1)
    fn Vec<&str>::join(self: &Vec<&str>) -> String => $0.join(\"-\")
    fn Vec<&str>::pop(self: &mut Vec<&str>) -> Option<&str> [0 > out] => $0.pop()
    fn Vec<u8>::len(self: &[u8]) -> usize => $0.len()
    fn Vec<u8>::first_is(self: &[u8]; byte: &str) -> bool => $0.starts_with($1.as_bytes())

    type &i32
    type &mut i32
    type Option<i32>: copy
    type Option<&i32>: copy borrows
    type Option<&mut i32>: borrows
    type Vec<i32>: drop
    type &Vec<i32>
    type &mut Vec<i32>
    type &[i32]
    type &mut [i32]
    type Box<i32>: drop
    type Box<[i32]>: drop
    type Option<Box<i32>>: drop
    type std::slice::Iter<'_, i32>: borrows
    type std::slice::IterMut<'_, i32>: borrows
    type std::vec::IntoIter<i32>: drop
    type std::vec::Drain<'_, i32>: drop borrows
    type Vec<&i32>: drop borrows
    type Vec<&mut i32>: drop borrows
    type &mut Vec<&i32>
    type &mut &i32
    type std::cell::Cell<&i32>: borrows
    type std::ops::Range<usize>

    fn Vec<i32>::new() -> Vec<i32> => Vec::new()
    fn Vec<i32>::of(items: *i32) -> Vec<i32> => vec![$*]
    fn Vec<i32>::push(self: &mut Vec<i32>; value: i32) => $0.push($1)
    fn Vec<i32>::pop(self: &mut Vec<i32>) -> Option<i32> => $0.pop()
    fn Vec<i32>::len(self: &Vec<i32>) -> usize => $0.len()
    fn Vec<i32>::append(self: &mut Vec<i32>; other: &mut Vec<i32>) => $0.append($1)
    fn Vec<i32>::eq(self: &Vec<i32>; other: &Vec<i32>) -> bool => $0 == $1
    fn Vec<i32>::iter(self: &[i32]) -> std::slice::Iter<'_, i32> [0& > out] => $0.iter()
    fn Vec<i32>::iter_mut(self: &mut [i32]) -> std::slice::IterMut<'_, i32> [0& > out] => $0.iter_mut()
    fn Vec<i32>::into_iter(self: Vec<i32>) -> std::vec::IntoIter<i32> => $0.into_iter()
    fn Vec<i32>::drain(self: &mut Vec<i32>) -> std::vec::Drain<'_, i32> [0& > out] => $0.drain(..)
    fn Vec<i32>::first(self: &[i32]) -> Option<&i32> [0& > out] => $0.first()
    fn Vec<i32>::first_mut(self: &mut [i32]) -> Option<&mut i32> [0& > out] => $0.first_mut()
    fn Vec<i32>::index(self: &Vec<i32>; index: usize) -> &i32 [0& > out] => &$0[$1]
    fn Vec<i32>::index_mut(self: &mut Vec<i32>; index: usize) -> &mut i32 [0& > out] => &mut $0[$1]
    fn Vec<i32>::sort(self: &mut [i32]) => $0.sort()
    fn Vec<i32>::as_slice(self: &[i32]) -> &[i32] [0& > out] => $0
    fn Vec<i32>::as_mut_slice(self: &mut [i32]) -> &mut [i32] [0& > out] => $0
    fn Vec<i32>::into_boxed_slice(self: Vec<i32>) -> Box<[i32]> => $0.into_boxed_slice()
    fn Vec<i32>::borrow(place: &Vec<i32>) -> &Vec<i32> [0& > out] => $0
    fn Vec<i32>::borrow_mut(place: &mut Vec<i32>) -> &mut Vec<i32> [0& > out] => $0
    fn swap(left: &mut Vec<i32>; right: &mut Vec<i32>) => std::mem::swap($0, $1)
    fn take(place: &mut Vec<i32>) -> Vec<i32> => std::mem::take($0)
    fn Iter::next(self: &mut std::slice::Iter<'_, i32>) -> Option<&i32> [0 > out] => $0.next()
    fn Iter::clone(self: &std::slice::Iter<'_, i32>) -> std::slice::Iter<'_, i32> [0 > out] => $0.clone()
    fn Iter::collect(self: std::slice::Iter<'_, i32>) -> Vec<&i32> [0 > out] => $0.collect::<Vec<&i32>>()
    fn IterMut::next(self: &mut std::slice::IterMut<'_, i32>) -> Option<&mut i32> [0 > out] => $0.next()
    fn IterMut::collect(self: std::slice::IterMut<'_, i32>) -> Vec<&mut i32> [0 > out] => $0.collect::<Vec<&mut i32>>()
    fn Vec<&mut i32>::push(self: &mut Vec<&mut i32>; item: &mut i32) [1& > 0] => $0.push($1)
    fn Vec<&mut i32>::pop(self: &mut Vec<&mut i32>) -> Option<&mut i32> [0 > out] => $0.pop()
    fn Vec<&mut i32>::len(self: &Vec<&mut i32>) -> usize => $0.len()
    fn IntoIter::next(self: &mut std::vec::IntoIter<i32>) -> Option<i32> => $0.next()
    fn Drain::next(self: &mut std::vec::Drain<'_, i32>) -> Option<i32> => $0.next()
    fn Drain::as_slice(self: &std::vec::Drain<'_, i32>) -> &[i32] [0& > out] => $0.as_slice()
    fn Drain::count(self: std::vec::Drain<'_, i32>) -> usize => $0.count()
    fn Option::copied(self: Option<&i32>) -> Option<i32> => $0.copied()
    fn Option::unwrap(self: Option<&i32>) -> &i32 [0 > out] => $0.unwrap()
    fn Option::unwrap_mut(self: Option<&mut i32>) -> &mut i32 [0 > out] => $0.unwrap()
    fn Option::get_or_insert_with(self: &mut Option<i32>) -> &mut i32 [0& > out] => $0.get_or_insert_with(|| 7)
    fn Option<i32>::Some(value: i32) -> Option<i32> => Some($0)
    fn Option<i32>::None() -> Option<i32> => None
    fn Option<i32>::as_mut(self: &mut Option<i32>) -> Option<&mut i32> [0& > out] => $0.as_mut()
    fn set(place: &mut i32; value: i32) => std::mem::drop(std::mem::replace($0, $1))
    fn add_assign(self: &mut i32; value: i32) => $0 += $1
    fn max(left: &i32; right: &i32) -> &i32 [0& > out, 1& > out] => std::cmp::max($0, $1)
    fn abs(self: i32) -> i32 => $0.wrapping_abs()
    fn u64::pow(self: u64) -> u64 => $0.wrapping_pow(2)
    fn Vec<u64>::sum(left: u64; right: u64) -> bool => $0 < $1
    fn Vec<&i32>::new() -> Vec<&i32> => Vec::new()
    fn Vec<&i32>::push(self: &mut Vec<&i32>; item: &i32) [1& > 0] => $0.push($1)
    fn Vec<&i32>::len(self: &Vec<&i32>) -> usize => $0.len()
    fn Vec<&i32>::last(self: &Vec<&i32>) -> Option<&i32> [0 > out] => $0.last().copied()
    fn Vec<&i32>::borrow_mut(place: &mut Vec<&i32>) -> &mut Vec<&i32> [0& > out] => $0
    fn Vec<&i32>::index_mut(self: &mut Vec<&i32>) -> &mut &i32 [0& > out] => &mut $0[0]
    fn Vec<&i32>::set(place: &mut &i32; value: &i32) [1& > 0] => std::mem::drop(std::mem::replace($0, $1))
    fn Vec<&i32>::clone(self: &Vec<&i32>) -> Vec<&i32> [0 > out] => $0.clone()
    fn Cell::new(value: &i32) -> std::cell::Cell<&i32> [0& > out] => std::cell::Cell::new($0)
    fn Cell::set(self: &std::cell::Cell<&i32>; value: &i32) [1& > 0] => $0.set($1)
    fn Cell::get(self: &std::cell::Cell<&i32>) -> &i32 [0 > out] => $0.get()
    fn Box<i32>::new(value: i32) -> Box<i32> => Box::new($0)
    fn Box<i32>::as_ref(self: &Box<i32>) -> &i32 [0& > out] => $0.as_ref()
    fn Box<i32>::deref_mut(self: &mut Box<i32>) -> &mut i32 [0& > out] => &mut *$0
    fn Option<Box<i32>>::Some(value: Box<i32>) -> Option<Box<i32>> => Some($0)
    fn Option<Box<i32>>::take(self: &mut Option<Box<i32>>) -> Option<Box<i32>> => $0.take()
    fn range(start: usize; end: usize) -> std::ops::Range<usize> => $0..$1
    fn Range::start(range: &std::ops::Range<usize>) -> usize => $0.start

    type std::cell::RefCell<Vec<i32>>: drop
    type std::cell::Ref<'_, Vec<i32>>: drop borrows
    type std::cell::RefMut<'_, Vec<i32>>: drop borrows
    type std::collections::BTreeMap<String, i32>: drop
    type std::collections::btree_map::Entry<'_, String, i32>: drop borrows
    type std::collections::btree_map::Keys<'_, String, i32>: borrows

    fn RefCell::new(value: Vec<i32>) -> std::cell::RefCell<Vec<i32>> => std::cell::RefCell::new($0)
    fn RefCell::borrow(self: &std::cell::RefCell<Vec<i32>>) -> std::cell::Ref<'_, Vec<i32>> [0& > out] => $0.borrow()
    fn RefCell::borrow_mut(self: &std::cell::RefCell<Vec<i32>>) -> std::cell::RefMut<'_, Vec<i32>> [0& > out] => $0.borrow_mut()
    fn RefCell::get_mut(self: &mut std::cell::RefCell<Vec<i32>>) -> &mut Vec<i32> [0& > out] => $0.get_mut()
    fn RefCell::into_inner(self: std::cell::RefCell<Vec<i32>>) -> Vec<i32> => $0.into_inner()
    fn Ref::deref(self: &std::cell::Ref<'_, Vec<i32>>) -> &Vec<i32> [0& > out] => &*$0
    fn RefMut::deref_mut(self: &mut std::cell::RefMut<'_, Vec<i32>>) -> &mut Vec<i32> [0& > out] => &mut *$0
    fn BTreeMap<String, i32>::new() -> std::collections::BTreeMap<String, i32> => std::collections::BTreeMap::<String, i32>::new()
    fn BTreeMap::insert(self: &mut std::collections::BTreeMap<String, i32>; key: String; value: i32) -> Option<i32> => $0.insert($1, $2)
    fn BTreeMap::get(self: &std::collections::BTreeMap<String, i32>; key: &str) -> Option<&i32> [0& > out] => $0.get($1)
    fn BTreeMap::get_mut(self: &mut std::collections::BTreeMap<String, i32>; key: &str) -> Option<&mut i32> [0& > out] => $0.get_mut($1)
    fn BTreeMap::entry(self: &mut std::collections::BTreeMap<String, i32>; key: String) -> std::collections::btree_map::Entry<'_, String, i32> [0& > out] => $0.entry($1)
    fn BTreeMap::keys(self: &std::collections::BTreeMap<String, i32>) -> std::collections::btree_map::Keys<'_, String, i32> [0& > out] => $0.keys()
    fn Entry::or_insert(self: std::collections::btree_map::Entry<'_, String, i32>; default: i32) -> &mut i32 [0 > out] => $0.or_insert($1)
    fn Keys::next(self: &mut std::collections::btree_map::Keys<'_, String, i32>) -> Option<&String> [0 > out] => $0.next()
";

pub(crate) fn api() -> Api {
    sketch::api(TABLE).expect("the table is well-formed")
}
