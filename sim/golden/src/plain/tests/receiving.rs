//! Our receiver, one packet and one tick at a time.

use super::*;

pub const ALL: &[(&str, Trace)] = &[
    ("a message comes in any order", a_message_comes_in_any_order),
    ("a packet whose first has not come has no place", a_packet_whose_first_has_not_come_has_no_place),
    ("a NAK when reordering cannot explain it", a_nak_when_reordering_cannot_explain_it),
    ("what is sent again is not asked for twice", what_is_sent_again_is_not_asked_for_twice),
    ("messages are told in order", messages_are_told_in_order),
    ("the last entry is for the base", the_last_entry_is_for_the_base),
    ("sixteen immediates wait", sixteen_immediates_wait),
    ("a duplicate is acknowledged again", a_duplicate_is_acknowledged_again),
    ("an acknowledgement within a message", an_acknowledgement_within_a_message),
    ("beyond the window nothing happens", beyond_the_window_nothing_happens),
    ("nothing of an earlier life acts", nothing_of_an_earlier_life_acts),
    ("a plain peer is told nothing of ours", a_plain_peer_is_told_nothing_of_ours),
];

pub fn receiver(fault: Option<Fault>) -> Result<Receiver, String> {
    let params = ReceiverParams { window: 64, fault, ..ReceiverParams::default() };
    let mut receiver = Receiver::new(params, ReceiverConfig::default())?;
    receiver.open(OPEN)?;
    receiver.add_region(REGION);
    receiver.add_region(Region { rkey: 10, write: false, ..REGION });
    Ok(receiver)
}

fn replies(receiver: &mut Receiver) -> Vec<(u32, u8, u32)> {
    std::iter::from_fn(|| receiver.reply()).take(100).map(|frame| told(&frame)).collect()
}

fn arrive(receiver: &mut Receiver, frames: &[Frame], order: &[usize]) -> Vec<Verdict> {
    order.iter().map(|&at| receiver.arrive(&frames[at])).collect()
}

/// Addresses and immediates of the messages that are complete, with how many are.
fn written(receiver: &mut Receiver) -> Vec<(u64, Option<u32>, u32)> {
    std::iter::from_fn(|| receiver.written()).map(|done| (done.address - PLACE, done.imm, psn::ahead(OPEN.msn, done.msn))).collect()
}

fn place(offset: u64) -> Verdict {
    Verdict::Placed { address: PLACE + offset }
}

fn a_message_comes_in_any_order(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault)?;
    let frames = packets(&[write(0, 4 * MTU + 3, Some(8)), write(0x2000, 2, None)]);
    same!(arrive(&mut receiver, &frames, &[0, 4, 2]), vec![place(0), place(1024), place(512)]);
    same!((receiver.base(), replies(&mut receiver), written(&mut receiver)), (Some(number(1)), vec![], vec![]));
    same!(arrive(&mut receiver, &frames, &[5, 1]), vec![place(0x2000), place(256)]);
    same!((receiver.messages_open(), replies(&mut receiver)), (1, vec![]));
    same!(arrive(&mut receiver, &frames, &[3]), vec![place(768)]);
    same!(written(&mut receiver), vec![(0, Some(8), 1), (0x2000, None, 2)]);
    same!((replies(&mut receiver), receiver.messages_open()), (vec![(5, ACK, 2)], 0));
    Ok(())
}

