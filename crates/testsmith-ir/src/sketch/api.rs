//! Tables from their notation.

use std::collections::HashMap;

use crate::api::{
    Accepts, Api, Callable, CallableId, Facts, Flow, LiteralKind, Param, Place, Reference, Type, TypeId,
};

/// Reads tables; an error names the line that is wrong.
pub fn api(text: &str) -> Result<Api, String> {
    let mut sketch = Sketch::default();
    sketch.add_type("()", "copy")?;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let read = match line.split_once(' ') {
            Some(("type", rest)) => {
                let (ty, facts) = rest.rsplit_once(": ").unwrap_or((rest, ""));
                sketch.add_type(ty.trim(), facts)
            }
            Some(("fn", rest)) => sketch.add_callable(rest),
            _ => Err("neither `type` nor `fn`".to_owned()),
        };
        read.map_err(|error| format!("{line}: {error}"))?;
    }
    Ok(sketch.api)
}

impl Api {
    /// The callable with this path.
    pub fn find(&self, path: &str) -> Option<CallableId> {
        self.callables().find(|(_, callable)| callable.path == path).map(|(id, _)| id)
    }

    /// The type that is shown so.
    pub fn find_type(&self, shown: &str) -> Option<TypeId> {
        self.types().find(|(_, ty)| ty.shown == shown).map(|(id, _)| id)
    }
}

#[derive(Default)]
struct Sketch {
    api: Api,
    ids: HashMap<String, TypeId>,
}

impl Sketch {
    fn add_type(&mut self, shown: &str, facts: &str) -> Result<(), String> {
        let referent = match shown.strip_prefix('&') {
            Some(inner) => match inner.strip_prefix("mut ") {
                Some(inner) => self.ids.get(inner).map(|id| (Reference::Exclusive, *id)),
                None => self.ids.get(inner).map(|id| (Reference::Shared, *id)),
            },
            None => None,
        };
        let is_shared = shown.starts_with('&') && !shown.starts_with("&mut ");
        let has = |fact: &str| facts.split(' ').any(|word| word == fact);
        self.ids.insert(shown.to_owned(), TypeId(self.api.types.len() as u32));
        self.api.types.push(Type {
            text: shown.replace("'_", "'static").replace('&', "&'static "),
            shown: shown.to_owned(),
            imports: Vec::new(),
            literal: literal(shown),
            borrows: shown.starts_with('&') || has("borrows"),
            referent,
            facts: Facts {
                copy: is_shared || has("copy"),
                needs_drop: has("drop"),
                debug: has("debug"),
                display: has("display"),
                eq: has("eq"),
                ord: has("ord"),
                ..Facts::default()
            },
        });
        Ok(())
    }

    /// `Vec::first(self: &Vec<i32>) -> Option<&i32> [0& > out] => $0.first()`
    fn add_callable(&mut self, text: &str) -> Result<(), String> {
        let (signature, shown) = text.split_once(" => ").ok_or("no ` => `")?;
        let (signature, flows) = match signature.rsplit_once(" [").filter(|(_, last)| last.contains(" > ")) {
            Some((signature, flows)) => (signature, flows.trim_end_matches(']')),
            None => (signature, ""),
        };
        let (path, rest) = signature.split_once('(').ok_or("no `(`")?;
        let (params, output) = match rest.rsplit_once(") -> ") {
            Some((params, output)) => (params, output),
            None => (rest.trim_end_matches(')'), "()"),
        };
        let params = params.split("; ").filter(|param| !param.is_empty()).map(|param| self.param(param));
        let params = params.collect::<Result<Vec<_>, _>>()?;
        let flows = flows.split(", ").filter(|flow| !flow.is_empty()).map(|text| flow(text, &params));
        let callable = Callable {
            path: path.to_owned(),
            code: shown.to_owned(),
            shown: shown.to_owned(),
            imports: Vec::new(),
            output: self.id(output)?,
            flows: flows.collect::<Result<Vec<_>, _>>()?,
            params,
        };
        self.api.callables.push(callable);
        Ok(())
    }

    fn param(&self, text: &str) -> Result<Param, String> {
        let (name, ty) = text.split_once(": ").ok_or("a parameter without a type")?;
        Ok(Param { name: name.to_owned(), accepts: self.accepts(ty)? })
    }

    fn accepts(&self, ty: &str) -> Result<Accepts, String> {
        let element = |text: &str| self.id(text.trim_end_matches(']'));
        if let Some(value) = ty.strip_prefix('=') {
            return Ok(Accepts::Value(self.id(value)?));
        }
        if let Some(item) = ty.strip_prefix('*') {
            return Ok(Accepts::List(self.id(item)?));
        }
        let Some(referent) = ty.strip_prefix('&') else { return Ok(Accepts::Value(self.id(ty)?)) };
        Ok(match (referent, referent.strip_prefix("mut ")) {
            ("str", _) => Accepts::Text,
            ("Path", _) => Accepts::Path,
            ("OsStr", _) => Accepts::OsText,
            ("CStr", _) => Accepts::CText,
            (_, Some(slice)) if slice.starts_with('[') => Accepts::SliceMut(element(&slice[1..])?),
            (_, Some(referent)) => Accepts::Exclusive(self.id(referent)?),
            (slice, None) if slice.starts_with('[') => Accepts::Slice(element(&slice[1..])?),
            (referent, None) => Accepts::Shared(self.id(referent)?),
        })
    }

    fn id(&self, shown: &str) -> Result<TypeId, String> {
        self.ids.get(shown).copied().ok_or_else(|| format!("no type `{shown}`"))
    }
}

/// `0& > out`
fn flow(text: &str, params: &[Param]) -> Result<Flow, String> {
    let (from, to) = text.split_once(" > ").ok_or("a flow without ` > `")?;
    let number = |text: &str| {
        let number = text.parse().ok().filter(|number: &usize| *number < params.len());
        number.ok_or_else(|| format!("no parameter {text}"))
    };
    let of_argument = from.ends_with('&');
    let from = number(from.trim_end_matches('&'))?;
    let exclusive =
        of_argument && matches!(params[from].accepts, Accepts::Exclusive(_) | Accepts::SliceMut(_));
    let to = match to {
        "out" => Place::Result,
        "ever" => Place::Forever,
        param => Place::Param(number(param)?),
    };
    Ok(Flow { from, to, exclusive, of_argument })
}

fn literal(shown: &str) -> Option<LiteralKind> {
    Some(match shown {
        "()" => LiteralKind::Unit,
        "bool" => LiteralKind::Bool,
        "char" => LiteralKind::Char,
        "f32" => LiteralKind::F32,
        "f64" => LiteralKind::F64,
        "&str" => LiteralKind::Str,
        "String" => LiteralKind::String,
        "&[u8]" => LiteralKind::ByteStr,
        "Vec<u8>" => LiteralKind::Bytes,
        "isize" => LiteralKind::Int { signed: true, bits: 0 },
        "usize" => LiteralKind::Int { signed: false, bits: 0 },
        _ => {
            let bits = shown.strip_prefix(['i', 'u'])?.parse().ok()?;
            LiteralKind::Int { signed: shown.starts_with('i'), bits }
        }
    })
}
