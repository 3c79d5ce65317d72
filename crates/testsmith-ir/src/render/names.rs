//! Names of variables: what a person would call them.

use std::collections::BTreeSet;

use crate::api::{Api, LiteralKind, Type};
use crate::program::{Program, Slot, Statement};

/// Words that are no names, and functions that bodies call.
const RESERVED: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "drop",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// Names of functions and parameters that say nothing of the value.
const SILENT: &[&str] = &[
    "add",
    "alt",
    "arg",
    "as_mut",
    "as_ref",
    "borrow",
    "borrow_mut",
    "call",
    "clone",
    "cmp",
    "collect",
    "create",
    "default",
    "deref",
    "deref_mut",
    "div",
    "eq",
    "err",
    "from",
    "from_iter",
    "from_str",
    "fmt",
    "get",
    "into",
    "list",
    "make",
    "mul",
    "ne",
    "neg",
    "new",
    "not",
    "of",
    "ok",
    "other",
    "place",
    "rem",
    "rhs",
    "self",
    "slice",
    "some",
    "sub",
    "that",
    "this",
    "tuple",
    "unwrap",
    "unwrap_or",
    "value",
    "with",
    "x",
    "y",
];

/// Types that say less than the function that made the value.
const PLAIN: &[&str] =
    &["", "Arc", "Box", "Cow", "Option", "Ordering", "Rc", "Ref", "RefMut", "Result", "String", "Vec"];

/// Types of the standard library that people have shorter names for.
const SHORT: &[(&str, &str)] = &[
    ("BTreeMap", "map"),
    ("BTreeSet", "set"),
    ("BinaryHeap", "heap"),
    ("HashMap", "map"),
    ("HashSet", "set"),
    ("IntoIter", "iter"),
    ("IterMut", "iter"),
    ("LinkedList", "list"),
    ("PathBuf", "path"),
    ("RefCell", "cell"),
    ("VecDeque", "deque"),
];

/// The names of a body.
pub(super) struct Names {
    /// Would be no name, or hide something that the body needs.
    forbidden: BTreeSet<String>,
    /// Names of other variables.
    taken: BTreeSet<String>,
}

impl Names {
    /// No name is taken but those that the program's calls mention.
    pub(super) fn new(api: &Api, program: &Program, reserved: &[String]) -> Names {
        let mut forbidden: BTreeSet<String> = reserved.iter().cloned().collect();
        forbidden.extend(RESERVED.iter().map(|word| (*word).to_owned()));
        for statement in &program.statements {
            if let Statement::Call { callable, .. } = statement {
                forbidden.extend(mentioned(&api[*callable].shown));
            }
        }
        Names { forbidden, taken: BTreeSet::new() }
    }

    /// A new name for a slot: `set`, or `set2` if that is another variable.
    pub(super) fn choose(&mut self, api: &Api, program: &Program, slot: Slot) -> String {
        let candidates = candidates(api, program, slot);
        let allowed = candidates.into_iter().find(|name| !self.forbidden.contains(name));
        let base = allowed.unwrap_or_else(|| "value".to_owned());
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let mut names = std::iter::once(base.clone()).chain(numbered);
        let is_free = |name: &String| !self.forbidden.contains(name) && !self.taken.contains(name);
        let name = names.find(is_free).expect("there are more numbers than names");
        self.taken.insert(name.clone());
        name
    }
}

/// The best name first.
fn candidates(api: &Api, program: &Program, slot: Slot) -> Vec<String> {
    let mut names = Vec::new();
    match &program[slot] {
        Statement::Literal { ty, .. } => {
            names.extend(as_argument(api, program, slot));
            names.extend(of_kind(&api[*ty]));
        }
        Statement::Call { callable, .. } => {
            let output = &api[api[*callable].output];
            if !is_plain(output) {
                names.extend(of_type(output));
            }
            names.extend(of_function(&api[*callable].path));
            names.extend(as_argument(api, program, slot));
            names.extend(of_kind(output));
            names.extend(of_type(output));
        }
        Statement::Drop(_) => {}
    }
    names
}

/// The name of the first parameter that takes it.
fn as_argument(api: &Api, program: &Program, slot: Slot) -> Option<String> {
    program.statements.iter().find_map(|statement| {
        let Statement::Call { callable, args } = statement else { return None };
        let callable = &api[*callable];
        let index = args.iter().position(|arg| arg.slot == slot)?;
        telling(&callable.params[callable.param_of(index)].name)
    })
}

fn of_kind(ty: &Type) -> Option<String> {
    let name = match ty.literal? {
        LiteralKind::Bool => "flag",
        LiteralKind::Char => "letter",
        LiteralKind::Str | LiteralKind::String => "text",
        LiteralKind::ByteStr | LiteralKind::Bytes => "bytes",
        LiteralKind::Unit | LiteralKind::Int { .. } | LiteralKind::F32 | LiteralKind::F64 => "number",
    };
    Some(name.to_owned())
}

/// Whether the function that made a value says more of it than the type.
fn is_plain(ty: &Type) -> bool {
    ty.literal.is_some() || PLAIN.contains(&head(ty))
}

/// `VersionReq` is a `version_req`.
fn of_type(ty: &Type) -> Option<String> {
    let head = head(ty);
    let short = SHORT.iter().find(|(name, _)| *name == head).map(|(_, short)| (*short).to_owned());
    short.or_else(|| Some(snake_case(head)).filter(|name| is_name(name)))
}

/// `&Slab<i32>` is a `Slab`.
fn head(ty: &Type) -> &str {
    let plain = ty.shown.trim_start_matches(['&', ' ']).trim_start_matches("'_ ").trim_start_matches("mut ");
    let path = plain.split(['<', ' ', '(']).next().unwrap_or_default();
    path.rsplit("::").next().filter(|name| name.starts_with(char::is_uppercase)).unwrap_or_default()
}

/// `slab::Slab<i32>::get_mut` would give a `mut`, which is no name; `semver::Version::to_string` a `string`.
fn of_function(path: &str) -> Option<String> {
    let name = path.rsplit([':', '.']).next().unwrap_or_default();
    let shorter = ["get_", "to_", "as_", "into_"].iter().find_map(|prefix| name.strip_prefix(prefix));
    shorter.filter(|name| !RESERVED.contains(name)).and_then(telling).or_else(|| telling(name))
}

/// A name that says something.
fn telling(name: &str) -> Option<String> {
    let name = name.trim_start_matches('_');
    (is_name(name) && !SILENT.contains(&name)).then(|| name.to_owned())
}

fn is_name(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_part)
}

/// `HTTPVersion` becomes `http_version`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let ends_word = at > 0 && !chars[at - 1].is_uppercase();
        let begins_word = at > 0 && chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (ends_word || begins_word) {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// Words of an expression that a variable of the same name would hide: all but methods, fields, parts of paths, macros.
fn mentioned(text: &str) -> impl Iterator<Item = String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let starts = text.char_indices().filter(move |(at, c)| {
        let before = text[..*at].chars().next_back();
        is_part(*c) && !before.is_some_and(|c| is_part(c) || matches!(c, '.' | ':'))
    });
    let words = starts.map(move |(at, _)| {
        let end = text[at..].find(|c| !is_part(c)).map_or(text.len(), |length| at + length);
        (&text[at..end], &text[end..])
    });
    words.filter(|(_, after)| !after.starts_with('!')).map(|(word, _)| word.to_owned())
}
