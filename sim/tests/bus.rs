//! The bus models: each checker sees each rule broken once, and nothing in what is sound; the memory keeps its promises.

use rdma_rtl_sim::bus::{
    Agent, AxiCheck, AxiLiteCheck, AxiLiteMaster, AxiMemory, Beat, Channel, MemoryOptions, Stalls, StreamCheck, StreamSink, StreamSource,
    Violation, step,
};
use rdma_rtl_sim::{Direction, Model, Port};

/// A model without logic: every port says what was written there last, by either side.
struct Wires {
    ports: Vec<Port>,
    values: Vec<Vec<u32>>,
    cycle: u64,
}

impl Wires {
    /// `name:width` of outputs of the model, then of inputs.
    fn new(outputs: &str, inputs: &str) -> Self {
        let port = |direction| {
            move |text: &str| {
                let (name, width) = text.split_once(':').unwrap_or((text, "1"));
                Port { name: name.to_string(), width: width.parse().unwrap(), direction }
            }
        };
        let outputs = outputs.split_whitespace().map(port(Direction::Output));
        let ports: Vec<Port> = outputs.chain(inputs.split_whitespace().map(port(Direction::Input))).collect();
        let values = ports.iter().map(|p| vec![0; p.words()]).collect();
        Wires { ports, values, cycle: 0 }
    }

    fn set(&mut self, name: &str, value: u64) {
        let port = self.port(name).unwrap_or_else(|| panic!("no port {name}"));
        self.poke_u64(port, value);
    }

    fn get(&self, name: &str) -> u64 {
        self.peek_u64(self.port(name).unwrap())
    }
}

impl Model for Wires {
    fn ports(&self) -> &[Port] {
        &self.ports
    }
    fn poke(&mut self, port: usize, words: &[u32]) {
        self.values[port].copy_from_slice(words);
    }
    fn peek(&self, port: usize, words: &mut [u32]) {
        words.copy_from_slice(&self.values[port]);
    }
    fn eval(&mut self) {}
    fn clock(&mut self) {
        self.cycle += 1;
    }
    fn cycle(&self) -> u64 {
        self.cycle
    }
}

/// Sets what each row says, clock by clock, and gives the rules that were broken. A value holds until a row changes it.
fn rules(wires: &mut Wires, check: &mut dyn Agent, rows: &[&[(&str, u64)]]) -> Vec<&'static str> {
    let mut violations: Vec<Violation> = Vec::new();
    for row in rows {
        for (name, value) in *row {
            wires.set(name, *value);
        }
        step(wires, &mut [&mut *check], &mut violations);
    }
    violations.iter().map(|v| v.rule).collect()
}

fn lite() -> Wires {
    Wires::new(
        "a_awready a_wready a_bvalid a_bresp:2 a_arready a_rvalid a_rdata:32 a_rresp:2",
        "rst a_awvalid a_awaddr:12 a_wvalid a_wdata:32 a_wstrb:4 a_bready a_arvalid a_araddr:12 a_rready",
    )
}

fn lite_rules(rows: &[&[(&str, u64)]]) -> Vec<&'static str> {
    let mut wires = lite();
    let mut check = AxiLiteCheck::new(&wires, "a_").unwrap();
    rules(&mut wires, &mut check, rows)
}

#[test]
fn every_channel() {
    let good = lite_rules(&[
        &[("a_awvalid", 1), ("a_awaddr", 4)],
        &[("a_awready", 1), ("a_wvalid", 1), ("a_wready", 1)],
        &[("a_awvalid", 0), ("a_wvalid", 0), ("a_bvalid", 1)],
        &[("a_bready", 1)],
        &[("a_bvalid", 0)],
    ]);
    assert_eq!(good, [""; 0]);
    assert_eq!(lite_rules(&[&[("a_awvalid", 1)], &[("a_awvalid", 0)]]), ["valid dropped"]);
    assert_eq!(lite_rules(&[&[("a_awvalid", 1), ("a_awaddr", 4)], &[("a_awaddr", 8)]]), ["payload changed"]);
    assert_eq!(lite_rules(&[&[("a_wvalid", 1)], &[("a_wdata", 8)]]), ["payload changed"]);
    // The first clock of a reset may still show what was before it.
    let reset = lite_rules(&[&[("rst", 1), ("a_rvalid", 1)], &[("a_rvalid", 0)], &[("a_rvalid", 1)], &[("a_rvalid", 0)]]);
    assert_eq!(reset, ["valid in reset"]);
}

