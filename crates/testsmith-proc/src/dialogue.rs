//! A long-lived child that is talked to in lines: [`Dialogue`], such as a solver that reads commands. It is a job like any other.
//!
//! Neither side can block the tool: threads move the lines, and end with the child. It is killed when this is dropped.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use crate::error::StartError;
use crate::job::{Job, Pipes};
use crate::spec::Spec;

/// Longer lines end the dialogue.
const MOST_BYTES: u64 = 64 << 20;

/// Lines that wait to be taken; a child that prints more has to wait.
const MOST_LINES: usize = 1024;

/// Why there is no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoLine {
    /// There was none in time.
    Late,
    /// It has ended, or closed its output, or its line does not end.
    Gone,
}

/// A child that answers in lines.
pub struct Dialogue {
    /// Dropped first, so that the threads see the ends of their pipes.
    _job: Job,
    input: Sender<Vec<u8>>,
    lines: Receiver<String>,
}

impl Dialogue {
    /// Starts a child, which may have so many bytes of memory.
    pub fn start(spec: &Spec, memory: u64) -> Result<Self, StartError> {
        let mut job = Job::start(spec, Some(memory), Pipes::All)?;
        let (output, mut errors) = job.take_pipes().expect("its output is piped");
        let mut to_child = job.take_input().expect("its input is piped");
        let (input, texts) = channel::<Vec<u8>>();
        let (found, lines) = sync_channel(MOST_LINES);
        // Each ends with the pipe or the channel that it serves.
        thread::spawn(move || texts.iter().try_for_each(|text| to_child.write_all(&text)));
        thread::spawn(move || io::copy(&mut errors, &mut io::sink()));
        thread::spawn(move || read(&mut BufReader::new(output), &found));
        Ok(Self { _job: job, input, lines })
    }

    /// Sends text as it is. Whoever is gone does not hear it: that shows when a line is waited for.
    pub fn send(&self, text: &str) {
        // The thread ends when the child does not read any more.
        let _ = self.input.send(text.as_bytes().to_vec());
    }

    /// The next line, without its end.
    pub fn line(&self, limit: Duration) -> Result<String, NoLine> {
        self.lines.recv_timeout(limit).map_err(|why| match why {
            RecvTimeoutError::Timeout => NoLine::Late,
            RecvTimeoutError::Disconnected => NoLine::Gone,
        })
    }
}

/// Hands on one line after the other, as long as somebody takes them.
fn read(output: &mut impl BufRead, found: &SyncSender<String>) {
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line);
        let is_whole = line.pop_if(|byte| *byte == b'\n').is_some();
        if read.is_err() || !is_whole {
            return;
        }
        if found.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(20);

    fn shell(script: &str) -> Dialogue {
        let spec = Spec::new("/bin/sh").args(["-c", script]);
        Dialogue::start(&spec, 1 << 30).expect("there is a shell")
    }

    #[test]
    fn lines_are_answered() {
        let dialogue = shell("while read line; do echo \"<$line>\"; done");
        dialogue.send("a\nb\n");
        assert_eq!(dialogue.line(SOON).as_deref(), Ok("<a>"));
        assert_eq!(dialogue.line(SOON).as_deref(), Ok("<b>"));
        assert_eq!(dialogue.line(Duration::from_millis(10)), Err(NoLine::Late));
    }

    #[test]
    fn whoever_is_gone_says_nothing() {
        assert_eq!(shell("exit 3").line(SOON), Err(NoLine::Gone));
        assert_eq!(shell("printf half").line(SOON), Err(NoLine::Gone), "no end of the line");
    }

    /// More than a pipe holds, to somebody who does not read it; and one who prints without end.
    #[test]
    fn nobody_blocks_the_tool() {
        let deaf = shell("sleep 60");
        deaf.send(&"x".repeat(4 << 20));
        assert_eq!(deaf.line(Duration::from_millis(10)), Err(NoLine::Late));
        drop(deaf);
        let loud = shell("yes");
        assert_eq!(loud.line(SOON).as_deref(), Ok("y"));
    }
}
