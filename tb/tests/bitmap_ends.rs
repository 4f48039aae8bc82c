//! The tops of the transport profile *bitmap* over networks that lose, repeat and reorder: with a golden model at the other end, and with each other; in lockstep with the Rust; with faults.

use crate::ends::{self, ENGINES, ROUGH, judged, library, verilated};
use rdma_rtl_golden::send::splitter::{Command, Completion};
use rdma_rtl_golden::wire::{AtomicEth, Feth, Opcode, Reader, parse};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::scenario::{End, Engine, Frames, Parts, Receiver, Report, Scenario, Sender, Told, Top, run};
use std::collections::BTreeMap;

const BOTH: (Engine, Engine) = (Engine::Verilator, Engine::Verilator);

fn scenario(engines: (Engine, Engine), profile: &str, count: u32, rest: &str) -> Scenario {
    ends::scenario("bitmap", engines, profile, count, rest)
}

/// Nothing is sent again where nothing is lost; where something is, everything arrives all the same, and nothing else is sent again.
#[test]
fn everything_arrives_at_any_loss() {
    let count = std::env::var("RDMA_RTL_COMMANDS").ok().and_then(|s| s.parse().ok()).unwrap_or(12);
    for engines in ENGINES {
        for loss in [0.0, 0.01, 0.05, 0.2] {
            let report =
                verilated(&scenario(engines, "worked", count, &format!("[network]\nseed = 3\n[[network.both.path]]\nloss = {loss}")));
            let again = report.number("selective_retransmissions");
            println!("{engines:?}, loss {loss}: {:.1} Gb/s, {} frames, {again} again", report.goodput_gbps, report.forward.sent);
            assert_eq!((report.completed, report.failed), (u64::from(count), 0), "{engines:?}, loss {loss}");
            // Of a few frames none may be lost.
            let frames_lost = report.number("lost") > 0.0;
            assert!(again > 0.0 || !frames_lost, "{engines:?}, loss {loss}: {:?}", report.sender_counters);
            assert!(again == 0.0 || loss > 0.0, "{engines:?}: {:?}", report.sender_counters);
            assert_eq!(report.number("retransmissions"), 0.0, "{engines:?}, loss {loss}: {:?}", report.sender_counters);
        }
    }
}

#[test]
fn everything_arrives_over_paths_that_overtake_and_repeat() {
    for engines in ENGINES {
        let mut rough = scenario(engines, "small", 25, &format!("[network]\nseed = 5\n[network.both]\n{ROUGH}"));
        rough.receiver.range_acknowledgements = engines.1 == Engine::Verilator;
        let report = verilated(&rough);
        assert!(report.number("selective_retransmissions") > 0.0, "{engines:?}: {:?}", report.sender_counters);
    }
}

#[test]
fn windows_have_any_length() {
    ends::windows_have_any_length("bitmap");
}

#[test]
fn windows_move_in_steps() {
    ends::windows_move_in_steps("bitmap");
}

/// Each end is half of a top with both directions.
#[test]
fn everything_arrives_between_tops_with_both_directions() {
    for engines in ENGINES {
        let mut both = scenario(engines, "small", 25, &format!("[network]\nseed = 5\n[network.both]\n{ROUGH}"));
        both.top = Top::Endpoint;
        let report = verilated(&both);
        assert!(report.number("selective_retransmissions") > 0.0, "{engines:?}: {:?}", report.sender_counters);
    }
}

/// Timers alone find what a cut has taken with it.
#[test]
fn everything_arrives_after_the_network_was_cut() {
    verilated(&scenario(
        BOTH,
        "small",
        12,
        "[network.both]\npath = [{ loss = 0.01 }]\n[faults]\nblackout = [{ from_us = 10, for_us = 60 }]",
    ));
}

