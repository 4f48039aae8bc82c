//! `Lr2FlowTable` against the golden table: every key of both directions, of entries that are written, cleared and refused meanwhile.
//!
//! The golden table knows no hash, and so no entry that is refused for its hash; which ones are follows from the matrix, which the bench
//! has from the block.
//! `Lr2KeySide` and `Lr2Hash`, its parts, have no bench of their own.

use crate::pins::{Pins, Words, chance};
use rand::seq::IndexedRandom as _;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::lr2::head::span;
use rdma_rtl_golden::lr2::packet::Key;
use rdma_rtl_golden::lr2::table::{self, Table};
use rdma_rtl_hdl::lr2::lr2_hash::columns;
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Clocks from a key to its answer.
const LATENCY: u64 = 5;
/// Clocks of an entry that is written.
const WRITING: u64 = 6;
/// Bits of a hash.
const HASH: usize = 36;

/// The key of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    pub six: bool,
    pub source: u128,
    pub destination: u128,
    pub qp: u32,
}

impl Address {
    /// Bit `index` of the key: queue pair, destination, source, version of IP.
    fn bit(&self, index: usize) -> bool {
        match index {
            0..24 => self.qp >> index & 1 == 1,
            24..152 => self.destination >> (index - 24) & 1 == 1,
            152..280 => self.source >> (index - 152) & 1 == 1,
            _ => self.six,
        }
    }

    /// The key with one bit the other way.
    pub fn flipped(mut self, index: usize) -> Address {
        match index {
            0..24 => self.qp ^= 1 << index,
            24..152 => self.destination ^= 1 << (index - 24),
            152..280 => self.source ^= 1 << (index - 152),
            _ => self.six = !self.six,
        }
        self
    }

    fn hash(&self) -> u64 {
        let columns = columns();
        (0..columns.len()).filter(|&bit| self.bit(bit)).fold(0, |hash, bit| hash ^ columns[bit])
    }
}

/// Sets of bits of a key without which a key and with which it has the same value in the bits `mask` of its hash. No set has the version
/// of IP.
pub fn alike(mask: u64) -> Vec<Vec<usize>> {
    let columns = columns();
    let mut kept: Vec<(u64, Vec<usize>)> = Vec::new();
    let mut found = Vec::new();
    for (bit, column) in columns.iter().enumerate().take(280) {
        let (mut rest, mut set) = (column & mask, vec![bit]);
        for (value, members) in &kept {
            if rest ^ value < rest {
                rest ^= value;
                for &member in members {
                    match set.iter().position(|&other| other == member) {
                        Some(at) => _ = set.remove(at),
                        None => set.push(member),
                    }
                }
            }
        }
        if rest == 0 {
            found.push(set);
        } else {
            kept.push((rest, set));
            kept.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
        }
    }
    found
}

/// Bits of the hash that say where a key's four slots are, for so many flows.
pub fn places(flows: usize) -> u64 {
    let (slot, tag) = layout(flows);
    let low = (1 << slot) - 1;
    let slice = |from: usize| low << (slot + from);
    low | slice(0) | slice((tag - slot) / 2) | slice(tag - slot)
}

/// Bits of a slot's number, and the others of the hash.
fn layout(flows: usize) -> (usize, usize) {
    let slot = flows.ilog2() as usize + 1;
    (slot, HASH - slot)
}

/// An entry of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub key: Address,
    pub peer_qp: u32,
    pub mtu: u64,
    pub partition_key: u64,
    pub udp_source: u64,
    pub to_mac: u64,
    pub from_mac: u64,
}

impl Entry {
    /// One of this key and this peer; all else is random.
    pub fn of(rng: &mut ChaCha8Rng, key: Address, peer_qp: u32) -> Entry {
        Entry {
            key,
            peer_qp,
            mtu: rng.random_range(0..5),
            partition_key: rng.random_range(0..1 << 16),
            udp_source: rng.random_range(0..1 << 16),
            to_mac: rng.random_range(0..1 << 48),
            from_mac: rng.random_range(0..1 << 48),
        }
    }

    /// The key of the back direction.
    pub fn reverse(&self) -> Address {
        Address { six: self.key.six, source: self.key.destination, destination: self.key.source, qp: self.peer_qp }
    }
}

/// A key anywhere.
pub fn any_key(rng: &mut ChaCha8Rng) -> Address {
    let six = rng.random();
    let mut address = || if six { rng.random() } else { u128::from(rng.random::<u32>()) };
    let (source, destination) = (address(), address());
    Address { six, source, destination, qp: rng.random_range(0..1 << 24) }
}

