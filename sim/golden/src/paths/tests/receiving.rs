//! Traces of the receiver, its counters, and the frames.

use super::sending::ffm;
use super::*;
use crate::bitmap::{Ack, Cause, Demand, Ffm, GapState, Message, Params, PathMode, RangeAck};
use crate::wire::{Reader, parse};

pub const ALL: &[(&str, Trace)] = &[
    ("tags_are_paths", tags_are_paths),
    ("a_repeat_moves_no_record", a_repeat_moves_no_record),
    ("depth_is_not_tested_across_paths", depth_is_not_tested_across_paths),
    ("every_active_path_must_have_gone_on", every_active_path_must_have_gone_on),
    ("a_path_that_is_yet_to_deliver", a_path_that_is_yet_to_deliver),
    ("striped_packets_that_stray", striped_packets_that_stray),
    ("the_path_in_the_message", the_path_in_the_message),
    ("misjudgements", misjudgements),
    ("without_tags_there_is_one_bitmap", without_tags_there_is_one_bitmap),
    ("windows_that_congestion_shortens", windows_that_congestion_shortens),
    ("counters", counters),
    ("frames_of_packets", frames_of_packets),
    ("frames_of_messages", frames_of_messages),
];

fn opened(mode: PathMode, fault: Option<Fault>) -> Result<Receiver, String> {
    let params = Params { paths: 4, records: 16, ..Params::new(2, 256) };
    let mut config = ReceiverConfig { fault, ..ReceiverConfig::new(&params) };
    (config.bitmap.wait, config.bitmap.stall) = (200, 250);
    let mut receiver = Receiver::new(params, config).map_err(|refused| refused.to_string())?;
    receiver.open(5, 0, mode).map_err(|refused| refused.to_string())?;
    Ok(receiver)
}

fn arrive(receiver: &mut Receiver, psn: u32, tag: Option<u8>, retransmission: bool) {
    receiver.arrive(&Arrival { qp: 5, psn, tag, retransmission, marked: false });
}

/// First tries over one path.
fn over(receiver: &mut Receiver, path: u8, numbers: impl IntoIterator<Item = u32>) {
    numbers.into_iter().for_each(|number| arrive(receiver, number, Some(path), false));
}

fn told(receiver: &mut Receiver) -> Vec<Ffm> {
    let messages: Vec<Message> = std::iter::from_fn(|| receiver.message()).collect();
    messages.into_iter().filter_map(|message| if let Message::Ffm(ffm) = message { Some(ffm) } else { None }).collect()
}

fn rows(receiver: &Receiver, count: Count) -> Vec<u64> {
    receiver.statistics().paths().iter().map(|row| row.get(count)).collect()
}

fn is_lost(receiver: &Receiver) -> Vec<bool> {
    receiver.bitmap().gaps(5).iter().map(|gap| gap.state != GapState::Waiting).collect()
}

fn tags_are_paths(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = opened(PathMode::Tagged, fault)?;
    for (number, tag) in [(0, Some(0)), (1, Some(1)), (2, Some(3)), (3, None), (4, Some(3)), (5, Some(4)), (6, Some(14))] {
        arrive(&mut receiver, number, tag, false);
    }
    // No path 4 and no path 14: what names one names none.
    same!(rows(&receiver, Count::Packets), [3, 1, 1, 0, 2]);
    same!(receiver.statistics().all().get(Count::BadTag), 2);
    Ok(())
}

fn a_repeat_moves_no_record(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = opened(PathMode::Tagged, fault)?;
    for path in 0..4 {
        over(&mut receiver, path, [u32::from(path)]);
    }
    // 4 is missing; paths 0 to 2 have gone on, and path 3 has brought repeats alone.
    over(&mut receiver, 0, [5, 8, 11]);
    over(&mut receiver, 1, [6, 9, 12]);
    over(&mut receiver, 2, [7, 10, 13]);
    for number in [14, 15, 16] {
        arrive(&mut receiver, number, Some(3), true);
    }
    same!(is_lost(&receiver), [false]);
    over(&mut receiver, 3, [17, 18, 19]);
    same!(is_lost(&receiver), [true]);
    same!(rows(&receiver, Count::Packets), [0, 4, 4, 4, 7]);
    Ok(())
}

