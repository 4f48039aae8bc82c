use crate::primitives::{FifoLut, LutRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Immediates whose packets have arrived, until everything before them has: then each is told, once.
///
/// What is acknowledged of each queue pair is remembered. The immediates go round in a queue and are looked at one after the other, so
/// those of one queue pair that become due together may be told in any order. Of a queue pair that is closed none is told any more,
/// whatever is still acknowledged of it. `room` says whether a packet with an immediate may be taken; from then on it counts, until it is
/// told, or `lost` says that nothing comes of it.
/// Latency: 1 clock per immediate that waits, from the acknowledgement on. Throughput: one immediate told per clock. Reset: none waits;
/// queue pairs have to be opened.
/// Spec: overview, "Who acknowledges what", profile bitmap.
///
/// `NODES` = `2^NODE_BITS` queue pairs, `WAITING_IMMEDIATE_BITS` = `NODE_BITS + 136`.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct ImmediateList<const NODE_BITS: usize, const NODES: usize, const WAITING_IMMEDIATE_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a packet with an immediate may be taken
    pub room: Signal<Out, Bit>,
    /// it is
    pub reserve: Signal<In, Bit>,
    /// nothing comes of one
    pub lost: Signal<In, Bit>,
    /// one is there
    pub in_valid: Signal<In, Bit>,
    /// index of its queue pair
    pub in_qp: Signal<In, Bits<NODE_BITS>>,
    /// packet sequence number
    pub in_psn: Signal<In, Bits<24>>,
    /// the immediate
    pub in_imm: Signal<In, Bits<32>>,
    /// where the payload of its packet lies
    pub in_addr: Signal<In, Bits<64>>,
    /// bytes of it
    pub in_bytes: Signal<In, Bits<16>>,
    /// a queue pair is opened or closed
    pub open_valid: Signal<In, Bit>,
    /// opened
    pub open_open: Signal<In, Bit>,
    /// queue pair of `open`
    pub open_qp: Signal<In, Bits<NODE_BITS>>,
    /// first packet sequence number of `open`
    pub open_psn: Signal<In, Bits<24>>,
    /// everything has arrived
    pub told_valid: Signal<In, Bit>,
    /// of this queue pair
    pub told_qp: Signal<In, Bits<NODE_BITS>>,
    /// up to this packet
    pub told_psn: Signal<In, Bits<24>>,
    /// an immediate is told
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// index of its queue pair
    pub out_qp: Signal<Out, Bits<NODE_BITS>>,
    /// the immediate
    pub out_imm: Signal<Out, Bits<32>>,
    /// where the payload of its packet lies
    pub out_addr: Signal<Out, Bits<64>>,
    /// bytes of it
    pub out_bytes: Signal<Out, Bits<16>>,
    /// none waits
    pub idle: Signal<Out, Bit>,

    // Low bits first: queue pair, number, immediate, address, bytes.
    // Twice the places that `room` gives: one that goes round is pushed in the clock in which it is popped, and a full FIFO takes no push.
    waiting: FifoLut<WAITING_IMMEDIATE_BITS, 5, 6>,
    // The number before the first of each queue pair, above it whether it is open; the highest that is acknowledged; whether one is since
    // the queue pair was opened or closed. Opening and acknowledging may come in one clock, and write different words.
    beginnings: LutRam<25, NODE_BITS>,
    edges: LutRam<24, NODE_BITS>,
    moved: [Reg<Bit>; NODES],
    reserved: State<Bits<5>>,
    moves: Signal<Local, Bits<NODES>>,
    acknowledged: Signal<Local, Bits<24>>,
    behind: Signal<Local, Bits<24>>,
    before: Signal<Local, Bits<24>>,
    is_open: Signal<Local, Bit>,
    is_due: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    returns: Signal<Local, Bit>,
}

impl<const NODE_BITS: usize, const NODES: usize, const WAITING_IMMEDIATE_BITS: usize> Default
    for ImmediateList<NODE_BITS, NODES, WAITING_IMMEDIATE_BITS>
{
    fn default() -> Self {
        assert!(
            NODES == 1 << NODE_BITS && WAITING_IMMEDIATE_BITS == NODE_BITS + 136,
            "ImmediateList: NODES = {NODES}, WAITING_IMMEDIATE_BITS = {WAITING_IMMEDIATE_BITS} with NODE_BITS = {NODE_BITS}, must be {} and {}",
            1 << NODE_BITS,
            NODE_BITS + 136
        );
        Self {
            clk: Default::default(),
            rst: Default::default(),
            room: Default::default(),
            reserve: Default::default(),
            lost: Default::default(),
            in_valid: Default::default(),
            in_qp: Default::default(),
            in_psn: Default::default(),
            in_imm: Default::default(),
            in_addr: Default::default(),
            in_bytes: Default::default(),
            open_valid: Default::default(),
            open_open: Default::default(),
            open_qp: Default::default(),
            open_psn: Default::default(),
            told_valid: Default::default(),
            told_qp: Default::default(),
            told_psn: Default::default(),
            out_valid: Default::default(),
            out_ready: Default::default(),
            out_qp: Default::default(),
            out_imm: Default::default(),
            out_addr: Default::default(),
            out_bytes: Default::default(),
            idle: Default::default(),
            waiting: Default::default(),
            beginnings: Default::default(),
            edges: Default::default(),
            moved: std::array::from_fn(|_| Default::default()),
            reserved: Default::default(),
            moves: Default::default(),
            acknowledged: Default::default(),
            behind: Default::default(),
            before: Default::default(),
            is_open: Default::default(),
            is_due: Default::default(),
            leaves: Default::default(),
            returns: Default::default(),
        }
    }
}

