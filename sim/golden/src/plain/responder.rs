//! The responder of a plain peer.
//!
//! Source: the InfiniBand transport, reliable connection; the order of its checks is that of the specification's responder, which Linux
//! soft-RoCE follows: packet sequence number, sequence of opcodes, opcode, receive, length, R_Key. Packets are taken in order alone. The
//! first one beyond a gap is answered by a NAK for a sequence error, the others by nothing until the gap is filled. A duplicate is
//! acknowledged again. A refusal puts the queue pair in error, and nothing is answered after it.
//!
//! Decided here, where the specification leaves a choice: of the acknowledgements asked for within a message, every `coalesce`-th is sent,
//! and the one at its end always; every duplicate of a SEND or RDMA WRITE is acknowledged, whether it asks or not, as soft-RoCE has it.

use super::answer::acknowledgement;
use super::message::{Data, is_padded};
use super::region::{Without, permitted};
use super::{Fault, MAX_MESSAGE, NakCode, Open, Region, Syndrome, UNLIMITED, Verdict};
use crate::bitmap::psn;
use crate::wire::Frame;
use crate::wqe::Part;
use std::collections::VecDeque;

/// Attributes of the queue pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResponderConfig {
    /// of the acknowledgements asked for within a message, every so many-th is sent; at least 1
    pub coalesce: u32,
    /// code of the time that an RNR NAK asks for
    pub rnr_timer: u8,
    /// packets behind one that found no receive get a NAK for a sequence error, as from soft-RoCE; else nothing
    pub nak_after_rnr: bool,
    /// a mistake made on purpose
    pub fault: Option<Fault>,
}

impl Default for ResponderConfig {
    fn default() -> ResponderConfig {
        ResponderConfig { coalesce: 1, rnr_timer: 1, nak_after_rnr: false, fault: None }
    }
}

/// A receive: where a SEND goes, and what an RDMA WRITE with immediate takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receive {
    pub id: u64,
    pub address: u64,
    pub bytes: u32,
}

/// A message is complete, and all before it are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// messages that are complete, this one included
    pub msn: u32,
    pub is_send: bool,
    pub bytes: u32,
    pub imm: Option<u32>,
    /// the receive that it took
    pub receive: Option<u64>,
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResponderCounters {
    pub taken: u64,
    pub duplicates: u64,
    pub out_of_order: u64,
    pub naks: u64,
    pub rnr_naks: u64,
}

/// The message that is under way.
#[derive(Clone, Copy, Debug)]
struct Inside {
    write: bool,
    /// where the next payload goes, and how much is to come; of a SEND: how much there is room for
    address: u64,
    left: u32,
    bytes: u32,
    receive: Option<u64>,
}

/// The model of one queue pair.
#[derive(Clone, Debug)]
pub struct Responder {
    config: ResponderConfig,
    open: Open,
    regions: Vec<Region>,
    /// receives that are posted; `None`: always one, of no use for a SEND
    receives: Option<VecDeque<Receive>>,
    expected: u32,
    msn: u32,
    inside: Option<Inside>,
    /// the missing packet has been asked for
    asked: bool,
    /// the expected packet found no receive
    not_ready: bool,
    waiting: u32,
    error: bool,
    replies: VecDeque<Frame>,
    completions: VecDeque<Completion>,
    counters: ResponderCounters,
}

impl Responder {
    /// A queue pair that is ready to receive, without regions.
    /// # Errors
    /// A configuration that is not possible.
    pub fn new(config: ResponderConfig, open: Open) -> Result<Responder, String> {
        open.check()?;
        if config.coalesce == 0 || config.rnr_timer > 31 {
            return Err(format!("coalesce {} (from 1), rnr_timer {} (0 to 31)", config.coalesce, config.rnr_timer));
        }
        Ok(Responder {
            config,
            open,
            regions: Vec::new(),
            receives: None,
            expected: open.psn,
            msn: open.msn,
            inside: None,
            asked: false,
            not_ready: false,
            waiting: 0,
            error: false,
            replies: VecDeque::new(),
            completions: VecDeque::new(),
            counters: ResponderCounters::default(),
        })
    }

