//! Text of any length up to eight against three words.
//! goals: 5, seconds: 0.2

mod support;
use support::{goal, text_up_to};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = text_up_to(0, "aaaaaaaa");
    match text.as_str() {
        "" => goal(0),
        "let" => goal(1),
        "match" => goal(2),
        "continue" => goal(3),
        other if other.starts_with("con") => goal(4),
        _ => {}
    }
}