/// The queue pair fails, and with it every command once.
#[test]
fn every_command_fails_once_where_nothing_arrives() {
    let rest = "[network]\nboth.path = [{ loss = 1 }]\n[expect]\noutcome = \"all_fail\"\nstatus = 32";
    let mut scenario = scenario((Engine::Verilator, Engine::Golden), "small", 40, rest);
    scenario.sender.retry_limit = 3;
    let report = verilated(&scenario);
    assert_eq!(report.number("queue_pair_errors"), 1.0, "{:?}", report.sender_counters);
    assert!(report.number("void") > 0.0, "{:?}", report.sender_counters);
}

/// A write that fails closes the queue pair: no packet is acknowledged any more, and what is not acknowledged fails.
#[test]
fn a_write_that_fails_ends_the_queue_pair() {
    let rest = "[network.both]\npath = [{}]\n[faults]\nbad_places = 1\n[expect]\noutcome = \"all_fail\"\nstatus = 32";
    for engines in [ENGINES[0], BOTH] {
        let mut scenario = scenario(engines, "small", 12, rest);
        scenario.sender.retry_limit = 3;
        let report = verilated(&scenario);
        assert!(report.failed > 0, "{engines:?}: {report:?}");
        assert!(report.receiver_counters["memory_errors"] > 0, "{engines:?}: {:?}", report.receiver_counters);
    }
}

/// A peer of which the packet with the fourth number is another request, as often as it is sent.
struct Asks<'a> {
    inner: Box<dyn Sender + 'a>,
    opcode: Opcode,
    first: Option<u32>,
}

impl Asks<'_> {
    fn frame(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let Ok(mut frame) = parse(&bytes, false, &Reader::default()) else { return bytes };
        if !asked(&mut self.first, frame.bth.psn) {
            return bytes;
        }
        let (opcode, shape) = (self.opcode, self.opcode.shape().unwrap());
        frame.bth.opcode = opcode;
        if !shape.data {
            frame.payload.truncate(if opcode == Opcode::ATOMIC_WRITE { 8 } else { 0 });
        }
        // A write of one packet that says more bytes than it has cannot be served either.
        frame.reth = shape.reth.then(|| frame.reth.unwrap()).map(|reth| rdma_rtl_golden::wire::Reth { length: reth.length + 4, ..reth });
        frame.feth = shape.feth.then_some(Feth { placement: 1, selectivity: 0, reserved: 0 });
        frame.atomic = shape.atomic.then_some(AtomicEth { address: 0x1000, rkey: 1, swap_or_add: 2, compare: 3 });
        frame.imm = shape.imm.then_some(0x1234_5678);
        frame.ieth = shape.ieth.then_some(0x55);
        frame.to_bytes()
    }
}

impl End for Asks<'_> {
    fn run_to(&mut self, clock: u64) -> Result<(), String> {
        self.inner.run_to(clock)
    }
    fn next(&self) -> Option<u64> {
        self.inner.next()
    }
    fn receive(&mut self, clock: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        self.inner.receive(clock, frame, corrupted)
    }
    fn transmit(&mut self) -> Frames {
        let frames = self.inner.transmit();
        frames.into_iter().map(|(clock, bytes)| (clock, self.frame(bytes))).collect()
    }
    fn idle(&self) -> bool {
        self.inner.idle()
    }
    fn finish(&mut self) -> Result<(), String> {
        self.inner.finish()
    }
    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String> {
        self.inner.counters()
    }
}

impl Sender for Asks<'_> {
    fn post(&mut self, clock: u64, command: &Command) -> Result<bool, String> {
        self.inner.post(clock, command)
    }
    fn completions(&mut self) -> Result<Vec<Completion>, String> {
        self.inner.completions()
    }
    fn given_up(&mut self) -> Result<Option<u64>, String> {
        self.inner.given_up()
    }
}

/// The number of the packet that is another request, three behind the first.
fn asked(first: &mut Option<u32>, psn: u32) -> bool {
    (*first.get_or_insert(psn) + 3) & 0xff_ffff == psn
}

/// A receiver of which it is known that it throws away what the peer asks.
struct Refuses<'a> {
    inner: Box<dyn Receiver + 'a>,
    first: Option<u32>,
}

