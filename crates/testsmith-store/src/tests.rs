//! What is kept comes back, by whichever process it was kept; what is no store is put aside.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use super::*;

fn object(state: u64, recipe: &str) -> Object {
    let answers = BTreeMap::from([
        ("self.len()".to_owned(), Answer::Number(recipe.len() as i64)),
        ("self.is_empty()".to_owned(), Answer::Number(i64::from(recipe.is_empty()))),
        ("self.sum()".to_owned(), Answer::Large(u128::MAX.to_string())),
        ("self.first()".to_owned(), Answer::Nothing),
    ]);
    Object { ty: "::sample::List".to_owned(), state, slot: 3, recipe: recipe.to_owned(), answers }
}

fn store() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let path = folder.path().join("deep/store.sqlite");
    (folder, path)
}

fn recipes(store: &Store) -> Vec<String> {
    let objects = store.objects("::sample::List").expect("it can be read");
    objects.into_iter().map(|object| object.recipe).collect()
}

#[test]
fn what_was_added_is_there_in_the_next_run() {
    let (_folder, path) = store();
    let added = [object(1, "aa"), object(2, "b"), object(u64::MAX, "ccc")];
    assert_eq!(Store::open(&path).and_then(|mut store| store.add(&added)).expect("it is new"), 3);
    let mut store = Store::open(&path).expect("it is there");
    let mut expected = added.to_vec();
    expected.sort_by_key(|object| object.recipe.len());
    assert_eq!(store.objects("::sample::List").expect("it can be read"), expected);
    assert_eq!(store.objects("::sample::Other").expect("it can be read"), []);
    assert_eq!(store.add(&added).expect("it can be written"), 0, "the same again");
    let stats = store.stats().expect("it can be read");
    assert_eq!((stats.total(), stats.answers), (3, 9));
    assert!(stats.bytes > 0);
}

#[test]
fn a_state_keeps_its_shortest_recipes() {
    let (_folder, path) = store();
    let mut store = Store::open(&path).expect("it is new");
    let added: Vec<Object> = ["aaaaa", "bbbb", "ccc", "dddddd", "e"].map(|recipe| object(7, recipe)).to_vec();
    assert_eq!(store.add(&added).expect("it can be written"), 4);
    assert_eq!(recipes(&store), ["e", "ccc", "bbbb"]);
    assert_eq!(store.remove(&["ccc".to_owned(), "unknown".to_owned()]).expect("it can be written"), 1);
    assert_eq!(store.prune(1).expect("it can be written"), 1);
    assert_eq!(recipes(&store), ["e"]);
}

#[test]
fn queries_may_come_and_go() {
    let (_folder, path) = store();
    let mut store = Store::open(&path).expect("it is new");
    store.add(&[object(1, "a")]).expect("it can be written");
    let answers = BTreeMap::from([("self.new()".to_owned(), Answer::Number(5))]);
    store.add(&[Object { answers, ..object(2, "bb") }]).expect("it can be written");
    let objects = store.objects("::sample::List").expect("it can be read");
    assert_eq!(objects[0].answers["self.new()"], Answer::Nothing);
    assert_eq!(objects[1].answers["self.new()"], Answer::Number(5));
    let mut text = Vec::new();
    store.export(&mut text).expect("it can be read").expect("it can be written");
    let text = String::from_utf8(text).expect("it is text");
    assert_eq!(text.lines().nth(1), Some("::sample::List\t0000000000000002\t3\tbb\tself.new() = 5"));
}

#[test]
fn a_file_that_cannot_be_used_is_kept_aside() {
    let (_folder, path) = store();
    Store::open(&path).and_then(|mut store| store.add(&[object(1, "a")])).expect("it is new");
    let other = Connection::open(&path).expect("it is there");
    other.execute_batch("pragma user_version = 99").expect("it can be written");
    drop(other);
    let (mut store, aside) = Store::open_or_set_aside(&path).expect("a new one begins");
    let (kept, error) = aside.expect("the old one is kept");
    assert_eq!(
        error.to_string(),
        format!(
            "{} was written by another version of testsmith (format 99, this one knows 2)",
            path.display()
        )
    );
    assert!(kept.exists() && recipes(&store).is_empty());
    store.add(&[object(1, "a")]).expect("it can be written");
    drop(store);

    fs::write(&path, "this is no database at all, whatever its name says, and long enough to be one")
        .expect("it is ours");
    let (_, aside) = Store::open_or_set_aside(&path).expect("a new one begins");
    let (second, error) = aside.expect("the old one is kept");
    assert!(error.to_string().contains("is damaged"), "{error}");
    assert!(kept.exists() && second.exists() && kept != second);
}

#[test]
fn a_folder_in_the_way_is_an_error_that_names_it() {
    let (_folder, path) = store();
    fs::create_dir_all(&path).expect("it can be made");
    let error = Store::open(&path).err().expect("it is a folder");
    assert!(!error.is_about_content() && error.to_string().contains("store.sqlite"), "{error}");
}

const WRITER: &str = "TESTSMITH_STORE_WRITER";

/// Writes until it is killed; says on stdout what is committed. Only the test below starts it with the variable set.
#[test]
fn writer() {
    let Some(path) = std::env::var_os(WRITER) else { return };
    let mut store = Store::open(Path::new(&path)).expect("it can be opened");
    for round in 0u64.. {
        let objects: Vec<Object> =
            (0..50).map(|number| object(round * 50 + number, &format!("{round}/{number}"))).collect();
        store.add(&objects).expect("it can be written");
        println!("committed {}", round + 1);
    }
}

