//! Traces of the page pool: who gets pages, who is deferred, what is copied, what comes back.

use super::rig::{QP, Rig, number, numbers, wqe};
use super::*;

pub const ALL: &[(&str, Trace)] = &[
    ("what is in pages goes to its place", what_is_in_pages_goes_to_its_place),
    ("a WQE without pages is deferred", a_wqe_without_pages_is_deferred),
    ("the oldest needs no pages", the_oldest_needs_no_pages),
    ("a SEND without a receive waits", a_send_without_a_receive_waits),
    ("a receive that is too short takes nothing", a_receive_that_is_too_short),
    ("a quota is of a queue pair", a_quota_is_of_a_queue_pair),
    ("idle pages come back", idle_pages_come_back),
    ("a bitmap reaches so far", a_bitmap_reaches_so_far),
    ("a closed queue pair gives all back", a_closed_queue_pair_gives_all_back),
    ("pages wait behind a fence", pages_wait_behind_a_fence),
];

fn what_is_in_pages_goes_to_its_place(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |_, params, _| params.pages = 3)?;
    let data = rig.write(0, 5 * 256 + 9, None, false)?;
    let packets = rig.packets();
    // Two of three pages are used, one for one packet only.
    same!(rig.deliver(&packets[5])?, Verdict::Buffered);
    same!(rig.deliver(&packets[1])?, Verdict::Buffered);
    same!(rig.deliver(&packets[1])?, Verdict::Duplicate);
    same!((rig.receiver.free_pages(), rig.receiver.held_pages(QP)), (0, 3));
    // The place is known halfway: what comes goes direct, and a page without a packet is free at once.
    same!(rig.deliver(&packets[0])?, Verdict::Direct { address: data });
    same!((rig.receiver.free_pages(), rig.memory.written(data)?), (1, 256));
    same!(rig.deliver(&packets[2])?, Verdict::Direct { address: data + 512 });
    same!(rig.deliver(&packets[4])?, Verdict::Direct { address: data + 1024 });
    same!(rig.deliver(&packets[3])?, Verdict::Direct { address: data + 768 });
    // Completion waits for the copy.
    same!((rig.completions(), rig.receiver.edge(QP)), (vec![], Some(number(1))));
    let copy = rig.receiver.copy().ok_or("nothing to copy")?;
    same!((copy.sequence, copy.pieces.len()), (wqe(0), 1));
    same!((copy.pieces[0].0, copy.pieces[0].1.len()), (data + 256, 256));
    rig.memory.write(copy.pieces[0].0, &copy.pieces[0].1)?;
    same!((rig.receiver.free_pages(), rig.receiver.edge(QP)), (2, Some(number(5))));
    same!((rig.copy()?, rig.receiver.free_pages(), rig.receiver.held_pages(QP)), (1, 3, 0));
    same!(rig.completions(), vec![(0, None)]);
    rig.memory.complete(data, 0, 5 * 256 + 9)
}

fn a_wqe_without_pages_is_deferred(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |_, params, _| params.pages = 1)?;
    let places: Vec<u64> = (0..2).map(|id| rig.receive(id, 4 * 256)).collect();
    (0..2).try_for_each(|id| rig.send(id, 4 * 256, false))?;
    let packets = rig.packets();
    same!(rig.deliver_but(&packets, &[0, 1, 2, 3])?, vec![Verdict::Deferred; 4]);
    same!(rig.receiver.expected(QP), Some(number(0)));
    // It is not asked for; the lost one before it is.
    rig.wait(101);
    let indications = rig.indications();
    same!(indications, vec![Indication { qp: QP, wqe: None, first: number(0), missing: 0xf }]);
    rig.sender.indication(&indications[0]);
    let again = rig.packets();
    rig.deliver(&again[0])?;
    // Its place is known now.
    rig.wait(1);
    let indications = rig.indications();
    let rest = Indication { qp: QP, wqe: Some(wqe(0)), first: number(1), missing: 7 };
    same!(indications, vec![rest, Indication { qp: QP, wqe: Some(wqe(1)), first: number(4), missing: 0xf }]);
    same!(rig.deliver(&packets[6])?, Verdict::Direct { address: places[1] + 512 });
    rig.sender.indication(&indications[1]);
    rig.deliver_but(&again, &[0])?;
    let last = rig.packets();
    same!(numbers(&last), vec![4, 5, 6, 7]);
    rig.deliver_but(&last, &[2])?;
    same!(rig.completions().len(), 2);
    (0..2).try_for_each(|at| rig.memory.complete(places[at], at as u64, 4 * 256))
}

