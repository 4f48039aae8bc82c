//! `DepotPath` held to the golden Depot: it is followed step by step, and what leaves has to be the frames that the golden Depot lets go,
//! byte by byte, in their order and not before their time.

use super::depot_events::{Expect, Mix, RELEASE, VISIT, code, expected, kind, likely};
use super::depot_frames::{keep, words};
use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::psn::sub;
use rdma_rtl_golden::lr2::depot::{Buckets, Depot, Stats};
use rdma_rtl_golden::lr2::packet::{Gap, Key, Kind, Packet};
use rdma_rtl_golden::lr2::params::{DepotConfig, DepotParams, Variant};
use rdma_rtl_golden::lr2::table::{Entry, Mode};
use rdma_rtl_golden::lr2::{Emit, Gate, Verdict};
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, VecDeque};

/// Clocks from the one in which a flow is to let something go to its step.
const RELEASE_LATENCY: usize = 16;
/// Bytes on the wire that a frame does not have.
const OVERHEAD: u64 = 24;

/// What a run saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub verdicts: BTreeMap<Verdict, u64>,
    /// frames that left, those that were held, and copies
    pub sent: u64,
    pub drained: u64,
    pub replayed: u64,
    /// frames that went on untouched, and bad ones
    pub untouched: u64,
    pub bad: u64,
    pub nacks: u64,
    pub reacks: u64,
    pub intercepted: u64,
    pub clocks: u64,
}

impl Seen {
    /// Both together.
    #[must_use]
    pub fn and(mut self, other: &Seen) -> Seen {
        for (verdict, count) in &other.verdicts {
            *self.verdicts.entry(*verdict).or_default() += count;
        }
        self.sent += other.sent;
        self.drained += other.drained;
        self.replayed += other.replayed;
        self.untouched += other.untouched;
        self.bad += other.bad;
        self.nacks += other.nacks;
        self.reacks += other.reacks;
        self.intercepted += other.intercepted;
        self.clocks += other.clocks;
        self
    }
}

/// What the Depot sends to the source: a Depot-NACK with its gap, or an acknowledgement; PSN, MSN, credits.
type Reply = (Option<Gap>, u32, u32, u8);

struct Frame {
    bytes: Vec<u8>,
    /// flow and packet
    of: Option<(usize, Packet)>,
    bad: bool,
}

struct Flow {
    key: Key,
    reverse: Key,
    begun: bool,
    /// frames without a verdict
    undecided: VecDeque<usize>,
    /// what is to be said of it, by the steps
    replies: VecDeque<Vec<Reply>>,
}

struct Run {
    golden: Depot,
    buckets: Buckets,
    flows: Vec<Flow>,
    frames: Vec<Frame>,
    /// frames that leave
    leaving: VecDeque<usize>,
    /// packets of the other direction: without a verdict, and without an answer
    back: VecDeque<(usize, Packet)>,
    answers: VecDeque<Option<(u32, u32, u8)>>,
    ticks: VecDeque<u64>,
    mix: Mix,
    seen: Seen,
}

