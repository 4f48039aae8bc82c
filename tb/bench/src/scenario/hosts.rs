//! Both hosts: what is posted, what each is told, and what memory must be then.
//!
//! Targets lie in one arena of places, each for one command at a time, zeros beside and before it. A place is looked at when a data arrival
//! is told, when the command completes, and when all of it is over; then it is zeroed for the next, and whoever writes there late shows.

use super::ends::{Receiver, Sender, Told};
use super::expect::Outcome;
use super::file::{Scenario, Transport};
use super::traffic::{Post, posts, source};
use rdma_rtl_golden::send::splitter::{Command, Completion};
use rdma_rtl_golden::wire::{Reader, parse};
use std::collections::{BTreeMap, VecDeque};

/// Where the arena lies.
const ARENA: u64 = 0x12_3400_0000;
/// Bytes of the largest arena.
const LARGEST: u64 = 2 << 30;
/// Packets of room before and behind a command in its place.
const ROOM: u64 = 9;

/// A command that was posted.
struct Live {
    post: usize,
    place: usize,
    command: Command,
    posted: u64,
    /// what the sender's host was told, and when
    told: Option<u8>,
    told_at: u64,
    /// operations that ended at the receiver: base and bytes
    ended: BTreeMap<u64, u32>,
    failed: bool,
    arrived: bool,
}

impl Live {
    fn bytes(&self) -> u64 {
        self.command.bytes()
    }

    /// Both hosts have been told everything; `by_number`: the receiver's knows of nothing but immediates.
    fn over(&self, by_number: bool) -> bool {
        if by_number {
            return self.told == Some(0) && self.ended.is_empty() == self.command.imm.is_none();
        }
        self.acknowledged() && self.arrived == self.command.arrival
    }

    /// Both hosts have been told everything but the data arrival.
    fn acknowledged(&self) -> bool {
        let all = self.ended.values().map(|&bytes| u64::from(bytes)).sum::<u64>() == self.bytes();
        self.told == Some(0) && all
    }

    fn waits_for_arrival(&self) -> bool {
        self.acknowledged() && self.command.arrival && !self.arrived
    }
}

/// The commands of a scenario and what became of them.
pub struct Hosts {
    posts: Vec<Post>,
    pairs: usize,
    /// by kind, and of each by queue pair: those to come
    queues: Vec<VecDeque<usize>>,
    limits: Vec<usize>,
    /// as `queues`: those posted of which the sender's host has not been told
    flying: Vec<usize>,
    /// queue that posts next
    turn: usize,
    live: BTreeMap<u16, Live>,
    /// by place: command there
    owners: Vec<Option<u16>>,
    free: VecDeque<usize>,
    stride: u64,
    packet: u64,
    by_number: bool,
    /// by kind: clocks from the post to its completion
    latencies: Vec<Vec<u64>>,
    bytes: u64,
    completed: u64,
    /// when each command completed, its bytes, its queue pair
    ends: Vec<(u64, u64, usize)>,
    /// commands that ended without their data arrival
    without_arrival: u64,
    statuses: BTreeMap<u8, u64>,
    first: Option<u64>,
    last: u64,
}

