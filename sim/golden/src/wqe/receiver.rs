//! The receiver: where each packet goes, what is missing, and what the host is told.
//!
//! Spec: WQE extension header, "Receiver" and "Decided". What is decided here beyond it:
//! - READ and atomic requests carry no WqeETH and take no WQE sequence number; their place in the order is their PSN. They go to the host
//!   when all before them is in host memory: what has arrived in pages only must not be read before it is copied.
//! - What is acknowledged is in host memory. So `wqe_idle` never takes back what was acknowledged, and a SEND for which the host has posted
//!   no receive is not acknowledged. The last packet of a WQE is acknowledged when the WQE is complete.
//! - A WQE that is not open yet must lie between its open neighbours, one PSN at least for each WQE in between: else `psn_mismatch`.
//! - The first packet seen opens a WQE, in order or not, so none of its packets is below the expected PSN: its bits start clear.
//! - The bitmap reaches from the first missing packet of its WQE on. A WQE that is longer is deferred, and when its place is known a packet
//!   that is further ahead is dropped `beyond_bitmap`.
//! - Pages are given once, at the first packet that needs them. A WQE that lost its pages to `wqe_idle` is deferred.
//! - Of a deferred WQE that is the oldest only the first packet is asked for: the others would be dropped.
//! - A receive that is too short for its SEND is never skipped: its packets are dropped, and the sender's retry limit ends the queue pair.

use super::entry::{Claim, Entry, Place, Round, Store};
use super::pool::Pool;
use super::queue_pair::QueuePair;
use super::{Fault, Indication, MAX_PACKETS, Open, Packet, Reason, ReceiverConfig, ReceiverParams, Region, Verdict, ahead};
use crate::bitmap::{Ack, credits, psn};
use std::collections::{BTreeMap, VecDeque};

/// A receive of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receive {
    /// the host's own name for it
    pub id: u64,
    pub address: u64,
    pub bytes: u32,
}

/// A READ or atomic request for the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub packet: Packet,
    /// packet sequence numbers that it takes
    pub span: u32,
}

/// A WQE is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    pub qp: u32,
    pub sequence: u32,
    pub is_send: bool,
    pub bytes: u32,
    pub imm: Option<u32>,
    /// the receive that it took
    pub receive: Option<u64>,
}

/// What the host is told, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Completion(Completion),
    Request(Request),
}

/// A page is copied: these bytes are to be written to host memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyOut {
    pub qp: u32,
    pub sequence: u32,
    /// address and bytes
    pub pieces: Vec<(u64, Vec<u8>)>,
}

/// How often things happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceiverCounters {
    pub direct: u64,
    pub buffered: u64,
    /// packets that were not kept because their WQE is deferred
    pub deferred: u64,
    pub duplicates: u64,
    pub requests: u64,
    /// packets dropped, by reason
    pub dropped: BTreeMap<Reason, u64>,
    /// pages copied to host memory
    pub copied: u64,
    /// WQEs that got no pages
    pub unpaged: u64,
    /// WQEs that lost their pages
    pub idled: u64,
    pub indications: u64,
    /// packets that they named
    pub indicated: u64,
    /// packets among them whose WQE was unknown
    pub indicated_unknown: u64,
}

/// The model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver {
    pub(super) params: ReceiverParams,
    pub(super) config: ReceiverConfig,
    pub(super) now: u64,
    pub(super) scanned: u64,
    pub(super) pool: Pool,
    pub(super) queue_pairs: BTreeMap<u32, QueuePair>,
    regions: Vec<Region>,
    pub(super) events: VecDeque<Event>,
    pub(super) indications: VecDeque<Indication>,
    pub(super) counters: ReceiverCounters,
}

impl Receiver {
    /// The block after reset.
    /// # Errors
    /// Parameters that are not possible.
    pub fn new(params: ReceiverParams, config: ReceiverConfig) -> Result<Receiver, String> {
        params.check()?;
        Ok(Receiver {
            params,
            config,
            now: 0,
            scanned: 0,
            pool: Pool::new(params.pages, params.page_bytes),
            queue_pairs: BTreeMap::new(),
            regions: Vec::new(),
            events: VecDeque::new(),
            indications: VecDeque::new(),
            counters: ReceiverCounters::default(),
        })
    }

