//! What becomes of a child's output: [`Tail`] keeps the end of it, [`Lines`] hands it on line by line.
//! Both are bounded, however much a child prints.

/// Takes output as it arrives, in pieces of any size.
pub(crate) trait Sink {
    /// Takes the next piece.
    fn take(&mut self, bytes: &[u8]);
}

/// Keeps the last bytes.
pub(crate) struct Tail {
    kept: Vec<u8>,
    most: usize,
    lost: bool,
}

impl Tail {
    /// Keeps at most this many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self { kept: Vec::new(), most, lost: false }
    }

    /// Whether some bytes were not kept.
    pub(crate) fn lost(&self) -> bool {
        self.lost || self.kept.len() > self.most
    }

    /// The bytes that are kept so far.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.kept[self.kept.len().saturating_sub(self.most)..]
    }

    /// The bytes that were kept.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        self.trim();
        self.kept
    }

    fn trim(&mut self) {
        let surplus = self.kept.len().saturating_sub(self.most);
        if surplus > 0 {
            self.kept.drain(..surplus);
            self.lost = true;
        }
    }
}

impl Sink for Tail {
    fn take(&mut self, bytes: &[u8]) {
        let surplus = bytes.len().saturating_sub(self.most);
        self.lost |= surplus > 0;
        self.kept.extend_from_slice(&bytes[surplus..]);
        // Trimming only at twice the size moves each byte once on average.
        if self.kept.len() >= self.most.saturating_mul(2) {
            self.trim();
        }
    }
}

/// Calls back for each line.
pub(crate) struct Lines<'a> {
    on_line: &'a mut dyn FnMut(&str),
    begun: Vec<u8>,
    skipping: bool,
    lost: bool,
}

impl<'a> Lines<'a> {
    /// A longer line is left out as a whole. Cargo's longest messages, the rendered diagnostics of one
    /// crate, stay far below.
    const LONGEST: usize = 16 * 1024 * 1024;

    /// Calls `on_line` without the line's end; bytes that are not UTF-8 are replaced.
    pub(crate) fn new(on_line: &'a mut dyn FnMut(&str)) -> Self {
        Self { on_line, begun: Vec::new(), skipping: false, lost: false }
    }

    /// Hands on a last line that has no end, and returns whether any line was left out.
    pub(crate) fn finish(mut self) -> bool {
        if !self.begun.is_empty() {
            self.end_line();
        }
        self.lost
    }

    fn extend(&mut self, bytes: &[u8]) {
        if self.begun.len() + bytes.len() > Self::LONGEST {
            self.skipping = true;
            self.lost = true;
            self.begun = Vec::new();
        } else if !self.skipping {
            self.begun.extend_from_slice(bytes);
        }
    }

    fn end_line(&mut self) {
        if !self.skipping {
            (self.on_line)(&String::from_utf8_lossy(&self.begun));
        }
        self.begun.clear();
        self.skipping = false;
    }
}

impl Sink for Lines<'_> {
    fn take(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            match piece.strip_suffix(b"\n") {
                Some(line) => {
                    self.extend(line);
                    self.end_line();
                }
                None => self.extend(piece),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_tail(most: usize, pieces: &[&str], kept: &str, lost: bool) {
        let mut tail = Tail::new(most);
        for piece in pieces {
            tail.take(piece.as_bytes());
            assert!(tail.kept.len() <= 2 * most, "the tail must stay bounded");
        }
        assert_eq!(tail.lost(), lost);
        assert_eq!(String::from_utf8(tail.into_bytes()).unwrap(), kept);
    }

    #[test]
    fn a_tail_is_the_end_of_all_pieces_together() {
        check_tail(4, &[], "", false);
        check_tail(4, &["abcd"], "abcd", false);
        check_tail(4, &["ab", "cde"], "bcde", true);
        check_tail(4, &["abcdefgh", "i"], "fghi", true);
        check_tail(4, &["a", "b", "c", "d", "e", "f", "g", "h", "i"], "fghi", true);
        check_tail(0, &["abc"], "", true);
    }

    #[track_caller]
    fn check_lines(pieces: &[&[u8]], expected: &[&str], lost: bool) {
        let mut seen = Vec::new();
        let mut on_line = |line: &str| seen.push(line.to_owned());
        let mut lines = Lines::new(&mut on_line);
        for piece in pieces {
            lines.take(piece);
        }
        assert_eq!(lines.finish(), lost);
        assert_eq!(seen, expected);
    }

    #[test]
    fn lines_are_put_together_from_pieces() {
        check_lines(&[b"a\nb", b"c\n", b"\n"], &["a", "bc", ""], false);
        check_lines(&[b"no end"], &["no end"], false);
        check_lines(&[b"\xffx\n"], &["\u{fffd}x"], false);
    }

    #[test]
    fn an_endless_line_is_left_out_and_the_next_one_is_not() {
        let long = vec![b'x'; Lines::LONGEST];
        check_lines(&[b"y", &long, b"z\nnext\n"], &["next"], true);
        check_lines(&[&long, b"z"], &[], true);
    }
}
