//! Captures of soft-RoCE against the golden models of plain RoCEv2: the peer's responder answers each request as the kernel did, and our
//! receiver is never behind it.
//!
//! The small ones are in `tb/vectors/soft_roce`; RDMA_RTL_CAPTURES names a folder with more of them. Only those recorded at the responder
//! count, whose requests are SENDs and RDMA WRITEs.

use crate::receive_bitmap_captures::captures;
use rdma_rtl_golden::bitmap::psn;
use rdma_rtl_golden::plain::{
    Fault, Open, Receive, Receiver, ReceiverConfig, ReceiverParams, Region, Responder, ResponderConfig, Syndrome, Verdict,
};
use rdma_rtl_golden::wire::{self, Aeth, Frame, Ip, Opcode, Reader, Reth};
use rdma_rtl_tb::capture::{self, CapturedFrame};
use std::collections::{BTreeMap, HashSet, VecDeque};

/// Largest message of the captures, and more.
const APART: u64 = 1 << 24;

/// One queue pair of the responder; both ends' queue pairs have the same number.
type Key = (String, u32);

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Compared {
    acks: u64,
    naks: u64,
    rnr_naks: u64,
    /// the kernel asked for a packet that our receiver has
    naks_of_what_is_here: u64,
}

/// What one queue pair of the responder got and said, in the order of the capture.
fn by_queue_pair(frames: &[CapturedFrame]) -> BTreeMap<Key, Vec<Frame>> {
    let mut all: BTreeMap<Key, Vec<Frame>> = BTreeMap::new();
    for captured in frames {
        let Ok(frame) = wire::parse(&captured.bytes, captured.cut, &Reader::default()) else { continue };
        let (source, destination) = match frame.ip {
            Ip::V4 { source, destination } => (source.to_string(), destination.to_string()),
            Ip::V6 { source, destination } => (source.to_string(), destination.to_string()),
        };
        let host = if frame.bth.opcode.is_request() { destination } else { source };
        all.entry((host, frame.bth.destination_qp)).or_default().push(frame);
    }
    all
}

/// The first number of a queue pair: the least of all its requests and answers.
fn open(frames: &[Frame], mtu: u32) -> Option<Open> {
    let named = |frame: &Frame| match frame.aeth.map(|aeth| Syndrome::read(aeth.syndrome)) {
        Some(Syndrome::Ack { .. }) => psn::add(frame.bth.psn, 1),
        _ => frame.bth.psn,
    };
    let first = frames.iter().map(named).reduce(|least, number| if psn::before(number, least) { number } else { least })?;
    let qp = frames.first()?.bth.destination_qp;
    Some(Open { qp, peer: qp, psn: first, msn: 0, mtu })
}

fn is_answer(frame: &Frame) -> bool {
    frame.bth.opcode == Opcode::ACKNOWLEDGE
}

fn said(frame: &Frame) -> (u32, Option<Aeth>) {
    (frame.bth.psn, frame.aeth)
}

