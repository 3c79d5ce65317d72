//! Constructors that fail nearly always: [`Hard`].
//!
//! A parser fails with random text, and others want more of their arguments than chance gives them. So all construction paths to call them
//! are tried, the shallow ones first and with all that the crate mentions, once for each constructor. Ways that work are kept, and
//! arguments of that type are made by them from then on: the exhaustive form of Algorithm 2 of µTEST.

use std::collections::{BTreeMap, VecDeque};

use testsmith_ir::random::{ConstructionPath, ProgramMutator};
use testsmith_ir::{CallableId, Program, Slot};
use testsmith_rt::harness::wire::{Execution, Outcome};

use crate::callable_stats::CallableStats;

/// So often something has to be called before anyone says that it fails.
const CALLS: u64 = 32;
/// Nearly always: all but one in so many calls.
const NEARLY: u64 = 32;
/// Ways that are looked for.
const MOST: usize = 512;
/// Ways that one program goes: most fail without ending it.
const TOGETHER: usize = 8;
/// Programs for one constructor, at most.
const PROGRAMS: usize = 32;
/// So many construction paths that work are enough.
const ENOUGH: usize = 24;

/// Constructors that fail nearly always, and what is still to be tried with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Hard {
    /// By constructor whose construction paths were looked for: how many programs followed some, and how many of these worked.
    known: BTreeMap<CallableId, (usize, usize)>,
    waiting: VecDeque<Quest>,
    /// The programs of the rounds that are under way.
    running: VecDeque<Vec<Quest>>,
}

/// Ways that one program goes.
#[derive(Clone, Debug)]
struct Quest {
    callable: CallableId,
    construction_paths: Vec<ConstructionPath>,
    /// Where each of them ends.
    slots: Vec<Option<Slot>>,
}

impl Hard {
    /// Looks for constructors that have turned out to be hard.
    pub(super) fn notice(&mut self, mutator: &ProgramMutator<'_>, callable_stats: &CallableStats) {
        let is_hard = |callable: &CallableId| {
            let (called, returned) = callable_stats.calls(*callable);
            called >= CALLS && returned * NEARLY <= called
        };
        let gives_object = |callable: &CallableId| {
            let output = &mutator.api()[mutator.api()[*callable].output];
            output.literal.is_none() && !output.borrows
        };
        let callables = mutator.api().callables().map(|(id, _)| id);
        let new = callables.filter(|id| !self.known.contains_key(id)).filter(gives_object).filter(is_hard);
        for callable in new.collect::<Vec<_>>() {
            self.known.insert(callable, (0, 0));
            for construction_paths in mutator.construction_paths(callable, MOST).chunks(TOGETHER) {
                self.waiting.push_back(Quest {
                    callable,
                    construction_paths: construction_paths.to_vec(),
                    slots: Vec::new(),
                });
            }
        }
    }

    /// At most so many programs that follow construction paths that were not tried.
    pub(super) fn propose(&mut self, mutator: &mut ProgramMutator<'_>, most: usize) -> Vec<Program> {
        let mut programs = Vec::new();
        let mut round = Vec::new();
        while programs.len() < most
            && let Some(mut quest) = self.waiting.pop_front()
        {
            let (tried, found) = self.known.entry(quest.callable).or_default();
            if *tried >= PROGRAMS || *found >= ENOUGH {
                continue;
            }
            let (program, slots) = mutator.follow(&quest.construction_paths);
            if !program.is_empty() {
                *tried += 1;
                quest.slots = slots;
                programs.push(program);
                round.push(quest);
            }
        }
        self.running.push_back(round);
        programs
    }

