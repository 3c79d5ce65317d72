//! A structured observation as the tool reads it: the other end of [`Observe`](super::Observe).

use std::cmp::Ordering;

use super::observe::Tag;
use super::wire::{Malformed, Reader};

/// An observed value. Lengths are those of the observed value; what is inside may have been cut.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // Each is the type of that name.
pub enum Value {
    Unit,
    Bool(bool),
    Char(char),
    /// Every integer but the next.
    Int(i128),
    /// Larger than any `i128`.
    Huge(u128),
    F32(f32),
    F64(f64),
    /// A text, or a path; its length in bytes.
    Str(String, u64),
    /// A path that is not UTF-8, as `Debug` writes it.
    Odd(String, u64),
    Option(Option<Box<Value>>),
    Result(Result<Box<Value>, Box<Value>>),
    Tuple(Vec<Value>),
    /// Anything with elements in order.
    List(Vec<Value>, u64),
    Set(Vec<Value>, u64),
    Map(Vec<(Value, Value)>, u64),
    Ordering(Ordering),
    /// Seconds and nanoseconds.
    Duration(u64, u32),
    /// A `SystemTime`, by seconds and nanoseconds since the epoch.
    SinceEpoch(u64, u32),
    /// An earlier one.
    BeforeEpoch(u64, u32),
    Range(Box<(Value, Value)>),
    RangeInclusive(Box<(Value, Value)>),
    /// A `RangeInclusive` that has been iterated to its end.
    RangeExhausted(Box<(Value, Value)>),
    RangeFrom(Box<Value>),
    RangeTo(Box<Value>),
    RangeToInclusive(Box<Value>),
    RangeFull,
    /// The observation was too long to hold what stood here.
    Cut,
    /// Something stands here whose type shows no values.
    Opaque,
}

/// Types nest a few levels; bytes that nest deeper are garbage.
const DEEPEST: u32 = 64;

impl Value {
    /// Reads the bytes of [`What::Value`](super::wire::What::Value).
    pub fn decode(bytes: &[u8]) -> Result<Value, Malformed> {
        let mut from = Reader::new(bytes);
        let value = read(&mut from, DEEPEST)?;
        from.finish()?;
        Ok(value)
    }

    /// Whether all of the value is here.
    pub fn is_whole(&self) -> bool {
        let all = |values: &[Value], length: u64| {
            values.len() as u64 == length && values.iter().all(Value::is_whole)
        };
        match self {
            Value::Str(text, length) | Value::Odd(text, length) => text.len() as u64 == *length,
            Value::Option(Some(inner)) | Value::Result(Ok(inner) | Err(inner)) => inner.is_whole(),
            Value::RangeFrom(inner) | Value::RangeTo(inner) | Value::RangeToInclusive(inner) => {
                inner.is_whole()
            }
            Value::Tuple(values) => all(values, values.len() as u64),
            Value::List(values, length) | Value::Set(values, length) => all(values, *length),
            Value::Map(pairs, length) => {
                pairs.len() as u64 == *length
                    && pairs.iter().all(|(key, value)| key.is_whole() && value.is_whole())
            }
            Value::Range(ends) | Value::RangeInclusive(ends) | Value::RangeExhausted(ends) => {
                ends.0.is_whole() && ends.1.is_whole()
            }
            Value::Cut | Value::Opaque => false,
            _ => true,
        }
    }
}