fn depth_is_not_tested_across_paths(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = opened(PathMode::Striped, fault)?;
    // Path 3 is slow.
    (0..60).filter(|number| number % 4 != 3).for_each(|number| arrive(&mut receiver, number, None, false));
    same!(is_lost(&receiver), [false; 14]);
    // As old as a gap may be, and older.
    receiver.tick(200);
    same!(is_lost(&receiver), [false; 14]);
    receiver.tick(201);
    same!(is_lost(&receiver), [true; 14]);
    // A gap that several paths could fill is crossed, although the packet behind it is on the path of its first.
    let mut receiver = opened(PathMode::Striped, fault)?;
    (0..5).for_each(|number| arrive(&mut receiver, number, None, false));
    for number in (9..40).filter(|number| number % 4 == 1) {
        arrive(&mut receiver, number, None, false);
    }
    same!(is_lost(&receiver).contains(&true), false);
    Ok(())
}

fn every_active_path_must_have_gone_on(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = opened(PathMode::Tagged, fault)?;
    for path in 0..4 {
        over(&mut receiver, path, [u32::from(path)]);
    }
    for (path, numbers) in [(0, [5, 9, 13]), (1, [6, 10, 14]), (2, [7, 11, 15])] {
        over(&mut receiver, path, numbers);
        same!(is_lost(&receiver).contains(&true), false);
    }
    over(&mut receiver, 3, [8, 12, 16]);
    let gaps: Vec<_> = receiver.bitmap().gaps(5).iter().map(|gap| (gap.start, gap.length(), gap.cause)).collect();
    same!((is_lost(&receiver), gaps), (vec![true], vec![(4, 1, Cause::Overtaken)]));
    Ok(())
}

fn a_path_that_is_yet_to_deliver(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = opened(PathMode::Tagged, fault)?;
    // Path 3 is slow, and this is the beginning.
    for (path, first) in [(0, 0), (1, 1), (2, 2)] {
        over(&mut receiver, path, (0..10).map(|turn| 4 * turn + first));
    }
    same!(is_lost(&receiver).contains(&true), false);
    // Without a packet for `path_idle` it does not count any more.
    receiver.tick(90);
    over(&mut receiver, 0, [40]);
    over(&mut receiver, 1, [41]);
    receiver.tick(101);
    same!(receiver.bitmap().gaps(5).len(), 10);
    over(&mut receiver, 2, [42, 44, 45, 46]);
    over(&mut receiver, 0, [47, 48, 49]);
    over(&mut receiver, 1, [50, 51, 52]);
    // A gap that was seen while it counted waits for it; one that is seen now does not.
    let gaps = receiver.bitmap().gaps(5);
    same!(gaps.iter().filter(|gap| gap.state != GapState::Waiting).map(|gap| gap.start).collect::<Vec<_>>(), [43]);
    Ok(())
}

fn striped_packets_that_stray(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = opened(PathMode::Striped, fault)?;
    (0..8).for_each(|number| arrive(&mut receiver, number, None, false));
    // Path 1 is out: its numbers go over others, and 9 is under way on the slow path 3 before 11, 15 and 19.
    for number in [8, 10, 12, 14, 16, 18] {
        arrive(&mut receiver, number, None, false);
    }
    arrive(&mut receiver, 13, Some(0), false);
    arrive(&mut receiver, 17, Some(2), false);
    // Path 1 is in again, and overtakes it.
    for number in [21, 25, 29] {
        arrive(&mut receiver, number, None, false);
    }
    let is_lost = |receiver: &Receiver| receiver.bitmap().gaps(5).first().map(|gap| (gap.start, gap.state != GapState::Waiting));
    same!(is_lost(&receiver), Some((9, false)));
    arrive(&mut receiver, 9, Some(3), false);
    same!(rows(&receiver, Count::Packets), [0, 6, 5, 6, 3]);
    same!(receiver.statistics().all().get(Count::Misjudged), 0);
    Ok(())
}

