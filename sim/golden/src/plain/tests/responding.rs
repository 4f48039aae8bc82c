//! The peer's responder, one packet at a time.

use super::*;

pub const ALL: &[(&str, Trace)] = &[
    ("one NAK for a gap", one_nak_for_a_gap),
    ("a duplicate is acknowledged and not written", a_duplicate_is_acknowledged_and_not_written),
    ("acknowledgements are those asked for", acknowledgements_are_those_asked_for),
    ("a message of no bytes", a_message_of_no_bytes),
    ("no receive, not ready", no_receive_not_ready),
    ("a SEND goes where its receive says", a_send_goes_where_its_receive_says),
];

pub fn responder(fault: Option<Fault>, coalesce: u32, nak_after_rnr: bool) -> Result<Responder, String> {
    let config = ResponderConfig { coalesce, nak_after_rnr, fault, ..ResponderConfig::default() };
    let mut responder = Responder::new(config, OPEN)?;
    responder.add_region(REGION);
    responder.add_region(Region { rkey: 10, write: false, ..REGION });
    Ok(responder)
}

fn replies(responder: &mut Responder) -> Vec<(u32, u8, u32)> {
    std::iter::from_fn(|| responder.reply()).map(|frame| told(&frame)).collect()
}

fn arrive(responder: &mut Responder, frames: &[Frame], order: &[usize]) -> Vec<Verdict> {
    order.iter().map(|&at| responder.arrive(&frames[at])).collect()
}

fn place(offset: u64) -> Verdict {
    Verdict::Placed { address: PLACE + offset }
}

fn one_nak_for_a_gap(fault: Option<Fault>) -> Result<(), String> {
    let mut responder = responder(fault, 1, false)?;
    let frames = packets(&[write(0, 4 * MTU, None), write(0x2000, 5, Some(6))]);
    let late = Verdict::OutOfOrder;
    same!(arrive(&mut responder, &frames, &[0, 2, 3, 4]), vec![place(0), late, late, late]);
    same!(replies(&mut responder), vec![(1, NAK, 0)]);
    same!(arrive(&mut responder, &frames, &[1, 3, 4]), vec![place(256), late, late]);
    same!(replies(&mut responder), vec![(2, NAK, 0)]);
    same!(arrive(&mut responder, &frames, &[2, 3, 4]), vec![place(512), place(768), place(0x2000)]);
    same!(replies(&mut responder), vec![(3, ACK, 1), (4, ACK, 2)]);
    let complete = |msn: u32, bytes, imm| Completion { msn: psn::add(OPEN.msn, msn), is_send: false, bytes, imm, receive: imm.map(|_| 0) };
    let completions: Vec<Completion> = std::iter::from_fn(|| responder.completion()).collect();
    same!(completions, vec![complete(1, 1024, None), complete(2, 5, Some(6))]);
    Ok(())
}

fn a_duplicate_is_acknowledged_and_not_written(fault: Option<Fault>) -> Result<(), String> {
    let mut responder = responder(fault, 1, false)?;
    let frames = packets(&[write(0, 3 * MTU, None), write(0x2000, 5, None)]);
    arrive(&mut responder, &frames, &[0, 1, 2]);
    replies(&mut responder);
    same!(arrive(&mut responder, &frames, &[0, 1, 2]), vec![Verdict::Duplicate; 3]);
    same!(replies(&mut responder), vec![(2, ACK, 1); 3]);
    same!((responder.completion().is_some(), responder.completion()), (true, None));
    // A number of another life, and one just before half of them all.
    for far in [1, 1000, psn::HALF - 4] {
        let old = Frame { bth: crate::wire::Bth { psn: psn::sub(OPEN.psn, far), ..frames[3].bth }, ..frames[3].clone() };
        same!(responder.arrive(&old), Verdict::Duplicate);
        same!(replies(&mut responder), vec![(2, ACK, 1)]);
    }
    same!(arrive(&mut responder, &frames, &[3]), vec![place(0x2000)]);
    Ok(())
}

