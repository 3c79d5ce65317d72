//! What docs and attributes say of an item, beyond its signature.

/// The code of the examples, without fences: what doctests would compile.
pub(crate) fn examples(docs: &str) -> Vec<String> {
    let mut found = Vec::new();
    // The lines of the block that is open, and whether it is an example.
    let mut open: Option<(bool, Vec<&str>)> = None;
    for line in docs.lines() {
        let Some(language) = line.trim_start().strip_prefix("```") else {
            open.iter_mut().for_each(|(_, lines)| lines.push(line));
            continue;
        };
        match open.take() {
            Some((true, lines)) => found.push(lines.join("\n")),
            Some((false, _)) => {}
            None => open = Some((is_rust(language), Vec::new())),
        }
    }
    found
}

/// ```` ```text ```` is no example; ```` ```should_panic ```` is one.
fn is_rust(language: &str) -> bool {
    let words =
        ["", "rust", "should_panic", "no_run", "compile_fail", "edition2018", "edition2021", "edition2024"];
    language.trim().split(',').all(|word| words.contains(&word.trim()))
}

/// The features that an item is there for, from its attributes: as they are written, and as the compiler keeps them.
pub(crate) fn features(attrs: &str) -> Vec<String> {
    let plain = attrs.replace('\\', "");
    let mut found: Vec<String> = Vec::new();
    for before in ["name: \"feature\", value: Some(\"", "feature = \""] {
        for part in plain.split(before).skip(1) {
            let name = part.split('"').next().unwrap_or_default().to_owned();
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_the_blocks_that_are_rust() {
        let docs = "Text.\n```\nf(1);\ng();\n```\n```text\nnothing\n```\n```rust,should_panic\nh();\n```";
        assert_eq!(examples(docs), ["f(1);\ng();", "h();"]);
    }

    #[test]
    fn features_are_read_in_both_forms() {
        let cases = [
            (r##"["#[cfg(any(feature = \"std\", feature = \"alloc\"))]"]"##, &["std", "alloc"][..]),
            (
                r##"[{"other":"#[attr = CfgTrace([NameValue { name: \"feature\", value: Some(\"std\"), span: x }])]"}]"##,
                &["std"],
            ),
            (r##"["#[inline]"]"##, &[]),
        ];
        for (attrs, expected) in cases {
            assert_eq!(features(attrs), expected, "{attrs}");
        }
    }
}
