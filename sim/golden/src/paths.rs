//! Many paths from end to end: a sender that chooses a path for each packet and leaves bad ones out, a receiver that knows from the wire
//! which path a packet took, and what both count per path.
//!
//! Follows the contract, "Bitmap loss detection", "Paths from end to end" and "Congestion-constrained state", "Wire format", "Reserved bits
//! we use", and "Management and monitoring", "Count". [`Sender`] and [`Receiver`] are the ends of [`bitmap`](crate::bitmap) with what paths
//! add; what passes between them is [`Packet`] and [`Message`](crate::bitmap::Message), each of which has its frame. Time is a number of
//! ticks that comes from outside.
//!
//! Decided here, where the contract is silent:
//! * A striped packet that leaves the path of its number, because that path is out or because it is sent again, carries the tag of the path
//!   it takes. The receiver judges the numbers of a path that such packets have left as it judges tagged ones. Path 15 has no tag, so no
//!   such packet takes it while another path is in.
//! * A message names the path of a loss where the receiver can know it: in striped mode, by the number. In tagged mode it says *none*: the
//!   packet that shows a gap came over another path, most often the fastest. The sender knows which path each packet took, and counts each
//!   loss there.
//! * When no path is active, the next packet makes all of them active: nobody knows yet which of them the sender uses.
//! * Health is judged per path, for all queue pairs together. A packet counts when it is acknowledged, or sent again because a message
//!   asked for it; what the timer sends again is no proof of a loss. Untagged packets judge no path.
//! * One operation takes one path: of those that are in, the one with the fewest unacknowledged packets that is not the path of its first
//!   packet's last try.
//! * `relax` 0 leaves age and stall as they are; only depth is not tested.

mod constrained;
pub mod fault;
mod packet;
mod params;
mod receiver;
mod sender;
mod statistics;
mod table;
#[cfg(test)]
mod tests;

pub use constrained::Rate;
pub use fault::Fault;
pub use packet::{Packet, message_frame, read_message};
pub use params::{Choice, Refused, SenderConfig, Spread, check_mode};
pub use receiver::{Arrival, Receiver, ReceiverConfig};
pub use sender::{Event, Sender};
pub use statistics::{Count, Peak, Row, Statistics};
pub use table::{PathState, Table};
