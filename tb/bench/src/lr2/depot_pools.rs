//! The pools of a Depot as a step's owner keeps them: rings of `R` PSNs per flow, and what is in use of what the flows share.

use rdma_rtl_golden::bitmap::psn::{add, ahead};
use rdma_rtl_golden::lr2::packet::Packet;

/// What is at a place of a flow's ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    #[default]
    Absent,
    Held(Packet),
    /// one of the PSNs of a request that is held
    Covered,
}

/// The rings of one flow.
#[derive(Clone, Debug)]
pub struct Rings {
    held: Vec<Place>,
    copies: Vec<Option<Packet>>,
    /// places in use
    pub used: usize,
}

/// What is in use of all.
#[derive(Clone, Debug, Default)]
pub struct InUse {
    pub slots: usize,
    pub backups: usize,
    pub segments: usize,
    /// places of the backup pool
    pub most_backups: usize,
}

impl Rings {
    pub fn new(reach: u32) -> Rings {
        Rings { held: vec![Place::Absent; reach as usize], copies: vec![None; reach as usize], used: 0 }
    }

    fn at(&self, psn: u32) -> usize {
        psn as usize & (self.held.len() - 1)
    }

    /// The place of a PSN is taken.
    pub fn there(&self, psn: u32) -> bool {
        self.held[self.at(psn)] != Place::Absent
    }

    /// Its segment has something.
    pub fn mapped(&self, psn: u32) -> bool {
        let first = self.at(psn) & !63;
        self.held[first..first + 64].iter().any(|place| *place != Place::Absent)
    }

    /// A packet begins there.
    pub fn leads(&self, psn: u32) -> bool {
        self.packet(psn).is_some()
    }

    pub fn packet(&self, psn: u32) -> Option<Packet> {
        match self.held[self.at(psn)] {
            Place::Held(packet) => Some(packet),
            _ => None,
        }
    }

    pub fn copy(&self, psn: u32) -> Option<Packet> {
        self.copies[self.at(psn)]
    }

    fn segments(&self) -> usize {
        self.held.chunks(64).filter(|segment| segment.iter().any(|place| *place != Place::Absent)).count()
    }

    fn vacate(&mut self, psn: u32, all: &mut InUse) {
        let at = self.at(psn);
        if let Place::Held(_) = std::mem::take(&mut self.held[at]) {
            self.used -= 1;
            all.slots -= 1;
        }
    }

    /// PSNs behind a range that belong to a packet which begins in it, or before.
    pub fn rest(&self, start: u32, length: u32) -> u32 {
        (length..self.held.len() as u32).take_while(|&on| self.held[self.at(add(start, on))] == Place::Covered).count() as u32
    }

    /// The places of `length` PSNs are free, and the rest of what began in them.
    pub fn free(&mut self, start: u32, length: u32, all: &mut InUse) {
        let old = self.segments();
        (0..length + self.rest(start, length)).for_each(|on| self.vacate(add(start, on), all));
        all.segments = all.segments + self.segments() - old;
    }

    /// The copies of `length` PSNs are gone.
    pub fn drop(&mut self, start: u32, length: u32, all: &mut InUse) {
        for on in 0..length {
            let at = self.at(add(start, on));
            all.backups -= usize::from(self.copies[at].take().is_some());
        }
    }

    /// A packet is held.
    /// # Errors
    /// Its place, or one of the PSNs that it consumes, is taken and was to be free.
    pub fn hold(&mut self, packet: Packet, clears: bool, all: &mut InUse) -> Result<(), String> {
        let old = self.segments();
        let span = packet.span.max(1);
        if span as usize > self.held.len() {
            return Err(format!("{span} PSNs are held in a ring of {}", self.held.len()));
        }
        if clears {
            let mut on = 0;
            while on < self.held.len() as u32 && (on < span || self.held[self.at(add(packet.psn, on))] == Place::Covered) {
                self.vacate(add(packet.psn, on), all);
                on += 1;
            }
        }
        for on in 0..span {
            let at = self.at(add(packet.psn, on));
            if self.held[at] != Place::Absent {
                return Err(format!("{:#x} is held already", add(packet.psn, on)));
            }
            self.held[at] = if on == 0 { Place::Held(packet) } else { Place::Covered };
        }
        self.used += 1;
        all.slots += 1;
        all.segments = all.segments + self.segments() - old;
        Ok(())
    }

    /// A copy is kept, if there is room.
    /// # Errors
    /// There is one already.
    pub fn keep(&mut self, packet: Packet, all: &mut InUse) -> Result<(), String> {
        let at = self.at(packet.psn);
        if let Some(old) = self.copies[at] {
            return Err(format!("a copy of {:#x} is in the place of {:#x}", old.psn, packet.psn));
        }
        if all.backups < all.most_backups {
            self.copies[at] = Some(packet);
            all.backups += 1;
        }
        Ok(())
    }

    /// The maximal runs of absent PSNs in `[start, end)`, at most `most`; beyond the ring everything is absent.
    pub fn runs(&self, start: u32, end: u32, most: u32) -> Vec<(u32, u32)> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        let (mut on, length) = (0, ahead(start, end));
        while on < length && runs.len() < most as usize {
            let absent = |on: u32| on >= self.held.len() as u32 || !self.there(add(start, on));
            if !absent(on) {
                on += 1;
                continue;
            }
            let first = on;
            while on < length && absent(on) {
                on += 1;
            }
            runs.push((add(start, first), on - first));
        }
        runs
    }
}