    pub fn add_region(&mut self, region: Region) {
        self.regions.push(region);
    }

    /// Posts a receive. From the first on there are only those that are posted.
    pub fn post_receive(&mut self, receive: Receive) {
        self.receives.get_or_insert_default().push_back(receive);
    }

    /// From now on there are only receives that are posted.
    pub fn without_receives(&mut self) {
        self.receives.get_or_insert_default();
    }

    /// First packet that has not been taken.
    pub fn expected(&self) -> u32 {
        self.expected
    }

    pub fn in_error(&self) -> bool {
        self.error
    }

    pub fn counters(&self) -> &ResponderCounters {
        &self.counters
    }

    /// The next answer, in the order in which they were made.
    pub fn reply(&mut self) -> Option<Frame> {
        self.replies.pop_front()
    }

    /// The next message that is complete.
    pub fn completion(&mut self) -> Option<Completion> {
        self.completions.pop_front()
    }

    fn is(&self, fault: Fault) -> bool {
        self.config.fault == Some(fault)
    }

    fn answer(&mut self, number: u32, syndrome: Syndrome) {
        self.waiting = 0;
        self.replies.push_back(acknowledgement(self.open.peer, number, syndrome, self.msn));
    }

    fn acknowledge(&mut self) {
        let number = psn::sub(self.expected, 1);
        self.answer(number, Syndrome::Ack { credits: UNLIMITED });
    }

    fn refuse(&mut self, code: NakCode) -> Verdict {
        self.error = !self.is(Fault::ResponderErrorGoesOn);
        self.answer(self.expected, Syndrome::Nak(code));
        Verdict::Refused(code)
    }

    /// A frame arrives.
    pub fn arrive(&mut self, frame: &Frame) -> Verdict {
        if self.error {
            return Verdict::Closed;
        }
        let number = frame.bth.psn;
        if frame.bth.destination_qp != self.open.qp || !frame.bth.opcode.is_request() {
            return Verdict::NotOurs;
        }
        if psn::ahead(self.expected, number) > psn::HALF {
            return self.duplicate(frame);
        }
        if number != self.expected && !self.is(Fault::ResponderTakesOutOfOrder) {
            return self.beyond();
        }
        self.asked &= self.is(Fault::ResponderAsksOnce);
        match self.judge(frame) {
            Ok(inside) => self.take(frame, inside),
            Err(None) => {
                self.not_ready = true;
                self.counters.rnr_naks += 1;
                let timer = self.config.rnr_timer;
                self.answer(number, Syndrome::NotReady { timer });
                if self.is(Fault::ResponderNotReadyTaken) {
                    self.expected = psn::add(number, 1);
                }
                Verdict::NotReady
            }
            Err(Some(code)) => self.refuse(code),
        }
    }

    fn duplicate(&mut self, frame: &Frame) -> Verdict {
        self.counters.duplicates += 1;
        // One that is no SEND and no RDMA WRITE has never been served.
        if Data::of(frame.bth.opcode).is_some() && !self.is(Fault::ResponderDuplicateSilent) {
            if self.is(Fault::ResponderDuplicateOwnNumber) {
                self.answer(frame.bth.psn, Syndrome::Ack { credits: UNLIMITED });
            } else {
                self.acknowledge();
            }
        }
        match frame.reth {
            Some(reth) if self.is(Fault::ResponderDuplicateWritten) => Verdict::Placed { address: reth.address },
            _ => Verdict::Duplicate,
        }
    }

    fn beyond(&mut self) -> Verdict {
        self.counters.out_of_order += 1;
        let silent = self.asked || (self.not_ready && !self.config.nak_after_rnr);
        if !silent || self.is(Fault::ResponderNaksEvery) {
            self.asked = true;
            self.counters.naks += 1;
            self.answer(self.expected, Syndrome::Nak(NakCode::SequenceError));
        }
        Verdict::OutOfOrder
    }