impl End for Refuses<'_> {
    fn run_to(&mut self, clock: u64) -> Result<(), String> {
        self.inner.run_to(clock)
    }
    fn next(&self) -> Option<u64> {
        self.inner.next()
    }
    fn receive(&mut self, clock: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        let refused = parse(&frame, false, &Reader::default()).is_ok_and(|frame| asked(&mut self.first, frame.bth.psn));
        self.inner.receive(clock, frame, corrupted || refused)
    }
    fn transmit(&mut self) -> Frames {
        self.inner.transmit()
    }
    fn idle(&self) -> bool {
        self.inner.idle()
    }
    fn finish(&mut self) -> Result<(), String> {
        self.inner.finish()
    }
    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String> {
        self.inner.counters()
    }
}

impl Receiver for Refuses<'_> {
    fn furnish(&mut self, base: u64, bytes: usize) {
        self.inner.furnish(base, bytes);
    }
    fn fail(&mut self, addresses: std::ops::Range<u64>) {
        self.inner.fail(addresses);
    }
    fn memory(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        self.inner.memory(address, bytes)
    }
    fn put(&mut self, address: u64, bytes: &[u8]) {
        self.inner.put(address, bytes);
    }
    fn completions(&mut self) -> Result<Vec<Told>, String> {
        self.inner.completions()
    }
}

/// A command of eight packets, one of which is `opcode`. Its queue pair is closed, and the receiver says so: no gap, no message of a loss, nothing acknowledged that was not written.
fn asks(opcode: u8, top: Top, receiving: Option<&mut dyn Model>) -> Result<Report, String> {
    let engine = if receiving.is_some() { Engine::Verilator } else { Engine::Golden };
    let mut scenario = scenario(
        (Engine::Golden, engine),
        "small",
        1,
        "[network.both]\npath = [{ delay_ns = 500, rate_gbps = 100 }]\n[expect]\noutcome = \"all_fail\"\nstatus = 32",
    );
    (scenario.commands[0].least, scenario.commands[0].most) = (2048, 2048);
    scenario.sender.retry_limit = 3;
    scenario.top = top;
    let parts = Parts::new(&scenario).map_err(|e| e.to_string())?;
    let mut sender = Asks { inner: parts.sender(Engine::Golden, None)?, opcode: Opcode(opcode), first: None };
    let mut receiver = Refuses { inner: parts.receiver(engine, receiving)?, first: None };
    let report = run(&scenario, &mut sender, &mut receiver, &parts.sender, &mut |_, _| {})?;
    let wrong = scenario.expect.judge(&report);
    let counted = |name: &str| report.receiver_counters.get(name).copied().unwrap_or(0);
    let lost = ["psn_gap", "psn_report", "psn_ffm"].map(counted);
    match (wrong.is_empty(), counted("frame_foreign"), lost, counted("accepted")) {
        (true, 1, [0, 0, 0], 3..) => Ok(report),
        seen => Err(format!("{seen:?}, {wrong:?}: {:?}", report.receiver_counters)),
    }
}

/// Every request of RC but those that the profile serves, and those with a length that is wrong.
fn requests() -> impl Iterator<Item = u8> {
    (0..0x20).filter(|&opcode| Opcode(opcode).is_request() && !Opcode(opcode).is_reserved())
}

#[test]
fn a_request_that_cannot_be_served_is_told_and_no_gap() {
    for opcode in requests() {
        asks(opcode, Top::Halves, None).unwrap_or_else(|e| panic!("golden, {opcode:#04x}: {e}"));
    }
    for top in [Top::Halves, Top::Endpoint] {
        let mut scenario = scenario(BOTH, "small", 1, "");
        scenario.top = top;
        let design = Parts::new(&scenario).unwrap().design;
        for opcode in requests() {
            let mut model = library(design).instance().unwrap();
            asks(opcode, top, Some(&mut model)).unwrap_or_else(|e| panic!("{}, {opcode:#04x}: {e}", design.block));
        }
    }
}