fn the_path_in_the_message(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = opened(PathMode::Striped, fault)?;
    (0..30).filter(|&number| number != 6).for_each(|number| arrive(&mut receiver, number, None, false));
    let ffms = told(&mut receiver);
    same!(ffms.iter().map(|ffm| (ffm.start, ffm.length, ffm.path, ffm.status)).collect::<Vec<_>>(), [(6, 1, 3, Cause::Overtaken)]);
    same!((rows(&receiver, Count::Losses), rows(&receiver, Count::Messages)), (vec![0, 0, 0, 1, 0], vec![0, 0, 0, 1, 0]));
    // A gap of several paths, of which one packet stays away.
    let mut receiver = opened(PathMode::Striped, fault)?;
    (0..30).filter(|number| !(5..8).contains(number)).for_each(|number| {
        arrive(&mut receiver, number, None, false);
        if number == 8 {
            [5, 7].into_iter().for_each(|late| arrive(&mut receiver, late, None, false));
        }
    });
    same!(told(&mut receiver).iter().map(|ffm| (ffm.start, ffm.length, ffm.path)).collect::<Vec<_>>(), [(6, 1, 3)]);
    same!(rows(&receiver, Count::Losses), [0, 0, 0, 1, 0]);
    // Nobody can know it of a tagged packet that never came: none, and not the path that has overtaken it.
    let mut receiver = opened(PathMode::Tagged, fault)?;
    (0..30).filter(|&number| number != 6).for_each(|number| arrive(&mut receiver, number, Some((number % 4) as u8), false));
    same!(told(&mut receiver).iter().map(|ffm| (ffm.start, ffm.path)).collect::<Vec<_>>(), [(6, 0)]);
    same!(rows(&receiver, Count::Losses), [1, 0, 0, 0, 0]);
    Ok(())
}

fn misjudgements(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = opened(PathMode::Tagged, fault)?;
    (0..30).filter(|&number| number != 6 && number != 9).for_each(|number| arrive(&mut receiver, number, Some((number % 4) as u8), false));
    same!(told(&mut receiver).len(), 2);
    arrive(&mut receiver, 6, Some(2), false);
    arrive(&mut receiver, 9, Some(3), true);
    same!(rows(&receiver, Count::Misjudged), [0, 0, 0, 1, 0]);
    same!((receiver.statistics().all().depth, receiver.statistics().path(Some(2)).map(|row| row.depth)), (23, Some(23)));
    Ok(())
}

fn without_tags_there_is_one_bitmap(fault: Option<Fault>) -> Result<(), String> {
    for mode in [PathMode::Tagged, PathMode::Off] {
        let mut receiver = opened(mode, fault)?;
        (0..9).filter(|&number| number != 0).for_each(|number| arrive(&mut receiver, number, None, false));
        same!(is_lost(&receiver), [false]);
        arrive(&mut receiver, 9, None, false);
        let causes: Vec<_> = receiver.bitmap().gaps(5).iter().map(|gap| gap.cause).collect();
        same!((is_lost(&receiver), causes), (vec![true], vec![Cause::Depth]));
        same!(rows(&receiver, Count::Packets), [9, 0, 0, 0, 0]);
    }
    Ok(())
}

fn windows_that_congestion_shortens(fault: Option<Fault>) -> Result<(), String> {
    let params = Params { paths: 4, pool: 16, ..Params::new(1, 128) };
    let config = ReceiverConfig { base_length: 1, max_length: 8, load: 8, fault, ..ReceiverConfig::new(&params) };
    let mut receiver = Receiver::new(params, config).map_err(|refused| refused.to_string())?;
    receiver.open(5, 0, PathMode::Tagged).map_err(|refused| refused.to_string())?;
    let demand = Demand { bandwidth: 1024, rtt: 512, mtu: 1024, headroom: 16, load: 16, congestion: 0 };
    receiver.set_demand(5, demand);
    same!(receiver.bitmap().segments(5), 8);
    receiver.set_rate(Rate { present: 1, preset: 2 });
    (0..64).for_each(|number| arrive(&mut receiver, number, Some(0), false));
    (64..256).for_each(|number| arrive(&mut receiver, number, Some(0), false));
    // It shrinks as the base advances, and grows at once.
    same!(receiver.bitmap().segments(5), 4);
    receiver.set_rate(Rate::default());
    same!(receiver.bitmap().segments(5), 8);
    Ok(())
}