#[test]
fn axi_lite() {
    assert_eq!(lite_rules(&[&[("a_bvalid", 1), ("a_bready", 1)], &[("a_bvalid", 0)]]), ["answer without request"]);
    // The address alone is no write; and not in the clock in which the request passes.
    let rows: [&[(&str, u64)]; 3] = [
        &[("a_awvalid", 1), ("a_awready", 1)],
        &[("a_awvalid", 0), ("a_bvalid", 1), ("a_wvalid", 1), ("a_wready", 1)],
        &[("a_wvalid", 0), ("a_bready", 1)],
    ];
    assert_eq!(lite_rules(&rows), ["answer without request"]);
    assert_eq!(lite_rules(&[&[("a_arvalid", 1), ("a_arready", 1), ("a_rvalid", 1)], &[("a_arvalid", 0)]]), ["answer without request"]);
    let exclusive = lite_rules(&[
        &[("a_arvalid", 1), ("a_arready", 1)],
        &[("a_arvalid", 0), ("a_rvalid", 1), ("a_rresp", 1), ("a_rready", 1)],
        &[("a_rvalid", 0)],
    ]);
    assert_eq!(exclusive, ["response"]);
}

#[test]
fn the_master_notices_answers_nobody_asked_for() {
    let mut wires = lite();
    let mut master = AxiLiteMaster::new(&wires, "a_", 1, Stalls::NONE).unwrap();
    assert_eq!(rules(&mut wires, &mut master, &[&[("a_rvalid", 1)], &[("a_rvalid", 0), ("a_bvalid", 1)]]), ["answer without request"; 2]);
    assert!(AxiLiteMaster::new(&wires, "b_", 1, Stalls::NONE).err().unwrap().to_string().contains("there is no port `b_awvalid`"));
}

#[test]
fn streams() {
    let wires = || Wires::new("s_tready", "s_tvalid s_tdata:32 s_tkeep:4 s_tlast s_tuser");
    let broken = |rows: &[&[(&str, u64)]]| {
        let mut wires = wires();
        wires.set("s_tready", 1);
        let mut check = StreamCheck::new(&wires, "s_").unwrap();
        rules(&mut wires, &mut check, rows)
    };
    assert_eq!(broken(&[&[("s_tvalid", 1), ("s_tkeep", 15)], &[("s_tkeep", 3), ("s_tlast", 1)]]), [""; 0]);
    assert_eq!(broken(&[&[("s_tvalid", 1), ("s_tkeep", 7)]]), ["keep"]);
    assert_eq!(broken(&[&[("s_tvalid", 1), ("s_tkeep", 5), ("s_tlast", 1)]]), ["keep"]);
    assert_eq!(broken(&[&[("s_tready", 0), ("s_tvalid", 1)], &[("s_tlast", 1)]]), ["payload changed"]);
}

/// A source and a sink at the same wires, with a ready that the test drives and both ends see.
#[test]
fn a_packet_comes_as_it_went() {
    for (idle, backpressure) in [(0, 0), (50, 0), (30, 60)] {
        let stalls = Stalls { idle, backpressure };
        let mut up = Wires::new("s_tready", "s_tvalid s_tdata:64 s_tkeep:8 s_tlast s_tuser:3");
        let mut down = Wires::new("s_tvalid s_tdata:64 s_tkeep:8 s_tlast s_tuser:3", "s_tready");
        let mut source = StreamSource::new(&up, "s_", 1, stalls).unwrap();
        let mut sink = StreamSink::new(&down, "s_", 2, stalls).unwrap();
        let mut check = StreamCheck::new(&up, "s_").unwrap();
        let packets: Vec<Vec<u8>> = (1..40usize).map(|n| (0..n).map(|i| (7 * i + n) as u8).collect()).collect();
        packets.iter().for_each(|p| source.packet(p, 5));
        // Sees the same beats, and drives nothing.
        let mut witness = StreamSink::new(&down, "s_", 2, stalls).unwrap();
        let (mut violations, mut received, mut beats) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..3000 {
            source.drive(&mut up);
            for name in ["s_tvalid", "s_tdata", "s_tkeep", "s_tlast", "s_tuser"] {
                down.set(name, up.get(name));
            }
            sink.drive(&mut down);
            up.set("s_tready", down.get("s_tready"));
            source.observe(&up, &mut violations);
            check.observe(&up, &mut violations);
            sink.observe(&down, &mut violations);
            witness.observe(&down, &mut violations);
            received.extend(sink.packets());
            beats.extend(witness.beats());
            up.clock();
            down.clock();
        }
        assert_eq!(violations, []);
        assert_eq!((source.waiting(), source.sent()), (0, beats.len() as u64));
        assert_eq!(received, packets);
        assert!(beats.iter().all(|b: &Beat| b.user == if b.last { 5 } else { 0 }));
    }
}

