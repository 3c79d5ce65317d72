//! Names of tests: what is called, in which state, and what comes of it.

use testsmith_ir::{Api, Arg, Callable, Literal, Mode, Program, Slot, Statement};
use testsmith_rt::harness::Value;

use super::words::{self, opening, slug, snake_case, spelled};
use crate::case::{Case, Check, Claim, Ending};

/// Names for a case, the best one first: the later ones say more, for when the first is taken. `places` are where the mutants are that it
/// kills, which tells it from others that do the same with other values.
pub(super) fn candidates(api: &Api, case: &Case, places: &[String]) -> Vec<String> {
    let namer = Namer { api, program: &case.program };
    let focus = focus(api, case);
    let outcome = match (&case.ending, case.checks.first()) {
        (Ending::Panics { .. }, _) => "panics".to_owned(),
        (Ending::Returns, Some(check)) => namer.outcome(check),
        (Ending::Returns, None) => "returns".to_owned(),
    };
    let Act { verb, given, state } = namer.act(focus);
    let mut names = Vec::new();
    let mut add = |parts: &[&str]| {
        let name = words::join(parts.iter().copied());
        if name.len() <= LONGEST && !is_dump(&name) && !names.contains(&name) {
            names.push(name);
        }
    };
    // What is read and not taken: `parse_rejects_plus`.
    let is_rejected = outcome == FAILS && state.is_empty() && reads(&verb);
    if is_rejected {
        let what = given.strip_prefix("of_").unwrap_or(&given);
        add(&[&verb, "rejects", what]);
        add(&[&verb, "rejects", &namer.details(focus).join("_")]);
        places.iter().for_each(|place| add(&[&verb, "rejects", what, "in", place]));
        places.iter().for_each(|place| add(&[&verb, "rejects", "in", place]));
        add(&[&verb, "rejects"]);
        return names;
    }
    add(&[&verb, &given, &state, &outcome]);
    add(&[&verb, &state, &outcome]);
    add(&[&verb, &given, &outcome]);
    // What tells it from others that do the same with other values.
    let details = namer.details(focus);
    for count in 1..=details.len() {
        let with = words::join(details[..count].iter().map(String::as_str));
        add(&[&verb, &state, "with", &with, &outcome]);
        add(&[&verb, "with", &with, &outcome]);
    }
    // What else comes of it.
    let further = case.checks.get(1..).unwrap_or_default().iter().map(|check| namer.outcome(check));
    further.for_each(|further| add(&[&verb, &given, &state, &outcome, "and", &further]));
    for place in places {
        add(&[&verb, &given, &state, &outcome, "in", place]);
        add(&[&verb, &outcome, "in", place]);
    }
    add(&[&verb, &outcome]);
    if names.is_empty() {
        names.push(words::join([verb.as_str(), "works"]));
    }
    names
}

/// The statement that a case is about.
pub fn focus(api: &Api, case: &Case) -> Slot {
    let namer = Namer { api, program: &case.program };
    match (&case.ending, case.checks.first()) {
        (Ending::Returns, Some(check)) => namer.focus(check),
        (Ending::Panics { .. }, _) | (Ending::Returns, None) => last_slot(&case.program),
    }
}

/// Words that a name may have of the values that a call is given.
const MOST_DETAILS: usize = 6;
/// Calls behind the one that a name is about.
const DEEPEST_DETAIL: usize = 4;

/// A name should fit on a line with something beside it.
const LONGEST: usize = 60;

/// What comes of a call that gives an error of which nothing is known.
const FAILS: &str = "fails";

/// Whether a function reads a text or another type, so that it takes it or rejects it.
fn reads(verb: &str) -> bool {
    const READERS: [&str; 6] = ["parse", "from_str", "try_from", "read", "decode", "deserialize"];
    READERS.iter().any(|reader| verb.split('_').any(|word| word == *reader) || verb.ends_with(reader))
}

/// Whether a name has more numbers in it than anybody reads.
fn is_dump(name: &str) -> bool {
    name.split('_').filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).count() > MOST_NUMBERS
}

/// Numbers in a name.
const MOST_NUMBERS: usize = 3;
/// Numbers of a text in a name.
const MOST_NUMBERS_OF_A_TEXT: usize = 2;

