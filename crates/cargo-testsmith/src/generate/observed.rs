//! What was seen of a mutant that is alive, in words: how far the program that came closest got, and what it showed.

use testsmith_exec::ObservedDifference;
use testsmith_rt::harness::Value;
use testsmith_rt::harness::wire::{Difference, Operand, Outcome, What};
use testsmith_search::Found;
use testsmith_search::search_state::{Near, Stage};

/// Of a text that was seen.
const LONGEST: usize = 120;

/// What was observed of a mutant, if anything.
pub(crate) fn observed(found: &Found, mutant: u32) -> Option<String> {
    match (found.archive.get(&mutant), found.near.get(&mutant)) {
        (Some(best), _) => Some(difference(&best.observed)),
        (None, Some(near)) => nearness(near),
        (None, None) => None,
    }
}

/// What the mutant did otherwise.
fn difference(observed: &ObservedDifference) -> String {
    match &observed.difference {
        Difference::Outcome(outcome, _) => {
            format!("the original {}; the mutant {}", ending(&observed.outcome), ending(outcome))
        }
        Difference::Observation(_, what) => {
            let original = observed.original.as_ref().map(|seen| &seen.what);
            format!("the original shows {}; the mutant shows {}", shown(original), shown(what.as_ref()))
        }
    }
}

/// How far a program got that showed nothing.
fn nearness(near: &Near) -> Option<String> {
    match near.stage {
        Stage::Away => None,
        Stage::Entered => Some("it calls the function, and does not get to the changed code".to_owned()),
        Stage::Reached => {
            Some(format!("it runs the changed code, which computes the same as before{}", operands(near)))
        }
        Stage::Infected => Some(
            "the changed code computes something else, and nothing that was looked at shows it".to_owned(),
        ),
    }
}

/// What was compared in a condition that came out as before.
fn operands(near: &Near) -> String {
    let operand = |operand: &Operand| match operand {
        Operand::Int(value) => value.to_string(),
        Operand::Char(value) => format!("{value:?}"),
        Operand::Text(value) => cut(&format!("{value:?}")),
    };
    match near.operands.first() {
        Some(first) => format!(": it compares {} and {}", operand(&first.left), operand(&first.right)),
        None => String::new(),
    }
}

fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok => "ends by itself".to_owned(),
        Outcome::Panic { message, .. } => {
            format!("panics with `{}`", cut(message.lines().next().unwrap_or_default()))
        }
        Outcome::Fuel => "does not end".to_owned(),
        Outcome::Hang => "takes too long".to_owned(),
        Outcome::Depth => "calls itself too deeply".to_owned(),
        Outcome::Memory => "needs too much memory".to_owned(),
        Outcome::Signal(signal) => format!("is ended by signal {signal}"),
        Outcome::Exit(code) => format!("ends its process with code {code}"),
        Outcome::Type(why) => format!("cannot be run: {why}"),
        Outcome::Outside(outside) => format!("reaches outside of its process ({})", outside.name()),
    }
}

fn shown(what: Option<&What>) -> String {
    match what {
        None | Some(What::Absent) => "nothing".to_owned(),
        Some(What::Value(bytes)) => {
            Value::decode(bytes).map_or_else(|_| "a value".to_owned(), |it| value(&it))
        }
        Some(What::Debug(text) | What::Display(text)) => format!("`{}`", cut(text)),
        Some(What::Eq(_, is_equal)) => {
            if *is_equal { "an equal value" } else { "an unequal value" }.to_owned()
        }
        Some(What::Cmp(_, order)) => format!("`{order:?}` in a comparison"),
        Some(What::Panics(_)) => "a panic when it is looked at".to_owned(),
    }
}

/// As a reader would write it, where that is short.
fn value(value: &Value) -> String {
    let text = match value {
        Value::Unit => "()".to_owned(),
        Value::Bool(it) => it.to_string(),
        Value::Char(it) => format!("{it:?}"),
        Value::Int(it) => it.to_string(),
        Value::Huge(it) => it.to_string(),
        Value::F32(it) => format!("{it:?}"),
        Value::F64(it) => format!("{it:?}"),
        Value::Str(it, _) => format!("{it:?}"),
        Value::Option(None) => "None".to_owned(),
        Value::Option(Some(inner)) => return format!("Some({})", self::value(inner)),
        Value::Result(Ok(inner)) => return format!("Ok({})", self::value(inner)),
        Value::Result(Err(inner)) => return format!("Err({})", self::value(inner)),
        Value::List(items, _) => {
            return cut(&format!("[{}]", items.iter().map(self::value).collect::<Vec<_>>().join(", ")));
        }
        Value::Ordering(order) => format!("{order:?}"),
        Value::Opaque | Value::Cut => "…".to_owned(),
        other => format!("{other:?}"),
    };
    cut(&text)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_as_they_are_written() {
        let int = |it| Box::new(Value::Int(it));
        let table = [
            (Value::Option(Some(int(3))), "Some(3)"),
            (Value::Result(Err(Box::new(Value::Str("no".to_owned(), 2)))), "Err(\"no\")"),
            (Value::List(vec![Value::Int(1), Value::Char('x')], 2), "[1, 'x']"),
            (Value::F64(0.0), "0.0"),
        ];
        for (value, text) in table {
            assert_eq!(super::value(&value), text);
        }
        assert_eq!(cut(&"x".repeat(500)).chars().count(), LONGEST + 1);
    }
}
