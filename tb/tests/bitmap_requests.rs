//! What a peer may ask in the transport profile *bitmap* and is not served: it is told, and leaves no gap.

use crate::ends::{self, BOTH, library};
use rdma_rtl_golden::send::splitter::{Command, Completion};
use rdma_rtl_golden::wire::{AtomicEth, Feth, Opcode, Reader, parse};
use rdma_rtl_sim::Model;
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::scenario::{End, Engine, Frames, Parts, Receiver, Report, Sender, Told, Top, run};
use std::collections::BTreeMap;

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

/// A command of eight packets, one of which is `opcode`. Its queue pair is closed, and the receiver says so: no gap, no message of a loss,
/// nothing acknowledged that was not written.
fn asks(opcode: u8, top: Top, receiving: Option<&mut dyn Model>) -> Result<Report, String> {
    let engine = if receiving.is_some() { Engine::Verilator } else { Engine::Golden };
    let mut scenario = ends::scenario(
        "bitmap",
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
        let mut scenario = ends::scenario("bitmap", BOTH, "small", 1, "");
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
    let parts = Parts::new(&ends::scenario("bitmap", BOTH, "small", 1, "")).unwrap();
    let text = rdma_rtl_tb::catalogue::sources(&parts.design.elaborate().unwrap());
    let edits: &[Edit] = &[
        (
            "bitmap_receive_endpoint.v",
            "receive_header_registry = request && ",
            "receive_header_registry = request && !receive_header_refused && ",
        ),
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
