//! The plain peer and our ends towards it: by hand, and over a network.

/// Ends a trace with what it has found.
macro_rules! same {
    ($is:expr, $want:expr) => {
        differ(&$is, &$want).map_or(Ok(()), |wrong| Err(format!("{}:{}: {}: {wrong}", file!(), line!(), stringify!($is))))?
    };
}

use super::*;
use crate::bitmap::psn;
use crate::wire::{Frame, Opcode};
use crate::wqe::tests::memory::pattern;

/// A trace of ends that have this fault, or none; what it finds.
type Trace = fn(Option<Fault>) -> Result<(), String>;

fn differ<T: PartialEq + std::fmt::Debug>(is: &T, want: &T) -> Option<String> {
    (is != want).then(|| format!("{is:x?}, not {want:x?}"))
}

mod asking;
mod faults;
mod harness;
mod receiving;
mod rejects;
mod responding;
mod runs;

/// Both numbers wrap within every trace.
const OPEN: Open = Open { qp: 0x11, peer: 0x22, psn: psn::SPACE - 3, msn: psn::SPACE - 1, mtu: 256 };
const MTU: u32 = OPEN.mtu;
/// Where the one region that may be written begins; it has 64 KiB.
const PLACE: u64 = 0x1000;
const REGION: Region = Region { rkey: 9, base: PLACE, bytes: 1 << 16, write: true };

/// A PSN so many after the first.
fn number(after: u32) -> u32 {
    psn::add(OPEN.psn, after)
}

/// An RDMA WRITE to `PLACE + place`.
fn write(place: u64, bytes: u32, imm: Option<u32>) -> Message {
    Message { kind: Kind::Write { address: PLACE + place, rkey: REGION.rkey }, bytes, imm }
}

/// All packets of these messages, in order, as a requester without a fault makes them.
fn packets(messages: &[Message]) -> Vec<Frame> {
    let config = RequesterConfig { window: 1 << 20, ack_every: 0, ..RequesterConfig::default() };
    let mut requester = Requester::new(config, Open { peer: OPEN.qp, ..OPEN }).expect("it is possible");
    for (id, &message) in (0..).zip(messages) {
        requester.post(Work { id, message }).expect("it is short enough");
    }
    std::iter::from_fn(|| requester.take()).map(whole).collect()
}

/// A packet with its payload.
fn whole(handed: Handed) -> Frame {
    let payload = pattern(handed.id, handed.offset as u32, handed.bytes as usize);
    Frame { payload, ..handed.frame }
}

/// A frame like one of these, with another opcode and the rest as it may be.
fn request(opcode: u8, after: u32, bytes: usize) -> Frame {
    let mut frame = Frame::new(crate::wire::Bth::new(Opcode(opcode), OPEN.qp, number(after)));
    frame.payload = vec![0x77; bytes];
    frame.bth.pad = (bytes.wrapping_neg() % 4) as u8;
    let shape = Opcode(opcode).shape().unwrap_or_default();
    frame.reth = shape.reth.then_some(crate::wire::Reth { address: PLACE, rkey: REGION.rkey, length: bytes as u32 });
    frame.imm = shape.imm.then_some(5);
    frame
}

/// What an answer says: packets after the first, syndrome, messages after the first.
fn told(frame: &Frame) -> (u32, u8, u32) {
    let aeth = frame.aeth.unwrap_or(crate::wire::Aeth { syndrome: 0xff, msn: 0 });
    (psn::ahead(OPEN.psn, frame.bth.psn), aeth.syndrome, psn::ahead(OPEN.msn, aeth.msn))
}

const ACK: u8 = 0x1f;
const NAK: u8 = 0x60;