fn acknowledgements_are_those_asked_for(fault: Option<Fault>) -> Result<(), String> {
    for (coalesce, want) in [(1, vec![1, 3, 5, 6]), (2, vec![3, 6]), (5, vec![6])] {
        let mut responder = responder(fault, coalesce, false)?;
        let mut frames = packets(&[write(0, 7 * MTU, None)]);
        [1, 3, 5].iter().for_each(|&at: &usize| frames[at].bth.ack_request = true);
        arrive(&mut responder, &frames, &[0, 1, 2, 3, 4, 5, 6]);
        same!(replies(&mut responder).iter().map(|&(after, ..)| after).collect::<Vec<u32>>(), want);
    }
    Ok(())
}

fn a_message_of_no_bytes(fault: Option<Fault>) -> Result<(), String> {
    let mut responder = responder(fault, 1, false)?;
    let nowhere = Message { kind: Kind::Write { address: 1 << 40, rkey: 99 }, bytes: 0, imm: None };
    let frames = packets(&[nowhere, write(0, 1, None)]);
    same!(responder.arrive(&frames[0]), Verdict::Placed { address: 1 << 40 });
    same!((replies(&mut responder), responder.completion().map(|done| done.bytes)), (vec![(0, ACK, 1)], Some(0)));
    same!(responder.arrive(&frames[1]), place(0));
    Ok(())
}

fn no_receive_not_ready(fault: Option<Fault>) -> Result<(), String> {
    for behind in [false, true] {
        let mut responder = responder(fault, 1, behind)?;
        responder.without_receives();
        let frames = packets(&[write(0, 2 * MTU, Some(1)), write(0x2000, 5, None)]);
        let verdicts = arrive(&mut responder, &frames, &[0, 1, 2]);
        same!(verdicts, vec![place(0), Verdict::NotReady, Verdict::OutOfOrder]);
        let after: &[(u32, u8, u32)] = if behind { &[(1, 0x21, 0), (1, NAK, 0)] } else { &[(1, 0x21, 0)] };
        same!(replies(&mut responder), after.to_vec());
        responder.post_receive(Receive { id: 5, address: 0, bytes: 0 });
        same!(arrive(&mut responder, &frames, &[1, 2]), vec![place(256), place(0x2000)]);
        same!(replies(&mut responder), vec![(1, ACK, 1), (2, ACK, 2)]);
        same!(responder.completion().map(|done| (done.receive, done.imm, done.bytes)), Some((Some(5), Some(1), 512)));
    }
    Ok(())
}

fn a_send_goes_where_its_receive_says(fault: Option<Fault>) -> Result<(), String> {
    let mut responder = responder(fault, 1, false)?;
    let send = |bytes| Message { kind: Kind::Send, bytes, imm: None };
    let frames = packets(&[send(2 * MTU + 7), send(0), send(300)]);
    for (id, address, bytes) in [(0, 0x5000, 519), (1, 0x7000, 0), (2, 0x8000, 299)] {
        responder.post_receive(Receive { id, address, bytes });
    }
    let at = |address| Verdict::Placed { address };
    same!(arrive(&mut responder, &frames, &[0, 1, 2, 3]), vec![at(0x5000), at(0x5100), at(0x5200), at(0x7000)]);
    let done: Vec<(Option<u64>, u32)> = std::iter::from_fn(|| responder.completion()).map(|done| (done.receive, done.bytes)).collect();
    same!(done, vec![(Some(0), 519), (Some(1), 0)]);
    replies(&mut responder);
    // Longer than its receive by one byte.
    same!(arrive(&mut responder, &frames, &[4, 5]), vec![at(0x8000), Verdict::Refused(NakCode::InvalidRequest)]);
    same!(replies(&mut responder), vec![(5, 0x61, 2)]);
    Ok(())
}
