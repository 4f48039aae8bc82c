//! What the golden ends have besides, in the transport profiles *combined* and *bitmap*: packet sequence numbers, and who says what about
//! them.

use rdma_rtl_golden::bitmap::{self, Message, Params, TwoFacts, Verdict, Window, psn, sender};
use rdma_rtl_golden::registry::{self, Report, Reports};
use rdma_rtl_golden::send::gate::Gate;
use rdma_rtl_golden::send::op_table;
use rdma_rtl_golden::send::sent::{Place, Sent};
use rdma_rtl_golden::wire::Frame;
use std::collections::BTreeMap;

/// Packets of a window.
const WINDOW: u32 = 128;
/// First number, both ways: soon it begins anew.
pub(super) const FIRST: u32 = 0xff_fff0;
/// There is one sender and one receiver.
const QP: u32 = 0;

/// The sender's side.
pub(super) struct SenderNumbers {
    bitmap: bitmap::Sender,
    sent: Sent,
    pub(super) gate: Gate,
    /// first number of each operation that has one
    firsts: BTreeMap<u32, u32>,
    prescale: u64,
}

impl SenderNumbers {
    pub(super) fn new(table: op_table::Params, timers: op_table::Config, untold_window: u16) -> SenderNumbers {
        let config = sender::Config {
            rto: timers.timeout,
            rto_cap: timers.backoff_cap,
            retry_limit: timers.retry_limit.into(),
            base_length: untold_window.into(),
            ..sender::Config::DEFAULT
        };
        let (mut bitmap, mut sent) = (bitmap::Sender::new(WINDOW, config), Sent::default());
        bitmap.open(QP, FIRST);
        sent.open(QP, FIRST);
        SenderNumbers { bitmap, sent, gate: Gate::new(table.index_bits()), firsts: BTreeMap::new(), prescale: timers.prescale.into() }
    }

    /// It is `clock`.
    pub(super) fn pass(&mut self, clock: u64) {
        self.bitmap.pass(clock / self.prescale);
    }

    /// Its timers run out: whether the queue pair has failed with that.
    pub(super) fn timers(&mut self, clock: u64) -> bool {
        !self.bitmap.tick(clock / self.prescale).is_empty()
    }

    /// No number is given or waited for any more.
    pub(super) fn in_error(&self) -> bool {
        self.bitmap.in_error(QP)
    }

    /// The next clock in which a timer may run out.
    pub(super) fn next(&self, clock: u64) -> Option<u64> {
        (self.sent.open_numbers(QP) > 0 && !self.in_error()).then(|| (clock / self.prescale + 1) * self.prescale)
    }

    /// A new packet may go now.
    pub(super) fn may_send(&self) -> bool {
        self.bitmap.refusal(QP).is_none()
    }

    /// The number of a packet that goes for the first time.
    pub(super) fn number(&mut self, op: u32, packet: u16, last: bool) -> Option<u32> {
        let number = self.bitmap.send(QP)?;
        let given = self.sent.give(QP, Place { op, packet, last });
        assert_eq!(given, Some(number), "bitmap and packets count alike");
        if packet == 0 {
            self.firsts.insert(op, number);
        }
        Some(number)
    }

    /// That of a start that goes again.
    pub(super) fn first(&self, op: u32) -> Option<u32> {
        self.firsts.get(&op).copied()
    }

    /// Packets that are to be sent again now, with their numbers.
    pub(super) fn again(&mut self) -> Vec<(u32, u16, u32)> {
        let Some(run) = self.bitmap.retransmit() else { return Vec::new() };
        let places = self.sent.again(QP, run.start, run.length);
        assert_eq!(places.len(), run.length as usize, "numbers that are sent again are not acknowledged");
        places.into_iter().zip(0..).map(|(place, offset)| (place.op, place.packet, psn::add(run.start, offset))).collect()
    }

    /// A frame that may tell something: the operations of which all numbers are acknowledged with it.
    pub(super) fn hear(&mut self, frame: &Frame) -> Vec<u32> {
        match frame.message(QP) {
            Some(Message::Ack(ack)) => drop(self.bitmap.ack(ack)),
            Some(Message::Range(range)) => drop(self.bitmap.range_ack(range)),
            Some(Message::Ffm(ffm)) => drop(self.bitmap.feedback(&ffm)),
            None => return Vec::new(),
        }
        let base = self.bitmap.base(QP).unwrap_or(FIRST);
        self.sent.acknowledge(QP, base)
    }

