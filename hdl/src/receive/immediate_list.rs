use crate::primitives::{FifoLut, LutRam, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Immediates whose packets have arrived, until everything before them has: then each is told, once.
///
/// What is acknowledged of each queue pair is remembered. The immediates go round in a queue and are looked at one after the other, so those of one queue pair that become due together may be
/// told in any order. Of a queue pair that is closed none is told any more. `room` says whether a packet with an immediate may be taken; from then on it counts, until it is told, or
/// `lost` says that nothing comes of it.
/// Latency: 1 clock per immediate that waits, from the acknowledgement on. Throughput: one immediate told per clock. Reset: none waits; queue pairs have to be opened.
/// Spec: overview, "Who acknowledges what", profile bitmap.
///
/// `2^A` queue pairs, `EW` = `A + 136`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct ImmediateList<const A: usize, const EW: usize> {
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
    pub in_qp: Signal<In, Bits<A>>,
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
    /// which
    pub open_qp: Signal<In, Bits<A>>,
    /// its first packet sequence number
    pub open_psn: Signal<In, Bits<24>>,
    /// everything has arrived
    pub told_valid: Signal<In, Bit>,
    /// of this queue pair
    pub told_qp: Signal<In, Bits<A>>,
    /// up to this packet
    pub told_psn: Signal<In, Bits<24>>,
    /// an immediate is told
    pub out_valid: Signal<Out, Bit>,
    /// it is taken
    pub out_ready: Signal<In, Bit>,
    /// index of its queue pair
    pub out_qp: Signal<Out, Bits<A>>,
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
    waiting: FifoLut<EW, 5, 6>,
    // Highest number that is acknowledged; above it whether the queue pair is open.
    edges: LutRam<25, A>,
    reserved: State<Bits<5>>,
    acknowledged: Signal<Local, Bits<25>>,
    behind: Signal<Local, Bits<24>>,
    before: Signal<Local, Bits<24>>,
    is_open: Signal<Local, Bit>,
    is_due: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    returns: Signal<Local, Bit>,
}

impl<const A: usize, const EW: usize> ImmediateList<A, EW> {
    /// A new one.
    /// # Panics
    /// A parameter that does not follow from the others.
    pub fn new() -> Self {
        assert!(EW == A + 136, "ImmediateList: EW = {EW} with A = {A}, must be {}", A + 136);
        Self::default()
    }
}

impl<const A: usize, const EW: usize> Logic for ImmediateList<A, EW> {
    #[kernel]
    fn update(&mut self) {
        self.room.next = !self.reserved.q.val().get_bit(4);

        // What is acknowledged; a queue pair that is opened or closed goes before.
        self.before.next = self.open_psn.val() - 1;
        self.edges.write_enable.next = self.told_valid.val() || self.open_valid.val();
        self.edges.write_address.next = self.told_qp.val();
        self.edges.write_data.next = bit_cast::<25, 24>(self.told_psn.val()) | (bits::<25>(1) << 24);
        if self.open_valid.val() {
            self.edges.write_address.next = self.open_qp.val();
            self.edges.write_data.next = bit_cast::<25, 24>(self.before.val()) | (bit_cast::<25, 1>(self.open_open.val().into()) << 24);
        }

        // The oldest: it is told, goes round once more, or is forgotten.
        self.edges.read_address.next = self.waiting.out_data.val().get_bits::<A>(0);
        self.acknowledged.next = self.edges.read_data.val();
        self.is_open.next = self.acknowledged.val().get_bit(24);
        self.behind.next = self.acknowledged.val().get_bits::<24>(0) - self.waiting.out_data.val().get_bits::<24>(A);
        self.is_due.next = self.is_open.val() && !self.behind.val().get_bit(23);
        self.out_valid.next = self.waiting.out_valid.val() && self.is_due.val();
        self.leaves.next = self.waiting.out_valid.val() && (!self.is_open.val() || (self.is_due.val() && self.out_ready.val()));
        self.returns.next = self.waiting.out_valid.val() && self.is_open.val() && !self.is_due.val() && !self.in_valid.val();
        self.waiting.out_ready.next = self.leaves.val() || self.returns.val();
        self.waiting.in_valid.next = self.in_valid.val() || self.returns.val();
        self.waiting.in_data.next = self.waiting.out_data.val();
        if self.in_valid.val() {
            self.waiting.in_data.next = bit_cast::<EW, A>(self.in_qp.val())
                | (bit_cast::<EW, 24>(self.in_psn.val()) << A.to_bits::<8>())
                | (bit_cast::<EW, 32>(self.in_imm.val()) << (A + 24).to_bits::<8>())
                | (bit_cast::<EW, 64>(self.in_addr.val()) << (A + 56).to_bits::<8>())
                | (bit_cast::<EW, 16>(self.in_bytes.val()) << (A + 120).to_bits::<8>());
        }
        self.out_qp.next = self.waiting.out_data.val().get_bits::<A>(0);
        self.out_imm.next = self.waiting.out_data.val().get_bits::<32>(A + 24);
        self.out_addr.next = self.waiting.out_data.val().get_bits::<64>(A + 56);
        self.out_bytes.next = self.waiting.out_data.val().get_bits::<16>(A + 120);
        self.reserved.d.next = self.reserved.q.val() + bit_cast::<5, 1>(self.reserve.val().into())
            - bit_cast::<5, 1>(self.lost.val().into())
            - bit_cast::<5, 1>(self.leaves.val().into());
        self.idle.next = !self.reserved.q.val().any();
    }
}
