//! Every reject has its reason, and nothing else happens.

use super::rig::{FIRST, MTU, QP, Rig, number, wqe};
use super::*;
use crate::wire::{Opcode, Reth, WqeEth};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub const ALL: &[(&str, Trace)] = &[
    ("a bad packet changes nothing", a_bad_packet_changes_nothing),
    ("a request has its own reasons", a_request_has_its_own_reasons),
    ("the first check that fails names the reason", the_first_check_that_fails_names_the_reason),
];

/// What a receiver is apart from its counters.
fn state(receiver: &Receiver) -> Receiver {
    let mut receiver = receiver.clone();
    receiver.counters = ReceiverCounters::default();
    receiver
}

/// WQE 1 of 3 packets is open with its second; its first and WQE 0, of 2 packets, have not arrived. WQE 3 is open with its only packet.
fn opened(fault: Option<Fault>) -> Result<(Rig, Vec<Handed>), String> {
    let mut rig = Rig::new(fault)?;
    rig.receiver.add_region(Region { rkey: 9, base: 0x1_0000_0000, bytes: 1 << 20 });
    rig.write(0, 2 * MTU, None, false)?;
    rig.write(1, 3 * MTU, None, false)?;
    rig.write(2, 2 * MTU, None, false)?;
    rig.write(3, 10, None, false)?;
    let packets = rig.packets();
    rig.deliver(&packets[3])?;
    rig.deliver(&packets[7])?;
    Ok((rig, packets))
}

fn a_bad_packet_changes_nothing(fault: Option<Fault>) -> Result<(), String> {
    let (mut rig, packets) = opened(fault)?;
    let (whole, before) = ([0u8; 256], state(&rig.receiver));
    let first = packets[2].packet;
    let middle = packets[3].packet;
    let last = packets[4].packet;
    let eth = |offset: u32, bytes: u32| Some(WqeEth::new(wqe(1), offset, bytes, false));
    let at = |sequence: u32, offset: u32, bytes: u32| Some(WqeEth::new(wqe(sequence), offset, bytes, false));
    let reth = |change: fn(&mut Reth)| {
        let mut reth = first.reth.unwrap_or(Reth { address: 0, rkey: 0, length: 0 });
        change(&mut reth);
        Some(reth)
    };
    let bad: Vec<(Reason, Packet, usize)> = vec![
        (Reason::UnknownQp, Packet { qp: QP + 1, ..first }, 256),
        (Reason::Unsupported, Packet { opcode: Opcode(0x16), ..first }, 256),
        (Reason::Unsupported, Packet { opcode: Opcode::FLUSH, ..first }, 256),
        (Reason::Unsupported, Packet { wqe: None, ..first }, 256),
        (
            Reason::ReservedBit,
            Packet { wqe: Some(WqeEth { total: 768 | 1 << 25, ..eth(0, 768).unwrap_or(WqeEth::new(0, 0, 0, false)) }), ..first },
            256,
        ),
        (Reason::ReservedBit, Packet { wqe: Some(WqeEth { sequence: wqe(1), offset: 0, total: 768 | 1 << 30 }), ..first }, 256),
        (Reason::TooLong, Packet { wqe: eth(0, 4096 * 256 + 1), ..first }, 256),
        (Reason::TooLong, Packet { wqe: eth(0, WqeEth::BYTES), ..first }, 256),
        (Reason::MisalignedOffset, Packet { wqe: eth(128, 768), ..middle }, 256),
        (Reason::BeyondTotal, Packet { wqe: eth(512, 767), ..last }, 256),
        (Reason::BeyondTotal, Packet { wqe: eth(0xffff_ff00, 768), ..last }, 256),
        (Reason::WrongPosition, Packet { wqe: eth(256, 768), ..first }, 256),
        (Reason::WrongPosition, Packet { wqe: eth(0, 768), ..middle }, 256),
        (Reason::WrongPosition, Packet { wqe: eth(512, 768), ..middle }, 256),
        (Reason::WrongPosition, Packet { wqe: eth(256, 768), ..last }, 256),
        (Reason::WrongLength, first, 255),
        (Reason::WrongLength, last, 255),
        (Reason::WrongLength, middle, 0),
        (Reason::RethLength, Packet { reth: reth(|reth| reth.length = 767), ..first }, 256),
        (Reason::Wraps, Packet { reth: reth(|reth| reth.address = u64::MAX - 100), ..first }, 256),
        (Reason::Access, Packet { reth: reth(|reth| reth.rkey = 8), ..first }, 256),
        (Reason::Access, Packet { reth: reth(|reth| reth.address = 0xffff_ffff), ..first }, 256),
        (Reason::Access, Packet { reth: reth(|reth| reth.address = 0x1_0010_0000 - 767), ..first }, 256),
        (Reason::BeyondOpen, Packet { wqe: at(16, 0, 768), psn: number(100), ..first }, 256),
        (Reason::BeyondOpen, Packet { wqe: at(1 << 31, 0, 768), psn: number(100), ..first }, 256),
        (Reason::BeyondWindow, Packet { wqe: at(5, 0, 768), psn: number(16 * 4096 - 2), ..first }, 256),
        (Reason::PsnMismatch, Packet { psn: number(3), ..first }, 256),
        (Reason::PsnMismatch, Packet { wqe: eth(512, 768), psn: number(3), ..last }, 256),
        // A WQE that is not open takes no PSN of its neighbours, of WQEs in between, or of what is acknowledged.
        (Reason::PsnMismatch, Packet { wqe: at(0, 0, 768), psn: number(0), ..first }, 256),
        (Reason::PsnMismatch, Packet { wqe: at(2, 0, 768), psn: number(4), ..first }, 256),
        (Reason::PsnMismatch, Packet { wqe: at(2, 0, 768), psn: number(5), ..first }, 256),
        (Reason::PsnMismatch, Packet { wqe: at(5, 0, 768), psn: number(8), ..first }, 256),
        (Reason::PsnMismatch, Packet { wqe: at(0, 0, 768), psn: psn::sub(number(0), 1), ..first }, 256),
        (Reason::TotalMismatch, Packet { wqe: eth(512, 700), ..last }, 188),
        (Reason::TotalMismatch, Packet { wqe: Some(WqeEth::new(wqe(1), 256, 768, true)), ..middle }, 256),
        (Reason::KindMismatch, Packet { opcode: Opcode(0x01), ..middle }, 256),
    ];
    for (number, (reason, packet, bytes)) in bad.into_iter().enumerate() {
        let verdict = rig.receiver.arrive(&packet, &whole[..bytes]);
        same!((number, verdict), (number, Verdict::Dropped(reason)));
        same!((number, state(&rig.receiver) == before), (number, true));
    }
    // What is good is taken as if nothing had been.
    same!(matches!(rig.deliver(&packets[2])?, Verdict::Direct { .. }), true);
    rig.deliver_but(&packets, &[2, 3, 7])?;
    rig.copy()?;
    same!(rig.completions().len(), 4);
    same!(rig.receiver.counters().dropped.values().sum::<u64>(), 36);
    Ok(())
}

