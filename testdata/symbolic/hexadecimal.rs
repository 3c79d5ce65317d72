//! Six digits of a colour.
//! goals: 4

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = text(0, "aaaaaaa");
    let Some(digits) = text.strip_prefix('#') else { return goal(0) };
    match u32::from_str_radix(digits, 16) {
        Err(_) => goal(1),
        Ok(0xc0_ff_ee) => goal(2),
        Ok(colour) if colour >> 16 == colour & 0xff && colour >> 8 & 0xff == 0x99 => goal(3),
        Ok(_) => {}
    }
}
