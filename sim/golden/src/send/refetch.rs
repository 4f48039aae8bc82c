//! Packets that are sent again, pulled from the host's memory again.
//!
//! Spec: send path, "Where payload lives": with `refetch` a slot is free when its packets are on the wire; a retransmission is a new
//! descriptor. Decided here: places of the last slot, and that an operation's
//! close comes behind its pulls. The bench tells every event in the order in which it happened; the model agrees, or says in one sentence
//! what is wrong.

use super::OpKind;
use super::packets::Sender;
use super::splitter::{Block, Segment};
use crate::registry::{Mismatch, mismatch};
use std::collections::{BTreeMap, VecDeque};

/// Static parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// operations that may be in flight, a power of two
    pub ops: usize,
    /// slots of the send buffer, the last of which is for these packets
    pub slots: u64,
    /// bytes of a slot
    pub slot_bytes: u64,
    /// payload bytes of every packet but the last
    pub packet_size: u32,
    /// packets that may be pulled at a time
    pub places: usize,
}

/// A packet that is to be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub op: u32,
    /// its number in the operation
    pub packet: u16,
    pub tries: u8,
}

/// What the CDMA is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pull {
    pub place: usize,
    pub pieces: Vec<Block>,
    pub destination: u64,
}

/// What comes behind all that was wanted before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Abort(u32),
    Close(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Free,
    /// the CDMA has its load
    Loading,
    /// its payload is there
    There,
    /// the packet engine has it
    Sending,
}

#[derive(Clone, Debug)]
struct Packet {
    wanted: Wanted,
    /// of one that goes on without a load: none
    pieces: Option<Vec<Block>>,
    place: Option<usize>,
}

/// The model.
#[derive(Clone, Debug)]
pub struct Refetch {
    params: Params,
    base: u64,
    /// by index: the operation, its segment, and whether its close has come in
    kept: BTreeMap<usize, (u32, Segment, bool)>,
    /// in the order in which they came in, until they have gone on or failed
    packets: BTreeMap<u64, Packet>,
    ends: VecDeque<(u64, End)>,
    places: Vec<Place>,
    came: u64,
}

impl Refetch {
    /// After reset. `base`: address of slot 0 as the CDMA sees it.
    pub fn new(params: Params, base: u64) -> Refetch {
        Refetch {
            params,
            base,
            kept: BTreeMap::new(),
            packets: BTreeMap::new(),
            ends: VecDeque::new(),
            places: vec![Place::Free; params.places],
            came: 0,
        }
    }

    /// `segment` has become operation `op`.
    pub fn keep(&mut self, op: u32, segment: &Segment) {
        self.kept.insert(op as usize % self.params.ops, (op, segment.clone(), false));
    }

    /// What the CDMA fetches of `packet`; none of one without payload, or of an operation that is closed.
    pub fn pieces(&self, op: u32, packet: u16) -> Option<Vec<Block>> {
        match self.kept.get(&(op as usize % self.params.ops)) {
            Some((kept, segment, false)) if *kept == op && segment.kind == OpKind::Data => {
                Some(Sender { packet_size: self.params.packet_size, src: 0, each: false }.sources(segment, packet))
            }
            _ => None,
        }
    }

    fn next(&mut self) -> u64 {
        self.came += 1;
        self.came
    }

    /// A packet is to be sent again.
    pub fn wanted(&mut self, wanted: Wanted) {
        let (at, pieces) = (self.next(), self.pieces(wanted.op, wanted.packet));
        self.packets.insert(at, Packet { wanted, pieces, place: None });
    }

    /// An abort or a close has come in.
    pub fn end(&mut self, end: End) {
        let at = self.next();
        self.ends.push_back((at, end));
        if let End::Close(op) = end
            && let Some((kept, _, closed)) = self.kept.get_mut(&(op as usize % self.params.ops))
        {
            *closed |= *kept == op;
        }
    }

