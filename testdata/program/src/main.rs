//! A program without a library: it asks for arguments, and leaves the work to its modules.

mod amounts;
mod store;

use store::Store;

fn main() {
    let mut store = Store::new();
    for word in std::env::args().skip(1) {
        match parse(&word) {
            Ok((name, amount)) => store.put(name, amount),
            Err(error) => {
                eprintln!("{word}: {error}");
                std::process::exit(2);
            }
        }
    }
    print!("{}", report(&store));
}

/// `name=amount`
fn parse(word: &str) -> Result<(&str, u32), Error> {
    let (name, amount) = word.split_once('=').ok_or(Error::NoAmount)?;
    if name.is_empty() {
        return Err(Error::NoName);
    }
    Ok((name, amounts::read(amount).ok_or(Error::NoAmount)?))
}

#[derive(Debug, PartialEq, Eq)]
enum Error {
    NoName,
    NoAmount,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Error::NoName => "there is no name before `=`",
            Error::NoAmount => "there is no amount behind `=`",
        })
    }
}

fn report(store: &Store) -> String {
    match store.total() {
        0 => "nothing is left\n".to_owned(),
        total => format!("{} kinds, {total} in all\n", store.kinds()),
    }
}
