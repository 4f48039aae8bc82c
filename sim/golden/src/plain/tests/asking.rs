//! Both ends that ask, the peer's requester and our sender, with answers by hand.

use super::super::answer::acknowledgement;
use super::*;

pub const ALL: &[(&str, Trace)] = &[
    ("a NAK sends back to what it names", a_nak_sends_back_to_what_it_names),
    ("an acknowledgement speaks for all before", an_acknowledgement_speaks_for_all_before),
    ("an RNR NAK is waited out", an_rnr_nak_is_waited_out),
    ("RNR NAKs have a count of their own", rnr_naks_have_a_count_of_their_own),
    ("a time-out goes back to the base", a_time_out_goes_back_to_the_base),
    ("progress gives tries back", progress_gives_tries_back),
    ("a refusal ends everything", a_refusal_ends_everything),
    ("an answer without meaning changes nothing", an_answer_without_meaning_changes_nothing),
    ("a command is segments", a_command_is_segments),
    ("nothing of ours reaches a plain peer", nothing_of_ours_reaches_a_plain_peer),
    ("a window without an end of message is acknowledged", a_window_without_an_end_is_acknowledged),
    ("a sender is reopened", a_sender_is_reopened),
];

/// The peer's requester, or our sender.
enum End {
    Peer(Box<Requester>),
    Ours(Box<Sender>),
}

impl End {
    /// Both, each with three RDMA WRITEs of three, one and two packets.
    fn both(fault: Option<Fault>, retry_count: u32, rnr_retry: u32) -> Result<Vec<End>, String> {
        let requester = RequesterConfig { retry_count, rnr_retry, timeout: 100, fault, ..RequesterConfig::default() };
        let sender = SenderConfig { retry_count, rnr_retry, rto: 100, rto_cap: 400, fault, ..SenderConfig::default() };
        let mut ends = vec![End::Peer(Box::new(Requester::new(requester, OPEN)?)), End::Ours(Box::new(Sender::new(sender, OPEN)?))];
        for end in &mut ends {
            for (id, bytes) in [(0, 3 * MTU), (1, 0), (2, MTU + 3)] {
                end.post(id, bytes, None)?;
            }
        }
        Ok(ends)
    }

    fn post(&mut self, id: u64, bytes: u32, imm: Option<u32>) -> Result<(), String> {
        let posted = match self {
            End::Peer(end) => end.post(Work { id, message: write(id << 12, bytes, imm) }),
            End::Ours(end) => end.post(Command { id, address: PLACE + (id << 12), rkey: REGION.rkey, bytes: bytes.into(), imm }),
        };
        posted.map_err(|refusal| refusal.to_string())
    }

    /// Everything that it sends now, as packets after the first.
    fn sent(&mut self) -> Vec<u32> {
        self.frames().iter().map(|frame| psn::ahead(OPEN.psn, frame.bth.psn)).collect()
    }

    fn frames(&mut self) -> Vec<Frame> {
        let handed: Vec<Handed> = match self {
            End::Peer(end) => std::iter::from_fn(|| end.take()).take(1000).collect(),
            End::Ours(end) => std::iter::from_fn(|| end.take()).take(1000).collect(),
        };
        handed.into_iter().map(whole).collect()
    }

    /// An answer with a syndrome about a packet so many after the first.
    fn answer(&mut self, after: u32, syndrome: u8) {
        self.receive(&acknowledgement(OPEN.qp, number(after), Syndrome::read(syndrome), 0));
    }

    fn receive(&mut self, frame: &Frame) {
        match self {
            End::Peer(end) => end.receive(frame),
            End::Ours(end) => end.receive(frame),
        }
    }

    fn tick(&mut self, now: u64) {
        match self {
            End::Peer(end) => end.tick(now),
            End::Ours(end) => end.tick(now),
        }
    }

    fn done(&mut self) -> Vec<(u64, Outcome)> {
        let done: Vec<Done> = match self {
            End::Peer(end) => std::iter::from_fn(|| end.done()).collect(),
            End::Ours(end) => std::iter::from_fn(|| end.done()).collect(),
        };
        done.into_iter().map(|done| (done.id, done.outcome)).collect()
    }

