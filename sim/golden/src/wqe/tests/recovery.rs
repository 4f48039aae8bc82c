//! Traces of what is lost, asked for, and sent again.

use super::rig::{QP, Rig, number, numbers, wqe};
use super::*;

pub const ALL: &[(&str, Trace)] = &[
    ("exactly what is missing", exactly_what_is_missing),
    ("a WQE lost whole is asked for", a_wqe_lost_whole_is_asked_for),
    ("a request lost is asked for once", a_request_lost_is_asked_for_once),
    ("a tail that nothing follows is asked for", a_tail_that_nothing_follows),
    ("the last packet is the timer's", the_last_packet_is_the_timers),
    ("the retry limit ends everything once", the_retry_limit_ends_everything_once),
    ("an indication lost is repeated in time", an_indication_lost_is_repeated_in_time),
    ("an acknowledgement lost is repeated", an_acknowledgement_lost_is_repeated),
    ("new packets pause", new_packets_pause),
    ("what an indication may not name", what_an_indication_may_not_name),
    ("more than one indication can hold", more_than_one_indication_can_hold),
];

fn exactly_what_is_missing(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    let data = rig.write(0, 60 * 256, None, false)?;
    let packets = rig.packets();
    let lost = [3, 4, 40, 50, 59];
    let first = rig.deliver_but(&packets, &lost)?;
    same!(first[4], Verdict::Direct { address: data + 6 * 256 });
    // The sender has acknowledged what comes before the first loss.
    rig.cross();
    rig.wait(100);
    same!(rig.indications(), vec![]);
    rig.wait(1);
    let named = lost.iter().fold(0, |mask, at| mask | 1u64 << (at - 3));
    let indication = Indication { qp: QP, wqe: Some(wqe(0)), first: number(3), missing: named };
    let indications = rig.indications();
    same!(indications, vec![indication]);
    same!(rig.sender.indication(&indication), 5);
    same!(rig.sender.indication(&indication), 0);
    let again = rig.packets();
    same!((numbers(&again), again.iter().all(|handed| handed.packet.retransmission)), (vec![3, 4, 40, 50, 59], true));
    // Within `dedup` of the one before it changes nothing, afterwards it does.
    rig.wait(50);
    same!(rig.sender.indication(&indication), 0);
    rig.wait(1);
    same!(rig.sender.indication(&Indication { missing: 3, ..indication }), 2);
    same!(rig.packets().len(), 2);
    rig.deliver_but(&again, &[])?;
    same!(rig.deliver(&again[0])?, Verdict::Duplicate);
    rig.cross();
    same!((rig.done(), rig.completions()), (vec![(0, Outcome::Success)], vec![(0, None)]));
    rig.memory.complete(data, 0, 60 * 256)
}

fn a_wqe_lost_whole_is_asked_for(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    let places: Vec<u64> = (0..3).map(|id| rig.receive(id, 256)).collect();
    (0..3).try_for_each(|id| rig.send(id, 256, false))?;
    let packets = rig.packets();
    rig.deliver_but(&packets, &[1])?;
    rig.wait(101);
    let indications = rig.indications();
    same!(indications, vec![Indication { qp: QP, wqe: None, first: number(1), missing: 1 }]);
    same!(rig.sender.indication(&indications[0]), 1);
    let again = rig.packets();
    same!(numbers(&again), vec![1]);
    rig.deliver(&again[0])?;
    rig.copy()?;
    same!(rig.completions().len(), 3);
    (0..3).try_for_each(|at| rig.memory.complete(places[at], at as u64, 256))
}

fn a_request_lost_is_asked_for_once(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    rig.read(0, 70 * 256)?;
    rig.write(1, 8, None, false)?;
    let packets = rig.packets();
    rig.deliver(&packets[1])?;
    rig.wait(101);
    let indications = rig.indications();
    let masks: Vec<(u32, u64)> = indications.iter().map(|at| (at.first, at.missing)).collect();
    same!(masks, vec![(number(0), u64::MAX), (number(64), 63)]);
    same!(indications.iter().map(|at| rig.sender.indication(at)).sum::<u32>(), 1);
    let again = rig.packets();
    same!(numbers(&again), vec![0]);
    same!(rig.deliver(&again[0])?, Verdict::Request);
    same!(rig.receiver.edge(QP), Some(number(71)));
    Ok(())
}

fn a_tail_that_nothing_follows(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    rig.write(0, 5 * 256, None, false)?;
    let packets = rig.packets();
    rig.deliver_but(&packets[..3], &[])?;
    rig.wait(100);
    same!(rig.indications(), vec![]);
    rig.wait(1);
    same!(rig.indications(), vec![Indication { qp: QP, wqe: Some(wqe(0)), first: number(3), missing: 3 }]);
    Ok(())
}

fn the_last_packet_is_the_timers(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |sender, _, _| (sender.rto, sender.rto_cap) = (1000, 3000))?;
    (0..4).try_for_each(|id| rig.write(id, 8, None, false).map(|_| ()))?;
    let packets = rig.packets();
    same!(packets.len(), 4);
    rig.deliver(&packets[0])?;
    rig.cross();
    // Nothing that arrives tells of what is lost.
    for ticks in [1000, 2000, 3000, 3000] {
        rig.wait(ticks);
        same!((rig.packets(), rig.indications()), (vec![], vec![]));
        rig.wait(1);
        same!(numbers(&rig.packets()), vec![1, 3]);
    }
    rig.deliver(&packets[3])?;
    rig.wait(101);
    same!(rig.indications(), vec![Indication { qp: QP, wqe: None, first: number(1), missing: 3 }]);
    same!(rig.sender.counters().timeouts, 4);
    Ok(())
}