impl<const NODE_BITS: usize, const NODES: usize, const WAITING_IMMEDIATE_BITS: usize> Logic
    for ImmediateList<NODE_BITS, NODES, WAITING_IMMEDIATE_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.room.next = !self.reserved.q.val().get_bit(4);

        // What is acknowledged. Of a queue pair that is opened or closed in the same clock it is not of the new one.
        self.before.next = self.open_psn.val() - 1;
        self.beginnings.write_enable.next = self.open_valid.val();
        self.beginnings.write_address.next = self.open_qp.val();
        self.beginnings.write_data.next = bit_cast::<25, 24>(self.before.val()) | (bit_cast::<25, 1>(self.open_open.val().into()) << 24);
        self.edges.write_enable.next = self.told_valid.val();
        self.edges.write_address.next = self.told_qp.val();
        self.edges.write_data.next = self.told_psn.val();
        self.moves.next = bits::<NODES>(0);
        for i in 0..NODES {
            self.moved[i].d.next = (self.moved[i].q.val() || (self.told_valid.val() && (self.told_qp.val() == i.to_bits::<NODE_BITS>())))
                && !(self.open_valid.val() && (self.open_qp.val() == i.to_bits::<NODE_BITS>()));
            self.moves.next = self.moves.val().replace_bit(i, self.moved[i].q.val());
        }

        // The oldest: it is told, goes round once more, or is forgotten.
        self.beginnings.read_address.next = self.waiting.out_data.val().get_bits::<NODE_BITS>(0);
        self.edges.read_address.next = self.waiting.out_data.val().get_bits::<NODE_BITS>(0);
        self.is_open.next = self.beginnings.read_data.val().get_bit(24);
        self.acknowledged.next = self.beginnings.read_data.val().get_bits::<24>(0);
        if ((self.moves.val() >> self.waiting.out_data.val().get_bits::<NODE_BITS>(0)) & 1).any() {
            self.acknowledged.next = self.edges.read_data.val();
        }
        self.behind.next = self.acknowledged.val() - self.waiting.out_data.val().get_bits::<24>(NODE_BITS);
        self.is_due.next = self.is_open.val() && !self.behind.val().get_bit(23);
        self.out_valid.next = self.waiting.out_valid.val() && self.is_due.val();
        self.leaves.next = self.waiting.out_valid.val() && (!self.is_open.val() || (self.is_due.val() && self.out_ready.val()));
        self.returns.next = self.waiting.out_valid.val() && self.is_open.val() && !self.is_due.val() && !self.in_valid.val();
        self.waiting.out_ready.next = self.leaves.val() || self.returns.val();
        self.waiting.in_valid.next = self.in_valid.val() || self.returns.val();
        self.waiting.in_data.next = self.waiting.out_data.val();
        if self.in_valid.val() {
            self.waiting.in_data.next = bit_cast::<WAITING_IMMEDIATE_BITS, NODE_BITS>(self.in_qp.val())
                | (bit_cast::<WAITING_IMMEDIATE_BITS, 24>(self.in_psn.val()) << NODE_BITS.to_bits::<8>())
                | (bit_cast::<WAITING_IMMEDIATE_BITS, 32>(self.in_imm.val()) << (NODE_BITS + 24).to_bits::<8>())
                | (bit_cast::<WAITING_IMMEDIATE_BITS, 64>(self.in_addr.val()) << (NODE_BITS + 56).to_bits::<8>())
                | (bit_cast::<WAITING_IMMEDIATE_BITS, 16>(self.in_bytes.val()) << (NODE_BITS + 120).to_bits::<8>());
        }
        self.out_qp.next = self.waiting.out_data.val().get_bits::<NODE_BITS>(0);
        self.out_imm.next = self.waiting.out_data.val().get_bits::<32>(NODE_BITS + 24);
        self.out_addr.next = self.waiting.out_data.val().get_bits::<64>(NODE_BITS + 56);
        self.out_bytes.next = self.waiting.out_data.val().get_bits::<16>(NODE_BITS + 120);
        self.reserved.d.next = self.reserved.q.val() + bit_cast::<5, 1>(self.reserve.val().into())
            - bit_cast::<5, 1>(self.lost.val().into())
            - bit_cast::<5, 1>(self.leaves.val().into());
        self.idle.next = !self.reserved.q.val().any();
    }
}
