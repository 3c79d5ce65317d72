//! The key of the heap: a random number of each process that glibc writes into memory that is freed, to notice when it is
//! freed twice. A mutant that reads such memory finds it, so it is made a number that is known.
//!
//! Nobody offers the variable that holds it. It is looked for among the variables of all libraries by its value, and what
//! comes of it is looked at: where anything is not as expected, as with another C library, all is left as it was.

/// Makes the key one that is made of `salt`. To be called while there is one thread.
#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
pub(super) fn fix(salt: usize) {
    let wanted = KEY + salt;
    let found = glibc::key();
    if found == 0 || found == wanted {
        return;
    }
    if let [place] = glibc::variables_that_are(found).as_slice() {
        glibc::write(*place, wanted);
        if glibc::key() != wanted {
            glibc::write(*place, found);
        }
    }
}

/// No address and no small number looks like it.
#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
const KEY: usize = 0x5eed_f4ee_d0b1_e500;

/// Elsewhere there is none.
#[cfg(not(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")))]
pub(super) fn fix(_salt: usize) {}

#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
mod glibc {
    //! Looks at, and changes, what belongs to the C library.
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::ffi::c_void;
    use std::hint::black_box;
    use std::ops::Range;

    const WORD: usize = std::mem::size_of::<usize>();
    const LOADED: u32 = 1;
    const WRITABLE: u32 = 2;

    /// `dl_phdr_info`, as far as it is needed.
    #[repr(C)]
    struct Library {
        base: usize,
        name: *const c_void,
        segments: *const Segment,
        count: u16,
    }

    /// `Elf64_Phdr`.
    #[repr(C)]
    struct Segment {
        kind: u32,
        flags: u32,
        offset: usize,
        address: usize,
        physical: usize,
        size_in_file: usize,
        size: usize,
        align: usize,
    }

    type Visit = extern "C" fn(*const Library, usize, *mut c_void) -> i32;

    extern "C" {
        fn dl_iterate_phdr(visit: Visit, data: *mut c_void) -> i32;
    }

    /// What the second word of a small block is after it was freed; 0 if that is not written.
    pub(super) fn key() -> usize {
        let layout = Layout::new::<[usize; 3]>();
        // SAFETY: the layout has a size. What is read after the end of the block is still a part of the heap, because
        // small blocks are kept; the compiler does not know where it comes from.
        unsafe {
            let block = System.alloc_zeroed(layout);
            let address = black_box(block as usize);
            System.dealloc(block, layout);
            if address == 0 {
                0
            } else {
                black_box((address + WORD) as *const usize).read_volatile()
            }
        }
    }

    /// Addresses of all variables of libraries and of the program that have this value.
    pub(super) fn variables_that_are(value: usize) -> Vec<usize> {
        let words = |range: Range<usize>| (range.start..range.end.saturating_sub(WORD - 1)).step_by(WORD);
        // SAFETY: these are loaded, and nobody unloads any while there is one thread.
        let has_value = |at: &usize| unsafe { (*at as *const usize).read_volatile() } == value;
        writable_segments().into_iter().flat_map(words).filter(has_value).collect()
    }

    /// Writes a variable.
    pub(super) fn write(place: usize, value: usize) {
        // SAFETY: it is where the key was found, and nothing else has that value.
        unsafe { (place as *mut usize).write_volatile(value) }
    }

    fn writable_segments() -> Vec<Range<usize>> {
        extern "C" fn visit(library: *const Library, _size: usize, found: *mut c_void) -> i32 {
            // SAFETY: both are what this was called for.
            let (library, found) = unsafe { (&*library, &mut *found.cast::<Vec<Range<usize>>>()) };
            // SAFETY: so many there are.
            let segments = unsafe { std::slice::from_raw_parts(library.segments, library.count.into()) };
            let is_variable = |it: &&Segment| it.kind == LOADED && it.flags & WRITABLE != 0;
            found.extend(segments.iter().filter(is_variable).map(|segment| {
                let first = (library.base + segment.address + WORD - 1) & !(WORD - 1);
                first..library.base + segment.address + segment.size
            }));
            0
        }
        let mut found: Vec<Range<usize>> = Vec::new();
        // SAFETY: what `visit` is given is the list.
        unsafe { dl_iterate_phdr(visit, std::ptr::addr_of_mut!(found).cast()) };
        found
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
mod tests {
    use super::*;

    /// Where there is a key at all, as from glibc 2.34 on.
    #[test]
    fn the_key_is_known_afterwards() {
        let is_there = glibc::variables_that_are(glibc::key()).len() == 1;
        fix(3);
        // Other tests fix it as well.
        assert!(!is_there || glibc::key() & !0xff == KEY);
    }
}
