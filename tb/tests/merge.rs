//! Two streams as one: frames, completions, commands. Every pause against every other; rates; verilated, and in lockstep with the Rust.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::merge::{Beat, Fields, Pace, Seen, Way, bench};
use rdma_rtl_tb::pins::{Words, bit, from_bits, random};
use rdma_rtl_tb::under_test::{seed, verilated};

/// A block, where its sides and its output are, and random beats of a side.
struct Merge {
    name: &'static str,
    ways: [Way; 2],
    out: &'static str,
    beats: fn(&Design, &mut ChaCha8Rng, usize, usize) -> Vec<Beat>,
}

const FRAMES: Merge = Merge { name: "frame_merge", ways: [Way::Stream("a_"), Way::Stream("b_")], out: "out_", beats: frames };
const COMPLETIONS: Merge =
    Merge { name: "completion_merge", ways: [Way::Stream("receive_"), Way::Stream("command_")], out: "complete_", beats: completions };
const COMMANDS: Merge = Merge { name: "command_intake", ways: [Way::Stream("in_"), Way::Post], out: "command_", beats: commands };

/// Our own node, as the completions of commands name it.
const NODE: u32 = 0x3141;

fn field(name: impl Into<String>, words: Words) -> (String, Words) {
    (name.into(), words)
}

/// Frames of one to nine beats; the last one has some of its bytes.
fn frames(design: &Design, rng: &mut ChaCha8Rng, side: usize, count: usize) -> Vec<Beat> {
    let width = design.parameter("data_width").unwrap() as usize;
    let prefix = ["a_", "b_"][side];
    let frame = |rng: &mut ChaCha8Rng| {
        let length = rng.random_range(1..=9);
        let beat = |rng: &mut ChaCha8Rng, i: usize| {
            let ends = i + 1 == length;
            let bytes = if ends { rng.random_range(1..=width / 8) } else { width / 8 };
            let (data, keep) = (random(rng, width), from_bits(width / 8, |byte| byte < bytes));
            let fields = |prefix: &str| -> Fields {
                let values = [("data", data.clone()), ("keep", keep.clone()), ("last", vec![ends.into()])];
                values.into_iter().map(|(name, words)| field(format!("{prefix}{name}"), words)).collect()
            };
            Beat { put: fields(prefix), shows: fields("out_"), ends }
        };
        (0..length).map(|i| beat(rng, i)).collect::<Vec<_>>()
    };
    (0..count).flat_map(|_| frame(rng)).collect()
}

fn completions(design: &Design, rng: &mut ChaCha8Rng, side: usize, count: usize) -> Vec<Beat> {
    let mask = design.parameter("mask_bits").unwrap() as usize;
    let receive = |rng: &mut ChaCha8Rng| {
        let widths = [("src", 16), ("op", 16), ("base", 64), ("bytes", 32), ("packets", 16), ("status", 8), ("imm_valid", 1), ("imm", 32)];
        let mut values: Vec<_> = widths.into_iter().map(|(name, width)| (name, random(rng, width))).collect();
        values.push(("mask", random(rng, mask)));
        values.push(("kind", vec![rng.random_range(0..2)]));
        let fields = |prefix: &str| values.iter().map(|(name, words)| field(format!("{prefix}{name}"), words.clone())).collect();
        Beat { put: fields("receive_"), shows: fields("complete_"), ends: true }
    };
    let command = |rng: &mut ChaCha8Rng| {
        let [id, status, bytes] = [16, 8, 32].map(|width| random(rng, width));
        let mut shows = vec![
            ("kind", vec![2]),
            ("src", vec![NODE]),
            ("op", id.clone()),
            ("status", status.clone()),
            ("bytes", bytes.clone()),
            ("base", vec![0; 2]),
            ("mask", vec![0; mask / 32]),
        ];
        shows.extend(["packets", "imm_valid", "imm"].map(|name| (name, vec![0])));
        Beat {
            put: vec![field("command_id", id), field("command_status", status), field("command_bytes", bytes)],
            shows: shows.into_iter().map(|(name, words)| field(format!("complete_{name}"), words)).collect(),
            ends: true,
        }
    };
    (0..count).map(|_| if side == 0 { receive(rng) } else { command(rng) }).collect()
}

/// First bit and bits of the fields of a command.
const COMMAND: [(&str, usize, usize); 11] = [
    ("id", 0, 16),
    ("node", 16, 16),
    ("qp", 32, 24),
    ("rkey", 64, 32),
    ("target", 96, 64),
    ("imm", 160, 32),
    ("imm_valid", 192, 1),
    ("arrival", 193, 1),
    ("blocks", 200, 3),
    ("sources", 224, 256),
    ("lengths", 480, 128),
];

fn commands(_: &Design, rng: &mut ChaCha8Rng, side: usize, count: usize) -> Vec<Beat> {
    let command = |rng: &mut ChaCha8Rng| {
        let data = random(rng, 608);
        let cut = |(name, at, bits): (&str, usize, usize)| field(format!("command_{name}"), from_bits(bits, |i| bit(&data, at + i)));
        let shows = COMMAND.into_iter().map(cut).collect();
        Beat { put: vec![field(["in_data", "post_data"][side], data)], shows, ends: true }
    };
    (0..count).map(|_| command(rng)).collect()
}

impl Merge {
    fn find(&self, profile: &str) -> Design {
        catalogue::find(self.name, profile).unwrap()
    }

