//! Traces of the sender.

use super::*;
use crate::bitmap::sender::{self, Bucket, Mode, Refusal};
use crate::bitmap::{Ack, Cause, Demand, Ffm, RangeAck, psn};

pub const ALL: &[(&str, Trace)] = &[
    ("tags_and_ports", tags_and_ports),
    ("stripes", stripes),
    ("least_unacknowledged", least_unacknowledged),
    ("a_bad_path_rests", a_bad_path_rests),
    ("all_are_used_when_none_is_in", all_are_used_when_none_is_in),
    ("one_operation_takes_one_path", one_operation_takes_one_path),
    ("the_timer_proves_no_loss", the_timer_proves_no_loss),
    ("what_frees_a_path", what_frees_a_path),
    ("striped_packets_away_from_their_path", striped_packets_away_from_their_path),
    ("the_window_slides_in_steps", the_window_slides_in_steps),
    ("the_right_edge_never_moves_back", the_right_edge_never_moves_back),
    ("half_for_repeats_while_constrained", half_for_repeats_while_constrained),
    ("more_patience_while_constrained", more_patience_while_constrained),
    ("a_full_congestion_window_constrains", a_full_congestion_window_constrains),
];

const TAGGED: Spread = Spread::Tagged(Choice::RoundRobin);

fn config(fault: Option<Fault>) -> SenderConfig {
    SenderConfig { path_bad: 1, path_rest: 100, fault, ..SenderConfig::new(4, 256) }
}

fn opened(config: SenderConfig, spread: Spread) -> Result<Sender, String> {
    let mut sender = Sender::new(config).map_err(|refused| refused.to_string())?;
    sender.open(5, 0, spread).map_err(|refused| refused.to_string())?;
    Ok(sender)
}

/// Sends new packets, one at a time.
fn send(sender: &mut Sender, packets: usize) -> Vec<Packet> {
    (0..packets).flat_map(|_| sender.next(5, true)).collect()
}

fn paths(packets: &[Packet]) -> Vec<u8> {
    packets.iter().map(|packet| packet.path).collect()
}

pub fn ffm(start: u32, length: u32, base: u32, path: u8) -> Ffm {
    let (edge, status) = (start + length, Cause::Overtaken);
    Ffm { qp: 5, start, length, edge, base, timestamp: 0, path, status, depth: 0, repeat: 0, misjudged: 0 }
}

fn ack(sender: &mut Sender, edge: u32) -> bool {
    sender.ack(Ack { qp: 5, psn: psn::sub(edge, 1), credits: 31 })
}

fn tags_and_ports(fault: Option<Fault>) -> Result<(), String> {
    for (spread, is_tagged) in [(TAGGED, true), (Spread::Untagged(Choice::RoundRobin), false)] {
        let mut sender = opened(config(fault), spread)?;
        let sent = send(&mut sender, 6);
        same!(paths(&sent), [0, 1, 2, 3, 0, 1]);
        let tags: Vec<_> = sent.iter().map(|packet| packet.tag).collect();
        same!(tags, paths(&sent).iter().map(|&path| Some(path).filter(|_| is_tagged)).collect::<Vec<_>>());
        same!(sent.iter().map(|packet| packet.udp_source).collect::<Vec<_>>(), [0xc000, 0xc001, 0xc002, 0xc003, 0xc000, 0xc001]);
        same!(sender.paths().iter().map(|path| path.unacknowledged).collect::<Vec<_>>(), [2, 2, 1, 1]);
    }
    Ok(())
}

fn stripes(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = opened(SenderConfig { stripe: 2, ..config(fault) }, Spread::Striped)?;
    let sent = send(&mut sender, 10);
    same!(paths(&sent), [0, 0, 1, 1, 2, 2, 3, 3, 0, 0]);
    same!(sent.iter().all(|packet| packet.tag.is_none()), true);
    Ok(())
}