/// The golden responder gets the requests and must say what the kernel said, each word in its place.
fn answers_as_the_kernel(frames: &[Frame], mtu: u32, fault: Option<Fault>) -> Result<Compared, String> {
    let Some(open) = open(frames, mtu) else { return Ok(Compared::default()) };
    let mut model = Responder::new(ResponderConfig { nak_after_rnr: true, fault, ..ResponderConfig::default() }, open)?;
    model.without_receives();
    for Reth { address, rkey, length } in frames.iter().filter_map(|frame| frame.reth) {
        model.add_region(Region { rkey, base: address, bytes: length.into(), write: true });
    }
    // Which packets found no receive, and what the RNR NAK said, only the capture knows.
    let mut not_ready: BTreeMap<u32, u32> = BTreeMap::new();
    let (mut kernel, mut compared) = (VecDeque::new(), Compared::default());
    for frame in frames.iter().filter(|frame| is_answer(frame)) {
        match frame.aeth.map(|aeth| Syndrome::read(aeth.syndrome)) {
            Some(Syndrome::Ack { .. }) => compared.acks += 1,
            Some(Syndrome::NotReady { .. }) => {
                compared.rnr_naks += 1;
                *not_ready.entry(frame.bth.psn).or_default() += 1;
            }
            _ => compared.naks += 1,
        }
        kernel.push_back(frame);
    }
    let (mut said_by_model, mut posted) = (Vec::new(), 0);
    for frame in frames.iter().filter(|frame| !is_answer(frame)) {
        let number = frame.bth.psn;
        let waits = number == model.expected()
            && not_ready.get_mut(&number).is_some_and(|left| {
                let is_due = *left > 0;
                *left = left.saturating_sub(1);
                is_due
            });
        let begins = matches!(frame.bth.opcode.0, 0 | 4 | 5 | 9 | 11);
        if number == model.expected() && begins && !waits {
            model.post_receive(Receive { id: posted, address: posted * APART, bytes: APART as u32 });
            posted += 1;
        }
        model.arrive(frame);
        said_by_model.extend(std::iter::from_fn(|| model.reply()));
    }
    for (at, ours) in said_by_model.iter().enumerate() {
        let Some(theirs) = kernel.pop_front() else { return Err(format!("answer {at}, {:x?}, the kernel never gave", said(ours))) };
        // The time of an RNR NAK is an attribute of the queue pair.
        let same = match (theirs.aeth.map(|aeth| aeth.syndrome >> 5), ours.aeth.map(|aeth| aeth.syndrome >> 5)) {
            (Some(1), Some(1)) => theirs.bth.psn == ours.bth.psn,
            _ => said(theirs) == said(ours),
        };
        if !same {
            return Err(format!("answer {at} is {:x?}, that of the kernel {:x?}", said(ours), said(theirs)));
        }
    }
    match kernel.pop_front() {
        Some(theirs) => Err(format!("{:x?} of the kernel is missing", said(theirs))),
        None => Ok(compared),
    }
}

/// The requests with every SEND as an RDMA WRITE of the same packets.
fn as_writes(frames: &[Frame]) -> Vec<Frame> {
    let bytes: BTreeMap<u32, (u8, u32)> = frames
        .iter()
        .filter(|frame| frame.bth.opcode.0 < 6)
        .map(|frame| (frame.bth.psn, (frame.bth.opcode.0, frame.payload.len() as u32)))
        .collect();
    let whole = |first: u32| {
        let mut length = 0;
        for number in (0..).map(|after| psn::add(first, after)) {
            match bytes.get(&number) {
                Some((0 | 1, part)) => length += part,
                Some((_, part)) => return length + part,
                None => return length,
            }
        }
        length
    };
    let write = |frame: &Frame| {
        let mut frame = frame.clone();
        if frame.bth.opcode.0 < 6 {
            let first = matches!(frame.bth.opcode.0, 0 | 4 | 5);
            let (address, length) = (u64::from(frame.bth.psn) * APART, whole(frame.bth.psn));
            frame.reth = first.then_some(Reth { address, rkey: 1, length });
            frame.bth.opcode.0 += 6;
        }
        frame
    };
    frames.iter().map(write).collect()
}

