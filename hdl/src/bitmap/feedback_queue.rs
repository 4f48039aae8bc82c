use super::{GAP_BITS, LossMessages, have};
use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Feedback messages made of gap records, 8 of which wait for the wire.
///
/// Whoever sends looks at `room`; of two that are sent 4 clocks apart both have room, and a walk's message between them too. A message
/// says what is known when it is made: what changes while the wire is taken is not in it. Those of a walk have been told before, and
/// nothing else is known of them: repeat count 1, depth the distance to the highest number. Latency: 2 clocks to the message. Throughput:
/// one per clock. Reset: none waits.
#[derive(Default, Described, LogicBlock)]
pub struct FeedbackQueue {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// depth is counted in later packets
    pub by_arrivals: Signal<In, Bit>,
    /// now
    pub now: Signal<In, Bits<32>>,
    /// there is room for a message
    pub room: Signal<Out, Bit>,
    /// a gap is told
    pub send: Signal<In, Bit>,
    /// queue pair
    pub qp: Signal<In, Bits<NODE_BITS>>,
    /// its record
    pub record: Signal<In, Bits<GAP_BITS>>,
    /// it has been told before
    pub again: Signal<In, Bit>,
    /// first missing packet of the queue pair
    pub base: Signal<In, Bits<24>>,
    /// highest number
    pub max: Signal<In, Bits<24>>,
    /// accepted packets
    pub count: Signal<In, Bits<24>>,
    /// misjudgements
    pub misjudged: Signal<In, Bits<24>>,
    /// a gap has been told, one clock after `send`
    pub told: Signal<Out, Bit>,
    /// ... and before
    pub told_again: Signal<Out, Bit>,
    /// ... of this queue pair
    pub told_qp: Signal<Out, Bits<NODE_BITS>>,
    /// ... from this packet
    pub told_start: Signal<Out, Bits<24>>,
    /// ... to this one
    pub told_end: Signal<Out, Bits<24>>,

    pub ffm: LossMessages<NODE_BITS>,

    /// a walk tells, not in the clock of a `send`
    pub walk_tells: Vec<Signal<In, Bit>>,
    /// of this queue pair
    pub walk_qp: Vec<Signal<In, Bits<NODE_BITS>>>,
    /// ... from this packet
    pub walk_start: Vec<Signal<In, Bits<24>>>,
    /// ... to this one
    pub walk_end: Vec<Signal<In, Bits<24>>>,
    /// first missing packet of the queue pair
    pub walk_base: Vec<Signal<In, Bits<24>>>,
    /// highest number
    pub walk_max: Vec<Signal<In, Bits<24>>>,
    /// misjudgements
    pub walk_misjudged: Vec<Signal<In, Bits<24>>>,
    /// with `told`: a walk has
    pub told_walk: Vec<Signal<Out, Bit>>,

    /// several paths: path of the gap
    pub path: Vec<Signal<In, Bits<4>>>,
    /// several paths: path of the gap
    pub ffm_path: Vec<Signal<Out, Bits<4>>>,

    sent5: State<Bit>,
    again5: Reg<Bit>,
    qp5: Reg<Bits<NODE_BITS>>,
    start5: Reg<Bits<24>>,
    end5: Reg<Bits<24>>,
    reference5: Reg<Bits<24>>,
    repeat5: Reg<Bits<8>>,
    cause5: Reg<Bits<2>>,
    base5: Reg<Bits<24>>,
    edge5: Reg<Bits<24>>,
    count5: Reg<Bits<24>>,
    misjudged5: Reg<Bits<24>>,
    time5: Reg<Bits<32>>,
    length5: Signal<Local, Bits<24>>,
    deep5: Signal<Local, Bits<24>>,
    depth5: Signal<Local, Bits<16>>,
    status5: Signal<Local, Bits<3>>,
    messages: FifoLut<179, 3, 4>,
    pairs: FifoLut<NODE_BITS, 3, 4>,
    has_room: State<Bit>,
    walk5: Vec<Reg<Bit>>,
    path5: Vec<Reg<Bits<4>>>,
    paths: Vec<FifoLut<4, 3, 4>>,
    #[variant]
    _ways: usize,
    #[variant]
    _walks: usize,
}

impl FeedbackQueue {
    /// For as many paths, 1 to 16, and so many walks, 0 or 1.
    pub fn with(paths: usize, walks: usize) -> Self {
        let ways = usize::from(paths > 1);
        let mut block = Self { _ways: ways, _walks: walks, ..Self::default() };
        have! {
            block:
            ways => path, ffm_path, path5, paths;
            walks => walk_tells, walk_qp, walk_start, walk_end, walk_base, walk_max, walk_misjudged, told_walk, walk5;
        }
        block
    }
}

