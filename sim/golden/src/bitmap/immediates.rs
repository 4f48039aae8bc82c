//! Immediates that wait until everything before them has arrived.

use super::psn;
use crate::registry::{Mismatch, mismatch};

/// Immediates that may be under way or wait.
pub const PLACES: usize = 16;

/// The immediate of one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Immediate {
    pub qp: usize,
    pub psn: u32,
    pub imm: u32,
    pub addr: u64,
    pub bytes: u16,
}

/// Every immediate that arrives is told once, when its packet and all before it are acknowledged, or never, if its queue pair is closed
/// first. Those that are due may be told in any order.
#[derive(Clone, Debug)]
pub struct Immediates {
    /// highest packet that is acknowledged, of a queue pair that is open
    edges: Vec<Option<u32>>,
    waiting: Vec<Immediate>,
    /// packets that were taken and whose immediate is not here yet
    coming: usize,
}

impl Immediates {
    /// No queue pair is open.
    pub fn new(queue_pairs: usize) -> Immediates {
        Immediates { edges: vec![None; queue_pairs], waiting: Vec::new(), coming: 0 }
    }

    /// Places that are taken.
    pub fn used(&self) -> usize {
        self.coming + self.waiting.len()
    }

    /// A packet with an immediate was taken.
    /// # Errors
    /// There was no room for it.
    pub fn reserve(&mut self) -> Result<(), Mismatch> {
        if self.used() >= PLACES {
            return mismatch!("a packet with an immediate was taken with {} places of {PLACES} in use", self.used());
        }
        self.coming += 1;
        Ok(())
    }

    /// Nothing comes of one that was taken.
    pub fn lost(&mut self) {
        self.coming -= 1;
    }

    /// One that was taken is here. That of a queue pair which is closed is forgotten.
    pub fn arrive(&mut self, immediate: Immediate) {
        self.coming -= 1;
        if self.edges[immediate.qp].is_some() {
            self.waiting.push(immediate);
        }
    }

    /// A queue pair is opened; its first packet is `first`.
    pub fn open(&mut self, qp: usize, first: u32) {
        self.edges[qp] = Some(psn::sub(first, 1));
    }

    /// A queue pair is closed: what waits of it is forgotten.
    pub fn close(&mut self, qp: usize) {
        self.edges[qp] = None;
        self.waiting.retain(|waiting| waiting.qp != qp);
    }

    /// Everything up to `edge` has arrived. Of a queue pair that is closed it is too late.
    pub fn acknowledged(&mut self, qp: usize, edge: u32) {
        self.edges[qp] = self.edges[qp].map(|_| edge);
    }

    /// Everything up to this one has arrived.
    pub fn is_due(&self, immediate: &Immediate) -> bool {
        self.edges[immediate.qp].is_some_and(|edge| !psn::before(edge, immediate.psn))
    }

    /// Those that are to be told.
    pub fn due(&self) -> usize {
        self.waiting.iter().filter(|waiting| self.is_due(waiting)).count()
    }

    /// One is told.
    /// # Errors
    /// It does not wait, or something before it is missing.
    pub fn tell(&mut self, immediate: &Immediate) -> Result<(), Mismatch> {
        let Some(at) = self.waiting.iter().position(|waiting| waiting == immediate) else {
            return mismatch!("{immediate:x?} was told, and does not wait");
        };
        if !self.is_due(immediate) {
            return mismatch!("{immediate:x?} was told, and its queue pair is acknowledged up to {:x?}", self.edges[immediate.qp]);
        }
        self.waiting.remove(at);
        Ok(())
    }

    /// As [`tell`](Immediates::tell), of one whose number is not told.
    /// # Errors
    /// None that waits is like it, or none of these is due.
    pub fn tell_any(&mut self, told: &Immediate) -> Result<(), Mismatch> {
        let like = |waiting: &&Immediate| Immediate { psn: told.psn, ..**waiting } == *told;
        let due = self.waiting.iter().filter(like).find(|waiting| self.is_due(waiting));
        let found = due.or_else(|| self.waiting.iter().find(like)).copied();
        self.tell(&found.unwrap_or(*told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_told_once_and_in_its_time() {
        let mut model = Immediates::new(2);
        let one = Immediate { qp: 1, psn: 0, imm: 7, addr: 64, bytes: 2 };
        model.open(1, psn::SPACE - 1);
        model.reserve().unwrap();
        model.arrive(one);
        assert!(model.due() == 0 && model.tell(&one).is_err());
        model.acknowledged(1, 0);
        assert_eq!((model.due(), model.used()), (1, 1));
        model.tell(&one).unwrap();
        assert!(model.tell(&one).is_err() && model.used() == 0);
    }

    #[test]
    fn a_closed_queue_pair_tells_none_and_sixteen_are_all() {
        let mut model = Immediates::new(1);
        model.open(0, 0);
        for psn in 0..PLACES as u32 {
            model.reserve().unwrap();
            model.arrive(Immediate { qp: 0, psn, imm: psn, addr: 0, bytes: 0 });
        }
        assert!(model.reserve().is_err());
        model.close(0);
        assert_eq!(model.used(), 0);
    }
}
