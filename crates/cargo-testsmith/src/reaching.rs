//! Which callables of a harness reach outside of their process, and why: by the call graph of the linked program, or by the sources
//! where it cannot be read. What the user has not allowed is left out of the harness. The same graph tells who reads a clock, also in
//! dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;

use serde::{Deserialize, Serialize};
use testsmith_callgraph::{CallGraph, Chain};
use testsmith_exec::{Setup, WorkerPool};
use testsmith_instrument::Plan;
use testsmith_ir::CallableId;
use testsmith_model::Package;
use testsmith_model::api::Model;
use testsmith_model::effects::{self, IoKind};
use testsmith_proc::Spec;
use testsmith_rt::harness::outside::Outside;
use testsmith_rt::harness::wire::{ANCHOR, Hello, Place};

use crate::allow::Allow;
use crate::build::Builder;
use crate::copy::RUNTIME_PACKAGE;
use crate::failure::Failure;
use crate::harness::executable;
use crate::meta::MetaProgram;
use crate::workers::failure;

/// Where a callable reaches, by the name of the part of the world, and by which calls.
pub(crate) type Reasons = BTreeMap<String, Reason>;

/// Why a callable is said to reach outside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reason {
    /// The functions on the way, the last of which leaves the process; empty where only the sources say so.
    pub(crate) chain: Vec<String>,
    /// It is what becomes of the result: it is dropped at the end of a test.
    pub(crate) in_drop: bool,
}

/// A callable that no test calls, since it reaches outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct LeftOut {
    pub(crate) path: String,
    pub(crate) outside: BTreeSet<String>,
    /// One chain of calls, where it is known.
    pub(crate) because: String,
}

impl LeftOut {
    /// As it is left out; `None` if the user allows all that it reaches.
    pub(crate) fn new(path: &str, reasons: &Reasons, allow: &Allow) -> Option<LeftOut> {
        let allowed = allow.of(path);
        let is_allowed = |name: &str| Outside::named(name).is_some_and(|outside| allowed.contains(&outside));
        let mut wanting = reasons.iter().filter(|(name, _)| !is_allowed(name)).peekable();
        let (_, first) = wanting.peek()?;
        let because = first.text();
        Some(LeftOut {
            path: path.to_owned(),
            outside: wanting.map(|(name, _)| name.clone()).collect(),
            because,
        })
    }

    /// In a line, without the path.
    pub(crate) fn reason(&self) -> String {
        let because = if self.because.is_empty() { String::new() } else { format!(": {}", self.because) };
        format!("reaches outside of its process ({}){because}", self.parts())
    }

    /// How it gets there, or where.
    pub(crate) fn chain(&self) -> String {
        if self.because.is_empty() { self.parts() } else { self.because.clone() }
    }

    fn parts(&self) -> String {
        let outside: Vec<&str> = self.outside.iter().map(String::as_str).collect();
        outside.join(", ")
    }
}

impl Reason {
    fn text(&self) -> String {
        let chain = self.chain.join(" → ");
        if self.in_drop { format!("when its result is dropped, {chain}") } else { chain }
    }
}

/// What the call graph of a harness tells, by the paths of callables.
#[derive(Debug, Default)]
pub(crate) struct Reaching {
    /// Where those reach that reach outside.
    pub(crate) outside: BTreeMap<String, Reasons>,
    /// How those come to a clock that read one.
    pub(crate) clocks: BTreeMap<String, String>,
}

/// The callables of a harness that reach outside or read a clock.
pub(crate) fn find(
    builder: &Builder,
    package: &Package,
    model: &Model,
    plan: &Plan,
    built: &MetaProgram,
) -> Result<Reaching, Failure> {
    let program = executable(&built.built)?;
    let runtime = RUNTIME_PACKAGE.replace('-', "_");
    match std::fs::read(&program).ok().and_then(|bytes| CallGraph::read(&bytes, &runtime).ok()) {
        Some(graph) => Ok(by_call_graph(&graph, &hello(builder, package, &program)?, model)),
        None => Ok(Reaching { outside: by_sources(model, plan), ..Reaching::default() }),
    }
}

/// What the harness says of itself, before anything is called.
fn hello(builder: &Builder, package: &Package, program: &Path) -> Result<Hello, Failure> {
    let dir = builder.copies.place(&package.dir, &builder.copies.meta());
    let setup = Setup::new(Spec::new(program).dir(dir), builder.temp.clone());
    WorkerPool::new(setup, NonZeroUsize::MIN).hello().map_err(failure)
}

