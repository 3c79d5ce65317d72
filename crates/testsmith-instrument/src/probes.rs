//! Which comparison a mutant belongs to.

use crate::plan::Plan;
use crate::site::Site;

impl Plan {
    /// By mutant, number `n` at `n - 1`: the number under which a traced run reports the condition that it changes, or the
    /// innermost one around it.
    pub fn probes(&self) -> Vec<Option<u32>> {
        let reporting: Vec<Vec<&Site>> = self
            .sites
            .iter()
            .map(|sites| sites.iter().filter(|site| site.probe.is_some()).collect())
            .collect();
        let probe = |mutant: &crate::mutant::Mutant| {
            let is_own = |site: &&&Site| (site.base..site.base + site.count).contains(&mutant.number);
            let is_around = |site: &&&Site| {
                let is_inside = site.range.start <= mutant.span.start && mutant.span.end <= site.range.end;
                is_inside && site.function == mutant.function
            };
            let sites = &reporting[mutant.file];
            let own = sites.iter().find(is_own);
            own.or_else(|| sites.iter().filter(is_around).min_by_key(|site| site.range.len()))?.probe
        };
        self.mutants.iter().map(probe).collect()
    }
}

#[cfg(test)]
mod tests {
    use testsmith_model::{CfgSet, Module, SourceFile, SourceTree};

    use super::*;

    #[test]
    fn operands_belong_to_their_comparison() {
        let text = "fn f(n: usize) { if n + 1 < 3 { g(); } }";
        let file = SourceFile::parse("a.rs".into(), "a.rs".into(), 0, Module::default(), text.into());
        let tree = SourceTree { files: vec![file.expect("it parses")], skipped: Vec::new() };
        let plan = Plan::new(tree, &[CfgSet::parse("unix")]);
        let probes = plan.probes();
        let comparison = plan.mutants.iter().find(|mutant| mutant.before == "<").expect("there is one");
        for (mutant, probe) in plan.mutants.iter().zip(probes) {
            let expected = match mutant.before.as_str() {
                "<" | "+" | "n" | "1" | "3" | "n + 1" => Some(comparison.number),
                _ => None,
            };
            assert_eq!(probe, expected, "{}", mutant.before);
        }
    }
}