impl Hosts {
    /// Everything still to be posted, by `node`, in packets of `packet` bytes.
    /// # Errors
    /// The targets do not fit.
    pub fn new(scenario: &Scenario, packet: u32, node: u16) -> Result<Hosts, String> {
        let (posts, packet) = (posts(scenario, node), u64::from(packet));
        let pairs = usize::from(scenario.queue_pairs);
        let mut queues = vec![VecDeque::new(); scenario.commands.len() * pairs];
        posts.iter().enumerate().for_each(|(at, post)| queues[post.group * pairs + post.pair].push_back(at));
        let limits: Vec<usize> = scenario.commands.iter().flat_map(|group| std::iter::repeat_n(group.in_flight, pairs)).collect();
        // what the receiver's host has not been told of yet keeps its place, and what failed does for ever
        let places = if scenario.expect.outcome == Outcome::AllComplete { 2 * limits.iter().sum::<usize>() } else { posts.len() };
        let places = places.min(posts.len());
        let largest = posts.iter().map(|post| u64::from(post.bytes)).max().unwrap_or(0);
        let stride = (largest + 2 * ROOM * packet).next_multiple_of(4096);
        if stride * places as u64 > LARGEST {
            return Err(format!(
                "{places} places for commands of {largest} bytes are more than {LARGEST} bytes; fewer `commands.in_flight` or a smaller `most` are needed"
            ));
        }
        Ok(Hosts {
            latencies: vec![Vec::new(); scenario.commands.len()],
            pairs,
            flying: vec![0; queues.len()],
            turn: 0,
            queues,
            limits,
            live: BTreeMap::new(),
            owners: vec![None; places],
            free: (0..places).collect(),
            stride,
            packet,
            by_number: scenario.transport == Transport::Bitmap,
            posts,
            bytes: 0,
            completed: 0,
            ends: Vec::new(),
            without_arrival: 0,
            statuses: BTreeMap::new(),
            first: None,
            last: 0,
        })
    }

    /// Gives the receiver its memory, of which the first `bad` places take no writes.
    pub fn furnish(&self, receiver: &mut dyn Receiver, bad: usize) {
        receiver.furnish(ARENA, self.owners.len() * self.stride as usize);
        if bad > 0 {
            receiver.fail(ARENA..ARENA + bad.min(self.owners.len()) as u64 * self.stride);
        }
    }

    /// Posts what is due and has room, one of each queue after the other. A queue that the sender has no room for is the first when it has:
    /// else the first queues would have all of it.
    /// # Errors
    /// As [`Sender::post`].
    pub fn post(&mut self, now: u64, sender: &mut dyn Sender) -> Result<(), String> {
        loop {
            let mut taken = false;
            for _ in 0..self.queues.len() {
                let group = self.turn;
                let Some(at) = self.head(group).filter(|&at| self.posts[at].at <= now) else {
                    self.turn = (group + 1) % self.queues.len();
                    continue;
                };
                let Some(&place) = self.free.front() else { return Ok(()) };
                let post = &self.posts[at];
                let target = ARENA + place as u64 * self.stride + (1 + post.shift) * self.packet;
                let command = Command { target: target.next_multiple_of(self.packet), ..post.command.clone() };
                if !sender.post(now, &command)? {
                    return Ok(());
                }
                taken = true;
                self.turn = (group + 1) % self.queues.len();
                self.queues[group].pop_front();
                self.flying[group] += 1;
                self.free.pop_front();
                self.owners[place] = Some(command.id);
                self.first.get_or_insert(now);
                let live = Live {
                    post: at,
                    place,
                    posted: now,
                    told: None,
                    told_at: 0,
                    ended: BTreeMap::new(),
                    failed: false,
                    arrived: false,
                    command,
                };
                self.live.insert(live.command.id, live);
            }
            if !taken {
                return Ok(());
            }
        }
    }

    /// The next of a kind, if it may be in flight.
    fn head(&self, group: usize) -> Option<usize> {
        let at = *self.queues[group].front()?;
        (self.flying[group] < self.limits[group]).then_some(at)
    }

    /// When the next command comes, if one does by itself.
    pub fn next(&self, now: u64) -> Option<u64> {
        (0..self.queues.len()).filter_map(|group| Some(self.posts[*self.queues[group].front()?].at)).filter(|&at| at > now).min()
    }

    /// Takes what both hosts are told; whether it was anything.
    /// # Errors
    /// A command that completes twice or not as it should, memory that is not what was sent.
    pub fn take(&mut self, now: u64, sender: &mut dyn Sender, receiver: &mut dyn Receiver) -> Result<bool, String> {
        let (ends, completions) = (receiver.completions()?, sender.completions()?);
        if ends.is_empty() && completions.is_empty() {
            return Ok(false);
        }
        for &told in &ends {
            self.told(told, receiver)?;
        }
        for &completion in &completions {
            self.completion(now, completion, receiver)?;
        }
        let over: Vec<u16> = self.live.values().filter(|live| live.over(self.by_number)).map(|live| live.command.id).collect();
        for id in over {
            self.retire(id, receiver)?;
        }
        Ok(true)
    }

