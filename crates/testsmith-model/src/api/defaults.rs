//! What const parameters are by default, where the source says it by the name of a constant.
//!
//! The constant is often private, or in a module of its own; its value can be written everywhere, and rustdoc tells it.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::doc::{Generics, Id, Item, Kind};
use super::ty::ParamKind;

/// Puts values in the place of names. A name that several constants have, or none, leaves the parameter without a default.
pub(crate) fn settle(items: &mut HashMap<Id, Item>, index: &Map<String, Value>) {
    let values = values(index);
    for generics in items.values_mut().filter_map(|item| generics_of(&mut item.kind)) {
        for param in &mut generics.params {
            let ParamKind::Const { default, .. } = &mut param.kind else { continue };
            if let Some(name) = default.as_deref().and_then(constant_in) {
                *default = values.get(name).cloned().flatten();
            }
        }
    }
}

fn generics_of(kind: &mut Kind) -> Option<&mut Generics> {
    match kind {
        Kind::Struct { generics, .. }
        | Kind::Enum { generics, .. }
        | Kind::Trait { generics, .. }
        | Kind::TypeAlias { generics, .. } => Some(generics),
        _ => None,
    }
}

/// The values of constants, by name; `None` where it is not known which one is meant.
fn values(index: &Map<String, Value>) -> HashMap<&str, Option<String>> {
    let mut values = HashMap::new();
    for item in index.values() {
        let constant = &item["inner"]["constant"];
        let Some(name) = item["name"].as_str().filter(|_| constant.is_object()) else { continue };
        let value = value(constant);
        values.entry(name).and_modify(|known| *known = None).or_insert(value);
    }
    values
}

/// `1024` of a constant that rustdoc knows as `1_024usize`.
fn value(constant: &Value) -> Option<String> {
    // Older formats have the parts of `const` in the constant itself.
    let parts = if constant["const"].is_object() { &constant["const"] } else { constant };
    let expression = parts["expr"].as_str().filter(|_| parts["is_literal"] == true);
    let computed = || {
        let ty = constant["type"]["primitive"].as_str()?;
        Some(parts["value"].as_str()?.strip_suffix(ty)?.replace('_', ""))
    };
    expression.map(str::to_owned).or_else(computed)
}

/// The name of the constant that a default is, without its path. Literals and calculations have none.
fn constant_in(default: &str) -> Option<&str> {
    let bare = default.trim_start_matches('{').trim_end_matches('}').trim();
    let is_path = bare.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    let is_literal = bare.starts_with(|c: char| c.is_ascii_digit()) || matches!(bare, "true" | "false");
    (is_path && !is_literal).then(|| bare.rsplit("::").next().unwrap_or(bare))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_default_is_a_constant_or_not() {
        let cases = [
            ("MAX", Some("MAX")),
            ("{ MAX }", Some("MAX")),
            ("limits::MAX", Some("MAX")),
            ("16", None),
            ("true", None),
            ("'a'", None),
            ("{ MAX + 1 }", None),
        ];
        for (default, expected) in cases {
            assert_eq!(constant_in(default), expected, "{default}");
        }
    }

    #[test]
    fn values_are_written_as_literals() {
        let usize = json!({ "primitive": "usize" });
        let cases = [
            (
                json!({ "type": usize, "const": { "expr": "1024", "value": "1_024usize", "is_literal": true } }),
                Some("1024"),
            ),
            (
                json!({ "type": usize, "const": { "expr": "_", "value": "1_024usize", "is_literal": false } }),
                Some("1024"),
            ),
            (json!({ "type": usize, "expr": "8", "value": "8usize", "is_literal": true }), Some("8")),
            (json!({ "type": usize, "const": { "expr": "_", "value": null, "is_literal": false } }), None),
        ];
        for (constant, expected) in cases {
            assert_eq!(value(&constant).as_deref(), expected, "{constant}");
        }
    }
}
