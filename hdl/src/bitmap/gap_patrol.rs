use super::{GAP_BITS, some};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Looks at one queue pair after the other, whenever the memories' port is free, and stays with one whose records have something to do: it
/// lags, one is too old, to be told or told again, or the gap at the base has stalled.
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
    #[variant]
    _ways: usize,
}

impl GapPatrol {
    /// For as many paths, 1 to 16.
    pub fn with_paths(paths: usize) -> Self {
        let ways = usize::from(paths > 1);
        Self {
            crossed: some(ways),
            relaxed_stall: some(ways),
            relaxed_packets: some(ways),
            relaxed_since: some(ways),
            relaxed_advanced: some(ways),
            relaxed_stall3: some(ways),
            relaxed_plus: some(ways),
            relaxed_past_seen: some(ways),
            relaxed_past_moved: some(ways),
            _ways: ways,
            ..Self::default()
        }
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
