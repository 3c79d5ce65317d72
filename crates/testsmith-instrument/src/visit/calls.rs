//! Calls: `pair` and `checked`, and the arguments of every call.

use syn::visit::Visit;
use syn::{Expr, ExprCall, ExprMethodCall};

use super::{Draft, Walker, range, select};
use crate::mutant::one_line;
use crate::operators::{CHECKED, Operator, PAIR};
use crate::site::{Part, choice, source, text};

/// How a method takes its receiver, and so how the site has to hold it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    Ref,
    Mut,
    Value,
    /// With a closure, which has to stand in the call itself: a method of the run-time library.
    Closure(&'static str),
}

/// Methods of std with a counterpart: `(one, other, receiver, number of arguments)`.
const PAIRS: &[(&str, &str, Receiver, usize)] = &[
    ("is_some", "is_none", Receiver::Ref, 0),
    ("is_ok", "is_err", Receiver::Ref, 0),
    ("first", "last", Receiver::Ref, 0),
    ("front", "back", Receiver::Ref, 0),
    ("pop_front", "pop_back", Receiver::Mut, 0),
    ("push_front", "push_back", Receiver::Mut, 1),
    ("starts_with", "ends_with", Receiver::Ref, 1),
    ("strip_prefix", "strip_suffix", Receiver::Ref, 1),
    ("split_once", "rsplit_once", Receiver::Ref, 1),
    ("find", "rfind", Receiver::Ref, 1),
    ("trim_start", "trim_end", Receiver::Ref, 0),
    ("trim_start_matches", "trim_end_matches", Receiver::Ref, 1),
    ("to_lowercase", "to_uppercase", Receiver::Ref, 0),
    ("to_ascii_lowercase", "to_ascii_uppercase", Receiver::Ref, 0),
    ("is_lowercase", "is_uppercase", Receiver::Ref, 0),
    ("is_ascii_lowercase", "is_ascii_uppercase", Receiver::Ref, 0),
    ("min", "max", Receiver::Value, 1),
    ("min", "max", Receiver::Value, 0),
    ("floor", "ceil", Receiver::Value, 0),
    ("leading_zeros", "trailing_zeros", Receiver::Value, 0),
    ("count_ones", "count_zeros", Receiver::Value, 0),
    ("rotate_left", "rotate_right", Receiver::Mut, 1),
    ("to_be_bytes", "to_le_bytes", Receiver::Value, 0),
    ("any", "all", Receiver::Closure("Combine"), 1),
    ("min_by", "max_by", Receiver::Closure("Compare"), 1),
    ("min_by_key", "max_by_key", Receiver::Closure("Compare"), 1),
];

/// Methods that take a range as an index.
const INDEXING: [&str; 4] = ["get", "get_mut", "get_unchecked", "get_unchecked_mut"];

/// Methods of ranges and iterators after which `(a..b)` may become another type.
const ITERATING: [&str; 22] = [
    "map",
    "filter",
    "rev",
    "contains",
    "any",
    "all",
    "for_each",
    "collect",
    "zip",
    "enumerate",
    "fold",
    "sum",
    "product",
    "take",
    "take_while",
    "skip",
    "step_by",
    "find",
    "filter_map",
    "flat_map",
    "chain",
    "count",
];

