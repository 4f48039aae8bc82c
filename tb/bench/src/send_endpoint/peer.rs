//! Receivers at the other end of a bad network: what they answer to a packet, and when it comes.

use super::{NODE_QP, QP};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::wire::{Bth, Control, Frame, Opcode};

/// What goes wrong, in percent of the packets or of what is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mix {
    /// packets that never arrive
    pub lost: u32,
    /// of those, the ones of which the receiver says so
    pub negative: u32,
    /// answers that never come back
    pub silent: u32,
    /// answers that come after the timer has run out, and twice
    pub late: u32,
    pub doubled: u32,
    /// starts that are told to try later
    pub overlap: u32,
    /// packets after which somebody says what is not so
    pub forged: u32,
    /// operations that the receiver rejects, and those that nobody answers
    pub rejected: u32,
    pub dead: u32,
    /// commands that are refused, and those whose source is no memory
    pub refused: u32,
    pub broken: u32,
    /// descriptors of a thousand that fail by themselves
    pub cdma: u32,
}

impl Mix {
    /// Nothing goes wrong.
    pub const CLEAN: Mix = Mix {
        lost: 0,
        negative: 0,
        silent: 0,
        late: 0,
        doubled: 0,
        overlap: 0,
        forged: 0,
        rejected: 0,
        dead: 0,
        refused: 0,
        broken: 0,
        cdma: 0,
    };
    /// All of it.
    pub const BAD: Mix = Mix {
        lost: 8,
        negative: 30,
        silent: 5,
        late: 4,
        doubled: 8,
        overlap: 4,
        forged: 10,
        rejected: 3,
        dead: 1,
        refused: 8,
        broken: 4,
        cdma: 8,
    };
}

/// Why a message is none of the endpoint's business, for the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    Ours,
    /// of another queue pair
    Other,
    /// its ICRC is wrong
    Damaged,
    /// a data packet
    Foreign,
}

/// A message on its way to the sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub due: u64,
    pub control: Control,
    pub address: Address,
}

impl Message {
    /// The frame as the MAC gives it, and the side-band of its last beat.
    pub fn frame(&self) -> (Vec<u8>, u64) {
        let opcode = match self.control {
            Control::Completion { .. } => Opcode::REMOTE_COMPLETION,
            _ => Opcode::OP_ACK,
        };
        let qp = if self.address == Address::Other { NODE_QP } else { QP };
        let mut frame = Frame::new(Bth::new(opcode, qp, 0));
        frame.control = Some(self.control.clone());
        if self.address == Address::Foreign {
            frame.bth.opcode = Opcode::DATA_ARRIVAL;
            frame.control = Some(Control::DataArrival { op: 0, src: 1, status: 0, address: 0, bytes: 1 });
        }
        (frame.to_bytes(), if self.address == Address::Damaged { 2 } else { 0 })
    }
}

/// Positive acknowledgements of the packets in `mask`, one message per 64 of them.
pub fn acknowledge(op: u32, packets: &[bool], status: u8) -> Vec<Control> {
    let word = |(i, chunk): (usize, &[bool])| {
        let mask = chunk.iter().enumerate().fold(0u64, |mask, (bit, set)| mask | u64::from(*set) << bit);
        (mask != 0).then_some(Control::OpAck { op, index: 64 * i as u16, status, mask })
    };
    packets.chunks(64).enumerate().filter_map(word).collect()
}

/// Something that must change nothing: about `op`, of which `sent` packets of `count` have left, or about nothing.
pub fn forge(rng: &mut ChaCha8Rng, op: u32, sent: usize, count: usize, index_bits: u32) -> (Control, Address) {
    let status = [0, 1, 9][rng.random_range(0..3)];
    // what is true but for one thing
    let all = Control::OpAck { op, index: 0, status: 0, mask: u64::MAX };
    let done = Control::Completion { op, status: 0, packets: count as u32 };
    let older = op.wrapping_sub(1 << index_bits) % (1 << OP_BITS);
    match rng.random_range(0..9) {
        0 => (Control::OpAck { op: older, index: 0, status, mask: u64::MAX }, Address::Ours),
        1 => (Control::Completion { op: older, status, packets: 1 }, Address::Ours),
        2 => (Control::OpAck { op, index: rng.random_range(1..64), status, mask: u64::MAX }, Address::Ours),
        3 if count < 64 => (Control::OpAck { op, index: 0, status, mask: u64::MAX << count }, Address::Ours),
        4 if sent < count => (done, Address::Ours),
        5 => (all, Address::Other),
        6 => (done, Address::Damaged),
        7 => (done, Address::Foreign),
        _ => (Control::OpAck { op, index: 64 * rng.random_range(4..1000), status, mask: rng.random() }, Address::Ours),
    }
}