fn read(from: &mut Reader<'_>, deeper: u32) -> Result<Value, Malformed> {
    let deeper = deeper.checked_sub(1).ok_or_else(|| Malformed("a value nests too deep".to_owned()))?;
    let byte = from.byte()?;
    let tag = TAGS.get(usize::from(byte)).ok_or_else(|| Malformed(format!("{byte} is no value")))?;
    let inner = |from: &mut Reader<'_>| read(from, deeper).map(Box::new);
    let pair = |from: &mut Reader<'_>| Ok((read(from, deeper)?, read(from, deeper)?));
    Ok(match tag {
        Tag::Unit => Value::Unit,
        Tag::False => Value::Bool(false),
        Tag::True => Value::Bool(true),
        Tag::Char => {
            let char = u32::try_from(from.uint()?).ok().and_then(char::from_u32);
            Value::Char(char.ok_or_else(|| Malformed("a char is none".to_owned()))?)
        }
        Tag::Int => Value::Int(from.signed()?),
        Tag::Huge => Value::Huge(from.wide()?),
        Tag::F32 => {
            let bytes = from.raw(4)?.try_into().expect("raw gives as many bytes as asked for");
            Value::F32(f32::from_bits(u32::from_le_bytes(bytes)))
        }
        Tag::F64 => {
            let bytes = from.raw(8)?.try_into().expect("raw gives as many bytes as asked for");
            Value::F64(f64::from_bits(u64::from_le_bytes(bytes)))
        }
        Tag::Str => text(from).map(|(text, length)| Value::Str(text, length))?,
        Tag::Odd => text(from).map(|(text, length)| Value::Odd(text, length))?,
        Tag::None => Value::Option(None),
        Tag::Some => Value::Option(Some(inner(from)?)),
        Tag::Ok => Value::Result(Ok(inner(from)?)),
        Tag::Err => Value::Result(Err(inner(from)?)),
        Tag::Tuple => Value::Tuple(many(from, |from| read(from, deeper))?),
        Tag::List => {
            let length = from.uint()?;
            Value::List(many(from, |from| read(from, deeper))?, length)
        }
        Tag::Set => {
            let length = from.uint()?;
            Value::Set(many(from, |from| read(from, deeper))?, length)
        }
        Tag::Map => {
            let length = from.uint()?;
            Value::Map(many(from, pair)?, length)
        }
        Tag::Less => Value::Ordering(Ordering::Less),
        Tag::Equal => Value::Ordering(Ordering::Equal),
        Tag::Greater => Value::Ordering(Ordering::Greater),
        Tag::Duration => duration(from).map(|(seconds, nanos)| Value::Duration(seconds, nanos))?,
        Tag::SinceEpoch => duration(from).map(|(seconds, nanos)| Value::SinceEpoch(seconds, nanos))?,
        Tag::BeforeEpoch => duration(from).map(|(seconds, nanos)| Value::BeforeEpoch(seconds, nanos))?,
        Tag::Range => Value::Range(Box::new(pair(from)?)),
        Tag::RangeInclusive => Value::RangeInclusive(Box::new(pair(from)?)),
        Tag::RangeExhausted => Value::RangeExhausted(Box::new(pair(from)?)),
        Tag::RangeFrom => Value::RangeFrom(inner(from)?),
        Tag::RangeTo => Value::RangeTo(inner(from)?),
        Tag::RangeToInclusive => Value::RangeToInclusive(inner(from)?),
        Tag::RangeFull => Value::RangeFull,
        Tag::Cut => Value::Cut,
        Tag::Opaque => Value::Opaque,
    })
}

