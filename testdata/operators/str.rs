//! String literals become empty and another word; formats, patterns and the words of a panic stay.

pub fn unit(name: &str) -> &'static str {
    match name {
        "m" => "metre",
        _ => "",
    }
}

pub fn shown(value: Option<u8>) -> String {
    format!("{}", value.expect("a value"))
}

pub fn is_help(argument: &str) -> bool {
    argument == "--help"
}

// mutants:
// 5:16 "metre" → ""
// 5:16 "metre" → "xyzzy"
// 6:14 "" → "xyzzy"
// 15:17 "--help" → ""
// 15:17 "--help" → "xyzzy"
