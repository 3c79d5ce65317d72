//! The determinant of a matrix of small integers.
//! goals: 3, hard: 3

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let m: [i32; 9] = std::array::from_fn(|slot| i32::from(number::<i8>(slot as u32, 0)));
    let determinant = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
        + m[2] * (m[3] * m[7] - m[4] * m[6]);
    if determinant == 1 {
        goal(0);
    }
    if determinant == -10_007 {
        goal(1);
    }
    if determinant == 0 && m.iter().all(|value| *value != 0) && m[0] != m[3] {
        goal(2);
    }
}