fn many<T>(
    from: &mut Reader<'_>,
    mut one: impl FnMut(&mut Reader<'_>) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    let length = from.length()?;
    (0..length).map(|_| one(from)).collect()
}

fn duration(from: &mut Reader<'_>) -> Result<(u64, u32), Malformed> {
    let seconds = from.uint()?;
    let nanos = u32::try_from(from.uint()?);
    Ok((seconds, nanos.map_err(|_| Malformed("too many nanoseconds".to_owned()))?))
}

fn text(from: &mut Reader<'_>) -> Result<(String, u64), Malformed> {
    let length = from.uint()?;
    let kept = from.length()?;
    let bytes = from.raw(kept)?;
    let text = std::str::from_utf8(bytes).map_err(|_| Malformed("a text is not UTF-8".to_owned()))?;
    Ok((text.to_owned(), length))
}

/// By their byte.
const TAGS: [Tag; 33] = [
    Tag::Unit,
    Tag::False,
    Tag::True,
    Tag::Char,
    Tag::Int,
    Tag::Huge,
    Tag::F32,
    Tag::F64,
    Tag::Str,
    Tag::None,
    Tag::Some,
    Tag::Ok,
    Tag::Err,
    Tag::Tuple,
    Tag::List,
    Tag::Set,
    Tag::Map,
    Tag::Less,
    Tag::Equal,
    Tag::Greater,
    Tag::Duration,
    Tag::SinceEpoch,
    Tag::BeforeEpoch,
    Tag::Range,
    Tag::RangeInclusive,
    Tag::RangeExhausted,
    Tag::RangeFrom,
    Tag::RangeTo,
    Tag::RangeToInclusive,
    Tag::RangeFull,
    Tag::Odd,
    Tag::Cut,
    Tag::Opaque,
];

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
    use std::path::Path;
    use std::rc::Rc;
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;
    use crate::harness::observe::{Observe, Shape, Sink, MOST_ELEMENTS};

    fn bytes(value: &(impl Observe + ?Sized)) -> Vec<u8> {
        Sink::bytes(|to| value.observe(to))
    }

    fn value(value: &(impl Observe + ?Sized)) -> Value {
        Value::decode(&bytes(value)).unwrap()
    }

    #[test]
    fn tags_are_at_their_byte() {
        for (at, tag) in TAGS.iter().enumerate() {
            assert_eq!(at, *tag as usize, "{tag:?}");
        }
        assert_eq!(TAGS.len(), Tag::Opaque as usize + 1);
    }

    #[test]
    fn values_are_read_as_they_are() {
        let int = |v: i128| Value::Int(v);
        let text = |s: &str| Value::Str(s.to_owned(), s.len() as u64);
        let ends = |a, b| Box::new((int(a), int(b)));
        let mut iterated = 1..=2u8;
        iterated.by_ref().for_each(drop);
        let mut deque = VecDeque::from([2]);
        deque.push_front(1);
        let table = [
            (value(&()), Value::Unit),
            (value(&true), Value::Bool(true)),
            (value(&'é'), Value::Char('é')),
            (value(&-3i8), int(-3)),
            (value(&i128::MIN), int(i128::MIN)),
            (value(&usize::MAX), int(usize::MAX as i128)),
            (value(&u128::MAX), Value::Huge(u128::MAX)),
            (value(&std::num::NonZeroU8::MIN), int(1)),
            (value(&2.5f32), Value::F32(2.5)),
            (value(&-0.0f64), Value::F64(-0.0)),
            (value("ab"), text("ab")),
            (value(&String::from("é")), text("é")),
            (value(Path::new("/x")), text("/x")),
            (value(&Cow::Borrowed("c")), text("c")),
            (value(&None::<u8>), Value::Option(None)),
            (value(&Some(Rc::new(&1))), Value::Option(Some(Box::new(int(1))))),
            (value(&Ok::<u8, ()>(1)), Value::Result(Ok(Box::new(int(1))))),
            (value(&Err::<u8, ()>(())), Value::Result(Err(Box::new(Value::Unit)))),
            (value(&(1, "a")), Value::Tuple(vec![int(1), text("a")])),
            (value(&[1, 2]), Value::List(vec![int(1), int(2)], 2)),
            (value(&deque), Value::List(vec![int(1), int(2)], 2)),
            (value(&BTreeSet::from([2, 1])), Value::Set(vec![int(1), int(2)], 2)),
            (value(&BTreeMap::from([(1, 2)])), Value::Map(vec![(int(1), int(2))], 1)),
            (value(&Ordering::Less), Value::Ordering(Ordering::Less)),
            (value(&Duration::new(1, 2)), Value::Duration(1, 2)),
            (value(&(UNIX_EPOCH + Duration::new(1, 2))), Value::SinceEpoch(1, 2)),
            (value(&(UNIX_EPOCH - Duration::new(1, 2))), Value::BeforeEpoch(1, 2)),
            (value(&(1..2)), Value::Range(ends(1, 2))),
            (value(&(1..=2)), Value::RangeInclusive(ends(1, 2))),
            (value(&iterated), Value::RangeExhausted(ends(2, 2))),
            (value(&(1..)), Value::RangeFrom(Box::new(int(1)))),
            (value(&(..1)), Value::RangeTo(Box::new(int(1)))),
            (value(&(..=1)), Value::RangeToInclusive(Box::new(int(1)))),
            (value(&(..)), Value::RangeFull),
        ];
        for (found, expected) in table {
            assert_eq!(found, expected);
            assert!(found.is_whole(), "{found:?}");
        }
    }

    #[test]
    fn shapes_show_variants_and_lengths_alone() {
        struct Mine;
        let shape = |value: &dyn Shape| Value::decode(&Sink::bytes(|to| value.shape(to))).unwrap();
        let opaque = || Box::new(Value::Opaque);
        let table = [
            (shape(&None::<Mine>), Value::Option(None)),
            (shape(&Some(Mine)), Value::Option(Some(opaque()))),
            (shape(&Ok::<_, u8>(Mine)), Value::Result(Ok(opaque()))),
            (shape(&&Err::<u8, _>(Mine)), Value::Result(Err(opaque()))),
            (shape(&vec![Mine, Mine]), Value::List(Vec::new(), 2)),
            (shape(&&[Mine][..]), Value::List(Vec::new(), 1)),
            (shape(&BTreeSet::<Mine>::new()), Value::Set(Vec::new(), 0)),
            (shape(&HashMap::from([(1, Mine)])), Value::Map(Vec::new(), 1)),
        ];
        for (found, expected) in table {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn hash_tables_and_nan_look_the_same_each_time() {
        let numbers: Vec<i32> = (0..40).collect();
        let set = |numbers: &[i32]| bytes(&numbers.iter().copied().collect::<HashSet<_>>());
        let map = |numbers: &[i32]| bytes(&numbers.iter().map(|n| (*n, -n)).collect::<HashMap<_, _>>());
        let reversed: Vec<i32> = numbers.iter().rev().copied().collect();
        assert_eq!(set(&numbers), set(&reversed));
        assert_eq!(map(&numbers), map(&reversed));
        assert_eq!(bytes(&f64::NAN), bytes(&-f64::NAN));
        assert_ne!(bytes(&0.0f32), bytes(&-0.0f32));
    }

    #[test]
    fn long_values_are_cut_and_keep_their_length() {
        let long = vec![7u8; 1000];
        let Value::List(kept, length) = value(&long) else { panic!("a list") };
        assert_eq!((kept.len(), length), (MOST_ELEMENTS, 1000));
        let text = "é".repeat(5000);
        let found = value(&text);
        assert!(!found.is_whole());
        let Value::Str(kept, length) = found else { panic!("a text") };
        assert_eq!((kept.len(), length), (4096, 10_000));
        let nested = vec![vec![vec!["abcdefgh"; 50]; 50]; 50];
        assert!(bytes(&nested).len() < 20_000);
        assert!(!value(&nested).is_whole());
        let sets: Vec<HashSet<u64>> = (0..64).map(|_| (1 << 40..(1 << 40) + 64).collect()).collect();
        assert!(bytes(&sets).len() < 20_000);
    }

    #[test]
    fn garbage_is_an_error() {
        for garbage in [&[][..], &[200], &[10; 100], &[14, 0xff, 0xff, 3], &[3, 0x80, 0xb0, 3], &[0, 0]] {
            assert!(Value::decode(garbage).is_err(), "{garbage:?}");
        }
    }
}
