//! Our receiver towards a plain peer.
//!
//! Spec: ready for a real wire, a peer that is not ours, receiver; all of it this project's decision. RDMA WRITEs are taken in any order. A
//! message table keeps where each message goes whose first packet has come, so a packet is placed as soon as its message is known. One
//! whose first packet has not come has no place: it is dropped and its bit stays clear. In the place of a feedback message the peer gets a
//! NAK for a sequence error of the base.
//!
//! Decided here beyond it:
//! - The last free entry of the message table is for the message at the base, and a packet at the base needs no place for its immediate. So
//!   neither can fill up with what waits for the base.
//! - A packet that is dropped for want of a place shows all the same that one before it is missing: its bit is clear, but the gap is seen.
//! - A refusal acknowledges everything before it. So a packet is refused at the base alone; above a hole it is dropped and judged when it
//!   comes again.
//! - No packet of a message can have been taken before its first one. A first packet whose message covers one that has been taken is
//!   refused.
//! - A message of no bytes needs no region.
//! - What a NAK has asked for, up to the highest packet seen, is expected to come again. When the base moves to such a packet, a second NAK
//!   follows only when packets beyond it come after that, more than `depth` ahead, or after `refeedback` ticks. So a peer that is on its
//!   way through what it sends again is not sent back once more.
//! - A packet beyond the window changes nothing: the NAK for the base makes the peer send it again.
//! - The credits of every acknowledgement are those without limit, code 31. No RNR NAK is sent: nothing here takes a receive.

mod gap;
mod table;

use super::answer::acknowledgement;
use super::message::{self, Data, is_padded};
use super::region::{Without, permitted};
use super::{Fault, MAX_MESSAGE, NakCode, Open, Region, Syndrome, UNLIMITED, Verdict};
use crate::bitmap::psn;
use crate::wire::Frame;
use crate::wqe::Part;
use gap::Gap;
use std::collections::VecDeque;
use table::{Entry, Table};

/// Static parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiverParams {
    /// packets of the window
    pub window: u32,
    /// entries of the message table; at least 2
    pub messages: usize,
    /// immediates that may wait for packets before them
    pub immediates: usize,
    /// memory regions
    pub regions: usize,
    /// a mistake made on purpose
    pub fault: Option<Fault>,
}

impl Default for ReceiverParams {
    fn default() -> ReceiverParams {
        ReceiverParams { window: 1024, messages: 4, immediates: crate::bitmap::immediates::PLACES, regions: 16, fault: None }
    }
}

/// Runtime registers: those of the receive bitmap that matter to a plain peer. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiverConfig {
    /// packets by which the gap at the base may be overtaken
    pub depth: u32,
    pub wait: u32,
    pub stall: u32,
    pub refeedback: u32,
}

impl Default for ReceiverConfig {
    fn default() -> ReceiverConfig {
        ReceiverConfig { depth: 8, wait: 50, stall: 80, refeedback: 100 }
    }
}

/// A message is complete, and all before it are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// messages that are complete, this one included
    pub msn: u32,
    pub address: u64,
    pub bytes: u32,
    pub imm: Option<u32>,
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverCounters {
    pub placed: u64,
    pub duplicates: u64,
    pub unplaced: u64,
    pub out_of_window: u64,
    pub table_full: u64,
    pub immediates_full: u64,
    /// dropped because they would have been refused before their turn
    pub deferred: u64,
    pub naks: u64,
    pub acks: u64,
}

/// A packet that has been taken and waits for the base.
#[derive(Clone, Copy, Debug)]
struct Taken {
    /// its message ends with it
    end: Option<Written>,
    /// an acknowledgement follows when the base has passed it
    asks: bool,
}

/// Why a packet is not taken.
enum Drop {
    /// it is refused, if it is at the base
    Refuse(NakCode),
    Unplaced,
    TableFull,
    ImmediatesFull,
}

/// One queue pair.
#[derive(Clone, Debug)]
struct QueuePair {
    open: Open,
    base: u32,
    msn: u32,
    taken: VecDeque<Option<Taken>>,
    table: Table,
    gap: Gap,
    ack_due: bool,
    refusal: Option<NakCode>,
    error: bool,
}

