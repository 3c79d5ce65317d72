//! Walks a file and finds its sites and mutants.
//!
//! This module knows items and functions; its neighbours know one family of expressions each. Every family adds
//! sites through [`Walker::site`], outer expressions before inner ones.

mod binary;
mod calls;
mod control;
mod exprs;
mod literals;
mod macros;
mod operands;
mod results;
#[cfg(test)]
mod tests;

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, Block, Expr, Signature};
use testsmith_model::{Attrs, Audience, CfgSet, Skipped, SourceFile};

use self::macros::Repetition;
use crate::RUNTIME;
use crate::facts::{Facts, type_name};
use crate::kinds::{Kind, Scopes};
use crate::mutant::{Ids, Mutant, one_line};
use crate::operators::{LCR, NEG, Operator, ROR};
use crate::plan::{Function, Plan};
use crate::site::{Part, Site, text};
use crate::values::{TypeContext, type_params};

/// Operators whose sites report whether their condition holds.
const REPORTING: [&Operator; 3] = [LCR, NEG, ROR];

/// Adds the sites and mutants of a file to the plan.
pub(crate) fn file(plan: &mut Plan, ids: &mut Ids, index: usize, file: &SourceFile, cfg: &CfgSet) {
    let facts = plan.facts[file.package].clone();
    let mut walker = Walker {
        plan,
        ids,
        index,
        file,
        cfg,
        facts: &facts,
        sites: Vec::new(),
        path: file.module.path.clone(),
        owners: Vec::new(),
        params: Vec::new(),
        function: None,
        scopes: Scopes::default(),
        jumps: Vec::new(),
        repetitions: None,
        around: None,
    };
    if Attrs::skip(&file.ast.attrs) {
        walker.skip(0, "file", "skip attribute");
    } else {
        walker.visit_file(&file.ast);
    }
    let sites = walker.sites;
    plan.sites.push(sites);
}

/// A mutant that a site is about to get.
struct Draft {
    operator: &'static Operator,
    /// The bytes that are replaced.
    span: Range<usize>,
    /// What stands there instead.
    after: String,
}

/// What a `break` or `continue` can refer to.
struct JumpTarget {
    label: Option<String>,
    /// A labelled block can be left, not continued.
    is_loop: bool,
    /// A `loop` whose `break` gives a value.
    has_value: bool,
}

struct Walker<'a> {
    plan: &'a mut Plan,
    ids: &'a mut Ids,
    index: usize,
    file: &'a SourceFile,
    cfg: &'a CfgSet,
    facts: &'a Facts,
    sites: Vec<Site>,
    /// Module, type and function names around the current place.
    path: Vec<String>,
    /// The `Self` types around the current place; none in a trait.
    owners: Vec<Option<String>>,
    /// Type parameters in scope, and whether they are bound by `Default`.
    params: Vec<(String, bool)>,
    function: Option<usize>,
    scopes: Scopes,
    jumps: Vec<JumpTarget>,
    /// Repetitions of the macro body around the current place, if there is one.
    repetitions: Option<Vec<Repetition>>,
    /// The operation that the current one is an operand of.
    around: Option<binary::Around>,
}

/// The bytes of a syntax node.
fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

fn is_reporting(operator: &Operator) -> bool {
    REPORTING.iter().any(|reporting| reporting.id == operator.id)
}

/// A call into the run-time library.
fn rt(function: &str, args: &[&str]) -> String {
    format!("{RUNTIME}::{function}({})", args.join(", "))
}

/// `function(base, count)`.
fn select(function: &str, base: u32, count: usize) -> String {
    rt(function, &[&base.to_string(), &count.to_string()])
}

impl<'a> Walker<'a> {
    /// Adds a site with its mutants; `parts` gets the number of the first one.
    fn site(&mut self, range: Range<usize>, drafts: Vec<Draft>, parts: impl FnOnce(u32) -> Vec<Part>) {
        let Some(function) = self.function else { return };
        let base = u32::try_from(self.plan.mutants.len() + 1).expect("fewer mutants than bytes of source");
        let count = u32::try_from(drafts.len()).expect("a handful");
        let parts = parts(base);
        if drafts.is_empty() || !self.may_write(&range, &parts) {
            return;
        }
        let is_probe = is_reporting(drafts[0].operator);
        for draft in drafts {
            self.mutant(draft, function);
        }
        self.push(Site { range, base, count, function, probe: is_probe.then_some(base), parts });
    }

    fn mutant(&mut self, draft: Draft, function: usize) {
        let place = self.file.place(draft.span.start);
        let before = one_line(self.file.slice(&draft.span));
        let after = if self.repetitions.is_some() { macros::restore(&draft.after) } else { draft.after };
        let path = self.plan.functions[function].path.as_str();
        let id = self.ids.next(&[&self.file.name, path, draft.operator.id, &before, &after]);
        self.plan.mutants.push(Mutant {
            number: u32::try_from(self.plan.mutants.len() + 1).expect("fewer mutants than bytes of source"),
            id,
            operator: draft.operator,
            file: self.index,
            function,
            span: draft.span,
            line: place.line,
            column: place.column,
            before,
            after,
        });
    }

    /// Adds a site without mutants.
    fn edit(&mut self, range: Range<usize>, parts: Vec<Part>) {
        let Some(function) = self.function else { return };
        if self.may_write(&range, &parts) {
            self.push(Site { range, base: 0, count: 0, function, probe: None, parts });
        }
    }

    fn push(&mut self, mut site: Site) {
        if self.repetitions.is_some() {
            site.parts = site.parts.into_iter().map(macros::restore_part).collect();
        }
        self.sites.push(site);
    }

