//! What a program could become: [`shorter`] and [`simpler`] propose it, the most promising first. Not all of them obey the borrow
//! rules, and most do something else.

use testsmith_ir::{
    Api, Arg, Callable, CallableId, Literal, LiteralKind, Mode, Program, Reference, Slot, Statement, TypeId,
    check,
};
use testsmith_rt::harness::wire::Outcome;

use super::examples::Examples;
use super::literals;
use crate::dress::inspect;
use crate::lab::ProgramObservation;
use crate::text::type_of;

/// The program without what has no value and what follows the end.
pub(super) fn tidy(program: &Program, look: &ProgramObservation) -> Program {
    let mut tidy = program.clone();
    if matches!(look.outcome, Outcome::Panic { .. }) {
        tidy.statements.truncate(usize::from(look.statement) + 1);
    }
    let absent = |slot: &Slot| look.absent.contains(&slot.0);
    let mut is_kept = vec![true; tidy.size()];
    for slot in (0..tidy.size()).map(Slot::at).filter(absent) {
        is_kept[slot.index()] = false;
        tidy.dependents(slot).into_iter().for_each(|dependent| is_kept[dependent.index()] = false);
    }
    tidy.keep(|slot| is_kept[slot.index()]);
    tidy
}

/// The program up to the statement that panics.
pub(super) fn before_panic(program: &Program, look: &ProgramObservation) -> Option<Program> {
    let mut before = program.clone();
    before.statements.truncate(usize::from(look.statement));
    (matches!(look.outcome, Outcome::Panic { .. }) && !before.is_empty()).then_some(before)
}

/// Shorter programs. `values` are results that could be written as literals.
pub(super) fn shorter(api: &Api, program: &Program, values: &[(Slot, Literal)]) -> Vec<Program> {
    let mut all = slices(program);
    all.extend(removals(program));
    all.extend(written_down(api, program, values));
    all.extend(without_aliases(api, program));
    all.push(program.canonical());
    all
}

/// The same, and programs with simpler parts.
pub(super) fn simpler(
    api: &Api,
    program: &Program,
    values: &[(Slot, Literal)],
    examples: &Examples,
) -> Vec<Program> {
    let mut all = shorter(api, program, values);
    all.extend(replacements(api, program));
    all.extend(shorter_lists(api, program));
    all.extend(uncaught(api, program));
    all.extend(constructors(api, program));
    all.extend(simpler_literals(program, examples));
    all
}

/// Inspectors one behind the other: `parse(…).unwrap()`, `.build`, `.as_str()`.
const DEEPEST_LOOK: usize = 3;
/// Ways of looking at one program.
const MOST_LOOKS: usize = 96;

/// With calls of inspectors at the end, for every slot and every inspector that takes it, and for what they give.
pub(super) fn inspected(api: &Api, program: &Program, inspectors: &[CallableId]) -> Vec<Program> {
    let Ok(liveness) = check(api, program) else { return Vec::new() };
    let (made, written): (Vec<Slot>, Vec<Slot>) =
        liveness.observable().iter().rev().partition(|slot| program[**slot].callable().is_some());
    let looks = |slots: Vec<Slot>| slots.into_iter().flat_map(|slot| inspect(api, program, slot, inspectors));
    let mut all: Vec<Program> =
        made.iter().flat_map(|slot| round_trips(api, program, *slot, inspectors)).collect();
    let mut last: Vec<Program> = looks(made).collect();
    all.extend(last.iter().cloned());
    // Of what is written down there is much to make: only what says all by itself is another way of looking.
    all.extend(looks(written).filter(|longer| is_plain(api, longer)));
    for _ in 1..DEEPEST_LOOK {
        let further = last.iter().filter(|longer| !is_plain(api, longer)).flat_map(|longer| {
            let end = Slot::at(longer.size() - 1);
            inspect(api, longer, end, inspectors)
        });
        last = further.take(MOST_LOOKS).collect();
        all.extend(last.iter().cloned());
    }
    all.truncate(MOST_LOOKS);
    all
}

