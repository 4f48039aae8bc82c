//! What a selective receiver must agree on with a Go-Back-N responder that has seen the same frames.
//!
//! Soft-RoCE names the first packet that it misses, once, and drops what follows until that one has come. As long as it has dropped nothing
//! that the bitmap has kept, both miss the same first packet; at any time the bitmap has all that the peer has acknowledged.

use super::requests::{Connection, Opened, Requests};
use crate::capture::CapturedFrame;
use rdma_rtl_golden::bitmap::psn;
use rdma_rtl_golden::decision::{Decision, Line};
use rdma_rtl_golden::wire::{self, Ip, Opcode, Reader};
use std::collections::HashMap;

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// runs of clocks in which something was missing, that began when the peer missed nothing either
    pub episodes: u64,
    /// positive acknowledgements of the peer
    pub acks: u64,
    /// its negative ones
    pub naks: u64,
    /// ... about a packet that the bitmap has
    pub naks_of_what_is_here: u64,
}

/// One queue pair.
struct End {
    /// what the hardware has acknowledged, and the highest that it has accepted
    base: u32,
    max: u32,
    /// what the peer waits for
    expected: u32,
    /// something is missing
    open: bool,
    /// the peer must name it next
    names: Option<u32>,
    told: Vec<u32>,
}

/// Holds the decisions of the hardware, on frames far enough apart that each is done with before the next comes, with every gap told at
/// once, against what the responder said in the same capture. Both ends' queue pairs have the same number.
/// # Errors
/// The first frame after which they contradict each other.
pub fn compare(frames: &[CapturedFrame], requests: &Requests, lines: &[Line]) -> Result<Compared, String> {
    let mut compared = Compared::default();
    let begin = |&Opened { connection, initial, .. }: &Opened| {
        let end = End { base: initial, max: psn::sub(initial, 1), expected: initial, open: false, names: None, told: Vec::new() };
        (connection, end)
    };
    let mut ends: HashMap<Connection, End> = requests.connections.iter().map(begin).collect();
    let mut of = |host: &str, qp: u32, and: &mut dyn FnMut(&mut End) -> Result<(), String>| {
        let connection = host.parse().ok().map(|host| Connection { host, qp });
        connection.and_then(|connection| ends.get_mut(&connection)).map_or(Ok(()), and)
    };
    let mut last = None;
    for line in lines {
        match &line.decision {
            Decision::BitmapPacket { frame, host, qp, psn: number, verdict, .. } => of(host, *qp, &mut |end| {
                if *verdict == "out_of_window" {
                    return Err(format!("frame {frame}: {number:#x} is beyond the window"));
                }
                if *verdict == "new" && psn::before(end.max, *number) {
                    end.max = *number;
                }
                if *number == end.expected {
                    end.expected = psn::add(end.expected, 1);
                }
                last = Some(*frame);
                Ok(())
            })?,
            Decision::Ack { host, qp, base } => of(host, *qp, &mut |end| {
                end.base = *base;
                end.open &= !psn::before(end.max, *base);
                Ok(())
            })?,
            Decision::Gap { host, qp, start, .. } => of(host, *qp, &mut |end| {
                end.told.push(*start);
                let begins = !std::mem::replace(&mut end.open, true);
                if begins && end.base != *start {
                    return Err(format!("after frame {last:?}: the first gap begins at {start:#x}, the base is {:#x}", end.base));
                }
                if begins && end.expected == *start {
                    compared.episodes += 1;
                    end.names = Some(*start);
                }
                Ok(())
            })?,
            Decision::Ignored { frame, .. } => {
                let captured = &frames[*frame as usize];
                let Ok(response) = wire::parse(&captured.bytes, captured.cut, &Reader::default()) else { continue };
                let (Opcode::ACKNOWLEDGE, Some(aeth)) = (response.bth.opcode, response.aeth) else { continue };
                let source = match response.ip {
                    Ip::V4 { source, .. } => source.to_string(),
                    Ip::V6 { source, .. } => source.to_string(),
                };
                let number = response.bth.psn;
                of(&source, response.bth.destination_qp, &mut |end| {
                    let error = |why: &str| Err(format!("frame {frame}: the peer says {number:#x}, {why}; the base is {:#x}", end.base));
                    let negative = aeth.syndrome >> 5 != 0;
                    if let Some(first) = end.names.take()
                        && (!negative || number != first)
                    {
                        return error(&format!("but {first:#x} is missing"));
                    }
                    let edge = if negative { number } else { psn::add(number, 1) };
                    if psn::before(end.base, edge) {
                        return error("which is further than the hardware");
                    }
                    if negative {
                        compared.naks += 1;
                        compared.naks_of_what_is_here += u64::from(number != end.base);
                        if number != end.expected {
                            return error("and is no Go-Back-N receiver");
                        }
                        if number == end.base && !end.told.contains(&number) {
                            return error("which the hardware has not told");
                        }
                    } else {
                        compared.acks += 1;
                    }
                    Ok(())
                })?;
            }
            _ => {}
        }
    }
    match ends.values().find_map(|end| end.names) {
        Some(first) => Err(format!("the peer has never named {first:#x}")),
        None => Ok(compared),
    }
}
