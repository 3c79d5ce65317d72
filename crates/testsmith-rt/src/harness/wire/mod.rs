//! The protocol between the tool and a worker: a [`Hello`] from the worker, then a [`Batch`] from the tool and an
//! [`Answer`] from the worker, for ever.
//!
//! Little endian, numbers as varints, every message one frame: a `u32` length and so many bytes. Both sides are built
//! from this source, so there is one version and no negotiation; [`Hello`] carries it because a worker may be left
//! over from an older tool. Reading never panics, whatever the bytes.

mod answer;
mod batch;
mod codec;
mod hello;

use std::io::{self, Read, Write};

pub use answer::{
    Answer, Aspect, At, Difference, Distance, Execution, Observation, Observations, Operand, Operands,
    Outcome, What,
};
pub use batch::{
    Batch, Bitmap, IntKind, Isolation, Literal, Mode, Mutants, Observing, Op, Options, Run, MOST_STATEMENTS,
};
pub use codec::{Malformed, Reader, Wire, Writer};
pub use hello::{anchor, CallReport, Facts, Hello, Place, TypeReport, ANCHOR};

/// First bytes of a [`Hello`].
const MAGIC: u32 = 0x484d_5354;
/// Changes whenever a message does.
pub const VERSION: u32 = 8;
/// A frame that claims to be longer is not one.
const LONGEST_FRAME: u32 = 1 << 28;

/// Sends one message.
pub fn write_frame(to: &mut impl Write, message: &[u8]) -> io::Result<()> {
    let length = u32::try_from(message.len()).ok().filter(|length| *length <= LONGEST_FRAME);
    let length =
        length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the frame is too long"))?;
    // One write: the other side wakes up once.
    let mut frame = Vec::with_capacity(message.len() + 4);
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(message);
    to.write_all(&frame)?;
    to.flush()
}

/// Receives one message; `None` at the end of the stream.
pub fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    let mut filled = 0;
    while filled < length.len() {
        match from.read(&mut length[filled..]) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let length = u32::from_le_bytes(length);
    if length > LONGEST_FRAME {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the frame is too long"));
    }
    // Grows as bytes arrive: a length that lies costs nothing.
    let mut message = Vec::new();
    from.take(length.into()).read_to_end(&mut message)?;
    if message.len() != length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(message))
}

/// The messages that are complete in what was received so far.
pub(super) fn frames(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let length = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
        let frame = bytes.get(4..4 + length)?;
        bytes = &bytes[4 + length..];
        Some(frame)
    })
}

#[cfg(test)]
mod tests;
