//! Traces of what is in which packet, which receive is whose, and who waits for whom.

use super::rig::{FIRST, MTU, QP, Rig, number, numbers, wqe};
use super::*;
use crate::wire::{Reth, WqeEth};

pub const ALL: &[(&str, Trace)] = &[
    ("every packet says where it belongs", every_packet_says_where_it_belongs),
    ("no more than 4096 packets", no_more_than_4096_packets),
    ("what is shorter than its header says is refused", what_the_host_may_not_ask_for),
    ("receives go by order of the WQEs", receives_go_by_order_of_the_wqes),
    ("a WRITE with immediate takes a receive", a_write_with_immediate_takes_a_receive),
    ("nobody knows what a lost WQE takes", nobody_knows_what_a_lost_wqe_takes),
    ("strict waits for all before", strict_waits_for_all_before),
    ("a fence waits for all before", a_fence_waits_for_all_before),
    ("a request waits for all before", a_request_waits_for_all_before),
    ("a request waits for what is in pages", a_request_waits_for_what_is_in_pages),
    ("completions wait for their receive", completions_wait_for_their_receive),
    ("no more WQEs than the receiver may open", no_more_wqes_than_the_receiver_may_open),
];

fn every_packet_says_where_it_belongs(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    let address = rig.write(0, 3 * MTU + 5, Some(77), false)?;
    rig.send(1, 0, true)?;
    rig.post(Work { id: 2, kind: WorkKind::Send, bytes: 2 * MTU, imm: Some(5), fence: false })?;
    rig.read(3, 3 * MTU)?;
    rig.write(4, 8, None, false)?;
    let packets = rig.packets();
    same!(
        packets.iter().map(|handed| handed.packet.opcode.0).collect::<Vec<u8>>(),
        vec![0x06, 0x07, 0x07, 0x09, 0x04, 0x00, 0x03, 0x0c, 0x0a]
    );
    same!(numbers(&packets), vec![0, 1, 2, 3, 4, 5, 6, 7, 10]);
    let total = 3 * MTU + 5;
    let want = |after: u32, offset: u32, total: u32| Some(WqeEth { sequence: wqe(after), offset, total });
    same!(
        packets.iter().map(|handed| handed.packet.wqe).collect::<Vec<_>>(),
        vec![
            want(0, 0, total),
            want(0, 256, total),
            want(0, 512, total),
            want(0, 768, total),
            want(1, 0, 1 << 31),
            want(2, 0, 512),
            want(2, 256, 512),
            None,
            // The READ has taken none.
            want(3, 0, 8),
        ]
    );
    same!((packets[2].packet.psn, packets[3].packet.psn, wqe(2)), (psn::SPACE - 1, 0, 0));
    same!(packets[0].packet.reth, Some(Reth { address, rkey: 9, length: total }));
    same!(packets[1].packet.reth.or(packets[3].packet.reth), None);
    same!([3, 4, 5, 6].map(|at| packets[at].packet.imm), [Some(77), None, None, Some(5)]);
    same!([0, 3, 4].map(|at| packets[at].packet.bytes), [MTU, 5, 0]);
    Ok(())
}

fn no_more_than_4096_packets(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    let work = |bytes| Work { id: 0, kind: WorkKind::Send, bytes, imm: None, fence: false };
    same!(rig.sender.post(QP, work(MAX_PACKETS * MTU + 1)), Err(Refusal::TooLong));
    same!(rig.sender.post(QP, work(MAX_PACKETS * MTU)), Ok(()));
    let packets = rig.packets();
    same!(packets.len(), MAX_PACKETS as usize);
    // A peer that does it all the same is not heard.
    let mut long = packets[0].packet;
    long.wqe = Some(WqeEth::new(FIRST.1, 0, MAX_PACKETS * MTU + 1, false));
    same!(rig.receiver.arrive(&long, &[0; MTU as usize]), Verdict::Dropped(Reason::TooLong));
    Ok(())
}

fn what_the_host_may_not_ask_for(_: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(None, |sender, _, _| sender.queue = 1)?;
    let read = Work { id: 0, kind: WorkKind::Read { address: 0, rkey: 0 }, bytes: 8, imm: None, fence: false };
    same!(rig.sender.post(QP, Work { imm: Some(1), ..read }), Err(Refusal::NoData));
    same!(rig.sender.post(QP, Work { fence: true, ..read }), Err(Refusal::NoData));
    same!(rig.sender.post(QP + 1, read), Err(Refusal::Closed));
    same!(rig.sender.post(QP, read), Ok(()));
    same!(rig.sender.post(QP, read), Err(Refusal::Full));
    Ok(())
}

