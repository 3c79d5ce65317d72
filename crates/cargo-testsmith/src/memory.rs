//! What the compiler has rejected, kept beside the copies: a second run writes the same text at once, so that nothing
//! has to be built anew.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::build::Builder;
use crate::failure::{Failure, write_atomically};

#[derive(Serialize, Deserialize)]
struct Remembered<T> {
    /// Of what the compiler was asked first.
    key: String,
    #[serde(flatten)]
    rejected: T,
}

/// What was stored under this key; nothing if it was another one.
pub(crate) fn load<T: DeserializeOwned + Default>(path: &Path, key: &str) -> T {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    match serde_json::from_str::<Remembered<T>>(&text) {
        Ok(memory) if memory.key == key => memory.rejected,
        _ => T::default(),
    }
}

pub(crate) fn store<T: Serialize>(path: &Path, key: &str, rejected: T) -> Result<(), Failure> {
    let memory = Remembered { key: key.to_owned(), rejected };
    write_atomically(path, &serde_json::to_string(&memory).expect("strings can be written"))
}

/// Everything that the compiler's answer depends on, as far as the tool knows it; `asked` adds what it would be asked
/// first.
pub(crate) fn key(builder: &Builder, asked: impl FnOnce(&mut DefaultHasher)) -> String {
    let mut hasher = DefaultHasher::new();
    // Another build of the tool may decide otherwise, and so may another compiler.
    let tool = std::env::current_exe().and_then(std::fs::metadata);
    tool.map(|tool| (tool.len(), tool.modified().ok())).ok().hash(&mut hasher);
    crate::build::compiler(&builder.copies.plain()).hash(&mut hasher);
    builder.args().hash(&mut hasher);
    builder.features.args().hash(&mut hasher);
    asked(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn what_was_rejected_is_known_again_under_the_same_key_only() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rejected.json");
        let rejected = BTreeMap::from([("f".to_owned(), "E0277".to_owned())]);
        assert_eq!(load::<BTreeMap<String, String>>(&path, "a"), BTreeMap::new());
        store(&path, "a", &rejected).unwrap();
        assert_eq!(load::<BTreeMap<String, String>>(&path, "a"), rejected);
        assert_eq!(load::<BTreeMap<String, String>>(&path, "b"), BTreeMap::new());
    }
}