fn the_oldest_needs_no_pages(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |_, params, _| params.pages = 0)?;
    let place = rig.receive(0, 4 * 256);
    let data = rig.write(0, 4 * 256, None, false)?;
    rig.send(1, 4 * 256, false)?;
    let packets = rig.packets();
    same!(rig.deliver_but(&packets[1..4], &[])?, vec![Verdict::Dropped(Reason::FirstMissing); 3]);
    // Its last packet was not kept, and says all the same that it takes no receive.
    same!(rig.deliver(&packets[6])?, Verdict::Direct { address: place + 512 });
    // What would be dropped is not asked for.
    rig.wait(101);
    let asked = rig.indications();
    same!(asked[0], Indication { qp: QP, wqe: Some(wqe(0)), first: number(0), missing: 1 });
    same!(asked[1], Indication { qp: QP, wqe: Some(wqe(1)), first: number(4), missing: 0b1011 });
    same!(rig.deliver(&packets[0])?, Verdict::Direct { address: data });
    rig.wait(201);
    same!(rig.indications()[0], Indication { qp: QP, wqe: Some(wqe(0)), first: number(1), missing: 7 });
    rig.deliver_but(&packets[1..], &[5])?;
    same!(rig.completions(), vec![(0, None), (1, Some(0))]);
    rig.memory.complete(data, 0, 4 * 256)?;
    rig.memory.complete(place, 1, 4 * 256)
}

fn a_send_without_a_receive_waits(fault: Option<Fault>) -> Result<(), String> {
    for pages in [0, 1] {
        let mut rig = Rig::with(fault, |_, params, _| params.pages = pages)?;
        rig.send(0, 300, false)?;
        let packets = rig.packets();
        let want = if pages == 0 { Verdict::Dropped(Reason::NoReceive) } else { Verdict::Buffered };
        same!(rig.deliver_but(&packets, &[])?, vec![want; 2]);
        rig.wait(500);
        same!((rig.indications(), rig.receiver.ack()), (vec![], None));
        let place = rig.receive(3, 300);
        same!(rig.copy()?, pages as usize);
        if pages == 0 {
            rig.wait(101);
            same!(rig.indications(), vec![Indication { qp: QP, wqe: Some(wqe(0)), first: number(0), missing: 3 }]);
            rig.deliver_but(&packets, &[])?;
        }
        same!(rig.completions(), vec![(0, Some(3))]);
        rig.memory.complete(place, 0, 300)?;
    }
    Ok(())
}

fn a_receive_that_is_too_short(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |_, params, _| params.pages = 2)?;
    rig.send(0, 300, false)?;
    let packets = rig.packets();
    same!(rig.deliver(&packets[1])?, Verdict::Buffered);
    rig.receive(0, 299);
    same!((rig.copy()?, rig.receiver.free_pages()), (0, 2));
    same!(rig.deliver_but(&packets, &[])?, vec![Verdict::Dropped(Reason::ReceiveTooShort); 2]);
    rig.wait(500);
    same!((rig.indications(), rig.completions(), rig.receiver.ack()), (vec![], vec![], None));
    Ok(())
}

fn a_quota_is_of_a_queue_pair(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |_, params, config| (params.pages, config.quota) = (8, 3))?;
    let open = Open { qp: QP + 1, psn: 0, sequence: 0, mtu: 256 };
    rig.sender.open(open)?;
    rig.receiver.open(open)?;
    for qp in [QP, QP + 1] {
        for id in 0..3 {
            let work = Work { id, kind: WorkKind::Send, bytes: 4 * 256, imm: None, fence: false };
            rig.sender.post(qp, work).map_err(|refusal| refusal.to_string())?;
        }
    }
    let packets = rig.packets();
    let of = |qp: u32| packets.iter().filter(move |handed| handed.packet.qp == qp && handed.offset > 0);
    let mut verdicts = [0; 2];
    for qp in [QP, QP + 1] {
        for handed in of(qp) {
            verdicts[usize::from(rig.deliver(handed)? == Verdict::Buffered)] += 1;
        }
        same!(rig.receiver.held_pages(qp), 2);
    }
    // Two pages for the first of each; the next would have four.
    same!((verdicts, rig.receiver.free_pages()), ([12, 6], 4));
    Ok(())
}