fn receives_go_by_order_of_the_wqes(fault: Option<Fault>) -> Result<(), String> {
    // Three SENDs, the last first.
    let mut rig = Rig::new(fault)?;
    let places: Vec<u64> = (0..3).map(|id| rig.receive(id, 2 * MTU)).collect();
    (0..3).try_for_each(|id| rig.send(id, 2 * MTU, false))?;
    let packets = rig.packets();
    let second_half = |at: usize| Verdict::Direct { address: places[at] + u64::from(MTU) };
    // Which receive the third takes, nobody knows before the first and the second have been seen.
    same!(rig.deliver(&packets[5])?, Verdict::Buffered);
    same!(rig.deliver(&packets[1])?, second_half(0));
    same!(rig.deliver(&packets[3])?, second_half(1));
    same!(rig.deliver(&packets[4])?, Verdict::Direct { address: places[2] });
    same!(rig.copy()?, 1);
    same!(rig.completions(), vec![]);
    rig.deliver(&packets[2])?;
    same!(rig.completions(), vec![]);
    rig.deliver(&packets[0])?;
    same!(rig.completions(), vec![(0, Some(0)), (1, Some(1)), (2, Some(2))]);
    (0..3).try_for_each(|at| rig.memory.complete(places[at], at as u64, 2 * MTU))
}

fn a_write_with_immediate_takes_a_receive(fault: Option<Fault>) -> Result<(), String> {
    for imm in [None, Some(3)] {
        let mut rig = Rig::new(fault)?;
        let places: Vec<u64> = (0..2).map(|id| rig.receive(id, MTU)).collect();
        let written = rig.write(0, 2 * MTU, imm, false)?;
        rig.send(1, MTU, false)?;
        let packets = rig.packets();
        rig.deliver(&packets[0])?;
        // The last packet of the WRITE says whether it takes one.
        same!(rig.deliver(&packets[2])?, Verdict::Buffered);
        rig.deliver(&packets[1])?;
        let at = usize::from(imm.is_some());
        rig.copy()?;
        rig.memory.complete(places[at], 1, MTU)?;
        rig.memory.complete(written, 0, 2 * MTU)?;
        same!(rig.completions(), vec![(0, imm.map(|_| 0)), (1, Some(at as u64))]);
    }
    Ok(())
}

fn nobody_knows_what_a_lost_wqe_takes(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    let places: Vec<u64> = (0..2).map(|id| rig.receive(id, MTU)).collect();
    (0..2).try_for_each(|id| rig.send(id, 100, false))?;
    let packets = rig.packets();
    same!(rig.deliver(&packets[1])?, Verdict::Buffered);
    same!(rig.copy()?, 0);
    same!(rig.deliver(&packets[0])?, Verdict::Direct { address: places[0] });
    same!(rig.copy()?, 1);
    same!(rig.completions(), vec![(0, Some(0)), (1, Some(1))]);
    rig.memory.complete(places[1], 1, 100)
}

fn strict_waits_for_all_before(fault: Option<Fault>) -> Result<(), String> {
    for strict in [false, true] {
        let mut rig = Rig::with(fault, |_, _, config| config.strict = strict)?;
        let place = [rig.receive(0, 2 * MTU), rig.receive(1, MTU)][1];
        rig.send(0, 2 * MTU, false)?;
        rig.send(1, MTU, false)?;
        let packets = rig.packets();
        rig.deliver(&packets[1])?;
        let want = if strict { Verdict::Buffered } else { Verdict::Direct { address: place } };
        same!(rig.deliver(&packets[2])?, want);
        rig.deliver(&packets[0])?;
        rig.copy()?;
        same!(rig.completions().len(), 2);
        rig.memory.complete(place, 1, MTU)?;
    }
    Ok(())
}

fn a_fence_waits_for_all_before(fault: Option<Fault>) -> Result<(), String> {
    for before in [false, true] {
        let mut rig = Rig::new(fault)?;
        let data = rig.write(0, 3 * MTU, None, false)?;
        if before {
            rig.read(9, 8)?;
        }
        let flag = rig.write(1, 8, None, true)?;
        let packets = rig.packets();
        let last = packets.len() - 1;
        same!(rig.deliver(&packets[last])?, Verdict::Buffered);
        same!((rig.deliver(&packets[0])?, rig.copy()?), (Verdict::Direct { address: data }, 0));
        rig.deliver(&packets[2])?;
        same!((rig.copy()?, rig.memory.written(flag)?), (0, 0));
        rig.deliver(&packets[1])?;
        if before {
            same!((rig.copy()?, rig.memory.written(flag)?), (0, 0));
            rig.deliver(&packets[3])?;
        }
        same!((rig.copy()?, rig.memory.written(flag)?), (1, 8));
        same!(rig.completions(), vec![(0, None), (1, None)]);
    }
    Ok(())
}

