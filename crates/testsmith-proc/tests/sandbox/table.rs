//! The table of attempts: what is expected of each, and which guard sees to it.

use std::io;

use testsmith_proc::sandbox::{Guard, Policy};

use crate::attempts::{self, Place};

/// What becomes of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is done.
    Works,
    /// It fails with one of these errors.
    Fails(&'static [i32]),
    /// The program is ended by this signal.
    Dies(i32),
}

use Outcome::{Dies, Fails, Works};

/// Permission is denied, in one of the kernel's three ways: landlock answers with the last one where a
/// name would move to another folder.
const REFUSED: Outcome = Fails(&[libc::EPERM, libc::EACCES, libc::EXDEV]);
/// By seccomp.
const FORBIDDEN: Outcome = Fails(&[libc::EPERM]);

/// One attempt.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) guard: Guard,
    /// In the sandbox.
    pub(crate) sandboxed: Outcome,
    /// Without a sandbox, where it is safe to try: otherwise the sandbox might get the credit for an attempt
    /// that would have failed anyway.
    pub(crate) free: Option<Outcome>,
    pub(crate) attempt: fn(&Place) -> io::Result<()>,
    /// Changes to the policy that all have.
    pub(crate) policy: fn(&mut Policy),
}

const fn row(
    name: &'static str,
    guard: Guard,
    sandboxed: Outcome,
    free: Option<Outcome>,
    attempt: fn(&Place) -> io::Result<()>,
) -> Row {
    Row { name, guard, sandboxed, free, attempt, policy: |_| {} }
}

const OK: Option<Outcome> = Some(Works);

/// Rows that end in another way where the program has namespaces of its own: files outside are read-only, and the network
/// and shared memory are its own.
pub(crate) fn in_namespaces(row: &Row) -> Outcome {
    let read_only = Fails(&[libc::EROFS, libc::EXDEV]);
    match (row.guard, row.name) {
        (_, "read the parent's environment") => row.sandboxed,
        (_, "connect to a unix socket") => Fails(&[libc::ENOENT]),
        (_, "write outside by a shell") => Fails(&[libc::EACCES]),
        (_, "connect by TCP") => Fails(&[libc::ECONNREFUSED]),
        (_, "use packets") => row.sandboxed,
        (Guard::Files, _) if row.sandboxed == REFUSED => read_only,
        (Guard::Attributes, _) => read_only,
        (Guard::Network, _) => Works,
        (_, "leave the process group" | "use shared memory") => Works,
        _ => row.sandboxed,
    }
}