    /// The receiver's host.
    fn told(&mut self, told: Told, receiver: &dyn Receiver) -> Result<(), String> {
        let Told { arrival, base, bytes, status, imm } = told;
        let by_number = self.by_number;
        let place = base.checked_sub(ARENA).map(|at| (at / self.stride) as usize);
        let owner = place.and_then(|place| *self.owners.get(place)?);
        let live = owner.and_then(|id| self.live.get_mut(&id));
        let Some(live) = live else { return Err(format!("receiver's host: {told:?} is of no command in flight")) };
        let (id, target, all) = (live.command.id, live.command.target, live.bytes());
        let wrong = |what: &str| Err(format!("receiver's host: {told:x?} of command {id} at {target:#x} with {all} bytes: {what}"));
        if arrival {
            if live.arrived || !live.command.arrival {
                return wrong(if live.arrived { "it was told before" } else { "it was not to be told" });
            }
            if (base, u64::from(bytes), status) != (target, all, 0) {
                return wrong("that is not what it said");
            }
            live.arrived = true;
            return equal(live, receiver);
        }
        let end = base.saturating_add(bytes.into());
        if base < target || end > target + all || bytes == 0 {
            return wrong("it lies outside");
        }
        if live.ended.range(..end).next_back().is_some_and(|(&other, &size)| other + u64::from(size) > base) {
            return wrong("it was told of these bytes before");
        }
        if status != 0 {
            live.failed = true;
            return Ok(());
        }
        live.ended.insert(base, bytes);
        let expected = live.command.imm.filter(|_| end == target + all);
        if by_number {
            // Everything before it has arrived.
            equal(live, receiver)?;
            return if imm.is_some() && imm == expected { Ok(()) } else { wrong(&format!("the immediate should be {expected:x?}")) };
        }
        if imm != expected { wrong(&format!("the immediate should be {expected:x?}")) } else { Ok(()) }
    }

    /// The sender's host.
    fn completion(&mut self, now: u64, completion: Completion, receiver: &dyn Receiver) -> Result<(), String> {
        let Completion { id, status, bytes } = completion;
        let Some(live) = self.live.get_mut(&id).filter(|live| live.told.is_none()) else {
            return Err(format!("sender's host: {completion:?}, but no such command is in flight: it completed twice"));
        };
        live.told = Some(status);
        live.told_at = now;
        let post = &self.posts[live.post];
        self.flying[post.group * self.pairs + post.pair] -= 1;
        self.last = now;
        if status != 0 {
            *self.statuses.entry(status).or_default() += 1;
            return Ok(());
        }
        if u64::from(bytes) != live.bytes() || live.failed {
            let failed = if live.failed { ", and an operation of it failed at the receiver" } else { "" };
            return Err(format!("sender's host: {completion:?}, but the command has {} bytes{failed}", live.bytes()));
        }
        equal(live, receiver)?;
        let post = &self.posts[live.post];
        let from = if post.at > 0 { post.at } else { live.posted };
        self.latencies[post.group].push(now - from);
        self.bytes += u64::from(bytes);
        self.completed += 1;
        self.ends.push((now, u64::from(bytes), post.pair));
        Ok(())
    }

