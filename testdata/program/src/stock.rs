//! Another program of the package.

mod amounts;

fn main() {
    let words = std::env::args().skip(1);
    println!("{}", words.filter(|word| is_large(word)).count());
}

fn is_large(word: &str) -> bool {
    amounts::read(word).is_some_and(|amount| amount > 99)
}
