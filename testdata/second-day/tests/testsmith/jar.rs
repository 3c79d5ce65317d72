// Tests written by `cargo testsmith`. Change what you like: it is kept.

use jar::{Jar, Refusal};

// kills: 3 → 4 at lib.rs:26
#[test]
fn add_after_three_coins_returns_err() {
    let mut jar = Jar::default();
    let _add = jar.add(1);
    let _add2 = jar.add(1);
    let _add3 = jar.add(1);
    assert_eq!(jar.add(1), Err(Refusal::Full));
}

// kills: body → Ok(0) at lib.rs:22
#[test]
fn add_0_on_new_jar_returns_ok() {
    let mut jar = Jar::default();
    assert_eq!(jar.add(0), Ok(1));
}

// kills: body → 0 at lib.rs:39
#[test]
fn after_fee_of_two_coins_returns_8() {
    let mut jar = Jar::default();
    let _add = jar.add(5);
    assert_eq!(jar.after_fee(), 4);
    let _add2 = jar.add(4);
    assert_eq!(jar.after_fee(), 8);
}

// kills: body → 1 at lib.rs:34
#[test]
fn sum_of_new_jar_returns_0() {
    let jar = Jar::default();
    assert_eq!(jar.sum(), 0);
}

// kills: body → Some(0) at lib.rs:44
#[test]
fn largest_of_new_jar_returns_none() {
    let jar = Jar::default();
    assert!(jar.largest().is_none());
}

// kills: body → 1 at lib.rs:49
#[test]
fn mean_of_new_jar_returns_0() {
    let jar = Jar::default();
    assert_eq!(jar.mean(), 0);
}

// kills: 7 → 8 at lib.rs:54
#[test]
fn token_of_new_jar_returns_7() {
    let jar = Jar::default();
    assert_eq!(jar.token(), 7);
}

// A coin of four is the smallest that I have seen.
#[test]
fn after_fee_of_one_coin_returns_3() {
    let mut jar = Jar::default();
    let _add = jar.add(4);
    assert_eq!(jar.after_fee(), 3);
}

// kills: body → 7 at lib.rs:34
#[test]
fn sum_of_one_coin_returns_4() {
    let mut jar = Jar::default();
    jar.add(4).expect("there is room");
    assert_eq!(jar.sum(), 4);
}

/// Mine.
#[test]
fn a_jar_can_be_shown() {
    assert_eq!(format!("{:?}", Jar::default()), "Jar { coins: [] }");
}

// As written, by which later runs know what was edited:
// dde0157f 6a76a901 7f2b7be0 45017df1 a3ae8c86 2cd764f2 091d7056 2863c3e9 0149df0a