fn a_packet_whose_first_has_not_come_has_no_place(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault)?;
    let frames = packets(&[write(0, 3 * MTU, None)]);
    same!(arrive(&mut receiver, &frames, &[1, 2]), vec![Verdict::Unplaced; 2]);
    same!((receiver.counters().unplaced, receiver.base(), replies(&mut receiver)), (2, Some(number(0)), vec![]));
    // They show the gap all the same, which is lost by its age; it is asked for once, and again after `refeedback`.
    receiver.tick(50);
    same!(replies(&mut receiver), vec![]);
    receiver.tick(51);
    same!(replies(&mut receiver), vec![(0, NAK, 0)]);
    receiver.tick(151);
    same!(replies(&mut receiver), vec![]);
    receiver.tick(152);
    same!(replies(&mut receiver), vec![(0, NAK, 0)]);
    same!(arrive(&mut receiver, &frames, &[0, 1]), vec![place(0), place(256)]);
    // The last one has been dropped as well: nothing comes behind it, and it is asked for.
    same!(replies(&mut receiver), vec![]);
    receiver.tick(252);
    same!(replies(&mut receiver), vec![]);
    receiver.tick(253);
    same!(replies(&mut receiver), vec![(2, NAK, 0)]);
    same!((arrive(&mut receiver, &frames, &[2]), replies(&mut receiver)), (vec![place(512)], vec![(2, ACK, 1)]));
    same!(written(&mut receiver), vec![(0, None, 1)]);
    Ok(())
}

fn a_nak_when_reordering_cannot_explain_it(fault: Option<Fault>) -> Result<(), String> {
    let frames = packets(&[write(0, 12 * MTU, None)]);
    // Overtaken by 8 it waits, by 9 it is lost.
    let mut by_depth = receiver(fault)?;
    arrive(&mut by_depth, &frames, &[0, 2, 3, 4, 5, 6, 7, 8, 9]);
    same!(replies(&mut by_depth), vec![]);
    arrive(&mut by_depth, &frames, &[10]);
    same!(replies(&mut by_depth), vec![(1, NAK, 0)]);
    arrive(&mut by_depth, &frames, &[11]);
    same!(replies(&mut by_depth), vec![]);
    // What was missing comes by itself: everything is acknowledged, nothing asked for.
    same!((arrive(&mut by_depth, &frames, &[1]), replies(&mut by_depth)), (vec![place(256)], vec![(11, ACK, 1)]));
    by_depth.tick(10_000);
    same!(replies(&mut by_depth), vec![]);
    // A gap of few packets is lost by its age.
    let mut by_age = receiver(fault)?;
    by_age.tick(1000);
    arrive(&mut by_age, &frames, &[0, 1, 4]);
    by_age.tick(1050);
    same!(replies(&mut by_age), vec![]);
    by_age.tick(1051);
    same!(replies(&mut by_age), vec![(2, NAK, 0)]);
    Ok(())
}

fn what_is_sent_again_is_not_asked_for_twice(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault)?;
    let frames = packets(&[write(0, 30 * MTU, None)]);
    let but: Vec<usize> = (0..20).filter(|at| ![1, 5, 6].contains(at)).collect();
    arrive(&mut receiver, &frames, &but);
    same!(replies(&mut receiver), vec![(1, NAK, 0)]);
    // The peer goes back to 1 and is on its way to 5.
    receiver.tick(20);
    same!((arrive(&mut receiver, &frames, &[1]), receiver.base()), (vec![place(256)], Some(number(5))));
    same!(replies(&mut receiver), vec![]);
    arrive(&mut receiver, &frames, &[2, 3, 4]);
    replies(&mut receiver);
    // 5 is lost once more: when nine beyond it have come again, it is asked for.
    arrive(&mut receiver, &frames, &[6, 7, 8, 9, 10, 11, 12, 13]);
    same!(replies(&mut receiver), vec![]);
    arrive(&mut receiver, &frames, &[14]);
    same!(replies(&mut receiver), vec![(5, NAK, 0)]);
    same!((arrive(&mut receiver, &frames, &[5]), receiver.base()), (vec![place(1280)], Some(number(20))));
    Ok(())
}

