use crate::bus::{Frames, FramesSink};
use crate::primitives::State;
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Fills frames up to 60 bytes with zeros: with the FCS that the MAC adds, the 64 bytes of the shortest frame of Ethernet.
///
/// A MAC that pads none itself may stop at a shorter one (PG203, "Valid Cycles"). The shortest frame of RoCEv2 that has an AETH has 62
/// bytes, one with a BTH alone 58. Whatever is in a last beat behind the bytes that count becomes zero, so that no byte of another frame
/// gets onto the wire. `in_keep` is read with the last beat alone, and contiguous from bit 0 there; `out_keep` is right with every beat.
/// Latency: 0 clocks, and a clock for each beat that is added. Throughput: one beat per clock out.
/// Reset: the next beat begins a frame. Spec: ready for a wire, "On the board".
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct FramePad {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    #[port = "in"]
    pub frames: FramesSink<MAC_WIDTH, MAC_BYTES>,
    pub out: Frames<MAC_WIDTH, MAC_BYTES>,
    // A complement of its own: rust-hdl writes one of 32 bits.
    all: Constant<Bits<MAC_BYTES>>,
    // The beat of the frame, up to the one behind the shortest frame.
    beat: State<Bits<4>>,
    padding: State<Bit>,
    within: Signal<Local, Bit>,
    at_end: Signal<Local, Bit>,
    least: Signal<Local, Bits<MAC_BYTES>>,
    kept: Signal<Local, Bits<MAC_BYTES>>,
    // The bits of the bytes that count: those of one byte more come in from the top.
    top: Constant<Bits<MAC_WIDTH>>,
    covered: Vec<Signal<Local, Bits<MAC_WIDTH>>>,
    ends: Signal<Local, Bit>,
    valid: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    passes: Signal<Local, Bit>,
}

impl Default for FramePad {
    fn default() -> Self {
        let top = bits::<MAC_WIDTH>(0xff) << bits::<12>(MAC_WIDTH as u64 - 8);
        let all = Constant::new(!bits::<MAC_BYTES>(0));
        Self { all, top: Constant::new(top), covered: (0..=MAC_BYTES).map(|_| Default::default()).collect(), ..Self::blank() }
    }
}

impl FramePad {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for FramePad {
    #[kernel]
    fn update(&mut self) {
        self.within.next = self.beat.q.val() < PAD_BEATS.to_bits::<4>();
        self.at_end.next = self.beat.q.val() == (PAD_BEATS - 1).to_bits::<4>();
        self.least.next = bits::<MAC_BYTES>(0);
        if self.within.val() {
            self.least.next = self.all.val();
        }
        if self.at_end.val() {
            self.least.next = self.all.val() >> PAD_REST.to_bits::<7>();
        }

        self.kept.next = self.all.val();
        if self.frames.last.val() {
            self.kept.next = self.frames.keep.val();
        }
        if self.padding.q.val() {
            self.kept.next = bits::<MAC_BYTES>(0);
        }
        self.covered[0].next = bits::<MAC_WIDTH>(0);
        for i in 0..MAC_BYTES {
            self.covered[i + 1].next = self.covered[i].val() >> 8;
            if self.kept.val().get_bit(i) {
                self.covered[i + 1].next = (self.covered[i].val() >> 8) | self.top.val();
            }
        }

        // The frame has come to its end, and is long enough with this beat.
        self.ends.next = self.padding.q.val() || self.frames.last.val();
        self.last.next = self.ends.val() && (!self.within.val() || self.at_end.val());
        self.valid.next = self.frames.valid.val() || self.padding.q.val();
        self.out.valid.next = self.valid.val();
        self.out.last.next = self.last.val();
        self.out.data.next = self.frames.data.val() & self.covered[MAC_BYTES].val();
        self.out.keep.next = self.kept.val();
        if self.ends.val() {
            self.out.keep.next = self.kept.val() | self.least.val();
        }
        self.frames.ready.next = self.out.ready.val() && !self.padding.q.val();
        self.passes.next = self.valid.val() && self.out.ready.val();
        if self.passes.val() {
            self.padding.d.next = self.ends.val() && !self.last.val();
            if self.within.val() {
                self.beat.d.next = self.beat.q.val() + 1;
            }
            if self.last.val() {
                self.beat.d.next = bits::<4>(0);
            }
        }
    }
}
