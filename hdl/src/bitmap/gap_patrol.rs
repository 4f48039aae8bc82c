use super::{GAP_BITS, have};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Looks at one queue pair after the other, whenever the memories' port is free, and stays with one whose records have something to do: it
/// lags, one is too old, to be told or told again, or the gap at the base has stalled. With a told region also while the base has passed
/// that, or it is to be walked; until it has ended the first record is not at the base, and nothing stalls. The base is read with the look
/// if nobody else reads one.
///
/// Latency: 4 clocks to the next queue pair, if there is nothing to do. Reset: queue pair 0.
#[derive(Default, Described, LogicBlock)]
pub struct GapPatrol {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the port is free
    pub enable: Signal<In, Bit>,
    /// queue pair that is looked at
    pub read_qp: Signal<Out, Bits<NODE_BITS>>,
    /// it lags, same clock
    pub lags: Signal<In, Bit>,
    /// the look at it begins
    pub begins: Signal<Out, Bit>,
    /// its first record, 2 clocks later
    pub record: Signal<In, Bits<GAP_BITS>>,
    /// when its base last moved, 2 clocks later
    pub advanced: Signal<In, Bits<32>>,
    /// packets accepted until then
    pub moved: Signal<In, Bits<24>>,
    /// its accepted packets
    pub count: Signal<In, Bits<24>>,
    /// a record is too old, 3 clocks later
    pub overdue: Signal<In, Bit>,
    /// a record can be told
    pub pending: Signal<In, Bit>,
    /// a base that has not moved since before it has stalled
    pub stall_edge: Signal<In, Bits<32>>,
    /// packets that may be accepted meanwhile, 0: any number
    pub stall_packets: Signal<In, Bits<22>>,
    /// there is something to do
    pub look_valid: Signal<Out, Bit>,
    /// it is taken over
    pub look_ready: Signal<In, Bit>,
    /// the queue pair lags
    pub look_lag: Signal<Out, Bit>,
    /// queue pair of `look`
    pub look_qp: Signal<Out, Bits<NODE_BITS>>,
    /// accepted packets of `look`
    pub look_count: Signal<Out, Bits<24>>,

    /// several paths: the first record is crossed, 3 clocks later
    pub crossed: Vec<Signal<In, Bit>>,
    /// several paths: a base that has not moved since before it has stalled although its gap is crossed
    pub relaxed_stall: Vec<Signal<In, Bits<32>>>,
    /// several paths: packets that may be accepted meanwhile then
    pub relaxed_packets: Vec<Signal<In, Bits<24>>>,

    /// told region: the base of `read_qp` is read
    pub glance_ready: Vec<Signal<In, Bit>>,
    /// told region: the base, 3 clocks later
    pub glance_base: Vec<Signal<In, Bits<24>>>,
    /// told region: that of the queue pair, see `GapEngine`, 2 clocks later
    pub region: Vec<Signal<In, Bits<81>>>,
    /// told region: one that is waited for since before it is to be walked
    pub walk_edge: Vec<Signal<In, Bits<32>>>,
    /// told region: it can be
    pub walk_ready: Vec<Signal<In, Bit>>,

    looked: State<Bits<NODE_BITS>>,
    issue: Signal<Local, Bit>,
    scan1: State<Bit>,
    scan2: State<Bit>,
    scan3: State<Bit>,
    scan_lag: Reg<Bit>,
    scan_count: Reg<Bits<24>>,
    scan_stall3: Reg<Bit>,
    scan_seen3: Reg<Bits<24>>,
    scan_moved3: Reg<Bits<24>>,
    scan_waits3: Reg<Bit>,
    scan_past_seen: Signal<Local, Bits<24>>,
    scan_past_moved: Signal<Local, Bits<24>>,
    scan_since: Signal<Local, Bits<32>>,
    scan_advanced: Signal<Local, Bits<32>>,
    hit: Signal<Local, Bit>,
    hit_valid: State<Bit>,
    hit_lag: Reg<Bit>,
    hit_qp: Reg<Bits<NODE_BITS>>,
    hit_count: Reg<Bits<24>>,
    packets_on: Reg<Bit>,
    packets_plus: Reg<Bits<24>>,
    // Of several paths.
    relaxed_since: Vec<Signal<Local, Bits<32>>>,
    relaxed_advanced: Vec<Signal<Local, Bits<32>>>,
    relaxed_stall3: Vec<Reg<Bit>>,
    relaxed_plus: Vec<Reg<Bits<24>>>,
    relaxed_past_seen: Vec<Signal<Local, Bits<24>>>,
    relaxed_past_moved: Vec<Signal<Local, Bits<24>>>,
    // Of told regions.
    glance1: Vec<Reg<Bit>>,
    glance2: Vec<Reg<Bit>>,
    glance3: Vec<Reg<Bit>>,
    region3: Vec<Reg<Bit>>,
    region_edge3: Vec<Reg<Bits<24>>>,
    region_elapsed: Vec<Signal<Local, Bits<32>>>,
    region_old3: Vec<Reg<Bit>>,
    region_ahead: Vec<Signal<Local, Bits<24>>>,
    #[variant]
    _ways: usize,
    #[variant]
    _tells: usize,
}