/// Ways of opening one program.
const MOST_OPENED: usize = 24;

/// With what takes a value out of an `Option` or a `Result` at the end, and with what looks at that: then the value is asserted, and not
/// that there is one.
pub(super) fn opened(api: &Api, program: &Program, inspectors: &[CallableId]) -> Vec<Program> {
    let Ok(liveness) = check(api, program) else { return Vec::new() };
    let openers: Vec<CallableId> = inspectors.iter().copied().filter(|id| opens(&api[*id])).collect();
    let made = liveness.observable().iter().rev().filter(|slot| program[**slot].callable().is_some());
    let first: Vec<Program> = made.flat_map(|slot| inspect(api, program, *slot, &openers)).collect();
    let further = first.iter().filter(|longer| !is_plain(api, longer));
    let further = further.flat_map(|longer| inspect(api, longer, Slot::at(longer.size() - 1), inspectors));
    let mut all = first.clone();
    all.extend(further);
    all.truncate(MOST_OPENED);
    all
}

/// Whether a callable takes out what is in an `Option` or a `Result`, or panics.
pub(super) fn opens(callable: &Callable) -> bool {
    [".unwrap()", ".unwrap_err()"].iter().any(|end| callable.shown.ends_with(end))
}

/// With what prints an object and what makes such an object, or what it was made from, of the text: then the two are compared,
/// and the text need not be asserted.
fn round_trips(api: &Api, program: &Program, slot: Slot, inspectors: &[CallableId]) -> Vec<Program> {
    let origins =
        program.ancestors(slot).into_iter().chain([slot]).filter_map(|it| type_of(api, program, it));
    let is_text = |ty: TypeId| matches!(api[ty].literal, Some(LiteralKind::Str | LiteralKind::String));
    let origins: Vec<TypeId> = origins.filter(|ty| !is_text(*ty)).collect();
    // The error of an attempt to read the message of an error says nothing of either.
    let is_error = |program: &Program, slot: Slot| {
        program[slot].callable().is_some_and(|maker| api[maker].shown.contains("err()"))
    };
    if is_error(program, slot) {
        return Vec::new();
    }
    let end = |program: &Program| Slot::at(program.size() - 1);
    let comes_back = |longer: &Program| {
        let ty = type_of(api, longer, end(longer));
        !is_error(longer, end(longer)) && ty.is_some_and(|ty| origins.contains(&ty))
    };
    let printers: Vec<CallableId> = api.callables().filter(|(_, it)| prints(it)).map(|(id, _)| id).collect();
    let mut all = Vec::new();
    for printed in inspect(api, program, slot, &printers) {
        for read in inspect(api, &printed, end(&printed), inspectors) {
            let opened =
                inspect(api, &read, end(&read), inspectors).into_iter().filter(|_| !comes_back(&read));
            let opened: Vec<Program> = opened.filter(comes_back).collect();
            all.extend([read].into_iter().filter(comes_back).chain(opened));
        }
    }
    all
}

/// Whether a callable is what `to_string` does.
fn prints(callable: &Callable) -> bool {
    callable.shown == "format!(\"{}\", $0)"
}

/// Whether the last statement gives something that says all by itself.
fn is_plain(api: &Api, program: &Program) -> bool {
    let last = program.statements.last().and_then(Statement::callable);
    last.is_some_and(|callable| api[api[callable].output].literal.is_some())
}

/// For each slot only what it is made from, and what changes that.
pub(super) fn slices(program: &Program) -> Vec<Program> {
    let slice = |last: Slot| {
        let mut needed = vec![false; program.size()];
        needed[last.index()] = true;
        loop {
            let before = needed.iter().filter(|it| **it).count();
            for (slot, statement) in program.iter().take(last.index() + 1).rev() {
                let changes = statement
                    .args()
                    .iter()
                    .any(|arg| arg.mode == Mode::Exclusive && needed[arg.slot.index()]);
                if needed[slot.index()] || changes {
                    needed[slot.index()] = true;
                    statement.slots().for_each(|used| needed[used.index()] = true);
                }
            }
            if needed.iter().filter(|it| **it).count() == before {
                break;
            }
        }
        let mut slice = program.clone();
        slice.keep(|slot| needed[slot.index()]);
        slice
    };
    let calls = program.iter().filter(|(_, statement)| statement.callable().is_some());
    calls.map(|(slot, _)| slice(slot)).filter(|slice| slice.size() < program.size()).collect()
}

