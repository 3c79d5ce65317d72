//! A harness as the tool would generate it, over std's types and a few functions with mutants.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{CString, OsString};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use testsmith_rt::harness::Tables;
use testsmith_rt::{bin, call, cmp, keep, kind, may, maybe, sel, tick};

/// No trait but what is needed to compare two of them.
pub(crate) struct Opaque(pub(crate) i32);

impl PartialEq for Opaque {
    fn eq(&self, other: &Opaque) -> bool {
        match sel(9, 1) {
            0 => self.0 == other.0,
            _ => self.0 != other.0,
        }
    }
}

impl PartialOrd for Opaque {
    fn partial_cmp(&self, other: &Opaque) -> Option<std::cmp::Ordering> {
        self.0.partial_cmp(&other.0)
    }
}

/// Shows itself, unless it must not.
#[derive(Clone)]
pub(crate) struct Shown(pub(crate) i32);

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        assert!(self.0 >= 0, "nobody may see this");
        write!(f, "Shown({}) at {:p}", self.0, self)
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Notes when it is dropped, and panics where it is negative.
pub(crate) struct Noted(pub(crate) i32);

thread_local! {
    pub(crate) static DROPPED: Cell<i64> = const { Cell::new(0) };
}

impl Drop for Noted {
    fn drop(&mut self) {
        DROPPED.with(|dropped| dropped.set(dropped.get() * 10 + i64::from(self.0)));
        assert!(self.0 >= 0, "dropped {}", self.0);
    }
}

/// `if x < 10 { x + 1 } else { 100 }`, with mutants 1–3 of the comparison, 4 of the sum, 5 of the literal.
pub(crate) fn clamp(x: i32) -> i32 {
    tick();
    let small = match cmp(1, 3, b"<l>=", &x, &10) {
        0 => x < 10,
        1 => x <= 10,
        2 => x > 10,
        _ => x == 10,
    };
    if small {
        match bin(4, 1, b"+-", &x, &1) {
            0 => x + 1,
            _ => x - 1,
        }
    } else {
        match sel(5, 1) {
            0 => 100,
            _ => 101,
        }
    }
}

/// Mutant 6 never ends.
pub(crate) fn count_down(mut n: u32) -> u32 {
    let mut steps = 0;
    while n > 0 {
        tick();
        if keep(6) {
            n -= 1;
        }
        steps += 1;
    }
    steps
}

/// Mutant 7 aborts, mutant 8 has no value.
pub(crate) fn delicate(x: i32) -> Option<i32> {
    if sel(7, 1) != 0 {
        std::process::abort();
    }
    match may(8, 1) {
        0 => Some(x),
        _ => None,
    }
}

/// Stops at `n` frames.
pub(crate) fn recurse(n: u32) -> u32 {
    tick();
    let room = std::hint::black_box([n; 64]);
    if n == 0 {
        return 0;
    }
    recurse(n - 1) + room[1].min(1)
}

/// Loops; whoever unwinds it is caught, and it loops again.
pub(crate) fn stubborn() -> u32 {
    (0..2)
        .filter(|_| {
            std::panic::catch_unwind(|| {
                while std::hint::black_box(true) {
                    tick()
                }
            })
            .is_ok()
        })
        .count() as u32
}

/// A vector whose elements take ticks to drop.
pub(crate) struct Slow;

impl Drop for Slow {
    fn drop(&mut self) {
        (0..1_000_000).for_each(|_| tick());
    }
}

macro_rules! numbers {
    ($($name:ident)*) => { numbers!(0u32, $($name)*); };
    ($next:expr, $name:ident $($rest:ident)*) => {
        pub(crate) const $name: u32 = $next;
        numbers!($next + 1, $($rest)*);
    };
    ($next:expr,) => {};
}

numbers! {
    CLAMP COUNT_DOWN DELICATE RECURSE STUBBORN
    UPPER LEN PUSH FIRST SUM REVERSE LIST TAIL
    UNWRAP PARSE MAYBE_PARSE BOOM THROW
    OPAQUE SHOWN NOTED SLOW KEEP
    ITER NEXT MAP ADD ENDLESS SWAP HOOK EXIT SPAWN SLEEP PAIR JOIN GET_MUT COUNTER STRANGER INCREMENT READ_INT
    BOXED_TEXT COW_TEXT PATH PATH_LEN OS OS_LEN C_TEXT C_LEN
}

pub(crate) const MUTANTS: u32 = 9;