/// Every attempt.
pub(crate) const ROWS: &[Row] = &[
    row("create a file outside", Guard::Files, REFUSED, OK, attempts::create),
    row("overwrite a file outside", Guard::Files, REFUSED, OK, attempts::overwrite),
    row("append to a file outside", Guard::Files, REFUSED, OK, attempts::append),
    row("delete a file outside", Guard::Files, REFUSED, OK, attempts::delete),
    row("make a folder outside", Guard::Files, REFUSED, OK, attempts::make_folder),
    row("remove a folder outside", Guard::Files, REFUSED, OK, attempts::remove_folder),
    row("rename outside", Guard::Files, REFUSED, OK, attempts::rename),
    row("rename from outside to inside", Guard::Files, REFUSED, OK, attempts::take_away),
    row("rename from inside to outside", Guard::Files, REFUSED, OK, attempts::put_there),
    row("rename over a file outside", Guard::Files, REFUSED, OK, attempts::put_over),
    row("make a symlink outside", Guard::Files, REFUSED, OK, attempts::make_symlink),
    row("link a file outside to a name inside", Guard::Files, REFUSED, OK, attempts::link_to_inside),
    row("write through a symlink", Guard::Files, REFUSED, OK, attempts::write_through_symlink),
    row("truncate outside", Guard::Files, REFUSED, OK, attempts::truncate),
    row("truncate by opening for reading", Guard::Files, REFUSED, OK, attempts::truncate_by_reading),
    row("make a pipe outside", Guard::Files, REFUSED, OK, attempts::make_pipe),
    row("write outside by a shell", Guard::Files, REFUSED, OK, attempts::write_by_shell),
    row("chmod outside", Guard::Attributes, FORBIDDEN, OK, attempts::chmod),
    row("chmod outside by a handle, without effect", Guard::Attributes, Works, OK, attempts::chmod_by_handle),
    row("chown outside", Guard::Attributes, FORBIDDEN, OK, attempts::change_owner),
    row("change the time of a file outside", Guard::Attributes, FORBIDDEN, OK, attempts::change_time),
    row("set an attribute outside", Guard::Attributes, FORBIDDEN, None, attempts::set_attribute),
    row("work with files inside", Guard::Files, Works, OK, attempts::work_inside),
    row("read anything", Guard::Files, Works, OK, attempts::read_anything),
    row("write to /dev/null", Guard::Files, Works, OK, attempts::write_to_nowhere),
    row("start a program", Guard::System, Works, OK, attempts::start_program),
    row("start a thread", Guard::System, Works, OK, attempts::start_thread),
    row("talk over a connected pair", Guard::Network, Works, OK, attempts::talk_to_itself),
    row("connect by TCP", Guard::Network, FORBIDDEN, Some(Fails(&[libc::ECONNREFUSED])), attempts::connect),
    row("listen by TCP", Guard::Network, FORBIDDEN, OK, attempts::listen),
    row("listen by TCP over IPv6", Guard::Network, FORBIDDEN, None, attempts::listen_v6),
    row("use UDP", Guard::Network, FORBIDDEN, OK, attempts::udp),
    row("connect to a unix socket", Guard::Network, FORBIDDEN, None, attempts::connect_unix),
    row("listen at a unix socket", Guard::Network, FORBIDDEN, OK, attempts::listen_unix),
    row("make a pair for datagrams", Guard::Network, FORBIDDEN, OK, attempts::datagrams),
    row("use netlink", Guard::Network, FORBIDDEN, OK, attempts::netlink),
    row("use packets", Guard::Network, FORBIDDEN, None, attempts::packets),
    row("signal the parent", Guard::Signals, FORBIDDEN, OK, attempts::signal_parent),
    row("signal the parent's group", Guard::Signals, FORBIDDEN, OK, attempts::signal_group_of_parent),
    row("kill a child of its own", Guard::Signals, Works, OK, attempts::kill_own_child),
    row("trace the parent", Guard::Tracing, FORBIDDEN, None, attempts::trace_parent),
    row("read the parent's memory", Guard::Tracing, FORBIDDEN, None, attempts::read_memory_of_parent),
    row("read the parent's environment", Guard::Files, REFUSED, OK, attempts::read_environment_of_parent),
    row("see the parent's limits", Guard::System, FORBIDDEN, OK, attempts::limit_parent),
    row("leave the process group", Guard::Group, FORBIDDEN, OK, attempts::leave_group),
    row("mount", Guard::System, FORBIDDEN, None, attempts::mount),
    row("unshare", Guard::System, FORBIDDEN, None, attempts::unshare),
    row("clone into a namespace", Guard::System, FORBIDDEN, None, attempts::clone_namespace),
    row("use bpf", Guard::System, FORBIDDEN, None, attempts::bpf),
    row("use keys", Guard::System, FORBIDDEN, None, attempts::keys),
    row("use io_uring", Guard::System, FORBIDDEN, None, attempts::io_uring),
    row("use shared memory", Guard::System, FORBIDDEN, None, attempts::shared_memory),
    row("type into the terminal", Guard::System, FORBIDDEN, None, attempts::type_into_terminal),
    #[cfg(target_arch = "x86_64")]
    row("use the second ABI", Guard::System, Fails(&[libc::ENOSYS]), None, attempts::second_abi),
    row("have no privileges", Guard::Privileges, Works, None, attempts::has_no_privileges),
    row("have no file open", Guard::Handles, Works, None, attempts::has_no_files_open),
    row("allocate 2 GiB", Guard::Memory, Fails(&[libc::ENOMEM]), OK, attempts::allocate),
    row("open 200 files", Guard::OpenFiles, Fails(&[libc::EMFILE]), OK, attempts::open_many_files),
    row("compute for ever", Guard::Cpu, Dies(libc::SIGXCPU), None, attempts::compute_for_ever),
    row("write without end", Guard::FileSize, Dies(libc::SIGXFSZ), OK, attempts::write_without_end),
    Row {
        policy: |policy| policy.processes = Some(5),
        ..row(
            "start 2000 processes",
            Guard::Processes,
            Fails(&[libc::EAGAIN]),
            None,
            attempts::start_many_processes,
        )
    },
    Row {
        policy: |policy| policy.processes = Some(0),
        ..row(
            "start a process where none is allowed",
            Guard::Processes,
            Fails(&[libc::EAGAIN]),
            OK,
            attempts::start_one_process,
        )
    },
    Row {
        policy: |policy| policy.processes = Some(0),
        ..row(
            "start a thread where no process is allowed",
            Guard::Processes,
            Works,
            OK,
            attempts::start_thread,
        )
    },
];
