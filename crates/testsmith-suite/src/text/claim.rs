//! Claims as assertions: which can be written, and how.

use std::cmp::Ordering;

use testsmith_ir::render::{quoted, repeated};
use testsmith_ir::{Accepts, Api, Facts, Program, Slot, Statement, TypeId};
use testsmith_rt::harness::Value;

use super::parse_debug::parse_debug;
use super::scope::Scope;
use super::subject::Subject;
use super::ty::Ty;
use super::value::{List, exact, list, list_of, scalar};
use crate::case::{Check, Claim};

/// Whether a check can be written as an assertion.
pub fn is_writable(api: &Api, program: &Program, check: &Check) -> bool {
    let Some(ty) = type_of(api, program, check.slot) else { return false };
    let has_type = |other: Slot| type_of(api, program, other) == Some(ty) && other != check.slot;
    let is_sound = match &check.claim {
        Claim::Equal(other, _) | Claim::Order(other, _) => has_type(*other),
        Claim::Value(_) => true,
        // A text is always there to fall back to.
        Claim::Display(text) | Claim::Debug(text) if is_printable(text) => return true,
        Claim::Display(_) | Claim::Debug(_) => true,
    };
    let subject = Subject::new("subject");
    let mut scope = Scope::of(api, program);
    is_sound && assertion(api, ty, &check.claim, &subject, Some("other"), &mut scope).is_some()
}

/// Whether a check would be written as one of a text that the value prints.
pub fn is_string(api: &Api, program: &Program, check: &Check) -> bool {
    let Some(ty) = type_of(api, program, check.slot) else { return false };
    match &check.claim {
        Claim::Display(_) => true,
        Claim::Debug(text) => {
            let (ty, facts) = (Ty::parse(&api[ty].text), api[ty].facts);
            let mut scope = Scope::of(api, program);
            lifted(api, &ty, text, &Subject::new("subject"), facts, &mut scope).is_none()
        }
        Claim::Value(_) | Claim::Equal(..) | Claim::Order(..) => false,
    }
}

/// Whether a check is on what an error of the crate says, and that is short. The words of the standard library are nobody's promise.
pub fn is_message(api: &Api, program: &Program, check: &Check) -> bool {
    let Claim::Display(text) = &check.claim else { return false };
    let is_error = program[check.slot].callable().is_some_and(|maker| {
        let shown = &api[maker].shown;
        shown.ends_with(".unwrap_err()") || shown.ends_with(".err().unwrap()")
    });
    let is_own =
        type_of(api, program, check.slot).is_some_and(|ty| matches!(Ty::parse(&api[ty].text), Ty::Other(_)));
    is_error && is_own && !text.contains('\n') && (1..=LONGEST_MESSAGE).contains(&text.len())
}

/// A longer message is better told by something else.
const LONGEST_MESSAGE: usize = 100;

/// The type of a slot's value.
pub(crate) fn type_of(api: &Api, program: &Program, slot: Slot) -> Option<TypeId> {
    match program.statements.get(slot.index())? {
        Statement::Literal { ty, .. } => Some(*ty),
        Statement::Call { callable, .. } => Some(api[*callable].output),
        Statement::Drop(_) => None,
    }
}

/// A claim as a statement; `other` is the variable that it compares with.
pub(super) fn assertion(
    api: &Api,
    ty: TypeId,
    claim: &Claim,
    subject: &Subject,
    other: Option<&str>,
    scope: &mut Scope,
) -> Option<String> {
    let facts = api[ty].facts;
    match claim {
        Claim::Value(value) => of_value(&Ty::parse(&api[ty].text), value, subject, facts, scope),
        Claim::Equal(_, is_equal) => Some(equality(&subject.value(), other?, *is_equal, facts)),
        Claim::Order(_, order) => {
            let text = &api[ty].text;
            let signs = if has_own_signs(api, ty) { Signs::Other } else { Signs::Same };
            order_of(subject, other?, *order, text.starts_with('&'), signs, scope)
        }
        Claim::Display(text) => {
            is_printable(text).then(|| equal(&format!("{}.to_string()", subject.receiver()), &in_lines(text)))
        }
        Claim::Debug(text) => {
            let ty = Ty::parse(&api[ty].text);
            lifted(api, &ty, text, subject, facts, scope).or_else(|| printed(&ty, text, subject))
        }
    }
}

fn equal(left: &str, right: &str) -> String {
    format!("assert_eq!({left}, {right});")
}

fn equality(left: &str, right: &str, is_equal: bool, facts: Facts) -> String {
    match (is_equal, facts.debug) {
        (true, true) => equal(left, right),
        (false, true) => format!("assert_ne!({left}, {right});"),
        (true, false) => format!("assert!({left} == {right});"),
        (false, false) => format!("assert!({left} != {right});"),
    }
}