/// The model.
#[derive(Clone, Debug)]
pub struct Receiver {
    params: ReceiverParams,
    config: ReceiverConfig,
    now: u64,
    regions: Vec<Region>,
    queue_pair: Option<QueuePair>,
    written: VecDeque<Written>,
    counters: ReceiverCounters,
}

impl Receiver {
    /// The block after reset: the queue pair is not open, there are no regions.
    /// # Errors
    /// Parameters that are not possible.
    pub fn new(params: ReceiverParams, config: ReceiverConfig) -> Result<Receiver, String> {
        if !(1..psn::HALF).contains(&params.window) || params.messages < 2 {
            return Err(format!("window {} (1 to 2^23 - 1), messages {} (from 2)", params.window, params.messages));
        }
        let (regions, written) = (Vec::new(), VecDeque::new());
        Ok(Receiver { params, config, now: 0, regions, queue_pair: None, written, counters: ReceiverCounters::default() })
    }

    /// Opens the queue pair. What was open before is gone with all that was known of it.
    /// # Errors
    /// The MTU is not possible, or a number has more than 24 bits.
    pub fn open(&mut self, open: Open) -> Result<(), String> {
        open.check()?;
        let fresh = QueuePair {
            open,
            base: open.psn,
            msn: open.msn,
            taken: VecDeque::new(),
            table: Table::new(self.params.messages),
            gap: Gap::new(open.psn, self.now),
            ack_due: false,
            refusal: None,
            error: false,
        };
        let before = self.queue_pair.replace(fresh);
        let fault = self.params.fault;
        if let (Some(before), Some(at)) = (before, &mut self.queue_pair) {
            match fault {
                Some(Fault::ReceiverReopenKeepsTable) => at.table = before.table,
                Some(Fault::ReceiverReopenKeepsMsn) => at.msn = before.msn,
                Some(Fault::ReceiverReopenKeepsWindow) => at.taken = before.taken,
                Some(Fault::ReceiverReopenKeepsAck) => at.ack_due = before.ack_due,
                _ => {}
            }
        }
        Ok(())
    }

    /// Closes the queue pair. Whether it was open.
    pub fn close(&mut self) -> bool {
        self.queue_pair.take().is_some()
    }

    /// Adds a memory region. `false`: there are as many as there can be.
    pub fn add_region(&mut self, region: Region) -> bool {
        let room = self.regions.len() < self.params.regions;
        if room {
            self.regions.push(region);
        }
        room
    }

    /// First packet that has not been taken.
    pub fn base(&self) -> Option<u32> {
        self.queue_pair.as_ref().map(|at| at.base)
    }

    pub fn in_error(&self) -> bool {
        self.queue_pair.as_ref().is_some_and(|at| at.error)
    }

    /// Entries of the message table that are in use.
    pub fn messages_open(&self) -> usize {
        self.queue_pair.as_ref().map_or(0, |at| at.table.used())
    }

    pub fn counters(&self) -> &ReceiverCounters {
        &self.counters
    }

    /// The next message that is complete, in the order of the peer's sending.
    pub fn written(&mut self) -> Option<Written> {
        self.written.pop_front()
    }

    /// Time is `now` ticks.
    pub fn tick(&mut self, now: u64) {
        self.now = self.now.max(now);
    }

