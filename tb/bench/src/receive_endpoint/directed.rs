//! One thing at a time: what a frame does to memory, ring, control packets and counters.

use super::{Endpoint, NODE_QP, QP};
use rdma_rtl_golden::memory::{Completion, What};
use rdma_rtl_golden::registry::{Header, Kind};
use rdma_rtl_golden::wire::{Control, Frame};
use std::collections::BTreeMap;

/// Where its operation lies.
pub const BASE: u64 = 0x55_0000_0000;

/// Packets of one operation of three, its last one short.
fn packets(packet_size: usize, op: u32, imm: Option<u32>) -> Vec<Frame> {
    let bytes = 2 * packet_size + 13;
    let packet = |i: usize| {
        let at = i * packet_size;
        let kind = if i == 0 { Kind::Start } else { Kind::Body };
        let header = Header {
            kind,
            src: 1,
            op,
            addr: BASE + at as u64,
            bytes: (bytes - at).min(packet_size) as u16,
            op_bytes: bytes as u32,
            count: if i == 0 { 3 } else { 0 },
            rkey: 0,
            imm: imm.filter(|_| i == 2),
        };
        let mut frame = Frame::carrying(&header, i as u32);
        frame.bth.destination_qp = QP;
        frame
    };
    (0..3).map(packet).collect()
}

/// Counters, those that are listed; all others are zero.
fn counted(endpoint: &mut Endpoint, expected: &[(&str, u64)]) -> Result<(), String> {
    let found = endpoint.counters()?;
    let expected: BTreeMap<String, u64> = expected.iter().map(|(name, value)| (format!("count_{name}"), *value)).collect();
    if found == expected { Ok(()) } else { Err(format!("counters are {found:?}, expected {expected:?}")) }
}

fn send(endpoint: &mut Endpoint, frames: &[&Frame]) -> Result<Vec<Frame>, String> {
    frames.iter().for_each(|f| endpoint.frames.packet(&f.to_bytes(), 0));
    endpoint.settle()?;
    let told = endpoint.control_packets()?;
    match told.iter().find(|(node, _)| *node != 1) {
        Some((node, _)) => Err(format!("node {node} is told")),
        None => Ok(told.into_iter().map(|(_, frame)| frame).collect()),
    }
}

/// An operation whose last packet comes first and one of whose packets comes twice; then all of it once more.
///
/// `packet_size` and `mask_bits` are those of the endpoint, which has been set up for at least two nodes.
/// # Errors
/// What is not as the spec says.
pub fn one_operation(endpoint: &mut Endpoint, packet_size: usize, mask_bits: usize) -> Result<(), String> {
    // What is told again later would be told among the answers to late copies.
    endpoint.write("repeat_completion", 0)?;
    endpoint.memory.region(BASE, 3 * packet_size);
    let p = packets(packet_size, 0x123, Some(0xfeed_f00d));
    let told = send(endpoint, &[&p[2], &p[1], &p[0], &p[1]])?;
    let payload: Vec<u8> = p.iter().flat_map(|f| f.payload.clone()).collect();
    if endpoint.memory.bytes(BASE, payload.len()) != Some(&payload[..]) {
        return Err("memory is not what was sent".into());
    }
    let last = told.last().and_then(|f| f.control.clone());
    let acknowledged = told.iter().fold(0, |all, f| match f.control {
        Some(Control::OpAck { op: 0x123, index, status: 0, mask }) => all | mask << index,
        _ => all,
    });
    if !told.iter().any(|f| f.control == Some(Control::Completion { op: 0x123, status: 0, packets: 3 })) || acknowledged & !7 != 0 {
        return Err(format!("sender was told {last:?} at last, packets {acknowledged:#b}"));
    }
    let completion = Completion {
        what: What::Operation,
        src: 1,
        op: 0x123,
        base: BASE,
        bytes: payload.len() as u32,
        packets: 3,
        status: 0,
        imm: Some(0xfeed_f00d),
        mask: vec![u32::MAX; mask_bits / 32],
    };
    if !endpoint.interrupt() {
        return Err("no interrupt".into());
    }
    if endpoint.completions()? != [completion.entry(0, super::RING_LOG2)] {
        return Err("the completion is not that of the operation".into());
    }
    endpoint.write("interrupt_status", 1)?;
    endpoint.settle()?;
    if endpoint.interrupt() {
        return Err("the interrupt stays".into());
    }
    // Late copies: answered once by 0xc1, and nothing else.
    let again = send(endpoint, &[&p[0], &p[1], &p[2]])?;
    if again.len() != 1 || again[0].control != Some(Control::Completion { op: 0x123, status: 0, packets: 0 }) {
        let controls: Vec<_> = again.iter().map(|f| f.control.clone()).collect();
        return Err(format!("late copies are answered by {controls:?}"));
    }
    if !endpoint.completions()?.is_empty() || !endpoint.memory.damaged().is_empty() {
        return Err("late copies complete, or write".into());
    }
    endpoint.sound()
}

