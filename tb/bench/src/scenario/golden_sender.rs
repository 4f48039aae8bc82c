//! The golden models of the send path as an end: splitter, operation table, payload slots and a wire of some rate.

use super::combined::SenderNumbers;
use super::ends::{End, Frames, Sender};
use super::traffic::source;
use rdma_rtl_golden::send::OpKind;
use rdma_rtl_golden::send::gate::Goes;
use rdma_rtl_golden::send::op_table::{self, Ack, Due, Op, OpTable, Retransmit};
use rdma_rtl_golden::send::packets;
use rdma_rtl_golden::send::splitter::{self, Command, Completion, Segment, Splitter};
use rdma_rtl_golden::send::start_gate::{self, StartGate};
use rdma_rtl_golden::send::status;
use rdma_rtl_golden::wire::{Control, Frame, Reader, parse};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Clocks after which an allocator that waits for a number is asked again.
const ASK_AGAIN: u64 = 1000;

/// What a golden sender is made of.
#[derive(Clone, Copy, Debug)]
pub struct SenderParams {
    pub splitter: splitter::Params,
    pub table: op_table::Params,
    pub cut: splitter::Config,
    pub timers: op_table::Config,
    /// payload slots: operations at a time
    pub slots: usize,
    /// a slot is free when the operation's packets have been sent once, and the last one is for packets that are pulled again
    pub refetch: bool,
    /// packets that may be open while the receiver has not told its window, 0: as many as the window has
    pub untold_window: u16,
    /// number of the node
    pub src: u16,
    /// with more than one, each is a node, from 0 on
    pub queue_pairs: u16,
    /// picoseconds of a clock
    pub clock: u64,
    /// picoseconds of a byte on the wire
    pub byte: f64,
}

/// Status of a start whose range meets another operation's.
const OVERLAP: u8 = 7;

/// Bytes beside a frame that it occupies the wire for: preamble, check sequence, gap.
pub(super) const OVERHEAD: usize = 24;

/// What waits for the wire.
enum Waiting {
    Packet {
        op: u32,
        packet: u16,
        again: bool,
    },
    /// again, by its number
    Number {
        op: u32,
        packet: u16,
        psn: u32,
    },
    Abort(Box<Frame>),
}

/// A sender that does everything at its earliest moment.
pub struct GoldenSender {
    params: SenderParams,
    node: packets::Sender,
    splitter: Splitter,
    table: OpTable,
    /// which of its timers count, where they decide what is sent again
    starts: StartGate,
    now: u64,
    /// of each operation that may still be sent
    slots: BTreeMap<u32, Segment>,
    /// those that have a slot
    loaded: BTreeSet<u32>,
    waiting: VecDeque<Waiting>,
    /// the transport profile is *combined* or *bitmap*
    numbers: Option<SenderNumbers>,
    /// it is *bitmap*: operations end with their numbers, and their packets say nothing of them
    is_plain: bool,
    /// all that waits for the wire waits for something else too
    stuck: bool,
    /// first clock at which the wire is free
    free: u64,
    /// what the table does next, as of the last change
    due: Option<(u64, Due)>,
    /// something came in since then
    changed: bool,
    /// when to ask for an operation number again
    ask_again: Option<u64>,
    sent: Frames,
    told: Vec<Completion>,
    aborts: u64,
    /// timers that started anew, which the op table takes for packets
    restarts: u64,
}

impl GoldenSender {
    pub fn new(params: SenderParams) -> GoldenSender {
        GoldenSender {
            node: packets::Sender { packet_size: params.splitter.packet_size, src: params.src, each: false },
            splitter: Splitter::new(params.splitter, params.cut),
            table: OpTable::new(params.table, params.timers),
            starts: StartGate::new(params.table.ops.ilog2()),
            params,
            now: 0,
            slots: BTreeMap::new(),
            loaded: BTreeSet::new(),
            waiting: VecDeque::new(),
            numbers: None,
            is_plain: false,
            stuck: false,
            free: 0,
            due: None,
            changed: false,
            ask_again: None,
            sent: Vec::new(),
            told: Vec::new(),
            aborts: 0,
            restarts: 0,
        }
    }

    /// One whose send bitmap decides what is sent again.
    pub fn combined(params: SenderParams) -> GoldenSender {
        GoldenSender { numbers: Some(SenderNumbers::new(params.table, params.timers, params.untold_window)), ..GoldenSender::new(params) }
    }

    /// One whose receiver need not be more than any RoCEv2 peer.
    pub fn bitmap(params: SenderParams) -> GoldenSender {
        GoldenSender { is_plain: true, ..GoldenSender::combined(params) }
    }

