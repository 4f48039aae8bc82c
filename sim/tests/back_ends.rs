//! Native against hand-written Verilog, and lockstep on a seeded difference.

use rdma_rtl_hdl::ports::Ports;
use rdma_rtl_hdl::primitives::{BarrelShifterPipelined, BlockRam, ClearedRam, FifoBlock, FifoLut, LutRam, Reg};
use rdma_rtl_hdl::receive::mask_unit::MaskUnit;
use rdma_rtl_hdl::settle::Settle;
use rdma_rtl_hdl::{Described, kernel};
use rdma_rtl_sim::verilated::{Design, Options, Source, Trace, design_of_block};
use rdma_rtl_sim::{Direction, Error, Lockstep, Model, Native, Port, Verilated, verilate};
use rust_hdl::prelude::*;

const MASK_UNIT: &str = include_str!("verilog/mask_unit.v");

fn mask_unit(m: usize, text: &str, options: &Options) -> Verilated {
    let ports = vec![
        Port::input("rst", 1),
        Port::input("start_valid", 1),
        Port::input("start_mask", m),
        Port::input("arrival_valid", 1),
        Port::input("arrival_bits", m),
        Port::output("duplicate", 1),
        Port::output("complete", 1),
        Port::output("mask", m),
    ];
    let text = text.replace("M = 32", &format!("M = {m}"));
    let design = Design { sources: vec![Source::new("mask_unit.v", text)], top: "mask_unit".into(), clock: Some("clk".into()), ports };
    verilate(&design, options).unwrap()
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32
    }
}

/// Random operations; reads outputs before the edge, as a bench does for a handshake.
fn drive(model: &mut impl Model, cycles: u64, seed: u64) {
    let port = |name| model.port(name).unwrap();
    let [rst, start_valid, arrival_valid] = ["rst", "start_valid", "arrival_valid"].map(port);
    let [start_mask, arrival_bits] = ["start_mask", "arrival_bits"].map(port);
    let m = model.ports()[start_mask].width;
    let mut random = Random(seed);
    for cycle in 0..cycles {
        model.poke_u64(rst, u64::from(cycle < 2 || random.next().is_multiple_of(256)));
        model.poke_u64(start_valid, u64::from(random.next().is_multiple_of(16)));
        model.poke_u64(arrival_valid, u64::from(!random.next().is_multiple_of(4)));
        let words: Vec<u32> = (0..m.div_ceil(32)).map(|_| random.next() | random.next()).collect();
        model.poke(start_mask, &words);
        let mut one = vec![0; m.div_ceil(32)];
        let position = random.next() as usize % m;
        one[position / 32] = 1 << (position % 32);
        model.poke(arrival_bits, &one);
        model.eval();
        model.clock();
    }
}

fn agree<const M: usize>(cycles: u64) {
    let native = Native::new(MaskUnit::<M>::default()).unwrap();
    let mut both = Lockstep::new(("native", native), ("verilated", mask_unit(M, MASK_UNIT, &Options::default()))).unwrap();
    drive(&mut both, cycles, 1);
    assert_eq!(both.failure(), None);
    assert_eq!(both.cycle(), cycles);
}

#[test]
fn mask_unit_agrees() {
    agree::<5>(20_000);
    agree::<32>(20_000);
    agree::<33>(5_000);
    agree::<70>(5_000);
}

#[test]
fn a_difference_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let wave = directory.path().join("difference.vcd");
    let wrong = MASK_UNIT.replace("else if (start_valid) bits <= start_mask;", "else if (start_valid) bits <= start_mask | 1;");
    assert_ne!(wrong, MASK_UNIT);
    let native = Native::new(MaskUnit::<8>::default()).unwrap();
    let both = Lockstep::new(("native", native), ("verilated", mask_unit(8, &wrong, &Options::default()))).unwrap();
    let mut both = both.history(6).wave(&wave);
    drive(&mut both, 1000, 3);
    let difference = both.difference().expect("a difference").to_string();
    insta::assert_snapshot!(difference.replace(&directory.path().display().to_string(), "DIRECTORY"));
    let stopped = both.cycle();
    both.clock();
    assert_eq!(both.cycle(), stopped, "it stands still");
    let wave = std::fs::read_to_string(wave).unwrap();
    for text in ["$scope module native", "$scope module verilated", "mask", "arrival_bits"] {
        assert!(wave.contains(text), "{text} in {wave}");
    }
}