pub(crate) fn tables() -> Tables {
    let kinds = vec![
        kind!(0, i32),
        kind!(1, ::std::string::String),
        kind!(2, &'static str),
        kind!(3, Vec<i32>),
        kind!(4, Opaque),
        kind!(5, Shown),
        kind!(6, Noted),
        kind!(9, ::std::primitive::i32),
        kind!(8, ::std::slice::Iter<'static, i32>),
    ];
    let calls = vec![
        call!(CLAMP, |f| clamp(f.value::<i32>(0))),
        call!(COUNT_DOWN, |f| count_down(f.value::<u32>(0))),
        call!(DELICATE, |f| match delicate(f.value::<i32>(0)) {
            Some(value) => value,
            None => f.absent(),
        }),
        call!(RECURSE, |f| recurse(f.value::<u32>(0))),
        call!(STUBBORN, |_f| stubborn()),
        call!(UPPER, known | f | f.text(0).to_uppercase()),
        call!(LEN, |f| <Vec<i32>>::len(f.shared::<Vec<i32>>(0))),
        call!(PUSH, |f| <Vec<i32>>::push(f.exclusive::<Vec<i32>>(0), f.value::<i32>(1))),
        call!(FIRST, |f| match f.slice::<i32>(0).first() {
            Some(first) => first,
            None => f.absent(),
        }),
        call!(SUM, |f| f.slice::<i32>(0).iter().sum::<i32>()),
        call!(REVERSE, |f| f.slice_mut::<i32>(0).reverse()),
        call!(LIST, |f| f.list::<i32>()),
        call!(TAIL, |f| (f.value::<i32>(0), f.list::<i32>())),
        call!(UNWRAP, |f| f.value::<Option<i32>>(0).expect("a value")),
        call!(PARSE, |f| f.text(0).parse::<i32>().ok()),
        maybe!(MAYBE_PARSE, known | f | f.text(0).parse::<i32>().ok()),
        call!(BOOM, |f| {
            let value = f.value::<i32>(0);
            assert!(value != 7, "boom at {value}");
            value
        }),
        call!(THROW, |_f| -> () { std::panic::resume_unwind(Box::new("thrown")) }),
        call!(OPAQUE, |f| Opaque(f.value::<i32>(0))),
        call!(SHOWN, known | f | Shown(f.value::<i32>(0))),
        call!(NOTED, |f| Noted(f.value::<i32>(0))),
        call!(SLOW, |_f| vec![Slow, Slow]),
        call!(KEEP, |f| f.value::<Noted>(0)),
        call!(ITER, |f| f.slice::<i32>(0).iter()),
        call!(NEXT, |f| f.exclusive::<std::slice::Iter<'static, i32>>(0).next()),
        call!(MAP, |f| f.list::<i32>().into_iter().map(|n| (n, n.to_string())).collect::<HashMap<_, _>>()),
        call!(ADD, |f| f.value::<i32>(0) + f.value::<i32>(1)),
        call!(ENDLESS, |_f| -> () {
            loop {
                tick()
            }
        }),
        call!(SWAP, |f| std::mem::swap(f.exclusive::<Vec<i32>>(0), f.exclusive::<Vec<i32>>(1))),
        call!(HOOK, |_f| std::panic::set_hook(Box::new(|_| std::process::abort()))),
        call!(EXIT, |f| -> () { std::process::exit(f.value::<i32>(0)) }),
        call!(SPAWN, |_f| drop(std::thread::spawn(|| loop {
            std::thread::park()
        }))),
        call!(SLEEP, |_f| std::thread::sleep(std::time::Duration::from_secs(100))),
        call!(PAIR, |f| (f.value::<i32>(0), 'x')),
        call!(JOIN, |_f| std::thread::spawn(|| while std::hint::black_box(true) {
            tick()
        })
        .join()
        .is_ok()),
        call!(GET_MUT, |f| match f.slice_mut::<i32>(0).first_mut() {
            Some(first) => first,
            None => f.absent(),
        }),
        call!(COUNTER, |_f| {
            static CALLS: AtomicU32 = AtomicU32::new(0);
            CALLS.fetch_add(1, Ordering::Relaxed)
        }),
        call!(STRANGER, known | _f | Some('x')),
        call!(INCREMENT, |f| *f.exclusive::<i32>(0) += 1),
        call!(READ_INT, |f| *f.shared::<i32>(0)),
        call!(BOXED_TEXT, |f| f.text(0).to_owned().into_boxed_str()),
        call!(COW_TEXT, |f| Cow::Borrowed(f.text(0))),
        call!(PATH, |f| PathBuf::from(f.text(0))),
        call!(PATH_LEN, |f| f.path(0).components().count()),
        call!(OS, |f| OsString::from(f.text(0))),
        call!(OS_LEN, |f| f.os_text(0).len()),
        maybe!(C_TEXT, |f| CString::new(f.text(0)).ok()),
        call!(C_LEN, |f| f.c_text(0).to_bytes_with_nul().len()),
        // A hole, and out of order.
        call!(1000, |_f| 1u8),
        call!(900, |_f| ()),
    ];
    Tables { mutants: MUTANTS, kinds, calls }
}
