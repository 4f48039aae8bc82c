//! The golden models of both ends, with the network between them: what a sender and a receiver that keep to the contract do together.

use rdma_rtl_golden::registry::{self, Registry, Seen};
use rdma_rtl_golden::send::op_table::{self, Ack, Due, Op, OpTable, Retransmit};
use rdma_rtl_golden::send::packets::Sender;
use rdma_rtl_golden::send::splitter::{self, Block, Command, Segment, Splitter};
use rdma_rtl_golden::send::status;
use rdma_rtl_golden::wire::{Bth, Control, Frame, Opcode, Reader, parse};
use rdma_rtl_sim::network::{Arrival, Config, Network, Side};
use std::collections::{BTreeMap, VecDeque};

/// Picoseconds of a clock.
const CLOCK: u64 = 3103;
const P: u32 = 512;
/// Payload slots of the sender: operations at a time.
const SLOTS: usize = 16;
const SENDER: Sender = Sender { packet_size: P, src: 1 };

/// What is in the sender's memory.
fn source(address: u64) -> u8 {
    (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

/// A packet that waits for the wire.
#[derive(Clone)]
enum Send {
    Packet { op: u16, packet: u16, again: bool },
    Abort(Box<Frame>),
}

struct Ends {
    splitter: Splitter,
    table: OpTable,
    registry: Registry,
    network: Network,
    now: u64,
    /// to be posted
    commands: VecDeque<Command>,
    /// of each operation that may still be sent from its slot
    slots: BTreeMap<u16, Segment>,
    wire: VecDeque<Send>,
    /// first clock at which the wire is free
    free: u64,
    frames: u64,
    payloads: BTreeMap<u32, Vec<u8>>,
    memory: BTreeMap<u64, u8>,
    host_a: Vec<(u16, u8)>,
    /// targets of the data arrivals that the receiver's host was told of
    host_b: Vec<u64>,
    /// immediates that came with the end of an operation
    immediates: Vec<u32>,
    to_release: Vec<u16>,
}

impl Ends {
    fn new(network: &str, send: op_table::Config, receive: registry::Config, commands: Vec<Command>) -> Ends {
        let config: Config = toml::from_str(network).unwrap();
        Ends {
            splitter: Splitter::new(splitter::Params::DEFAULT, splitter::Config::DEFAULT),
            table: OpTable::new(op_table::Params::DEFAULT, send),
            registry: Registry::new(registry::Params::DEFAULT, receive),
            network: Network::new(&config).unwrap(),
            now: 0,
            commands: commands.into(),
            slots: BTreeMap::new(),
            wire: VecDeque::new(),
            free: 0,
            frames: 0,
            payloads: BTreeMap::new(),
            memory: BTreeMap::new(),
            host_a: Vec::new(),
            host_b: Vec::new(),
            immediates: Vec::new(),
            to_release: Vec::new(),
        }
    }

    /// Until everything that was posted is over.
    fn run(&mut self) {
        while self.step() {
            let clocks = self.next().saturating_sub(self.now);
            self.now += clocks;
            self.splitter.advance(clocks, false);
            self.table.advance(clocks, false);
            self.registry.advance(clocks, false);
        }
        self.splitter.finish().unwrap();
        self.table.finish().unwrap();
        self.registry.finish().unwrap();
        assert!(self.slots.is_empty() && self.payloads.is_empty());
    }

    /// Clock at which something happens next.
    fn next(&self) -> u64 {
        let wire = (!self.wire.is_empty()).then_some(self.free);
        let arrival = self.network.next_arrival().map(|at| at.div_ceil(CLOCK));
        let retry = self.table.due().map(|(at, _)| at);
        let receiver = self.registry.due().map(|(at, _)| at);
        // an operation number that must not be used yet
        let blocked = self.wants_op().then_some(self.now + 1000);
        [wire, arrival, retry, receiver, blocked].into_iter().flatten().min().unwrap_or(self.now).max(self.now + 1)
    }

    fn wants_op(&self) -> bool {
        self.slots.len() < SLOTS && self.splitter.next_segment().is_some()
    }

    /// Everything that happens in this clock; whether there is more to come.
    fn step(&mut self) -> bool {
        for arrival in self.network.poll(self.now * CLOCK) {
            self.arrives(arrival);
        }
        self.receiver();
        while self.splitter.open() < splitter::Params::DEFAULT.commands {
            let Some(command) = self.commands.pop_front() else { break };
            assert_eq!(self.splitter.command(&command).unwrap(), None);
        }
        self.timers();
        self.cut();
        self.send();
        let receiver_busy = self.registry.entries_live() + self.registry.escape_used() > 0;
        self.splitter.open() + self.table.held() + self.network.in_flight() + self.wire.len() + self.commands.len() > 0 || receiver_busy
    }

    /// Segments become operations, whose payload is in its slot at once.
    fn cut(&mut self) {
        while self.wants_op()
            && let (Some(op), Some(segment)) = (self.table.next_op(), self.splitter.next_segment())
        {
            self.splitter.segment(&segment).unwrap();
            self.table.allocated(Op { op, command: segment.command, kind: segment.kind, count: segment.count }).unwrap();
            self.wire.extend((0..segment.count).map(|packet| Send::Packet { op, packet, again: false }));
            self.slots.insert(op, segment);
        }
    }

    /// What the operation table does by itself.
    fn timers(&mut self) {
        while let Some((_, due)) = self.table.due().filter(|&(at, _)| at <= self.now) {
            self.table.perform(due).unwrap();
            match due {
                Due::Retransmit(Retransmit { op, packet, .. }) => self.wire.push_front(Send::Packet { op, packet, again: true }),
                Due::Abort(op) => {
                    let abort = SENDER.abort(&self.slots[&op], op);
                    self.wire.push_back(Send::Abort(Box::new(abort)));
                }
                Due::Ended(ended) => {
                    self.splitter.ended(ended.command, ended.kind, ended.status).unwrap();
                    // what is not on the wire yet stays away from it
                    self.wire.retain(|send| !matches!(send, Send::Packet { op, .. } if *op == ended.op));
                    self.to_release.push(ended.op);
                }
            }
        }
        for op in std::mem::take(&mut self.to_release) {
            self.table.release(op).unwrap();
            self.slots.remove(&op);
        }
        while let Some(completion) = self.splitter.next_completion() {
            self.splitter.completion(completion).unwrap();
            self.host_a.push((completion.id, completion.status));
        }
        let counters = self.table.counters();
        assert_eq!(counters.allocated, counters.completed + counters.failures + self.table.live() as u64);
    }

    /// One frame after the other.
    fn send(&mut self) {
        while self.free <= self.now
            && let Some(send) = self.wire.pop_front()
        {
            let frame = match send {
                Send::Abort(frame) => *frame,
                Send::Packet { op, packet, again } => {
                    self.table.sent(op, packet, again).unwrap();
                    packet_frame(&self.slots[&op], op, packet, again)
                }
            };
            let bytes = frame.to_bytes();
            self.free = self.now + (bytes.len() as u64 + 24) * 80 / CLOCK + 1;
            self.network.send(self.now * CLOCK, Side::A, bytes);
        }
    }

    fn arrives(&mut self, arrival: Arrival) {
        // a frame whose ICRC does not hold is dropped; one with flipped bits where it does not matter is not
        let Ok(frame) = parse(&arrival.frame, false, &Reader::registry()) else { return assert!(arrival.corrupted) };
        if arrival.to == Side::B {
            let Some(header) = frame.header() else { return };
            let slot = self.frames as u32;
            self.payloads.insert(slot, frame.payload);
            self.registry.header(self.frames, slot, &header, Seen::default()).unwrap();
            if !header.kind.has_payload() {
                self.payloads.remove(&slot);
            }
            self.frames += 1;
            return self.receiver();
        }
        match frame.control {
            Some(Control::OpAck { op, index, status, mask }) => drop(self.table.ack(Ack::Packets { op, first: index, status, mask })),
            Some(Control::Completion { op, status, .. }) => drop(self.table.ack(Ack::Completion { op, status })),
            other => panic!("the sender got {other:?}"),
        }
    }

    /// What the receiver does by itself, and everything that it tells.
    fn receiver(&mut self) {
        loop {
            while let Some(write) = self.registry.write_due() {
                let payload = self.payloads.remove(&write.slot).unwrap();
                assert_eq!(payload.len(), usize::from(write.bytes));
                self.memory.extend((write.addr..).zip(payload));
                self.registry.write(0, write).unwrap();
                self.registry.write_done(0, true).unwrap();
            }
            while let Some(slot) = self.registry.slot_due() {
                self.registry.slot_free(slot).unwrap();
                self.payloads.remove(&slot);
            }
            while let Some(beat) = self.registry.verdict_due() {
                self.registry.verdict(beat).unwrap();
            }
            while let Some(complete) = self.registry.complete_due().cloned() {
                self.registry.complete(&complete).unwrap();
                self.immediates.extend(complete.imm);
                if complete.arrival {
                    self.host_b.push(complete.base);
                }
            }
            while let Some(notify) = self.registry.notify_due() {
                self.registry.notify(&notify).unwrap();
                let registry::Notify { op, index, status, mask, packets, .. } = notify;
                let body = match notify.kind {
                    0xc3 => Control::OpAck { op, index, status, mask },
                    _ => Control::Completion { op, status, packets: packets.into() },
                };
                self.network.send(self.now * CLOCK, Side::B, control(body).to_bytes());
            }
            match self.registry.due().filter(|&(at, _)| at <= self.now) {
                Some((_, due)) => drop(self.registry.perform(due).unwrap()),
                None => return,
            }
        }
    }
}

fn control(body: Control) -> Frame {
    let opcode = match body {
        Control::Completion { .. } => Opcode(0xc1),
        Control::OpAck { .. } => Opcode(0xc3),
        _ => Opcode::DATA_ARRIVAL,
    };
    let mut frame = Frame::new(Bth::new(opcode, 0x11, 0));
    frame.control = Some(body);
    frame
}

fn packet_frame(segment: &Segment, op: u16, packet: u16, again: bool) -> Frame {
    let blocks = SENDER.sources(segment, packet);
    let payload = blocks.iter().flat_map(|block| block.source..block.source + u64::from(block.bytes)).map(source);
    SENDER.frame(segment, op, packet, again, 0, payload.collect())
}

/// Commands of all sizes, each to a place of its own; every third is announced.
fn commands(count: u16, most: u32) -> Vec<Command> {
    let mut number = 1u64;
    let mut dice = |bound: u64| {
        number = number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (number >> 33) % bound
    };
    let mut target = 0;
    let one = |id: u16| {
        let exponent = dice(u64::from(most.ilog2()) + 1);
        let bytes = (1 + dice(2 << exponent)).min(most.into()) as u32;
        let split = dice(bytes.into()) as u32;
        let blocks = [Block { source: dice(1 << 40), bytes: split }, Block { source: dice(1 << 40), bytes: bytes - split }];
        let command = Command {
            id,
            target,
            node: 2,
            qp: 0x11,
            rkey: 0,
            imm: id.is_multiple_of(5).then_some(id.into()),
            arrival: id.is_multiple_of(3),
            blocks: blocks.into_iter().filter(|block| block.bytes > 0).collect(),
        };
        target += u64::from(bytes.next_multiple_of(P));
        command
    };
    (0..count).map(one).collect()
}

const SEND: op_table::Config = op_table::Config { prescale: 322, timeout: 20, backoff_cap: 200, retry_limit: 7, t_life: 20_000 };

fn receive() -> registry::Config {
    registry::Config { t_life: 20_000, renotify: 10, escape_timeout: 100, ..registry::Config::defaults(&registry::Params::DEFAULT) }
}

/// Everything arrives, once.
fn all_arrive(network: &str, send: op_table::Config, commands: Vec<Command>) -> Ends {
    let mut ends = Ends::new(network, send, receive(), commands.clone());
    ends.run();
    let mut told = ends.host_a.clone();
    told.sort_unstable();
    assert_eq!(told, commands.iter().map(|command| (command.id, status::DONE)).collect::<Vec<_>>());
    let mut expected = BTreeMap::new();
    for command in &commands {
        let bytes = command.blocks.iter().flat_map(|block| block.source..block.source + u64::from(block.bytes)).map(source);
        expected.extend((command.target..).zip(bytes));
    }
    assert!(ends.memory == expected);
    let mut arrivals = ends.host_b.clone();
    arrivals.sort_unstable();
    assert_eq!(arrivals, commands.iter().filter(|command| command.arrival).map(|command| command.target).collect::<Vec<_>>());
    let mut immediates = ends.immediates.clone();
    immediates.sort_unstable();
    assert_eq!(immediates, commands.iter().filter_map(|command| command.imm).collect::<Vec<_>>());
    ends
}

#[test]
fn nothing_is_repeated_where_nothing_is_lost() {
    let ends = all_arrive("", SEND, commands(200, 65536));
    let counters = ends.table.counters();
    assert_eq!((counters.retransmissions, counters.timeouts, counters.duplicate_acks, counters.failures), (0, 0, 0, 0));
}

#[test]
fn everything_arrives_through_a_network_that_loses_and_repeats_and_reorders() {
    for (loss, retry_limit) in [(0.001, 7), (0.01, 7), (0.05, 15), (0.2, 60)] {
        let network = format!(
            "seed = 9\n[both]\nspread = \"random\"\npath = [{{ count = 4, loss = {loss}, duplicate = 0.05, corrupt = 0.001, jitter_ns = 3000 }}]"
        );
        let ends = all_arrive(&network, op_table::Config { retry_limit, ..SEND }, commands(150, 32768));
        let counters = ends.table.counters();
        assert!(counters.retransmissions > 0 && ends.network.stats(Side::A).reordered > 100, "{counters:?}");
        println!("loss {loss}: {counters:?}, {} clocks", ends.now);
    }
}

#[test]
fn a_network_that_loses_everything_fails_every_command_once() {
    let commands = commands(20, 65536);
    let mut ends = Ends::new("[both]\npath = [{ loss = 1 }]", SEND, receive(), commands.clone());
    ends.run();
    let mut told = ends.host_a.clone();
    told.sort_unstable();
    assert_eq!(told, commands.iter().map(|command| (command.id, status::RETRY_LIMIT)).collect::<Vec<_>>());
    assert!(ends.memory.is_empty() && ends.host_b.is_empty());
}

#[test]
fn what_the_receiver_does_not_allow_fails_with_its_reason_and_leaves_the_others_alone() {
    let commands = commands(40, 32768);
    let border = commands[20].target;
    let mut ends = Ends::new("[both]\npath = [{ loss = 0.02 }]", SEND, receive(), commands.clone());
    ends.registry = Registry::new(registry::Params { regions: 1, ..registry::Params::DEFAULT }, receive());
    ends.registry.set_region(0, registry::Region { rkey: 0, base: 0, length: border });
    ends.run();
    let mut told = ends.host_a.clone();
    told.sort_unstable();
    let access = registry::Status::Access as u8;
    assert_eq!(told, (0..40).map(|id| (id, if id < 20 { status::DONE } else { access })).collect::<Vec<_>>());
    assert_eq!(ends.memory.len() as u64, commands[..20].iter().map(Command::bytes).sum::<u64>());
    let arrivals = commands[..20].iter().filter(|command| command.arrival).count();
    assert_eq!(ends.host_b.len(), arrivals);
}

#[test]
fn commands_to_one_place_wait_for_each_other() {
    // large ones, each with its first segment where that of the others is
    let mut posted = commands(4, 1);
    for (at, command) in (1..).zip(&mut posted) {
        *command = Command { target: 0x4000, blocks: vec![Block { source: at << 20, bytes: 20_000 }], ..command.clone() };
    }
    let mut ends = Ends::new("[both]\npath = [{ loss = 0.01 }]", SEND, receive(), posted.clone());
    ends.run();
    let mut told = ends.host_a.clone();
    told.sort_unstable();
    assert_eq!(told, [(0, 0), (1, 0), (2, 0), (3, 0)]);
    assert!(ends.table.counters().nacks > 0);
    // each packet is one command's, whole
    for packet in 0..20_000 / u64::from(P) {
        let from = |at: u64| {
            (0..u64::from(P)).all(|byte| ends.memory[&(0x4000 + packet * 512 + byte)] == source((at << 20) + packet * 512 + byte))
        };
        assert!((1..=4).any(from), "packet {packet}");
    }
}