#[test]
fn a_combinational_difference_is_seen_before_the_edge() {
    let wrong = MASK_UNIT.replace("assign complete = &with_arrival;", "assign complete = &with_arrival && arrival_valid;");
    let native = Native::new(MaskUnit::<8>::default()).unwrap();
    let mut both = Lockstep::new(("native", native), ("verilated", mask_unit(8, &wrong, &Options::default()))).unwrap();
    let port = |m: &Lockstep<_, _>, name| m.port(name).unwrap();
    let (start_valid, start_mask) = (port(&both, "start_valid"), port(&both, "start_mask"));
    both.poke_u64(start_valid, 1);
    both.poke_u64(start_mask, 0xfe);
    both.clock();
    let bits = both.port("arrival_bits").unwrap();
    both.poke_u64(start_valid, 0);
    both.poke_u64(bits, 1);
    both.eval();
    let difference = both.difference().expect("a difference");
    assert_eq!((difference.cycle, difference.outputs.len()), (2, 1));
    assert_eq!(difference.outputs[0], ("complete".to_string(), vec![1], vec![0]));
}

#[test]
fn different_ports_are_refused() {
    let error = |m| {
        let right = mask_unit(m, MASK_UNIT, &Options::default());
        Lockstep::new(("native", Native::new(MaskUnit::<8>::default()).unwrap()), ("verilated", right)).err().map(|e| e.to_string())
    };
    assert_eq!(error(8), None);
    let expected = "the models do not have the same ports: `start_mask` is input of 8 bits in native, input of 9 bits in verilated";
    assert_eq!(error(9).as_deref(), Some(expected));
}

#[test]
fn both_back_ends_write_waves() {
    let directory = tempfile::tempdir().unwrap();
    let [native_wave, verilated_wave] = ["native.vcd", "verilated.vcd"].map(|f| directory.path().join(f));
    let native = Native::new(MaskUnit::<8>::default()).unwrap();
    let options = Options { trace: Trace::Vcd, ..Options::default() };
    let mut both = Lockstep::new(("native", native), ("verilated", mask_unit(8, MASK_UNIT, &options))).unwrap();
    let (native, verilated) = both.models();
    native.open_wave(&native_wave).unwrap();
    verilated.open_wave(&verilated_wave).unwrap();
    drive(&mut both, 20, 1);
    let (native, verilated) = both.models();
    native.close_wave();
    verilated.close_wave().unwrap();
    for (path, last) in [(native_wave, "#195000"), (verilated_wave, "#195")] {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("with_arrival") && text.contains(last) && text.contains("$enddefinitions"), "{}", path.display());
    }
    let missing = directory.path().join("none/native.vcd");
    let mut native = Native::new(MaskUnit::<8>::default()).unwrap();
    assert!(matches!(native.open_wave(&missing), Err(Error::Write { .. })));
}

/// Registers at three depths, a memory of each kind: what the order of updates could get wrong.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
struct Stage {
    pub clk: Signal<In, Clock>,
    pub a: Signal<In, Bits<40>>,
    pub q: Signal<Out, Bits<40>>,
    delay: Reg<Bits<40>>,
}

impl Logic for Stage {
    #[kernel]
    fn update(&mut self) {
        dff_setup!(self, clk, delay);
        self.delay.d.next = self.a.val();
        self.q.next = self.delay.q.val();
    }
}

#[derive(Clone, Debug, Default, Described, LogicBlock)]
struct Nested {
    pub clk: Signal<In, Clock>,
    pub a: Signal<In, Bits<40>>,
    pub address: Signal<In, Bits<3>>,
    pub write: Signal<In, Bit>,
    pub direct: Signal<Out, Bits<40>>,
    pub chained: Signal<Out, Bits<40>>,
    pub block: Signal<Out, Bits<40>>,
    pub lut: Signal<Out, Bits<40>>,
    own: Reg<Bits<40>>,
    first: Stage,
    second: Stage,
    last: Reg<Bits<40>>,
    block_ram: BlockRam<40, 3, 0>,
    lut_ram: LutRam<40, 3>,
}

