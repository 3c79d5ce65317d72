//! Which objects and numbers meet a condition: [`tuples`], searched among the objects that were seen.
//!
//! Numbers are tried near the answers of the objects, the boundary first. What can only be asked with an argument, or of two
//! objects, is not known before the call: it is left to chance, and the row tells.

use testsmith_ir::{Accepts, Api, CallableId, LiteralKind, TypeId};

use crate::atom::{Atom, Op};
use crate::cell::{Cell, plain};
use crate::compose::{literals, object_type};
use crate::record::Tables;
use crate::table::{Table, When};

/// Tuples that are tried for a target, as in the paper.
pub(crate) const MOST_TUPLES: usize = 45;
/// Tuples that are looked at: the limit of a search.
const MOST_LOOKS: usize = 20_000;
/// Objects of each of two parameters.
const MOST_OF_TWO: usize = 70;
/// Tuples with the same objects.
const MOST_ALIKE: usize = 2;
/// How far numbers are from answers, the boundary first.
const DISTANCES: [i128; 5] = [0, 1, -1, 2, -2];
/// Where no object is to be compared with.
const PLAIN: [i128; 8] = [0, 1, 2, -1, 3, 5, 8, 64];

/// Arguments of a call: objects by their number among those that were seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tuple {
    /// By parameter.
    pub(crate) objects: Vec<Option<usize>>,
    /// By parameter.
    pub(crate) numbers: Vec<Option<i128>>,
    /// Some clause could not be known.
    pub(crate) is_partial: bool,
}

/// What a column of a callable is, in terms of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// The argument itself.
    Number(usize),
    /// What an object answers; the column of its type.
    Answer(usize, usize),
    /// It is known only when the call is made.
    Unknown,
}

/// Tuples for which all of `all` hold and none of `none`, as far as that is known, those at a boundary first.
pub(crate) fn tuples(
    api: &Api,
    tables: &Tables,
    table: &Table,
    callable: CallableId,
    all: &[Atom],
    none: &[Atom],
) -> Vec<Tuple> {
    let search = Search::new(api, tables, table, callable, all, none);
    search.run()
}

struct Search<'t> {
    api: &'t Api,
    tables: &'t Tables,
    all: &'t [Atom],
    none: &'t [Atom],
    /// By column of the callable's table.
    operands: Vec<Operand>,
    /// By parameter, those that some clause is about.
    types: Vec<Option<TypeId>>,
    numbers: Vec<Option<(bool, String)>>,
}

