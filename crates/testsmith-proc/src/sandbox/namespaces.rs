//! Namespaces: the program sees the file system read-only but for its writable folders, has a temporary folder and a network
//! of its own, and no privileges are needed for that. [`enter`] does it to this process.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixDatagram;
use std::path::{Component, Path, PathBuf};

use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind_recursive, mount_change};
use rustix::process::{getgid, getuid};
use rustix::thread::{CapabilitySet, UnshareFlags, capabilities, unshare_unsafe};

/// Where programs expect a folder for temporary files, whatever `TMPDIR` says.
const TMP: &str = "/tmp";
/// Where services of the system and of the user can be talked to.
const SERVICES: &str = "/run";
/// Where the C library keeps shared memory.
const SHARED_MEMORY: &str = "/dev/shm";

/// `SIOCSIFFLAGS`, which `libc` does not have for Linux.
const SET_INTERFACE_FLAGS: libc::Ioctl = 0x8914;

/// A step of [`enter`] that the system has refused.
#[derive(Debug)]
pub(super) struct Refused {
    step: &'static str,
    error: io::Error,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.step, self.error)
    }
}

/// Says which step an error belongs to.
trait Step<T> {
    fn step(self, step: &'static str) -> Result<T, Refused>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, step: &'static str) -> Result<T, Refused> {
        self.map_err(|error| Refused { step, error: error.into() })
    }
}

/// Puts this process into namespaces of its own. `tmp` stands at `/tmp` from then on; what lies there of the `shown` paths and
/// of the writable folders is still to be found under its name.
pub(super) fn enter(tmp: &Path, writable: &[PathBuf], shown: &[PathBuf]) -> Result<(), Refused> {
    let here = std::env::current_dir().step("find the working directory")?;
    unshare()?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .step("keep mounts private")?;
    let writable: Vec<PathBuf> = writable.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
    for folder in &writable {
        mount_bind_recursive(folder, folder).step("bind a writable folder")?;
    }
    let needed: Vec<&PathBuf> = [&here].into_iter().chain(&writable).chain(shown).collect();
    let has_own_tmp = bind_tmp(tmp, &needed)?;
    hide_services(&needed)?;
    // Where it cannot be had, as without the folder, programs have no shared memory.
    let has_shared_memory =
        mount("tmpfs", SHARED_MEMORY, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, None).is_ok();
    set_read_only(Path::new("/"), true).step("make the file system read-only")?;
    let own = [(TMP, has_own_tmp), (SHARED_MEMORY, has_shared_memory)];
    let own = own.into_iter().filter(|(_, is_there)| *is_there).map(|(path, _)| Path::new(path));
    for folder in own.chain(writable.iter().map(PathBuf::as_path)) {
        set_read_only(folder, false).step("make a folder writable")?;
    }
    // The one that was entered before is that of the old mount.
    std::env::set_current_dir(&here).step("enter the working directory again")?;
    start_loopback().step("start the loopback network")
}

/// The namespaces themselves. Who may do so makes them without a user namespace, in which files of other users would be
/// out of reach.
fn unshare() -> Result<(), Refused> {
    let flags = UnshareFlags::NEWNS | UnshareFlags::NEWNET | UnshareFlags::NEWUTS | UnshareFlags::NEWIPC;
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    let held = capabilities(None).step("look at the capabilities")?;
    if held.effective.contains(CapabilitySet::SYS_ADMIN) && call_unshare(flags).is_ok() {
        return Ok(());
    }
    call_unshare(flags | UnshareFlags::NEWUSER).step("user namespaces")?;
    let write = |file: &str, text: String| fs::write(file, text).step("map the user");
    write("/proc/self/setgroups", "deny".to_owned())?;
    write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    write("/proc/self/gid_map", format!("{group} {group} 1"))
}

fn call_unshare(flags: UnshareFlags) -> rustix::io::Result<()> {
    // SAFETY: files stay shared, and there is one thread.
    #[expect(unsafe_code, reason = "the call is unsafe for the sake of another flag")]
    unsafe {
        unshare_unsafe(flags)
    }
}