fn messages_are_told_in_order(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault)?;
    let frames = packets(&[write(0, 2 * MTU, None), write(0x1000, 0, Some(1)), write(0x2000, 9, Some(2)), write(0x3000, 9, None)]);
    arrive(&mut receiver, &frames, &[0, 3, 2]);
    same!((written(&mut receiver), replies(&mut receiver)), (vec![], vec![]));
    arrive(&mut receiver, &frames, &[1]);
    same!(written(&mut receiver), vec![(0, None, 1), (0x1000, Some(1), 2), (0x2000, Some(2), 3)]);
    same!(replies(&mut receiver), vec![(3, ACK, 3)]);
    arrive(&mut receiver, &frames, &[4]);
    same!((written(&mut receiver), replies(&mut receiver)), (vec![(0x3000, None, 4)], vec![(4, ACK, 4)]));
    Ok(())
}

fn the_last_entry_is_for_the_base(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault)?;
    let messages: Vec<Message> = (0..6).map(|at| write(at << 12, 2 * MTU, None)).collect();
    let frames = packets(&messages);
    same!(arrive(&mut receiver, &frames, &[2, 4, 6]), vec![place(0x1000), place(0x2000), place(0x3000)]);
    same!(arrive(&mut receiver, &frames, &[8, 9]), vec![Verdict::TableFull, Verdict::Unplaced]);
    same!((arrive(&mut receiver, &frames, &[0]), receiver.messages_open()), (vec![place(0)], 4));
    same!(arrive(&mut receiver, &frames, &[8, 1]), vec![Verdict::TableFull, place(256)]);
    // The message at the base has its entry, so the last one is free for another.
    same!(arrive(&mut receiver, &frames, &[8, 3]), vec![place(0x4000), place(0x1100)]);
    arrive(&mut receiver, &frames, &[5, 7, 9, 10, 11]);
    same!((written(&mut receiver).len(), receiver.messages_open(), receiver.base()), (6, 0, Some(number(12))));
    Ok(())
}

fn sixteen_immediates_wait(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault)?;
    let messages: Vec<Message> = (0..19).map(|at| write(at << 8, 1, Some(at as u32))).collect();
    let frames = packets(&messages);
    let order: Vec<usize> = (1..18).collect();
    let verdicts = arrive(&mut receiver, &frames, &order);
    same!((verdicts[15], verdicts[16]), (place(0x1000), Verdict::ImmediatesFull));
    same!(replies(&mut receiver), vec![(0, NAK, 0)]);
    same!(arrive(&mut receiver, &frames, &[0, 17, 18]), vec![place(0), place(0x1100), place(0x1200)]);
    same!(written(&mut receiver), (0..19).map(|at| (u64::from(at) << 8, Some(at), at + 1)).collect::<Vec<_>>());
    Ok(())
}

fn a_duplicate_is_acknowledged_again(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault)?;
    let frames = packets(&[write(0, 2 * MTU, None), write(0x2000, 3 * MTU, None)]);
    arrive(&mut receiver, &frames, &[0, 1]);
    same!(replies(&mut receiver), vec![(1, ACK, 1)]);
    same!(arrive(&mut receiver, &frames, &[0, 1, 1]), vec![Verdict::Duplicate; 3]);
    // Three that wait for the wire are one.
    same!(replies(&mut receiver), vec![(1, ACK, 1)]);
    // A duplicate above the base says nothing new.
    same!(arrive(&mut receiver, &frames, &[2, 4, 4]), vec![place(0x2000), place(0x2200), Verdict::Duplicate]);
    same!((replies(&mut receiver), receiver.counters().duplicates), (vec![], 4));
    Ok(())
}

fn an_acknowledgement_within_a_message(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault)?;
    let mut frames = packets(&[write(0, 6 * MTU, None)]);
    frames[2].bth.ack_request = true;
    frames[5].bth.ack_request = false;
    arrive(&mut receiver, &frames, &[0, 2]);
    same!(replies(&mut receiver), vec![]);
    arrive(&mut receiver, &frames, &[1]);
    same!(replies(&mut receiver), vec![(2, ACK, 0)]);
    arrive(&mut receiver, &frames, &[3, 4]);
    same!(replies(&mut receiver), vec![]);
    // The end of a message is acknowledged, whether it asks or not.
    arrive(&mut receiver, &frames, &[5]);
    same!(replies(&mut receiver), vec![(5, ACK, 1)]);
    Ok(())
}

