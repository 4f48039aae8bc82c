//! What is known of a command and of an operation, as far as host and wire show it.

use super::Plan;
use rdma_rtl_golden::send::op_table::Config as Timers;
use rdma_rtl_golden::send::splitter::{Command, Refusal, Segment, Splitter};
use rdma_rtl_golden::send::status;
use std::collections::{BTreeMap, BTreeSet};

/// A command of which something is still to come.
pub(super) struct Posted {
    pub(super) command: Command,
    pub(super) segments: Vec<Segment>,
    pub(super) payload: Vec<u8>,
    pub(super) place: usize,
    pub(super) refusal: Option<Refusal>,
    /// op number of each segment that has begun
    pub(super) begun: Vec<Option<u32>>,
    /// statuses that its completion may have, but for success
    pub(super) failures: BTreeSet<u8>,
    /// a source of it is no memory
    pub(super) broken: bool,
    pub(super) told: Option<u8>,
    pub(super) arrival: Option<u32>,
}

pub(super) struct Operation {
    pub(super) id: u16,
    pub(super) segment: Segment,
    pub(super) psn: u32,
    /// of each packet: how often it was sent, when it last was, whether it may be sent before its time, and what the endpoint has been told
    pub(super) tries: Vec<u32>,
    pub(super) last: Vec<u64>,
    pub(super) hurry: Vec<u32>,
    pub(super) acknowledged: Vec<bool>,
    pub(super) received: Vec<bool>,
    /// told to try later so often
    pub(super) overlaps: u32,
    pub(super) ended: Option<u8>,
    pub(super) aborted: bool,
    pub(super) dead: bool,
    pub(super) rejects: Option<u8>,
}

impl Operation {
    pub(super) fn sent(&self) -> usize {
        self.tries.iter().take_while(|&&n| n > 0).count()
    }

    /// A packet of it may have been tried as often as is allowed.
    pub(super) fn exhausted(&self, timers: &Timers) -> bool {
        let most = self.tries.iter().zip(&self.hurry).map(|(n, hurry)| n + hurry).max().unwrap_or(0);
        most + self.overlaps > u32::from(timers.retry_limit)
    }
}

/// All data of a command has been acknowledged.
pub(super) fn all_acknowledged(posted: &Posted, operations: &BTreeMap<u32, Operation>) -> bool {
    let over = |op: &Option<u32>| op.and_then(|op| operations.get(&op)).is_some_and(|o| o.ended == Some(status::DONE));
    !posted.begun.is_empty() && posted.begun.iter().all(over)
}

/// The segments of a command, by the golden splitter alone.
pub(super) fn segments(plan: &Plan, command: &Command) -> Vec<Segment> {
    let mut splitter = Splitter::new(plan.splitter, plan.cut);
    let mut segments = Vec::new();
    if splitter.command(command).is_ok_and(|refusal| refusal.is_none()) {
        while let Some(segment) = splitter.next_segment() {
            if splitter.segment(&segment).is_err() {
                break;
            }
            segments.push(segment);
        }
    }
    segments
}
