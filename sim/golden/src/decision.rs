//! Decisions as JSON lines, for replay against other implementations.
//!
//! Spec: machine-readable decisions.

use crate::registry::{Complete, Header, Notify, Status, VerdictBeat};
use crate::wqe;
use serde::Serialize;

/// An address or a mask: a hexadecimal string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hex(pub String);

impl Serialize for Hex {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl From<u64> for Hex {
    fn from(value: u64) -> Hex {
        Hex(format!("{value:#x}"))
    }
}

impl From<&[u64]> for Hex {
    /// Words lowest first.
    fn from(words: &[u64]) -> Hex {
        let digits: String = words.iter().rev().map(|word| format!("{word:016x}")).collect();
        let digits = digits.trim_start_matches('0');
        Hex(format!("0x{}", if digits.is_empty() { "0" } else { digits }))
    }
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Decision {
    FrameError {
        frame: u64,
        reason: String,
    },
    Ignored {
        frame: u64,
        opcode: u8,
    },
    NoSlot {
        frame: u64,
    },
    Packet {
        block: &'static str,
        frame: u64,
        src: u16,
        op: u32,
        addr: Hex,
        verdict: &'static str,
        reason: Option<String>,
        escaped: bool,
    },
    /// of a receive bitmap; a READ request has one line for each number that it consumes
    #[serde(rename = "packet")]
    BitmapPacket {
        block: &'static str,
        frame: u64,
        host: String,
        qp: u32,
        psn: u32,
        path: u8,
        verdict: &'static str,
    },
    /// of a receiver with work queue elements: `wqe` and `offset` are null in a READ or atomic request, `addr` is where a payload that is
    /// written at once goes
    #[serde(rename = "packet")]
    WqePacket {
        block: &'static str,
        frame: u64,
        qp: u32,
        psn: u32,
        wqe: Option<u32>,
        offset: Option<u32>,
        verdict: &'static str,
        reason: Option<String>,
        addr: Option<Hex>,
    },
    /// a work queue element is complete; `receive` is what it took of the host's
    WqeComplete {
        qp: u32,
        wqe: u32,
        bytes: u32,
        imm: Option<u32>,
        receive: Option<u64>,
    },
    /// a READ or atomic request is given to the host
    WqeRequest {
        qp: u32,
        psn: u32,
        opcode: u8,
    },
    /// 0xc2: `wqe` is null where no packet of it has arrived
    Indication {
        qp: u32,
        wqe: Option<u32>,
        first: u32,
        mask: Hex,
    },
    Ack {
        host: String,
        qp: u32,
        base: u32,
    },
    Gap {
        host: String,
        qp: u32,
        start: u32,
        length: u32,
        state: &'static str,
    },
    /// `path` is null where the hardware knows one path only
    Ffm {
        host: String,
        qp: u32,
        start: u32,
        length: u32,
        edge: u32,
        base: u32,
        path: Option<u8>,
        depth: u32,
        status: u32,
        repeat: u32,
    },
    Registered {
        src: u16,
        op: u32,
        base: Hex,
        bytes: u32,
        packets: u16,
    },
    /// `status` and `event` (`operation` or `data_arrival`) are additions to the spec's keys
    Complete {
        src: u16,
        op: u32,
        base: Hex,
        bytes: u32,
        packets: u16,
        status: u8,
        event: &'static str,
        imm: Option<u32>,
    },
    OpTimeout {
        src: u16,
        op: u32,
        mask: Hex,
    },
    Superseded {
        src: u16,
        op: u32,
        mask: Hex,
    },
    Aborted {
        src: u16,
        op: u32,
        mask: Hex,
    },
    Notify {
        src: u16,
        op: u32,
        status: u8,
        index: u16,
        mask: Hex,
    },
    OpAck {
        src: u16,
        op: u32,
        status: u8,
        index: u16,
        mask: Hex,
    },
}

/// One line of a decision file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// clock cycle, 0 at the first after reset; `None` in expected decisions
    pub cycle: Option<u64>,
    #[serde(flatten)]
    pub decision: Decision,
    /// for a line whose moment depends on time: the frame that causes it, and clocks after it
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
}

/// Within which clocks after its causing frame a decision falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Window {
    pub after: u64,
    pub not_before: u64,
    pub not_after: u64,
}