    /// Opens a queue pair, instead of one with this number that was open.
    /// # Errors
    /// Its MTU is not possible, or more than a page.
    pub fn open(&mut self, open: Open) -> Result<(), String> {
        open.check()?;
        if open.mtu > self.params.page_bytes {
            return Err(format!("an MTU of {}; pages of {} bytes are possible", open.mtu, self.params.page_bytes));
        }
        self.close(open.qp);
        let queue_pair = QueuePair {
            qp: open.qp,
            mtu: open.mtu,
            edge: open.psn,
            wqe_base: open.sequence,
            entries: VecDeque::new(),
            requests: Vec::new(),
            receives: VecDeque::new(),
            highest: VecDeque::new(),
            held: 0,
            unknown: Round::default(),
            ack_due: false,
            complete: 0,
            strict: self.config.strict,
            fault: self.params.fault,
        };
        self.queue_pairs.insert(open.qp, queue_pair);
        Ok(())
    }

    /// Closes a queue pair: what it holds is forgotten, its pages are given back. Whether it was open.
    pub fn close(&mut self, qp: u32) -> bool {
        let Some(mut at) = self.queue_pairs.remove(&qp) else { return false };
        for entry in 0..at.entries.len() {
            at.release(entry, &mut self.pool, true);
        }
        self.indications.retain(|indication| indication.qp != qp);
        true
    }

    /// Memory that RDMA WRITEs may write; without any they may write everywhere.
    pub fn add_region(&mut self, region: Region) {
        self.regions.push(region);
    }

    /// The host posts a receive. `false`: the queue pair is not open, or the receive reaches beyond the address space.
    pub fn post_receive(&mut self, qp: u32, receive: Receive) -> bool {
        let Some(at) = self.queue_pairs.get_mut(&qp).filter(|_| receive.address.checked_add(receive.bytes.into()).is_some()) else {
            return false;
        };
        at.receives.push_back(receive);
        at.progress(&mut self.pool, &mut self.events);
        true
    }

    pub fn counters(&self) -> &ReceiverCounters {
        &self.counters
    }

    /// Pages that nobody holds.
    pub fn free_pages(&self) -> u32 {
        self.pool.free()
    }

    /// Pages that a queue pair holds.
    pub fn held_pages(&self, qp: u32) -> u32 {
        self.queue_pairs.get(&qp).map_or(0, |at| at.held)
    }

    /// First packet that is not acknowledged.
    pub fn edge(&self, qp: u32) -> Option<u32> {
        self.queue_pairs.get(&qp).map(|at| at.edge)
    }

    /// First packet that has not arrived.
    pub fn expected(&self, qp: u32) -> Option<u32> {
        self.queue_pairs.get(&qp).map(QueuePair::expected)
    }

    /// Oldest WQE that is not complete.
    pub fn wqe_base(&self, qp: u32) -> Option<u32> {
        self.queue_pairs.get(&qp).map(|at| at.wqe_base)
    }

    /// What the host is told next.
    pub fn event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// The wire has room for an acknowledgement: the next one with its MSN.
    pub fn ack(&mut self) -> Option<(Ack, u32)> {
        let expected = self.params.fault == Some(Fault::ReceiverAcknowledgesArrived);
        let at = self.queue_pairs.values_mut().find(|at| at.ack_due)?;
        at.ack_due = false;
        let edge = if expected { at.expected() } else { at.edge };
        Some((Ack { qp: at.qp, psn: psn::sub(edge, 1), credits: credits(self.params.window) }, at.complete))
    }

    /// The wire has room for an indication.
    pub fn indication(&mut self) -> Option<Indication> {
        self.indications.pop_front()
    }

    /// A packet arrives.
    pub fn arrive(&mut self, packet: &Packet, payload: &[u8]) -> Verdict {
        let verdict = self.judge(packet, payload).unwrap_or_else(Verdict::Dropped);
        let counters = &mut self.counters;
        match verdict {
            Verdict::Direct { .. } => counters.direct += 1,
            Verdict::Buffered => counters.buffered += 1,
            Verdict::Deferred => counters.deferred += 1,
            Verdict::Duplicate => counters.duplicates += 1,
            Verdict::Request => counters.requests += 1,
            Verdict::Dropped(reason) => *counters.dropped.entry(reason).or_default() += 1,
        }
        verdict
    }

