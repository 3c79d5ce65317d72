//! Elements of a vector are put, taken and swapped at places that inputs choose.
//! goals: 3, panics: 3

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let mut vector = vec![10_u32, 20, 30, 40];
    for slot in 0..3 {
        let (choice, place): (u8, u8) = (number(slot * 2, 3), number(slot * 2 + 1, 0));
        let place = usize::from(place);
        match choice {
            0 => vector.insert(place, 50 + slot),
            1 => {
                vector.remove(place);
            }
            2 => vector.swap(place, 0),
            _ => {}
        }
    }
    if vector == [40, 20, 10, 30] {
        goal(0);
    }
    if vector == [10, 51, 20, 40] {
        goal(1);
    }
    if vector.len() == 1 && vector[0] == 30 {
        goal(2);
    }
}