    fn counters(&self) -> Counters {
        match self {
            End::Peer(end) => *end.counters(),
            End::Ours(end) => *end.counters(),
        }
    }
}

fn a_nak_sends_back_to_what_it_names(fault: Option<Fault>) -> Result<(), String> {
    for mut end in End::both(fault, 7, 7)? {
        let first = end.frames();
        same!(first.iter().map(|frame| psn::ahead(OPEN.psn, frame.bth.psn)).collect::<Vec<u32>>(), vec![0, 1, 2, 3, 4, 5]);
        same!(first[2].payload, pattern(0, 2 * MTU, MTU as usize));
        end.answer(3, NAK);
        // A second copy of it comes while all is pending.
        end.answer(3, NAK);
        if let End::Ours(_) = end {
            same!(end.counters().go_backs, 1);
        }
        same!(end.done(), vec![(0, Outcome::Success)]);
        let again = end.frames();
        same!(again.iter().map(|frame| psn::ahead(OPEN.psn, frame.bth.psn)).collect::<Vec<u32>>(), vec![3, 4, 5]);
        same!(again[2].payload, pattern(2, MTU, 3));
        end.answer(5, ACK);
        same!(end.done(), vec![(1, Outcome::Success), (2, Outcome::Success)]);
        same!((end.sent(), end.counters().sent, end.counters().sent_again), (vec![], 6, 3));
    }
    Ok(())
}

fn an_acknowledgement_speaks_for_all_before(fault: Option<Fault>) -> Result<(), String> {
    for mut end in End::both(fault, 7, 7)? {
        same!(end.sent().len(), 6);
        end.answer(3, ACK);
        same!(end.done(), vec![(0, Outcome::Success), (1, Outcome::Success)]);
        // One that is older changes nothing.
        end.answer(1, ACK);
        end.answer(2, NAK);
        same!((end.sent(), end.counters().bad_answer), (vec![], 0));
        // The packets of a NAK that are acknowledged in the meantime are not sent again.
        end.answer(4, NAK);
        end.answer(4, ACK);
        same!(end.sent(), vec![5]);
    }
    Ok(())
}

fn an_rnr_nak_is_waited_out(fault: Option<Fault>) -> Result<(), String> {
    for mut end in End::both(fault, 7, 7)? {
        same!(end.sent().len(), 6);
        // Code 3 is 30 microseconds, 30 ticks here.
        end.answer(1, 0x23);
        end.answer(1, NAK);
        same!(end.sent(), vec![]);
        end.tick(30);
        same!(end.sent(), vec![]);
        end.tick(31);
        same!((end.sent(), end.counters().naks), (vec![1, 2, 3, 4, 5], 0));
        // The timer waits for the rest, too.
        end.answer(1, 0x2c);
        end.tick(600);
        same!((end.sent(), end.counters().timeouts), (vec![], 0));
        end.tick(672);
        same!(end.sent(), vec![1, 2, 3, 4, 5]);
        end.tick(771);
        same!(end.counters().timeouts, 0);
    }
    Ok(())
}

fn rnr_naks_have_a_count_of_their_own(fault: Option<Fault>) -> Result<(), String> {
    for mut end in End::both(fault, 1, 7)? {
        let mut now = 0;
        for _ in 0..20 {
            same!(end.sent().len(), 6);
            end.answer(0, 0x21);
            now += 11;
            end.tick(now);
        }
        same!((end.done(), end.sent().len()), (vec![], 6));
    }
    for mut end in End::both(fault, 7, 2)? {
        let mut now = 0;
        for _ in 0..3 {
            same!((end.done(), end.sent().len()), (vec![], 6));
            end.answer(0, 0x21);
            now += 11;
            end.tick(now);
        }
        same!(end.done(), vec![(0, Outcome::RnrRetryLimit), (1, Outcome::Flushed), (2, Outcome::Flushed)]);
    }
    Ok(())
}

