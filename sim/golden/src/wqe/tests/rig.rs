//! Both ends without a network: each packet and message by hand.

use super::memory::{Memory, pattern};
use super::*;
use std::collections::BTreeSet;

/// First PSN and first WQE of the queue pair: what follows wraps.
pub const FIRST: (u32, u32) = (psn::SPACE - 3, u32::MAX - 1);
pub const QP: u32 = 0x11;
pub const MTU: u32 = 256;

pub struct Rig {
    pub sender: Sender,
    pub receiver: Receiver,
    pub memory: Memory,
    pub now: u64,
}

impl Rig {
    /// Both ends with one open queue pair, changed as told.
    pub fn with(
        fault: Option<Fault>,
        change: impl FnOnce(&mut SenderConfig, &mut ReceiverParams, &mut ReceiverConfig),
    ) -> Result<Rig, String> {
        let (mut sender, mut params, mut config) = (SenderConfig::default(), ReceiverParams::default(), ReceiverConfig::default());
        (params.scan, params.page_bytes) = (1, 512);
        change(&mut sender, &mut params, &mut config);
        (sender.fault, params.fault) = (fault, fault);
        let mut rig = Rig { sender: Sender::new(sender)?, receiver: Receiver::new(params, config)?, memory: Memory::default(), now: 0 };
        let open = Open { qp: QP, psn: FIRST.0, sequence: FIRST.1, mtu: MTU };
        rig.sender.open(open)?;
        rig.receiver.open(open)?;
        Ok(rig)
    }

    pub fn new(fault: Option<Fault>) -> Result<Rig, String> {
        Rig::with(fault, |_, _, _| {})
    }

    /// The host posts an RDMA WRITE to a new buffer: its address.
    pub fn write(&mut self, id: u64, bytes: u32, imm: Option<u32>, fence: bool) -> Result<u64, String> {
        let address = self.memory.allocate(bytes);
        self.post(Work { id, kind: WorkKind::Write { address, rkey: 9 }, bytes, imm, fence })?;
        Ok(address)
    }

    pub fn send(&mut self, id: u64, bytes: u32, fence: bool) -> Result<(), String> {
        self.post(Work { id, kind: WorkKind::Send, bytes, imm: None, fence })
    }

    pub fn read(&mut self, id: u64, bytes: u32) -> Result<(), String> {
        self.post(Work { id, kind: WorkKind::Read { address: 0x5000, rkey: 9 }, bytes, imm: None, fence: false })
    }

    pub fn post(&mut self, work: Work) -> Result<(), String> {
        self.sender.post(QP, work).map_err(|refusal| refusal.to_string())
    }

    /// The host posts a receive: its address.
    pub fn receive(&mut self, id: u64, bytes: u32) -> u64 {
        let address = if bytes == 0 { 0 } else { self.memory.allocate(bytes) };
        self.receiver.post_receive(QP, Receive { id, address, bytes });
        address
    }

    /// Time passes at both ends.
    pub fn wait(&mut self, ticks: u64) {
        for _ in 0..ticks {
            self.now += 1;
            self.sender.tick(self.now);
            self.receiver.tick(self.now);
        }
    }

    /// Everything that the sender has for its builder now.
    pub fn packets(&mut self) -> Vec<Handed> {
        std::iter::from_fn(|| self.sender.hand()).collect()
    }

    /// A packet arrives; what is placed is written.
    pub fn deliver(&mut self, handed: &Handed) -> Result<Verdict, String> {
        let payload = pattern(handed.id, handed.offset, handed.packet.bytes as usize);
        let verdict = self.receiver.arrive(&handed.packet, &payload);
        if let Verdict::Direct { address } = verdict {
            self.memory.write(address, &payload)?;
        }
        Ok(verdict)
    }

    /// All these but some arrive.
    pub fn deliver_but(&mut self, packets: &[Handed], lost: &[usize]) -> Result<Vec<Verdict>, String> {
        let lost: BTreeSet<usize> = lost.iter().copied().collect();
        let kept = packets.iter().enumerate().filter(|(at, _)| !lost.contains(at));
        kept.map(|(_, handed)| self.deliver(handed)).collect()
    }

    /// Everything whose place is known is copied: how many pages.
    pub fn copy(&mut self) -> Result<usize, String> {
        let mut pages = 0;
        while let Some(copy) = self.receiver.copy() {
            copy.pieces.iter().try_for_each(|(address, bytes)| self.memory.write(*address, bytes))?;
            pages += 1;
        }
        Ok(pages)
    }

    /// What the receiver asks for now.
    pub fn indications(&mut self) -> Vec<Indication> {
        std::iter::from_fn(|| self.receiver.indication()).collect()
    }

    /// Every acknowledgement and indication crosses.
    pub fn cross(&mut self) {
        while let Some((ack, _)) = self.receiver.ack() {
            self.sender.ack(ack);
        }
        for indication in self.indications() {
            self.sender.indication(&indication);
        }
    }

    pub fn events(&mut self) -> Vec<Event> {
        std::iter::from_fn(|| self.receiver.event()).collect()
    }

    /// WQEs that are complete, as so many after the first, each with the receive that it took.
    pub fn completions(&mut self) -> Vec<(u32, Option<u64>)> {
        let complete = |event: Event| match event {
            Event::Completion(completion) => Some((completion.sequence.wrapping_sub(FIRST.1), completion.receive)),
            Event::Request(_) => None,
        };
        self.events().into_iter().filter_map(complete).collect()
    }

    /// Work requests that are done at the sender.
    pub fn done(&mut self) -> Vec<(u64, Outcome)> {
        std::iter::from_fn(|| self.sender.done()).map(|done| (done.id, done.outcome)).collect()
    }
}

/// A PSN so many after the first.
pub fn number(after: u32) -> u32 {
    psn::add(FIRST.0, after)
}

/// A WQE so many after the first.
pub fn wqe(after: u32) -> u32 {
    FIRST.1.wrapping_add(after)
}

/// PSNs of packets, as so many after the first.
pub fn numbers(packets: &[Handed]) -> Vec<u32> {
    packets.iter().map(|handed| psn::ahead(FIRST.0, handed.packet.psn)).collect()
}
