//! What a test must not pin: every function gives something that is true here and now only, but for those called `pure`.
//! `cargo xtask bench worlds` writes down what each of them gives, as a test, and counts the tests that are found out.

use std::collections::hash_map::RandomState;
use std::collections::HashMap;
use std::env;
use std::hash::BuildHasher;
use std::io::IsTerminal;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

extern "C" {
    fn gethostname(name: *mut u8, length: usize) -> i32;
    fn getuid() -> u32;
    fn getppid() -> i32;
    fn getrlimit(resource: i32, limits: *mut [u64; 2]) -> i32;
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

fn random() -> u64 {
    RandomState::new().hash_one(1)
}

fn limit(resource: i32) -> u64 {
    let mut limits = [0; 2];
    unsafe { getrlimit(resource, &mut limits) };
    limits[0]
}

/// Name and value of a row, as text.
pub type Row = (&'static str, fn() -> String);

macro_rules! rows {
    ($($name:ident: $value:expr;)*) => { &[$((stringify!($name), || $value.to_string())),*] };
}

/// All of them.
pub const ROWS: &[Row] = rows! {
    pure_sum: 1 + 1;
    pure_text: "a".repeat(3);
    day: seconds() / 86_400;
    hour: seconds() / 3600 % 24;
    year: 1970 + seconds() / 31_556_952;
    is_weekend: [2, 3].contains(&(seconds() / 86_400 % 7));
    is_even_second: seconds() % 2;
    is_before_2040: seconds() < 2_208_988_800;
    minute: seconds() / 60;
    uptime_in_days: format!("{:?}", Instant::now()).split("tv_sec: ").nth(1).and_then(|rest| rest.split(',').next()?.parse::<u64>().ok()).unwrap_or(0) / 86_400;
    home: variable("HOME");
    user: variable("USER");
    language: variable("LANG");
    zone: variable("TZ");
    terminal_name: variable("TERM");
    has_path: env::var_os("PATH").is_some();
    has_home: env::var_os("HOME").is_some();
    count_of_variables: env::vars_os().count();
    has_temporary_folder: env::var_os("TMPDIR").is_some();
    temporary_folder: env::temp_dir().display();
    folder: env::current_dir().map(|dir| dir.display().to_string()).unwrap_or_default();
    program: env::current_exe().map(|path| path.display().to_string()).unwrap_or_default();
    process: std::process::id();
    parent: unsafe { getppid() };
    random_number: random();
    random_bit: random() % 2;
    random_byte: random() % 256;
    first_of_map: (0..20).map(|n| (n, n)).collect::<HashMap<i32, i32>>().into_keys().next().unwrap_or(0);
    order_of_map: format!("{:?}", (0..6).map(|n| (n, n)).collect::<HashMap<i32, i32>>().keys().collect::<Vec<_>>());
    host: { let mut name = [0; 64]; unsafe { gethostname(name.as_mut_ptr(), 64) }; String::from_utf8_lossy(&name).into_owned() };
    processors: std::thread::available_parallelism().map_or(0, |count| count.get());
    user_number: unsafe { getuid() };
    open_files: limit(7);
    address_space: limit(9);
    is_terminal: std::io::stdin().is_terminal();
    is_checked: cfg!(debug_assertions);
    address_of_heap: format!("{:p}", Box::new(1u8));
};
