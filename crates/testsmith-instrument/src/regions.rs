//! Regions of control flow: which conditions have to come out how before a mutant's place is executed.
//!
//! `if`, `while`, `&&`, `||`, the arms and guards of `match`, loops, closures, and what follows an early exit. The walk
//! knows places in the source only; [`Plan::regions`] looks up which site reports a condition and which mutants stand
//! where. Bodies of `macro_rules!` are not walked: mutants in them stand in the body of their function.

use std::collections::HashMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Pat, Stmt, UnOp};
use testsmith_ir::{Region, Regions, Side};

use crate::plan::Plan;

impl Plan {
    /// The regions of all functions. Region `n` is the body of function `n`, as far as there are functions.
    pub fn regions(&self) -> Regions {
        let body = |function| Region { function, ..Region::default() };
        let mut found = Regions { all: (0..self.functions.len()).map(body).collect(), probes: Vec::new() };
        for file in 0..self.tree.files.len() {
            let mut walker = Walker::new(self, file, &mut found);
            walker.visit_file(&self.tree.files[file].ast);
            let stretches = walker.stretches;
            for mutant in self.mutants.iter().filter(|mutant| mutant.file == file) {
                let region = innermost(&stretches, &mutant.span, mutant.function, &found);
                found.all[region].mutants.push(mutant.number);
            }
        }
        let probes = self.sites.iter().flatten().filter_map(|site| Some((site.probe?, site.function)));
        found.probes = probes.collect();
        found.probes.sort_unstable();
        found.probes.dedup();
        found
    }
}

/// The region of the smallest stretch of a function around a place.
fn innermost(
    stretches: &[(Range<usize>, usize)],
    place: &Range<usize>,
    function: usize,
    regions: &Regions,
) -> usize {
    let is_around = |(stretch, region): &&(Range<usize>, usize)| {
        stretch.start <= place.start && place.end <= stretch.end && regions.all[*region].function == function
    };
    let around = stretches.iter().filter(is_around);
    around.min_by_key(|(stretch, _)| stretch.len()).map_or(function, |(_, region)| *region)
}

struct Walker<'a> {
    /// By place: the condition there is reported under this number.
    probes: HashMap<Range<usize>, u32>,
    /// Functions of the file, by place.
    functions: HashMap<Range<usize>, usize>,
    regions: &'a mut Regions,
    /// Parts of the source that belong to a region.
    stretches: Vec<(Range<usize>, usize)>,
    current: Option<usize>,
}

