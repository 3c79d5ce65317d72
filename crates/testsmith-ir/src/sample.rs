//! The table that this crate's unit tests share: a list, a parser that borrows its text, a guard.

use crate::api::{Api, CallableId};

pub(crate) fn api() -> Api {
    crate::sketch::api(
        "
        type i32: copy
        type u8: copy
        type usize: copy
        type f64: copy
        type bool: copy
        type &str
        type String: drop
        type &[u8]
        type Vec<u8>: drop
        type &i32
        type &mut i32
        type &&i32
        type Option<i32>: copy
        type Option<&i32>: copy borrows
        type List: drop
        type &List
        type &mut List
        type Iter<'_>: borrows
        type IterMut<'_>: borrows
        type mine::Drain<'_>: drop borrows
        type Vec<&i32>: drop borrows
        type &mut Vec<&i32>
        type mine::Bag<'_>: drop borrows
        type mine::Knot<'_>: borrows
        type mine::Name<'_>: borrows
        type Parser<'_>: borrows
        type Wrapper<u8>
        type Point: copy
        type mine::Marks: copy
        fn List::new() -> List => List::new()
        fn List::of(items: *i32) -> List => List::of([$*])
        fn List::push(self: &mut List; value: i32) => $0.push($1)
        fn List::len(self: &List) -> usize => $0.len()
        fn List::iter(self: &List) -> Iter<'_> [0& > out] => $0.iter()
        fn List::iter_mut(self: &mut List) -> IterMut<'_> [0& > out] => $0.iter_mut()
        fn List::first(self: &List) -> Option<&i32> [0& > out] => $0.first()
        fn List::at(self: &List; index: usize) -> &i32 [0& > out] => &$0[$1]
        fn List::print(self: &List; size: usize) -> bool => write!(&mut [0u8; 64][..$1], \"{}\", $0).is_err()
        fn List::get_mut(self: &mut List; index: usize) -> &mut i32 [0& > out] => $0.get_mut($1)
        fn List::drain(self: &mut List) -> mine::Drain<'_> [0& > out] => $0.drain()
        fn List::into_iter(self: List) -> Vec<u8> => $0.into_vec()
        fn List::borrow_mut(place: &mut List) -> &mut List [0& > out] => $0
        fn List::add(self: List; other: &List) -> List => $0 + $1
        fn List::add_assign(self: &mut List; other: &List) => $0 += $1
        fn List::eq(self: &List; other: &List) -> bool => $0 == $1
        fn Iter::next(self: &mut Iter<'_>) -> Option<&i32> [0 > out] => $0.next()
        fn IterMut::next(self: &mut IterMut<'_>) -> &mut i32 [0 > out] => $0.next()
        fn Drain::next(self: &mut mine::Drain<'_>) -> Option<i32> => $0.next()
        fn set(place: &mut i32; value: i32) => $0 = $1
        fn i32::abs(self: i32) -> i32 => $0.abs()
        fn i32::neg(self: i32) -> i32 => -$0
        fn i32::sub(self: i32; rhs: i32) -> i32 => $0 - $1
        fn i32::max_ref(self: &i32; other: &i32) -> &i32 [0& > out, 1& > out] => $0.max_ref($1)
        fn usize::pow(self: usize; exponent: u8) -> usize => $0.pow($1)
        fn Vec::refs() -> Vec<&i32> => Vec::new()
        fn Vec::push_ref(self: &mut Vec<&i32>; item: &i32) [1& > 0] => $0.push($1)
        fn Vec::ref_len(self: &Vec<&i32>) -> usize => $0.len()
        fn Vec::some_ref(self: &Vec<&i32>) -> &i32 [0 > out] => $0[0]
        fn Vec::borrow_mut(place: &mut Vec<&i32>) -> &mut Vec<&i32> [0& > out] => $0
        fn Bag::new() -> mine::Bag<'_> => Bag::new()
        fn Bag::put(self: &mut mine::Bag<'_>; item: &i32) [1& > 0] => $0.put($1)
        fn Knot::new() -> mine::Knot<'_> => Knot::new()
        fn Knot::tie(self: &mut mine::Knot<'_>) [0& > 0] => $0.tie()
        fn show(value: &i32) => show($0)
        fn keep_both(list: &mut List; value: &i32) => keep_both($0, $1)
        fn Parser::new(text: &str) -> Parser<'_> [0& > out] => Parser::new($0)
        fn Parser::word(self: &mut Parser<'_>) -> &str [0 > out] => $0.word()
        fn String::push(self: &mut String; text: &str) => $0.push_str($1)
        fn String::from(text: &str) -> String => String::from($0)
        fn Keys::new(name: =&str) -> usize [0 > ever] => Keys::new($0)
        fn Name::of(text: &String) -> mine::Name<'_> [0& > out] => Name::of($0)
        fn Name::check(text: &String) => Name::check($0)
        fn Name::show(self: &mine::Name<'_>) => $0.show()
        fn hash(bytes: &[u8]) -> usize => hash($0)
        fn Wrapper<u8>::new(value: u8) -> Wrapper<u8> => Wrapper::new($0)
        fn Wrapper<u8>::empty() -> Wrapper<u8> => Wrapper::empty()
        type mine::Mark: copy
        fn mine::Mark::NONE() -> mine::Mark => Mark::NONE
        fn mine::Marks::new(first: mine::Mark; last: mine::Mark) -> mine::Marks => Marks { first: $0, last: $1 }
        fn Point::new(x: f64; y: f64) -> Point => Point { x: $0, y: $1 }
        type Pair<u8, u8>
        fn Pair<u8, u8>::Left(value: u8) -> Pair<u8, u8> => Pair::Left($0)
        ",
    )
    .expect("the table is well-formed")
}

pub(crate) fn callable(api: &Api, path: &str) -> CallableId {
    api.find(path).unwrap_or_else(|| panic!("no callable {path}"))
}