    /// A frame arrives.
    pub fn arrive(&mut self, frame: &Frame) -> Verdict {
        let Receiver { params, regions, queue_pair, counters, .. } = self;
        let Some(at) = queue_pair.as_mut().filter(|at| !at.error || params.fault == Some(Fault::ReceiverErrorGoesOn)) else {
            return Verdict::Closed;
        };
        if frame.bth.destination_qp != at.open.qp || !frame.bth.opcode.is_request() {
            return Verdict::NotOurs;
        }
        let ahead = psn::ahead(at.base, frame.bth.psn);
        if ahead > psn::HALF {
            counters.duplicates += 1;
            at.ack_due |= params.fault != Some(Fault::ReceiverDuplicateSilent);
            return Verdict::Duplicate;
        }
        if ahead >= params.window {
            counters.out_of_window += 1;
            return Verdict::OutOfWindow;
        }
        let judged = if at.has(ahead) { Ok(None) } else { at.judge(frame, ahead, params, regions).map(Some) };
        let shows = !matches!(judged, Err(Drop::Unplaced)) || params.fault != Some(Fault::ReceiverUnplacedUnseen);
        if shows {
            at.gap.seen(at.base, frame.bth.psn, self.now);
        }
        match judged {
            Ok(None) => {
                counters.duplicates += 1;
                Verdict::Duplicate
            }
            Ok(Some((address, taken))) => {
                counters.placed += 1;
                if let Some(written) = taken.end.filter(|_| params.fault == Some(Fault::ReceiverToldEarly)) {
                    self.written.push_back(written);
                }
                at.take(ahead, taken);
                self.advance();
                Verdict::Placed { address }
            }
            Err(Drop::Unplaced) => {
                counters.unplaced += 1;
                if params.fault == Some(Fault::ReceiverUnplacedTaken) {
                    at.take(ahead, Taken { end: None, asks: false });
                }
                Verdict::Unplaced
            }
            Err(Drop::TableFull) => {
                counters.table_full += 1;
                Verdict::TableFull
            }
            Err(Drop::ImmediatesFull) => {
                counters.immediates_full += 1;
                Verdict::ImmediatesFull
            }
            Err(Drop::Refuse(code)) if ahead == 0 || params.fault == Some(Fault::ReceiverRefusesEarly) => {
                at.base = frame.bth.psn;
                (at.error, at.refusal) = (true, Some(code));
                Verdict::Refused(code)
            }
            Err(Drop::Refuse(code)) => {
                counters.deferred += 1;
                Verdict::Deferred(code)
            }
        }
    }

    /// The base passes everything that has been taken.
    fn advance(&mut self) {
        let Some(at) = &mut self.queue_pair else { return };
        let fault = self.params.fault;
        let before = at.base;
        while let Some(Some(taken)) = at.taken.front().copied() {
            at.taken.pop_front();
            at.base = psn::add(at.base, 1);
            at.ack_due |= taken.asks;
            if let Some(written) = taken.end {
                let stuck = fault == Some(Fault::ReceiverMsnSaturates) && at.msn == psn::SPACE - 1;
                at.msn = if stuck { at.msn } else { psn::add(at.msn, 1) };
                if fault != Some(Fault::ReceiverToldEarly) {
                    self.written.push_back(Written { msn: at.msn, ..written });
                }
            }
            if taken.end.is_none() && fault == Some(Fault::ReceiverMsnOfPackets) {
                at.msn = psn::add(at.msn, 1);
            }
        }
        if at.base != before {
            at.gap.moved(at.base, self.now, fault);
        }
    }

    /// What is to be told to the peer now: a refusal, a NAK for the base, or an acknowledgement of everything before it. Those that wait
    /// are one.
    pub fn reply(&mut self) -> Option<Frame> {
        let (now, fault) = (self.now, self.params.fault);
        let at = self.queue_pair.as_mut()?;
        let credits = if fault == Some(Fault::ReceiverAdvertises) { self.params.window.ilog2() as u8 } else { UNLIMITED };
        let (number, syndrome) = if let Some(code) = at.refusal.take() {
            self.counters.naks += 1;
            (at.base, Syndrome::Nak(code))
        } else if !at.error && at.gap.is_lost(at.base, now, &self.config, fault) {
            self.counters.naks += 1;
            let number = if fault == Some(Fault::ReceiverNamesHighest) { at.gap.highest() } else { at.base };
            at.gap.asked(now);
            (number, Syndrome::Nak(NakCode::SequenceError))
        } else if at.ack_due {
            self.counters.acks += 1;
            let base = fault == Some(Fault::ReceiverAcknowledgesBase);
            (if base { at.base } else { psn::sub(at.base, 1) }, Syndrome::Ack { credits })
        } else {
            return None;
        };
        // What is negative acknowledges everything before it, too.
        at.ack_due = false;
        let mut frame = acknowledgement(at.open.peer, number, syndrome, at.msn);
        if fault == Some(Fault::ReceiverReservedBits) {
            frame.bth.reserved7 = 1;
        }
        Some(frame)
    }
}