/// Entries as networks have them: one after the other in one number or in two, or anywhere.
pub fn network(rng: &mut ChaCha8Rng, which: usize, count: usize) -> Vec<Entry> {
    let mut base = any_key(rng);
    if which == 4 {
        base.six = true;
    }
    let side = (count as f64).sqrt().ceil() as usize;
    let peer = rng.random_range(0..1 << 23);
    (0..count)
        .map(|i| {
            let (low, high) = ((i % side) as u128, (i / side) as u128);
            let mut key = base;
            match which {
                0 => key.qp = (base.qp & 0xff_0000) + i as u32,
                1 => key.source = (base.source & !0xffff) + i as u128,
                2 => (key.source, key.destination) = ((base.source & !0xff) + low, (base.destination & !0xff) + high),
                3 => (key.source, key.qp) = ((base.source & !0xff) + low, (base.qp & 0xff_0000) + high as u32),
                4 => (key.source, key.destination) = (base.source ^ low << 64, base.destination ^ high),
                _ => key = any_key(rng),
            }
            let peer_qp = if which == 5 { rng.random_range(0..1 << 24) } else { peer + i as u32 };
            Entry::of(rng, key, peer_qp)
        })
        .collect()
}

/// One direction as its slots have it.
struct Slots {
    bits: (usize, usize),
    ways: [HashMap<u64, (u64, usize)>; 4],
}

impl Slots {
    fn of(&self, hash: u64) -> [u64; 4] {
        let (slot, tag) = self.bits;
        let (mask, high) = ((1 << slot) - 1, hash >> slot);
        [0, high, high >> ((tag - slot) / 2), high >> (tag - slot)].map(|slice| (hash ^ slice) & mask)
    }

    fn forget(&mut self, flow: usize) {
        self.ways.iter_mut().for_each(|way| way.retain(|_, (_, other)| *other != flow));
    }

    /// The first way that has room; none if the hash is there.
    fn room(&self, hash: u64) -> Option<usize> {
        let slots = self.of(hash);
        let taken = (0..4).any(|way| self.ways[way].get(&slots[way]).is_some_and(|(other, _)| *other == hash));
        (0..4).find(|&way| !taken && !self.ways[way].contains_key(&slots[way]))
    }

    fn put(&mut self, hash: u64, flow: usize) {
        let (slots, way) = (self.of(hash), self.room(hash).expect("there is room"));
        self.ways[way].insert(slots[way], (hash, flow));
    }
}

/// What should be in the table.
struct Golden {
    table: Table<usize>,
    entries: Vec<Option<Entry>>,
    onward: Slots,
    back: Slots,
    numbers: BTreeMap<(bool, u128), u32>,
}

impl Golden {
    fn new(flows: usize) -> Golden {
        let slots = || Slots { bits: layout(flows), ways: Default::default() };
        Golden { table: Table::new(flows), entries: vec![None; flows], onward: slots(), back: slots(), numbers: BTreeMap::new() }
    }

    /// The golden model has numbers for addresses.
    fn key(&mut self, address: &Address) -> Key {
        let mut number = |of: u128| {
            let next = self.numbers.len() as u32;
            *self.numbers.entry((address.six, of)).or_insert(next)
        };
        Key { source: number(address.source), destination: number(address.destination), qp: address.qp }
    }

    fn clear(&mut self, flow: usize) {
        if let Some(entry) = self.entries[flow].take() {
            let key = self.key(&entry.key);
            self.table.close(key);
            self.onward.forget(flow);
            self.back.forget(flow);
        }
    }

    /// Writes an entry; false: it is refused.
    fn open(&mut self, flow: usize, entry: &Entry) -> bool {
        self.clear(flow);
        let (onward, back) = (entry.key.hash(), entry.reverse().hash());
        if self.onward.room(onward).is_none() || self.back.room(back).is_none() {
            return false;
        }
        self.onward.put(onward, flow);
        self.back.put(back, flow);
        let key = self.key(&entry.key);
        let written = table::Entry { key, peer_qp: entry.peer_qp, ..table::Entry::default() };
        self.table.open(&written, flow).expect("an entry of which no key is there");
        self.entries[flow] = Some(*entry);
        true
    }

    fn find(&mut self, address: &Address, back: bool) -> Option<usize> {
        let key = self.key(address);
        let index = if back { self.table.find_reverse(&key) } else { self.table.find(&key) };
        index.map(|index| *self.table.get(index))
    }
}