fn least_unacknowledged(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = opened(config(fault), Spread::Tagged(Choice::LeastUnacknowledged))?;
    same!(paths(&send(&mut sender, 8)), [0, 1, 2, 3, 0, 1, 2, 3]);
    // Both packets of path 2 have arrived, and one of path 1.
    for start in [2, 6, 5] {
        same!(sender.range_ack(RangeAck { qp: 5, base: 0, start, length: 1 }), true);
    }
    same!(paths(&send(&mut sender, 4)), [2, 1, 2, 3]);
    Ok(())
}

/// Two of path 1 are lost, and sent again.
fn lose_two(sender: &mut Sender) {
    for number in [1, 5] {
        sender.feedback(&ffm(number, 1, 0, 2));
        sender.next(5, false);
    }
}

fn a_bad_path_rests(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = opened(config(fault), TAGGED)?;
    sender.tick(10);
    send(&mut sender, 8);
    lose_two(&mut sender);
    let out = |event: &Event| matches!(event, Event::LeftOut { .. } | Event::TakenIn { .. });
    same!(sender.take_events().into_iter().filter(out).collect::<Vec<_>>(), [Event::LeftOut { path: 1 }]);
    same!(sender.usable_paths(), 0b1101);
    let lost = |sender: &Sender| sender.paths().iter().map(|path| path.lost).collect::<Vec<_>>();
    same!(lost(&sender), [0, 2, 0, 0]);
    same!(sender.statistics().path(Some(1)).map(|row| row.get(Count::Losses)), Some(2));
    let sent = paths(&send(&mut sender, 6));
    same!(sent.contains(&1), false);
    // It rests for whole 100 ticks.
    sender.tick(110);
    same!(sender.usable_paths(), 0b1101);
    sender.tick(111);
    same!((sender.usable_paths(), sender.take_events()), (0b1111, vec![Event::TakenIn { path: 1 }]));
    // What it had lost before is forgotten: the next loss is the first.
    let sent = send(&mut sender, 4);
    let at = sent.iter().find(|packet| packet.path == 1).ok_or("path 1 is not chosen")?.psn;
    sender.feedback(&ffm(at, 1, 0, 2));
    same!(sender.next(5, false).len(), 1);
    same!((sender.usable_paths(), lost(&sender)), (0b1111, vec![0, 3, 0, 0]));
    // Software takes it out, and lets it in.
    sender.hold_path(1, true);
    same!(sender.usable_paths(), 0b1101);
    sender.hold_path(1, false);
    same!(sender.usable_paths(), 0b1111);
    Ok(())
}

fn all_are_used_when_none_is_in(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = opened(config(fault), TAGGED)?;
    (0..4).for_each(|path| sender.hold_path(path, true));
    same!(paths(&send(&mut sender, 5)), [0, 1, 2, 3, 0]);
    sender.hold_path(2, false);
    same!(paths(&send(&mut sender, 3)), [2, 2, 2]);
    Ok(())
}

fn one_operation_takes_one_path(fault: Option<Fault>) -> Result<(), String> {
    let mode = sender::Config { mode: Mode::Interval, ..sender::Config::DEFAULT };
    let mut sender = opened(SenderConfig { sender: mode, path_bad: 8, ..config(fault) }, TAGGED)?;
    send(&mut sender, 12);
    // Paths 2, 3 and 0 lose one each; path 1 then has the fewest under way but for path 2, whose packet it was.
    for start in [1, 5] {
        sender.range_ack(RangeAck { qp: 5, base: 0, start, length: 1 });
    }
    same!(sender.feedback(&ffm(2, 3, 0, 0)), 3);
    let again = sender.next(5, true);
    same!(
        again.iter().map(|packet| (packet.psn, packet.path, packet.tag, packet.retransmission)).collect::<Vec<_>>(),
        [(2, 1, Some(1), true), (3, 1, Some(1), true), (4, 1, Some(1), true)]
    );
    same!(sender.paths().iter().map(|path| (path.lost, path.unacknowledged)).collect::<Vec<_>>(), [(1, 2), (0, 4), (1, 2), (1, 2)]);
    same!(sender.take_events().contains(&Event::Retransmission { qp: 5, start: 2, length: 3, path: 1 }), true);
    let row = |path| sender.statistics().path(Some(path)).copied().unwrap_or_default();
    same!([0, 1, 2, 3].map(|path| row(path).get(Count::RepeatedInterval)), [0, 3, 0, 0]);
    Ok(())
}

