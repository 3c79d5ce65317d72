//! The conversation with the kernel about system calls (`seccomp_unotify(2)`): the child installs a filter and hands its listener
//! over, the tool takes it and answers.

use std::fs::{self, File};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use libc::{
    BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGT, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, SECCOMP_RET_ALLOW,
    SECCOMP_RET_ERRNO, SECCOMP_RET_USER_NOTIF, seccomp_notif, seccomp_notif_resp, sock_filter, sock_fprog,
};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

use super::calls::{PathAt, TOLD, When, told};
use super::{Answer, Call};

/// `SECCOMP_IOCTL_NOTIF_RECV` and `SECCOMP_IOCTL_NOTIF_SEND`: `_IOWR('!', 0 and 1, …)`.
const RECEIVE: libc::c_ulong = request(0, size_of::<seccomp_notif>());
const SEND: libc::c_ulong = request(1, size_of::<seccomp_notif_resp>());

const fn request(number: u64, size: usize) -> libc::c_ulong {
    (3 << 30) | ((size as u64) << 16) | ((b'!' as u64) << 8) | number
}

/// Paths are no longer.
const MOST_PATH: usize = 4096;

/// `clone3` has its flags in memory, where no filter can look; programs use `clone` where there is none.
const CLONE3: u32 = 435;

/// Installs a filter that asks about the calls of the table, for this process and all that it starts, and hands the listener to
/// whoever is at the other end of the standard input, which is empty afterwards.
pub(crate) fn hand_over() -> io::Result<()> {
    let listener = install(&filter())?;
    let input = io::stdin();
    let fds = [listener.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&fds));
    sendmsg(input.as_fd(), &[IoSlice::new(b"l")], &mut control, SendFlags::empty())?;
    // Whoever took it may have to answer for this one.
    let nothing = File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    Ok(())
}

/// Takes the listener that the child hands over.
pub(super) fn take(socket: &UnixStream, patience: Duration) -> io::Result<OwnedFd> {
    socket.set_read_timeout(Some(patience))?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    retry_on_intr(|| {
        recvmsg(socket, &mut [IoSliceMut::new(&mut byte)], &mut control, RecvFlags::CMSG_CLOEXEC)
    })?;
    let listener = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut fds) => fds.next(),
        _ => None,
    });
    listener.ok_or_else(|| io::Error::other("the child has no listener"))
}

/// Answers until there is nobody left who could ask.
pub(super) fn serve(listener: BorrowedFd<'_>, on_call: &mut dyn FnMut(&Call) -> Answer) -> io::Result<()> {
    loop {
        let mut asked = [PollFd::new(&listener, PollFlags::IN)];
        retry_on_intr(|| poll(&mut asked, None))?;
        let seen = asked[0].revents();
        if !seen.contains(PollFlags::IN) {
            return Ok(());
        }
        let Some(question) = receive(listener)? else { continue };
        let answer = call(&question).map_or(Answer::Go, |call| on_call(&call));
        send(listener, question.id, answer)?;
    }
}

/// The call that is asked about; `None` if it changes nothing whoever makes it.
fn call(question: &seccomp_notif) -> Option<Call> {
    let number = libc::c_long::from(question.data.nr);
    let told = told(number)?;
    let arguments = question.data.args;
    // Looking at how a signal is handled changes nothing.
    if number == libc::SYS_rt_sigaction && arguments[1] == 0 {
        return None;
    }
    let process = Path::new("/proc").join(question.pid.to_string());
    let (address, folder) = match told.path {
        PathAt::None => (0, None),
        PathAt::Plain(at) => (arguments[at], None),
        PathAt::In(at) => (arguments[at + 1], Some(arguments[at] as i32)),
    };
    let path = match (told.path, address) {
        (PathAt::None, _) => None,
        // Whoever asks whether there is such a call gives no path.
        (_, 0) => Some(PathBuf::new()),
        (_, address) => read_path(&process, address),
    };
    let path = path.map(|path| absolute(&process, folder, path));
    let detail = if told.path == PathAt::None { arguments[0] } else { 0 };
    let name = told.name.trim_start_matches("SYS_");
    Some(Call { part: told.part, name, path, detail })
}

/// The text at an address of another process.
fn read_path(process: &Path, address: u64) -> Option<PathBuf> {
    let memory = File::open(process.join("mem")).ok()?;
    let mut text = Vec::new();
    // The next page may not be there.
    const STEP: usize = 64;
    while text.len() < MOST_PATH {
        let mut part = [0; STEP];
        let at = address + text.len() as u64;
        let wanted = STEP - (at as usize % STEP);
        let length = memory.read_at(&mut part[..wanted], at).ok().filter(|length| *length > 0)?;
        match part[..length].iter().position(|byte| *byte == 0) {
            Some(end) => {
                text.extend(&part[..end]);
                return Some(PathBuf::from(std::ffi::OsString::from_vec(text)));
            }
            None => text.extend(&part[..length]),
        }
    }
    None
}

