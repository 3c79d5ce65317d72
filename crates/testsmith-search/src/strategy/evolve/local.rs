//! Local search on literals: [`moves`].
//!
//! A comparison says how far it was from the other answer. If one literal goes into it unchanged, adding or subtracting
//! just that much does it; if it goes into it in another way, the next distance says more. So each literal is moved by the
//! distance and by a little more and less, numbers and characters inside of texts too, and texts and repeated calls are made
//! longer or shorter by it.

use testsmith_ir::{Api, Literal, Mode, Program, Slot, Statement};

/// Places in a text that are tried.
const PLACES: usize = 24;
/// Programs and texts get longer by no more than this.
const LONGEST_STEP: i128 = 40;
const LONGEST_TEXT_STEP: i128 = 300;
/// Sizes and indices get no larger than this.
const LARGEST_SIZE: u128 = 4096;
/// Programs for one individual.
const MOST: usize = 160;

/// Programs that differ in one literal, or in how often one call is repeated.
pub(super) fn moves(api: &Api, program: &Program, distance: f64) -> Vec<Program> {
    if !distance.is_finite() || distance.fract() != 0.0 || distance.abs() >= 1e15 {
        return Vec::new();
    }
    let distance = distance as i128;
    let mut found = Vec::new();
    for (slot, statement) in program.iter() {
        match statement {
            Statement::Literal { ty, value } => {
                let others = literals(value, distance).into_iter().filter(|other| other != value);
                found.extend(others.map(|value| {
                    let mut other = program.clone();
                    other.statements[slot.index()] = Statement::Literal { ty: *ty, value };
                    other
                }));
            }
            Statement::Call { .. } => found.extend(repeated(api, program, slot, distance)),
            Statement::Drop(_) => {}
        }
        if found.len() >= MOST {
            break;
        }
    }
    found.truncate(MOST);
    found
}

/// The distance, and what a comparison that includes or excludes its limit may need.
fn steps(distance: i128) -> Vec<i128> {
    let mut steps: Vec<i128> =
        [distance, distance - 1, distance + 1].into_iter().flat_map(|step| [step, -step]).collect();
    steps.retain(|step| *step != 0);
    steps
}

fn literals(value: &Literal, distance: i128) -> Vec<Literal> {
    match value {
        Literal::Signed { bits, value } => {
            steps(distance).iter().map(|step| Literal::int(true, *bits, value.wrapping_add(*step))).collect()
        }
        Literal::Unsigned { bits, value } => {
            // A huge size is more than memory can hold.
            let is_fit = |moved: &u128| *bits != 0 || *moved <= LARGEST_SIZE.max(*value);
            let moved = |step: &i128| value.checked_add_signed(*step).filter(is_fit);
            let values = steps(distance).iter().filter_map(moved).collect::<Vec<_>>();
            values.into_iter().map(|value| Literal::int(false, *bits, value.cast_signed())).collect()
        }
        Literal::Char(value) => {
            steps(distance).iter().filter_map(|step| Some(Literal::Char(moved(*value, *step)?))).collect()
        }
        Literal::F64(bits) => {
            [1.0, -1.0].map(|sign| Literal::from(f64::from_bits(*bits) + sign * distance as f64)).into()
        }
        Literal::F32(bits) => {
            [1.0, -1.0].map(|sign| Literal::from(f32::from_bits(*bits) + sign * distance as f32)).into()
        }
        Literal::Str(text) => texts(text, distance).into_iter().map(Literal::Str).collect(),
        Literal::String(text) => texts(text, distance).into_iter().map(Literal::String).collect(),
        Literal::ByteStr(bytes) => byte_texts(bytes, distance).into_iter().map(Literal::ByteStr).collect(),
        Literal::Bytes(bytes) => byte_texts(bytes, distance).into_iter().map(Literal::Bytes).collect(),
        Literal::Bool(_) | Literal::Unit => Vec::new(),
    }
}

fn moved(value: char, step: i128) -> Option<char> {
    u32::try_from(i128::from(u32::from(value)) + step).ok().and_then(char::from_u32)
}

/// Other texts: another number in it, another character, another length.
fn texts(text: &str, distance: i128) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    for (start, end) in numbers(&chars) {
        let digits: String = chars[start..end].iter().collect();
        let Ok(number) = digits.parse::<i128>() else { continue };
        for number in
            steps(distance).iter().filter_map(|step| number.checked_add(*step)).filter(|it| *it >= 0)
        {
            let width = digits.len();
            let (before, after) = (&chars[..start], &chars[end..]);
            let middle = format!("{number:0width$}");
            found.push(before.iter().copied().chain(middle.chars()).chain(after.iter().copied()).collect());
        }
    }
    for at in 0..chars.len().min(PLACES) {
        for step in [distance, -distance] {
            if let Some(other) = moved(chars[at], step) {
                let mut changed = chars.clone();
                changed[at] = other;
                found.push(changed.into_iter().collect());
            }
        }
    }
    if let Some(length) = usize::try_from(distance).ok().filter(|_| distance <= LONGEST_TEXT_STEP) {
        let last = chars.last().copied().unwrap_or('a');
        found.push(chars.iter().copied().chain(std::iter::repeat_n(last, length)).collect());
        found.push(chars[..chars.len().saturating_sub(length)].iter().collect());
    }
    found
}

/// Where digits stand together.
pub(super) fn numbers(chars: &[char]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in chars.iter().copied().chain([' ']).enumerate() {
        match (start, c.is_ascii_digit()) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn byte_texts(bytes: &[u8], distance: i128) -> Vec<Vec<u8>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return texts(text, distance).into_iter().map(String::into_bytes).collect();
    }
    let places = 0..bytes.len().min(PLACES);
    let moved = |at: usize, step: i128| {
        let mut changed = bytes.to_vec();
        changed[at] = u8::try_from(i128::from(bytes[at]) + step).ok()?;
        Some(changed)
    };
    places.flat_map(|at| [moved(at, distance), moved(at, -distance)]).flatten().collect()
}

/// A call that changes an object, so many times more, if its arguments can be used again.
fn repeated(api: &Api, program: &Program, slot: Slot, times: i128) -> Option<Program> {
    let statement = &program[slot];
    let is_change = statement.args().iter().any(|arg| arg.mode == Mode::Exclusive);
    let times = usize::try_from(times).ok().filter(|_| is_change && times <= LONGEST_STEP)?;
    let mut longer = program.clone();
    longer.insert(Slot::at(slot.index() + 1), std::iter::repeat_n(statement.clone(), times));
    testsmith_ir::check(api, &longer).is_ok().then_some(longer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_texts_keep_their_width() {
        let found = texts("2018-02-28", 2);
        assert!(found.contains(&"2018-02-30".to_owned()), "{found:?}");
        assert!(found.contains(&"2016-02-28".to_owned()));
        assert!(found.contains(&"2018/02-28".to_owned()), "a character, too");
        assert!(found.contains(&"2018-02-2888".to_owned()), "longer");
        assert!(found.contains(&"2018-02-".to_owned()), "shorter");
    }

    #[test]
    fn numbers_move_both_ways_and_stay_in_their_type() {
        let literal = Literal::int(false, 8, 3);
        let values: Vec<u128> = literals(&literal, 5)
            .iter()
            .map(|literal| match literal {
                Literal::Unsigned { value, .. } => *value,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(values, [8, 7, 9]);
    }
}