impl Logic for Nested {
    #[kernel]
    fn update(&mut self) {
        dff_setup!(self, clk, own, last);
        self.own.d.next = self.a.val();
        self.direct.next = self.own.q.val();
        self.first.clk.next = self.clk.val();
        self.second.clk.next = self.clk.val();
        self.first.a.next = self.own.q.val();
        self.second.a.next = self.first.q.val();
        self.last.d.next = self.second.q.val();
        self.chained.next = self.last.q.val();
        self.block_ram.clk.next = self.clk.val();
        self.block_ram.write_enable.next = self.write.val();
        self.block_ram.write_address.next = self.address.val();
        self.block_ram.read_address.next = self.address.val();
        self.block_ram.write_data.next = self.first.q.val();
        self.block.next = self.block_ram.read_data.val();
        self.lut_ram.clk.next = self.clk.val();
        self.lut_ram.write_enable.next = self.write.val();
        self.lut_ram.write_address.next = self.address.val();
        self.lut_ram.read_address.next = self.address.val();
        self.lut_ram.write_data.next = self.first.q.val();
        self.lut.next = self.lut_ram.read_data.val();
    }
}

const NESTED: &str = "module nested (input wire clk, input wire [39:0] a, input wire [2:0] address, input wire write,
    output reg [39:0] direct, output reg [39:0] chained, output reg [39:0] block, output wire [39:0] lut);
    reg [39:0] first, second, words [0:7];
    assign lut = words[address];
    always @(posedge clk) begin
        direct <= a; first <= direct; second <= first; chained <= second;
        block <= words[address];
        if (write) words[address] <= first;
    end
endmodule
";

#[test]
fn every_register_sees_the_same_edge() {
    let native = Native::new(Nested::default()).unwrap();
    let ports = native.ports().to_vec();
    assert_eq!(ports.iter().filter(|p| p.direction == Direction::Input).count(), 3);
    let design = Design { sources: vec![Source::new("nested.v", NESTED)], top: "nested".into(), clock: Some("clk".into()), ports };
    let verilated = verilate(&design, &Options::default()).unwrap();
    let mut both = Lockstep::new(("native", native), ("verilated", verilated)).unwrap();
    let mut random = Random(5);
    for _ in 0..5000 {
        both.poke(0, &[random.next(), random.next()]);
        both.poke_u64(1, u64::from(random.next() >> 8));
        both.poke_u64(2, u64::from(random.next() >> 9));
        both.clock();
    }
    assert_eq!(both.failure(), None);
}

#[test]
fn emitted_text_agrees_with_the_rust() {
    let options = Options::default();
    let design = design_of_block(MaskUnit::<33>::default()).unwrap();
    let native = Native::new(MaskUnit::<33>::default()).unwrap();
    let mut both = Lockstep::new(("native", native), ("verilated", verilate(&design, &options).unwrap())).unwrap();
    drive(&mut both, 5000, 1);
    assert_eq!(both.failure(), None);
    // The emitted text and the one by hand, without rust-hdl.
    let emitted = verilate(&design, &options).unwrap();
    let mut both = Lockstep::new(("emitted", emitted), ("by hand", mask_unit(33, MASK_UNIT, &options))).unwrap();
    drive(&mut both, 100_000, 2);
    assert_eq!(both.failure(), None);
}

#[derive(Clone, Debug, Default, Described, LogicBlock)]
struct Oscillator {
    pub clk: Signal<In, Clock>,
    pub go: Signal<In, Bit>,
    pub o: Signal<Out, Bit>,
    inner: Inverter,
}

#[derive(Clone, Debug, Default, Described, LogicBlock)]
struct Inverter {
    pub a: Signal<In, Bit>,
    pub y: Signal<Out, Bit>,
}

impl Logic for Inverter {
    #[kernel]
    fn update(&mut self) {
        self.y.next = !self.a.val();
    }
}

impl Logic for Oscillator {
    #[kernel]
    fn update(&mut self) {
        self.inner.a.next = self.inner.y.val() && self.go.val();
        self.o.next = self.inner.y.val();
    }
}

#[test]
fn logic_that_does_not_settle_is_named() {
    let mut native = Native::new(Oscillator::default()).unwrap();
    native.clock();
    assert_eq!(native.failure(), None);
    native.poke_u64(0, 1);
    native.clock();
    let failure = native.failure().unwrap_or_default();
    assert!(
        failure.starts_with("`Oscillator` does not settle in 1000 passes; still changing:") && failure.contains("inner.a"),
        "{failure}"
    );
    assert_eq!(native.cycle(), 1);
}