/// The path as it is from everywhere. An empty one names what is open already.
fn absolute(process: &Path, folder: Option<i32>, path: PathBuf) -> PathBuf {
    if path.is_absolute() || path.as_os_str().is_empty() {
        return path;
    }
    let from = match folder {
        Some(folder) if folder != libc::AT_FDCWD => process.join("fd").join(folder.to_string()),
        _ => process.join("cwd"),
    };
    fs::read_link(from).map_or(path.clone(), |from| from.join(path))
}

fn filter() -> Vec<sock_filter> {
    let instruction = |code: u32, jt, jf, k| sock_filter { code: code as u16, jt, jf, k };
    let load = |offset| instruction(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset);
    let argument = |at: u32| 16 + 8 * at;
    let answer = |value| instruction(BPF_RET | BPF_K, 0, 0, value);
    let is_equal = |jt, jf, value| instruction(BPF_JMP | BPF_JEQ | BPF_K, jt, jf, value);
    let mut all = vec![load(0)];
    all.extend([is_equal(0, 1, CLONE3), answer(SECCOMP_RET_ERRNO | libc::ENOSYS as u32)]);
    for told in TOLD {
        let number = u32::try_from(told.number).expect("numbers of system calls are small");
        match told.when {
            When::Always => all.extend([is_equal(0, 1, number), answer(SECCOMP_RET_USER_NOTIF)]),
            When::AtMost(at, most) => all.extend([
                is_equal(0, 4, number),
                load(argument(at)),
                instruction(BPF_JMP | BPF_JGT | BPF_K, 1, 0, most),
                answer(SECCOMP_RET_USER_NOTIF),
                answer(SECCOMP_RET_ALLOW),
            ]),
            When::Without(bits) => all.extend([
                is_equal(0, 5, number),
                load(argument(0)),
                instruction(BPF_ALU | BPF_AND | BPF_K, 0, 0, bits),
                is_equal(0, 1, 0),
                answer(SECCOMP_RET_USER_NOTIF),
                answer(SECCOMP_RET_ALLOW),
            ]),
        }
    }
    all.push(answer(SECCOMP_RET_ALLOW));
    all
}

/// Installs a filter; its listener.
#[expect(unsafe_code, reason = "no crate here has a safe form of it")]
fn install(filter: &[sock_filter]) -> io::Result<OwnedFd> {
    let program = sock_fprog {
        len: u16::try_from(filter.len()).expect("the table is short"),
        filter: filter.as_ptr().cast_mut(),
    };
    // SAFETY: the program outlives the call, which reads it; what it returns is a new file of ours, or an error.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
            return Err(io::Error::last_os_error());
        }
        let listener = libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &raw const program,
        );
        match i32::try_from(listener) {
            Ok(listener) if listener >= 0 => Ok(OwnedFd::from_raw_fd(listener)),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// The next question; `None` if whoever asked is gone.
#[expect(unsafe_code, reason = "no crate here has a safe form of it")]
fn receive(listener: BorrowedFd<'_>) -> io::Result<Option<seccomp_notif>> {
    // SAFETY: the structure is plain numbers, for which zero is right; the kernel wants it to be zero, and fills it.
    let (question, result) = unsafe {
        let mut question: seccomp_notif = std::mem::zeroed();
        let result = libc::ioctl(listener.as_raw_fd(), RECEIVE as _, &raw mut question);
        (question, result)
    };
    if result == 0 {
        return Ok(Some(question));
    }
    gone_or(io::Error::last_os_error()).map(|()| None)
}

#[expect(unsafe_code, reason = "no crate here has a safe form of it")]
fn send(listener: BorrowedFd<'_>, id: u64, answer: Answer) -> io::Result<()> {
    let (error, flags) = match answer {
        Answer::Go => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
        Answer::Refuse => (-libc::EPERM, 0),
    };
    let mut response = seccomp_notif_resp { id, val: 0, error, flags };
    // SAFETY: the structure outlives the call, which reads it.
    let result = unsafe { libc::ioctl(listener.as_raw_fd(), SEND as _, &raw mut response) };
    if result == 0 { Ok(()) } else { gone_or(io::Error::last_os_error()) }
}

/// Whoever asked may have been killed meanwhile.
fn gone_or(error: io::Error) -> io::Result<()> {
    let is_gone = [Errno::NOENT, Errno::INTR].contains(&Errno::from_io_error(&error).unwrap_or(Errno::IO));
    if is_gone { Ok(()) } else { Err(error) }
}