/// What it was before: a request that cannot be served leaves its number missing. And what it must not become.
#[test]
fn faults_of_what_cannot_be_served_are_noticed() {
    let parts = Parts::new(&scenario(BOTH, "small", 1, "")).unwrap();
    let text = rdma_rtl_tb::catalogue::sources(&parts.design.elaborate().unwrap());
    let edits: &[Edit] = &[
        ("bitmap_receive_endpoint.v", "path_header_registry = request && ", "path_header_registry = request && !path_header_refused && "),
        // It is written, or acknowledged as if it had been.
        ("arrival_gate", "is_refused = item[", "is_refused = 1'b0 && item["),
        ("arrival_gate", "failures_in_valid = fails_now || (refusal && slot_free_ready)", "failures_in_valid = fails_now"),
        // It is not counted, or counts as written.
        ("bitmap_receive_path", "evt_frame_foreign = buffer_evt_foreign || (|refusals)", "evt_frame_foreign = buffer_evt_foreign"),
    ];
    let found = missed(&text, edits, |model| {
        [0x04, 0x0a, 0x0c].into_iter().try_for_each(|opcode| asks(opcode, Top::Halves, Some(model)).map(|_| ()))
    });
    assert!(found.is_empty(), "not noticed: {found:?}");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for engines in [ENGINES[0], ENGINES[1]] {
        let scenario = scenario(engines, "small", 2, &format!("[network]\nseed = 7\n[network.both]\n{ROUGH}"));
        let parts = Parts::new(&scenario).unwrap();
        let sends = scenario.sender.engine == Engine::Verilator;
        let design = if sends { parts.sending } else { parts.design };
        let verilated = library(design).instance().unwrap();
        let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap();
        let (sending, receiving): (Option<&mut dyn Model>, _) =
            if sends { (Some(&mut model), None) } else { (None, Some(&mut model as _)) };
        judged(&scenario, sending, receiving).unwrap_or_else(|e| panic!("{}: {e}", design.block));
    }
}

fn noticed(engines: (Engine, Engine), edits: &[Edit]) {
    let rough = scenario(engines, "small", 12, &format!("[network]\nseed = 11\n[network.both]\n{ROUGH}"));
    // Nothing overtakes or is repeated: what fills a gap has been sent again.
    let lossy = scenario(engines, "small", 12, "[network]\nseed = 12\n[[network.both.path]]\nloss = 0.1");
    let rest = match engines.0 {
        Engine::Verilator => "[network]\nboth.path = [{ loss = 1 }]\n[expect]\noutcome = \"all_fail\"\nstatus = 32",
        Engine::Golden => "[network.both]\npath = [{}]\n[faults]\nbad_places = 1\n[expect]\noutcome = \"all_fail\"\nstatus = 32",
    };
    let mut failing = scenario(engines, "small", 12, rest);
    failing.sender.retry_limit = 3;
    // The first packet is a whole command.
    failing.commands[0].most = 256;
    let mut scenarios = vec![rough, lossy, failing];
    for scenario in &mut scenarios {
        scenario.sender.retry_limit = scenario.sender.retry_limit.min(12);
        scenario.sender.backoff_cap = 300;
    }
    let never = |number: usize| match number {
        0 => vec!["number_unknown_qp", "number_malformed", "number_negative", "bad_ack", "psn_closed", "failures", "retransmissions"],
        1 => vec!["psn_misjudged", "bad_ack", "failures"],
        _ => vec!["bad_ack"],
    };
    ends::noticed(&scenarios, 2, never, edits);
}

