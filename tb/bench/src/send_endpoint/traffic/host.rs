//! The host: completions, each of which must follow from what was answered, and the counters in the end.

use super::operation::{Posted, all_acknowledged};
use super::{APART, REASONS, SOURCES, Traffic};
use crate::endpoint::Endpoint;
use rand::RngCore;
use rdma_rtl_golden::memory::{self, ENTRY, What};
use rdma_rtl_golden::send::status;
use std::collections::BTreeSet;

/// Counters that must be what the bench has seen.
const COUNTED: [&str; 9] = [
    "count_commands",
    "count_packets",
    "count_retransmissions",
    "count_data_frames",
    "count_aborts",
    "count_completions",
    "count_frame_not_our_qp",
    "count_frame_icrc",
    "count_frame_foreign",
];

/// Counters of what cannot happen here.
const NEVER: [&str; 8] = [
    "count_acks_dropped",
    "count_refused_loads",
    "count_unknown_node",
    "count_buffer_write_refused",
    "count_buffer_read_refused",
    "count_posts_dropped",
    "count_frame_truncated",
    "count_frame_mac_error",
];

impl Traffic {
    /// The host finds a completion.
    pub(super) fn told(&mut self, endpoint: &mut Endpoint, entry: &[u8; ENTRY]) -> Result<(), String> {
        let word = |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
        let (id, status, bytes, number) = (u16::from_le_bytes([entry[20], entry[21]]), entry[60], word(8), word(56));
        self.count("count_completions");
        let completion = memory::Completion {
            what: What::Command,
            src: self.addresses.src,
            op: id.into(),
            bytes,
            status,
            ..memory::Completion::default()
        };
        if *entry != completion.entry(number, endpoint.ring_log2()) {
            return Err(format!("the ring has {entry:02x?}"));
        }
        let posted = self.posted.get(&id).ok_or_else(|| format!("command {id:#06x} is told, which is not there"))?;
        if let Some(before) = posted.told {
            return Err(format!("command {id:#06x} is told twice, with {before} and {status}"));
        }
        let mut may = posted.failures.clone();
        if let Some(refusal) = posted.refusal {
            may = BTreeSet::from([refusal as u8]);
        } else if all_acknowledged(posted, &self.operations) {
            may.insert(status::DONE);
        }
        let exhausted = posted.begun.iter().flatten().filter_map(|op| self.operations.get(op)).any(|o| o.exhausted(&self.plan.timers));
        if exhausted {
            may.insert(status::RETRY_LIMIT);
        }
        if posted.refusal.is_none() && (posted.broken || self.plan.mix.cdma > 0) {
            may.insert(status::CDMA_ERROR);
        }
        if posted.refusal.is_none() && self.cdma_dead {
            may.insert(status::CDMA_DEAD);
        }
        if !may.contains(&status) {
            let states: Vec<_> =
                posted.begun.iter().map(|op| op.and_then(|op| self.operations.get(&op)).map(|o| (o.ended, &o.tries))).collect();
            return Err(format!("command {id:#06x} ends with {status}, allowed are {may:?}: {states:?}"));
        }
        if status == status::DONE && u64::from(bytes) != posted.command.bytes() {
            return Err(format!("command {id:#06x} has {bytes} bytes, not {}", posted.command.bytes()));
        }
        // Its memory is the host's again.
        let place = posted.place;
        let mut noise = vec![0; self.plan.largest as usize + 512];
        self.rng.fill_bytes(&mut noise);
        if let Some(cdma) = &mut endpoint.cdma {
            cdma.inner_mut().memory().put(SOURCES + APART * place as u64, &noise);
        }
        self.places.insert(0, place);
        self.done.failed += u64::from(status != status::DONE);
        self.done.cdma_errors += u64::from(status == status::CDMA_ERROR);
        if let Some(posted) = self.posted.get_mut(&id) {
            posted.told = Some(status);
        }
        self.past.push_back(id);
        if self.past.len() > 200
            && let Some(old) = self.past.pop_front()
        {
            self.posted.remove(&old);
            self.operations.retain(|_, o| o.id != old);
        }
        Ok(())
    }

    /// Commands of which something is still to come.
    pub(super) fn open(&self) -> usize {
        let arrives = |posted: &Posted| {
            let over = posted.arrival.and_then(|op| self.operations.get(&op)).is_some_and(|o| o.ended.is_some() || o.aborted);
            posted.told == Some(status::DONE) && posted.command.arrival && !over
        };
        self.posted.values().filter(|posted| posted.told.is_none() || arrives(posted)).count()
    }

    /// Nothing is left, and the counters say what was seen.
    pub(super) fn finish(&mut self, endpoint: &mut Endpoint) -> Result<(), String> {
        let limit = endpoint.now() + self.plan.patience;
        while endpoint.read("state")? & 1 == 0 {
            for _ in 0..50 {
                self.clock(endpoint)?;
            }
            if endpoint.now() > limit {
                let left = ["commands_live", "ops_live", "descriptors_out", "command_state"].map(|name| (name, endpoint.read(name)));
                return Err(format!("not idle {} clocks after the last completion: {left:?}", self.plan.patience));
            }
        }
        endpoint.settle()?;
        for name in ["commands_live", "ops_live", "descriptors_out", "command_state"] {
            let value = endpoint.read(name)?;
            if value != 0 {
                return Err(format!("`{name}` is {value} in the end"));
            }
        }
        if !endpoint.transmitted().is_empty() || !endpoint.poll()?.is_empty() {
            return Err("more comes after the end".into());
        }
        if let Some(complaint) = endpoint.cdma.as_ref().and_then(|cdma| cdma.inner().complaints().first()) {
            return Err(format!("the CDMA complains: {complaint}"));
        }
        if let Some(address) = endpoint.memory.damaged().first() {
            return Err(format!("the guard byte at {address:#x} was written"));
        }
        endpoint.sound()?;
        let counters = endpoint.counters()?;
        let counter = |name: &str| counters.get(name).copied().unwrap_or(0);
        for name in COUNTED.iter().chain(&REASONS) {
            let expected = self.counted.get(name).copied().unwrap_or(0);
            if counter(name) != expected {
                return Err(format!("`{name}` is {}, expected {expected}: {counters:?}", counter(name)));
            }
        }
        // every message is counted once, as one of these
        let heard: u64 = ["count_acks", "count_duplicate_acks", "count_nacks", "count_stale_acks"].iter().map(|name| counter(name)).sum();
        let said = self.counted.get("messages").copied().unwrap_or(0);
        if heard != said {
            return Err(format!("{said} messages, of which {heard} are counted: {counters:?}"));
        }
        for name in NEVER {
            if counter(name) > 0 {
                return Err(format!("`{name}` is {}: {counters:?}", counter(name)));
            }
        }
        Ok(())
    }
}