fn a_time_out_goes_back_to_the_base(fault: Option<Fault>) -> Result<(), String> {
    for mut end in End::both(fault, 2, 7)? {
        let doubles = matches!(end, End::Ours(_));
        same!(end.sent().len(), 6);
        end.answer(1, ACK);
        end.tick(100);
        same!(end.sent(), vec![]);
        end.tick(101);
        same!(end.sent(), vec![2, 3, 4, 5]);
        let second = if doubles { 101 + 200 } else { 101 + 100 };
        end.tick(second);
        same!(end.sent(), vec![]);
        end.tick(second + 1);
        same!((end.sent(), end.counters().timeouts), (vec![2, 3, 4, 5], 2));
        end.tick(second + 1 + if doubles { 400 } else { 100 });
        same!(end.done(), vec![]);
        end.tick(second + 1000);
        same!(end.done(), vec![(0, Outcome::RetryLimit), (1, Outcome::Flushed), (2, Outcome::Flushed)]);
        same!((end.sent(), end.post(9, 1, None).is_err()), (vec![], true));
    }
    Ok(())
}

fn progress_gives_tries_back(fault: Option<Fault>) -> Result<(), String> {
    for mut end in End::both(fault, 1, 1)? {
        same!(end.sent().len(), 6);
        for after in 0..6 {
            end.answer(after, NAK);
            same!(end.sent(), (after..6).collect::<Vec<u32>>());
            end.answer(after, ACK);
        }
        same!(end.done().len(), 3);
    }
    // Two without progress are one too many.
    for mut end in End::both(fault, 1, 1)? {
        same!(end.sent().len(), 6);
        end.answer(0, NAK);
        same!(end.sent().len(), 6);
        end.answer(0, NAK);
        same!(end.done(), vec![(0, Outcome::RetryLimit), (1, Outcome::Flushed), (2, Outcome::Flushed)]);
    }
    Ok(())
}

fn a_refusal_ends_everything(fault: Option<Fault>) -> Result<(), String> {
    for code in [NakCode::InvalidRequest, NakCode::RemoteAccess, NakCode::RemoteOperational] {
        for mut end in End::both(fault, 7, 7)? {
            same!(end.sent().len(), 6);
            end.answer(3, Syndrome::Nak(code).byte());
            same!(end.done(), vec![(0, Outcome::Success), (1, Outcome::Refused(code)), (2, Outcome::Flushed)]);
            // Nothing follows an error.
            end.answer(5, ACK);
            end.tick(10_000);
            same!((end.done(), end.sent(), end.post(9, 1, None).is_err()), (vec![], vec![], true));
        }
    }
    Ok(())
}

fn an_answer_without_meaning_changes_nothing(fault: Option<Fault>) -> Result<(), String> {
    for mut end in End::both(fault, 7, 7)? {
        same!(end.sent().len(), 6);
        let reserved: Vec<u8> = (0..=255).filter(|&byte| matches!(Syndrome::read(byte), Syndrome::Reserved(_))).collect();
        reserved.iter().for_each(|&byte| end.answer(5, byte));
        same!(end.counters().bad_syndrome, reserved.len() as u64);
        // What was never sent is not acknowledged, asked for or refused.
        for (after, syndrome) in [(6, ACK), (6, NAK), (6, 0x21), (6, 0x62), (500, ACK), (500, NAK)] {
            end.answer(after, syndrome);
        }
        same!(end.counters().bad_answer, 6);
        let response = Frame { aeth: Some(crate::wire::Aeth { syndrome: ACK, msn: 0 }), ..request(0x10, 5, 0) };
        end.receive(&response);
        end.receive(&request(0x81, 5, 0));
        same!((end.counters().unexpected, end.done(), end.sent(), end.counters().go_backs), (2, vec![], vec![], 0));
        end.answer(5, ACK);
        same!(end.done().len(), 3);
    }
    Ok(())
}

