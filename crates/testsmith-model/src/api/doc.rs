//! rustdoc's JSON, read tolerantly: only what the model needs, and whatever is unknown is left out.
//!
//! The format changes with every few releases of the compiler. Ids are numbers in some and strings in others, `use` was
//! once `import`; nothing here fails because a field is missing.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use serde_json::Value;
use testsmith_ir::Visibility;

use super::SourcePlace;
use super::defaults;
use super::ty::{self, Bound, Param, Predicate, Ty};

/// Newest version of the format that this was tried on.
pub const KNOWN_FORMAT: u64 = 57;

/// A document that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    /// The version that it says it has.
    pub format: Option<u64>,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = &self.what;
        match self.format {
            None => write!(f, "rustdoc's JSON cannot be read: {what}"),
            Some(format) => write!(
                f,
                "rustdoc's JSON of format version {format} cannot be read: {what}\n  \
                 testsmith knows the format up to version {KNOWN_FORMAT}; try another toolchain, \
                 or a newer testsmith"
            ),
        }
    }
}

impl std::error::Error for FormatError {}

/// An item's number, as text.
pub(crate) type Id = String;

/// A documented crate.
pub(crate) struct Doc {
    pub(crate) root: Id,
    pub(crate) format: u64,
    pub(crate) items: HashMap<Id, Item>,
    /// Full paths, of items of other crates too.
    pub(crate) paths: HashMap<Id, Vec<String>>,
}

/// Something in the crate.
pub(crate) struct Item {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) place: Option<SourcePlace>,
    /// Everybody can use it, and its docs are not hidden.
    pub(crate) is_public: bool,
    /// Where its source lets it be used, whatever [`Doc::open`] has done.
    pub(crate) visibility: Visibility,
    pub(crate) docs: String,
    pub(crate) is_deprecated: bool,
    /// As text, in whichever form the format has them.
    pub(crate) attrs: String,
    /// It is of this crate.
    pub(crate) is_local: bool,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    Module(Vec<Id>),
    Use { target: Option<Id>, name: String, is_glob: bool },
    Struct { shape: Shape, generics: Generics },
    Enum { variants: Vec<Id>, generics: Generics },
    Variant(Shape),
    Field(Ty),
    Function(Function),
    Trait { items: Vec<Id>, generics: Generics, bounds: Vec<Bound>, is_unsafe: bool },
    Impl(Impl),
    Constant(Ty),
    Static { ty: Ty, is_mutable: bool },
    AssocType(Option<Ty>),
    TypeAlias { ty: Ty, generics: Generics },
    Other,
}

/// How a struct or a variant is written.
pub(crate) enum Shape {
    Unit,
    /// `None` for a field that cannot be seen.
    Tuple(Vec<Option<Id>>),
    Plain {
        fields: Vec<Id>,
        is_complete: bool,
    },
}

#[derive(Clone, Default)]
pub(crate) struct Generics {
    pub(crate) params: Vec<Param>,
    pub(crate) predicates: Vec<Predicate>,
    /// Parameters that borrow from nothing that ends: `T: 'static`.
    pub(crate) lasting: BTreeSet<String>,
}

pub(crate) struct Function {
    pub(crate) inputs: Vec<(String, Ty)>,
    pub(crate) output: Option<Ty>,
    pub(crate) generics: Generics,
    pub(crate) is_unsafe: bool,
    pub(crate) is_async: bool,
    pub(crate) has_body: bool,
}

pub(crate) struct Impl {
    pub(crate) generics: Generics,
    pub(crate) of_trait: Option<Bound>,
    pub(crate) for_type: Ty,
    pub(crate) items: Vec<Id>,
    /// Methods of the trait that this impl does not define.
    pub(crate) provided: Vec<String>,
    /// Made by rustdoc: an auto trait, or a copy of a blanket impl.
    pub(crate) is_synthetic: bool,
    pub(crate) is_negative: bool,
}