    fn run(&self, model: &mut dyn Model, design: &Design, count: [usize; 2], pace: Pace) -> Result<Seen, String> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed());
        let beats = [0, 1].map(|side| (self.beats)(design, &mut rng, side, count[side]));
        if let Some(port) = model.port("cfg_source_node") {
            model.poke_u64(port, NODE.into());
        }
        bench(model, self.ways, self.out, beats, pace, rng.random())
    }

    fn hold(&self, model: &mut dyn Model, design: &Design, count: usize, pace: Pace) -> Seen {
        self.run(model, design, [count; 2], pace)
            .unwrap_or_else(|difference| panic!("{}, {pace:?}: {difference}\nagain with RDMA_RTL_SEED={}", self.name, seed()))
    }

    fn paces() -> impl Iterator<Item = Pace> {
        let sides = [[100, 100], [100, 20], [20, 100], [40, 40], [5, 60]];
        sides.into_iter().flat_map(|offer| [100, 50, 10].map(|take| Pace { offer, take, dropped: 30 }))
    }

    fn every_pace(&self) {
        for profile in ["small", "default", "large"] {
            let design = self.find(profile);
            let mut model = verilated(&design.elaborate().unwrap());
            let seen: Vec<Seen> = Self::paces().map(|pace| self.hold(&mut model, &design, 150, pace)).collect();
            assert!(seen.iter().all(|s| s.contested > 0), "{profile}: {seen:?}");
            assert_eq!(seen.iter().any(|s| s.dropped > 0), self.ways.contains(&Way::Post), "{profile}");
        }
    }

    fn lockstep(&self) {
        for profile in ["small", "default", "large"] {
            let design = self.find(profile);
            let verilated = verilated(&design.elaborate().unwrap());
            let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap();
            for take in [100, 40] {
                self.hold(&mut model, &design, 30, Pace { offer: [60, 60], take, dropped: 20 });
            }
        }
    }

    /// A beat in every clock: of both sides in turn, and of one side alone.
    fn rates(&self, alone: &[usize]) {
        let design = self.find("default");
        let mut model = verilated(&design.elaborate().unwrap());
        let pace = Pace { offer: [100, 100], take: 100, dropped: 0 };
        let both = self.hold(&mut model, &design, 300, pace);
        assert_eq!(both.clocks, both.beats, "{}: {both:?}", self.name);
        for side in alone {
            let count = [0, 1].map(|i| if i == *side { 300 } else { 0 });
            let one = self.run(&mut model, &design, count, pace).unwrap();
            assert_eq!(one.clocks, one.beats, "{}: {one:?}", self.name);
        }
    }

    /// Every fault of the emitted text is found.
    fn notices(&self, faults: &[(&'static str, &'static str)]) {
        let design = self.find("small");
        let text = catalogue::sources(&design.elaborate().unwrap());
        let edits: Vec<Edit> = faults.iter().map(|&(from, to)| (self.name, from, to)).collect();
        let missed = missed(&text, &edits, |model| Self::paces().try_for_each(|pace| self.run(model, &design, [60; 2], pace).map(|_| ())));
        assert!(missed.is_empty(), "not noticed: {missed:?}");
    }
}

#[test]
fn frames_at_every_pace() {
    FRAMES.every_pace();
    FRAMES.rates(&[0, 1]);
}

#[test]
fn completions_at_every_pace() {
    COMPLETIONS.every_pace();
    COMPLETIONS.rates(&[0, 1]);
}

/// Posts alone come one in two clocks: a post waits for its turn inside, and the next one may come when it is gone.
#[test]
fn commands_at_every_pace() {
    COMMANDS.every_pace();
    COMMANDS.rates(&[0]);
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for merge in [FRAMES, COMPLETIONS, COMMANDS] {
        merge.lockstep();
    }
}

#[test]
fn the_bench_of_frames_notices() {
    FRAMES.notices(&[
        // A frame is interleaved; what is offered changes; one side always goes first; both are told that they were taken; bytes of the
        // other side.
        ("inside_ <= !(out_ready && last)", "inside_ <= !out_ready"),
        ("inside_ <= !(out_ready && last)", "inside_ <= !last"),
        ("b_valid && !(a_valid && with_b)", "b_valid"),
        ("a_ready = out_ready && !b", "a_ready = out_ready"),
        ("out_keep = b_keep", "out_keep = a_keep"),
    ]);
}

#[test]
fn the_bench_of_completions_notices() {
    COMPLETIONS.notices(&[
        ("held <= valid && !complete_ready", "held <= 1'b0"),
        ("!(receive_valid && commands)", "1'b1"),
        ("command_ready = complete_ready && command", "command_ready = complete_ready"),
        ("complete_src = cfg_source_node", "complete_src = receive_src"),
        ("complete_base = 64'd0", "complete_base = receive_base"),
    ]);
}

#[test]
fn the_bench_of_commands_notices() {
    COMMANDS.notices(&[
        ("held <= valid && !command_ready", "held <= 1'b0"),
        ("turn <= !stream", "turn <= 1'b1"),
        ("busy && !stream && command_ready", "busy && command_ready"),
        ("post && busy", "post"),
        ("in_ready = command_ready && stream", "in_ready = command_ready"),
        ("stream ? in_data : post_data", "stream ? {in_data[607:16], 16'd0} : post_data"),
    ]);
}
