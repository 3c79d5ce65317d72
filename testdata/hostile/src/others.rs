//! Reaches for other processes and machines, and for the terminal.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::UnixListener;

use crate::process::{getppid, kill, setsid};
use crate::{answer, told};

pub fn listen() -> String {
    told(TcpListener::bind("127.0.0.1:0"))
}

pub fn connect(port: u16) -> String {
    told(TcpStream::connect(("127.0.0.1", port)))
}

pub fn send() -> String {
    told(UdpSocket::bind("127.0.0.1:0"))
}

pub fn listen_on_a_file() -> String {
    told(UnixListener::bind(std::env::temp_dir().join("socket")))
}

/// Whether a process can be sent a signal. The signal 0 only asks.
pub fn signal(process: i32) -> String {
    // SAFETY: a system call.
    answer(unsafe { kill(process, 0) })
}

pub fn kill_the_parent() -> String {
    // SAFETY: system calls.
    let result = answer(unsafe { kill(getppid(), 9) });
    crate::waits::receive();
    result
}

/// Whether it can leave the process group, by which it would be found.
pub fn hide() -> String {
    // SAFETY: a system call.
    answer(unsafe { setsid() })
}

/// Prints, also past the buffers.
pub fn print() -> String {
    println!("to stdout");
    eprintln!("to stderr");
    let noise = [0xff_u8; 4096];
    told(io::stdout().write_all(&noise).and_then(|()| io::stderr().write_all(&noise)))
}
