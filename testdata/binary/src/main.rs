//! A program without a library, tested from outside.

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        eprintln!("who are you?");
        std::process::exit(2);
    }
    println!("hello {}", joined(&names));
}

fn joined(names: &[String]) -> String {
    names.join(" and ")
}