#[test]
fn faults_of_the_receiver_are_noticed() {
    noticed(
        ENGINES[0],
        &[
            // What came before is written again: a late copy, where another command is by then.
            ("arrival_gate", "is_new = !(|codes_out_data)", "is_new = !codes_out_data[1]"),
            // An error is an answer like any other, or none at all.
            ("arrival_gate", "fails_now = write_done_valid && !write_done_ok", "fails_now = 1'b0"),
            ("arrival_gate", "done_valid = (write_done_valid && write_done_ok) || tells", "done_valid = write_done_valid || tells"),
            ("arrival_gate", "owners_write_data = item[6:5]", "owners_write_data = 2'd0"),
            // Only one of the two bitmaps is opened and closed, or only one is closed.
            ("arrival_gate", "feedback_valid = offers_other", "feedback_valid = offers_other && feedback_open"),
            ("arrival_gate", ".command_valid          (offers_own)", ".command_valid          (1'b0)"),
            ("bitmap_receive_path", "immediates_in_valid = gate_imm_valid && gate_imm_new", "immediates_in_valid = gate_imm_valid"),
            // Immediates before their time.
            ("immediate_list", "is_due = is_open && !behind[23]", "is_due = is_open"),
            (
                "bitmap_receive_endpoint.v",
                "path_header_retransmission = parser_header_reserved6[0]",
                "path_header_retransmission = parser_header_reserved6[1]",
            ),
        ],
    );
}

#[test]
fn faults_of_the_sender_are_noticed() {
    noticed(
        ENGINES[1],
        &[
            // What was given up has ended well, and the other way round.
            ("sent_packets", ".in_data   (ended_0_read_data)", ".in_data   (1'b0)"),
            ("sent_packets", "ended_0_write_data = 1'b0", "ended_0_write_data = 1'b1"),
            ("combined_send_path", "table_ack_valid = acknowledged_0 && gate_acked_ready", "table_ack_valid = 1'b0"),
            ("combined_send_path", ": (acknowledged_0 || (fails_up_0 && table_fail_ready))", ": acknowledged_0"),
            ("combined_send_path", "table_fail_valid = fails_up_0 ? gate_acked_ready : (", "table_fail_valid = ("),
            // What receivers cannot read.
            ("packet_headers", ": (padded + 16'd40)", ": (padded + 16'd48)"),
            ("packet_headers", "? (padded + 16'd44)", "? (padded + 16'd40)"),
        ],
    );
}

#[test]
fn faults_of_the_top_with_both_directions_are_noticed() {
    let of = |engines: (Engine, Engine), edits: &[Edit]| {
        let mut rough = scenario(engines, "small", 12, &format!("[network]\nseed = 11\n[network.both]\n{ROUGH}"));
        // Nothing overtakes or is repeated: what fills a gap has been sent again.
        let mut lossy = scenario(engines, "small", 12, "[network]\nseed = 12\n[[network.both.path]]\nloss = 0.1");
        for scenario in [&mut rough, &mut lossy] {
            scenario.top = Top::Endpoint;
            scenario.sender.retry_limit = 12;
            scenario.sender.backoff_cap = 300;
        }
        let never = |number: usize| match number {
            0 => vec!["number_unknown_qp", "bad_ack", "psn_closed", "frame_foreign"],
            _ => vec!["psn_misjudged", "bad_ack"],
        };
        ends::noticed(&[rough, lossy], 2, never, edits);
    };
    of(
        ENGINES[0],
        &[
            (
                "bitmap_endpoint.v",
                "receive_header_valid = parser_header_valid && !remote",
                "receive_header_valid = parser_header_valid && remote",
            ),
            ("bitmap_endpoint.v", "receive_offered <= 1'b1", "receive_offered <= 1'b0"),
            (
                "bitmap_endpoint.v",
                "receive_header_retransmission = parser_header_reserved6[0]",
                "receive_header_retransmission = parser_header_reserved6[1]",
            ),
            ("bitmap_endpoint.v", ".receive_imm_valid  (1'b1)", ".receive_imm_valid  (1'b0)"),
        ],
    );
    of(
        ENGINES[1],
        &[
            (
                "bitmap_endpoint.v",
                "send_header_valid = parser_header_valid && remote",
                "send_header_valid = parser_header_valid && !remote",
            ),
            ("bitmap_endpoint.v", "send_offered <= 1'b1", "send_offered <= 1'b0"),
            // A feedback message is no packet.
            ("bitmap_endpoint.v", "parser_header_opcode == 8'd192", "parser_header_opcode == 8'd193"),
        ],
    );
}
