//! Methods of trait objects that inputs choose.
//! goals: 3

mod support;
use support::{goal, number};

trait Shape {
    fn area(&self) -> u32;
    fn corners(&self) -> u32;
}

struct Square(u8);
struct Line(u8);
struct Nothing;

impl Shape for Square {
    fn area(&self) -> u32 {
        u32::from(self.0) * u32::from(self.0)
    }
    fn corners(&self) -> u32 {
        4
    }
}

impl Shape for Line {
    fn area(&self) -> u32 {
        0
    }
    fn corners(&self) -> u32 {
        if self.0 == 0 { 1 } else { 2 }
    }
}

impl Shape for Nothing {
    fn area(&self) -> u32 {
        0
    }
    fn corners(&self) -> u32 {
        0
    }
}

#[unsafe(no_mangle)]
extern "C" fn run() {
    let shapes: Vec<Box<dyn Shape>> = (0..3)
        .map(|slot| -> Box<dyn Shape> {
            let size = number::<u8>(slot * 2 + 1, 1);
            match number::<u8>(slot * 2, 0) % 3 {
                0 => Box::new(Square(size)),
                1 => Box::new(Line(size)),
                _ => Box::new(Nothing),
            }
        })
        .collect();
    let area: u32 = shapes.iter().map(|shape| shape.area()).sum();
    if area == 0 {
        goal(0);
    } else if area == 365 {
        goal(1);
    }
    if shapes.iter().all(|shape| shape.corners() == 2) && shapes[2].area() == 0 {
        goal(2);
    }
}
