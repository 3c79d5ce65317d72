//! Observations for people: [`show`].

use testsmith_rt::harness::Value;
use testsmith_rt::harness::wire::What;

/// What was seen, in a short text that is close to Rust.
pub fn show(what: &What) -> String {
    match what {
        What::Value(bytes) => {
            Value::decode(bytes).map_or_else(|error| error.to_string(), |value| text(&value))
        }
        What::Debug(text) => format!("{{:?}} {text}"),
        What::Display(text) => format!("{{}} {text}"),
        What::Eq(other, answer) => format!("== slot {other}: {answer}"),
        What::Cmp(other, answer) => format!("cmp slot {other}: {answer:?}"),
        What::Panics(aspect) => format!("panics ({aspect:?})"),
        What::Absent => "no value".to_owned(),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Unit => "()".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Char(value) => format!("{value:?}"),
        Value::Int(value) => value.to_string(),
        Value::Huge(value) => value.to_string(),
        Value::F32(value) => format!("{value:?}"),
        Value::F64(value) => format!("{value:?}"),
        Value::Str(value, _) | Value::Odd(value, _) => format!("{value:?}"),
        Value::Option(None) => "None".to_owned(),
        Value::Option(Some(inner)) => format!("Some({})", text(inner)),
        Value::Result(Ok(inner)) => format!("Ok({})", text(inner)),
        Value::Result(Err(inner)) => format!("Err({})", text(inner)),
        Value::Tuple(all) => format!("({})", joined(all)),
        Value::List(all, length) | Value::Set(all, length) if all.is_empty() && *length > 0 => {
            format!("{length} elements")
        }
        Value::Map(all, length) if all.is_empty() && *length > 0 => format!("{length} entries"),
        Value::List(all, _) => format!("[{}]", joined(all)),
        Value::Set(all, _) => format!("{{{}}}", joined(all)),
        Value::Map(all, _) => {
            let pairs = all.iter().map(|(key, value)| format!("{}: {}", text(key), text(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::Ordering(value) => format!("{value:?}"),
        Value::Duration(seconds, nanos) => format!("{seconds}.{nanos:09} s"),
        Value::SinceEpoch(seconds, nanos) => format!("{seconds}.{nanos:09} s since the epoch"),
        Value::BeforeEpoch(seconds, nanos) => format!("{seconds}.{nanos:09} s before the epoch"),
        Value::Range(ends) => format!("{}..{}", text(&ends.0), text(&ends.1)),
        Value::RangeInclusive(ends) => format!("{}..={}", text(&ends.0), text(&ends.1)),
        Value::RangeExhausted(ends) => format!("{}..={} (at its end)", text(&ends.0), text(&ends.1)),
        Value::RangeFrom(start) => format!("{}..", text(start)),
        Value::RangeTo(end) => format!("..{}", text(end)),
        Value::RangeToInclusive(end) => format!("..={}", text(end)),
        Value::RangeFull => "..".to_owned(),
        Value::Cut => "…".to_owned(),
        Value::Opaque => "_".to_owned(),
    }
}

fn joined(all: &[Value]) -> String {
    all.iter().map(text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_in_rust() {
        let list = Value::List(vec![Value::Int(-1), Value::Cut], 9);
        let value = Value::Result(Ok(Box::new(Value::Tuple(vec![Value::Bool(true), list]))));
        assert_eq!(text(&value), "Ok((true, [-1, …]))");
        let map = Value::Map(vec![(Value::Str("a".to_owned(), 1), Value::Option(None))], 1);
        assert_eq!(text(&map), "{\"a\": None}");
        assert_eq!(text(&Value::Result(Err(Box::new(Value::Opaque)))), "Err(_)");
        assert_eq!(text(&Value::List(Vec::new(), 3)), "3 elements");
        assert_eq!(show(&What::Debug("S(1)".to_owned())), "{:?} S(1)");
    }
}