/// The driver that needs no thought: every kernel in every pass, and a clock that rises and falls.
struct EveryKernel<B>(B);

impl<B: Block + Ports> EveryKernel<B> {
    fn settle(&mut self) {
        loop {
            self.0.update_all();
            if !self.0.has_changed() {
                return;
            }
        }
    }

    fn clock(&mut self, clock: usize) {
        self.settle();
        for level in [1, 0] {
            self.0.port_mut(clock).unwrap().set(&[level]);
            self.settle();
        }
    }
}

/// The same random inputs into `B` under both drivers: outputs before and after every edge. `wave` is open in the middle third.
fn every_pass_agrees<B: Block + Ports + Settle + Default>(wave: &std::path::Path) {
    const CLOCKS: usize = 3000;
    let mut native = Native::new(B::default()).unwrap();
    let mut plain = EveryKernel(B::default());
    plain.0.connect_all();
    let index = |name: &str| B::port_names().iter().position(|n| n == name).unwrap();
    let (ports, clock) = (native.ports().to_vec(), index("clk"));
    let mut random = Random(3);
    let mut outputs = std::collections::HashSet::new();
    for i in 0..CLOCKS {
        match i {
            _ if i == CLOCKS / 3 => native.open_wave(wave).unwrap(),
            _ if i == 2 * CLOCKS / 3 => native.close_wave(),
            _ => {}
        }
        for (p, port) in ports.iter().enumerate().filter(|(_, p)| p.direction == Direction::Input) {
            let value = match port.name.as_str() {
                "rst" => u32::from(i < 2 || random.next().is_multiple_of(200)),
                _ => random.next() >> 3,
            };
            let words = vec![value; port.words()];
            native.poke(p, &words);
            plain.0.port_mut(index(&port.name)).unwrap().set(&words);
        }
        for edge in [false, true] {
            if edge {
                native.clock();
                plain.clock(clock);
            }
            native.eval();
            plain.settle();
            for (p, port) in ports.iter().enumerate().filter(|(_, p)| p.direction == Direction::Output) {
                let mut words = [vec![0; port.words()], vec![0; port.words()]];
                native.peek(p, &mut words[0]);
                plain.0.port(index(&port.name)).unwrap().get(&mut words[1]);
                assert_eq!(words[0], words[1], "{} of {} in clock {i}, edge: {edge}", port.name, std::any::type_name::<B>());
                outputs.insert((p, words[0].clone()));
            }
        }
    }
    assert_eq!(native.failure(), None);
    assert!(outputs.len() > 10, "hardly anything happened");
}

/// Its kernel reads what it drives into a child, later than it writes it.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
struct ReadsAnInput {
    pub clk: Signal<In, Clock>,
    pub a: Signal<In, Bits<8>>,
    pub y: Signal<Out, Bits<8>>,
    child: LutRam<8, 2>,
    held: Reg<Bits<8>>,
}

impl Logic for ReadsAnInput {
    #[kernel]
    fn update(&mut self) {
        dff_setup!(self, clk, held);
        self.child.clk.next = self.clk.val();
        self.child.write_enable.next = true;
        self.child.write_address.next = bits::<2>(1);
        self.child.read_address.next = bits::<2>(2);
        self.child.write_data.next = self.held.q.val() ^ self.a.val();
        self.held.d.next = self.child.write_data.val();
        self.y.next = self.child.write_data.val();
    }
}

#[test]
fn skipping_reaches_what_every_pass_reaches() {
    let folder = tempfile::tempdir().unwrap();
    let wave = folder.path().join("wave.vcd");
    every_pass_agrees::<Nested>(&wave);
    every_pass_agrees::<ReadsAnInput>(&wave);
    every_pass_agrees::<MaskUnit<33>>(&wave);
    every_pass_agrees::<FifoBlock<40, 3, 4>>(&wave);
    every_pass_agrees::<FifoLut<40, 3, 4>>(&wave);
    every_pass_agrees::<ClearedRam<8, 3, 0>>(&wave);
    every_pass_agrees::<BarrelShifterPipelined<32, 5, 0, 1>>(&wave);
    let text = std::fs::read_to_string(&wave).unwrap();
    assert!(text.lines().filter(|l| l.starts_with('#')).count() > 1900, "two changes of the clock in each of a thousand cycles");
}