fn beyond_the_window_nothing_happens(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault)?;
    for after in [64, 1000, psn::HALF - 1, psn::HALF] {
        same!(receiver.arrive(&request(0x0a, after, 4)), Verdict::OutOfWindow);
    }
    receiver.tick(10_000);
    same!((replies(&mut receiver), receiver.counters().out_of_window), (vec![], 4));
    same!(receiver.arrive(&request(0x0a, 63, 4)), place(0));
    // Answers are for a sender, and packets of another queue pair are nobody's.
    let response = Frame { aeth: Some(crate::wire::Aeth { syndrome: ACK, msn: 0 }), ..request(0x11, 0, 0) };
    same!(receiver.arrive(&response), Verdict::NotOurs);
    let mut other = request(0x0a, 0, 4);
    other.bth.destination_qp += 1;
    same!(receiver.arrive(&other), Verdict::NotOurs);
    Ok(())
}

fn nothing_of_an_earlier_life_acts(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault)?;
    let frames = packets(&[write(0, 1, None), write(0x1000, 4 * MTU, Some(1)), write(0x2000, 2, None)]);
    arrive(&mut receiver, &frames, &[0, 1, 3, 5]);
    receiver.open(OPEN)?;
    same!((replies(&mut receiver), receiver.base(), receiver.messages_open()), (vec![], Some(OPEN.psn), 0));
    // A packet of before whose number is within the window finds no message.
    same!(arrive(&mut receiver, &frames, &[2]), vec![Verdict::Unplaced]);
    same!(arrive(&mut receiver, &frames, &[5, 0]), vec![place(0x2000), place(0)]);
    same!(replies(&mut receiver), vec![(0, ACK, 1)]);
    written(&mut receiver);
    // With other numbers the packets of before are older than everything, and what they get acknowledges nothing.
    receiver.open(Open { psn: number(40), ..OPEN })?;
    same!(arrive(&mut receiver, &frames, &[0, 1, 5]), vec![Verdict::Duplicate; 3]);
    same!((replies(&mut receiver), receiver.base(), written(&mut receiver)), (vec![(39, ACK, 0)], Some(number(40)), vec![]));
    receiver.tick(10_000);
    same!(replies(&mut receiver), vec![]);
    // An error is no more, either.
    same!(receiver.arrive(&request(0x04, 40, 1)), Verdict::Refused(NakCode::InvalidRequest));
    receiver.open(OPEN)?;
    same!((replies(&mut receiver), arrive(&mut receiver, &frames, &[0])), (vec![], vec![place(0)]));
    same!((receiver.close(), receiver.close(), arrive(&mut receiver, &frames, &[1])), (true, false, vec![Verdict::Closed]));
    Ok(())
}

fn a_plain_peer_is_told_nothing_of_ours(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault)?;
    let frames = packets(&[write(0, 3 * MTU, None), write(0x1000, 1, None)]);
    let mut told = Vec::new();
    for (step, at) in (1..).zip([0, 2, 2, 3, 1]) {
        receiver.arrive(&frames[at]);
        receiver.tick(45 * step);
        told.extend(receiver.reply());
    }
    receiver.arrive(&request(0x04, 4, 1));
    told.extend(receiver.reply());
    same!(told.iter().filter_map(|frame| frame.aeth).map(|aeth| aeth.syndrome).collect::<Vec<u8>>(), vec![NAK, ACK, 0x61]);
    for frame in told {
        let Frame { bth, .. } = frame;
        same!((bth.opcode, bth.reserved6, bth.reserved7, bth.destination_qp), (Opcode::ACKNOWLEDGE, 0, 0, OPEN.peer));
        // Ethernet, IP, UDP, BTH, AETH, ICRC.
        same!((frame.to_bytes().len(), frame.control, frame.ceth), (14 + 20 + 8 + 12 + 4 + 4, None, None));
    }
    Ok(())
}