impl Walker<'_> {
    pub(super) fn method_call(&mut self, call: &ExprMethodCall) {
        let name = call.method.to_string();
        if let Some((other, receiver)) = counterpart(&name, call) {
            match receiver {
                Receiver::Closure(extension) => self.closure_pair(call, other, extension),
                Receiver::Mut if is_place(&call.receiver) => self.place_pair(call, other),
                _ => self.method_choice(call, receiver, PAIR, vec![(other.to_owned(), format!("@.{other}"))]),
            }
        } else if let Some(others) = other_arithmetic(&name).filter(|_| call.args.len() == 1) {
            self.method_choice(call, Receiver::Value, CHECKED, others);
        }
        self.receiver_range(&call.receiver, &name);
        self.visit_expr(&call.receiver);
        for arg in &call.args {
            match arg {
                Expr::Range(bounds) if INDEXING.contains(&name.as_str()) => self.indexed_range(bounds),
                // The message of a panic is not what a test looks at.
                Expr::Lit(_) if name == "expect" || name == "expect_err" => continue,
                _ => self.operand(arg, false),
            }
            self.visit_expr(arg);
        }
    }

    pub(super) fn call(&mut self, call: &ExprCall) {
        self.function_pair(call);
        self.visit_expr(&call.func);
        for arg in &call.args {
            self.operand(arg, false);
            self.visit_expr(arg);
        }
    }

    fn receiver_range(&mut self, receiver: &Expr, method: &str) {
        if let Expr::Paren(inner) = receiver
            && let Expr::Range(bounds) = &*inner.expr
            && ITERATING.contains(&method)
        {
            self.iterated_range(bounds);
        }
    }

    /// `(match (&(R), (A)) { (v, a) => match … { 0 => v.starts_with(a), _ => v.ends_with(a) } })`; `others` are
    /// `(shown name, code with @ for the receiver and without the arguments)`.
    fn method_choice(
        &mut self,
        call: &ExprMethodCall,
        receiver: Receiver,
        operator: &'static Operator,
        others: Vec<(String, String)>,
    ) {
        if call.turbofish.is_some() || call.args.iter().any(|arg| matches!(arg, Expr::Closure(_))) {
            return;
        }
        let (place, method) = (range(&*call.receiver), range(&call.method));
        let arg = call.args.first().map(range);
        let whole = range(call);
        let draft =
            |(shown, _): &(String, String)| Draft { operator, span: method.clone(), after: shown.clone() };
        let drafts = others.iter().map(draft).collect();
        let name = call.method.to_string();
        self.site(whole.clone(), drafts, |base| {
            let args = if arg.is_some() { "(__a)" } else { "()" };
            let arm = |code: &str| match code.strip_prefix("Some:") {
                Some(code) => {
                    let code = code.replace('@', "__v");
                    format!("{}::std::option::Option::Some({code}{args})", crate::RUNTIME)
                }
                None => format!("{}{args}", code.replace('@', "__v")),
            };
            let reference = match receiver {
                Receiver::Ref => "&(",
                Receiver::Mut => "&mut (",
                _ => "(",
            };
            let mut parts = vec![text(format!("(match ({reference}")), source(&place)];
            let mut rest = place.end..whole.end;
            if let Some(arg) = &arg {
                parts.extend([text("), ("), Part::Newlines(place.end..arg.start), source(arg)]);
                rest = arg.end..whole.end;
            }
            let pattern = if arg.is_some() { "(__v, __a)" } else { "__v" };
            parts.extend([
                Part::Newlines(rest),
                text(format!(")) {{ {pattern} => ")),
                choice(
                    select("may", base, others.len()),
                    vec![text(arm(&format!("@.{name}")))],
                    others.iter().map(|(_, code)| arm(code)).collect(),
                ),
                text(" })"),
            ]);
            parts
        });
    }

    /// `(match … { 0 => place.pop_front(), _ => place.pop_back() })`: a parameter `q: &mut T` is no `mut` variable that
    /// could be borrowed once more, and naming a place twice costs nothing.
    fn place_pair(&mut self, call: &ExprMethodCall, other: &str) {
        let (whole, method, place) = (range(call), range(&call.method), range(&*call.receiver));
        let draft = Draft { operator: PAIR, span: method.clone(), after: other.to_owned() };
        let receiver = one_line(self.file.slice(&place));
        let arg = call.args.first().map(range);
        let name = call.method.to_string();
        self.site(whole.clone(), vec![draft], |base| {
            let may = select("may", base, 1);
            let Some(arg) = arg else {
                let arms = vec![format!("{receiver}.{other}()")];
                return vec![text("("), choice(may, vec![source(&whole)], arms), text(")")];
            };
            let original = vec![text(format!("{receiver}.{name}(__a)"))];
            vec![
                text("(match ("),
                Part::Newlines(whole.start..arg.start),
                source(&arg),
                Part::Newlines(arg.end..whole.end),
                text(") { __a => "),
                choice(may, original, vec![format!("{receiver}.{other}(__a)")]),
                text(" })"),
            ]
        });
    }

    /// `{ use …; receiver.__ts_any(arm, closure) }`.
    fn closure_pair(&mut self, call: &ExprMethodCall, other: &str, extension: &str) {
        if call.turbofish.is_some() {
            return;
        }
        let (whole, method) = (range(call), range(&call.method));
        let Some(arg) = call.args.first().map(range) else { return };
        let draft = Draft { operator: PAIR, span: method.clone(), after: other.to_owned() };
        let name = call.method.to_string();
        self.site(whole.clone(), vec![draft], |base| {
            let rt = crate::RUNTIME;
            vec![
                text(format!("({{ use {rt}::{extension} as _; ")),
                source(&(whole.start..method.start)),
                text(format!("__ts_{name}({}, ", select("may", base, 1))),
                Part::Newlines(method.end..arg.start),
                source(&arg),
                Part::Newlines(arg.end..whole.end),
                text(") })"),
            ]
        });
    }

    /// `min(a, b)`, `cmp::max(a, b)`, `u32::from_be_bytes(b)`: the other function.
    fn function_pair(&mut self, call: &ExprCall) {
        let Expr::Path(path) = &*call.func else { return };
        let names: Vec<_> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
        let Some(name) = names.last().filter(|_| path.qself.is_none()) else { return };
        let (other, args) = match name.as_str() {
            "min" => ("max", 2),
            "max" => ("min", 2),
            "from_be_bytes" => ("from_le_bytes", 1),
            "from_le_bytes" => ("from_be_bytes", 1),
            _ => return,
        };
        let is_bare = names.len() == 1 || names.iter().any(|n| n == "cmp");
        if call.args.len() != args || args == 1 && is_bare {
            return;
        }
        let span = range(path);
        let shown = replace_last(&one_line(self.file.slice(&span)), name, other);
        // The counterpart of an imported function need not be imported.
        let code = if is_bare { format!("{}::std::cmp::{other}", crate::RUNTIME) } else { shown.clone() };
        let draft = Draft { operator: PAIR, span: span.clone(), after: shown };
        self.site(span.clone(), vec![draft], |base| {
            vec![text("("), choice(select("may", base, 1), vec![source(&span)], vec![code]), text(")")]
        });
    }
}

