//! Tiny sources in, effects out, one line for each function:
//! `path(param: verdict, …) pure | defines … uses … reads … writes … io … unknown … unsafe interior panics`.
//! Verdicts are `-` for safe, `r` for read-only, `rw` for read-write.

use super::*;
use crate::{Module, SourceFile};

fn tree(text: &str) -> SourceTree {
    let file = SourceFile::parse("lib.rs".into(), "lib.rs".into(), 0, Module::default(), text.into());
    SourceTree { files: vec![file.expect("the source of a test parses")], skipped: Vec::new() }
}

fn effects(text: &str) -> Effects {
    analyse(&tree(text), 0, &CfgSet::parse("unix"))
}

fn line(function: &FunctionEffects) -> String {
    let params = function.params.iter().map(|param| {
        let verdict = match param.purity {
            Purity::Safe => "-",
            Purity::ReadOnly => "r",
            Purity::ReadWrite => "rw",
        };
        format!("{}: {verdict}", param.name)
    });
    let mut text = format!("{}({})", function.path, params.collect::<Vec<_>>().join(", "));
    let mut list = |word: &str, names: Vec<String>| {
        if !names.is_empty() {
            text += &format!(" {word} {}", names.join(" "));
        }
    };
    list("defines", function.defines.iter().map(ToString::to_string).collect());
    list("uses", function.uses.iter().map(ToString::to_string).collect());
    list("reads", function.statics_read.iter().cloned().collect());
    list("writes", function.statics_written.iter().cloned().collect());
    list("io", function.io.iter().map(|kind| format!("{kind:?}")).collect());
    list("unknown", function.unknown_calls.iter().cloned().collect());
    let flags = [
        (function.uses_unsafe, "unsafe"),
        (function.uses_interior, "interior"),
        (function.may_panic, "panics"),
        (function.is_pure(), "pure"),
    ];
    for (_, word) in flags.iter().filter(|(holds, _)| *holds) {
        text += &format!(" {word}");
    }
    text
}

