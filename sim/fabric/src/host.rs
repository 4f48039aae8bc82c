//! A host: one port, one card, many queue pairs.

use rdma_rtl_golden::congestion::dcqcn::Dcqcn;
use rdma_rtl_golden::lr2::card::{Config, Requester, Responder};
use rdma_rtl_golden::lr2::ideal;
use rdma_rtl_golden::lr2::packet::{BTH, FRAME, Key, Kind, Packet};
use rdma_rtl_golden::lr2::table::turned;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The sending side of a queue pair.
#[derive(Clone, Debug)]
pub enum Sender {
    GoBackN(Requester),
    Ideal(ideal::Requester),
}

/// The receiving side.
#[derive(Clone, Debug)]
pub enum Receiver {
    GoBackN(Responder),
    Ideal(ideal::Responder),
}

macro_rules! both {
    ($self:expr, $card:ident => $what:expr) => {
        match $self {
            Self::GoBackN($card) => $what,
            Self::Ideal($card) => $what,
        }
    };
}

impl Sender {
    pub fn ready(&self) -> bool {
        match self {
            Sender::GoBackN(card) => card.ready().is_some(),
            Sender::Ideal(card) => card.ready(),
        }
    }

    pub fn take(&mut self, now: u64) -> Option<Packet> {
        both!(self, card => card.take(now))
    }

    pub fn receive(&mut self, now: u64, packet: &Packet) {
        both!(self, card => card.receive(now, packet))
    }

    pub fn tick(&mut self, now: u64) {
        both!(self, card => card.tick(now))
    }

    pub fn deadline(&self) -> Option<u64> {
        both!(self, card => card.deadline())
    }

    pub fn finished(&self) -> bool {
        both!(self, card => card.finished())
    }

    pub fn failed(&self) -> bool {
        both!(self, card => card.failed())
    }

    /// Packets that are acknowledged.
    pub fn done(&self) -> u64 {
        both!(self, card => card.progress().1)
    }

    pub fn sent(&self) -> (u64, u64, u64) {
        match self {
            Sender::GoBackN(card) => (card.stats.sent, card.stats.resent, card.stats.timeouts),
            Sender::Ideal(card) => (card.sent, card.resent, card.timeouts),
        }
    }
}

impl Receiver {
    pub fn receive(&mut self, now: u64, packet: &Packet, out: &mut Vec<Packet>) {
        both!(self, card => card.receive(now, packet, out))
    }

    /// Packets that have arrived in order.
    pub fn done(&self) -> u64 {
        both!(self, card => card.progress().1)
    }

    /// Packets beyond a gap, NAKs, duplicates, wrong payloads.
    pub fn seen(&self) -> (u64, u64, u64, u64) {
        match self {
            Receiver::GoBackN(card) => (card.stats.beyond, card.stats.naks, card.stats.duplicates, card.stats.wrong),
            Receiver::Ideal(card) => (0, 0, card.duplicates, card.wrong),
        }
    }

    pub fn cnps(&self) -> u64 {
        match self {
            Receiver::GoBackN(card) => card.stats.cnps,
            Receiver::Ideal(card) => card.cnps,
        }
    }
}

/// How fast a queue pair may send.
#[derive(Clone, Copy, Debug)]
pub enum Rate {
    Fixed(f64),
    Dcqcn(Dcqcn),
}

impl Rate {
    pub fn at(&mut self, now: u64) -> f64 {
        match self {
            Rate::Fixed(rate) => *rate,
            Rate::Dcqcn(control) => control.rate(now),
        }
    }
}

/// A flow, both ends of it.
#[derive(Clone, Debug)]
pub struct Flow {
    pub source: usize,
    pub destination: usize,
    pub key: Key,
    pub reverse: Key,
    pub bytes: u64,
    pub packets: u64,
    pub payload: u32,
    pub start: u64,
    pub sender: Sender,
    pub receiver: Receiver,
    pub rate: Rate,
    pub next: u64,
    pub listed: bool,
    pub timer: Option<u64>,
    pub received: Option<u64>,
    pub acknowledged: Option<u64>,
    pub closed: bool,
}

impl Flow {
    /// Number `number`, from host to host: addresses are host numbers.
    pub fn new(
        number: usize,
        (source, destination): (usize, usize),
        (bytes, start): (u64, u64),
        card: Config,
        ideal: bool,
        rate: Rate,
    ) -> Flow {
        let qp = number as u32 & 0x7f_ffff;
        let key = Key { source: source as u32, destination: destination as u32, qp };
        // the numbers of both ends differ, so that a packet tells its flow by its own
        let reverse = turned(&key, qp | 0x80_0000);
        let packets = bytes.div_ceil(u64::from(card.payload));
        // every start of the 24-bit space
        let initial = (number as u32).wrapping_mul(0x9e_3779) & 0xff_ffff;
        let (sender, receiver) = if ideal {
            let mut sender = ideal::Requester::new(key, initial, card);
            sender.write(packets as u32);
            (Sender::Ideal(sender), Receiver::Ideal(ideal::Responder::new(reverse, qp, initial, card)))
        } else {
            let mut sender = Requester::new(key, initial, card);
            sender.write(packets as u32);
            (Sender::GoBackN(sender), Receiver::GoBackN(Responder::new(reverse, qp, initial, card)))
        };
        Flow {
            source,
            destination,
            key,
            reverse,
            bytes,
            packets,
            payload: card.payload,
            start,
            sender,
            receiver,
            rate,
            next: 0,
            listed: false,
            timer: None,
            received: None,
            acknowledged: None,
            closed: false,
        }
    }

    /// First PSN.
    pub fn initial(&self) -> u32 {
        (self.key.qp).wrapping_mul(0x9e_3779) & 0xff_ffff
    }

    /// The next packet, and when the one after it may go.
    pub fn take(&mut self, now: u64) -> Option<Packet> {
        let mut packet = self.sender.take(now)?;
        if packet.last && packet.kind == Kind::Data {
            packet.bytes = FRAME + BTH + (self.bytes - (self.packets - 1) * u64::from(self.payload)) as u32;
        }
        if let Rate::Dcqcn(control) = &mut self.rate {
            control.sent(now, packet.bytes);
        }
        let gap = f64::from(packet.bytes) * 8.0 / self.rate.at(now) * super::SECOND as f64;
        self.next = self.next.max(now) + gap as u64;
        Some(packet)
    }
}

/// The order in which the queue pairs of a host send.
#[derive(Clone, Debug, Default)]
pub struct Host {
    pub ready: BinaryHeap<Reverse<(u64, u64, u32)>>,
    pub order: u64,
    pub link: usize,
    pub wake: Option<u64>,
}
