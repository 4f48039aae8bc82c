//! Plain RoCEv2: a reliable connection as the InfiniBand specification has it, and both ends of ours towards a peer that speaks nothing
//! else.
//!
//! Source: the InfiniBand transport, reliable connection, over UDP; headers and syndromes as public sources give them, checked against
//! captures of Linux soft-RoCE. What our ends do towards such a peer is this project's decision. Spec: ready for a real wire, a peer that
//! is not ours, in the *bitmap* transport.
//!
//! [`Requester`] and [`Responder`] are the plain peer. [`Sender`] and [`Receiver`] are ours. What passes between any two of them is a
//! [`Frame`](crate::wire::Frame), so that every bit of a header is there to be judged. Each is one queue pair: queue pairs of a plain peer
//! share nothing. Time is a number of ticks that comes from outside. A timer of `n` ticks never runs out before `n` whole ticks have
//! passed.
//!
//! READ and atomics are not served by any of them: a queue pair is opened without the resources that these need, and a request is answered
//! by the NAK for an invalid request.

mod answer;
pub mod fault;
mod flight;
mod message;
mod receiver;
mod region;
mod requester;
mod responder;
mod sender;
#[cfg(test)]
mod tests;

pub use answer::{Answer, NakCode, Syndrome, UNLIMITED, rnr_wait};
pub use fault::Fault;
pub use flight::{Counters, Done, Handed, Outcome, Refusal};
pub use message::{Kind, MAX_MESSAGE, Message};
pub use receiver::{Receiver, ReceiverConfig, ReceiverCounters, ReceiverParams, Written};
pub use region::{Open, Region};
pub use requester::{Requester, RequesterConfig, Work};
pub use responder::{Completion, Receive, Responder, ResponderConfig, ResponderCounters};
pub use sender::{Command, Sender, SenderConfig};

/// What becomes of a packet at a receiver or responder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// its payload, which may be empty, is written from `address` on
    Placed { address: u64 },
    /// it has arrived before; it is acknowledged again
    Duplicate,
    /// a packet before it is missing, and only packets in order are taken
    OutOfOrder,
    /// further ahead than the window reaches
    OutOfWindow,
    /// the first packet of its message has not come, so its place is not known
    Unplaced,
    /// no entry of the message table is left for a message ahead of the one at the base
    TableFull,
    /// no place is left for an immediate that has to wait
    ImmediatesFull,
    /// it would be refused, but a packet before it is missing, and a refusal acknowledges all before
    Deferred(NakCode),
    /// refused; the queue pair is in error
    Refused(NakCode),
    /// no receive is posted
    NotReady,
    /// an answer, a control packet or a packet of another queue pair
    NotOurs,
    /// the queue pair is not open, or in error
    Closed,
}