impl Logic for FeedbackQueue {
    #[kernel]
    fn update(&mut self) {
        self.room.next = self.has_room.q.val();
        self.sent5.d.next = self.send.val();
        self.qp5.d.next = self.qp.val();
        self.again5.d.next = self.again.val();
        self.start5.d.next = self.record.val().get_bits::<24>(0);
        self.end5.d.next = self.record.val().get_bits::<24>(24);
        self.reference5.d.next = self.record.val().get_bits::<24>(48);
        self.repeat5.d.next = self.record.val().get_bits::<8>(104);
        self.cause5.d.next = self.record.val().get_bits::<2>(112);
        self.base5.d.next = self.base.val();
        self.edge5.d.next = self.max.val();
        self.count5.d.next = self.count.val();
        self.misjudged5.d.next = self.misjudged.val();
        self.time5.d.next = self.now.val();
        for w in 0..self._walks {
            self.walk5[w].d.next = self.walk_tells[w].val();
            self.told_walk[w].next = self.walk5[w].q.val();
            if self.walk_tells[w].val() {
                self.sent5.d.next = true;
                self.qp5.d.next = self.walk_qp[w].val();
                self.again5.d.next = true;
                self.start5.d.next = self.walk_start[w].val();
                self.end5.d.next = self.walk_end[w].val();
                self.reference5.d.next = self.walk_start[w].val();
                self.repeat5.d.next = bits::<8>(1);
                self.base5.d.next = self.walk_base[w].val();
                self.edge5.d.next = self.walk_max[w].val();
                self.count5.d.next = self.walk_max[w].val();
                self.misjudged5.d.next = self.walk_misjudged[w].val();
            }
        }
        self.told.next = self.sent5.q.val();
        self.told_qp.next = self.qp5.q.val();
        self.told_start.next = self.start5.q.val();
        self.told_end.next = self.end5.q.val();
        self.told_again.next = self.sent5.q.val() && self.again5.q.val();
        self.length5.next = self.end5.q.val() - self.start5.q.val() + 1;
        self.deep5.next = self.edge5.q.val() - self.start5.q.val();
        if self.by_arrivals.val() {
            self.deep5.next = self.count5.q.val() - self.reference5.q.val();
        }
        self.depth5.next = self.deep5.val().get_bits::<16>(0);
        if self.deep5.val().get_bits::<8>(16).any() {
            self.depth5.next = !bits::<16>(0);
        }
        if self.deep5.val().get_bit(23) {
            self.depth5.next = bits::<16>(0);
        }
        self.status5.next = bit_cast::<3, 2>(self.cause5.q.val());
        if self.again5.q.val() {
            self.status5.next = bits::<3>(4);
        }
        self.messages.in_valid.next = self.sent5.q.val();
        self.messages.in_data.next = bit_cast::<179, 24>(self.start5.q.val())
            | (bit_cast::<179, 24>(self.length5.val()) << 24)
            | (bit_cast::<179, 24>(self.edge5.q.val()) << 48)
            | (bit_cast::<179, 24>(self.base5.q.val()) << 72)
            | (bit_cast::<179, 32>(self.time5.q.val()) << 96)
            | (bit_cast::<179, 3>(self.status5.val()) << 128)
            | (bit_cast::<179, 16>(self.depth5.val()) << 131)
            | (bit_cast::<179, 8>(self.repeat5.q.val()) << 147)
            | (bit_cast::<179, 24>(self.misjudged5.q.val()) << 155);
        self.pairs.in_valid.next = self.sent5.q.val();
        self.pairs.in_data.next = self.qp5.q.val();
        // Two may be on their way.
        self.has_room.d.next = self.messages.count.val() < bits::<4>(5);
        self.ffm.valid.next = self.messages.out_valid.val();
        self.messages.out_ready.next = self.ffm.ready.val();
        self.pairs.out_ready.next = self.ffm.ready.val();
        self.ffm.qp.next = self.pairs.out_data.val();
        self.ffm.start.next = self.messages.out_data.val().get_bits::<24>(0);
        self.ffm.length.next = self.messages.out_data.val().get_bits::<24>(24);
        self.ffm.highest.next = self.messages.out_data.val().get_bits::<24>(48);
        self.ffm.base.next = self.messages.out_data.val().get_bits::<24>(72);
        self.ffm.timestamp.next = self.messages.out_data.val().get_bits::<32>(96);
        self.ffm.status.next = self.messages.out_data.val().get_bits::<3>(128);
        self.ffm.depth.next = self.messages.out_data.val().get_bits::<16>(131);
        self.ffm.repeat.next = self.messages.out_data.val().get_bits::<8>(147);
        self.ffm.misjudged.next = self.messages.out_data.val().get_bits::<24>(155);

        for w in 0..self._ways {
            self.path5[w].d.next = self.path[w].val();
            self.paths[w].in_valid.next = self.sent5.q.val();
            self.paths[w].in_data.next = self.path5[w].q.val();
            self.paths[w].out_ready.next = self.ffm.ready.val();
            self.ffm_path[w].next = self.paths[w].out_data.val();
        }
    }
}
