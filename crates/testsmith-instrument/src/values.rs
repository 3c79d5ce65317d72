//! Values that a function of a given type could return instead of what it computes.

use syn::{GenericArgument, PathArguments, ReturnType, Type, TypeParamBound};

use crate::RUNTIME;
use crate::facts::Facts;

/// A value, as it is shown and as it is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// As a person would write it.
    pub(crate) shown: String,
    /// With full paths, since the crate may be `no_std` or have own types of these names.
    pub(crate) code: String,
}

/// Where a type stands: what is known of the crate, of `Self`, and of type parameters.
pub(crate) struct TypeContext<'a> {
    pub(crate) facts: &'a Facts,
    /// The type that `Self` stands for; none in a trait.
    pub(crate) owner: Option<&'a str>,
    /// Type parameters in scope, and whether they are bound by `Default`.
    pub(crate) params: Vec<(String, bool)>,
}

/// More combinations than this say nothing new about a function's tests.
const MOST: usize = 6;

impl Value {
    fn plain(text: &str) -> Value {
        Value { shown: text.to_owned(), code: text.to_owned() }
    }

    fn std(shown: &str, code: &str) -> Value {
        Value { shown: shown.to_owned(), code: code.replace("std::", &format!("{RUNTIME}::std::")) }
    }

    fn default() -> Value {
        Value::std("Default::default()", "std::default::Default::default()")
    }

    /// Puts the value into `shown` and `code`, both with `@` for it.
    fn wrap(&self, shown: &str, code: &str) -> Value {
        let code = code.replace("std::", &format!("{RUNTIME}::std::"));
        Value { shown: shown.replace('@', &self.shown), code: code.replace('@', &self.code) }
    }
}