    /// The first bit of a frame leaves the sender at clock `now`.
    /// # Errors
    /// It carries data of a command that has failed before, as the sender's host was told.
    pub fn leaves(&self, now: u64, frame: &[u8]) -> Result<(), String> {
        if self.statuses.is_empty() {
            return Ok(());
        }
        let Some(reth) = parse(frame, false, &Reader::default()).ok().and_then(|frame| frame.reth) else { return Ok(()) };
        let place = reth.address.checked_sub(ARENA).map(|at| (at / self.stride) as usize);
        let live = place.and_then(|place| *self.owners.get(place)?).and_then(|id| self.live.get(&id));
        match live.filter(|live| now > live.told_at).and_then(|live| Some((live, live.told.filter(|&status| status != 0)?))) {
            None => Ok(()),
            Some((live, status)) => Err(format!(
                "sender: a packet to {:#x} leaves, and its host was told {} clocks ago that command {} has failed with {status}",
                reth.address,
                now - live.told_at,
                live.command.id
            )),
        }
    }

    /// A command has completed, and its data arrival alone is missing.
    pub fn waits_for_arrival(&self) -> bool {
        self.live.values().any(Live::waits_for_arrival)
    }

    /// Nothing is under way, and the sender has given up `count` data arrivals in all: a command that lacks nothing else is over. Whoever
    /// is told of it later shows.
    /// # Errors
    /// More arrivals are missing than were given up: one was lost unseen. Memory that is not what was sent.
    pub fn give_up(&mut self, count: u64, receiver: &mut dyn Receiver) -> Result<(), String> {
        let missing: Vec<u16> = self.live.values().filter(|live| live.waits_for_arrival()).map(|live| live.command.id).collect();
        self.without_arrival += missing.len() as u64;
        if self.without_arrival > count {
            let missing = self.without_arrival;
            return Err(format!("{missing} data arrivals are missing, the sender has given up {count}: {}", self.waiting()));
        }
        missing.into_iter().try_for_each(|id| self.retire(id, receiver))
    }

    /// A command of which both hosts have been told everything gives its place back.
    fn retire(&mut self, id: u16, receiver: &mut dyn Receiver) -> Result<(), String> {
        let Some(live) = self.live.remove(&id) else { return Ok(()) };
        equal(&live, receiver)?;
        self.clean_beside(&live, receiver)?;
        receiver.put(live.command.target, &vec![0; live.bytes() as usize]);
        self.owners[live.place] = None;
        self.free.push_back(live.place);
        Ok(())
    }

    /// Nothing was written in a place but its command.
    fn clean_beside(&self, live: &Live, receiver: &dyn Receiver) -> Result<(), String> {
        let begin = ARENA + live.place as u64 * self.stride;
        let (target, end) = (live.command.target, live.command.target + live.bytes());
        clean(begin, target, receiver)?;
        clean(end, begin + self.stride, receiver)
    }

    /// Commands that have ended, and all of them.
    pub fn progress(&self) -> (u64, u64) {
        (self.completed + self.statuses.values().sum::<u64>(), self.posts.len() as u64)
    }

