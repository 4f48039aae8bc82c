//! Bench of blocks that make one stream of two: content, order, whole turns, fairness, and a beat in each clock in which one can go, in
//! that clock.

use crate::memory::Ports;
use crate::pins::{Words, chance, random};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::turns::{Side, Turns};
use rdma_rtl_sim::bus::{Channel, ChannelCheck};
use rdma_rtl_sim::{Direction, Model};
use std::collections::VecDeque;

/// Fields by name, as words.
pub type Fields = Vec<(String, Words)>;

/// What one side offers, what the output is to show of it, and whether it is the last beat of its turn.
#[derive(Clone, Debug)]
pub struct Beat {
    pub put: Fields,
    pub shows: Fields,
    pub ends: bool,
}

/// How a side offers its beats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `valid` and `ready` behind this prefix
    Stream(&'static str),
    /// `post` for one clock, then it waits inside while `busy` is high
    Post,
}

/// Percent of clocks.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// each side offers its next beat
    pub offer: [u32; 2],
    pub take: u32,
    /// a post comes although another one waits
    pub dropped: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub beats: u64,
    /// clocks from the first beat to the last
    pub clocks: u64,
    /// turns that began while the other side waited
    pub contested: u64,
    pub dropped: u64,
}

struct End {
    way: Way,
    beats: VecDeque<Beat>,
    offered: bool,
}

fn set<'a, M: std::ops::DerefMut<Target = dyn Model + 'a>>(p: &mut Ports<M>, fields: &Fields) {
    for (name, words) in fields {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        p.set_bytes(name, &bytes);
    }
}

fn words(p: &Ports<&dyn Model>, name: &str) -> Words {
    p.get_bytes(name).chunks(4).map(|b| b.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))).collect()
}

impl End {
    /// Offers in this clock what is to be offered.
    fn drive<'a, M>(&mut self, p: &mut Ports<M>, rng: &mut ChaCha8Rng, offer: u32, dropped: u32)
    where
        M: std::ops::DerefMut<Target = dyn Model + 'a>,
    {
        let begins = !self.offered && !self.beats.is_empty() && chance(rng, offer);
        match self.way {
            Way::Stream(prefix) => {
                self.offered |= begins;
                p.set(&format!("{prefix}valid"), self.offered.into());
                if begins {
                    set(p, &self.beats[0].put);
                } else if !self.offered
                    && let Some(beat) = self.beats.front()
                {
                    // What is not offered is anything.
                    for (name, _) in &beat.put {
                        let width = p.0.ports()[p.at(name)].width;
                        let noise = random(rng, width);
                        set(p, &vec![(name.clone(), noise)]);
                    }
                }
            }
            Way::Post => {
                // The values stay where they are until the post is taken.
                p.set("post", (begins || (self.offered && chance(rng, dropped))).into());
                if begins {
                    set(p, &self.beats[0].put);
                }
            }
        }
    }
}

/// All beats of both sides, after a reset. `out`: prefix of the output's `valid` and `ready`.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, ways: [Way; 2], out: &str, beats: [Vec<Beat>; 2], pace: Pace, seed: u64) -> Result<Seen, String> {
    for port in 0..model.ports().len() {
        if model.ports()[port].direction == Direction::Input && model.ports()[port].name != "cfg_source_node" {
            let zero = vec![0; model.ports()[port].words()];
            model.poke(port, &zero);
        }
    }
    let mut p = Ports(&mut *model);
    p.set("rst", 1);
    p.0.clock();
    p.set("rst", 0);
    let text = |e: rdma_rtl_sim::Error| e.to_string();
    let channel = Channel::find(model, out).map_err(text)?;
    let mut check = ChannelCheck::new(model, channel);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut turns = Turns::default();
    let [a, b] = beats;
    let mut ends = [(ways[0], a), (ways[1], b)].map(|(way, beats)| End { way, beats: beats.into(), offered: false });
    let (mut seen, mut first, mut quiet, mut due, mut fresh) = (Seen::default(), None, 0, false, true);
    let (mut violations, mut rest) = (Vec::new(), 3);
    while rest > 0 {
        rest = if ends.iter().all(|end| end.beats.is_empty()) { rest - 1 } else { 3 };
        let mut p = Ports(&mut *model);
        for (end, offer) in ends.iter_mut().zip(pace.offer) {
            end.drive(&mut p, &mut rng, offer, pace.dropped);
        }
        p.set(&format!("{out}ready"), chance(&mut rng, pace.take).into());
        model.eval();
        let p = Ports(&*model);
        let fail = |what: String| Err(format!("cycle {}: {what}", model.cycle()));
        let (valid, ready) = (p.get(&format!("{out}valid")) == 1, p.get(&format!("{out}ready")) == 1);
        let offers = [0, 1].map(|i: usize| ends[i].offered);
        let of = |beat: &Beat| beat.shows.iter().all(|(name, expected)| words(&p, name) == *expected);
        // Beats are random: those of two sides do not look alike.
        let side = [Side::A, Side::B].into_iter().find(|&side| valid && offers[side as usize] && of(&ends[side as usize].beats[0]));
        if valid && side.is_none() {
            let field = |(name, expected): &(String, Words)| format!("{name} {:x?} for {expected:x?}", words(&p, name));
            let found: Vec<_> = ends.iter().filter_map(|end| end.beats.front()).flat_map(|beat| &beat.shows).map(field).collect();
            return fail(format!("what is offered is the beat of neither side: {}", found.join(", ")));
        }
        if let Err(what) = turns.shows(offers, side) {
            return fail(what.to_string());
        }
        seen.contested += u64::from(fresh && side.is_some() && offers == [true; 2]);
        fresh &= side.is_none();
        for (i, end) in ends.iter().enumerate() {
            let taken = ready && side.is_some_and(|side| side as usize == i);
            if let Way::Stream(prefix) = end.way
                && (end.offered && p.get(&format!("{prefix}ready")) == 1) != taken
            {
                return fail(format!("`{prefix}ready` is {}, the output shows {side:?}, ready is {ready}", !taken));
            }
            if end.way == Way::Post && (p.get("busy") == 1) != end.offered {
                return fail(format!("`busy` is {}, a post waits: {}", p.get("busy"), end.offered));
            }
        }
        if ways.contains(&Way::Post) && (p.get("evt_posts_dropped") == 1) != due {
            return fail(format!("`evt_posts_dropped` is {}, one was dropped in the clock before: {due}", p.get("evt_posts_dropped")));
        }
        let posts = ways.contains(&Way::Post) && p.get("post") == 1;
        due = posts && ends.iter().any(|end| end.way == Way::Post && end.offered);
        seen.dropped += u64::from(due);
        check.observe(model, &mut violations);
        let now = model.cycle();
        let posted = posts && !due;
        quiet += 1;
        if let Some(side) = side.filter(|_| ready) {
            let end = &mut ends[side as usize];
            let beat = end.beats.pop_front();
            end.offered = false;
            let last = beat.is_none_or(|beat| beat.ends);
            turns.taken(side, last);
            fresh = last;
            seen.beats += 1;
            seen.clocks = now + 1 - *first.get_or_insert(now);
            quiet = 0;
        }
        for end in ends.iter_mut().filter(|end| end.way == Way::Post) {
            end.offered |= posted;
        }
        model.clock();
        if let Some(violation) = violations.first() {
            return Err(violation.to_string());
        }
        if let Some(reason) = model.failure() {
            return Err(reason.to_string());
        }
        if quiet > 3000 {
            return Err(format!("nothing moves any more: {} and {} beats left", ends[0].beats.len(), ends[1].beats.len()));
        }
    }
    Ok(seen)
}