#[test]
fn a_kill_at_any_moment_loses_nothing_that_was_committed() {
    let (folder, path) = store();
    drop(Store::open(&path).expect("it is new"));
    for moment in 1..=20u64 {
        let output = folder.path().join("output");
        let mut writer = Command::new(std::env::current_exe().expect("it runs"))
            .args(["--exact", "tests::writer", "--nocapture"])
            .env(WRITER, &path)
            .stdout(fs::File::create(&output).expect("it is ours"))
            .spawn()
            .expect("it can be started");
        std::thread::sleep(std::time::Duration::from_millis(20 + moment * 37 % 101));
        writer.kill().expect("it runs");
        writer.wait().expect("it is ours");
        let said = fs::read_to_string(&output).expect("it is ours");
        let committed =
            said.lines().filter_map(|line| line.strip_prefix("committed ")?.parse::<u64>().ok()).max();
        let store = Store::open(&path).expect("it opens after a kill");
        let objects = store.stats().expect("it can be read").total();
        assert!(
            objects >= committed.unwrap_or(0) * 50 && objects.is_multiple_of(50),
            "{objects} of {committed:?}"
        );
    }
}

#[test]
fn programs_of_a_package_are_kept_by_purpose() {
    let (_folder, path) = store();
    let mut store = Store::open(&path).expect("it is new");
    let program =
        |purpose: &str, recipe: &str| StoredProgram { purpose: purpose.into(), recipe: recipe.into() };
    let first = [program("kill", "a"), program("kill", "bbb"), program("near", "cc")];
    assert_eq!(store.keep_programs("one", &["kill", "near"], &first).expect("it can be written"), (3, 0));
    store.keep_programs("other", &["kill"], &[program("kill", "a")]).expect("it can be written");
    let second = [program("kill", "bbb"), program("kill", "d")];
    assert_eq!(store.keep_programs("one", &["kill"], &second).expect("it can be written"), (1, 1));
    let known = store.programs("one").expect("it can be read");
    assert_eq!(known, [program("kill", "d"), program("near", "cc"), program("kill", "bbb")]);
    let stats = store.stats().expect("it can be read");
    assert_eq!(stats.programs, BTreeMap::from([("kill".to_owned(), 3), ("near".to_owned(), 1)]));
}

#[test]
fn a_full_disk_is_said_and_nothing_is_lost() {
    let (_folder, path) = store();
    let mut store = Store::open(&path).expect("it is new");
    store.add(&[object(1, "a")]).expect("there is room");
    // SQLite answers as it does when the disk is full.
    let pages: i64 =
        store.connection.query_row("pragma page_count", [], |row| row.get(0)).expect("it can be asked");
    store.connection.execute_batch(&format!("pragma max_page_count = {pages}")).expect("it can be limited");
    let many: Vec<Object> = (2..500).map(|number| object(number, &"x".repeat(number as usize))).collect();
    let error = store.add(&many).expect_err("there is no room");
    assert!(matches!(error, StoreError::Full { .. }) && !error.is_about_content(), "{error}");
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(recipes(&store), ["a"]);
    drop(store);
    let mut store = Store::open(&path).expect("it is as it was");
    assert_eq!(store.add(&[object(2, "bb")]).expect("there is room again"), 1);
}

#[test]
fn two_runs_at_once_lose_nothing() {
    let (_folder, path) = store();
    drop(Store::open(&path).expect("it is new"));
    let run = |first: u64| {
        let path = path.clone();
        std::thread::spawn(move || {
            let mut store = Store::open(&path).expect("it can be opened by several");
            for round in 0..20 {
                let number = first + round;
                store.add(&[object(number, &format!("{number}"))]).expect("it waits for the other");
            }
        })
    };
    let runs = [run(0), run(1000), run(2000)];
    runs.into_iter().for_each(|run| run.join().expect("it ends well"));
    assert_eq!(recipes(&Store::open(&path).expect("it is there")).len(), 60);
}

#[test]
fn pairs_of_objects_meet_their_clauses() {
    let (_folder, path) = store();
    let mut store = Store::open(&path).expect("it is new");
    let objects: Vec<Object> =
        (0..40).map(|length| object(length, &"x".repeat(length as usize + 1))).collect();
    assert_eq!(store.add_bulk(objects).expect("it can be written"), 40);
    let list = "::sample::List";
    let length = || "self.len()".to_owned();
    let clauses = [
        Clause::First(length(), Comparison::Lt, 10),
        Clause::Both(length(), Comparison::Lt, length()),
        Clause::Second("self.is_empty()".to_owned(), Comparison::Eq, 0),
    ];
    let found = store.pairs([list, list], &clauses, 45, Duration::from_secs(5)).expect("it can be searched");
    assert!(!found.is_empty() && found.iter().all(|(a, b)| a.len() < 10 && a.len() < b.len()), "{found:?}");
    let firsts: std::collections::BTreeSet<&String> = found.iter().map(|(a, _)| a).collect();
    assert_eq!(firsts.len(), found.len(), "no first one twice");
    let none = [Clause::Both(length(), Comparison::Lt, "self.unknown()".to_owned())];
    assert_eq!(store.pairs([list, list], &none, 45, Duration::from_secs(5)).expect("it can be searched"), []);
    let late = store.pairs([list, list], &clauses, 45, Duration::ZERO).expect("it ends in time");
    assert!(late.len() <= found.len());
    assert_eq!(store.add(&[object(77, "new")]).expect("nothing is interrupted later"), 1);
}