impl Run {
    /// A step leaves. `now`: the tick of this clock.
    fn step(&mut self, pins: &Pins<'_>, now: u64) -> Result<(), String> {
        let is = |name: &str| pins.get(name) == 1;
        let psn = |name: &str| pins.get(name) as u32;
        let (what, number) = (pins.get("done_kind"), pins.get("done_flow") as usize);
        let at = now - u64::from((now as u32).wrapping_sub(psn("done_tick")));
        let Run { golden, buckets, flows, frames, leaving, back, answers, ticks, mix, seen } = self;
        let flow = flows.get_mut(number).ok_or_else(|| format!("a step of flow {number}"))?;
        let old: Stats = golden.stats;
        let mut out: Vec<Emit> = Vec::new();
        let (mut packet, mut verdict) = (None, None);
        let mut copy = false;
        if what == VISIT {
            golden.visit(at, &flow.key, &mut out);
        } else if what == RELEASE {
            copy = golden.next_out(&flow.key).ok_or("nothing is to be let go")?.1.is_none();
            golden.let_go(at, &flow.key, &mut out);
        } else if matches!(what, 0 | 1 | 6) {
            let frame = *flow.undecided.front().ok_or("a step of nothing")?;
            let (_, of) = frames[frame].of.ok_or("a step of an unknown frame")?;
            let due = if of.kind == Kind::Probe { of.gap.edge } else { of.psn };
            if (kind(&of), due) != (what, psn("done_psn")) {
                return Err(format!("a step of kind {what}, due is {of:x?}"));
            }
            let said = golden.decide(at, of, &mut out);
            (packet, verdict) = (Some(of), Some(said));
            flow.begun = true;
            if said != Verdict::Waits {
                flow.undecided.pop_front();
            }
        } else {
            let (of, answered) = back.pop_front().ok_or("a step of nothing that came back")?;
            if (of, kind(&answered)) != (number, what) {
                return Err(format!("a step of kind {what}, due is {answered:x?} of flow {of}"));
            }
            (packet, verdict) = (Some(answered), Some(golden.decide(at, answered, &mut out)));
        }
        let about = format!("{packet:x?} of flow {number} at {at}");
        let expect: Expect = expected(packet.as_ref(), &out, (&old, &golden.stats))?;
        if let Some(verdict) = verdict {
            if code(verdict) != Some(pins.get("orders_verdict")) {
                return Err(format!("verdict {}, expected {verdict:?}; {about}", pins.get("orders_verdict")));
            }
            *seen.verdicts.entry(verdict).or_default() += 1;
        }
        let events = [
            ("forward", expect.forward.is_some() || expect.intercepted.is_some()),
            ("intercepted", expect.intercepted.is_some()),
            ("reack", expect.reack.is_some()),
            ("evt_life", expect.life),
            ("evt_timeout", expect.timeout),
            ("evt_reopened", expect.reopened),
            ("evt_again", expect.again),
        ];
        for (name, due) in events {
            if is(&format!("orders_{name}")) != due {
                return Err(format!("`{name}` is not {due}; {about}"));
            }
        }
        let registers = (psn("una"), psn("expected"), psn("border"));
        let due = golden.registers(&flow.key).unwrap_or_default();
        if flow.begun && registers != due {
            return Err(format!("una, ePSN, ePSN_D are {registers:x?}, expected {due:x?}; {about}"));
        }
        if packet.is_some_and(|packet| matches!(kind(&packet), 2 | 3 | 4 | 5 | 8)) {
            answers.push_back(expect.intercepted);
        } else if let Some(goes) = expect.forward {
            leaving.push_back(goes.tag as usize);
            if what == RELEASE {
                *if copy { &mut seen.replayed } else { &mut seen.drained } += 1;
                let taken = ticks[ticks.len() - 1 - RELEASE_LATENCY] << 16;
                if buckets.due(number) > taken {
                    return Err(format!("flow {number} lets go at {taken:#x}/65536, its time is {:#x}; {about}", buckets.due(number)));
                }
                let bytes = frames[goes.tag as usize].bytes.len() as u64 + OVERHEAD;
                buckets.charge(taken, number, bytes, mix.config.pace, mix.config.flow_pace);
            }
        }
        let mut group: Vec<Reply> = expect.nacks.iter().map(|&(psn, msn, gap)| (Some(gap), psn, msn, 0)).collect();
        group.extend(expect.reack.map(|(psn, msn, credits)| (None, psn, msn, credits)));
        if !group.is_empty() {
            flow.replies.push_back(group);
        }
        Ok(())
    }

    fn reply(&mut self, pins: &Pins<'_>) -> Result<(), String> {
        let [flow, psn, msn, credits] = ["flow", "psn", "msn", "credits"].map(|name| pins.get(&format!("reply_{name}")) as u32);
        let [start, length, edge] = ["start", "length", "border"].map(|name| pins.get(&format!("reply_{name}")) as u32);
        let nack = pins.get("reply_nack") == 1;
        let found: Reply = (nack.then_some(Gap { start, length, edge }), psn, msn, if nack { 0 } else { credits as u8 });
        let replies = &mut self.flows[flow as usize].replies;
        let group = replies.front_mut().ok_or_else(|| format!("a reply of flow {flow} that nobody owes: {found:x?}"))?;
        let at = group.iter().position(|due| *due == found).ok_or_else(|| format!("reply {found:x?} of flow {flow}, due is {group:x?}"))?;
        group.remove(at);
        if group.is_empty() {
            replies.pop_front();
        }
        self.seen.nacks += u64::from(nack);
        self.seen.reacks += u64::from(!nack);
        Ok(())
    }

    fn is_quiet(&self) -> bool {
        self.leaving.is_empty()
            && self.back.is_empty()
            && self.answers.is_empty()
            && self.flows.iter().all(|flow| flow.undecided.is_empty() && flow.replies.is_empty())
            && self.flows.iter().all(|flow| self.golden.next_out(&flow.key).is_none())
    }
}

