//! The golden models of the send path as an end: splitter, operation table, payload slots and a wire of some rate.

use super::ends::{End, Frames, Sender};
use super::traffic::source;
use rdma_rtl_golden::send::op_table::{self, Ack, Due, Op, OpTable, Retransmit};
use rdma_rtl_golden::send::packets;
use rdma_rtl_golden::send::splitter::{self, Command, Completion, Segment, Splitter};
use rdma_rtl_golden::wire::{Control, Frame, Reader, parse};
use std::collections::{BTreeMap, VecDeque};

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
    /// number of the node
    pub src: u16,
    /// picoseconds of a clock
    pub clock: u64,
    /// picoseconds of a byte on the wire
    pub byte: f64,
}

/// Bytes beside a frame that it occupies the wire for: preamble, check sequence, gap.
pub(super) const OVERHEAD: usize = 24;

/// What waits for the wire.
enum Waiting {
    Packet { op: u16, packet: u16, again: bool },
    Abort(Box<Frame>),
}

/// A sender that does everything at its earliest moment.
pub struct GoldenSender {
    params: SenderParams,
    node: packets::Sender,
    splitter: Splitter,
    table: OpTable,
    now: u64,
    /// of each operation that may still be sent from its slot
    slots: BTreeMap<u16, Segment>,
    waiting: VecDeque<Waiting>,
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
}

impl GoldenSender {
    pub fn new(params: SenderParams) -> GoldenSender {
        GoldenSender {
            node: packets::Sender { packet_size: params.splitter.packet_size, src: params.src },
            splitter: Splitter::new(params.splitter, params.cut),
            table: OpTable::new(params.table, params.timers),
            params,
            now: 0,
            slots: BTreeMap::new(),
            waiting: VecDeque::new(),
            free: 0,
            due: None,
            changed: false,
            ask_again: None,
            sent: Vec::new(),
            told: Vec::new(),
            aborts: 0,
        }
    }

    fn advance(&mut self, clock: u64) {
        let clocks = clock.saturating_sub(self.now);
        self.now += clocks;
        self.splitter.advance(clocks, false);
        self.table.advance(clocks, false);
    }

    /// Everything that happens in this clock.
    fn act(&mut self) -> Result<(), String> {
        self.timers()?;
        self.cut()?;
        self.send()?;
        self.due = self.table.due();
        self.changed = false;
        let counters = self.table.counters();
        match counters.allocated == counters.completed + counters.failures + self.table.live() as u64 {
            true => Ok(()),
            false => Err(format!("sender: operations are not conserved: {counters:?}, {} live", self.table.live())),
        }
    }

    /// What the operation table does by itself.
    fn timers(&mut self) -> Result<(), String> {
        let mut over = Vec::new();
        while let Some((_, due)) = self.table.due().filter(|&(at, _)| at <= self.now) {
            self.table.perform(due).map_err(text)?;
            match due {
                Due::Retransmit(Retransmit { op, packet, .. }) => self.waiting.push_front(Waiting::Packet { op, packet, again: true }),
                Due::Abort(op) => {
                    let segment = self.slots.get(&op).ok_or_else(|| format!("sender: abort of op {op:#06x}, which has no slot"))?;
                    self.waiting.push_back(Waiting::Abort(Box::new(self.node.abort(segment, op))));
                    self.aborts += 1;
                }
                Due::Ended(ended) => {
                    self.splitter.ended(ended.command, ended.kind, ended.status).map_err(text)?;
                    // what is not on the wire yet stays away from it
                    self.waiting.retain(|waiting| !matches!(waiting, Waiting::Packet { op, .. } if *op == ended.op));
                    over.push(ended.op);
                }
            }
        }
        for op in over {
            self.table.release(op).map_err(text)?;
            self.slots.remove(&op);
        }
        while let Some(completion) = self.splitter.next_completion() {
            self.splitter.completion(completion).map_err(text)?;
            self.told.push(completion);
        }
        Ok(())
    }

    /// Segments become operations, whose payload is in its slot at once.
    fn cut(&mut self) -> Result<(), String> {
        self.ask_again = None;
        while self.slots.len() < self.params.slots {
            let Some(segment) = self.splitter.next_segment() else { return Ok(()) };
            let Some(op) = self.table.next_op() else {
                self.ask_again = Some(self.now + ASK_AGAIN);
                return Ok(());
            };
            self.splitter.segment(&segment).map_err(text)?;
            self.table.allocated(Op { op, command: segment.command, kind: segment.kind, count: segment.count }).map_err(text)?;
            self.waiting.extend((0..segment.count).map(|packet| Waiting::Packet { op, packet, again: false }));
            self.slots.insert(op, segment);
        }
        Ok(())
    }

    /// One frame after the other.
    fn send(&mut self) -> Result<(), String> {
        while self.free <= self.now
            && let Some(waiting) = self.waiting.pop_front()
        {
            let frame = match waiting {
                Waiting::Abort(frame) => *frame,
                Waiting::Packet { op, packet, again } => {
                    self.table.sent(op, packet, again).map_err(text)?;
                    let segment = self.slots.get(&op).ok_or_else(|| format!("sender: op {op:#06x} has no slot"))?;
                    let blocks = self.node.sources(segment, packet);
                    let payload = blocks.iter().flat_map(|block| block.source..block.source + u64::from(block.bytes)).map(source);
                    self.node.frame(segment, op, packet, again, 0, payload.collect())
                }
            };
            let bytes = frame.to_bytes();
            let time = (bytes.len() + OVERHEAD) as f64 * self.params.byte;
            self.free = self.now + (time / self.params.clock as f64).ceil() as u64;
            self.sent.push((self.now, bytes));
        }
        Ok(())
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
        let wire = (!self.waiting.is_empty()).then_some(self.free);
        let due = self.due.map(|(at, _)| at);
        [now, wire, due, self.ask_again].into_iter().flatten().min().map(|at| at.max(self.now))
    }

    fn receive(&mut self, clock: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        self.advance(clock);
        // a frame whose ICRC does not hold is dropped; one with flipped bits where it does not matter is not
        let frame = match parse(&frame, false, &Reader::registry()) {
            Ok(frame) => frame,
            Err(_) if corrupted => return Ok(()),
            Err(error) => return Err(format!("sender: a frame that nobody has touched is dropped: {error}")),
        };
        match frame.control {
            Some(Control::OpAck { op, index, status, mask }) => self.table.ack(Ack::Packets { op, first: index, status, mask }),
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
            ("packets", ops.packets),
            ("acks", ops.acks),
            ("duplicate_acks", ops.duplicate_acks),
            ("nacks", ops.nacks),
            ("stale_acks", ops.stale_acks),
            ("timeouts", ops.timeouts),
            ("retransmissions", ops.retransmissions),
            ("operations", ops.allocated),
            ("failures", ops.failures),
            ("high_water", ops.high_water),
            ("aborts", self.aborts),
            ("arrivals_failed", cut.arrivals_failed),
        ];
        Ok(named.into_iter().filter(|(_, value)| *value > 0).map(|(name, value)| (name.to_string(), value)).collect())
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
}
