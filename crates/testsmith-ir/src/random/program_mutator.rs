//! Programs that are made from statements of others: [`ProgramMutator`] copies them, repairs arguments that are gone, and adds
//! calls. All that the search does to programs is done by it, so what comes out obeys the borrow rules.

use super::constant_pool::ConstantPool;
use super::constants::Parameter;
use super::construction_paths::{ConstructionPath, ConstructionPaths};
use super::draft::Draft;
use super::roulette_wheel::RouletteWheel;
use super::sources::Sources;
use super::{Options, Rng};
use crate::api::{Accepts, Api, CallableId, TypeId};
use crate::borrow::State;
use crate::literal::Literal;
use crate::program::{Program, Slot, Statement};

/// How often a callable that fits is looked for.
const TRIES: usize = 4;

/// Makes programs from others.
pub struct ProgramMutator<'a> {
    api: &'a Api,
    rng: Rng,
    sources: Sources,
    pool: ConstantPool,
    roots: RouletteWheel,
    /// By type that is not written as a literal: roots that take a value of it.
    users: Vec<Vec<CallableId>>,
    /// By type: callables that give one and can be called; only helpers, where there are some.
    makers: Vec<Vec<CallableId>>,
    reuse: u8,
    max_statements: usize,
    state: State<'a>,
}

impl<'a> ProgramMutator<'a> {
    /// With the choices of a seed; options as for random programs.
    pub fn new(api: &'a Api, seed: u64, options: Options) -> ProgramMutator<'a> {
        let sources = Sources::new(api);
        let can_be_called = |id: &CallableId| sources.cost(*id).is_some();
        let is_root = |id: &CallableId| options.roots.is_empty() || options.roots.contains(id);
        let callables = || api.callables().map(|(id, _)| id).filter(can_be_called);
        let roots: Vec<CallableId> = callables().filter(is_root).collect();
        let mut users = vec![Vec::new(); api.types.len()];
        for root in &roots {
            let params = api[*root].params.iter().map(|param| param.accepts);
            let mut taken: Vec<TypeId> = params.filter_map(|accepts| owner(api, accepts)).collect();
            taken.sort_unstable();
            taken.dedup();
            taken.into_iter().for_each(|ty| users[ty.0 as usize].push(*root));
        }
        let mut makers = vec![Vec::new(); api.types.len()];
        callables().for_each(|id| makers[api[id].output.0 as usize].push(id));
        let is_helper = |id: &CallableId| api.guidance.helpers.contains(id);
        makers.iter_mut().filter(|all| all.iter().any(is_helper)).for_each(|all| all.retain(is_helper));
        ProgramMutator {
            api,
            rng: Rng::new(seed),
            sources,
            pool: ConstantPool::new(options.constants),
            roots: RouletteWheel::new(roots),
            users,
            makers,
            reuse: options.reuse,
            max_statements: options.max_statements,
            state: State::new(api),
        }
    }

    /// What programs are made of.
    pub fn api(&self) -> &'a Api {
        self.api
    }

    /// The random numbers that everything is chosen by.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// How often programs are about each callable, in relation to the others; one of weight 0 is not called at all.
    pub fn weigh(&mut self, weight: impl Fn(CallableId) -> u32) {
        self.roots.weigh(&weight);
        self.sources.shun(|id| weight(id) == 0);
    }

    /// Makes large sizes and indices as many times rarer as two to the power of `rarer` says.
    pub fn spare_sizes(&mut self, rarer: u32) {
        self.pool.spare_sizes(rarer);
    }

    /// Callables that give a value of a type.
    pub fn makers(&self, ty: TypeId) -> &[CallableId] {
        &self.makers[ty.0 as usize]
    }

    /// At most so many construction paths to call something, the shallow ones first.
    pub fn construction_paths(&self, callable: CallableId, most: usize) -> Vec<ConstructionPath> {
        let ProgramMutator { api, sources, pool, .. } = self;
        ConstructionPaths { api, sources, pool }.to(callable, most)
    }

