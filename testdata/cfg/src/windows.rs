//! Never compiled here.

pub fn is_drive(name: &str) -> bool {
    name.len() == 2
}