impl TypeContext<'_> {
    /// Values for the result of a function.
    pub(crate) fn of_return(&self, output: &ReturnType) -> Vec<Value> {
        match output {
            ReturnType::Default => vec![Value::plain("()")],
            ReturnType::Type(_, ty) => self.of_type(ty),
        }
    }

    /// Values of a type; none where none can be written down.
    pub(crate) fn of_type(&self, ty: &Type) -> Vec<Value> {
        let mut values = match ty {
            Type::Paren(inner) => self.of_type(&inner.elem),
            Type::Group(inner) => self.of_type(&inner.elem),
            Type::Tuple(tuple) => self.of_tuple(tuple),
            Type::Array(array) => self.of_array(array),
            Type::Reference(reference) => self.of_reference(reference),
            Type::Path(path) if path.qself.is_none() => self.of_path(&path.path),
            _ => Vec::new(),
        };
        values.truncate(MOST);
        values
    }

    fn of_path(&self, path: &syn::Path) -> Vec<Value> {
        let Some(last) = path.segments.last() else { return Vec::new() };
        let name = last.ident.to_string();
        let args = type_args(&last.arguments);
        if path.segments.len() == 1 {
            if let Some((_, has_default)) = self.params.iter().find(|(param, _)| *param == name) {
                return if *has_default { vec![Value::default()] } else { Vec::new() };
            }
            if self.facts.types.contains(&name) {
                let has_default = self.facts.defaults.contains(&name);
                return if has_default { vec![Value::default()] } else { Vec::new() };
            }
        }
        let inner = |at: usize| args.get(at).map(|ty| self.of_type(ty)).unwrap_or_default();
        match (name.as_str(), args.len()) {
            ("bool", 0) => ["true", "false"].map(Value::plain).to_vec(),
            ("i8" | "i16" | "i32" | "i64" | "i128" | "isize", 0) => {
                ["0", "1", "-1"].map(Value::plain).to_vec()
            }
            ("u8" | "u16" | "u32" | "u64" | "u128" | "usize", 0) => ["0", "1"].map(Value::plain).to_vec(),
            ("f32" | "f64", 0) => ["0.0", "1.0", "-1.0"].map(Value::plain).to_vec(),
            ("char", 0) => vec![Value::default()],
            ("String", 0) => vec![
                Value::std("String::new()", "std::string::String::new()"),
                Value::std("\"xyzzy\".into()", "std::string::String::from(\"xyzzy\")"),
            ],
            ("Ordering", 0) => ["Less", "Equal", "Greater"]
                .map(|o| Value::std(&format!("Ordering::{o}"), &format!("std::cmp::Ordering::{o}")))
                .to_vec(),
            ("Option", 1) => {
                wrapped(Some(Value::std("None", "std::option::Option::None")), &inner(0), "Some(@)")
            }
            ("Result", 0) => vec![Value::default().wrap("Ok(@)", "std::result::Result::Ok(@)")],
            ("Result", _) => inner(0).iter().map(|v| v.wrap("Ok(@)", "std::result::Result::Ok(@)")).collect(),
            ("Vec", 1) => {
                let empty = Value::std("vec![]", "std::vec::Vec::new()");
                let one = inner(0);
                let one = one.iter().map(|v| v.wrap("vec![@]", "std::vec::Vec::from([@])"));
                std::iter::once(empty).chain(one).collect()
            }
            ("Box" | "Rc" | "Arc", 1) => {
                let module = match name.as_str() {
                    "Box" => "boxed",
                    "Rc" => "rc",
                    _ => "sync",
                };
                let code = format!("std::{module}::{name}::new(@)");
                inner(0).iter().map(|v| v.wrap(&format!("{name}::new(@)"), &code)).collect()
            }
            (
                "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" | "VecDeque" | "BinaryHeap" | "LinkedList",
                _,
            ) => self.of_collection(&name, &args),
            ("Cow", _) => match args.last().and_then(|ty| crate::facts::type_name(ty)).as_deref() {
                Some("str") => ["", "xyzzy"]
                    .map(|s| {
                        Value::std(&format!("{s:?}.into()"), &format!("std::borrow::Cow::Borrowed({s:?})"))
                    })
                    .to_vec(),
                _ => Vec::new(),
            },
            ("Duration" | "PathBuf" | "OsString", 0) => vec![Value::default()],
            ("Self", 0) => match self.owner {
                Some(owner) if self.facts.defaults.contains(owner) => vec![Value::default()],
                _ => Vec::new(),
            },
            // What std offers without `Default`.
            ("Instant" | "SystemTime" | "Pin" | "NonNull" | "ThreadId" | "File" | "Ref" | "RefMut", _) => {
                Vec::new()
            }
            ("MutexGuard" | "Peekable" | "Chars" | "Once" | "Iter" | "IterMut" | "IntoIter" | "Drain", _) => {
                Vec::new()
            }
            ("NonZero", _) => Vec::new(),
            (name, _) if name.starts_with("NonZero") => Vec::new(),
            // `Self::Item`, `T::Output`: nobody knows.
            _ if is_associated(path, &self.params) => Vec::new(),
            _ => vec![Value::default()],
        }
    }

    fn of_collection(&self, name: &str, args: &[&Type]) -> Vec<Value> {
        let from_iter = "std::iter::FromIterator::from_iter([@])";
        let empty = Value::std(&format!("{name}::new()"), "std::default::Default::default()");
        let items = if name.ends_with("Map") {
            let (keys, values) =
                (args.first().map(|t| self.of_type(t)), args.get(1).map(|t| self.of_type(t)));
            pairs(&keys.unwrap_or_default(), &values.unwrap_or_default())
        } else {
            args.first().map(|t| self.of_type(t)).unwrap_or_default()
        };
        let shown = format!("{name}::from_iter([@])");
        std::iter::once(empty).chain(items.iter().map(|v| v.wrap(&shown, from_iter))).collect()
    }

    fn of_tuple(&self, tuple: &syn::TypeTuple) -> Vec<Value> {
        let mut values = vec![Vec::new()];
        for ty in &tuple.elems {
            let options = self.of_type(ty);
            values = values
                .iter()
                .flat_map(|head: &Vec<Value>| {
                    options.iter().map(|v| [head.as_slice(), std::slice::from_ref(v)].concat())
                })
                .take(MOST)
                .collect();
        }
        let join = |values: &[Value], text: fn(&Value) -> &str| {
            let parts: Vec<_> = values.iter().map(text).collect();
            if parts.len() == 1 { format!("({},)", parts[0]) } else { format!("({})", parts.join(", ")) }
        };
        let tuples =
            values.iter().map(|v| Value { shown: join(v, |v| &v.shown), code: join(v, |v| &v.code) });
        tuples.collect()
    }

    fn of_array(&self, array: &syn::TypeArray) -> Vec<Value> {
        let len = quote::ToTokens::to_token_stream(&array.len).to_string();
        if crate::kinds::Kind::of_type(&array.elem) == crate::kinds::Kind::Unknown {
            return Vec::new();
        }
        let template = format!("[@; {len}]");
        self.of_type(&array.elem).iter().map(|v| v.wrap(&template, &template)).collect()
    }

    fn of_reference(&self, reference: &syn::TypeReference) -> Vec<Value> {
        let is_mut = reference.mutability.is_some();
        // `leak` gives a `&mut`, which becomes a `&` by itself, but not inside of a `Vec` or an `Ok`.
        let shared = |code: &str| if is_mut { code.to_owned() } else { format!("&*{code}") };
        match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") && !is_mut => {
                ["\"\"", "\"xyzzy\""].map(Value::plain).to_vec()
            }
            Type::Slice(slice) => {
                let empty = shared("std::vec::Vec::leak(std::vec::Vec::new())");
                let empty = Value::std("Vec::leak(Vec::new())", &empty);
                let items = self.of_type(&slice.elem);
                let one = shared("std::vec::Vec::leak(std::vec::Vec::from([@]))");
                let one = items.iter().map(|v| v.wrap("Vec::leak(vec![@])", &one));
                std::iter::once(empty).chain(one).collect()
            }
            elem => {
                let values = self.of_type(elem);
                let leak = shared("std::boxed::Box::leak(std::boxed::Box::new(@))");
                values.iter().map(|v| v.wrap("Box::leak(Box::new(@))", &leak)).collect()
            }
        }
    }
}

