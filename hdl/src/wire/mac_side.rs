use super::FrameStore;
use crate::primitives::Reg;
use crate::sizes::*;
use crate::top::FrameGate;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What stands at a MAC and in its clock: frames wait until they are whole, each way; see `MacBridge`, whose part it is.
///
/// Words are beats: data, keep, last, mark, from the low end. The mark of a frame for the MAC throws it away; the mark of one from the
/// MAC says that
/// the MAC found it damaged.
///
/// While `line_up` is low, and during `line_reset`, frames for the MAC are thrown away as wholes, so that they do not wait for a line that
/// is down; the one that is under way when `line_reset` comes ends there. A frame from the MAC that either meets is thrown away up to its
/// last
/// beat; if that never comes, so is the next frame. There is no other reset: this block begins as the configuration of the device leaves
/// it, and so may be
/// in a clock that comes and goes.
///
/// Events are counted until they can be told; each may stand 255 times. Latency: 3 clocks from the last beat to the first, each way.
/// Throughput: one
/// beat per clock each way. Spec: ready for a wire, "On the board".
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct MacSide {
    /// clock of the MAC
    pub clk: Signal<In, Clock>,
    /// the MAC is in reset
    pub line_reset: Signal<In, Bit>,
    /// frames may be sent
    pub line_up: Signal<In, Bit>,
    /// `line_up`, and no reset: from a register
    pub line: Signal<Out, Bit>,
    /// a beat from the MAC; it knows no `ready`
    pub rx_valid: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub rx_data: Signal<In, Bits<MAC_WIDTH>>,
    /// bytes that count, with the last beat
    pub rx_keep: Signal<In, Bits<MAC_BYTES>>,
    /// last beat of its frame
    pub rx_last: Signal<In, Bit>,
    /// with the last beat: the MAC found the frame damaged
    pub rx_damaged: Signal<In, Bit>,
    /// a beat for the MAC
    pub tx_valid: Signal<Out, Bit>,
    /// a beat transfers in a clock in which `tx_valid` is high too
    pub tx_ready: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub tx_data: Signal<Out, Bits<MAC_WIDTH>>,
    /// bytes that count
    pub tx_keep: Signal<Out, Bits<MAC_BYTES>>,
    /// last beat of its frame
    pub tx_last: Signal<Out, Bit>,
    /// a beat for the other clock
    pub out_valid: Signal<Out, Bit>,
    /// a beat transfers in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// the beat
    pub out_word: Signal<Out, Bits<MAC_BEAT_BITS>>,
    /// a beat from the other clock
    pub in_valid: Signal<In, Bit>,
    /// a beat transfers in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// the beat
    pub in_word: Signal<In, Bits<MAC_BEAT_BITS>>,
    /// events to tell
    pub event_valid: Signal<Out, Bit>,
    /// they are told in a clock in which `event_valid` is high too
    pub event_ready: Signal<In, Bit>,
    /// bit 0: a frame from the MAC found no room; bit 1: a frame for the MAC was longer than the store
    pub event_which: Signal<Out, Bits<2>>,
    receive: FrameStore,
    transmit: FrameStore,
    gate: FrameGate,
    heard: FrameGate,
    is_reset: Reg<Bit>,
    is_up: Reg<Bit>,
    receive_lost: Reg<Bits<8>>,
    transmit_lost: Reg<Bits<8>>,
    receive_rest: Signal<Local, Bits<8>>,
    transmit_rest: Signal<Local, Bits<8>>,
    sent: Signal<Local, Bits<MAC_BEAT_BITS>>,
    last_place: Constant<Bits<12>>,
    keep_place: Constant<Bits<12>>,
    mark_place: Constant<Bits<12>>,
}

impl Default for MacSide {
    fn default() -> Self {
        let place = |at: usize| Constant::new(bits::<12>(at as u64));
        Self {
            keep_place: place(MAC_WIDTH),
            last_place: place(MAC_WIDTH + MAC_BYTES),
            mark_place: place(MAC_WIDTH + MAC_BYTES + 1),
            ..Self::blank()
        }
    }
}