fn axi() -> Wires {
    Wires::new(
        "m_awvalid m_awid:2 m_awaddr:64 m_awlen:8 m_awsize:3 m_awburst:2 m_wvalid m_wdata:64 m_wstrb:8 m_wlast m_bready \
         m_arvalid m_arid:2 m_araddr:32 m_arlen:8 m_arsize:3 m_arburst:2 m_rready",
        "rst m_awready m_wready m_bvalid m_bid:2 m_bresp:2 m_arready m_rvalid m_rid:2 m_rdata:64 m_rresp:2 m_rlast",
    )
}

const OPEN: [(&str, u64); 10] = [
    ("m_awready", 1),
    ("m_wready", 1),
    ("m_bready", 1),
    ("m_arready", 1),
    ("m_rready", 1),
    ("m_awsize", 3),
    ("m_awburst", 1),
    ("m_arsize", 3),
    ("m_arburst", 1),
    ("m_wstrb", 255),
];

fn axi_rules(rows: &[&[(&str, u64)]]) -> Vec<&'static str> {
    let mut wires = axi();
    OPEN.iter().for_each(|(name, value)| wires.set(name, *value));
    let mut check = AxiCheck::new(&wires, "m_").unwrap();
    rules(&mut wires, &mut check, rows)
}

#[test]
fn bursts() {
    let address = |values: &[(&'static str, u64)]| {
        let first: Vec<(&str, u64)> = [("m_awvalid", 1)].into_iter().chain(values.iter().copied()).collect();
        axi_rules(&[&first, &[("m_awvalid", 0)]])
    };
    assert_eq!(address(&[("m_awaddr", 0xf80), ("m_awlen", 15)]), [""; 0]);
    assert_eq!(address(&[("m_awaddr", 0xf88), ("m_awlen", 15)]), ["4 KB boundary"]);
    assert_eq!(address(&[("m_awaddr", 0xf81), ("m_awlen", 15)]), [""; 0]);
    assert_eq!(address(&[("m_awsize", 4)]), ["burst size"]);
    assert_eq!(address(&[("m_awburst", 3)]), ["burst kind"]);
    assert_eq!(address(&[("m_awburst", 0), ("m_awlen", 16)]), ["burst length"]);
    assert_eq!(address(&[("m_awburst", 2), ("m_awlen", 3)]), [""; 0]);
    assert_eq!(address(&[("m_awburst", 2), ("m_awlen", 2)]), ["burst length"]);
    assert_eq!(address(&[("m_awburst", 2), ("m_awlen", 3), ("m_awaddr", 4)]), ["burst length"]);
    assert_eq!(axi_rules(&[&[("m_arvalid", 1), ("m_araddr", 0xff8), ("m_arlen", 1)], &[("m_arvalid", 0)]]), ["4 KB boundary"]);
}

#[test]
fn beats_and_answers() {
    let two: &[(&str, u64)] = &[("m_awvalid", 1), ("m_awlen", 1), ("m_awid", 2)];
    let end: &[(&str, u64)] = &[("m_wvalid", 0)];
    let beat: &[(&str, u64)] = &[("m_awvalid", 0), ("m_wvalid", 1), ("m_wlast", 0)];
    let last: &[(&str, u64)] = &[("m_wvalid", 1), ("m_wlast", 1)];
    let answer: &[(&str, u64)] = &[("m_wvalid", 0), ("m_bvalid", 1), ("m_bid", 2)];
    let quiet: &[(&str, u64)] = &[("m_bvalid", 0)];
    assert_eq!(axi_rules(&[two, beat, last, answer, quiet]), [""; 0]);
    // Data before its address.
    let late: &[(&str, u64)] = &[("m_wvalid", 0), ("m_awvalid", 1), ("m_awlen", 1), ("m_awid", 2)];
    assert_eq!(axi_rules(&[beat, last, late, &[("m_awvalid", 0), ("m_bvalid", 1), ("m_bid", 2)], quiet]), [""; 0]);
    assert_eq!(axi_rules(&[two, &[("m_awvalid", 0), ("m_wvalid", 1), ("m_wlast", 1)], end]), ["last"]);
    assert_eq!(axi_rules(&[two, beat, &[("m_wlast", 0)], end]), ["last"]);
    assert_eq!(axi_rules(&[two, beat, answer, quiet]), ["answer without request"]);
    assert_eq!(axi_rules(&[two, beat, last, &[("m_wvalid", 0), ("m_bvalid", 1), ("m_bid", 1)], quiet]), ["answer without request"]);
    assert_eq!(axi_rules(&[two, beat, last, answer, &[], quiet]), ["answer without request"]);
    // An unaligned first beat must not touch what lies before it.
    let unaligned: &[(&str, u64)] = &[("m_awvalid", 1), ("m_awlen", 0), ("m_awaddr", 3)];
    assert_eq!(axi_rules(&[unaligned, &[("m_awvalid", 0), ("m_wvalid", 1), ("m_wlast", 1)], end]), ["strobe"]);
    let bytes: &[(&str, u64)] = &[("m_awvalid", 0), ("m_wvalid", 1), ("m_wlast", 1), ("m_wstrb", 0xf8)];
    assert_eq!(axi_rules(&[unaligned, bytes, end]), [""; 0]);
    // A beat that ends with the last byte there is.
    let top: &[(&str, u64)] = &[("m_awvalid", 1), ("m_awlen", 0), ("m_awaddr", u64::MAX - 7)];
    let full: &[(&str, u64)] = &[("m_awvalid", 0), ("m_wvalid", 1), ("m_wlast", 1), ("m_wstrb", 0xff)];
    assert_eq!(axi_rules(&[top, full, end]), [""; 0]);
    // Reads.
    let read: &[(&str, u64)] = &[("m_arvalid", 1), ("m_arlen", 1), ("m_arid", 1)];
    let data: &[(&str, u64)] = &[("m_arvalid", 0), ("m_rvalid", 1), ("m_rid", 1)];
    assert_eq!(axi_rules(&[read, data, &[("m_rlast", 1)], &[("m_rvalid", 0)]]), [""; 0]);
    assert_eq!(axi_rules(&[read, data, &[], &[("m_rvalid", 0)]]), ["last"]);
    assert_eq!(axi_rules(&[read, &[("m_arvalid", 0), ("m_rvalid", 1), ("m_rid", 3)], &[("m_rvalid", 0)]]), ["answer without request"]);
}

/// A master of a few lines: writes bursts, collects the answers.
fn write_bursts(options: MemoryOptions, bursts: &[(u64, u64, usize)]) -> (AxiMemory, Vec<(u64, u64)>, Vec<Violation>) {
    let mut wires = axi();
    OPEN.iter().for_each(|(name, value)| wires.set(name, *value));
    let mut memory = AxiMemory::new(&wires, "m_", options).unwrap();
    memory.region(0x1000, 0x800);
    memory.fail(0x1700..0x1708);
    let mut check = AxiCheck::new(&wires, "m_").unwrap();
    let [aw, w, b] = ["m_aw", "m_w", "m_b"].map(|p| Channel::find(&wires, p).unwrap());
    let (mut violations, mut answers) = (Vec::new(), Vec::new());
    let (mut address, mut data, mut beat) = (0, 0, 0);
    for _ in 0..3000 {
        let there = address < bursts.len();
        wires.set("m_awvalid", u64::from(there));
        if there {
            let (id, at, beats) = bursts[address];
            wires.set("m_awid", id);
            wires.set("m_awaddr", at);
            wires.set("m_awlen", beats as u64 - 1);
        }
        let there = data < bursts.len();
        wires.set("m_wvalid", u64::from(there));
        if there {
            wires.set("m_wdata", (data as u64 + 1) * 0x0101_0101_0101_0101);
            wires.set("m_wlast", u64::from(beat + 1 == bursts[data].2));
        }
        memory.drive(&mut wires);
        wires.eval();
        let (aw, w, b) = (aw.fires(&wires), w.fires(&wires), b.fires(&wires));
        check.observe(&wires, &mut violations);
        if b {
            answers.push((wires.get("m_bid"), wires.get("m_bresp")));
        }
        memory.observe(&wires, &mut violations);
        wires.clock();
        address += usize::from(aw);
        if w {
            beat += 1;
            if beat == bursts[data].2 {
                (beat, data) = (0, data + 1);
            }
        }
    }
    (memory, answers, violations)
}

#[test]
fn the_memory() {
    let bursts: Vec<(u64, u64, usize)> = (0..32).map(|i| (i % 4, 0x1000 + 32 * i, 1 + i as usize % 4)).collect();
    let plain = MemoryOptions::default();
    let wild = MemoryOptions { stalls: Stalls::all(40), latency: (1, 30), reorder: true, outstanding: 8, ..plain };
    for options in [plain, wild] {
        let (memory, answers, violations) = write_bursts(options, &bursts);
        assert_eq!(violations, []);
        assert!(memory.idle() && memory.damaged().is_empty());
        for (i, (_, address, beats)) in bursts.iter().enumerate() {
            let written = memory.bytes(*address, 8 * beats).unwrap();
            assert!(written.iter().all(|b| *b == i as u8 + 1), "burst {i}: {written:?}");
        }
        assert_eq!(answers.len(), bursts.len());
        let in_order = answers.iter().zip(&bursts).all(|(a, b)| a.0 == b.0);
        assert_eq!(in_order, !options.reorder, "answers overtake each other only where they may");
    }
}

#[test]
fn the_memory_says_what_is_wrong() {
    // Behind the end: into the guard.
    let (memory, answers, violations) = write_bursts(MemoryOptions::default(), &[(0, 0x17f8, 2)]);
    assert_eq!(violations.iter().map(|v| v.rule).collect::<Vec<_>>(), ["outside of memory"]);
    assert_eq!(answers, [(0, 3)]);
    assert_eq!(memory.damaged(), (0x1800..0x1808).collect::<Vec<_>>());
    // An error that was asked for has no effect.
    let (memory, answers, violations) = write_bursts(MemoryOptions::default(), &[(1, 0x16f8, 4), (1, 0x1600, 1)]);
    assert_eq!(violations, []);
    assert_eq!(answers, [(1, 2), (1, 0)]);
    assert_eq!((memory.injected().len(), memory.injected().first()), (1, Some(&(0x16f8..=0x1717))));
    assert_eq!(memory.bytes(0x16f8, 8), Some([0; 8].as_slice()));
    let (memory, _, _) = write_bursts(MemoryOptions { errors: 100, ..Default::default() }, &[(1, 0x1000, 1)]);
    assert_eq!((memory.injected().len(), memory.answered()), (1, 1));
    // What software puts there, and where it cannot.
    let (mut memory, _, _) = write_bursts(MemoryOptions::default(), &[]);
    assert!(memory.put(0x17ff, &[9]) && !memory.put(0x17ff, &[9, 9]) && !memory.put(0xfff, &[9]));
    assert_eq!(memory.bytes(0x17ff, 1), Some([9].as_slice()));
    assert_eq!((memory.bytes(0x17ff, 2), memory.bytes(0, 1)), (None, None));
    // A region that ends with the last address there is.
    let last = u64::MAX - 0xff;
    memory.region(last, 0x100);
    assert!(memory.put(u64::MAX, &[7]) && !memory.put(u64::MAX, &[7, 7]) && !memory.put(last - 1, &[7, 7]));
    assert_eq!((memory.bytes(last, 0x100).map(|bytes| bytes[0xff]), memory.bytes(last, 0x101), memory.bytes(0, 1)), (Some(7), None, None));
    assert!(memory.damaged().is_empty());
}

/// Reads through the memory give what is in it, each ID in its order.
#[test]
fn the_memory_reads() {
    let mut wires = axi();
    OPEN.iter().for_each(|(name, value)| wires.set(name, *value));
    let options = MemoryOptions { latency: (1, 20), reorder: true, stalls: Stalls::all(30), ..Default::default() };
    let mut memory = AxiMemory::new(&wires, "m_", options).unwrap();
    memory.region(0, 4096);
    let bytes: Vec<u8> = (0..4096u32).map(|i| (i / 8) as u8).collect();
    assert!(memory.put(0, &bytes));
    let mut check = AxiCheck::new(&wires, "m_").unwrap();
    let [ar, r] = ["m_ar", "m_r"].map(|p| Channel::find(&wires, p).unwrap());
    let (mut violations, mut next, mut open) = (Vec::new(), 0u64, Vec::<(u64, u64)>::new());
    let mut overtaken = 0;
    for _ in 0..2000 {
        wires.set("m_arvalid", u64::from(next < 60));
        wires.set("m_arid", next % 4);
        wires.set("m_araddr", 8 * next);
        wires.set("m_arlen", next % 3);
        memory.drive(&mut wires);
        check.observe(&wires, &mut violations);
        if r.fires(&wires) {
            let id = wires.get("m_rid");
            let i = open.iter().position(|(open, _)| *open == id).unwrap();
            overtaken += u32::from(i > 0);
            assert_eq!(wires.get("m_rdata"), (open[i].1 & 0xff) * 0x0101_0101_0101_0101);
            open[i].1 += 1;
            if wires.get("m_rlast") == 1 {
                open.remove(i);
            }
        }
        memory.observe(&wires, &mut violations);
        if ar.fires(&wires) {
            open.push((next % 4, next));
            next += 1;
        }
        wires.clock();
    }
    assert_eq!(violations, []);
    assert!(next == 60 && open.is_empty() && overtaken > 0);
}
