use super::RoundTripEstimate;
use crate::primitives::{LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// How long a packet's acknowledgement is waited for, per node: the round trip is measured, and the timeout follows it.
///
/// One packet of a node is timed at a time. `sent` begins that if none is; a packet that has been timed for `2 cfg_cap` ticks is given up
/// for the new one. `acked` of its key, or with an edge beyond it, ends it with a sample: the ticks since then, the longest one if they are
/// more than that. `again` of its key ends it without one, for nobody knows which copy an acknowledgement is for (Karn); if it was sent
/// again because its time was over (`again_expired`), the node's timeout is twice as long until there is a sample, up to seven times.
/// Without that, a round trip that has become longer than the timeout would never be measured. Of one clock and node, `again` comes before
/// `acked`, `sent`, `forget`. Behind a sample the node rests: a `sent` of the same clock and the six after it begins nothing, and then the
/// sample counts. `forget` makes the node as after reset.
///
/// Keys are modulo `2^KEY_BITS`; a key is below an edge if it is less than half the circle before it, or just half. Ticks are modulo
/// `2^32`: what is timed for that long looks new. `now` moves on by one tick in a clock at most, and `cfg_cap` is 2 at least: less than
/// four clocks behind its beginning nothing is found to be old.
/// Latency: a timeout 2 clocks; it shows events that came four clocks before the read or earlier, a sample ten. Throughput: one of each
/// event and a read per clock, any nodes, none lost.
/// Reset: nothing is timed, no node has a sample; the memories need no clearing, for what they say counts once it was written.
/// Spec: RFC 6298, section 2 for the estimate, 3 for what is a sample, 5.5 and 5.7 for the doubling.
///
/// `NODES` nodes, each with a bit for what it does; `KEY_BITS` is the width of a key, `TICK_BITS` of a tick, `SAMPLE_BITS` of a sample.
#[derive(Default, Described, LogicBlock)]
pub struct RoundTrip {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// current tick
    pub now: Signal<In, Bits<TICK_BITS>>,
    /// ticks of the timeout before the first sample, whatever the other limits are
    pub cfg_initial: Signal<In, Bits<TICK_BITS>>,
    /// ticks that it has at least otherwise
    pub cfg_floor: Signal<In, Bits<TICK_BITS>>,
    /// ticks that it has at most otherwise, be they less than `cfg_floor`
    pub cfg_cap: Signal<In, Bits<TICK_BITS>>,
    /// a packet is sent for the first time
    pub sent_valid: Signal<In, Bit>,
    /// to this node
    pub sent_node: Signal<In, Bits<NODE_BITS>>,
    /// key of `sent`: PSN or op number
    pub sent_key: Signal<In, Bits<KEY_BITS>>,
    /// a packet is sent again
    pub again_valid: Signal<In, Bit>,
    /// to this node
    pub again_node: Signal<In, Bits<NODE_BITS>>,
    /// key of `again`
    pub again_key: Signal<In, Bits<KEY_BITS>>,
    /// because its time was over
    pub again_expired: Signal<In, Bit>,
    /// packets are acknowledged
    pub acked_valid: Signal<In, Bit>,
    /// by this node
    pub acked_node: Signal<In, Bits<NODE_BITS>>,
    /// their key
    pub acked_key: Signal<In, Bits<KEY_BITS>>,
    /// all those below the key, and not itself
    pub acked_edge: Signal<In, Bit>,
    /// what is known of a node is forgotten
    pub forget_valid: Signal<In, Bit>,
    /// of this one
    pub forget_node: Signal<In, Bits<NODE_BITS>>,
    /// whose timeout is asked for
    pub read_node: Signal<In, Bits<NODE_BITS>>,
    /// ticks
    pub timeout: Signal<Out, Bits<TICK_BITS>>,

    // Nodes that time a packet; nodes whose sample is under way.
    timing: State<Bits<NODES>>,
    resting: State<Bits<NODES>>,
    // The packet that is timed: since when, for a new one and for an acknowledgement; its key, for each who compares it.
    begun_sent: LutRam<TICK_BITS, NODE_BITS>,
    begun_acked: LutRam<TICK_BITS, NODE_BITS>,
    key_again: LutRam<KEY_BITS, NODE_BITS>,
    key_acked: LutRam<KEY_BITS, NODE_BITS>,

    now1: Reg<Bits<TICK_BITS>>,
    now2: Reg<Bits<TICK_BITS>>,
    now3: Reg<Bits<TICK_BITS>>,
    sent_valid1: State<Bit>,
    sent_valid2: State<Bit>,
    sent_valid3: State<Bit>,
    sent_node1: Reg<Bits<NODE_BITS>>,
    sent_node2: Reg<Bits<NODE_BITS>>,
    sent_node3: Reg<Bits<NODE_BITS>>,
    sent_key1: Reg<Bits<KEY_BITS>>,
    sent_key2: Reg<Bits<KEY_BITS>>,
    sent_key3: Reg<Bits<KEY_BITS>>,
    sent_hot3: State<Bits<NODES>>,
    begun1: Reg<Bits<TICK_BITS>>,
    age2: Reg<Bits<TICK_BITS>>,
    old3: Reg<Bit>,
    // Of the packets that came one, two and three clocks before: is it for the same node; was it written down.
    same1: Reg<Bits<3>>,
    same2: Reg<Bits<3>>,
    same3: Reg<Bits<3>>,
    started: State<Bits<3>>,
    again_valid1: State<Bit>,
    again_valid2: State<Bit>,
    again_node1: Reg<Bits<NODE_BITS>>,
    again_node2: Reg<Bits<NODE_BITS>>,
    again_key1: Reg<Bits<KEY_BITS>>,
    again_key2: Reg<Bits<KEY_BITS>>,
    again_expired1: Reg<Bit>,
    again_expired2: Reg<Bit>,
    again_expired3: Reg<Bit>,
    again_hot3: State<Bits<NODES>>,
    // The key is that in the memory; that of a packet a clock before, which the memory does not have yet.
    again_fits3: Reg<Bit>,
    again_near3: Reg<Bit>,
    again_fits_near3: Reg<Bit>,
    acked_valid1: State<Bit>,
    acked_valid2: State<Bit>,
    acked_node1: Reg<Bits<NODE_BITS>>,
    acked_node2: Reg<Bits<NODE_BITS>>,
    acked_node3: Reg<Bits<NODE_BITS>>,
    acked_key1: Reg<Bits<KEY_BITS>>,
    acked_key2: Reg<Bits<KEY_BITS>>,
    acked_edge1: Reg<Bit>,
    acked_edge2: Reg<Bit>,
    acked_hot3: State<Bits<NODES>>,
    acked_fits3: Reg<Bit>,
    acked_near3: Reg<Bit>,
    acked_fits_near3: Reg<Bit>,
    // Both are valid, and for the same node.
    again_and_sent3: Reg<Bit>,
    distance: Signal<Local, Bits<KEY_BITS>>,
    distance_near: Signal<Local, Bits<KEY_BITS>>,
    forget_valid1: State<Bit>,
    forget_valid2: State<Bit>,
    forget_valid3: State<Bit>,
    forget_node1: Reg<Bits<NODE_BITS>>,
    forget_node2: Reg<Bits<NODE_BITS>>,
    forget_node3: Reg<Bits<NODE_BITS>>,
    forget_hot3: State<Bits<NODES>>,

    again_fits: Signal<Local, Bit>,
    acked_fits: Signal<Local, Bit>,
    is_old: Signal<Local, Bit>,
    // Of the node that a packet is sent to: it times one; that one is cut off; the new one is written down. One that is sent to a resting
    // node is, too: as it times nothing, nobody reads that.
    busy: Signal<Local, Bit>,
    is_cut: Signal<Local, Bit>,
    starts: Signal<Local, Bit>,
    // Nodes whose timing is cut off, ends with a sample, goes on; that time a packet behind this clock because one was sent.
    cuts: Signal<Local, Bits<NODES>>,
    hits: Signal<Local, Bits<NODES>>,
    left: Signal<Local, Bits<NODES>>,
    fresh: Signal<Local, Bits<NODES>>,
    sample4: State<Bit>,
    sample_node4: Reg<Bits<NODE_BITS>>,
    sample_begun4: Reg<Bits<TICK_BITS>>,
    sample_now4: Reg<Bits<TICK_BITS>>,
    estimate: RoundTripEstimate,
}

impl Logic for RoundTrip {
    #[kernel]
    fn update(&mut self) {
        // Clock 1: since when the node of a new packet times one.
        self.now1.d.next = self.now.val();
        self.sent_valid1.d.next = self.sent_valid.val();
        self.sent_node1.d.next = self.sent_node.val();
        self.sent_key1.d.next = self.sent_key.val();
        self.begun_sent.read_address.next = self.sent_node.val();
        self.begun1.d.next = self.begun_sent.read_data.val();
        self.same1.d.next = bit_cast::<3, 1>((self.sent_node.val() == self.sent_node1.q.val()).into())
            | (bit_cast::<3, 1>((self.sent_node.val() == self.sent_node2.q.val()).into()) << 1)
            | (bit_cast::<3, 1>((self.sent_node.val() == self.sent_node3.q.val()).into()) << 2);
        self.again_valid1.d.next = self.again_valid.val();
        self.again_node1.d.next = self.again_node.val();
        self.again_key1.d.next = self.again_key.val();
        self.again_expired1.d.next = self.again_expired.val();
        self.acked_valid1.d.next = self.acked_valid.val();
        self.acked_node1.d.next = self.acked_node.val();
        self.acked_key1.d.next = self.acked_key.val();
        self.acked_edge1.d.next = self.acked_edge.val();
        self.forget_valid1.d.next = self.forget_valid.val();
        self.forget_node1.d.next = self.forget_node.val();

        // Clock 2: for how long.
        self.now2.d.next = self.now1.q.val();
        self.sent_valid2.d.next = self.sent_valid1.q.val();
        self.sent_node2.d.next = self.sent_node1.q.val();
        self.sent_key2.d.next = self.sent_key1.q.val();
        self.age2.d.next = self.now1.q.val() - self.begun1.q.val();
        self.same2.d.next = self.same1.q.val();
        self.again_valid2.d.next = self.again_valid1.q.val();
        self.again_node2.d.next = self.again_node1.q.val();
        self.again_key2.d.next = self.again_key1.q.val();
        self.again_expired2.d.next = self.again_expired1.q.val();
        self.acked_valid2.d.next = self.acked_valid1.q.val();
        self.acked_node2.d.next = self.acked_node1.q.val();
        self.acked_key2.d.next = self.acked_key1.q.val();
        self.acked_edge2.d.next = self.acked_edge1.q.val();
        self.forget_valid2.d.next = self.forget_valid1.q.val();
        self.forget_node2.d.next = self.forget_node1.q.val();

        // Clock 3: whether that is too long; keys are compared.
        self.now3.d.next = self.now2.q.val();
        self.sent_valid3.d.next = self.sent_valid2.q.val();
        self.sent_node3.d.next = self.sent_node2.q.val();
        self.sent_key3.d.next = self.sent_key2.q.val();
        self.old3.d.next = (self.age2.q.val() >> 1) >= self.cfg_cap.val();
        self.same3.d.next = self.same2.q.val();
        self.key_again.read_address.next = self.again_node2.q.val();
        self.again_fits3.d.next = self.key_again.read_data.val() == self.again_key2.q.val();
        self.again_near3.d.next = self.again_node2.q.val() == self.sent_node3.q.val();
        self.again_fits_near3.d.next = self.again_key2.q.val() == self.sent_key3.q.val();
        self.again_expired3.d.next = self.again_expired2.q.val();
        self.key_acked.read_address.next = self.acked_node2.q.val();
        self.distance.next = self.key_acked.read_data.val() - self.acked_key2.q.val();
        self.distance_near.next = self.sent_key3.q.val() - self.acked_key2.q.val();
        self.acked_fits3.d.next = self.key_acked.read_data.val() == self.acked_key2.q.val();
        self.acked_fits_near3.d.next = self.acked_key2.q.val() == self.sent_key3.q.val();
        if self.acked_edge2.q.val() {
            self.acked_fits3.d.next = self.distance.val().get_bit(KEY_BITS - 1);
            self.acked_fits_near3.d.next = self.distance_near.val().get_bit(KEY_BITS - 1);
        }
        self.acked_near3.d.next = self.acked_node2.q.val() == self.sent_node3.q.val();
        self.again_and_sent3.d.next = self.again_valid2.q.val() && self.again_node2.q.val() == self.sent_node2.q.val();
        self.acked_node3.d.next = self.acked_node2.q.val();
        self.forget_valid3.d.next = self.forget_valid2.q.val();
        self.forget_node3.d.next = self.forget_node2.q.val();
        self.sent_hot3.d.next = bits::<NODES>(0);
        if self.sent_valid2.q.val() {
            self.sent_hot3.d.next = bits::<NODES>(1) << self.sent_node2.q.val();
        }
        self.again_hot3.d.next = bits::<NODES>(0);
        if self.again_valid2.q.val() {
            self.again_hot3.d.next = bits::<NODES>(1) << self.again_node2.q.val();
        }
        self.acked_hot3.d.next = bits::<NODES>(0);
        if self.acked_valid2.q.val() {
            self.acked_hot3.d.next = bits::<NODES>(1) << self.acked_node2.q.val();
        }
        self.forget_hot3.d.next = bits::<NODES>(0);
        if self.forget_valid2.q.val() {
            self.forget_hot3.d.next = bits::<NODES>(1) << self.forget_node2.q.val();
        }

        // Clock 4: what becomes of the nodes.
        self.again_fits.next = self.again_fits3.q.val();
        if self.again_near3.q.val() && self.started.q.val().get_bit(0) {
            self.again_fits.next = self.again_fits_near3.q.val();
        }
        self.acked_fits.next = self.acked_fits3.q.val();
        if self.acked_near3.q.val() && self.started.q.val().get_bit(0) {
            self.acked_fits.next = self.acked_fits_near3.q.val();
        }
        self.cuts.next = bits::<NODES>(0);
        if self.again_fits.val() {
            self.cuts.next = self.timing.q.val() & self.again_hot3.q.val();
        }
        self.hits.next = bits::<NODES>(0);
        if self.acked_fits.val() {
            self.hits.next = self.timing.q.val() & !self.cuts.val() & self.acked_hot3.q.val();
        }
        self.left.next = self.timing.q.val() & !self.cuts.val() & !self.hits.val();
        self.fresh.next = self.sent_hot3.q.val() & !self.resting.q.val() & !self.hits.val();
        self.is_old.next = self.old3.q.val() && !(self.same3.q.val() & self.started.q.val()).any();
        self.busy.next = (self.timing.q.val() & self.sent_hot3.q.val()).any();
        self.is_cut.next = self.again_and_sent3.q.val() && self.again_fits.val();
        self.starts.next = self.sent_valid3.q.val() && (!self.busy.val() || self.is_cut.val() || self.is_old.val());
        self.started.d.next = (self.started.q.val() << 1) | bit_cast::<3, 1>(self.starts.val().into());
        self.timing.d.next = (self.left.val() | self.fresh.val()) & !self.forget_hot3.q.val();
        self.resting.d.next = (self.resting.q.val() | self.hits.val()) & !self.estimate.landed.val() & !self.forget_hot3.q.val();
        self.begun_sent.write_enable.next = self.starts.val();
        self.begun_sent.write_address.next = self.sent_node3.q.val();
        self.begun_sent.write_data.next = self.now3.q.val();
        self.begun_acked.write_enable.next = self.starts.val();
        self.begun_acked.write_address.next = self.sent_node3.q.val();
        self.begun_acked.write_data.next = self.now3.q.val();
        self.key_again.write_enable.next = self.starts.val();
        self.key_again.write_address.next = self.sent_node3.q.val();
        self.key_again.write_data.next = self.sent_key3.q.val();
        self.key_acked.write_enable.next = self.starts.val();
        self.key_acked.write_address.next = self.sent_node3.q.val();
        self.key_acked.write_data.next = self.sent_key3.q.val();

        // Then the sample, and the estimate.
        self.begun_acked.read_address.next = self.acked_node3.q.val();
        self.sample4.d.next = (self.hits.val() & !self.forget_hot3.q.val()).any();
        self.sample_node4.d.next = self.acked_node3.q.val();
        self.sample_begun4.d.next = self.begun_acked.read_data.val();
        self.sample_now4.d.next = self.now3.q.val();
        self.estimate.sample_valid.next = self.sample4.q.val();
        self.estimate.sample_node.next = self.sample_node4.q.val();
        self.estimate.sample_begun.next = self.sample_begun4.q.val();
        self.estimate.sample_now.next = self.sample_now4.q.val();
        self.estimate.doubles.next = bits::<NODES>(0);
        if self.again_expired3.q.val() {
            self.estimate.doubles.next = self.cuts.val();
        }
        self.estimate.forget_valid.next = self.forget_valid3.q.val();
        self.estimate.forget_node.next = self.forget_node3.q.val();
        self.estimate.forgets.next = self.forget_hot3.q.val();
        self.estimate.cfg_initial.next = self.cfg_initial.val();
        self.estimate.cfg_floor.next = self.cfg_floor.val();
        self.estimate.cfg_cap.next = self.cfg_cap.val();
        self.estimate.read_node.next = self.read_node.val();
        self.timeout.next = self.estimate.timeout.val();
    }
}
