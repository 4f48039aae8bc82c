use super::{FlowEntry, FlowEntryReader, FlowWrites, Lr2KeySide};
use crate::primitives::{BlockRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The flows of a Depot or Sentry: which flow a packet is of, by its key, in both directions; and what frames for the sending card are
/// made of.
///
/// The key of the onward direction is the entry's; that of the back direction has the addresses exchanged and the peer's queue pair. A
/// key of no entry is not `known`. The keys lie in block RAM, found by a hash: see `Lr2KeySide`. A comparator for each entry would be 562
/// bits of registers and LUTs a flow; ways of whole keys would be 40 RAMB36; a tree of sorted keys takes a memory a level and a rewrite
/// for each entry.
///
/// Software writes one entry at a time, under the number of the flow that it chooses: the fields stay until `write_ready`, which says at
/// once whether the entry was `write_refused`. An entry is refused if another flow has its key or the hash of its key in either
/// direction, or if all places of its hash are taken; it is cleared then. Nothing that is written moves another entry. While an entry is
/// written its packets may be of no flow; those of others are not touched. Addresses of IPv4 have 0 in the upper bits.
///
/// `onward_span` are the PSNs that a packet consumes: of a READ request one for each packet of its answer, by the flow's path MTU, 1
/// otherwise.
/// Latency: 5 clocks for a key, 2 for `read`; an entry is written in 6. Throughput: one key per clock in each direction, one `read` per
/// clock; both `ready` fall for one clock of an entry that is written. Reset: no entry is there, `ready` comes after twice as many clocks
/// as there are flows.
/// Spec: LR2, "Flows".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Lr2FlowTable {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// entries may be written
    pub ready: Signal<Out, Bit>,
    /// a packet of the onward direction
    pub onward_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `onward_valid` is high too
    pub onward_ready: Signal<Out, Bit>,
    /// IPv6
    pub onward_six: Signal<In, Bit>,
    /// source
    pub onward_source: Signal<In, Bits<128>>,
    /// destination
    pub onward_destination: Signal<In, Bits<128>>,
    /// destination queue pair
    pub onward_qp: Signal<In, Bits<24>>,
    /// bytes that a READ request asks for, 2^31 at most; 0 of every other packet
    pub onward_read: Signal<In, Bits<32>>,
    /// its answer is there
    pub onward_done: Signal<Out, Bit>,
    /// it is of a flow
    pub onward_known: Signal<Out, Bit>,
    /// number of the flow
    pub onward_flow: Signal<Out, Bits<FLOW_BITS>>,
    /// PSNs that it consumes
    pub onward_span: Signal<Out, Bits<24>>,
    /// a packet of the back direction
    pub back_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `back_valid` is high too
    pub back_ready: Signal<Out, Bit>,
    /// IPv6
    pub back_six: Signal<In, Bit>,
    /// source
    pub back_source: Signal<In, Bits<128>>,
    /// destination
    pub back_destination: Signal<In, Bits<128>>,
    /// destination queue pair
    pub back_qp: Signal<In, Bits<24>>,
    /// its answer is there
    pub back_done: Signal<Out, Bit>,
    /// it is of a flow
    pub back_known: Signal<Out, Bit>,
    /// number of the flow
    pub back_flow: Signal<Out, Bits<FLOW_BITS>>,
    #[port = "write"]
    pub writes: FlowWrites,
    pub write: FlowEntry,
    /// number of a flow
    pub read_flow: Signal<In, Bits<FLOW_BITS>>,
    /// its entry, two clocks later; of a flow without one nothing that means anything
    pub read: FlowEntryReader,

    onward: Lr2KeySide,
    back: Lr2KeySide,
    entries: BlockRam<FLOW_ENTRY_BITS, FLOW_BITS, 1>,
    step: State<Bits<3>>,
    running: State<Bit>,
    probe: Signal<Local, Bit>,
    stores: Signal<Local, Bit>,
    judges: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    clash: Signal<Local, Bit>,
    entry: Signal<Local, Bits<FLOW_ENTRY_BITS>>,
    lengths: [Reg<Bits<32>>; 4],
    whole: Reg<Bits<24>>,
    rest: Reg<Bit>,
    one: Signal<Local, Bit>,
}