impl QueuePair {
    fn has(&self, ahead: u32) -> bool {
        self.taken.get(ahead as usize).is_some_and(Option::is_some)
    }

    fn take(&mut self, ahead: u32, taken: Taken) {
        let length = self.taken.len().max(ahead as usize + 1);
        self.taken.resize(length, None);
        self.taken[ahead as usize] = Some(taken);
    }

    /// Where the payload goes, and what is remembered of the packet. The message table is changed if it is taken.
    fn judge(&mut self, frame: &Frame, ahead: u32, params: &ReceiverParams, regions: &[Region]) -> Result<(u64, Taken), Drop> {
        let is = |fault: Fault| params.fault == Some(fault);
        let invalid = Drop::Refuse(NakCode::InvalidRequest);
        let number = frame.bth.psn;
        let data = match Data::of(frame.bth.opcode) {
            Some(data) if data.write => data,
            Some(_) if is(Fault::ReceiverSendTaken) => return Ok((0, Taken { end: None, asks: true })),
            _ => return Err(invalid),
        };
        let inside_taken = is(Fault::ReceiverFirstInsideTaken) && data.part.begins();
        let known = self.table.find(number).filter(|_| !inside_taken);
        let bytes = frame.payload.len() as u32;
        let entry = match (known, frame.reth) {
            (None, Some(reth)) if data.part.begins() => {
                Entry::new(number, reth.address, reth.length, message::packets(reth.length, self.open.mtu))
            }
            (None, _) if data.part.begins() => return Err(invalid),
            // Everything before the base has come, so the first packet cannot come any more.
            (None, _) if ahead == 0 => return Err(invalid),
            (None, _) => return Err(Drop::Unplaced),
            (Some(_), _) if data.part.begins() => return Err(invalid),
            (Some(known), _) => known,
        };
        let index = psn::ahead(entry.first, number);
        let fits = data.part == message::part(index, entry.packets)
            && bytes == (entry.bytes - (index * self.open.mtu).min(entry.bytes)).min(self.open.mtu)
            && entry.bytes <= MAX_MESSAGE
            && is_padded(frame);
        if !fits && !is(Fault::ReceiverLengthUnchecked) {
            return Err(invalid);
        }
        let overtaken = || (1..entry.packets.min(params.window)).any(|on| self.has(ahead + on));
        if known.is_none() && overtaken() && !is(Fault::ReceiverContradictionTaken) {
            return Err(invalid);
        }
        if let Some(reth) = frame.reth
            && !permitted(regions, reth.rkey, reth.address, reth.length, Without::receiver(params.fault))
        {
            return Err(Drop::Refuse(NakCode::RemoteAccess));
        }
        if is_empty(frame) && is(Fault::ReceiverEmptyRefused) {
            return Err(Drop::Refuse(NakCode::RemoteAccess));
        }
        let waiting = self.taken.iter().flatten().filter(|taken| taken.end.is_some_and(|end| end.imm.is_some())).count();
        if frame.imm.is_some() && ahead > 0 && waiting >= params.immediates {
            return Err(Drop::ImmediatesFull);
        }
        if data.part == Part::First {
            let base_known = ahead == 0 || self.table.find(self.base).is_some();
            if !self.table.has_room(base_known || is(Fault::ReceiverTableTakesLast)) {
                return Err(Drop::TableFull);
            }
        }
        let end = data.part.ends().then_some(Written { msn: 0, address: entry.address, bytes: entry.bytes, imm: frame.imm });
        if entry.packets > 1 {
            self.table.arrived(entry, is(Fault::ReceiverTableLeaks));
        }
        let place = if is(Fault::ReceiverPlacesByArrival) { entry.packets - self.table.left(entry.first) - 1 } else { index };
        let address = entry.address.wrapping_add(u64::from(place) * u64::from(self.open.mtu));
        let asks = (frame.bth.ack_request && !is(Fault::ReceiverRequestIgnored)) || (end.is_some() && !is(Fault::ReceiverEndSilent));
        Ok((address, Taken { end, asks }))
    }
}

/// A message of no bytes.
fn is_empty(frame: &Frame) -> bool {
    frame.reth.is_some_and(|reth| reth.length == 0)
}
