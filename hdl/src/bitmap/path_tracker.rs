use super::{PathArrivals, StripePath};
use crate::primitives::{LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Which path each packet came over, and what every path has delivered to every queue pair.
///
/// The path is that of the packet's number (striped) or what the packet says of itself (tagged, off). `PathArrivals` keeps what the path
/// bitmaps are asked for. A queue pair begins with nothing delivered: `cleared` comes when that is written, between packets.
/// Latency: 4 clocks from verdict to `paths4`, at the same time as `GapEvents` queues it. Throughput: one verdict per clock. Reset: nothing
/// is under way.
/// Spec: bitmap loss detection, "Paths". Each path costs 151 bits of block RAM per queue pair.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct PathTracker {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// 2 to the power of this are the numbers of a path in turn
    pub stripe: Signal<In, Bits<4>>,
    /// later packets that a path must have delivered, 1 to 4
    pub overtake: Signal<In, Bits<3>>,
    /// ticks for which a path stays active, less than 2^31
    pub path_idle: Signal<In, Bits<32>>,
    /// now
    pub now: Signal<In, Bits<32>>,
    /// a verdict
    pub verdict: Signal<In, Bit>,
    /// 0 new, 1 duplicate, 2 out of window, 3 unknown queue pair
    pub code: Signal<In, Bits<2>>,
    /// queue pair
    pub qp: Signal<In, Bits<NODE_BITS>>,
    /// number of the packet
    pub psn: Signal<In, Bits<24>>,
    /// highest number with it
    pub max: Signal<In, Bits<24>>,
    /// path that it says
    pub tag: Signal<In, Bits<4>>,
    /// a packet of an open queue pair, 1 clock later
    pub arrival: Signal<Out, Bit>,
    /// ... which is a duplicate
    pub duplicate: Signal<Out, Bit>,
    /// ... over this path
    pub arrival_path: Signal<Out, Bits<4>>,
    /// path of the packet 4, active paths with it 16, 4 clocks later
    pub paths4: Signal<Out, Bits<20>>,
    /// a queue pair is to be cleared; until it is
    pub clear: Signal<In, Bit>,
    /// queue pair of `clear`
    pub clear_qp: Signal<In, Bits<NODE_BITS>>,
    /// the mode that it begins with
    pub clear_mode: Signal<In, Bits<2>>,
    /// it is
    pub cleared: Signal<Out, Bit>,
    /// queue pair that is looked at
    pub live_qp: Signal<In, Bits<NODE_BITS>>,
    /// mode of `live`, 2 clocks later
    pub live_mode: Signal<Out, Bits<2>>,
    /// paths that have delivered enough
    pub live_delivered: Signal<Out, Bits<16>>,
    /// ... from here on
    pub live_edges: Vec<Signal<Out, Bits<16>>>,
    /// active paths
    pub live_active: Signal<Out, Bits<16>>,

    arrivals: Vec<PathArrivals>,
    stripes: StripePath,
    modes: LutRam<2, NODE_BITS>,
    live_modes: LutRam<2, NODE_BITS>,
    idle_edge: Reg<Bits<32>>,
    now1: Reg<Bits<32>>,
    now2: Reg<Bits<32>>,
    edge2: Reg<Bits<32>>,
    new1: State<Bit>,
    new2: State<Bit>,
    new3: State<Bit>,
    new4: State<Bit>,
    qp1: Reg<Bits<NODE_BITS>>,
    qp2: Reg<Bits<NODE_BITS>>,
    qp3: Reg<Bits<NODE_BITS>>,
    qp4: Reg<Bits<NODE_BITS>>,
    psn1: Reg<Bits<16>>,
    psn2: Reg<Bits<16>>,
    max1: Reg<Bits<16>>,
    max2: Reg<Bits<16>>,
    path1: Reg<Bits<4>>,
    path2: Reg<Bits<4>>,
    path3: Reg<Bits<4>>,
    path4: Reg<Bits<4>>,
    mine1: Signal<Local, Bits<16>>,
    mine2: Reg<Bits<16>>,
    arrival1: State<Bit>,
    duplicate1: State<Bit>,
    same3: Reg<Bit>,
    same4: Reg<Bit>,
    same5: Reg<Bit>,
    active3: Signal<Local, Bits<16>>,
    active4: Reg<Bits<16>>,
    clears: Signal<Local, Bit>,
    is_cleared: State<Bit>,
    live_mode1: Reg<Bits<2>>,
    live_mode2: Reg<Bits<2>>,
    mask: Constant<Bits<4>>,
    #[variant]
    _paths: usize,
}

impl PathTracker {
    /// For as many paths, 2 to 16.
    pub fn with_paths(paths: usize) -> Self {
        Self {
            live_edges: super::some(paths),
            arrivals: super::some(paths),
            stripes: StripePath::with_paths(paths),
            mask: Constant::new(bits::<4>(paths as LiteralType - 1)),
            _paths: paths,
            ..Self::blank()
        }
    }
}

