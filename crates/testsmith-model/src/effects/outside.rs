//! Functions of other crates, by path: which arguments they change, what they give back, and whether they reach
//! out of the process.

use super::report::IoKind;

/// What becomes of the arguments in the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    /// Something new.
    New,
    /// What was behind the first argument, by value.
    Content,
    /// Shared access to the arguments.
    Shared,
    /// The arguments as they are.
    Same,
}

/// A function of another crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outside {
    /// Numbers of the arguments that are changed.
    pub(super) writes: &'static [usize],
    pub(super) gives: Gives,
    pub(super) io: Option<IoKind>,
    pub(super) panics: bool,
    /// Whether the analysis knows that there is nothing else.
    pub(super) is_known: bool,
}

/// Ends of paths below `std`, `core` and `alloc`.
const WRITERS: &[(&str, &[usize], Gives)] = &[
    ("mem::swap", &[0, 1], Gives::New),
    ("mem::replace", &[0], Gives::Content),
    ("mem::take", &[0], Gives::Content),
    ("mem::forget", &[], Gives::New),
    ("mem::drop", &[], Gives::New),
    ("mem::size_of_val", &[], Gives::New),
    ("mem::discriminant", &[], Gives::New),
    ("ptr::write", &[0], Gives::New),
    ("ptr::write_bytes", &[0], Gives::New),
    ("ptr::write_unaligned", &[0], Gives::New),
    ("ptr::write_volatile", &[0], Gives::New),
    ("ptr::swap", &[0, 1], Gives::New),
    ("ptr::replace", &[0], Gives::Content),
    ("ptr::drop_in_place", &[0], Gives::New),
    ("ptr::copy", &[1], Gives::New),
    ("ptr::copy_nonoverlapping", &[1], Gives::New),
    ("ptr::read", &[], Gives::Content),
    ("ptr::read_unaligned", &[], Gives::Content),
    ("ptr::eq", &[], Gives::New),
    // What takes over the memory behind a pointer frees it in the end.
    ("Vec::from_raw_parts", &[0], Gives::Same),
    ("String::from_raw_parts", &[0], Gives::Same),
    ("Box::from_raw", &[0], Gives::Same),
    ("Rc::from_raw", &[0], Gives::Same),
    ("Arc::from_raw", &[0], Gives::Same),
    ("alloc::dealloc", &[0], Gives::New),
    ("alloc::realloc", &[0], Gives::Same),
    ("slice::from_raw_parts", &[], Gives::Shared),
    ("slice::from_ref", &[], Gives::Shared),
    ("str::from_utf8", &[], Gives::Shared),
    ("str::from_utf8_unchecked", &[], Gives::Shared),
    ("cmp::max", &[], Gives::Same),
    ("cmp::min", &[], Gives::Same),
];

/// Beginnings of paths below `std` that reach out of the process.
const REACHING: &[(&str, IoKind)] = &[
    ("fs::", IoKind::Files),
    ("net::Tcp", IoKind::Network),
    ("net::Udp", IoKind::Network),
    ("process::", IoKind::Process),
    ("env::set_", IoKind::ProcessState),
    ("env::remove_var", IoKind::ProcessState),
    ("env::", IoKind::Environment),
    ("io::stdin", IoKind::Console),
    ("io::stdout", IoKind::Console),
    ("io::stderr", IoKind::Console),
    ("io::read_to_string", IoKind::Console),
    ("time::Instant::now", IoKind::Time),
    ("time::SystemTime::now", IoKind::Time),
    ("thread::spawn", IoKind::Threads),
    ("thread::scope", IoKind::Threads),
    ("thread::park", IoKind::Threads),
];

/// Types whose methods reach out of the process.
const REACHING_TYPES: &[(&str, IoKind)] = &[
    ("File", IoKind::Files),
    ("OpenOptions", IoKind::Files),
    ("Path", IoKind::Files),
    ("PathBuf", IoKind::Files),
    ("TcpStream", IoKind::Network),
    ("TcpListener", IoKind::Network),
    ("UdpSocket", IoKind::Network),
    ("Command", IoKind::Process),
    ("Child", IoKind::Process),
    ("Stdin", IoKind::Console),
    ("Stdout", IoKind::Console),
    ("Stderr", IoKind::Console),
    ("Instant", IoKind::Time),
    ("SystemTime", IoKind::Time),
    ("JoinHandle", IoKind::Threads),
];

/// Methods of paths and times that only look at the value.
const HARMLESS: [&str; 24] = [
    "join",
    "push",
    "pop",
    "file_name",
    "extension",
    "parent",
    "components",
    "display",
    "to_string_lossy",
    "as_os_str",
    "to_path_buf",
    "with_extension",
    "strip_prefix",
    "starts_with",
    "ends_with",
    "duration_since",
    "checked_add",
    "checked_sub",
    "to_str",
    "file_stem",
    "as_path",
    "clone",
    "eq",
    "cmp",
];

