//! Ports of `SentryStep`: what a state consists of, and the pins beside it.

use rdma_rtl_sim::Model;
use std::collections::BTreeMap;

/// What a state consists of, as the ports call it.
pub(super) const FIELDS: [&str; 26] = [
    "begun",
    "sure",
    "bypass",
    "strange",
    "excuse",
    "una",
    "expected",
    "last",
    "msn",
    "marked",
    "marks_end",
    "episode",
    "from",
    "until",
    "since",
    "answered",
    "owed",
    "pending",
    "told",
    "told_psn",
    "told_since",
    "nacked",
    "nacked_since",
    "notified",
    "notified_since",
    "seen",
];
/// Positions in it.
pub(super) const SET: usize = 0;
pub(super) const SURE: usize = 1;
pub(super) const UNA: usize = 5;
pub(super) const EXPECTED: usize = 6;
pub(super) const LAST: usize = 7;
pub(super) const MSN: usize = 8;
pub(super) const EPISODE: usize = 11;
pub(super) const FROM: usize = 12;
pub(super) const UNTIL: usize = 13;

/// Ports, by number.
pub(super) struct Ports {
    pub(super) before: Vec<usize>,
    pub(super) after: Vec<usize>,
    pub(super) named: BTreeMap<&'static str, usize>,
}

const NAMED: [&str; 32] = [
    "valid",
    "kind",
    "aware",
    "psn",
    "span",
    "congested",
    "packet_msn",
    "gap_start",
    "gap_length",
    "asked_for",
    "tick",
    "done",
    "verdict",
    "forward",
    "urgent",
    "nack",
    "nack_passed",
    "nack_psn",
    "notify",
    "probe",
    "clear",
    "clear_start",
    "clear_length",
    "mark",
    "mark_start",
    "mark_length",
    "evt_clipped_start",
    "evt_clipped_end",
    "evt_timeout_replay",
    "evt_life",
    "evt_flushed",
    "rst",
];

impl Ports {
    pub(super) fn new(model: &dyn Model) -> Result<Ports, String> {
        let port = |name: &str| model.port(name).ok_or_else(|| format!("the design has no port `{name}`"));
        let fields = |prefix: &str| FIELDS.iter().map(|field| port(&format!("{prefix}_{field}"))).collect::<Result<Vec<_>, _>>();
        let named = NAMED.iter().map(|&name| Ok((name, port(name)?))).collect::<Result<_, String>>()?;
        Ok(Ports { before: fields("before")?, after: fields("after")?, named })
    }
}

/// The model with its ports.
pub(super) struct Pins<'a> {
    pub(super) model: &'a mut dyn Model,
    pub(super) ports: Ports,
}

impl Pins<'_> {
    pub(super) fn set(&mut self, name: &str, value: u64) {
        self.model.poke_u64(self.ports.named[name], value);
    }

    pub(super) fn get(&self, name: &str) -> u64 {
        self.model.peek_u64(self.ports.named[name])
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.get(name) == 1
    }
}
