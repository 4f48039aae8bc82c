//! Answers that come: what the network and the receivers do with each packet, and what follows from what they say.

use super::Traffic;
use crate::endpoint::Endpoint;
use crate::send_endpoint::peer::{Address, Message, acknowledge, forge};
use rand::Rng;
use rdma_rtl_golden::send::{OpKind, status};
use rdma_rtl_golden::wire::Control;

impl Traffic {
    pub(super) fn say(&mut self, due: u64, control: Control, address: Address) {
        self.messages.push(Message { due, control, address });
    }

    /// The network and the receiver do with a packet what they do.
    pub(super) fn answer(&mut self, now: u64, op: u32, packet: usize) {
        let (mix, timers) = (self.plan.mix, self.plan.timers);
        let Some(operation) = self.operations.get_mut(&op) else { return };
        let rng = &mut self.rng;
        let mut percent = |p: u32| rng.random_range(0..100) < p;
        let (lost, negative, silent, late, doubled) =
            (percent(mix.lost), percent(mix.negative), percent(mix.silent), percent(mix.late), percent(mix.doubled));
        let (overlap, forged, alone, whole) = (percent(mix.overlap), percent(mix.forged), percent(60), percent(50));
        let patience = timers.patience(0) * u64::from(timers.prescale);
        let delay = if late { rng.random_range(patience..3 * patience) } else { rng.random_range(1..patience / 3) };
        let soon = now + delay;
        let count = operation.tries.len();
        if forged {
            let (control, address) = forge(rng, op, operation.sent(), count, self.plan.index_bits);
            let due = now + rng.random_range(0..200);
            self.messages.push(Message { due, control, address });
            self.done.forged += 1;
        }
        if operation.dead {
            return;
        }
        let mut said = Vec::new();
        if lost {
            if negative && operation.segment.kind == OpKind::Data {
                let mut bits = vec![false; count];
                bits[packet] = true;
                said = acknowledge(op, &bits, 11);
            }
        } else if let Some(status) = operation.rejects {
            said.push(Control::Completion { op, status, packets: 0 });
        } else if overlap && operation.segment.kind == OpKind::Data && !operation.received[0] {
            // the receiver knows nothing of it yet
            said.push(Control::Completion { op, status: 7, packets: 0 });
        } else {
            operation.received[packet] = true;
            let all = operation.received.iter().all(|&received| received);
            if all && (whole || operation.segment.kind == OpKind::Arrival) {
                said.push(Control::Completion { op, status: 0, packets: count as u32 });
            } else if alone {
                let mut bits = vec![false; count];
                bits[packet] = true;
                said = acknowledge(op, &bits, 0);
            } else {
                said = acknowledge(op, &operation.received, 0);
            }
        }
        for control in said {
            if !silent {
                self.say(soon, control.clone(), Address::Ours);
            }
            if doubled {
                let later = soon + self.rng.random_range(0..100);
                self.say(later, control, Address::Ours);
            }
        }
    }

    /// What a message changes when it comes in.
    pub(super) fn hear(&mut self, control: &Control) {
        let (Control::Completion { op, .. } | Control::OpAck { op, .. }) = *control else { return };
        let Some(operation) = self.operations.get_mut(&op).filter(|o| o.ended.is_none()) else { return };
        let sent = operation.sent();
        match *control {
            Control::OpAck { index, status, mask, .. } if index % 64 == 0 => {
                for packet in (usize::from(index)..sent).take(64).filter(|packet| mask >> (packet % 64) & 1 == 1) {
                    if status == 0 {
                        operation.acknowledged[packet] = true;
                    } else if !operation.acknowledged[packet] {
                        operation.hurry[packet] += 1;
                    }
                }
            }
            Control::Completion { status: 0, .. } if sent == operation.tries.len() => operation.acknowledged.fill(true),
            Control::Completion { status: 7, .. } if sent > 0 => operation.overlaps += 1,
            Control::Completion { status, .. } if status != 0 && sent > 0 => operation.ended = Some(status),
            _ => {}
        }
        if operation.acknowledged.iter().all(|&acknowledged| acknowledged) {
            operation.ended = Some(status::DONE);
        }
        let (ended, kind) = (operation.ended, operation.segment.kind);
        if let Some(status) = ended.filter(|&status| status != status::DONE && kind == OpKind::Data)
            && let Some(posted) = self.posted.get_mut(&operation.id)
        {
            posted.failures.insert(status);
        }
    }

    /// Messages whose time has come.
    pub(super) fn deliver(&mut self, endpoint: &mut Endpoint) {
        let now = endpoint.now();
        let mut at = 0;
        while at < self.messages.len() {
            if self.messages[at].due > now {
                at += 1;
                continue;
            }
            let message = self.messages.swap_remove(at);
            let early = match message.control {
                Control::Completion { op, status: 0, .. } => {
                    self.operations.get(&op).filter(|o| o.ended.is_none() && o.sent() < o.tries.len())
                }
                _ => None,
            };
            // It is a lie only while enough is still to be sent.
            if message.address == Address::Ours
                && early.is_some_and(|o| o.sent() + 8 > o.tries.len() || o.sent() == 0 || endpoint.frames.waiting() > 0)
            {
                continue;
            }
            let (bytes, user) = message.frame();
            endpoint.frames.packet(&bytes, user);
            self.done.messages += 1;
            match message.address {
                Address::Ours => {
                    self.count("messages");
                    self.hear(&message.control);
                }
                Address::Other => self.count("count_frame_not_our_qp"),
                Address::Damaged => self.count("count_frame_icrc"),
                Address::Foreign => self.count("count_frame_foreign"),
            }
        }
    }
}
