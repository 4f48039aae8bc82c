//! One of each in every clock: a segment, a packet, an acknowledgement and a release, while the scanner goes round.

use super::{Bench, Inputs};
use rdma_rtl_golden::send::OpKind;
use rdma_rtl_golden::send::op_table::{Ack, Config, Params};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// clocks in which all four came, one after the other
    pub clocks: u64,
    /// operations that went through
    pub ops: u64,
    /// timers that ran out meanwhile
    pub timeouts: u64,
}

/// Acknowledgements and releases that are kept back, so that one is there when a retransmission has taken the place of a first packet.
const KEPT: usize = 8;

/// `clocks` clocks with one of each, of operations with one packet, where a packet may live for `t_life` clocks. `silent` operations
/// besides are not acknowledged until the end: their timers run out in the meantime, and the model says when that must have been.
/// # Errors
/// In one of the clocks something was not there, or the model says so.
pub fn one_of_each(model: &mut dyn Model, params: Params, clocks: u64, silent: usize, t_life: u32) -> Result<Rate, String> {
    let period = params.scan_period() as u32;
    let config = Config { prescale: 1, timeout: period, backoff_cap: period, retry_limit: 7, t_life };
    let mut bench = Bench::new(model, params, config)?;
    let (mut to_send, mut to_ack, mut to_release, mut again) = (VecDeque::new(), VecDeque::new(), VecDeque::new(), VecDeque::new());
    let mut kept = Vec::new();
    for _ in 0..silent {
        let op = bench.allocate(1)?;
        bench.sent(op, 0, 0)?;
        kept.push(op);
    }
    let (mut full, mut ops) = (0, 0);
    let warm = 80;
    for clock in 0..clocks + warm {
        let first = || to_send.pop_front().map(|op| (op, 0, 0));
        let sent = again.pop_front().or_else(first);
        let old = |queue: &mut VecDeque<u32>| if queue.len() > KEPT || clock > warm { queue.pop_front() } else { None };
        let (acked, release) = (old(&mut to_ack), old(&mut to_release));
        let ack = acked.map(|op| Ack::Packets { op, first: 0, status: 0, mask: 1 });
        let taken = bench.step(Inputs { segment: Some((1, OpKind::Data, 1)), sent, ack, release, ..Default::default() })?;
        if clock > warm {
            if !taken.segment || sent.is_none() || ack.is_none() || release.is_none() {
                return Err(format!("clock {clock}: {taken:?}, sent {sent:?}, acknowledged {ack:?}, released {release:?}"));
            }
            full += 1;
        }
        to_ack.extend(sent.filter(|(_, _, tries)| *tries == 0).map(|(op, ..)| op));
        to_send.extend(taken.allocated.map(|op| op.op));
        again.extend(taken.retransmit.filter(|found| kept.contains(&found.op)).map(|found| (found.op, found.packet, found.tries)));
        to_release.extend(taken.ended.map(|end| end.op));
        ops += u64::from(taken.ended.is_some());
    }
    Ok(Rate { clocks: full, ops, timeouts: bench.counted.timeouts })
}
