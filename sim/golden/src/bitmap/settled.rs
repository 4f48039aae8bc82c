//! Two facts of a packet: it is *present* when it has come, whatever its verdict will be, and *settled* when nothing is open about it any
//! more.
//!
//! Spec: bitmap loss detection, "Combined profile: here, but not acknowledged". Gaps and their feedback are of what is present; base,
//! acknowledgements and ranges of what is settled. A packet that is dropped after it had come is a gap again. Decided here: it is asked for
//! at once, by itself, and no more than once; what is lost then is for the sender's timer. The base of a feedback message is the one that
//! was acknowledged last, or its start if that is before it.

use super::{Arrived, Cause, Config, Ffm, Gap, Message, Params, PathMode, Receiver, Window, psn};
use std::collections::{BTreeMap, VecDeque};

/// The model.
#[derive(Clone, Debug)]
pub struct TwoFacts {
    present: Receiver,
    settled: Receiver,
    dropped: VecDeque<(u32, u32)>,
    heard: BTreeMap<u32, u32>,
    now: u64,
}

impl TwoFacts {
    /// # Errors
    /// As [`Receiver::new`].
    pub fn new(params: Params, config: Config) -> Result<TwoFacts, String> {
        let [present, settled] = [params; 2].map(|params| Receiver::new(params, config));
        Ok(TwoFacts { present: present?, settled: settled?, dropped: VecDeque::new(), heard: BTreeMap::new(), now: 0 })
    }

    /// Opens a queue pair.
    pub fn open(&mut self, qp: u32, initial: u32) -> bool {
        self.heard.insert(qp, initial);
        self.dropped.retain(|&(other, _)| other != qp);
        [&mut self.present, &mut self.settled].map(|receiver| receiver.open(qp, initial, PathMode::Off)) == [true; 2]
    }

    /// Closes it.
    pub fn close(&mut self, qp: u32) -> bool {
        self.dropped.retain(|&(other, _)| other != qp);
        [&mut self.present, &mut self.settled].map(|receiver| receiver.close(qp)) == [true; 2]
    }

    /// It is `now`.
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        self.present.tick(now);
        self.settled.tick(now);
    }

    /// A packet has come.
    pub fn arrive(&mut self, qp: u32, number: u32, path: u8, retransmission: bool) -> Arrived {
        self.present.arrive(qp, number, path, retransmission)
    }

    /// A packet that has come is settled.
    pub fn settle(&mut self, qp: u32, number: u32, path: u8, retransmission: bool) -> Arrived {
        self.settled.arrive(qp, number, path, retransmission)
    }

    /// A packet that has come is dropped.
    pub fn drop(&mut self, qp: u32, number: u32) {
        if self.present.is_open(qp) {
            self.dropped.push_back((qp, number));
        }
    }

    fn base(&self, qp: u32, start: u32) -> u32 {
        self.heard.get(&qp).copied().filter(|&heard| !psn::before(start, heard)).unwrap_or(start)
    }

    /// The wire has room for a message.
    pub fn message(&mut self) -> Option<Message> {
        if let Some((qp, number)) = self.dropped.pop_front() {
            let base = self.base(qp, number);
            return Some(Message::Ffm(Ffm {
                qp,
                start: number,
                length: 1,
                edge: number,
                base,
                timestamp: self.now as u32,
                path: 0,
                status: Cause::Dropped,
                depth: 0,
                repeat: 0,
                misjudged: 0,
            }));
        }
        while let Some(message) = self.present.message() {
            if let Message::Ffm(ffm) = message {
                let base = self.base(ffm.qp, ffm.start);
                return Some(Message::Ffm(Ffm { base, ..ffm }));
            }
        }
        while let Some(message) = self.settled.message() {
            match message {
                Message::Ffm(_) => {}
                Message::Ack(ack) => {
                    self.heard.insert(ack.qp, psn::add(ack.psn, 1));
                    return Some(message);
                }
                Message::Range(_) => return Some(message),
            }
        }
        None
    }

    /// Gaps of what is present.
    pub fn gaps(&self, qp: u32) -> &[Gap] {
        self.present.gaps(qp)
    }

    /// The window of what is settled.
    pub fn window(&self, qp: u32) -> Option<&Window> {
        self.settled.window(qp)
    }
}