impl MacSide {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for MacSide {
    #[kernel]
    fn update(&mut self) {
        self.is_reset.d.next = self.line_reset.val();
        self.is_up.d.next = self.line_up.val() && !self.line_reset.val();
        self.line.next = self.is_up.q.val();

        // From the MAC.
        // A line that comes up in the middle of a frame waits for the next one.
        self.heard.rst.next = false;
        self.heard.enable.next = self.is_up.q.val();
        self.heard.cut.next = !self.is_up.q.val();
        self.heard.in_valid.next = self.rx_valid.val();
        self.heard.in_last.next = self.rx_last.val();
        self.heard.out_ready.next = true;
        self.receive.rst.next = false;
        self.receive.in_waits.next = false;
        self.receive.cut.next = !self.is_up.q.val();
        self.receive.in_valid.next = self.heard.out_valid.val();
        self.receive.in_last.next = self.rx_last.val();
        self.receive.in_drop.next = false;
        self.receive.in_word.next = bit_cast::<MAC_BEAT_BITS, MAC_WIDTH>(self.rx_data.val())
            | (bit_cast::<MAC_BEAT_BITS, MAC_BYTES>(self.rx_keep.val()) << self.keep_place.val())
            | (bit_cast::<MAC_BEAT_BITS, 1>(self.rx_last.val().into()) << self.last_place.val())
            | (bit_cast::<MAC_BEAT_BITS, 1>(self.rx_damaged.val().into()) << self.mark_place.val());
        self.out_valid.next = self.receive.out_valid.val();
        self.out_word.next = self.receive.out_word.val();
        self.receive.out_ready.next = self.out_ready.val();

        // For the MAC.
        self.transmit.rst.next = false;
        self.transmit.in_waits.next = true;
        self.transmit.cut.next = false;
        self.transmit.in_valid.next = self.in_valid.val();
        self.transmit.in_word.next = self.in_word.val();
        self.transmit.in_last.next = self.in_word.val().get_bit(MAC_WIDTH + MAC_BYTES);
        self.transmit.in_drop.next = self.in_word.val().get_bit(MAC_WIDTH + MAC_BYTES + 1);
        self.in_ready.next = self.transmit.in_ready.val();
        self.sent.next = self.transmit.out_word.val();
        self.gate.rst.next = false;
        self.gate.enable.next = self.is_up.q.val();
        self.gate.cut.next = self.is_reset.q.val();
        self.gate.in_valid.next = self.transmit.out_valid.val();
        self.gate.in_last.next = self.sent.val().get_bit(MAC_WIDTH + MAC_BYTES);
        self.gate.out_ready.next = self.tx_ready.val();
        self.transmit.out_ready.next = self.gate.in_ready.val();
        self.tx_valid.next = self.gate.out_valid.val();
        self.tx_data.next = self.sent.val().get_bits::<MAC_WIDTH>(0);
        self.tx_keep.next = self.sent.val().get_bits::<MAC_BYTES>(MAC_WIDTH);
        self.tx_last.next = self.sent.val().get_bit(MAC_WIDTH + MAC_BYTES);

        // What was lost, until it is told.
        self.receive_rest.next = self.receive_lost.q.val();
        self.transmit_rest.next = self.transmit_lost.q.val();
        if self.event_ready.val() && self.receive_lost.q.val().any() {
            self.receive_rest.next = self.receive_lost.q.val() - 1;
        }
        if self.event_ready.val() && self.transmit_lost.q.val().any() {
            self.transmit_rest.next = self.transmit_lost.q.val() - 1;
        }
        self.receive_lost.d.next = self.receive_rest.val();
        self.transmit_lost.d.next = self.transmit_rest.val();
        if self.receive.evt_lost.val() && !self.receive_rest.val().all() {
            self.receive_lost.d.next = self.receive_rest.val() + 1;
        }
        if self.transmit.evt_lost.val() && !self.transmit_rest.val().all() {
            self.transmit_lost.d.next = self.transmit_rest.val() + 1;
        }
        self.event_valid.next = self.receive_lost.q.val().any() || self.transmit_lost.q.val().any();
        self.event_which.next =
            bit_cast::<2, 1>(self.receive_lost.q.val().any().into()) | (bit_cast::<2, 1>(self.transmit_lost.q.val().any().into()) << 1);
    }
}