/// Whether `<` says the same as `partial_cmp`, by which the order was observed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Signs {
    Same,
    /// The crate has written `lt` and its like as well.
    Other,
}

fn has_own_signs(api: &Api, ty: TypeId) -> bool {
    let is_sign = |path: &str| ["::lt", "::le", "::gt", "::ge"].iter().any(|sign| path.ends_with(sign));
    let takes = |accepts: Accepts| matches!(accepts, Accepts::Shared(taken) if taken == ty);
    api.callables.iter().any(|callable| {
        callable.path.contains("PartialOrd")
            && is_sign(&callable.path)
            && callable.params.first().is_some_and(|param| takes(param.accepts))
    })
}

fn order_of(
    subject: &Subject,
    other: &str,
    order: Option<Ordering>,
    is_reference: bool,
    signs: Signs,
    scope: &mut Scope,
) -> Option<String> {
    let sign = if is_reference { "" } else { "&" };
    let compared = format!("{}.partial_cmp({sign}{other})", subject.receiver());
    Some(match order {
        Some(Ordering::Less) if signs == Signs::Same => format!("assert!({} < {other});", subject.value()),
        Some(Ordering::Greater) if signs == Signs::Same => format!("assert!({} > {other});", subject.value()),
        Some(order) => equal(&compared, &format!("Some({}::{order:?})", scope.name("std::cmp::Ordering"))),
        None => equal(&compared, "None"),
    })
}

/// Printed texts are cut where they are long, addresses in them are masked, and errors are no text.
fn is_printable(text: &str) -> bool {
    text.len() < LONGEST_TEXT && !text.contains("0x_") && !text.ends_with("<error>")
}

/// Longer ones nobody wants to read; what observes cuts them at a later place.
const LONGEST_TEXT: usize = 400;

/// A claim about what is printed as one about the value.
fn lifted(
    api: &Api,
    ty: &Ty,
    text: &str,
    subject: &Subject,
    facts: Facts,
    scope: &mut Scope,
) -> Option<String> {
    let (ty, subject) = match ty {
        Ty::Ref { inner, .. } => (&**inner, subject.deref()),
        ty => (ty, subject.clone()),
    };
    let right = parse_debug(api, ty, text, scope)?;
    let is_pattern = !right.contains("::new(") && !right.contains("::from(") && !right.contains("vec!");
    match right.as_str() {
        _ if facts.eq => Some(equality(&subject.value(), &right, true, facts)),
        "None" => Some(format!("assert!({}.is_none());", subject.receiver())),
        "Ok(())" => Some(format!("assert!({}.is_ok());", subject.receiver())),
        _ if is_pattern => Some(format!("assert!(matches!({}, {right}));", subject.value())),
        _ => None,
    }
}

fn printed(ty: &Ty, text: &str, subject: &Subject) -> Option<String> {
    if ty.is("Option") && text == "None" {
        return Some(format!("assert!({}.is_none());", subject.receiver()));
    }
    let printed = match subject.is_name() {
        true => format!("format!(\"{{{}:?}}\")", subject.value()),
        false => format!("format!(\"{{:?}}\", {})", subject.value()),
    };
    is_printable(text).then(|| equal(&printed, &quoted(text)))
}

/// The value of a slot of this type; what compares without being of the same type is preferred.
fn of_value(ty: &Ty, value: &Value, subject: &Subject, facts: Facts, scope: &mut Scope) -> Option<String> {
    if !value.is_whole() {
        return by_outline(ty, value, subject);
    }
    match ty {
        Ty::Ref { inner, .. } => behind_reference(inner, value, subject, facts, scope),
        Ty::Slice(element) => elements(element, value, subject, ByteString::Deref, scope),
        Ty::Array(element) => elements(element, value, subject, ByteString::Deref, scope),
        Ty::Tuple(types) if types.is_empty() => None,
        Ty::Tuple(_) => of_exact(ty, value, subject, facts, scope),
        Ty::Std(name, args) => match (name.as_str(), args.as_slice()) {
            ("Box" | "Rc" | "Arc", [inner]) => behind_pointer(inner, value, subject, facts, scope),
            ("Cow", [inner]) if !inner.is("str") && !inner.is("Path") => {
                behind_pointer(inner, value, subject, facts, scope)
            }
            ("Vec", [element, ..]) if element.is("u8") && utf8(value).is_some() => {
                let text = utf8(value)?;
                Some(equal(
                    &format!("std::str::from_utf8(&{})", subject.value()),
                    &format!("Ok({})", in_lines(&text)),
                ))
            }
            ("Vec" | "VecDeque", [element, ..]) => {
                elements(element, value, subject, ByteString::Reference, scope)
            }
            ("Option" | "Result", _) => of_variant(ty, value, subject, facts, scope),
            _ => of_standard(ty, name, value, subject, scope),
        },
        Ty::Other(_) => None,
    }
}