fn a_request_waits_for_all_before(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    let data = rig.write(0, 2 * MTU, None, false)?;
    rig.read(1, 5 * MTU)?;
    rig.post(Work { id: 2, kind: WorkKind::FetchAdd { address: 8, rkey: 9, add: 1 }, bytes: 8, imm: None, fence: false })?;
    rig.write(3, 8, None, false)?;
    let packets = rig.packets();
    same!(numbers(&packets), vec![0, 1, 2, 7, 8]);
    // A WRITE does not wait for a READ before it; what the host may read, it does.
    rig.deliver(&packets[4])?;
    same!(rig.deliver(&packets[3])?, Verdict::Request);
    same!(rig.deliver(&packets[1])?, Verdict::Buffered);
    same!(rig.deliver(&packets[2])?, Verdict::Request);
    same!(rig.deliver(&packets[2])?, Verdict::Duplicate);
    same!(rig.events(), vec![]);
    same!(rig.deliver(&packets[0])?, Verdict::Direct { address: data });
    same!(rig.events(), vec![]);
    same!(rig.copy()?, 1);
    let events = rig.events();
    let names: Vec<u32> = events
        .iter()
        .map(|event| match event {
            Event::Completion(completion) => completion.sequence.wrapping_sub(FIRST.1),
            Event::Request(request) => psn::ahead(FIRST.0, request.packet.psn),
        })
        .collect();
    same!(names, vec![0, 2, 7, 1]);
    same!(rig.receiver.edge(QP), Some(number(9)));
    same!(rig.receiver.ack(), Some((Ack { qp: QP, psn: number(8), credits: 16 }, 4)));
    rig.sender.ack(Ack { qp: QP, psn: number(8), credits: 31 });
    same!(rig.done().len(), 4);
    same!(rig.deliver(&packets[2])?, Verdict::Duplicate);
    Ok(())
}

fn a_request_waits_for_what_is_in_pages(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    rig.receive(0, MTU);
    rig.write(0, 8, Some(4), false)?;
    rig.send(1, MTU, false)?;
    rig.read(2, 8)?;
    let packets = rig.packets();
    // In pages, for the WRITE takes the only receive.
    rig.deliver_but(&packets, &[])?;
    same!(rig.events().len(), 1);
    // All has arrived, and what is not in host memory is not acknowledged.
    same!((rig.receiver.expected(QP), rig.receiver.ack().map(|(ack, _)| ack.psn)), (Some(number(3)), Some(number(0))));
    let place = rig.receive(1, MTU);
    same!((rig.events().len(), rig.receiver.ack()), (0, None));
    same!(rig.copy()?, 1);
    rig.memory.complete(place, 1, MTU)?;
    same!(rig.events().len(), 2);
    same!(rig.receiver.ack().map(|(ack, msn)| (ack.psn, msn)), Some((number(2), 3)));
    Ok(())
}

fn completions_wait_for_their_receive(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    let written = rig.write(0, 2 * MTU, Some(4), false)?;
    rig.write(1, 8, None, false)?;
    let packets = rig.packets();
    rig.deliver_but(&packets, &[])?;
    same!((rig.completions(), rig.receiver.edge(QP)), (vec![], Some(number(1))));
    rig.receive(7, 0);
    same!(rig.completions(), vec![(0, Some(7)), (1, None)]);
    same!(rig.receiver.edge(QP), Some(number(3)));
    rig.memory.complete(written, 0, 2 * MTU)
}

fn no_more_wqes_than_the_receiver_may_open(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |sender, params, _| (sender.open, params.open) = (5, 4))?;
    (0..6).try_for_each(|id| rig.write(id, 8, None, false).map(|_| ()))?;
    let packets = rig.packets();
    same!(packets.len(), 5);
    same!(rig.deliver(&packets[4])?, Verdict::Dropped(Reason::BeyondOpen));
    rig.deliver(&packets[3])?;
    rig.deliver(&packets[0])?;
    same!(matches!(rig.deliver(&packets[4])?, Verdict::Direct { .. }), true);
    rig.cross();
    same!((rig.packets().len(), rig.done()), (1, vec![(0, Outcome::Success)]));
    Ok(())
}