/// Puts a folder at `/tmp`, and into it what is needed of the old one. Whether there is such a folder.
fn bind_tmp(tmp: &Path, needed: &[&PathBuf]) -> Result<bool, Refused> {
    if !Path::new(TMP).is_dir() {
        return Ok(false);
    }
    bind_entries(TMP, Path::new(TMP), tmp, needed)?;
    mount_bind_recursive(tmp, TMP).step("bind the temporary folder")?;
    Ok(true)
}

/// Puts an empty folder where sockets of services are: a socket can be connected on a file system that cannot be written.
fn hide_services(needed: &[&PathBuf]) -> Result<(), Refused> {
    if !Path::new(SERVICES).is_dir() {
        return Ok(());
    }
    let old = File::open(SERVICES).step("open the folder of services")?;
    mount("tmpfs", SERVICES, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, None).step("hide services")?;
    let old = PathBuf::from(format!("/proc/self/fd/{}", old.as_raw_fd()));
    bind_entries(SERVICES, &old, Path::new(SERVICES), needed)
}

/// Binds those folders in `old`, which is also `name`, that lead to paths that are needed, to the same places in `new`.
fn bind_entries(name: &str, old: &Path, new: &Path, needed: &[&PathBuf]) -> Result<(), Refused> {
    let entries: BTreeSet<PathBuf> = needed.iter().filter_map(|path| entry_of(name, path)).collect();
    for entry in entries {
        let (old, new) = (old.join(&entry), new.join(&entry));
        if old.is_dir() {
            fs::create_dir_all(&new).step("make a folder to bind to")?;
            mount_bind_recursive(&old, &new).step("bind a folder")?;
        }
    }
    Ok(())
}

/// The entry of a folder that leads to a path below it.
fn entry_of(folder: &str, path: &Path) -> Option<PathBuf> {
    match path.strip_prefix(folder).ok()?.components().next()? {
        Component::Normal(name) => Some(PathBuf::from(name)),
        _ => None,
    }
}

/// Says whether files below can be written: of this mount, or where they become read-only of all below it.
fn set_read_only(folder: &Path, is_read_only: bool) -> io::Result<()> {
    let flag = libc::MOUNT_ATTR_RDONLY;
    let attributes = libc::mount_attr {
        attr_set: if is_read_only { flag } else { 0 },
        attr_clr: if is_read_only { 0 } else { flag },
        propagation: 0,
        userns_fd: 0,
    };
    let path = CString::new(folder.as_os_str().as_bytes())?;
    let how = if is_read_only { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path and the structure outlive the call, which reads as many bytes as it is told.
    #[expect(unsafe_code, reason = "no crate here has a safe form of it")]
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            how,
            &raw const attributes,
            size_of_val(&attributes),
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// A new network has one interface, which is down.
fn start_loopback() -> io::Result<()> {
    let mut name = [0; libc::IFNAMSIZ];
    name[..2].copy_from_slice(&[b'l' as libc::c_char, b'o' as libc::c_char]);
    let flags =
        libc::__c_anonymous_ifr_ifru { ifru_flags: (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short };
    let request = libc::ifreq { ifr_name: name, ifr_ifru: flags };
    // Any socket will do.
    let socket = UnixDatagram::unbound()?;
    // SAFETY: the request outlives the call, which reads it.
    #[expect(unsafe_code, reason = "no crate here has a safe form of it")]
    let result = unsafe { libc::ioctl(socket.as_raw_fd(), SET_INTERFACE_FLAGS, &raw const request) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_below_the_temporary_folder_is_shown_in_the_other_one() {
        for (path, expected) in
            [("/tmp/a/b", Some("a")), ("/tmp/a", Some("a")), ("/tmp", None), ("/tmpfs/a", None)]
        {
            assert_eq!(entry_of(TMP, Path::new(path)), expected.map(PathBuf::from), "{path}");
        }
    }
}