fn idle_pages_come_back(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |_, params, config| (params.pages, config.wqe_idle) = (4, 1000))?;
    let data = rig.write(0, 4 * 256, None, false)?;
    let packets = rig.packets();
    same!(rig.deliver(&packets[2])?, Verdict::Buffered);
    rig.wait(500);
    same!(rig.deliver(&packets[2])?, Verdict::Duplicate);
    rig.wait(1000);
    same!((rig.receiver.free_pages(), rig.receiver.counters().idled), (2, 0));
    rig.wait(1);
    same!((rig.receiver.free_pages(), rig.receiver.counters().idled), (4, 1));
    // What was there is missing again.
    same!(rig.deliver(&packets[2])?, Verdict::Dropped(Reason::FirstMissing));
    rig.deliver(&packets[0])?;
    rig.indications();
    rig.wait(401);
    same!(rig.indications().last().map(|at| at.missing), Some(7));
    same!(rig.deliver_but(&packets, &[0])?[1], Verdict::Direct { address: data + 512 });
    same!(rig.completions(), vec![(0, None)]);
    rig.memory.complete(data, 0, 4 * 256)
}

fn a_bitmap_reaches_so_far(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |_, params, _| params.bitmap = 4)?;
    let data = rig.write(0, 10 * 256, None, false)?;
    let packets = rig.packets();
    // Longer than the bitmap: no pages although there are some.
    same!(rig.deliver(&packets[1])?, Verdict::Dropped(Reason::FirstMissing));
    rig.deliver(&packets[0])?;
    same!(rig.deliver(&packets[5])?, Verdict::Dropped(Reason::BeyondBitmap));
    same!(rig.deliver(&packets[4])?, Verdict::Direct { address: data + 1024 });
    rig.wait(101);
    same!(rig.indications(), vec![Indication { qp: QP, wqe: Some(wqe(0)), first: number(1), missing: 7 }]);
    rig.deliver(&packets[1])?;
    same!(rig.deliver(&packets[5])?, Verdict::Direct { address: data + 1280 });
    rig.deliver_but(&packets, &[])?;
    rig.deliver_but(&packets, &[])?;
    same!(rig.completions(), vec![(0, None)]);
    rig.memory.complete(data, 0, 10 * 256)
}

fn a_closed_queue_pair_gives_all_back(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |_, params, _| params.pages = 4)?;
    rig.write(0, 6 * 256, None, false)?;
    let packets = rig.packets();
    rig.deliver_but(&packets, &[0])?;
    rig.wait(101);
    same!((rig.receiver.free_pages(), rig.receiver.close(QP), rig.receiver.free_pages()), (1, true, 4));
    same!((rig.deliver(&packets[0])?, rig.indications()), (Verdict::Dropped(Reason::UnknownQp), vec![]));
    same!(rig.receiver.close(QP), false);
    Ok(())
}

fn pages_wait_behind_a_fence(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::with(fault, |_, params, _| params.pages = 2)?;
    let data = rig.write(0, 2 * 256, None, false)?;
    let flag = rig.write(1, 3 * 256, None, true)?;
    let late = rig.write(2, 4 * 256, None, true)?;
    let packets = rig.packets();
    same!(rig.deliver_but(&packets[2..5], &[])?, vec![Verdict::Buffered; 3]);
    same!(rig.deliver_but(&packets[5..], &[])?, vec![Verdict::Deferred; 4]);
    rig.deliver(&packets[0])?;
    rig.copy()?;
    same!((rig.memory.written(flag)?, rig.completions()), (0, vec![]));
    rig.deliver(&packets[1])?;
    same!((rig.copy()?, rig.completions()), (2, vec![(0, None), (1, None)]));
    // The deferred one has its place only now.
    rig.wait(102);
    same!(rig.indications(), vec![Indication { qp: QP, wqe: Some(wqe(2)), first: number(5), missing: 0xf }]);
    rig.deliver_but(&packets[5..], &[])?;
    same!(rig.completions(), vec![(2, None)]);
    rig.memory.complete(data, 0, 2 * 256)?;
    rig.memory.complete(flag, 1, 3 * 256)?;
    rig.memory.complete(late, 2, 4 * 256)
}