fn a_request_has_its_own_reasons(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |_, params, _| params.requests = 2)?;
    rig.read(0, 4 * MTU)?;
    rig.write(1, 2 * MTU, None, false)?;
    (2..5).try_for_each(|id| rig.read(id, 3 * MTU))?;
    let packets = rig.packets();
    rig.deliver(&packets[1])?;
    same!(rig.deliver_but(&packets[3..5], &[])?, vec![Verdict::Request; 2]);
    let before = state(&rig.receiver);
    let read = packets[0].packet;
    let long = |length: u32| Some(Reth { address: 0, rkey: 0, length });
    let bad = [
        (Reason::RequestsFull, packets[5].packet),
        (Reason::TooLong, Packet { reth: long(4096 * MTU + 1), ..read }),
        (Reason::TooLong, Packet { reth: long(u32::MAX), ..read }),
        (Reason::BeyondWindow, Packet { psn: number(16 * 4096 - 3), ..read }),
        // Into a WQE, and into a request.
        (Reason::PsnMismatch, Packet { psn: number(1), ..read }),
        (Reason::PsnMismatch, Packet { psn: number(5), ..read }),
        (Reason::PsnMismatch, Packet { psn: number(7), ..read }),
        (Reason::PsnMismatch, Packet { reth: long(1), psn: number(6), ..read }),
    ];
    for (number, (reason, packet)) in bad.into_iter().enumerate() {
        same!((number, rig.receiver.arrive(&packet, &[])), (number, Verdict::Dropped(reason)));
        same!((number, state(&rig.receiver) == before), (number, true));
    }
    // A WQE that claims a number of a request is no better.
    let write = Packet { wqe: Some(WqeEth::new(wqe(1), 0, 2 * MTU, false)), psn: number(6), ..packets[1].packet };
    same!(rig.receiver.arrive(&write, &[0; 256]), Verdict::Dropped(Reason::PsnMismatch));
    same!(rig.deliver(&packets[0])?, Verdict::Request);
    rig.deliver(&packets[2])?;
    same!(rig.deliver(&packets[5])?, Verdict::Request);
    same!(rig.events().len(), 5);
    Ok(())
}

