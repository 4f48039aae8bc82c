//! What is fixed when the ends are made, and what is set at run time.

use super::{Fault, MAX_PACKETS};
use crate::bitmap::psn;

/// Static parameters of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiverParams {
    /// WQEs of a queue pair that may be open: 1 to 256
    pub open: u32,
    /// packets that the bitmap of a WQE reaches, from its first missing one on: 1 to 4096
    pub bitmap: u32,
    /// pages of all queue pairs together
    pub pages: u32,
    /// bytes of a page: a power of two, at least the largest MTU
    pub page_bytes: u32,
    /// READ and atomic requests of a queue pair that may wait
    pub requests: usize,
    /// packets from the first unacknowledged one on: at least those of the longest WQE, less than 2^23
    pub window: u32,
    /// ticks within which every timer is looked at once
    pub scan: u32,
    /// a mistake made on purpose
    pub fault: Option<Fault>,
}

impl Default for ReceiverParams {
    fn default() -> ReceiverParams {
        ReceiverParams {
            open: 16,
            bitmap: MAX_PACKETS,
            pages: 256,
            page_bytes: 4096,
            requests: 16,
            window: 16 * MAX_PACKETS,
            scan: 16,
            fault: None,
        }
    }
}

impl ReceiverParams {
    /// # Errors
    /// What is not possible, with what is.
    pub fn check(&self) -> Result<(), String> {
        if !(1..=256).contains(&self.open) {
            return Err(format!("{} open WQEs; 1 to 256 are possible", self.open));
        }
        if !(1..=MAX_PACKETS).contains(&self.bitmap) {
            return Err(format!("a bitmap of {} packets; 1 to {MAX_PACKETS} are possible", self.bitmap));
        }
        if !self.page_bytes.is_power_of_two() || !(256..=1 << 24).contains(&self.page_bytes) {
            return Err(format!("pages of {} bytes; a power of two from 256 to 2^24 is possible", self.page_bytes));
        }
        if !(MAX_PACKETS..psn::HALF).contains(&self.window) {
            return Err(format!("a window of {} packets; {MAX_PACKETS} to {} are possible", self.window, psn::HALF - 1));
        }
        if self.scan == 0 {
            return Err("a scan period of 0 ticks; at least 1 is possible".to_owned());
        }
        Ok(())
    }
}

/// Runtime registers of a receiver. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiverConfig {
    /// a packet that is absent for longer has failed
    pub t_fail: u32,
    /// no WQE is indicated again before; at least the sender's `dedup` and a round trip
    pub refeedback: u32,
    /// a WQE without a packet for longer loses its pages
    pub wqe_idle: u32,
    /// pages that a queue pair may hold, 0: all
    pub quota: u32,
    /// the receive of a SEND is known only when all packets before have arrived; a queue pair has it as it was when it was opened
    pub strict: bool,
}

impl Default for ReceiverConfig {
    fn default() -> ReceiverConfig {
        ReceiverConfig { t_fail: 100, refeedback: 200, wqe_idle: 20_000, quota: 0, strict: false }
    }
}

/// Runtime registers of a sender. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SenderConfig {
    /// packets that may be unacknowledged: at least those of the longest WQE, less than 2^23
    pub window: u32,
    /// WQEs that may be unacknowledged: what the receiver may have open
    pub open: u32,
    /// work requests that may wait or be under way
    pub queue: usize,
    /// a packet is not sent again for an indication within so many ticks of the one before
    pub dedup: u32,
    /// without an acknowledgement for so long the oldest and the newest packet are sent again
    pub rto: u32,
    /// most that `rto` is doubled to
    pub rto_cap: u32,
    /// expiries without an acknowledgement after which the queue pair is in error
    pub retry_limit: u32,
    /// a mistake made on purpose
    pub fault: Option<Fault>,
}

impl Default for SenderConfig {
    fn default() -> SenderConfig {
        SenderConfig { window: 4096, open: 16, queue: 1 << 16, dedup: 50, rto: 2000, rto_cap: 10_000, retry_limit: 7, fault: None }
    }
}

impl SenderConfig {
    /// # Errors
    /// What is not possible, with what is.
    pub fn check(&self) -> Result<(), String> {
        if !(MAX_PACKETS..psn::HALF).contains(&self.window) {
            return Err(format!("a window of {} packets; {MAX_PACKETS} to {} are possible", self.window, psn::HALF - 1));
        }
        if self.open == 0 || self.rto == 0 {
            return Err(format!("open {}, rto {}; at least 1 is possible", self.open, self.rto));
        }
        Ok(())
    }
}

/// A queue pair, as both ends must know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    pub qp: u32,
    /// first packet sequence number
    pub psn: u32,
    /// first WQE sequence number; 0 but in tests of what follows 2^32 - 1
    pub sequence: u32,
    /// payload bytes of every packet but the last of a WQE: a power of two from 256 to 4096
    pub mtu: u32,
}

impl Open {
    /// # Errors
    /// A number that is not possible, with those that are.
    pub fn check(&self) -> Result<(), String> {
        if self.qp.max(self.psn) >= psn::SPACE {
            return Err(format!("queue pair {:#x} with PSN {:#x}; both have 24 bits", self.qp, self.psn));
        }
        if !self.mtu.is_power_of_two() || !(256..=4096).contains(&self.mtu) {
            return Err(format!("an MTU of {}; a power of two from 256 to 4096 is possible", self.mtu));
        }
        Ok(())
    }
}

/// Memory that RDMA WRITEs may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub rkey: u32,
    pub base: u64,
    pub bytes: u64,
}

impl Region {
    /// Whether `bytes` bytes from `address` on lie in it.
    pub fn holds(&self, rkey: u32, address: u64, bytes: u32) -> bool {
        let (first, last) = (u128::from(address), u128::from(address) + u128::from(bytes));
        self.rkey == rkey && first >= self.base.into() && last <= u128::from(self.base) + u128::from(self.bytes)
    }
}
