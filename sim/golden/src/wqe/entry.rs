//! An open WQE: what has arrived of it, where it belongs, and where it is kept meanwhile.

use super::{Packet, Reason};
use crate::bitmap::psn;
use crate::wire::Reth;
use bitvec::vec::BitVec;

/// Where the data of a WQE belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Unknown,
    /// in host memory, from this address on
    At(u64),
    /// there is a place, and it cannot be used
    Refused(Reason),
}

/// Where packets are kept while the place is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Store {
    /// nothing was decided, or nothing is needed any more
    Free,
    /// page by page; `None` where it has been given back
    Pages(Vec<Option<u32>>),
    /// nowhere: the WQE is deferred
    Deferred,
}

/// When packets were last asked for, and how far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Round {
    pub asked: Option<u64>,
    /// the packet after the last one that the round has named
    pub told: u32,
}

/// What the header of a data packet says, when nothing is wrong with it by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub sequence: u32,
    /// of the first packet of the WQE
    pub base: u32,
    /// which packet of the WQE it is
    pub index: u32,
    /// packets of the WQE
    pub count: u32,
    /// bytes of the WQE
    pub bytes: u32,
    pub fence: bool,
    pub is_send: bool,
}

/// An open WQE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub claim: Claim,
    /// packets that are in host memory or in pages
    arrived: BitVec<u64>,
    /// packets that are in host memory
    settled: BitVec<u64>,
    /// first packet that has not arrived
    first: u32,
    /// first packet that is not settled
    done: u32,
    /// of the first packet of an RDMA WRITE
    pub reth: Option<Reth>,
    /// the last packet has been seen, with this immediate
    pub end: Option<Option<u32>>,
    pub place: Place,
    pub store: Store,
    /// when the last new packet was kept, or the entry was made
    pub advanced: u64,
    /// when the last packet came, kept or not
    pub touched: u64,
    pub round: Round,
}

impl Entry {
    pub fn new(claim: Claim, now: u64) -> Entry {
        let none = BitVec::repeat(false, claim.count as usize);
        Entry {
            claim,
            arrived: none.clone(),
            settled: none,
            first: 0,
            done: 0,
            reth: None,
            end: None,
            place: Place::Unknown,
            store: Store::Free,
            advanced: now,
            touched: now,
            round: Round::default(),
        }
    }

    /// The packet after its last.
    pub fn end_psn(&self) -> u32 {
        psn::add(self.claim.base, self.claim.count)
    }

    pub fn has(&self, index: u32) -> bool {
        self.arrived.get(index as usize).is_some_and(|bit| *bit)
    }

    pub fn is_settled(&self, index: u32) -> bool {
        self.settled.get(index as usize).is_some_and(|bit| *bit)
    }

    /// First packet that has not arrived.
    pub fn first_missing(&self) -> u32 {
        self.first
    }

    /// Packets from the first on that are settled.
    pub fn done(&self) -> u32 {
        self.done
    }

    pub fn keep(&mut self, index: u32) {
        self.arrived.set(index as usize, true);
        self.first = next_zero(&self.arrived, self.first);
    }

    pub fn settle(&mut self, index: u32) {
        self.settled.set(index as usize, true);
        self.done = next_zero(&self.settled, self.done);
    }

    /// Nothing has arrived, as far as anybody is told.
    pub fn forget(&mut self) {
        self.arrived.fill(false);
        self.first = 0;
    }

    /// Packets in `from .. to` that have not arrived.
    pub fn missing(&self, from: u32, to: u32) -> impl Iterator<Item = u32> {
        self.arrived[from as usize..to as usize].iter_zeros().map(move |at| from + at as u32)
    }

    /// Whether it takes a receive of the host; `None`: nobody can know yet.
    pub fn consumes(&self) -> Option<bool> {
        if self.claim.is_send { Some(true) } else { self.end.map(|immediate| immediate.is_some()) }
    }

    /// Bytes of packet `index`.
    pub fn packet_bytes(&self, index: u32, mtu: u32) -> u32 {
        (self.claim.bytes - index * mtu).min(mtu)
    }

    /// What a packet that belongs here tells besides its payload. The first word counts.
    pub fn hear(&mut self, packet: &Packet) {
        let Some(part) = packet.part() else { return };
        if part.begins() && !self.claim.is_send {
            self.reth = self.reth.or(packet.reth);
        }
        if part.ends() {
            self.end = self.end.or(Some(packet.imm));
        }
    }
}

fn next_zero(bits: &BitVec<u64>, from: u32) -> u32 {
    bits[from as usize..].first_zero().map_or(bits.len() as u32, |at| from + at as u32)
}