    /// What became of the programs that were proposed, in the order of the rounds.
    pub(super) fn take<'e>(
        &mut self,
        mutator: &mut ProgramMutator<'_>,
        executions: impl Iterator<Item = &'e Execution>,
    ) {
        let round = self.running.pop_front().unwrap_or_default();
        for (quest, execution) in round.into_iter().zip(executions) {
            self.learn(mutator, quest, execution);
        }
    }

    fn learn(&mut self, mutator: &mut ProgramMutator<'_>, quest: Quest, execution: &Execution) {
        let Quest { callable, construction_paths, slots } = quest;
        let output = mutator.api()[callable].output;
        let is_ended = |slot: &Slot| slot.0 >= execution.statement && execution.outcome != Outcome::Ok;
        let is_absent = |slot: &Slot| execution.absent.contains(&slot.0);
        let mut unseen = Vec::new();
        for (path, slot) in construction_paths.into_iter().zip(slots) {
            match slot {
                Some(slot) if is_ended(&slot) => unseen.push(path),
                Some(slot) if !is_absent(&slot) => {
                    self.known.entry(callable).or_default().1 += 1;
                    mutator.keep(output, &path);
                }
                Some(_) | None => {}
            }
        }
        // The first of these has ended the program, the others have not had their turn.
        if unseen.len() > 1 {
            let construction_paths = unseen.split_off(1);
            self.waiting.push_front(Quest { callable, construction_paths, slots: Vec::new() });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use testsmith_ir::random::{Constants, Options};
    use testsmith_ir::{Api, Literal, Statement, sketch};

    use super::*;

    const API: &str = "
        type &str
        type Code: drop
        type &Code
        fn Code::parse(text: &str) -> Code => Code::parse($0)
        fn Code::show(self: &Code) => $0.show()
    ";

    fn text<'p>(program: &'p Program, call: &Statement) -> Option<&'p str> {
        match &program[call.args().first()?.slot] {
            Statement::Literal { value: Literal::Str(text), .. } => Some(text),
            _ => None,
        }
    }

    /// What a worker would say, if nothing but "code 4711" were a code, and "abc" made `parse` panic.
    fn execute(api: &Api, program: &Program) -> Execution {
        let end = u16::try_from(program.size()).expect("it is short");
        let mut execution = Execution::ended(Outcome::Ok, end);
        let parse = api.find("Code::parse");
        for (slot, call) in program.iter().filter(|(_, it)| it.callable().is_some()) {
            match text(program, call) {
                Some("abc") => {
                    let panic = Outcome::Panic { message: String::new(), file: String::new(), line: 0 };
                    return Execution { absent: execution.absent, ..Execution::ended(panic, slot.0) };
                }
                Some("code 4711") => {}
                _ if call.callable() == parse || execution.absent.contains(&call.args()[0].slot.0) => {
                    execution.absent.push(slot.0);
                }
                _ => {}
            }
        }
        execution
    }

    #[test]
    fn ways_that_nobody_finds_by_chance_are_all_tried_once_and_used_again() {
        let api = sketch::api(API).expect("the table is well-formed");
        let find = |path: &str| api.find(path).expect("it is in the table");
        let (parse, show) = (find("Code::parse"), find("Code::show"));
        let strings = ["a lot", "of", "other words", "code 4711"].map(str::to_owned).to_vec();
        let constants = Constants { strings, ..Constants::default() };
        let mut mutator = ProgramMutator::new(&api, 1, Options { constants, ..Options::default() });
        let mut callable_stats = CallableStats::new(&api);
        let mut hard = Hard::default();
        hard.notice(&mutator, &callable_stats);
        assert!(hard.propose(&mut mutator, 100).is_empty(), "nothing has failed so far");
        hard.take(&mut mutator, [].iter());
        let failing: Program = {
            let mut builder = mutator.begin(None);
            builder.literal(api.find_type("&str").expect("it is there"), Literal::Str("no".to_owned()));
            builder.call_with(parse, &[Some(Slot(0))]);
            builder.finish()
        };
        (0..CALLS).for_each(|_| callable_stats.note(&failing, &execute(&api, &failing)));

        let mut tried = Vec::new();
        for _ in 0..4 {
            hard.notice(&mutator, &callable_stats);
            let programs: Vec<Arc<Program>> =
                hard.propose(&mut mutator, 100).into_iter().map(Arc::new).collect();
            let executions: Vec<Execution> = programs.iter().map(|it| execute(&api, it)).collect();
            for (program, execution) in programs.iter().zip(&executions) {
                let until = usize::from(execution.statement) + 1;
                let calls = program.statements.iter().take(until);
                let texts =
                    calls.filter(|it| it.callable() == Some(parse)).filter_map(|it| text(program, it));
                tried.extend(texts.map(str::to_owned));
            }
            hard.take(&mut mutator, executions.iter());
        }
        let all = tried.len();
        assert_eq!(tried[..4], ["a lot", "of", "other words", "code 4711"]);
        tried.sort_unstable();
        tried.dedup();
        assert_eq!(tried.len(), all, "each was tried once");
        assert!(tried.contains(&"abcd".to_owned()), "what stood behind a panic had its turn");

        let mut builder = mutator.begin(None);
        let uses = (0..100).filter(|_| {
            builder.call(show);
            text(builder.program(), &builder.program().statements[1]) == Some("code 4711")
        });
        assert!(uses.count() > 0);
    }
}
