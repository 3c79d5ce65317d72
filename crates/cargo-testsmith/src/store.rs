//! The store of objects below `target/testsmith`: where it is, how it is opened, and `cargo testsmith store`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use testsmith_store::{Store, StoreError};

use crate::cli::{StoreArgs, StoreCommand};
use crate::copy::Copies;
use crate::failure::{Code, Failure};
use crate::options::{Output, PackageOptions};
use crate::report::json::SCHEMA;

/// `store stats --json`.
#[derive(serde::Serialize)]
struct Stats {
    schema: &'static str,
    path: PathBuf,
    bytes: u64,
    answers: u64,
    /// Programs that are worth running again, by their purpose: they `kill` a mutant, or came `near` one.
    programs: std::collections::BTreeMap<String, u64>,
    /// Objects by type.
    objects: std::collections::BTreeMap<String, u64>,
}

fn path(copies: &Copies) -> PathBuf {
    copies.home.join("store.sqlite")
}

/// The store of a run. One that cannot be read is kept aside, and the user is told; without one the run goes on.
pub(crate) fn open(copies: &Copies) -> Option<Store> {
    let path = path(copies);
    match Store::open_or_set_aside(&path) {
        Ok((store, None)) => Some(store),
        Ok((store, Some((aside, error)))) => {
            anstream::eprintln!(
                "warning: {error}\n  it is kept as {}, and a new one begins",
                aside.display()
            );
            Some(store)
        }
        Err(error) => {
            warn(&error);
            None
        }
    }
}

/// Says that nothing is kept of this run.
pub(crate) fn warn(error: &StoreError) {
    anstream::eprintln!("warning: {error}\n  objects of this run are not kept for the next");
}

/// `cargo testsmith store`.
pub(crate) fn run(options: &PackageOptions, args: &StoreArgs, output: Output) -> Result<(), Failure> {
    let path = path(&Copies::new(&options.workspace, options.target_dir.as_deref()));
    if !path.exists() {
        let advice = "`cargo testsmith generate` and `contracts` make one";
        return Err(Failure::new(
            Code::Nothing,
            format!("there is no store at {}\n  {advice}", path.display()),
        ));
    }
    let mut store = Store::open(&path).map_err(failure)?;
    match args.command {
        StoreCommand::Stats => stats(&store, &path, output),
        StoreCommand::Prune => {
            let keep = args.keep;
            let removed = store.prune(keep).map_err(failure)?;
            crate::print_text(&format!("{removed} objects removed; at most {keep} of each type are left\n"));
            Ok(())
        }
        StoreCommand::Export => {
            let mut stdout = io::stdout().lock();
            // A closed pipe is no error.
            let written = store.export(&mut stdout).map_err(failure)?.and_then(|()| stdout.flush());
            match written {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    Err(Failure::io("write to", &path, &error))
                }
                _ => Ok(()),
            }
        }
    }
}

fn stats(store: &Store, path: &Path, output: Output) -> Result<(), Failure> {
    let found = store.stats().map_err(failure)?;
    if output.json {
        let (path, objects, programs) = (path.to_path_buf(), found.objects, found.programs);
        crate::print_json(&Stats {
            schema: SCHEMA,
            path,
            bytes: found.bytes,
            answers: found.answers,
            programs,
            objects,
        });
        return Ok(());
    }
    let mut text = String::new();
    for (ty, count) in &found.objects {
        text += &format!("{count:>8}  {ty}\n");
    }
    for (purpose, count) in &found.programs {
        let of = match purpose.as_str() {
            "kill" => "programs that killed a mutant",
            "near" => "programs that came close to one",
            _ => "other programs",
        };
        text += &format!("{count:>8}  {of}\n");
    }
    text += &format!(
        "{:>8}  objects with {} answers, {} KiB in {}\n",
        found.total(),
        found.answers,
        found.bytes >> 10,
        path.display()
    );
    crate::print_text(&text);
    Ok(())
}

fn failure(error: StoreError) -> Failure {
    let advice = match error.is_about_content() {
        true => "\n  `cargo testsmith contracts` keeps it aside and begins a new one",
        false => "",
    };
    Failure::new(Code::Environment, format!("{error}{advice}"))
}
