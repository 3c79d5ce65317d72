//! Absolute values of what is known to be a signed integer or a float, as operand and as argument.

pub struct Point {
    x: i32,
    y: f64,
}

impl Point {
    pub fn shifted(&self, by: i32, name: &str) -> f64 {
        scaled(by) + f64::from(self.x) + self.y + name.len() as f64
    }
}

fn scaled(by: i32) -> f64 {
    f64::from(by)
}

// mutants:
// 10:16 by → by.abs()
// 10:16 by → -by.abs()
// 10:32 self.x → self.x.abs()
// 10:32 self.x → -self.x.abs()
// 10:42 self.y → self.y.abs()
// 10:42 self.y → -self.y.abs()
// 15:15 by → by.abs()
// 15:15 by → -by.abs()
