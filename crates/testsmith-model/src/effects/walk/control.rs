//! Blocks, branches, loops and jumps.

use syn::Expr;

use super::Walker;
use crate::effects::ty::Ty;
use crate::effects::value::Value;

impl Walker<'_, '_> {
    /// Blocks and branches.
    pub(super) fn control(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Block(block) => match block.label {
                Some(_) => self.looped(|walker| walker.block(&block.block)),
                None => self.block(&block.block),
            },
            Expr::Unsafe(block) => {
                self.out.uses_unsafe = true;
                self.block(&block.block)
            }
            Expr::Const(block) => self.block(&block.block),
            Expr::Async(block) => self.block(&block.block),
            Expr::TryBlock(block) => self.block(&block.block).with_type(Ty::Unknown),
            Expr::If(branch) => self.framed(|walker| {
                let expected = walker.expected.take();
                walker.value(&branch.cond);
                let choice = walker.choice(&branch.cond);
                let mut value = Value::default();
                if choice != Some(false) {
                    walker.expected = expected.clone();
                    value.join(&walker.block(&branch.then_branch));
                }
                walker.expected = expected;
                if let Some((_, otherwise)) = &branch.else_branch
                    && choice != Some(true)
                {
                    value.join(&walker.value(otherwise));
                }
                value
            }),
            Expr::Let(binding) => {
                let (value, copied) = self.scrutinee(&binding.expr);
                self.bind(&binding.pat, value, copied);
                Value::fresh(Ty::Prim("bool"))
            }
            Expr::Match(branch) => {
                let expected = self.expected.take();
                let (value, copied) = self.scrutinee(&branch.expr);
                let mut result = Value::default();
                for arm in branch.arms.iter().filter(|arm| self.is_on(&arm.attrs)).collect::<Vec<_>>() {
                    let (value, expected) = (value.clone(), expected.clone());
                    let arm = self.framed(|walker| {
                        walker.bind(&arm.pat, value, copied);
                        walker.expected = expected;
                        walker.value(&arm.body)
                    });
                    result.join(&arm);
                }
                result
            }
            Expr::While(loop_) => {
                self.looped(|walker| {
                    walker.framed(|walker| {
                        walker.value(&loop_.cond);
                        walker.block(&loop_.body)
                    })
                });
                Value::fresh(Ty::UNIT)
            }
            Expr::Loop(loop_) => self.looped(|walker| {
                walker.block(&loop_.body);
                Value::default()
            }),
            Expr::ForLoop(loop_) => {
                self.for_loop(loop_);
                Value::fresh(Ty::UNIT)
            }
            other => self.jump(other),
        }
    }

    /// Jumps, and what is left.
    fn jump(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Break(jump) => {
                let value = jump.expr.as_ref().map(|value| self.value(value)).unwrap_or_default();
                // Labels are not followed: the value may belong to any loop around.
                self.breaks.iter_mut().for_each(|outer| outer.join(&value));
                Value::default()
            }
            Expr::Return(jump) => {
                let mut value = jump.expr.as_ref().map(|value| self.value(value)).unwrap_or_default();
                if self.returned.len() == 1 {
                    value = self.coerced(value, &self.f.ret);
                }
                if let Some(returned) = self.returned.last_mut() {
                    returned.join(&value);
                }
                Value::default()
            }
            Expr::Yield(jump) => jump.expr.as_ref().map(|value| self.value(value)).unwrap_or_default(),
            Expr::Await(inner) => self.value(&inner.base).with_type(Ty::Unknown),
            Expr::Try(inner) => {
                let value = self.value(&inner.expr);
                let ty = value.ty.arg(0);
                self.passed_on(value.with_type(ty), false)
            }
            Expr::Verbatim(tokens) => {
                self.unknown("unknown syntax");
                self.tokens(tokens.clone());
                Value::default()
            }
            _ => Value::default(),
        }
    }

    /// Runs a loop; its value is that of the breaks.
    fn looped(&mut self, run: impl FnOnce(&mut Self) -> Value) -> Value {
        self.breaks.push(Value::default());
        let mut value = run(self);
        let broken = self.breaks.pop().unwrap_or_default();
        value.join(&broken);
        value
    }

    fn for_loop(&mut self, loop_: &syn::ExprForLoop) {
        let iterated = self.value(&loop_.expr);
        let item = self.iterate(iterated);
        self.looped(|walker| {
            walker.framed(|walker| {
                walker.bind(&loop_.pat, item, false);
                walker.block(&loop_.body)
            })
        });
    }

    /// What `for` gets out of a value, with the functions that it calls for it.
    pub(super) fn iterate(&mut self, iterated: Value) -> Value {
        let mut iterator = iterated.clone();
        let into = self.d.methods(self.f, &iterated.ty, "into_iter", 1).own;
        if !into.is_empty() && !iterated.ty.is_unknown() {
            iterator = self.call_known(&into, vec![iterated.clone()], &[]);
        }
        let mut item = self.d.item(self.f, &iterated.ty);
        if item.is_unknown() {
            item = self.d.item(self.f, &iterator.ty);
        }
        let next = self.d.methods(self.f, &iterator.ty, "next", 1).own;
        if !next.is_empty() && matches!(iterator.ty.peeled(), Ty::Own(..)) {
            // The iterator is the loop's own, unless it was lent; what it goes over is not changed by that.
            let mut own = iterator.clone();
            own.is_local = iterator.ty.is_owned();
            let value = self.call_known(&next, vec![own], &[]);
            iterator.absorb(&value);
        } else if matches!(iterator.ty, Ty::Ref(true, _)) && is_iterator(iterator.ty.unreferenced()) {
            // `for x in &mut self.iter` moves the iterator on.
            self.write(&iterator);
        }
        iterator.deep |= is_iterator(iterated.ty.unreferenced());
        self.passed_on(iterator.with_type(item), false)
    }
}

/// Whether what follows is never reached.
pub(super) fn diverges(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(mac) => super::macros::diverges(&mac.mac),
        _ => false,
    }
}

/// Whether a type is an iterator itself rather than something to iterate over.
fn is_iterator(ty: &Ty) -> bool {
    const NAMES: [&str; 12] = [
        "Iter",
        "IterMut",
        "IntoIter",
        "Enumerate",
        "Rev",
        "Skip",
        "Take",
        "Peekable",
        "Chars",
        "Drain",
        "Zip",
        "Map",
    ];
    match ty {
        Ty::Iter(_) | Ty::Param(_) | Ty::Bounded(_) | Ty::Unknown => true,
        Ty::Foreign(foreign) => NAMES.contains(&foreign.name.as_str()),
        _ => false,
    }
}