impl<'t> Search<'t> {
    fn new(
        api: &'t Api,
        tables: &'t Tables,
        table: &Table,
        callable: CallableId,
        all: &'t [Atom],
        none: &'t [Atom],
    ) -> Search<'t> {
        let params = &api[callable].params;
        let mut operands = vec![Operand::Unknown; table.columns().len()];
        let mut types = vec![None; params.len()];
        let mut numbers = vec![None; params.len()];
        for column in all.iter().chain(none).flat_map(Atom::columns) {
            operands[column] = operand(api, tables, table, callable, column);
            match operands[column] {
                Operand::Number(param) => {
                    if let Accepts::Value(ty) | Accepts::Shared(ty) = params[param].accepts
                        && let Some(LiteralKind::Int { signed, .. }) = api[ty].literal
                    {
                        numbers[param] = Some((signed, plain(&api[ty].text)));
                    }
                }
                Operand::Answer(param, _) => types[param] = object_type(api, params[param].accepts),
                Operand::Unknown => {}
            }
        }
        Search { api, tables, all, none, operands, types, numbers }
    }

    fn run(&self) -> Vec<Tuple> {
        let objects: Vec<usize> = (0..self.types.len()).filter(|at| self.types[*at].is_some()).collect();
        let count = |param: &usize| {
            self.types[*param].and_then(|ty| self.tables.objects.get(&ty)).map_or(0, Vec::len)
        };
        let mut looks = 0;
        let mut found: Vec<(i128, Tuple)> = Vec::new();
        let empty = Tuple {
            objects: vec![None; self.types.len()],
            numbers: vec![None; self.types.len()],
            is_partial: false,
        };
        match objects.as_slice() {
            [] => self.with_numbers(&empty, &mut looks, &mut found),
            [one] => {
                for object in 0..count(one) {
                    let mut tuple = empty.clone();
                    tuple.objects[*one] = Some(object);
                    self.with_numbers(&tuple, &mut looks, &mut found);
                }
            }
            [first, second, ..] => {
                // Spread over all of them, and never in step: equal ones would meet only equal ones.
                let [many, more] = [count(first), count(second)];
                for a in 0..many.min(MOST_OF_TWO) {
                    let before = found.len();
                    for b in 0..more.min(MOST_OF_TWO) {
                        let mut tuple = empty.clone();
                        tuple.objects[*first] = Some(spread(a, many));
                        tuple.objects[*second] = Some(spread(a + b, more));
                        self.with_numbers(&tuple, &mut looks, &mut found);
                        if found.len() > before + MOST_ALIKE {
                            break;
                        }
                    }
                }
            }
        }
        found.sort_by_key(|(distance, _)| *distance);
        found.truncate(MOST_TUPLES);
        found.into_iter().map(|(_, tuple)| tuple).collect()
    }

    /// Adds the tuples of some objects, with numbers that fit.
    fn with_numbers(&self, tuple: &Tuple, looks: &mut usize, found: &mut Vec<(i128, Tuple)>) {
        let wanted: Vec<usize> = (0..self.numbers.len()).filter(|at| self.numbers[*at].is_some()).collect();
        let mut kept: Vec<(i128, Tuple)> = Vec::new();
        let mut consider = |tuple: Tuple, looks: &mut usize| {
            *looks += 1;
            if let Some((distance, is_partial)) = self.fits(&tuple) {
                kept.push((distance, Tuple { is_partial, ..tuple }));
            }
        };
        match wanted.as_slice() {
            [] if *looks < MOST_LOOKS => consider(tuple.clone(), looks),
            [one] => {
                for value in self.values(tuple, *one) {
                    if *looks < MOST_LOOKS {
                        consider(with_number(tuple, *one, value), looks);
                    }
                }
            }
            [one, two, ..] => {
                for value in self.values(tuple, *one) {
                    let tuple = with_number(tuple, *one, value);
                    for value in self.values(&tuple, *two) {
                        if *looks < MOST_LOOKS {
                            consider(with_number(&tuple, *two, value), looks);
                        }
                    }
                }
            }
            [] => {}
        }
        kept.sort_by_key(|(distance, _)| *distance);
        kept.truncate(MOST_ALIKE);
        found.extend(kept);
    }

    /// Numbers for a parameter: near what the objects answer to what it is compared with, and near other numbers.
    fn values(&self, tuple: &Tuple, param: usize) -> Vec<i128> {
        let (is_signed, ty) = self.numbers[param].as_ref().expect("it is a number");
        let mut near: Vec<i128> = Vec::new();
        for atom in self.all.iter().chain(self.none) {
            let columns = atom.columns();
            if columns.iter().any(|column| self.operands[*column] == Operand::Number(param)) {
                near.extend(columns.iter().filter_map(|column| match self.cell(tuple, *column) {
                    Some(Cell::Int(value)) => Some(value),
                    _ => None,
                }));
                if let Atom::Constant(_, _, value) = atom {
                    near.push(*value);
                }
            }
        }
        // What was put into an object is a key of it, most likely.
        let placed = self.types.iter().zip(&tuple.objects).filter_map(|(ty, at)| {
            let objects = self.tables.objects.get(&(*ty)?)?;
            objects.get((*at)?)
        });
        let put: Vec<i128> = placed.flat_map(|object| literals(self.api, &object.recipe, ty)).collect();
        let mut all: Vec<i128> = Vec::new();
        let mut add = |value: i128| {
            if (*is_signed || value >= 0) && !all.contains(&value) {
                all.push(value);
            }
        };
        for distance in DISTANCES {
            near.iter().for_each(|value| add(value.saturating_add(distance)));
        }
        put.into_iter().for_each(&mut add);
        if near.is_empty() {
            PLAIN.into_iter().for_each(&mut add);
            let seen = self.tables.numbers.get(ty).into_iter().flatten().take(24);
            seen.for_each(|value| add(*value));
        }
        all
    }

    /// Whether a tuple is one, how far it is from the boundary, and whether something is left to chance.
    fn fits(&self, tuple: &Tuple) -> Option<(i128, bool)> {
        let (mut distance, mut is_partial) = (0_i128, false);
        for (atoms, wanted) in [(self.all, true), (self.none, false)] {
            for atom in atoms {
                match atom.holds_for(|column| self.cell(tuple, column).unwrap_or_default()) {
                    Some(holds) if holds != wanted => return None,
                    Some(_) => distance = distance.saturating_add(self.distance(tuple, atom)),
                    // What an object does not answer cannot hold of it.
                    None if self.is_known(tuple, atom) => return None,
                    None => is_partial = true,
                }
            }
        }
        Some((distance, is_partial))
    }

    fn is_known(&self, tuple: &Tuple, atom: &Atom) -> bool {
        atom.columns().into_iter().all(|column| self.cell(tuple, column).is_some())
    }

    fn distance(&self, tuple: &Tuple, atom: &Atom) -> i128 {
        let int = |column: usize| match self.cell(tuple, column) {
            Some(Cell::Int(value)) => value,
            _ => 0,
        };
        match *atom {
            Atom::Compare(left, Op::Lt | Op::Le | Op::Ne, right) => {
                int(left).saturating_sub(int(right)).saturating_abs()
            }
            _ => 0,
        }
    }

    fn cell(&self, tuple: &Tuple, column: usize) -> Option<Cell> {
        match self.operands[column] {
            Operand::Number(param) => tuple.numbers[param].map(Cell::Int),
            Operand::Answer(param, of_type) => {
                let ty = self.types[param]?;
                let object = &self.tables.objects.get(&ty)?[tuple.objects[param]?];
                Some(self.tables.types[&ty].cell(of_type, object.row))
            }
            Operand::Unknown => None,
        }
    }
}

