//! An IPv4 address by the parser of the standard library.
//! goals: 3

use std::net::Ipv4Addr;

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    match text(0, "aaaaaaaaaa").parse::<Ipv4Addr>() {
        Ok(address) if address.is_private() => goal(0),
        Ok(address) if address.is_multicast() => goal(1),
        Ok(_) => {}
        Err(_) => goal(2),
    }
}