    /// Nothing of an operation is under way any more.
    pub(super) fn forget(&mut self, op: u32) {
        self.firsts.remove(&op);
    }

    pub(super) fn counters(&self) -> [(&'static str, u64); 4] {
        let counters = self.bitmap.counters();
        [
            ("selective_retransmissions", counters.retransmitted),
            ("feedback", counters.feedback),
            ("suppressed", counters.suppressed),
            ("bitmap_timeouts", counters.timeouts),
        ]
    }
}

/// The receiver's side.
pub(super) struct ReceiverNumbers {
    reports: Reports,
    bitmap: TwoFacts,
    /// slot of each packet without verdict, by its tag
    slots: BTreeMap<u16, u32>,
    prescale: u64,
    acks: u64,
    ffms: u64,
}

impl ReceiverNumbers {
    /// # Errors
    /// The model cannot be made.
    pub(super) fn new(prescale: u16) -> Result<ReceiverNumbers, String> {
        let config = bitmap::Config { advertise: true, range_ack: false, ..bitmap::Config::defaults(1) };
        let mut bitmap = TwoFacts::new(Params::new(1, WINDOW), config)?;
        bitmap.open(QP, FIRST);
        let prescale = u64::from(prescale.max(1));
        Ok(ReceiverNumbers { reports: Reports::default(), bitmap, slots: BTreeMap::new(), prescale, acks: 0, ffms: 0 })
    }

    /// The registry takes a packet with a number.
    pub(super) fn packet(&mut self, clock: u64, tag: u16, slot: u32, frame: &Frame) {
        self.bitmap.tick(clock / self.prescale);
        let report = Report { qp: QP, psn: frame.bth.psn, path: 0, retransmission: frame.bth.reserved6 & 1 == 1 };
        self.reports.packet(slot, report);
        self.bitmap.arrive(report.qp, report.psn, report.path, report.retransmission);
        self.slots.insert(tag, slot);
    }

    pub(super) fn verdict(&mut self, tag: u16, verdict: registry::Verdict) {
        if let Some(slot) = self.slots.remove(&tag)
            && let Some(dropped) = self.reports.verdict(slot, verdict)
        {
            self.bitmap.drop(dropped.qp, dropped.psn);
        }
    }

    /// The memory has answered.
    pub(super) fn written(&mut self, slot: u32) {
        self.reports.write(slot, slot);
        self.reports.answer(slot);
    }

    /// In the transport profile *bitmap*, without a registry: a packet is here, and the memory answers at once if it is written.
    pub(super) fn arrives(&mut self, clock: u64, frame: &Frame) -> Verdict {
        self.bitmap.tick(clock / self.prescale);
        let retransmission = frame.bth.reserved6 & 1 == 1;
        self.bitmap.arrive(QP, frame.bth.psn, 0, retransmission);
        self.bitmap.settle(QP, frame.bth.psn, 0, retransmission).verdict
    }

    /// Everything before this number has arrived; `None`: the queue pair is closed.
    pub(super) fn base(&self) -> Option<u32> {
        self.bitmap.window(QP).map(Window::base)
    }

    pub(super) fn close(&mut self) {
        self.bitmap.close(QP);
    }

    /// What the sender is told now, for its queue pair `to`.
    pub(super) fn frames(&mut self, clock: u64, to: u32) -> Vec<Frame> {
        self.bitmap.tick(clock / self.prescale);
        while let Some(report) = self.reports.pop() {
            self.bitmap.settle(report.qp, report.psn, report.path, report.retransmission);
        }
        let mut frames = Vec::new();
        while let Some(message) = self.bitmap.message() {
            let msn = if let Message::Ack(ack) = message { psn::ahead(FIRST, psn::add(ack.psn, 1)) } else { 0 };
            self.acks += u64::from(matches!(message, Message::Ack(_)));
            self.ffms += u64::from(matches!(message, Message::Ffm(_)));
            frames.push(message.frame(to, msn));
        }
        frames
    }

    /// The next clock in which a gap may be found lost, or told again.
    pub(super) fn next(&self, clock: u64) -> Option<u64> {
        (!self.bitmap.gaps(QP).is_empty()).then(|| (clock / self.prescale + 1) * self.prescale)
    }

    pub(super) fn held(&self) -> usize {
        self.reports.held() + self.bitmap.gaps(QP).len()
    }

    pub(super) fn counters(&self) -> [(&'static str, u64); 2] {
        [("acknowledgements", self.acks), ("feedback_messages", self.ffms)]
    }
}