/// A variable or a field of one.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        _ => false,
    }
}

fn counterpart(name: &str, call: &ExprMethodCall) -> Option<(&'static str, Receiver)> {
    let pair = PAIRS.iter().find(|(one, other, receiver, args)| {
        let takes_closure = matches!(receiver, Receiver::Closure(_));
        (*one == name || *other == name)
            && call.args.len() == *args
            && (!takes_closure || matches!(call.args.first(), Some(Expr::Closure(_) | Expr::Path(_))))
    })?;
    Some((if pair.0 == name { pair.1 } else { pair.0 }, pair.2))
}

/// Other operations and other behaviour on overflow, as `(shown, code)`.
fn other_arithmetic(name: &str) -> Option<Vec<(String, String)>> {
    let (prefix, operation) = name.split_once('_')?;
    let opposite = match operation {
        "add" => "sub",
        "sub" => "add",
        "mul" => "div",
        "div" => "mul",
        "rem" => "div",
        "shl" => "shr",
        "shr" => "shl",
        "pow" => "mul",
        _ => return None,
    };
    let other_behaviour = match (prefix, operation) {
        ("checked", _) => Some((format!("wrapping_{operation}"), format!("Some:@.wrapping_{operation}"))),
        ("wrapping", "add" | "sub" | "mul" | "pow") => {
            Some((format!("saturating_{operation}"), format!("@.saturating_{operation}")))
        }
        ("saturating", _) => Some((format!("wrapping_{operation}"), format!("@.wrapping_{operation}"))),
        ("overflowing", _) => None,
        ("wrapping", _) => None,
        _ => return None,
    };
    let is_typed_alike = operation != "pow";
    let opposite = is_typed_alike.then(|| (format!("{prefix}_{opposite}"), format!("@.{prefix}_{opposite}")));
    Some(opposite.into_iter().chain(other_behaviour).collect())
}

fn replace_last(text: &str, from: &str, to: &str) -> String {
    match text.rfind(from) {
        Some(at) => format!("{}{to}{}", &text[..at], &text[at + from.len()..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_methods_get_the_opposite_and_the_other_overflow() {
        let shown = |name: &str| {
            other_arithmetic(name)
                .map(|others| others.into_iter().map(|(shown, _)| shown).collect::<Vec<_>>())
        };
        assert_eq!(shown("checked_add").unwrap(), ["checked_sub", "wrapping_add"]);
        assert_eq!(shown("wrapping_mul").unwrap(), ["wrapping_div", "saturating_mul"]);
        assert_eq!(shown("saturating_sub").unwrap(), ["saturating_add", "wrapping_sub"]);
        assert_eq!(shown("overflowing_add").unwrap(), ["overflowing_sub"]);
        assert_eq!(shown("wrapping_shl").unwrap(), ["wrapping_shr"]);
        assert_eq!(shown("checked_pow").unwrap(), ["wrapping_pow"]);
        assert_eq!(shown("unwrap_or"), None);
    }
}
