//! What both kinds of receivers are given: memory regions, and how a queue pair is opened.

use super::Fault;
use crate::bitmap::psn;

/// A queue pair, as the end that opens it must know it. Everything is loaded anew: nothing of an earlier life acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// number of this end
    pub qp: u32,
    /// number at the peer, the destination of what this end sends
    pub peer: u32,
    /// first packet sequence number of the requests
    pub psn: u32,
    /// messages that are complete; 0 but in tests of what follows 2^24 - 1
    pub msn: u32,
    /// payload bytes of every packet but the last of a message: a power of two from 256 to 4096
    pub mtu: u32,
}

impl Open {
    /// # Errors
    /// The MTU is not possible, or a number has more than 24 bits.
    pub fn check(&self) -> Result<(), String> {
        if !self.mtu.is_power_of_two() || !(256..=4096).contains(&self.mtu) {
            return Err(format!("an MTU of {}; a power of two from 256 to 4096 is possible", self.mtu));
        }
        match [self.qp, self.peer, self.psn, self.msn].into_iter().find(|&number| number >= psn::SPACE) {
            Some(number) => Err(format!("{number:#x} has more than 24 bits")),
            None => Ok(()),
        }
    }
}

/// A memory region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub rkey: u32,
    pub base: u64,
    pub bytes: u64,
    /// RDMA WRITEs may write it
    pub write: bool,
}

impl Region {
    fn permits(&self, rkey: u32, address: u64, bytes: u32, without: Without) -> bool {
        let (first, last) = (u128::from(address), u128::from(address) + u128::from(bytes));
        let inside = first >= self.base.into() && last <= u128::from(self.base) + u128::from(self.bytes);
        (self.rkey == rkey || without.rkey) && (inside || without.range) && (self.write || without.access)
    }
}

/// Checks that are left out, by a fault.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Without {
    pub rkey: bool,
    pub range: bool,
    pub access: bool,
}

impl Without {
    pub fn responder(fault: Option<Fault>) -> Without {
        Without {
            rkey: fault == Some(Fault::ResponderRkeyUnchecked),
            range: fault == Some(Fault::ResponderRangeUnchecked),
            access: fault == Some(Fault::ResponderAccessUnchecked),
        }
    }

    pub fn receiver(fault: Option<Fault>) -> Without {
        Without {
            rkey: fault == Some(Fault::ReceiverRkeyUnchecked),
            range: fault == Some(Fault::ReceiverRangeUnchecked),
            access: fault == Some(Fault::ReceiverAccessUnchecked),
        }
    }
}

/// Whether `bytes` bytes from `address` on may be written. A message of no bytes needs no region: neither its address nor its R_Key is
/// looked at.
pub(super) fn permitted(regions: &[Region], rkey: u32, address: u64, bytes: u32, without: Without) -> bool {
    bytes == 0 || regions.iter().any(|region| region.permits(rkey, address, bytes, without))
}
