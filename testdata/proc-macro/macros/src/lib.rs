//! `#[derive(Name)]`, without any dependency.

use proc_macro::{TokenStream, TokenTree};

/// Gives a type its name.
#[proc_macro_derive(Name)]
pub fn derive_name(input: TokenStream) -> TokenStream {
    let words: Vec<String> = input.into_iter().filter_map(word).collect();
    let name = after_keyword(&words);
    format!("impl {name} {{ pub fn name() -> &'static str {{ {name:?} }} }}").parse().unwrap()
}

fn word(token: TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    }
}

fn after_keyword(words: &[String]) -> String {
    let at = words.iter().position(|word| word == "struct" || word == "enum").unwrap();
    words[at + 1].clone()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_name_stands_behind_the_keyword() {
        let words: Vec<String> = ["pub", "struct", "Cat"].map(String::from).to_vec();
        assert_eq!(super::after_keyword(&words), "Cat");
    }
}