    /// A program that follows these construction paths one after the other, and the slot that each ends in, if the borrow rules allow it.
    pub fn follow<'w>(
        &mut self,
        construction_paths: impl IntoIterator<Item = &'w ConstructionPath>,
    ) -> (Program, Vec<Option<Slot>>) {
        let mut draft = self.begin(None).draft;
        let slots = construction_paths.into_iter().map(|way| way.follow(&mut draft)).collect();
        (draft.finish(), slots)
    }

    /// Keeps a way to come by a value of a type, because there are few: half of the arguments of that type are made by those
    /// that are kept.
    pub fn keep(&mut self, ty: TypeId, way: &ConstructionPath) {
        self.sources.keep(self.api, ty, way);
    }

    /// Begins a program whose literals are like those of another one.
    pub fn begin(&mut self, like: Option<&Program>) -> ProgramBuilder<'_, 'a> {
        self.state.clear();
        match like {
            Some(program) => self.pool.base_on(program, &mut self.rng),
            None => self.pool.renew(&mut self.rng),
        }
        ProgramBuilder {
            api: self.api,
            roots: &self.roots,
            users: &self.users,
            makers: &self.makers,
            max_statements: self.max_statements,
            draft: Draft {
                sources: &self.sources,
                pool: &self.pool,
                reuse: self.reuse,
                rng: &mut self.rng,
                state: &mut self.state,
                program: Program::default(),
                promised: Vec::new(),
                lent: None,
                parameter: None,
            },
        }
    }
}

/// The type whose values a parameter is about, unless they are written as literals.
fn owner(api: &Api, accepts: Accepts) -> Option<TypeId> {
    let (Accepts::Value(ty) | Accepts::Shared(ty) | Accepts::Exclusive(ty) | Accepts::List(ty)) = accepts
    else {
        return None;
    };
    api[ty].literal.is_none().then_some(ty)
}

/// A program while it is built. Statements that would make it too long are left out, all but literals and drops.
pub struct ProgramBuilder<'w, 'a> {
    api: &'a Api,
    roots: &'w RouletteWheel,
    users: &'w [Vec<CallableId>],
    makers: &'w [Vec<CallableId>],
    max_statements: usize,
    draft: Draft<'w, 'a>,
}

impl ProgramBuilder<'_, '_> {
    /// Random numbers.
    pub fn rng(&mut self) -> &mut Rng {
        self.draft.rng
    }

    /// Statements so far.
    pub fn size(&self) -> usize {
        self.draft.program.size()
    }

    /// What is there so far.
    pub fn program(&self) -> &Program {
        &self.draft.program
    }

    /// Copies statements of another program from `from` on up to `to`. `map` has the new slot of each of its slots
    /// that was copied, and is added to.
    pub fn copy(&mut self, other: &Program, from: usize, to: usize, map: &mut Vec<Option<Slot>>) {
        for statement in &other.statements[from..to] {
            let new = self.add(statement, map);
            map.push(new);
        }
    }

    /// Adds a statement of another program, of whose slots `map` has the new ones; arguments that are gone are replaced.
    pub fn add(&mut self, statement: &Statement, map: &[Option<Slot>]) -> Option<Slot> {
        let new = |slot: Slot| map.get(slot.index()).copied().flatten();
        match statement {
            Statement::Literal { .. } => self.draft.push(statement.clone()),
            Statement::Drop(slot) => self.draft.push(Statement::Drop(new(*slot)?)),
            Statement::Call { callable, args } => {
                let wanted: Vec<Option<Slot>> = args.iter().map(|arg| new(arg.slot)).collect();
                self.call_with(*callable, &wanted)
            }
        }
    }

    /// Adds a literal.
    pub fn literal(&mut self, ty: TypeId, value: Literal) -> Option<Slot> {
        self.draft.push(Statement::Literal { ty, value })
    }

    /// A literal of the same type as this one, in most cases one that is near, or one that fits the parameter that it is given for.
    pub fn vary(&mut self, literal: &Literal, parameter: Option<Parameter>) -> Literal {
        self.draft.pool.vary_for(parameter, literal, self.draft.rng)
    }

    /// Calls something; arguments are slots that exist, or are made.
    pub fn call(&mut self, callable: CallableId) -> Option<Slot> {
        self.draft.promised.clear();
        let room = self.room(callable)?;
        self.draft.call(callable, room)
    }

    /// Calls something with these slots as arguments, as far as they fit; others are chosen or made.
    pub fn call_with(&mut self, callable: CallableId, wanted: &[Option<Slot>]) -> Option<Slot> {
        self.draft.promised.clear();
        let room = self.room(callable)?;
        self.draft.call_with(callable, Some(wanted), room)
    }