/// What is too long to be written, or has parts that do not show, is still of a variant or has a length.
fn by_outline(ty: &Ty, value: &Value, subject: &Subject) -> Option<String> {
    let ty = match ty {
        Ty::Ref { inner, .. } => inner,
        ty => ty,
    };
    let ty = match ty {
        Ty::Std(name, args) if name == "Box" => args.first()?,
        ty => ty,
    };
    let counts = ["str", "String", "Vec", "VecDeque", "BTreeSet", "HashSet", "BTreeMap", "HashMap"];
    let has_length = matches!(ty, Ty::Slice(_)) || counts.iter().any(|name| ty.is(name));
    match value {
        Value::Option(_) | Value::Result(_) if ty.is("Option") || ty.is("Result") => variant(value, subject),
        Value::Str(_, length) | Value::List(_, length) | Value::Set(_, length) | Value::Map(_, length)
            if has_length =>
        {
            Some(equal(&format!("{}.len()", subject.receiver()), &length.to_string()))
        }
        _ => None,
    }
}

/// Which variant it is, whatever is inside.
fn variant(value: &Value, subject: &Subject) -> Option<String> {
    let method = match value {
        Value::Option(None) => "is_none",
        Value::Option(Some(_)) => "is_some",
        Value::Result(Ok(_)) => "is_ok",
        Value::Result(Err(_)) => "is_err",
        _ => return None,
    };
    Some(format!("assert!({}.{method}());", subject.receiver()))
}

fn behind_reference(
    inner: &Ty,
    value: &Value,
    subject: &Subject,
    facts: Facts,
    scope: &mut Scope,
) -> Option<String> {
    match (inner, value) {
        (Ty::Slice(element), _) => elements(element, value, subject, ByteString::Reference, scope),
        (Ty::Std(name, _), Value::Str(text, _)) if name == "str" => {
            Some(equal(&subject.value(), &text_literal(text)))
        }
        (Ty::Std(name, _), Value::Str(text, _)) if name == "OsStr" => {
            Some(equal(&subject.value(), &quoted(text)))
        }
        (Ty::Std(name, _), Value::Str(text, _)) if name == "Path" => Some(equal(
            &subject.value(),
            &format!("{}::new({})", scope.name("std::path::Path"), quoted(text)),
        )),
        _ => of_value(inner, value, &subject.deref(), facts, scope),
    }
}

fn behind_pointer(
    inner: &Ty,
    value: &Value,
    subject: &Subject,
    facts: Facts,
    scope: &mut Scope,
) -> Option<String> {
    match value {
        Value::Str(text, _) if inner.is("str") || inner.is("OsStr") => {
            Some(equal(&format!("&{}", subject.deref().value()), &quoted(text)))
        }
        Value::Str(text, _) if inner.is("Path") => {
            let path = format!("{}::new({})", scope.name("std::path::Path"), quoted(text));
            Some(equal(&format!("&{}", subject.deref().value()), &path))
        }
        _ => of_value(inner, value, &subject.deref(), facts, scope),
    }
}

/// What texts compare with.
fn text_literal(text: &str) -> String {
    repeated(text).unwrap_or_else(|| in_lines(text))
}

/// A text of several lines line by line.
fn in_lines(text: &str) -> String {
    let lines: Vec<String> = text.split_inclusive('\n').map(quoted).collect();
    match lines.len() >= MANY_LINES && lines.iter().any(|line| line.len() > SHORT_LINE) {
        true => format!("concat!({})", lines.join(", ")),
        false => quoted(text),
    }
}

/// So many lines stand one below the other, unless all of them are short.
const MANY_LINES: usize = 3;
const SHORT_LINE: usize = 6;

/// How a list compares with `b"abc"`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteString {
    Reference,
    /// As an array: `*b"abc"`.
    Deref,
}

fn elements(
    element: &Ty,
    value: &Value,
    subject: &Subject,
    bytes: ByteString,
    scope: &mut Scope,
) -> Option<String> {
    let list: List = match comparable_text(element) {
        true => list_of(element, value, |value| match value {
            Value::Str(text, _) => Some(quoted(text)),
            _ => None,
        }),
        false => list(element, value, scope),
    }?;
    if list.is_empty() {
        return Some(format!("assert!({}.is_empty());", subject.receiver()));
    }
    let right = match &list.bytes {
        Some(text) if bytes == ByteString::Reference => text.clone(),
        Some(text) => format!("*{text}"),
        None => list.plain(),
    };
    Some(equal(&subject.value(), &right))
}

