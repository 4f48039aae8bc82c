//! `AxiWriteMerge` between two writers and the AXI4 memory: what both have written is there, and each response goes to its side.

use super::Ports;
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::{Agent, AxiCheck, AxiMemory, MemoryOptions, Violation, step};
use std::collections::{BTreeMap, VecDeque};

struct Beat {
    data: Vec<u8>,
    strobe: Vec<u8>,
    last: bool,
}

/// One of the two masters: its bursts, addresses and data each at its own pace.
struct Side {
    name: &'static str,
    rng: ChaCha8Rng,
    idle: u32,
    addresses: VecDeque<(u64, u64, u64)>,
    beats: VecDeque<Beat>,
    offers: [bool; 2],
    /// responses that are to come, by ID
    waits: BTreeMap<u64, u64>,
    difference: Option<String>,
}

impl Agent for Side {
    fn drive(&mut self, model: &mut dyn Model) {
        let mut p = Ports(model);
        let name = self.name;
        self.offers[0] = self.offers[0] || !self.addresses.is_empty() && !chance(&mut self.rng, self.idle);
        self.offers[1] = self.offers[1] || !self.beats.is_empty() && !chance(&mut self.rng, self.idle);
        p.set(&format!("{name}_axi_awvalid"), self.offers[0].into());
        p.set(&format!("{name}_axi_wvalid"), self.offers[1].into());
        if let Some((id, address, length)) = self.addresses.front() {
            if name == "a" {
                p.set("a_axi_awid", *id);
            }
            p.set(&format!("{name}_axi_awaddr"), *address);
            p.set(&format!("{name}_axi_awlen"), *length);
        }
        if let Some(beat) = self.beats.front() {
            p.set_bytes(&format!("{name}_axi_wdata"), &beat.data);
            p.set_bytes(&format!("{name}_axi_wstrb"), &beat.strobe);
            p.set(&format!("{name}_axi_wlast"), beat.last.into());
        }
        let ready = !chance(&mut self.rng, self.idle / 2);
        p.set(&format!("{name}_axi_bready"), ready.into());
    }

    fn observe(&mut self, model: &dyn Model, _: &mut Vec<Violation>) {
        let p = Ports(model);
        let fires = |channel: &str| ["valid", "ready"].iter().all(|end| p.get(&format!("{}_axi_{channel}{end}", self.name)) == 1);
        let (aw, w, b) = (fires("aw"), fires("w"), fires("b"));
        if aw && let Some((id, _, _)) = self.addresses.pop_front() {
            *self.waits.entry(id).or_default() += 1;
            self.offers[0] = false;
        }
        if w {
            self.beats.pop_front();
            self.offers[1] = false;
        }
        if b {
            let id = if self.name == "a" { p.get("a_axi_bid") } else { 0 };
            match self.waits.get_mut(&id) {
                Some(n) if *n > 0 => *n -= 1,
                _ => self.difference = Some(format!("cycle {}: {} gets a response of ID {id}", model.cycle(), self.name)),
            }
        }
    }
}

/// `bursts` of each side, `few` times fewer of `b`. Gives the clocks from the first to the last beat, and the beats.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, bursts: usize, few: usize, idle: u32, memory: MemoryOptions, seed: u64) -> Result<(u64, u64), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut p = Ports(&mut *model);
    for name in ["a_axi_awvalid", "a_axi_wvalid", "b_axi_awvalid", "b_axi_wvalid", "m_axi_bvalid", "m_axi_awready", "m_axi_wready"] {
        p.set(name, 0);
    }
    p.set("rst", 1);
    p.0.clock();
    p.set("rst", 0);
    p.0.eval();
    let beat = p.0.ports()[p.at("m_axi_wdata")].width / 8;
    let ids = 1u64 << p.0.ports()[p.at("a_axi_awid")].width;
    let mut expected = BTreeMap::new();
    let mut at = 0x5000_0000u64;
    let mut beats = 0;
    let mut side = |name, count: usize, rng: &mut ChaCha8Rng| {
        let mut side = Side {
            name,
            rng: ChaCha8Rng::seed_from_u64(rng.random()),
            idle,
            addresses: VecDeque::new(),
            beats: VecDeque::new(),
            offers: [false; 2],
            waits: BTreeMap::new(),
            difference: None,
        };
        for _ in 0..count {
            let length = rng.random_range(1..=4096 / beat as u64).min(rng.random_range(1..=9));
            if at >> 12 != (at + length * beat as u64 - 1) >> 12 {
                at = at.next_multiple_of(4096);
            }
            side.addresses.push_back((if name == "a" { rng.random_range(0..ids) } else { 0 }, at, length - 1));
            for i in 0..length {
                let mut data = vec![0; beat];
                rng.fill(data.as_mut_slice());
                let strobe: Vec<u8> = (0..beat.div_ceil(8)).map(|_| rng.random()).collect();
                for (lane, byte) in data.iter().enumerate().filter(|(lane, _)| strobe[lane / 8] >> (lane % 8) & 1 == 1) {
                    expected.insert(at + lane as u64, *byte);
                }
                side.beats.push_back(Beat { data, strobe, last: i + 1 == length });
                at += beat as u64;
                beats += 1;
            }
        }
        side
    };
    let mut a = side("a", bursts, &mut rng);
    let mut b = side("b", bursts / few, &mut rng);
    let mut slave = AxiMemory::new(model, "m_axi_", memory).map_err(|e| e.to_string())?;
    slave.region(0x5000_0000, (at - 0x5000_0000) as usize);
    let mut check = AxiCheck::new(model, "m_axi_").map_err(|e| e.to_string())?;
    let (mut violations, mut quiet) = (Vec::new(), 0);
    let (mut first, mut last) = (None, 0);
    let mut answered = 0;
    while answered < (bursts + bursts / few) as u64 {
        let before = (answered, a.beats.len() + b.beats.len());
        step(model, &mut [&mut a, &mut b, &mut slave, &mut check], &mut violations);
        answered = slave.answered();
        if before.1 != a.beats.len() + b.beats.len() {
            first.get_or_insert(model.cycle());
            last = model.cycle();
        }
        let difference = a.difference.take().or(b.difference.take()).or(violations.first().map(|v| v.to_string()));
        if let Some(difference) = difference.or(model.failure().map(|f| f.to_string())) {
            return Err(difference);
        }
        quiet = if before == (answered, a.beats.len() + b.beats.len()) { quiet + 1 } else { 0 };
        if quiet > 3000 {
            return Err(format!("nothing moves any more: {} and {} beats left", a.beats.len(), b.beats.len()));
        }
    }
    if a.waits.values().chain(b.waits.values()).any(|n| *n > 0) {
        return Err("a response went to the other side".to_string());
    }
    for (address, byte) in &expected {
        if slave.bytes(*address, 1) != Some(&[*byte]) {
            return Err(format!("memory at {address:#x} is {:02x?}, expected {byte:#04x}", slave.bytes(*address, 1)));
        }
    }
    Ok((last - first.unwrap_or(last) + 1, beats))
}
