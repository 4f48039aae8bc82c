use crate::bus::{Completions, CompletionsSink};
use crate::primitives::State;
use crate::wire::OP_BITS;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Completions of the receive side and of the commands of this host as one stream, in turn.
///
/// What has been offered stays until it is taken. A command's completion has our own node as its source and neither address nor mask.
/// Latency: 0 clocks. Throughput: one per clock. Reset: nothing is offered.
///
/// Parameter: `COMPLETION_MASK_BITS` bits of a mask.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CompletionMerge<const COMPLETION_MASK_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    pub receive: CompletionsSink<COMPLETION_MASK_BITS>,
    /// a command has ended
    pub command_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `command_valid` is high too
    pub command_ready: Signal<Out, Bit>,
    /// number of `command`
    pub command_id: Signal<In, Bits<16>>,
    /// status code
    pub command_status: Signal<In, Bits<8>>,
    /// bytes of `command`
    pub command_bytes: Signal<In, Bits<32>>,
    /// our own node number
    pub cfg_source_node: Signal<In, Bits<16>>,
    pub complete: Completions<COMPLETION_MASK_BITS>,
    // Something is offered and not taken: whose it is. Else: who was last.
    held: State<Bit>,
    commands: State<Bit>,
    command: Signal<Local, Bit>,
    valid: Signal<Local, Bit>,
}

impl<const COMPLETION_MASK_BITS: usize> Logic for CompletionMerge<COMPLETION_MASK_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.command.next = self.commands.q.val();
        if !self.held.q.val() {
            self.command.next = self.command_valid.val() && !(self.receive.valid.val() && self.commands.q.val());
        }
        self.valid.next = self.receive.valid.val() || self.command_valid.val();
        self.complete.valid.next = self.valid.val();
        self.held.d.next = self.valid.val() && !self.complete.ready.val();
        if self.valid.val() {
            self.commands.d.next = self.command.val();
        }
        self.receive.ready.next = self.complete.ready.val() && !self.command.val();
        self.command_ready.next = self.complete.ready.val() && self.command.val();
        self.complete.kind.next = self.receive.kind.val();
        self.complete.src.next = self.receive.src.val();
        self.complete.op.next = self.receive.op.val();
        self.complete.base.next = self.receive.base.val();
        self.complete.bytes.next = self.receive.bytes.val();
        self.complete.packets.next = self.receive.packets.val();
        self.complete.status.next = self.receive.status.val();
        self.complete.imm_valid.next = self.receive.imm_valid.val();
        self.complete.imm.next = self.receive.imm.val();
        self.complete.mask.next = self.receive.mask.val();
        if self.command.val() {
            self.complete.kind.next = bits::<2>(2);
            self.complete.src.next = self.cfg_source_node.val();
            self.complete.op.next = bit_cast::<OP_BITS, 16>(self.command_id.val());
            self.complete.base.next = bits::<64>(0);
            self.complete.bytes.next = self.command_bytes.val();
            self.complete.packets.next = bits::<16>(0);
            self.complete.status.next = self.command_status.val();
            self.complete.imm_valid.next = false;
            self.complete.imm.next = bits::<32>(0);
            self.complete.mask.next = bits::<COMPLETION_MASK_BITS>(0);
        }
    }
}