fn wrapped(first: Option<Value>, inner: &[Value], shown: &str) -> Vec<Value> {
    let code = format!("std::option::Option::{shown}");
    first.into_iter().chain(inner.iter().map(|v| v.wrap(shown, &code))).collect()
}

fn pairs(keys: &[Value], values: &[Value]) -> Vec<Value> {
    let pair = |k: &Value, v: &Value| Value {
        shown: format!("({}, {})", k.shown, v.shown),
        code: format!("({}, {})", k.code, v.code),
    };
    keys.iter().flat_map(|k| values.iter().map(move |v| pair(k, v))).take(MOST).collect()
}

fn type_args(arguments: &PathArguments) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

/// `Self::Item`, `T::Output`.
fn is_associated(path: &syn::Path, params: &[(String, bool)]) -> bool {
    let Some(first) = path.segments.first() else { return false };
    let name = first.ident.to_string();
    path.segments.len() > 1 && (name == "Self" || params.iter().any(|(param, _)| *param == name))
}

/// The type parameters of generics, and whether each is bound by `Default`.
pub(crate) fn type_params(generics: &syn::Generics) -> Vec<(String, bool)> {
    let is_default = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|last| last.ident == "Default")
        }
        _ => false,
    };
    let in_where = |name: &str| {
        generics.where_clause.iter().flat_map(|clause| &clause.predicates).any(|predicate| match predicate {
            syn::WherePredicate::Type(ty) => {
                crate::facts::type_name(&ty.bounded_ty).as_deref() == Some(name)
                    && ty.bounds.iter().any(is_default)
            }
            _ => false,
        })
    };
    let params = generics.type_params().map(|param| {
        let name = param.ident.to_string();
        let has_default = param.bounds.iter().any(is_default) || in_where(&name);
        (name, has_default)
    });
    params.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ty: &str, expected: &[&str]) {
        let mut facts = Facts::default();
        facts.types.extend(["Plain".to_owned(), "Good".to_owned()]);
        facts.defaults.insert("Good".to_owned());
        let params = vec![("T".to_owned(), false), ("D".to_owned(), true)];
        let context = TypeContext { facts: &facts, owner: Some("Good"), params };
        let values = context.of_type(&syn::parse_str(ty).unwrap());
        assert_eq!(values.iter().map(|v| v.shown.as_str()).collect::<Vec<_>>(), expected, "{ty}");
    }

    #[test]
    fn values_follow_the_type() {
        check("bool", &["true", "false"]);
        check("i32", &["0", "1", "-1"]);
        check("&str", &["\"\"", "\"xyzzy\""]);
        check("Option<usize>", &["None", "Some(0)", "Some(1)"]);
        check("Result<bool, Error>", &["Ok(true)", "Ok(false)"]);
        check("io::Result<()>", &["Ok(())"]);
        check("fmt::Result", &["Ok(Default::default())"]);
        check("Vec<u8>", &["vec![]", "vec![0]", "vec![1]"]);
        check("Box<String>", &["Box::new(String::new())", "Box::new(\"xyzzy\".into())"]);
        check(
            "(u8, Option<D>)",
            &["(0, None)", "(0, Some(Default::default()))", "(1, None)", "(1, Some(Default::default()))"],
        );
        check(
            "HashMap<u8, bool>",
            &[
                "HashMap::new()",
                "HashMap::from_iter([(0, true)])",
                "HashMap::from_iter([(0, false)])",
                "HashMap::from_iter([(1, true)])",
                "HashMap::from_iter([(1, false)])",
            ],
        );
        check("&[u8]", &["Vec::leak(Vec::new())", "Vec::leak(vec![0])", "Vec::leak(vec![1])"]);
        check("&mut Good", &["Box::leak(Box::new(Default::default()))"]);
        check("Self", &["Default::default()"]);
        check("[u8; 2]", &["[0; 2]", "[1; 2]"]);
    }

    #[test]
    fn what_has_no_known_value_gets_none() {
        for ty in [
            "T",
            "Plain",
            "Self::Item",
            "T::Output",
            "impl Iterator<Item = u8>",
            "Box<dyn Fn()>",
            "!",
            "*const u8",
        ] {
            check(ty, &[]);
        }
    }
}