fn the_timer_proves_no_loss(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = opened(config(fault), TAGGED)?;
    send(&mut sender, 8);
    sender.tick(201);
    same!([sender.next(5, true), sender.next(5, true)].concat().iter().map(|packet| packet.psn).collect::<Vec<_>>(), [0, 7]);
    same!(sender.paths().iter().map(|path| path.lost).sum::<u64>(), 0);
    same!((sender.statistics().all().get(Count::TimeOuts), sender.statistics().all().get(Count::Losses)), (1, 0));
    same!(sender.usable_paths(), 0b1111);
    Ok(())
}

fn what_frees_a_path(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = opened(config(fault), TAGGED)?;
    send(&mut sender, 8);
    sender.tick(40);
    let state = |sender: &Sender| sender.paths().iter().map(|path| (path.unacknowledged, path.delay / 8)).collect::<Vec<_>>();
    same!(sender.range_ack(RangeAck { qp: 5, base: 0, start: 5, length: 2 }), true);
    same!(state(&sender), [(2, 0), (1, 40), (1, 40), (2, 0)]);
    // A packet that was sent again says nothing of how long a path takes.
    sender.feedback(&ffm(0, 1, 0, 1));
    let again = sender.next(5, true);
    same!(paths(&again), [1]);
    sender.tick(1000);
    same!(ack(&mut sender, 1), true);
    same!(state(&sender), [(1, 0), (1, 40), (1, 40), (2, 0)]);
    sender.tick(1001);
    same!(sender.close(5), true);
    same!(sender.paths().iter().map(|path| path.unacknowledged).sum::<u64>(), 0);
    Ok(())
}

fn striped_packets_away_from_their_path(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = opened(config(fault), Spread::Striped)?;
    sender.hold_path(1, true);
    let sent = send(&mut sender, 8);
    same!(paths(&sent), [0, 0, 2, 3, 0, 2, 2, 3]);
    same!(sent.iter().filter_map(|packet| packet.tag).collect::<Vec<_>>(), [0, 2]);
    // With 16 paths the last has no tag: no packet takes it but its own.
    let mut sender = opened(SenderConfig { paths: 16, ..config(fault) }, Spread::Striped)?;
    (0..14).for_each(|path| sender.hold_path(path, true));
    let sent = send(&mut sender, 16);
    same!(paths(&sent), [vec![14; 15], vec![15]].concat());
    same!(sent.iter().filter(|packet| packet.tag.is_none()).map(|packet| packet.psn).collect::<Vec<_>>(), [14, 15]);
    Ok(())
}

fn the_window_slides_in_steps(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = opened(SenderConfig { slide_step: 16, base_length: 64, ..config(fault) }, TAGGED)?;
    same!(send(&mut sender, 80).len(), 64);
    same!((sender.refusal(5), sender.window(5)), (Some(Refusal::Window), Some((0, 64))));
    same!((ack(&mut sender, 15), send(&mut sender, 80).len()), (true, 0));
    same!((ack(&mut sender, 40), send(&mut sender, 80).len()), (true, 32));
    same!(sender.window(5), Some((32, 96)));
    Ok(())
}

