//! All construction paths to call something: [`ConstructionPath`], the exhaustive form of Algorithm 2 of µTEST (Fraser and Zeller, ISSTA 2010, §3).
//!
//! What fails with random arguments is tried with everything that its parameters take: the shallow construction paths first, and no
//! argument is made from another one of its type.

use std::rc::Rc;

use super::constant_pool::ConstantPool;
use super::draft::Draft;
use super::sources::{Kind, Maker, Sources};
use crate::api::{Accepts, Api, CallableId, TypeId};
use crate::literal::Literal;
use crate::program::{Arg, Mode, Slot, Statement};

/// Calls within calls.
const DEEPEST: usize = 3;
/// Paths to one value that are told apart: for each further parameter there are so many times as many.
const EACH: usize = 256;
/// Paths that are looked at for each depth: where everything is made of everything, nobody can try it all.
const MOST: usize = 1 << 14;

/// A path to a value: a literal, or a call with a path for each argument.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstructionPath(Rc<Node>);

#[derive(Debug, PartialEq)]
enum Node {
    Literal(TypeId, Literal),
    Call(CallableId, Vec<(ConstructionPath, Mode)>),
}

impl ConstructionPath {
    fn literal(ty: TypeId, value: Literal) -> ConstructionPath {
        ConstructionPath(Rc::new(Node::Literal(ty, value)))
    }

    fn call(callable: CallableId, args: Vec<(ConstructionPath, Mode)>) -> ConstructionPath {
        ConstructionPath(Rc::new(Node::Call(callable, args)))
    }

    /// Calls within calls; none in a literal.
    fn depth(&self) -> usize {
        match &*self.0 {
            Node::Literal(..) => 0,
            Node::Call(_, args) => 1 + args.iter().map(|(way, _)| way.depth()).max().unwrap_or(0),
        }
    }

    /// Adds what it takes to a program, if the borrow rules allow it; the slot of the value.
    pub(super) fn follow(&self, draft: &mut Draft<'_, '_>) -> Option<Slot> {
        match &*self.0 {
            Node::Literal(ty, value) => draft.push(Statement::Literal { ty: *ty, value: value.clone() }),
            Node::Call(callable, args) => {
                let args: Option<Vec<Arg>> = args
                    .iter()
                    .map(|(way, mode)| Some(Arg { slot: way.follow(draft)?, mode: *mode }))
                    .collect();
                draft.push(Statement::Call { callable: *callable, args: args? })
            }
        }
    }
}

/// Finds construction paths.
pub(super) struct ConstructionPaths<'w> {
    pub(super) api: &'w Api,
    pub(super) sources: &'w Sources,
    pub(super) pool: &'w ConstantPool,
}

impl ConstructionPaths<'_> {
    /// At most so many construction paths to call something, the shallow ones first.
    pub(super) fn to(&self, callable: CallableId, most: usize) -> Vec<ConstructionPath> {
        let mut found = Vec::new();
        for depth in 1..=DEEPEST {
            let mut left = MOST;
            let construction_paths = self.of_call(callable, depth, &mut Vec::new(), &mut left);
            found.extend(construction_paths.into_iter().filter(|way| way.depth() == depth));
            if found.len() >= most {
                break;
            }
        }
        found.truncate(most);
        found
    }

    /// Calls of something, no deeper than this. `busy` are types that are being made.
    fn of_call(
        &self,
        callable: CallableId,
        depth: usize,
        busy: &mut Vec<TypeId>,
        left: &mut usize,
    ) -> Vec<ConstructionPath> {
        if self.sources.is_shunned(callable) {
            return Vec::new();
        }
        let params = self.sources.params(callable);
        let options: Vec<Vec<Option<(ConstructionPath, Mode)>>> =
            params.map(|kind| self.of_parameter(kind, depth - 1, busy, left)).collect();
        let lengths: Vec<usize> = options.iter().map(Vec::len).collect();
        let choices = diagonal(&lengths, EACH.min(*left));
        *left -= choices.len();
        let call = |choice: Vec<usize>| {
            let args = choice.iter().zip(&options).filter_map(|(at, options)| options[*at].clone());
            ConstructionPath::call(callable, args.collect())
        };
        choices.into_iter().map(call).collect()
    }

    /// What a parameter can be given; `None` stands for nothing, which is for lists.
    fn of_parameter(
        &self,
        kind: &Kind,
        depth: usize,
        busy: &mut Vec<TypeId>,
        left: &mut usize,
    ) -> Vec<Option<(ConstructionPath, Mode)>> {
        let literals = kind.literals.iter().flat_map(|maker| {
            let all = maker.literal.map(|kind| self.pool.all(kind)).unwrap_or_default();
            all.into_iter().map(|value| (ConstructionPath::literal(maker.id, value), maker.mode))
        });
        let mut found: Vec<(ConstructionPath, Mode)> = literals.collect();
        if depth > 0 {
            let mut calls = |maker: &Maker<CallableId>| {
                let output = self.api[maker.id].output;
                if busy.contains(&output) || *left == 0 {
                    return Vec::new();
                }
                busy.push(output);
                let construction_paths = self.of_call(maker.id, depth, busy, left);
                busy.pop();
                construction_paths.into_iter().map(|way| (way, maker.mode)).collect()
            };
            found.extend(in_turns(kind.producers.iter().map(&mut calls).collect()));
            found.sort_by_key(|(way, _)| way.depth());
        }
        found.truncate(EACH);
        let is_list = matches!(kind.accepts, Accepts::List(_));
        let elements = found.into_iter().map(Some);
        if is_list { elements.chain([None]).collect() } else { elements.collect() }
    }
}

