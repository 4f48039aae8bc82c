//! Frames that leave: each must be the golden one, in its turn and not before its time.

use super::operation::{Operation, all_acknowledged};
use super::{APART, TARGETS, Traffic};
use rand::Rng;
use rdma_rtl_golden::registry::{Header, Kind};
use rdma_rtl_golden::send::splitter::Segment;
use rdma_rtl_golden::send::{OpKind, status};
use rdma_rtl_golden::wire::{Reader, parse_judged};

impl Traffic {
    /// The first packet of an operation: which one it is.
    pub(super) fn begin(&mut self, header: &Header) -> Result<(), String> {
        let Header { op, addr, kind, .. } = *header;
        if kind == Kind::Body {
            return Err(format!("a packet of {op:#06x}, of which there was none before, is no start"));
        }
        if let Some(old) = self.operations.get(&op).filter(|o| o.ended.is_none() && !o.exhausted(&self.plan.timers)) {
            return Err(format!("{op:#06x} begins for {addr:#x}, but is live for {:#x}", old.segment.target));
        }
        let id = (addr.wrapping_sub(TARGETS) / APART) as u16;
        let posted = self.posted.get_mut(&id).ok_or_else(|| format!("{op:#06x} begins at {addr:#x}, where no command is"))?;
        let segment = if kind == Kind::Arrival {
            if posted.told != Some(status::DONE) && !all_acknowledged(posted, &self.operations) {
                return Err(format!("command {id:#06x} arrives before its data"));
            }
            if !posted.command.arrival || posted.arrival.replace(op).is_some() {
                return Err(format!("command {id:#06x} arrives, and should not"));
            }
            let (bytes, first) = (posted.command.bytes() as u32, &posted.segments[0]);
            Segment {
                kind: OpKind::Arrival,
                target: posted.command.target,
                bytes,
                count: 1,
                imm: None,
                pieces: Vec::new(),
                ..first.clone()
            }
        } else {
            if let Some(told) = posted.told {
                return Err(format!("command {id:#06x} goes on after it was told to have ended with {told}"));
            }
            let at = posted.segments.iter().position(|s| s.target == addr).ok_or_else(|| format!("no segment begins at {addr:#x}"))?;
            if let Some(other) = posted.begun[at].replace(op) {
                return Err(format!("{op:#06x} begins at {addr:#x} as {other:#06x} did"));
            }
            posted.segments[at].clone()
        };
        let psn = &mut self.psn[usize::from(segment.node)];
        let first = *psn;
        if segment.kind == OpKind::Data {
            *psn = (*psn + u32::from(segment.count)) & 0xff_ffff;
            self.done.operations += 1;
        } else {
            self.done.arrivals += 1;
        }
        let count = usize::from(segment.count);
        let mix = self.plan.mix;
        let dead = self.rng.random_range(0..100) < mix.dead;
        let rejects = (self.rng.random_range(0..100) < mix.rejected).then(|| [1, 4, 5, 9, 13, 15, 16][self.rng.random_range(0..7)]);
        let operation = Operation {
            id,
            segment,
            psn: first,
            tries: vec![0; count],
            last: vec![0; count],
            hurry: vec![0; count],
            acknowledged: vec![false; count],
            received: vec![false; count],
            overlaps: 0,
            ended: None,
            aborted: false,
            dead,
            rejects,
        };
        self.operations.insert(op, operation);
        Ok(())
    }

    /// A frame has left at `now`.
    pub(super) fn frame(&mut self, now: u64, bytes: &[u8]) -> Result<(), String> {
        let read = parse_judged(bytes, true, &Reader::registry()).map_err(|reason| format!("{bytes:02x?} reads as {reason}"))?;
        let header = read.header().ok_or_else(|| format!("{bytes:02x?} is no packet of an operation"))?;
        let (op, again) = (header.op, read.bth.reserved6 & 1 == 1);
        self.count("count_data_frames");
        self.done.frames += 1;
        let timers = self.plan.timers;
        let known = |t: &Self| t.operations.contains_key(&op);
        let expected = if header.kind == Kind::Abort {
            self.count("count_aborts");
            self.done.aborts += 1;
            let operation = self.operations.get_mut(&op).ok_or_else(|| format!("an abort of {op:#06x}, which never was"))?;
            if operation.aborted || !operation.exhausted(&timers) {
                return Err(format!("{op:#06x} is aborted, tried {:?} times", operation.tries));
            }
            operation.aborted = true;
            self.sender.abort(&operation.segment, op)
        } else {
            if !again && (header.kind != Kind::Body || !known(self)) {
                self.begin(&header)?;
            }
            let operation = self.operations.get_mut(&op).ok_or_else(|| format!("{op:#06x} is sent again, which never was"))?;
            let at = header.addr.wrapping_sub(operation.segment.target);
            let packet = if operation.segment.kind == OpKind::Arrival { 0 } else { (at / u64::from(self.sender.packet_size)) as usize };
            let tries = operation.tries.get(packet).copied().ok_or_else(|| format!("packet {packet} of {op:#06x}"))?;
            if again != (tries > 0) || (!again && packet != operation.sent()) {
                return Err(format!("packet {packet} of {op:#06x}, again: {again}, after {:?}", operation.tries));
            }
            if again {
                if tries > u32::from(timers.retry_limit) {
                    return Err(format!("packet {packet} of {op:#06x} was sent {tries} times before"));
                }
                // clocks since its timer was started; a tick that has begun counts as a whole one
                let least = timers.patience(tries as u8 - 1).saturating_sub(1) * u64::from(timers.prescale);
                let waited = now - operation.last[packet];
                // Its timer may have asked for it just before a negative message did: then both come, and only the second needs the
                // message.
                if waited < least {
                    operation.hurry[packet] = operation.hurry[packet].checked_sub(1).ok_or_else(|| {
                        format!("packet {packet} of {op:#06x} is sent again after {waited} clocks, {least} are the least")
                    })?;
                }
                self.done.again += 1;
            }
            operation.tries[packet] += 1;
            operation.last[packet] = now;
            let posted = self.posted.get(&operation.id).ok_or_else(|| format!("{op:#06x}: its command is long over"))?;
            let (at, size) = self.sender.place(&operation.segment, packet as u16);
            let from = (operation.segment.target - posted.command.target) as usize + at as usize;
            let payload = posted.payload.get(from..from + size as usize).map(<[u8]>::to_vec).unwrap_or_default();
            self.done.bytes += payload.len() as u64;
            let psn = (operation.psn + packet as u32) & 0xff_ffff;
            let frame = self.sender.frame(&operation.segment, op, packet as u16, again, psn, payload);
            self.count("count_packets");
            if again {
                self.count("count_retransmissions");
            }
            self.answer(now, op, packet);
            frame
        };
        let segment = &self.operations[&op].segment;
        let node = &self.addresses.nodes[usize::from(segment.node)];
        let expected = self.addresses.template.bytes(expected, node);
        if expected != bytes {
            let at = expected.iter().zip(bytes).position(|(a, b)| a != b).unwrap_or(expected.len().min(bytes.len()));
            let (found, wanted) = (bytes.len(), expected.len());
            return Err(format!("{op:#06x}: byte {at} differs, {found} bytes, expected {wanted}\n{bytes:02x?}\n{expected:02x?}"));
        }
        Ok(())
    }
}
