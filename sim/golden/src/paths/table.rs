//! The paths of a sender: which are in, and what each has done.

use super::Fault;

/// One path, all queue pairs together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathState {
    /// packets that went over it, repeated ones among them
    pub sent: u64,
    pub repeated: u64,
    /// packets that a message has asked for again after this path had carried them
    pub lost: u64,
    pub acknowledged: u64,
    /// packets under way or lost
    pub unacknowledged: u64,
    /// smoothed time from a packet to its acknowledgement, in eighths of a tick; 0: none yet
    pub delay: u64,
    /// what became of the last 64 packets, the newest in bit 0; set: lost
    history: u64,
    /// it rests until then
    rests: Option<u64>,
    /// software has taken it out
    held: bool,
}

impl PathState {
    /// It is left out, or taken out by software.
    pub fn is_out(&self) -> bool {
        self.held || self.rests.is_some()
    }
}

/// The table.
#[derive(Clone, Debug)]
pub struct Table {
    states: Vec<PathState>,
    bad: u32,
    rest: u64,
    fault: Option<Fault>,
}

impl Table {
    /// `paths` paths, all of them in. One that loses more than `bad` of 64 packets rests for `rest` ticks.
    pub fn new(paths: u8, bad: u32, rest: u32, fault: Option<Fault>) -> Table {
        Table { states: vec![PathState::default(); paths.into()], bad, rest: rest.into(), fault }
    }

    /// What is known of each path.
    pub fn states(&self) -> &[PathState] {
        &self.states
    }

    pub(super) fn state(&mut self, path: u8) -> &mut PathState {
        &mut self.states[usize::from(path)]
    }

    fn mask(&self, is_member: impl Fn(&PathState) -> bool) -> u16 {
        self.states.iter().enumerate().filter(|(_, state)| is_member(state)).fold(0, |mask, (path, _)| mask | 1 << path)
    }

    /// Paths that may be chosen: those that are in, or all where none is.
    pub fn usable(&self) -> u16 {
        let all = self.mask(|_| true);
        if self.fault == Some(Fault::SenderOutIgnored) {
            return all;
        }
        match self.mask(|state| !state.is_out()) {
            0 if self.fault == Some(Fault::SenderAllOutIsFirst) => 1,
            0 => all,
            usable => usable,
        }
    }

    /// A packet of the path is acknowledged, or lost. Whether the path is left out now.
    pub(super) fn outcome(&mut self, path: u8, is_lost: bool, now: u64) -> bool {
        let (bad, until, fault) = (self.bad, now + self.rest, self.fault);
        let state = self.state(path);
        state.history = state.history << 1 | u64::from(is_lost);
        // What a path carried before its rest says nothing of the time after it.
        if state.rests.is_some() || state.history.count_ones() <= bad || fault == Some(Fault::SenderNeverLeftOut) {
            return false;
        }
        state.rests = Some(until);
        true
    }

    /// Software takes a path out, or lets it in.
    pub(super) fn hold(&mut self, path: u8, is_out: bool) {
        self.state(path).held = is_out;
    }

    /// Time is `now`: paths that have rested for long enough.
    pub(super) fn taken_in(&mut self, now: u64) -> Vec<u8> {
        let fault = self.fault;
        let rested = |state: &PathState| state.rests.is_some_and(|until| now > until) && fault != Some(Fault::SenderNeverTakenIn);
        let mut paths = Vec::new();
        for (path, state) in self.states.iter_mut().enumerate().filter(|(_, state)| rested(state)) {
            state.rests = None;
            if fault != Some(Fault::SenderHistoryStays) {
                state.history = 0;
            }
            paths.push(path as u8);
        }
        paths
    }

    /// The path after `last` of a mask.
    pub(super) fn next(&self, mask: u16, last: u8) -> Option<u8> {
        let paths = self.states.len() as u8;
        (1..=paths).map(|step| (last + step) % paths).find(|path| mask >> path & 1 == 1)
    }

    /// The path of a mask with the fewest unacknowledged packets, of several the next after `last`.
    pub(super) fn least(&self, mask: u16, last: u8) -> Option<u8> {
        let paths = self.states.len() as u8;
        let turn = (1..=paths).map(|step| (last + step) % paths).filter(|path| mask >> path & 1 == 1);
        let unacknowledged = |path: &u8| self.states[usize::from(*path)].unacknowledged;
        match self.fault {
            Some(Fault::SenderLeastIsMost) => turn.max_by_key(unacknowledged),
            _ => turn.min_by_key(unacknowledged),
        }
    }

    /// Losses among the last 64 packets of a path.
    pub fn recent_losses(&self, path: u8) -> u32 {
        self.states.get(usize::from(path)).map_or(0, |state| state.history.count_ones())
    }
}