/// An entry that is to be written or cleared.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub flow: usize,
    pub entry: Option<Entry>,
}

/// How a run goes: percent of the clocks with a key in each direction, and with an entry that is written.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    pub onward: u32,
    pub back: u32,
    pub write: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub known: u64,
    pub missed: u64,
    pub written: u64,
    pub cleared: u64,
    pub refused: u64,
    /// answers while their entry was written, and that were none
    pub meanwhile: u64,
    pub largest_span: u64,
    /// clocks in which no key could come
    pub held_up: u64,
}

/// A key that was asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    address: Address,
    read: u32,
    at: u64,
}

/// An entry that is written, or was until `to`: keys of its flow before and after may be of no flow then.
#[derive(Clone, Copy, Debug)]
struct Window {
    flow: usize,
    to: u64,
    keys: [Option<Entry>; 2],
}

fn words(value: u128) -> Words {
    (0..4).map(|i| (value >> (32 * i)) as u32).collect()
}

/// Sets the key of a side.
pub fn set_address(pins: &mut Pins<'_>, side: &str, address: &Address) {
    pins.set(&format!("{side}_six"), address.six.into());
    pins.set_words(&format!("{side}_source"), &words(address.source));
    pins.set_words(&format!("{side}_destination"), &words(address.destination));
    pins.set(&format!("{side}_qp"), address.qp.into());
}