fn counters(fault: Option<Fault>) -> Result<(), String> {
    let mut statistics = Statistics::new(2, fault);
    statistics.reset(5);
    let most = (1 << 48) - 1;
    statistics.count(5, Some(1), Count::Marked, most);
    let values = |statistics: &Statistics| {
        let rows = [statistics.queue_pair(5), statistics.path(Some(1)), Some(statistics.all())];
        rows.map(|row| row.map(|row| row.get(Count::Marked)))
    };
    same!(values(&statistics), [Some(most); 3]);
    statistics.count(5, Some(1), Count::Marked, 2);
    same!(values(&statistics), [Some(1), Some(1), Some(most + 2)]);
    statistics.reset(5);
    same!(values(&statistics), [Some(0), Some(1), Some(most + 2)]);
    // A mark counts with the path of its packet.
    let mut receiver = opened(PathMode::Tagged, fault)?;
    receiver.arrive(&Arrival { qp: 5, psn: 0, tag: Some(2), retransmission: false, marked: true });
    receiver.arrive(&Arrival { qp: 9, psn: 0, tag: Some(2), retransmission: false, marked: true });
    same!(rows(&receiver, Count::Marked), [0, 0, 0, 1, 0]);
    same!(receiver.statistics().queue_pair(5).map(|row| row.get(Count::Marked)), Some(1));
    same!((receiver.bitmap().unknown_qp(), receiver.statistics().all().get(Count::Packets)), (1, 1));
    Ok(())
}

fn frames_of_packets(fault: Option<Fault>) -> Result<(), String> {
    for (tag, code) in [(None, 0), (Some(0), 1), (Some(14), 15)] {
        let path = tag.unwrap_or(15);
        let udp_source = 0xd000 + u16::from(path);
        let packet = Packet { qp: 0x123456, psn: 0xabcdef, path, tag, udp_source, retransmission: path == 14, marked: path == 0 };
        let bytes = packet.frame(&[1, 2, 3], fault).to_bytes();
        // Ethernet 14, IPv4 20, UDP 8, then byte 8 of BTH; and the source port.
        same!((bytes[14 + 20 + 8 + 8] & 0x7f, bytes[14 + 20 + 1]), (code, udp_source as u8));
        let frame = parse(&bytes, false, &Reader::default()).map_err(|error| error.to_string())?;
        same!(Packet::from_frame(&frame, 0xd000), Some(packet));
        same!((frame.payload, frame.bth.path()), (vec![1, 2, 3], tag));
    }
    Ok(())
}

fn frames_of_messages(fault: Option<Fault>) -> Result<(), String> {
    let sent = [
        Message::Ack(Ack { qp: 5, psn: 0xfffffe, credits: 31 }),
        Message::Ack(Ack { qp: 5, psn: 9, credits: 12 }),
        Message::Range(RangeAck { qp: 5, base: 1, start: 7, length: 3 }),
        Message::Ffm(Ffm { misjudged: 0xabcdef, repeat: 2, depth: 300, edge: 77, timestamp: 9, ..ffm(7, 3, 6, 16) }),
    ];
    for message in sent {
        let bytes = message_frame(&message, 3, fault).to_bytes();
        let frame = parse(&bytes, false, &Reader::default()).map_err(|error| error.to_string())?;
        same!(read_message(&frame), Some(message));
        // Bytes 20 and 21 of the body are path and status.
        let Message::Ffm(ffm) = message else { continue };
        same!((bytes[14 + 20 + 8 + 12 + 20], bytes[14 + 20 + 8 + 12 + 21]), (ffm.path, 3));
        let mut wrong = frame.clone();
        if let Some(crate::wire::Control::Feedback { status, .. }) = &mut wrong.control {
            *status = 6;
        }
        same!(read_message(&wrong), None);
    }
    Ok(())
}
