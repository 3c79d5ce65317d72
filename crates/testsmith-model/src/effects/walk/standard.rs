//! Methods of the standard library, as its table has them.

use syn::Expr;

use super::Walker;
use super::expr::all;
use super::method::{Call, is_projection};
use super::output::output;
use super::place::Want;
use crate::effects::stdlib::{self, Method, Mode, Out};
use crate::effects::ty::Ty;
use crate::effects::value::{Access, Value};

impl Walker<'_, '_> {
    /// Methods of raw pointers take them by value, and what they write they write for good.
    pub(super) fn pointer_method(&mut self, receiver: Value, mut call: Call<'_>) -> Value {
        self.run_closures(&mut call, |_| Vec::new());
        let is_writer = call.name.starts_with("write")
            || matches!(
                call.name.as_str(),
                "copy_from" | "copy_from_nonoverlapping" | "swap" | "replace" | "drop_in_place"
            );
        if is_writer {
            self.write(&receiver);
        }
        let is_copy_out = matches!(call.name.as_str(), "copy_to" | "copy_to_nonoverlapping");
        for arg in call.args.iter().filter(|arg| arg.can_write()) {
            // What is written somewhere through a pointer is out of sight.
            if is_writer || is_copy_out {
                self.write(arg);
            }
        }
        let pointee = receiver.ty.unreferenced().behind().cloned().unwrap_or_default();
        let ty = match call.name.as_str() {
            "read" | "read_unaligned" | "read_volatile" | "replace" => pointee,
            "as_ref" if receiver.ty.foreign_name() == Some("NonNull") => pointee.reference(false),
            "as_mut" if receiver.ty.foreign_name() == Some("NonNull") => pointee.reference(true),
            "as_ref" => Ty::option(pointee.reference(false)),
            "as_mut" => Ty::option(pointee.reference(true)),
            "as_ptr" | "cast_mut" => Ty::Ptr(true, Box::new(pointee)),
            "cast" => Ty::Ptr(matches!(receiver.ty, Ty::Ptr(true, _)), Box::default()),
            "is_null" => Ty::Prim("bool"),
            "offset_from" => Ty::Prim("isize"),
            _ => receiver.ty.clone(),
        };
        let is_mutable = call.name == "cast_mut";
        let value = if is_mutable { receiver.raised(Access::Raw) } else { receiver };
        self.passed_on(value.with_type(ty), false)
    }

    pub(super) fn std_method(&mut self, receiver: Value, mut call: Call<'_>, method: Method) -> Value {
        let want = match method.mode {
            Mode::Lend | Mode::Change | Mode::ChangeLend | Mode::Step => Want::Write,
            _ => Want::Read,
        };
        let receiver = match call.at {
            Some(expr) if want == Want::Write => self.place(expr, want),
            _ => receiver,
        };
        let original = receiver.ty.clone();
        self.out.may_panic |= stdlib::panics(&call.name);
        self.element_calls(&call.name, &original);
        self.iterator_calls(&receiver, &call.name);
        self.adapted_calls(&original, &call.name);
        self.conversion_calls(&call, &original);
        let base = self.receive(receiver, &call, method.mode, want);
        let returns = self.run_closures(&mut call, |walker| walker.std_closure_inputs(&original, &base));
        self.give_arguments(&base, &call, method.mode);
        let ty = output(self.d, self.f, method.out, &original, &returns.ty, &call);
        let mut value = base;
        value.absorb(&returns);
        if matches!(method.mode, Mode::Take) {
            value.absorb(&all(&call.args));
        }
        // A clone is a new object: of what is behind a type parameter, nothing can be reached for writing.
        if matches!(method.out, Out::Same | Out::Vec | Out::String) && !ty.is_unknown() {
            value = value.capped(self.d.carry(&ty, None));
        }
        self.passed_on(value.with_type(ty), false)
    }

    /// Does to the receiver what the table says; the result is what goes on into the method's own.
    fn receive(&mut self, receiver: Value, call: &Call<'_>, mode: Mode, want: Want) -> Value {
        if mode == Mode::Take {
            let is_borrowed = call.at.is_some_and(is_projection) && !receiver.is_local;
            return self.passed_on(receiver, is_borrowed);
        }
        let is_variable = matches!(call.at, Some(Expr::Path(_)));
        let is_open = receiver.ty.is_unknown();
        let holds = !is_container(&receiver.ty);
        let mut place = self.behind_references(receiver, want);
        place.deep |= holds && !place.is_local;
        match mode {
            Mode::Look | Mode::Take => place.capped(Some(Access::Shared)),
            Mode::Lend => place,
            Mode::Change => {
                self.write_place(&place);
                place.capped(Some(Access::Shared))
            }
            Mode::ChangeLend => {
                self.write_place(&place);
                place
            }
            Mode::Step => {
                // A variable of unknown type that is moved on as an iterator is one.
                if !(is_variable && is_open) {
                    self.write_place(&place);
                }
                Value { deep: true, ..place }
            }
            Mode::Cell => {
                self.write_interior(&place);
                place.capped(Some(Access::Shared))
            }
            Mode::CellLend => {
                self.out.uses_interior |= !place.roots.is_empty();
                self.opened(place)
            }
        }
    }