impl GapPatrol {
    /// For as many paths, 1 to 16, and told regions or none, 1 or 0.
    pub fn with(paths: usize, tells: usize) -> Self {
        let ways = usize::from(paths > 1);
        let mut block = Self { _ways: ways, _tells: tells, ..Self::default() };
        have! {
            block:
            ways => crossed, relaxed_stall, relaxed_packets, relaxed_since, relaxed_advanced, relaxed_stall3, relaxed_plus,
                relaxed_past_seen, relaxed_past_moved;
            tells => glance_ready, glance_base, region, walk_edge, walk_ready, glance1, glance2, glance3, region3, region_edge3,
                region_elapsed, region_old3, region_ahead;
        }
        block
    }
}

impl Logic for GapPatrol {
    #[kernel]
    fn update(&mut self) {
        self.packets_on.d.next = self.stall_packets.val().any();
        self.packets_plus.d.next = bit_cast::<24, 22>(self.stall_packets.val()) + 1;
        self.read_qp.next = self.looked.q.val();
        self.issue.next = self.enable.val() && !self.hit_valid.q.val() && !self.scan1.q.val() && !self.scan2.q.val() && !self.scan3.q.val();
        self.begins.next = self.issue.val();
        self.scan1.d.next = self.issue.val();
        self.scan2.d.next = self.scan1.q.val();
        self.scan3.d.next = self.scan2.q.val();
        if self.issue.val() {
            self.scan_lag.d.next = self.lags.val();
        }
        self.scan_waits3.d.next = self.record.val().get_bit(117) && !self.record.val().get_bits::<2>(114).any();
        self.scan_since.next = self.record.val().get_bits::<32>(72) - self.stall_edge.val();
        self.scan_advanced.next = self.advanced.val() - self.stall_edge.val();
        self.scan_stall3.d.next = self.scan_since.val().get_bit(31) && self.scan_advanced.val().get_bit(31);
        self.scan_seen3.d.next = self.count.val() - self.record.val().get_bits::<24>(48);
        self.scan_moved3.d.next = self.count.val() - self.moved.val();
        self.scan_past_seen.next = self.packets_plus.q.val() - self.scan_seen3.q.val();
        self.scan_past_moved.next = bit_cast::<24, 22>(self.stall_packets.val()) - self.scan_moved3.q.val();
        self.hit.next = self.scan_lag.q.val()
            || self.overdue.val()
            || self.pending.val()
            || (self.scan_waits3.q.val() && self.scan_stall3.q.val())
            || (self.scan_waits3.q.val()
                && self.packets_on.q.val()
                && self.scan_past_seen.val().get_bit(23)
                && self.scan_past_moved.val().get_bit(23));
        for w in 0..self._ways {
            self.relaxed_since[w].next = self.record.val().get_bits::<32>(72) - self.relaxed_stall[w].val();
            self.relaxed_advanced[w].next = self.advanced.val() - self.relaxed_stall[w].val();
            self.relaxed_stall3[w].d.next = self.relaxed_since[w].val().get_bit(31) && self.relaxed_advanced[w].val().get_bit(31);
            self.relaxed_plus[w].d.next = self.relaxed_packets[w].val() + 1;
            self.relaxed_past_seen[w].next = self.relaxed_plus[w].q.val() - self.scan_seen3.q.val();
            self.relaxed_past_moved[w].next = self.relaxed_packets[w].val() - self.scan_moved3.q.val();
            if self.crossed[w].val() {
                self.hit.next = self.scan_lag.q.val()
                    || self.overdue.val()
                    || self.pending.val()
                    || (self.scan_waits3.q.val() && self.relaxed_stall3[w].q.val())
                    || (self.scan_waits3.q.val()
                        && self.packets_on.q.val()
                        && self.relaxed_past_seen[w].val().get_bit(23)
                        && self.relaxed_past_moved[w].val().get_bit(23));
            }
        }
        for t in 0..self._tells {
            self.glance1[t].d.next = self.issue.val() && self.glance_ready[t].val();
            self.glance2[t].d.next = self.glance1[t].q.val();
            self.glance3[t].d.next = self.glance2[t].q.val();
            self.region3[t].d.next = self.region[t].val().get_bit(80);
            self.region_edge3[t].d.next = self.region[t].val().get_bits::<24>(0);
            self.region_elapsed[t].next = self.region[t].val().get_bits::<32>(48) - self.walk_edge[t].val();
            self.region_old3[t].d.next = self.region[t].val().get_bit(80) && self.region_elapsed[t].val().get_bit(31);
            if self.region[t].val().get_bit(80) {
                self.scan_waits3.d.next = false;
            }
            self.region_ahead[t].next = self.region_edge3[t].q.val() - self.glance_base[t].val();
            if (self.region_old3[t].q.val() && self.walk_ready[t].val())
                || (self.region3[t].q.val() && self.glance3[t].q.val() && self.region_ahead[t].val().get_bit(23))
            {
                self.hit.next = true;
            }
        }
        self.scan_count.d.next = self.count.val();
        self.look_valid.next = self.hit_valid.q.val();
        self.look_lag.next = self.hit_lag.q.val();
        self.look_qp.next = self.hit_qp.q.val();
        self.look_count.next = self.hit_count.q.val();
        if self.look_ready.val() {
            self.hit_valid.d.next = false;
        }
        if self.scan3.q.val() {
            self.hit_valid.d.next = self.hit.val();
            self.hit_lag.d.next = self.scan_lag.q.val();
            self.hit_qp.d.next = self.looked.q.val();
            self.hit_count.d.next = self.scan_count.q.val();
            self.looked.d.next = self.looked.q.val() + 1;
        }
    }
}