fn the_first_check_that_fails_names_the_reason(fault: Option<Fault>) -> Result<(), String> {
    let (mut rig, packets) = opened(fault)?;
    let mut packet = packets[2].packet;
    packet.psn = number(3);
    packet.reth = Some(Reth { address: 0, rkey: 0, length: 1 });
    packet.wqe = Some(WqeEth { sequence: FIRST.1.wrapping_add(900), offset: 128, total: 0x0200_0000 | WqeEth::BYTES });
    let mut reasons = vec![rig.receiver.arrive(&packet, &[0; 200])];
    let steps: [fn(&mut WqeEth); 4] =
        [|eth| eth.total = WqeEth::BYTES, |eth| eth.total = 100, |eth| eth.offset = 256, |eth| (eth.offset, eth.total) = (0, 768)];
    for step in steps {
        if let Some(eth) = &mut packet.wqe {
            step(eth);
        }
        reasons.push(rig.receiver.arrive(&packet, &[0; 200]));
    }
    reasons.push(rig.receiver.arrive(&packet, &[0; 256]));
    packet.wqe = Some(WqeEth::new(wqe(1), 0, 768, false));
    reasons.push(rig.receiver.arrive(&packet, &[0; 256]));
    packet.psn = number(2);
    reasons.push(rig.receiver.arrive(&packet, &[0; 256]));
    let want = [
        Reason::ReservedBit,
        Reason::TooLong,
        Reason::MisalignedOffset,
        Reason::BeyondTotal,
        Reason::WrongLength,
        Reason::BeyondOpen,
        Reason::PsnMismatch,
        Reason::RethLength,
    ];
    same!(reasons, want.map(Verdict::Dropped).to_vec());
    Ok(())
}

#[test]
fn every_reason_has_a_name_of_its_own() {
    let mut names: Vec<String> = Reason::ALL.iter().map(Reason::to_string).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), Reason::ALL.len());
    assert!(names.iter().all(|name| name.chars().all(|letter| letter == '_' || letter.is_ascii_lowercase())), "{names:?}");
}

#[test]
fn no_header_breaks_an_end() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for round in 0..12 {
        let mut rig = Rig::with(None, |_, params, config| {
            (params.pages, params.open, params.bitmap) = (round % 5, 1 + round % 20, 1 + 100 * (round % 3));
            config.strict = round % 2 == 0;
        })
        .unwrap();
        let near = |random: &mut ChaCha8Rng, from: u32| match random.random_range(0..4) {
            0 => random.random(),
            1 => from.wrapping_sub(random.random_range(0..3)),
            _ => from.wrapping_add(random.random_range(0..20)),
        };
        for _ in 0..300 {
            let opcode = Opcode(random.random_range(0..0x20));
            let bytes = [0, 1, 255, 256, 256, 256, 257, 4096][random.random_range(0..8)];
            let total = [0, 100, 256, 300, 512, 1024, 5000, 1 << 20, u32::MAX][random.random_range(0..9)];
            let total = if random.random_range(0..20) == 0 { random.random() } else { total };
            let offset = [0, 0, 256, 512, 768, 128, u32::MAX - 255][random.random_range(0..7)];
            let reth = Reth { address: random.random(), rkey: 9, length: if random.random() { total } else { random.random() } };
            let packet = Packet {
                qp: QP,
                psn: near(&mut random, FIRST.0) % psn::SPACE,
                opcode,
                retransmission: false,
                wqe: random.random_bool(0.9).then(|| WqeEth { sequence: near(&mut random, FIRST.1), offset, total }),
                reth: random.random_bool(0.5).then_some(reth),
                atomic: None,
                imm: None,
                bytes,
            };
            rig.receiver.arrive(&packet, &vec![0; bytes as usize]);
            if random.random_range(0..50) == 0 {
                rig.receiver.post_receive(QP, Receive { id: 0, address: random.random::<u64>() >> 1, bytes: random.random() });
            }
            rig.receiver.copy();
            rig.receiver.ack();
            rig.now += random.random_range(0..400);
            rig.receiver.tick(rig.now);
            rig.receiver.indication();
            rig.events();
            let indication =
                Indication { qp: QP, wqe: Some(near(&mut random, FIRST.1)), first: near(&mut random, FIRST.0), missing: random.random() };
            if random.random_range(0..20) == 0 {
                let _ = rig.write(1, 5000, None, false);
            }
            rig.packets();
            rig.sender.indication(&indication);
            rig.sender.ack(Ack { qp: QP, psn: near(&mut random, FIRST.0) % psn::SPACE, credits: random.random_range(0..32) });
            rig.sender.tick(rig.now);
            rig.done();
        }
        assert!(rig.receiver.close(QP));
        assert_eq!(rig.receiver.free_pages(), round % 5);
    }
}
