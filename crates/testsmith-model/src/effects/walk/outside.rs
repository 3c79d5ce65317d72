//! Calls of functions of other crates.

use super::Walker;
use super::call::Closures;
use super::expr::all;
use crate::effects::outside::{self, Gives};
use crate::effects::stdlib;
use crate::effects::ty::Ty;
use crate::effects::value::{Access, Value};

impl Walker<'_, '_> {
    /// A function of another crate.
    pub(super) fn outside_call(
        &mut self,
        path: &[String],
        owner: Ty,
        mut args: Vec<Value>,
        closures: &Closures<'_>,
    ) -> Value {
        let name = path.last().map(String::as_str).unwrap_or_default();
        let what = outside::function(path);
        self.out.io.extend(what.io);
        self.out.may_panic |= what.panics;
        let of_type = path.len() > 1 && path[path.len() - 2].starts_with(char::is_uppercase);
        if what.is_known && of_type && what.io.is_none() && !is_constructor(name) && !args.is_empty() {
            let own = self.d.methods(self.f, &args[0].ty, name, args.len()).own;
            if stdlib::method(name, args.len() - 1).is_some() || !own.is_empty() {
                return self.method_on_first(name, args, closures);
            }
        }
        let whole = all(&args);
        for (at, closure) in closures {
            let inputs = vec![whole.clone(); closure.inputs.len()];
            args[*at] = self.closure(closure, &inputs);
        }
        let functions = args.iter().filter(|arg| matches!(arg.ty, Ty::Function(..)));
        for function in functions.map(|arg| arg.ty.clone()).collect::<Vec<_>>() {
            self.call_function(&function, std::slice::from_ref(&whole));
        }
        if !what.is_known {
            self.unknown(&path.join("::"));
            args.iter().for_each(|arg| self.escape(arg));
        }
        let is_writer = !what.writes.is_empty();
        for (at, arg) in args.iter().enumerate() {
            let lent = arg.can_write() && !what.writes.contains(&at) && !is_wrapper(name) && !arg.is_local;
            // Written to, or stored where it is out of sight.
            if what.writes.contains(&at) && !arg.is_local
                || is_writer && lent
                || lent && matches!(arg.ty, Ty::Ref(true, _))
            {
                self.define_whole(arg.ty.unreferenced());
                self.use_whole(arg.ty.unreferenced());
                self.write(arg);
            }
        }
        let ty = outside_type(name, &owner, &args);
        let value = match what.gives {
            Gives::New => Value::default(),
            Gives::Content => args.first().cloned().unwrap_or_default().capped(Some(Access::Shared)),
            Gives::Shared => all(&args).capped(Some(Access::Shared)),
            Gives::Same => all(&args),
        };
        // `Box::from(&slice)` makes new elements.
        let value = match args.first() {
            Some(Value { ty: Ty::Ref(_, inner), .. }) if name == "from" && copies(&owner) => {
                value.capped(self.d.carry(inner, None))
            }
            _ => value,
        };
        let ty = match (what.gives, args.first()) {
            (Gives::Content, Some(first)) => self.d.one_step_behind(&first.ty).unwrap_or_default(),
            _ => ty,
        };
        self.passed_on(value.with_type(ty), false)
    }
}

fn is_constructor(name: &str) -> bool {
    matches!(name, "new" | "default" | "with_capacity" | "from" | "from_iter" | "try_from")
}

/// Whether a conversion from a reference to such a type clones what is behind the reference.
fn copies(owner: &Ty) -> bool {
    matches!(owner.foreign_name(), Some("Vec" | "VecDeque" | "Box" | "Rc" | "Arc" | "String"))
}

/// Functions that put what they get into what they give.
fn is_wrapper(name: &str) -> bool {
    const NAMES: [&str; 22] = [
        "Some",
        "Ok",
        "Err",
        "new",
        "new_unchecked",
        "once",
        "from_mut",
        "from_raw_parts_mut",
        "from",
        "leak",
        "get_mut",
        "from_ref",
        "zip",
        "successors",
        "from_fn",
        "into_iter",
        "identity",
        "max",
        "min",
        "Reverse",
        "Wrapping",
        "slice_from_raw_parts_mut",
    ];
    NAMES.contains(&name)
}

/// The type of what a function of another crate gives.
fn outside_type(name: &str, owner: &Ty, args: &[Value]) -> Ty {
    let first = || args.first().map(|arg| arg.ty.clone()).unwrap_or_default();
    match (name, owner) {
        ("Some", _) => Ty::option(first()),
        ("Ok", _) => Ty::foreign("Result", vec![first(), Ty::Unknown]),
        ("Err", _) => Ty::foreign("Result", vec![Ty::Unknown, first()]),
        ("max" | "min" | "identity", _) => first(),
        ("size_of" | "align_of" | "size_of_val", _) => Ty::Prim("usize"),
        ("new", Ty::Foreign(foreign)) if foreign.args.is_empty() && !args.is_empty() => {
            Ty::foreign(&foreign.name, vec![first()])
        }
        (name, Ty::Foreign(_)) if is_constructor(name) && name != "try_from" => owner.clone(),
        ("from", Ty::Prim(_)) => owner.clone(),
        ("from_raw_parts" | "from_raw_parts_mut", _) => {
            Ty::Seq(Box::new(first().behind().cloned().unwrap_or_default())).reference(name.ends_with("mut"))
        }
        _ => Ty::Unknown,
    }
}
