//! Frames on a pipe: four bytes of length, little-endian, and then as many bytes. [`Outgoing`] is what a
//! pipe has not taken yet, [`Incoming`] what has arrived of frames that are not complete.

/// The most bytes of a frame; a length above is the sign of a child that speaks something else.
pub(crate) const MOST: usize = 256 << 20;

const LENGTH: usize = size_of::<u32>();

/// Frames on their way out.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    bytes: Vec<u8>,
    sent: usize,
}

impl Outgoing {
    /// Appends a frame, unless it is too long.
    pub(crate) fn push(&mut self, frame: &[u8]) -> Result<(), String> {
        let length = u32::try_from(frame.len()).ok().filter(|_| frame.len() <= MOST);
        let length = length.ok_or_else(|| too_long(frame.len()))?;
        self.bytes.extend_from_slice(&length.to_le_bytes());
        self.bytes.extend_from_slice(frame);
        Ok(())
    }

    /// What is left to be written.
    pub(crate) fn unsent(&self) -> &[u8] {
        &self.bytes[self.sent..]
    }

    /// Takes note that so many bytes were written.
    pub(crate) fn advance(&mut self, written: usize) {
        self.sent += written;
        if self.sent == self.bytes.len() {
            self.clear();
        }
    }

    /// Forgets everything: nobody reads it any more.
    pub(crate) fn clear(&mut self) {
        self.sent = 0;
        self.bytes = Vec::new();
    }
}

/// Frames on their way in.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    bytes: Vec<u8>,
    taken: usize,
}

impl Incoming {
    /// Takes what has arrived, in pieces of any size.
    pub(crate) fn extend(&mut self, piece: &[u8]) {
        // Moving the rest to the front only when nothing but rest comes: each byte is moved about once.
        if self.taken > 0 && self.taken * 2 >= self.bytes.len() {
            self.bytes.drain(..self.taken);
            self.taken = 0;
        }
        self.bytes.extend_from_slice(piece);
    }

    /// The next frame, if it is complete; an error if a length is too large to be one.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, String> {
        let Some((length, rest)) = self.bytes[self.taken..].split_first_chunk::<LENGTH>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*length) as usize;
        if length > MOST {
            return Err(too_long(length));
        }
        let Some(frame) = rest.get(..length) else {
            return Ok(None);
        };
        let frame = frame.to_vec();
        self.taken += LENGTH + length;
        if self.taken == self.bytes.len() {
            // A long frame must not hold its memory for ever.
            *self = Self::default();
        }
        Ok(Some(frame))
    }
}

fn too_long(length: usize) -> String {
    format!("a frame of {length} bytes, where {MOST} are the most")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(frames: &[&[u8]], piece: usize) {
        let mut outgoing = Outgoing::default();
        let mut incoming = Incoming::default();
        let mut seen = Vec::new();
        for frame in frames {
            outgoing.push(frame).expect("it is short");
        }
        while !outgoing.unsent().is_empty() {
            let some = outgoing.unsent().len().min(piece);
            incoming.extend(&outgoing.unsent()[..some]);
            outgoing.advance(some);
            seen.extend(std::iter::from_fn(|| incoming.next().expect("every length is right")));
        }
        assert_eq!(seen, frames);
        assert!(incoming.bytes.is_empty());
    }

    #[test]
    fn frames_arrive_whole_whatever_the_pieces() {
        let long = vec![7; 1000];
        for piece in [1, 2, 3, 4, 5, 7, 64, 10_000] {
            check(&[], piece);
            check(&[b""], piece);
            check(&[b"abc", b"", &long, b"d", b"efgh"], piece);
        }
    }

    #[test]
    fn a_length_that_is_none_is_an_error() {
        let mut incoming = Incoming::default();
        incoming.extend(b"HTTP/1.1");
        let error = incoming.next().expect_err("this length is above the most");
        assert!(error.contains("a frame of 1347703880 bytes"), "{error}");
    }

    #[test]
    fn a_frame_that_is_too_long_is_not_sent() {
        let mut outgoing = Outgoing::default();
        assert!(outgoing.push(&vec![0; MOST + 1]).is_err());
        assert!(outgoing.unsent().is_empty());
    }
}