/// `count` frames and packets of the other direction, of all flows of the block; `take`: percent of the clocks in which the output takes a
/// beat.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: usize, mix: Mix, take: u32, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let number = 1usize << pins.width("head_flow");
    let reach = 1u32 << (pins.width("orders_free_length") - 1);
    let beat = pins.width("in_data") / 8;
    let DepotConfig { renack, retry, retries, reack, idle, .. } = mix.config;
    for (name, value) in [("renack", renack), ("retry", retry), ("retries", retries.into()), ("reack", reack), ("idle", idle)] {
        pins.set(&format!("settings_{name}"), value);
    }
    pins.set("quota", mix.config.quota as u64);
    pins.set("walk_most", mix.config.renack_max.into());
    pins.set("pace", mix.config.pace);
    pins.set("flow_pace", mix.config.flow_pace);
    pins.reset(2);
    let began = pins.cycle();
    pins.until_ready(5000)?;
    let params = DepotParams {
        flows: number,
        slots: mix.slots,
        backups: mix.slots,
        reach,
        segments: mix.slots,
        variant: Variant::Ours,
        fault: mix.fault,
    };
    let start = sub(0, rng.random_range(0..64));
    let mut now = (1u64 << 32) - 2000;
    let mut run = Run {
        golden: Depot::new(params, mix.config)?,
        buckets: Buckets::new(number),
        flows: Vec::new(),
        frames: Vec::new(),
        leaving: VecDeque::new(),
        back: VecDeque::new(),
        answers: VecDeque::new(),
        ticks: VecDeque::new(),
        mix,
        seen: Seen::default(),
    };
    for flow in 0..number as u32 {
        let mode = if mix.aware != flow.is_multiple_of(3) { Mode::Aware } else { Mode::Standard };
        let initial = (!mix.unset || rng.random_bool(0.3)).then_some(start);
        let key = Key { source: flow, destination: 1000 + flow, qp: flow };
        let entry = Entry { key, peer_qp: 5000 + flow, mode, initial };
        run.golden.open(&entry)?;
        run.flows.push(Flow { key, reverse: entry.reverse(), begun: false, undecided: VecDeque::new(), replies: VecDeque::new() });
        pins.set("tick", now & 0xffff_ffff);
        pins.set("open_valid", 1);
        for (name, value) in [
            ("flow", flow.into()),
            ("aware", (mode == Mode::Aware).into()),
            ("set", initial.is_some().into()),
            ("psn", initial.unwrap_or(0).into()),
        ] {
            pins.set(&format!("open_{name}"), value);
        }
        pins.eval();
        while pins.get("open_ready") == 0 {
            pins.clock();
            pins.eval();
            if pins.cycle() > began + 20_000 {
                return Err("an entry is not opened in time".into());
            }
        }
        pins.clock();
    }
    pins.set("open_valid", 0);

    let (mut made, mut offers_back) = (0, false);
    let mut coming_back: VecDeque<(usize, Packet)> = VecDeque::new();
    // Frames by number: the one whose beats come, its next byte, the one whose head comes next.
    let (mut coming, mut byte, mut beat_offered, mut heading, mut head_offered) = (0, 0, false, 0, false);
    let mut unmade: VecDeque<usize> = VecDeque::new();
    let mut left = 0;
    let mut moved = pins.cycle();
    let slot = if beat == 8 { 512 } else { 4352 };
    loop {
        let clock = pins.cycle();
        let about = |text: String| format!("cycle {clock}: {text}");
        now += [0, 0, 0, 0, 0, 1, 1, 5][rng.random_range(0..8)];
        run.ticks.push_back(now);
        if run.ticks.len() > 2 * RELEASE_LATENCY {
            run.ticks.pop_front();
        }
        // Something more, if not too much is without a verdict: what is likely is said of what the flow knows.
        let open = run.flows.iter().map(|flow| flow.undecided.len()).sum::<usize>() + run.back.len() + coming_back.len() + unmade.len();
        if made < count && open < 8 && chance(&mut rng, mix.offer) {
            made += 1;
            let of = rng.random_range(0..number.min(mix.flows as usize));
            let Flow { key, reverse, begun, ref undecided, .. } = run.flows[of];
            let known = (begun || !undecided.is_empty()).then_some(reach);
            let packet = likely(&mut rng, run.golden.registers(&key).unwrap_or_default(), (key, reverse), known, start);
            if matches!(kind(&packet), 2 | 3 | 4 | 5 | 8) {
                coming_back.push_back((of, packet));
            } else {
                let mut bytes = vec![0; [60, slot, rng.random_range(60..=slot)][rng.random_range(0..3)]];
                rng.fill(bytes.as_mut_slice());
                let frame = run.frames.len();
                let (bad, unknown) = (chance(&mut rng, 5), chance(&mut rng, 5));
                let of = (!bad && !unknown).then_some((of, Packet { tag: frame as u64, ..packet }));
                if let Some((flow, _)) = of {
                    run.flows[flow].undecided.push_back(frame);
                } else if unknown && !bad {
                    unmade.push_back(frame);
                }
                run.seen.bad += u64::from(bad);
                run.frames.push(Frame { bytes, of, bad });
            }
        }
        let rest = run.frames.get(coming).map_or(0, |frame| frame.bytes.len() - byte);
        beat_offered = rest > 0 && (beat_offered || chance(&mut rng, 80));
        pins.set("in_valid", beat_offered.into());
        if beat_offered {
            let part = rest.min(beat);
            pins.set_words("in_data", &words(&run.frames[coming].bytes[byte..byte + part], beat));
            pins.set_words("in_keep", &keep(part, beat));
            pins.set("in_last", (rest <= beat).into());
            pins.set("in_bad", (rest <= beat && run.frames[coming].bad).into());
        }
        head_offered = heading < run.frames.len() && (head_offered || chance(&mut rng, 70));
        pins.set("head_valid", head_offered.into());
        if head_offered {
            let known = run.frames[heading].of;
            let (flow, packet) = known.unwrap_or((rng.random_range(0..number), Packet::default()));
            let probe = packet.kind == Kind::Probe;
            for (name, value) in [
                ("known", known.is_some().into()),
                ("flow", flow as u64),
                ("kind", kind(&packet)),
                ("psn", if probe { packet.gap.edge } else { packet.psn }.into()),
                ("span", if probe { 1 } else { packet.span.max(1) }.into()),
                ("asks", (packet.ack_request || packet.last).into()),
            ] {
                pins.set(&format!("head_{name}"), value);
            }
        }
        offers_back = !coming_back.is_empty() && (offers_back || chance(&mut rng, 70));
        pins.set("back_valid", offers_back.into());
        if let Some((flow, packet)) = coming_back.front().filter(|_| offers_back) {
            for (name, value) in [
                ("flow", *flow as u64),
                ("kind", kind(packet)),
                ("psn", packet.psn.into()),
                ("msn", packet.msn.into()),
                ("credits", packet.credits.into()),
            ] {
                pins.set(&format!("back_{name}"), value);
            }
        }
        let takes = [chance(&mut rng, take), chance(&mut rng, 80), chance(&mut rng, 80)];
        for (name, takes) in ["out_ready", "answer_ready", "reply_ready"].iter().zip(takes) {
            pins.set(name, takes.into());
        }
        pins.set("tick", now & 0xffff_ffff);
        pins.eval();

        if pins.get("evt_untouched") == 1 {
            let frame = unmade.pop_front().ok_or_else(|| about("a frame goes on untouched that was known".into()))?;
            run.leaving.push_back(frame);
            run.seen.untouched += 1;
        }
        if pins.get("done") == 1 {
            run.step(&pins, now).map_err(about)?;
            moved = clock;
        }
        if beat_offered && pins.get("in_ready") == 1 {
            byte += rest.min(beat);
            beat_offered = false;
            if rest <= beat {
                (coming, byte) = (coming + 1, 0);
            }
        }
        if head_offered && pins.get("head_ready") == 1 {
            heading += 1;
            head_offered = false;
        }
        if offers_back && pins.get("back_ready") == 1 {
            run.back.extend(coming_back.pop_front());
            offers_back = false;
        }
        if takes[1] && pins.get("answer_valid") == 1 {
            let due = run.answers.pop_front().ok_or_else(|| about("an answer that nobody owes".into()))?;
            let [psn, msn, credits] = ["psn", "msn", "credits"].map(|name| pins.get(&format!("answer_{name}")) as u32);
            let found = (pins.get("answer_ack") == 1).then_some((psn, msn, credits as u8));
            if found != due {
                return Err(about(format!("answer {found:x?}, expected {due:x?}")));
            }
            run.seen.intercepted += u64::from(found.is_some());
        }
        if takes[2] && pins.get("reply_valid") == 1 {
            run.reply(&pins).map_err(about)?;
        }
        if takes[0] && pins.get("out_valid") == 1 {
            let &frame = run.leaving.front().ok_or_else(|| about("a beat leaves that nobody lets go".into()))?;
            let rest = &run.frames[frame].bytes[left..];
            let part = rest.len().min(beat);
            let mut found: Vec<u8> = pins.get_words("out_data").iter().flat_map(|word| word.to_le_bytes()).collect();
            found.truncate(part);
            let last = pins.get("out_last") == 1;
            if found != rest[..part] || pins.get_words("out_keep") != keep(part, beat) || last != (rest.len() <= beat) {
                return Err(about(format!("byte {left} of frame {frame}: {found:x?}, last {last}")));
            }
            left += part;
            if last {
                run.leaving.pop_front();
                run.seen.sent += 1;
                left = 0;
            }
        }
        if made == count && heading == run.frames.len() && unmade.is_empty() && coming_back.is_empty() && run.is_quiet() {
            break;
        }
        if clock > moved + 30_000 {
            return Err(about("nothing moves any more".into()));
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
    }
    run.seen.clocks = pins.cycle() - began;
    Ok(run.seen)
}