impl<'a> Walker<'a> {
    fn new(plan: &'a Plan, file: usize, regions: &'a mut Regions) -> Walker<'a> {
        let probes = plan.sites[file].iter().filter(|site| plan.is_written(site));
        let functions = plan.functions.iter().enumerate().filter(|(_, function)| function.file == file);
        Walker {
            probes: probes.filter_map(|site| Some((site.range.clone(), site.probe?))).collect(),
            functions: functions.map(|(at, function)| (function.range.clone(), at)).collect(),
            regions,
            stretches: Vec::new(),
            current: None,
        }
    }

    /// A function with a body; one that is no code under test is left out with all that is in it.
    fn function(&mut self, whole: &Range<usize>, block: &Block) {
        let Some(function) = self.functions.get(whole).copied() else { return };
        let outer = self.current.replace(function);
        self.stretches.push((whole.clone(), function));
        self.visit_block(block);
        self.current = outer;
    }

    /// Walks code that is executed if one of these sides is taken.
    fn inside(&mut self, sides: Vec<Side>, walk: impl FnOnce(&mut Self)) {
        let outer = self.current;
        self.enter(sides);
        walk(self);
        self.current = outer;
    }

    /// From here on, code is executed only if one of these sides has been taken.
    fn enter(&mut self, sides: Vec<Side>) {
        let Some(parent) = self.current else { return };
        let function = self.regions.all[parent].function;
        let region = Region { function, parent: Some(parent), sides, mutants: Vec::new() };
        // The right operand of `a && b` and what stands behind it depend on the same `a`.
        let is_same = |known: &Region| {
            !region.sides.is_empty() && (known.parent, &known.sides) == (region.parent, &region.sides)
        };
        let recent = self.regions.all.iter().enumerate().rev().take(RECENT);
        let same = recent.filter(|(_, known)| is_same(known)).map(|(at, _)| at).next();
        self.current = Some(same.unwrap_or(self.regions.all.len()));
        if same.is_none() {
            self.regions.all.push(region);
        }
    }

    /// From here on, a condition has come out in one way.
    fn enter_when(&mut self, condition: &Expr, answer: bool) {
        match condition {
            Expr::Paren(inner) => self.enter_when(&inner.expr, answer),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) && !self.is_reported(condition) => {
                self.enter_when(&unary.expr, !answer);
            }
            // Both operands of `&&` are true, both of `||` are false.
            Expr::Binary(binary) if connects(&binary.op, answer) => {
                self.enter_when(&binary.left, answer);
                self.enter_when(&binary.right, answer);
            }
            _ => {
                let sides = self.sides(condition, answer);
                self.enter(sides);
            }
        }
    }

    fn is_reported(&self, condition: &Expr) -> bool {
        self.probes.contains_key(&condition.span().byte_range())
    }

    /// Ways in which a condition comes out like that; none if nothing reports it.
    fn sides(&self, condition: &Expr, answer: bool) -> Vec<Side> {
        let own = self.probes.get(&condition.span().byte_range());
        match condition {
            Expr::Paren(inner) => self.sides(&inner.expr, answer),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) && own.is_none() => {
                self.sides(&unary.expr, !answer)
            }
            // One operand of `&&` is false, one of `||` is true; what is more than one comparison counts as a whole.
            Expr::Binary(binary) if connects(&binary.op, !answer) => {
                let operands = [&binary.left, &binary.right].map(|operand| self.sides(operand, answer));
                match operands {
                    [left, right] if left.len() == 1 && right.len() == 1 => [left, right].concat(),
                    _ => own.map(|probe| Side { probe: *probe, answer }).into_iter().collect(),
                }
            }
            _ => own.map(|probe| Side { probe: *probe, answer }).into_iter().collect(),
        }
    }

    fn stretch(&mut self, place: Range<usize>) {
        if let Some(region) = self.current {
            self.stretches.push((place, region));
        }
    }

    fn arm(&mut self, arm: &syn::Arm) {
        self.inside(Vec::new(), |walker| {
            if let Pat::Guard(guarded) = &arm.pat {
                walker.stretch(guarded.guard.span().byte_range());
                walker.visit_expr(&guarded.guard);
                walker.enter_when(&guarded.guard, true);
            }
            walker.stretch(arm.body.span().byte_range());
            walker.visit_expr(&arm.body);
        });
    }
}

/// So far back a region with the same condition is looked for: it was made for an operand of the same condition.
const RECENT: usize = 16;

/// Whether both operands have given this answer if the whole has.
fn connects(op: &BinOp, answer: bool) -> bool {
    matches!((op, answer), (BinOp::And(_), true) | (BinOp::Or(_), false))
}