    /// The CDMA is told this.
    /// # Errors
    /// It is not the next packet, its bytes are others, or the place is not free.
    pub fn load(&mut self, pull: &Pull) -> Result<Wanted, Mismatch> {
        let Some(packet) = self.packets.values_mut().find(|packet| packet.pieces.is_some() && packet.place.is_none()) else {
            return mismatch!("a load to place {}, and no packet waits for one", pull.place);
        };
        let destination =
            self.base + (self.params.slots - 1) * self.params.slot_bytes + pull.place as u64 * u64::from(self.params.packet_size);
        if (Some(&pull.pieces), pull.destination) != (packet.pieces.as_ref(), destination) {
            return mismatch!("{:x?} loads {pull:x?}, expected {:x?} to {destination:#x}", packet.wanted, packet.pieces);
        }
        if self.places.get(pull.place) != Some(&Place::Free) {
            return mismatch!("{:x?} is loaded to place {}, which is {:?}", packet.wanted, pull.place, self.places.get(pull.place));
        }
        self.places[pull.place] = Place::Loading;
        packet.place = Some(pull.place);
        Ok(packet.wanted)
    }

    /// The operation whose packet is loaded to `place`.
    /// # Errors
    /// None is: a fault of whoever answers.
    pub fn loading(&self, place: usize) -> Result<u32, Mismatch> {
        match self.packets.values().find(|packet| packet.place == Some(place)) {
            Some(packet) if self.places[place] == Place::Loading => Ok(packet.wanted.op),
            _ => mismatch!("an answer for place {place}, to which nothing is loaded"),
        }
    }

    /// The answer of that load was taken; of one that failed the op table was told.
    /// # Errors
    /// As [`Refetch::loading`].
    pub fn loaded(&mut self, place: usize, status: u8) -> Result<(), Mismatch> {
        self.loading(place)?;
        self.places[place] = if status == 0 { Place::There } else { Place::Free };
        if status != 0 {
            self.packets.retain(|_, packet| packet.place != Some(place));
        }
        Ok(())
    }

    /// The packet engine gets a packet.
    /// # Errors
    /// It is another one than lies there, its payload is not there, or it is not the next of those that need none.
    pub fn again(&mut self, wanted: Wanted, place: usize) -> Result<(), Mismatch> {
        let state = self.places.get(place).copied();
        let found = match state {
            Some(Place::There) => self.packets.iter().find(|(_, packet)| packet.place == Some(place)),
            Some(Place::Free) => self.packets.iter().find(|(_, packet)| packet.pieces.is_none()),
            _ => None,
        };
        match found.map(|(at, packet)| (*at, packet.wanted)) {
            Some((at, expected)) if expected == wanted => {
                self.packets.remove(&at);
                self.places[place] = Place::Sending;
                Ok(())
            }
            expected => mismatch!("{wanted:x?} goes again from place {place}, which is {state:?}; expected {expected:x?}"),
        }
    }

    /// The packet engine has sent a packet, or thrown it away.
    /// # Errors
    /// It has none from there: a fault of whoever says so.
    pub fn done(&mut self, place: usize) -> Result<(), Mismatch> {
        match self.places.get_mut(place) {
            Some(state) if *state == Place::Sending => {
                *state = Place::Free;
                Ok(())
            }
            state => mismatch!("place {place} is free, which is {state:?}"),
        }
    }

    /// An abort or a close comes out.
    /// # Errors
    /// It is not the next, or something that came in before it has neither gone on nor failed.
    pub fn ends(&self, end: End) -> Result<(), Mismatch> {
        match (self.ends.front(), self.packets.first_key_value()) {
            (Some((at, expected)), _) if *expected != end => mismatch!("{end:x?} comes out, expected {expected:x?}, the one at {at}"),
            (None, _) => mismatch!("{end:x?} comes out, and none came in"),
            (Some((at, _)), Some((before, packet))) if before < at => mismatch!("{end:x?} comes out before {:x?}", packet.wanted),
            _ => Ok(()),
        }
    }

    /// It was taken.
    pub fn ended(&mut self) {
        self.ends.pop_front();
    }

    /// The payload of a packet lies in this place, pulled again.
    pub fn pulled(&self, place: usize) -> bool {
        self.places.get(place) == Some(&Place::There)
    }

    /// No place is free.
    pub fn full(&self) -> bool {
        !self.places.contains(&Place::Free)
    }