    fn is(&self, fault: Fault) -> bool {
        self.params.fault == Some(fault)
    }

    fn judge(&mut self, packet: &Packet, payload: &[u8]) -> Result<Verdict, Reason> {
        let mtu = self.queue_pairs.get(&packet.qp).ok_or(Reason::UnknownQp)?.mtu;
        if packet.is_read_or_atomic() {
            return self.request(packet);
        }
        let claim = check(packet, mtu, payload.len(), self.params.fault)?;
        let at = self.queue_pairs.get_mut(&packet.qp).ok_or(Reason::UnknownQp)?;
        let distance = match ahead(at.wqe_base, claim.sequence) {
            Some(distance) => distance,
            // What is complete was acknowledged, and that may have been lost.
            None => {
                at.ack_due |= !at.is(Fault::ReceiverDuplicateSilent);
                return Ok(Verdict::Duplicate);
            }
        };
        if distance >= self.params.open && !(at.is(Fault::ReceiverBeyondOpen) && distance < 4096) {
            return Err(Reason::BeyondOpen);
        }
        let place = distance as usize;
        match at.entries.get(place).and_then(Option::as_ref) {
            Some(entry) => same(&entry.claim, &claim, at.fault)?,
            None => {
                let begin = at.place_of(claim.base);
                if begin + i64::from(claim.count) > self.params.window.into() {
                    return Err(Reason::BeyondWindow);
                }
                if !at.admits(place, &claim) && !at.is(Fault::ReceiverNeighboursUnseen) {
                    return Err(Reason::PsnMismatch);
                }
            }
        }
        self.allowed(packet, &claim)?;
        Ok(self.accept(packet, &claim, place, payload))
    }

    /// The first packet of an RDMA WRITE names memory that it may write.
    fn allowed(&self, packet: &Packet, claim: &Claim) -> Result<(), Reason> {
        let Some(reth) = packet.reth.filter(|_| !claim.is_send) else { return Ok(()) };
        if reth.length != claim.bytes {
            return Err(Reason::RethLength);
        }
        if reth.address.checked_add(reth.length.into()).is_none() {
            return Err(Reason::Wraps);
        }
        let holds = self.regions.is_empty() || self.regions.iter().any(|region| region.holds(reth.rkey, reth.address, reth.length));
        if holds || self.is(Fault::ReceiverAccessUnchecked) { Ok(()) } else { Err(Reason::Access) }
    }

    /// Nothing is wrong with the packet: it goes where it belongs.
    fn accept(&mut self, packet: &Packet, claim: &Claim, place: usize, payload: &[u8]) -> Verdict {
        let now = self.now;
        let Some(at) = self.queue_pairs.get_mut(&packet.qp) else { return Verdict::Dropped(Reason::UnknownQp) };
        while at.entries.len() <= place {
            at.entries.push_back(None);
        }
        at.saw(psn::add(packet.psn, 1), now);
        let below = psn::before(packet.psn, at.edge) && !at.is(Fault::ReceiverDuplicateSilent);
        let twice = at.is(Fault::ReceiverDuplicateWritten);
        let entry = at.entries[place].get_or_insert_with(|| Entry::new(*claim, now));
        entry.touched = now;
        entry.hear(packet);
        if entry.has(claim.index) && !(twice && matches!(entry.place, Place::At(_))) {
            at.ack_due |= below;
            at.progress(&mut self.pool, &mut self.events);
            return Verdict::Duplicate;
        }
        // What this packet tells may place it, and others.
        at.progress(&mut self.pool, &mut self.events);
        let verdict = self.put(packet.qp, claim, place, payload);
        if let Some(at) = self.queue_pairs.get_mut(&packet.qp) {
            at.progress(&mut self.pool, &mut self.events);
        }
        verdict
    }

