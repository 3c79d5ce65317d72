//! What a store of one million objects costs, as JSON: values a second with indexes, two-object searches, the file's size.
//!
//! `cargo run --release -p testsmith-store --example million [OBJECTS]`, which `cargo xtask bench stateful --part store` does.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

use testsmith_store::{Answer, Clause, Comparison, Object, Store};

/// Answers of an object.
const QUERIES: u64 = 10;
const SEARCHES: u64 = 200;

fn mix(mut value: u64) -> u64 {
    value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Six sizes up to 40 and four truth values, as a container shows them.
fn object(number: u64) -> Object {
    let answer = |query: u64| {
        let random = mix(number * QUERIES + query);
        let value = if query < 6 { random % (8 << (query % 4)) } else { random % 2 };
        Answer::Number(value as i64)
    };
    let answers: BTreeMap<String, Answer> =
        (0..QUERIES).map(|query| (format!("self.q{query}()"), answer(query))).collect();
    let recipe = format!(
        "{{\"statements\":[{{\"call\":{{\"path\":\"list::List<i32>::new\",\"args\":[]}}}},{{\"literal\":{{\"type\":\"i32\",\"value\":{{\"int\":\"{number}i32\"}}}}}}]}}"
    );
    Object { ty: "::list::List<i32>".to_owned(), state: mix(number), slot: 0, recipe, answers }
}

/// Three or four clauses about two objects.
fn clauses(number: u64) -> Vec<Clause> {
    let name = |at: u64| format!("self.q{}()", mix(number * 31 + at) % 6);
    let flag = |at: u64| format!("self.q{}()", 6 + mix(number * 17 + at) % 4);
    let op = if number.is_multiple_of(3) { Comparison::Eq } else { Comparison::Lt };
    let mut all = vec![
        Clause::First(flag(1), Comparison::Eq, i64::from(number.is_multiple_of(2))),
        Clause::Second(flag(2), Comparison::Eq, 1),
        Clause::Both(name(3), op, name(4)),
    ];
    if number.is_multiple_of(2) {
        all.push(Clause::Second(name(5), Comparison::Lt, 4));
    }
    all
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let objects: u64 = std::env::args().nth(1).map_or(Ok(1_000_000), |it| it.parse())?;
    let folder = tempfile::tempdir()?;
    let mut store = Store::open(&folder.path().join("store.sqlite"))?;
    let began = Instant::now();
    let added = store.add_bulk((0..objects).map(object))?;
    let seconds = began.elapsed().as_secs_f64();
    let mut times = Vec::new();
    let (mut found, mut empty) = (0, 0);
    let ty = "::list::List<i32>";
    for number in 0..SEARCHES {
        let began = Instant::now();
        let pairs = store.pairs([ty, ty], &clauses(number), 45, Duration::from_secs(2))?;
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
        found += pairs.len();
        empty += usize::from(pairs.is_empty());
    }
    times.sort_by(f64::total_cmp);
    let began = Instant::now();
    let more = store.add(&(objects..objects + 10_000).map(object).collect::<Vec<_>>())?;
    let later = began.elapsed().as_secs_f64();
    let stats = store.stats()?;
    writeln!(
        std::io::stdout(),
        "{{\"objects\": {added}, \"values\": {}, \"seconds\": {seconds:.1}, \"values_a_second\": {:.0}, \
         \"values_a_second_later\": {:.0}, \"searches\": {SEARCHES}, \"median_ms\": {:.3}, \"p95_ms\": {:.3}, \
         \"pairs\": {found}, \"empty\": {empty}, \"bytes\": {}}}",
        stats.answers,
        (added as u64 * QUERIES) as f64 / seconds,
        (more as u64 * QUERIES) as f64 / later,
        times[times.len() / 2],
        times[times.len() * 95 / 100],
        stats.bytes
    )?;
    Ok(())
}
