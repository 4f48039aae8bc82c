use super::CompletionEntry;
use crate::bus::CompletionsSink;
use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Completions as an AXI4-Stream instead of a ring in host memory: one beat each, the same 64 bytes (`CompletionEntry`), phase always 1.
///
/// For a consumer in the fabric; `CompletionQueue` is for software.
/// Latency: 1 clock. Throughput: 1 per clock. Reset: empty; numbers begin at 0.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CompletionStream<const COMPLETION_MASK_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    pub complete: CompletionsSink<COMPLETION_MASK_BITS>,
    /// a completion
    pub m_axis_completion_tvalid: Signal<Out, Bit>,
    /// it is taken
    pub m_axis_completion_tready: Signal<In, Bit>,
    /// 64 bytes of `m_axis_completion`, byte 0 in the lowest bits: see `CompletionEntry`
    pub m_axis_completion_tdata: Signal<Out, Bits<512>>,
    /// always: one beat is a packet
    pub m_axis_completion_tlast: Signal<Out, Bit>,
    /// counts completions taken
    pub evt_completions: Signal<Out, Bit>,

    entry: CompletionEntry<COMPLETION_MASK_BITS>,
    beat: Reg<Bits<512>>,
    full: State<Bit>,
    number: State<Bits<32>>,
}

impl<const COMPLETION_MASK_BITS: usize> CompletionStream<COMPLETION_MASK_BITS> {
    /// A new one.
    /// # Panics
    /// A parameter that is not allowed.
    pub fn new() -> Self {
        assert!(
            (1..=256).contains(&COMPLETION_MASK_BITS),
            "CompletionStream: COMPLETION_MASK_BITS = {COMPLETION_MASK_BITS}, allowed are 1 to 256"
        );
        Self::default()
    }
}

impl<const COMPLETION_MASK_BITS: usize> Logic for CompletionStream<COMPLETION_MASK_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.entry.kind.next = self.complete.kind.val();
        self.entry.src.next = self.complete.src.val();
        self.entry.op.next = self.complete.op.val();
        self.entry.base.next = self.complete.base.val();
        self.entry.bytes.next = self.complete.bytes.val();
        self.entry.packets.next = self.complete.packets.val();
        self.entry.status.next = self.complete.status.val();
        self.entry.imm_valid.next = self.complete.imm_valid.val();
        self.entry.imm.next = self.complete.imm.val();
        self.entry.mask.next = self.complete.mask.val();
        self.entry.number.next = self.number.q.val();
        self.entry.phase.next = true;
        self.complete.ready.next = !self.full.q.val() || self.m_axis_completion_tready.val();
        if !self.full.q.val() || self.m_axis_completion_tready.val() {
            self.full.d.next = self.complete.valid.val();
            self.beat.d.next = self.entry.entry.val();
            if self.complete.valid.val() {
                self.number.d.next = self.number.q.val() + 1;
            }
        }
        self.m_axis_completion_tvalid.next = self.full.q.val();
        self.m_axis_completion_tdata.next = self.beat.q.val();
        self.m_axis_completion_tlast.next = true;
        self.evt_completions.next = self.full.q.val() && self.m_axis_completion_tready.val();
    }
}