/// What is told of packets that come in order, and of packets behind one that is missing, while acknowledgements may wait for longer than
/// anybody here does.
///
/// As [`one_operation`], behind it.
/// # Errors
/// What is not as the registers say.
pub fn acknowledgements(endpoint: &mut Endpoint, packet_size: usize) -> Result<(), String> {
    endpoint.write("ack_wait", 1 << 20)?;
    endpoint.memory.region(BASE, 3 * packet_size);
    let hears = |endpoint: &mut Endpoint, frames: &[&Frame], expected: &[Control]| {
        let told: Vec<Control> = send(endpoint, frames)?.into_iter().filter_map(|frame| frame.control).collect();
        if told == expected { Ok(()) } else { Err(format!("the sender is told {told:?}, expected {expected:?}")) }
    };
    let ack = |op, mask| Control::OpAck { op, index: 0, status: 0, mask };
    let end = |op| Control::Completion { op, status: 0, packets: 3 };
    // The first one waits until it is known that the second is missing; the third says once more what that said.
    let late = packets(packet_size, 0x224, None);
    hears(endpoint, &[&late[0], &late[2]], &[ack(0x224, 1), ack(0x224, 5)])?;
    hears(endpoint, &[&late[1]], &[end(0x224)])?;
    // In order: the completion takes the place of what waits.
    let whole = packets(packet_size, 0x325, None);
    hears(endpoint, &[&whole[0], &whole[1], &whole[2]], &[end(0x325)])?;
    if endpoint.completions()?.len() != 2 {
        return Err("two operations, and not two completions".into());
    }
    endpoint.write("ack_wait", 8)?;
    endpoint.sound()
}

/// Frames that are not for us, each with its counter; the MAC side's word; the gate.
/// # Errors
/// What is not as the register description says.
pub fn what_is_dropped(endpoint: &mut Endpoint, packet_size: usize) -> Result<(), String> {
    endpoint.write("control", 1 << 9 | 1)?;
    endpoint.control_packets()?;
    let p = packets(packet_size, 0x777, None);
    let mut foreign_qp = p[0].clone();
    foreign_qp.bth.destination_qp = NODE_QP;
    let answer = {
        let mut ack = Frame::new(rdma_rtl_golden::wire::Bth::new(rdma_rtl_golden::wire::Opcode::REMOTE_COMPLETION, QP, 0));
        ack.control = Some(Control::Completion { op: 1, status: 0, packets: 1 });
        ack
    };
    endpoint.frames.packet(&p[0].to_bytes(), 1);
    endpoint.frames.packet(&p[0].to_bytes(), 2);
    endpoint.frames.packet(&[0x5a; 60], 0);
    if !send(endpoint, &[&foreign_qp, &answer])?.is_empty() {
        return Err("an answer to what was dropped".into());
    }
    let dropped = [
        ("frames", 5),
        ("frame_mac_error", 1),
        ("frame_icrc", 2),
        ("frame_not_udp_4791", 1),
        ("frame_not_our_qp", 1),
        ("frame_foreign", 1),
    ];
    counted(endpoint, &dropped)?;
    endpoint.write("control", 1 << 9)?;
    send(endpoint, &[&p[0]])?;
    counted(endpoint, &[])?;
    endpoint.write("control", 1)?;
    endpoint.sound()
}
