//! Variables and fields of a known primitive type, as operands, indices and arguments.

pub struct Clock {
    hour: i8,
    is_paused: bool,
}

impl Clock {
    pub fn shows(&self, hour: i8) -> bool {
        same(self.hour, hour) && !self.is_paused
    }
}

fn same(a: i8, b: i8) -> bool {
    a == b
}

pub fn is_on(switch: bool) -> Option<bool> {
    Some(switch)
}

pub fn pick(items: &[f32], at: usize, factor: f32) -> f32 {
    items[at] * factor
}

// mutants:
// 10:14 self.hour → -self.hour
// 10:14 self.hour → self.hour + 1
// 10:14 self.hour → self.hour - 1
// 10:25 hour → -hour
// 10:25 hour → hour + 1
// 10:25 hour → hour - 1
// 15:5 a → -a
// 15:5 a → (a + 1)
// 15:5 a → (a - 1)
// 15:10 b → -b
// 15:10 b → (b + 1)
// 15:10 b → (b - 1)
// 19:10 switch → !switch
// 23:11 at → at + 1
// 23:11 at → at - 1
// 23:17 factor → -factor
