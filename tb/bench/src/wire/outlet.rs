//! Frames that a builder offers, beat by beat.

use rdma_rtl_sim::Model;

/// What comes out of `out_*`.
pub(crate) struct Outlet {
    valid: usize,
    last: usize,
    data: usize,
    keep: usize,
    /// bytes of a beat
    beat: usize,
    held: Option<Vec<u32>>,
    bytes: Vec<u8>,
    /// beats that were taken
    pub(crate) beats: u64,
}

/// What a clock brought.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// no beat was taken, and whether one was offered
    Nothing { offered: bool },
    /// a beat was taken, and whether it is the first of its frame
    Beat { first: bool },
    /// the last one, and the frame
    Frame { first: bool, bytes: Vec<u8> },
}

impl Outlet {
    /// # Panics
    /// The design has no frames.
    pub(crate) fn new(model: &dyn Model) -> Outlet {
        let port = |name: &str| model.port(name).unwrap_or_else(|| panic!("no port `{name}`"));
        let [valid, last, data, keep] = ["out_valid", "out_last", "out_data", "out_keep"].map(port);
        Outlet { valid, last, data, keep, beat: model.ports()[data].width / 8, held: None, bytes: Vec::new(), beats: 0 }
    }

    /// A frame is half out.
    pub(crate) fn is_inside(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// Looks at a settled clock in which `out_ready` is `takes`.
    ///
    /// A beat that was offered stays until it is taken; every beat but the last is full, the last has its low bytes.
    pub(crate) fn look(&mut self, model: &dyn Model, takes: bool) -> Result<Came, String> {
        let now = model.cycle();
        let read = |port: usize| {
            let mut words = vec![0; model.ports()[port].words()];
            model.peek(port, &mut words);
            words
        };
        let shows = model.peek_u64(self.valid) == 1;
        let what = shows.then(|| [read(self.data), read(self.keep), read(self.last)].concat());
        if self.held.is_some() && self.held != what {
            return Err(format!("cycle {now}: a beat that was offered has changed"));
        }
        self.held = what.filter(|_| !takes);
        if !shows || !takes {
            return Ok(Came::Nothing { offered: shows });
        }
        let first = self.bytes.is_empty();
        let (data, keep) = (read(self.data), read(self.keep));
        let kept = keep.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
        let ends = model.peek_u64(self.last) == 1;
        self.bytes.extend((0..kept).map(|i| (data[i / 4] >> (8 * (i % 4))) as u8));
        if (0..self.beat).any(|i| (keep[i / 32] >> (i % 32) & 1 == 1) != (i < kept)) || (!ends && kept != self.beat) {
            return Err(format!("cycle {now}: a beat of {kept} of {} bytes, last {ends}, keep {keep:x?}", self.beat));
        }
        self.beats += 1;
        Ok(if ends { Came::Frame { first, bytes: std::mem::take(&mut self.bytes) } } else { Came::Beat { first } })
    }
}
