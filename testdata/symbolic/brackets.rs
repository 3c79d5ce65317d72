//! Brackets of three kinds, and how deep they are.
//! goals: 4

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = text(0, "aaaaaa");
    let (mut open, mut deepest) = (Vec::new(), 0);
    for letter in text.chars() {
        match letter {
            '(' | '[' | '{' => open.push(letter),
            ')' | ']' | '}' => {
                let fits =
                    matches!((open.pop(), letter), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}'));
                if !fits {
                    return goal(0);
                }
            }
            _ => {}
        }
        deepest = deepest.max(open.len());
    }
    if !open.is_empty() {
        goal(1);
    } else if deepest == 3 {
        goal(2);
    } else if deepest == 2 && text.starts_with("{[]") {
        goal(3);
    }
}
