//! What makes root more than a user: capabilities. In containers everybody is root.

use rustix::io;
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, remove_capability_from_bounding_set, set_capabilities,
    set_no_new_privs,
};

use super::State;

/// In a container, folders may belong to another user; writing is landlock's business.
const KEPT: CapabilitySet = CapabilitySet::DAC_OVERRIDE;

/// Gives up what root may do more than others, for this process and every program that it becomes.
pub(super) fn give_up() -> State {
    State::of(drop_all(), "no new privileges, capabilities given up")
}

fn drop_all() -> io::Result<()> {
    // From now on a program has at most the capabilities of the process that becomes it.
    set_no_new_privs(true)?;
    let held = capabilities(None)?;
    let permitted = held.permitted & KEPT;
    bound(permitted);
    let sets = CapabilitySets {
        permitted,
        effective: held.effective & permitted,
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, sets)
}

/// Tells the kernel that root's next program is not to have more than these. It would not get more in any case; but where
/// it is entitled to, the kernel takes back what was said about addresses (`addresses`).
fn bound(permitted: CapabilitySet) {
    for capability in (CapabilitySet::all() - permitted).iter() {
        // Who may not do it, or does not know this capability, is not entitled to it either.
        let _ = remove_capability_from_bounding_set(capability);
    }
}