/// Our receiver gets the requests too. When the kernel acknowledges, ours has acknowledged as much; what the kernel asks for, ours has
/// asked for or has.
fn never_behind_the_kernel(frames: &[Frame], mtu: u32, fault: Option<Fault>) -> Result<Compared, String> {
    let Some(open) = open(frames, mtu) else { return Ok(Compared::default()) };
    let config = ReceiverConfig { depth: 0, refeedback: u32::MAX, ..ReceiverConfig::default() };
    let mut model = Receiver::new(ReceiverParams { regions: usize::MAX, fault, ..ReceiverParams::default() }, config)?;
    model.open(open)?;
    let writes = as_writes(frames);
    for Reth { address, rkey, length } in writes.iter().filter_map(|frame| frame.reth) {
        model.add_region(Region { rkey, base: address, bytes: length.into(), write: true });
    }
    let (mut edge, mut asked, mut compared) = (open.psn, HashSet::new(), Compared::default());
    for frame in &writes {
        let base = model.base().unwrap_or(edge);
        if !is_answer(frame) {
            if let Verdict::Refused(code) = model.arrive(frame) {
                return Err(format!("{:#x} is refused: {code:?}", frame.bth.psn));
            }
            while let Some(reply) = model.reply() {
                match reply.aeth.map(|aeth| Syndrome::read(aeth.syndrome)) {
                    Some(Syndrome::Ack { .. }) => edge = psn::add(reply.bth.psn, 1),
                    _ => {
                        asked.insert(reply.bth.psn);
                        edge = reply.bth.psn;
                    }
                }
            }
            continue;
        }
        match frame.aeth.map(|aeth| Syndrome::read(aeth.syndrome)) {
            Some(Syndrome::Ack { .. }) => {
                compared.acks += 1;
                if psn::before(edge, psn::add(frame.bth.psn, 1)) {
                    return Err(format!("the kernel acknowledges {:#x}, ours everything before {edge:#x}", frame.bth.psn));
                }
            }
            Some(Syndrome::NotReady { .. }) => compared.rnr_naks += 1,
            _ => {
                let here = psn::before(frame.bth.psn, base);
                compared.naks += 1;
                compared.naks_of_what_is_here += u64::from(here);
                if !here && !asked.contains(&frame.bth.psn) {
                    return Err(format!("the kernel asks for {:#x}, ours does not, and its base is {base:#x}", frame.bth.psn));
                }
            }
        }
    }
    Ok(compared)
}

/// One half of a comparison: the frames of a capture, the queue pair, and what is broken on purpose.
type Check = fn(&[Frame], u32, Option<Fault>) -> Result<Compared, String>;

/// Holds a model against every capture, and adds up what was compared.
fn all(check: Check, fault: Option<Fault>) -> Result<Compared, String> {
    let mut sum = Compared::default();
    for (name, path) in captures().into_iter().filter(|(name, _)| name.ends_with(".b")) {
        if name.contains("read") || name.contains("atomic") {
            continue;
        }
        let mtu = if name.contains("pmtu4096") { 4096 } else { 1024 };
        let captured = capture::read(&path).map_err(|error| error.to_string())?;
        let mut here = Compared::default();
        for ((host, qp), frames) in by_queue_pair(&captured) {
            let one = check(&frames, mtu, fault).map_err(|wrong| format!("{name}, {host}/{qp:#x}: {wrong}"))?;
            here.acks += one.acks;
            here.naks += one.naks;
            here.rnr_naks += one.rnr_naks;
            here.naks_of_what_is_here += one.naks_of_what_is_here;
        }
        println!("{name}: {here:?}");
        sum.acks += here.acks;
        sum.naks += here.naks;
        sum.rnr_naks += here.rnr_naks;
        sum.naks_of_what_is_here += here.naks_of_what_is_here;
    }
    Ok(sum)
}

#[test]
fn the_golden_responder_answers_as_the_kernel_does() {
    let sum = all(answers_as_the_kernel, None).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(sum.acks >= 150 && sum.naks >= 10 && sum.rnr_naks >= 5, "{sum:?}");
    let faults = [
        Fault::ResponderNaksEvery,
        Fault::ResponderAsksOnce,
        Fault::ResponderDuplicateSilent,
        Fault::ResponderDuplicateOwnNumber,
        Fault::ResponderMsnOfPackets,
        Fault::ResponderRequestIgnored,
        Fault::ResponderTakesOutOfOrder,
        Fault::ResponderAlwaysReady,
    ];
    for fault in faults {
        assert!(all(answers_as_the_kernel, Some(fault)).is_err(), "{fault:?} is not found");
    }
}

#[test]
fn our_receiver_is_never_behind_the_kernel() {
    let sum = all(never_behind_the_kernel, None).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(sum.acks >= 150 && sum.naks >= 10 && sum.naks_of_what_is_here > 0, "{sum:?}");
    for fault in [Fault::ReceiverNamesHighest, Fault::ReceiverTableLeaks] {
        assert!(all(never_behind_the_kernel, Some(fault)).is_err(), "{fault:?} is not found");
    }
}
