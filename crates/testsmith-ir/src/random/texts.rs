//! Texts that nobody writes down: many different characters, lengths beyond the limits of tables and words of bits.

use super::rng::Rng;

/// Beyond a handful, a byte's half, and one, two and four machine words of bits.
const LENGTHS: [usize; 8] = [6, 9, 12, 17, 33, 65, 129, 257];

/// First characters and steps: letters, scripts of two and three bytes, and characters whose low bits are the same, which
/// meet in one place of a hash table.
const ALPHABETS: [(u32, u32); 6] = [(0x61, 1), (0x21, 1), (0xe0, 1), (0x3b1, 1), (0x4e00, 1), (0x100, 0x80)];

/// A text of many different characters, some of them more than once.
pub(super) fn varied(rng: &mut Rng) -> String {
    // The short ones are more likely: what is long takes long.
    let length = LENGTHS[rng.below(LENGTHS.len()).min(rng.below(LENGTHS.len()))];
    let (first, step) = ALPHABETS[rng.below(ALPHABETS.len())];
    let different = match rng.below(3) {
        0 => length.div_ceil(2),
        _ => length,
    };
    let mut chars: Vec<char> =
        (0..length).filter_map(|at| nth(first, step, u32::try_from(at % different).ok()?)).collect();
    if rng.once_in(2) {
        let start = rng.below(chars.len());
        chars.rotate_left(start);
    }
    chars.into_iter().collect()
}

/// After the last printable one, characters of ASCII go on beyond it.
fn nth(first: u32, step: u32, at: u32) -> Option<char> {
    let code = first + step * at;
    char::from_u32(if (0x7f..0xa1).contains(&code) { code + 0x100 } else { code })
}

/// A part of a text, with something else before or behind it.
pub(super) fn shared(text: &str, other: &str, rng: &mut Rng) -> String {
    let chars: Vec<char> = text.chars().collect();
    let (before, behind) = chars.split_at(rng.below(chars.len() + 1));
    match rng.below(3) {
        0 => before.iter().copied().chain(other.chars()).collect(),
        1 => other.chars().chain(behind.iter().copied()).collect(),
        _ => behind.iter().chain(before).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_are_long_texts_and_such_of_many_different_characters() {
        let mut rng = Rng::new(5);
        let texts: Vec<String> = (0..500).map(|_| varied(&mut rng)).collect();
        let different = |text: &String| text.chars().collect::<BTreeSet<char>>().len();
        assert!(texts.iter().any(|text| text.chars().count() == 257));
        assert!(texts.iter().any(|text| !text.is_ascii() && different(text) > 64));
        assert!(texts.iter().any(|text| text.is_ascii() && different(text) > 16));
        assert!(texts.iter().any(|text| different(text) < text.chars().count()));
        assert!(texts.iter().all(|text| !text.chars().any(char::is_control)));
    }

    #[test]
    fn texts_share_parts() {
        let mut rng = Rng::new(1);
        let texts: Vec<String> = (0..60).map(|_| shared("abc", "-", &mut rng)).collect();
        for expected in ["ab-", "-bc", "bca"] {
            assert!(texts.contains(&expected.to_owned()), "{expected}: {texts:?}");
        }
    }
}
