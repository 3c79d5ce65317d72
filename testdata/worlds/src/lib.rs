//! Functions whose results hold here and today only, and one whose result holds everywhere.

pub fn year() -> u64 {
    1970 + machine::seconds() / 31_556_952
}

pub fn is_short_name() -> bool {
    machine::host().len() < 2
}

pub fn is_checked() -> bool {
    cfg!(debug_assertions)
}

pub fn is_small_machine() -> bool {
    std::thread::available_parallelism().map_or(1, |count| count.get()) < 40
}

pub fn is_small_user() -> bool {
    machine::user() < 20_000
}

pub fn has_few_files() -> bool {
    machine::open_files() < 1_000_000
}

pub fn limit(value: u32) -> u32 {
    if value > 40 {
        40
    } else {
        value
    }
}
