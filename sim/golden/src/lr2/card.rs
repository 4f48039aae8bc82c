//! A card that can only go back: a reliable connection of RoCEv2, requester and responder.
//!
//! Source: the InfiniBand transport as RoCEv2 cards have it, checked against captures of Linux soft-RoCE: one NAK for a gap and none while
//! it is open, everything behind the gap dropped, acknowledgements that carry the expected PSN less one, a READ whose response is lost
//! asked for again by the requester.

mod requester;
mod responder;

pub use requester::Requester;
pub use responder::Responder;

/// Settings of a card. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// payload of a packet
    pub payload: u32,
    /// 4.096 us x 2^n, 0: none
    pub timeout: u64,
    /// tries without progress before the queue pair fails
    pub retries: u32,
    /// a NAK is a try as a time-out is
    pub counts_naks: bool,
    pub rnr_wait: u64,
    /// an acknowledgement is asked for every this many packets, and at the end of a message
    pub ack_every: u32,
    /// of the acknowledgements asked for in the middle of a message, every n-th is sent
    pub coalesce: u32,
    /// packets that may be sent and not acknowledged, 0: no limit
    pub window: u32,
    /// A NAK of a box acknowledges nothing: it only says from where to send.
    pub aware: bool,
    /// packets that a box's NAK asks for carry the retransmission flag
    pub flags: bool,
    /// a NAK of the same PSN follows an RNR NAK, as soft-RoCE has it
    pub nak_after_rnr: bool,
    /// least time between two CNPs, 0: none are sent
    pub cnp: u64,
    /// acknowledgements carry BECN
    pub echo: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            payload: 1024,
            timeout: 0,
            retries: 7,
            counts_naks: true,
            rnr_wait: 0,
            ack_every: 16,
            coalesce: 1,
            window: 0,
            aware: false,
            flags: false,
            nak_after_rnr: false,
            cnp: 0,
            echo: false,
        }
    }
}

/// What the payload of the `number`-th PSN of a queue pair is.
pub fn tag(qp: u32, number: u64) -> u64 {
    (u64::from(qp) << 40) ^ number
}
