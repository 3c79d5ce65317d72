//! Operators, which may be functions of the crate.

use syn::{BinOp, Expr, ExprBinary};

use super::Walker;
use super::place::Want;
use crate::effects::decls::Owner;
use crate::effects::ty::Ty;
use crate::effects::value::Value;

/// The function behind an operator, and what kind it is.
enum Operator {
    /// Gives something new.
    Arithmetic(&'static str),
    /// Looks at both sides.
    Comparison(&'static str),
    /// Changes the left side.
    Assigning(&'static str),
    Lazy,
}

fn operator(op: &BinOp) -> Operator {
    use Operator::{Arithmetic, Assigning, Comparison};
    match op {
        BinOp::Add(_) => Arithmetic("add"),
        BinOp::Sub(_) => Arithmetic("sub"),
        BinOp::Mul(_) => Arithmetic("mul"),
        BinOp::Div(_) => Arithmetic("div"),
        BinOp::Rem(_) => Arithmetic("rem"),
        BinOp::BitXor(_) => Arithmetic("bitxor"),
        BinOp::BitAnd(_) => Arithmetic("bitand"),
        BinOp::BitOr(_) => Arithmetic("bitor"),
        BinOp::Shl(_) => Arithmetic("shl"),
        BinOp::Shr(_) => Arithmetic("shr"),
        BinOp::Eq(_) | BinOp::Ne(_) => Comparison("eq"),
        BinOp::Lt(_) | BinOp::Le(_) | BinOp::Ge(_) | BinOp::Gt(_) => Comparison("partial_cmp"),
        BinOp::AddAssign(_) => Assigning("add_assign"),
        BinOp::SubAssign(_) => Assigning("sub_assign"),
        BinOp::MulAssign(_) => Assigning("mul_assign"),
        BinOp::DivAssign(_) => Assigning("div_assign"),
        BinOp::RemAssign(_) => Assigning("rem_assign"),
        BinOp::BitXorAssign(_) => Assigning("bitxor_assign"),
        BinOp::BitAndAssign(_) => Assigning("bitand_assign"),
        BinOp::BitOrAssign(_) => Assigning("bitor_assign"),
        BinOp::ShlAssign(_) => Assigning("shl_assign"),
        BinOp::ShrAssign(_) => Assigning("shr_assign"),
        _ => Operator::Lazy,
    }
}

impl Walker<'_, '_> {
    pub(super) fn unary(&mut self, expr: &Expr, method: &str) -> Value {
        let value = self.value(expr);
        let own = self.operator_functions(method, std::slice::from_ref(&value));
        if own.is_empty() {
            let ty = value.ty.unreferenced().clone();
            return Value::fresh(ty);
        }
        self.call_known(&own, vec![value], &[])
    }

    pub(super) fn binary(&mut self, binary: &ExprBinary) -> Value {
        match operator(&binary.op) {
            Operator::Lazy => {
                self.value(&binary.left);
                self.value(&binary.right);
                Value::fresh(Ty::Prim("bool"))
            }
            Operator::Comparison(method) => {
                let left = self.place(&binary.left, Want::Read);
                let right = self.place(&binary.right, Want::Read);
                self.element_calls(method, &left.ty);
                let args = vec![left, right];
                let own = self.operator_functions(method, &args);
                self.call_known(&own, args, &[]);
                Value::fresh(Ty::Prim("bool"))
            }
            Operator::Arithmetic(method) => {
                let args = vec![self.value(&binary.left), self.value(&binary.right)];
                let own = self.operator_functions(method, &args);
                if own.is_empty() {
                    return Value::fresh(arithmetic_type(&args[0].ty, &args[1].ty));
                }
                self.call_known(&own, args, &[])
            }
            Operator::Assigning(method) => self.compound(binary, method),
        }
    }

    /// `a += b` reads and changes `a`.
    fn compound(&mut self, binary: &ExprBinary, method: &str) -> Value {
        let right = self.value(&binary.right);
        let left = self.place(&binary.left, Want::Write);
        let args = vec![left, right];
        let own = self.operator_functions(method, &args);
        if own.is_empty() {
            match &*binary.left {
                // A local number, or a parameter's copy.
                Expr::Path(_) if !matches!(args[0].ty, Ty::Ref(..)) && !is_static(&args[0]) => {}
                _ => self.write_place(&args[0]),
            }
        } else {
            self.call_known(&own, args, &[]);
        }
        Value::fresh(Ty::UNIT)
    }

    /// Functions of the crate behind an operator: those of the operands' types, or any if nothing is known.
    fn operator_functions(&self, method: &str, args: &[Value]) -> Vec<usize> {
        if args.iter().any(|arg| matches!(arg.ty.peeled(), Ty::Prim(_))) && !is_own(&args[0].ty) {
            return Vec::new();
        }
        let found = self.d.methods(self.f, &args[0].ty, method, args.len()).own.into_iter();
        // Operators are traits of the standard library.
        let is_operator = |id: &usize| matches!(self.d.fns[*id].owner, Owner::Impl(None));
        let found: Vec<_> = found.filter(is_operator).collect();
        let by_right = |id: &usize| {
            let (Some(param), Some(arg)) = (self.d.fns[*id].params.get(1), args.get(1)) else { return true };
            match (param.ty.peeled(), arg.ty.peeled()) {
                (Ty::Own(a, _), Ty::Own(b, _)) => a == b,
                (Ty::Prim(_), Ty::Own(..)) | (Ty::Own(..), Ty::Prim(_)) => false,
                _ => true,
            }
        };
        let fitting: Vec<_> = found.iter().copied().filter(by_right).collect();
        if fitting.is_empty() { found } else { fitting }
    }
}

fn is_own(ty: &Ty) -> bool {
    matches!(ty.peeled(), Ty::Own(..))
}

fn is_static(value: &Value) -> bool {
    value.roots.keys().any(|root| matches!(root, crate::effects::value::Root::Static(_)))
}

/// Numbers stay what they are; a literal takes the other side's type.
fn arithmetic_type(left: &Ty, right: &Ty) -> Ty {
    match (left.unreferenced(), right.unreferenced()) {
        (Ty::Prim("i32"), Ty::Prim(other)) => Ty::Prim(other),
        (Ty::Prim(own), _) => Ty::Prim(own),
        (Ty::Unknown, Ty::Prim(other)) => Ty::Prim(other),
        (Ty::Foreign(own), _) if own.name == "String" => Ty::Foreign(own.clone()),
        _ => Ty::Unknown,
    }
}
