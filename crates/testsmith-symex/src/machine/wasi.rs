//! WASI as a program sees it that is alone in the world: time stands still, random bytes are always the same, what it prints
//! is dropped, and every file is a bad descriptor.
//!
//! Main type: [`Function`].

use super::Stop;
use super::host::HostCall;
use super::value::Value;
use crate::wasm::Trap;

/// The functions that do more than fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    RandomGet,
    ClockTimeGet,
    ClockResGet,
    /// Sizes of environment and arguments: nothing in either.
    SizesGet,
    /// The environment and the arguments themselves.
    Nothing,
    FdWrite,
    ProcExit,
    PollOneoff,
    /// Everything that needs a descriptor.
    BadDescriptor,
}

const SUCCESS: u64 = 0;
const BAD_DESCRIPTOR: u64 = 8;
/// Nanoseconds since 1970: the first second of 2024.
const NOW: u64 = 1_704_067_200_000_000_000;
const RESOLUTION: u64 = 1_000;
/// Bytes of a subscription and of an event of `poll_oneoff`.
const SUBSCRIPTION: u64 = 48;
const EVENT: usize = 32;

impl Function {
    pub(super) fn named(name: &str) -> Self {
        match name {
            "random_get" => Self::RandomGet,
            "clock_time_get" => Self::ClockTimeGet,
            "clock_res_get" => Self::ClockResGet,
            "environ_sizes_get" | "args_sizes_get" => Self::SizesGet,
            "environ_get" | "args_get" | "sched_yield" => Self::Nothing,
            "fd_write" => Self::FdWrite,
            "proc_exit" => Self::ProcExit,
            "poll_oneoff" => Self::PollOneoff,
            _ => Self::BadDescriptor,
        }
    }

    pub(super) fn call(self, call: &mut HostCall<'_, '_>) -> Result<(), Stop> {
        let result = match self {
            Self::RandomGet => random(call)?,
            Self::ClockTimeGet => {
                let at = call.fixed(2);
                write_u64(call, at, NOW)?
            }
            Self::ClockResGet => {
                let at = call.fixed(1);
                write_u64(call, at, RESOLUTION)?
            }
            Self::SizesGet => {
                let (count, bytes) = (call.fixed(0), call.fixed(1));
                call.memory.write(count, &[0; 4])?;
                call.memory.write(bytes, &[0; 4])?;
                SUCCESS
            }
            Self::Nothing => SUCCESS,
            Self::FdWrite => print(call)?,
            Self::ProcExit => return Err(Stop::Exit(call.fixed_low(0))),
            Self::PollOneoff => sleep(call)?,
            Self::BadDescriptor => BAD_DESCRIPTOR,
        };
        if let Some(first) = call.values.first_mut() {
            *first = Value::concrete(result);
        }
        Ok(())
    }
}

fn write_u64(call: &mut HostCall<'_, '_>, at: u64, value: u64) -> Result<u64, Trap> {
    call.memory.write(at, &value.to_le_bytes())?;
    Ok(SUCCESS)
}

fn random(call: &mut HostCall<'_, '_>) -> Result<u64, Trap> {
    let (at, len) = (call.fixed(0), call.fixed(1));
    call.memory.slice(at, len)?;
    let bytes: Vec<u8> = (0..len).map(|byte| (byte as u8).wrapping_mul(157).wrapping_add(71)).collect();
    call.memory.write(at, &bytes)?;
    Ok(SUCCESS)
}

/// Says that everything was written, without reading it: what is printed never forks.
fn print(call: &mut HostCall<'_, '_>) -> Result<u64, Trap> {
    let (descriptor, list, count, written) = (call.fixed(0), call.fixed(1), call.fixed(2), call.fixed(3));
    if !(1..=2).contains(&descriptor) {
        return Ok(BAD_DESCRIPTOR);
    }
    let mut total = 0_u32;
    for entry in 0..count {
        let entry = call.memory.slice(list + entry * 8 + 4, 4)?;
        total = total.wrapping_add(u32::from_le_bytes(entry.try_into().expect("it has four bytes")));
    }
    call.memory.write(written, &total.to_le_bytes())?;
    Ok(SUCCESS)
}

/// Every subscription has happened at once.
fn sleep(call: &mut HostCall<'_, '_>) -> Result<u64, Trap> {
    let (from, to, count, happened) = (call.fixed(0), call.fixed(1), call.fixed(2), call.fixed(3));
    for number in 0..count {
        let subscription = call.memory.slice(from + number * SUBSCRIPTION, SUBSCRIPTION)?;
        let mut event = [0; EVENT];
        event[..8].copy_from_slice(&subscription[..8]);
        event[10] = subscription[8];
        call.memory.write(to + number * EVENT as u64, &event)?;
    }
    call.memory.write(happened, &(count as u32).to_le_bytes())?;
    Ok(SUCCESS)
}
