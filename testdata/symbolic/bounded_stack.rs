//! A stack of three elements under five calls that inputs choose.
//! goals: 6, seconds: 0.02

mod support;
use support::{goal, number};

struct Stack {
    elements: [u32; 3],
    len: usize,
}

impl Stack {
    fn push(&mut self, element: u32) -> bool {
        if self.len == self.elements.len() {
            return false;
        }
        self.elements[self.len] = element;
        self.len += 1;
        true
    }

    fn pop(&mut self) -> Option<u32> {
        self.len = self.len.checked_sub(1)?;
        Some(self.elements[self.len])
    }
}

#[unsafe(no_mangle)]
extern "C" fn run() {
    let mut stack = Stack { elements: [0; 3], len: 0 };
    for call in 0..5 {
        let choice: u8 = number(call * 2, 0);
        let element: u32 = number(call * 2 + 1, 0);
        match choice {
            1 => {
                if !stack.push(element) {
                    goal(0);
                }
            }
            2 => match stack.pop() {
                None => goal(1),
                Some(77) => goal(2),
                Some(_) => goal(3),
            },
            3 if stack.len == 2 && stack.elements[0] > stack.elements[1] => goal(4),
            _ => {}
        }
    }
    if stack.len == 3 && stack.elements == [3, 1, 2] {
        goal(5);
    }
}