impl<'ast> Visit<'ast> for Walker<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.span().byte_range(), &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.span().byte_range(), &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.span().byte_range(), block);
        }
    }

    /// What follows a statement that may leave the block depends on its not having done so.
    fn visit_block(&mut self, block: &'ast Block) {
        let outer = self.current;
        let end = block.span().byte_range().end;
        for stmt in &block.stmts {
            self.visit_stmt(stmt);
            let before = self.current;
            match stmt {
                Stmt::Expr(Expr::If(branch), _)
                    if branch.else_branch.is_none() && leaves(&branch.then_branch) =>
                {
                    self.enter_when(&branch.cond, false);
                }
                Stmt::Local(local) if local.init.as_ref().is_some_and(|init| init.diverge.is_some()) => {
                    self.enter(Vec::new());
                }
                stmt if may_leave(stmt) => self.enter(Vec::new()),
                _ => {}
            }
            if self.current != before {
                self.stretch(stmt.span().byte_range().end..end);
            }
        }
        self.current = outer;
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.visit_expr(&branch.cond);
        self.inside_when(&branch.cond, true, |walker| {
            walker.stretch(branch.then_branch.span().byte_range());
            walker.visit_block(&branch.then_branch);
        });
        if let Some((_, otherwise)) = &branch.else_branch {
            self.inside_when(&branch.cond, false, |walker| {
                walker.stretch(otherwise.span().byte_range());
                walker.visit_expr(otherwise);
            });
        }
    }

    fn visit_expr_while(&mut self, repeat: &'ast syn::ExprWhile) {
        self.visit_expr(&repeat.cond);
        self.inside_when(&repeat.cond, true, |walker| {
            walker.stretch(repeat.body.span().byte_range());
            walker.visit_block(&repeat.body);
        });
    }

    fn visit_expr_for_loop(&mut self, repeat: &'ast syn::ExprForLoop) {
        self.visit_expr(&repeat.expr);
        self.inside(Vec::new(), |walker| {
            walker.stretch(repeat.body.span().byte_range());
            walker.visit_block(&repeat.body);
        });
    }

    fn visit_expr_match(&mut self, choice: &'ast syn::ExprMatch) {
        self.visit_expr(&choice.expr);
        choice.arms.iter().for_each(|arm| self.arm(arm));
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.inside(Vec::new(), |walker| {
            walker.stretch(closure.body.span().byte_range());
            walker.visit_expr(&closure.body);
        });
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let answer = match binary.op {
            BinOp::And(_) => true,
            BinOp::Or(_) => false,
            _ => return visit::visit_expr_binary(self, binary),
        };
        self.visit_expr(&binary.left);
        self.inside_when(&binary.left, answer, |walker| {
            walker.stretch(binary.right.span().byte_range());
            walker.visit_expr(&binary.right);
        });
    }
}

impl Walker<'_> {
    /// Walks code that is executed if a condition comes out in one way.
    fn inside_when(&mut self, condition: &Expr, answer: bool, walk: impl FnOnce(&mut Self)) {
        let outer = self.current;
        self.enter_when(condition, answer);
        walk(self);
        self.current = outer;
    }
}

/// Whether a block never comes to its end.
fn leaves(block: &Block) -> bool {
    match block.stmts.last() {
        Some(Stmt::Expr(expr, _)) => match expr {
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
            Expr::Macro(mac) => panics(&mac.mac),
            _ => false,
        },
        Some(Stmt::Macro(mac)) => panics(&mac.mac),
        _ => false,
    }
}

fn panics(mac: &syn::Macro) -> bool {
    ["panic", "unreachable", "todo", "unimplemented"].iter().any(|name| mac.path.is_ident(name))
}

/// Whether a statement has a `?`, a `return` or a jump in it that need not be taken.
fn may_leave(stmt: &Stmt) -> bool {
    #[derive(Default)]
    struct Exits {
        found: bool,
        loops: usize,
    }
    impl<'a> Visit<'a> for Exits {
        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Try(_) | Expr::Return(_) => self.found = true,
                Expr::Break(_) | Expr::Continue(_) if self.loops == 0 => self.found = true,
                Expr::Closure(_) | Expr::Async(_) => {}
                Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_) => {
                    self.loops += 1;
                    visit::visit_expr(self, expr);
                    self.loops -= 1;
                }
                _ => visit::visit_expr(self, expr),
            }
        }
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut exits = Exits::default();
    exits.visit_stmt(stmt);
    exits.found
}

#[cfg(test)]
mod tests {
    use testsmith_model::{CfgSet, Module, SourceFile, SourceTree};

    use super::*;