/// The first of each, then the second of each, and so on.
fn in_turns<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(lists.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}

/// Choices of one index below each length: those with a small sum first, at most so many.
fn diagonal(lengths: &[usize], most: usize) -> Vec<Vec<usize>> {
    if lengths.contains(&0) {
        return Vec::new();
    }
    let largest: usize = lengths.iter().map(|length| length - 1).sum();
    let mut found = Vec::new();
    for sum in 0..=largest {
        if found.len() >= most {
            break;
        }
        with_sum(lengths, sum, most, &mut Vec::new(), &mut found);
    }
    found
}

fn with_sum(
    lengths: &[usize],
    sum: usize,
    most: usize,
    chosen: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    let Some((length, rest)) = lengths.split_first() else {
        if sum == 0 && found.len() < most {
            found.push(chosen.clone());
        }
        return;
    };
    let of_rest: usize = rest.iter().map(|length| length - 1).sum();
    for index in sum.saturating_sub(of_rest)..(*length).min(sum + 1) {
        if found.len() >= most {
            return;
        }
        chosen.push(index);
        with_sum(rest, sum - index, most, chosen, found);
        chosen.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Constants, Options, ProgramMutator};
    use crate::{check, sketch};

    const API: &str = "
        type u8: copy
        type &str
        type Code: drop
        type &Code
        type Key: drop
        type Door
        fn Code::parse(text: &str) -> Code => Code::parse($0)
        fn Code::join(self: Code; other: &Code) -> Code => $0.join($1)
        fn Code::of(key: Key) -> Code => Code::of($0)
        fn Key::new(code: Code; digit: u8) -> Key => Key::new($0, $1)
        fn Door::open(keys: *Key) -> Door => Door::open([$*])
    ";

    fn shown(callable: &str, most: usize) -> Vec<String> {
        let api = sketch::api(API).expect("the table is well-formed");
        let strings = vec!["mine".to_owned(), "ours".to_owned()];
        let constants = Constants { strings, ..Constants::default() };
        let options = Options { constants, ..Options::default() };
        let mut mutator = ProgramMutator::new(&api, 1, options);
        let construction_paths =
            mutator.construction_paths(api.find(callable).expect("it is in the table"), most);
        let show = |way: &ConstructionPath| {
            let (program, _) = mutator.follow([way]);
            check(&api, &program).expect("it obeys the borrow rules");
            let line = |statement: &Statement| match statement {
                Statement::Literal { value, .. } => format!("{value:?}"),
                Statement::Call { callable, .. } => api[*callable].path.clone(),
                Statement::Drop(_) => "drop".to_owned(),
            };
            program.statements.iter().map(line).collect::<Vec<_>>().join(", ")
        };
        construction_paths.iter().map(show).collect()
    }

    #[test]
    fn what_the_crate_mentions_comes_first_and_nothing_is_made_from_itself() {
        let codes = shown("Code::parse", 1000);
        assert_eq!(codes[..2], [r#"Str("mine"), Code::parse"#, r#"Str("ours"), Code::parse"#]);
        let joined = shown("Code::join", 1000);
        assert_eq!(joined[0], r#"Str("mine"), Code::parse, Str("mine"), Code::parse, Code::join"#);
        let is_twice = |way: &String| ["join", "Key::new"].iter().any(|call| way.matches(call).count() > 1);
        assert!(!joined.iter().any(is_twice), "{joined:?}");
    }

    #[test]
    fn shallow_ways_come_first_and_all_literals_meet() {
        let keys = shown("Key::new", 40);
        assert!(keys[0].starts_with(r#"Str("mine"), Code::parse, Unsigned { bits: 8, value: 0 }, Key::new"#));
        assert!(keys[1..3].iter().any(|key| key.contains("ours") && key.contains("value: 0")), "{keys:?}");
        assert!(keys[1..3].iter().any(|key| key.contains("mine") && key.contains("value: 1")), "{keys:?}");
        let doors = shown("Door::open", 40);
        assert_eq!(doors[0], "Door::open");
        assert!(doors[1].ends_with("Key::new, Door::open"), "{doors:?}");
    }

    #[test]
    fn choices_with_a_small_sum_come_first() {
        assert_eq!(diagonal(&[2, 2], 9), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(diagonal(&[3, 1], 2), [[0, 0], [1, 0]]);
        assert_eq!(diagonal(&[], 9), [vec![0; 0]]);
        assert!(diagonal(&[3, 0], 9).is_empty());
    }
}