/// Many bytes that are a text, but for what `b"…"` can hold: with letters that are no ASCII, or colours of a terminal.
fn utf8(value: &Value) -> Option<String> {
    let Value::List(values, _) = value else { return None };
    let byte = |value: &Value| match value {
        Value::Int(byte) => u8::try_from(*byte).ok(),
        _ => None,
    };
    let text = String::from_utf8(values.iter().map(byte).collect::<Option<Vec<u8>>>()?).ok()?;
    let is_plain = |c: char| matches!(c, ' '..='~' | '\n');
    let readable = text.chars().filter(|c| !c.is_control() || *c == '\n').count();
    let is_text = text.len() > MOST_BYTES_OF_NO_TEXT && 4 * readable >= 3 * text.chars().count();
    (is_text && !text.chars().all(is_plain)).then_some(text)
}

/// So few bytes are read one by one.
const MOST_BYTES_OF_NO_TEXT: usize = 8;

/// Whether an element compares with a `&str`.
fn comparable_text(element: &Ty) -> bool {
    match element {
        Ty::Ref { is_mut: false, inner } => inner.is("String") || inner.is("str"),
        _ => element.is("String"),
    }
}

fn of_variant(ty: &Ty, value: &Value, subject: &Subject, facts: Facts, scope: &mut Scope) -> Option<String> {
    if facts.eq && facts.debug {
        return of_exact(ty, value, subject, facts, scope);
    }
    match value {
        Value::Result(Ok(inner)) if **inner == Value::Unit => {
            Some(format!("assert!(matches!({}, Ok(())));", subject.value()))
        }
        Value::Option(Some(inner)) | Value::Result(Ok(inner) | Err(inner)) if **inner != Value::Unit => None,
        value => variant(value, subject),
    }
}

fn of_exact(ty: &Ty, value: &Value, subject: &Subject, facts: Facts, scope: &mut Scope) -> Option<String> {
    let right = exact(ty, value, scope)?;
    Some(equality(&subject.value(), &right, true, facts)).filter(|_| facts.eq)
}

fn of_standard(ty: &Ty, name: &str, value: &Value, subject: &Subject, scope: &mut Scope) -> Option<String> {
    match value {
        Value::Bool(value) => boolean(*value, subject, scope),
        Value::F32(value) => {
            float(&subject.clone(), f64::from(*value), name, scalar(name, &Value::F32(*value)))
        }
        Value::F64(value) => float(&subject.clone(), *value, name, scalar(name, &Value::F64(*value))),
        Value::Int(number) if name.starts_with("NonZero") => {
            Some(equal(&format!("{}.get()", subject.receiver()), &number.to_string()))
        }
        Value::Str(text, _) => match name {
            "String" | "Cow" => Some(equal(&subject.value(), &text_literal(text))),
            "OsString" => Some(equal(&subject.value(), &quoted(text))),
            "PathBuf" => Some(equal(
                &subject.value(),
                &format!("{}::new({})", scope.name("std::path::Path"), quoted(text)),
            )),
            _ => None,
        },
        Value::Set(_, 0) | Value::Map(_, 0) => Some(format!("assert!({}.is_empty());", subject.receiver())),
        _ => Some(equal(&subject.value(), &exact(ty, value, scope)?)),
    }
}

/// The negation of `a == b` is written as `a != b`, unless the crate has written a `ne` as well. That of `a < b` says something
/// else, and `a != b` is called only because the crate has written it: these need a variable.
fn boolean(value: bool, subject: &Subject, scope: &Scope) -> Option<String> {
    match (subject.comparison(), value) {
        (Some((left, "==", right)), false) if !scope.has_own_ne => {
            Some(format!("assert!({left} != {right});"))
        }
        (Some(_), false) => None,
        (_, true) => Some(format!("assert!({});", subject.value())),
        (None, false) => Some(format!("assert!({});", subject.negated())),
    }
}

fn float(subject: &Subject, value: f64, name: &str, plain: Option<String>) -> Option<String> {
    let receiver = subject.receiver();
    match plain {
        Some(plain) => Some(equal(&subject.value(), &plain)),
        None if value.is_nan() => Some(format!("assert!({receiver}.is_nan());")),
        None if value == 0.0 => {
            Some(equal(&format!("{receiver}.to_bits()"), &format!("(-0.0{name}).to_bits()")))
        }
        None => None,
    }
}