/// Without a statement and what depends on it, and without the end.
fn removals(program: &Program) -> Vec<Program> {
    let without = |slot: Slot| {
        let mut shorter = program.clone();
        shorter.remove(slot);
        shorter
    };
    (0..program.size()).rev().map(|index| without(Slot::at(index))).collect()
}

/// With a literal in the place of a call that gives that very value, and without what only that call needed.
fn written_down(api: &Api, program: &Program, values: &[(Slot, Literal)]) -> Vec<Program> {
    let write = |(slot, value): &(Slot, Literal)| {
        let callable = program[*slot].callable()?;
        let mut written = program.clone();
        written.statements[slot.index()] =
            Statement::Literal { ty: api[callable].output, value: value.clone() };
        let is_needed = |slot: Slot| {
            let users = program.iter().filter(|(_, statement)| statement.slots().any(|used| used == slot));
            users.count() > 1
        };
        let mut lean = written.clone();
        for needed in program.ancestors(*slot).into_iter().rev().filter(|needed| !is_needed(*needed)) {
            if lean.dependents(needed).is_empty() {
                lean.remove(needed);
            }
        }
        Some([lean, written])
    };
    values.iter().filter_map(write).flatten().collect()
}

/// With an earlier slot of the same type in the place of another.
fn replacements(api: &Api, program: &Program) -> Vec<Program> {
    let type_of = |slot: Slot| type_of(api, program, slot);
    let mut all = Vec::new();
    for (slot, statement) in program.iter() {
        if statement.callable().is_none() {
            continue;
        }
        let earlier = (0..slot.index()).rev().map(Slot::at);
        let same = earlier.filter(|other| type_of(*other) == type_of(slot) && !program[*other].is_drop());
        for other in same.take(2) {
            let mut changed = program.clone();
            changed.statements[slot.index() + 1..]
                .iter_mut()
                .for_each(|later| later.rename(|used| if used == slot { other } else { used }));
            changed.remove(slot);
            all.push(changed);
        }
    }
    all
}

/// Slots that are references to another slot, which a call was lent exclusively and has given back: `options.flag("a")`, `&mut options`.
pub(super) fn aliases(api: &Api, program: &Program) -> Vec<(Slot, Slot)> {
    let alias = |(slot, statement): (Slot, &Statement)| {
        let Statement::Call { callable, args } = statement else { return None };
        let (Reference::Exclusive, referent) = api[api[*callable].output].referent? else { return None };
        let first = args.first().filter(|first| first.mode == Mode::Exclusive)?;
        (type_of(api, program, first.slot) == Some(referent)).then_some((slot, first.slot))
    };
    program.iter().filter_map(alias).collect()
}

/// With what a reference leads to in the place of the reference: a builder that gives itself back is called again by its own name.
fn without_aliases(api: &Api, program: &Program) -> Vec<Program> {
    let direct = |(alias, place): (Slot, Slot)| {
        let ty = type_of(api, program, place)?;
        let mut direct = program.clone();
        for statement in &mut direct.statements[alias.index() + 1..] {
            let Statement::Call { callable, args } = statement else { continue };
            for (at, arg) in args.iter_mut().enumerate().filter(|(_, arg)| arg.slot == alias) {
                let param = &api[*callable].params[api[*callable].param_of(at)];
                let fit = api.fit(param.accepts, ty)?;
                // The place itself stays where it is.
                if !matches!(fit.mode, Mode::Shared | Mode::Exclusive) {
                    return None;
                }
                *arg = Arg { slot: place, mode: fit.mode };
            }
        }
        if direct == *program {
            return None;
        }
        // What does nothing but lend is not needed any more.
        let is_idle = program[alias].callable().is_some_and(|id| api[id].shown == "$0");
        if is_idle && direct.dependents(alias).is_empty() {
            direct.remove(alias);
        }
        Some(direct)
    };
    aliases(api, program).into_iter().filter_map(direct).collect()
}