    /// One line for each region with mutants in it: `conditions: mutants`, conditions from the outermost to the innermost,
    /// each as `text=answer`, or `?` where nothing reports it.
    #[track_caller]
    fn check(body: &str, expected: &[&str]) {
        let text = format!("fn f(a: A, n: usize) -> impl R {{ {body} }}");
        let file = SourceFile::parse("a.rs".into(), "a.rs".into(), 0, Module::default(), text.clone().into());
        let tree = SourceTree { files: vec![file.expect("it parses")], skipped: Vec::new() };
        let plan = Plan::new(tree, &[CfgSet::parse("unix")]);
        let regions = plan.regions();
        let reporting = |probe: u32| {
            let site = plan.sites[0].iter().rfind(|site| site.probe == Some(probe)).expect("there is one");
            &text[site.range.clone()]
        };
        let side = |side: &Side| format!("{}={}", reporting(side.probe), side.answer);
        let level = |at: &usize| {
            let sides: Vec<String> = regions.all[*at].sides.iter().map(side).collect();
            if sides.is_empty() { "?".to_owned() } else { sides.join(" | ") }
        };
        let line = |(at, region): (usize, &Region)| {
            let mut befores: Vec<&str> =
                region.mutants.iter().map(|number| plan.mutant(*number).before.as_str()).collect();
            befores.dedup();
            let way: Vec<String> = regions.way(at).iter().skip(1).map(level).collect();
            format!("{}: {}", way.join(", "), befores.join(" "))
        };
        let lines = regions.all.iter().enumerate().filter(|(_, region)| !region.mutants.is_empty());
        assert_eq!(lines.map(line).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn the_sides_of_an_if_are_those_of_its_comparison() {
        check(
            "if n < 3 { one(); } else { two(); } three();",
            &[": < n 3 three();", "n < 3=true: one();", "n < 3=false: two();"],
        );
        check("if !(n < 3) { one(); }", &[": ! < n 3", "n < 3=false: one();"]);
        check("while n < 3 { one(); }", &[": < n 3", "n < 3=true: one();"]);
    }

    #[test]
    fn conditions_that_are_no_comparisons_report_as_a_whole() {
        check("if a.is_empty() { one(); }", &[": a.is_empty()", "a.is_empty()=true: one();"]);
        check("if !a.is_empty() { one(); }", &[": !", "!a.is_empty()=true: one();"]);
        check("if a.is_some() { one(); }", &[": is_some", "a.is_some()=true: one();"]);
        check("if a == b { one(); }", &[": ==", "a == b=true: one();"]);
        check("if let Some(x) = a { one(); }", &["?: one();"]);
    }

    #[test]
    fn operands_are_conditions_one_after_the_other_or_one_instead_of_the_other() {
        check(
            "if n < 3 && a == 5 { one(); } else { two(); }",
            &[
                ": n < 3 && a == 5 && < n 3",
                "n < 3=true: == 5",
                "n < 3=true, a == 5=true: one();",
                "n < 3=false | a == 5=false: two();",
            ],
        );
        check(
            "if n < 3 || a == 5 { one(); } else { two(); }",
            &[
                ": n < 3 || a == 5 || < n 3",
                "n < 3=false: == 5",
                "n < 3=true | a == 5=true: one();",
                "n < 3=false, a == 5=false: two();",
            ],
        );
    }

    #[test]
    fn arms_loops_and_closures_are_levels_without_a_probe() {
        check(
            "match a { 1 => one(n), x if n < 3 => two(n), _ => three(n) }",
            &[": 1 => one(n) x if n < 3 => two(n)", "?: n", "?: n < 3 < n 3", "?, n < 3=true: n", "?: n"],
        );
        check("for x in a { one(); } b.map(|x| x + n);", &[": b.map(|x| x + n);", "?: one();", "?: + n"]);
    }

    #[test]
    fn what_follows_an_early_exit_depends_on_it() {
        check(
            "if n < 3 { return; } one(); two()?; three();",
            &[": < n 3", "n < 3=true: return;", "n < 3=false: one(); two()?; ?", "n < 3=false, ?: three();"],
        );
        check("let Some(x) = a else { return }; one();", &["?: one();"]);
        check(
            "loop { if n < 3 { break; } one(); }",
            &[": < n 3", "n < 3=true: break", "n < 3=false: one();"],
        );
        check("for x in a { if x { break; } } one();", &[": one();", "?: x", "?, x=true: break"]);
    }
}