    fn advance(&mut self, clock: u64) {
        let clocks = clock.saturating_sub(self.now);
        self.now += clocks;
        if let Some(numbers) = &mut self.numbers {
            numbers.pass(self.now);
        }
        self.splitter.advance(clocks, false);
        self.table.advance(clocks, false);
    }

    /// Everything that happens in this clock.
    fn act(&mut self) -> Result<(), String> {
        if self.numbers.as_mut().is_some_and(|numbers| numbers.timers(self.now)) {
            self.fail()?;
        }
        self.timers()?;
        self.cut()?;
        self.send()?;
        if self.params.refetch {
            // Slots that are free by now.
            self.cut()?;
        }
        self.due = self.table.due();
        self.changed = false;
        let counters = self.table.counters();
        match counters.allocated == counters.completed + counters.failures + self.table.live() as u64 {
            true => Ok(()),
            false => Err(format!("sender: operations are not conserved: {counters:?}, {} live", self.table.live())),
        }
    }

    /// The queue pair has failed, and with it whatever waits for its numbers.
    fn fail(&mut self) -> Result<(), String> {
        if !self.is_plain {
            return Err("sender: the queue pair is in error".into());
        }
        self.waiting.clear();
        let ops: Vec<u32> = self.slots.keys().copied().collect();
        for op in ops {
            self.table.load_failed(op, status::RETRY_LIMIT);
            self.acknowledged(op)?;
        }
        Ok(())
    }

    /// No number of an operation is waited for.
    fn acknowledged(&mut self, op: u32) -> Result<(), String> {
        let goes = self.numbers.as_mut().map(|numbers| numbers.gate.acknowledged(op)).unwrap_or_default();
        self.goes(goes)
    }

    /// What the operation table does by itself.
    fn timers(&mut self) -> Result<(), String> {
        let mut over = Vec::new();
        while let Some((_, due)) = self.table.due().filter(|&(at, _)| at <= self.now) {
            let goes = match due {
                Due::Retransmit(Retransmit { op, packet, .. }) => self.starts.wanted(op, packet, !self.table.is_refused(op, packet)),
                _ => start_gate::Goes::Again,
            };
            self.table.perform(due).map_err(text)?;
            match due {
                Due::Retransmit(Retransmit { op, packet, tries }) => match &mut self.numbers {
                    Some(numbers) => {
                        let goes = numbers.gate.wanted(op, packet, tries);
                        self.goes(goes)?;
                    }
                    None if goes == start_gate::Goes::Restart => {
                        self.restarts += 1;
                        self.table.sent(op, packet, true).map_err(text)?;
                    }
                    None => self.waiting.push_front(Waiting::Packet { op, packet, again: true }),
                },
                // No operation is known there.
                Due::Abort(_) if self.is_plain => {}
                Due::Abort(op) => {
                    let segment = self.slots.get(&op).ok_or_else(|| format!("sender: abort of op {op:#06x}, which has no slot"))?;
                    self.waiting.push_back(Waiting::Abort(Box::new(self.node.abort(segment, op))));
                    self.aborts += 1;
                }
                Due::Ended(ended) => {
                    self.splitter.ended(ended.command, ended.kind, ended.status).map_err(text)?;
                    // what is not on the wire yet stays away from it, but for what numbers will be waited for
                    let all = self.numbers.is_none();
                    self.waiting
                        .retain(|waiting| !matches!(waiting, Waiting::Packet { op, again, .. } if *op == ended.op && (all || *again)));
                    over.push(ended.op);
                }
            }
        }
        for op in over {
            let goes = match &mut self.numbers {
                Some(numbers) => numbers.gate.close(op),
                None => vec![Goes::Close { op }],
            };
            self.goes(goes)?;
        }
        while let Some(completion) = self.splitter.next_completion() {
            self.splitter.completion(completion).map_err(text)?;
            self.told.push(completion);
        }
        Ok(())
    }