impl Doc {
    /// Reads a document, of whatever version, as far as it is like those that are known.
    pub(crate) fn read(text: &str) -> Result<Doc, FormatError> {
        let json: Value = serde_json::from_str(text)
            .map_err(|error| FormatError { format: None, what: format!("it is no JSON: {error}") })?;
        let format = json["format_version"].as_u64();
        let missing =
            |what: &str| FormatError { format, what: format!("there is no `{what}` where it should be") };
        let index = json["index"].as_object().ok_or_else(|| missing("index"))?;
        let mut items = index.values().map(item).map(|item| (item.id.clone(), item)).collect();
        defaults::settle(&mut items, index);
        let paths = json["paths"].as_object().ok_or_else(|| missing("paths"))?;
        let path = |summary: &Value| strings(&summary["path"]);
        let doc = Doc {
            root: id(&json["root"]).ok_or_else(|| missing("root"))?,
            format: format.unwrap_or_default(),
            items,
            paths: paths.iter().map(|(id, summary)| (id.clone(), path(summary))).collect(),
        };
        // Items may have moved inside of the document, too.
        match doc.get(&doc.root).map(|root| &root.kind) {
            Some(Kind::Module(_)) => Ok(doc),
            _ => Err(missing("module at the root")),
        }
    }

    /// Makes every item public, as in a copy of the crate whose items all begin with `pub`. Imports stay as they are: an
    /// item is named where it is defined.
    pub(crate) fn open(&mut self) {
        let items = self.items.values_mut().filter(|item| item.is_local);
        items.filter(|item| !matches!(item.kind, Kind::Use { .. })).for_each(|item| item.is_public = true);
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Item> {
        self.items.get(id)
    }

    /// What the traits of this crate have, in any order.
    pub(crate) fn items_of_traits(&self) -> impl Iterator<Item = &Item> {
        let items = self.items.values().filter(|item| item.is_local).filter_map(|item| match &item.kind {
            Kind::Trait { items, .. } => Some(items),
            _ => None,
        });
        items.flatten().filter_map(|id| self.get(id))
    }

    /// All impls that somebody has written in this crate, in a stable order.
    pub(crate) fn impls(&self) -> Vec<(&Item, &Impl)> {
        let written = self.items.values().filter(|item| item.is_local).filter_map(|item| match &item.kind {
            Kind::Impl(imp) if !imp.is_synthetic && !imp.is_negative => Some((item, imp)),
            _ => None,
        });
        let mut impls: Vec<_> = written.collect();
        impls.sort_by_key(|(item, _)| (item.place.clone(), item.id.parse::<u64>().unwrap_or_default()));
        impls
    }
}

impl Item {
    pub(crate) fn has_attr(&self, name: &str) -> bool {
        self.attrs.contains(name)
    }
}

pub(crate) fn id(value: &Value) -> Option<Id> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn ids(value: &Value) -> Vec<Id> {
    value.as_array().into_iter().flatten().filter_map(id).collect()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn item(value: &Value) -> Item {
    let span = &value["span"];
    let line = |end: &str| span[end][0].as_u64().and_then(|line| usize::try_from(line).ok());
    let place = || {
        Some(SourcePlace {
            file: span["filename"].as_str()?.to_owned(),
            first: line("begin")?,
            last: line("end")?,
        })
    };
    let attrs = value["attrs"].to_string();
    let is_hidden = attrs.contains("#[doc(hidden");
    Item {
        id: id(&value["id"]).unwrap_or_default(),
        name: value["name"].as_str().unwrap_or_default().to_owned(),
        place: place(),
        is_public: matches!(value["visibility"].as_str(), Some("public" | "default")) && !is_hidden,
        visibility: visibility(&value["visibility"], is_hidden),
        docs: value["docs"].as_str().unwrap_or_default().to_owned(),
        is_deprecated: !value["deprecation"].is_null(),
        attrs,
        is_local: value["crate_id"].as_u64() == Some(0),
        kind: kind(&value["inner"]),
    }
}

/// Where an item can be used. What is hidden is for its authors.
fn visibility(visibility: &Value, is_hidden: bool) -> Visibility {
    match visibility.as_str() {
        Some("public" | "default") if !is_hidden => Visibility::Anywhere,
        Some(_) => Visibility::Inside(Vec::new()),
        None => {
            let path = visibility["restricted"]["path"].as_str().unwrap_or_default();
            Visibility::Inside(path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect())
        }
    }
}

fn kind(inner: &Value) -> Kind {
    let Some((name, value)) = inner.as_object().and_then(|map| map.iter().next()) else { return Kind::Other };
    match name.as_str() {
        "module" => Kind::Module(ids(&value["items"])),
        "use" | "import" => Kind::Use {
            target: id(&value["id"]),
            name: value["name"].as_str().unwrap_or_default().to_owned(),
            is_glob: value["is_glob"].as_bool().or(value["glob"].as_bool()).unwrap_or_default(),
        },
        "struct" => Kind::Struct { shape: shape(&value["kind"]), generics: generics(&value["generics"]) },
        "enum" => Kind::Enum { variants: ids(&value["variants"]), generics: generics(&value["generics"]) },
        "variant" => Kind::Variant(shape(&value["kind"])),
        "struct_field" => Kind::Field(ty::read(value)),
        "function" => Kind::Function(function(value)),
        "trait" => Kind::Trait {
            items: ids(&value["items"]),
            generics: generics(&value["generics"]),
            bounds: ty::bounds(&value["bounds"]),
            is_unsafe: value["is_unsafe"].as_bool().unwrap_or_default(),
        },
        "impl" => Kind::Impl(implementation(value)),
        "constant" | "assoc_const" => Kind::Constant(ty::read(&value["type"])),
        "static" => Kind::Static {
            ty: ty::read(&value["type"]),
            is_mutable: value["is_mutable"].as_bool().unwrap_or_default(),
        },
        "assoc_type" => {
            let given = [&value["type"], &value["default"]].into_iter().find(|ty| !ty.is_null());
            Kind::AssocType(given.map(ty::read))
        }
        "type_alias" => {
            Kind::TypeAlias { ty: ty::read(&value["type"]), generics: generics(&value["generics"]) }
        }
        _ => Kind::Other,
    }
}

fn shape(kind: &Value) -> Shape {
    if let Some(fields) = kind["tuple"].as_array() {
        return Shape::Tuple(fields.iter().map(id).collect());
    }
    let plain = if kind["plain"].is_object() { &kind["plain"] } else { &kind["struct"] };
    if !plain.is_object() {
        return Shape::Unit;
    }
    let stripped = plain["has_stripped_fields"].as_bool().or(plain["fields_stripped"].as_bool());
    Shape::Plain { fields: ids(&plain["fields"]), is_complete: !stripped.unwrap_or_default() }
}

fn generics(value: &Value) -> Generics {
    Generics {
        params: value["params"].as_array().into_iter().flatten().filter_map(ty::param).collect(),
        predicates: value["where_predicates"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(ty::predicate)
            .collect(),
        lasting: lasting(value),
    }
}

fn lasting(generics: &Value) -> BTreeSet<String> {
    let list = |key: &str| generics[key].as_array().into_iter().flatten();
    let is_lasting = |bounds: &Value| {
        bounds.as_array().into_iter().flatten().any(|bound| bound["outlives"].as_str() == Some("'static"))
    };
    let params = list("params").filter(|param| is_lasting(&param["kind"]["type"]["bounds"]));
    let predicates = list("where_predicates").map(|predicate| &predicate["bound_predicate"]);
    let predicates = predicates.filter(|predicate| is_lasting(&predicate["bounds"]));
    let names = params.map(|param| &param["name"]).chain(predicates.map(|it| &it["type"]["generic"]));
    names.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn function(value: &Value) -> Function {
    let signature = if value["sig"].is_object() { &value["sig"] } else { &value["decl"] };
    let input = |pair: &Value| (pair[0].as_str().unwrap_or("_").to_owned(), ty::read(&pair[1]));
    let header = &value["header"];
    let flag = |new: &str, old: &str| header[new].as_bool().or(header[old].as_bool()).unwrap_or_default();
    Function {
        inputs: signature["inputs"].as_array().into_iter().flatten().map(input).collect(),
        output: Some(&signature["output"]).filter(|output| !output.is_null()).map(ty::read),
        generics: generics(&value["generics"]),
        is_unsafe: flag("is_unsafe", "unsafe"),
        is_async: flag("is_async", "async"),
        has_body: value["has_body"].as_bool().unwrap_or(true),
    }
}

fn implementation(value: &Value) -> Impl {
    let flag = |new: &str, old: &str| value[new].as_bool().or(value[old].as_bool()).unwrap_or_default();
    Impl {
        generics: generics(&value["generics"]),
        of_trait: Some(&value["trait"]).filter(|t| t.is_object()).map(ty::trait_ref),
        for_type: ty::read(&value["for"]),
        items: ids(&value["items"]),
        provided: strings(&value["provided_trait_methods"]),
        is_synthetic: flag("is_synthetic", "synthetic") || !value["blanket_impl"].is_null(),
        is_negative: flag("is_negative", "negative"),
    }
}