    fn skip(&mut self, offset: usize, what: &str, reason: &str) {
        let line = if offset == 0 { 1 } else { self.file.place(offset).line };
        self.plan.skipped.push(Skipped {
            file: self.file.name.clone(),
            line,
            what: what.to_owned(),
            reason: reason.to_owned(),
        });
    }

    /// Whether an item is code under test; notes why not.
    fn is_under_test(&mut self, attrs: &[Attribute], what: &str, at: Range<usize>) -> bool {
        if Attrs::skip(attrs) {
            self.skip(at.start, what, "skip attribute");
            return false;
        }
        let read = Attrs::read(attrs, self.cfg);
        let reason = match read.audience() {
            Audience::Users if read.has("naked") => "naked function",
            Audience::Users => return true,
            Audience::Tests => "test code",
            Audience::Nobody => "switched off by cfg",
        };
        self.skip(at.start, what, reason);
        false
    }

    /// Whether a statement, arm or expression is compiled: nothing is noted of those.
    fn is_compiled(&self, attrs: &[Attribute]) -> bool {
        attrs.is_empty() || Attrs::read(attrs, self.cfg).audience() == Audience::Users && !Attrs::skip(attrs)
    }

    fn owner(&self) -> Option<&str> {
        self.owners.last().and_then(Option::as_deref)
    }

    fn kind(&self, expr: &Expr) -> Kind {
        self.scopes.kind(expr, self.facts, self.owner())
    }

    fn types(&self) -> TypeContext<'_> {
        TypeContext { facts: self.facts, owner: self.owner(), params: self.params.clone() }
    }

    /// A function with a body.
    fn function(&mut self, attrs: &[Attribute], signature: &Signature, block: &Block, whole: Range<usize>) {
        let name = signature.ident.to_string();
        if !self.is_under_test(attrs, &format!("fn {name}"), range(&signature.ident)) {
            return;
        }
        self.path.push(name.clone());
        let params = self.params.len();
        self.params.extend(type_params(&signature.generics));
        let outer = self.function.replace(self.plan.functions.len());
        self.plan.functions.push(Function {
            path: macros::restore(&self.path.join("::")),
            file: self.index,
            range: whole,
            line: self.file.place(range(&signature.ident).start).line,
            name,
            const_token: signature.constness.as_ref().map(range),
            left_alone: None,
        });
        self.body(signature, block);
        self.function = outer;
        self.params.truncate(params);
        self.path.pop();
    }

    fn body(&mut self, signature: &Signature, block: &Block) {
        let jumps = std::mem::take(&mut self.jumps);
        self.scopes.enter();
        for input in &signature.inputs {
            if let syn::FnArg::Typed(typed) = input {
                self.scopes.bind(&typed.pat, Kind::of_type(&typed.ty));
            }
        }
        if let Some(token) = &signature.constness {
            self.edit(range(token), vec![text("     ")]);
        }
        self.tick(block);
        self.function_value(signature, block);
        self.function_results(signature, block);
        self.visit_block(block);
        self.scopes.leave();
        self.jumps = jumps;
    }

    /// Pays a tick at the start of a block.
    fn tick(&mut self, block: &Block) {
        let at = self.block_start(block);
        self.edit(at..at, vec![text(format!(" {};", rt("tick", &[])))]);
    }

    /// Where the first statement of a block may stand: behind the brace and inner attributes.
    fn block_start(&self, block: &Block) -> usize {
        let open = block.brace_token.span.open().byte_range().end;
        let first = block.stmts.first().map_or(open, |stmt| range(stmt).start);
        let before = &self.file.text[open..first.max(open)];
        match before.rfind("#![") {
            // syn gives inner attributes to the item: look for their end in the text.
            Some(at) => open + at + before[at..].find(']').map_or(0, |end| end + 1),
            None => open,
        }
    }
}

/// An item's own name is added to the path while its content is visited.
impl Walker<'_> {
    fn within(
        &mut self,
        name: String,
        owner: Option<Option<String>>,
        generics: &syn::Generics,
        visit: impl FnOnce(&mut Self),
    ) {
        let params = self.params.len();
        self.params.extend(type_params(generics));
        self.path.push(name);
        let has_owner = owner.is_some();
        self.owners.extend(owner);
        visit(self);
        if has_owner {
            self.owners.pop();
        }
        self.path.pop();
        self.params.truncate(params);
    }

    fn visit_impl(&mut self, item: &syn::ItemImpl) {
        let name = type_name(&item.self_ty).unwrap_or_else(|| "impl".to_owned());
        if !self.is_under_test(&item.attrs, &format!("impl {name}"), range(&item.impl_token)) {
            return;
        }
        let shown = match &item.trait_ {
            Some((path, _)) => {
                let of = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                format!("<{name} as {of}>")
            }
            None => name.clone(),
        };
        self.within(shown, Some(Some(name)), &item.generics, |walker| {
            item.items.iter().for_each(|item| walker.visit_impl_item(item));
        });
    }

    fn visit_trait(&mut self, item: &syn::ItemTrait) {
        let name = item.ident.to_string();
        if !self.is_under_test(&item.attrs, &format!("trait {name}"), range(&item.ident)) {
            return;
        }
        self.within(name, Some(None), &item.generics, |walker| {
            item.items.iter().for_each(|item| walker.visit_trait_item(item));
        });
    }

    fn visit_module(&mut self, item: &syn::ItemMod) {
        let name = item.ident.to_string();
        if !self.is_under_test(&item.attrs, &format!("mod {name}"), range(&item.ident)) {
            return;
        }
        let Some((_, items)) = &item.content else { return };
        self.path.push(name);
        items.iter().for_each(|item| self.visit_item(item));
        self.path.pop();
    }
}
