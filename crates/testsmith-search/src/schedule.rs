//! Whose turn it is: [`Schedule`] shares the budget by what each strategy earned lately.

/// So many executions of a strategy ago a kill counts half.
const HALF_LIFE: f64 = 2000.0;

/// Every strategy has at least this part of an equal share: what earns nothing now may do so later.
const FLOOR: f64 = 0.25;

/// What a strategy costs and earns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// Programs that it proposed.
    pub executions: u64,
    /// What its proposals have cost beside them, as executions: runs of the engine and questions to its solver.
    pub effort: u64,
    /// Goals that were first seen to differ with one of them.
    pub kills: u64,
    /// Kills, those of long ago less.
    lately: f64,
    /// Executions, those of long ago less.
    spent: f64,
    /// Executions that it should have had until now.
    due: f64,
}

impl Account {
    fn cost(&self) -> u64 {
        self.executions + self.effort
    }

    /// Kills per execution, as it was lately. A strategy that has hardly been tried is thought well of.
    fn rate(&self) -> f64 {
        (self.lately + 1.0) / (self.spent + 100.0)
    }
}

/// The accounts of all strategies.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    accounts: Vec<Account>,
    /// So many executions are for the first strategy alone.
    head_start: u64,
}

impl Schedule {
    /// Of so many strategies; the first has a head start of so many executions.
    pub(crate) fn new(strategies: usize, head_start: u64) -> Schedule {
        Schedule { accounts: vec![Account::default(); strategies], head_start }
    }

    /// By strategy.
    pub(crate) fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// Whose turn it is; of those, who are not tired.
    pub(crate) fn next(&self, is_tired: impl Fn(usize) -> bool) -> Option<usize> {
        if !self.is_started() && !is_tired(0) {
            return Some(0);
        }
        let ready = (0..self.accounts.len()).filter(|at| !is_tired(*at));
        let owed = |at: &usize| self.accounts[*at].due - self.accounts[*at].cost() as f64;
        let had = |at: &usize| self.accounts[*at].cost();
        ready.max_by(|left, right| owed(left).total_cmp(&owed(right)).then(had(right).cmp(&had(left))))
    }

    /// What a strategy has cost beside executions.
    pub(crate) fn charge(&mut self, strategy: usize, executions: u64) {
        if executions > 0 {
            let was_over = self.is_started();
            self.accounts[strategy].effort += executions;
            self.settle(strategy, executions, 0, was_over);
        }
    }

    /// A strategy has had so many executions, and killed so many goals with them.
    pub(crate) fn book(&mut self, strategy: usize, executions: u64, kills: u64) {
        let was_over = self.is_started();
        self.accounts[strategy].executions += executions;
        self.settle(strategy, executions, kills, was_over);
    }

    fn settle(&mut self, strategy: usize, executions: u64, kills: u64, was_over: bool) {
        let account = &mut self.accounts[strategy];
        account.kills += kills;
        let decay = 0.5_f64.powf(executions as f64 / HALF_LIFE);
        account.lately = account.lately * decay + kills as f64;
        account.spent = account.spent * decay + executions as f64;
        if was_over {
            self.share(executions as f64);
        } else {
            // What is easy dies in the hands of whoever comes first: that says nothing of later.
            self.accounts[strategy] = Account {
                executions: account.executions,
                kills: account.kills,
                effort: account.effort,
                due: account.cost() as f64,
                ..Account::default()
            };
        }
    }

    /// Whether the head start is over.
    fn is_started(&self) -> bool {
        self.accounts.iter().map(|account| account.executions).sum::<u64>() >= self.head_start
    }

    /// Everybody gets the floor; the rest goes by what was earned lately.
    fn share(&mut self, executions: f64) {
        let equal = 1.0 / self.accounts.len() as f64;
        let all: f64 = self.accounts.iter().map(Account::rate).sum();
        for account in &mut self.accounts {
            account.due += executions * (FLOOR * equal + (1.0 - FLOOR) * account.rate() / all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Executions of two strategies, the first of which kills something in every round.
    #[test]
    fn who_earns_more_gets_more_and_nobody_gets_nothing() {
        let mut schedule = Schedule::new(2, 1000);
        for _ in 0..1000 {
            let next = schedule.next(|_| false).unwrap();
            schedule.book(next, 100, u64::from(next == 0));
        }
        let [first, second] = [0, 1].map(|at| schedule.accounts()[at].executions);
        assert_eq!(first + second, 100_000);
        assert!((8_000..30_000).contains(&second), "{second}");
    }

    #[test]
    fn the_first_has_a_head_start_and_the_tired_have_no_turn() {
        let mut schedule = Schedule::new(2, 1000);
        assert_eq!(schedule.next(|_| false), Some(0));
        schedule.book(0, 900, 0);
        assert_eq!(schedule.next(|_| false), Some(0));
        schedule.book(0, 900, 0);
        assert_eq!(schedule.next(|_| false), Some(1));
        assert_eq!(schedule.next(|at| at == 1), Some(0));
        assert_eq!(schedule.next(|_| true), None);
    }
}