impl Line {
    pub fn new(cycle: Option<u64>, decision: Decision) -> Line {
        Line { cycle, decision, window: None }
    }

    /// The line as JSON, without a line end.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Decision {
    /// Final verdict of a receive registry.
    pub fn packet(frame: u64, header: &Header, beat: &VerdictBeat) -> Decision {
        use crate::registry::Verdict;
        let name = |value: serde_json::Value| value.as_str().map(str::to_owned);
        let (verdict, reason) = match beat.verdict {
            Verdict::Written => ("written", None),
            Verdict::Duplicate => ("duplicate", None),
            Verdict::Stale => ("stale", None),
            Verdict::Rejected(status) => ("rejected", serde_json::to_value(status).ok().and_then(name)),
            Verdict::Dropped(drop) => ("dropped", serde_json::to_value(drop).ok().and_then(name)),
        };
        let Header { src, op, addr, .. } = *header;
        Decision::Packet { block: "registry", frame, src, op, addr: addr.into(), verdict, reason, escaped: beat.escaped }
    }

    /// What a receiver with work queue elements did with a packet.
    pub fn wqe_packet(frame: u64, packet: &wqe::Packet, verdict: wqe::Verdict) -> Decision {
        use wqe::Verdict;
        let (name, reason, addr) = match verdict {
            Verdict::Direct { address } => ("direct", None, Some(address.into())),
            Verdict::Buffered => ("buffered", None, None),
            Verdict::Deferred => ("deferred", None, None),
            Verdict::Duplicate => ("duplicate", None, None),
            Verdict::Request => ("request", None, None),
            Verdict::Dropped(reason) => ("dropped", Some(reason.to_string()), None),
        };
        let eth = packet.wqe;
        Decision::WqePacket {
            block: "wqe",
            frame,
            qp: packet.qp,
            psn: packet.psn,
            wqe: eth.map(|eth| eth.sequence),
            offset: eth.map(|eth| eth.offset),
            verdict: name,
            reason,
            addr,
        }
    }

    /// What a receiver with work queue elements tells its host.
    pub fn wqe_event(event: &wqe::Event) -> Decision {
        match *event {
            wqe::Event::Completion(wqe::Completion { qp, sequence, bytes, imm, receive, .. }) => {
                Decision::WqeComplete { qp, wqe: sequence, bytes, imm, receive }
            }
            wqe::Event::Request(wqe::Request { packet: wqe::Packet { qp, psn, opcode, .. }, .. }) => {
                Decision::WqeRequest { qp, psn, opcode: opcode.0 }
            }
        }
    }

    /// What a receiver with work queue elements asks for.
    pub fn indication(indication: &wqe::Indication) -> Decision {
        let wqe::Indication { qp, wqe, first, missing } = *indication;
        Decision::Indication { qp, wqe, first, mask: missing.into() }
    }

    pub fn registered(header: &Header) -> Decision {
        let Header { src, op, addr, op_bytes, count, .. } = *header;
        Decision::Registered { src, op, base: addr.into(), bytes: op_bytes, packets: count }
    }

    /// A message to the host: an end, or a data arrival.
    pub fn complete(complete: &Complete) -> Decision {
        let Complete { src, op, base, bytes, packets, status, imm, .. } = *complete;
        let mask = Hex::from(complete.mask.as_slice());
        match status {
            status if status == Status::OpTimeout as u8 => Decision::OpTimeout { src, op, mask },
            status if status == Status::Superseded as u8 => Decision::Superseded { src, op, mask },
            status if status == Status::Aborted as u8 => Decision::Aborted { src, op, mask },
            _ => {
                let event = if complete.arrival { "data_arrival" } else { "operation" };
                Decision::Complete { src, op, base: base.into(), bytes, packets, status, event, imm }
            }
        }
    }

    /// A message to the sender.
    pub fn notify(notify: &Notify) -> Decision {
        let Notify { kind, src, op, index, status, mask, .. } = *notify;
        let mask = Hex::from(mask);
        if kind == 0xc3 { Decision::OpAck { src, op, status, index, mask } } else { Decision::Notify { src, op, status, index, mask } }
    }
}