    /// The place behind references and the crate's own `Deref`.
    pub(super) fn behind_references(&mut self, mut place: Value, want: Want) -> Value {
        for _ in 0..8 {
            let goes_on = match &place.ty {
                Ty::Ref(..) => true,
                Ty::Own(id, _) => self.d.derefs.contains_key(id),
                _ => false,
            };
            if !goes_on {
                break;
            }
            place = self.dereference(place, want);
        }
        place
    }

    /// Arguments that can write are changed, or stored in the receiver.
    fn give_arguments(&mut self, base: &Value, call: &Call<'_>, mode: Mode) {
        for arg in call.args.iter().filter(|arg| !arg.roots.is_empty()) {
            match (mode, call.at) {
                (Mode::Change | Mode::ChangeLend, Some(at)) if is_container(&base.ty) => {
                    self.store(at, base, arg)
                }
                (Mode::Change | Mode::ChangeLend | Mode::Cell, _) if arg.can_write() => self.write(arg),
                _ if matches!(arg.ty, Ty::Ref(true, _)) => self.write(arg),
                _ => {}
            }
        }
    }

    /// Walks the closures among the arguments; gives what they return.
    pub(super) fn run_closures(
        &mut self,
        call: &mut Call<'_>,
        inputs: impl FnOnce(&mut StdClosure<'_, '_, '_>) -> Vec<Value>,
    ) -> Value {
        let mut returns = Value::default();
        let functions = call.args.iter().filter(|arg| matches!(arg.ty, Ty::Function(..)));
        let functions: Vec<_> = functions.cloned().collect();
        if call.closures.is_empty() && functions.is_empty() {
            if let Some(arg) = call.args.iter().find(|arg| matches!(arg.ty, Ty::Callable(_))) {
                returns.ty = callable_output(&arg.ty);
            }
            return returns;
        }
        let inputs = inputs(&mut StdClosure { d: self.d, f: self.f, name: &call.name, args: &call.args });
        for (at, closure) in std::mem::take(&mut call.closures) {
            let value = self.closure(closure, &inputs);
            returns.join(&value);
            call.args[at] = value;
        }
        returns.ty = callable_output(&returns.ty);
        for function in functions {
            let value = self.call_function(&function.ty, &inputs);
            returns.join(&value);
        }
        returns
    }
}

/// What is known about the closure of a method of the standard library.
pub(super) struct StdClosure<'w, 'd, 'a> {
    d: &'d crate::effects::decls::Decls<'a>,
    f: &'d crate::effects::decls::FnDecl<'a>,
    name: &'w str,
    args: &'w [Value],
}

impl StdClosure<'_, '_, '_> {
    /// What the closure is called with: parts of the receiver.
    fn std_closure_inputs(&self, receiver: &Ty, base: &Value) -> Vec<Value> {
        let outer = receiver.peeled().foreign_name();
        let item = match outer {
            Some("Option" | "Result" | "Entry") => receiver.arg(0),
            _ => match self.d.item(self.f, receiver) {
                Ty::Unknown => receiver.element(),
                known => known,
            },
        };
        let part = |ty: Ty| {
            let most = match ty {
                Ty::Unknown => Some(Access::Raw),
                _ => self.d.carry(&ty, Some(Access::Raw)),
            };
            base.clone().capped(most).with_type(ty)
        };
        match self.name {
            "fold" | "try_fold" | "rfold" | "scan" => {
                let start = self.args.first().cloned().unwrap_or_default();
                vec![start, part(item)]
            }
            "map_err" | "unwrap_or_else" | "or_else" => vec![part(receiver.arg(1))],
            "and_modify" => vec![part(item.reference(true))],
            "retain" if matches!(item, Ty::Tuple(_)) => {
                vec![part(receiver.arg(0).reference(false)), part(receiver.arg(1).reference(true))]
            }
            "with" => {
                vec![base.clone().capped(Some(Access::Shared)).with_type(receiver.clone().reference(false))]
            }
            "with_borrow" => {
                vec![base.clone().capped(Some(Access::Shared)).with_type(receiver.element().reference(false))]
            }
            "with_borrow_mut" => vec![base.clone().with_type(receiver.element().reference(true))],
            _ => vec![part(item.clone()), part(item)],
        }
    }
}

fn callable_output(ty: &Ty) -> Ty {
    match ty {
        Ty::Callable(output) => (**output).clone(),
        _ => Ty::Unknown,
    }
}

/// Whether a type keeps what is put into it in itself.
fn is_container(ty: &Ty) -> bool {
    const NAMES: [&str; 13] = [
        "Vec",
        "VecDeque",
        "HashMap",
        "HashSet",
        "BTreeMap",
        "BTreeSet",
        "BinaryHeap",
        "Option",
        "String",
        "Result",
        "Box",
        "LinkedList",
        "MaybeUninit",
    ];
    match ty.unreferenced() {
        Ty::Foreign(foreign) => NAMES.contains(&foreign.name.as_str()),
        Ty::Seq(_) | Ty::Tuple(_) | Ty::Prim(_) | Ty::Own(..) => true,
        _ => false,
    }
}
