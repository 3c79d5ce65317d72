//! Texts: turned round, counted, searched and cleaned.

/// The letters from the last to the first.
pub fn reverse(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut reversed = String::new();
    let mut left = letters.len();
    while left > 0 {
        reversed.push(letters[left - 1]);
        left -= 1;
    }
    reversed
}

/// The place of the first letter of `word` that is also in `letters`, blanks aside; -1 where there is none.
pub fn any(word: &str, letters: &str) -> i32 {
    let (word, letters) = (word.as_bytes(), letters.as_bytes());
    let mut at = 0;
    while at < word.len() {
        let mut other = 0;
        while other < letters.len() {
            let is_blank = letters[other] == b' ' || word[at] == b' ';
            if !is_blank && letters[other] == word[at] {
                return at as i32;
            }
            other += 1;
        }
        at += 1;
    }
    -1
}

/// Whether the letters and digits are the same in both directions; their case does not matter.
pub fn is_palindrome(text: &str) -> bool {
    let letters: Vec<u8> = text.bytes().filter(|byte| byte.is_ascii_alphanumeric()).collect();
    if letters.is_empty() {
        return false;
    }
    let upper = |byte: u8| if byte >= b'a' && byte <= b'z' { byte - 32 } else { byte };
    let (mut left, mut right) = (0, letters.len() - 1);
    while left < right {
        if upper(letters[left]) != upper(letters[right]) {
            return false;
        }
        left += 1;
        right -= 1;
    }
    true
}

/// How many words there are between blanks.
pub fn word_count(text: &str) -> i32 {
    let bytes = text.as_bytes();
    let (mut at, mut words) = (0, 0);
    let mut is_inside = false;
    while at < bytes.len() {
        let is_blank = bytes[at] == b' ' || bytes[at] == b'\t' || bytes[at] == b'\n';
        if is_blank {
            if is_inside {
                words += 1;
            }
            is_inside = false;
        } else {
            is_inside = true;
        }
        at += 1;
    }
    if is_inside { words + 1 } else { words }
}

/// How many words have been there before.
pub fn repeated_word_count(text: &str) -> i32 {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let mut repeated = 0;
    let mut at = 1;
    while at < words.len() {
        let mut before = 0;
        while before < at {
            if words[before] == words[at] {
                repeated += 1;
                break;
            }
            before += 1;
        }
        at += 1;
    }
    repeated
}

/// The words from the last to the first, with one blank between two.
pub fn reverse_words(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut result = String::new();
    let mut end = bytes.len();
    while end > 0 {
        while end > 0 && bytes[end - 1] == b' ' {
            end -= 1;
        }
        let mut start = end;
        while start > 0 && bytes[start - 1] != b' ' {
            start -= 1;
        }
        if start < end {
            if !result.is_empty() {
                result.push(' ');
            }
            result.push_str(text.get(start..end).unwrap_or_default());
        }
        end = start;
    }
    result
}

/// The text without signs and white space.
pub fn strip(text: &str) -> String {
    let mut clean = String::new();
    for letter in text.chars() {
        let is_sign = letter >= '!' && letter <= '/' || letter >= ':' && letter <= '@';
        let is_space = letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
        if is_sign || is_space {
            continue;
        }
        clean.push(letter);
    }
    clean
}