/// Crates whose functions compute and nothing else.
const COMPUTING: [&str; 26] = [
    "hashbrown",
    "num_traits",
    "num_integer",
    "num_bigint",
    "smallvec",
    "arrayvec",
    "tinyvec",
    "either",
    "itertools",
    "bitflags",
    "equivalent",
    "fixedbitset",
    "indexmap",
    "memchr",
    "itoa",
    "ryu",
    "serde",
    "serde_core",
    "unicode_width",
    "unicode_segmentation",
    "unicode_linebreak",
    "smawk",
    "ahash",
    "fxhash",
    "rustc_hash",
    "ordered_float",
];

/// Names of the prelude, with functions below them.
const PRELUDE: [&str; 35] = [
    "Vec",
    "String",
    "Option",
    "Result",
    "Box",
    "Some",
    "None",
    "Ok",
    "Err",
    "Default",
    "Clone",
    "Iterator",
    "IntoIterator",
    "FromIterator",
    "Extend",
    "From",
    "Into",
    "TryFrom",
    "TryInto",
    "AsRef",
    "AsMut",
    "ToString",
    "ToOwned",
    "PartialEq",
    "PartialOrd",
    "Eq",
    "Ord",
    "Drop",
    "Fn",
    "FnMut",
    "FnOnce",
    "drop",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Send",
];

/// Whether a path leads into the standard library.
pub(super) fn is_std(path: &[String]) -> bool {
    let Some(first) = path.first() else { return false };
    matches!(first.as_str(), "std" | "core" | "alloc")
        || PRELUDE.contains(&first.as_str())
        || super::convert::PRIMS.contains(&first.as_str())
}

/// Whether a crate only computes.
pub(super) fn is_computing(root: &str) -> bool {
    COMPUTING.contains(&root)
}

/// What a function of another crate does.
pub(super) fn function(path: &[String]) -> Outside {
    let mut known = Outside { writes: &[], gives: Gives::Same, io: None, panics: false, is_known: true };
    let root = path.first().map(String::as_str).unwrap_or_default();
    if !is_std(path) {
        known.is_known = is_computing(root);
        known.io = matches!(root, "rand" | "getrandom" | "fastrand").then_some(IoKind::Random);
        return known;
    }
    let below = match path.split_first() {
        Some((_, rest)) if matches!(root, "std" | "core" | "alloc") => rest.join("::"),
        _ => path.join("::"),
    };
    let below = below.strip_prefix("intrinsics::").unwrap_or(&below);
    let is_meant = |end: &str| end == below || ends(end, below) || ends(below, end);
    if let Some((_, writes, gives)) = WRITERS.iter().find(|(end, ..)| is_meant(end)) {
        (known.writes, known.gives) = (writes, *gives);
    }
    known.io = REACHING.iter().find(|(start, _)| below.starts_with(start)).map(|(_, kind)| *kind);
    known.panics = below.starts_with("panic::") || below.contains("handle_alloc_error");
    known
}

/// Whether a path ends with the names of another.
fn ends(path: &str, with: &str) -> bool {
    path.strip_suffix(with).is_some_and(|before| before.ends_with("::"))
}

/// What a method of a foreign type reaches.
pub(super) fn reached_by(ty: &str, method: &str) -> Option<IoKind> {
    let kind = REACHING_TYPES.iter().find(|(name, _)| *name == ty).map(|(_, kind)| *kind);
    kind.filter(|_| !HARMLESS.contains(&method))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split("::").map(str::to_owned).collect()
    }

    #[test]
    fn functions_are_found_by_their_path() {
        assert_eq!(function(&path("std::mem::swap")).writes, [0, 1]);
        assert_eq!(function(&path("core::ptr::copy")).writes, [1]);
        assert_eq!(function(&path("alloc::vec::Vec::from_raw_parts")).writes, [0]);
        assert_eq!(function(&path("drop")).gives, Gives::New);
        assert_eq!(function(&path("std::fs::read")).io, Some(IoKind::Files));
        assert_eq!(function(&path("std::time::Instant::now")).io, Some(IoKind::Time));
        assert!(function(&path("std::cmp::max")).is_known);
        assert!(function(&path("u32::from_str_radix")).is_known);
        assert!(!function(&path("libc::getpid")).is_known);
        assert_eq!(reached_by("Path", "exists"), Some(IoKind::Files));
        assert_eq!(reached_by("Path", "join"), None);
    }
}