/// Writes what `writes` says, and whatever else until `clocks` are over: entries of `pool` under any number. Keys are those of `pool`,
/// with a bit wrong or right, and of the other direction. # Errors The first difference.
pub fn bench(model: &mut dyn Model, writes: &[Write], pool: &[Entry], clocks: u64, mix: Mix, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let flows = 1usize << pins.width("write_flow");
    pins.reset(2);
    let began = pins.cycle();
    pins.until_ready(2 * flows as u64 + 2)?;
    let mut golden = Golden::new(flows);
    let mut seen = Seen::default();
    let mut asked: [VecDeque<Asked>; 2] = Default::default();
    let mut windows: VecDeque<Window> = VecDeque::new();
    let mut writing: Option<(Write, u64)> = None;
    let mut told = writes.iter();
    let mut reads: VecDeque<(usize, u64)> = VecDeque::new();
    let (mut over, mut rest) = (false, 0);
    while rest < 10 {
        let now = pins.cycle();
        let fail = |what: String| Err(format!("cycle {now}: {what}"));
        if writing.is_none() && chance(&mut rng, mix.write) {
            let next = told.next().copied().or_else(|| {
                let entry = pool.choose(&mut rng).copied().filter(|_| chance(&mut rng, 80));
                (!over).then(|| Write { flow: rng.random_range(0..flows), entry })
            });
            if let Some(write) = next {
                writing = Some((write, now));
                windows.push_back(Window { flow: write.flow, to: u64::MAX, keys: [golden.entries[write.flow], write.entry] });
                let entry = write.entry.unwrap_or_else(|| pool[rng.random_range(0..pool.len())]);
                pins.set("write_flow", write.flow as u64);
                pins.set("write_set", write.entry.is_some().into());
                pins.set("write_mtu", entry.mtu);
                set_address(&mut pins, "write", &entry.key);
                pins.set("write_peer_qp", entry.peer_qp.into());
                pins.set("write_partition_key", entry.partition_key);
                pins.set("write_udp_source", entry.udp_source);
                pins.set("write_to_mac", entry.to_mac);
                pins.set("write_from_mac", entry.from_mac);
            }
        }
        pins.set("write_valid", writing.is_some().into());
        let mut offered = [None; 2];
        for (back, side) in ["onward", "back"].into_iter().enumerate() {
            let offers = !over && chance(&mut rng, if back == 1 { mix.back } else { mix.onward });
            let entry = pool[rng.random_range(0..pool.len())];
            let mut address = if (back == 1) != chance(&mut rng, 5) { entry.reverse() } else { entry.key };
            if chance(&mut rng, 20) {
                address = address.flipped(rng.random_range(0..281));
            }
            let read = [0, 0, 1, rng.random_range(0..1 << 14), rng.random_range(0..=1 << 31), 1 << 31, 1 << rng.random_range(0..31)];
            let read = read[rng.random_range(0..7)];
            pins.set(&format!("{side}_valid"), offers.into());
            set_address(&mut pins, side, &address);
            if back == 0 {
                pins.set("onward_read", read.into());
            }
            offered[back] = offers.then_some(Asked { address, read, at: now });
        }
        let reading = rng.random_range(0..flows);
        pins.set("read_flow", reading as u64);
        pins.eval();

        if pins.get("write_ready") == 1 {
            let Some((write, from)) = writing.take() else { return fail("an entry is written that nobody writes".into()) };
            if now - from != WRITING - 1 {
                return fail(format!("an entry took {} clocks", now - from + 1));
            }
            let refused = match &write.entry {
                Some(entry) => !golden.open(write.flow, entry),
                None => {
                    golden.clear(write.flow);
                    false
                }
            };
            pins.check("write_refused", refused.into()).map_err(|difference| format!("{difference} of {write:?}"))?;
            seen.refused += u64::from(refused);
            seen.written += u64::from(write.entry.is_some() && !refused);
            seen.cleared += u64::from(write.entry.is_none());
            if let Some(window) = windows.back_mut() {
                window.to = now + LATENCY;
            }
        } else if writing.is_some_and(|(_, from)| now - from >= WRITING) {
            return fail("an entry is not written in time".into());
        }
        windows.retain(|window| window.to >= now);

        for (back, side) in ["onward", "back"].into_iter().enumerate() {
            let ready = pins.get(&format!("{side}_ready")) == 1;
            seen.held_up += u64::from(!ready);
            if !ready && writing.is_none() {
                return fail(format!("`{side}_ready` falls although nothing is written"));
            }
            let due = asked[back].front().filter(|asked| asked.at + LATENCY == now).copied();
            pins.check(&format!("{side}_done"), due.is_some().into())?;
            if let Some(one) = due {
                asked[back].pop_front();
                let found = (pins.get(&format!("{side}_known")) == 1).then(|| pins.get(&format!("{side}_flow")) as usize);
                let expected = golden.find(&one.address, back == 1);
                let keys = |entry: &Entry| if back == 1 { entry.reverse() } else { entry.key };
                // Flows whose entry with this key is written meanwhile, or was when it was asked for.
                let has = |w: &&Window| w.keys.iter().flatten().any(|entry| keys(entry) == one.address);
                let touched: Vec<usize> = windows.iter().filter(has).map(|window| window.flow).collect();
                let excused = !touched.is_empty() && [found, expected].iter().flatten().all(|flow| touched.contains(flow));
                if found != expected && !excused {
                    return fail(format!("{side}: {:?} is of {found:?}, expected {expected:?}", one.address));
                }
                seen.meanwhile += u64::from(excused && found.is_none());
                seen.known += u64::from(found.is_some());
                seen.missed += u64::from(found.is_none());
                if let (0, Some(flow), true) = (back, found, touched.is_empty()) {
                    let entry = golden.entries[flow].expect("a flow that was found");
                    let psns = span(one.read, 256 << entry.mtu);
                    pins.check("onward_span", psns.into()).map_err(|d| format!("{d}, {} bytes, MTU {}", one.read, entry.mtu))?;
                    seen.largest_span = seen.largest_span.max(psns.into());
                }
            }
            if let Some(one) = offered[back].filter(|_| ready) {
                asked[back].push_back(one);
            }
        }

        // What was read two clocks ago.
        if let Some((flow, _)) = reads.pop_front_if_due(now)
            && let Some(entry) = golden.entries[flow]
            && windows.iter().all(|window| window.flow != flow)
        {
            let about = |difference| format!("{difference} of flow {flow}: {entry:?}");
            pins.check("read_six", entry.key.six.into()).map_err(about)?;
            pins.check_words("read_source", &words(entry.key.source)).map_err(about)?;
            pins.check_words("read_destination", &words(entry.key.destination)).map_err(about)?;
            pins.check("read_peer_qp", entry.peer_qp.into()).map_err(about)?;
            pins.check("read_partition_key", entry.partition_key).map_err(about)?;
            pins.check("read_udp_source", entry.udp_source).map_err(about)?;
            pins.check("read_to_mac", entry.to_mac).map_err(about)?;
            pins.check("read_from_mac", entry.from_mac).map_err(about)?;
        }
        reads.push_back((reading, now + 2));
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        over = pins.cycle() - began > clocks && told.len() == 0;
        rest += u32::from(over && writing.is_none());
    }
    Ok(seen)
}

/// The front of a queue when its time has come.
trait Due {
    fn pop_front_if_due(&mut self, now: u64) -> Option<(usize, u64)>;
}

impl Due for VecDeque<(usize, u64)> {
    fn pop_front_if_due(&mut self, now: u64) -> Option<(usize, u64)> {
        if self.front().is_some_and(|&(_, at)| at == now) { self.pop_front() } else { None }
    }
}