    /// What of the table's wishes counts, and what follows from acknowledgements of numbers.
    fn goes(&mut self, goes: Vec<Goes>) -> Result<(), String> {
        for one in goes {
            match one {
                // It has ended with its last number.
                Goes::Again { .. } | Goes::Restart { .. } if self.is_plain => {}
                Goes::Again { op, .. } => self.waiting.push_front(Waiting::Packet { op, packet: 0, again: true }),
                Goes::Restart { op, .. } => {
                    self.restarts += 1;
                    self.table.sent(op, 0, true).map_err(text)?;
                }
                Goes::Close { op } => {
                    self.table.release(op).map_err(text)?;
                    self.slots.remove(&op);
                    self.loaded.remove(&op);
                    if let Some(numbers) = &mut self.numbers {
                        numbers.forget(op);
                        // Acknowledged while it waited.
                        self.waiting.retain(|waiting| match waiting {
                            Waiting::Packet { op: other, .. } | Waiting::Number { op: other, .. } => *other != op,
                            Waiting::Abort(_) => true,
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// Segments become operations, whose payload is in its slot at once.
    fn cut(&mut self) -> Result<(), String> {
        self.ask_again = None;
        while self.loaded.len() < self.params.slots - usize::from(self.params.refetch) {
            let Some(segment) = self.splitter.next_segment() else { return Ok(()) };
            let Some(op) = self.table.next_op() else {
                self.ask_again = Some(self.now + ASK_AGAIN);
                return Ok(());
            };
            self.splitter.segment(&segment).map_err(text)?;
            self.table.allocated(Op { op, command: segment.command, kind: segment.kind, count: segment.count }).map_err(text)?;
            let fails = self.is_plain && self.numbers.as_ref().is_some_and(SenderNumbers::in_error);
            if let Some(numbers) = &mut self.numbers {
                numbers.gate.begin(op, fails || segment.kind == OpKind::Arrival);
            }
            if fails {
                self.table.load_failed(op, status::RETRY_LIMIT);
            } else {
                self.waiting.extend((0..segment.count).map(|packet| Waiting::Packet { op, packet, again: false }));
            }
            self.slots.insert(op, segment);
            self.loaded.insert(op);
        }
        Ok(())
    }

    /// One frame after the other.
    fn send(&mut self) -> Result<(), String> {
        self.stuck = false;
        while self.free <= self.now {
            let mut may_send = true;
            if let Some(numbers) = &mut self.numbers {
                for (op, packet, psn) in numbers.again().into_iter().rev() {
                    self.waiting.push_front(Waiting::Number { op, packet, psn });
                }
                may_send = numbers.may_send();
            }
            let slots = &self.slots;
            let has_number = |op: &u32| slots.get(op).is_some_and(|segment| segment.kind == OpKind::Data);
            let is_held = |waiting: &Waiting| !may_send && matches!(waiting, Waiting::Packet { op, again: false, .. } if has_number(op));
            let next = self.waiting.iter().position(|waiting| !is_held(waiting));
            let Some(waiting) = next.and_then(|at| self.waiting.remove(at)) else {
                self.stuck = !self.waiting.is_empty();
                return Ok(());
            };
            let frame = match waiting {
                Waiting::Abort(frame) => *frame,
                Waiting::Number { op, packet, psn } => self.packet(op, packet, true, psn)?,
                Waiting::Packet { op, packet, again } => {
                    self.table.sent(op, packet, again).map_err(text)?;
                    if self.params.refetch && !again && self.slot(op)?.count == packet + 1 {
                        self.loaded.remove(&op);
                    }
                    let psn = self.number(op, packet, again)?;
                    self.packet(op, packet, again, psn)?
                }
            };
            let bytes = frame.to_bytes();
            let time = (bytes.len() + OVERHEAD) as f64 * self.params.byte;
            self.free = self.now + (time / self.params.clock as f64).ceil() as u64;
            self.sent.push((self.now, bytes));
        }
        Ok(())
    }

    fn slot(&self, op: u32) -> Result<&Segment, String> {
        self.slots.get(&op).ok_or_else(|| format!("sender: op {op:#06x} has no slot"))
    }

    fn packet(&self, op: u32, packet: u16, again: bool, psn: u32) -> Result<Frame, String> {
        let segment = self.slot(op)?;
        let blocks = self.node.sources(segment, packet);
        let payload = blocks.iter().flat_map(|block| block.source..block.source + u64::from(block.bytes)).map(source);
        Ok(match self.is_plain {
            true => self.node.message(segment, packet, again, psn, payload.collect()),
            false => self.node.frame(segment, op, packet, again, psn, payload.collect()),
        })
    }

    /// Of a packet that the table knows to be sent now.
    fn number(&mut self, op: u32, packet: u16, again: bool) -> Result<u32, String> {
        let segment = self.slot(op)?;
        let (kind, last) = (segment.kind, packet + 1 == segment.count);
        match &mut self.numbers {
            Some(numbers) if kind == OpKind::Data => {
                let number = if again { numbers.first(op) } else { numbers.number(op, packet, last) };
                number.ok_or_else(|| format!("sender: packet {packet} of op {op:#06x} has no number"))
            }
            _ => Ok(0),
        }
    }
}

fn text(error: impl std::fmt::Display) -> String {
    format!("sender: {error}")
}

impl End for GoldenSender {
    fn run_to(&mut self, clock: u64) -> Result<(), String> {
        while let Some(next) = self.next().filter(|&next| next <= clock) {
            self.advance(next);
            self.act()?;
        }
        self.advance(clock);
        Ok(())
    }

    fn next(&self) -> Option<u64> {
        let now = self.changed.then_some(self.now);
        let wire = (!self.waiting.is_empty() && !self.stuck).then_some(self.free);
        let numbers = self.numbers.as_ref().and_then(|numbers| numbers.next(self.now));
        let due = self.due.map(|(at, _)| at);
        [now, wire, due, numbers, self.ask_again].into_iter().flatten().min().map(|at| at.max(self.now))
    }

    fn receive(&mut self, clock: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        self.advance(clock);
        // a frame whose ICRC does not hold is dropped; one with flipped bits where it does not matter is not
        let frame = match parse(&frame, false, &Reader::registry()) {
            Ok(frame) => frame,
            Err(_) if corrupted => return Ok(()),
            Err(error) => return Err(format!("sender: a frame that nobody has touched is dropped: {error}")),
        };
        if let Some(numbers) = &mut self.numbers {
            let ended = numbers.hear(&frame);
            let refused = match frame.control {
                Some(Control::Completion { op, status: OVERLAP, .. }) => numbers.gate.refused(op),
                _ => Vec::new(),
            };
            for op in ended {
                if self.is_plain {
                    self.table.ack(Ack::Completion { op, status: status::DONE });
                }
                self.acknowledged(op)?;
            }
            self.goes(refused)?;
            // No single packet is acknowledged by its operation.
            if !matches!(frame.control, Some(Control::Completion { .. })) {
                self.changed = true;
                return Ok(());
            }
        }
        match frame.control {
            Some(Control::OpAck { op, index, status, mask }) => {
                if status == 0 {
                    self.starts.acknowledged(op);
                }
                self.table.ack(Ack::Packets { op, first: index, status, mask })
            }
            Some(Control::Completion { op, status, .. }) => self.table.ack(Ack::Completion { op, status }),
            other => return Err(format!("the sender got {other:?}")),
        };
        self.changed = true;
        Ok(())
    }

    fn transmit(&mut self) -> Frames {
        std::mem::take(&mut self.sent)
    }

    fn idle(&self) -> bool {
        self.splitter.open() + self.table.held() + self.waiting.len() + self.slots.len() == 0
    }

    fn finish(&mut self) -> Result<(), String> {
        self.splitter.finish().map_err(text)?;
        self.table.finish().map_err(text)?;
        match self.slots.len() + self.waiting.len() {
            0 => Ok(()),
            _ => Err(format!("sender: {} slots are still in use, {} packets wait", self.slots.len(), self.waiting.len())),
        }
    }

    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String> {
        let (ops, cut) = (self.table.counters(), self.splitter.counters());
        let named = [
            ("commands", cut.commands),
            ("packets", ops.packets - self.restarts),
            ("acks", ops.acks),
            ("duplicate_acks", ops.duplicate_acks),
            ("nacks", ops.nacks),
            ("stale_acks", ops.stale_acks),
            ("timeouts", ops.timeouts),
            ("retransmissions", ops.retransmissions - self.restarts),
            ("operations", ops.allocated),
            ("failures", ops.failures),
            ("high_water", ops.high_water),
            ("aborts", self.aborts),
            ("arrivals_failed", cut.arrivals_failed),
        ];
        let numbers = self.numbers.iter().flat_map(SenderNumbers::counters);
        Ok(named.into_iter().chain(numbers).filter(|(_, value)| *value > 0).map(|(name, value)| (name.to_string(), value)).collect())
    }
}

impl Sender for GoldenSender {
    fn post(&mut self, clock: u64, command: &Command) -> Result<bool, String> {
        self.advance(clock);
        if self.splitter.open() >= self.params.splitter.commands {
            return Ok(false);
        }
        self.splitter.command(command).map_err(text)?;
        self.changed = true;
        Ok(true)
    }

    fn completions(&mut self) -> Result<Vec<Completion>, String> {
        Ok(std::mem::take(&mut self.told))
    }

    fn given_up(&mut self) -> Result<Option<u64>, String> {
        Ok(self.idle().then_some(self.splitter.counters().arrivals_failed))
    }
}
