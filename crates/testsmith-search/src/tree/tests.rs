//! Trees over a stack: the function set, how trees become programs, and what breeding keeps.

use testsmith_ir::random::Constants;
use testsmith_ir::render::Options;
use testsmith_ir::{Api, check, render, sketch};
use testsmith_rt::harness::wire::Outcome;

use super::*;
use node::What;

/// The example of the paper, as far as Rust has it.
const STACK: &str = "
    type i32: copy
    type Stack: drop
    type Option<i32>: copy
    fn Stack::new() -> Stack => Stack::new()
    fn Stack::push(self: &mut Stack; value: i32) => $0.push($1)
    fn Stack::pop(self: &mut Stack) -> Option<i32> => $0.pop()
    fn Stack::peek(self: &Stack) -> Option<i32> => $0.peek()
    fn Stack::search(self: &Stack; value: i32) -> Option<i32> => $0.search($1)
";

fn api() -> Api {
    sketch::api(STACK).unwrap()
}

/// `push` and `pop` change the stack.
fn changes(api: &Api) -> Vec<Vec<bool>> {
    let is_changed = |path: &str| path.ends_with("push") || path.ends_with("pop");
    let each = |callable: &testsmith_ir::Callable| {
        (0..callable.params.len()).map(|param| param == 0 && is_changed(&callable.path)).collect()
    };
    api.callables.iter().map(each).collect()
}

fn grower(api: &Api, purified: bool) -> Grower<'_> {
    let changes = changes(api);
    let set = FunctionSet::new(api, purified.then_some(changes.as_slice()));
    Grower {
        api,
        set,
        literals: Literals::new(Constants::default()),
        rng: Rng::new(1),
        bank: Bank::default(),
        reuse: 0,
        parameter: None,
    }
}

/// Entries as `callable: what is provided`.
fn entries(set: &FunctionSet, api: &Api) -> Vec<String> {
    let entry = |at: usize| {
        let Entry { callable, item, ty } = set.entry(at);
        let item = item.map_or("result".to_owned(), |item| api[callable].params[item].name.clone());
        format!("{}: {item} {}", api[callable].path, api[ty].shown)
    };
    (0..set.len()).map(entry).collect()
}

#[test]
fn the_purified_set_has_no_entry_for_what_does_not_change() {
    let api = api();
    let purified = entries(&grower(&api, true).set, &api);
    let expected = [
        "Stack::new: result Stack",
        "Stack::push: result ()",
        "Stack::push: self Stack",
        "Stack::pop: result Option<i32>",
        "Stack::pop: self Stack",
        "Stack::peek: result Option<i32>",
        "Stack::search: result Option<i32>",
    ];
    assert_eq!(purified, expected);
    let full = entries(&grower(&api, false).set, &api);
    let more: Vec<&String> = full.iter().filter(|entry| !purified.contains(entry)).collect();
    assert_eq!(more, ["Stack::peek: self Stack", "Stack::search: self Stack"]);
}

fn text(api: &Api, program: &Program) -> String {
    let liveness = check(api, program).unwrap();
    render(api, program, &liveness, &Options::default()).body.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_tree_is_written_depth_first_and_ends_with_its_top() {
    let api = api();
    let grower = grower(&api, true);
    let entry = |name: &str, item: Option<usize>, children: Vec<Node>| {
        let named = |at: &usize| {
            let entry = grower.set.entry(*at);
            api[entry.callable].path == name && entry.item == item
        };
        let at = (0..grower.set.len()).find(named).unwrap();
        Node { ty: grower.set.entry(at).ty, what: What::Entry(at), children }
    };
    let number = |value: i128| {
        let ty = api.find_type("i32").unwrap();
        Node::literal(ty, testsmith_ir::Literal::Signed { bits: 32, value })
    };
    let stack = entry("Stack::new", None, Vec::new());
    let pushed = entry("Stack::push", Some(0), vec![stack, number(1)]);
    let twice = entry("Stack::push", Some(0), vec![pushed, number(2)]);
    let tree = entry("Stack::search", None, vec![twice, number(3)]);
    let linear = linearise(&api, &grower.set, &tree).unwrap();
    let expected = "let mut stack = Stack::new(); stack.push(1); stack.push(2); stack.search(3);";
    assert_eq!(text(&api, &linear.program), expected);
    assert_eq!(linear.top.index() + 1, linear.program.size());
}

#[test]
fn grown_and_bred_trees_obey_the_borrow_rules_and_keep_their_types() {
    let api = api();
    for purified in [true, false] {
        let mut grower = grower(&api, purified);
        let parameters = Parameters { population: 20, ..Parameters::default() };
        let search = api.callables().find(|(_, it)| it.path == "Stack::search").unwrap().0;
        let top = grower.set.call_of(search).unwrap();
        let nodes = flow::Nodes { places: BTreeMap::from([(0, 0)]), successors: vec![Vec::new()] };
        let mut population = Population::new(top, nodes);
        for _ in 0..20 {
            let generation = population.breed(&mut grower, &parameters);
            assert_eq!(generation.len(), 20);
            let individual = |offspring| match offspring {
                Offspring::Reproduced(individual) => individual,
                Offspring::New(tree) => {
                    let linear = linearise(&api, &grower.set, &tree).expect("nothing borrows here");
                    check(&api, &linear.program).unwrap();
                    assert_eq!(linear.program.statements[linear.top.index()].callable(), Some(search));
                    Individual { tree, trace: Trace::Feasible(vec![0]) }
                }
            };
            let individuals = generation.into_iter().map(individual).collect();
            population.replace(individuals, 0, &parameters);
        }
        assert_eq!(population.stale, 19);
    }
}

#[test]
fn what_ends_before_the_top_is_not_feasible() {
    let execution = |statement: u16, absent: &[u16]| Execution {
        absent: absent.to_vec(),
        ..Execution::ended(Outcome::Ok, statement)
    };
    assert_eq!(ended_before(&execution(3, &[]), Slot(3)), None);
    assert_eq!(ended_before(&execution(4, &[3]), Slot(3)), None);
    assert_eq!(ended_before(&execution(2, &[]), Slot(3)), Some(2));
    assert_eq!(ended_before(&execution(4, &[1, 3]), Slot(3)), Some(1));
}

#[test]
fn a_list_of_what_needs_a_list_comes_to_an_end() {
    let table = "type List\ntype Item\nfn List::of(items: *Item) -> List => List::of([$*])\n\
                 fn Item::of(list: List) -> Item => Item::of($0)\nfn Item::again(self: Item) -> Item => $0.again()";
    let api = sketch::api(table).unwrap();
    let mut grower = grower(&api, false);
    let list = api.callables().next().expect("it is the first").1.output;
    for _ in 0..200 {
        assert!(grower.one_of(&[list], 0).is_some());
    }
}