impl Logic for Lr2FlowTable {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.onward.ready.val() && self.back.ready.val();

        // An entry: 0 erase and store, 1 the probe, 4 its answer is there. The slot of the flow is read in the clock before.
        if self.writes.valid.val() && self.ready.val() && !self.running.q.val() {
            self.running.d.next = true;
        }
        if self.running.q.val() {
            self.step.d.next = self.step.q.val() + 1;
        }
        self.stores.next = self.running.q.val() && self.step.q.val() == bits::<3>(0);
        self.probe.next = self.running.q.val() && self.step.q.val() == bits::<3>(1);
        self.judges.next = self.running.q.val() && self.step.q.val() == bits::<3>(4);
        self.room.next = self.onward.free.val() && self.back.free.val();
        self.clash.next = self.onward.taken.val() || self.back.taken.val();
        self.writes.ready.next = self.judges.val();
        self.writes.refused.next = self.writes.set.val() && (!self.room.val() || self.clash.val());
        if self.judges.val() {
            self.running.d.next = false;
            self.step.d.next = bits::<3>(0);
        }
        self.onward.write_flow.next = self.writes.flow.val();
        self.onward.write_key.next = bit_cast::<FLOW_KEY_BITS, 24>(self.writes.qp.val())
            | (bit_cast::<FLOW_KEY_BITS, 128>(self.write.destination.val()) << 24)
            | (bit_cast::<FLOW_KEY_BITS, 128>(self.write.source.val()) << 152)
            | (bit_cast::<FLOW_KEY_BITS, 1>(self.write.six.val().into()) << 280);
        self.onward.write_mtu.next = self.writes.mtu.val();
        self.onward.erase.next = self.stores.val();
        // What is cleared has no key: one that is asked for meanwhile is not to be found there.
        self.onward.store.next = self.stores.val() && self.writes.set.val();
        self.onward.probe.next = self.probe.val();
        self.onward.place.next = self.judges.val() && self.writes.set.val() && self.room.val() && !self.clash.val();
        self.back.write_flow.next = self.writes.flow.val();
        self.back.write_key.next = bit_cast::<FLOW_KEY_BITS, 24>(self.write.peer_qp.val())
            | (bit_cast::<FLOW_KEY_BITS, 128>(self.write.source.val()) << 24)
            | (bit_cast::<FLOW_KEY_BITS, 128>(self.write.destination.val()) << 152)
            | (bit_cast::<FLOW_KEY_BITS, 1>(self.write.six.val().into()) << 280);
        self.back.write_mtu.next = bits::<3>(0);
        self.back.erase.next = self.stores.val();
        self.back.store.next = self.stores.val() && self.writes.set.val();
        self.back.probe.next = self.probe.val();
        self.back.place.next = self.judges.val() && self.writes.set.val() && self.room.val() && !self.clash.val();

        // Both directions.
        self.onward_ready.next = !self.probe.val();
        self.onward.ask.next = self.onward_valid.val();
        self.onward.ask_key.next = bit_cast::<FLOW_KEY_BITS, 24>(self.onward_qp.val())
            | (bit_cast::<FLOW_KEY_BITS, 128>(self.onward_destination.val()) << 24)
            | (bit_cast::<FLOW_KEY_BITS, 128>(self.onward_source.val()) << 152)
            | (bit_cast::<FLOW_KEY_BITS, 1>(self.onward_six.val().into()) << 280);
        self.onward_done.next = self.onward.done.val();
        self.onward_known.next = self.onward.known.val();
        self.onward_flow.next = self.onward.flow.val();
        self.back_ready.next = !self.probe.val();
        self.back.ask.next = self.back_valid.val();
        self.back.ask_key.next = bit_cast::<FLOW_KEY_BITS, 24>(self.back_qp.val())
            | (bit_cast::<FLOW_KEY_BITS, 128>(self.back_destination.val()) << 24)
            | (bit_cast::<FLOW_KEY_BITS, 128>(self.back_source.val()) << 152)
            | (bit_cast::<FLOW_KEY_BITS, 1>(self.back_six.val().into()) << 280);
        self.back_done.next = self.back.done.val();
        self.back_known.next = self.back.known.val();
        self.back_flow.next = self.back.flow.val();

