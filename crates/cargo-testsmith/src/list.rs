//! `cargo testsmith list`.

use testsmith_instrument::{Plan, State};
use testsmith_model::{CfgSet, Package, SourceTree, Target, load_sources};

use crate::build::Builder;
use crate::chosen;
use crate::failure::Failure;
use crate::filter::Filter;
use crate::options::{Output, PackageOptions};
use crate::report::json;
use crate::report::lines::shown_line;

/// The plan of all mutants that the user wants.
pub(crate) fn plan(options: &PackageOptions, filter: &Filter, builder: &Builder) -> Result<Plan, Failure> {
    let workspace = &options.workspace;
    let mut tree = SourceTree::default();
    let mut cfgs = Vec::new();
    for (at, package) in workspace.packages.iter().enumerate() {
        let cfg = cfg(options, builder, package)?;
        load_sources(&mut tree, &workspace.root, package, at, &cfg);
        cfgs.push(cfg);
    }
    let mut plan = Plan::new(tree, &cfgs);
    plan.select(|plan, mutant| filter.wants(plan, mutant));
    plan.accept(|plan, mutant| filter.accepts(plan, mutant));
    Ok(plan)
}

/// The sources of a package's library or main program, for which tests are written, and those of each of its other programs.
pub(crate) fn sources(
    options: &PackageOptions,
    builder: &Builder,
    package: &Package,
) -> Result<(SourceTree, Vec<(Target, SourceTree)>), Failure> {
    let cfg = cfg(options, builder, package)?;
    let subject = package.subject();
    let tree = |target: &Target| sources_of(options, package, target, &cfg);
    let others = package.programs().filter(|target| Some(*target) != subject);
    Ok((subject.map(tree).unwrap_or_default(), others.map(|target| (target.clone(), tree(target))).collect()))
}

/// The sources of a target.
pub(crate) fn sources_of(
    options: &PackageOptions,
    package: &Package,
    target: &Target,
    cfg: &CfgSet,
) -> SourceTree {
    let part = Package { targets: vec![target.clone()], ..package.clone() };
    let mut tree = SourceTree::default();
    load_sources(&mut tree, &options.workspace.root, &part, 0, cfg);
    tree
}

/// The options that the compiler sets for a package.
fn cfg(options: &PackageOptions, builder: &Builder, package: &Package) -> Result<CfgSet, Failure> {
    if package.has_build_script {
        builder.copies.update_plain(&options.workspace)?;
    }
    let dir = if package.has_build_script { builder.copies.plain() } else { package.dir.clone() };
    let spec = builder.spec(package, &builder.copies.plain());
    Ok(CfgSet::ask(package, &dir, &spec, &builder.args(), &options.features)?)
}

/// Prints the mutants, or what is left alone.
pub(crate) fn run(
    options: &PackageOptions,
    filter: &Filter,
    builder: &Builder,
    skipped: bool,
    output: Output,
) -> Result<(), Failure> {
    let plan = chosen::plan(options, filter, builder)?;
    let names = options.names();
    if output.json {
        let list = json::List::new(&plan, options.title(), &names);
        crate::print_json(&list);
    } else if skipped {
        json::skipped_lines(&plan).iter().for_each(|line| anstream::println!("{line}"));
    } else {
        for (mutant, state) in plan.iter() {
            if *state == State::Alive {
                anstream::println!("{}", shown_line(&plan, mutant));
            }
        }
    }
    Ok(())
}