    fn put(&mut self, qp: u32, claim: &Claim, place: usize, payload: &[u8]) -> Verdict {
        let (now, bitmap) = (self.now, self.params.bitmap);
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return Verdict::Dropped(Reason::UnknownQp) };
        let (mtu, fault) = (at.mtu, at.fault);
        let no_receive = at.receives.is_empty();
        let Some(entry) = at.entries.get_mut(place).and_then(Option::as_mut) else { return Verdict::Duplicate };
        match entry.place {
            Place::Refused(reason) => return Verdict::Dropped(reason),
            Place::At(address) => {
                if claim.index >= entry.first_missing() + bitmap && fault != Some(Fault::ReceiverBitmapUnlimited) {
                    return Verdict::Dropped(Reason::BeyondBitmap);
                }
                entry.advanced = now;
                entry.keep(claim.index);
                entry.settle(claim.index);
                let in_order = entry.first_missing().saturating_sub(1);
                let index = if fault == Some(Fault::ReceiverPlacesInOrder) { in_order } else { claim.index };
                return Verdict::Direct { address: address + u64::from(index * mtu) };
            }
            Place::Unknown => {}
        }
        if entry.store == Store::Free {
            self.give_pages(qp, place);
        }
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return Verdict::Dropped(Reason::UnknownQp) };
        let Some(entry) = at.entries.get_mut(place).and_then(Option::as_mut) else { return Verdict::Duplicate };
        let Store::Pages(pages) = &entry.store else {
            if fault == Some(Fault::ReceiverDeferredKept) {
                entry.keep(claim.index);
            }
            return match (place, claim.is_send) {
                (0, false) if entry.reth.is_none() => Verdict::Dropped(Reason::FirstMissing),
                (0, true) if no_receive => Verdict::Dropped(Reason::NoReceive),
                _ => Verdict::Deferred,
            };
        };
        let per_page = self.params.page_bytes / mtu;
        let slot = if fault == Some(Fault::ReceiverStoresByArrival) { entry.first_missing() } else { claim.index };
        if let Some(&Some(page)) = pages.get((slot / per_page) as usize) {
            self.pool.store(page, (slot % per_page * mtu) as usize, payload);
        }
        entry.advanced = now;
        entry.keep(claim.index);
        Verdict::Buffered
    }

    /// Pages for all of a WQE, or it is deferred.
    fn give_pages(&mut self, qp: u32, place: usize) {
        let (bitmap, page_bytes, quota) = (self.params.bitmap, self.params.page_bytes, self.config.quota);
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        let quota = if quota == 0 || at.is(Fault::ReceiverQuotaIgnored) { u32::MAX } else { quota };
        let Some(entry) = at.entries.get_mut(place).and_then(Option::as_mut) else { return };
        let need = entry.claim.bytes.div_ceil(page_bytes);
        let fits = entry.claim.count <= bitmap && at.held.saturating_add(need) <= quota;
        match if fits { self.pool.take(need) } else { None } {
            Some(pages) => {
                at.held += need;
                entry.store = Store::Pages(pages.into_iter().map(Some).collect());
            }
            None => {
                self.counters.unpaged += 1;
                entry.store = Store::Deferred;
            }
        }
    }

    /// A READ or atomic request.
    fn request(&mut self, packet: &Packet) -> Result<Verdict, Reason> {
        let Some(at) = self.queue_pairs.get_mut(&packet.qp) else { return Err(Reason::UnknownQp) };
        let span = if at.is(Fault::ReceiverReadTakesOne) { 1 } else { packet.span(at.mtu) };
        if span > MAX_PACKETS {
            return Err(Reason::TooLong);
        }
        let begin = at.place_of(packet.psn);
        if begin < 0 {
            at.ack_due = true;
            return Ok(Verdict::Duplicate);
        }
        if at.requests.iter().any(|request| request.packet.psn == packet.psn && request.span == span) {
            return Ok(Verdict::Duplicate);
        }
        let end = begin + i64::from(span);
        if end > self.params.window.into() {
            return Err(Reason::BeyondWindow);
        }
        if !at.is_free(begin, end, true) {
            return Err(Reason::PsnMismatch);
        }
        if begin > 0 && at.requests.len() >= self.params.requests {
            return Err(Reason::RequestsFull);
        }
        let index = at.requests.partition_point(|request| at.place_of(request.packet.psn) < begin);
        at.requests.insert(index, Request { packet: *packet, span });
        at.saw(psn::add(packet.psn, span), self.now);
        at.progress(&mut self.pool, &mut self.events);
        Ok(Verdict::Request)
    }

    /// The next page whose place is known goes to host memory: queue pairs by number, WQEs and pages in order. `None`: no page does.
    pub fn copy(&mut self) -> Option<CopyOut> {
        let page_bytes = self.params.page_bytes;
        let (qp, at, number, address) = self.queue_pairs.values().find_map(|pair| {
            pair.entries.iter().enumerate().find_map(|(at, entry)| match entry.as_ref().map(|entry| (entry.place, &entry.store)) {
                Some((Place::At(address), Store::Pages(pages))) => Some((pair.qp, at, pages.iter().position(Option::is_some)?, address)),
                _ => None,
            })
        })?;
        let pair = self.queue_pairs.get_mut(&qp)?;
        let (mtu, fault) = (pair.mtu, pair.fault);
        let entry = pair.entries.get_mut(at)?.as_mut()?;
        let Store::Pages(pages) = &mut entry.store else { return None };
        let page = pages[number].take()?;
        if pages.iter().all(Option::is_none) {
            entry.store = Store::Free;
        }
        let per_page = page_bytes / mtu;
        let first = number as u32 * per_page;
        let mut out = CopyOut { qp, sequence: entry.claim.sequence, pieces: Vec::new() };
        for index in first..(first + per_page).min(entry.claim.count) {
            let whole = fault == Some(Fault::ReceiverCopiesWholePage);
            if !whole && (!entry.has(index) || entry.is_settled(index)) {
                continue;
            }
            let bytes = self.pool.read(page, ((index - first) * mtu) as usize, entry.packet_bytes(index, mtu) as usize);
            let to = address + u64::from(index * mtu);
            match out.pieces.last_mut().filter(|(from, before)| from + before.len() as u64 == to) {
                Some((_, before)) => before.extend(bytes),
                None => out.pieces.push((to, bytes.to_vec())),
            }
            if entry.has(index) {
                entry.settle(index);
            }
        }
        pair.held -= 1;
        if fault != Some(Fault::ReceiverCopiedPageKept) {
            self.pool.give(page);
        }
        self.counters.copied += 1;
        pair.progress(&mut self.pool, &mut self.events);
        Some(out)
    }
}

