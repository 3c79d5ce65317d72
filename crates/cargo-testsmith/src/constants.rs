//! What a crate mentions, for the search: arguments that were written by name belong to the callables of that name.

use std::collections::BTreeMap;

use testsmith_ir::random::{Constant, Constants, Parameter};
use testsmith_ir::{Api, Callable};
use testsmith_model::Literals;
use testsmith_model::literals::{Argument, Value};

/// Literals of the crate, with those that were passed for parameters of the API.
pub(crate) fn constants(literals: Literals, api: &Api) -> Constants {
    let mut arguments: BTreeMap<Parameter, Vec<Constant>> = BTreeMap::new();
    for (id, callable) in api.callables() {
        let name = Name::of(callable);
        for (argument, values) in literals.arguments.iter().filter(|(it, _)| name.is_called_by(it)) {
            let at = argument.at + usize::from(argument.is_method);
            if at < callable.params.len() {
                let known = arguments.entry(Parameter { callable: id, at }).or_default();
                known.extend(values.iter().map(constant));
            }
        }
    }
    Constants { strings: literals.strings, ints: literals.ints, arguments }
}

fn constant(value: &Value) -> Constant {
    match value {
        Value::Text(text) => Constant::Text(text.clone()),
        Value::Int(value) => Constant::Int(*value),
    }
}

/// What sources call a callable.
struct Name<'a> {
    function: &'a str,
    /// Types, traits and modules of its path.
    owners: Vec<&'a str>,
    is_method: bool,
}

impl Name<'_> {
    fn of(callable: &Callable) -> Name<'_> {
        let words = callable.path.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut owners: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        Name {
            function: owners.pop().unwrap_or_default(),
            owners,
            is_method: callable.params.first().is_some_and(|param| param.name == "self"),
        }
    }

    fn is_called_by(&self, argument: &Argument) -> bool {
        let is_owner = |owner: &String| self.owners.contains(&owner.as_str());
        self.function == argument.function
            && (!argument.is_method || self.is_method)
            && argument.owner.as_ref().map_or(argument.is_method || !self.is_method, is_owner)
    }
}

#[cfg(test)]
mod tests {
    use testsmith_ir::sketch;

    use super::*;

    #[test]
    fn arguments_belong_to_callables_of_the_name_that_can_be_called_like_this() {
        let text = "type i32: copy\ntype Url\nfn a::Url::parse(input: &str) -> Url => Url::parse($0)\n\
                    fn a::Url::join(self: &Url; input: &str) -> Url => $0.join($1)\n\
                    fn a::join(input: &str) -> Url => join($0)\n";
        let api = sketch::api(text).expect("the table is well-formed");
        let check = |argument: (&str, Option<&str>, bool, usize), expected: &[(&str, usize)]| {
            let (function, owner, is_method, at) = argument;
            let owner = owner.map(str::to_owned);
            let argument = Argument { function: function.to_owned(), owner, is_method, at };
            let values = vec![Value::Text("x".to_owned())];
            let literals = Literals { arguments: [(argument, values)].into(), ..Literals::default() };
            let found = constants(literals, &api).arguments;
            let found: Vec<(&str, usize)> =
                found.keys().map(|it| (api[it.callable].path.as_str(), it.at)).collect();
            assert_eq!(found, expected, "{function}");
        };
        check(("parse", Some("Url"), false, 0), &[("a::Url::parse", 0)]);
        check(("parse", Some("Other"), false, 0), &[]);
        check(("parse", None, true, 0), &[]);
        check(("join", None, true, 0), &[("a::Url::join", 1)]);
        check(("join", None, false, 0), &[("a::join", 0)]);
        check(("join", Some("Url"), false, 1), &[("a::Url::join", 1)]);
    }
}