fn by_call_graph(graph: &CallGraph, hello: &Hello, model: &Model) -> Reaching {
    let Some(anchor) = graph.address(ANCHOR) else { return Reaching::default() };
    let address = |place: Place| anchor.wrapping_add(place.offset);
    let chains = |place: Place| graph.reached(address(place)).unwrap_or_default();
    let drops: BTreeMap<u32, Vec<Chain>> =
        hello.types.iter().filter_map(|ty| Some((ty.index, chains(ty.drop?)))).collect();
    let mut found = Reaching::default();
    for call in &hello.calls {
        let Some(callable) = model.api.callables.get(call.callable as usize) else { continue };
        if let Some(steps) = graph.to_clock(address(call.code)) {
            found.clocks.insert(callable.path.clone(), format!("it reads a clock: {}", steps.join(" → ")));
        }
        let own = chains(call.code).into_iter().map(|chain| (chain, false));
        let dropped = drops.get(&call.output).into_iter().flatten().map(|chain| (chain.clone(), true));
        for (Chain { outside, steps }, in_drop) in own.chain(dropped) {
            let reasons = found.outside.entry(callable.path.clone()).or_default();
            reasons.entry(outside.name().to_owned()).or_insert(Reason { chain: steps, in_drop });
        }
    }
    found
}

/// Less exact: what dependencies do is not known, nor what is done when a value is dropped.
fn by_sources(model: &Model, plan: &Plan) -> BTreeMap<String, Reasons> {
    let effects = effects::analyse(&plan.tree, 0, &plan.cfgs[0]);
    let mut found: BTreeMap<String, Reasons> = BTreeMap::new();
    for origin in &model.origins {
        let function = origin.place.as_ref().and_then(|place| {
            effects.at(&place.file, place.first, origin.path.rsplit("::").next().unwrap_or_default())
        });
        let Some(function) = function else { continue };
        let reached: BTreeSet<&str> =
            function.io.iter().flat_map(|kind| classes(*kind)).map(|outside| outside.name()).collect();
        for callable in origin.callables.iter().filter_map(|at| model.api.callables.get(*at)) {
            let reasons = reached.iter().map(|name| ((*name).to_owned(), Reason::default()));
            if !reached.is_empty() {
                found.entry(callable.path.clone()).or_default().extend(reasons);
            }
        }
    }
    found
}

fn classes(kind: IoKind) -> &'static [Outside] {
    match kind {
        IoKind::Files => &[Outside::Files],
        IoKind::Network => &[Outside::Network],
        IoKind::Process => &[Outside::Processes],
        IoKind::Environment => &[Outside::Environment],
        IoKind::ProcessState => &[Outside::Environment, Outside::Directory],
        IoKind::Console | IoKind::Time | IoKind::Random | IoKind::Threads => &[],
    }
}

/// The callables to take out, by number.
pub(crate) fn unwanted(
    model: &Model,
    reaching: &BTreeMap<String, Reasons>,
    allow: &Allow,
) -> BTreeMap<CallableId, LeftOut> {
    let one =
        |(id, path, reasons): (CallableId, &str, &Reasons)| Some((id, LeftOut::new(path, reasons, allow)?));
    known(model, reaching).filter_map(one).collect()
}

/// What callables may reach that do.
pub(crate) fn allowed(
    model: &Model,
    reaching: &BTreeMap<String, Reasons>,
    allow: &Allow,
) -> BTreeMap<CallableId, BTreeSet<Outside>> {
    let one = |(id, path, reasons): (CallableId, &str, &Reasons)| {
        let allowed = allow.of(path).into_iter().filter(|outside| reasons.contains_key(outside.name()));
        (id, allowed.collect::<BTreeSet<Outside>>())
    };
    known(model, reaching).map(one).filter(|(_, allowed)| !allowed.is_empty()).collect()
}

/// The callables that reach outside, with the paths by which the user knows them.
fn known<'a>(
    model: &'a Model,
    reaching: &'a BTreeMap<String, Reasons>,
) -> impl Iterator<Item = (CallableId, &'a str, &'a Reasons)> {
    let paths: BTreeMap<usize, &str> = model
        .origins
        .iter()
        .flat_map(|origin| origin.callables.iter().map(|at| (*at, origin.path.as_str())))
        .collect();
    model.api.callables().filter_map(move |(id, callable)| {
        let path = paths.get(&(id.0 as usize)).copied().unwrap_or(&callable.path);
        Some((id, path, reaching.get(&callable.path)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_says_where_it_reaches_and_how() {
        let reason = |chain: &[&str], in_drop| Reason {
            chain: chain.iter().map(|step| (*step).to_owned()).collect(),
            in_drop,
        };
        let reasons = Reasons::from([
            ("environment".to_owned(), reason(&["a::f", "getenv"], false)),
            ("files".to_owned(), reason(&["drop of a::File", "unlink"], true)),
        ]);
        let reason = |allow: &[Outside]| {
            let allow = Allow { everywhere: allow.iter().copied().collect(), ..Allow::default() };
            LeftOut::new("a::f", &reasons, &allow).map(|left_out| left_out.reason())
        };
        assert_eq!(
            reason(&[]).as_deref(),
            Some("reaches outside of its process (environment, files): a::f → getenv")
        );
        assert_eq!(
            reason(&[Outside::Environment]).as_deref(),
            Some(
                "reaches outside of its process (files): when its result is dropped, drop of a::File → unlink"
            )
        );
        assert_eq!(reason(&[Outside::Environment, Outside::Files]), None);
    }
}