        // PSNs of a packet: whole packets of the answer, and one for what is left, or if there is nothing.
        self.lengths[0].d.next = self.onward_read.val();
        for k in 1..4 {
            self.lengths[k].d.next = self.lengths[k - 1].q.val();
        }
        if self.onward.mtu.val() == bits::<3>(0) {
            self.whole.d.next = self.lengths[3].q.val().get_bits::<24>(8);
            self.rest.d.next = self.lengths[3].q.val().get_bits::<8>(0).any();
        } else if self.onward.mtu.val() == bits::<3>(1) {
            self.whole.d.next = bit_cast::<24, 23>(self.lengths[3].q.val().get_bits::<23>(9));
            self.rest.d.next = self.lengths[3].q.val().get_bits::<9>(0).any();
        } else if self.onward.mtu.val() == bits::<3>(2) {
            self.whole.d.next = bit_cast::<24, 22>(self.lengths[3].q.val().get_bits::<22>(10));
            self.rest.d.next = self.lengths[3].q.val().get_bits::<10>(0).any();
        } else if self.onward.mtu.val() == bits::<3>(3) {
            self.whole.d.next = bit_cast::<24, 21>(self.lengths[3].q.val().get_bits::<21>(11));
            self.rest.d.next = self.lengths[3].q.val().get_bits::<11>(0).any();
        } else {
            self.whole.d.next = bit_cast::<24, 20>(self.lengths[3].q.val().get_bits::<20>(12));
            self.rest.d.next = self.lengths[3].q.val().get_bits::<12>(0).any();
        }
        self.one.next = self.rest.q.val() || !self.whole.q.val().any();
        self.onward_span.next = self.whole.q.val();
        if self.one.val() {
            self.onward_span.next = self.whole.q.val() + 1;
        }

        // What frames are made of.
        self.entry.next = bit_cast::<FLOW_ENTRY_BITS, 24>(self.write.peer_qp.val())
            | (bit_cast::<FLOW_ENTRY_BITS, 16>(self.write.partition_key.val()) << 24)
            | (bit_cast::<FLOW_ENTRY_BITS, 16>(self.write.udp_source.val()) << 40)
            | (bit_cast::<FLOW_ENTRY_BITS, 48>(self.write.to_mac.val()) << 56)
            | (bit_cast::<FLOW_ENTRY_BITS, 48>(self.write.from_mac.val()) << 104)
            | (bit_cast::<FLOW_ENTRY_BITS, 1>(self.write.six.val().into()) << 152)
            | (bit_cast::<FLOW_ENTRY_BITS, 128>(self.write.destination.val()) << 153)
            | (bit_cast::<FLOW_ENTRY_BITS, 128>(self.write.source.val()) << 281);
        self.entries.write_enable.next = self.stores.val();
        self.entries.write_address.next = self.writes.flow.val();
        self.entries.write_data.next = self.entry.val();
        self.entries.read_address.next = self.read_flow.val();
        self.read.peer_qp.next = self.entries.read_data.val().get_bits::<24>(0);
        self.read.partition_key.next = self.entries.read_data.val().get_bits::<16>(24);
        self.read.udp_source.next = self.entries.read_data.val().get_bits::<16>(40);
        self.read.to_mac.next = self.entries.read_data.val().get_bits::<48>(56);
        self.read.from_mac.next = self.entries.read_data.val().get_bits::<48>(104);
        self.read.six.next = self.entries.read_data.val().get_bit(152);
        self.read.destination.next = self.entries.read_data.val().get_bits::<128>(153);
        self.read.source.next = self.entries.read_data.val().get_bits::<128>(281);
    }
}