fn the_right_edge_never_moves_back(fault: Option<Fault>) -> Result<(), String> {
    let config = SenderConfig { slide_step: 16, base_length: 32, max_length: 128, load: 8, ..config(fault) };
    let mut sender = opened(config, TAGGED)?;
    // 1024 bytes a tick for 128 ticks, in packets of 1024.
    let demand = Demand { bandwidth: 1024, rtt: 128, mtu: 1024, headroom: 16, load: 16, congestion: 0 };
    sender.set_demand(5, demand);
    same!(sender.window(5), Some((0, 128)));
    same!(send(&mut sender, 100).len(), 100);
    sender.set_rate(Rate { present: 512, preset: 1024 }, Bucket::default());
    same!((sender.is_constrained(5), sender.window(5)), (true, Some((0, 128))));
    same!(ack(&mut sender, 100), true);
    // Half of it from here on.
    same!(sender.window(5), Some((96, 160)));
    sender.set_rate(Rate::default(), Bucket::default());
    same!((sender.is_constrained(5), sender.window(5)), (false, Some((96, 224))));
    Ok(())
}

fn half_for_repeats_while_constrained(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = opened(SenderConfig { path_bad: 63, ..config(fault) }, TAGGED)?;
    send(&mut sender, 64);
    sender.set_rate(Rate { present: 1, preset: 2 }, Bucket::default());
    same!(sender.feedback(&ffm(0, 40, 0, 0)), 40);
    let is_again = |packets: Vec<Packet>| packets.iter().map(|packet| packet.retransmission).collect::<Vec<_>>();
    let sent = is_again((0..8).flat_map(|_| sender.next(5, true)).collect());
    same!(sent, [false, true, false, true, false, true, false, true]);
    // Nothing new waits: all of it is for what is sent again.
    same!(is_again((0..4).flat_map(|_| sender.next(5, false)).collect()), [true; 4]);
    // The share is of all since the state began.
    same!(is_again((0..6).flat_map(|_| sender.next(5, true)).collect()), [false, false, false, false, false, true]);
    sender.set_rate(Rate::default(), Bucket::default());
    same!(is_again((0..4).flat_map(|_| sender.next(5, true)).collect()), [true; 4]);
    Ok(())
}

fn more_patience_while_constrained(fault: Option<Fault>) -> Result<(), String> {
    let mode = sender::Config { mode: Mode::Aggregated, aggregate: 2, ..sender::Config::DEFAULT };
    for (rate, ticks) in [(Rate { present: 1, preset: 2 }, 9), (Rate::default(), 3)] {
        let mut sender = opened(SenderConfig { sender: mode, ..config(fault) }, TAGGED)?;
        send(&mut sender, 16);
        sender.set_rate(rate, Bucket::default());
        sender.feedback(&ffm(3, 2, 0, 0));
        sender.tick(ticks - 1);
        same!(sender.next(5, false).len(), 0);
        sender.tick(ticks);
        same!(sender.next(5, false).len(), 2);
    }
    // It ends at once.
    let mut sender = opened(SenderConfig { sender: mode, ..config(fault) }, TAGGED)?;
    send(&mut sender, 16);
    sender.set_rate(Rate { present: 1, preset: 2 }, Bucket::default());
    sender.feedback(&ffm(3, 2, 0, 0));
    sender.tick(4);
    sender.set_rate(Rate::default(), Bucket::default());
    same!((sender.is_constrained(5), sender.next(5, false).len()), (false, 2));
    Ok(())
}

fn a_full_congestion_window_constrains(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = opened(config(fault), TAGGED)?;
    sender.set_congestion_window(5, 8);
    same!((sender.is_constrained(5), send(&mut sender, 10).len()), (false, 8));
    same!((sender.next(5, true).len(), sender.is_constrained(5)), (0, true));
    same!((ack(&mut sender, 3), sender.is_constrained(5)), (true, false));
    // Rate and windows hold what is sent again, too.
    sender.set_rate(Rate { present: 1024, preset: 1024 }, Bucket::new(1024, 2048));
    same!(sender.feedback(&ffm(3, 4, 3, 0)), 4);
    same!((0..4).map(|_| sender.next(5, true).len()).sum::<usize>(), 2);
    sender.tick(1);
    same!((0..4).map(|_| sender.next(5, true).len()).sum::<usize>(), 1);
    Ok(())
}