/// With one element less in a list.
fn shorter_lists(api: &Api, program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for (slot, statement) in program.iter() {
        let Statement::Call { callable, args } = statement else { continue };
        let Some(list) = api[*callable].list() else { continue };
        for at in (0..args.len()).filter(|at| api[*callable].param_of(*at) == list) {
            let mut shorter = program.clone();
            if let Statement::Call { args, .. } = &mut shorter.statements[slot.index()] {
                args.remove(at);
            }
            all.push(unused_removed(shorter));
        }
    }
    all
}

/// With a closure that does not panic in the place of one that does, where nobody asks whether it did.
fn uncaught(api: &Api, program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for (slot, statement) in program.iter() {
        let Statement::Call { callable, args } = statement else { continue };
        let old = &api[*callable];
        let Some(name) = without_closure(&old.path).filter(|_| old.shown.starts_with("catch_unwind(")) else {
            continue;
        };
        let takes = |callable: &Callable| callable.params.iter().map(|it| it.accepts).collect::<Vec<_>>();
        let is_plainer = |new: &Callable| {
            without_closure(&new.path) == Some(name)
                && new.shown.len() < old.shown.len()
                && takes(new) == takes(old)
        };
        if program.dependents(slot).is_empty() {
            for (id, _) in api.callables().filter(|(_, new)| is_plainer(new)) {
                let mut changed = program.clone();
                changed.statements[slot.index()] = Statement::Call { callable: id, args: args.clone() };
                all.push(changed);
            }
        }
    }
    all
}

/// `List<u8>::retain` of `List<u8>::retain |_| false`.
fn without_closure(path: &str) -> Option<&str> {
    let start = [" |", " {"].iter().filter_map(|sign| path.find(sign)).min()?;
    Some(&path[..start])
}

/// With a callable that makes the same type from fewer arguments, or from what they are made of: what takes an iterator over
/// a vector often takes the vector. A helper stays, unless for another one.
fn constructors(api: &Api, program: &Program) -> Vec<Program> {
    let is_helper = |id: &CallableId| api.guidance.helpers.contains(id);
    let mut all = Vec::new();
    for (slot, statement) in program.iter() {
        let Statement::Call { callable: old, args } = statement else { continue };
        let same = api.callables().filter(|(id, new)| {
            id != old
                && new.output == api[*old].output
                && new.params.len() <= args.len()
                && new.list().is_none()
                && (!is_helper(old) || is_helper(id))
        });
        for (id, new) in same {
            let Some((args, mut skipped)) = fitting(api, program, new, args) else { continue };
            let mut changed = program.clone();
            changed.statements[slot.index()] = Statement::Call { callable: id, args };
            skipped.sort();
            // One slot may be given twice.
            skipped.dedup();
            for skipped in skipped.into_iter().rev() {
                changed.remove(skipped);
            }
            all.push(unused_removed(changed));
        }
    }
    all
}

/// Some of the arguments, in their order, for another callable, or what they are made of; and the slots that are not needed
/// then.
fn fitting(api: &Api, program: &Program, callable: &Callable, args: &[Arg]) -> Option<(Vec<Arg>, Vec<Slot>)> {
    let mut left = args.iter();
    let (mut chosen, mut skipped) = (Vec::new(), Vec::new());
    for param in &callable.params {
        let (arg, made) = left.find_map(|arg| {
            let sources = sources(program, arg.slot);
            sources.iter().enumerate().find_map(|(at, slot)| {
                let ty = match &program[*slot] {
                    Statement::Literal { ty, .. } => *ty,
                    Statement::Call { callable, .. } => api[*callable].output,
                    Statement::Drop(_) => return None,
                };
                let fit = api.fit(param.accepts, ty)?;
                Some((Arg { slot: *slot, mode: fit.mode }, sources[..at].to_vec()))
            })
        })?;
        chosen.push(arg);
        skipped.extend(made);
    }
    Some((chosen, skipped))
}