    /// The next abort or close waits for a packet that came in before it.
    pub fn behind(&self) -> bool {
        matches!((self.ends.front(), self.packets.first_key_value()), (Some((at, _)), Some((before, _))) if before < at)
    }

    /// Nothing is inside, and the packet engine has none of the places.
    pub fn idle(&self) -> bool {
        self.packets.is_empty() && self.ends.is_empty() && self.places.iter().all(|place| *place == Place::Free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: Params = Params { ops: 4, slots: 4, slot_bytes: 0x20, packet_size: 4, places: 2 };

    fn segment(lengths: &[u32]) -> Segment {
        let bytes = lengths.iter().sum();
        Segment {
            command: 0,
            kind: OpKind::Data,
            last: true,
            large: false,
            target: 0,
            node: 0,
            qp: 0,
            rkey: 0,
            imm: None,
            bytes,
            count: bytes.div_ceil(4) as u16,
            pieces: lengths.iter().zip(1..).map(|(&bytes, i)| Block { source: 0x1000 * i, bytes }).collect(),
        }
    }

    #[test]
    fn packets_are_the_bytes_of_their_segment() {
        let addresses = |blocks: &[Block]| -> Vec<u64> { blocks.iter().flat_map(|b| b.source..b.source + u64::from(b.bytes)).collect() };
        for lengths in 0..7u32.pow(4) {
            let segment = segment(&[0, 1, 2, 3].map(|i| lengths / 7u32.pow(i) % 7));
            let mut refetch = Refetch::new(PARAMS, 0);
            refetch.keep(1, &segment);
            let packets: Vec<Vec<u64>> = (0..segment.count).map(|packet| addresses(&refetch.pieces(1, packet).unwrap())).collect();
            assert_eq!(packets.concat(), addresses(&segment.pieces), "{segment:x?}");
            let full = packets.iter().rev().skip(1).all(|bytes| bytes.len() == 4);
            assert!(full && packets.iter().all(|bytes| !bytes.is_empty()), "{segment:x?}");
        }
    }

    #[test]
    fn an_end_comes_behind_what_was_wanted_before() {
        let mut refetch = Refetch::new(PARAMS, 0x1000);
        let wanted = |packet| Wanted { op: 5, packet, tries: 1 };
        let pull = |place, source, bytes| Pull { place, pieces: vec![Block { source, bytes }], destination: 0x1060 + 4 * place as u64 };
        refetch.keep(5, &segment(&[9]));
        refetch.wanted(wanted(2));
        refetch.wanted(wanted(0));
        refetch.end(End::Abort(5));
        refetch.end(End::Close(5));
        refetch.wanted(wanted(1));
        assert!(refetch.load(&pull(0, 0x1000, 4)).is_err(), "another one is first");
        assert!(refetch.load(&pull(2, 0x1008, 1)).is_err(), "no such place");
        refetch.load(&pull(1, 0x1008, 1)).unwrap();
        assert!(refetch.load(&pull(1, 0x1000, 4)).is_err(), "not free");
        refetch.load(&pull(0, 0x1000, 4)).unwrap();
        assert!(refetch.again(wanted(2), 1).is_err(), "not there");
        refetch.loaded(1, 0).unwrap();
        assert!(refetch.again(wanted(0), 1).is_err() && refetch.done(1).is_err());
        refetch.again(wanted(2), 1).unwrap();
        assert!(refetch.ends(End::Abort(5)).is_err(), "one is under way");
        assert_eq!(refetch.loading(0).unwrap(), 5);
        refetch.loaded(0, 34).unwrap();
        assert!(refetch.loading(0).is_err() && refetch.ends(End::Close(5)).is_err());
        for end in [End::Abort(5), End::Close(5)] {
            refetch.ends(end).unwrap();
            refetch.ended();
        }
        assert!(refetch.load(&pull(0, 0x1004, 4)).is_err(), "it is closed");
        refetch.again(wanted(1), 0).unwrap();
        assert!(!refetch.idle());
        refetch.done(0).unwrap();
        refetch.done(1).unwrap();
        assert!(refetch.idle() && refetch.done(1).is_err());
    }
}
