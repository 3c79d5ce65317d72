//! Random programs: the plain driver, and what property tests run on.
//!
//! Statement by statement a callable is chosen; its arguments are slots that the borrow rules allow, or are made for it.

mod constant_pool;
mod constants;
mod construction_paths;
mod disturb;
mod draft;
mod literals;
mod program_mutator;
mod rng;
mod roulette_wheel;
mod sources;
mod texts;
mod vary;

pub use constants::{Constant, Constants, Parameter};
pub use construction_paths::ConstructionPath;
pub use disturb::disturb;
pub use literals::Literals;
pub use program_mutator::{ProgramBuilder, ProgramMutator};
pub use rng::Rng;

use crate::api::{Api, CallableId};
use crate::borrow::State;
use crate::program::Program;
use constant_pool::ConstantPool;
use draft::Draft;
use roulette_wheel::RouletteWheel;
use sources::Sources;

/// What programs are like.
#[derive(Clone, Debug)]
pub struct Options {
    /// So many statements at most, not counting drops of slots that would otherwise live too long, and inspectors.
    pub max_statements: usize,
    /// The callables that programs are about; others only make arguments. None means all.
    pub roots: Vec<CallableId>,
    /// Callables with one parameter that random programs end with, where there is something for them to look at.
    pub inspectors: Vec<CallableId>,
    /// In so many of a hundred cases an argument is a slot that exists already, if there is one.
    pub reuse: u8,
    /// What the crate under test mentions.
    pub constants: Constants,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_statements: 8,
            roots: Vec::new(),
            inspectors: Vec::new(),
            reuse: 70,
            constants: Constants::default(),
        }
    }
}

/// An endless sequence of random programs.
pub struct Generator<'a> {
    rng: Rng,
    sources: Sources,
    roots: RouletteWheel,
    inspectors: Vec<CallableId>,
    pool: ConstantPool,
    max_statements: usize,
    reuse: u8,
    /// Of the last program; only its memory is used again.
    state: State<'a>,
}