fn the_retry_limit_ends_everything_once(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |sender, _, _| (sender.rto, sender.rto_cap, sender.retry_limit) = (100, 100, 2))?;
    (0..3).try_for_each(|id| rig.write(id, 8, None, false).map(|_| ()))?;
    rig.packets();
    rig.wait(2 * 101);
    same!((rig.packets().len(), rig.done()), (2, vec![]));
    rig.wait(101);
    same!(rig.done(), (0..3).map(|id| (id, Outcome::RetryLimit)).collect::<Vec<_>>());
    rig.wait(1000);
    same!((rig.done(), rig.packets(), rig.sender.counters().errors), (vec![], vec![], 1));
    let work = Work { id: 9, kind: WorkKind::Send, bytes: 0, imm: None, fence: false };
    same!(rig.sender.post(QP, work), Err(Refusal::Error));
    same!(rig.sender.ack(Ack { qp: QP, psn: number(0), credits: 31 }), false);
    Ok(())
}

fn an_indication_lost_is_repeated_in_time(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    (0..3).try_for_each(|id| rig.write(id, 2 * 256, None, false).map(|_| ()))?;
    let packets = rig.packets();
    // The first packet of one WQE, and both of the next.
    rig.deliver_but(&packets, &[0, 2, 3])?;
    rig.wait(101);
    let first = rig.indications();
    same!(first.iter().map(|at| at.wqe).collect::<Vec<_>>(), vec![Some(wqe(0)), None]);
    rig.wait(200);
    same!(rig.indications(), vec![]);
    rig.wait(1);
    same!(rig.indications(), first);
    same!(rig.receiver.counters().indicated, 6);
    same!(rig.receiver.counters().indicated_unknown, 4);
    Ok(())
}

fn an_acknowledgement_lost_is_repeated(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    rig.write(0, 2 * 256, None, false)?;
    rig.write(1, 2 * 256, None, false)?;
    let packets = rig.packets();
    rig.deliver_but(&packets, &[3])?;
    let told = rig.receiver.ack();
    same!(told.map(|(ack, msn)| (ack.psn, msn)), Some((number(2), 1)));
    same!(rig.receiver.ack(), None);
    // Of a WQE that is complete, and of one that is open.
    for at in [0, 2] {
        same!(rig.deliver(&packets[at])?, Verdict::Duplicate);
        same!(rig.receiver.ack(), told);
    }
    Ok(())
}

fn new_packets_pause(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    rig.write(0, 20 * 256, None, false)?;
    let packets: Vec<Handed> = (0..10).filter_map(|_| rig.sender.hand()).collect();
    rig.deliver_but(&packets, &[4, 7])?;
    rig.wait(101);
    rig.cross();
    let next: Vec<Handed> = (0..4).filter_map(|_| rig.sender.hand()).collect();
    same!(numbers(&next), vec![4, 7, 10, 11]);
    same!(next.iter().map(|handed| handed.packet.retransmission).collect::<Vec<_>>(), vec![true, true, false, false]);
    Ok(())
}

fn what_an_indication_may_not_name(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    (0..2).try_for_each(|id| rig.write(id, 2 * 256, None, false).map(|_| ()))?;
    rig.packets();
    let good = Indication { qp: QP, wqe: Some(wqe(0)), first: number(0), missing: 1 };
    // What belongs to the next WQE, what was never sent, what is far away, another queue pair.
    same!(rig.sender.indication(&Indication { missing: 0b1100, ..good }), 0);
    same!(rig.sender.indication(&Indication { wqe: None, missing: u64::MAX << 4, ..good }), 0);
    same!(rig.sender.indication(&Indication { wqe: None, first: number(psn::HALF), missing: u64::MAX, ..good }), 0);
    same!(rig.sender.indication(&Indication { qp: QP + 1, ..good }), 0);
    same!(rig.sender.indication(&Indication { missing: 0, ..good }), 0);
    same!(rig.packets(), vec![]);
    same!(rig.sender.counters().bad_indication, 3);
    // What is acknowledged is not sent again.
    same!(rig.sender.ack(Ack { qp: QP, psn: number(0), credits: 31 }), true);
    same!(rig.sender.indication(&Indication { missing: 3, ..good }), 1);
    same!(numbers(&rig.packets()), vec![1]);
    // Nobody acknowledges what was not sent; an old word says nothing new.
    same!(rig.sender.ack(Ack { qp: QP, psn: number(4), credits: 31 }), false);
    same!(rig.sender.ack(Ack { qp: QP, psn: psn::sub(number(0), 1), credits: 31 }), true);
    same!(rig.sender.counters().bad_ack, 1);
    same!(rig.sender.in_flight(QP), 3);
    Ok(())
}

fn more_than_one_indication_can_hold(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault)?;
    rig.write(0, 300 * 256, None, false)?;
    let packets = rig.packets();
    rig.deliver_but(&packets, &[0, 63, 64, 200, 263, 264])?;
    rig.wait(101);
    let named: Vec<(u32, u64)> = rig.indications().iter().map(|at| (at.first, at.missing)).collect();
    same!(named, vec![(number(0), 1 | 1 << 63), (number(64), 1), (number(200), 1 | 1 << 63), (number(264), 1)]);
    Ok(())
}
