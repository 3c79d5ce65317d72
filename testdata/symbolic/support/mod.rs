//! What the programs share: literals that the engine may change, and goals that it shall reach.
#![allow(dead_code)]

#[link(wasm_import_module = "testsmith")]
unsafe extern "C" {
    fn hole(slot: u32, kind: u32, at: *mut u8, len: u32);
    #[link_name = "goal"]
    fn reached(number: u32);
}

/// An integer or a float; its first value is the one given here.
pub fn number<T: Copy>(slot: u32, mut value: T) -> T {
    unsafe { hole(slot, 0, (&raw mut value).cast(), size_of::<T>() as u32) };
    value
}

pub fn truth(slot: u32, mut value: bool) -> bool {
    unsafe { hole(slot, 1, (&raw mut value).cast(), 1) };
    value
}

pub fn character(slot: u32, mut value: char) -> char {
    unsafe { hole(slot, 2, (&raw mut value).cast(), 4) };
    value
}

pub fn bytes(slot: u32, value: &[u8]) -> Vec<u8> {
    let mut value = value.to_vec();
    unsafe { hole(slot, 3, value.as_mut_ptr(), value.len() as u32) };
    value
}

/// Text of the same number of characters, each as long as it is here.
pub fn text(slot: u32, value: &str) -> String {
    let mut value = value.as_bytes().to_vec();
    unsafe { hole(slot, 4, value.as_mut_ptr(), value.len() as u32) };
    String::from_utf8(value).expect("the engine keeps text valid")
}

/// Text up to the length of this one.
pub fn text_up_to(slot: u32, value: &str) -> String {
    let len = number(slot + 1, value.len() as u8);
    let mut all = text(slot, value);
    all.truncate(usize::from(len).min(value.len()));
    all
}

pub fn goal(number: u32) {
    unsafe { reached(number) }
}