/// What a test does.
struct Act {
    /// `push`
    verb: String,
    /// `5`
    given: String,
    /// `after_clear`, `on_new_slab`
    state: String,
}

struct Namer<'a> {
    api: &'a Api,
    program: &'a Program,
}

/// Functions that pass on what others have made.
const TRANSPARENT: [&str; 12] = [
    "unwrap",
    "unwrap_err",
    "clone",
    "borrow",
    "as_ref",
    "deref",
    "to_owned",
    "into",
    "text",
    "slice",
    "collect",
    "to_string",
];

/// Functions that mean something only with the type that they belong to.
const GENERAL: [&str; 14] = [
    "new",
    "default",
    "from",
    "from_str",
    "from_iter",
    "try_from",
    "parse",
    "fmt",
    "of",
    "with",
    "empty",
    "build",
    "eq",
    "cmp",
];

impl Namer<'_> {
    /// The statement that a check is about: the one that made the value, or that changed it last.
    fn focus(&self, check: &Check) -> Slot {
        if let Some(print) = self.round_trip(check) {
            return print;
        }
        let until = check.after.unwrap_or_else(|| last_slot(self.program));
        let views = self.views(check.slot);
        let is_change = |(slot, statement): &(Slot, &Statement)| {
            let changes = |arg: &Arg| views.contains(&arg.slot) && arg.mode == Mode::Exclusive;
            !views.contains(slot) && statement.args().iter().any(changes)
        };
        let mut changes = self.program.iter().take(until.index() + 1).filter(is_change);
        changes.next_back().map(|(slot, _)| slot).unwrap_or_else(|| self.origin(check.slot))
    }

    /// Where an object is printed, if it is compared with what was read from that text.
    fn round_trip(&self, check: &Check) -> Option<Slot> {
        let Claim::Equal(other, true) = check.claim else { return None };
        let (object, read) = (other.min(check.slot), other.max(check.slot));
        let prints = |slot: &Slot| {
            let is_of_object = |args: &[Arg]| args.iter().any(|arg| arg.slot == object);
            self.call(*slot).is_some_and(|(callable, args)| is_print(callable) && is_of_object(args))
        };
        self.program.ancestors(read).into_iter().find(prints)
    }

    /// Behind `unwrap` and its like.
    fn origin(&self, slot: Slot) -> Slot {
        self.views(slot).last().copied().unwrap_or(slot)
    }

    /// A slot, and what it comes from through functions that only pass on.
    fn views(&self, slot: Slot) -> Vec<Slot> {
        let mut views = vec![slot];
        let mut at = slot;
        while let Some((callable, [first, ..])) = self.call(at) {
            if !self.passes_on(callable, first.slot) || self.call(first.slot).is_none() {
                break;
            }
            at = first.slot;
            views.push(at);
        }
        views
    }

    /// Whether a call only shows what its receiver is, or has: `unwrap`, a field, and the text in a field.
    fn passes_on(&self, callable: &Callable, receiver: Slot) -> bool {
        let verb = verb(callable);
        let is_of_field = || self.call(receiver).is_some_and(|(maker, _)| field(maker).is_some());
        is_transparent(&verb) || field(callable).is_some() || verb.starts_with("as_") && is_of_field()
    }

    /// Whether a slot is what a failed call gave.
    fn is_error(&self, slot: Slot) -> bool {
        let views = self.views(slot);
        let mut calls = views.iter().filter_map(|view| self.call(*view));
        calls.any(|(callable, _)| {
            callable.shown.ends_with(".unwrap_err()") || callable.shown.ends_with(".err().unwrap()")
        })
    }

    /// Whether a slot says that a text did not fit.
    fn overflows(&self, slot: Slot) -> bool {
        self.call(slot).is_some_and(|(callable, _)| callable.shown.starts_with("write!("))
    }

    /// The fields on the way from a value to a slot: `build`.
    fn fields(&self, slot: Slot) -> Vec<String> {
        let views = self.views(slot);
        let passing = views.iter().take(views.len() - 1).rev();
        passing.filter_map(|view| self.call(*view).and_then(|(callable, _)| field(callable))).collect()
    }

    /// Literals and plain values that a call was given, and those that its arguments were made of.
    fn details(&self, slot: Slot) -> Vec<String> {
        let Some((_, args)) = self.call(slot) else { return Vec::new() };
        let words = args.iter().flat_map(|arg| self.details_of(arg.slot, DEEPEST_DETAIL));
        words.take(MOST_DETAILS).collect()
    }

    fn details_of(&self, slot: Slot, deeper: usize) -> Vec<String> {
        match (self.call(slot), &self.program[slot]) {
            (None, Statement::Literal { value, .. }) => literal(value).into_iter().collect(),
            (Some((callable, [])), _) => {
                let name = verb_or_variant(callable);
                if GENERAL.contains(&name.as_str()) { Vec::new() } else { vec![name] }
            }
            (Some((_, args)), _) if deeper > 0 => {
                args.iter().flat_map(|arg| self.details_of(arg.slot, deeper - 1)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn call(&self, slot: Slot) -> Option<(&Callable, &[Arg])> {
        match self.program.statements.get(slot.index())? {
            Statement::Call { callable, args } => Some((&self.api[*callable], args)),
            Statement::Literal { .. } | Statement::Drop(_) => None,
        }
    }

    fn act(&self, slot: Slot) -> Act {
        let Some((callable, args)) = self.call(slot) else {
            return Act { verb: "value".to_owned(), given: String::new(), state: String::new() };
        };
        let template = caught(callable).unwrap_or(&callable.shown);
        let template = template.trim_start_matches(['&', '*', '{', ' ']).trim_start_matches("mut ");
        let receiver = args.first().filter(|_| template.starts_with("$0") || is_print(callable));
        let (rest, preposition) = if receiver.is_some() { (&args[1..], "") } else { (args, "of") };
        let verb = verb(callable);
        let owner =
            if GENERAL.contains(&verb.as_str()) { self.owner(callable, receiver) } else { String::new() };
        let state = receiver.map(|receiver| self.state(receiver.slot, slot)).unwrap_or_default();
        let given = match self.given(rest) {
            given if given.is_empty() => given,
            given => words::join([preposition, &given]),
        };
        Act { verb: words::join([owner.as_str(), verb.as_str()]), given, state }
    }

    /// The type that a general function belongs to.
    fn owner(&self, callable: &Callable, receiver: Option<&Arg>) -> String {
        let ty = receiver.and_then(|receiver| self.type_name(receiver.slot));
        ty.or_else(|| type_name(&self.api[callable.output].shown)).unwrap_or_default()
    }

    fn type_name(&self, slot: Slot) -> Option<String> {
        let ty = super::claim::type_of(self.api, self.program, slot)?;
        type_name(&self.api[ty].shown)
    }

    /// Short literals among the arguments.
    fn given(&self, args: &[Arg]) -> String {
        let words = args.iter().filter_map(|arg| match &self.program[arg.slot] {
            Statement::Literal { value, .. } => literal(value),
            Statement::Call { .. } | Statement::Drop(_) => None,
        });
        words::join(words.take(2).collect::<Vec<_>>().iter().map(String::as_str))
    }

    /// What has happened to a receiver before.
    fn state(&self, receiver: Slot, until: Slot) -> String {
        let before = self.program.iter().take(until.index());
        let changed = before.filter(|(_, statement)| {
            statement.args().iter().any(|arg| arg.slot == receiver && arg.mode == Mode::Exclusive)
        });
        let mut changes = changed.filter_map(|(_, statement)| Some(verb(&self.api[statement.callable()?])));
        if let Some(last) = changes.next_back() {
            return words::join(["after", last.as_str()]);
        }
        match self.call(self.origin(receiver)) {
            Some((callable, args)) => {
                let made = verb(callable);
                let ty = self.type_name(receiver).unwrap_or_default();
                match made.as_str() {
                    "new" | "default" if args.is_empty() => words::join(["on", "new", ty.as_str()]),
                    // A struct is written with the name of its type.
                    made if GENERAL.contains(&made) || made == ty => {
                        words::join(["of", &ty, &self.given(args)])
                    }
                    made => words::join(["after", made]),
                }
            }
            None => match &self.program[receiver] {
                Statement::Literal { value, .. } => {
                    literal(value).map_or_else(String::new, |of| format!("of_{of}"))
                }
                _ => String::new(),
            },
        }
    }

    fn outcome(&self, check: &Check) -> String {
        let is_result = self.focus(check) == self.origin(check.slot);
        let fields = self.fields(check.slot);
        let shown = match &check.claim {
            Claim::Value(value) => Some(short(value).unwrap_or_default()),
            Claim::Display(text) | Claim::Debug(text) => Some(slug(text).unwrap_or_default()),
            Claim::Equal(..) | Claim::Order(..) => None,
        };
        if let (Some(shown), [_, ..]) = (shown, fields.as_slice()) {
            let fields = words::join(fields.iter().map(String::as_str));
            return words::join(["has", &fields, &shown]);
        }
        match &check.claim {
            // That is in the verb.
            Claim::Value(Value::Bool(true)) if self.overflows(check.slot) => String::new(),
            Claim::Value(value) => value_words(value, is_result),
            Claim::Equal(_, true) if self.round_trip(check).is_some() => "is_read_back".to_owned(),
            Claim::Equal(_, true) => "is_equal".to_owned(),
            Claim::Equal(_, false) => "differs".to_owned(),
            Claim::Order(_, Some(order)) => format!("is_{}", format!("{order:?}").to_lowercase()),
            Claim::Order(_, None) => "is_unordered".to_owned(),
            Claim::Display(_) if self.is_error(check.slot) => FAILS.to_owned(),
            Claim::Display(text) => shows(text),
            Claim::Debug(text) if self.is_error(check.slot) => failed(text),
            Claim::Debug(text) => match text.split_once('(') {
                Some(("Err", error)) => failed(error),
                Some(("Ok", value)) => words::join(["returns", &inside(value)]),
                Some(("Some", value)) => words::join(["returns_some", &inside(value)]),
                None if text == "None" => "returns_none".to_owned(),
                _ => shows(text),
            },
        }
    }
}

/// What `Debug` has printed of an error: `fails_with_too_few` of `TooFew { have: 0 })`.
fn failed(error: &str) -> String {
    let variant = error.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_variant = variant.starts_with(char::is_uppercase) && variant.len() <= LONGEST_VARIANT;
    let name = if is_variant { snake_case(variant) } else { String::new() };
    match name.as_str() {
        // That an error is an error says nothing.
        "" | "error" => FAILS.to_owned(),
        name => format!("fails_with_{name}"),
    }
}

const LONGEST_VARIANT: usize = 24;

/// A short value in the brackets of an `Ok` or a `Some`.
fn inside(text: &str) -> String {
    let value = text.strip_suffix(')').unwrap_or(text);
    match value.trim_matches(['"', '[', ']']) {
        "" if value == "()" || value.is_empty() => "ok".to_owned(),
        "" => "empty".to_owned(),
        _ if value.starts_with(|c: char| c.is_ascii_uppercase()) => "ok".to_owned(),
        plain => plain_slug(plain).unwrap_or_else(|| "ok".to_owned()),
    }
}

fn shows(text: &str) -> String {
    let words = match text.trim_matches(['"', '[', ']', '{', '}']) {
        "" => Some("empty".to_owned()),
        _ => plain_slug(text).or_else(|| opening(text)).filter(|words| !is_dump(words)),
    };
    words.map_or_else(|| "shows_as_expected".to_owned(), |words| format!("shows_{words}"))
}

fn is_transparent(verb: &str) -> bool {
    TRANSPARENT.contains(&verb)
}

/// Whether a callable gives the text of its first argument.
fn is_print(callable: &Callable) -> bool {
    callable.shown.starts_with("format!(") || callable.shown.starts_with("write!(")
}

fn last_slot(program: &Program) -> Slot {
    Slot::at(program.size().saturating_sub(1))
}

/// What a callable does until it panics, if it does and that is caught.
fn caught(callable: &Callable) -> Option<&str> {
    callable.shown.strip_prefix("catch_unwind(AssertUnwindSafe(|| ")
}

/// The name of a function without its path: `get` of `slab::Slab<i32>::get`.
fn verb(callable: &Callable) -> String {
    if let Some(shown) = caught(callable) {
        let shown = shown.trim_start_matches(['{', ' ']).to_owned();
        return words::join(["panicking", &verb(&Callable { shown, ..callable.clone() })]);
    }
    if let Some(format) = callable.shown.strip_prefix("format!(\"") {
        return if format.contains("?}") { "debug".to_owned() } else { "display".to_owned() };
    }
    if callable.shown.starts_with("write!(") {
        let is_debug = callable.shown.contains("?}");
        return format!("{}_overflows_a_buffer", if is_debug { "debug" } else { "display" });
    }
    if callable.shown.contains(".hash_one(") {
        return "hashes_alike".to_owned();
    }
    if let Some(field) = written_field(callable) {
        return words::join(["set", &field]);
    }
    let path = callable.path.split(" (").next().unwrap_or_default();
    let path = words::without_brackets(path);
    let name = path.rsplit([':', '.']).find(|part| !part.is_empty()).unwrap_or_default();
    let shown = callable.shown.split('(').next().and_then(|text| text.rsplit(['.', ':', '$']).next());
    let names = [Some(name), shown].into_iter().flatten();
    let name = names.map(snake_case).find(|name| is_name(name));
    name.unwrap_or_else(|| "call".to_owned())
}

/// `Op::GreaterEq` is `greater_eq`.
fn verb_or_variant(callable: &Callable) -> String {
    let last = callable.shown.rsplit("::").next().unwrap_or_default();
    let variant = snake_case(last);
    if is_name(&variant) { variant } else { verb(callable) }
}

/// The field that a callable writes: `major` of `$0.major = $1`.
fn written_field(callable: &Callable) -> Option<String> {
    let (place, _) = callable.shown.split_once(" = ")?;
    let name = place.trim_start_matches('*').strip_prefix("$0.")?;
    Some(snake_case(name)).filter(|name| !name.is_empty())
}

/// The field that a callable reads: `major` of `$0.major`.
fn field(callable: &Callable) -> Option<String> {
    let name = callable.shown.trim_start_matches('&').strip_prefix("$0.")?;
    Some(snake_case(name)).filter(|name| !name.is_empty())
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.contains("__")
}

/// `VersionReq` is a `version_req`.
fn type_name(shown: &str) -> Option<String> {
    let plain = shown.trim_start_matches(['&', ' ']).trim_start_matches("mut ");
    // What a constructor may fail to make.
    let plain = ["Result<", "Option<"].iter().find_map(|holder| plain.strip_prefix(holder)).unwrap_or(plain);
    let path = plain.split(['<', ' ', '(']).next().unwrap_or_default();
    let name = path.rsplit("::").next().filter(|name| name.starts_with(char::is_uppercase))?;
    Some(snake_case(name)).filter(|name| !matches!(name.as_str(), "option" | "result" | "string"))
}

fn literal(value: &Literal) -> Option<String> {
    match value {
        Literal::Unit => None,
        Literal::Bool(value) => Some(value.to_string()),
        Literal::Char(value) => text_words(&value.to_string()),
        Literal::Signed { value, .. } => number(&value.to_string()),
        Literal::Unsigned { value, .. } => number(&value.to_string()),
        Literal::F32(bits) => number(&f32::from_bits(*bits).to_string()),
        Literal::F64(bits) => number(&f64::from_bits(*bits).to_string()),
        Literal::Str(text) | Literal::String(text) => text_words(text),
        Literal::ByteStr(bytes) | Literal::Bytes(bytes) => text_words(std::str::from_utf8(bytes).ok()?),
    }
}

fn text_words(text: &str) -> Option<String> {
    match text {
        "" => Some("empty".to_owned()),
        text if text.chars().all(|c| c == ' ') => Some("spaces".to_owned()),
        text if text.chars().all(char::is_control) => Some("control_character".to_owned()),
        text if !text.contains(|c: char| c.is_ascii_alphanumeric()) && !text.is_ascii() => {
            Some("non_ascii".to_owned())
        }
        text => plain_slug(text).or_else(|| spelled(text)).or_else(|| plain_slug(&opening(text)?)),
    }
}

/// A text as words, without what no reader would read out: most of its numbers, and letters that fill it up.
fn plain_slug(text: &str) -> Option<String> {
    let all = slug(text)?;
    let is_filling = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next();
        word.len() >= SHORTEST_FILLING && letters.all(|letter| Some(letter) == first)
    };
    let mut numbers = 0;
    let kept = all.split('_').filter(|word| {
        numbers += usize::from(word.contains(|c: char| c.is_ascii_digit()));
        !is_filling(word)
            && (!word.contains(|c: char| c.is_ascii_digit()) || numbers <= MOST_NUMBERS_OF_A_TEXT)
    });
    Some(words::join(kept)).filter(|words| !words.is_empty())
}

/// So many equal letters are no word.
const SHORTEST_FILLING: usize = 4;

/// Digits that can be told from others at a glance, or nearly so.
const MOST_DIGITS: usize = 6;

/// Numbers of few digits.
fn number(digits: &str) -> Option<String> {
    if digits.len() > MOST_DIGITS {
        return None;
    }
    let minus = if digits.starts_with('-') { "minus_" } else { "" };
    slug(digits).map(|slug| format!("{minus}{slug}"))
}

/// What comes of a call: it returns something, or something is so afterwards.
fn value_words(value: &Value, is_result: bool) -> String {
    let verb = if is_result { "returns" } else { "gives" };
    let of = |words: Option<String>| words.map_or_else(|| verb.to_owned(), |words| format!("{verb}_{words}"));
    match value {
        Value::Bool(value) => format!("is_{value}"),
        Value::Option(None) => format!("{verb}_none"),
        Value::Option(Some(inner)) => words::join([verb, "some", &short(inner).unwrap_or_default()]),
        Value::Result(Ok(inner)) => words::join([verb, &short(inner).unwrap_or_else(|| "ok".to_owned())]),
        Value::Result(Err(_)) => FAILS.to_owned(),
        Value::Str(text, _) if text.is_empty() => "is_empty".to_owned(),
        Value::List(_, 0) | Value::Set(_, 0) | Value::Map(_, 0) => "is_empty".to_owned(),
        Value::List(_, length) | Value::Set(_, length) | Value::Map(_, length) => match short(value) {
            Some(words) => of(Some(words)),
            None if *length == 1 => format!("{verb}_1_element"),
            None => format!("{verb}_{length}_elements"),
        },
        _ => of(short(value).or_else(|| kind(value).map(str::to_owned))),
    }
}

/// What a value is, where it is too long for a name.
fn kind(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Int(_) | Value::Huge(_) | Value::F32(_) | Value::F64(_) => "number",
        Value::Str(..) => "text",
        Value::Duration(..) => "duration",
        Value::SinceEpoch(..) | Value::BeforeEpoch(..) => "time",
        _ => return None,
    })
}

fn short(value: &Value) -> Option<String> {
    match value {
        Value::Bool(value) => Some(value.to_string()),
        Value::Char(value) => text_words(&value.to_string()),
        Value::Int(value) => number(&value.to_string()),
        Value::F32(value) if value.is_nan() => Some("nan".to_owned()),
        Value::F64(value) if value.is_nan() => Some("nan".to_owned()),
        Value::F32(value) => number(&value.to_string()),
        Value::F64(value) => number(&value.to_string()),
        Value::Str(text, _) => text_words(text),
        Value::Option(None) => Some("none".to_owned()),
        Value::Option(Some(inner)) => short(inner),
        Value::Ordering(order) => Some(format!("{order:?}").to_lowercase()),
        Value::SinceEpoch(0, 0) => Some("epoch".to_owned()),
        Value::Duration(seconds, 0) => number(&seconds.to_string()).map(|seconds| seconds + "s"),
        Value::Tuple(values) | Value::List(values, _) if (1..=3).contains(&values.len()) => {
            let parts = values.iter().map(short).collect::<Option<Vec<_>>>()?;
            Some(words::join(parts.iter().map(String::as_str))).filter(|words| words.len() <= 12)
        }
        _ => None,
    }
}