    /// Everything was posted and is over.
    pub fn done(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty) && self.live.values().all(|live| live.told.is_some_and(|status| status != 0))
    }

    /// What has not ended, for a run that does not go on.
    pub fn waiting(&self) -> String {
        let to_come: usize = self.queues.iter().map(VecDeque::len).sum();
        let open = |live: &&Live| live.told.is_none_or(|status| status == 0);
        let first = self.live.values().find(open).map_or(String::new(), |live| {
            let ended: u64 = live.ended.values().map(|&bytes| u64::from(bytes)).sum();
            let told = if live.told.is_some() { "told" } else { "not told" };
            let arrival = if live.command.arrival && !live.arrived { ", no data arrival" } else { "" };
            format!("; command {}: sender's host {told}, {ended} of {} bytes at the receiver's{arrival}", live.command.id, live.bytes())
        });
        let failed: u64 = self.statuses.values().sum();
        let failed = if failed > 0 { format!(", {failed} have failed") } else { String::new() };
        format!("{} commands are open, {to_come} to be posted{failed}{first}", self.live.values().filter(open).count())
    }

    /// At the end: what is in memory of commands that failed is theirs, and nothing else is there.
    /// # Errors
    /// Anything else, or a command that is not over.
    pub fn finish(&self, receiver: &dyn Receiver) -> Result<(), String> {
        if !self.done() {
            return Err(self.waiting());
        }
        for (place, owner) in self.owners.iter().enumerate() {
            let Some(live) = owner.and_then(|id| self.live.get(&id)) else {
                let begin = ARENA + place as u64 * self.stride;
                clean(begin, begin + self.stride, receiver)?;
                continue;
            };
            self.clean_beside(live, receiver)?;
            if live.arrived {
                return Err(format!("receiver's host: the arrival of command {} was told, which failed", live.command.id));
            }
            compare(live, receiver, |found, sent| found == sent || found == 0)?;
        }
        Ok(())
    }

    /// By kind: clocks from post to completion.
    pub fn latencies(&self) -> &[Vec<u64>] {
        &self.latencies
    }

    /// Bytes and number of the commands that completed.
    pub fn completed(&self) -> (u64, u64) {
        (self.bytes, self.completed)
    }

    /// Bytes of the commands that complete after a tenth of all commands has, until nine tenths have, and the clocks of that: what is
    /// neither begin nor end.
    pub fn steady(&self) -> (u64, u64) {
        match self.middle() {
            [first, rest @ ..] if !rest.is_empty() => (rest.iter().map(|end| end.1).sum(), rest[rest.len() - 1].0 - first.0),
            _ => (0, 0),
        }
    }

    /// The last of the first tenth that completes, and those up to the last tenth.
    fn middle(&self) -> &[(u64, u64, usize)] {
        let all = self.posts.len();
        self.ends.get(all.div_ceil(10).saturating_sub(1)..all * 9 / 10).unwrap_or_default()
    }

    /// Jain's index of the bytes of each queue pair in the time of [`steady`](Self::steady): 1 if all have as many, one over their number
    /// if one has all.
    pub fn fairness(&self) -> f64 {
        let mut bytes = vec![0.0; self.pairs];
        self.middle().iter().skip(1).for_each(|&(_, size, pair)| bytes[pair] += size as f64);
        let (sum, squares) = bytes.iter().fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
        if squares > 0.0 { sum * sum / (self.pairs as f64 * squares) } else { 1.0 }
    }

    /// How often commands failed, by status.
    pub fn statuses(&self) -> &BTreeMap<u8, u64> {
        &self.statuses
    }

    /// Clocks from the first post to the last completion.
    pub fn span(&self) -> u64 {
        self.last - self.first.unwrap_or(self.last)
    }
}

fn equal(live: &Live, receiver: &dyn Receiver) -> Result<(), String> {
    compare(live, receiver, |found, sent| found == sent)
}

fn compare(live: &Live, receiver: &dyn Receiver, right: impl Fn(u8, u8) -> bool) -> Result<(), String> {
    let Command { id, target, .. } = live.command;
    let memory = receiver.memory(target, live.bytes() as usize).ok_or_else(|| format!("receiver: no memory at {target:#x}"))?;
    let sent = live.command.blocks.iter().flat_map(|block| block.source..block.source + u64::from(block.bytes)).map(source);
    match memory.iter().zip(sent).enumerate().find(|&(_, (&found, sent))| !right(found, sent)) {
        None => Ok(()),
        Some((at, (found, sent))) => Err(format!(
            "memory: command {id}: byte {at} of {} at {:#x} is {found:#04x}, sent was {sent:#04x}",
            memory.len(),
            target + at as u64
        )),
    }
}

fn clean(from: u64, to: u64, receiver: &dyn Receiver) -> Result<(), String> {
    let memory = receiver.memory(from, (to - from) as usize).ok_or_else(|| format!("receiver: no memory at {from:#x}"))?;
    match memory.iter().position(|&byte| byte != 0) {
        None => Ok(()),
        Some(at) => Err(format!("memory at {:#x} is {:#04x}, where no command lies", from + at as u64, memory[at])),
    }
}