impl<'a> Generator<'a> {
    /// The programs of a seed.
    pub fn new(api: &'a Api, seed: u64, options: Options) -> Generator<'a> {
        let sources = Sources::new(api);
        let is_root = |id: &CallableId| options.roots.is_empty() || options.roots.contains(id);
        let roots = api.callables().map(|(id, _)| id).filter(is_root);
        let roots = roots.filter(|id| sources.cost(*id).is_some()).collect();
        Generator {
            rng: Rng::new(seed),
            sources,
            roots: RouletteWheel::new(roots),
            inspectors: options.inspectors,
            pool: ConstantPool::new(options.constants),
            max_statements: options.max_statements,
            reuse: options.reuse,
            state: State::new(api),
        }
    }

    /// How often programs are about each callable, in relation to the others. One of weight 0 is not called at all, not
    /// even to make an argument.
    pub fn weigh(&mut self, weight: impl Fn(CallableId) -> u32) {
        self.roots.weigh(&weight);
        self.sources.shun(|id| weight(id) == 0);
    }

    /// Makes large sizes and indices as many times rarer as two to the power of `rarer` says.
    pub fn spare_sizes(&mut self, rarer: u32) {
        self.pool.spare_sizes(rarer);
    }

    /// The next program; it obeys the borrow rules.
    #[expect(clippy::should_implement_trait, reason = "there is always another one")]
    pub fn next(&mut self) -> Program {
        self.state.clear();
        self.pool.renew(&mut self.rng);
        let mut draft = Draft {
            sources: &self.sources,
            pool: &self.pool,
            reuse: self.reuse,
            rng: &mut self.rng,
            state: &mut self.state,
            program: Program { statements: Vec::with_capacity(self.max_statements) },
            promised: Vec::new(),
            lent: None,
            parameter: None,
        };
        draft.fill(&self.roots, self.max_statements);
        draft.inspect(&self.inspectors);
        draft.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::borrow::check;
    use crate::program::Statement;
    use crate::sample;

    #[test]
    fn programs_end_with_a_look_at_what_there_is() {
        let text = "type i32: copy\ntype bool: copy\ntype Cell\nfn Cell::new(value: i32) -> Cell => Cell::new($0)\n\
                    fn Cell::get(self: &Cell) -> bool => $0.get()\n";
        let api = crate::sketch::api(text).expect("the table is well-formed");
        let [new, get] = ["Cell::new", "Cell::get"].map(|name| api.find(name).expect("it is in the table"));
        let options = Options { roots: vec![new], inspectors: vec![get], ..Options::default() };
        let mut generator = Generator::new(&api, 1, options);
        for _ in 0..100 {
            let program = generator.next();
            check(&api, &program).unwrap_or_else(|violation| panic!("{violation}: {program:#?}"));
            let called = |id| program.statements.iter().filter(|it| it.callable() == Some(id)).count();
            assert_eq!(called(get), called(new).min(2), "{program:#?}");
        }
    }

    #[test]
    fn what_is_inside_of_a_receiver_is_given_to_it() {
        let text = "type i32: copy\ntype &i32\ntype Bag: drop\nfn Bag::new() -> Bag => Bag::new()\n\
                    fn Bag::at(self: &Bag; key: i32) -> &i32 [0& > out] => $0.at($1)\n\
                    fn Bag::place(self: &Bag; of: &i32) -> i32 => $0.place($1)\n";
        let api = crate::sketch::api(text).expect("the table is well-formed");
        let [at, place] = ["Bag::at", "Bag::place"].map(|name| api.find(name).expect("it is in the table"));
        let mut generator = Generator::new(&api, 1, Options { roots: vec![place], ..Options::default() });
        let receiver = |statement: &Statement| statement.args().first().map(|arg| arg.slot);
        let asks_for_part = |program: &Program| {
            let places = program.statements.iter().filter(|it| it.callable() == Some(place));
            places.into_iter().any(|it| {
                let given = &program[it.args()[1].slot];
                given.callable() == Some(at) && receiver(given) == receiver(it)
            })
        };
        let programs: Vec<Program> = (0..200).map(|_| generator.next()).collect();
        assert!(programs.iter().all(|program| check(&api, program).is_ok()));
        let asking = programs.iter().filter(|program| asks_for_part(program)).count();
        assert!(asking > 20, "{asking}");
    }

    #[test]
    fn programs_obey_the_rules_and_are_not_too_long() {
        let api = sample::api();
        let mut generator = Generator::new(&api, 1, Options { max_statements: 12, ..Options::default() });
        for _ in 0..5000 {
            let program = generator.next();
            check(&api, &program).unwrap_or_else(|violation| panic!("{violation}: {program:#?}"));
            let drops = program.statements.iter().filter(|it| it.is_drop()).count();
            assert!(program.size() <= 12 + drops, "{program:#?}");
        }
    }

    #[test]
    fn what_takes_more_than_a_program_should_have_is_called_all_the_same() {
        let parameters =
            |count: usize| (0..count).map(|at| format!("p{at}: u8")).collect::<Vec<_>>().join("; ");
        let text = format!(
            "type u8: copy\nfn few({}) -> u8 => few($0)\nfn many({}) -> u8 => many($0)\nfn most({}) -> u8 => most($0)",
            parameters(3),
            parameters(20),
            parameters(60)
        );
        let api = crate::sketch::api(&text).expect("the table is well-formed");
        let mut generator = Generator::new(&api, 1, Options { max_statements: 12, ..Options::default() });
        let mut calls = [0; 3];
        for _ in 0..300 {
            let program = generator.next();
            let called = program.statements.iter().filter_map(crate::Statement::callable);
            called.for_each(|id| calls[id.0 as usize] += 1);
        }
        assert!(calls[0] > 50 && calls[1] > 20 && calls[2] == 0, "{calls:?}");
    }

    #[test]
    fn a_seed_has_its_programs() {
        let api = sample::api();
        let hashes = |seed| {
            let mut generator = Generator::new(&api, seed, Options::default());
            (0..50).map(|_| generator.next().hash()).collect::<Vec<u64>>()
        };
        assert_eq!(hashes(3), hashes(3));
        assert_ne!(hashes(3), hashes(4));
    }

    #[test]
    fn every_callable_is_called() {
        let api = sample::api();
        let mut generator = Generator::new(&api, 2, Options::default());
        let mut calls = vec![0; api.callables.len()];
        for _ in 0..2000 {
            generator
                .next()
                .statements
                .iter()
                .filter_map(crate::Statement::callable)
                .for_each(|id| calls[id.0 as usize] += 1);
        }
        let unused =
            api.callables().filter(|(id, _)| calls[id.0 as usize] < 20).map(|(_, callable)| &callable.path);
        assert_eq!(unused.collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn programs_are_about_their_roots() {
        let api = sample::api();
        let push = sample::callable(&api, "List::push");
        let mut generator = Generator::new(&api, 2, Options { roots: vec![push], ..Options::default() });
        let pushes = |program: &Program| program.statements.iter().any(|it| it.callable() == Some(push));
        assert!((0..200).all(|_| pushes(&generator.next())));
    }

    #[test]
    fn what_has_no_weight_is_not_called_until_it_has_one() {
        let api = sample::api();
        let push = sample::callable(&api, "List::push");
        let new = sample::callable(&api, "List::new");
        let mut generator = Generator::new(&api, 2, Options { roots: vec![push], ..Options::default() });
        let calls = |generator: &mut Generator<'_>| {
            let programs: Vec<Program> = (0..200).map(|_| generator.next()).collect();
            let called = programs.iter().flat_map(|program| &program.statements);
            called.filter(|it| it.callable() == Some(new)).count()
        };
        assert!(calls(&mut generator) > 0);
        generator.weigh(|id| u32::from(id != new));
        assert_eq!(calls(&mut generator), 0);
        generator.weigh(|_| 1);
        assert!(calls(&mut generator) > 0);
    }
}