    /// Calls one of the callables that a program is about, if possible one that takes an object of the program.
    pub fn call_any(&mut self) -> Option<Slot> {
        let ProgramBuilder { draft, users, api, .. } = self;
        let objects = (0..draft.program.size()).filter_map(|at| draft.state.alive(Slot::at(at)));
        let of_object = |ty: TypeId| {
            let referent = api[ty].referent.map_or(ty, |(_, referent)| referent);
            [ty, referent].into_iter().find(|ty| !users[ty.0 as usize].is_empty())
        };
        let object = draft.rng.one_of(objects.filter_map(of_object));
        let some = object.and_then(|ty| draft.rng.one(&users[ty.0 as usize]).copied());
        some.and_then(|callable| self.call(callable)).or_else(|| self.call_root())
    }

    /// Calls one of the callables that a program is about.
    pub fn call_root(&mut self) -> Option<Slot> {
        (0..TRIES).find_map(|_| {
            let root = self.roots.select(self.draft.rng)?;
            self.call(root)
        })
    }

    /// Makes another object of a type.
    pub fn make(&mut self, ty: TypeId) -> Option<Slot> {
        let maker = self.draft.rng.one(&self.makers[ty.0 as usize]).copied()?;
        self.call(maker)
    }

    /// The program, after what would live too long was dropped.
    pub fn finish(self) -> Program {
        self.draft.finish()
    }

    /// Statements that a call may add: what there is room for, and what it takes at least. None of what is not called.
    fn room(&self, callable: CallableId) -> Option<usize> {
        let room = self.max_statements.saturating_sub(self.size());
        (room >= 1 && !self.draft.sources.is_shunned(callable))
            .then(|| room.max(self.draft.sources.cost(callable).unwrap_or(room)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;
    use crate::{check, sample, sketch};

    fn options() -> Options {
        Options { max_statements: 30, ..Options::default() }
    }

    #[test]
    fn a_copy_is_the_program_itself() {
        let api = sample::api();
        let mut generator = Generator::new(&api, 3, Options::default());
        let mut mutator = ProgramMutator::new(&api, 4, options());
        for _ in 0..1000 {
            let program = generator.next();
            let mut builder = mutator.begin(Some(&program));
            builder.copy(&program, 0, program.size(), &mut Vec::new());
            assert_eq!(builder.finish(), program);
        }
    }

    #[test]
    fn two_programs_are_joined_wherever_they_are_cut() {
        let api = sample::api();
        let mut generator = Generator::new(&api, 5, Options::default());
        let mut mutator = ProgramMutator::new(&api, 6, options());
        for _ in 0..2000 {
            let [left, right] = [generator.next(), generator.next()];
            let [to, from] = [&left, &right].map(|program| mutator.rng().below(program.size() + 1));
            let mut builder = mutator.begin(Some(&left));
            builder.copy(&left, 0, to, &mut Vec::new());
            builder.copy(&right, from, right.size(), &mut vec![None; from]);
            let program = builder.finish();
            check(&api, &program).unwrap_or_else(|violation| panic!("{violation}: {program:#?}"));
        }
    }

    #[test]
    fn whatever_can_be_built_is_built_at_once() {
        let api = sample::api();
        let mut mutator = ProgramMutator::new(&api, 9, options());
        let can_be_called = |id: &CallableId| Sources::new(&api).cost(*id).is_some();
        for callable in api.callables().map(|(id, _)| id).filter(can_be_called) {
            let built = (0..100).filter(|_| mutator.begin(None).call(callable).is_some()).count();
            assert_eq!(built, 100, "{}", api[callable].path);
        }
    }

    #[test]
    fn an_argument_that_is_gone_is_replaced() {
        let api = sample::api();
        let read = |text: &str| sketch::program(&api, text).unwrap().program;
        let program = read("a = List::new()\nb = List::new()\nList::len(b)");
        let mut mutator = ProgramMutator::new(&api, 7, Options { reuse: 100, ..options() });
        let mut builder = mutator.begin(None);
        let mut map = Vec::new();
        builder.copy(&program, 0, 1, &mut map);
        map.push(None);
        builder.copy(&program, 2, 3, &mut map);
        assert_eq!(builder.finish(), read("a = List::new()\nList::len(a)"));
    }

    #[test]
    fn calls_are_about_the_objects_that_are_there() {
        let api = sample::api();
        let mut mutator = ProgramMutator::new(&api, 8, Options { reuse: 100, ..options() });
        for _ in 0..200 {
            let mut builder = mutator.begin(None);
            builder.call(sample::callable(&api, "List::new"));
            let called = builder.call_any().map(|slot| builder.program()[slot].slots().next());
            assert_eq!(called, Some(Some(Slot(0))));
        }
    }
}
