//! Weights of the nodes of the control flow, which are what it costs to go there again: Eq. 1 and 2 of eCrash.

/// The weight of a node at the beginning, and of the heaviest node at all times: W_init.
pub(super) const INITIAL: f64 = 200.0;

/// Nodes with their weights and successors.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    weights: Vec<f64>,
    successors: Vec<Vec<usize>>,
}

impl Weights {
    /// Nodes of these successors.
    pub(super) fn new(successors: Vec<Vec<usize>>) -> Weights {
        Weights { weights: vec![INITIAL; successors.len()], successors }
    }

    pub(super) fn of(&self, node: usize) -> f64 {
        self.weights[node]
    }

    /// Re-evaluates all weights after a generation of `tests` programs, of which `hits[n]` went through node `n`:
    ///
    /// `weight = (decrease · weight) · (hits / tests + 1) · (Σ weights of successors / (|successors| · INITIAL / 2))`
    /// (Eq. 1), then `weight = weight · INITIAL / heaviest` (Eq. 2).
    ///
    /// What often went somewhere worsens the weight of the place, what leads to places of little weight improves it. A
    /// node without successors leads to the end of its function, where everybody comes: its weight is that of the
    /// heaviest.
    pub(super) fn reevaluate(&mut self, decrease: f64, hits: &[usize], tests: usize) {
        if tests == 0 {
            return;
        }
        let path = |node: usize| {
            let successors = &self.successors[node];
            let sum: f64 = successors.iter().map(|successor| self.weights[*successor]).sum();
            match successors.len() {
                0 => 2.0,
                count => sum / (count as f64 * INITIAL / 2.0),
            }
        };
        let weight = |node: usize| {
            decrease * self.weights[node] * (hits[node] as f64 / tests as f64 + 1.0) * path(node)
        };
        let new: Vec<f64> = (0..self.weights.len()).map(weight).collect();
        let heaviest = new.iter().copied().fold(0.0, f64::max);
        if heaviest > 0.0 {
            self.weights = new.into_iter().map(|weight| weight * INITIAL / heaviest).collect();
        }
    }

    /// Feasible: `fitness = Σ weights of the nodes that were hit / how many` (Eq. 3), to be minimised.
    pub(super) fn feasible(&self, hits: &[usize]) -> f64 {
        match hits.len() {
            0 => INITIAL,
            count => hits.iter().map(|node| self.of(*node)).sum::<f64>() / count as f64,
        }
    }
}

/// Unfeasible: `fitness = penalty + (statements − ended) · 100 / statements` (Eq. 4), where `ended` is the statement that
/// panicked: the later, the better.
pub(super) fn unfeasible(penalty: f64, statements: usize, ended: usize) -> f64 {
    penalty + statements.saturating_sub(ended) as f64 * 100.0 / statements.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `if` (0) with two sides (1, 2), of which 2 has something inside (3).
    fn weights() -> Weights {
        Weights::new(vec![vec![1, 2], vec![], vec![3], vec![]])
    }

    #[test]
    fn what_is_often_hit_costs_more_than_what_leads_to_new_places() {
        let mut weights = weights();
        weights.reevaluate(0.5, &[10, 10, 0, 0], 10);
        let all: Vec<f64> = (0..4).map(|node| weights.of(node)).collect();
        // 0.5 · 200 · 2 · 2 = 400 for the first two, half of that for the others.
        assert_eq!(all, [200.0, 200.0, 100.0, 100.0]);
        weights.reevaluate(0.5, &[10, 9, 1, 0], 10);
        let all: Vec<f64> = (0..4).map(|node| weights.of(node)).collect();
        // 0.5·200·2·1.5 = 300, 0.5·200·1.9·2 = 380, 0.5·100·1.1·1 = 55, 0.5·100·1·2 = 100; times 200 / 380.
        let expected = [300.0, 380.0, 55.0, 100.0].map(|weight| weight * 200.0 / 380.0);
        all.iter().zip(expected).for_each(|(weight, expected)| assert!((weight - expected).abs() < 1e-9));
        assert!(weights.feasible(&[0, 2]) < weights.feasible(&[0, 1]));
        assert_eq!(weights.feasible(&[]), INITIAL);
    }

    #[test]
    fn a_late_panic_is_better_than_an_early_one_and_some_are_better_than_the_worst_feasible() {
        assert_eq!(unfeasible(150.0, 10, 0), 250.0);
        assert_eq!(unfeasible(150.0, 10, 5), INITIAL);
        assert_eq!(unfeasible(150.0, 10, 9), 160.0);
    }
}