#[test]
fn what_is_not_possible_is_refused() {
    let params = ReceiverParams::default();
    let bad = [
        ReceiverParams { open: 0, ..params },
        ReceiverParams { open: 257, ..params },
        ReceiverParams { bitmap: 0, ..params },
        ReceiverParams { bitmap: 4097, ..params },
        ReceiverParams { page_bytes: 3000, ..params },
        ReceiverParams { page_bytes: 128, ..params },
        ReceiverParams { window: 4095, ..params },
        ReceiverParams { window: psn::HALF, ..params },
        ReceiverParams { scan: 0, ..params },
    ];
    for params in bad {
        assert!(Receiver::new(params, ReceiverConfig::default()).is_err(), "{params:?}");
    }
    let config = SenderConfig::default();
    let bad = [SenderConfig { window: 4095, ..config }, SenderConfig { open: 0, ..config }, SenderConfig { rto: 0, ..config }];
    for config in bad {
        assert!(Sender::new(config).is_err(), "{config:?}");
    }
    let mut rig = Rig::new(None).unwrap();
    let open = Open { qp: 1, psn: 0, sequence: 0, mtu: 1024 };
    for bad in [Open { qp: psn::SPACE, ..open }, Open { psn: psn::SPACE, ..open }, Open { mtu: 128, ..open }, Open { mtu: 1000, ..open }] {
        assert!(rig.sender.open(bad).is_err() && rig.receiver.open(bad).is_err(), "{bad:?}");
    }
    // The pages of this receiver are shorter.
    assert!(rig.sender.open(open).is_ok() && rig.receiver.open(open).is_err());
    let receive = Receive { id: 0, address: u64::MAX - 9, bytes: 10 };
    assert!(!rig.receiver.post_receive(QP, receive) && !rig.receiver.post_receive(2, Receive { address: 0, ..receive }));
    assert!(rig.receiver.post_receive(QP, Receive { bytes: 9, ..receive }));
}

#[test]
fn decisions_have_their_lines() {
    use crate::decision::{Decision, Line};
    let mut rig = Rig::new(None).unwrap();
    let address = rig.write(0, 300, Some(7), false).unwrap();
    rig.read(1, 8).unwrap();
    rig.receive(5, 0);
    let packets = rig.packets();
    let mut lines = Vec::new();
    for at in [0, 0, 2, 1] {
        let verdict = rig.deliver(&packets[at]).unwrap();
        lines.push(Decision::wqe_packet(at as u64, &packets[at].packet, verdict));
    }
    lines.push(Decision::wqe_packet(9, &packets[0].packet, Verdict::Dropped(Reason::PsnMismatch)));
    lines.extend(rig.events().iter().map(Decision::wqe_event));
    lines.push(Decision::indication(&Indication { qp: QP, wqe: None, first: 3, missing: 5 }));
    let text: Vec<String> = lines.into_iter().map(|decision| Line::new(None, decision).to_json()).collect();
    let packet = r#"{"cycle":null,"kind":"packet","block":"wqe","frame""#;
    let tail = r#""verdict":"duplicate","reason":null,"addr":null}"#;
    assert_eq!(
        text,
        [
            format!(
                r#"{packet}:0,"qp":17,"psn":16777213,"wqe":4294967294,"offset":0,"verdict":"direct","reason":null,"addr":"{address:#x}"}}"#
            ),
            format!(r#"{packet}:0,"qp":17,"psn":16777213,"wqe":4294967294,"offset":0,{tail}"#),
            format!(r#"{packet}:2,"qp":17,"psn":16777215,"wqe":null,"offset":null,"verdict":"request","reason":null,"addr":null}}"#),
            format!(
                r#"{packet}:1,"qp":17,"psn":16777214,"wqe":4294967294,"offset":256,"verdict":"direct","reason":null,"addr":"{:#x}"}}"#,
                address + 256
            ),
            format!(
                r#"{packet}:9,"qp":17,"psn":16777213,"wqe":4294967294,"offset":0,"verdict":"dropped","reason":"psn_mismatch","addr":null}}"#
            ),
            r#"{"cycle":null,"kind":"wqe_complete","qp":17,"wqe":4294967294,"bytes":300,"imm":7,"receive":5}"#.to_owned(),
            r#"{"cycle":null,"kind":"wqe_request","qp":17,"psn":16777215,"opcode":12}"#.to_owned(),
            r#"{"cycle":null,"kind":"indication","qp":17,"wqe":null,"first":3,"mask":"0x5"}"#.to_owned(),
        ]
    );
}