fn a_command_is_segments(fault: Option<Fault>) -> Result<(), String> {
    let config = SenderConfig { segment: 2 * MTU, ack_every: 2, fault, ..SenderConfig::default() };
    let mut sender = Sender::new(config, OPEN)?;
    let command = Command { id: 7, address: PLACE, rkey: 9, bytes: u64::from(4 * MTU + 5), imm: Some(3) };
    sender.post(command).map_err(|refusal| refusal.to_string())?;
    sender.post(Command { id: 8, bytes: 0, ..command }).map_err(|refusal| refusal.to_string())?;
    let handed: Vec<Handed> = std::iter::from_fn(|| sender.take()).collect();
    same!(handed.iter().map(|packet| packet.frame.bth.opcode.0).collect::<Vec<u8>>(), vec![6, 8, 6, 8, 0x0b, 0x0b]);
    same!(handed.iter().map(|packet| packet.frame.bth.ack_request).collect::<Vec<bool>>(), vec![false, true, false, true, true, true]);
    same!(handed.iter().map(|packet| packet.offset).collect::<Vec<u64>>(), vec![0, 256, 512, 768, 1024, 0]);
    let reths: Vec<(u64, u32)> =
        handed.iter().filter_map(|packet| packet.frame.reth).map(|reth| (reth.address - PLACE, reth.length)).collect();
    same!(reths, vec![(0, 512), (512, 512), (1024, 5), (0, 0)]);
    same!(handed.iter().filter_map(|packet| packet.frame.imm).collect::<Vec<u32>>(), vec![3, 3]);
    sender.receive(&acknowledgement(OPEN.qp, number(3), Syndrome::read(ACK), 0));
    same!(sender.done(), None);
    sender.receive(&acknowledgement(OPEN.qp, number(4), Syndrome::read(ACK), 0));
    same!(sender.done(), Some(Done { id: 7, outcome: Outcome::Success }));
    Ok(())
}

fn nothing_of_ours_reaches_a_plain_peer(fault: Option<Fault>) -> Result<(), String> {
    for mut end in End::both(fault, 7, 7)? {
        let mut frames = end.frames();
        end.answer(0, NAK);
        frames.extend(end.frames());
        for frame in frames {
            same!((frame.bth.reserved6, frame.bth.reserved7, frame.bth.opcode.0 < 0x0c), (0, 0, true));
            let parsed = crate::wire::parse(&frame.to_bytes(), false, &crate::wire::Reader::default());
            same!(parsed.map_err(|reason| reason.to_string()), Ok(frame));
        }
    }
    Ok(())
}

fn a_window_without_an_end_is_acknowledged(fault: Option<Fault>) -> Result<(), String> {
    let config = SenderConfig { window: 8, ack_every: 4, fault, ..SenderConfig::default() };
    let mut sender = Sender::new(config, OPEN)?;
    let command = Command { id: 0, address: PLACE, rkey: 9, bytes: u64::from(100 * MTU), imm: None };
    sender.post(command).map_err(|refusal| refusal.to_string())?;
    let handed: Vec<Handed> = std::iter::from_fn(|| sender.take()).collect();
    same!((handed.len(), handed.iter().filter(|packet| packet.frame.bth.ack_request).count()), (8, 2));
    // The credits of a plain peer count receives: here one, and the window is 8 all the same.
    sender.receive(&acknowledgement(OPEN.qp, number(7), Syndrome::read(0), 0));
    same!(std::iter::from_fn(|| sender.take()).count(), 8);
    Ok(())
}

fn a_sender_is_reopened(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = Sender::new(SenderConfig { fault, ..SenderConfig::default() }, OPEN)?;
    let command = Command { id: 0, address: PLACE, rkey: 9, bytes: 1, imm: None };
    sender.post(command).map_err(|refusal| refusal.to_string())?;
    same!(sender.take().is_some(), true);
    sender.receive(&acknowledgement(OPEN.qp, number(0), Syndrome::read(0x20), 0));
    sender.reopen(Open { psn: 1000, ..OPEN })?;
    sender.post(Command { id: 1, ..command }).map_err(|refusal| refusal.to_string())?;
    let first = sender.take().ok_or("it rests since its earlier life")?;
    same!((first.frame.bth.psn, first.id), (1000, 1));
    // Answers to the earlier life are about nothing that is under way.
    for syndrome in [ACK, NAK, 0x62] {
        sender.receive(&acknowledgement(OPEN.qp, number(0), Syndrome::read(syndrome), 0));
    }
    same!((sender.done(), sender.take().is_some(), sender.in_error()), (None, false, false));
    Ok(())
}
