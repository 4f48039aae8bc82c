use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Threshold and segment size as they may be used: the last good ones.
///
/// A setting is good if P <= segment <= M P, segment is a multiple of P and threshold <= M P. Both change together, and stay while what is
/// set is bad.
/// Latency: 1 clock to `config_error`, 2 to the others. Reset: bad.
/// Spec: send path, "Decided".
///
/// Parameters: P = `2^PACKET_BITS` bytes of a packet, M = `2^(POSITION_COUNT_BITS - 1)` packets of the largest segment,
/// `OPERATION_COUNT_BITS` = `PACKET_BITS + POSITION_COUNT_BITS`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct SplitConfig<const PACKET_BITS: usize, const POSITION_COUNT_BITS: usize, const OPERATION_COUNT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// bytes above which a command is large
    pub cfg_threshold: Signal<In, Bits<32>>,
    /// bytes of a segment of a large command
    pub cfg_segment: Signal<In, Bits<32>>,
    /// what is set is not good
    pub config_error: Signal<Out, Bit>,
    /// what was set is not good, as late as `threshold` and `packets`: they are not of it
    pub refused: Signal<Out, Bit>,
    /// the last good threshold
    pub threshold: Signal<Out, Bits<OPERATION_COUNT_BITS>>,
    /// the last good segment size in packets
    pub packets: Signal<Out, Bits<POSITION_COUNT_BITS>>,

    largest: Signal<Local, Bits<32>>,
    bad: Reg<Bit>,
    bad1: Reg<Bit>,
    seen_threshold: Reg<Bits<OPERATION_COUNT_BITS>>,
    seen_packets: Reg<Bits<POSITION_COUNT_BITS>>,
    q_threshold: Reg<Bits<OPERATION_COUNT_BITS>>,
    q_packets: Reg<Bits<POSITION_COUNT_BITS>>,
}

impl<const PACKET_BITS: usize, const POSITION_COUNT_BITS: usize, const OPERATION_COUNT_BITS: usize>
    SplitConfig<PACKET_BITS, POSITION_COUNT_BITS, OPERATION_COUNT_BITS>
{
    /// A new one.
    /// # Panics
    /// A parameter that is not allowed, or does not follow from the others.
    pub fn new() -> Self {
        assert!(
            OPERATION_COUNT_BITS == PACKET_BITS + POSITION_COUNT_BITS && OPERATION_COUNT_BITS <= 32,
            "SplitConfig: OPERATION_COUNT_BITS = {OPERATION_COUNT_BITS} with PACKET_BITS = {PACKET_BITS}, POSITION_COUNT_BITS = {POSITION_COUNT_BITS}, must be {}, at most 32",
            PACKET_BITS + POSITION_COUNT_BITS
        );
        Self::default()
    }
}

impl<const PACKET_BITS: usize, const POSITION_COUNT_BITS: usize, const OPERATION_COUNT_BITS: usize> Logic
    for SplitConfig<PACKET_BITS, POSITION_COUNT_BITS, OPERATION_COUNT_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.largest.next = bits::<32>(1) << (OPERATION_COUNT_BITS - 1).to_bits::<6>();
        self.seen_threshold.d.next = self.cfg_threshold.val().get_bits::<OPERATION_COUNT_BITS>(0);
        self.seen_packets.d.next = self.cfg_segment.val().get_bits::<POSITION_COUNT_BITS>(PACKET_BITS);
        self.bad.d.next = self.cfg_segment.val().get_bits::<PACKET_BITS>(0).any()
            || !self.cfg_segment.val().any()
            || (self.cfg_segment.val() > self.largest.val())
            || (self.cfg_threshold.val() > self.largest.val());
        if !self.bad.q.val() {
            self.q_threshold.d.next = self.seen_threshold.q.val();
            self.q_packets.d.next = self.seen_packets.q.val();
        }
        self.bad1.d.next = self.bad.q.val();
        self.config_error.next = self.bad.q.val();
        self.refused.next = self.bad1.q.val();
        self.threshold.next = self.q_threshold.q.val();
        self.packets.next = self.q_packets.q.val();
        if self.rst.val() {
            self.bad.d.next = true;
            self.bad1.d.next = true;
        }
    }
}
