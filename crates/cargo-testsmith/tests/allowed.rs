//! `allow` brings back what reaches outside: tests of it use files in a fresh folder, and leave nothing when the user runs them.

mod util;

use util::Fixture;

const CODE: &str = r#"//! Notes in files.

/// In files.
pub mod store {
    /// Appends a line to a note; how many lines it has then.
    pub fn add(name: &str, line: &str) -> std::io::Result<usize> {
        let mut text = std::fs::read_to_string(name).unwrap_or_default();
        text.push_str(line);
        text.push('\n');
        std::fs::write(name, &text)?;
        Ok(text.lines().count())
    }
}

/// Removes a note.
pub fn forget(name: &str) -> bool {
    name == "note" && std::fs::remove_file(name).is_ok()
}

/// At most seven.
pub fn clip(number: u32) -> u32 {
    if number > 7 { 7 } else { number }
}
"#;

#[test]
fn tests_of_what_is_allowed_use_files_in_a_fresh_folder() {
    let manifest = "[package]\nname = \"notes\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
    let config = "allow = { \"notes::store\" = [\"files\"] }\n";
    let files =
        [("Cargo.toml", manifest), ("src/lib.rs", CODE), ("testsmith.toml", config), ("note", "of the user")];
    let fixture = Fixture::package(&files).with_tests();
    let arguments =
        ["generate", "--all-mutants", "--json", "--offline", "--executions", "600", "--seed", "1"];
    let report = fixture.run(&arguments).expect_code(0).json();
    let outside = report["reaching_outside"].as_object().expect("they are told");
    assert_eq!(outside.keys().collect::<Vec<_>>(), ["notes::forget"], "{outside:#?}");
    let text = fixture.read("tests/testsmith/store.rs");
    assert!(text.contains("use crate::fresh_folder::FreshFolder;"), "{text}");
    assert!(text.contains("let _folder = FreshFolder::enter();"), "{text}");
    assert!(!fixture.read("tests/testsmith/notes.rs").contains("FreshFolder"));

    let cargo = |arguments: &[&str]| {
        let mut cargo = fixture.command(env!("CARGO"));
        cargo.args(["test", "--offline", "--test", "testsmith"]).args(arguments);
        cargo
    };
    // Writes the lock file.
    assert!(cargo(&["--no-run"]).status().expect("there is cargo").success());
    let ran = fixture.start(&mut cargo(&[])).wait().expect_code(0);
    assert!(ran.stdout.contains("store::"), "{ran:#?}");
    // What is there is found again.
    let folder = fixture.read("tests/testsmith/fresh_folder.rs");
    fixture.run(&arguments).expect_code(0);
    assert_eq!(fixture.read("tests/testsmith/fresh_folder.rs"), folder);
}

#[test]
fn what_is_no_part_of_the_world_is_no_permission() {
    let fixture = Fixture::package(&[
        ("Cargo.toml", "[package]\nname = \"notes\"\n\n[workspace]\n"),
        ("src/lib.rs", CODE),
        ("testsmith.toml", "allow = [\"file\"]\n"),
    ]);
    let ran = fixture.run(&["inspect"]);
    assert!(ran.message().contains("`allow = [\"file\"]` is not possible"), "{ran:#?}");
}