impl Logic for PathTracker {
    #[kernel]
    fn update(&mut self) {
        self.idle_edge.d.next = self.now.val() - self.path_idle.val();

        // Clock 0: the path.
        self.new1.d.next = self.verdict.val() && !self.code.val().any();
        self.qp1.d.next = self.qp.val();
        self.psn1.d.next = self.psn.val().get_bits::<16>(0);
        self.max1.d.next = self.max.val().get_bits::<16>(0);
        self.modes.read_address.next = self.qp.val();
        self.stripes.number.next = self.psn.val();
        self.stripes.stripe.next = self.stripe.val();
        self.path1.d.next = self.tag.val() & self.mask.val();
        if self.modes.read_data.val() == bits::<2>(1) {
            self.path1.d.next = self.stripes.path.val();
        }
        self.arrival1.d.next = self.verdict.val() && !self.code.val().all();
        self.duplicate1.d.next = self.verdict.val() && (self.code.val() == bits::<2>(1));

        // Clock 1. Who was active is a matter of the time of the verdict.
        self.now1.d.next = self.now.val();
        self.now2.d.next = self.now1.q.val();
        self.edge2.d.next = self.now1.q.val() - self.path_idle.val();
        self.arrival.next = self.arrival1.q.val();
        self.duplicate.next = self.duplicate1.q.val();
        self.arrival_path.next = self.path1.q.val();
        self.new2.d.next = self.new1.q.val();
        self.qp2.d.next = self.qp1.q.val();
        self.psn2.d.next = self.psn1.q.val();
        self.max2.d.next = self.max1.q.val();
        self.path2.d.next = self.path1.q.val();
        self.mine1.next = bits::<16>(0);
        for k in 0..16 {
            self.mine1.next = self.mine1.val().replace_bit(k, self.path1.q.val() == k.to_bits::<4>());
        }
        self.mine2.d.next = self.mine1.val();
        self.same3.d.next = self.new2.q.val() && (self.qp1.q.val() == self.qp2.q.val());
        self.same4.d.next = self.new3.q.val() && (self.qp1.q.val() == self.qp3.q.val());
        self.same5.d.next = self.new4.q.val() && (self.qp1.q.val() == self.qp4.q.val());

        // Clocks 2 and 3: read, changed, written. A queue pair is cleared when no packet is written.
        self.new3.d.next = self.new2.q.val();
        self.qp3.d.next = self.qp2.q.val();
        self.path3.d.next = self.path2.q.val();
        self.new4.d.next = self.new3.q.val();
        self.qp4.d.next = self.qp3.q.val();
        self.path4.d.next = self.path3.q.val();
        self.clears.next = self.clear.val() && !self.new3.q.val();
        self.is_cleared.d.next = self.clear.val() && (self.is_cleared.q.val() || self.clears.val());
        self.cleared.next = self.is_cleared.q.val();
        self.modes.write_enable.next = self.clears.val();
        self.modes.write_address.next = self.clear_qp.val();
        self.modes.write_data.next = self.clear_mode.val();
        self.live_modes.write_enable.next = self.clears.val();
        self.live_modes.write_address.next = self.clear_qp.val();
        self.live_modes.write_data.next = self.clear_mode.val();
        self.active3.next = bits::<16>(0);
        self.live_delivered.next = bits::<16>(0);
        self.live_active.next = bits::<16>(0);
        for k in 0..self._paths {
            self.arrivals[k].read_qp.next = self.qp.val();
            self.arrivals[k].same3.next = self.same3.q.val();
            self.arrivals[k].same4.next = self.same4.q.val();
            self.arrivals[k].same5.next = self.same5.q.val();
            self.arrivals[k].mine2.next = self.mine2.q.val().get_bit(k);
            self.arrivals[k].psn2.next = self.psn2.q.val();
            self.arrivals[k].max2.next = self.max2.q.val();
            self.arrivals[k].now2.next = self.now2.q.val();
            self.arrivals[k].edge2.next = self.edge2.q.val();
            self.arrivals[k].idle_edge.next = self.idle_edge.q.val();
            self.arrivals[k].write.next = self.new3.q.val() || self.clears.val();
            self.arrivals[k].clears.next = self.clears.val();
            self.arrivals[k].write_qp.next = self.qp3.q.val();
            if self.clears.val() {
                self.arrivals[k].write_qp.next = self.clear_qp.val();
            }
            self.arrivals[k].overtake.next = self.overtake.val();
            self.arrivals[k].live_qp.next = self.live_qp.val();
            self.active3.next = self.active3.val().replace_bit(k, self.arrivals[k].active3.val());
            self.live_delivered.next = self.live_delivered.val().replace_bit(k, self.arrivals[k].live_delivered.val());
            self.live_active.next = self.live_active.val().replace_bit(k, self.arrivals[k].live_active.val());
            self.live_edges[k].next = self.arrivals[k].live_edge.val();
        }
        self.active4.d.next = self.active3.val();
        self.paths4.next = bit_cast::<20, 4>(self.path4.q.val()) | (bit_cast::<20, 16>(self.active4.q.val()) << 4);

        self.live_modes.read_address.next = self.live_qp.val();
        self.live_mode1.d.next = self.live_modes.read_data.val();
        self.live_mode2.d.next = self.live_mode1.q.val();
        self.live_mode.next = self.live_mode2.q.val();
    }
}
