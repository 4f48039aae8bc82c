//! Splitter and op table side by side, each beside what it is held to: in every clock a segment is cut and gets its number, a packet is
//! sent, one is acknowledged and a word of timers is looked at.

use super::op_table::{Bench, Inputs};
use crate::memory::Ports;
use rdma_rtl_golden::send::OpKind;
use rdma_rtl_golden::send::op_table::{Ack, Config, Params};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// What the splitter is given, again and again.
#[derive(Clone, Copy, Debug)]
pub struct Commands {
    /// bytes of a packet, and of a segment
    pub packet: u32,
    /// segments of a command
    pub segments: u32,
}

/// What was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    /// clocks in which all of it happened, one after the other
    pub clocks: u64,
    /// operations and commands that went to their ends
    pub ops: u64,
    pub commands: u64,
    /// timers that ran out meanwhile
    pub timeouts: u64,
}

/// Clocks until acknowledgements, ends and releases come as fast as segments.
const WARM: u64 = 120;
/// Acknowledgements and releases that are kept back, so that one is there in every clock.
const KEPT: usize = 8;

/// `clocks` clocks with one of each. Two operations besides are not acknowledged: the scanner finds their timers meanwhile, and the model
/// says when it must have.
/// # Errors
/// In one of the clocks something was not there, a segment is not the next one, or the model of the op table says so.
pub fn one_of_each(
    splitter: &mut dyn Model,
    table: &mut dyn Model,
    params: Params,
    commands: Commands,
    clocks: u64,
) -> Result<Rate, String> {
    let Commands { packet, segments } = commands;
    let mut cut = Ports(splitter);
    for port in 0..cut.0.ports().len() {
        if cut.0.ports()[port].direction == rdma_rtl_sim::Direction::Input {
            let zero = vec![0; cut.0.ports()[port].words()];
            cut.0.poke(port, &zero);
        }
    }
    cut.set("rst", 1);
    cut.0.clock();
    cut.set("rst", 0);
    for (name, value) in [("cfg_threshold", 0), ("cfg_segment", packet.into()), ("command_blocks", 1), ("completion_ready", 1)] {
        cut.set(name, value);
    }
    cut.set_bytes("command_lengths", &(packet * segments).to_le_bytes());
    // It clears a place of a command per clock.
    for _ in 0..300 {
        cut.0.clock();
    }
    let period = params.scan_period() as u32;
    let config = Config { prescale: 1, timeout: period, backoff_cap: period, retry_limit: 7, t_life: 1 };
    let mut bench = Bench::new(table, params, config)?;
    let (mut to_send, mut to_ack, mut to_release, mut again) = (VecDeque::new(), VecDeque::new(), VecDeque::new(), VecDeque::new());
    let mut silent = Vec::new();
    for _ in 0..2 {
        let op = bench.allocate(1)?;
        bench.sent(op, 0, 0)?;
        silent.push(op);
    }
    let (mut rate, mut commanded, mut at) = (Rate::default(), 0u64, 0u32);
    for clock in 0..clocks + WARM {
        cut.set("command_valid", 1);
        cut.set("command_id", commanded & 0xffff);
        cut.set("segment_ready", 1);
        cut.set("ended_valid", 0);
        cut.0.eval();
        let segment =
            (cut.get("segment_valid") == 1).then(|| (cut.get("segment_command") as u16, OpKind::Data, cut.get("segment_count") as u16));
        if segment.is_some()
            && (cut.get("segment_target"), cut.get("segment_bytes"), cut.get("segment_count")) != (u64::from(at * packet), packet.into(), 1)
        {
            return Err(format!(
                "clock {clock}: a segment at {:#x}, expected one of {packet} bytes at {:#x}",
                cut.get("segment_target"),
                at * packet
            ));
        }
        let first = || to_send.pop_front().map(|op| (op, 0, 0));
        let sent = again.pop_front().or_else(first);
        let old = |queue: &mut VecDeque<u32>| if queue.len() > KEPT || clock > WARM { queue.pop_front() } else { None };
        let (acked, release) = (old(&mut to_ack), old(&mut to_release));
        let ack = acked.map(|op| Ack::Packets { op, first: 0, status: 0, mask: 1 });
        let taken = bench.step(Inputs { segment, sent, ack, release, ..Default::default() })?;
        cut.set("segment_ready", taken.segment.into());
        if let Some(ended) = taken.ended {
            let fields =
                [("command", u64::from(ended.command)), ("kind", ended.kind as u64), ("status", ended.status.into()), ("valid", 1)];
            fields.into_iter().for_each(|(name, value)| cut.set(&format!("ended_{name}"), value));
        }
        cut.0.eval();
        if taken.ended.is_some() && cut.get("ended_ready") != 1 {
            return Err(format!("clock {clock}: the splitter does not take an end"));
        }
        if clock > WARM {
            if !taken.segment || sent.is_none() || ack.is_none() || release.is_none() {
                return Err(format!("clock {clock}: {taken:?}, sent {sent:?}, acknowledged {ack:?}, released {release:?}"));
            }
            rate.clocks += 1;
        }
        if cut.get("completion_valid") == 1 {
            if cut.get("completion_status") != 0 || cut.get("completion_id") != rate.commands & 0xffff {
                let [id, status] = ["id", "status"].map(|name| cut.get(&format!("completion_{name}")));
                return Err(format!("clock {clock}: command {id} is told with status {status}, expected {}", rate.commands));
            }
            rate.commands += 1;
        }
        commanded += cut.get("command_ready");
        at = if taken.segment { (at + 1) % segments } else { at };
        to_ack.extend(sent.filter(|(_, _, tries)| *tries == 0).map(|(op, ..)| op));
        to_send.extend(taken.allocated.map(|op| op.op));
        again.extend(taken.retransmit.filter(|found| silent.contains(&found.op)).map(|found| (found.op, found.packet, found.tries)));
        to_release.extend(taken.ended.map(|end| end.op));
        rate.ops += u64::from(taken.ended.is_some());
        cut.0.clock();
    }
    rate.timeouts = bench.counted.timeouts;
    Ok(rate)
}