    /// Where the payload goes, with the state of the message before it. `Err(None)`: no receive.
    fn judge(&mut self, frame: &Frame) -> Result<Inside, Option<NakCode>> {
        let invalid = Some(NakCode::InvalidRequest);
        let data = match Data::of(frame.bth.opcode) {
            Some(data) => data,
            None if self.is(Fault::ResponderOpcodeUnchecked) => Data { write: true, part: Part::Only },
            None => return Err(invalid),
        };
        let begins = data.part.begins();
        let follows = self.inside.is_some_and(|inside| inside.write == data.write);
        if (begins == self.inside.is_some() || !begins && !follows) && !self.is(Fault::ResponderSequenceUnchecked) {
            return Err(invalid);
        }
        let inside = self.inside.filter(|_| !begins);
        let mut at = match inside {
            Some(inside) => inside,
            None if data.write => {
                let (address, left) = frame.reth.map_or((0, 0), |reth| (reth.address, reth.length));
                Inside { write: true, address, left, bytes: 0, receive: None }
            }
            None => {
                let receive = self.next_receive()?;
                Inside { write: false, address: receive.address, left: receive.bytes, bytes: 0, receive: Some(receive.id) }
            }
        };
        if data.write && frame.imm.is_some() {
            at.receive = Some(self.next_receive()?.id);
        }
        let (bytes, mtu) = (frame.payload.len() as u32, self.open.mtu);
        let whole = if data.part.ends() { bytes <= mtu && (begins || bytes > 0) } else { bytes == mtu };
        let fits = bytes <= at.left && (!data.write || data.part.ends() == (bytes == at.left)) && at.left <= MAX_MESSAGE;
        let sound = whole && fits && is_padded(frame);
        if !sound && !self.is(Fault::ResponderLengthUnchecked) {
            return Err(invalid);
        }
        if let Some(reth) = frame.reth
            && !permitted(&self.regions, reth.rkey, reth.address, reth.length, Without::responder(self.config.fault))
        {
            return Err(Some(NakCode::RemoteAccess));
        }
        Ok(at)
    }

    fn next_receive(&self) -> Result<Receive, Option<NakCode>> {
        match &self.receives {
            None => Ok(Receive { id: 0, address: 0, bytes: MAX_MESSAGE }),
            Some(_) if self.is(Fault::ResponderAlwaysReady) => Ok(Receive { id: 0, address: 0, bytes: 0 }),
            Some(receives) => receives.front().copied().ok_or(None),
        }
    }

    fn take(&mut self, frame: &Frame, at: Inside) -> Verdict {
        let (bytes, before) = (frame.payload.len() as u32, self.inside.and_then(|inside| inside.receive));
        let address = at.address;
        if at.receive.is_some()
            && before.is_none()
            && let Some(receives) = &mut self.receives
        {
            receives.pop_front();
        }
        let ends = Data::of(frame.bth.opcode).is_none_or(|data| data.part.ends());
        let now = Inside {
            address: address.wrapping_add(bytes.into()),
            left: at.left.saturating_sub(bytes),
            bytes: at.bytes.saturating_add(bytes),
            ..at
        };
        self.expected = psn::add(frame.bth.psn, 1);
        self.counters.taken += 1;
        self.not_ready = false;
        if ends || self.is(Fault::ResponderMsnOfPackets) {
            let stuck = self.is(Fault::ResponderMsnSaturates) && self.msn == psn::SPACE - 1;
            self.msn = if stuck { self.msn } else { psn::add(self.msn, 1) };
        }
        self.inside = Some(now).filter(|_| !ends);
        if ends {
            let completion = Completion { msn: self.msn, is_send: !now.write, bytes: now.bytes, imm: frame.imm, receive: now.receive };
            self.completions.push_back(completion);
        }
        if frame.bth.ack_request && !self.is(Fault::ResponderRequestIgnored) {
            self.waiting += 1;
            let silent = bytes == 0 && self.is(Fault::ResponderEmptySilent);
            if (ends || self.waiting >= self.config.coalesce) && !silent {
                self.acknowledge();
            }
        }
        Verdict::Placed { address }
    }
}