/// The places of a long list one after the other, all over it.
fn spread(at: usize, many: usize) -> usize {
    if many == 0 { 0 } else { at * 7919 % many }
}

fn with_number(tuple: &Tuple, param: usize, value: i128) -> Tuple {
    let mut tuple = tuple.clone();
    tuple.numbers[param] = Some(value);
    tuple
}

/// What a column of a callable is, in terms of its arguments.
pub(crate) fn operand(
    api: &Api,
    tables: &Tables,
    table: &Table,
    callable: CallableId,
    column: usize,
) -> Operand {
    let of = &table.columns()[column];
    let params = &api[callable].params;
    let is_of =
        |name: &str| of.name == name || of.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    let Some(param) = params.iter().position(|param| is_of(&param.name)) else { return Operand::Unknown };
    if of.when == When::Always {
        let is_it = matches!(params[param].accepts, Accepts::Value(_) | Accepts::Shared(_))
            && of.name == params[param].name;
        return if is_it { Operand::Number(param) } else { Operand::Unknown };
    }
    if of.when != When::Before || !of.is_alone || of.is_state {
        return Operand::Unknown;
    }
    let known = object_type(api, params[param].accepts).and_then(|ty| tables.types.get(&ty));
    let name = format!("self{}", &of.name[params[param].name.len()..]);
    let answer = known.and_then(|known| known.columns().iter().position(|it| it.name == name));
    answer.map_or(Operand::Unknown, |answer| Operand::Answer(param, answer))
}