/// What is wrong with a data packet by itself, in this order.
fn check(packet: &Packet, mtu: u32, payload: usize, fault: Option<Fault>) -> Result<Claim, Reason> {
    let (Some(part), Some(eth)) = (packet.part(), packet.wqe) else { return Err(Reason::Unsupported) };
    if eth.is_reserved() {
        return Err(Reason::ReservedBit);
    }
    let bytes = eth.bytes();
    if bytes > MAX_PACKETS * mtu && fault != Some(Fault::ReceiverTooLongTaken) {
        return Err(Reason::TooLong);
    }
    if !eth.offset.is_multiple_of(mtu) {
        return Err(Reason::MisalignedOffset);
    }
    let end = u64::from(eth.offset) + payload as u64;
    if end > bytes.into() {
        return Err(Reason::BeyondTotal);
    }
    let count = bytes.div_ceil(mtu).max(1);
    let index = eth.offset / mtu;
    if part.begins() != (index == 0) || part.ends() != (index + 1 == count) {
        return Err(Reason::WrongPosition);
    }
    let whole = if part.ends() { end == u64::from(bytes) } else { payload == mtu as usize };
    if !whole && fault != Some(Fault::ReceiverLengthUnchecked) {
        return Err(Reason::WrongLength);
    }
    let base = psn::sub(packet.psn, index);
    Ok(Claim { sequence: eth.sequence, base, index, count, bytes, fence: eth.fence(), is_send: packet.is_send() })
}

/// A packet of an open WQE says of the WQE what it was opened with.
fn same(open: &Claim, claim: &Claim, fault: Option<Fault>) -> Result<(), Reason> {
    if open.base != claim.base && fault != Some(Fault::ReceiverPsnUnchecked) {
        return Err(Reason::PsnMismatch);
    }
    if (open.bytes, open.fence) != (claim.bytes, claim.fence) && fault != Some(Fault::ReceiverTotalUnchecked) {
        return Err(Reason::TotalMismatch);
    }
    if open.is_send != claim.is_send && fault != Some(Fault::ReceiverKindUnchecked) {
        return Err(Reason::KindMismatch);
    }
    Ok(())
}