/// A slot, and what it is made of by calls of one argument that nothing else uses: of `vec.into_iter().filter(…)` the filter,
/// the iterator, the vector.
fn sources(program: &Program, slot: Slot) -> Vec<Slot> {
    let users = |slot: Slot| program.iter().filter(|(_, it)| it.slots().any(|used| used == slot)).count();
    let mut sources = vec![slot];
    while let Some(last) = sources.last().copied()
        && let Statement::Call { args, .. } = &program[last]
        && let [source] = args.as_slice()
        && users(last) == 1
    {
        sources.push(source.slot);
    }
    sources
}

/// Without literals and calls without effect that nothing names any more.
fn unused_removed(mut program: Program) -> Program {
    let mut is_used = vec![false; program.size()];
    program.statements.iter().flat_map(Statement::slots).for_each(|slot| is_used[slot.index()] = true);
    let is_literal: Vec<bool> =
        program.statements.iter().map(|it| matches!(it, Statement::Literal { .. })).collect();
    program.keep(|slot| is_used[slot.index()] || !is_literal[slot.index()]);
    program
}

/// With a literal that is easier to read.
fn simpler_literals(program: &Program, examples: &Examples) -> Vec<Program> {
    let mut all = Vec::new();
    for (slot, statement) in program.iter() {
        let Statement::Literal { ty, value } = statement else { continue };
        let known = match value {
            Literal::Str(text) => examples.towards(text).into_iter().map(Literal::Str).collect(),
            Literal::String(text) => examples.towards(text).into_iter().map(Literal::String).collect(),
            _ => Vec::new(),
        };
        for value in known.into_iter().chain(literals::simpler(value)) {
            let mut simpler = program.clone();
            simpler.statements[slot.index()] = Statement::Literal { ty: *ty, value };
            all.push(simpler);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use testsmith_ir::sketch;

    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        let api = sketch::api(
            "
            type &str: copy
            type String
            type Version: eq debug
            type Parsed
            type Words
            type Error
            fn Version::zero() -> Version => Version::zero()
            fn Version::fmt(self: &Version) -> String => format!(\"{}\", $0)
            fn Version::parse(text: &String) -> Parsed => Version::parse(&$0)
            fn Parsed::unwrap(self: Parsed) -> Version => $0.unwrap()
            fn Words::of(text: &String) -> Words => Words::of(&$0)
            fn Parsed::unwrap_err(self: Parsed) -> Error => $0.unwrap_err()
            fn Error::new() -> Error => Error::new()
            fn Error::fmt(self: &Error) -> String => format!(\"{}\", $0)
            ",
        )
        .expect("the table is well-formed");
        let read = |text: &str| sketch::program(&api, text).expect("it is a program").program;
        let inspectors: Vec<CallableId> =
            api.callables().filter(|(_, it)| it.params.len() == 1 && !prints(it)).map(|(id, _)| id).collect();
        let there = read("version = Version::zero()");
        let back = read(
            "version = Version::zero()\ntext = Version::fmt(version)\nparsed = Version::parse(text)\nParsed::unwrap(parsed)",
        );
        assert_eq!(round_trips(&api, &there, Slot::at(0), &inspectors), [back]);
        assert_eq!(round_trips(&api, &read("Error::new()"), Slot::at(0), &inspectors), []);
    }

    #[test]
    fn a_builder_is_called_by_its_own_name() {
        let api = sketch::api(
            "
            type bool: copy
            type Options
            type &mut Options
            fn Options::new() -> Options => Options::new()
            fn Options::borrow_mut(place: &mut Options) -> &mut Options [0& > out] => $0
            fn Options::flag(self: &mut Options; on: bool) -> &mut Options [0& > out] => $0.flag($1)
            fn Options::parse(self: &Options) -> bool => $0.parse()
            ",
        )
        .expect("the table is well-formed");
        let read = |text: &str| sketch::program(&api, text).expect("it is a program").program;
        let chained = read("o = Options::new()\np = Options::flag(o, true)\nOptions::parse(p)");
        let direct = read("o = Options::new()\nOptions::flag(o, true)\nOptions::parse(o)");
        assert_eq!(without_aliases(&api, &chained), std::slice::from_ref(&direct));
        assert!(check(&api, &direct).is_ok());
        let lent = read("o = Options::new()\np = Options::borrow_mut(o)\nOptions::parse(p)");
        assert_eq!(without_aliases(&api, &lent), [read("o = Options::new()\nOptions::parse(o)")]);
        assert_eq!(without_aliases(&api, &direct), []);
    }

    #[test]
    fn a_panic_that_nobody_asks_about_goes_away() {
        let mut api = sketch::api(
            "
            type u8: copy
            type bool: copy
            type List
            fn List::of(items: *u8) -> List => List::of($*)
            fn stopped(self: &mut List) -> bool => catch_unwind(AssertUnwindSafe(|| $0.retain(|_| panic!()))).is_err()
            fn retain(self: &mut List) => $0.retain(|_| false)
            fn dedup(self: &mut List) => $0.dedup(|_| false)
            fn not(flag: bool) -> bool => !$0
            ",
        )
        .expect("the table is well-formed");
        let program = |text: &str| sketch::program(&api, text).expect("the program is well-formed").program;
        let [caught, plain, asked] = [
            program("a = List::of(1)\nb = stopped(a)"),
            program("a = List::of(1)\nretain(a)"),
            program("a = List::of(1)\nb = stopped(a)\nnot(b)"),
        ];
        for (name, closure) in [("stopped", "|_| panic!()"), ("retain", "|_| false"), ("dedup", "|_| false")]
        {
            let owner = if name == "dedup" { "dedup" } else { "retain" };
            let id = api.find(name).expect("it is in the table");
            api.callables[id.0 as usize].path = format!("List<u8, 4>::{owner} {closure}");
        }
        assert_eq!(uncaught(&api, &caught), [plain]);
        assert_eq!(uncaught(&api, &asked), []);
    }

    #[test]
    fn what_takes_an_iterator_over_a_vector_is_given_the_vector() {
        let api = sketch::api(
            "
            type u8: copy
            type Vec
            type Iter
            type Filter
            type Set
            fn Vec::of(items: *u8) -> Vec => vec![$*]
            fn Vec::into_iter(self: Vec) -> Iter => $0.into_iter()
            fn Iter::filter(self: Iter) -> Filter => $0.filter(|_| true)
            fn Set::of_filter(iter: Filter) -> Set => Set::from_iter($0)
            fn Set::of_vec(iter: Vec) -> Set => Set::from_iter($0)
            ",
        )
        .expect("the table is well-formed");
        let read = |text: &str| sketch::program(&api, text).expect("it is a program").program;
        let long = read(
            "vec = Vec::of(1, 2)\niter = Vec::into_iter(vec)\nfilter = Iter::filter(iter)\nSet::of_filter(filter)",
        );
        let short = read("vec = Vec::of(1, 2)\nSet::of_vec(vec)");
        assert!(constructors(&api, &long).contains(&short));
        assert!(check(&api, &short).is_ok());
    }

    #[test]
    fn what_is_made_for_two_arguments_goes_away_once() {
        let api = sketch::api(
            "
            type u8: copy
            type Width: copy
            type Area
            fn Width::of(width: u8) -> Width => Width($0)
            fn Area::of(width: Width; height: Width) -> Area => Area::of($0, $1)
            fn Area::plain(width: u8; height: u8) -> Area => Area::plain($0, $1)
            ",
        )
        .expect("the table is well-formed");
        let read = |text: &str| sketch::program(&api, text).expect("it is a program").program;
        let long = read("one = 1: u8\nwidth = Width::of(one)\nArea::of(width, width)");
        assert_eq!(constructors(&api, &long), [read("one = 1: u8\nArea::plain(one, one)")]);
    }
}