/// Each row is a source and what is said of some of its functions; the others are helpers.
fn check(rows: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (source, expected) in rows {
        let effects = effects(source);
        let found: Vec<_> = effects.functions().iter().map(line).collect();
        for expected in *expected {
            let path = expected.split('(').next().unwrap_or_default();
            let same: Vec<_> = found.iter().filter(|line| line.split('(').next() == Some(path)).collect();
            if !same.iter().any(|line| line == expected) {
                wrong.push(format!("in {source}\n  expected {expected}\n  found    {same:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn parameters_by_value_cannot_be_changed_for_the_caller() {
    check(&[
        ("fn f(n: u32) -> u32 { n + 1 }", &["f(n: -) pure"]),
        ("fn f(s: String) -> usize { s.len() }", &["f(s: r) pure"]),
        ("fn f(mut v: Vec<u8>) -> Vec<u8> { v.push(1); v }", &["f(v: r) pure"]),
        ("fn f(_: &mut Vec<u8>, unused: &str) {}", &["f(_: -, unused: -) pure"]),
        ("fn f(x: &mut u8) { let _ = x; }", &["f(x: -) pure"]),
        ("#[derive(Clone, Copy)] struct P { x: i32 } fn f(p: P) -> i32 { p.x }", &["f(p: -) uses P.x pure"]),
        (
            "struct B { n: u32 } impl B { fn with(mut self, n: u32) -> Self { self.n = n; self } }",
            &["B::with(self: r, n: -) defines B.n pure"],
        ),
        ("fn f(o: Option<u8>, t: (u8, char)) -> bool { o.is_some() && t.0 > 1 }", &["f(o: -, t: -) pure"]),
    ]);
}

#[test]
fn references_are_judged_by_what_the_body_does() {
    check(&[
        ("fn f(v: &Vec<u8>) -> usize { v.len() }", &["f(v: -) pure"]),
        ("fn f(v: &mut Vec<u8>) { v.push(1) }", &["f(v: rw)"]),
        ("fn f(v: &mut Vec<u8>) -> usize { v.len() }", &["f(v: -) pure"]),
        ("fn f(n: &mut u32) { *n += 1 }", &["f(n: rw)"]),
        ("fn f(n: &mut u32) { let m = n; *m = 1 }", &["f(n: rw)"]),
        ("fn f(n: &mut u32) -> u32 { let m = *n; m + 1 }", &["f(n: -) pure"]),
        ("fn f(v: &mut [u32]) { v[0] = 1 }", &["f(v: rw) panics"]),
        ("fn f(v: &mut [u32]) { for x in v.iter_mut() { *x = 1 } }", &["f(v: rw)"]),
        (
            "fn f(v: &mut [u32]) -> u32 { let mut n = 0; for x in v.iter_mut() { n += *x } n }",
            &["f(v: -) pure"],
        ),
        ("fn f(v: &mut Vec<u8>) -> &u8 { &v[0] }", &["f(v: r) panics pure"]),
        ("fn f(v: &mut Vec<u8>) -> &mut u8 { &mut v[0] }", &["f(v: rw) panics"]),
        ("fn f(v: &mut Vec<u8>) -> impl Iterator<Item = &mut u8> { v.iter_mut() }", &["f(v: rw)"]),
        ("fn f(a: &mut u8, b: &mut u8) { std::mem::swap(a, b) }", &["f(a: rw, b: rw)"]),
        ("fn f(a: &mut Option<u8>) -> Option<u8> { a.take() }", &["f(a: rw)"]),
        ("fn f(a: &mut Option<u8>) -> Option<u8> { let b = a.clone(); b.map(|x| x + 1) }", &["f(a: -) pure"]),
        ("fn f(a: &mut Option<u8>) { if let Some(x) = a { *x = 1 } }", &["f(a: rw)"]),
        ("fn f(a: &mut Option<u8>) { if let Some(x) = a.as_mut() { *x = 1 } }", &["f(a: rw)"]),
        ("fn f(a: &mut (u8, u8)) { let (x, _) = a; *x = 1 }", &["f(a: rw)"]),
        ("fn f(a: &mut u8) { let r = if true { &mut *a } else { a }; *r = 1 }", &["f(a: rw)"]),
        (
            "fn f(a: &mut Option<u8>) { let r = match *a { None => { return; } Some(ref mut x) => x }; *r = 1 }",
            &["f(a: rw)"],
        ),
        ("fn f(a: &mut Vec<u8>) { let g = |v: &mut Vec<u8>| v.push(1); g(a) }", &["f(a: rw)"]),
        ("fn f(a: &mut Vec<u8>) { [1].iter().for_each(|x| a.push(*x)) }", &["f(a: rw)"]),
        ("fn f(a: &mut std::slice::IterMut<'_, u8>) { for x in a { *x = 1 } }", &["f(a: rw)"]),
        ("fn f(a: std::slice::IterMut<'_, u8>) { for x in a { *x = 1 } }", &["f(a: rw)"]),
        ("fn f(a: std::slice::IterMut<'_, u8>) -> usize { a.len() }", &["f(a: -) pure"]),
        (
            "use std::fmt; fn f(x: &u8, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, \"{x}\") }",
            &["f(x: -, f: rw)"],
        ),
    ]);
}

#[test]
fn what_the_result_refers_to_is_not_safe() {
    check(&[
        ("fn f(v: &[u8]) -> Option<&u8> { v.first() }", &["f(v: r) pure"]),
        ("fn f(v: &[u8]) -> Option<u8> { v.first().copied() }", &["f(v: -) pure"]),
        ("struct I<'a>(&'a [u8]); fn f(v: &[u8]) -> I<'_> { I(v) }", &["f(v: r) defines I.0 pure"]),
        (
            "fn f<'a>(a: &'a str, b: &'a str) -> &'a str { if b.is_empty() { a } else { \"\" } }",
            &["f(a: r, b: -) pure"],
        ),
    ]);
}

#[test]
fn associated_types_may_stand_in_another_impl() {
    let source = "struct M<'a> { v: &'a mut [u8] }
        impl<'a> Iterator for M<'a> { type Item = &'a mut u8; fn next(&mut self) -> Option<&'a mut u8> { loop {} } }
        impl DoubleEndedIterator for M<'_> { fn next_back(&mut self) -> Option<Self::Item> { self.v.last_mut() } }";
    check(&[(source, &["<M as DoubleEndedIterator>::next_back(self: rw) defines M.v uses M.v"])]);
}

#[test]
fn verdicts_have_a_cause() {
    let rows = [
        ("fn f(x: &mut u8) { *x = 1 }", Cause::Signature, None),
        ("fn f(x: &u8) -> u8 { *x }", Cause::Signature, None),
        ("fn f(x: &mut u8) -> u8 { *x }", Cause::Unchanged, None),
        ("fn f(x: &mut Vec<u8>) -> &mut u8 { &mut x[0] }", Cause::Lent, None),
        ("fn f(x: &std::cell::Cell<u8>) { x.set(1) }", Cause::Interior, None),
        ("fn f(x: &u8) { unsafe { *(x as *const u8 as *mut u8) = 1 } }", Cause::Unsafe, None),
        ("fn f(x: &mut u8) { g(x) } fn g(x: &mut u8) { *x = 1 }", Cause::Signature, Some("g")),
        ("fn f(x: &mut u8) { g(x); *x = 1 } fn g(x: &mut u8) { *x = 1 }", Cause::Signature, None),
        (
            "fn f(x: &mut u8) { g(x) } fn g(x: &mut u8) { h(x) } fn h(x: &mut u8) { *x = 1 }",
            Cause::Signature,
            Some("g"),
        ),
    ];
    for (source, cause, callee) in rows {
        let effects = effects(source);
        let f = &effects.by_path("f").next().expect("the function is known").params[0];
        assert_eq!((f.cause, f.callee.as_deref()), (cause, callee), "{source}");
    }
    let unseen = effects("struct S;").by_signature(None, "fn f(x: &mut u8, y: u8)");
    assert_eq!(unseen.params.iter().map(|p| p.cause).collect::<Vec<_>>(), [Cause::Unseen, Cause::Signature]);
}

#[test]
fn ways_to_a_place_do_not_hide_a_change() {
    let changing = [
        "let w = &mut *v; w.push(1)",
        "let v = v; v.push(1)",
        "let w: &mut Vec<u8> = v; let z = Some(w); if let Some(w) = z { w.push(1) }",
        "let t = (v, 1); t.0.push(1)",
        "let ref mut w = *v; w.push(1)",
        "let r = 'a: { break 'a &mut *v }; r.push(1)",
        "let r = loop { break &mut *v }; r.push(1)",
        "match v { w if w.len() > 1 => w.push(1), _ => {} }",
        "let mut it = v.iter_mut(); *it.next().unwrap() = 1",
        "let mut it = v.iter_mut(); while let Some(x) = it.next() { *x = 1 }",
        "v.iter_mut().zip([1, 2]).for_each(|(a, b)| *a = b)",
        "v.iter_mut().rev().skip(1).for_each(bump)",
        "v.iter_mut().map(|x| x).for_each(|x| bump(x))",
        "[v].into_iter().for_each(Vec::clear)",
        "let g = bump; g(&mut v[0])",
        "let (a, b) = v.split_at_mut(1); a[0] = b[0]",
        "for w in v.chunks_mut(2) { w[0] = 1 }",
        "if let [first, ..] = v.as_mut_slice() { *first = 1 }",
        "if let Some(x) = v.last_mut() { *x += 1 }",
        "v.get_mut(0).map_or(0, |x| { *x = 1; 2 });",
        "let p = v.as_mut_ptr(); unsafe { *p = 1 }",
        "let p: *mut Vec<u8> = v; unsafe { (*p).push(1) }",
        "drop(std::mem::take(v))",
        "*v = Vec::new()",
        "v.drain(..);",
        "v[0] += 1",
        "(v[0], v[1]) = (1, 2)",
        "change(v.as_mut())",
        "generic(v)",
        "let mut f = || v.push(1); f()",
        "(|| v.push(1))()",
        "let mut w = W(v); w.put()",
        "W(v).0.push(1)",
        "W { 0: v }.put()",
        "let w = W(v); let W(x) = w; x.push(1)",
        "user(&mut || v.push(1))",
        "std::thread::scope(|s| { s.spawn(|| v.push(1)); })",
        "write!(v, \"x\").unwrap()",
        "sink(v)",
        "let x: Box<dyn FnMut()> = Box::new(|| v.push(1));",
        "unsafe { std::ptr::swap(v, v) }",
        "let v = std::cell::RefCell::new(v); v.borrow_mut().push(1)",
    ];
    let helpers = "
        fn bump(x: &mut u8) { *x += 1 }
        fn change(x: &mut [u8]) { x[0] = 1 }
        fn generic<T: AsMut<[u8]>>(mut t: T) { t.as_mut()[0] = 1 }
        fn user(f: &mut dyn FnMut()) { f() }
        fn sink(w: &mut dyn std::io::Write) { w.flush().unwrap() }
        struct W<'a>(&'a mut Vec<u8>);
        impl W<'_> { fn put(&mut self) { self.0.push(1) } }";
    for body in changing {
        let effects = effects(&format!("{helpers} fn f(v: &mut Vec<u8>) {{ {body} }}"));
        let f = effects.by_path("f").next().expect("the function is known");
        assert_eq!(f.params[0].purity, Purity::ReadWrite, "{body}");
    }
}

#[test]
fn looking_is_not_taken_for_a_change() {
    let looking = [
        "v.len();",
        "let n = v[0] + 1;",
        "for x in v.iter() { let _y = *x; }",
        "for x in &*v { let _y = *x; }",
        "for x in v.iter_mut() { let _y = *x + 1; }",
        "let mut w = v.clone(); w.push(1)",
        "let mut w = v.to_vec(); w.sort()",
        "let mut n = v.len(); n += 1;",
        "let s: u8 = v.iter().sum();",
        "read(v)",
        "let w = &*v; w.first();",
        "let mut w: Vec<u8> = v.iter().map(|x| x + 1).collect(); w.clear()",
        "assert!(!v.is_empty(), \"{v:?}\")",
        "let c = v.contains(&1) || v.binary_search(&1).is_ok();",
        "if let Some(x) = v.last_mut() { let _y = *x; }",
        "let t = (v.len(), v.first().copied()); let (mut n, _) = t; n += 1;",
        "let mut best = None; for x in v.iter() { if best.is_none() { best = Some(*x) } } best.take();",
        "let mut it = v.iter(); while let Some(x) = it.next() { let _y = x; }",
        "let mut it = v.iter().peekable(); it.peek(); it.next();",
        "let mut out = Vec::new(); out.extend(v.iter().copied()); out.push(v[0])",
        "let mut map = std::collections::HashMap::new(); for x in v.iter() { *map.entry(*x).or_insert(0) += 1 }",
        "let mut s = String::new(); for x in v.iter() { s.push(char::from(*x)) }",
        "let mut w = Count { n: v.len() }; w.step()",
        "let [a, b] = [v[0], v[1]]; std::cmp::max(a, b);",
    ];
    let helpers = "
        fn read(x: &[u8]) -> usize { x.len() }
        struct Count { n: usize }
        impl Count { fn step(&mut self) { self.n += 1 } }";
    for body in looking {
        let effects = effects(&format!("{helpers} fn f(v: &mut Vec<u8>) {{ {body} }}"));
        let f = effects.by_path("f").next().expect("the function is known");
        assert_eq!(f.params[0].purity, Purity::Safe, "{body}");
        assert!(f.is_pure(), "{body}: {}", line(f));
    }
}

#[test]
fn fields_are_defined_and_used() {
    let source = "
        struct Core { items: Vec<u32>, len: usize }
        struct S { core: Core, name: String, hits: [u8; 2] }
        impl S {
            fn set(&mut self, n: &str) { self.name = n.to_string() }
            fn get(&self) -> &str { &self.name }
            fn push(&mut self, x: u32) { self.core.items.push(x); self.core.len += 1 }
            fn len(&self) -> usize { self.core.len }
            fn hit(&mut self, i: usize) { self.hits[i] += 1 }
            fn clear(&mut self) { let core = &mut self.core; core.items.clear(); core.len = 0 }
            fn split(&mut self) { let S { name, .. } = self; name.clear() }
            fn swap(&mut self, other: &mut S) { std::mem::swap(&mut self.name, &mut other.name) }
            fn first(&mut self) -> Option<&mut u32> { self.core.items.first_mut() }
            fn bump(&mut self) { if let Some(x) = self.first() { *x += 1 } }
            fn twice(&mut self, x: u32) { self.push(x); self.push(x) }
            fn new() -> S { S { core: Core { items: vec![], len: 0 }, name: String::new(), hits: [0; 2] } }
            fn renamed(&self) -> S { S { name: String::new(), ..self.clone() } }
            fn clone(&self) -> S { loop {} }
        }";
    check(&[(
        source,
        &[
            "S::set(self: rw, n: -) defines S.name",
            "S::get(self: r) uses S.name pure",
            "S::push(self: rw, x: -) defines Core.items Core.len S.core uses Core.items Core.len S.core",
            "S::len(self: -) uses Core.len S.core pure",
            "S::hit(self: rw, i: -) defines S.hits uses S.hits panics",
            "S::clear(self: rw) defines Core.items Core.len S.core uses Core.items S.core",
            "S::split(self: rw) defines S.name uses S.name",
            "S::swap(self: rw, other: rw) defines S.name uses S.name",
            "S::first(self: rw) defines Core.items S.core uses Core.items S.core",
            "S::bump(self: rw) defines Core.items S.core uses Core.items S.core",
            "S::twice(self: rw, x: -) defines Core.items Core.len S.core uses Core.items Core.len S.core",
            "S::new() defines Core.items Core.len S.core S.hits S.name pure",
            "S::renamed(self: -) defines S.core S.hits S.name uses S.core S.hits S.name pure",
        ],
    )]);
}

#[test]
fn enums_and_patterns_name_the_fields_of_variants() {
    check(&[
        (
            "enum E { A { n: u8 }, B(u8) } impl E {
                 fn n(&self) -> u8 { match self { E::A { n } => *n, Self::B(m) => *m } }
                 fn set(&mut self) { match *self { E::A { ref mut n } => *n = 1, _ => {} } }
                 fn b() -> E { E::B(1) }
                 fn a(n: u8) -> Self { Self::A { n } }
                 fn is_b(&self) -> bool { matches!(self, E::B(_)) } }",
            &[
                "E::n(self: -) uses E.A.n E.B.0 pure",
                "E::set(self: rw) defines E.A.n uses E.A.n",
                "E::b() defines E.B.0 pure",
                "E::a(n: -) defines E.A.n pure",
                "E::is_b(self: -) uses E.B.0 pure",
            ],
        ),
        (
            "struct W(Vec<u8>, u8); fn f(w: &mut W) { w.0.push(w.1) } fn g(w: W) -> u8 { let W(v, n) = w; n }",
            &["f(w: rw) defines W.0 uses W.0 W.1", "g(w: r) uses W.0 W.1 pure"],
        ),
        (
            "struct N { v: u8, next: Option<Box<N>> }
             fn f(n: &mut N) { let mut at = n; while let Some(next) = &mut at.next { at = next } at.v = 1 }",
            &["f(n: rw) defines N.next N.v uses N.next"],
        ),
    ]);
}

#[test]
fn calls_are_followed_through_paths_and_types() {
    check(&[
        ("fn g(v: &mut Vec<u8>) { v.push(1) } fn f(v: &mut Vec<u8>) { g(v) }", &["f(v: rw)"]),
        ("fn g(v: &mut Vec<u8>) -> bool { v.is_empty() } fn f(v: &mut Vec<u8>) -> bool { g(v) }", &["f(v: -) pure"]),
        ("mod m { pub fn g(v: &mut u8) { *v = 1 } } use m::g as h; fn f(v: &mut u8) { h(v) }", &["f(v: rw)"]),
        ("mod m { pub(super) use self::n::*; mod n { pub fn g(v: &mut u8) { *v = 1 } } } fn f(v: &mut u8) { m::g(v) }", &[
            "f(v: rw)",
            "m::n::g(v: rw)",
        ]),
        ("fn even(v: &mut u8, n: u8) { if n > 0 { odd(v, n - 1) } } fn odd(v: &mut u8, n: u8) { *v = 1; even(v, n) }", &[
            "even(v: rw, n: -)",
            "odd(v: rw, n: -)",
        ]),
        (
            "struct A { x: u8 } struct B { y: u8 }
             impl A { fn go(&mut self) { self.x = 1 } } impl B { fn go(&mut self) { self.y = 1 } }
             fn a(v: &mut A) { v.go() }
             fn made() { let mut b = B { y: 0 }; b.go() }
             fn open(v: &mut [B]) { for b in v { b.go() } }
             fn any(v: Unknown) { v.inner().go() }",
            &[
                "a(v: rw) defines A.x",
                "made() pure",
                "open(v: rw) defines B.y",
                "any(v: r) unknown .inner",
            ],
        ),
        (
            "trait T { fn go(&mut self); fn twice(&mut self) { self.go(); self.go() } fn none(&mut self) {} }
             fn user(g: &mut impl T) { g.none() }
             struct A { x: u8 } impl T for A { fn go(&mut self) { self.x = 1 } }
             struct Q; impl T for Q { fn go(&mut self) {} }
             fn f<G: T>(g: &mut G) { g.go() } fn q(g: &mut Q) { g.go() } fn a(g: &mut A) { T::go(g) }",
            &[
                "T::twice(self: rw) defines A.x",
                "T::none(self: -) pure",
                "user(g: rw)",
                "<A as T>::go(self: rw) defines A.x",
                "<Q as T>::go(self: -) pure",
                "f(g: rw) defines A.x",
                "q(g: -) pure",
                "a(g: rw) defines A.x",
            ],
        ),
        (
            "trait T { fn put(&mut self); fn twice(&mut self) { self.put(); self.put() } } struct S { n: u8 }
             impl T for S { fn put(&mut self) { self.n = 1 } }
             impl S { fn put(&mut self) { T::put(self) } fn twice(&mut self) { <S as T>::twice(self) } }",
            &["S::put(self: rw) defines S.n", "S::twice(self: rw) defines S.n"],
        ),
        (
            "trait T { fn go(self); } struct S { n: u8 } impl T for &S { fn go(self) { self.go() } } impl S { fn go(&self) -> u8 { self.n } }
             trait M { fn eq(&mut self); } impl<F: FnMut()> M for F { fn eq(&mut self) { self() } } fn f(a: &mut S, b: &S) -> bool { a.n == b.n }",
            &["<&S as T>::go(self: -) uses S.n pure", "f(a: -, b: -) uses S.n pure"],
        ),
        (
            "trait T { fn extend_from_slice(&mut self, o: &[u8]); }
             impl T for Vec<u8> { fn extend_from_slice(&mut self, o: &[u8]) { Vec::extend_from_slice(self, o) } }",
            &["<Vec as T>::extend_from_slice(self: rw, o: -)"],
        ),
        (
            "struct S { v: Vec<u8> } impl std::ops::Deref for S { type Target = Vec<u8>; fn deref(&self) -> &Vec<u8> { &self.v } }
             impl std::ops::DerefMut for S { fn deref_mut(&mut self) -> &mut Vec<u8> { &mut self.v } }
             fn f(s: &mut S) { s.push(1) } fn g(s: &mut S) -> usize { s.len() }
             fn h(s: &S) -> Vec<u8> { Vec::from(&s[..]) } fn i(s: &mut S) { s[0] = 1 }",
            &["f(s: rw) defines S.v uses S.v", "g(s: -) uses S.v pure", "h(s: -) uses S.v panics pure", "i(s: rw) defines S.v uses S.v panics"],
        ),
        (
            "struct S { v: Vec<u8> } impl std::ops::Index<u8> for S { type Output = u8; fn index(&self, i: u8) -> &u8 { &self.v[0] } }
             impl std::ops::IndexMut<u8> for S { fn index_mut(&mut self, i: u8) -> &mut u8 { &mut self.v[0] } }
             fn f(s: &mut S) { s[1] = 2 } fn g(s: &mut S) -> u8 { s[1] }",
            &["f(s: rw) defines S.v uses S.v panics", "g(s: -) uses S.v panics pure"],
        ),
        (
            "#[derive(Clone, PartialEq, Default)] struct S { a: u8, b: T } #[derive(Clone, PartialEq, Default)] struct T { c: u8 }
             fn f(x: &S, y: &S) -> bool { x == y } fn g() -> S { S::default() } fn h(x: &[S], y: &S) -> bool { x.contains(y) }",
            &[
                "f(x: -, y: -) uses S.a S.b T.c pure",
                "g() defines S.a S.b T.c pure",
                "h(x: -, y: -) uses S.a S.b T.c pure",
                "<S as Clone>::clone(self: -) defines S.a S.b T.c uses S.a S.b T.c pure",
            ],
        ),
        (
            "struct S { n: u8 } impl std::ops::AddAssign<u8> for S { fn add_assign(&mut self, o: u8) { self.n += o } }
             fn f(s: &mut S) { *s += 1 }",
            &["f(s: rw) defines S.n uses S.n"],
        ),
        (
            "struct S { n: u8 } impl std::fmt::Display for S { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { self.n.fmt(f) } }
             fn f(s: &S) -> String { format!(\"{s}\") } fn g(s: &S) -> String { s.to_string() }",
            &["<S as Display>::fmt(self: -, f: rw) uses S.n", "f(s: -) uses S.n pure", "g(s: -) uses S.n pure"],
        ),
        (
            "struct I { n: u8 } impl Iterator for I { type Item = u8; fn next(&mut self) -> Option<u8> { self.n += 1; Some(self.n) } }
             fn f() -> usize { let i = I { n: 0 }; i.filter(|x| *x > 1).count() } fn g() { for _ in (I { n: 0 }) {} }
             fn h(i: &mut I) { for _ in i {} }",
            &[
                "f() pure",
                "g() pure",
                "h(i: rw) defines I.n uses I.n",
            ],
        ),
        (
            "struct S { n: u8 } fn each(s: &mut S, f: impl Fn(&mut u8)) { f(&mut s.n) } fn f(s: &mut S) -> u8 { let mut t = 0; each(s, |n| t += *n); t }",
            &["each(s: rw, f: r) defines S.n uses S.n", "f(s: rw) defines S.n uses S.n"],
        ),
    ]);
}

#[test]
fn whole_objects_are_read_and_replaced() {
    let source = "
        #[derive(Clone, Copy)] struct P { x: u8, y: u8 }
        impl P {
            const ZERO: P = P { x: 0, y: 0 };
            fn reset(&mut self) { *self = P::ZERO }
            fn take(&mut self) -> P { std::mem::replace(self, P { x: 1, y: 1 }) }
            fn copy(&self) -> P { *self }
            fn zero() -> P { Self::ZERO }
            fn given(&mut self) { other::call(self) }
        }
        struct V { v: Vec<u8> }
        impl std::ops::Deref for V { type Target = [u8]; fn deref(&self) -> &[u8] { &self.v } }
        impl std::iter::FromIterator<u8> for V { fn from_iter<I: IntoIterator<Item = u8>>(i: I) -> V { V { v: i.into_iter().collect() } } }
        impl V { fn slice(&self) -> &[u8] { self } fn made(n: u8) -> V { (0..n).collect() } fn none() -> u8 { let v: V = (0..3).collect(); v[0] } }
        fn sum(v: &[u8]) -> u8 { v[0] } fn of(v: &V) -> u8 { sum(v) }";
    check(&[(
        source,
        &[
            "P::reset(self: rw) defines P.x P.y",
            "P::take(self: rw) defines P.x P.y uses P.x P.y",
            "P::copy(self: -) uses P.x P.y pure",
            "P::zero() defines P.x P.y pure",
            "P::given(self: rw) defines P.x P.y uses P.x P.y unknown other::call",
            "V::slice(self: r) uses V.v pure",
            "V::made(n: -) defines V.v pure",
            "V::none() panics pure",
            "of(v: -) uses V.v panics pure",
        ],
    )]);
}

#[test]
fn guards_and_iterators_hold_on_to_what_they_were_made_of() {
    check(&[
        (
            "struct G<'a> { n: &'a mut u8 } impl Drop for G<'_> { fn drop(&mut self) { *self.n = 1 } }
             fn f(n: &mut u8) { let g = G { n }; }",
            &["f(n: rw)"],
        ),
        (
            "struct It<'a> { v: &'a mut Vec<u8>, at: usize }
             impl<'a> It<'a> { fn step(&mut self) { self.at += 1 } fn put(&mut self) { self.v.push(1) } }
             fn it(v: &mut Vec<u8>) -> It<'_> { It { v, at: 0 } }
             fn f(v: &mut Vec<u8>) { let mut i = it(v); i.step() } fn g(v: &mut Vec<u8>) { let mut i = it(v); i.put() }",
            &[
                "it(v: rw) defines It.at It.v",
                "f(v: -) pure",
                "g(v: rw)",
            ],
        ),
        (
            "struct It<'a> { v: &'a [u8], at: u8 } struct S { v: Vec<u8> } impl S {
                 fn it(&self) -> It<'_> { let mut it = It { v: &self.v, at: 0 }; it.at = 1; it } }",
            &["S::it(self: r) defines It.at It.v uses S.v pure"],
        ),
        (
            "struct It<'a> { v: &'a [u8] } struct S { v: Vec<u8> } impl S { fn it(&mut self) -> It<'_> { It { v: &self.v } } }",
            &["S::it(self: r) defines It.v uses S.v pure"],
        ),
        ("fn f(v: &mut Vec<u8>) { let mut w = Vec::new(); w.push(v); w[0].push(1) }", &["f(v: rw) panics"]),
        ("struct S<'a> { v: Vec<&'a mut u8> } impl<'a> S<'a> { fn keep(&mut self, r: &'a mut u8) { self.v.push(r) } }", &[
            "S::keep(self: rw, r: rw) defines S.v uses S.v",
        ]),
    ]);
}

#[test]
fn interior_mutability_writes_behind_shared_references() {
    check(&[
        (
            "use std::cell::{Cell, RefCell}; struct S { n: Cell<u8>, v: RefCell<Vec<u8>>, m: u8 } impl S {
                 fn get(&self) -> u8 { self.n.get() + self.m }
                 fn set(&self) { self.n.set(1) }
                 fn push(&self) { self.v.borrow_mut().push(1) }
                 fn len(&self) -> usize { self.v.borrow().len() }
                 fn indirect(&self) { self.set() } }
             fn f(s: &S) { s.indirect() }",
            &[
                "S::get(self: -) uses S.m S.n pure",
                "S::set(self: rw) defines S.n uses S.n interior",
                "S::push(self: rw) defines S.v uses S.v interior panics",
                "S::len(self: -) uses S.v pure",
                "S::indirect(self: rw) defines S.n uses S.n interior",
                "f(s: rw) defines S.n uses S.n interior",
            ],
        ),
        (
            "use std::cell::*; struct P { n: Cell<u8>, v: RefCell<Vec<u8>> } struct I<'a> { p: &'a P, text: &'a str }
             impl I<'_> { fn bump(&self) -> bool { self.p.n.set(1); self.p.v.borrow_mut().push(2); self.text.is_empty() }
                          fn v(&self) -> RefMut<'_, Vec<u8>> { self.p.v.borrow_mut() } }
             fn f(p: &P, text: &str) -> bool { let i = I { p, text }; i.bump() } fn g(p: &P, text: &str) { I { p, text }.v().push(1) }",
            &[
                "f(p: rw, text: -) defines P.n P.v uses P.n P.v interior panics",
                "g(p: rw, text: -) defines P.v uses P.v interior panics",
            ],
        ),
        (
            "use std::cell::*; struct P { n: Cell<u8> } struct I<'a> { p: &'a P } trait V { fn go(&mut self); }
             impl V for I<'_> { fn go(&mut self) { self.p.n.set(1) } } fn visit<T: V>(mut v: T) { v.go() }
             fn f(p: &mut P) { visit(I { p }) }",
            &["f(p: rw) defines P.n uses P.n interior"],
        ),
        ("fn f(m: &std::sync::Mutex<u8>) { *m.lock().unwrap() = 1 }", &["f(m: rw) interior panics"]),
        (
            "fn f(c: std::rc::Rc<std::cell::RefCell<u8>>) { *c.borrow_mut() = 1 }",
            &["f(c: rw) interior panics"],
        ),
        (
            "use std::sync::atomic::*; fn f(a: &AtomicU8) -> u8 { a.load(Ordering::SeqCst) }",
            &["f(a: -) pure"],
        ),
        (
            "use std::sync::atomic::*; fn f(a: &AtomicU8) { a.fetch_add(1, Ordering::SeqCst); }",
            &["f(a: rw) interior"],
        ),
        ("fn f(c: &std::cell::Cell<u8>) { other::call(c) }", &["f(c: rw) unknown other::call interior"]),
    ]);
}

#[test]
fn raw_pointers_write_through_anything() {
    check(&[
        ("fn f(p: *mut u8) { unsafe { *p = 1 } }", &["f(p: rw) unsafe"]),
        ("fn f(p: *const u8) -> u8 { unsafe { *p } }", &["f(p: -) unsafe pure"]),
        ("fn f(x: &u8) { unsafe { *(x as *const u8 as *mut u8) = 1 } }", &["f(x: rw) unsafe"]),
        (
            "struct S { p: *mut u8 } impl S { fn set(&self) { unsafe { *self.p.add(1) = 2 } } fn get(&self) -> u8 { unsafe { *self.p } }
                 fn ptr(&self) -> *mut u8 { self.p } fn r(&self) -> &u8 { unsafe { &*self.p } } }",
            &[
                "S::set(self: rw) defines S.p uses S.p unsafe",
                "S::get(self: -) uses S.p unsafe pure",
                "S::ptr(self: rw) defines S.p uses S.p",
                "S::r(self: r) uses S.p unsafe pure",
            ],
        ),
        (
            "struct S { p: *mut u8 } impl S { fn slot(&self) -> &mut u8 { unsafe { &mut *self.p } } fn set(&self) { *self.slot() = 1 } }
             fn f(s: &S, n: &u8) { s.set(); let _n = *n; } fn g(x: &u8) { h(x) } fn h(x: &u8) { unsafe { *(x as *const u8 as *mut u8) = 1 } }",
            &["f(s: rw, n: -) defines S.p uses S.p unsafe", "g(x: rw) unsafe"],
        ),
        ("struct S { p: *mut u8 } fn f(p: *mut u8) -> S { S { p } } fn g(p: *mut u8) -> bool { p.is_null() }", &[
            "f(p: rw) defines S.p",
            "g(p: -) pure",
        ]),
        ("fn f(v: &mut Vec<u8>) { unsafe { std::ptr::write(v.as_mut_ptr(), 1) } }", &["f(v: rw) unsafe"]),
        ("fn f(v: &Vec<u8>) -> u8 { unsafe { std::ptr::read(v.as_ptr()) } }", &["f(v: -) unsafe pure"]),
        ("extern \"C\" { fn c(p: *mut u8); } fn f(x: &mut u8) { unsafe { c(x) } }", &["f(x: rw) unknown c unsafe"]),
    ]);
}

#[test]
fn statics_and_the_world_outside_are_seen() {
    check(&[
        (
            "static mut N: u8 = 0; fn f() { unsafe { N += 1 } } fn g() -> u8 { unsafe { N } }",
            &["f() reads N writes N unsafe", "g() reads N unsafe pure"],
        ),
        ("static mut N: u8 = 0; fn f() { unsafe { N = 1 } }", &["f() writes N unsafe"]),
        (
            "use std::sync::atomic::*; static N: AtomicU8 = AtomicU8::new(0); fn f() { N.store(1, Ordering::SeqCst) } fn g() { f() }",
            &["f() reads N writes N interior", "g() reads N writes N interior"],
        ),
        (
            "thread_local! { static N: std::cell::Cell<u8> = Cell::new(0); } fn f() { N.with(|n| n.set(1)) }",
            &["f() reads N writes N interior"],
        ),
        (
            "static TABLE: [u8; 2] = [1, 2]; fn f(i: usize) -> u8 { TABLE[i] }",
            &["f(i: -) reads TABLE panics pure"],
        ),
        ("fn f() { println!(\"x\") }", &["f() io Console"]),
        ("use std::fs; fn f(p: &str) -> bool { fs::read(p).is_ok() }", &["f(p: -) io Files"]),
        ("use std::time::Instant; fn f() -> Instant { Instant::now() }", &["f() io Time"]),
        ("fn f() -> u8 { rand::random() }", &["f() io Random unknown rand::random"]),
        ("fn f() { std::env::set_var(\"A\", \"B\") } fn g() { f() }", &["g() io ProcessState"]),
        ("fn f(p: &std::path::Path) -> bool { p.exists() }", &["f(p: -) io Files"]),
    ]);
}

#[test]
fn what_is_unknown_may_change_what_it_gets() {
    check(&[
        ("fn f(v: &mut Vec<u8>) { other::call(v) }", &["f(v: rw) unknown other::call"]),
        ("fn f(v: &Vec<u8>) { other::call(v) }", &["f(v: -) unknown other::call"]),
        ("fn f(v: &mut other::Thing) { v.poke() }", &["f(v: rw) unknown .poke"]),
        ("fn f(v: &other::Thing) { v.poke() }", &["f(v: -) unknown .poke"]),
        (
            "struct S { t: other::Thing } impl S { fn f(&mut self) { self.t.poke() } }",
            &["S::f(self: rw) defines S.t uses S.t unknown .poke"],
        ),
        ("macro_rules! m { ($e:expr) => { $e = 1 } } fn f(n: &mut u8) { m!(*n) }", &["f(n: rw) unknown m!"]),
        (
            "macro_rules! t { ($e:expr) => { match $e { Some(x) => x, None => return 0 } } } fn f(n: &mut Option<u8>) -> u8 { t!(*n) }",
            &["f(n: -) panics pure"],
        ),
        ("fn f(n: &mut u8) { macro_rules! m { () => { *n = 1 } } m!() }", &["f(n: rw) unknown m!"]),
        (
            "struct S { a: u8, b: u8 } fn f(s: &mut S) { m!(s.a => 1) }",
            &["f(s: rw) defines S.a uses S.a unknown m!"],
        ),
        ("fn f<T: Clone>(v: &mut T) -> T { v.clone() }", &["f(v: -) pure"]),
        ("fn f<T: other::Tr>(v: &mut T) { v.go() }", &["f(v: rw)"]),
        ("fn f<F: FnMut(&mut u8)>(mut g: F, n: &mut u8) { g(n) }", &["f(g: r, n: rw)"]),
        (
            "make! { trait T } struct S { n: u8 } impl crate::T for S { fn go(&self) -> u8 { self.n } } fn f<G: crate::T>(g: G) -> u8 { g.go() }",
            &["f(g: r) uses S.n pure"],
        ),
        ("fn f<F: FnMut()>(g: &mut F) { g() }", &["f(g: rw)"]),
        ("fn f(n: Option<u8>) -> u8 { n.unwrap() }", &["f(n: -) panics pure"]),
    ]);
}

#[test]
fn code_that_a_cfg_switches_off_has_no_effects() {
    check(&[
        (
            "fn f() -> u8 { #[cfg(feature = \"rand\")] { return rand::random(); } #[cfg(not(feature = \"rand\"))] 4 }",
            &["f() pure"],
        ),
        ("fn f() -> u8 { #[cfg(windows)] let n = rand::random(); #[cfg(unix)] let n = 1; n }", &["f() pure"]),
        ("fn f() -> u8 { if cfg!(windows) { rand::random() } else { 1 } }", &["f() pure"]),
        ("fn f() { if !cfg!(unix) { println!() } }", &["f() pure"]),
        ("fn f() { if cfg!(unix) { println!() } }", &["f() io Console"]),
        ("fn f(n: u8) -> u8 { match n { #[cfg(windows)] 1 => rand::random(), _ => n } }", &["f(n: -) pure"]),
        (
            "fn f() -> u8 { cfg_if::cfg_if! { if #[cfg(windows)] { rand::random() } else if #[cfg(unix)] { 1 } else { g() } } }",
            &["f() pure"],
        ),
        (
            "fn f() { #[cfg(windows)] println!(); #[cfg(test)] println!(); #[allow(unused)] { eprintln!() } }",
            &["f() io Console"],
        ),
    ]);
}

#[test]
fn state_and_unsafe_code_of_the_crate_are_listed() {
    let source = "
        static mut A: u8 = 0;
        static B: std::sync::Mutex<u8> = std::sync::Mutex::new(0);
        static C: std::sync::OnceLock<u8> = std::sync::OnceLock::new();
        static D: u8 = 0;
        struct S { n: std::cell::Cell<u8> }
        mod m { static E: super::S = loop {}; }
        thread_local! { pub static F: u8 = const { 1 }; static G: u8 = 2 }
        lazy_static::lazy_static! { static ref H: u8 = 1; }
        fn f() { static I: std::sync::LazyLock<std::cell::RefCell<u8>> = loop {}; }
        #[cfg(windows)] static J: std::cell::Cell<u8> = loop {};
        thread_local! { static K: std::cell::Cell<u8> = const { std::cell::Cell::new(1) } }
        lazy_static::lazy_static! { static ref L: std::sync::Mutex<u8> = loop {}; }
        static M: std::sync::LazyLock<u8> = loop {};";
    let effects = effects(source);
    let found: Vec<_> =
        effects.mutable_state.iter().map(|s| format!("{} {:?} {}", s.path, s.kind, s.line)).collect();
    assert_eq!(
        found,
        [
            "A StaticMut 2",
            "B Interior 3",
            "C Once 4",
            "m::E Interior 7",
            "F Lazy 8",
            "G Lazy 8",
            "H Lazy 9",
            "K ThreadLocal 12",
            "L Interior 13",
            "M Lazy 14",
            "I Interior 10",
        ]
    );
    assert!(!effects.has_unsafe);
    for text in ["unsafe fn f() {}", "fn f() { unsafe {} }", "unsafe impl Send for S {}", "extern \"C\" {}"] {
        assert!(super::tests::effects(text).has_unsafe, "{text}");
    }
}

#[test]
fn functions_are_found_by_place_and_path() {
    let source = "mod m {\n #[inline]\n pub\n fn f() {}\n}\n#[derive(Clone, Debug)]\nstruct S;\nimpl From<u8> for S { fn from(_: u8) -> S { S } }\n\
                  impl From<u16> for S { fn from(_: u16) -> S { S } }\n#[cfg(test)] fn t() {}";
    let effects = effects(source);
    assert_eq!(effects.at("lib.rs", 3, "f").map(|f| f.path.as_str()), Some("m::f"));
    assert_eq!(effects.at("lib.rs", 4, "f").map(|f| f.path.as_str()), Some("m::f"));
    assert_eq!(effects.at("lib.rs", 6, "fmt").map(|f| f.path.as_str()), Some("<S as Debug>::fmt"));
    assert_eq!(effects.by_path("<S as From>::from").count(), 2);
    assert!(effects.by_path("t").next().is_none());
}

#[test]
fn without_a_body_everything_is_possible_that_the_signature_allows() {
    let effects = effects(
        "struct S { a: u8 } struct C { c: std::cell::Cell<u8> } #[derive(Clone, Copy)] struct P { p: u8 } struct G<'a> { g: &'a mut u8 }",
    );
    let check = |owner, text, expected: &str| assert_eq!(line(&effects.by_signature(owner, text)), expected);
    let flags = "unsafe interior panics";
    check(Some("S"), "fn f(&self)", &format!("S::f(self: r) uses S.a {flags}"));
    check(Some("S"), "fn f(&mut self)", &format!("S::f(self: rw) defines S.a uses S.a {flags}"));
    check(Some("S"), "fn f(self) -> C;", &format!("S::f(self: r) defines C.c S.a uses S.a {flags}"));
    check(Some("C"), "fn f(&self)", &format!("C::f(self: rw) defines C.c uses C.c {flags}"));
    check(
        None,
        "fn f(p: P, n: u8, g: G<'_>)",
        &format!("f(p: -, n: -, g: rw) defines G.g uses G.g P.p {flags}"),
    );
    check(None, "fn f(x: &[S], y: &mut Vec<S>)", &format!("f(x: r, y: rw) defines S.a uses S.a {flags}"));
    check(None, "pub unsafe fn nonsense", &format!("() {flags}"));
}

#[test]
fn a_call_influences_a_later_one_through_fields() {
    let effects = effects(
        "struct S { a: u8, b: u8 } impl S { fn set(&mut self) { self.a = 1 } fn a(&self) -> u8 { self.a } fn b(&self) -> u8 { self.b } }",
    );
    let get = |path| effects.by_path(path).next().expect("the function is known");
    assert!(get("S::set").may_influence(get("S::a")));
    assert!(!get("S::set").may_influence(get("S::b")));
    assert!(!get("S::a").may_influence(get("S::b")));
}

/// Prints what is said of the crate in the folder `EFFECTS_CRATE`, with `EFFECTS_CFG` (options between spaces).
#[test]
#[ignore = "EFFECTS_CRATE=subjects/slab-0.4.12 cargo test -p testsmith-model purity_table -- --ignored --nocapture"]
fn purity_table_of_a_crate() {
    let dir = std::env::var("EFFECTS_CRATE").expect("EFFECTS_CRATE names the folder of a crate");
    let dir = std::path::Path::new(&dir).canonicalize().expect("the folder exists");
    let options =
        std::env::var("EFFECTS_CFG").unwrap_or_else(|_| "unix feature=\"std\" debug_assertions".into());
    let cfg = CfgSet::parse(&options.replace(' ', "\n"));
    let src = dir.join("src/lib.rs");
    let lib = crate::Target {
        name: "lib".into(),
        kind: crate::TargetKind::Lib,
        src,
        is_linkable: true,
        harness: true,
        test: true,
        doctest: true,
    };
    let package = crate::Package {
        feature_table: Default::default(),
        name: "subject".into(),
        version: String::new(),
        edition: 2021,
        manifest: dir.join("Cargo.toml"),
        dir: dir.clone(),
        targets: vec![lib],
        features: Default::default(),
        has_build_script: false,
        dependencies: Vec::new(),
    };
    let mut tree = SourceTree::default();
    crate::load_sources(&mut tree, &dir, &package, 0, &cfg);
    let begin = std::time::Instant::now();
    let effects = analyse(&tree, 0, &cfg);
    let took = begin.elapsed();
    for function in effects.functions() {
        println!("{}:{} {}", function.file, function.line, line(function));
    }
    // Where the body was found to do less than the signature allows: the verdicts to look at twice.
    for function in effects.functions() {
        for param in function.params.iter().filter(|p| p.purity < p.passing.worst()) {
            println!(
                "less {}:{} {} {} {:?}",
                function.file, function.line, function.path, param.name, param.passing
            );
        }
    }
    for state in &effects.mutable_state {
        println!("state {} {:?}", state.path, state.kind);
    }
    let all = effects.functions();
    let pure = all.iter().filter(|f| f.is_pure()).count();
    let count = |purity| all.iter().flat_map(|f| &f.params).filter(|p| p.purity == purity).count();
    println!(
        "{} functions, {pure} pure, parameters: {} safe, {} read-only, {} read-write; {} with unknown calls; {took:?}",
        all.len(),
        count(Purity::Safe),
        count(Purity::ReadOnly),
        count(Purity::ReadWrite),
        all.iter().filter(|f| f.calls_unknown).count(),
    );
}

#[test]
fn what_a_new_container_is_filled_with_comes_out_with_it() {
    check(&[
        (
            "fn f(v: &mut [u8]) -> Vec<&mut [u8]> { let mut out = Vec::new(); for c in v.chunks_mut(2) { out.push(c) } out }",
            &["f(v: rw)"],
        ),
        (
            "fn f(v: &[u8]) -> Result<Vec<&[u8]>, ()> { let mut out = Vec::with_capacity(2); out.push(&v[1..2]); out.reverse(); Ok(out) }",
            &["f(v: r) panics pure"],
        ),
        (
            "fn f(v: &mut Vec<u8>) -> usize { let mut out = Vec::new(); for x in v.iter() { out.push(*x) } out.len() }",
            &["f(v: -) pure"],
        ),
        (
            "struct S<T> { v: [T] } fn f<T: Copy>(v: &S<T>) -> Box<[T]> { g(Box::from(&v.v)) } fn g<T>(b: Box<[T]>) -> Box<[T]> { unsafe { Box::from_raw(Box::into_raw(b)) } }",
            &["f(v: -) uses S.v unsafe pure"],
        ),
        (
            "#[derive(Clone)] struct S<'a> { v: &'a str }",
            &["<S as Clone>::clone(self: r) defines S.v uses S.v pure"],
        ),
    ]);
}

#[test]
fn a_marker_does_not_hide_what_methods_hand_out() {
    let types = "struct C { p: *mut u8 }
        struct I<'a> { p: *mut u8, m: PhantomData<&'a u8> }
        struct M<'a> { p: *mut u8, m: PhantomData<&'a u8> }
        impl<'a> Iterator for I<'a> { type Item = &'a u8; fn next(&mut self) -> Option<&'a u8> { loop {} } }
        impl<'a> Iterator for M<'a> { type Item = &'a mut u8; fn next(&mut self) -> Option<&'a mut u8> { loop {} } }
        fn shared(c: &mut C) -> I<'_> { I { p: c.p, m: PhantomData } }
        fn mutable(c: &mut C) -> M<'_> { M { p: c.p, m: PhantomData } }";
    let expected =
        ["shared(c: r) defines I.m I.p uses C.p pure", "mutable(c: rw) defines C.p M.m M.p uses C.p"];
    check(&[(types, &expected)]);
}
