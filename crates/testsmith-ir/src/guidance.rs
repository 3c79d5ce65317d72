//! What a user wants of programs beyond what the types say ([`Guidance`]): ranges for the numbers that are written for a
//! parameter, and callables that make values best.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::api::{Api, CallableId};
use crate::literal::Literal;
use crate::program::{Program, Slot, Statement};

/// A user's knowledge of an API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guidance {
    /// By callable and number of a parameter: the integers that may be written for it.
    pub ranges: BTreeMap<(CallableId, usize), RangeInclusive<i128>>,
    /// Callables that are preferred where a value of their type is needed.
    pub helpers: BTreeSet<CallableId>,
}

impl Guidance {
    /// The same after callables were given other numbers, or taken out.
    pub fn renumbered(&self, new: impl Fn(CallableId) -> Option<CallableId>) -> Guidance {
        let ranges = self.ranges.iter();
        Guidance {
            ranges: ranges
                .filter_map(|((id, param), range)| Some(((new(*id)?, *param), range.clone())))
                .collect(),
            helpers: self.helpers.iter().filter_map(|id| new(*id)).collect(),
        }
    }
}

impl Api {
    /// Whether a program can be a test: some module sees all its callables, and all numbers that it writes for parameters are in their ranges.
    pub fn is_within(&self, program: &Program) -> bool {
        let is_in_range = self.guidance.ranges.is_empty()
            || program.iter().all(|(slot, _)| self.outside(program, slot).is_none());
        is_in_range && self.visibility(program).is_some()
    }

    /// Makes a program visible from one module, and brings all numbers that it writes for parameters into their ranges. A number that is also written
    /// for something else stays there as it is.
    pub fn bring_within(&self, program: &mut Program) {
        self.make_visible(program);
        if self.guidance.ranges.is_empty() {
            return;
        }
        let mut at = 0;
        while at < program.size() {
            let slot = Slot::at(at);
            let Some(Outside { arg, literal, value }) = self.outside(program, slot) else {
                at += 1;
                continue;
            };
            let Statement::Literal { ty, .. } = program[literal] else { unreachable!("it was just found") };
            let written = Statement::Literal { ty, value };
            let uses = program.statements.iter().flat_map(Statement::slots).filter(|used| *used == literal);
            if uses.count() == 1 {
                program.statements[literal.index()] = written;
                continue;
            }
            program.insert(slot, [written]);
            if let Statement::Call { args, .. } = &mut program.statements[at + 1] {
                args[arg].slot = slot;
            }
        }
    }

    /// The first argument of a statement that is a number outside of its range.
    fn outside(&self, program: &Program, slot: Slot) -> Option<Outside> {
        let Statement::Call { callable, args } = &program[slot] else { return None };
        args.iter().enumerate().find_map(|(at, arg)| {
            let range = self.guidance.ranges.get(&(*callable, self[*callable].param_of(at)))?;
            let Statement::Literal { value, .. } = &program[arg.slot] else { return None };
            Some(Outside { arg: at, literal: arg.slot, value: brought_within(value, range)? })
        })
    }
}

/// A number that is outside of the range of a parameter.
struct Outside {
    /// Number of the argument.
    arg: usize,
    /// Where the number is written.
    literal: Slot,
    /// One inside of the range.
    value: Literal,
}

/// An integer inside of a range in the place of one outside; `None` if it needs none.
fn brought_within(literal: &Literal, range: &RangeInclusive<i128>) -> Option<Literal> {
    let (signed, bits, value) = match literal {
        Literal::Signed { bits, value } => (true, *bits, *value),
        Literal::Unsigned { bits, value } => (false, *bits, i128::try_from(*value).unwrap_or(i128::MAX)),
        _ => return None,
    };
    if range.contains(&value) {
        return None;
    }
    // Numbers that were near to each other stay so.
    let count = range.end().checked_sub(*range.start()).and_then(|last| last.checked_add(1));
    let inside = match (count, value.checked_sub(*range.start())) {
        (Some(count), Some(distance)) => range.start() + distance.rem_euclid(count),
        _ => *range.start(),
    };
    Some(Literal::int(signed, bits, inside))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check, sketch};

    fn api(range: RangeInclusive<i128>) -> Api {
        let mut api =
            sketch::api("type u32: copy\nfn make(size: u32) => make($0)\nfn free(any: u32) => free($0)")
                .unwrap();
        api.guidance.ranges.insert((CallableId(0), 0), range);
        api
    }

    #[track_caller]
    fn becomes(before: &str, after: &str) {
        let api = api(8..=11);
        let read = |text: &str| sketch::program(&api, text).unwrap().program;
        let mut program = read(before);
        assert_eq!(api.is_within(&program), before == after);
        api.bring_within(&mut program);
        assert_eq!(program, read(after));
        assert!(api.is_within(&program) && check(&api, &program).is_ok());
    }

    #[test]
    fn numbers_come_into_the_range_of_their_parameter_and_others_stay() {
        becomes("a = 9: u32\nmake(a)", "a = 9: u32\nmake(a)");
        becomes("a = 13: u32\nmake(a)", "a = 9: u32\nmake(a)");
        becomes("a = 0: u32\nfree(a)", "a = 0: u32\nfree(a)");
        becomes("a = 0: u32\nfree(a)\nmake(a)\nfree(a)", "a = 0: u32\nfree(a)\nb = 8: u32\nmake(b)\nfree(a)");
    }

    #[test]
    fn whatever_the_range_numbers_come_into_it() {
        for range in [0..=0, -5..=5, i128::MIN..=0, i128::MAX - 1..=i128::MAX] {
            for value in [i128::MIN, -6, 0, 6, i128::MAX] {
                let inside = brought_within(&Literal::int(true, 128, value), &range);
                let Literal::Signed { value, .. } = inside.unwrap_or(Literal::int(true, 128, value)) else {
                    panic!("it keeps its type")
                };
                assert!(range.contains(&value), "{value} {range:?}");
            }
        }
    }

    #[test]
    fn guidance_follows_the_numbers_of_callables() {
        let mut guidance = api(0..=1).guidance;
        guidance.helpers.extend([CallableId(0), CallableId(1)]);
        let moved = guidance.renumbered(|id| id.0.checked_sub(1).map(CallableId));
        assert_eq!(moved, Guidance { helpers: BTreeSet::from([CallableId(0)]), ..Guidance::default() });
    }
}
